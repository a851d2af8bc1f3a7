"""One step of a transaction: a memory file from the text it had to the one it is to have, merged where it moved on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from mnemoscope.domain.errors import FileShared, StorageError, UnreadableFile
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryOrigin
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.merge.conflict_resolution import whole_passages
from mnemoscope.domain.merge.deletions import HeldBack
from mnemoscope.domain.merge.three_way import Conflict, Merge, merge_memory
from mnemoscope.memory.files.memory_files import Tended
from mnemoscope.store.files.atomic import digest, encode_text
from mnemoscope.store.memory.memory_file import MemoryMoved, MemoryText
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.transactions.intent import CONSOLIDATION, DREAM, RESTORE, Intent, TextEdit
from mnemoscope.store.transactions.ledger import Ledger

_TRIES: Final = 5
_SHOWN: Final = 120
_BY_A_MODEL: Final = {CONSOLIDATION: "consolidation", DREAM: "dream"}


@dataclass(frozen=True, slots=True)
class Written:
    """What a step left behind: the file's text where it changed, and what waits for the person."""

    text: MemoryText | None = None
    held: Suggestion | None = None


class TextStep:
    """Brings one file to what an intent says, once however often it is asked for. Blocks on the disk."""

    def __init__(self, tended: Tended, versions: TextVersions, ledger: Ledger) -> None:
        self._file, self._changes = tended.file, tended.changes
        self._versions, self._ledger = versions, ledger

    def apply(self, intent: Intent, edit: TextEdit, recommit: Callable[[str], None]) -> Written:
        """Write `edit.after`. `recommit` notes in the intent which merged text is about to be written. Raises
        StorageError."""
        for _ in range(_TRIES):
            try:
                return self._merge(intent, edit, recommit)
            except MemoryMoved:
                continue
            except (UnreadableFile, FileShared) as error:
                # What else the transaction does stands already: the new text waits rather than all of it.
                return Written(held=held_text(intent, edit, "", edit.after, error.sentence))
        raise StorageError(f"{self._changes.name} is being changed by another program without a pause.", id=intent.id)

    def _merge(self, intent: Intent, edit: TextEdit, recommit: Callable[[str], None]) -> Written:
        current = self._file.read()
        if self._changes.knows(intent.id):
            # Done before a crash: what the person took out since stays out.
            return Written(current)
        if not current.exists and edit.before_version:
            # A file that was removed is never resurrected.
            sentence = f"{self._changes.name} was removed in the meantime."
            return Written(held=held_text(intent, edit, "", edit.after, sentence))
        if digest(encode_text(current.text)) != digest(encode_text(edit.after)) and not edit.merged:
            self._changes.notice(current, before_writing=True)
        merge = merge_memory(edit.before, current.text, edit.after)
        is_personal = origin_of(intent).is_personal
        safe = HeldBack(merge.text) if is_personal else self._changes.hold_back(current.text, merge.text)
        written = current
        if digest(encode_text(current.text)) != edit.merged:
            if safe.text not in (current.text, edit.after):
                recommit(digest(encode_text(safe.text)))
            written = self._file.write(safe.text, based_on=current.version)
        self._versions.keep(written.text, written.version)
        held = self._conflicted(intent, edit, written.text, merge, safe)
        if held is not None:
            self._versions.keep_text(edit.after)
            self._ledger.hold(held)
        # What goes so that it can be dreamed again was not taken out by the person: Dream may write it once more.
        for_good = not (intent.kind == RESTORE and intent.sets)
        self._changes.note(intent.id, origin_of(intent), safe.text, written, for_good=for_good)
        return Written(written, held)

    def _conflicted(self, intent: Intent, edit: TextEdit, text: str, merge: Merge, safe: HeldBack) -> Suggestion | None:
        reasons = [_sentence(each) for each in merge.conflicts] + list(safe.reasons)
        if not reasons:
            return None
        conflicts = self._changes.attributed((*whole_passages(merge), *safe.conflicts), None, origin_of(intent))
        return replace(held_text(intent, edit, text, merge.proposed, *reasons), conflicts=conflicts)


def held_text(intent: Intent, edit: TextEdit, before: str, proposed: str, *reasons: str) -> Suggestion:
    """A text that waits for the person, under an id that is the same each time the intent is applied."""
    suggestion_id = intent.id
    if edit.path != MEMORY_PATH:
        suggestion_id = digest(encode_text(f"{intent.id} {edit.path}"))[:16]
    part = (intent.session_key, intent.start, intent.stop)
    return Suggestion(suggestion_id, intent.when, before, proposed, reasons, *part, path=edit.path)


def origin_of(intent: Intent) -> MemoryOrigin:
    """Whose change a transaction is."""
    if intent.kind not in _BY_A_MODEL:
        return MemoryOrigin(intent.origin_kind, intent.when, detail=intent.origin_detail)
    kind = _BY_A_MODEL[intent.kind]
    return MemoryOrigin(kind, intent.when, intent.session_key, intent.start, intent.stop, intent.id)


def _sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs).strip().partition("\n")[0]
    shown = line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
    return f"“{shown}” was changed by you and by the model; your text stands."
