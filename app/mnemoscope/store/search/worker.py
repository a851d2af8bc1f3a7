"""Runs the search on a thread of its own: questions are answered first, and the index grows in slices between them."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import Listeners
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.search.embedded_texts import EmbeddedQuestion
from mnemoscope.store.search.history_query import HistoryCursor, HistoryPage, HistoryQuery, HistoryState, Located
from mnemoscope.store.search.log_search import INDEX_FROM
from mnemoscope.store.search.search_hit import SearchGivenUp, SearchHit, SearchState
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.search.passage_search import PassageSearch

log = logging.getLogger(__name__)
Result = TypeVar("Result")
State = TypeVar("State")
PAGE: Final = 50
SLICE: Final = 0.012
"""Seconds after which a page of a log is handed over with what was found so far."""
_WORK_SLICE: Final = 0.008


class SearchWorker:
    """Runs one worker thread, which owns a `WorkspaceSearch`. Every answer is a `concurrent.futures.Future`.

    What is asked comes before what is to be indexed. After `close` every future is cancelled.
    """

    def __init__(
        self,
        paths: WorkspacePaths,
        *,
        writable: bool = True,
        calls: FileCalls = REAL_CALLS,
        index_from: int = INDEX_FROM,
    ) -> None:
        self._search = WorkspaceSearch(paths, writable=writable, calls=calls, index_from=index_from)
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-search")
        self._closed = Event()
        self._ended: Future[None] = Future()
        self._asked: deque[Callable[[], None]] = deque()
        self._to_do: deque[Callable[[], bool]] = deque()
        self.logs = LogQuestions(self, self._search)
        self.passages = PassageQuestions(self, self._search)

    @property
    def is_closed(self) -> bool:
        """Returns whether nothing is answered any more."""
        return self._closed.is_set()

    def ask(self, call: Callable[[], Result], goes_on: GoesOn = to_the_end) -> Future[Result]:
        """Has a call done on the thread, before more is indexed; not any more once `goes_on` says no."""
        future: Future[Result] = Future()

        def answer() -> None:
            if self.is_closed or not goes_on():
                future.cancel()
            _resolve(future, call)

        self._asked.append(answer)
        if not self._queue(self._answer_all):
            future.cancel()
        return future

    def go_on(self, step: Callable[[], bool]) -> bool:
        """Has a step done between questions, again and again while it returns True; False where the thread has ended.

        A step is done once more after the worker was closed, and has to end then.
        """
        if step not in self._to_do:
            self._to_do.append(step)
            return self._queue(self._do_step)
        return True

    def begin_anew(self) -> Future[None]:
        """Throws the index away, to be made from the files as they are then."""
        return self.ask(self._search.database.begin_anew)

    def close(self) -> Future[None]:
        """Gives up everything, closes the files and ends the thread; the future is done when that is done."""
        if not self.is_closed:
            self._closed.set()
            self.logs.forget_listeners()
            self.passages.forget_listeners()
            try:
                self._ended = self._executor.submit(self._close)
            except RuntimeError:
                # The interpreter ends, and has ended the thread already: this one closes the files.
                _resolve(self._ended, self._close)
            self._executor.shutdown(wait=False)
        return self._ended

    def _close(self) -> None:
        self._answer_all()
        while self._to_do:
            self._to_do.popleft()()
        self._search.close()

    def _answer_all(self) -> None:
        while self._asked:
            self._asked.popleft()()

    def _do_step(self) -> None:
        """Does one step after what was asked meanwhile; the steps take turns."""
        self._answer_all()
        step = self._to_do.popleft()
        if step():
            self.go_on(step)
        if self._search.has_stale_passages:
            self.passages.keep_current()

    def _queue(self, task: Callable[[], None]) -> bool:
        """Hands a task to the thread; returns False where it has ended."""

        def guarded() -> None:
            try:
                task()
            except Exception:
                log.exception("search failed")

        try:
            self._executor.submit(guarded)
        except RuntimeError:
            return False
        return True


class _Questions(Generic[State]):
    """Puts a pane's questions to the search, knows its last state, and notifies listeners when that changes."""

    def __init__(self, worker: SearchWorker, search: WorkspaceSearch, state: State) -> None:
        self._worker = worker
        self._search = search
        self._state = state
        self._listeners = Listeners[State]()

    @property
    def state(self) -> State:
        """Returns what was last known."""
        return self._state

    @property
    def is_closed(self) -> bool:
        """Returns whether nothing is answered any more."""
        return self._worker.is_closed

    def subscribe(self, listener: Callable[[State], object]) -> Callable[[], None]:
        """Has changes of the state announced, on the worker thread; returns the call that ends it."""
        return self._listeners.subscribe(listener)

    def forget_listeners(self) -> None:
        """Announces nothing any more."""
        self._listeners.clear()

    def _announce(self, state: State, *, changed: bool) -> None:
        self._state = state
        if changed and not self.is_closed:
            self._listeners.publish(state)


class LogQuestions(_Questions[HistoryState]):
    """Asks the history logs as a list. Listeners hear whenever entries came, went or were read for the first time.

    A newer query takes an older one's place: the older one's future is cancelled, or holds what was found until then.
    """

    def __init__(self, worker: SearchWorker, search: WorkspaceSearch) -> None:
        super().__init__(worker, search, HistoryState())
        self._newer = Event()
        """Set once there is a newer query than the last one."""
        self.looked = False
        """Whether the disk was looked at, so that no entries means that there are none."""

    def search(self, query: HistoryQuery, limit: int = PAGE, *, seconds: float = SLICE) -> Future[HistoryPage]:
        """Returns the first page of a query. Pages and counts of earlier queries are given up."""
        self._newer.set()
        self._newer = Event()
        return self._page(query, limit, None, seconds)

    def more(self, query: HistoryQuery, before: HistoryCursor, limit: int = PAGE) -> Future[HistoryPage]:
        """Returns the page after `before` of the query that was searched for last."""
        return self._page(query, limit, before, 4 * SLICE)

    def count(self, query: HistoryQuery) -> Future[int | None]:
        """Returns how many entries match the query that was searched for last; pages asked for meanwhile come first."""
        newer = self._newer
        future: Future[int | None] = Future()
        counting: Iterator[int | None] | None = None
        so_far: int | None = None

        def step() -> bool:
            nonlocal counting, so_far
            if newer.is_set() or self.is_closed or future.cancelled():
                future.cancel()
                return False
            deadline = time.perf_counter() + _WORK_SLICE
            try:
                counting = counting or self._search.logs.counting(query)
                while time.perf_counter() < deadline:
                    so_far = next(counting)
            except StopIteration:
                _resolve(future, lambda: so_far)
                return False
            except Exception as error:  # noqa: BLE001 - handed to whoever asks the future
                _fail(future, error)
                return False
            return True

        if not self._worker.go_on(step):
            future.cancel()
        return future

    def locate(self, text: str, newer: int = 0, skip: int = 0) -> Future[Located | None]:
        """Finds an entry by its words, see `LogSearch.locate`."""
        return self._worker.ask(lambda: self._search.logs.locate(text, newer, skip))

    def refresh(self) -> Future[HistoryState]:
        """Takes in what changed on disk; the large part of it goes on in the background."""
        return self._worker.ask(self._refresh)

    def _page(
        self, query: HistoryQuery, limit: int, before: HistoryCursor | None, seconds: float
    ) -> Future[HistoryPage]:
        newer = self._newer

        def goes_on() -> bool:
            return not (newer.is_set() or self.is_closed)

        def page() -> HistoryPage:
            return self._search.logs.search(query, limit, before, seconds=seconds, goes_on=goes_on)

        return self._worker.ask(page, goes_on)

    def _refresh(self) -> HistoryState:
        changed = self._search.logs.refresh(_WORK_SLICE)
        self.looked = True
        self._worker.go_on(self._work)
        self._report(changed)
        return self._state

    def _work(self) -> bool:
        if self.is_closed:
            return False
        has_more, changed = self._search.logs.work(_WORK_SLICE)
        self._report(changed)
        return has_more

    def _report(self, changed: bool) -> None:
        before, state = self._state, self._search.logs.state
        self._announce(state, changed=changed or (before.problems, before.loading) != (state.problems, state.loading))


class PassageQuestions(_Questions[SearchState]):
    """Asks the ranked search over everything. Listeners hear whenever the index became current, or is not any more.

    Nothing is read or indexed for it before the first question, or `refresh`.
    """

    def __init__(self, worker: SearchWorker, search: WorkspaceSearch) -> None:
        super().__init__(worker, search, SearchState())
        self.is_begun = False
        """Whether the index is kept current."""
        self._typed: Future[list[SearchHit]] | None = None
        """The answer to the last question asked as the person types, by words or in full; it may not be there yet."""
        self._lock = Lock()
        self._is_looking = False

    def type(self, text: str, limit: int) -> Future[list[SearchHit]]:
        """Returns what is found as the person types; an earlier such question that is not answered yet is given up."""
        self._give_up_typed()
        typed = self.ask(lambda own: own.find(text, limit, typing=True, at_once=True))
        self._typed = typed
        return typed

    def find(
        self,
        text: str,
        limit: int = 50,
        *,
        semantic: EmbeddedQuestion | None = None,
        seconds: float = 5.0,
        asked_in: str = "",
        typing: bool = False,
    ) -> Future[list[SearchHit]]:
        """Finds passages for a whole query once what is on disk now is taken in, or after so many seconds of that.

        `asked_in`: a conversation whose newest message of the person is the question itself, and no answer.
        `typing`: the last word may not be whole; the question is given up when the next key asks another one.
        """
        future: Future[list[SearchHit]] = Future()

        def check() -> None:
            if self.is_closed or future.cancelled():
                raise SearchGivenUp

        def answer() -> list[SearchHit]:
            own = self._search.passages
            found = own.find(text, limit, typing=typing, semantic=semantic, check=check)
            newest = own.newest_question(asked_in) if asked_in else 0
            return [hit for hit in found if not asked_in or hit.session_key != asked_in or hit.message_index < newest]

        self._begin()
        if typing:
            self._give_up_typed()
            self._typed = future
        if not self._worker.go_on(self._taking_in(future, seconds, answer)):
            future.cancel()
        return future

    def _taking_in(self, future: Future[Result], seconds: float, answer: Callable[[], Result]) -> Callable[[], bool]:
        """Returns the step that takes in a slice of what is on disk, and answers once that is all or time is up."""
        deadline = 0.0

        def step() -> bool:
            nonlocal deadline
            if self.is_closed or future.cancelled():
                future.cancel()
                return False
            try:
                if not deadline:
                    deadline = time.perf_counter() + seconds
                    self._search.passages.refresh()
                has_more = self._search.passages.work(_WORK_SLICE)
            except Exception as error:  # noqa: BLE001 - handed to whoever asks the future, who would wait for ever
                _fail(future, error)
                return False
            if has_more:
                if time.perf_counter() < deadline:
                    return True
                self.keep_current()
            _resolve_unless_given_up(future, answer)
            return False

        return step

    def _give_up_typed(self) -> None:
        if self._typed is not None:
            self._typed.cancel()

    def refresh(self) -> None:
        """Has the disk looked at soon, as something may have changed."""
        self.is_begun = True
        with self._lock:
            if self._is_looking:
                return
            self._is_looking = True
        self._worker.ask(self._look)

    def resume(self) -> None:
        """Brings the index up to date where somebody searched before, so that it is when they do so again."""
        self._worker.ask(lambda: self.refresh() if self._search.has_indexed_passages() else None)

    def keep_current(self) -> None:
        """Takes in what the last look found, in slices."""
        self._worker.go_on(self._work)

    def ask(self, call: Callable[[PassageSearch], Result]) -> Future[Result]:
        """Has one piece of work done with the search, on its thread."""
        self._begin()
        return self._worker.ask(lambda: call(self._search.passages))

    def _begin(self) -> None:
        if not self.is_begun:
            self.refresh()

    def _look(self) -> None:
        with self._lock:
            self._is_looking = False
        self._search.passages.refresh()
        self._report()
        self.keep_current()

    def _work(self) -> bool:
        """Returns one slice; what is asked meanwhile comes before the next."""
        if self.is_closed:
            return False
        has_more = self._search.passages.work(_WORK_SLICE)
        self._report()
        return has_more

    def _report(self) -> None:
        state = self._search.passages.state
        self._announce(state, changed=state != self._state)


def _resolve(future: Future[Result], call: Callable[[], Result]) -> None:
    """Does the call for a future that is not cancelled; what it raises is handed to whoever asks the future."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except Exception as error:  # noqa: BLE001 - handed to whoever asks the future
        _fail(future, error)


def _resolve_unless_given_up(future: Future[Result], call: Callable[[], Result]) -> None:
    """Does the call for a future that can be cancelled meanwhile, which the call notices by itself."""
    try:
        found = call()
    except SearchGivenUp:
        future.cancel()
    except Exception as error:  # noqa: BLE001 - handed to whoever asks the future
        if future.set_running_or_notify_cancel():
            _fail(future, error)
    else:
        _resolve(future, lambda: found)


def _fail(future: Future[Any], error: Exception) -> None:
    if not isinstance(error, MnemoscopeError):
        log.error("search failed", exc_info=error)
    future.set_exception(error)
