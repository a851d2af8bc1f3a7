"""Carries out the person's decisions: accepts and rejects suggestions, and undoes changes of a memory file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from mnemoscope.domain.disagreement.settlement import asks_about_nothing, pairs_of
from mnemoscope.domain.errors import ApprovalMoved, StorageError
from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.fact_outcomes import OBSOLETE, outcome_of_choices
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import (
    SIDES,
    changed_passages,
    settle_conflict,
    whole_passages,
    write_instead,
)
from mnemoscope.domain.merge.suggestion_parts import with_passages
from mnemoscope.domain.merge.three_way import Conflict, Merge, merge_memory
from mnemoscope.domain.review.review_items import is_apart_alone
from mnemoscope.memory.files.memory_writer import MemorySaved, MemoryWriter, SuggestionEffects, keeps_changing
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.forgetting.tombstones_file import put_back_if_refused
from mnemoscope.store.memory.memory_file import MemoryMoved
from mnemoscope.store.transactions.ledger import Ledger

_TRIES: Final = 5


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
        changed the same. Raises StorageError for an unknown suggestion, and for one of several passages that has what
        only a tool said: these are accepted one by one.
        """
        suggestion = self._writer.waiting(suggestion_id)
        if decision == "reject":
            saved = self._current_state()
            # It comes first: what a crash or the disk leaves is a rejection that waits still, never one that is lost.
            self._changes.remember_rejected(suggestion)
        elif decision == "edit" and text is not None:
            origin = self._origin("review", suggestion_id)
            effects = SuggestionEffects((suggestion_id,), _outcome(suggestion, decision))
            saved = self._writer.save_with_base(text, None, suggestion.before, origin, effects)
            saved = replace(saved, change_id=self._changes.made_by(origin))
        elif decision in ("accept", "edit"):
            if is_apart_alone(suggestion):
                raise StorageError(
                    "Only a tool or a file said some lines of this proposal, so it is not accepted as a whole.",
                    next_step="Decide it line by line: Memory > Review all.",
                    id=suggestion_id,
                )
            approved = shown or digest_of(encode_text(suggestion.proposed if text is None else text))
            saved = self._accept(suggestion, approved, decision)
            if saved.conflicts:
                return saved
        else:
            raise StorageError(f"A proposal can be accepted, edited or rejected, not “{decision}”.")
        self._ledger.settle(suggestion_id, _outcome(suggestion, decision))
        return saved

    def settle_conflict(self, suggestion_id: str, number: int, choice: str, text: str = "") -> MemorySaved:
        """Settles one passage of a suggestion: `mine`, `theirs`, `both`, or `edit` with the passage as `text`.

        The suggestion waits with what is left of it, and is closed with its last passage. Where the passage is not in
        memory any more as it was shown, nothing is written and the conflict is returned, brought up to date. Raises
        StorageError for an unknown suggestion, number or choice.
        """
        suggestion = self._writer.waiting(suggestion_id)
        if not 0 <= number < len(suggestion.conflicts):
            raise StorageError("This passage was resolved already.", next_step="", id=suggestion_id)
        if choice not in (*SIDES, "edit"):
            raise StorageError(f"A passage can be resolved as mine, theirs, both or edit, not “{choice}”.")
        for _ in range(_TRIES):
            with suppress(MemoryMoved):
                return self._settle_one(suggestion, number, choice, text)
        raise keeps_changing(self._changes.name)

    def settle_passage(
        self, suggestion_id: str, passage: MemoryConflict, choice: str, text: str = ""
    ) -> tuple[Suggestion, MemorySaved]:
        """Settles the passage that was shown, as `settle_conflict` does; returns the suggestion as it was before, too.

        Raises ApprovalMoved where the suggestion has no such passage any more.
        """
        suggestion = self._writer.waiting(suggestion_id)
        if passage not in suggestion.conflicts:
            raise ApprovalMoved.of(self._changes.name, suggestion_id)
        return suggestion, self.settle_conflict(suggestion_id, suggestion.conflicts.index(passage), choice, text)

    def save_words(self, suggestion: Suggestion, passage: MemoryConflict | None, text: str) -> MemorySaved:
        """Saves the person's words for a suggestion, or for one passage of it, over the text that it was made from, and
        merges them into the one that stands now. Raises ApprovalMoved where the passage is not in that text."""
        wanted: str | None = text
        if passage is not None:
            conflict = Conflict(passage.base, passage.mine, passage.theirs)
            wanted = write_instead(suggestion.before, conflict, text.strip("\n"), suggestion.proposed)
        if wanted is None:
            raise ApprovalMoved.of(self._changes.name, suggestion.id)
        origin = self._origin("review", suggestion.id)
        saved = self._writer.save_with_base(wanted, None, suggestion.before, origin)
        return replace(saved, change_id=self._changes.made_by(origin))

    def reopen(self, suggestion: Suggestion, change_id: str = "") -> MemorySaved:
        """Has a suggestion wait again as it was before a decision, and takes back the change that the decision made.

        Raises StorageError, with nothing done, where the change is not known or something later changed the same.
        """
        self._writer.finish_refused()
        if not change_id:
            self._changes.reinstate(suggestion.id)
            with put_back_if_refused(self._changes.lift_rejections(suggestion)):
                self._ledger.add_suggestion(suggestion)
            return self._current_state()
        before, after = self._changes.texts(change_id)
        for _ in range(_TRIES):
            current = self._writer.read()
            merge = merge_memory(after, current.text, before, rewrites=True)
            if merge.conflicts:
                raise StorageError("Something later changed the same lines.", next_step="", id=change_id)
            with suppress(MemoryMoved):
                effects = SuggestionEffects(holds=(suggestion,))
                written = self._writer.replace_current(merge.text, current, self._origin("undo", change_id), effects)
                return MemorySaved(written.text, written.digest)
        raise keeps_changing(self._changes.name)

    def bring_up_to_date(self, suggestion: Suggestion, texts: Mapping[str, str]) -> Suggestion | None:
        """Moves a suggestion onto the text that stands now; returns it as it waits on, or None if it was dropped,
        since nothing of it is left to decide. A file that is not there may only be on its way to being replaced: what
        was proposed for it waits as it is.
        """
        if suggestion.before and not self._writer.read().exists:
            return suggestion
        moved = self.as_it_is_now(suggestion, texts)
        if moved is None:
            decided = suggestion.decided
            self._ledger.settle(suggestion.id, outcome_of_choices(decided) if decided else OBSOLETE)
        elif moved != suggestion:
            self._ledger.add_suggestion(moved)
        return moved

    def as_it_is_now(self, suggestion: Suggestion, texts: Mapping[str, str]) -> Suggestion | None:
        """Returns a suggestion over the text that stands now; None where nothing of it is left to decide: memory says
        it already, the lines it would change are gone, or those of the memory files, `texts` by path, that they
        disagreed with or that say it too."""
        text = self._writer.read().text
        moved = suggestion if text == suggestion.before else moved_onto(text, suggestion)
        is_empty = moved.proposed == text and not pairs_of(moved, texts)
        # A line that was written back and is forgotten once more is gone from the file.
        is_gone = suggestion.is_written_back and not self._changes.forgotten_lines(text)
        is_left = not is_empty and not is_gone and not asks_about_nothing(moved, texts)
        return moved if is_left and moved.leaves_standing(texts) else None

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
                return self._writer.save_merge(merge, before, current, origin, sides=(None, origin))
        raise keeps_changing(self._changes.name)

    def restore(self, digest: str) -> MemorySaved:
        """Replaces MEMORY.md by the whole text version of this digest; as a change of its own, which can be undone.

        Raises StorageError where the text is not kept any more.
        """
        text = self._changes.text(digest)
        for _ in range(_TRIES):
            current = self._writer.read()
            with suppress(MemoryMoved):
                return self._writer.save_merge(Merge(text, text), text, current, self._origin("restore", digest))
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
                raise ApprovalMoved.of(self._changes.name, suggestion.id)
            with suppress(MemoryMoved):
                origin = self._origin("review", suggestion.id)
                effects = SuggestionEffects((suggestion.id,), _outcome(suggestion, decision))
                written = self._writer.replace_current(merge.text, current, origin, effects)
                made = self._changes.made_by(origin)
                merged = merge.text != suggestion.proposed
                return MemorySaved(written.text, written.digest, merged=merged, change_id=made)
        raise keeps_changing(self._changes.name)

    def _settle_one(self, suggestion: Suggestion, number: int, choice: str, text: str) -> MemorySaved:
        current = self._writer.read()
        mine = suggestion.conflicts[number]
        conflict = Conflict(mine.base, mine.mine, mine.theirs)
        if choice in SIDES:
            settled = settle_conflict(current.text, conflict, SIDES[choice], suggestion.proposed)
        else:
            settled = write_instead(current.text, conflict, text.strip("\n"), suggestion.proposed)
        if settled is None:
            merge = merge_memory(suggestion.before, current.text, suggestion.proposed)
            self._update_held(suggestion, current.text, merge)
            return MemorySaved(current.text, current.digest, conflicts=merge.conflicts or (conflict,))
        rest = (*suggestion.conflicts[:number], *suggestion.conflicts[number + 1 :])
        left = None
        if rest:
            left = replace(with_passages(suggestion, rest, settled), decided=(*suggestion.decided, choice))
        effects = (
            SuggestionEffects(holds=(left,))
            if left
            else SuggestionEffects((suggestion.id,), _outcome(suggestion, choice))
        )
        if choice == "mine":
            effects = replace(effects, rejects=(with_passages(suggestion, [mine], suggestion.before),))
        origin = self._origin("review", suggestion.id)
        written = self._writer.replace_current(settled, current, origin, effects)
        made = self._changes.made_by(origin)
        return MemorySaved(written.text, written.digest, change_id=made)

    def _update_held(self, suggestion: Suggestion, text: str, merge: Merge) -> None:
        """Holds the suggestion again, with the conflicts it has with memory as it is now."""
        theirs = suggestion.conflicts[0].theirs_from if suggestion.conflicts else None
        found = whole_passages(merge) or changed_passages(text, merge.proposed)
        conflicts = self._changes.attributed(found, None, theirs)
        self._ledger.add_suggestion(replace(suggestion, before=text, proposed=merge.proposed, conflicts=conflicts))

    def _current_state(self) -> MemorySaved:
        current = self._writer.read()
        return MemorySaved(current.text, current.digest)

    def _origin(self, kind: str, detail: str) -> MemoryOrigin:
        return MemoryOrigin(kind, self._changes.now(), detail=detail)


def _outcome(suggestion: Suggestion, choice: str) -> str:
    """Returns how a suggestion was settled whose last passages, or all of it, were resolved so."""
    return outcome_of_choices((*suggestion.decided, choice))


def moved_onto(text: str, suggestion: Suggestion) -> Suggestion:
    """Returns the suggestion over `text`, without what can be decided no more; it would change nothing if that is all
    of it."""
    if not suggestion.conflicts:
        merge = merge_memory(suggestion.before, text, suggestion.proposed)
        return suggestion if merge.conflicts else replace(suggestion, before=text, proposed=merge.text)
    rest = [each for each in suggestion.conflicts if _is_open(text, each, suggestion.proposed)]
    return (
        with_passages(suggestion, rest, text) if rest else replace(suggestion, before=text, proposed=text, conflicts=())
    )


def _is_open(text: str, passage: MemoryConflict, proposed: str) -> bool:
    """Returns whether a passage would still change the text, in words that it does not hold already."""
    wanted = settle_conflict(text, Conflict(passage.base, passage.mine, passage.theirs), "theirs", proposed)
    if wanted is None or wanted == text:
        return False
    said = {fact_key(line) for line in text.split("\n")}
    new = {fact_key(line) for line in passage.theirs.split("\n")} - {""}
    return bool(passage.mine) or not new or not new <= said
