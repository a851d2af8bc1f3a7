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
_BUSY: Final = 500
"""New objects in a second. Where there are more, somebody types, reads on or is answered."""
QUIET_SECONDS: Final = 30
"""After so many seconds without work nobody is in the middle of something that a look through everything, some 60 ms,
would hold up: between two turns of a conversation a person reads for longer than a few seconds, and then types."""
_GROWTH: Final = 0.25
"""Everything is looked through once there is this much more of it."""
_MANY_OLD: Final = 10_000
"""So many old objects are looked through in some 3 ms."""
_TOO_MANY_OLD: Final = 20_000
"""So many take longer than a frame. They are what a window or a long conversation was opened with."""


class GarbageCollection(QObject):
    """Takes the place of Python's own collecting for as long as the process lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        # What is frozen is not looked through: what is loaded by now stays.
        gc.freeze()
        self._quiet_seconds = 0
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
            self._quiet_seconds = 0
            # What outlived one collection already is looked through once more, and no longer young then.
            gc.collect(1 if collected else 0)

    def collect_what_is_due(self) -> None:
        """Collects the generations that are due by Python's own rules, to be called each second.

        To look through all objects of a window takes longer than a frame. So many old ones are frozen, which leaves
        them out of the next looks, until everything is looked through in a quiet moment. Where a look through them
        would be felt itself, they are frozen unseen.
        """
        counts, thresholds = gc.get_count(), gc.get_threshold()
        self._quiet_seconds = 0 if counts[0] > _BUSY else self._quiet_seconds + 1
        due = [age for age, (count, threshold) in enumerate(zip(counts, thresholds, strict=True)) if count > threshold]
        if not due:
            return
        if due[-1] < _OLDEST:
            gc.collect(due[-1])
            return
        old = len(gc.get_objects(generation=_OLDEST))
        is_everything = self._quiet_seconds >= QUIET_SECONDS and old > _GROWTH * gc.get_freeze_count()
        if old > _TOO_MANY_OLD and not is_everything:
            gc.freeze()
            return
        if is_everything:
            gc.unfreeze()
        gc.collect()
        if is_everything or old > _MANY_OLD:
            gc.freeze()
