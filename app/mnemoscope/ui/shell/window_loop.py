"""The window's event loop: Qt's and asyncio's in one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import Any, Final

import qasync
from PySide6.QtCore import QCoreApplication

_AGAIN_SECONDS: Final = 0.01
_MOST_THREADS: Final = 10


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc]  # qasync has no types
    """Is qasync's loop, whose callbacks run one after another, and only while it runs.

    qasync hangs them on timers of Qt, which also fire at two moments when asyncio runs no callback. Between two runs of
    the loop a task failed as soon as it asked for the running loop. Within another callback that has Qt process its
    events, as a menu, a drag or a simulated move of the mouse does, asyncio refused to step a task within a task, and
    the second was never stepped again: whoever waited for it waited for ever.
    """

    is_in_callback = False

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        # qasync's own executor begins ten threads with the first piece of work, and keeps them.
        self.set_default_executor(ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="mnemoscope"))

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Schedules as asyncio does; what is due in such a moment waits until it is over."""
        one = _Callback(self, callback, args, copy_context() if context is None else context)
        one.handle = self.schedule(delay, one, one.context)
        return one.handle

    def schedule(self, delay: float, callback: _Callback, context: Context) -> asyncio.Handle:
        """Hangs a callback on a timer of Qt, as qasync does: without its look at whether the callback is a coroutine
        function, which takes half of the time of each step that a task makes."""
        handle: asyncio.Handle = self._add_callback(asyncio.Handle(callback, (), self, context), delay)
        return handle


class _Callback:
    """Holds one callback on its timer. It knows the handle that its caller holds, so it can be called off while it
    waits."""

    __slots__ = ("args", "callback", "context", "handle", "loop")

    handle: asyncio.Handle

    def __init__(self, loop: WindowLoop, callback: Callable[..., object], args: tuple[Any, ...], context: Context):
        self.loop = loop
        self.callback = callback
        self.args = args
        self.context = context

    def __call__(self) -> None:
        loop = self.loop
        if self.handle.cancelled():
            return
        if loop.is_running() and not loop.is_in_callback:
            loop.is_in_callback = True
            try:
                self.callback(*self.args)
            finally:
                loop.is_in_callback = False
        elif not loop.is_closed():
            loop.schedule(_AGAIN_SECONDS, self, self.context)
