"""Writes, settles and takes back what a person and the agent's tools change in memory files; announces each change."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from mnemoscope.domain.cancellation import GoesOn
from mnemoscope.domain.capture.captured_line import struck_line
from mnemoscope.domain.disagreement.memory_check import (
    Disagreement,
    PlacedPair,
    disagreements_in,
    new_disagreements,
    with_struck_lines,
)
from mnemoscope.domain.disagreement.settlement import PairItem, Settlement, items_with_pairs, pair_id
from mnemoscope.domain.errors import ApprovalMoved, StorageError
from mnemoscope.domain.events import (
    ChangeFinished,
    EntryCorrected,
    Event,
    ForgottenLinesTakenOut,
    HistoryChanged,
    SuggestionsChanged,
    text_changed,
)
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.file_registry import COMPARED_FILES, file_of_page
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.files.joint_changes import FileRemoval, JointChanges, JointlySaved, UndoEffects
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.files.memory_writer import MemorySaved, MemoryWriter, Proposer, SuggestionEffects
from mnemoscope.memory.files.suggestion_resolution import SuggestionResolver
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.standing_entries import has_entries
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.transactions.intent import CONSOLIDATION, DREAM_RUN, RESTORE, Intent, LogCut, text_edits
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.write_access import WriteAccess

_ANNOUNCED: Final = {CONSOLIDATION: "consolidation", DREAM_RUN: "dream", RESTORE: "restore"}
"""By the kind of a transaction, the source that is announced with its change; any other change is the editor's."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Reports a decision, so that it can be taken back: the suggestion as it was before, and the change of memory that
    was made, "" for none."""

    suggestion: Suggestion
    change_id: str = ""


@dataclass(frozen=True, slots=True)
class BroughtUpToDate:
    """Names the suggestions that were moved onto another text of their file, by their ids, and counts those dropped by
    themselves."""

    moved_ids: frozenset[str] = frozenset()
    dropped: int = 0

    @property
    def moved(self) -> int:
        """Returns how many were moved."""
        return len(self.moved_ids)


class MemoryEditing:
    """Edits one workspace's memory files. The synchronous methods work at once on the caller's thread, the asynchronous
    ones on `disk`; lines are compared on a thread of their own."""

    def __init__(
        self,
        files: MemoryFiles,
        ledger: Ledger,
        access: WriteAccess,
        *,
        disk: Disk,
        announce: Callable[[Event], None],
        clock: Callable[[], datetime] = datetime.now,
        keys: Callable[[], Collection[str]] = frozenset,
        undone: Callable[[str], Awaitable[None]],
        transact: Callable[[Intent], object],
        finish: Callable[[], Intent | None],
        compare: Callable[[str, str], Awaitable[None]],
    ) -> None:
        """`keys`: those that are masked in whatever a model wants to be kept; `undone` is told each change of MEMORY.md
        that was taken back. `transact` and `finish` are as JointChanges has them. `compare` is given a text before
        and after a model's change, to know rejected facts in it by their meaning.
        """
        self._files = files
        self._ledger = ledger
        self._access = access
        self._disk = disk
        self._announce = announce
        self._clock = clock
        self._keys = keys
        self._undone = undone
        self._compare = compare
        self._finish = finish
        self._joint = JointChanges(
            files, ledger, root=access.root, transact=transact, finish=finish, now=lambda: self._clock().isoformat()
        )

    def read_text(self, path: str = MEMORY_PATH) -> MemoryText:
        """Returns MEMORY.md, or another memory file, with its digest, for editing. Raises UnreadableFile or
        StorageError."""
        return self._files.of(path).read(keep=not self._access.read_only)

    async def save_text(
        self,
        text: str,
        based_on: str | None,
        origin: str = "editor",
        *,
        sources: Sources | None = None,
        session_key: str = "",
        path: str = MEMORY_PATH,
        settles: str = "",
    ) -> MemorySaved:
        """Saves a text made from the one of digest `based_on`. Where the file moved on, both changes are merged.

        Where both sides changed the same lines the person's stand (`origin` editor, restore or outside), and the other
        side becomes a suggestion. `settles` names the suggestion that the person's text was made from: the same write
        closes it, as edited. Any other `origin` is a model's: the file's lines stand, and the text passes the same
        gate as a consolidation's; `sources` says who said what before it. Raises StorageError with nothing overwritten.
        """
        self._access.require()
        when = self._clock().isoformat()
        if settles:
            source = MemoryOrigin("review", when, detail=settles)
            effects = SuggestionEffects((settles,), "edit")
            saved = await self._disk.run(self._files.of(path).save, text, based_on, source, effects)
        elif (source := MemoryOrigin(origin, when)).is_personal:
            saved = await self._disk.run(self._files.of(path).save, text, based_on, source)
        else:
            await self._compare((await self._disk.run(self.read_text, path)).text, text)
            proposer = Proposer(sources or Sources(), frozenset(self._keys()), session_key, when)
            saved = await self._disk.run(self._files.of(path).propose, text, based_on, origin, proposer)
        self._announce_saved(saved, "" if saved.held else origin, path)
        if settles:
            self._announce_waiting()
        return saved

    async def propose(
        self, before: str, proposed: str, reason: str, path: str = MEMORY_PATH, rests_on: str = ""
    ) -> None:
        """Has a text made from `before` wait for the person's review, with the reason for it; the file stays as it is.
        `rests_on` is as in Suggestion. Raises StorageError."""
        self._access.require()
        origin = MemoryOrigin("", self._clock().isoformat())
        hold = partial(self._files.of(path).suggest, rests_on=rests_on)
        await self._disk.run(hold, before, proposed, (reason,), origin)
        self._announce_waiting()

    def separate(self, path: str = MEMORY_PATH) -> None:
        """Parts a memory file from its other names (hard links), which keep their text. Raises StorageError."""
        self._access.require()
        self._files.of(path).file.separate()

    async def settle(self, suggestion_id: str, decision: str, text: str | None = None, shown: str = "") -> MemorySaved:
        """Settles a suggestion: `accept`, `edit` (with the person's `text`) or `reject`.

        `accept` writes exactly what was shown: `text`, or what has the SHA-256 `shown`. Where that is not what would be
        written now, nothing is: ApprovalMoved is raised, or `conflicts` are returned where the person changed the same
        lines, and the suggestion waits again, brought up to date.
        """
        self._access.require()
        writer = await self._disk.run(self._files.of_suggestion, suggestion_id)
        known = await self._disk.run(self._ledger.suggestions)
        try:
            saved = await self._disk.run(self._resolver(writer).settle, suggestion_id, decision, text, shown)
        except ApprovalMoved:
            self._announce_waiting()
            raise
        self._announce_saved(saved, "editor" if decision != "reject" else "", writer.changes.path)
        for suggestion in (each for each in known if each.id == suggestion_id):
            self._announce_taken_out(suggestion, suggestion.lines_out, saved)
        self._announce_waiting()
        return saved

    async def lift_forgotten(self, line: str, path: str = MEMORY_PATH) -> None:
        """Has a line of a file that came back be forgotten no more, so that it stands and is sent: the person's own
        word alone may ask for this. Raises WorkspaceReadOnly or StorageError."""
        self._access.require()
        writer = await self._disk.run(self._files.of, path)
        await self._disk.run(writer.lift_forgotten, line)
        self._announce_waiting()

    async def settle_conflict(self, suggestion_id: str, number: int, choice: str, text: str = "") -> MemorySaved:
        """Settles passage `number` of a suggestion's `conflicts`: `mine`, `theirs`, `both`, or `edit` with the `text`.

        The suggestion waits with the other passages, which then count from 0 again, and is closed with the last one.
        Where the passage was changed since it was shown, nothing is written and `conflicts` says so. Raises
        StorageError for an unknown suggestion, passage or choice.
        """
        self._access.require()
        writer = await self._disk.run(self._files.of_suggestion, suggestion_id)
        saved = await self._disk.run(self._resolver(writer).settle_conflict, suggestion_id, number, choice, text)
        self._announce_saved(saved, "editor" if choice != "mine" and not saved.conflicts else "", writer.changes.path)
        self._announce_waiting()
        return saved

    async def decide(self, item: ReviewItem, choice: str, text: str = "") -> Decided:
        """Settles one item of a review as it was shown: `accept`, `reject`, or `edit` with the person's `text`.

        Raises ApprovalMoved, with nothing written, where it would change something else by now, and StorageError.
        """
        self._access.require()
        writer = await self._disk.run(self._files.of_suggestion, item.suggestion.id)
        resolver, name = self._resolver(writer), item.suggestion.id
        if choice == "accept" and item.suggestion.rests_on:
            texts = await self._disk.run(self._files.facts)
            if await self._disk.run(resolver.as_it_is_now, item.suggestion, texts) is None:
                raise ApprovalMoved.of(writer.changes.name, name)
        if item.passage is None:
            held = item.suggestion
            saved = await self._disk.run(resolver.settle, name, choice, text if choice == "edit" else None)
        else:
            side = {"accept": "theirs", "reject": "mine"}.get(choice, choice)
            held, saved = await self._disk.run(resolver.settle_passage, name, item.passage, side, text)
        if saved.conflicts:
            self._announce_waiting()
            raise ApprovalMoved.of(writer.changes.name, name)
        self._announce_saved(saved, "editor" if choice != "reject" else "", writer.changes.path)
        out = item.suggestion.lines_out if item.passage is None else tuple(item.passage.mine.split("\n"))
        self._announce_taken_out(held, out, saved)
        self._announce_waiting()
        return Decided(held, saved.change_id)

    async def save_words(self, item: ReviewItem, text: str) -> Decided:
        """Saves the person's words for an item that waits no more as it was shown, merged into the text that stands
        now. Where that changed the same lines their words stand, and the other side becomes a suggestion.

        Raises ApprovalMoved, with nothing written, where the item never had a place in its text, and StorageError.
        """
        self._access.require()
        writer = await self._disk.run(self._files.of, item.suggestion.path)
        save = self._resolver(writer).save_words
        saved = await self._disk.run(save, item.suggestion, item.passage, text)
        self._announce_saved(saved, "editor", writer.changes.path)
        self._announce_waiting()
        return Decided(item.suggestion, saved.change_id)

    async def settle_pair(self, item: PairItem, settlement: Settlement) -> Decided:
        """Settles two facts that disagree as the person chose in the review, be they of one file or of two.

        Raises ApprovalMoved, with nothing written, where they do not stand any more as they were shown, and
        StorageError.
        """
        self._access.require()
        saved = await self._disk.run(self._joint.settle_pair, item.suggestion, item.placed, settlement)
        self._announce_changed(saved, "editor")
        self._announce_waiting()
        return Decided(saved.suggestion or item.suggestion, saved.change_id)

    async def propose_disagreements(self) -> int:
        """Compares all lines of MEMORY.md, USER.md and SOUL.md with each other, on a thread of its own, and has each
        pair that disagrees wait for review; returns how many are new. A pair that waits or was settled once is not
        asked about again. No memory file is changed. Raises StorageError.
        """
        return await self._propose_found(disagreements_in)

    async def propose_new_disagreements(self, path: str, based_on: str, saved: str) -> int:
        """Compares what a memory file says newly in the text that was `saved`, since its text of digest `based_on`,
        with all lines of MEMORY.md, USER.md and SOUL.md. What a later save brought is newer, and left to the check
        after it. Otherwise as `propose_disagreements`."""
        before = ""
        with suppress(StorageError):
            before = await self._disk.run(self.version_text, based_on)
        return await self._propose_found(
            lambda texts, goes_on: new_disagreements(path, before, {**texts, path: saved}, goes_on)
        )

    async def propose_disagreements_of(self, lines: Collection[str]) -> int:
        """Compares lines that came into MEMORY.md without a review, as what is captured does, with all lines of
        MEMORY.md, USER.md and SOUL.md; they count as the newer ones. Otherwise as `propose_disagreements`."""

        def find(texts: Mapping[str, str], goes_on: GoesOn) -> Iterable[PlacedPair]:
            before = "\n".join(line for line in texts[MEMORY_PATH].split("\n") if line not in lines)
            return new_disagreements(MEMORY_PATH, before, texts, goes_on)

        return await self._propose_found(find)

    async def _propose_found(self, find: Callable[[Mapping[str, str], GoesOn], Iterable[PlacedPair]]) -> int:
        """Has what `find` finds wait. Once this is cancelled, as when the window closes, `find` is told to stop: the
        end of the program waits for its thread."""
        self._access.require()
        thread = ThreadPoolExecutor(1, "disagreements")
        ended = threading.Event()
        asked = 0
        try:
            texts = {path: (await self._disk.run(self.read_text, path)).text for path in COMPARED_FILES}
            lines = {path: frozenset(text.split("\n")) for path, text in texts.items()}
            loop = asyncio.get_running_loop()
            for each in await loop.run_in_executor(thread, find, texts, lambda: not ended.is_set()):
                if each.pair.old not in lines[each.old_path] or each.pair.new not in lines[each.new_path]:
                    continue
                asked += await self._ask_about(each.pair, each.old_path, texts[each.old_path], each.new_path)
        finally:
            ended.set()
            thread.shutdown(wait=False, cancel_futures=True)
        if asked:
            self._announce_waiting()
        return asked

    async def propose_pair(self, pair: Disagreement, path: str = MEMORY_PATH, new_path: str = "") -> bool:
        """Has two lines that disagree wait for review, side by side: the older one stands in the file at `path`, and
        the newer one there too, or at `new_path`. Returns whether they wait then, which they do not where the person
        settled them before. Raises StorageError."""
        self._access.require()
        text = (await self._disk.run(self.read_text, path)).text
        if await self._ask_about(pair, path, text, new_path or path):
            self._announce_waiting()
            return True
        waiting = await self._disk.run(self._ledger.suggestions)
        return any(each.id == pair_id(path, pair, new_path) for each in waiting)

    async def _ask_about(self, pair: Disagreement, path: str, text: str, new_path: str) -> bool:
        """Has a pair wait, unless it does or was settled once; returns whether it is new."""
        name = pair_id(path, pair, new_path)
        if self._ledger.asked_about(name):
            return False
        today = self._clock().date()
        placed = PlacedPair(pair, path, new_path)
        # Where it is not seen as a pair, one line alone of two files can be decided about: it is struck, or stands.
        passages = [Conflict(pair.old, pair.old, struck_line(pair.old, today))] if placed.is_across else []
        hold = partial(self._files.of(path).suggest, known_as=name, passages=passages)
        origin = MemoryOrigin("", self._clock().isoformat())
        await self._disk.run(hold, text, with_struck_lines(text, (pair,), today), (placed.reason(path),), origin)
        return True

    async def reopen(self, decided: Decided) -> None:
        """Takes a decision back: the suggestion waits again as it was, memory is without the change it made, and what
        it lifted is forgotten and rejected again.

        Raises StorageError, with nothing done, where something later changed the same lines.
        """
        self._access.require()
        saved = await self._disk.run(self._joint.reopen, decided.suggestion, decided.change_id)
        self._announce_changed(saved, "restore")
        if decided.suggestion.is_written_back and decided.change_id:
            back = decided.suggestion.path, decided.suggestion.lines_out
            self._announce(ForgottenLinesTakenOut(*back, is_undone=True))
        self._announce_waiting()

    async def suggest_left_out(self, suggestion: Suggestion) -> None:
        """Has something wait that was left out, since the person had rejected it before. Raises StorageError."""
        self._access.require()
        writer = await self._disk.run(self._files.of, suggestion.path)
        await self._disk.run(self._ledger.add_left_out, suggestion)
        await self._disk.run(writer.changes.lift_rejections, suggestion)
        self._announce_waiting()

    async def bring_up_to_date(self, suggestion_id: str = "") -> BroughtUpToDate:
        """Moves what waits onto the texts that stand now, and drops what nothing is left of; all of it, or the
        suggestion of this id alone. A decision that was refused half-way is finished first. Raises StorageError."""
        self._access.require()
        await self.finish_refused()
        moved, dropped = set[str](), 0
        for suggestion in await self._disk.run(self._ledger.suggestions):
            if suggestion_id not in ("", suggestion.id):
                continue
            was, now = await self._disk.run(self._one_up_to_date, suggestion.id)
            dropped += was is not None and now is None
            if now is not None and now != was:
                moved.add(now.id)
        if moved or dropped:
            self._announce_waiting()
        return BroughtUpToDate(frozenset(moved), dropped)

    def _one_up_to_date(self, suggestion_id: str) -> tuple[Suggestion | None, Suggestion | None]:
        """Brings a suggestion up to date; returns it as it waited and as it waits on, None where it does not. What was
        decided meanwhile stays decided. Blocks on the disk."""
        was = next((each for each in self._ledger.suggestions() if each.id == suggestion_id), None)
        if was is None:
            return None, None
        return was, self._resolver(self._files.of(was.path)).bring_up_to_date(was, self._files.facts())

    async def finish_refused(self) -> None:
        """Finishes a change of memory that the disk refused half-way, if there is one. Raises StorageError."""
        finished = await self._disk.run(self._finish)
        if finished is None:
            return
        for edit in text_edits(finished):
            now = await self._disk.run(self.read_text, edit.path)
            self._announce_saved(MemorySaved(now.text, now.digest), _ANNOUNCED.get(finished.kind, "editor"), edit.path)
        self._announce_waiting()
        self._announce(ChangeFinished(finished.id))

    def waiting_items(self) -> list[ReviewItem]:
        """Returns what waits for review, item by item: each pair of facts that disagree is one. Blocks on the disk."""
        return items_with_pairs(self._ledger.undecided(), self._files.facts())

    def changes(self, path: str = MEMORY_PATH) -> list[MemoryChange]:
        """Returns every change of a memory file that is kept, oldest first, whoever made it. Raises StorageError."""
        return self._files.of(path).changes.changes()

    def newest_change(self, path: str = MEMORY_PATH) -> MemoryChange | None:
        """Returns the newest change of a memory file, also a forgetting. Raises StorageError."""
        return self._files.of(path).changes.newest()

    def version_text(self, digest: str) -> str:
        """Returns the text version of this digest, as changes name them. Raises StorageError where it is not
        kept."""
        return self._files.memory.changes.text(digest)

    async def undo_change(self, change_id: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Takes one change back (a consolidation's is its transaction's id) and keeps everything later. One that was
        made in several files is taken back in all of them; what is returned is about the file at `path`. With what a
        `remove` took out of memory, what it took out of the history and the review comes back.

        It is a change of its own, which can be undone as well. Where something later changed the same passage, that
        stands: `conflicts` says so, and a suggestion waits. Raises StorageError where the change is not known, too
        long ago, or nothing of it is left.
        """
        self._access.require()
        if (effects := await self._disk.run(self._joint.undo_effects, change_id)) is not None:
            conflicts = await self._undo_removal(change_id, effects)
            now = await self._disk.run(self.read_text, path)
            return MemorySaved(now.text, now.digest, conflicts=conflicts)
        paths = await self._disk.run(self._joint.paths_of, change_id)
        if len(paths) > 1:
            joint = await self._disk.run(self._joint.undo, change_id, paths)
            self._announce_changed(joint, "restore")
            if joint.conflicts:
                self._announce_waiting()
            now = await self._disk.run(self.read_text, path)
            saved = MemorySaved(now.text, now.digest, conflicts=joint.conflicts)
        else:
            saved = await self._disk.run(self._resolver(self._files.of(path)).undo, change_id)
            self._announce_saved(saved, "restore", path)
        if MEMORY_PATH in (path, *paths):
            await self._undone(change_id)
        return saved

    async def remove(
        self,
        parts: Sequence[FileRemoval],
        suggestions: Sequence[Suggestion],
        cuts: Sequence[LogCut] = (),
        passages: Sequence[Suggestion] = (),
    ) -> str:
        """Takes what changes wrote out of memory files, and entries out of the history, and withdraws suggestions that
        wait, of those in `passages` only the passages that they have here, in one step.

        Returns its id, by which `undo_removal` undoes it. Raises StorageError with nothing changed.
        """
        self._access.require()
        joint = await self._disk.run(self._joint.remove, parts, suggestions, cuts, passages)
        if cuts:
            self._announce(HistoryChanged())
        self._announce_changed(joint, "restore")
        if suggestions or passages:
            self._announce_waiting()
        for change_id in (each for part in parts if part.path == MEMORY_PATH for each in part.change_ids):
            await self._undone(change_id)
        return joint.change_id

    async def newest_removal(self) -> str | None:
        """Returns the id of the newest `remove` that `undo_removal` would undo, None where there is none."""
        return await self._disk.run(self._joint.newest_removal)

    async def undo_removal(self, change_id: str) -> None:
        """Undoes a `remove` in one step. Where something later changed the same lines, that stands. Raises
        StorageError."""
        self._access.require()
        if (effects := await self._disk.run(self._joint.undo_effects, change_id)) is None:
            raise StorageError("There is no such change of memory, or it is too long ago.", next_step="", id=change_id)
        await self._undo_removal(change_id, effects)

    async def _undo_removal(self, change_id: str, effects: UndoEffects) -> tuple[Conflict, ...]:
        joint = await self._disk.run(self._joint.undo_removal, change_id, effects)
        if effects.cuts:
            self._announce(HistoryChanged())
        self._announce_changed(joint, "restore")
        if effects.holds or effects.settles or joint.conflicts:
            self._announce_waiting()
        if any(path == MEMORY_PATH for path, _ in joint.changed):
            await self._undone(change_id)
        return joint.conflicts

    async def restore_version(self, digest: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Replaces a memory file by a version of it; a change of its own, which can be undone. Raises StorageError."""
        self._access.require()
        saved = await self._disk.run(self._resolver(self._files.of(path)).restore, digest)
        self._announce_saved(saved, "restore", path)
        return saved

    def _resolver(self, writer: MemoryWriter) -> SuggestionResolver:
        return SuggestionResolver(writer, self._ledger)

    def _announce_changed(self, saved: JointlySaved, origin: str) -> None:
        for path, now in saved.changed:
            self._announce_saved(MemorySaved(now.text, now.digest), origin, path)

    def _announce_saved(self, saved: MemorySaved, origin: str, path: str = MEMORY_PATH) -> None:
        if origin:
            self._announce(text_changed(path, saved.text, saved.digest, origin))
            if has_entries(file_of_page(path)):
                self._announce(HistoryChanged())
                self._announce(EntryCorrected())
        if saved.conflicts or saved.held:
            self._announce_waiting()

    def _announce_taken_out(self, suggestion: Suggestion, lines: Sequence[str], saved: MemorySaved) -> None:
        """Announces which of these lines, that the person had forgotten, went out of their file."""
        stands = set(saved.text.split("\n"))
        out = tuple(line for line in lines if line.strip() and line not in stands)
        if suggestion.is_written_back and out and not saved.conflicts:
            self._announce(ForgottenLinesTakenOut(suggestion.path, out))

    def _announce_waiting(self) -> None:
        self._announce(SuggestionsChanged(len(self._ledger.undecided())))
