"""The calls that wrote to a memory file are replayed, so that each of its lines is known by the call that wrote it.

A line belongs to the call that first gave it its present words: one that only repeats, keeps or moves it does not take
it, and one that changes a word of it does. The calls are taken in their order in time, over all conversations. Between
two of them anybody may have changed the file:

- Where a call tells the text before it, what differs from the replayed text came from outside.
- Where the file was there before the first call, the text that it had is found backwards from the nearest text that is
  known: what a call put in is taken out again where it stands exactly once.
- A call that does not fit the replayed text replaced words from outside. Its whole lines are known, their place is not.
- A call of which nobody can tell what it did leaves what is new after it unknown.

Of equal lines that could each be the one, and of a line that may have been changed from outside before or after a call,
nothing is said. Lines end with a line feed, with a carriage return before it or not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Final

from mnemoscope.domain.foreign.foreign_records import LONG_AGO, LineSource, MemoryCommit, MemoryEdit, TextReplacement

_OUTSIDE: Final = -1
_UNKNOWN: Final = -2
_ASSUMED: Final = -3
"""From outside, as far as is known: it stood in the text that was found backwards."""
_SAME_LINE: Final = 0.6
"""The likeness, from 0 to 1, above which two lines may be one line that was changed."""
_LONG_PART: Final = 12
"""From so many characters on, words that stand in a line are those that a call put in."""


def line_sources(path: str, text: str, edits: Iterable[MemoryEdit]) -> list[LineSource]:
    """Returns the source of each line of the file at `path`, whose present text is given. Edits of other files are
    passed over."""
    steps = _in_order(edit for edit in edits if edit.path == path)
    present = _lines(_plain(text))
    replay = _Replay(steps)
    owners = replay.owners_of(present)
    if present[-1] == "":
        present, owners = present[:-1], owners[:-1]
    return [
        LineSource(path, number, line, steps[owner] if owner >= 0 else None, owner == _UNKNOWN)
        for number, (line, owner) in enumerate(zip(present, owners, strict=True), 1)
    ]


def with_commits(sources: Sequence[LineSource], text: str, commits: Sequence[MemoryCommit]) -> list[LineSource]:
    """Returns the sources of a file's lines with the commit that brought each which no call is known to have written.
    Commits are replayed as calls are, in the order that they stand in: clocks may have been set back between them."""
    steps = [
        MemoryEdit(
            path="",
            when=None,
            conversation=str(number),
            place=0,
            message_text="",
            apply=lambda _: None,
            before=commit.before,
            after=commit.after,
        )
        for number, commit in enumerate(commits)
    ]
    brought = [each.edit for each in line_sources("", text, steps)]
    return [
        replace(source, commit=commits[int(edit.conversation)]) if source.edit is None and edit is not None else source
        for source, edit in zip(sources, brought, strict=True)
    ]


def _in_order(edits: Iterable[MemoryEdit]) -> list[MemoryEdit]:
    timed = []
    latest = LONG_AGO
    for edit in edits:
        # A call without a time stays behind the one before it.
        latest = edit.when or latest
        timed.append((latest, edit))
    return [edit for _, edit in sorted(timed, key=lambda each: each[0])]


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")


def _lines(text: str) -> list[str]:
    return text.split("\n")


@dataclass(slots=True)
class _Unplaced:
    """Describes a call that did not fit: the whole lines it put in, and the parts of lines."""

    step: int
    lines: list[str]
    parts: list[str]


@dataclass(slots=True)
class _Replay:
    """Holds the file as it is replayed: its lines, the last one empty where the file ends with a line feed, and the
    step that each belongs to."""

    steps: Sequence[MemoryEdit]
    lines: list[str] = field(default_factory=lambda: [""])
    owners: list[int] = field(default_factory=lambda: [_ASSUMED])
    is_blind: bool = False
    """Something was written since the text was known for certain, and nobody can tell what."""
    unplaced: list[_Unplaced] = field(default_factory=list)
    parts: dict[int, list[str]] = field(default_factory=dict)
    """The text that a step put into the middle of a line."""
    everywhere: list[str] = field(default_factory=list)
    """The texts that steps put in wherever some words stood, and so into lines that are not known too."""

    def owners_of(self, present: list[str]) -> list[int]:
        """Replays everything and returns the step that each line of the present text belongs to, or why none."""
        self._begin("\n".join(present))
        for number, step in enumerate(self.steps):
            self._take(number, step)
        self._observe(present[:])
        self._find_unplaced(present)
        return [_OUTSIDE if owner == _ASSUMED else owner for owner in self.owners]

    def _begin(self, present: str) -> None:
        """Finds the text before the first call: backwards from the first text that is known."""
        known, owner, before = present, _ASSUMED, []
        for step in self.steps:
            if step.before is not None or step.after is not None:
                known = _plain(step.before if step.before is not None else step.after or "")
                # What of a text that was written whole stood there before cannot be told.
                owner = _ASSUMED if step.before is not None else _UNKNOWN
                break
            before.append(step)
        if (not before and self.steps) or any(not step.replacements for step in before):
            # What is told of the text before, or what the calls do to an empty one, is all there is.
            return
        for step in reversed(before):
            for replacement in reversed(step.replacements):
                known = _undone(known, replacement)
        self.lines = _lines(known)
        self.owners = [owner] * len(self.lines)

    def _take(self, number: int, step: MemoryEdit) -> None:
        if step.before is not None:
            self._observe(_lines(_plain(step.before)))
        if step.replacements and (step.before is not None or step.after is None):
            for replacement in step.replacements:
                self._replace(number, replacement)
        if step.after is not None:
            self._carry(_lines(_plain(step.after)), number)
        elif not step.replacements:
            after = step.apply("\n".join(self.lines))
            if after is None:
                self.is_blind = True
            else:
                self._carry(_lines(_plain(after)), number)

    def _observe(self, lines: list[str]) -> None:
        """Takes in a text that the file is known to have had."""
        before, owners = self.lines, self.owners
        self._carry(lines, _UNKNOWN if self.is_blind else _OUTSIDE)
        self.is_blind = False
        self._doubt_equal(before, owners)
        self._doubt_changed(before, owners)

    def _doubt_equal(self, before: list[str], owners: list[int]) -> None:
        """Takes back who wrote one of several equal lines where there are more of them than there were, or where calls
        that did not fit show that the replayed text is not the file's: which one is whose would be a guess. Blank lines
        are told by where they stand."""
        former, present = Counter(before), Counter(self.lines)
        known: dict[str, set[int]] = defaultdict(set)
        for line, owner in zip(before, owners, strict=True):
            known[line].add(owner)
        for at, line in enumerate(self.lines):
            is_more = 0 < former[line] < present[line]
            if line.strip() and (is_more or (self.unplaced and len(known[line]) > 1)):
                self.owners[at] = _UNKNOWN

    def _doubt_changed(self, before: list[str], owners: list[int]) -> None:
        """Takes back *outside* from lines in which a call had changed words: the other words may have been changed
        before it, and then the line is the call's."""
        if not self.parts:
            return
        here = set(self.lines)
        gone = [
            (line, self.parts.get(owner, ())) for line, owner in zip(before, owners, strict=True) if line not in here
        ]
        for at, line in enumerate(self.lines):
            if self.owners[at] != _OUTSIDE:
                continue
            if any(part in line for part in self.everywhere) or any(
                part in line and (len(part) >= _LONG_PART or _likeness(line, was) > _SAME_LINE)
                for was, parts in gone
                for part in parts
                if part in was
            ):
                self.owners[at] = _UNKNOWN

    def _carry(self, lines: list[str], fresh: int) -> None:
        end, former_end = lines[-1] == "", self.lines[-1] == ""
        old, owners = (self.lines[:-1], self.owners[:-1]) if former_end else (self.lines, self.owners)
        self.owners = _carried(old, owners, lines[:-1] if end else lines, fresh) + [fresh] * end
        self.lines = lines

    def _replace(self, number: int, replacement: TextReplacement) -> None:
        lines = self.lines
        old, new = _plain(replacement.old), _plain(replacement.new)
        text = "\n".join(lines)
        if not old:
            # An empty old text makes a file, or fills an empty one.
            self._carry(_lines(new), number)
            return
        count = text.count(old)
        if count == 0 or (count > 1 and not replacement.is_all):
            self._put_aside(number, old, new)
            return
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        at = len(text)
        while (at := text.rfind(old, 0, at)) >= 0:
            first, last = bisect_right(starts, at) - 1, bisect_right(starts, at + len(old)) - 1
            region = "\n".join(lines[first : last + 1])
            begin = at - starts[first]
            fresh = _lines(region[:begin] + new + region[begin + len(old) :])
            self.owners[first : last + 1] = _carried(
                lines[first : last + 1], self.owners[first : last + 1], fresh, number
            )
            lines[first : last + 1] = fresh
            is_part = len(new) < len("\n".join(fresh)) or self.unplaced
            if self.steps[number].before is None and is_part:
                self.parts.setdefault(number, []).extend(part for part in _lines(new) if part.strip())
                if replacement.is_all:
                    self.everywhere.append(new)

    def _put_aside(self, number: int, old: str, new: str) -> None:
        """Keeps what a call put in although it does not fit: its lines stand at the end until they are found."""
        lines = self.lines
        gone = Counter(_lines(old))
        added = []
        for line in _lines(new):
            if gone[line]:
                gone[line] -= 1
            elif line.strip():
                added.append(line)
        for line in gone.elements():
            if line.strip() and lines.count(line) == 1 and len(lines) > 1:
                place = lines.index(line)
                del lines[place], self.owners[place]
        self.unplaced.append(_Unplaced(number, added, [part for part in _lines(new) if part.strip()]))
        lines[len(lines) - 1 : len(lines) - 1] = added
        self.owners[len(self.owners) - 1 : len(self.owners) - 1] = [number] * len(added)

    def _find_unplaced(self, present: list[str]) -> None:
        """Gives lines that seem to come from outside to the calls that did not fit, or says that it cannot be told."""
        text = "\n".join(present)
        for call in reversed(self.unplaced):
            for line in call.lines:
                found = [at for at, each in enumerate(present) if each == line and self.owners[at] == _ASSUMED]
                for at in found:
                    self.owners[at] = call.step if len(found) == 1 else _UNKNOWN
            for part in call.parts:
                if part in text:
                    for at, each in enumerate(present):
                        if part in each and part != each and self.owners[at] in (_OUTSIDE, _ASSUMED):
                            self.owners[at] = _UNKNOWN


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _undone(text: str, replacement: TextReplacement) -> str:
    """Returns the text before a replacement, or the same where it cannot be found out."""
    old, new = _plain(replacement.old), _plain(replacement.new)
    if not new or text.count(new) != 1:
        return text
    before = text.replace(new, old)
    return before if not old or replacement.is_all or before.count(old) == 1 else text


def _carried(old: list[str], owners: list[int], new: list[str], fresh: int) -> list[int]:
    """Returns the owners of new lines: those of the equal old ones, moved or not, and `fresh` for what is new.

    Lines that stand there once have one answer. Of equal ones those are taken that both ways of comparing, from the
    beginning and from the end, find the same.
    """
    places = defaultdict(list)
    for place, line in enumerate(old):
        places[line].append(place)
    counts = Counter(new)
    found = [fresh] * len(new)
    doubtful = False
    for at, line in enumerate(new):
        if line in places:
            known = {owners[place] for place in places[line]}
            if len(known) == 1 and counts[line] <= len(places[line]):
                found[at] = known.pop()
            else:
                doubtful = True
    if doubtful:
        one, other = _aligned_late(old, new), _aligned_early(old, new)
        spare = _left_over(old, owners, one)
        for at, line in enumerate(new):
            known = {owners[place] for place in places.get(line, ())}
            if known and not (len(known) == 1 and counts[line] <= len(places[line])):
                found[at] = _agreed(owners, one[at], other[at], spare[line], fresh)
    return found


def _agreed(owners: list[int], one: int, other: int, spare: set[int], fresh: int) -> int:
    first = owners[one] if one >= 0 else fresh
    second = owners[other] if other >= 0 else fresh
    if first != second:
        return _UNKNOWN
    if one < 0 and spare:
        return spare.copy().pop() if len(spare) == 1 else _UNKNOWN
    return first


def _left_over(old: list[str], owners: list[int], aligned: list[int]) -> dict[str, set[int]]:
    taken = set(aligned)
    spare: dict[str, set[int]] = defaultdict(set)
    for place, line in enumerate(old):
        if place not in taken:
            spare[line].add(owners[place])
    return spare


def _aligned(old: list[str], new: list[str]) -> list[int]:
    """Returns for each new line the old one it is, -1 for none."""
    found = [-1] * len(new)
    for start, at, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        found[at : at + size] = range(start, start + size)
    return found


def _aligned_late(old: list[str], new: list[str]) -> list[int]:
    """Returns for each new line the old one it is, -1 for none, with what was put in or taken out as near to the end as
    equal lines let it be."""
    found = _slid(new, _aligned(old, new))
    return _inverse(_slid(old, _inverse(found, len(old))), len(new))


def _aligned_early(old: list[str], new: list[str]) -> list[int]:
    """Returns for each new line the old one it is, with what was put in or taken out as near to the beginning as can
    be."""
    back = _aligned_late(old[::-1], new[::-1])
    return [len(old) - 1 - place if place >= 0 else -1 for place in reversed(back)]


def _slid(lines: list[str], partners: list[int]) -> list[int]:
    start = 0
    while start < len(lines):
        if partners[start] >= 0:
            start += 1
            continue
        end = start
        while end < len(lines) and (partners[end] < 0 or lines[start] == lines[end]):
            if partners[end] >= 0:
                partners[start], partners[end] = partners[end], -1
                start += 1
            end += 1
        start = end
    return partners


def _inverse(partners: list[int], count: int) -> list[int]:
    found = [-1] * count
    for place, partner in enumerate(partners):
        if partner >= 0:
            found[partner] = place
    return found
