"""Background work of the window: every task is held, and every exception ends in one place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from mnemoscope.domain.errors import MnemoscopeError

log = logging.getLogger(__name__)


class Tasks:
    """Starts coroutines and keeps them until they end; `on_error` is told of what none of them caught.

    Made on the running loop, and works on that one: a Qt timer may fire while the loop is between two runs. Once all
    are cancelled, what is started is cancelled at once: a timer may fire after the window has closed its files.
    """

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._running: set[asyncio.Task[Any]] = set()
        self.on_error = on_error
        self._is_closed = False

    def spawn(self, work: Coroutine[Any, Any, Any], name: str = "") -> asyncio.Task[Any]:
        """Runs `work` on the loop."""
        task = self._loop.create_task(work, name=name or None)
        self._running.add(task)
        task.add_done_callback(self._ended)
        if self._is_closed:
            task.cancel()
        return task

    def spawn_once(self, work: Callable[[], Coroutine[Any, Any, Any]], name: str) -> None:
        """Runs what `work` makes, unless work of this name runs still: a person may press twice before what they asked
        for is there."""
        if all(task.get_name() != name for task in self._running):
            self.spawn(work(), name)

    async def cancel_all(self, seconds: float = 3.0) -> None:
        """Cancels what still runs and waits for it, but no longer than `seconds`."""
        self._is_closed = True
        running = {task for task in self._running if task is not asyncio.current_task()}
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=seconds)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        if isinstance(error, MnemoscopeError):
            log.warning("%s failed: %s %s", task.get_name(), error.sentence, error.context)
        else:
            log.error("%s failed", task.get_name(), exc_info=error)
        if self.on_error is not None:
            self.on_error(error)
