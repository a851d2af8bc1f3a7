"""The window's event loop: Qt's and asyncio's in one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any, Final

import qasync

_AGAIN_SECONDS: Final = 0.01


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc]  # qasync has no types
    """qasync's loop, whose callbacks run only while it runs.

    qasync hangs them on timers of Qt, which also fire where events are processed between two runs of the loop: after a
    run has ended qasync itself does so once more. A task whose turn came in such a moment failed as soon as it asked
    for the running loop.
    """

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Schedules as asyncio does; what is due between two runs waits for the next."""
        handle: asyncio.Handle = super().call_later(delay, self._in_turn, callback, *args, context=context)
        return handle

    def _in_turn(self, callback: Callable[..., object], *args: Any) -> None:
        if self.is_running():
            callback(*args)
        elif not self.is_closed():
            # Nobody can call it off meanwhile: who would, waits for the next run as well.
            self.call_later(_AGAIN_SECONDS, callback, *args)
