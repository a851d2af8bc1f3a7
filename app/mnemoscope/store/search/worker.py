"""Search on a thread of its own: whoever asks goes on; indexing happens in slices between what is asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Lock
from typing import Final, TypeVar

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.search.passage_search import SearchState, WorkspaceSearch
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
Result = TypeVar("Result")
_SLICE: Final = 0.006


class SearchWorker:
    """One worker thread that owns a `WorkspaceSearch`. Every answer is a `concurrent.futures.Future`.

    A newer question of the person takes an older one's place: its future is cancelled. Listeners are called on the
    worker thread whenever the index became current, or is not any more.
    """

    def __init__(self, paths: WorkspacePaths, *, writable: bool = True, calls: FileCalls = REAL_CALLS) -> None:
        self._search = WorkspaceSearch(paths, writable=writable, calls=calls)
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-search")
        self._closed = Event()
        self._ended: Future[None] = Future()
        self._lock = Lock()
        self._typed: Future[list[SearchHit]] | None = None
        self._listeners: list[Callable[[SearchState], object]] = []
        self._state = SearchState()
        self._working = self._looking = False

    @property
    def state(self) -> SearchState:
        """What was last known of the index."""
        return self._state

    def subscribe(self, listener: Callable[[SearchState], object]) -> Callable[[], None]:
        """Be told of changes, on the worker thread; returns the call that ends it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def type(self, text: str, limit: int, kinds: Collection[SearchKind] = ()) -> Future[list[SearchHit]]:
        """What is found as the person types; an earlier such question that is not answered yet is given up."""
        if self._typed is not None:
            self._typed.cancel()
        self._typed = self._submit(lambda: self._search.find(text, limit, typing=True, at_once=True, kinds=kinds))
        return self._typed

    def find(
        self,
        text: str,
        limit: int = 50,
        *,
        kinds: Collection[SearchKind] = (),
        semantic: Sequence[int] = (),
        seconds: float = 5.0,
        asked_in: str = "",
        typing: bool = False,
    ) -> Future[list[SearchHit]]:
        """What is found for a whole query once what is on disk now is taken in, or after so many seconds of that.

        `asked_in`: a conversation whose newest message of the person is the question itself, and no answer.
        `typing`: the last word may not be whole.
        """

        def answer() -> list[SearchHit]:
            self._search.catch_up(seconds, self._closed.is_set)
            found = self._search.find(text, limit, typing=typing, kinds=kinds, semantic=semantic)
            if not self._search.state.is_current:
                self._go_on()
            newest = self._search.newest_question(asked_in) if asked_in else 0
            return [hit for hit in found if not asked_in or hit.session_key != asked_in or hit.spot < newest]

        return self._submit(answer)

    def refresh(self) -> None:
        """Something may have changed on disk: have it looked at soon."""
        with self._lock:
            if self._looking:
                return
            self._looking = True
        self._submit(self._look)

    def on_thread(self, call: Callable[[WorkspaceSearch], Result]) -> Future[Result]:
        """Do one piece of work with the search, on its thread."""
        return self._submit(lambda: call(self._search))

    def close(self) -> Future[None]:
        """Give up everything, let go of the files and end the thread; the future is done when that is done."""
        if not self._closed.is_set():
            self._closed.set()
            self._listeners.clear()
            self._ended = self._executor.submit(self._search.close)
            self._executor.shutdown(wait=False)
        return self._ended

    def _look(self) -> None:
        with self._lock:
            self._looking = False
        if not self._closed.is_set():
            self._search.refresh()
            self._tell()
            self._go_on()

    def _go_on(self) -> None:
        if not self._working:
            self._working = True
            self._submit(self._work)

    def _work(self) -> None:
        """One slice; what is asked meanwhile comes before the next."""
        self._working = False
        if self._closed.is_set():
            return
        if self._search.work(_SLICE):
            self._go_on()
        self._tell()

    def _tell(self) -> None:
        before, self._state = self._state, self._search.state
        if before != self._state:
            for listener in tuple(self._listeners):
                listener(self._state)

    def _submit(self, call: Callable[[], Result]) -> Future[Result]:
        def guarded() -> Result:
            try:
                return call()
            except Exception:
                log.exception("search failed")
                raise

        try:
            return self._executor.submit(guarded)
        except RuntimeError:
            # Closed meanwhile.
            future: Future[Result] = Future()
            future.cancel()
            return future
