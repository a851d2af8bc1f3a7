"""Tells from the ledger which entries of the history are corrected, and what consolidations wrote as it reads now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mnemoscope.domain.memory.journal_entry import encode_entry
from mnemoscope.store.files.atomic import encode_text
from mnemoscope.store.logs.standing_entries import StandingEntry
from mnemoscope.store.transactions.intent import EntryEdit, Intent


@dataclass(frozen=True, slots=True)
class EntryCorrection:
    """Describes a correction of an entry that stands: its id, its time, and the words before it."""

    id: str
    when: str
    edit: EntryEdit

    @property
    def former(self) -> str:
        """Returns the words that the entry had."""
        return entry_words(self.edit.path, self.edit.before)


def standing_corrections(intents: Iterable[Intent]) -> dict[tuple[str, str], EntryCorrection]:
    """Returns, of the corrections in a ledger, oldest first, the newest that stands of each entry, by the log and all
    bytes of the entry as they are since. What was taken back stands no more, and the one before it does again."""
    chains: dict[tuple[str, str], tuple[EntryCorrection, ...]] = {}
    for intent in intents:
        for edit in intent.corrections:
            chain = chains.pop((edit.path, edit.before), ())
            is_undo = intent.origin_kind == "undo"
            chain = chain[:-1] if is_undo else (*chain, EntryCorrection(intent.id, intent.when, edit))
            if chain:
                chains[edit.path, edit.after] = chain
    return {entry: chain[-1] for entry, chain in chains.items()}


def as_corrected(intent: Intent, edits: Sequence[EntryEdit]) -> Intent:
    """Returns a consolidation with the entry that it wrote as these edits, the oldest first, left it."""
    for edit in edits:
        intent = _corrected(intent, edit)
    return intent


def edits_by_record(intents: Iterable[Intent]) -> Mapping[str, list[EntryEdit]]:
    """Returns what became of entries in the transactions of a ledger, oldest first, by the consolidation that wrote
    them: corrections, and what else gave them other words."""
    found: dict[str, list[EntryEdit]] = {}
    ordered = sorted((each for each in intents if each.corrections or each.rewordings), key=lambda each: each.when)
    for edit in (edit for intent in ordered for edit in (*intent.corrections, *intent.rewordings) if edit.record):
        found.setdefault(edit.record, []).append(edit)
    return found


def _corrected(intent: Intent, edit: EntryEdit) -> Intent:
    before, after = edit.before.strip(), edit.after.strip()
    if before in intent.history_entry:
        return replace(intent, history_entry=intent.history_entry.replace(before, after, 1))
    # The way to Dream, or back, took the entry to the other log, which has its words in another form.
    before, after = entry_words(edit.path, edit.before), entry_words(edit.path, edit.after)
    if (entry := intent.journal_entry) is not None:
        entry = replace(entry, content=entry.content.replace(before, after, 1))
        return replace(intent, history_entry=f"{encode_entry(entry)}\n")
    return replace(intent, history_entry=intent.history_entry.replace(before, after, 1))


def entry_words(path: str, raw: str) -> str:
    """Returns the words of an entry of which these are all bytes; "" where they are no entry."""
    return StandingEntry(path, 0, encode_text(raw), "", "").words or ""
