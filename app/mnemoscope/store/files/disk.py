"""One worker thread makes every change on disk, so writes never overlap and the event loop never waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Final, ParamSpec, Protocol, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")

log = logging.getLogger(__name__)

_BRIEF_SECONDS: Final = 0.004
"""So long a window may stand still for one piece of work: a quarter of what it has for a frame."""


class Disk(Protocol):
    """Runs disk work, one piece at a time."""

    async def run(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does one piece of work and waits for its result."""
        ...

    async def run_briefly(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does a piece of work that mostly takes a millisecond or less, and goes on as soon as it is done.

        It is for the few pieces between a person's *Send* and the request, never for one of many: the loop may stand
        still for `_BRIEF_SECONDS`.
        """
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
    # Handed over in one step: asyncio's own wrapping and shielding take three more turns of the loop, in each of which
    # a window may paint first, and each message waits for such work several times.
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[Result] = loop.create_future()

    def note_end(work: Future[Result]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(_hand_over, work, waiting)

    submitted.add_done_callback(note_end)
    try:
        return await waiting
    except asyncio.CancelledError:
        submitted.add_done_callback(_note_failure)
        raise


def _hand_over(work: Future[Result], waiting: asyncio.Future[Result]) -> None:
    if waiting.done():
        return
    if work.cancelled():
        waiting.cancel()
    elif (error := work.exception()) is not None:
        waiting.set_exception(error)
    else:
        waiting.set_result(work.result())


def _note_failure(work: Future[Any]) -> None:
    if not work.cancelled() and (error := work.exception()) is not None:
        log.warning("work that nobody waited for any more failed: %s", error)


class DiskThread:
    """Runs one worker thread; work is done in the order in which it was asked for.

    Work once asked for is done: cancelling the waiting task does not take a queued write back.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-disk")

    async def run(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does `fn(*args, **kwargs)` on the disk thread; its exception is raised here."""
        return await result_of(self._executor.submit(partial(fn, *args, **kwargs)))

    async def run_briefly(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does it on the disk thread as `run` does; but what is done in a moment is waited for where the loop stands.

        Whoever lets the loop go gets it back after a window has painted, which takes longer than the work.
        """
        submitted = self._executor.submit(partial(fn, *args, **kwargs))
        wait([submitted], _BRIEF_SECONDS)
        return submitted.result() if submitted.done() else await result_of(submitted)

    def submit(self, fn: Callable[..., Result], *args: object) -> Future[Result]:
        """Queues `fn(*args)`; callable from any thread."""
        return self._executor.submit(fn, *args)

    def close(self) -> None:
        """Finishes what is queued, then ends the thread. Work asked for later raises RuntimeError."""
        self._executor.shutdown(wait=True)


class InlineDisk:
    """Does the same work at once on the caller's thread: for library use and tests."""

    async def run(self, fn: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Does it now."""
        return fn(*args, **kwargs)

    run_briefly = run

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
