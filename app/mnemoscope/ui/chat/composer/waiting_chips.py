"""The messages that wait for an answer, one chip each, above the text that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.chat.composer.composer_edit import ComposerEdit
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.menus import offer_buttons
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.theme import set_role

_MOST: Final = 4
"""Chips on show; a line says how many more wait."""
_SHOWN_AFTER_MS: Final = 200
"""Milliseconds before a message that waits gets a chip: one that is written sooner needs none."""


class Waiting(Protocol):
    """Is a message that waits."""

    @property
    def content(self) -> ComposerText:
        """Returns its words."""
        ...

    @property
    def held(self) -> bool:
        """Tells whether it goes only when the person says so."""
        ...

    @property
    def sent_at(self) -> int | None:
        """Returns a number once it is on its way, where it can be changed no more."""
        ...


class WaitingChips(QWidget):
    """Is hidden while nothing waits."""

    taken_back = Signal(object)
    """The person wants this message back in the field."""
    released = Signal()
    """The messages that are held are to be sent."""
    edit_begun = Signal(object)
    """The words of this message are being changed."""
    edited = Signal(object, object)
    """This message has these words now, a `ComposerText`; None where it was left as it was."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lead = ElidedLabel(self)
        self._lead.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._lead, role="caption")
        self.send_button = _link(self.tr("Send now"), self)
        self.send_button.clicked.connect(self.released)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._lead, 1)
        head.addWidget(self.send_button)
        self._edited: Waiting | None = None
        self._edit: ComposerEdit | None = None
        self._late = QTimer(self, singleShot=True, interval=_SHOWN_AFTER_MS)
        self._late.timeout.connect(self.show)
        self._presses = SinglePress(self)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(self._rows)
        self.hide()

    def show_waiting(self, waiting: Sequence[Waiting]) -> None:
        """Shows these, the first to be sent first."""
        while (item := self._rows.takeAt(0)) is not None:
            if (row := item.widget()) is not None and row is not self._edit:
                row.hide()
                row.deleteLater()
        if self._edited is not None and self._edited not in waiting[:_MOST]:
            self._end_edit(None)
        for number, one in enumerate(waiting[:_MOST], 1):
            is_edited = self._edit is not None and one is self._edited
            self._rows.addWidget(self._edit if self._edit is not None and is_edited else self._chip(number, one))
        held = any(one.held for one in waiting)
        leaving = bool(waiting) and all(one.sent_at is not None for one in waiting)
        words = self.tr("Being sent. Esc takes it back") if leaving else self.tr("Sent after the answer")
        words = self.tr("Not sent: goes only when you say so") if held else words
        more = len(waiting) - _MOST
        if more > 0:
            words += " · " + self.tr("%n more wait", "", more)
        self._lead.setText(words)
        self.send_button.setVisible(held)
        if leaving and self.isHidden():
            self._late.start()
        else:
            self._late.stop()
            self.setVisible(bool(waiting))

    def _begin_edit(self, number: int, one: Waiting) -> None:
        """Puts a field in the place of a chip: Enter keeps what is written, Esc leaves the message as it was."""
        if self._edited is not None:
            self._end_edit(None)
        edit = self._edit = ComposerEdit(self)
        self._edited = one
        set_role(edit, role="field")
        edit.setAccessibleName(self.tr("Waiting message {number}").format(number=number))
        words, files = one.content.without_files()
        edit.insert_content(words)

        def keep() -> None:
            content = replace(edit.marks.content().stripped(), images=one.content.images)
            self._end_edit(content.with_files(files))

        edit.sent.connect(keep)
        edit.escaped.connect(lambda: self._end_edit(None))
        self.edit_begun.emit(one)
        edit.setFocus()

    def _end_edit(self, content: ComposerText | None) -> None:
        one, edit = self._edited, self._edit
        self._edited = self._edit = None
        if edit is not None:
            edit.hide()
            edit.deleteLater()
            self.edited.emit(one, content if content is not None and content.text else None)

    def _chip(self, number: int, one: Waiting) -> QFrame:
        chip = QFrame(self)
        set_role(chip, role="waiting")
        words = ElidedLabel(chip)
        words.setTextFormat(Qt.TextFormat.PlainText)
        images = self.tr("%n images", "", len(one.content.images)) if one.content.images else ""
        own, files = one.content.without_files()
        names = (each.name for each in files)
        words.setText(" · ".join(filter(None, (" ".join(own.text.split()), images, *names))))
        edit = _link(self.tr("Edit"), chip)
        edit.setAccessibleName(self.tr("Edit waiting message {number}").format(number=number))
        edit.clicked.connect(partial(self._begin_edit, number, one))
        back = _link(self.tr("Take back"), chip)
        back.setAccessibleName(self.tr("Take back waiting message {number}").format(number=number))
        self._presses.connect_button(back, partial(self.taken_back.emit, one))
        row = QHBoxLayout(chip)
        row.setContentsMargins(8, 2, 4, 2)
        row.setSpacing(8)
        row.addWidget(words, 1)
        for link in (edit, back):
            row.addWidget(link)
            # The chip is as high as before.
            policy = link.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            link.setSizePolicy(policy)
            link.setVisible(one.sent_at is None)
        offer_buttons(chip)
        return chip


def _link(words: str, parent: QWidget) -> QPushButton:
    button = QPushButton(words, parent)
    button.setCursor(Qt.CursorShape.ArrowCursor)
    set_role(button, kind="link")
    return button
