"""Tells when a person looks at a pane for the first time: one behind another in the tabs is shown, but not seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget


class FirstSight(QObject):
    """Watches one pane until it is painted. What takes long to build is built then."""

    came = Signal()

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        pane.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self.came.emit)
        return False
