"""The rows of the timeline are arithmetic over runs of equally high rows, never an object a row.

A session of 1,000,000 messages is a handful of runs: folded entries, the messages of an unfolded one, the pointer, the
unconsolidated tail. Positions are found by bisection over the runs, so a row costs the same at any length. Heights and
positions are in pixels, counted from the top of the whole list.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter, lt

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord


class RowKind(Enum):
    """Names the kinds of rows."""

    MESSAGE = "message"
    ENTRY = "entry"
    POINTER = "pointer"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """Describes a row; `number` is a message's index, an entry's place among the groups, the pointer, or the first
    message kept."""

    kind: RowKind
    number: int


@dataclass(frozen=True, slots=True)
class RowMeasures:
    """Holds the heights of rows in pixels. `entry` holds for every entry if `entries` is empty, else `entries[place]`
    does."""

    message: int
    pointer: int
    kept: int
    entry: int
    entries: Sequence[int] = ()

    def entry_height(self, place: int) -> int:
        """Returns the height of one entry's card with the gap below it."""
        return self.entries[place] if self.entries else self.entry


class EntryGroups:
    """Holds the consolidated messages under the entry they became: ascending, apart, and before the pointer.

    Records that are of other incarnations, overlap, or lie beyond the pointer are cut or left out, so that no message
    is in two.
    """

    def __init__(self, records: Iterable[ConsolidationRecord] = (), pointer: int = 0) -> None:
        self.records = _ascending(records)
        self.starts = [record.start for record in self.records]
        self.stops = [record.stop for record in self.records]
        seamless = self._is_seamless(pointer)
        if not seamless:
            self._cut(pointer)
        before = [0, *self.stops]
        self.gaps = (
            [0] * (self.starts[:1] > [0])
            if seamless
            else [place for place, start in enumerate(self.starts) if start != before[place]]
        )
        """Places with messages right above them that belong to no entry."""

    def __len__(self) -> int:
        return len(self.records)

    def numbers(self, place: int) -> range:
        """Returns the indices of the messages of one group."""
        return range(self.starts[place], self.stops[place])

    def holding(self, index: int) -> int | None:
        """Returns the place of the group that holds a message, or None if no entry is known for it."""
        place = bisect_right(self.starts, index) - 1
        return place if place >= 0 and index < self.stops[place] else None

    def _is_seamless(self, pointer: int) -> bool:
        # The usual case, told apart by whole-list comparisons: a long session has tens of thousands of records.
        within = not self.starts or (self.starts[0] >= 0 and self.stops[-1] <= pointer)
        return within and self.starts[1:] == self.stops[:-1] and all(map(lt, self.starts, self.stops))

    def _cut(self, pointer: int) -> None:
        reach = 0
        kept: list[tuple[int, int, ConsolidationRecord]] = []
        for record in self.records:
            start, stop = max(record.start, reach), min(record.stop, pointer)
            if start < stop:
                kept.append((start, stop, record))
                reach = stop
        self.starts = [start for start, _, _ in kept]
        self.stops = [stop for _, stop, _ in kept]
        self.records = [record for _, _, record in kept]


def _ascending(records: Iterable[ConsolidationRecord]) -> list[ConsolidationRecord]:
    listed = list(records)
    listed.sort(key=attrgetter("start"))
    return listed


def unfolded_at_first(groups: EntryGroups, rows: int) -> set[int]:
    """Returns the groups shown open when a session is loaded: the newest ones, as long as they add at most `rows`
    rows."""
    unfolded: set[int] = set()
    for place in reversed(range(len(groups))):
        rows -= len(groups.numbers(place))
        if rows < 0:
            break
        unfolded.add(place)
    return unfolded


class RowStack:
    """Runs of equally high rows, one below the other. Messages ascend from the top to the bottom."""

    def __init__(self) -> None:
        self.rows = 0
        self.height = 0
        self._runs: list[tuple[RowKind, Sequence[int], int]] = []
        self._first: list[int] = []
        self._top: list[int] = []
        self._reach: list[int] = []

    def push(self, kind: RowKind, numbers: Sequence[int], height: int, reach: int | None = None) -> None:
        """Adds a run below. `reach` is the first message index below it, by default the one after the run's last."""
        if not numbers:
            return
        self._runs.append((kind, numbers, height))
        self._first.append(self.rows)
        self._top.append(self.height)
        self._reach.append(numbers[-1] + 1 if reach is None else reach)
        self.rows += len(numbers)
        self.height += len(numbers) * height

    def mark(self) -> int:
        """Returns how many runs there are, for `cut`."""
        return len(self._runs)

    def cut(self, runs: int) -> None:
        """Takes away every run but the first `runs`."""
        if runs < len(self._runs):
            self.rows, self.height = self._first[runs], self._top[runs]
            for column in (self._runs, self._first, self._top, self._reach):
                del column[runs:]

    def row(self, place: int) -> TimelineRow:
        """Returns the row at a place; places count from 0 at the top. Raises IndexError beyond the end."""
        if not 0 <= place < self.rows:
            raise IndexError(place)
        run = bisect_right(self._first, place) - 1
        kind, numbers, _ = self._runs[run]
        return TimelineRow(kind, numbers[place - self._first[run]])

    def top(self, place: int) -> int:
        """Returns where a row begins."""
        run = bisect_right(self._first, place) - 1
        return self._top[run] + (place - self._first[run]) * self._runs[run][2] if run >= 0 else 0

    def row_height(self, place: int) -> int:
        """Returns how high a row is."""
        return self._runs[bisect_right(self._first, place) - 1][2]

    def place_at(self, y: int) -> int:
        """Returns the place of the row that covers `y`, the first or last one if `y` is outside, or -1 if there are no
        rows."""
        if not self.rows:
            return -1
        y = min(max(y, 0), self.height - 1)
        run = bisect_right(self._top, y) - 1
        return self._first[run] + (y - self._top[run]) // self._runs[run][2]

    def place_of(self, index: int) -> int | None:
        """Returns the place of a message's row, or None if it is not listed or its group is folded."""
        run = bisect_right(self._reach, index)
        if run == len(self._runs) or self._runs[run][0] is not RowKind.MESSAGE:
            return None
        offset = _offset(self._runs[run][1], index)
        return None if offset is None else self._first[run] + offset

    def place_of_row(self, row: TimelineRow) -> int | None:
        """Returns the place of a row, or None if it is not listed."""
        if row.kind is RowKind.MESSAGE:
            return self.place_of(row.number)
        for run in reversed(range(len(self._runs))):
            kind, numbers, _ = self._runs[run]
            if kind is row.kind and (offset := _offset(numbers, row.number)) is not None:
                return self._first[run] + offset
        return None


def _offset(numbers: Sequence[int], number: int) -> int | None:
    if isinstance(numbers, range):
        return number - numbers.start if numbers.start <= number < numbers.stop else None
    offset = bisect_left(numbers, number)
    return offset if offset < len(numbers) and numbers[offset] == number else None


def push_consolidated(
    stack: RowStack, groups: EntryGroups, unfolded: Collection[int], pointer: int, measures: RowMeasures
) -> None:
    """Adds the consolidated part: entries, with the messages of unfolded ones below, and messages without an entry."""
    splits = set(groups.gaps) | set(unfolded) | {place + 1 for place in unfolded}
    if measures.entries:
        splits.update(range(len(groups)))
    begin = reach = 0
    for end in (*sorted(split for split in splits if 0 < split < len(groups)), len(groups)):
        if begin == end:
            continue
        stack.push(RowKind.MESSAGE, range(reach, groups.starts[begin]), measures.message)
        reach = _push_entries(stack, groups, range(begin, end), begin in unfolded, measures)
        begin = end
    stack.push(RowKind.MESSAGE, range(reach, pointer), measures.message)


def _push_entries(stack: RowStack, groups: EntryGroups, places: range, unfolded: bool, measures: RowMeasures) -> int:
    place, stop = places[0], groups.stops[places[-1]]
    stack.push(RowKind.ENTRY, places, measures.entry_height(place), groups.starts[place] if unfolded else stop)
    if unfolded:
        stack.push(RowKind.MESSAGE, groups.numbers(place), measures.message)
    return stop


def push_unconsolidated(
    stack: RowStack, pointer: int, total: int, keep: int, measures: RowMeasures, *, line: bool = True
) -> None:
    """Adds the pointer, what waits for the next consolidation, and what that one keeps, apart if it takes some.

    Without `line` the pointer has none: nothing is ever consolidated there.
    """
    if line:
        stack.push(RowKind.POINTER, (pointer,), measures.pointer, pointer)
    first_kept = total - keep
    if keep and first_kept > pointer:
        stack.push(RowKind.MESSAGE, range(pointer, first_kept), measures.message)
        stack.push(RowKind.KEPT, (first_kept,), measures.kept, first_kept)
        stack.push(RowKind.MESSAGE, range(first_kept, total), measures.message)
    else:
        stack.push(RowKind.MESSAGE, range(pointer, total), measures.message)


def push_matches(stack: RowStack, chunks: Iterable[Sequence[int]], pointer: int, measures: RowMeasures) -> None:
    """Adds what a filter found: ascending chunks of indices in ascending order, the pointer where it belongs."""
    placed = False
    for chunk in chunks:
        cut = bisect_left(chunk, pointer)
        stack.push(RowKind.MESSAGE, chunk[:cut], measures.message)
        if cut < len(chunk) and not placed:
            stack.push(RowKind.POINTER, (pointer,), measures.pointer, pointer)
            placed = True
        stack.push(RowKind.MESSAGE, chunk[cut:] if cut else chunk, measures.message)
    if not placed:
        stack.push(RowKind.POINTER, (pointer,), measures.pointer, pointer)
