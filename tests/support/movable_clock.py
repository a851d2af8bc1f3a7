"""An event loop whose clock a test puts forward: what waits for a time is due, and nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class _MovableClock(asyncio.SelectorEventLoop):
    moved = 0.0

    def time(self) -> float:
        return super().time() + self.moved

    def move(self, seconds: float) -> None:
        self.moved += seconds


def run_with_clock(work: Callable[[Callable[[float], None]], Coroutine[Any, Any, None]]) -> None:
    """Runs what a test does; it is handed the call that puts the clock forward by some seconds."""
    loop = _MovableClock()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(work(loop.move))
