"""Saving MEMORY.md, and settling what was held: the person's text is never lost, and what was shown is written."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.merge import Conflict, Merge, merge_memory
from mnemoscope.domain.trace import Suggestion
from mnemoscope.store.ledger import Ledger
from mnemoscope.store.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.versions import Versions

PERSONAL: Final = frozenset({"editor", "restore", "outside"})
"""Origins whose text is the person's own, so that it wins where two changes meet."""
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class MemorySaved:
    """What MEMORY.md says after a save. `merged`: it had moved on, and both changes are in `text`.

    `conflicts`: passages both sides changed; the person's stands in `text`, the other is among the suggestions.
    """

    text: str
    version: str
    merged: bool = False
    conflicts: tuple[Conflict, ...] = ()


class MemoryEdits:
    """Writes to MEMORY.md that state what they were based on. Blocks on the disk."""

    def __init__(
        self, memory: MemoryFile, versions: Versions, ledger: Ledger, *, clock: Callable[[], datetime] = datetime.now
    ) -> None:
        self._memory = memory
        self._versions = versions
        self._ledger = ledger
        self._clock = clock

    def read(self, *, keep: bool = True) -> MemoryText:
        """The present text, kept as a base for later merges. Raises UnreadableFile."""
        found = self._memory.read()
        if keep and found.exists:
            # Reading must work on a full disk too; only a later merge is then poorer.
            with suppress(StorageError):
                self._versions.keep(found.text, found.version)
        return found

    def separate(self) -> None:
        """Part the file from its other names. Raises StorageError."""
        self._memory.separate()

    def overwrite(self, text: str) -> MemoryText:
        """Replace whatever is there; the text before stays among the versions."""
        with suppress(StorageError):
            self.read()
        return self._write(text, None)

    def save(self, text: str, based_on: str | None, origin: str) -> MemorySaved:
        """Save a text made from version `based_on`; merged three ways where the file moved on. Raises StorageError."""
        # On disk before anything else is tried: no crash takes it from here on.
        self._versions.keep_text(text)
        return self._save(text, based_on, self._versions.text(based_on), personal=origin in PERSONAL)

    def settle(self, suggestion_id: str, decision: str, text: str | None = None) -> MemorySaved:
        """Accept, edit or reject a suggestion; `text` is what the person was shown (accept) or wrote (edit).

        Accepting writes exactly that text where MEMORY.md is as the suggestion knew it. Where the person changed the
        same passage since, nothing is written: the suggestion is brought up to date to be looked at again, and the
        conflicts are returned. Raises StorageError for an unknown suggestion.
        """
        suggestion = self._suggestion(suggestion_id)
        if decision == "reject":
            current = self.read()
            saved = MemorySaved(current.text, current.version)
        elif decision == "edit" and text is not None:
            saved = self._save(text, None, suggestion.before, personal=True)
        elif decision in ("accept", "edit"):
            accepted = self._accept(replace(suggestion, proposed=suggestion.proposed if text is None else text))
            if accepted.conflicts:
                return accepted
            saved = accepted
        else:
            raise StorageError(f"A suggestion can be accepted, edited or rejected, not “{decision}”.")
        self._ledger.settle(suggestion_id, decision)
        return saved

    def _accept(self, suggestion: Suggestion) -> MemorySaved:
        for _ in range(_TRIES):
            current = self.read()
            merge = merge_memory(suggestion.before, current.text, suggestion.proposed)
            if merge.conflicts:
                self._ledger.hold(replace(suggestion, before=current.text, proposed=merge.proposed))
                return MemorySaved(current.text, current.version, conflicts=merge.conflicts)
            with suppress(MemoryMoved):
                written = self._write(merge.text, current.version)
                return MemorySaved(written.text, written.version, merged=merge.text != suggestion.proposed)
        raise _restless()

    def _save(self, text: str, based_on: str | None, base: str | None, *, personal: bool) -> MemorySaved:
        for _ in range(_TRIES):
            current = self.read()
            moved = current.version != based_on
            merge = (
                _merged(base, text, current.text, personal=personal) if moved and current.exists else Merge(text, text)
            )
            with suppress(MemoryMoved):
                written = self._write(merge.text, current.version)
                if merge.conflicts:
                    self._ledger.hold(self._conflict(written.text, merge))
                return MemorySaved(written.text, written.version, not _same(written.text, text), merge.conflicts)
        raise _restless()

    def _write(self, text: str, based_on: str | None) -> MemoryText:
        written = self._memory.write(text, based_on=based_on)
        self._versions.keep(written.text, written.version)
        return written

    def _conflict(self, before: str, merge: Merge) -> Suggestion:
        reasons = tuple(_sentence(conflict) for conflict in merge.conflicts)
        when = self._clock().isoformat()
        return Suggestion(secrets.token_hex(8), when, before, merge.proposed, reasons, "", 0, 0)

    def _suggestion(self, suggestion_id: str) -> Suggestion:
        for suggestion in self._ledger.suggestions():
            if suggestion.id == suggestion_id:
                return suggestion
        raise StorageError("This suggestion was settled already.", next_step="", id=suggestion_id)


def _merged(base: str | None, text: str, current: str, *, personal: bool) -> Merge:
    return merge_memory(base, text, current) if personal else merge_memory(base, current, text)


def _same(one: str, other: str) -> bool:
    """Whether two texts differ in their line ends at most: those are the file's own."""
    return one.replace("\r\n", "\n") == other.replace("\r\n", "\n")


def _sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs or conflict.ours).strip().partition("\n")[0][:120]
    return f"“{line}” was changed on both sides; your text stands."


def _restless() -> StorageError:
    return StorageError("MEMORY.md is being changed by another program without a pause.")
