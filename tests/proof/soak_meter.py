"""Measures a running window for the soak: memory, descriptors, threads, and how long it left a person waiting."""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from tests.support.own_time import in_queue, waited

TICK_MS = 10
_PAUSE_TICK_MS = 5
_NEAR_SECONDS = 0.008
"""A gap up to this is no pause anyone feels, whatever it is made of."""
_LOOK_SECONDS = 0.1
"""The greatest age, in seconds, of what is known of the threads."""
_ROOM = 100_000
"""Ticks that room is made for at once."""
_PAINTER = "Thread (pooled)"


@dataclass(frozen=True, slots=True)
class Sample:
    """Holds the state after so many turns. Memory in megabytes; `gap`: the longest since the last, in milliseconds."""

    turns: int
    megabytes: float
    model_megabytes: float
    descriptors: int
    model_descriptors: int
    threads: int
    model_threads: int
    gap: float


def slope(samples: Sequence[Sample], of: str) -> float:
    """Returns the growth for each 100 turns: the median over all pairs that lie on one side of a step, wherever one
    came, as a step is no leak. There have to be at least three samples."""
    return slope_of([(sample.turns, float(getattr(sample, of))) for sample in samples])


def slope_of(points: Sequence[tuple[int, float]]) -> float:
    """Returns as `slope`, of pairs of turns and a figure."""
    return min(_growth([*combinations(points[:at], 2), *combinations(points[at:], 2)]) for at in range(len(points)))


def _growth(pairs: Sequence[tuple[tuple[int, float], tuple[int, float]]]) -> float:
    return median((later - first) * 100 / (turn - before) for (before, first), (turn, later) in pairs)


def spread(samples: Sequence[Sample], of: str) -> int:
    """Returns how far the figure moved from where it was first, at most."""
    values = [int(getattr(sample, of)) for sample in samples]
    return max(abs(value - values[0]) for value in values)


def megabytes(pid: int) -> float:
    """Returns what the kernel counts as resident."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors(pid: int) -> int:
    """Returns how many a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid: int) -> int:
    """Returns how many a process runs, but for Qt's painters: one for each core at most, made when a large area is
    painted and gone half a minute later."""
    return sum(_name(task) != _PAINTER for task in Path(f"/proc/{pid}/task").iterdir())


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text(encoding="utf-8").strip()
    except OSError:
        return _PAINTER  # It ended meanwhile.


class LongestGap:
    """Measures the longest time between two ticks of the window's own timer, without the time of other processes.

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
        """Measures from now on."""
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


class LoopPauses:
    """Measures all times between two ticks of the window's own timer, without the time of other programs.

    Of each time goes off what the window's thread waited for a processor. Where it waited for something else, such as
    a lock of another thread of the window, so does what the others waited for a processor, as far as that goes.
    Waiting for a disk counts, and so does all that the thread itself does, but for looking at the threads: that asks
    the kernel some fifty questions, and each gives the interpreter away to whichever thread of the window works.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        # Room for an hour of ticks from the start, so that the measure of memory beside it does not see this one grow.
        self._room, self._count = array("f", bytes(4 * _ROOM)), 0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_PAUSE_TICK_MS)
        self._timer.timeout.connect(self._tick)

    def __len__(self) -> int:
        return self._count

    def start(self) -> None:
        """Measures from now on."""
        self._last = self._look()
        self._timer.start()

    def stop(self) -> None:
        """Measures no more."""
        self._tick()
        self._timer.stop()

    @property
    def longest(self) -> float:
        """Returns the longest one in milliseconds."""
        return max(self._gaps)

    @property
    def p99(self) -> float:
        """Returns in milliseconds what 99 of 100 do not go beyond."""
        return sorted(self._gaps)[int(self._count * 0.99)]

    def over(self, milliseconds: float) -> int:
        """Returns how many were longer."""
        return sum(gap > milliseconds for gap in self._gaps)

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        before, self._last = self._last, self._look()
        gap, worked = now - before[0], worked - before[1]
        own, others = self._last[2] - before[2], self._last[3] - before[3]
        if gap > _NEAR_SECONDS:
            idle = max(0.0, gap - worked - own)
            gap -= own + min(idle, max(0.0, others))
        if self._count == len(self._room):
            self._room.frombytes(bytes(4 * _ROOM))
        self._room[self._count] = max(0.0, gap) * 1000
        self._count += 1

    @property
    def _gaps(self) -> array[float]:
        """Returns every one in milliseconds."""
        return self._room[: self._count]

    def _look(self) -> tuple[float, float, float, float]:
        """Returns the seconds that this thread and the others waited for a turn, behind those that went by until the
        answer was there, and that this thread worked."""
        queued = in_queue()
        own = queued.pop(str(threading.get_native_id()), 0.0)
        return time.perf_counter(), time.thread_time(), own, sum(queued.values())
