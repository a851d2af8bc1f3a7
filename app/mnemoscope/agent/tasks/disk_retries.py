"""Tries again what the disk refused, whenever it has more room or takes again what is written, until it is done."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import DiskTakes, EventBus
from mnemoscope.store.files.disk import Disk

log = logging.getLogger(__name__)
_LOOKED_AGAIN: Final = 2.0
"""Seconds between two looks for more room."""


class DiskRetries:
    """Tries one thing of the workspace in `folder`: `go_on` tries it, `is_left` tells whether it is still to be done,
    `is_at_work` whether it is being tried, so that what the disk takes may be its own first bytes."""

    def __init__(
        self,
        name: str,
        folder: Path,
        bus: EventBus,
        disk: Disk,
        *,
        is_left: Callable[[], Awaitable[bool]],
        go_on: Callable[[], Awaitable[object]],
        is_at_work: Callable[[], bool],
    ) -> None:
        self._name = name
        self._folder = folder
        self._bus = bus
        self._disk = disk
        self._is_left = is_left
        self._go_on = go_on
        self._is_at_work = is_at_work
        self._task: asyncio.Task[None] | None = None
        self._is_wanted = False
        self._is_closed = False

    def begin(self) -> None:
        """Begins to try, if it does not already; after `close` nothing is begun."""
        self._is_wanted = True
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._run(), name=self._name)

    async def close(self) -> None:
        """Ends the tries."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        takes, took_meanwhile = asyncio.Event(), asyncio.Event()

        def on_taken(_event: DiskTakes) -> None:
            (took_meanwhile if self._is_at_work() else takes).set()

        unsubscribe = self._bus.on(DiskTakes, on_taken)
        try:
            free = await self._disk.run(self._free_bytes)
            while self._is_wanted or await self._has_to_go_on():
                self._is_wanted = False
                with suppress(TimeoutError):
                    await asyncio.wait_for(takes.wait(), _LOOKED_AGAIN)
                now = await self._disk.run(self._free_bytes)
                is_new = takes.is_set() or now > free
                if is_new or took_meanwhile.is_set():
                    takes.clear()
                    took_meanwhile.clear()
                    await self._try()
                    if not is_new:
                        # What is taken while it is tried may be its own first bytes, so that one try follows, not many.
                        took_meanwhile.clear()
                    now = await self._disk.run(self._free_bytes)
                free = now
        finally:
            unsubscribe()

    async def _has_to_go_on(self) -> bool:
        try:
            return await self._is_left()
        except MnemoscopeError:
            return True

    def _free_bytes(self) -> int:
        with suppress(OSError):
            return shutil.disk_usage(self._folder).free
        return 0

    async def _try(self) -> None:
        try:
            await self._go_on()
        except MnemoscopeError as error:
            log.info("%s: not finished yet: %s", self._name, error)
