"""Fails a test that a thread or an asyncio task outlives (marker may_leave)."""

import asyncio
import asyncio.runners
import threading
import time
from collections.abc import Iterator

import pytest

GRACE = 15.0
"""Seconds that a thread told to stop may take to do so."""

_abandoned: list[str] = []
_cancel_all_tasks = asyncio.runners._cancel_all_tasks  # type: ignore[attr-defined]  # not in its stub


def _note_and_cancel(loop: asyncio.AbstractEventLoop) -> None:
    """Notes and cancels, where a Runner closes its loop, what is pending then: it was left behind."""
    _abandoned.extend(sorted(repr(task.get_coro()) for task in asyncio.all_tasks(loop)))
    _cancel_all_tasks(loop)


def pytest_configure() -> None:
    asyncio.runners._cancel_all_tasks = _note_and_cancel  # type: ignore[attr-defined]


def pytest_unconfigure() -> None:
    asyncio.runners._cancel_all_tasks = _cancel_all_tasks  # type: ignore[attr-defined]


def may_leave(request: pytest.FixtureRequest, kind: str) -> bool:
    return any(kind in marker.args for marker in request.node.iter_markers("may_leave"))


def _threads() -> set[threading.Thread]:
    """Returns those that Python started; a thread of Qt's that ran Python code stays listed for ever."""
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}


def _surplus_threads(before: set[threading.Thread]) -> list[str]:
    deadline = time.monotonic() + GRACE
    while (surplus := _threads() - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    return sorted(thread.name for thread in surplus)


@pytest.fixture(autouse=True)
def _leaves_no_thread_or_task(request: pytest.FixtureRequest) -> Iterator[None]:
    threads = _threads()
    _abandoned.clear()
    yield
    left = [] if may_leave(request, "threads") else [f"thread {name}" for name in _surplus_threads(threads)]
    if not may_leave(request, "tasks"):
        left += [f"task {name}" for name in _abandoned]
    if left:
        pytest.fail("The test left behind: " + ", ".join(left), pytrace=False)
