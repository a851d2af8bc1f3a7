"""A history search on its worker thread, heard as signals on the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, Signal

from mnemoscope.store.search.worker import LogQuestions


class HistorySearchSignals(QObject):
    """Hands answers of an `LogQuestions` to slots; cancelled ones are not heard of."""

    changed = Signal()
    """Entries came or went, or were read for the first time."""
    _arrived = Signal(object, object)

    def __init__(self, search: LogQuestions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.search = search
        self._deaf = False
        self._arrived.connect(self._deliver)
        self._unsubscribe = search.subscribe(lambda _state: self._emit(self.changed.emit))

    def ask(
        self,
        future: Future[Any],
        answered: Callable[[Any], object],
        failed: Callable[[BaseException], object] | None = None,
    ) -> None:
        """Call `answered` with the result, or `failed` with what was raised, on this object's thread."""
        future.add_done_callback(lambda done: self._emit(lambda: self._arrived.emit(done, (answered, failed))))

    def stop(self) -> None:
        """Hear nothing more."""
        self._deaf = True
        self._unsubscribe()

    def _emit(self, emit: Callable[[], None]) -> None:
        """Called on the worker thread."""
        if not self._deaf:
            # The window may be gone by now; then nobody waits for this.
            with suppress(RuntimeError):
                emit()

    def _deliver(
        self,
        future: Future[Any],
        slots: tuple[Callable[[Any], object], Callable[[BaseException], object] | None],
    ) -> None:
        if self._deaf or future.cancelled():
            return
        answered, failed = slots
        error = future.exception()
        if error is None:
            answered(future.result())
        elif failed is not None:
            failed(error)
        else:
            raise error
