"""Where the list of history entries is scrolled to: what is in sight, and keeping it there while measures change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractScrollArea

from mnemoscope.ui.history.card_list import GAP, MARGIN, CardList, Key, key_of
from mnemoscope.ui.history.model import HistoryModel

_FETCH_AHEAD: Final = 3
"""Viewports below the end of what is in sight at which more is fetched."""


class HistoryScrolling:
    """The scroll bar of a list of cards and what it brings into sight. `current` gives the row of the current card."""

    def __init__(
        self, area: QAbstractScrollArea, cards: CardList, model: HistoryModel, current: Callable[[], int | None]
    ) -> None:
        self._area = area
        self._cards = cards
        self._model = model
        self._current = current
        self._bar = area.verticalScrollBar()
        self.settling = False

    def card_width(self) -> int:
        """Pixels a card is wide; the scroll bar lies in the margin."""
        return max(120, self._area.width() - 2 * MARGIN)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        """The cards in sight and where they are in the viewport."""
        value, room = self._bar.value(), self._area.viewport().height()
        row = self._cards.row_at(value) if len(self._cards) else 0
        while row < len(self._cards) and self._cards.top(row) < value + room:
            yield row, self.rect_of(row)
            row += 1

    def rect_of(self, row: int) -> QRect:
        """Where a card is in the viewport."""
        top = self._cards.top(row) - self._bar.value()
        return QRect(MARGIN, top, self.card_width(), self._cards.bottom(row) - self._cards.top(row))

    def row_at(self, point: QPoint) -> int | None:
        """The card under a point of the viewport."""
        return next((row for row, place in self.in_sight() if place.contains(point)), None)

    def settle(self) -> None:
        """Measure what is in sight, set the scroll bar by it, and fetch more where the end is near."""
        if self.settling:
            return
        self.settling = True
        bar, room = self._bar, self._area.viewport().height()
        for _ in range(3):
            first = self._cards.row_at(bar.value()) if len(self._cards) else 0
            last = self._cards.row_at(bar.value() + room) + 1 if len(self._cards) else 0
            wrong = self._cards.measure(first, last)
            bar.setPageStep(room)
            bar.setRange(0, max(0, self._cards.height - room))
            if not wrong:
                break
        self.settling = False
        self._want_more()

    def reveal(self, row: int) -> None:
        """Bring a card into sight, its beginning at least."""
        self._cards.measure(row, row + 1)
        self.settle()
        bar, room = self._bar, self._area.viewport().height()
        top, bottom = self._cards.top(row) - GAP, self._cards.bottom(row) + GAP
        if top < bar.value() or bottom - top > room:
            bar.setValue(top)
        elif bottom > bar.value() + room:
            bar.setValue(bottom - room)
        self.settle()

    def top_card(self) -> tuple[Key, int] | None:
        """The card at the top and how far it is scrolled out; None at the very top."""
        value, matches = self._bar.value(), self._model.matches
        row = self._cards.row_at(value) if len(self._cards) else 0
        if not value or row >= len(matches):
            return None
        return key_of(matches[row]), value - self._cards.top(row)

    def return_to(self, anchor: tuple[Key, int] | None) -> None:
        """Scroll to where a card was."""
        if anchor is None:
            return
        rows = (row for row, match in enumerate(self._model.matches) if key_of(match) == anchor[0])
        row = next(rows, None)
        if row is not None:
            self._bar.setMaximum(max(self._cards.height, self._bar.maximum()))
            self._bar.setValue(self._cards.top(row) + anchor[1])
        self.settle()

    def _want_more(self) -> None:
        bar, room, current = self._bar, self._area.viewport().height(), self._current()
        near_end = bar.value() + (1 + _FETCH_AHEAD) * room >= self._cards.height
        near_last = current is not None and current + 2 >= len(self._cards)
        if self._model.more and (near_end or near_last):
            self._model.fetch_more()
