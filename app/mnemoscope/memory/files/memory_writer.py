"""Saving a memory file: the person's text is never lost, and what they deleted no model brings back."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.memory.files.memory_changes import MemoryChanges, same_text
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.memory.suggestion_file import encode_suggestion
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.transactions.intent import EDIT, RESTORE, REVIEW, Intent, TextEdit, with_facts
from mnemoscope.store.transactions.ledger import Ledger

if TYPE_CHECKING:
    from mnemoscope.domain.merge.deletions import HeldBack
    from mnemoscope.domain.merge.three_way import Conflict, Merge

_ALWAYS_WHOLE: Final = frozenset({"restore", "undo", "review"})
"""Origins whose writes are always a transaction of their own, which the ledger keeps."""
_KINDS: Final = {"restore": RESTORE, "undo": RESTORE, "review": REVIEW}
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
    change_id: str = ""
    """The change that a model's text made, "" where it made none."""


@dataclass(frozen=True, slots=True)
class Along:
    """What happens in one transaction with a write: a suggestion is closed with an `outcome`, others begin to wait."""

    settles: str = ""
    outcome: str = ""
    holds: tuple[Suggestion, ...] = ()


Sides = tuple[MemoryOrigin | None, MemoryOrigin | None]


class MemoryWriter:
    """Writes to one memory file that state what they were based on. Blocks on the disk."""

    def __init__(
        self,
        memory: MemoryFile,
        versions: TextVersions,
        ledger: Ledger,
        changes: MemoryChanges,
        *,
        finish_pending: Callable[[], object] = lambda: None,
    ) -> None:
        self._finish_pending = finish_pending
        """Rolls forward what a crash left: before every transaction."""
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
        raise restless(self._changes.name)

    def save(self, text: str, based_on: str | None, origin: MemoryOrigin) -> MemorySaved:
        """Save a text made from version `based_on`; merged three ways where the file moved on. Raises StorageError."""
        # On disk before anything else is tried: no crash takes it from here on.
        self._versions.keep_text(text)
        return self.save_over(text, based_on, self._versions.text(based_on), origin)

    def save_over(
        self, text: str, based_on: str | None, base: str | None, origin: MemoryOrigin, along: Along | None = None
    ) -> MemorySaved:
        """As `save`, with the text of the base at hand. Raises StorageError."""
        for _ in range(_TRIES):
            current = self.read()
            moved = current.exists and current.version != based_on
            merge = _merged(base if moved else current.text, text, current.text, personal=origin.is_personal)
            with suppress(MemoryMoved):
                return self.apply(merge, text, current, origin, along=along)
        raise restless(self._changes.name)

    def apply(
        self,
        merge: Merge,
        wanted: str,
        current: MemoryText,
        origin: MemoryOrigin,
        *,
        sides: Sides | None = None,
        along: Along | None = None,
    ) -> MemorySaved:
        """Write the merge of `wanted` with `current`; what cannot be written becomes a suggestion.

        `sides`: where the merge's two texts came from, None for what the journal says. Raises MemoryMoved or
        StorageError.
        """
        from mnemoscope.domain.merge.deletions import HeldBack

        safe = HeldBack(merge.text) if origin.is_personal else self._changes.hold_back(current.text, merge.text)
        # A conflict's other side is kept whole before anything is written.
        for text in (wanted, merge.proposed) if merge.conflicts or safe.conflicts else ():
            self._versions.keep_text(text)
        sides = sides or ((origin, None) if origin.is_personal else (None, origin))
        found = (*merge.conflicts, *safe.conflicts)
        held = self._held(safe, merge, found, origin, sides) if found else None
        if held is not None:
            along = replace(along or Along(), holds=(held,))
        if origin.kind in _ALWAYS_WHOLE:
            along = along or Along()
        written = self.write(safe.text, current, origin, along)
        lost = self._lost_in_the_moment(current.text, written.text, safe.text)
        if lost:
            again = self._held(replace(safe, text=written.text), merge, (*found, *lost), origin, sides)
            self._ledger.hold(replace(again, id=held.id) if held else again)
        return MemorySaved(written.text, written.version, not same_text(written.text, wanted), (*found, *lost))

    def write(self, text: str, current: MemoryText, origin: MemoryOrigin, along: Along | None = None) -> MemoryText:
        """Replace `current`, and note whose change it was; with `along` as one transaction, which a crash cannot halve.

        Raises MemoryMoved or StorageError, with nothing done.
        """
        if along is not None:
            self._finish_pending()
            if (found := self._memory.read()).version != current.version:
                raise MemoryMoved(found)
        self._changes.notice(current, before_writing=True)
        change_id = secrets.token_hex(8)
        intent = None if along is None else self._commit(change_id, text, current, origin, along)
        try:
            written = self._memory.write(text, based_on=current.version)
        except StorageError as error:
            if intent is not None and (isinstance(error, MemoryMoved) or not self._stands(text)):
                self._ledger.drop()
            raise
        self._versions.keep(written.text, written.version)
        self._changes.note(change_id, origin, text, written)
        if intent is not None and along is not None:
            self._finish(intent, along)
        return written

    def _stands(self, text: str) -> bool:
        """Whether the file says it though writing failed: then what belongs to it is done by the next recovery."""
        with suppress(StorageError):
            return same_text(self._memory.read().text, text)
        return False

    def _commit(self, change_id: str, text: str, current: MemoryText, origin: MemoryOrigin, along: Along) -> Intent:
        self._versions.keep(current.text, current.version)
        intent = Intent.of_kind(
            _KINDS.get(origin.kind, EDIT),
            workspace_id=self._ledger.workspace_id(),
            when=origin.when,
            id=change_id,
            **self._texts(current, text),
            settles=(along.settles,) if along.settles else (),
            outcome=along.outcome,
            holds=tuple(encode_suggestion(each).decode("utf-8") for each in along.holds),
            origin_kind=origin.kind,
            origin_detail=origin.detail,
        )
        self._ledger.commit(with_facts(intent))
        return intent

    def _texts(self, current: MemoryText, text: str) -> dict[str, Any]:
        if self._changes.path != MEMORY_PATH:
            return {"edits": (TextEdit(self._changes.path, current.text, current.version, text),)}
        return {"memory_before": current.text, "memory_before_version": current.version, "memory_after": text}

    def _finish(self, intent: Intent, along: Along) -> None:
        for suggestion in along.holds:
            self._ledger.hold(suggestion)
        if along.settles:
            self._ledger.settle(along.settles, along.outcome)
        self._ledger.finish(intent)

    def _held(
        self, safe: HeldBack, merge: Merge, found: tuple[Conflict, ...], origin: MemoryOrigin, sides: Sides
    ) -> Suggestion:
        from mnemoscope.domain.merge.conflict_resolution import whole_passages

        reasons = (*map(_sentence, merge.conflicts), *safe.reasons)
        conflicts = self._changes.attributed((*whole_passages(merge), *found[len(merge.conflicts) :]), *sides)
        return self._suggestion(safe.text, merge.proposed, reasons, conflicts, origin)

    def _lost_in_the_moment(self, before: str, written: str, wanted: str) -> tuple[Conflict, ...]:
        """Where another program wrote in the very moment of writing and its lines stand: what was to be written."""
        from mnemoscope.domain.merge.three_way import merge_memory

        return () if same_text(written, wanted) else merge_memory(before, written, wanted, rewrites=True).conflicts

    def hold(self, before: str, proposed: str, reasons: Iterable[str], origin: MemoryOrigin) -> None:
        """Keep a model's text for the person, passage by passage. Raises StorageError."""
        from mnemoscope.domain.merge.conflict_resolution import passages

        reasons = (*reasons, *self._changes.hold_back(before, proposed).reasons)
        conflicts = self._changes.attributed(passages(before, proposed), None, origin)
        self._ledger.hold(self._suggestion(before, proposed, reasons, conflicts, origin))

    def _suggestion(
        self,
        before: str,
        proposed: str,
        reasons: Iterable[str],
        conflicts: tuple[MemoryConflict, ...],
        origin: MemoryOrigin,
    ) -> Suggestion:
        part = (origin.session_key, origin.start, origin.stop)
        when, told = self._changes.now(), tuple(dict.fromkeys(reasons))
        path = self._changes.path
        return Suggestion(secrets.token_hex(8), when, before, proposed, told, *part, conflicts, path)


def _merged(base: str | None, text: str, current: str, *, personal: bool) -> Merge:
    from mnemoscope.domain.merge.three_way import Conflict, Merge, is_rewrite, merge_memory

    if personal:
        return Merge(text, text) if base == current else merge_memory(base, text, current)
    if base == current and is_rewrite(current, text):
        return Merge(current, text, (Conflict(current, current, text),))
    return merge_memory(base, current, text)


def _sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs or conflict.ours).strip().partition("\n")[0][:120]
    return f"“{line}” was changed on both sides; your text stands."


def restless(name: str) -> StorageError:
    """Another program writes all the time."""
    return StorageError(f"{name} is being changed by another program without a pause.")
