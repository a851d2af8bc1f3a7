"""Compares all facts of memory with each other once a week, by itself; what disagrees waits for the person's review."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from mnemoscope.agent.tasks.periodic_task import LONGEST_PAUSE, PeriodicTask
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.json_object import read_json_object, replace_json_object

log = logging.getLogger(__name__)
WEEK: Final = timedelta(days=7)
_CHECKED: Final = "checked"


class WeeklyCheck:
    """Knows from a file when memory was last checked. A workspace that was never checked is checked a week after it was
    first opened; where the clock was turned back, a week from then.

    `propose`: has each pair of facts that disagrees wait for review; `may_begin`: whether nothing else is at work.
    """

    def __init__(
        self,
        file: Path,
        propose: Callable[[], Awaitable[int]],
        may_begin: Callable[[], bool],
        settings: Callable[[], Settings],
        disk: Disk,
        clock: Callable[[], datetime],
        *,
        calls: FileCalls,
    ) -> None:
        self._file = file
        self._propose = propose
        self._may_begin = may_begin
        self._settings = settings
        self._disk = disk
        self._clock = clock
        self._calls = calls
        self._last: datetime | None = None
        self._task = PeriodicTask("the weekly check of memory", self.look)

    def start(self) -> None:
        """Looks at the clock from now on."""
        self._task.start()

    async def close(self, seconds: float = 3.0) -> None:
        """Stops looking, and a check that runs; it is made again after a week."""
        await self._task.stop(seconds)

    async def look(self) -> float:
        """Checks memory where a week is over, and returns the seconds until the next look. Raises StorageError."""
        if not self._settings().weekly_check:
            return LONGEST_PAUSE
        now = self._clock()
        if self._last is None:
            self._last = await self._disk.run(self._read)
        if self._last is None or now < self._last:
            await self._note(now)
        elif now - self._last >= WEEK and self._may_begin():
            await self._note(now)
            await self._propose()
        return LONGEST_PAUSE

    async def _note(self, now: datetime) -> None:
        """Notes the time of a check before it is made: one that fails is not made again every minute."""
        self._last = now
        try:
            await self._disk.run(self._write, now)
        except StorageError as error:
            log.warning("the time of the weekly check could not be kept: %s", error)

    def _read(self) -> datetime | None:
        try:
            return datetime.fromisoformat(str(read_json_object(self._file).get(_CHECKED)))
        except ValueError:
            return None

    def _write(self, now: datetime) -> None:
        replace_json_object(self._file, {_CHECKED: now.isoformat()}, calls=self._calls)
