"""Lets a person stop work that they began. Only its stages can be cancelled; a write to the disk is none of them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class Stopped(Exception):
    """The person stopped it."""


class StopSignal:
    """Belongs to one turn or command. `stop` may be called at any time, also before the work has begun."""

    def __init__(self) -> None:
        self.is_set = False
        self._stages: dict[asyncio.Task[Any], int] = {}
        """The tasks in which work runs that may be stopped, with how often each was cancelled for that."""

    def stop(self) -> None:
        """Ends the stage that runs, and lets no other begin."""
        self.is_set = True
        for task in self._stages:
            self._stages[task] += 1
            task.cancel()

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs work that may be stopped; raises Stopped then. Disk writes are never run this way.

        The work runs in the caller's own task, so it begins at once: in a task of its own it would begin a turn of the
        loop later, when a window has painted.
        """
        if self.is_set:
            work.close()
            raise Stopped
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        self._stages[task] = 0
        try:
            try:
                return await work
            finally:
                await self._end_stage(task)
        except asyncio.CancelledError:
            if not self.is_set:
                raise
            raise Stopped from None

    async def _end_stage(self, task: asyncio.Task[Any]) -> None:
        """Lets a task go on. A stop that came when its work had nothing left to wait for is raised here, so that it
        ends nothing that comes after."""
        if cancelled := self._stages.pop(task, 0):
            try:
                await asyncio.sleep(0)
            finally:
                for _ in range(cancelled):
                    task.uncancel()
