"""Which messages became which history entry."""

from __future__ import annotations

from collections.abc import Iterable

from mnemoscope.domain.trace import ConsolidationRecord
from mnemoscope.store.history_log import split_entries


class EntryLinks:
    """Finds the consolidation an entry came from by the entry's exact words; of several, the latest."""

    def __init__(self, records: Iterable[ConsolidationRecord] = ()) -> None:
        self._by_text: dict[str, ConsolidationRecord] = {}
        for record in records:
            # One answer may hold several dated paragraphs, and each of them is an entry of the log.
            for text in (_words(record.entry), *split_entries(record.entry)):
                self._by_text[text] = record

    def record_for(self, text: str) -> ConsolidationRecord | None:
        """The consolidation that wrote an entry, if it is known."""
        return self._by_text.get(_words(text)) if self._by_text else None


def _words(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
