"""Paints how many tokens the files of memory took over a year, and how many of them stood in a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from mnemoscope.domain.health.report import Growth
from mnemoscope.ui.health.line_models import shown_path, token_words
from mnemoscope.ui.support.locale_words import day_words
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_YEAR: Final = 365
_LOOKS: Final = (
    ("accent", Qt.PenStyle.SolidLine),
    ("pointer", Qt.PenStyle.DashLine),
    ("success", Qt.PenStyle.DotLine),
    ("warning", Qt.PenStyle.DashDotLine),
)
"""The colour and the dashes by which curves are told apart, also where colours are not."""
_SAMPLE: Final = 28
_LOW: Final = 60
_HIGH: Final = 260
_LINES: Final = 4


class GrowthCurve(QWidget):
    """Shows sizes by day, a curve each. Its accessible description says what is painted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._curves: Sequence[Growth] = ()
        self.setAccessibleName(self.tr("Size of memory over a year"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme_notifier().changed.connect(self._fit)

    def show_growth(self, curves: Sequence[Growth]) -> None:
        """Shows these curves, each with its sizes in tokens, oldest first."""
        self._curves = curves
        self.setAccessibleDescription(self.words())
        self.setToolTip(self.words())
        self._fit()

    def words(self) -> str:
        """Returns what the curves show, a sentence each."""
        if not self._curves:
            return self.tr("Nothing is known yet of how memory grew.")
        return "\n".join(map(self._sentence, self._curves))

    def sizeHint(self) -> QSize:
        """Returns room for the names of all curves above a wide strip."""
        return QSize(320, self._names_height() + Theme.current().scaled(_HIGH))

    def minimumSizeHint(self) -> QSize:
        """Returns room for the names of all curves above a low strip."""
        return QSize(160, self._names_height() + Theme.current().scaled(_LOW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the names of the curves with their newest sizes, then axes and curves."""
        with QPainter(self) as painter:
            self._paint(painter, Theme.current())

    def _fit(self) -> None:
        self.updateGeometry()
        self.update()

    def _sentence(self, curve: Growth) -> str:
        (first, begin), (last, end) = curve.sizes[0], curve.sizes[-1]
        return self.tr("{name}: from {begin} tokens on {first} to {end} on {last}.").format(
            name=self._name(curve),
            begin=f"{begin:,}",
            first=day_words(first),
            end=f"{end:,}",
            last=day_words(last),
        )

    def _name(self, curve: Growth) -> str:
        names = {"": self.tr("In one prompt"), "*": self.tr("Other files")}
        return names.get(curve.path) or shown_path(curve.path)

    def _names_height(self) -> int:
        return len(self._curves) * _line(Theme.current(), self)

    def _paint(self, painter: QPainter, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("caption"))
        if not self._curves:
            # The pane says that it reads, and after it, in the place of the curve, that nothing is known.
            return
        line = _line(theme, self)
        for at, curve in enumerate(self._curves):
            self._paint_name(painter, theme, QRectF(0, at * line, self.width(), line), at, curve)
        height = min(self.height() - self._names_height(), theme.scaled(_HIGH))
        room = QRectF(1, self._names_height() + line / 2, self.width() - 7, height - 2 * line)
        most = max(1, *(size for curve in self._curves for _, size in curve.sizes))
        step = _step(most)
        top = step * -(-most // step)
        for size in range(0, top + 1, step):
            y = room.bottom() - room.height() * size / top
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(theme.color("text_muted"))
            if size:
                words = QRectF(room.left(), y, room.width(), line)
                painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, f"{size:,}")
        end = max(curve.sizes[-1][0] for curve in self._curves)
        below = QRectF(room.left(), room.bottom() + 3, room.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, day_words(end - timedelta(_YEAR)))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, day_words(end))
        for at, curve in enumerate(self._curves):
            corners = list(_corners(curve.sizes, room, end, top))
            painter.setPen(_pen(theme, at))
            painter.drawPolyline(QPolygonF(corners))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(_LOOKS[at % len(_LOOKS)][0]))
            painter.drawEllipse(corners[-1], 3, 3)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_name(self, painter: QPainter, theme: Theme, row: QRectF, at: int, curve: Growth) -> None:
        painter.setPen(_pen(theme, at))
        painter.drawLine(QPointF(1, row.center().y()), QPointF(_SAMPLE, row.center().y()))
        size = token_words(curve.sizes[-1][1])
        painter.setPen(theme.color("text_muted"))
        painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, size)
        painter.setPen(theme.color("text"))
        metrics = painter.fontMetrics()
        left = _SAMPLE + 8
        width = max(0, int(row.width()) - left - metrics.horizontalAdvance(size) - 8)
        name = metrics.elidedText(self._name(curve), Qt.TextElideMode.ElideMiddle, width)
        painter.drawText(row.adjusted(left, 0, 0, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)


def _line(theme: Theme, widget: QWidget) -> int:
    """Returns the height of a row of small words."""
    metrics = widget.fontMetrics()
    return max(metrics.height(), theme.scaled(18)) + 2


def _pen(theme: Theme, at: int) -> QPen:
    role, dashes = _LOOKS[at % len(_LOOKS)]
    return QPen(theme.color(role), 2, dashes)


def _step(most: int) -> int:
    """Returns a round number of tokens of which few make up the axis."""
    unit = 1
    while True:
        for factor in (1, 2, 5):
            if most <= _LINES * factor * unit:
                return factor * unit
        unit *= 10


def _corners(sizes: Sequence[tuple[date, int]], room: QRectF, end: date, top: int) -> Iterator[QPointF]:
    """Yields the corners of a curve, in steps: a memory stays as it is until it is changed."""
    before: QPointF | None = None
    for day, size in sizes:
        x = room.right() - room.width() * min(_YEAR, (end - day).days) / _YEAR
        corner = QPointF(x, room.bottom() - room.height() * size / top)
        if before is not None:
            yield QPointF(x, before.y())
        yield corner
        before = corner
