"""Gives the links by which the card of a history entry is followed to memory, or taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.memory.change import MemoryChange, undone_changes
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.ui.dream.entry_words import EntryLink, links_of_entry
from mnemoscope.ui.timeline.words import tr


class CardLinks:
    """Offers nothing until it is told how far Dream has read and which changes of memory are kept."""

    def __init__(self) -> None:
        self.reach: DreamReadIndex | None = None
        """How far Dream has read; None outside the dream profile."""
        self.is_past = False
        """Whether a moment that is past is on show: there nothing is taken back."""
        self._kept: frozenset[str] = frozenset()
        self._undone: Mapping[str, str] = {}

    def set_changes(self, changes: Sequence[MemoryChange]) -> bool:
        """Take over which changes of MEMORY.md are kept, oldest first; returns whether that is news."""
        kept, undone = frozenset(change.id for change in changes), undone_changes(changes)
        if (kept, undone) == (self._kept, self._undone):
            return False
        self._kept, self._undone = kept, undone
        return True

    def chain(self, record: ConsolidationRecord) -> tuple[EntryLink, ...]:
        """Returns the way of an entry since it was written; nothing for one that is in no journal."""
        if self.reach is None or record.cursor is None:
            return ()
        return links_of_entry(self.reach, record.cursor, date.today())

    def is_undone(self, record: ConsolidationRecord) -> bool:
        """Returns whether what a consolidation wrote is taken back now."""
        return not self.is_past and record.transaction_id in self._undone

    def undo_offer(self, record: ConsolidationRecord) -> EntryLink | None:
        """Returns the link that takes back what a consolidation wrote to memory, or the one that brings it back."""
        if self.is_past or not record.memory_changed or record.transaction_id not in self._kept:
            return None
        return EntryLink("redo", tr("Bring back")) if self.is_undone(record) else EntryLink("undo", tr("Undo"))
