"""Runs a timeline's filter between the window's other work, newest messages first."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.timeline.row_filter import RoleFilter, RowFilter, scan_span
from mnemoscope.ui.timeline.row_facts import FactReader

BUDGET_MS: Final = 6
"""How long the window may be kept from its other work at a time."""
CHUNK: Final = 8192


class FilterScan(QObject):
    """Collects the indices a filter lists as ascending chunks, newest chunk first."""

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count = 0
        self._chunks: list[Sequence[int]] = []
        self._newest = array("Q")
        self._steps: Iterator[array[int]] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Returns whether older messages are still to be looked at."""
        return self._timer.isActive()

    def start(self, reader: FactReader, spans: Sequence[Sequence[int]], chosen: RowFilter) -> None:
        """Begin anew. A filter that asks for no role is done at once: its spans are its matches."""
        self.stop()
        if chosen.role is RoleFilter.ALL:
            self._chunks = [part for part in spans if part]
            self.count = sum(map(len, self._chunks))
            return
        self._steps = (step for part in spans for step in scan_span(reader.messages, reader.offset, part, chosen))
        self._timer.start()
        self._go_on()

    def stop(self) -> None:
        """Forget everything."""
        self._timer.stop()
        self._steps = None
        self.count = 0
        self._chunks = []
        self._newest = array("Q")

    def add(self, index: int, message: Message, chosen: RowFilter) -> None:
        """A message came at the end of the session: list it too where the filter asks for it."""
        if chosen.accepts(message):
            self._newest.append(index)
            self.count += 1

    def chunks(self) -> list[Sequence[int]]:
        """Returns what was found so far, ascending."""
        return [*reversed(self._chunks), self._newest]

    def _go_on(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        before = self.count
        while self._steps is not None and clock.elapsed() < BUDGET_MS:
            step = next(self._steps, None)
            if step is None:
                self._timer.stop()
                self._steps = None
            elif step:
                self._take(step)
        if self.count != before or not self.busy:
            self.found.emit()

    def _take(self, step: array[int]) -> None:
        self.count += len(step)
        oldest = self._chunks[-1] if self._chunks else None
        if isinstance(oldest, array) and len(oldest) < CHUNK:
            self._chunks[-1] = step + oldest
        else:
            self._chunks.append(step)
