"""History search on a thread of its own: the window asks and goes on; a newer question takes an older one's place."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any, Final, TypeVar

from mnemoscope.store.search.history_query import HistoryCursor, HistoryMatch, HistoryPage, HistoryQuery, HistoryState
from mnemoscope.store.search.log_search import INDEX_FROM, HistorySearch
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
Result = TypeVar("Result")
PAGE: Final = 50
SLICE: Final = 0.012
"""Seconds after which a page is handed over with what was found so far."""
_WORK_SLICE: Final = 0.008

Located = tuple[HistoryMatch, HistoryCursor, int]


class AsyncHistorySearch:
    """One worker thread that owns a `HistorySearch`. Every answer is a `concurrent.futures.Future`.

    A future of a question that was superseded, or asked of a closed search, is cancelled or holds
    what was found until then. Listeners are called on the
    worker thread whenever entries came, went or were read for the first time.
    """

    def __init__(self, paths: WorkspacePaths, *, writable: bool = True, index_from: int = INDEX_FROM) -> None:
        self._search = HistorySearch(paths, writable=writable, index_from=index_from)
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-history")
        self._closed = Event()
        self._asked = Event()
        self._listeners: list[Callable[[HistoryState], object]] = []
        self._state = HistoryState()
        self.looked = False
        """Whether the disk was looked at, so that no entries means that there are none."""
        self._working = False

    @property
    def state(self) -> HistoryState:
        """What was last known of the logs."""
        return self._state

    @property
    def closed(self) -> bool:
        """Whether nothing is answered any more."""
        return self._closed.is_set()

    def subscribe(self, listener: Callable[[HistoryState], object]) -> Callable[[], None]:
        """Be told of changes, on the worker thread; returns the call that ends it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def search(self, query: HistoryQuery, limit: int = PAGE, *, seconds: float = SLICE) -> Future[HistoryPage]:
        """The first page of a query. Pages and counts of earlier queries are given up."""
        self._asked.set()
        self._asked = asked = Event()
        return self._submit(lambda: self._page(query, limit, None, seconds, asked), asked)

    def more(
        self, query: HistoryQuery, before: HistoryCursor, limit: int = PAGE, *, seconds: float = 4 * SLICE
    ) -> Future[HistoryPage]:
        """The page after `before` of the query that was searched for last."""
        asked = self._asked
        return self._submit(lambda: self._page(query, limit, before, seconds, asked), asked)

    def count(self, query: HistoryQuery) -> Future[int | None]:
        """How many entries match the query that was searched for last; pages asked for meanwhile come first."""
        asked: Event = self._asked
        future: Future[int | None] = Future()
        counting: Iterator[int | None] | None = None
        so_far: int | None = None

        def step() -> None:
            nonlocal counting, so_far
            if asked.is_set() or self._closed.is_set() or future.cancelled():
                future.cancel()
                return
            deadline = time.perf_counter() + _WORK_SLICE
            try:
                counting = counting or self._search.counting(query)
                while time.perf_counter() < deadline:
                    so_far = next(counting)
            except StopIteration:
                future.set_result(so_far)
            except Exception as error:  # noqa: BLE001 - handed to whoever asks the future
                future.set_exception(error)
            else:
                self._queue(step, future)

        self._queue(step, future)
        return future

    def locate(self, text: str, newer: int = 0, skip: int = 0) -> Future[Located | None]:
        """Find an entry by its words, see `HistorySearch.locate`."""
        return self._submit(lambda: self._search.locate(text, newer, skip), None)

    def refresh(self) -> Future[HistoryState]:
        """Take in what changed on disk; the large part of it goes on in the background."""
        return self._submit(self._refresh, None)

    def close(self) -> None:
        """Give up everything, let go of the files and end the thread; does not wait."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._asked.set()
        self._listeners.clear()
        self._executor.submit(self._guarded, self._search.close)
        self._executor.shutdown(wait=False)

    def _page(
        self, query: HistoryQuery, limit: int, before: HistoryCursor | None, seconds: float, asked: Event
    ) -> HistoryPage:
        def should_stop() -> bool:
            return asked.is_set() or self._closed.is_set()

        return self._search.search(query, limit, before, seconds=seconds, should_stop=should_stop)

    def _refresh(self) -> HistoryState:
        changed = self._search.refresh(_WORK_SLICE)
        self.looked = True
        self._tell(changed)
        self._start_work()
        return self._state

    def _start_work(self) -> None:
        if not self._working:
            self._working = True
            self._queue(self._work)

    def _work(self) -> None:
        """One slice; what is asked meanwhile comes before the next."""
        self._working = False
        if self._closed.is_set():
            return
        more, changed = self._search.work(_WORK_SLICE)
        if more:
            # Before the listeners are told: one that fails keeps nothing from being read.
            self._start_work()
        self._tell(changed)

    def _tell(self, changed: bool) -> None:
        state = self._search.state
        changed = changed or state.problems != self._state.problems or state.loading != self._state.loading
        self._state = state
        if changed and not self._closed.is_set():
            for listener in tuple(self._listeners):
                listener(state)

    def _submit(self, call: Callable[[], Result], asked: Event | None) -> Future[Result]:
        future: Future[Result] = Future()

        def answer() -> None:
            if self._closed.is_set() or (asked is not None and asked.is_set()):
                future.cancel()
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(call())
            except Exception as error:  # noqa: BLE001 - handed to whoever asks the future
                future.set_exception(error)

        self._queue(answer, future)
        return future

    def _queue(self, task: Callable[[], object], future: Future[Any] | None = None) -> None:
        try:
            self._executor.submit(self._guarded, task)
        except RuntimeError:
            # Closed meanwhile.
            if future is not None:
                future.cancel()

    def _guarded(self, task: Callable[[], object]) -> None:
        try:
            task()
        except Exception:
            log.exception("history search failed")
