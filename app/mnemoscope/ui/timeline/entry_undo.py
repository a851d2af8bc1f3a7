"""What of memory each entry's consolidation wrote can still be taken back, and what was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain.memory.change import MemoryChange, undone_changes
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.ui.dream.entry_words import Link
from mnemoscope.ui.timeline.words import tr


class TimelineUndo(QObject):
    """Offers nothing until it is told which changes are kept; nothing is told where the workspace is only read."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: frozenset[str] = frozenset()
        self._undone: Mapping[str, str] = {}
        self._is_past = False

    def show(self, changes: Sequence[MemoryChange]) -> None:
        """These changes of MEMORY.md are kept, oldest first."""
        kept, undone = frozenset(change.id for change in changes), undone_changes(changes)
        if (kept, undone) != (self._kept, self._undone):
            self._kept, self._undone = kept, undone
            self.changed.emit()

    def set_past(self, is_past: bool) -> None:
        """Whether a moment that is past is on show: there nothing is taken back."""
        self._is_past = is_past

    def is_undone(self, record: ConsolidationRecord) -> bool:
        """Whether what a consolidation wrote is taken back now."""
        return not self._is_past and record.transaction_id in self._undone

    def offer(self, record: ConsolidationRecord) -> Link | None:
        """What its card offers: to take back what it wrote to memory, or to bring that back."""
        if self._is_past or not record.memory_changed or record.transaction_id not in self._kept:
            return None
        return Link("redo", tr("Bring back")) if self.is_undone(record) else Link("undo", tr("Undo"))
