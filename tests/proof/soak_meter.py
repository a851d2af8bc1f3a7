"""What the soak measures of a running window: memory, descriptors, threads, and how long it left a person waiting."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from tests.support.own_time import in_queue, waited

TICK_MS = 10
_LOOK_SECONDS = 0.1
"""How old what is known of the threads may be."""
_PAINTER = "Thread (pooled)"


@dataclass(frozen=True, slots=True)
class Sample:
    """The state after so many turns. Memory in megabytes, `gap` in milliseconds: the longest since the last sample."""

    turns: int
    megabytes: float
    model_megabytes: float
    descriptors: int
    model_descriptors: int
    threads: int
    model_threads: int
    gap: float


def slope(samples: Sequence[Sample], of: str) -> float:
    """Growth for each 100 turns: the median over all pairs that lie on one side of a step, wherever one came: a step
    is no leak. At least three samples."""
    return min(
        _growth([*combinations(samples[:at], 2), *combinations(samples[at:], 2)], of) for at in range(len(samples))
    )


def _growth(pairs: Sequence[tuple[Sample, Sample]], of: str) -> float:
    return median(float(getattr(b, of) - getattr(a, of)) * 100 / (b.turns - a.turns) for a, b in pairs)


def spread(samples: Sequence[Sample], of: str) -> int:
    """How far the figure moved from where it was first, at most."""
    values = [int(getattr(sample, of)) for sample in samples]
    return max(abs(value - values[0]) for value in values)


def megabytes(pid: int) -> float:
    """What the kernel counts as resident."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors(pid: int) -> int:
    """How many a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid: int) -> int:
    """How many a process runs, but for Qt's painters: one for each core at most, made when a large area is painted and
    gone half a minute later.
    """
    return sum(_name(task) != _PAINTER for task in Path(f"/proc/{pid}/task").iterdir())


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text(encoding="utf-8").strip()
    except OSError:
        return _PAINTER  # It ended meanwhile.


class LongestGap:
    """The longest time between two ticks of the window's own timer, without the time other processes had the cores.

    Waiting for a disk, a lock or another thread of the window counts; waiting for a turn on the processor does not, be
    it this thread's or that of the thread it waits for: that is the machine's load and no property of the window.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.start()

    def start(self) -> None:
        """Measure from now on."""
        self._longest = 0.0
        self._last, self._looked, self._queued = time.perf_counter(), time.perf_counter(), in_queue()
        self._timer.start()

    def stop(self) -> float:
        """Milliseconds since `start`."""
        self._tick()
        self._timer.stop()
        return self._longest * 1000

    def _tick(self) -> None:
        now = time.perf_counter()
        gap, self._last = now - self._last, now
        # To look at all threads at each tick would be a load of its own.
        if gap > self._longest or now - self._looked > _LOOK_SECONDS:
            queued = in_queue()
            self._longest = max(self._longest, gap - waited(self._queued, queued))
            self._looked, self._queued = now, queued
