"""The person's word on what was held, and on what was written: settling suggestions, taking a change of memory back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from mnemoscope.domain.errors import ApprovalMoved, StorageError
from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.merge.conflict_resolution import (
    Side,
    changed_passages,
    settle_conflict,
    whole_passages,
    write_instead,
)
from mnemoscope.domain.merge.three_way import Conflict, Merge, merge_memory
from mnemoscope.memory.files.memory_writer import Along, MemorySaved, MemoryWriter, keeps_changing
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.memory.memory_file import MemoryMoved
from mnemoscope.store.transactions.ledger import Ledger

_TRIES: Final = 5
_SIDES: Final[dict[str, Side]] = {"mine": "mine", "theirs": "theirs", "both": "both"}


class SuggestionResolver:
    """Carries out what the person decided about one memory file. Blocks on the disk."""

    def __init__(self, writer: MemoryWriter, ledger: Ledger) -> None:
        self._writer = writer
        self._changes = writer.changes
        self._ledger = ledger

    def settle(self, suggestion_id: str, decision: str, text: str | None = None, shown: str = "") -> MemorySaved:
        """Accepts, edits or rejects a suggestion; `text` is what the person was shown (accept) or wrote (edit).

        An acceptance is good for the very bytes that were shown: `text`, or what has the SHA-256 `shown`, or else the
        text proposed. Where something else would be written now, because the file or the suggestion moved on, nothing
        is: the suggestion is brought up to date, and ApprovalMoved is raised, or the conflicts are returned where both
        changed the same. Raises StorageError for an unknown suggestion.
        """
        suggestion = self._suggestion(suggestion_id)
        if decision == "reject":
            saved = self._current_state()
        elif decision == "edit" and text is not None:
            origin = self._origin("review", suggestion_id)
            saved = self._writer.save_over(text, None, suggestion.before, origin, Along(suggestion_id, decision))
        elif decision in ("accept", "edit"):
            approved = shown or digest_of(encode_text(suggestion.proposed if text is None else text))
            saved = self._accept(suggestion, approved, decision)
            if saved.conflicts:
                return saved
        else:
            raise StorageError(f"A suggestion can be accepted, edited or rejected, not “{decision}”.")
        self._ledger.settle(suggestion_id, decision)
        return saved

    def settle_conflict(self, suggestion_id: str, number: int, choice: str, text: str = "") -> MemorySaved:
        """Settles one passage of a suggestion: `mine`, `theirs`, `both`, or `edit` with the passage as `text`.

        The suggestion waits with what is left of it, and is closed with its last passage. Where the passage is not in
        memory any more as it was shown, nothing is written and the conflict is returned, brought up to date. Raises
        StorageError for an unknown suggestion, number or choice.
        """
        suggestion = self._suggestion(suggestion_id)
        if not 0 <= number < len(suggestion.conflicts):
            raise StorageError("This passage was settled already.", next_step="", id=suggestion_id)
        if choice not in (*_SIDES, "edit"):
            raise StorageError(f"A passage can be settled as mine, theirs, both or edit, not “{choice}”.")
        for _ in range(_TRIES):
            with suppress(MemoryMoved):
                return self._settle_one(suggestion, number, choice, text)
        raise keeps_changing(self._changes.name)

    def undo(self, change_id: str) -> MemorySaved:
        """Takes one change back and keeps everything later; as a change of its own, which can be undone as well.

        Where something later changed the same passage, that stands, and what was before becomes a suggestion. Raises
        StorageError where the change is not known, its texts are not kept, or nothing of it is left in memory.
        """
        before, after = self._changes.texts(change_id)
        for _ in range(_TRIES):
            current = self._writer.read()
            merge = merge_memory(after, current.text, before, rewrites=True)
            if merge.text == current.text and not merge.conflicts:
                raise StorageError("Nothing of this change is left in memory.", next_step="", id=change_id)
            with suppress(MemoryMoved):
                origin = self._origin("undo", change_id)
                return self._writer.apply(merge, before, current, origin, sides=(None, origin))
        raise keeps_changing(self._changes.name)

    def undo_all(self, change_ids: Sequence[str]) -> MemorySaved:
        """Takes several changes back, given oldest first, in one change that can be undone as well. Where something
        later changed the same passage, that stands.

        Raises StorageError where one is not known, its texts are not kept, or nothing of any is left in memory.
        """
        texts = [self._changes.texts(change_id) for change_id in reversed(change_ids)]
        for _ in range(_TRIES):
            current = self._writer.read()
            text = current.text
            for before, after in texts:
                text = merge_memory(after, text, before, rewrites=True).text
            if text == current.text:
                raise StorageError("Nothing of this is left in memory.", next_step="")
            with suppress(MemoryMoved):
                written = self._writer.write(text, current, self._origin("undo", change_ids[-1]))
                return MemorySaved(written.text, written.digest)
        raise keeps_changing(self._changes.name)

    def restore(self, digest: str) -> MemorySaved:
        """Replaces MEMORY.md by the whole text version of this digest; as a change of its own, which can be undone.

        Raises StorageError where the text is not kept any more.
        """
        text = self._changes.text(digest)
        for _ in range(_TRIES):
            current = self._writer.read()
            with suppress(MemoryMoved):
                return self._writer.apply(Merge(text, text), text, current, self._origin("restore", digest))
        raise keeps_changing(self._changes.name)

    def _accept(self, suggestion: Suggestion, approved: str, decision: str) -> MemorySaved:
        for _ in range(_TRIES):
            current = self._writer.read()
            merge = merge_memory(suggestion.before, current.text, suggestion.proposed)
            is_approved = digest_of(encode_text(merge.text)) == approved
            if merge.conflicts or not is_approved:
                self._update_held(suggestion, current.text, merge)
            if merge.conflicts:
                return MemorySaved(current.text, current.digest, conflicts=merge.conflicts)
            if not is_approved:
                sentence = f"{self._changes.name} or the suggestion changed after you were shown it."
                raise ApprovalMoved(sentence, id=suggestion.id)
            with suppress(MemoryMoved):
                origin, along = self._origin("review", suggestion.id), Along(suggestion.id, decision)
                written = self._writer.write(merge.text, current, origin, along)
                return MemorySaved(written.text, written.digest, merged=merge.text != suggestion.proposed)
        raise keeps_changing(self._changes.name)

    def _settle_one(self, suggestion: Suggestion, number: int, choice: str, text: str) -> MemorySaved:
        current = self._writer.read()
        mine = suggestion.conflicts[number]
        conflict = Conflict(mine.base, mine.mine, mine.theirs)
        if choice in _SIDES:
            settled = settle_conflict(current.text, conflict, _SIDES[choice], suggestion.proposed)
        else:
            settled = write_instead(current.text, conflict, text.strip("\n"), suggestion.proposed)
        if settled is None:
            merge = merge_memory(suggestion.before, current.text, suggestion.proposed)
            self._update_held(suggestion, current.text, merge)
            return MemorySaved(current.text, current.digest, conflicts=merge.conflicts or (conflict,))
        rest = (*suggestion.conflicts[:number], *suggestion.conflicts[number + 1 :])
        left = self._left(suggestion, rest, settled)
        along = Along(holds=(left,)) if left else Along(suggestion.id, choice)
        written = self._writer.write(settled, current, self._origin("review", suggestion.id), along)
        return MemorySaved(written.text, written.digest)

    def _left(self, suggestion: Suggestion, rest: tuple[MemoryConflict, ...], text: str) -> Suggestion | None:
        """Returns the suggestion with the passages that are left, to wait on; None where there are none."""
        if not rest:
            return None
        proposed = text
        for each in rest:
            wanted = settle_conflict(
                proposed, Conflict(each.base, each.mine, each.theirs), "theirs", suggestion.proposed
            )
            proposed = proposed if wanted is None else wanted
        return replace(suggestion, before=text, proposed=proposed, conflicts=rest)

    def _update_held(self, suggestion: Suggestion, text: str, merge: Merge) -> None:
        """Holds the suggestion again, with the conflicts it has with memory as it is now."""
        theirs = suggestion.conflicts[0].theirs_from if suggestion.conflicts else None
        found = whole_passages(merge) or changed_passages(text, merge.proposed)
        conflicts = self._changes.attributed(found, None, theirs)
        self._ledger.hold(replace(suggestion, before=text, proposed=merge.proposed, conflicts=conflicts))

    def _current_state(self) -> MemorySaved:
        current = self._writer.read()
        return MemorySaved(current.text, current.digest)

    def _origin(self, kind: str, detail: str) -> MemoryOrigin:
        return MemoryOrigin(kind, self._changes.now(), detail=detail)

    def _suggestion(self, suggestion_id: str) -> Suggestion:
        for suggestion in self._ledger.suggestions():
            if suggestion.id == suggestion_id:
                return suggestion
        raise StorageError("This suggestion was settled already.", next_step="", id=suggestion_id)
