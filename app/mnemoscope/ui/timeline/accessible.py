"""What a screen reader is told of the timeline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from mnemoscope.domain.timeline.rows import RowKind
from mnemoscope.ui.timeline.sentences import row_sentence
from mnemoscope.ui.timeline.words import pointer_words
from mnemoscope.ui.widgets.accessible_list import announce_current, offer_list

if TYPE_CHECKING:
    from mnemoscope.domain.timeline.rows import Row
    from mnemoscope.ui.timeline.timeline_view import TimelineView

ITEMS_KEPT: Final = 256


class RowContent:
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
        return row.number in self._view.model.folds.unfolded if row.kind is RowKind.ENTRY else None

    def rect_of(self, place: int) -> QRect | None:
        """Where a row is; known only of rows in sight."""
        return next((rect for seen, rect in self.in_sight() if seen == place), None)

    def in_sight(self) -> Iterator[tuple[int, QRect]]:
        rows = self._view.scene.in_sight(self._view.place.top)
        return ((place, rect) for place, _, rect in rows)


def announce_row(view: TimelineView, row: Row) -> None:
    """Another row is the current one."""
    announce_current(view, view.model.stack.place_of_row(row), row_sentence(view.model, row))


def announce_pointer(view: TimelineView) -> None:
    """The pointer stands elsewhere: worth hearing without looking for it."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(view, pointer_words(view.model.pointer)))


def offer_to_screen_readers() -> None:
    """Have Qt ask for the interface of a timeline."""
    from mnemoscope.ui.timeline.timeline_view import TimelineView

    offer_list(TimelineView, RowContent, kept=ITEMS_KEPT)
