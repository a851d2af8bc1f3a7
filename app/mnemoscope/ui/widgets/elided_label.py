"""A label that never asks for more room than there is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel

from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip


class ElidedLabel(QLabel):
    """One line that ends in … where it lacks room; the tooltip then tells the whole of it."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        """Show this text, cut only on the screen."""
        super().setText(text)
        self._tell_whole()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_whole()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            elided = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), elided)

    def _tell_whole(self) -> None:
        lacks = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(plain_tooltip(self.text()) if lacks else "")
