"""What a screen reader is told of the history entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect

from mnemoscope.ui.widgets.accessible_list import announce_current, offer_list

if TYPE_CHECKING:
    from mnemoscope.ui.history.view import HistoryView

ITEMS_KEPT: Final = 128


class EntryContent:
    """The cards of a `HistoryView` as a list to be read out."""

    def __init__(self, view: HistoryView) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._view.stack)

    def sentence(self, place: int) -> str:
        return self._view.sentence(place)

    def current(self) -> int | None:
        return self._view.current

    def is_current(self, place: int) -> bool:
        return place == self._view.current

    def unfolded(self, place: int) -> bool | None:
        card = self._view.stack.card(place)
        return card.unfolded if card.folds else None

    def rect_of(self, place: int) -> QRect:
        return self._view.place.rect_of(place)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        return self._view.place.in_sight()


def announce_entry(view: HistoryView, row: int) -> None:
    """Another card is the current one, or it was unfolded."""
    announce_current(view, row, view.sentence(row))


def offer_entries_to_screen_readers() -> None:
    """Have Qt ask for the interface of a history list."""
    from mnemoscope.ui.history.view import HistoryView

    offer_list(HistoryView, EntryContent, kept=ITEMS_KEPT)
