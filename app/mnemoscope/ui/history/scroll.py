"""Where the list of history entries is scrolled to: what is in sight, and keeping it there while measures change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect

from mnemoscope.ui.history.card_list import GAP, MARGIN, CardList, Key, key_of

if TYPE_CHECKING:
    from mnemoscope.ui.history.view import HistoryView

_FETCH_AHEAD: Final = 3
"""Viewports below the end of what is in sight at which more is fetched."""


class HistoryScroll:
    """The scroll bar of a `HistoryView` and the cards it brings into sight."""

    def __init__(self, view: HistoryView, stack: CardList) -> None:
        self._view, self._stack, self._model = view, stack, view.model
        self._bar = view.verticalScrollBar()
        self.settling = False

    def card_width(self) -> int:
        """Pixels a card is wide; the scroll bar lies in the margin."""
        return max(120, self._view.width() - 2 * MARGIN)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        """The cards in sight and where they are in the viewport."""
        value, room = self._bar.value(), self._view.viewport().height()
        row = self._stack.row_at(value) if len(self._stack) else 0
        while row < len(self._stack) and self._stack.top(row) < value + room:
            yield row, self.rect_of(row)
            row += 1

    def rect_of(self, row: int) -> QRect:
        """Where a card is in the viewport."""
        top = self._stack.top(row) - self._bar.value()
        return QRect(MARGIN, top, self.card_width(), self._stack.bottom(row) - self._stack.top(row))

    def row_at(self, point: QPoint) -> int | None:
        """The card under a point of the viewport."""
        return next((row for row, place in self.in_sight() if place.contains(point)), None)

    def settle(self) -> None:
        """Measure what is in sight, set the scroll bar by it, and fetch more where the end is near."""
        if self.settling:
            return
        self.settling = True
        bar, room = self._bar, self._view.viewport().height()
        for _ in range(3):
            first = self._stack.row_at(bar.value()) if len(self._stack) else 0
            last = self._stack.row_at(bar.value() + room) + 1 if len(self._stack) else 0
            wrong = self._stack.measure(first, last)
            bar.setPageStep(room)
            bar.setRange(0, max(0, self._stack.height - room))
            if not wrong:
                break
        self.settling = False
        self._want_more()

    def reveal(self, row: int) -> None:
        """Bring a card into sight, its beginning at least."""
        self._stack.measure(row, row + 1)
        self.settle()
        bar, room = self._bar, self._view.viewport().height()
        top, bottom = self._stack.top(row) - GAP, self._stack.bottom(row) + GAP
        if top < bar.value() or bottom - top > room:
            bar.setValue(top)
        elif bottom > bar.value() + room:
            bar.setValue(bottom - room)
        self.settle()

    def top_card(self) -> tuple[Key, int] | None:
        """The card at the top and how far it is scrolled out; None at the very top."""
        value, matches = self._bar.value(), self._model.matches
        row = self._stack.row_at(value) if len(self._stack) else 0
        if not value or row >= len(matches):
            return None
        return key_of(matches[row]), value - self._stack.top(row)

    def return_to(self, anchor: tuple[Key, int] | None) -> None:
        """Scroll to where a card was."""
        if anchor is None:
            return
        rows = (row for row, match in enumerate(self._model.matches) if key_of(match) == anchor[0])
        row = next(rows, None)
        if row is not None:
            self._bar.setMaximum(max(self._stack.height, self._bar.maximum()))
            self._bar.setValue(self._stack.top(row) + anchor[1])
        self.settle()

    def _want_more(self) -> None:
        bar, room, current = self._bar, self._view.viewport().height(), self._view.current
        near_end = bar.value() + (1 + _FETCH_AHEAD) * room >= self._stack.height
        near_last = current is not None and current + 2 >= len(self._stack)
        if self._model.more and (near_end or near_last):
            self._model.fetch_more()
