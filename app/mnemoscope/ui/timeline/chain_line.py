"""Draws the last line of an entry's card: the steps from the entry to the version, each of which can be followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from mnemoscope.ui.dream.entry_words import Link
from mnemoscope.ui.timeline.painter import TimelinePainter

_DOT: Final = 12
"""Room for the mark before the words: a ring while the entry waits, a dot once it was read."""
_TEXT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
_BETWEEN: Final = " · "


class ChainLine:
    """One theme's, in a rectangle of the list's viewport."""

    def __init__(self, rows: TimelinePainter) -> None:
        self._rows = rows

    def places(self, rect: QRect, links: Sequence[Link]) -> list[tuple[Link, QRect]]:
        """Where each step stands; the version's word goes, then its number is cut, where there is no room."""
        metrics = self._rows.caption_metrics
        gap = metrics.horizontalAdvance(_BETWEEN)
        left, placed = rect.left() + _DOT, list[tuple[Link, QRect]]()
        for link in _fitting(links, rect.width() - _DOT, metrics.horizontalAdvance):
            width = min(metrics.horizontalAdvance(link.words), rect.right() - left)
            if width <= 0:
                break
            placed.append((link, QRect(left, rect.top(), width, rect.height())))
            left += width + gap
        return placed

    def link_at(self, rect: QRect, links: Sequence[Link], at: QPointF) -> Link | None:
        """The step under a point."""
        return next((link for link, place in self.places(rect, links) if place.contains(at.toPoint())), None)

    def paint(self, painter: QPainter, rect: QRect, links: Sequence[Link], hovered: str) -> None:
        """Draw the line; `hovered` is the kind of the step that the mouse is over, or ""."""
        self._mark(painter, rect, done=any(link.run is not None for link in links))
        for number, (link, place) in enumerate(self.places(rect, links)):
            over = link.kind == hovered
            font = QFont(self._rows.caption)
            font.setUnderline(over)
            if number:
                gap = self._rows.caption_metrics.horizontalAdvance(_BETWEEN)
                painter.setFont(self._rows.caption)
                painter.setPen(self._rows.color("text_faint"))
                painter.drawText(place.translated(-gap, 0), _TEXT, _BETWEEN)
            painter.setFont(font)
            painter.setPen(self._rows.color("accent" if over else "text_muted"))
            elided = self._rows.caption_metrics.elidedText(link.words, Qt.TextElideMode.ElideRight, place.width() + 1)
            painter.drawText(place.adjusted(0, 0, 2, 0), _TEXT, elided)

    def _mark(self, painter: QPainter, rect: QRect, *, done: bool) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._rows.color("pointer")
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(colour if done else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(rect.left() + 3.5, rect.top() + rect.height() / 2 + 0.5), 3, 3)
        painter.restore()


def _fitting(links: Sequence[Link], room: int, measure: Callable[[str], int]) -> list[Link]:
    """The steps as they fit: in a narrow list a version is its number alone."""
    if sum(measure(link.words) for link in links) + (len(links) - 1) * measure(_BETWEEN) <= room:
        return list(links)
    return [replace(link, words=link.run.commit[:8]) if link.kind == "commit" and link.run else link for link in links]
