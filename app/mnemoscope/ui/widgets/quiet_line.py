"""A caption with one thing to do about it: for what is no fault and needs no bar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from mnemoscope.ui.widgets.focus_return import FocusReturn
from mnemoscope.ui.widgets.theme import set_role


class QuietLine(QWidget):
    """`words`, then a link that runs `handler`."""

    def __init__(self, words: str, action: str, handler: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        set_role(label, role="caption")
        self.button = QPushButton(action, self)
        set_role(self.button, kind="link")
        self.button.clicked.connect(lambda _checked=False: handler())
        self.setAccessibleName(words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.button)
        row.addStretch(1)
        self._keyboard = FocusReturn(self)

    def go(self) -> None:
        """Be gone."""
        self._keyboard.give_back()
        self.hide()
        self.deleteLater()
