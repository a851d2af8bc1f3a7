"""One quiet line under the memory text: who changed it last, and the way to take that back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key, change_words
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.theme import set_role


class ChangeStrip(QWidget):
    """Takes no room while nothing was changed."""

    undo_pressed = Signal()
    changes_pressed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_of: TitleOf = by_key
        self.words = ElidedLabel(self)
        set_role(self.words, role="caption")
        self.undo_button = self._link(self.tr("Undo"), self.tr("Undo the last saved change"))
        self.changes_button = self._link(self.tr("Versions"), self.tr("All versions of {name}").format(name=name))
        self.undo_button.clicked.connect(self.undo_pressed)
        self.changes_button.clicked.connect(self.changes_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.words, 1)
        row.addWidget(self.undo_button)
        row.addWidget(self.changes_button)
        self.hide()

    def show_change(self, change: MemoryChange | None, *, read_only: bool) -> None:
        """Name the last change."""
        if change is not None:
            self.words.setText(change_words(change, self.title_of))
        self.undo_button.setVisible(not read_only)
        self.setVisible(change is not None)

    def _link(self, words: str, name: str) -> QPushButton:
        button = QPushButton(words, self)
        set_role(button, kind="link")
        button.setToolTip(name)
        button.setAccessibleName(name)
        return button
