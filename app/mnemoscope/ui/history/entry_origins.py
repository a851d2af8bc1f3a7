"""Where the entries that are shown came from, and which of them Dream has read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.memory.records import ConsolidationRecord, HistoryEntry
from mnemoscope.store.journals.entry_links import EntryLinks
from mnemoscope.store.search.history_query import HistoryMatch


class EntryOrigins(QObject):
    """Links entries to consolidations. Entries of the same words are told apart by those above them in the list."""

    changed = Signal()

    def __init__(self, shown: Callable[[], Sequence[HistoryMatch]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown = shown
        self.links = EntryLinks()
        self.reach: DreamReadIndex | None = None
        """How far Dream has read the journal; None outside the dream profile."""
        self.left_out: tuple[str, int] = ("", 0)
        """The words of the entry that was asked for, and how many newer ones of the same are not in the list."""

    def set_records(self, records: Sequence[ConsolidationRecord]) -> None:
        """The consolidations that entries came from, oldest first."""
        self.links = EntryLinks(records)
        self.changed.emit()

    def set_reach(self, reach: DreamReadIndex | None) -> None:
        """Which entries of the journal Dream has read; None outside the dream profile."""
        if reach != self.reach:
            self.reach = reach
            self.changed.emit()

    def record_of(self, entry: HistoryEntry) -> ConsolidationRecord | None:
        """The consolidation an entry came from, if it is known."""
        return self.links.record_for(entry.text, entry.cursor, self._newer_of_same_words(entry))

    def _newer_of_same_words(self, entry: HistoryEntry) -> int:
        """How many entries of the same log and the same words are newer; all of them match whatever this one does."""
        if not self.links.is_ambiguous(entry.text):
            return 0
        shown = (match.entry for match in self._shown())
        above = takewhile(lambda each: (each.source, each.number) != (entry.source, entry.number), shown)
        text, left_out = self.left_out
        same = sum(each.text == entry.text and each.source == entry.source for each in above)
        return same + (left_out if text == entry.text else 0)
