"""The list of proposals that never began to wait, since the person had rejected the same; a press lets one in again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.review.review_items import review_items
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.theme import Theme, set_role

_SIZE: Final = (560, 320)


class LeftOutDialog(Dialog):
    """Lists what was left out; `let_in(suggestion)` has one wait again."""

    manual_page: ClassVar = "review"
    let_in = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Left out of the review"))
        meaning = QLabel(
            self.tr("You rejected the same before, in these or in other words. Nothing was changed."), self
        )
        meaning.setWordWrap(True)
        set_role(meaning, role="caption")
        self.button = QPushButton(self.tr("Let it in again"), self)
        self.button.setEnabled(False)
        self.button.clicked.connect(self._let_in)
        self.list = QListWidget(self)
        self.list.setWordWrap(True)
        self.list.setAccessibleName(self.tr("Proposals that were left out"))
        self.list.currentRowChanged.connect(lambda row: self.button.setEnabled(row >= 0))
        buttons = self.closing_buttons(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(meaning)
        column.addWidget(self.list, 1)
        column.addWidget(buttons)
        self.resize(QSize(*(Theme.current().scaled(side) for side in _SIZE)))

    def show_left_out(self, found: Sequence[Suggestion]) -> None:
        """Lists these, the newest first."""
        self.list.clear()
        for suggestion in reversed(found):
            row = QListWidgetItem(self._words(suggestion), self.list)
            row.setData(Qt.ItemDataRole.UserRole, suggestion)
        self.list.setCurrentRow(0)

    def _words(self, suggestion: Suggestion) -> str:
        removal = self.tr("take out: {words}")
        return "\n".join(
            item.after.strip() or removal.format(words=item.before.strip()) for item in review_items([suggestion])
        )

    def _let_in(self) -> None:
        row = self.list.takeItem(self.list.currentRow())
        self.let_in.emit(row.data(Qt.ItemDataRole.UserRole))
        if not self.list.count():
            self.accept()
