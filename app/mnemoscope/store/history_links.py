"""Which messages became which history entry."""

from __future__ import annotations

from collections.abc import Iterable

from mnemoscope.domain.trace import ConsolidationRecord
from mnemoscope.store.history_log import split_entries


class EntryLinks:
    """Finds the consolidation an entry came from by its number in the journal, else by its exact words; of several, the
    latest."""

    def __init__(self, records: Iterable[ConsolidationRecord] = ()) -> None:
        self._by_text: dict[str, ConsolidationRecord] = {}
        self._by_cursor: dict[int, ConsolidationRecord] = {}
        for record in records:
            if record.cursor is not None:
                self._by_cursor[record.cursor] = record
            # One answer may hold several dated paragraphs, and each of them is an entry of the log.
            for text in (_words(record.entry), *split_entries(record.entry)):
                self._by_text[text] = record

    def record_for(self, text: str, cursor: int | None = None) -> ConsolidationRecord | None:
        """The consolidation that wrote an entry, if it is known. `cursor`: its number in the journal."""
        words = _words(text)
        numbered = self._by_cursor.get(cursor) if cursor is not None else None
        # A journal begun anew counts from 1 again: the words have to be the same, too.
        if numbered is not None and _words(numbered.entry) == words:
            return numbered
        return self._by_text.get(words)


def _words(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
