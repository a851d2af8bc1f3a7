"""One transaction, exactly once, across its files: history log, MEMORY.md, session files, suggestions.

The intent is committed first, then each file is brought to what it says, each step checked against what the file
already holds. So the same intent can be applied any number of times, also after a crash between any two system calls,
and loses nothing and writes nothing twice. Everything here blocks on the disk and runs on the disk thread.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from mnemoscope.domain.conflict_text import passages, whole_passages
from mnemoscope.domain.consolidation import clamp_pointer
from mnemoscope.domain.deletions import HeldBack
from mnemoscope.domain.errors import FileShared, StorageError, UnreadableFile
from mnemoscope.domain.memory_change import MemoryOrigin
from mnemoscope.domain.merge import Conflict, Merge, merge_memory
from mnemoscope.domain.trace import Suggestion
from mnemoscope.memory.conversation import Conversation, Conversations, file_of, range_hash
from mnemoscope.memory.leftovers import Leftovers
from mnemoscope.memory.memory_changes import MemoryChanges
from mnemoscope.store.append import fsync_file
from mnemoscope.store.atomic import digest, encode_text, fsync_directory, real_path
from mnemoscope.store.calls import REAL_CALLS, FileCalls
from mnemoscope.store.file_steps import apply_files
from mnemoscope.store.history_append import HistoryMark, settle_entry
from mnemoscope.store.intent import CONSOLIDATION, NEW, Intent, with_facts
from mnemoscope.store.ledger import Ledger
from mnemoscope.store.memory_file import MemoryFile, MemoryMoved, MemoryText
from mnemoscope.store.suggestion_file import decode_suggestion
from mnemoscope.store.versions import Versions
from mnemoscope.store.workspace import WorkspacePaths

log = logging.getLogger(__name__)
_TRIES = 5
_FINISHED = "Finished saving memory from before the crash."
_CLOSED = "Finished closing a conversation from before the crash; what was said is in the archive."
_SET_ASIDE = "An unfinished save could not be read and was set aside; nothing of it was done."
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Applied:
    """What a transaction left behind: the text of MEMORY.md where it changed, and what waits for the person."""

    memory: MemoryText | None = None
    held: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was found unfinished and finished: a sentence for each thing, and the consolidation, if it was one."""

    sentences: tuple[str, ...] = ()
    intent: Intent | None = None
    applied: Applied = Applied()


class Transactions:
    """Commits intents and rolls them forward."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        memory: MemoryFile,
        versions: Versions,
        conversations: Conversations,
        changes: MemoryChanges,
        *,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._ledger = ledger
        self._memory = memory
        self._versions = versions
        self._conversations = conversations
        self._changes = changes
        self._calls = calls
        self._leftovers = Leftovers(paths, ledger, memory, versions, calls=calls)

    def run(self, intent: Intent, conversation: Conversation | None = None) -> Applied:
        """Commit the intent and do all its steps. Raises StorageError: before the commit nothing was written; after it
        the intent stays, and the next `recover` goes on where this stopped."""
        intent = with_facts(intent)
        with suppress(StorageError):
            # Whose the present text is can be told only as long as it is not among our own versions.
            self._changes.notice(self._memory.read())
        self._versions.keep(intent.memory_before, intent.memory_before_version)
        self._ledger.commit(intent)
        return self._apply(intent, conversation)

    def recover(self, conversation: Conversation | None = None, *, opening: bool = False) -> Recovered:
        """Roll a committed intent forward and clear away what a crash left. Raises StorageError.

        `conversation` is a live one whose pointer should move in memory too. `opening`: nobody is writing yet.
        """
        recovered = self._recover_intent(conversation)
        return replace(recovered, sentences=(*recovered.sentences, *self._leftovers.clear(everywhere=opening)))

    def _recover_intent(self, conversation: Conversation | None) -> Recovered:
        if not self._paths.intent_file.exists():
            return Recovered()
        intent = self._ledger.pending()
        if intent is None or intent.workspace_id != self._ledger.workspace_id():
            kept = self._ledger.set_aside()
            log.warning("an intent that was never committed here was set aside as %s", kept)
            return Recovered((_SET_ASIDE,))
        self._ledger.confirm()
        self._force_what_is_seen(intent)
        applied = self._apply(intent, conversation)
        log.info("%s %s was rolled forward", intent.kind, intent.id)
        return Recovered((_CLOSED if intent.kind == NEW else _FINISHED,), intent, applied)

    def _apply(self, intent: Intent, conversation: Conversation | None) -> Applied:
        self._append_history(intent)
        applied = self._replace_memory(intent)
        suggestion = self._reviewed(intent) or applied.held
        if suggestion is not None:
            self._ledger.hold(suggestion)
        self._files_and_suggestions(intent)
        if intent.kind == CONSOLIDATION:
            self.move_pointer(intent, conversation)
        self._ledger.finish(intent)
        return Applied(applied.memory, suggestion)

    def _files_and_suggestions(self, intent: Intent) -> None:
        apply_files(self._paths.root, intent, calls=self._calls)
        for move in intent.moves:
            self._conversations.begun_anew(intent.session_key, self._paths.root / move.target)
        for text in intent.holds:
            if (suggestion := decode_suggestion(encode_text(text))) is not None:
                self._ledger.hold(suggestion)
        for suggestion_id in intent.settles:
            self._ledger.settle(suggestion_id, intent.outcome)

    def _force_what_is_seen(self, intent: Intent) -> None:
        """What a killed process wrote may be seen and not be on the disk: found done, it is not written again."""
        target = self._conversations.load(intent.session_key) if intent.persistent else None
        for path in (self._paths.history_file, self._paths.memory_file, file_of(target)):
            if path is not None and path.exists():
                fsync_file(path, calls=self._calls)
                fsync_directory(real_path(path).parent, calls=self._calls)

    def _append_history(self, intent: Intent) -> None:
        if not intent.history_entry:
            return
        mark = HistoryMark(intent.history_size, intent.history_tail)
        settle_entry(self._paths.history_file, encode_text(intent.history_entry), mark, calls=self._calls)

    def _replace_memory(self, intent: Intent) -> Applied:
        if intent.memory_after is None:
            return Applied()
        for _ in range(_TRIES):
            try:
                return self._merge_memory(intent, intent.memory_after)
            except MemoryMoved:
                continue
            except (UnreadableFile, FileShared) as error:
                # The history entry stands already: the new text waits rather than the whole consolidation.
                return Applied(held=_held(intent, "", intent.memory_after, error.sentence))
        raise StorageError("MEMORY.md is being changed by another program without a pause.", id=intent.id)

    def _merge_memory(self, intent: Intent, after: str) -> Applied:
        current = self._memory.read()
        if self._changes.knows(intent.id):
            # Done before a crash: what the person took out since stays out.
            return Applied(current)
        if not current.exists and intent.memory_before_version:
            # A file that was removed is never resurrected.
            return Applied(held=_held(intent, "", after, "MEMORY.md was removed in the meantime."))
        if digest(encode_text(current.text)) != digest(encode_text(after)) and not intent.memory_merged:
            self._changes.notice(current, before_writing=True)
        merge = merge_memory(intent.memory_before, current.text, after)
        is_personal = _origin(intent).is_personal
        safe = HeldBack(merge.text) if is_personal else self._changes.hold_back(current.text, merge.text)
        if digest(encode_text(current.text)) == intent.memory_merged:
            written = current
        else:
            if safe.text not in (current.text, after):
                self._ledger.commit(replace(intent, memory_merged=digest(encode_text(safe.text))))
            written = self._memory.write(safe.text, based_on=current.version)
        self._versions.keep(written.text, written.version)
        held = self._conflicted(intent, written.text, merge, safe)
        if held is not None:
            self._versions.keep_text(after)
            self._ledger.hold(held)
        self._changes.note(intent.id, _origin(intent), safe.text, written)
        return Applied(written, held)

    def _reviewed(self, intent: Intent) -> Suggestion | None:
        """What a consolidation holds for the person, passage by passage."""
        held = intent.suggestion()
        if held is None:
            return None
        back = self._changes.hold_back(held.before, held.proposed).reasons
        conflicts = self._changes.attributed(passages(held.before, held.proposed), None, _origin(intent))
        reasons = tuple(dict.fromkeys((*held.reasons, *back)))
        return replace(held, reasons=reasons, conflicts=conflicts)

    def _conflicted(self, intent: Intent, text: str, merge: Merge, safe: HeldBack) -> Suggestion | None:
        reasons = [_conflict_sentence(each) for each in merge.conflicts] + list(safe.reasons)
        if not reasons:
            return None
        conflicts = self._changes.attributed((*whole_passages(merge), *safe.conflicts), None, _origin(intent))
        return replace(_held(intent, text, merge.proposed, *reasons), conflicts=conflicts)

    def move_pointer(self, intent: Intent, conversation: Conversation | None) -> None:
        """Move the pointer from the intent's start to its stop, where it stands there and the messages are the same.

        A live conversation comes first; one that was never saved moves in memory only. Raises StorageError.
        """
        live = conversation if conversation is not None and conversation.key == intent.session_key else None
        target = live or (self._conversations.load(intent.session_key) if intent.persistent else None)
        if target is None:
            return
        before = target.last_consolidated
        if clamp_pointer(before, len(target.messages)) != intent.start:
            return
        if range_hash(target, intent.start, intent.stop) != intent.range_hash:
            return
        target.last_consolidated = intent.stop
        if not intent.persistent:
            return
        try:
            self._conversations.save_pointer(target)
        except BaseException:
            # On disk it has not moved; were it to stay moved here, the next save would skip the steps in between.
            target.last_consolidated = before
            raise


def _held(intent: Intent, before: str, proposed: str, *reasons: str) -> Suggestion:
    held = replace(intent, memory_before=before, held=proposed, reasons=reasons).suggestion()
    assert held is not None
    return held


def _origin(intent: Intent) -> MemoryOrigin:
    if intent.kind != CONSOLIDATION:
        return MemoryOrigin(intent.origin_kind, intent.when, detail=intent.origin_detail)
    return MemoryOrigin("consolidation", intent.when, intent.session_key, intent.start, intent.stop, intent.id)


def _conflict_sentence(conflict: Conflict) -> str:
    line = (conflict.base or conflict.theirs).strip().partition("\n")[0]
    shown = line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
    return f"“{shown}” was changed by you and by the model; your text stands."
