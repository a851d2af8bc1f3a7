"""The window's event loop: Qt's and asyncio's in one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

import qasync

Result = TypeVar("Result")


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc]  # qasync has no types
    """qasync's loop, which ends a run as asyncio's own does.

    qasync lets Qt's events through once more when a run is over and no loop is running any more: a task whose turn came
    in that moment failed where it asked for the running loop. What is due then waits for the next run instead.
    """

    def run_until_complete(self, future: Awaitable[Result]) -> Result:
        """Run until the future is done. Raises what it raises."""
        awaited = asyncio.ensure_future(future, loop=self)
        awaited.add_done_callback(self._end)
        try:
            self.run_forever()
        finally:
            awaited.remove_done_callback(self._end)
        if not awaited.done():
            raise RuntimeError("The event loop was stopped before the future was done.")
        return awaited.result()

    def _end(self, _future: object) -> None:
        self.stop()
