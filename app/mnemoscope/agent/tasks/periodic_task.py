"""Repeats a check whether work is due, at intervals of one second to one minute, so that a changed clock is noticed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from mnemoscope.domain.errors import MnemoscopeError

log = logging.getLogger(__name__)
LONGEST_PAUSE: Final = 60.0
_SHORTEST: Final = 1.0
DueWork = Callable[[], Awaitable[float]]
"""Does what is due, and returns the seconds until it expects to be called again."""


class PeriodicTask:
    """Calls `look` until it is stopped; `look` returns the seconds to the next call. A failure is logged, and the next
    call comes a minute later."""

    def __init__(self, name: str, look: DueWork, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._name = name
        self._look = look
        self._sleep = sleep
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins, once."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run(), name=self._name)

    async def stop(self, seconds: float = 3.0) -> None:
        """Ends it; what has been begun on the disk is finished."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=seconds)

    async def _run(self) -> None:
        wait = LONGEST_PAUSE
        while True:
            await self._sleep(min(LONGEST_PAUSE, max(_SHORTEST, wait)))
            try:
                wait = await self._look()
            except MnemoscopeError as error:
                log.warning("%s: %s %s", self._name, error, error.context)
                wait = LONGEST_PAUSE
