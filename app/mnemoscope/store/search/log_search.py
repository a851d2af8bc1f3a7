"""Searches the history logs of a workspace, newest entry first: a page at a time, within the time that is asked for.

One thread at a time. Logs above `index_from` entries get a trigram index, built by `work`; until it is there, and
for what it does not cover, entries are read from the end backwards.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from operator import eq
from pathlib import Path
from typing import Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.memory.history_entries import HistoryEntry, MarkdownFormat, is_same_entry, stamp_length
from mnemoscope.store.logs.history_log import DAILY_NOTE, JsonLinesFormat, NotesFormat
from mnemoscope.store.search.database import SearchDatabase
from mnemoscope.store.search.entry_log import EntryLog
from mnemoscope.store.search.history_query import (
    HistoryCursor,
    HistoryKind,
    HistoryMatch,
    HistoryPage,
    HistoryQuery,
    HistoryState,
    Located,
)
from mnemoscope.store.search.log_query import LogQuery, Pace, QueryTooSlow
from mnemoscope.store.search.matcher import Matcher, TooSlow
from mnemoscope.store.search.trigrams import IndexBroken, TrigramIndex
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

INDEX_FROM: Final = 20_000
"""Entries from which a log is worth an index."""
TOO_SLOW: Final = "The expression takes too long on some entries, so the search stopped. Make it simpler."
_UNDATED: Final = "9999"
_LOCATE_LETTERS: Final = 80


class LogSearch:
    """Searches all history logs of a workspace. What is indexed of them is kept in `database`."""

    def __init__(self, paths: WorkspacePaths, database: SearchDatabase, *, index_from: int = INDEX_FROM) -> None:
        self._database = database
        self._index_from = index_from
        self._index = TrigramIndex(database)
        undated = Ledger(paths).undated_entries
        history = [paths.history_file]
        self._logs = (
            EntryLog("history", lambda: MarkdownFormat(undated), lambda: history, paths.root, beside=undated),
            EntryLog("jsonl", JsonLinesFormat, lambda: [paths.history_jsonl], paths.root),
            EntryLog("notes", NotesFormat, lambda: _daily_notes(paths.memory_dir), paths.root),
        )
        self._generations = self._seen_generations()

    @property
    def state(self) -> HistoryState:
        """Returns what is known of the logs."""
        return HistoryState(
            total=sum(map(len, self._logs)),
            by_kind={log.kind: len(log) for log in self._logs if len(log)},
            skipped=sum(log.skipped for log in self._logs),
            indexed=sum(self._index.covered(log.kind) for log in self._logs),
            loading=any(log.loading for log in self._logs),
            problems=tuple(log.problem for log in self._logs if log.problem),
        )

    def refresh(self, seconds: float | None = None) -> bool:
        """Takes in what changed on disk; True where anything did. What takes longer is continued by `work`."""
        changed = [log.refresh(seconds) for log in self._logs]
        self._note_rewritten()
        self._rest()
        return any(changed)

    def work(self, seconds: float) -> tuple[bool, bool]:
        """Loads or indexes more for `seconds`; returns whether there is more to do and whether entries changed."""
        for log in self._logs:
            if log.loading:
                changed = log.refresh(seconds)
                self._note_rewritten()
                self._rest()
                return True, changed
        for log in self._logs:
            if len(log) > self._index_from and self._index.build(log, seconds):
                return True, False
        self._rest()
        return False, False

    def search(
        self,
        query: HistoryQuery,
        limit: int = 50,
        before: HistoryCursor | None = None,
        *,
        seconds: float | None = None,
        goes_on: GoesOn = to_the_end,
    ) -> HistoryPage:
        """Returns the next matches, `limit` at most, newest first. Raises HistoryQueryError for a malformed expression.

        After `seconds`, or once `goes_on` says no, the page holds what was found so far.
        """
        started = time.perf_counter()
        matcher = Matcher(query)
        generation = sum(self._generations.values())
        if before is not None and before.generation != generation:
            return HistoryPage((), None, False)
        pace = Pace(before.passed_over if before else 0)
        queries = self._queries(matcher, pace)
        bounds = before.bounds if before else tuple(len(one.log) for one in queries)
        merge = _Merge(queries, bounds, limit)
        complaint = "" if merge.run(None if seconds is None else started + seconds, goes_on) else TOO_SLOW
        if merge.broken:
            self._database.discard("a query failed")
        self._rest()
        ended = merge.ended or bool(complaint)
        cursor = None if ended else HistoryCursor(merge.bounds(), generation, pace.slow)
        searched_all = merge.ended and not pace.slow and not self.state.loading
        return HistoryPage(tuple(merge.found), cursor, searched_all, complaint, pace.slow)

    def count(self, query: HistoryQuery, goes_on: GoesOn = to_the_end) -> int | None:
        """Returns how many entries match; None where it was stopped or an expression is too slow to tell."""
        total: int | None = None
        for so_far in self.counting(query):
            total = so_far
            if not goes_on():
                return None
        return total

    def counting(self, query: HistoryQuery) -> Iterator[int | None]:
        """Counts in short steps and yields the number so far after each; the last is the number, or None if unknown."""
        matcher, pace = Matcher(query), Pace()
        total = 0
        yield total
        if matcher.finds_all and query.since is None and query.until is None:
            yield sum(len(one.log) for one in self._queries(matcher, pace) if not one.skipped)
            return
        try:
            for one in self._queries(matcher, pace):
                for part in one.counts():
                    total += part
                    yield total
            if pace.slow:
                yield None
        except QueryTooSlow:
            yield None
        except IndexBroken as error:
            self._database.discard(f"{error}")
            yield None

    def locate(self, text: str, newer: int = 0, skip: int = 0) -> Located | None:
        """Finds the newest entry of this text but `skip`; of fewer, the oldest; else the same in the other log.

        Returns it, a cursor for a page of all entries that starts up to `newer` entries before it, and how many
        entries are newer than it.
        """
        wanted = text.replace("\r\n", "\n").strip()
        line = max((wanted[stamp_length(wanted) :] or wanted).split("\n"), key=len)[:_LOCATE_LETTERS]
        if not line:
            return None
        matcher = Matcher(HistoryQuery(line, case_sensitive=True))
        for is_wanted in (eq, is_same_entry):
            for at, one in enumerate(self._queries(matcher, Pace())):
                hits = (number for number, found in one.examined(len(one.log)) if found)
                numbers = list(islice((each for each in hits if is_wanted(one.log.text(each), wanted)), skip + 1))
                if numbers:
                    match = HistoryMatch(one.log.entry(numbers[-1]), (), one.log.kind)
                    return (match, *self._around(at, numbers[-1], match.entry, newer))
        self._rest()
        return None

    def close(self) -> None:
        """Closes the files of the logs."""
        self._rest()

    def _around(self, at: int, number: int, entry: HistoryEntry, newer: int) -> tuple[HistoryCursor, int]:
        bounds, ahead = [], 0
        for place, log in enumerate(self._logs):
            bound = number + 1 if place == at else _bound_at(log, entry.when)
            ahead += len(log) - bound
            bounds.append(min(len(log), bound + newer) if place == at else bound)
        return HistoryCursor(tuple(bounds), sum(self._generations.values())), ahead

    def _queries(self, matcher: Matcher, pace: Pace) -> list[LogQuery]:
        wanted = matcher.query.sources
        return [
            LogQuery(log, matcher, self._index, pace, skipped=bool(wanted) and log.kind not in wanted)
            for log in self._logs
        ]

    def _note_rewritten(self) -> None:
        for kind, generation in self._seen_generations().items():
            if generation != self._generations[kind]:
                self._index.forget(kind)
        self._generations = self._seen_generations()

    def _seen_generations(self) -> dict[HistoryKind, int]:
        return {log.kind: log.generation for log in self._logs}

    def _rest(self) -> None:
        for log in self._logs:
            log.rest()


class _Merge:
    """Takes the newest match of several logs, again and again."""

    def __init__(self, queries: list[LogQuery], bounds: tuple[int, ...], limit: int) -> None:
        self.found: list[HistoryMatch] = []
        self.ended = self.broken = False
        self._limit = limit
        self._lanes = [_LogMatches(query, bound) for query, bound in zip(queries, bounds, strict=True)]

    def run(self, deadline: float | None, goes_on: GoesOn) -> bool:
        """Goes on until the page is full, time is over or nothing is left; False where an expression is too slow."""
        try:
            while len(self.found) < self._limit:
                if not all(lane.fill(deadline, goes_on) for lane in self._lanes):
                    return True
                heads = [lane for lane in self._lanes if lane.head is not None]
                if not heads:
                    self.ended = True
                    return True
                self.found.append(max(heads, key=_LogMatches.key).take())
        except QueryTooSlow:
            return False
        except IndexBroken:
            self.broken = True
        return True

    def bounds(self) -> tuple[int, ...]:
        """Returns where to go on."""
        return tuple(lane.bound for lane in self._lanes)


class _LogMatches:
    """Holds one log's matches; `head` is found and not taken yet."""

    def __init__(self, query: LogQuery, bound: int) -> None:
        self.head: HistoryMatch | None = None
        self.bound = bound
        self._query = query
        self._hits = query.examined(bound)
        self._done = False

    def key(self) -> str:
        """Returns what decides which head is newer; an entry without a date keeps its place in its log."""
        assert self.head is not None
        return self.head.entry.when or _UNDATED

    def fill(self, deadline: float | None, goes_on: GoesOn) -> bool:
        """Has a head or know that there is none; False where time is over."""
        while self.head is None and not self._done:
            number, is_match = next(self._hits, (-1, False))
            if number < 0:
                self._done, self.bound = True, 0
            elif is_match:
                self.bound = number + 1
                self.head = self._match(number)
            else:
                self.bound = number
                if not goes_on() or (deadline is not None and time.perf_counter() > deadline):
                    return False
        return True

    def take(self) -> HistoryMatch:
        """Returns the head; the next is looked for from there."""
        assert self.head is not None
        head, self.head = self.head, None
        self.bound -= 1
        return head

    def _match(self, number: int) -> HistoryMatch:
        entry = self._query.log.entry(number)
        try:
            spans = self._query.matcher.spans(entry.text)
        except TooSlow:
            spans = ()
        return HistoryMatch(entry, spans, self._query.log.kind)


def _daily_notes(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if DAILY_NOTE.fullmatch(path.name))
    except FileNotFoundError:
        return []


def _bound_at(log: EntryLog, when: str) -> int:
    """Returns how many entries of a log are not newer than a time; entries are taken to be in order."""
    low, high = 0, len(log)
    while low < high:
        middle = (low + high) // 2
        if log.entry(middle).when <= when:
            low = middle + 1
        else:
            high = middle
    return low
