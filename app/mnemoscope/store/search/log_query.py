"""Finds the matching entries of one log, newest first: by the trigram index where it helps, else by reading back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mnemoscope.store.search.entry_log import EntryLog
from mnemoscope.store.search.matcher import Matcher, TooSlow
from mnemoscope.store.search.trigrams import TrigramIndex

_FIRST_CHUNK: Final = 64
_CHUNK_ENTRIES: Final = 1_024
_CHUNK_BYTES: Final = 1 << 18
_READ_BEFORE_INDEX: Final = 16_384
"""Newest entries read for one or two letters before the index is asked."""
_DENSE: Final = 8
_SAMPLE: Final = 512
_SLOW_ENTRIES: Final = 4
_REPORT_EVERY: Final = 16

Examined = tuple[int, bool]
"""An entry's number and whether it is a match; everything from it on has been looked at."""


class QueryTooSlow(Exception):
    """The expression is too slow on too many entries. That nobody waits any more is `goes_on` in `log_search`."""


@dataclass(slots=True)
class Pace:
    """Counts the entries that an expression took too long on, in the whole of a query."""

    slow: int = 0

    def count_slow(self) -> None:
        """Counts one more. Raises QueryTooSlow when it is enough."""
        self.slow += 1
        if self.slow >= _SLOW_ENTRIES:
            raise QueryTooSlow


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Answers one query on one log."""

    log: EntryLog
    matcher: Matcher
    index: TrigramIndex
    pace: Pace
    skipped: bool = False
    """This log is not asked for."""

    def examined(self, below: int) -> Iterator[Examined]:
        """Looks at the entries under `below`, newest first."""
        if self.skipped:
            return
        covered = self._covered(below)
        needle = self.matcher.folded_needle
        if not covered or not needle:
            yield from self._read(below, 0)
            return
        yield from self._read(below, covered)
        if len(needle) >= 3:
            yield from self._verify(self.index.candidates(self.log.kind, needle, covered))
            return
        low = max(0, covered - _READ_BEFORE_INDEX)
        yield from self._read(covered, low)
        found = self.index.continuations(self.log.kind, needle, low) if low else None
        yield from self._verify(found) if found is not None else self._read(low, 0)

    def counts(self) -> Iterator[int]:
        """Returns how many matches there are, in parts, each after a short while."""
        if self.skipped:
            return
        total = len(self.log)
        covered = self._covered(total)
        needle, kind, index = self.matcher.folded_needle, self.log.kind, self.index
        if covered and len(needle) >= 3:
            yield from self._counted(total, covered)
            if len(needle) == 3 and self.matcher.is_plain and self.matcher.folds and not self._by_day():
                yield index.count(kind, needle)
            elif self._is_dense(covered):
                yield from self._counted(covered, 0)
            else:
                for _, is_match in self._verify(index.candidates(kind, needle, covered)):
                    yield int(is_match)
        else:
            yield from self._counted(total, 0)

    def _covered(self, below: int) -> int:
        return 0 if self.log.loading else min(below, self.index.covered(self.log.kind))

    def _by_day(self) -> bool:
        return self.matcher.query.since is not None or self.matcher.query.until is not None

    def _is_dense(self, covered: int) -> bool:
        """Returns whether so many entries are candidates that reading all of them in order is quicker."""
        last, seen = covered, 0
        for number in self.index.candidates(self.log.kind, self.matcher.folded_needle, covered):
            last, seen = number, seen + 1
            if seen >= _SAMPLE:
                return (covered - last) // seen < _DENSE
        return False

    def _verify(self, candidates: Iterator[int]) -> Iterator[Examined]:
        """Reads the candidates one by one."""
        for seen, number in enumerate(candidates):
            hit = self._is_in_range(number) and self._is_match(self.log.text(number))
            if hit or seen % _REPORT_EVERY == 0:
                yield number, hit

    def _read(self, high: int, floor: int) -> Iterator[Examined]:
        """Reads the entries [floor, high) backwards, some at a time."""
        most = _FIRST_CHUNK
        while high > floor:
            low = max(floor, self.log.chunk_start(high, _CHUNK_BYTES, most))
            most = min(2 * most, _CHUNK_ENTRIES)
            if self._range_touches(low, high):
                yield from self._read_chunk(low, high)
            yield low, False
            high = low

    def _read_chunk(self, low: int, high: int) -> Iterator[Examined]:
        if self.matcher.finds_all:
            yield from ((number, True) for number in range(high - 1, low - 1, -1) if self._is_in_range(number))
            return
        data = self.log.block(low, high)
        if not self.matcher.may_be_in(data, escaped=self.log.kind == "jsonl"):
            return
        base = self.log.table.starts[low]
        for number in range(high - 1, low - 1, -1):
            hit = self._is_in_range(number) and self._is_match(self.log.text_in(number, data, base))
            if hit or self.matcher.query.regex:
                yield number, hit

    def _counted(self, high: int, floor: int) -> Iterator[int]:
        while high > floor:
            low = max(floor, self.log.chunk_start(high, _CHUNK_BYTES, _CHUNK_ENTRIES))
            if self._range_touches(low, high):
                yield from self._count_chunk(low, high)
            yield 0
            high = low

    def _count_chunk(self, low: int, high: int) -> Iterator[int]:
        if self._by_day() or self.log.kind != "history" or not self.matcher.counts_in_bytes:
            yield from (int(hit) for _, hit in self._read_chunk(low, high))
            return
        data = self.log.block(low, high)
        folded = self.matcher.folded_bytes(data)
        if folded is None:
            yield from (int(hit) for _, hit in self._read_chunk(low, high))
            return
        starts, base = self.log.table.starts, self.log.table.starts[low]
        yield _count(folded, self.matcher.needle_bytes, [start - base for start in starts[low:high]])

    def _is_match(self, text: str) -> bool:
        try:
            return self.matcher.is_in(text)
        except TooSlow:
            self.pace.count_slow()
            return False

    def _is_in_range(self, number: int) -> bool:
        if not self._by_day():
            return True
        query, day = self.matcher.query, self.log.table.days[number]
        if not day or (query.since is not None and day < query.since.toordinal()):
            return False
        return query.until is None or day <= query.until.toordinal()

    def _range_touches(self, low: int, high: int) -> bool:
        """Returns whether any of the entries can lie in the days asked for."""
        if not self._by_day():
            return True
        query, days = self.matcher.query, self.log.table.days[low:high]
        if query.since is not None and max(days) < query.since.toordinal():
            return False
        return query.until is None or min(days) <= query.until.toordinal()


def _count(data: bytes, needle: bytes, starts: list[int]) -> int:
    """Returns how many of the entries that begin at `starts` hold the needle."""
    count, at = 0, data.find(needle)
    while at >= 0:
        count += 1
        following = bisect_right(starts, at)
        if following == len(starts):
            break
        at = data.find(needle, starts[following])
    return count
