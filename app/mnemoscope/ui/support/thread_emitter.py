"""Signals of a Qt object, emitted from another thread than the object's own."""

from __future__ import annotations

from contextlib import suppress
from threading import RLock

from PySide6.QtCore import QObject, SignalInstance


class ThreadEmitter:
    """Emits signals of one object from any thread, and never while that object is being destroyed.

    Without it a thread may be within `emit` while the window's thread frees the object, which ends the program.
    """

    def __init__(self, owner: QObject) -> None:
        self.is_stopped = False
        """Whether nothing is emitted any more."""
        self._emitting = RLock()
        owner.destroyed.connect(self.stop)

    def emit(self, signal: SignalInstance, *values: object) -> None:
        """Emits a signal of the object, unless it was stopped. To be called on any thread."""
        with self._emitting:
            if not self.is_stopped:
                # PySide raises where the object's destruction has begun and has not called `stop` yet.
                with suppress(RuntimeError):
                    signal.emit(*values)

    def stop(self) -> None:
        """Emits nothing more, and waits for what is being emitted; the object's destruction calls it."""
        # First, as a thread that announces again and again may take the lock many times before this one has it.
        self.is_stopped = True
        with self._emitting:
            pass
