"""The entries of the history as a list that a screen reader can walk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QRect

from mnemoscope.ui.history.view import HistoryView
from mnemoscope.ui.widgets.accessible_list import offer_list

ITEMS_KEPT: Final = 128


class AccessibleEntries:
    """The cards of a `HistoryView` as a list to be read out."""

    def __init__(self, view: HistoryView) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._view.cards)

    def sentence(self, place: int) -> str:
        return self._view.sentence(place)

    def current(self) -> int | None:
        return self._view.current

    def is_current(self, place: int) -> bool:
        return place == self._view.current

    def unfolded(self, place: int) -> bool | None:
        card = self._view.cards.card(place)
        return card.unfolded if card.folds else None

    def rect_of(self, place: int) -> QRect:
        return self._view.scrolling.rect_of(place)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        return self._view.scrolling.in_sight()


def offer_to_screen_readers() -> None:
    """Have Qt ask for the interface of a history list."""
    offer_list(HistoryView, AccessibleEntries, kept=ITEMS_KEPT)
