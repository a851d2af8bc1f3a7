"""The messages that wait for an answer, one chip each, above the text that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import set_role

_MOST: Final = 4
"""Chips on show; a line says how many more wait."""


class Waiting(Protocol):
    """A message that waits."""

    @property
    def content(self) -> ComposerText:
        """Returns its words."""
        ...

    @property
    def held(self) -> bool:
        """Tells whether it goes only when the person says so."""
        ...


class WaitingChips(QWidget):
    """Hidden while nothing waits."""

    taken_back = Signal(object)
    """The person wants this message back in the field."""
    released = Signal()
    """What is held is to be sent."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lead = QLabel(self)
        self._lead.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._lead, role="caption")
        self.send_button = _link(self.tr("Send now"), self)
        self.send_button.clicked.connect(self.released)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._lead, 1)
        head.addWidget(self.send_button)
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
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        for number, one in enumerate(waiting[:_MOST], 1):
            self._rows.addWidget(self._chip(number, one))
        held = any(one.held for one in waiting)
        words = self.tr("Not sent: goes only when you say so") if held else self.tr("Sent after the answer")
        more = len(waiting) - _MOST
        if more > 0:
            words += " · " + self.tr("%n more wait", "", more)
        self._lead.setText(words)
        self.send_button.setVisible(held)
        self.setVisible(bool(waiting))

    def _chip(self, number: int, one: Waiting) -> QFrame:
        chip = QFrame(self)
        set_role(chip, role="waiting")
        words = ElidedLabel(chip)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setText(" ".join(one.content.text.split()))
        back = _link(self.tr("Take back"), chip)
        back.setAccessibleName(self.tr("Take back waiting message {number}").format(number=number))
        back.clicked.connect(partial(self.taken_back.emit, one))
        row = QHBoxLayout(chip)
        row.setContentsMargins(8, 2, 4, 2)
        row.setSpacing(8)
        row.addWidget(words, 1)
        row.addWidget(back)
        return chip


def _link(words: str, parent: QWidget) -> QPushButton:
    button = QPushButton(words, parent)
    button.setCursor(Qt.CursorShape.ArrowCursor)
    set_role(button, kind="link")
    return button
