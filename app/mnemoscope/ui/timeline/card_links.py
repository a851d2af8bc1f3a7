"""Gives the links by which the card of a history entry is followed to memory, or taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import FactOutcomes, FactsOutcome, Outcome, SuggestionStates
from mnemoscope.ui.dream.entry_words import EntryLink, links_of_entry
from mnemoscope.ui.timeline.timeline_words import tr

_IN_MEMORY: Final = frozenset({Outcome.IN_MEMORY, Outcome.ACCEPTED, Outcome.PARTLY, Outcome.EDITED})


class CardLinks:
    """Offers nothing until it is told how far Dream has read and which changes of memory are kept."""

    def __init__(self) -> None:
        self.reach: DreamReadIndex | None = None
        """The index of the journal's entries that Dream has read; None outside the dream profile."""
        self.is_past = False
        """Whether a moment that is past is on show: there nothing is taken back."""
        self.is_read_only = False
        """Whether the workspace is only looked at: there neither."""
        self._changes: Sequence[MemoryChange] = ()
        self._memory: str | None = None
        self._suggestions = SuggestionStates()
        self._outcomes = FactOutcomes()
        self._kept: frozenset[str] = frozenset()

    def set_changes(self, changes: Sequence[MemoryChange], memory: str | None) -> bool:
        """Takes over which changes of MEMORY.md are kept, oldest first, and what it says now, None if that is not
        known; returns whether that is news."""
        if list(changes) == list(self._changes) and memory == self._memory:
            return False
        self._changes = list(changes)
        self._memory = memory
        self._kept = frozenset(change.id for change in changes)
        self._outcomes = FactOutcomes(self._changes, self._suggestions, memory=memory)
        return True

    def set_suggestions(self, suggestions: SuggestionStates) -> bool:
        """Takes over which suggestions wait and how the others were decided; returns whether that is news."""
        if suggestions == self._suggestions:
            return False
        self._suggestions = suggestions
        self._outcomes = FactOutcomes(self._changes, suggestions, memory=self._memory)
        return True

    def outcome(self, record: ConsolidationRecord) -> FactsOutcome | None:
        """Returns what became of a consolidation's facts; None where there is nothing to tell, or in the past."""
        return None if self.is_past else self._outcomes.of(record)

    def chain(self, record: ConsolidationRecord) -> tuple[EntryLink, ...]:
        """Returns the way of an entry since it was written; nothing for one that is in no journal."""
        if self.reach is None or record.cursor is None:
            return ()
        return links_of_entry(self.reach, record.cursor, date.today())

    def is_undone(self, record: ConsolidationRecord) -> bool:
        """Returns whether what a consolidation wrote is taken back now."""
        found = self.outcome(record)
        return found is not None and found.outcome is Outcome.UNDONE and found.change_id == record.transaction_id

    def facts_offer(self, record: ConsolidationRecord) -> EntryLink | None:
        """Returns the link that marks in memory the facts a consolidation added; None where it added none, or where
        they are not in memory now."""
        found = self.outcome(record)
        if not record.facts_added or (found is not None and found.outcome not in _IN_MEMORY):
            return None
        if not self._outcomes.says_any(record):
            return None
        return None if self.is_past else EntryLink("facts", tr("Show its facts in memory"))

    def undo_offer(self, record: ConsolidationRecord) -> EntryLink | None:
        """Returns the link that takes back what a consolidation wrote to memory, or the one that brings it back."""
        if self.is_past or self.is_read_only or not record.memory_changed or record.transaction_id not in self._kept:
            return None
        found = self.outcome(record)
        if found is not None and found.outcome is Outcome.GONE and not record.facts_removed:
            return None
        return EntryLink("redo", tr("Bring back")) if self.is_undone(record) else EntryLink("undo", tr("Undo"))
