"""What the mouse does in the history: point, choose, unfold, follow an entry to its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from mnemoscope.ui.history.painter import link_tip

if TYPE_CHECKING:
    from mnemoscope.ui.history.view import HistoryView

Part = tuple[int, str]
"""A card's row, and what of it: `link`, `more`, or "" for the rest."""


class HistoryMouse(QObject):
    """The part of a card under the mouse; hears what happens on the list's viewport."""

    def __init__(self, view: HistoryView) -> None:
        super().__init__(view)
        self._view = view
        self._hovered: Part | None = None
        view.viewport().setMouseTracking(True)
        view.viewport().installEventFilter(self)

    def over(self, row: int) -> str | None:
        """The part of this card that the mouse is over; None where it is elsewhere."""
        return self._hovered[1] if self._hovered and self._hovered[0] == row else None

    def forget(self) -> None:
        """The cards are others now."""
        self._hovered = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point(None)
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._tell(event)
            return True
        elif isinstance(event, QMouseEvent):
            self._on_mouse(event)
        return super().eventFilter(watched, event)

    def _on_mouse(self, event: QMouseEvent) -> None:
        part = self._part_at(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseMove:
            self._point(part)
        elif event.type() == QEvent.Type.MouseButtonPress and part and left:
            self._view.choose(part[0], reveal=False)
        elif event.type() == QEvent.Type.MouseButtonRelease and part and left and part[0] == self._view.current:
            self._follow(*part)

    def _follow(self, row: int, part: str) -> None:
        if part == "link":
            self._view.show_messages(row)
        elif self._view.stack.card(row).folds:
            self._view.fold(row)

    def _tell(self, event: QHelpEvent) -> None:
        part = self._part_at(event.pos())
        card = self._view.stack.card(part[0]) if part and part[1] == "link" else None
        QToolTip.showText(event.globalPos(), link_tip(card), self._view.viewport())

    def _part_at(self, point: QPoint) -> Part | None:
        place, stack = self._view.place, self._view.stack
        row = place.row_at(point)
        if row is None:
            return None
        card = stack.card(row)
        inside = QPointF(point - place.rect_of(row).topLeft())
        if card.link.contains(inside):
            return row, "link"
        return row, "more" if card.folds and card.more.contains(inside) else ""

    def _point(self, part: Part | None) -> None:
        viewport = self._view.viewport()
        if part != self._hovered:
            self._hovered = part
            viewport.update()
        hand = part is not None and (bool(part[1]) or self._view.stack.card(part[0]).folds)
        viewport.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
