"""Dream has a position in the journal; its next run reads on from there, entry after entry, a long one in parts.

A position is a cursor, which other programs know too, and beside it what only this one notes: which entries before the
cursor are to be read again, and how much of a long entry was read already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemoscope.domain.memory.history_entries import RAW_MARK
from mnemoscope.domain.memory.journal_entry import JournalEntry, entry_for_prompt, oldest_entries, valid_cursor

BATCH_ENTRIES: Final = 20
BATCH_CHARACTERS: Final = 40_000
PART_CHARACTERS: Final = BATCH_CHARACTERS // 2
"""Characters of one entry that a run reads at most; the next run goes on with it."""
Numbers = tuple[int, int]
"""The first and the last of a row of entries; or an entry and a count."""


@dataclass(frozen=True, slots=True)
class DreamPosition:
    """Describes a position: every entry up to `cursor` was read but those in `again`, and of those in `parts` so many
    characters."""

    cursor: int = 0
    again: tuple[Numbers, ...] = ()
    parts: tuple[Numbers, ...] = ()

    @classmethod
    def of(cls, cursor: int, record: object) -> DreamPosition:
        """Returns the position that a cursor and a record of ours name; what makes no sense is left out."""
        values: Mapping[str, Any] = record if isinstance(record, Mapping) else {}
        again, parts = _pairs(values.get("again")), _pairs(values.get("parts"))
        return cls(cursor, tuple(row for row in again if row[0] <= row[1]), tuple(parts))._tidy()

    def as_record(self) -> dict[str, Any]:
        """Returns what is noted beside the cursor, which is empty if the cursor says it all."""
        return {name: [list(pair) for pair in pairs] for name, pairs in self._pairs().items() if pairs}

    def waits(self, number: int) -> bool:
        """Returns whether an entry, or the rest of it, is still to be read."""
        return number > self.cursor or any(first <= number <= last for first, last in self.again)

    def read_of(self, number: int) -> int:
        """Returns how many characters were read of an entry that waits."""
        return dict(self.parts).get(number, 0)

    def back_before(self, first: int, last: int, read: int = 0) -> DreamPosition:
        """Returns the position from which these entries, and only these, are read again.

        `read` is how much of the first one had been read before.
        """
        parts = tuple((number, count) for number, count in self.parts if not first <= number <= last)
        parts += ((first, read),)
        if last >= self.cursor:
            return DreamPosition(min(self.cursor, first - 1), self.again, parts)._tidy()
        return DreamPosition(self.cursor, (*self.again, (first, last)), parts)._tidy()

    def after(self, batch: Batch) -> DreamPosition:
        """Returns the position after a batch. Entries after the cursor and entries read again are never in one
        batch."""
        numbers = [entry.cursor for entry in batch.entries]
        parts = tuple((number, count) for number, count in self.parts if number not in numbers)
        done = numbers[-1]
        if batch.rest:
            parts += ((done, batch.rest),)
            done = max((number for number in numbers if number < done), default=numbers[0] - 1)
        if numbers[0] > self.cursor:
            return DreamPosition(max(self.cursor, done), self.again, parts)._tidy()
        return DreamPosition(self.cursor, _after(self.again, done), parts)._tidy()

    def from_again(self, number: int) -> DreamPosition:
        """Returns the position in which no entry before a number is to be read again, since they are gone."""
        return DreamPosition(self.cursor, _after(self.again, number - 1), self.parts)._tidy()

    def _tidy(self) -> DreamPosition:
        """Returns the position without what the cursor says already."""
        again = _joined([(first, min(last, self.cursor)) for first, last in self.again if first <= self.cursor])
        place = DreamPosition(self.cursor, again)
        parts = tuple(sorted((number, count) for number, count in self.parts if count and place.waits(number)))
        return DreamPosition(self.cursor, again, parts)

    def _pairs(self) -> dict[str, tuple[Numbers, ...]]:
        return {"again": self.again, "parts": self.parts}


@dataclass(frozen=True, slots=True)
class Batch:
    """Holds the entries that one run reads, whole, and their texts for the prompt.

    `begun` is how many characters of the first number's entries were read before; `rest` is how many of the last
    number's are read after this run, 0 if all of them are read in it.
    """

    entries: tuple[JournalEntry, ...]
    texts: tuple[str, ...]
    begun: int = 0
    rest: int = 0


def next_batch(
    entries: Sequence[JournalEntry],
    count: int = BATCH_ENTRIES,
    place: DreamPosition | None = None,
    part: int = PART_CHARACTERS,
) -> Batch | None:
    """Returns what one run reads of the entries that wait, oldest first, or None if none does.

    It has at most `count` entries and no more than fit a prompt, but always one; of a long one `part` characters.
    Entries of one number go together if they are not long, for a cursor cannot lie between them.
    """
    taken: list[JournalEntry] = []
    texts: list[str] = []
    room = BATCH_CHARACTERS
    begun = skip = place.read_of(entries[0].cursor) if place and entries else 0
    number = before = 0
    for entry in oldest_entries(entries, max(1, count)):
        number, before = entry.cursor, before if entry.cursor == number else 0
        size, start = len(entry.content), min(skip, len(entry.content))
        skip -= start
        if start and start == size:
            before += size
            continue
        if taken and min(size - start, part) > room and number != taken[-1].cursor:
            break
        stop = _end_of_part(entry.content, start, part)
        taken.append(entry)
        texts.append(_prompt_text(entry, start, stop))
        room -= stop - start
        before += stop
        if stop < size:
            return Batch(tuple(taken), tuple(texts), begun, before)
    if not taken and entries:
        # What was noted as read of an entry is all of it by now: it was shortened since.
        return next_batch(entries, count, None, part)
    return Batch(tuple(taken), tuple(texts), begun) if taken else None


def _end_of_part(content: str, start: int, part: int) -> int:
    """Returns where a part ends: at the end of a line where one is near, else of a word."""
    stop = start + part
    if stop >= len(content):
        return len(content)
    ends = (content.rfind(mark, start + part // 2, stop) + 1 for mark in "\n ")
    return next(filter(None, ends), stop)


def _prompt_text(entry: JournalEntry, start: int, stop: int) -> str:
    size, words = len(entry.content), entry.content[start:stop]
    if stop - start < size:
        mark = f"{RAW_MARK} " if start and entry.raw else ""
        words = f"{mark}(characters {start + 1:,} to {stop:,} of {size:,}) {words}"
    return entry_for_prompt(replace(entry, content=words), len(words))


def _pairs(found: object) -> list[Numbers]:
    """Returns the pairs of numbers in a record; anything else is left out."""
    rows = found if isinstance(found, list) else []
    pairs = [row for row in rows if isinstance(row, list) and len(row) == 2]
    return [(row[0], row[1]) for row in pairs if None not in map(valid_cursor, row)]


def _joined(rows: Sequence[Numbers]) -> tuple[Numbers, ...]:
    joined: list[Numbers] = []
    for first, last in sorted(rows):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def _after(rows: Sequence[Numbers], done: int) -> tuple[Numbers, ...]:
    """Returns the entries that are left after a number."""
    return tuple((max(first, done + 1), last) for first, last in rows if last > done)
