"""Paints how many tokens memory took over a year."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from mnemoscope.ui.support.dates import day_words
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_YEAR: Final = 365
_SCALE: Final = 1.15


class GrowthCurve(QWidget):
    """Shows sizes by day, the last of them today's. Its accessible description says what is painted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._points: Sequence[tuple[date, int]] = ()
        self.setAccessibleName(self.tr("Size of memory over a year"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_notifier().changed.connect(self.update)

    def show_points(self, points: Sequence[tuple[date, int]]) -> None:
        """Shows these sizes in tokens, oldest first."""
        self._points = points
        self.setAccessibleDescription(self.words())
        self.setToolTip(self.words())
        self.update()

    def words(self) -> str:
        """Returns in a sentence what the curve shows."""
        if not self._points:
            return self.tr("Nothing is known yet of how memory grew.")
        (first, begin), (last, end) = self._points[0], self._points[-1]
        return self.tr("From {begin} tokens on {first} to {end} on {last}.").format(
            begin=f"{begin:,}", first=day_words(first), end=f"{end:,}", last=day_words(last)
        )

    def sizeHint(self) -> QSize:
        """Returns a low, wide strip."""
        return QSize(320, Theme.current().scaled(96))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints axis, curve and the newest size."""
        with QPainter(self) as painter:
            self._paint(painter, Theme.current())

    def _paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("caption"))
        line = painter.fontMetrics().height()
        room = QRectF(self.rect()).adjusted(1, line + 4, -6, -line - 6)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        if not self._points:
            painter.setPen(theme.color("text_muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words())
            return
        curve = self._curve(room)
        ground = theme.color("accent_soft")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawPolygon(
            QPolygonF([QPointF(curve[0].x(), room.bottom()), *curve, QPointF(curve[-1].x(), room.bottom())])
        )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawPolyline(QPolygonF(curve))
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(curve[-1], 3, 3)
        painter.setPen(theme.color("text_muted"))
        end = self._points[-1][0]
        below = QRectF(room.left(), room.bottom() + 3, room.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, day_words(end - timedelta(_YEAR)))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, day_words(end))
        painter.drawText(
            QRectF(room.left(), 0, room.width(), line + 2),
            Qt.AlignmentFlag.AlignRight,
            self.tr("{count} tokens").format(count=f"{self._points[-1][1]:,}"),
        )

    def _curve(self, room: QRectF) -> list[QPointF]:
        """Returns the corners of the curve, in steps: a memory stays as it is until it is changed."""
        end = self._points[-1][0]
        most = max(1.0, _SCALE * max(size for _, size in self._points))
        corners: list[QPointF] = []
        for day, size in self._points:
            x = room.right() - room.width() * min(_YEAR, (end - day).days) / _YEAR
            y = room.bottom() - room.height() * size / most
            if corners:
                corners.append(QPointF(x, corners[-1].y()))
            corners.append(QPointF(x, y))
        return corners
