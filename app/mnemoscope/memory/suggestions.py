"""Saving MEMORY.md: the person's text is never lost, and what they deleted no model brings back."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.conflict_text import passages, whole_passages
from mnemoscope.domain.deletions import HeldBack
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory_change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.merge import Conflict, Merge, is_rewrite, merge_memory
from mnemoscope.domain.trace import Suggestion
from mnemoscope.memory.memory_changes import MemoryChanges, same_text
from mnemoscope.store.ledger import Ledger
from mnemoscope.store.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.versions import Versions

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class MemorySaved:
    """What MEMORY.md says after a save. `merged`: it had moved on, and both changes are in `text`.

    `conflicts`: passages both sides changed; the person's stands in `text`, the other is among the suggestions.
    `held`: why nothing was written and the text waits among them, a sentence each.
    """

    text: str
    version: str
    merged: bool = False
    conflicts: tuple[Conflict, ...] = ()
    held: tuple[str, ...] = ()


Sides = tuple[MemoryOrigin | None, MemoryOrigin | None]


class MemoryEdits:
    """Writes to MEMORY.md that state what they were based on. Blocks on the disk."""

    def __init__(self, memory: MemoryFile, versions: Versions, ledger: Ledger, changes: MemoryChanges) -> None:
        self._memory = memory
        self._versions = versions
        self._ledger = ledger
        self._changes = changes

    def read(self, *, keep: bool = True) -> MemoryText:
        """The present text, kept as a base for later merges. Raises UnreadableFile."""
        found = self._memory.read()
        if keep and found.exists:
            # Reading must work on a full disk too; only a later merge is then poorer.
            with suppress(StorageError):
                self._changes.notice(found)
                self._versions.keep(found.text, found.version)
        return found

    def separate(self) -> None:
        """Part the file from its other names. Raises StorageError."""
        self._memory.separate()

    def overwrite(self, text: str) -> MemoryText:
        """Replace whatever is there; the text before stays among the versions."""
        for _ in range(_TRIES):
            with suppress(MemoryMoved):
                return self.write(text, self.read(), MemoryOrigin("editor", self._changes.now()))
        raise restless()

    def save(self, text: str, based_on: str | None, origin: MemoryOrigin) -> MemorySaved:
        """Save a text made from version `based_on`; merged three ways where the file moved on. Raises StorageError."""
        # On disk before anything else is tried: no crash takes it from here on.
        self._versions.keep_text(text)
        return self.save_over(text, based_on, self._versions.text(based_on), origin)

    def save_over(self, text: str, based_on: str | None, base: str | None, origin: MemoryOrigin) -> MemorySaved:
        """As `save`, with the text of the base at hand. Raises StorageError."""
        for _ in range(_TRIES):
            current = self.read()
            moved = current.exists and current.version != based_on
            merge = _merged(base if moved else current.text, text, current.text, personal=origin.is_personal)
            with suppress(MemoryMoved):
                return self.apply(merge, text, current, origin)
        raise restless()

    def apply(
        self, merge: Merge, wanted: str, current: MemoryText, origin: MemoryOrigin, *, sides: Sides | None = None
    ) -> MemorySaved:
        """Write the merge of `wanted` with `current`; what cannot be written becomes a suggestion.

        `sides`: where the merge's two texts came from, None for what the journal says. Raises MemoryMoved or
        StorageError.
        """
        safe = HeldBack(merge.text) if origin.is_personal else self._changes.hold_back(current.text, merge.text)
        # A conflict's other side is kept whole before anything is written.
        for text in (wanted, merge.proposed) if merge.conflicts or safe.conflicts else ():
            self._versions.keep_text(text)
        written = self.write(safe.text, current, origin)
        found = (*merge.conflicts, *safe.conflicts, *self._lost_in_the_moment(current.text, written.text, safe.text))
        if found:
            reasons = (*map(_sentence, merge.conflicts), *safe.reasons)
            sides = sides or ((origin, None) if origin.is_personal else (None, origin))
            conflicts = self._changes.attributed((*whole_passages(merge), *found[len(merge.conflicts) :]), *sides)
            self._hold(written.text, merge.proposed, reasons, conflicts, origin)
        return MemorySaved(written.text, written.version, not same_text(written.text, wanted), found)

    def write(self, text: str, current: MemoryText, origin: MemoryOrigin) -> MemoryText:
        """Replace `current`, and note whose change it was. Raises MemoryMoved or StorageError."""
        self._changes.notice(current, before_writing=True)
        written = self._memory.write(text, based_on=current.version)
        self._versions.keep(written.text, written.version)
        self._changes.note(secrets.token_hex(8), origin, text, written)
        return written

    def _lost_in_the_moment(self, before: str, written: str, wanted: str) -> tuple[Conflict, ...]:
        """Where another program wrote in the very moment of writing and its lines stand: what was to be written."""
        return () if same_text(written, wanted) else merge_memory(before, written, wanted, rewrites=True).conflicts

    def hold(self, before: str, proposed: str, reasons: Iterable[str], origin: MemoryOrigin) -> None:
        """Keep a model's text for the person, passage by passage. Raises StorageError."""
        reasons = (*reasons, *self._changes.hold_back(before, proposed).reasons)
        self._hold(
            before, proposed, reasons, self._changes.attributed(passages(before, proposed), None, origin), origin
        )

    def _hold(
        self,
        before: str,
        proposed: str,
        reasons: Iterable[str],
        conflicts: tuple[MemoryConflict, ...],
        origin: MemoryOrigin,
    ) -> None:
        part = (origin.session_key, origin.start, origin.stop)
        when, told = self._changes.now(), tuple(dict.fromkeys(reasons))
        self._ledger.hold(Suggestion(secrets.token_hex(8), when, before, proposed, told, *part, conflicts))


def _merged(base: str | None, text: str, current: str, *, personal: bool) -> Merge:
    if personal:
        return Merge(text, text) if base == current else merge_memory(base, text, current)
    if base == current and is_rewrite(current, text):
        return Merge(current, text, (Conflict(current, current, text),))
    return merge_memory(base, current, text)


def _sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs or conflict.ours).strip().partition("\n")[0][:120]
    return f"“{line}” was changed on both sides; your text stands."


def restless() -> StorageError:
    """Another program writes all the time."""
    return StorageError("MEMORY.md is being changed by another program without a pause.")
