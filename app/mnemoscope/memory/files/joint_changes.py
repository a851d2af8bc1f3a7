"""Changes several memory files at once, in one transaction and under one id: two facts that disagree are settled, also
where they stand in two files, and what was changed so is taken back in one step.

Where one file alone changes, it is written as its `MemoryWriter` writes it. Everything here blocks on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mnemoscope.domain.disagreement.memory_check import PlacedPair
from mnemoscope.domain.disagreement.settlement import Settled, Settlement, settled
from mnemoscope.domain.errors import ApprovalMoved, StorageError
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.fact_outcomes import OBSOLETE, outcome_of_choices
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import changed_passages, whole_passages
from mnemoscope.domain.merge.suggestion_parts import split_suggestion, withdrawn_id
from mnemoscope.domain.merge.three_way import Conflict, merge_memory
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.files.memory_writer import SuggestionEffects, keeps_changing
from mnemoscope.memory.files.suggestion_resolution import SuggestionResolver, moved_onto
from mnemoscope.store.files.atomic import digest_of, encode_text, real_path
from mnemoscope.store.files.compare_and_swap import require_single
from mnemoscope.store.memory.memory_file import MemoryMoved, MemoryText
from mnemoscope.store.transactions.file_steps import is_open_cut
from mnemoscope.store.transactions.intent import RESTORE, REVIEW, Intent, LogCut, TextEdit, text_edits
from mnemoscope.store.transactions.ledger import Ledger

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class JointlySaved:
    """Reports a change: its id, "" where nothing was changed, and the files it changed, as they are now."""

    suggestion: Suggestion | None = None
    """The suggestion that was settled, as it was before."""
    change_id: str = ""
    changed: tuple[tuple[str, MemoryText], ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    """Passages that something later changed: they stand, and the others wait for the person."""


@dataclass(frozen=True, slots=True)
class UndoEdits:
    """Holds the edits that undo a change of several files, and what waits since later words stand."""

    edits: tuple[TextEdit, ...]
    holds: tuple[Suggestion, ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True)
class FileRemoval:
    """Says what is to go out of a memory file: what the changes `change_ids`, the oldest first, wrote, and then what
    `without` leaves out of the text."""

    path: str
    change_ids: tuple[str, ...]
    without: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class UndoEffects:
    """Says what goes with an undo beside the memory files: suggestions that wait again or, where it `is_withdrawing`,
    that wait no more, and entries that go into the history or out of it."""

    holds: tuple[Suggestion, ...] = ()
    settles: tuple[str, ...] = ()
    cuts: tuple[LogCut, ...] = ()
    is_withdrawing: bool = False


def undo_edits(files: MemoryFiles, paths: Iterable[str], change_id: str, undo_id: str, when: str) -> UndoEdits:
    """Returns what takes a change of these files back and keeps everything later; where a later change touched the same
    words, those stand. Raises StorageError where the texts are not kept any more."""
    edits: list[TextEdit] = []
    holds: list[Suggestion] = []
    conflicts: list[Conflict] = []
    for path in dict.fromkeys(paths):
        writer = files.of(path)
        before, after = writer.changes.texts(change_id)
        current = writer.file.read()
        merge = merge_memory(after, current.text, before, rewrites=True)
        if merge.text != current.text:
            edits.append(TextEdit(path, current.text, current.digest, merge.text))
        if merge.conflicts:
            origin = MemoryOrigin("undo", when, detail=change_id)
            passages = writer.changes.attributed(whole_passages(merge), None, origin)
            reason = "A later change touched the same words; they stand."
            name = digest_of(encode_text(f"{undo_id} {path}"))[:16]
            holds.append(
                Suggestion(
                    id=name,
                    when=when,
                    before=merge.text,
                    proposed=merge.proposed,
                    reasons=(reason,),
                    session_key="",
                    start=0,
                    stop=0,
                    conflicts=passages,
                    path=path,
                )
            )
            conflicts += merge.conflicts
    return UndoEdits(tuple(edits), tuple(holds), tuple(conflicts))


class JointChanges:
    """Changes the memory files of one workspace jointly."""

    def __init__(
        self,
        files: MemoryFiles,
        ledger: Ledger,
        *,
        root: Path,
        transact: Callable[[Intent], object],
        finish: Callable[[], Intent | None],
        now: Callable[[], str],
    ) -> None:
        """`root` is the workspace's folder; `transact` commits an intent and does its steps; `finish` does those of one
        that was refused half-way before, and returns it."""
        self._files = files
        self._ledger = ledger
        self._root = root
        self._transact = transact
        self._finish = finish
        self._now = now

    def settle_pair(self, shown: Suggestion, placed: PlacedPair, settlement: Settlement) -> JointlySaved:
        """Settles two facts that disagree as the person chose, of a suggestion as it was shown. What else it has waits
        on.

        Raises ApprovalMoved, with nothing written, where they do not stand any more as they were shown, and
        StorageError.
        """
        finished = self._finish()
        if finished is not None and (finished.origin_kind, finished.origin_detail) == ("review", shown.id):
            return self._settled_before(finished, shown, placed, settlement)
        suggestion = self._ledger.waiting(shown.id)
        for _ in range(_TRIES):
            paths = dict.fromkeys((suggestion.path, placed.old_path, placed.new_path))
            current = {path: self._files.of(path).read() for path in paths}
            texts = self._files.facts() | {path: each.text for path, each in current.items()}
            found = _settled(suggestion, placed, settlement, texts)
            if found is None:
                raise ApprovalMoved.of(self._names(paths), shown.id)
            with suppress(MemoryMoved):
                return self._settle(suggestion, placed, settlement, current, found)
        raise keeps_changing(self._names(paths))

    def reopen(self, suggestion: Suggestion, change_id: str) -> JointlySaved:
        """Has a suggestion wait again as it was before a decision, and takes back the change that the decision made, in
        whichever files.

        Raises StorageError, with nothing done, where the change is not known, something later changed the same, or a
        forgetting took the words out of it.
        """
        finished = self._finish()
        if finished is not None and (finished.origin_kind, finished.origin_detail) == ("undo", change_id):
            return self._done(finished)
        if change_id and self._is_forgotten_since(suggestion, change_id):
            sentence = "You chose to forget these words since, so they do not come back."
            raise StorageError(sentence, next_step="", id=change_id)
        if change_id and self._changed_nothing(change_id):
            change_id = ""
        paths = self.paths_of(change_id) if change_id else []
        if len(paths) < 2:
            path = paths[0] if paths else suggestion.path
            saved = SuggestionResolver(self._files.of(path), self._ledger).reopen(suggestion, change_id)
            return JointlySaved(changed=((path, MemoryText(saved.text, saved.digest, True)),) if change_id else ())
        undo_id, when = self._undo_id(change_id), self._now()
        back = undo_edits(self._files, paths, change_id, undo_id, when)
        if back.conflicts:
            raise StorageError("Something later changed the same lines.", next_step="", id=change_id)
        return self._undo(change_id, undo_id, when, replace(back, holds=(suggestion,)))

    def undo(self, change_id: str, paths: Sequence[str]) -> JointlySaved:
        """Takes a change of these files back, all at once, and keeps everything later; as a change of its own, which
        can be undone as well.

        Where something later changed the same passage, that stands, and what was before becomes a suggestion. Raises
        StorageError where its texts are not kept, or nothing of it is left in memory.
        """
        finished = self._finish()
        if finished is not None and (finished.origin_kind, finished.origin_detail) == ("undo", change_id):
            # It was refused half-way before, and is done now.
            return self._done(finished)
        undo_id, when = self._undo_id(change_id), self._now()
        back = undo_edits(self._files, paths, change_id, undo_id, when)
        if not back.edits and not back.holds:
            raise StorageError("Nothing of this change is left in memory.", next_step="", id=change_id)
        return replace(self._undo(change_id, undo_id, when, back), conflicts=back.conflicts)

    def remove(
        self,
        parts: Sequence[FileRemoval],
        suggestions: Sequence[Suggestion],
        cuts: Sequence[LogCut],
        passages: Sequence[Suggestion] = (),
    ) -> JointlySaved:
        """Takes what changes wrote out of these files, and entries out of the history, and withdraws suggestions that
        wait, of those in `passages` only the passages that they have here, in one transaction, which `undo_removal`
        undoes. Raises StorageError where nothing of it is left."""
        change_ids = tuple(each for part in parts for each in part.change_ids)
        finished = self._finish()
        origin = MemoryOrigin("undo", self._now(), detail=" ".join(change_ids))
        if finished is not None and change_ids and finished.origin_detail == origin.detail:
            # It was refused half-way before, and is done now.
            return self._done(finished)
        edits = tuple(edit for part in parts if (edit := self._edit_without(part)) is not None)
        waiting = {each.id: each for each in self._ledger.suggestions()}
        settles, holds = [each.id for each in suggestions if each.id in waiting], list[Suggestion]()
        for part in (each for each in passages if each.id in waiting):
            left, out = self._without_passages(waiting[part.id], part)
            settles += [out.id] if out is not None else []
            holds += [left, out] if left is not None and out is not None else []
        if not edits and not settles and not cuts:
            raise StorageError("Nothing of this is left in memory.", next_step="")
        if not change_ids:
            origin = MemoryOrigin("editor", self._now())
        return self._run(
            RESTORE, origin, edits, SuggestionEffects(tuple(settles), OBSOLETE, tuple(holds)), cuts=tuple(cuts)
        )

    def _without_passages(
        self, suggestion: Suggestion, part: Suggestion
    ) -> tuple[Suggestion | None, Suggestion | None]:
        """Returns a suggestion without the passages that a part of it has, and another with these, under an id that
        none had yet; None for one without passages."""
        left, out = split_suggestion(suggestion, lambda item: item.passage in part.conflicts)
        if left is None or out is None:
            return left, out
        return left, replace(out, id=withdrawn_id(suggestion.id, self._ledger.knows_suggestion))

    def undo_removal(self, change_id: str, undone: UndoEffects) -> JointlySaved:
        """Undoes a `remove`, or what undid one: memory has again what it had, except where something later changed
        the same, and with it goes what else the change did. Raises StorageError where the texts are not kept any more,
        or nothing of it is left to undo."""
        finished = self._finish()
        undo_id, when = self._undo_id(change_id), self._now()
        if finished is not None and (finished.origin_kind, finished.origin_detail) == ("undo", change_id):
            return self._done(finished)
        back = undo_edits(self._files, self.paths_of(change_id), change_id, undo_id, when)
        effects = SuggestionEffects(
            undone.settles, OBSOLETE if undone.is_withdrawing else "", (*back.holds, *undone.holds)
        )
        cuts = tuple(each for each in undone.cuts if is_open_cut(self._root, each))
        if not back.edits and not effects.holds and not effects.settles and not cuts:
            raise StorageError("Nothing of this change is left in memory.", next_step="", id=change_id)
        origin = MemoryOrigin("undo", when, detail=change_id)
        return replace(self._run(RESTORE, origin, back.edits, effects, undo_id, cuts=cuts), conflicts=back.conflicts)

    def newest_removal(self) -> str | None:
        """Returns the id of the newest `remove` that nothing brought back since, None where there is none among the
        newest changes."""
        brought_back = set[str]()
        for intent in self._ledger.newest_of(RESTORE):
            if intent.outcome == OBSOLETE and intent.id not in brought_back:
                return intent.id
            brought_back.add(intent.origin_detail)
        return None

    def undo_effects(self, change_id: str) -> UndoEffects | None:
        """Returns what a `remove`, or what undid one, did in the history and the review, turned round; None where the
        change is another one."""
        intent = self._ledger.intent(change_id)
        if intent is None or intent.kind != RESTORE:
            return None
        states = self._ledger.suggestion_states()
        if intent.outcome == OBSOLETE:
            # What the person decided since stays decided.
            dropped = (each for each in intent.settles if states.settled.get(each) == OBSOLETE)
            found = (self._ledger.settled(each) for each in dropped if each not in states.waiting)
            holds = tuple(each for each in found if each is not None)
            return UndoEffects(holds, cuts=tuple(replace(each, is_back=True) for each in intent.cuts))
        taken = self._ledger.intent(intent.origin_detail) if intent.origin_kind == "undo" else None
        if taken is None or (taken.kind, taken.outcome) != (RESTORE, OBSOLETE):
            return None
        settles = tuple(each for each in taken.settles if each in states.waiting)
        return UndoEffects(settles=settles, cuts=taken.cuts, is_withdrawing=True)

    def _edit_without(self, part: FileRemoval) -> TextEdit | None:
        writer = self._files.of(part.path)
        current = writer.read()
        text = current.text
        for change_id in reversed(part.change_ids):
            before, after = writer.changes.texts(change_id)
            text = merge_memory(after, text, before, rewrites=True).text
        text = part.without(text)
        return TextEdit(part.path, current.text, current.digest, text) if text != current.text else None

    def paths_of(self, change_id: str) -> list[str]:
        """Returns the files that a change changed. Raises StorageError."""
        return [path for path, changes in self._files.changes().items() if changes.knows(change_id)]

    def _changed_nothing(self, change_id: str) -> bool:
        """Returns whether a decision that went on by itself left memory as it was, as *Mine* does."""
        intent = self._ledger.intent(change_id)
        edits = text_edits(intent) if intent is not None else ()
        return bool(edits) and all(edit.before == edit.after for edit in edits)

    def _is_forgotten_since(self, suggestion: Suggestion, change_id: str) -> bool:
        """Returns whether a forgetting took what a decision took out of a file from the ledger, too."""
        intent = self._ledger.intent(change_id)
        edits = text_edits(intent) if intent is not None else ()
        before = {line for edit in edits for line in edit.before.split("\n")}
        return suggestion.is_written_back and bool(before) and before.isdisjoint(suggestion.lines_out)

    def _settle(
        self,
        suggestion: Suggestion,
        placed: PlacedPair,
        settlement: Settlement,
        current: Mapping[str, MemoryText],
        found: Settled,
    ) -> JointlySaved:
        choice = "reject" if settlement.choice == "keep" else "edit"
        outcome = outcome_of_choices((*suggestion.decided, choice))
        left = found.left and self._with_passages(found.left, suggestion, choice)
        effects = SuggestionEffects((suggestion.id,), outcome) if left is None else SuggestionEffects(holds=(left,))
        texts = {path: found.texts[path] for path, each in current.items() if found.texts[path] != each.text}
        changes = self._files.of(suggestion.path).changes
        if settlement.choice == "keep" and placed.pair.new not in current[placed.new_path].text.split("\n"):
            # It was brought, and never stood: it is not to come again in other words.
            effects = replace(
                effects, rejects=(replace(suggestion, before="", proposed=placed.pair.new, conflicts=()),)
            )
        if not texts:
            effects.carry_out(self._ledger, changes)
            return JointlySaved(suggestion)
        origin = MemoryOrigin("review", self._now(), detail=suggestion.id)
        if len(texts) == 1:
            [(path, text)] = texts.items()
            written = self._files.of(path).replace_current(text, current[path], origin, effects)
            change_id = self._files.of(path).changes.made_by(origin)
            return JointlySaved(suggestion, change_id, ((path, written),))
        edits = tuple(TextEdit(path, current[path].text, current[path].digest, texts[path]) for path in texts)
        return replace(self._run(REVIEW, origin, edits, effects), suggestion=suggestion)

    def _with_passages(self, left: Suggestion, suggestion: Suggestion, choice: str) -> Suggestion:
        theirs = suggestion.conflicts[0].theirs_from if suggestion.conflicts else None
        passages = changed_passages(left.before, left.proposed)
        conflicts = self._files.of(left.path).changes.attributed(passages, None, theirs)
        return replace(left, conflicts=conflicts, decided=(*suggestion.decided, choice))

    def _settled_before(
        self, finished: Intent, suggestion: Suggestion, placed: PlacedPair, settlement: Settlement
    ) -> JointlySaved:
        """Returns what was refused half-way before, and is done now, if it is what the person chose once more."""
        paths = (suggestion.path, placed.old_path, placed.new_path)
        after = {path: self._files.of(path).read().text for path in paths}
        before = after | {edit.path: edit.before for edit in text_edits(finished)}
        after |= {edit.path: edit.after for edit in text_edits(finished)}
        found = _settled(suggestion, placed, settlement, before)
        if found is None or found.texts != after:
            raise StorageError("This proposal was decided already.", next_step="", id=suggestion.id)
        return replace(self._done(finished), suggestion=suggestion)

    def _undo(self, change_id: str, undo_id: str, when: str, back: UndoEdits) -> JointlySaved:
        origin = MemoryOrigin("undo", when, detail=change_id)
        return self._run(RESTORE, origin, back.edits, SuggestionEffects(holds=back.holds), undo_id)

    def _undo_id(self, change_id: str) -> str:
        return digest_of(encode_text(f"undo {change_id} {self._now()}"))[:16]

    def _run(
        self,
        kind: str,
        origin: MemoryOrigin,
        edits: tuple[TextEdit, ...],
        effects: SuggestionEffects,
        change_id: str = "",
        cuts: tuple[LogCut, ...] = (),
    ) -> JointlySaved:
        for edit in edits:
            # One that cannot be replaced is asked about before anything is written.
            require_single(real_path(self._files.of(edit.path).file.path))
        intent = Intent.of_kind(
            kind,
            workspace_id=self._ledger.workspace_id(),
            when=origin.when,
            edits=edits,
            cuts=cuts,
            **effects.fields,
            origin_kind=origin.kind,
            origin_detail=origin.detail,
            **({"id": change_id} if change_id else {}),
        )
        self._transact(intent)
        return self._done(intent)

    def _done(self, intent: Intent) -> JointlySaved:
        changed = tuple((edit.path, self._files.of(edit.path).file.read()) for edit in text_edits(intent))
        return JointlySaved(change_id=intent.id, changed=changed)

    def _names(self, paths: Iterable[str]) -> str:
        return ", ".join(self._files.of(path).changes.name for path in paths)


def _settled(
    suggestion: Suggestion, placed: PlacedPair, settlement: Settlement, texts: Mapping[str, str]
) -> Settled | None:
    return settled(moved_onto(texts[suggestion.path], suggestion), placed, settlement, texts)
