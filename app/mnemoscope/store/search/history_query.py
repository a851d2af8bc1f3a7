"""Holds what is looked for in the history, and what is found: plain values."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal, Protocol

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.history_entries import HistoryEntry

HistoryKind = Literal["history", "jsonl", "notes", "summaries"]
"""A kind of log, or the summaries of another agent's conversations, which stand in no log."""
HISTORY_KINDS: Final[tuple[HistoryKind, ...]] = ("history", "jsonl", "notes")
"""memory/HISTORY.md, memory/history.jsonl, and the daily notes memory/YYYY-MM-DD.md."""


class HistoryQueryError(MnemoscopeError):
    """The typed text is no regular expression; the sentence says where and why."""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """States what to look for. An empty `text` finds every entry; `since` and `until` are inclusive days.

    Letters are compared as Unicode folds them (`STRASSE` finds `Straße`) unless `case_sensitive`. Entries without a
    date are left out where a date is asked for. Empty `sources` means all of them.
    """

    text: str = ""
    regex: bool = False
    case_sensitive: bool = False
    whole_words: bool = False
    since: date | None = None
    until: date | None = None
    sources: frozenset[HistoryKind] = frozenset()

    @property
    def has_text(self) -> bool:
        """Returns whether words are looked for at all."""
        return bool(self.text if self.regex else self.text.strip())

    @property
    def is_empty(self) -> bool:
        """Returns whether every entry is found."""
        return not self.has_text and self.since is None and self.until is None and not self.sources


MatchSpan = tuple[int, int]
"""Characters [start, stop) of an entry's text."""


@dataclass(frozen=True, slots=True)
class HistoryMatch:
    """Describes an entry that was found and where in its text."""

    entry: HistoryEntry
    spans: tuple[MatchSpan, ...] = ()
    kind: HistoryKind = "history"


@dataclass(frozen=True, slots=True)
class HistoryCursor:
    """Marks where a search goes on: in each log, entries with a number below its bound are still to be looked at.

    `passed_over` counts the entries that the expression was too slow on until here.
    """

    bounds: tuple[int, ...]
    generation: int
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Matches, newest first. `next_before` continues the search; None where there is nothing more to look at.

    `searched_all` says that no further match exists. A page may be short, even empty, and still have a
    `next_before`: its slice of time was over. `complaint` is a sentence for the person, or "". `passed_over` counts
    the entries, from the query's first page to this, that the expression was too slow on: they may be matches.
    """

    matches: tuple[HistoryMatch, ...]
    next_before: HistoryCursor | None
    searched_all: bool
    complaint: str = ""
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class HistoryState:
    """Counts what the logs hold. `indexed` counts entries in the trigram index, `skipped` lines that are no entries."""

    total: int = 0
    by_kind: dict[HistoryKind, int] = field(default_factory=dict)
    skipped: int = 0
    indexed: int = 0
    loading: bool = False
    problems: tuple[str, ...] = ()


Located = tuple[HistoryMatch, HistoryCursor, int]
"""An entry that was looked for, a cursor for the page that shows it, and how many entries are newer than it."""


class HistorySource(Protocol):
    """Holds entries that can be searched. Every answer is a future; listeners hear of changes on any thread.

    A newer query takes an older one's place: the older one's future is cancelled, or holds what was found until then.
    """

    @property
    def state(self) -> HistoryState:
        """Returns what was last known."""

    @property
    def looked(self) -> bool:
        """Returns whether it was looked what there is, so that no entries means that there are none."""

    @property
    def is_closed(self) -> bool:
        """Returns whether nothing is answered any more."""

    def subscribe(self, listener: Callable[[HistoryState], object]) -> Callable[[], None]:
        """Has changes of the state announced; returns the call that ends it."""

    def search(self, query: HistoryQuery, limit: int = 50) -> Future[HistoryPage]:
        """Returns the first page of a query, or fails with HistoryQueryError."""

    def more(self, query: HistoryQuery, before: HistoryCursor, limit: int = 50) -> Future[HistoryPage]:
        """Returns the page after `before` of the query that was searched for last."""

    def count(self, query: HistoryQuery) -> Future[int | None]:
        """Returns how many entries match the query that was searched for last; None where that cannot be told."""

    def locate(self, text: str, newer: int = 0, skip: int = 0) -> Future[Located | None]:
        """Finds the newest entry of this text but `skip`, or of fewer the oldest; the page of its cursor starts up to
        `newer` entries before it."""

    def refresh(self) -> Future[HistoryState]:
        """Takes in what changed."""
