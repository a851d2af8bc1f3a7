"""The card that asks before a message with a key in it is sent: what is sent is kept to the letter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.secrets.detection import MARK_OPENS, Secret
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.text.offsets import Offsets
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import set_role

KeysIn = Callable[[str], list[Secret]]
"""Returns whatever in a text looks like a key."""


class KeyCard(QFrame):
    """Is hidden until a message holds a key; Edit has the keyboard and is what Esc means.

    `keys_in` is asked once for each message, when it is sent, and then `is_kept`: whether the conversation has a file.
    """

    def __init__(self, composer: Composer, parent: QWidget) -> None:
        super().__init__(parent)
        leave_at_escape(self, self._go_back)
        set_role(self, role="bar-warning")
        self.keys_in: KeysIn = lambda _text: []
        self.is_kept: Callable[[], bool] = lambda: True
        self._composer = composer
        self._allowed = ""
        self._question = plain_label(self)
        self._edit = self._button(self.tr("Edit"), self._go_back)
        self._mask = self._button(self.tr("Mask it"), self._mask_all)
        self._send = self._button(self.tr("Send anyway"), self._send_anyway)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self._edit, self._mask, self._send):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self._question)
        column.addLayout(row)
        self.hide()
        composer.edit.textChanged.connect(self.hide)
        composer.files.changed.connect(self.hide)

    def may_send(self, text: str) -> bool:
        """Returns whether a message may go; one with a key in it is asked about instead."""
        allowed, self._allowed = self._allowed, ""
        found = [] if text == allowed else self.keys_in(text)
        if found:
            self._ask(list(dict.fromkeys(each.mark.removeprefix(f"{MARK_OPENS}: ").rstrip("]") for each in found)))
        return not found

    def _ask(self, kinds: list[str]) -> None:
        what = (
            self.tr("This message holds what looks like a key ({kind}).")
            if len(kinds) == 1
            else self.tr("This message holds what looks like keys ({kind}).")
        )
        where = (
            self.tr("It stays in the conversation's file.")
            if self.is_kept()
            else self.tr("The model is sent it; this conversation is kept in no file.")
        )
        words = f"{what.format(kind=', '.join(kinds))} {where}"
        self._question.setText(words)
        self.setAccessibleName(words)
        self._mask.setText(self.tr("Mask it") if len(kinds) == 1 else self.tr("Mask them"))
        self.show()
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_back(self) -> None:
        self.hide()
        self._composer.setFocus()

    def _send_anyway(self) -> None:
        self._go_back()
        self._allowed = self._composer.content().sent().text
        self._composer.submit()

    def _mask_all(self) -> None:
        """Puts a mark in the place of each key, as one step that undo takes back; the person looks and sends."""
        text = self._composer.draft()
        offsets, cursor = Offsets(text), QTextCursor(self._composer.edit.document())
        cursor.beginEditBlock()
        for each in reversed(self.keys_in(text)):
            cursor.setPosition(offsets.to_qt(each.start))
            cursor.setPosition(offsets.to_qt(each.stop), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(each.mark)
        cursor.endEditBlock()
        files = self._composer.files.items
        self._composer.files.show_items([replace(each, text=self._masked(each.text)) for each in files])
        self._go_back()

    def _masked(self, text: str) -> str:
        for each in reversed(self.keys_in(text)):
            text = text[: each.start] + each.mark + text[each.stop :]
        return text

    def _button(self, words: str, work: Callable[[], None]) -> QPushButton:
        button = QPushButton(words, self)
        button.clicked.connect(work)
        return button
