"""Lets a person stop work that they began. Only its stages can be cancelled; a write to the disk is none of them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class Stopped(Exception):
    """The person stopped it."""


class StopSign:
    """Belongs to one turn or command. `stop` may be called at any time, also before the work has begun."""

    def __init__(self) -> None:
        self.is_up = False
        self._stage: asyncio.Task[Any] | None = None

    def stop(self) -> None:
        """Ends the stage that runs, and lets no other begin."""
        self.is_up = True
        if self._stage is not None:
            self._stage.cancel()

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Runs work that may be stopped; raises Stopped then. Disk writes are never run this way."""
        if self.is_up:
            work.close()
            raise Stopped
        stage: asyncio.Task[Result] = asyncio.create_task(work)
        self._stage = stage
        try:
            return await stage
        except asyncio.CancelledError:
            if not self.is_up:
                stage.cancel()
                raise
            raise Stopped from None
        finally:
            self._stage = None
