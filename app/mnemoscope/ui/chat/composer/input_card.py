"""The card that the person writes in: it shows who has the keyboard, and a click anywhere on it is a click into it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from mnemoscope.ui.widgets.theme import Theme, set_role


class InputCard(QFrame):
    """A frame with a ring around it while what is in it has the keyboard."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_ringed = False
        set_role(self, role="input-card")
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def set_ringed(self, ringed: bool) -> None:
        """Show the ring or not."""
        self._is_ringed = ringed
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        # The ring is painted, not styled: a style sheet that is read anew at every focus costs more than a line.
        super().paintEvent(event)
        if self._is_ringed:
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(Theme.current().color("focus"), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)
