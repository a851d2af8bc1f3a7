"""One transaction, exactly once, across its files: history log, memory files, session files, suggestions, cursors.

The intent is committed first, then each file is brought to what it says, each step checked against what the file
already holds. So the same intent can be applied any number of times, also after a crash between any two system calls,
and loses nothing and writes nothing twice. Everything here blocks on the disk and runs on the disk thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from mnemoscope.domain.consolidation.planning import clamp_pointer
from mnemoscope.domain.errors import FileShared, StorageError, Unfinished, UnreadableFile
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import changed_passages, whole_passages
from mnemoscope.domain.merge.held_back import HeldBack
from mnemoscope.domain.merge.three_way import Conflict, Merge, merge_memory
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.memory.files.memory_changes import keys_of_new
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.files.memory_writer import MemoryWriter
from mnemoscope.memory.transactions.conversation import Conversation, Conversations, file_of, holds_deleted, range_hash
from mnemoscope.memory.transactions.temporary_file_cleanup import TemporaryFileCleanup
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import digest_of, encode_text, fsync_directory, real_path
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.forgetting.forgetting_files import FORGETTING_ORIGIN, CompletedForgetting, ForgettingFiles
from mnemoscope.store.logs.history_append import HistoryMark, settle_entry
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.memory_file import MemoryMoved, MemoryText
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.transactions.file_steps import apply_files, correct_entries, cut_logs, set_files
from mnemoscope.store.transactions.intent import (
    CONSOLIDATION,
    DELETE,
    DREAM_RUN,
    FORGET,
    NEW,
    RESTORE,
    UNDELETE,
    Intent,
    TextEdit,
    paths_of,
    with_facts,
)
from mnemoscope.store.transactions.ledger import Ledger, held_by, rejected_by
from mnemoscope.store.workspace.links_out import leads_elsewhere
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
Result = TypeVar("Result")
_TRIES: Final = 5
_SHOWN_LENGTH: Final = 120
_BY_A_MODEL: Final = {CONSOLIDATION: "consolidation", DREAM_RUN: "dream"}
_FINISHED = "Finished saving memory from before the crash."
_CLOSED = "Finished closing a conversation from before the crash; what was said is in the archive."
_DELETED = "Finished deleting messages from before the crash; they are in the trash."
_UNDELETED = "Finished bringing deleted messages back from before the crash."
_FORGOTTEN = "Finished forgetting from before the crash; the receipt is kept."
_SAID: Final = {NEW: _CLOSED, DELETE: _DELETED, UNDELETE: _UNDELETED, FORGET: _FORGOTTEN}
_SET_ASIDE = "An unfinished save could not be read and was moved to quarantine; nothing of it was done."


@dataclass(frozen=True, slots=True)
class AppliedTransaction:
    """Holds what a transaction left behind: the text of MEMORY.md where it changed, and what waits for the person."""

    memory: MemoryText | None = None
    held: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """Reports what was found unfinished and finished: a sentence for each thing; the consolidation, if it was one."""

    sentences: tuple[str, ...] = ()
    intent: Intent | None = None
    applied: AppliedTransaction = AppliedTransaction()


class Transactions:
    """Commits intents and rolls them forward."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        files: MemoryFiles,
        versions: TextVersions,
        conversations: Conversations,
        *,
        outside: Iterable[Path] = (),
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._ledger = ledger
        self._files = files
        self._versions = versions
        self._conversations = conversations
        self._calls = calls
        self._leftovers = TemporaryFileCleanup(paths, ledger, files, versions, calls=calls)
        self.forgetting = ForgettingFiles(
            paths, ledger, outside=outside, calls=calls, before_search=self._ask_about_what_stayed
        )
        self._on_forgotten: Callable[[CompletedForgetting], object] = lambda _carried: None

    def when_forgotten(self, listener: Callable[[CompletedForgetting], object]) -> None:
        """Has each forgetting told that was begun in this process and that a later try finished."""
        self._on_forgotten = listener

    def run(self, intent: Intent, conversation: Conversation | None = None) -> AppliedTransaction:
        """Commits the intent and does all its steps. Raises StorageError: before the commit nothing was written; after
        it that is Unfinished, the intent stays, and the next `recover` goes on where this stopped."""
        intent = with_facts(intent)
        for edit in (TextEdit(MEMORY_PATH, intent.memory_before, intent.memory_before_version, ""), *intent.edits):
            writer = self._files.of(edit.path)
            with suppress(StorageError):
                # Whose the present text is can be told only as long as it is not among our own text versions.
                writer.changes.notice(writer.file.read())
            self._versions.keep(edit.before, edit.before_version)
        self._ledger.commit(intent)
        with _committed(intent):
            return self._apply(intent, conversation)

    def forget(self, intent: Intent) -> CompletedForgetting:
        """Commits a forgetting and carries it out. Raises StorageError, as `run` does."""
        self._ledger.commit(intent)
        with _committed(intent), self._rereading():
            return self.forgetting.begin(intent)

    def reread(self) -> None:
        """Reads afresh what a forgetting, or its undo, changed in the files: the ledger, memory and live
        conversations."""
        self._ledger.reread()
        self._files.reread()
        self._conversations.reread()

    def recover(self, conversation: Conversation | None = None, *, opening: bool = False) -> Recovered:
        """Rolls a committed intent forward and clear away what a crash left. Raises StorageError.

        `conversation` is a live one whose pointer should move in memory too. `opening`: nobody is writing yet.
        """
        before: list[str] = []
        with suppress(StorageError):
            if (intent := self._ledger.pending()) is not None and intent.kind == FORGET:
                # What a kill left on its way has the words, too, and the search afterwards is to find none.
                before = self._leftovers.clear(everywhere=opening)
        recovered = self._recover_intent(conversation)
        after = self._leftovers.clear(everywhere=opening)
        return replace(recovered, sentences=(*before, *recovered.sentences, *after))

    def _recover_intent(self, conversation: Conversation | None) -> Recovered:
        if not self._paths.own.intent_file.exists():
            return Recovered()
        intent = self._ledger.pending()
        if intent is None or intent.workspace_id != self._ledger.workspace_id() or self._leads_elsewhere(intent):
            kept = self._ledger.set_aside()
            log.warning("an intent that was never committed here was set aside as %s", kept)
            return Recovered((_SET_ASIDE,))
        self._ledger.confirm()
        self._force_what_is_seen(intent)
        applied = self._apply(intent, conversation)
        log.info("%s %s was rolled forward", intent.kind, intent.id)
        return Recovered((_SAID.get(intent.kind, _FINISHED),), intent, applied)

    def _leads_elsewhere(self, intent: Intent) -> bool:
        """Returns whether it would write through a link that nobody was asked about when the folder was opened."""
        return any(leads_elsewhere(self._paths.root, path) for path in paths_of(intent))

    def _apply(self, intent: Intent, conversation: Conversation | None) -> AppliedTransaction:
        if intent.kind in (DELETE, UNDELETE):
            self._conversations.roll_records_forward(intent)
            return AppliedTransaction()
        if intent.kind == FORGET:
            is_whole = self.forgetting.is_whole(intent.id)
            with self._rereading():
                carried = self.forgetting.apply(intent)
            if is_whole:
                self._on_forgotten(carried)
            return AppliedTransaction()
        self._append_history(intent)
        cut_logs(self._paths.root, intent, calls=self._calls)
        correct_entries(self._paths.root, intent, calls=self._calls)
        applied = self._edit_files(intent)
        suggestion = self._reviewed(intent) or applied.held
        if suggestion is not None:
            self._ledger.add_suggestion(suggestion)
        self._files_and_suggestions(intent)
        if intent.kind == CONSOLIDATION:
            self.move_pointer(intent, conversation)
        set_files(self._paths.root, intent, calls=self._calls)
        self._ledger.finish(intent)
        return AppliedTransaction(applied.memory, suggestion)

    def _ask_about_what_stayed(self) -> None:
        self.reread()
        self._files.ask_about_what_stayed()

    @contextmanager
    def _rereading(self) -> Iterator[None]:
        try:
            yield
        finally:
            self.reread()

    def _files_and_suggestions(self, intent: Intent) -> None:
        apply_files(self._paths.root, intent, calls=self._calls)
        for move in (each for each in intent.moves if each.target.endswith(SUFFIX)):
            self._conversations.begun_anew(intent.session_key, self._paths.root / move.target)
        for suggestion in held_by(intent):
            self._ledger.add_suggestion(suggestion)
        for suggestion in rejected_by(intent):
            self._files.of(suggestion.path).changes.remember_rejected(suggestion, intent.when)
        for suggestion_id in intent.settles:
            self._ledger.settle(suggestion_id, intent.outcome)

    def _force_what_is_seen(self, intent: Intent) -> None:
        """Forces the files of a transaction onto the disk. What a killed process wrote may be seen and not be there;
        what is found done is not written again."""
        target = self._conversations.load(intent.session_key) if intent.persistent else None
        edited = [self._paths.file(edit.path) for edit in intent.edits]
        corrected = (self._paths.root / edit.path for edit in intent.corrections)
        logs = (self._paths.history_file, self._paths.history_jsonl, *corrected)
        for path in (*logs, self._paths.memory_file, *edited, file_of(target)):
            if path is not None and path.exists():
                fsync_file(path, calls=self._calls)
                fsync_directory(real_path(path).parent, calls=self._calls)

    def _append_history(self, intent: Intent) -> None:
        if not intent.history_entry:
            return
        mark = HistoryMark(intent.history_size, intent.history_tail)
        path = self._paths.root / intent.history_path if intent.history_path else self._paths.history_file
        settle_entry(path, encode_text(intent.history_entry), mark, calls=self._calls)
        if (entry := intent.journal_entry) is not None:
            # Other programs take their next number from it alone.
            Journal(self._paths, calls=self._calls).hint(entry.cursor)

    def _edit_files(self, intent: Intent) -> AppliedTransaction:
        """Brings MEMORY.md and the other memory files to what the intent says."""
        applied = AppliedTransaction()
        if intent.memory_after is not None:
            before, digest = intent.memory_before, intent.memory_before_version
            edit = TextEdit(MEMORY_PATH, before, digest, intent.memory_after, intent.memory_merged)
            written = self._step(MEMORY_PATH).apply(
                intent, edit, lambda merged: self._ledger.commit(replace(intent, memory_merged=merged))
            )
            applied = AppliedTransaction(written.text, written.held)
        for place in range(len(intent.edits)):
            intent = self._edit_one(intent, place)
        return applied

    def _edit_one(self, intent: Intent, place: int) -> Intent:
        now = intent

        def recommit(merged: str) -> None:
            nonlocal now
            edits = [replace(each, merged=merged) if n == place else each for n, each in enumerate(now.edits)]
            now = replace(now, edits=tuple(edits))
            self._ledger.commit(now)

        edit = intent.edits[place]
        written = self._step(edit.path).apply(intent, edit, recommit)
        if written.held is not None:
            self._ledger.add_suggestion(written.held)
        return now

    def _step(self, path: str) -> MemoryStep:
        return MemoryStep(self._files.of(path), self._versions, self._ledger)

    def _reviewed(self, intent: Intent) -> Suggestion | None:
        """Returns what a consolidation holds for the person, passage by passage."""
        held = intent.suggestion()
        if held is None:
            return None
        changes = self._files.memory.changes
        back = changes.hold_back(held.before, held.proposed).reasons
        conflicts = changes.attributed(changed_passages(held.before, held.proposed), None, origin_of_intent(intent))
        reasons = tuple(dict.fromkeys((*held.reasons, *back)))
        return replace(held, reasons=reasons, conflicts=conflicts)

    def move_pointer(self, intent: Intent, conversation: Conversation | None) -> None:
        """Moves the pointer from the intent's start to its stop, where it stands there and the messages are the same.

        A live conversation comes first; one that was never saved moves in memory only. Raises StorageError.
        """
        live = conversation if conversation is not None and conversation.key == intent.session_key else None
        target = live or (self._conversations.load(intent.session_key) if intent.persistent else None)
        if target is None:
            return
        before = target.last_consolidated
        if clamp_pointer(before, len(target.messages)) != intent.start:
            return
        is_same = range_hash(target, intent.start, intent.stop) == intent.range_hash
        if not is_same and not holds_deleted(target, intent.start, intent.stop):
            return
        target.last_consolidated = intent.stop
        if not intent.persistent:
            return
        try:
            self._conversations.save(target)
        except BaseException:
            # On disk it has not moved; were it to stay moved here, the next save would skip the steps in between.
            target.last_consolidated = before
            raise


@dataclass(frozen=True, slots=True)
class StepResult:
    """Holds what the step of one memory file left: the file's text where it changed, and what waits for the person."""

    text: MemoryText | None = None
    held: Suggestion | None = None


class MemoryStep:
    """Brings one memory file from the text it had to what an intent says, merged where it moved on; once, however often
    it is asked for."""

    def __init__(self, writer: MemoryWriter, versions: TextVersions, ledger: Ledger) -> None:
        self._file = writer.file
        self._changes = writer.changes
        self._versions = versions
        self._ledger = ledger

    def apply(self, intent: Intent, edit: TextEdit, recommit: Callable[[str], None]) -> StepResult:
        """Writes `edit.after`. `recommit` notes in the intent which merged text is about to be written. Raises
        StorageError."""
        for _ in range(_TRIES):
            try:
                return self._merge(intent, edit, recommit)
            except MemoryMoved:
                continue
            except (UnreadableFile, FileShared) as error:
                # What else the transaction does stands already: the new text waits rather than all of it.
                return StepResult(held=_held_text(intent, edit, "", edit.after, error.sentence))
        raise StorageError(f"{self._changes.name} is being changed by another program without a pause.", id=intent.id)

    def _merge(self, intent: Intent, edit: TextEdit, recommit: Callable[[str], None]) -> StepResult:
        current = self._file.read()
        if self._changes.knows(intent.id):
            # Done before a crash: what the person took out since stays out.
            return StepResult(current)
        if not current.exists and edit.before_version:
            # A file that was removed is never resurrected.
            sentence = f"{self._changes.name} was removed in the meantime."
            return StepResult(held=_held_text(intent, edit, "", edit.after, sentence))
        if digest_of(encode_text(current.text)) != digest_of(encode_text(edit.after)) and not edit.merged:
            self._changes.notice(current, before_writing=True)
        merge = merge_memory(edit.before, current.text, edit.after)
        origin = origin_of_intent(intent)
        own_facts = keys_of_new(edit.before, edit.after) if origin.is_own_word else ()
        safe = self._changes.hold_back(current.text, merge.text, is_personal=origin.is_personal, own_facts=own_facts)
        written = current
        if digest_of(encode_text(current.text)) != edit.merged:
            if safe.text not in (current.text, edit.after):
                recommit(digest_of(encode_text(safe.text)))
            written = self._file.write(safe.text, based_on=current.digest)
        self._versions.keep(written.text, written.digest)
        held = self._conflicted(intent, edit, written.text, merge, safe)
        if held is not None:
            self._versions.keep_text(edit.after)
            self._ledger.add_suggestion(held)
        # What goes so that it can be dreamed again was not taken out by the person: Dream may write it once more.
        for_good = not (intent.kind == RESTORE and intent.sets)
        self._changes.note(intent.id, origin, safe.text, written, for_good=for_good)
        return StepResult(written, held)

    def _conflicted(self, intent: Intent, edit: TextEdit, text: str, merge: Merge, safe: HeldBack) -> Suggestion | None:
        reasons = [_sentence(each) for each in merge.conflicts] + list(safe.reasons)
        if not reasons:
            return None
        conflicts = self._changes.attributed((*whole_passages(merge), *safe.conflicts), None, origin_of_intent(intent))
        return replace(_held_text(intent, edit, text, merge.proposed, *reasons), conflicts=conflicts)


def _held_text(intent: Intent, edit: TextEdit, before: str, proposed: str, *reasons: str) -> Suggestion:
    """Returns a text that waits for the person, under an id that is the same each time the intent is applied."""
    suggestion_id = intent.id
    if edit.path != MEMORY_PATH:
        suggestion_id = digest_of(encode_text(f"{intent.id} {edit.path}"))[:16]
    part = (intent.session_key, intent.start, intent.stop)
    return Suggestion(suggestion_id, intent.when, before, proposed, reasons, *part, path=edit.path)


def origin_of_intent(intent: Intent) -> MemoryOrigin:
    """Returns whose change a transaction is."""
    if intent.kind == FORGET:
        return MemoryOrigin(FORGETTING_ORIGIN, intent.when, detail=intent.id)
    if intent.kind not in _BY_A_MODEL:
        return MemoryOrigin(intent.origin_kind, intent.when, detail=intent.origin_detail)
    kind = _BY_A_MODEL[intent.kind]
    return MemoryOrigin(kind, intent.when, intent.session_key, intent.start, intent.stop, intent.id)


@contextmanager
def _committed(intent: Intent) -> Iterator[None]:
    """Has a refusal say that the transaction is committed: it goes on by itself. One that the person has a way out of
    keeps that."""
    try:
        yield
    except StorageError as error:
        if intent.kind != FORGET and isinstance(error, FileShared | UnreadableFile):
            raise
        raise Unfinished(error.sentence, id=intent.id) from error


def _sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs).strip().partition("\n")[0]
    return f"“{shortened(line, _SHOWN_LENGTH)}” was changed by you and by the model; your text stands."


async def finish_despite_cancellation(work: Coroutine[Any, Any, Result]) -> Result:
    """Sees `work` through, also when whoever waits for it is cancelled; the cancellation comes afterwards."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        if not task.cancelled() and (error := task.exception()):
            log.warning("a consolidation that was cancelled also failed: %s", error)
        raise
