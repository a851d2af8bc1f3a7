"""Lists what another agent summed up, newest first, as the history logs list what was consolidated here.

The conversations are read on a thread of its own, each once until it changes, and what is found stays in memory alone.
Questions are answered on another thread, with what was read until then.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from threading import Event, Lock
from time import monotonic
from typing import Final, TypeVar

from mnemoscope.agent.foreign.foreign_reading import LazyStore, SeenStore, listed_conversations, summaries_of
from mnemoscope.agent.foreign.foreign_search import MEMORY
from mnemoscope.domain.cancellation import GoesOn
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import Listeners
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemoryFile
from mnemoscope.domain.foreign.foreign_store import ReportsCompaction
from mnemoscope.domain.memory.history_entries import HistoryEntry
from mnemoscope.store.search.history_query import (
    HistoryCursor,
    HistoryKind,
    HistoryMatch,
    HistoryPage,
    HistoryQuery,
    HistoryState,
    Located,
)
from mnemoscope.store.search.log_query import Pace, QueryTooSlow
from mnemoscope.store.search.log_search import TOO_SLOW
from mnemoscope.store.search.matcher import Matcher, TooSlow
from mnemoscope.store.search.worker import PAGE

log = logging.getLogger(__name__)
Result = TypeVar("Result")
MOST_LETTERS: Final = 20_000_000
"""Characters of all summaries of a store that are listed; those of older conversations are left out."""
LONGEST: Final = 100_000
"""Characters of one summary that are listed."""
FULL: Final = "Too much was summed up to list all of it: what is older is left out."
_PUBLISH: Final = 0.25
"""Seconds between two looks at what was found so far."""
_DAILY_NOTE: Final = "daily note"
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class _Listed:
    """Holds the entries of a store, newest first, as they are at one moment; another `generation` holds others."""

    entries: tuple[HistoryEntry, ...] = ()
    generation: int = 0
    state: HistoryState = field(default_factory=HistoryState)

    def found(self, matcher: Matcher, pace: Pace, start: int = 0) -> Iterator[tuple[int, bool]]:
        """Yields, from an entry on, the places of all and whether each is a match. Raises QueryTooSlow."""
        query = matcher.query
        since = query.since.isoformat() if query.since is not None else ""
        until = query.until.isoformat() if query.until is not None else "9999"
        by_day = bool(query.since or query.until)
        for at in range(start, len(self.entries)):
            entry = self.entries[at]
            day = entry.when[:10]
            if (by_day and not (day and since <= day <= until)) or (
                query.sources and history_kind(entry) not in query.sources
            ):
                yield at, False
                continue
            try:
                yield at, matcher.is_in(entry.text)
            except TooSlow:
                pace.count_slow()
                yield at, False


class ForeignHistory:
    """Serves as the `HistorySource` of one store at a time. `source` of an entry is the id of its conversation, and
    `number` that of the summary among those of the active path; for a daily note it is its path after `MEMORY`.

    `shown` makes a text fit to be shown, and says what stands for one that cannot be read, given "".
    """

    def __init__(self, shown: Callable[[str], str]) -> None:
        self._shown = shown
        self._reading = ThreadPoolExecutor(1, "other-agents-history")
        self._asking = ThreadPoolExecutor(1, "other-agents-history-questions")
        self._lock = Lock()
        self._listeners = Listeners[HistoryState]()
        self._known: dict[Path, dict[str, tuple[object, tuple[HistoryEntry, ...]]]] = {}
        """By store and conversation, its stamp in the list when it was read, and its entries. Only the reading thread
        uses it."""
        self._listed = _Listed()
        self._wanted: SeenStore | None = None
        self._root: Path | None = None
        """The store whose entries are listed."""
        self._newer = Event()
        """Set once there is a newer query than the last one."""
        self._pages: list[Future[HistoryPage]] = []
        self._is_closed = False

    @property
    def state(self) -> HistoryState:
        """Returns how many entries are listed, and whether more is being read."""
        return self._listed.state

    @property
    def looked(self) -> bool:
        """Returns whether a store is listed."""
        return self._root is not None

    @property
    def is_closed(self) -> bool:
        """Returns whether nothing is answered any more."""
        return self._is_closed

    def subscribe(self, listener: Callable[[HistoryState], object]) -> Callable[[], None]:
        """Has changes announced, on the thread that reads; returns the call that ends it."""
        return self._listeners.subscribe(listener)

    def show(self, store: SeenStore) -> None:
        """Lists what a store holds now, and reads of it what is new or changed; another store is not read on."""
        if self._is_closed or store is self._wanted:
            return
        self._wanted = store
        with self._lock:
            if store.root != self._root:
                self._root = store.root
                self._listed = _Listed((), self._listed.generation + 1, HistoryState(loading=True))
        self._reading.submit(self._read, store)

    def pause(self) -> None:
        """Reads nothing more until a store is shown again; what is listed stays."""
        self._wanted = None

    def search(self, query: HistoryQuery, limit: int = PAGE) -> Future[HistoryPage]:
        """Returns the first page of a query. Pages and counts of earlier queries are given up."""
        self._newer.set()
        for page in self._pages:
            page.cancel()
        self._newer = Event()
        self._pages = []
        return self._page(query, limit, None)

    def more(self, query: HistoryQuery, before: HistoryCursor, limit: int = PAGE) -> Future[HistoryPage]:
        """Returns the page after `before` of the query that was searched for last."""
        return self._page(query, limit, before)

    def count(self, query: HistoryQuery) -> Future[int | None]:
        """Returns how many entries match; None where an expression is too slow to tell, or a newer query came."""
        newer, listed = self._newer, self._listed

        def count() -> int | None:
            total, pace = 0, Pace()
            try:
                for _, is_match in listed.found(Matcher(query), pace):
                    total += is_match
                    if newer.is_set() or self._is_closed:
                        return None
            except QueryTooSlow:
                return None
            return None if pace.slow else total

        return self._ask(count)

    def locate(self, text: str, newer: int = 0, skip: int = 0) -> Future[Located | None]:
        """Finds an entry by its words, as `HistorySource` says."""
        listed, wanted = self._listed, text.strip()

        def locate() -> Located | None:
            places = [at for at, entry in enumerate(listed.entries) if entry.text.strip() == wanted][: skip + 1]
            if not places or not wanted:
                return None
            at = places[-1]
            match = HistoryMatch(listed.entries[at], (), history_kind(listed.entries[at]))
            return match, HistoryCursor((max(0, at - newer),), listed.generation), at

        return self._ask(locate)

    def refresh(self) -> Future[HistoryState]:
        """Returns the state: what changed in a store is read when it is listed anew."""
        return self._ask(lambda: self.state)

    def close(self) -> None:
        """Ends both threads behind the conversation that is being read; a second call does nothing."""
        self._is_closed = True
        self._wanted = None
        self._listeners.clear()
        self._newer.set()
        for thread in (self._reading, self._asking):
            thread.shutdown(wait=False, cancel_futures=True)

    def _ask(self, call: Callable[[], Result]) -> Future[Result]:
        try:
            return self._asking.submit(call)
        except RuntimeError:
            ended: Future[Result] = Future()
            ended.cancel()
            return ended

    def _page(self, query: HistoryQuery, limit: int, before: HistoryCursor | None) -> Future[HistoryPage]:
        newer = self._newer

        def page() -> HistoryPage:
            listed = self._listed
            if before is not None and before.generation != listed.generation:
                return HistoryPage((), None, False)
            return _page_of(listed, Matcher(query), limit, before, lambda: not (newer.is_set() or self._is_closed))

        future = self._ask(page)
        self._pages.append(future)
        return future

    # On the thread that reads

    def _goes_on(self, store: SeenStore) -> bool:
        return self._wanted is store and not self._is_closed

    def _read(self, store: SeenStore) -> None:
        """Reads the conversations that are not known as they are listed now, newest first."""
        try:
            self._read_all(store)
        except Exception:
            log.exception("what another agent summed up could not be read")
            self._publish(store, (), is_loading=False)

    def _read_all(self, store: SeenStore) -> None:
        known = self._known.setdefault(store.root, {})
        there = {each.id for each in store.conversations}
        for gone in known.keys() - there:
            del known[gone]
        found: dict[str, tuple[HistoryEntry, ...]] = {name: entries for name, (_, entries) in known.items() if entries}
        problems: tuple[str, ...] = ()
        letters, published = 0, monotonic()
        if found or store.memory_files:
            self._publish(store, found.values(), is_loading=True)
        opened = LazyStore(store.root)
        try:
            for _, each in listed_conversations([store]):
                if not self._goes_on(store):
                    return
                if letters > MOST_LETTERS:
                    problems = (FULL,)
                    break
                stamp = (each.updated_at, each.size)
                if each.id not in known or known[each.id][0] != stamp:
                    known[each.id] = stamp, self._entries_of(opened, each)
                entries = known[each.id][1]
                letters += sum(len(entry.text) for entry in entries)
                if found.get(each.id, ()) != entries:
                    found[each.id] = entries
                    if monotonic() - published > _PUBLISH:
                        self._publish(store, found.values(), is_loading=True)
                        published = monotonic()
        finally:
            opened.close()
        self._publish(store, found.values(), is_loading=False, problems=problems)

    def _entries_of(self, opened: LazyStore, conversation: ForeignConversation) -> tuple[HistoryEntry, ...]:
        """Reads the summaries of one conversation; one that cannot be read is taken as having none."""
        try:
            store = opened.store
            if isinstance(store, ReportsCompaction) and not store.may_be_summed_up(conversation.id):
                return ()
            with closing(store.open(conversation.id)) as transcript:
                summaries = summaries_of(transcript)
        except StorageError as error:
            log.info("a conversation was not looked through for summaries: %s", error)
            return ()
        return tuple(
            HistoryEntry(
                number, _minute(str(each.get("timestamp", ""))), self._fit(str(each["content"])), conversation.id
            )
            for number, each in enumerate(summaries)
        )

    def _fit(self, text: str) -> str:
        return self._shown(text.strip()[:LONGEST])

    def _publish(
        self,
        store: SeenStore,
        found: Iterable[Sequence[HistoryEntry]],
        *,
        is_loading: bool,
        problems: tuple[str, ...] = (),
    ) -> None:
        """Lists what was found, where this store is still the one that is listed, and announces it."""
        notes = [self._note(file) for file in store.memory_files if file.role == _DAILY_NOTE and file.text.strip()]
        entries = [*notes, *(entry for each in found for entry in each)]
        entries.sort(key=lambda each: (each.when, each.number), reverse=True)
        by_kind: dict[HistoryKind, int] = {"summaries": len(entries) - len(notes), "notes": len(notes)}
        state = HistoryState(
            len(entries),
            {kind: count for kind, count in by_kind.items() if count},
            loading=is_loading,
            problems=problems,
        )
        with self._lock:
            if self._root != store.root or self._is_closed:
                return
            before = self._listed
            is_same = before.entries == tuple(entries)
            generation = before.generation + (not is_same)
            self._listed = replace(before, entries=tuple(entries), generation=generation, state=state)
        if not is_same or before.state != state:
            self._listeners.publish(state)

    def _note(self, file: ForeignMemoryFile) -> HistoryEntry:
        day = _DAY.search(Path(file.path).name)
        return HistoryEntry(0, day[0] if day else "", self._fit(file.text), f"{MEMORY}{file.path}")


def history_kind(entry: HistoryEntry) -> HistoryKind:
    """Returns whether an entry is a summary or a daily note."""
    return "notes" if entry.source.startswith(MEMORY) else "summaries"


def _page_of(
    listed: _Listed, matcher: Matcher, limit: int, before: HistoryCursor | None, goes_on: GoesOn
) -> HistoryPage:
    pace = Pace(before.passed_over if before is not None else 0)
    start = before.bounds[0] if before is not None else 0
    found: list[HistoryMatch] = []
    complaint, stop = "", start
    try:
        for at, is_match in listed.found(matcher, pace, start):
            if len(found) >= limit or not goes_on():
                break
            stop = at + 1
            if is_match:
                entry = listed.entries[at]
                found.append(HistoryMatch(entry, _spans(matcher, entry.text), history_kind(entry)))
    except QueryTooSlow:
        complaint, stop = TOO_SLOW, len(listed.entries)
    has_ended = stop >= len(listed.entries)
    cursor = None if has_ended else HistoryCursor((stop,), listed.generation, pace.slow)
    searched_all = has_ended and not complaint and not pace.slow and not listed.state.loading
    return HistoryPage(tuple(found), cursor, searched_all, complaint, pace.slow)


def _spans(matcher: Matcher, text: str) -> tuple[tuple[int, int], ...]:
    try:
        return matcher.spans(text)
    except TooSlow:
        return ()


def _minute(moment: str) -> str:
    """Returns `2026-03-14 09:30` for a time in ISO 8601, "" for none."""
    with suppress(ValueError):
        return datetime.fromisoformat(moment).strftime("%Y-%m-%d %H:%M")
    return ""
