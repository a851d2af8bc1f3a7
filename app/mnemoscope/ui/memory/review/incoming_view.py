"""What someone else wrote into MEMORY.md while the person was typing, and what to do about it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.widgets.theme import LINK_INSET, set_role


class IncomingView(QWidget):
    """A diff with the ways on from it as signals."""

    merge_chosen = Signal()
    mine_chosen = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.diff = DiffView(self)
        merge, mine, back = (
            QPushButton(text, self) for text in (self.tr("Merge"), self.tr("Keep mine"), self.tr("Back"))
        )
        set_role(merge, kind="primary")
        set_role(back, kind="quiet")
        merge.setAccessibleDescription(self.tr("Bring both together; where both changed a line, yours stays"))
        for button, signal in ((merge, self.merge_chosen), (mine, self.mine_chosen), (back, self.closed)):
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(merge)
        row.addWidget(mine)
        row.addWidget(back)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addWidget(self.diff, 1)
        column.addLayout(row)
        self.setFocusProxy(merge)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Cancel):
            self.closed.emit()
            return
        super().keyPressEvent(event)
