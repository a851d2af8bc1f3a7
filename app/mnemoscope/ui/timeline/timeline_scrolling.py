"""Scrolls the timeline, and keeps in place what the reader looks at when its rows change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtWidgets import QAbstractScrollArea

from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.timeline_scene import TimelineScene

NEAR_END: Final = 8
"""Pixels from the end within which the list follows new messages."""
_POINTER_AT: Final = 0.42
"""The place to which the pointer is brought, as a share of the viewport's height from its top."""
_SPACE_BELOW: Final = 8


class TimelineScrolling:
    """Keeps the reader's place: the end while it is followed, else the row that was being looked at."""

    def __init__(self, area: QAbstractScrollArea, model: TimelineModel, scene: TimelineScene) -> None:
        self._area = area
        self._model = model
        self._scene = scene
        self._bar = area.verticalScrollBar()
        self._bar.actionTriggered.connect(self.moved_by_hand)
        self.follows_end = True
        """Whether a new message is scrolled to."""
        self._untouched = True
        """Whether nobody scrolled yet."""
        self._held: TimelineRow | None = None
        self._anchor: tuple[TimelineRow, int] | None = None
        self._is_changing = False
        """Whether rows are about to come or go: the anchor is of no use but for that one time."""

    @property
    def top(self) -> int:
        """Returns the height scrolled out at the top."""
        return self._bar.value()

    def moved_by_hand(self, *_: object) -> None:
        """Follows the end only if the person, who scrolled, went there."""
        self._untouched = False
        self.follows_end = self._bar.sliderPosition() >= self._bar.maximum() - NEAR_END

    def begin(self) -> None:
        """Shows the newest messages of another session or filter, and the pointer where both have no room together."""
        self.follows_end = self._untouched = True
        self._is_changing = False
        self._measure()
        stack = self._model.stack
        place = stack.place_of_row(TimelineRow(RowKind.POINTER, self._model.pointer))
        self._bar.setValue(self._bar.maximum())
        if place is not None and self._model.pointer and not self._model.filter.active:
            self._bar.setValue(min(self._bar.maximum(), self._before(stack.top(place))))

    @contextmanager
    def branching(self, fork: int) -> Iterator[None]:
        """Keeps in place what another branch of the session, shown inside, has in common with the one before: the first
        `fork` messages. The message at which they part is brought into sight. The end is followed if it was before, or
        if that brings it into sight."""
        follows_end = self.follows_end
        in_sight = self._scene.in_sight(self.top)
        common = [(row, rect.top()) for _, row, rect in in_sight if self._model.is_before(row, fork)]
        yield
        self._measure()
        self._untouched = False
        stack = self._model.stack
        for row, above in common:
            if (place := stack.place_of_row(row)) is not None:
                self._bar.setValue(stack.top(place) - above)
                break
        place = self._model.place_of(self._model.shown_fork(fork))
        if place is not None and not self._is_clear(place):
            above = max(self._scene.rows.pointer_height, int(self._area.viewport().height() * _POINTER_AT))
            self._bar.setValue(stack.top(place) - above)
        self.follows_end = follows_end or self.top >= self._bar.maximum() - NEAR_END

    def grown(self) -> None:
        """Follows a row that came at the end."""
        self._untouched = False
        self._measure()
        if self.follows_end:
            self._bar.setValue(self._bar.maximum())

    def remember(self) -> None:
        """Notes what to keep in place, because the rows are about to change."""
        self._is_changing = True
        at_end = self.top >= self._bar.maximum() - NEAR_END
        self._anchor = None if at_end and self._held is None else self._look_for_anchor()

    def restore(self) -> None:
        """Shows again what was in sight before the rows changed. Where only their look did, nothing moves."""
        self._measure()
        if not self._is_changing:
            return
        self._is_changing = False
        place = self._model.stack.place_of_row(self._anchor[0]) if self._anchor else None
        if self._anchor is not None and place is not None:
            self._bar.setValue(self._model.stack.top(place) - self._anchor[1])
        elif self.follows_end and self._anchor is None:
            self._bar.setValue(self._bar.maximum())

    @contextmanager
    def kept(self, row: TimelineRow | None = None) -> Iterator[None]:
        """Keeps this row in place while rows change inside; on leaving, starts anew where nobody scrolled yet."""
        self._held = row
        try:
            yield
        finally:
            self._held = None
        if self._untouched and row is None:
            self.begin()
        else:
            self._untouched = False
            self._measure()

    def reveal(self, row: TimelineRow) -> None:
        """Scrolls as little as needed to have a row in sight, clear of the pinned pointer."""
        place = self._model.stack.place_of_row(row)
        if place is None:
            return
        self._measure()
        self._untouched = False
        top, deep = self._model.stack.top(place), self._model.stack.row_height(place)
        pin = 0 if row.kind is RowKind.POINTER else self._scene.rows.pointer_height
        low, high = top + deep + pin - self._area.viewport().height(), top - pin
        if not low <= self.top <= high:
            self._bar.setValue(high if self.top > high else low)
        self.follows_end = self.top >= self._bar.maximum() - NEAR_END

    def to_pointer(self) -> None:
        """Brings the pointer into sight; a new message still brings the end back."""
        target = self.on_the_pointer()
        if target is not None:
            self.to(target)

    def to(self, value: int) -> None:
        """Scrolls to a height, without a say in whether the end is followed."""
        self._untouched = False
        self._bar.setValue(value)

    def on_the_pointer(self) -> int | None:
        """Returns where to scroll to have the pointer in sight; None where it is, or there is none."""
        self._measure()
        stack = self._model.stack
        place = stack.place_of_row(TimelineRow(RowKind.POINTER, self._model.pointer))
        if place is None or self._scene.pinned(self.top) is None:
            return None
        return min(self._bar.maximum(), self._before(stack.top(place)))

    def to_end(self) -> None:
        """Shows the newest message and follows it."""
        self._measure()
        self._untouched = False
        self.follows_end = True
        self._bar.setValue(self._bar.maximum())

    def _is_clear(self, place: int) -> bool:
        """Returns whether a row is wholly in sight, and not below the pinned pointer."""
        top, pin = self.top, self._scene.pinned(self.top)
        rect = next((rect for shown, _, rect in self._scene.in_sight(top) if shown == place), None)
        if rect is None or rect.top() < 0 or rect.top() + rect.height() > self._area.viewport().height():
            return False
        return pin is None or not pin[0].intersects(rect)

    def _measure(self) -> None:
        height = self._area.viewport().height()
        self._bar.setPageStep(height)
        self._bar.setRange(0, max(0, self._model.stack.height + _SPACE_BELOW - height))

    def _before(self, top: int) -> int:
        return max(0, top - int(self._area.viewport().height() * _POINTER_AT))

    def _look_for_anchor(self) -> tuple[TimelineRow, int] | None:
        first: tuple[TimelineRow, int] | None = None
        for _, row, rect in self._scene.in_sight(self.top):
            if row == self._held:
                return row, rect.top()
            steady = row.kind is RowKind.MESSAGE and row.number >= self._model.pointer
            if first is None or (steady and first[0].number < self._model.pointer and self._held is None):
                first = row, rect.top()
        return first
