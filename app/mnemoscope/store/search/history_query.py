"""Holds what is looked for in the history, and what is found: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.records import HistoryEntry

HistoryKind = Literal["history", "jsonl", "notes"]
KINDS: Final[tuple[HistoryKind, ...]] = ("history", "jsonl", "notes")
"""memory/HISTORY.md, memory/history.jsonl, and the daily notes memory/YYYY-MM-DD.md."""


class HistoryQueryError(MnemoscopeError):
    """The typed text is no regular expression; the sentence says where and why."""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """States what to look for. An empty `text` finds every entry; `since` and `until` are inclusive days.

    Letters are compared as Unicode folds them (`STRASSE` finds `Straße`) unless `case_sensitive`.
    Entries without a date are left out where a date is asked for. Empty `sources` means all of them.
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


Span = tuple[int, int]
"""Characters [start, stop) of an entry's text."""


@dataclass(frozen=True, slots=True)
class HistoryMatch:
    """An entry that was found and where in its text."""

    entry: HistoryEntry
    spans: tuple[Span, ...] = ()
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
