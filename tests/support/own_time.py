"""How long something takes this program: what other programs keep the processor for meanwhile does not count."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """The work within takes no longer than this many seconds of this thread's own."""
    began = time.thread_time()
    yield
    took = time.thread_time() - began
    assert took <= seconds, f"{took:.2f} s of work, where {seconds} s are allowed"


class Watch:
    """Time by the clock, without what this program's threads waited for a processor; more than that is said nowhere."""

    def __init__(self) -> None:
        self._began, self._queued = time.monotonic(), _in_queue()

    def seconds(self) -> float:
        """Since it was made."""
        waited = sum(seconds - self._queued.get(task, 0.0) for task, seconds in _in_queue().items())
        return max(0.0, time.monotonic() - self._began - waited)


def _in_queue() -> dict[str, float]:
    """How long each thread has waited for a processor, in seconds; {} where the system does not tell."""
    found = {}
    for file in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError, IndexError):
            found[file.parent.name] = int(file.read_text(encoding="ascii").split()[1]) / 1e9
    return found
