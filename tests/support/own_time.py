"""Measures how long something takes this program: the time of other programs does not count."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

_SUM_SECONDS = 0.05
"""The time the work of `slowness` takes on the machine the bounds were set on, with no other work there."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Yields the work within takes no longer than this many seconds of this thread's own; on a slower processor, or one
    that is shared, as many times longer as a piece of work that is always the same."""
    began = time.thread_time()
    yield
    took = time.thread_time() - began
    if took > seconds:
        allowed = seconds * max(1.0, slowness())
        assert took <= allowed, f"{took:.2f} s of work, where {allowed:.2f} s are allowed"


def slowness() -> float:
    """Returns how many times as long a piece of work takes here as where the bounds were set."""
    began = time.thread_time()
    assert sum(number & 3 for number in range(2_000_000)) == 3_000_000
    return (time.thread_time() - began) / _SUM_SECONDS


class Watch:
    """Measures time by the clock, less what a program's threads waited for a processor, as far as the system tells.

    `process`: its id; this program's own where none is given. `look`: how long each thread has waited so far.
    """

    def __init__(
        self, process: int | None = None, look: Callable[[int | None], dict[str, float]] | None = None
    ) -> None:
        self._look = partial(look or in_queue, process)
        self._began, self._before = time.monotonic(), self._look()
        self._seen = self._before

    def seconds(self) -> float:
        """Returns the seconds since the watch was made. The system forgets what a thread has waited when it ends: call
        this now and then, so that it was seen before."""
        self._seen = self._seen | self._look()
        return max(0.0, time.monotonic() - self._began - waited(self._before, self._seen))


def in_queue(process: int | None = None) -> dict[str, float]:
    """Returns how long each thread has waited for a processor, in seconds; {} where the system does not tell."""
    found = {}
    # Not by Path, which would keep a new name for each thread and look: this is asked as often as pauses are measured.
    tasks = f"/proc/{process or 'self'}/task"
    with suppress(OSError):
        for task in os.listdir(tasks):
            with suppress(OSError, IndexError), open(f"{tasks}/{task}/schedstat", encoding="ascii") as file:
                found[task] = int(file.read().split()[1]) / 1e9
    return found


def waited(before: dict[str, float], now: dict[str, float]) -> float:
    """Seconds that all threads together waited for a processor between two answers of `in_queue`."""
    return sum(seconds - before.get(task, 0.0) for task, seconds in now.items())
