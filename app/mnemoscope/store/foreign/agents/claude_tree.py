"""The tree of a transcript of Claude Code: what hangs on what, the active path, its branches and compactions.

Of each record it knows some bytes in arrays; ids are kept as their hashes. The tree is worked out from these in one
pass. A transcript that is followed grows at its end, so what no later record can change is kept (`_Settled`), and the
pass begins after it. Where a later record does change it, everything is worked out anew: what is seen of a transcript
is the same, however often it was looked at before.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from mnemoscope.domain.foreign.foreign_records import KINDS, MESSAGES, CompactionMark, RecordKind, TranscriptShape
from mnemoscope.domain.foreign.message_tree import NO_PARENT, branch_ends, nearest_above, path_to

NO_PLACE: Final = 0
"""The key of a name that is not there."""
_MESSAGE_NUMBERS: Final = frozenset(KINDS.index(kind) for kind in MESSAGES)
_IS_MESSAGE: Final = bytes(number in _MESSAGE_NUMBERS for number in range(256))
_NUMBER: Final = {kind: number for number, kind in enumerate(KINDS)}
_RESULT: Final = _NUMBER[RecordKind.RESULT]
_OPEN_END: Final = 500
"""So many of the last places are not settled: more lines of their answers, and results, may come."""


def id_hash(name: str | None) -> int:
    """Returns what stands for an id."""
    return hash(name) if name else NO_PLACE


@dataclass(frozen=True, slots=True)
class _Boundary:
    place: int
    logical: int
    head: int
    tail: int


class _Unsettled(Exception):
    """A record changes what was taken to be settled."""


@dataclass(frozen=True, slots=True)
class _Settled:
    """Holds what is settled of the first `count` places, some 13 bytes each: whatever hangs on them hangs on the end of
    their active path."""

    count: int
    kinds: bytearray
    """Without duplicates."""
    by_id: array[int]
    """The places that their ids name, in the order of the ids."""
    path: array[int]
    messages: array[int]
    parts: dict[int, tuple[int, ...]]
    branches: tuple[int, ...]
    ends: frozenset[int]
    """The last place of the path, and those in a row with it."""
    missing: frozenset[int]
    """Ids that are named as parents and are not there."""
    before: int
    """The last place with an id of its own."""


class _Where(dict[int, int]):
    """Knows the place of each id, those that are settled included; `NO_PARENT` for one that is not there."""

    def __init__(self, ids: Sequence[int], by_id: Sequence[int]) -> None:
        super().__init__()
        self._ids, self._by_id = ids, by_id

    def __missing__(self, key: int) -> int:
        if not self._by_id:
            return NO_PARENT
        at = bisect_left(self._by_id, key, key=self._ids.__getitem__)
        return self._by_id[at] if at < len(self._by_id) and self._ids[self._by_id[at]] == key else NO_PARENT


@dataclass(slots=True)
class _Tree:
    """Holds the tree of one moment: kinds without duplicates, parents by place, and of each answer its lines and
    results.

    Of the places that are settled it holds the kinds alone.
    """

    settled: _Settled | None
    kinds: bytearray
    parents: array[int]
    row_of: array[int]
    """The answer that a line or a result of a call belongs to."""
    where: _Where
    lines: dict[int, list[int]] = field(default_factory=dict)
    results: dict[int, list[int]] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    """By row, the last place in it: what names any place of the row as its parent becomes a child of this one."""

    @property
    def begin(self) -> int:
        """Returns the first place that is not settled."""
        return self.settled.count if self.settled is not None else 0

    def end_of_settled(self, parent: int) -> int:
        """Returns the end of the settled path, on which hangs what names one of its last places as its parent."""
        if self.settled is None or parent not in self.settled.ends:
            raise _Unsettled
        return self.settled.path[-1]

    def is_message(self) -> bytes:
        """Returns for each place whether a message is there."""
        return bytes(self.kinds.translate(_IS_MESSAGE))

    def parents_from(self, begin: int, stop: int) -> array[int]:
        """Returns the parents of a part of the places, counted from its first; what lies outside is none."""
        if begin == 0 and stop == len(self.parents):
            return self.parents
        parents = islice(self.parents, begin, stop)
        return array("i", (each - begin if begin <= each < stop else NO_PARENT for each in parents))


@dataclass(slots=True)
class _ActivePath:
    """Holds the active path, where each place stands on it (-1: not on it), and its messages."""

    path: array[int]
    positions: array[int]
    messages: array[int]
    parts: Mapping[int, tuple[int, ...]]
    message_positions: list[int]

    def first_from(self, position: int) -> int:
        """Returns the number of the first message at a position of the path or after it."""
        return bisect_left(self.message_positions, position)

    def first_kept(self, head: int) -> int | None:
        """Returns the number of the message that a place is, or is a part of, or comes before; None off the path."""
        if head == NO_PARENT or self.positions[head] < 0:
            return None
        owner = head
        if head not in self.messages:
            owner = next((message for message, parts in self.parts.items() if head in parts), head)
        return self.first_from(min(self.positions[head], self.positions[owner]))


class RecordTree:
    """Takes in records one after another, and tells their shape whenever it is asked."""

    def __init__(self, *, open_end: int = _OPEN_END) -> None:
        self.kinds = bytearray()
        self._ids = array("q")
        self._parents = array("q")
        self._continues = bytearray()
        """Places that belong to the same record as the one before them."""
        self._groups = array("q")
        """Of a line of the assistant: its answer. Of the result of a call: that call."""
        self._call_places = array("i")
        self._calls = array("q")
        self._boundaries: list[_Boundary] = []
        self._leaf_hint, self._hinted_at = NO_PLACE, 0
        self._lost: list[int] = []
        """Places of damaged lines that do not tell who they are."""
        self._open_end = open_end
        self._settled: _Settled | None = None
        self._settle_from: int | None = None
        """The number of places from which on some are settled; None as long as nobody has asked for the shape."""

    # What comes in

    def add(self, kind: RecordKind, own: int, parent: int, *, continues: bool = False) -> None:
        """Adds a place, by the keys of its id and of its parent's."""
        self.kinds.append(_NUMBER[kind])
        self._ids.append(own)
        self._parents.append(parent)
        self._continues.append(continues)
        self._groups.append(NO_PLACE)

    def group(self, place: int, key: int) -> None:
        """Says of a line of the assistant which answer it is of, of a result which call."""
        self._groups[place] = key

    def add_call(self, key: int) -> None:
        """Says that the newest place holds a call."""
        self._call_places.append(len(self.kinds) - 1)
        self._calls.append(key)

    def add_boundary(self, logical: int, head: int, tail: int) -> None:
        """Says that the newest place is the mark of a compaction."""
        self._boundaries.append(_Boundary(len(self.kinds) - 1, logical, head, tail))

    def add_lost(self) -> None:
        """Says that the next place will not tell who it is."""
        self._lost.append(len(self.kinds))

    def hint(self, leaf: int) -> None:
        """Says on which branch the transcript goes on where no message comes any more."""
        self._leaf_hint, self._hinted_at = leaf, len(self.kinds)

    # What is told

    def place_of_call(self, call: int, result: int) -> int | None:
        """Returns the place of the answer that holds the call of a result, None where there is none before it."""
        for number in range(bisect_left(self._call_places, result) - 1, -1, -1):
            if self._calls[number] == call:
                return self._call_places[number]
        return None

    def results(self) -> dict[tuple[int, int], int]:
        """Returns the place of the result of each call, by the place of the call and the key of its id."""
        found: dict[tuple[int, int], int] = {}
        for place, asked in self._answered(0):
            found.setdefault((asked, self._groups[place]), place)
        return found

    def path_to(self, place: int) -> array[int]:
        """Returns the places of the messages from the first one to the one at a place, on its own branch."""
        return self._walked(self._tree(None), place).messages

    def person_before(self) -> array[int]:
        """Returns for each place the nearest text of the person before it on its own branch; `NO_PARENT` for none."""
        tree = self._tree(None)
        number = _NUMBER[RecordKind.PERSON]
        return nearest_above(tree.parents, bytes(kind == number for kind in tree.kinds))

    def shape(self, damage: Sequence[str] = ()) -> TranscriptShape:
        """Returns the shape as far as the records are known."""
        settled = self._settled
        if settled is not None and len(self.kinds) - settled.count <= 4 * self._open_end:
            try:
                return self._shape(settled, damage)
            except _Unsettled:
                self._settle_from = len(self.kinds) + self._open_end
        self._settled = None
        return self._shape(None, damage)

    def _shape(self, settled: _Settled | None, damage: Sequence[str]) -> TranscriptShape:
        tree = self._tree(settled)
        active = self._walked(tree, self._leaf(tree))
        branches = self._branches(tree, active)
        marks = tuple(self._marks(tree, active)) if self._boundaries or _has_summary(tree) else ()
        parts = active.parts
        if settled is None and self._settle_from is not None and len(self.kinds) >= self._settle_from:
            self._settled = self._settle(tree, active)
            if self._settled is None:
                self._settle_from = len(self.kinds) + self._open_end
            else:
                # Held once.
                count = self._settled.count
                newest = {place: several for place, several in parts.items() if place >= count}
                parts = ChainMap(newest, self._settled.parts)
        elif self._settle_from is None:
            # What is looked at once need not be settled.
            self._settle_from = 0
        return TranscriptShape(bytes(tree.kinds), active.messages, parts, marks, branches, tuple(damage))

    # The tree

    def _tree(self, settled: _Settled | None) -> _Tree:
        begin, count = settled.count if settled is not None else 0, len(self.kinds)
        kinds = self.kinds[:]
        if settled is not None:
            kinds[:begin] = settled.kinds
        parents, rows = array("i", [NO_PARENT]) * count, array("q", [NO_PLACE]) * count
        where = _Where(self._ids, settled.by_id if settled is not None else ())
        tree = _Tree(settled, kinds, parents, rows, where)
        self._find(tree)
        self._link(tree)
        self._stitch(tree)
        return tree

    def _find(self, tree: _Tree) -> None:
        """Finds the place of each id; a record that has the id of one before it is none."""
        aside, is_again = _NUMBER[RecordKind.ASIDE], False
        missing = tree.settled.missing if tree.settled is not None else frozenset()
        for place, own in enumerate(islice(self._ids, tree.begin, None), tree.begin):
            if not self._continues[place]:
                is_again = own != NO_PLACE and tree.where[own] != NO_PARENT
            if is_again:
                tree.kinds[place] = aside
            elif own != NO_PLACE:
                if own in missing:
                    raise _Unsettled
                # What hangs on a record of several places hangs on the last of them.
                tree.where[own] = place

    def _link(self, tree: _Tree) -> None:
        where, parents, begin = tree.where, tree.parents, tree.begin
        logical = {each.place: each.logical for each in self._boundaries}
        before, has_lost = (tree.settled.before if tree.settled is not None else NO_PARENT), False
        lost = iter([*self._lost[bisect_left(self._lost, before) :], len(self.kinds)])
        next_lost = next(lost)
        for place, named in enumerate(islice(self._parents, begin, None), begin):
            while next_lost < place:
                has_lost, next_lost = True, next(lost)
            parent = where[named] if named != NO_PLACE else NO_PARENT
            if self._continues[place]:
                parent = place - 1
            elif place in logical and parent == NO_PARENT:
                known = where[logical[place]]
                parent = known if known < place and known != NO_PARENT else before
            elif parent == NO_PARENT and named != NO_PLACE and has_lost:
                parent = before
            parents[place] = parent
            if self._ids[place] != NO_PLACE and where[self._ids[place]] >= place:
                before, has_lost = place, False

    def _stitch(self, tree: _Tree) -> None:
        """Puts the lines of each answer and the results of its calls in a row."""
        begin = tree.begin
        asked = dict(self._answered(begin))
        known = self._rows_before(begin)
        row_of = tree.row_of
        for place, own in enumerate(islice(self._groups, begin, None), begin):
            if own == NO_PLACE or (self._ids[place] != NO_PLACE and tree.where[self._ids[place]] < place):
                continue
            if tree.kinds[place] == _RESULT:
                if place in asked:
                    row_of[place] = row = self._groups[asked[place]]
                    tree.results.setdefault(row, []).append(place)
            elif own in known:
                raise _Unsettled
            else:
                tree.lines.setdefault(own, []).append(place)
                row_of[place] = own
        self._hang(tree, self._put_in_rows(tree))

    def _hang(self, tree: _Tree, firsts: set[int]) -> None:
        """Hangs what hangs on any place of a row on the last one of it that came before."""
        begin, ends, row_of = tree.begin, tree.ends, tree.row_of
        for place, row in enumerate(islice(row_of, begin, None), begin):
            if row == NO_PLACE or place in firsts:
                parent = tree.parents[place]
                other = row_of[parent] if parent != NO_PARENT else NO_PLACE
                if other not in (NO_PLACE, row) and other in ends:
                    tree.parents[place] = ends[other]
                elif NO_PARENT < parent < begin:
                    tree.parents[place] = tree.end_of_settled(parent)
            if row != NO_PLACE and (
                tree.kinds[place] == _RESULT or ends.get(row, NO_PARENT) not in tree.results.get(row, ())
            ):
                ends[row] = place

    def _rows_before(self, begin: int) -> set[int]:
        """Returns the answers that could go on at a place: those since the person spoke last."""
        spoke = self.kinds.rfind(_NUMBER[RecordKind.PERSON], 0, begin)
        return set(self._groups[max(0, spoke) : begin])

    def _answered(self, begin: int) -> Iterator[tuple[int, int]]:
        """Yields the places of results from a place on, each with that of the last call before it that has its id."""
        asked: dict[int, int] = {}
        first = number = bisect_left(self._call_places, begin)
        for place, own in enumerate(islice(self._groups, begin, None), begin):
            while number < len(self._calls) and self._call_places[number] < place:
                asked[self._calls[number]] = self._call_places[number]
                number += 1
            if own in asked:
                yield place, asked[own]
            elif first and self.kinds[place] == _RESULT and own in self._calls[:first]:
                raise _Unsettled

    def _put_in_rows(self, tree: _Tree) -> set[int]:
        firsts = set()
        for row, lines in tree.lines.items():
            firsts.add(lines[0])
            before = lines[0]
            for place in [*lines[1:], *tree.results.get(row, ())]:
                tree.parents[place] = before
                before = place
        return firsts

    # The active path

    def _leaf(self, tree: _Tree) -> int:
        is_message, begin = tree.is_message(), tree.begin
        newest = is_message.rfind(1)
        hint = tree.where[self._leaf_hint] if self._leaf_hint != NO_PLACE else NO_PARENT
        if tree.settled is not None and (newest < begin or (hint < begin and newest < self._hinted_at)):
            raise _Unsettled
        if hint != NO_PARENT and newest < self._hinted_at:
            # It was written after every message: the newest message on this branch is meant.
            count = len(is_message) - begin
            below = nearest_above(
                tree.parents_from(begin, len(is_message)), bytes(place == hint - begin for place in range(count))
            )
            places = range(count - 1, -1, -1)
            newest = next((begin + at for at in places if is_message[begin + at] and below[at] == hint - begin), hint)
        if newest < 0:
            return NO_PARENT
        own = tree.row_of[newest]
        row = tree.results.get(own) or tree.lines.get(own)
        return row[-1] if row else newest

    def _walked(self, tree: _Tree, leaf: int) -> _ActivePath:
        path = path_to(tree.parents, leaf)
        if tree.settled is None:
            messages, parts = self._messages_on(tree, path)
            active = _ActivePath(path, array("i"), messages, parts, [])
        elif path[0] != tree.settled.path[-1]:
            raise _Unsettled
        else:
            messages, parts = self._messages_on(tree, path[1:])
            all_parts = ChainMap(parts, tree.settled.parts)
            active = _ActivePath(
                tree.settled.path + path[1:], array("i"), tree.settled.messages + messages, all_parts, []
            )
        if self._boundaries or _has_summary(tree):
            active.positions = array("i", [NO_PARENT]) * len(self.kinds)
            for position, place in enumerate(active.path):
                active.positions[place] = position
            active.message_positions = [active.positions[place] for place in active.messages]
        return active

    def _messages_on(self, tree: _Tree, path: Sequence[int]) -> tuple[array[int], dict[int, tuple[int, ...]]]:
        answer, is_message = _NUMBER[RecordKind.ANSWER], tree.is_message()
        messages, parts = array("i"), dict[int, tuple[int, ...]]()
        seen = set()
        for place in path:
            if not is_message[place]:
                continue
            if (row := tree.row_of[place]) != NO_PLACE:
                if (row, self._groups[place]) in seen:
                    continue
                seen.add((row, self._groups[place]))
            if tree.kinds[place] == answer:
                others = tuple(line for line in tree.lines[row] if line != place)
                if others:
                    parts[place] = others
            messages.append(place)
        return messages, parts

    def _branches(self, tree: _Tree, active: _ActivePath) -> tuple[int, ...]:
        begin, settled = tree.begin, tree.settled
        newest = active.path if settled is None else active.path[len(settled.path) :]
        parts = active.parts.maps[0] if isinstance(active.parts, ChainMap) else active.parts
        taken = [place - begin for place in [*newest, *(part for several in parts.values() for part in several)]]
        found = branch_ends(tree.parents_from(begin, len(self.kinds)), tree.is_message()[begin:], taken)
        return (*(settled.branches if settled is not None else ()), *(begin + place for place in found))

    # Compactions

    def _marks(self, tree: _Tree, active: _ActivePath) -> list[CompactionMark]:
        summary_kind, marks = _NUMBER[RecordKind.SUMMARY], []
        stops = [each.place for each in self._boundaries[1:]] + [len(self.kinds)]
        for boundary, stop in zip(self._boundaries, stops, strict=False):
            if (kept := self._kept_from(boundary, tree, active)) is not None:
                summary = tree.kinds.find(summary_kind, boundary.place, stop)
                marks.append(CompactionMark(kept, summary if summary >= 0 else None))
        if not self._boundaries:
            for position, place in enumerate(active.path):
                if tree.kinds[place] == summary_kind:
                    marks.append(CompactionMark(active.first_from(position), place))
        return marks

    def _kept_from(self, boundary: _Boundary, tree: _Tree, active: _ActivePath) -> int | None:
        """Returns the first message that a compaction keeps, None where it is not one of the active path."""
        if self._ids[boundary.place] != NO_PLACE and tree.where[self._ids[boundary.place]] != boundary.place:
            return None
        kept = active.first_kept(tree.where[boundary.head] if boundary.head != NO_PLACE else NO_PARENT)
        position = active.positions[boundary.place]
        if position >= 0:
            return active.first_from(position) if kept is None else min(kept, active.first_from(position))
        tail = tree.where[boundary.tail] if boundary.tail != NO_PLACE else NO_PARENT
        if tail != NO_PARENT and (position := active.positions[tail]) >= 0:
            after = active.path[position + 1 : position + 2]
            if not after or after[0] > boundary.place:
                return active.first_from(position) if kept is None else kept
            return None
        if active.path and boundary.place > active.path[-1] and self._hangs_on_end(boundary.place, tree, active):
            return len(active.messages) if kept is None else kept
        return None

    def _hangs_on_end(self, place: int, tree: _Tree, active: _ActivePath) -> bool:
        """Tells whether nothing but records that are no messages stands between the end of the path and a place."""
        path = path_to(tree.parents, place)
        end, is_message = active.path[-1], tree.is_message()
        return end in path and not any(is_message[each] for each in path[path.index(end) + 1 :])

    # What is settled

    def _settle(self, tree: _Tree, active: _ActivePath) -> _Settled | None:
        """Returns what no later record should change, None where the tree cannot be cut."""
        count = self._cut(tree, len(self.kinds) - self._open_end)
        steps = next((step for step, place in enumerate(active.path) if place >= count), len(active.path))
        is_cut = 0 < steps < len(active.path) and min(active.path[steps:]) >= count
        if not is_cut or max(tree.parents[:count]) >= count:
            return None
        end = active.path[steps - 1]
        row = tree.row_of[end]
        in_row = (*tree.lines.get(row, ()), *tree.results.get(row, ())) if row != NO_PLACE else ()
        messages = array("i", active.messages[: bisect_left(active.messages, count)])
        path = active.path[:steps]
        parts = {place: active.parts[place] for place in messages if place in active.parts}
        taken = [*path, *(part for several in parts.values() for part in several)]
        by_id = sorted((place for place in tree.where.values() if place < count), key=self._ids.__getitem__)
        named = {name for name in self._parents[:count] if name != NO_PLACE}
        return _Settled(
            count=count,
            kinds=tree.kinds[:count],
            by_id=array("i", by_id),
            path=path,
            messages=messages,
            parts=parts,
            branches=branch_ends(tree.parents_from(0, count), tree.is_message()[:count], taken),
            ends=frozenset({end, *in_row}),
            missing=frozenset(name for name in named if not 0 <= tree.where[name] < count),
            before=max(by_id, default=NO_PARENT),
        )

    def _cut(self, tree: _Tree, count: int) -> int:
        """Returns the last place up to `count` that begins a record and divides no row; 0 where there is none."""
        spans = []
        for row, lines in tree.lines.items():
            last = max(lines[-1], *tree.results.get(row, ()), -1)
            if last > lines[0]:
                spans.append((lines[0], last))
        for first, last in sorted(spans, reverse=True):
            if first < count <= last:
                count = first
        while count > 0 and self._continues[count]:
            count -= 1
        is_divided = any(first < count <= last for first, last in spans)
        return 0 if is_divided else max(0, count)


def _has_summary(tree: _Tree) -> bool:
    return _NUMBER[RecordKind.SUMMARY] in tree.kinds
