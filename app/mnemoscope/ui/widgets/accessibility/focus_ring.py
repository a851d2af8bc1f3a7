"""The ring of focus where it is painted: around a row that the keyboard is on, or a card that holds what has it.

All else that takes the keyboard has its ring from the style sheet. A view whose ring is painted says so by its property
`ring`, so that it has no second one at its own edge.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from mnemoscope.ui.widgets.theme import Theme, set_role

RING: Final = 2
"""Pixels of its width; what stands in a card keeps that far from its edge."""
_CORNER: Final = 7


def paint_ring(painter: QPainter, around: QRect, corner: int = _CORNER) -> None:
    """Paints the ring just within a rectangle; the painter is left as it was."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(Theme.current().color("focus"), RING))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(around).adjusted(1, 1, -1, -1), corner, corner)
    painter.restore()


def is_ringed_elsewhere(view: QAbstractScrollArea) -> None:
    """Notes that the ring of a view is painted, at its rows or around the card it is in."""
    view.setProperty("ring", "elsewhere")


class RingedCard(QFrame):
    """Draws the ring around itself while the view in it has the keyboard. It is painted within the card's margin: a
    wider border would lay the view out anew."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self._view: QAbstractScrollArea | None = None

    def bear_ring_of(self, view: QAbstractScrollArea) -> None:
        """Has the card show the ring of this view."""
        self._view = view
        is_ringed_elsewhere(view)
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._view is not None and self._view.hasFocus():
            with QPainter(self) as painter:
                paint_ring(painter, self.rect())
