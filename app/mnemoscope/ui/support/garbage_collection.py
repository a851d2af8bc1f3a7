"""Collects Python's cyclic garbage on the window's thread alone.

Python collects on whichever thread happens to allocate. A window that was closed hangs together in cycles, and an
object of Qt that a thread of the disk or of the search deletes may end the whole program.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

_EVERY_MILLISECONDS: Final = 1_000
_LOOK_MILLISECONDS: Final = 100
_MANY: Final = 4_000
"""So many new objects are looked through in some 4 ms. Threads that read thousands of conversations make ten times as
many in a second."""
_OLDEST: Final = 2
_GROWTH: Final = 1.25
"""All is looked through once there is so much more of it. That takes longest, and nothing else is done meanwhile."""
_QUIET: Final = 500
"""New objects. Where there are more, somebody works, and all is not looked through beside that."""
_WAITS: Final = 2
_WAITS_AT_LEAST: Final = 50_000
"""How much more there may be until it is looked through whoever works: twice as much, and so many objects."""


class GarbageCollection(QObject):
    """Takes the place of Python's own collecting for as long as the process lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        # What is loaded by now stays, and need not be looked through again and again.
        gc.freeze()
        self._left = 0
        """How many objects were left when all was looked through last."""
        for milliseconds, collect in (
            (_EVERY_MILLISECONDS, self.collect_what_is_due),
            (_LOOK_MILLISECONDS, self.collect_what_is_new),
        ):
            timer = QTimer(self)
            timer.setInterval(milliseconds)
            timer.timeout.connect(collect)
            timer.start()

    def collect_what_is_new(self) -> None:
        """Collects the young objects where there are many, before looking through them takes long."""
        new, collected, _ = gc.get_count()
        if new > _MANY:
            # What outlived one collection already is looked through once more, and no longer young then.
            gc.collect(1 if collected else 0)

    def collect_what_is_due(self) -> None:
        """Collects the oldest generation that is due by Python's own rules, and those younger than it."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [age for age, (count, threshold) in enumerate(zip(counts, thresholds, strict=True)) if count > threshold]
        if not due:
            return
        old = _old_objects() if due[-1] == _OLDEST else 0
        is_busy = counts[0] > _QUIET and old <= _WAITS * self._left + _WAITS_AT_LEAST
        if due[-1] < _OLDEST or is_busy or old <= _GROWTH * self._left:
            gc.collect(min(due[-1], _OLDEST - 1))
            return
        gc.collect()
        self._left = _old_objects()


def _old_objects() -> int:
    return len(gc.get_objects(generation=_OLDEST))
