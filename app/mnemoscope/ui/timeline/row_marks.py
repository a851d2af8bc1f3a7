"""The small shapes of the timeline: who a message is from, by shape first and colour second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from mnemoscope.ui.timeline.timeline_words import RowMark
from mnemoscope.ui.widgets.theme import Theme

_UNCONSOLIDATED = {
    RowMark.USER: "accent",
    RowMark.ASSISTANT: "accent",
    RowMark.TOOL: "warning",
    RowMark.SYSTEM: "text_muted",
    RowMark.COMMAND: "text_muted",
    RowMark.DELETED: "text_faint",
    RowMark.FORGOTTEN: "text_faint",
    RowMark.DAMAGED: "danger",
}
_GONE = {RowMark.DELETED, RowMark.FORGOTTEN}
_EVER_THE_SAME = {*_GONE, RowMark.DAMAGED}
_FILLED = {RowMark.USER, RowMark.TOOL}


def mark_colour(theme: Theme, mark: RowMark, *, consolidated: bool) -> QColor:
    """Returns violet where the message is consolidated, the role's colour where not; damage stays red, and what was
    deleted or forgotten faint."""
    return theme.color("pointer" if consolidated and mark not in _EVER_THE_SAME else _UNCONSOLIDATED[mark])


def paint_mark(painter: QPainter, mark: RowMark, centre: QPointF, colour: QColor, *, left_out: bool) -> None:
    """Draws one mark about 9 px wide; dashed and hollow where the message is not sent."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, 1.6)
    filled = mark in _FILLED and not left_out
    if left_out and mark not in {RowMark.COMMAND, *_EVER_THE_SAME}:
        pen.setDashPattern([1.6, 1.2])
    painter.setPen(Qt.PenStyle.NoPen if filled else pen)
    painter.setBrush(QBrush(colour) if filled else Qt.BrushStyle.NoBrush)
    _shape(painter, mark, centre, 4.6 if filled else 3.9)
    painter.restore()


def _shape(painter: QPainter, mark: RowMark, centre: QPointF, radius: float) -> None:
    x, y = centre.x(), centre.y()
    if mark in {RowMark.USER, RowMark.ASSISTANT}:
        painter.drawEllipse(centre, radius, radius)
    elif mark is RowMark.TOOL:
        side = radius - 0.4
        painter.drawRoundedRect(QRectF(x - side, y - side, 2 * side, 2 * side), 1.5, 1.5)
    elif mark is RowMark.SYSTEM:
        reach = radius + 0.8
        corners = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    elif mark is RowMark.COMMAND:
        painter.drawLine(QPointF(x - 2, y + 4.5), QPointF(x + 2, y - 4.5))
    elif mark in _GONE:
        painter.drawLine(QPointF(x - 3.4, y), QPointF(x + 3.4, y))
    else:
        painter.drawLine(QPointF(x - 3.2, y - 3.2), QPointF(x + 3.2, y + 3.2))
        painter.drawLine(QPointF(x - 3.2, y + 3.2), QPointF(x + 3.2, y - 3.2))


def paint_chevron(painter: QPainter, centre: QPointF, colour: QColor, *, down: bool) -> None:
    """Draws the arrow that says whether an entry is folded."""
    x, y = centre.x(), centre.y()
    points = [(x - 4, y - 2), (x, y + 2), (x + 4, y - 2)] if down else [(x - 2, y - 4), (x + 2, y), (x - 2, y + 4)]
    with _strokes(painter, colour, 1.6):
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))


def paint_fork(painter: QPainter, centre: QPointF, colour: QColor) -> None:
    """Draws the sign of a conversation that goes on in several ways, about 10 px wide."""
    x, y = centre.x(), centre.y()
    with _strokes(painter, colour, 1.5):
        painter.drawPolyline(QPolygonF([QPointF(x - 3, y - 5), QPointF(x - 3, y + 5)]))
        painter.drawPolyline(QPolygonF([QPointF(x - 3, y + 2), QPointF(x + 3, y - 1), QPointF(x + 3, y - 3)]))
        painter.setBrush(colour)
        for end in (QPointF(x + 3, y - 4), QPointF(x - 3, y - 5), QPointF(x - 3, y + 5)):
            painter.drawEllipse(end, 1.5, 1.5)


def paint_arrow(painter: QPainter, centre: QPointF, colour: QColor, *, up: bool) -> None:
    """Draws the arrow that says where the pointer lies when it is out of sight."""
    x, y = centre.x(), centre.y()
    tip, back = (-4.5, -1.0) if up else (4.5, 1.0)
    with _strokes(painter, colour, 1.8):
        painter.drawLine(QPointF(x, y - tip), QPointF(x, y + tip))
        painter.drawLine(QPointF(x, y + tip), QPointF(x - 3.5, y + back))
        painter.drawLine(QPointF(x, y + tip), QPointF(x + 3.5, y + back))


@contextmanager
def _strokes(painter: QPainter, colour: QColor, width: float) -> Iterator[None]:
    """Has lines drawn with round ends; the painter is afterwards as it was."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    yield
    painter.restore()
