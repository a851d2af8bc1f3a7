"""The rows of the timeline as a list that a screen reader can walk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QRect

from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.ui.timeline.sentences import row_sentence
from mnemoscope.ui.timeline.timeline_view import TimelineView
from mnemoscope.ui.widgets.accessible_list import offer_list

ITEMS_KEPT: Final = 256


class AccessibleRows:
    """The rows of a `TimelineView` as a list to be read out."""

    def __init__(self, view: TimelineView) -> None:
        self._view = view

    def __len__(self) -> int:
        return self._view.model.stack.rows

    def sentence(self, place: int) -> str:
        model = self._view.model
        return row_sentence(model, model.stack.row(place))

    def current(self) -> int | None:
        row = self._view.current
        return self._view.model.stack.place_of_row(row) if row else None

    def is_current(self, place: int) -> bool:
        return self._view.model.stack.row(place) == self._view.current

    def unfolded(self, place: int) -> bool | None:
        row = self._view.model.stack.row(place)
        return row.number in self._view.model.unfolded if row.kind is RowKind.ENTRY else None

    def rect_of(self, place: int) -> QRect | None:
        """Return where a row is; known only of rows in sight."""
        return next((rect for seen, rect in self.in_sight() if seen == place), None)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        rows = self._view.scene.in_sight(self._view.scrolling.top)
        return ((place, rect) for place, _, rect in rows)


def offer_to_screen_readers() -> None:
    """Have Qt ask for the interface of a timeline."""
    offer_list(TimelineView, AccessibleRows, kept=ITEMS_KEPT)
