"""One worker thread makes every change on disk, so writes never overlap and the event loop never waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Disk(Protocol):
    """Runs disk work, one piece at a time."""

    async def run(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does one piece of work and waits for its result."""
        ...

    def submit(self, fn: Callable[..., Result], *args: object) -> Future[Result]:
        """Queues one piece of work."""
        ...

    def close(self) -> None:
        """Finishes what is queued."""
        ...


async def result_of(submitted: Future[Result]) -> Result:
    """Returns the result of work on a thread, which goes on where its caller is cancelled; the log then tells if it
    fails."""
    # wrap_future rather than run_in_executor: it needs nothing of the loop but call_soon_threadsafe.
    work = asyncio.wrap_future(submitted)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.add_done_callback(_note_failure)
        raise


def _note_failure(work: asyncio.Future[Any]) -> None:
    if not work.cancelled() and (error := work.exception()) is not None:
        log.warning("work that nobody waited for any more failed: %s", error)


class DiskThread:
    """One worker thread; work is done in the order in which it was asked for.

    Work once asked for is done: cancelling the waiting task does not take a queued write back.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-disk")

    async def run(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does `fn(*args, **kwargs)` on the disk thread; its exception is raised here."""
        return await result_of(self._executor.submit(partial(fn, *args, **kwargs)))

    def submit(self, fn: Callable[..., Result], *args: object) -> Future[Result]:
        """Queues `fn(*args)`; callable from any thread."""
        return self._executor.submit(fn, *args)

    def close(self) -> None:
        """Finishes what is queued, then ends the thread. Work asked for later raises RuntimeError."""
        self._executor.shutdown(wait=True)


class InlineDisk:
    """The same interface, run at once on the caller's thread: for library use and tests."""

    async def run(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does it now."""
        return fn(*args, **kwargs)

    def submit(self, fn: Callable[..., Result], *args: object) -> Future[Result]:
        """Does it now; the future is already done."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args))
        except Exception as error:  # noqa: BLE001 - handed to whoever asks the future
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Does nothing: nothing is ever queued."""
