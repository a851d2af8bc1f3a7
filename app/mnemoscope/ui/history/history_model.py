"""Holds what the history pane shows: a query, the matches found so far, and their count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.history_entries import HistoryEntry
from mnemoscope.memory.search.inactive_exchanges import words_of_entry
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.search.history_query import (
    HistoryCursor,
    HistoryMatch,
    HistoryPage,
    HistoryQuery,
    HistorySource,
    HistoryState,
    Located,
)
from mnemoscope.store.search.worker import PAGE
from mnemoscope.store.transactions.corrections import EntryCorrection
from mnemoscope.ui.support.thread_emitter import ThreadEmitter

_SEARCHING_MS: Final = 300
_COUNT_MS: Final = 120
_REFRESH_AT_MOST: Final = 1_000
_NEWER: Final = 8
_NEAR: Final = 400


class HistorySearchSignals(QObject):
    """Hands answers of a `HistorySource` to slots; cancelled ones are not heard of."""

    changed = Signal()
    """Entries came or went, or were read for the first time."""
    _arrived = Signal(object, object)
    """A `Future` is done; with it come the slots for its answer and for its failure."""

    def __init__(self, search: HistorySource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.search = search
        self._emitter = ThreadEmitter(self)
        self._arrived.connect(self._deliver)
        self._unsubscribe = search.subscribe(lambda _state: self._emitter.emit(self.changed))

    def ask(
        self,
        future: Future[Any],
        answered: Callable[[Any], object],
        failed: Callable[[BaseException], object] | None = None,
    ) -> None:
        """Calls `answered` with the result, or `failed` with what was raised, on this object's thread."""
        future.add_done_callback(lambda done: self._emitter.emit(self._arrived, done, (answered, failed)))

    def stop(self) -> None:
        """Hears nothing more."""
        self._emitter.stop()
        self._unsubscribe()

    def _deliver(
        self,
        future: Future[Any],
        slots: tuple[Callable[[Any], object], Callable[[BaseException], object] | None],
    ) -> None:
        if self._emitter.is_stopped or future.cancelled():
            return
        answered, failed = slots
        error = future.exception()
        if error is None:
            answered(future.result())
        elif failed is not None:
            failed(error)
        else:
            raise error


class EntryOrigins(QObject):
    """Links entries to consolidations. Entries of the same words are told apart by those above them in the list."""

    changed = Signal()

    def __init__(self, shown: Callable[[], Sequence[HistoryMatch]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = shown
        self.links = EntryLinks()
        self.reach: DreamReadIndex | None = None
        """The index of the journal's entries that Dream has read; None outside the dream profile."""
        self.place_of: Callable[[HistoryEntry], str] = lambda _entry: ""
        """Returns the words for where an entry stands, where it leads there itself; "" for one of a log, which leads to
        the messages that it was made from."""
        self._left: Mapping[str, frozenset[str]] = {}
        """The notes of messages that conversations have left, by file, as `words_of_entry` has them."""
        self._corrections: Mapping[tuple[str, str], EntryCorrection] = {}
        """The corrections that stand, by file and the entry's text."""
        self._forgotten: Collection[tuple[str, str]] = frozenset()
        """The entries with a line that the person had forgotten, by file and text."""
        self.left_out: tuple[str, int] = ("", 0)
        """The words of the entry that was asked for, and how many newer ones of the same are not in the list."""

    def set_records(self, records: Sequence[ConsolidationRecord]) -> None:
        """Takes the consolidations that entries came from, oldest first."""
        self.links = EntryLinks(records)
        self.changed.emit()

    def set_reach(self, reach: DreamReadIndex | None) -> None:
        """Takes how far Dream has read the journal; None outside the dream profile."""
        if reach != self.reach:
            self.reach = reach
            self.changed.emit()

    def set_left(self, left: Mapping[str, frozenset[str]]) -> None:
        """Takes the notes of messages that conversations have left, by file, as `words_of_entry` has them."""
        if left != self._left:
            self._left = left
            self.changed.emit()

    def set_corrections(self, corrections: Mapping[tuple[str, str], EntryCorrection]) -> None:
        """Takes the corrections that stand, by file and the entry's text."""
        if corrections != self._corrections:
            self._corrections = corrections
            self.changed.emit()

    def correction_of(self, entry: HistoryEntry) -> EntryCorrection | None:
        """Returns the correction that an entry has its words from, None where it was never corrected."""
        return self._corrections.get((entry.source, entry.text))

    def set_forgotten(self, forgotten: Collection[tuple[str, str]]) -> None:
        """Takes the entries with a line that the person had forgotten, by file and text."""
        if forgotten != self._forgotten:
            self._forgotten = forgotten
            self.changed.emit()

    def is_forgotten(self, entry: HistoryEntry) -> bool:
        """Returns whether an entry has a line that the person had forgotten: that is not sent, and asked about."""
        return (entry.source, entry.text) in self._forgotten

    def is_left(self, entry: HistoryEntry) -> bool:
        """Returns whether the messages that a note tells are deleted, or on another branch alone."""
        return words_of_entry(entry.text) in self._left.get(entry.source, ())

    def record_of(self, entry: HistoryEntry) -> ConsolidationRecord | None:
        """Returns the consolidation an entry came from, if it is known."""
        return self.links.record_for(entry.text, entry.cursor, self._newer_of_same_words(entry))

    def _newer_of_same_words(self, entry: HistoryEntry) -> int:
        """Returns how many entries of the same log and words are newer; all of them match whatever this one does."""
        if not self.links.is_ambiguous(entry.text):
            return 0
        shown = (match.entry for match in self._shown())
        above = takewhile(lambda each: (each.source, each.number) != (entry.source, entry.number), shown)
        text, left_out = self.left_out
        same = sum(each.text == entry.text and each.source == entry.source for each in above)
        return same + (left_out if text == entry.text else 0)


class HistoryModel(QObject):
    """Searches as it is told. What is shown stays until there is something newer to show."""

    replaced = Signal()
    """Other matches: start at the top."""
    renewed = Signal()
    """The same query on a log that changed: stay where the reader is."""
    appended = Signal()
    """More matches at the end."""
    status_changed = Signal()
    """Count, state, links or complaint changed."""
    located = Signal(int)
    """An entry that was asked for is at this place."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.query = HistoryQuery()
        self.matches: list[HistoryMatch] = []
        self.count: int | None = None
        self.complaint = ""
        self.passed_over = 0
        """Entries that the expression was too slow on: whether they match is not known."""
        self.searching = False
        self.ahead = 0
        """Newer entries left out above: the list starts around an entry that was asked for."""
        self.origins = EntryOrigins(lambda: self.matches, self)
        self.origins.changed.connect(self.status_changed)
        self._signals: HistorySearchSignals | None = None
        self._next: HistoryCursor | None = None
        self._pending = False
        self._fetching = False
        self._keep_place = False
        self.ready = False
        """Whether anything was looked for and answered yet."""
        self._overdue = QTimer(self, singleShot=True, interval=_SEARCHING_MS)
        self._overdue.timeout.connect(self._on_overdue)
        # Counting keeps a core busy: not between two letters, where painting needs it.
        self._count_soon = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._count_soon.timeout.connect(self._count)

    @property
    def state(self) -> HistoryState:
        """Returns what the logs hold."""
        return self._signals.search.state if self._signals is not None else HistoryState()

    @property
    def looked(self) -> bool:
        """Returns whether the logs were looked at: before that, no entries does not mean that there are none."""
        return self._signals is not None and self._signals.search.looked

    @property
    def more(self) -> bool:
        """Returns whether further matches may be fetched."""
        return self._next is not None

    def set_source(self, search: HistorySource | None) -> None:
        """Searches here from now on."""
        if self._signals is not None:
            self._signals.stop()
            self._signals.deleteLater()
        self._signals = None
        self.ready = False
        self._pending = False
        self._fetching = False
        self._overdue.stop()
        self._count_soon.stop()
        self._take([], None)
        if search is not None:
            self._signals = HistorySearchSignals(search, self)
            self._signals.changed.connect(self._renew)
            self._ask(keep_place=False)
        self.replaced.emit()

    def set_query(self, query: HistoryQuery) -> None:
        """Looks for something else; a malformed expression is said and leaves everything as it is."""
        if query != self.query or self.ahead or self.complaint:
            self.query = query
            self.ahead = 0
            self._ask(keep_place=False)

    def refresh(self) -> None:
        """Has the logs looked at again."""
        if self._signals is not None:
            self._signals.ask(self._signals.search.refresh(), lambda _state: self.status_changed.emit())

    def _renew(self) -> None:
        """Searches again for the same; the reader's place is kept. A list around one entry stays as it is."""
        if self.ahead:
            self.status_changed.emit()
        elif not self._pending:
            self._ask(keep_place=self.ready and bool(self.matches))

    def fetch_more(self) -> None:
        """Goes on searching."""
        if self._signals is None or self._fetching or self._pending or self._next is None:
            return
        self._fetching = True
        query = self.query
        self._signals.ask(
            self._signals.search.more(query, self._next), lambda page: self._on_more(query, page), self._on_failed
        )

    def locate(self, text: str, record: ConsolidationRecord | None = None) -> None:
        """Shows the entry with these words, of several the one that `record` became, among its neighbours; `located`
        says where."""
        self.query = HistoryQuery()
        skip = self.origins.links.newer_than(record) if record is not None else 0
        places = [at for at, match in enumerate(self.matches) if match.entry.text == text.strip()][: skip + 1]
        if self._signals is not None:
            # What is under way is for another list.
            self._signals.search.search(replace(self.query), 1).cancel()
            found = self._signals.search.locate(text, _NEWER, skip)
            self._signals.ask(found, lambda found: self._on_located(found, skip), self._on_failed)
        elif places:
            self.located.emit(places[-1])

    def show_newest(self) -> None:
        """Leaves the surroundings of one entry."""
        self.ahead = 0
        self._ask(keep_place=False)

    def _ask(self, *, keep_place: bool) -> None:
        if self._signals is None:
            return
        self.origins.left_out = ("", 0)
        self._pending = True
        self._fetching = False
        self._keep_place = keep_place
        self._count_soon.stop()
        self._overdue.start()
        limit = min(max(PAGE, len(self.matches)), _REFRESH_AT_MOST) if keep_place else PAGE
        query = self.query
        self._signals.ask(
            self._signals.search.search(query, limit), lambda page: self._on_first(query, page), self._on_failed
        )

    def _on_first(self, query: HistoryQuery, page: HistoryPage) -> None:
        if query != self.query:
            return
        self.ready = True
        self.complaint = page.complaint
        if not page.matches and page.next_before is not None and not self.searching:
            # Its time was over before anything was found: what is shown stays for a moment longer.
            self._go_on(query, page)
            return
        self._settle(page)

    def _go_on(self, query: HistoryQuery, page: HistoryPage) -> None:
        assert self._signals is not None
        assert page.next_before is not None
        self._signals.ask(
            self._signals.search.more(query, page.next_before),
            lambda more: self._on_first(query, more),
            self._on_failed,
        )

    def _settle(self, page: HistoryPage) -> None:
        self._overdue.stop()
        self._pending = self.searching = False
        keep_place = self._keep_place
        self._take(list(page.matches), page)
        (self.renewed if keep_place else self.replaced).emit()
        self._fill_up()
        if self.count is None and not page.complaint and not self.query.is_empty:
            self._count_soon.start()
        self.status_changed.emit()

    def _count(self) -> None:
        if self._signals is not None and not self._pending and self.count is None:
            query = self.query
            self._signals.ask(
                self._signals.search.count(query), lambda count: self._on_count(query, count), self._on_failed
            )

    def _take(self, matches: list[HistoryMatch], page: HistoryPage | None) -> None:
        self.matches = matches
        self._next = page.next_before if page is not None else None
        self.passed_over = page.passed_over if page is not None else 0
        self.count = len(matches) if page is not None and page.searched_all else None

    def _on_more(self, query: HistoryQuery, page: HistoryPage) -> None:
        self._fetching = False
        if query != self.query or self._pending:
            return
        self._next = page.next_before
        self.complaint = self.complaint or page.complaint
        self.passed_over = max(self.passed_over, page.passed_over)
        if page.matches:
            self.matches += page.matches
            self.appended.emit()
        if page.searched_all and not self.ahead:
            self.count = len(self.matches)
        self._fill_up()
        self.status_changed.emit()

    def _fill_up(self) -> None:
        """Goes on until the first page is full; further pages wait for the reader."""
        if self._next is not None and len(self.matches) < PAGE:
            self.fetch_more()

    def _on_count(self, query: HistoryQuery, count: int | None) -> None:
        if query == self.query and count is not None:
            self.count = max(count, len(self.matches))
            self.status_changed.emit()

    def _on_located(self, found: Located | None, skip: int) -> None:
        self._pending = False
        self._overdue.stop()
        if found is None or self._signals is None:
            self._ask(keep_place=False)
            return
        match, cursor, ahead = found
        self.origins.left_out = ("", 0)
        if ahead <= _NEAR:
            self._show_around(match, None, max(PAGE, ahead + PAGE // 2))
        else:
            self.ahead = ahead
            self._show_around(match, cursor, PAGE, skip)

    def _show_around(self, match: HistoryMatch, cursor: HistoryCursor | None, limit: int, skip: int = 0) -> None:
        assert self._signals is not None
        query, search = self.query, self._signals.search
        future = search.search(query, limit) if cursor is None else search.more(query, cursor, limit)
        self._signals.ask(future, lambda page: self._on_around(query, match, page, skip), self._on_failed)

    def _on_around(self, query: HistoryQuery, match: HistoryMatch, page: HistoryPage, skip: int) -> None:
        if query != self.query:
            return
        self.ready = True
        self._keep_place = False
        self.complaint = ""
        above = takewhile(lambda one: one.entry.number != match.entry.number, page.matches)
        same_above = sum(one.entry.text == match.entry.text for one in above)
        self.origins.left_out = (match.entry.text, max(0, skip - same_above))
        self._settle(page)
        wanted = (match.entry.source, match.entry.number)
        places = (at for at, one in enumerate(self.matches) if (one.entry.source, one.entry.number) == wanted)
        self.located.emit(next(places, 0))

    def _on_failed(self, error: BaseException) -> None:
        self._overdue.stop()
        self._pending = False
        self._fetching = False
        self.searching = False
        if not isinstance(error, MnemoscopeError):
            raise error
        self.complaint = error.sentence
        self.status_changed.emit()

    def _on_overdue(self) -> None:
        """Says that nothing was found yet rather than show what belongs to another query."""
        if self._pending and not self._keep_place:
            self.searching = True
            self._take([], None)
            self.replaced.emit()
            self.status_changed.emit()
