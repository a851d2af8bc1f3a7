"""Links each history entry to the messages that became it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.history_entries import bare_words, split_entries, stamp_length


class EntryLinks:
    """Finds the consolidation an entry came from by its number in the journal, else by its exact words, also where the
    way to Dream, or the way back, took it to the other log.

    Entries of the same words are told apart by their order, counted from the newest: the log may have lost its
    beginning, and only its end may be read so far.
    """

    def __init__(self, records: Iterable[ConsolidationRecord] = ()) -> None:
        """`records`: oldest first, as the ledger has them."""
        self._by_text: defaultdict[str, list[ConsolidationRecord]] = defaultdict(list)
        self._by_bare_words: defaultdict[tuple[bool, str], list[ConsolidationRecord]] = defaultdict(list)
        """By whether they bear a date, and their words without it."""
        self._by_cursor: dict[int, ConsolidationRecord] = {}
        for record in records:
            if record.cursor is not None:
                self._by_cursor[record.cursor] = record
            words, parts = _words(record.entry), split_entries(record.entry)
            # One answer may hold several dated paragraphs, and each of them is an entry of the log.
            for text in parts if words in parts else [words, *parts]:
                self._by_text[text].append(record)
                self._by_bare_words[bool(stamp_length(text)), bare_words(text)].append(record)

    def record_for(self, text: str, cursor: int | None = None, newer: int = 0) -> ConsolidationRecord | None:
        """Returns the consolidation that wrote an entry, if it is known.

        `cursor`: its number in the journal. `newer`: how many entries of the same words come after it in the log.
        """
        words = _words(text)
        numbered = self._by_cursor.get(cursor) if cursor is not None else None
        # A journal begun anew counts from 1 again: the words have to be the same, too.
        if numbered is not None and _words(numbered.entry) == words:
            return numbered
        found = self._found(words)
        return found[-1 - newer] if newer < len(found) else None

    def is_ambiguous(self, text: str) -> bool:
        """Returns whether several consolidations wrote these words, so that the order of their entries decides."""
        return len(self._found(_words(text))) > 1

    def _found(self, words: str) -> Sequence[ConsolidationRecord]:
        """Returns those of these words; else those whose entry went to the other log, which keeps its date in another
        place."""
        bare = (not stamp_length(words), bare_words(words))
        return self._by_text.get(words) or self._by_bare_words.get(bare) or ()

    def newer_than(self, record: ConsolidationRecord) -> int:
        """Returns how many consolidations after this one wrote the same words; 0 where it is not known."""
        found = self._by_text.get(_words(record.entry), [])
        names = [each.transaction_id for each in reversed(found)]
        return names.index(record.transaction_id) if record.transaction_id in names else 0


def _words(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
