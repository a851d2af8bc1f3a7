"""One transaction, exactly once, across its files: history log, memory files, session files, suggestions, cursors.

The intent is committed first, then each file is brought to what it says, each step checked against what the file
already holds. So the same intent can be applied any number of times, also after a crash between any two system calls,
and loses nothing and writes nothing twice. Everything here blocks on the disk and runs on the disk thread.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemoscope.domain.consolidation.planning import clamp_pointer
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.memory.files.memory_files import TendedFiles
from mnemoscope.memory.transactions.conversation import Conversation, Conversations, file_of, range_hash
from mnemoscope.memory.transactions.leftovers import Leftovers
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import encode_text, fsync_directory, real_path
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.journals.history_append import HistoryMark, settle_entry
from mnemoscope.store.journals.journal import Journal
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.memory.suggestion_file import decode_suggestion
from mnemoscope.store.memory.text_versions import TextVersions
from mnemoscope.store.sessions.names import SUFFIX
from mnemoscope.store.transactions.file_steps import apply_files, set_files
from mnemoscope.store.transactions.intent import CONSOLIDATION, NEW, Intent, TextEdit, with_facts
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.memory.transactions.text_step import TextStep

log = logging.getLogger(__name__)
_FINISHED = "Finished saving memory from before the crash."
_CLOSED = "Finished closing a conversation from before the crash; what was said is in the archive."
_SET_ASIDE = "An unfinished save could not be read and was set aside; nothing of it was done."


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
        tended: TendedFiles,
        versions: TextVersions,
        conversations: Conversations,
        *,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._ledger = ledger
        self._tended = tended
        self._versions = versions
        self._conversations = conversations
        self._calls = calls
        self._leftovers = Leftovers(paths, ledger, tended, versions, calls=calls)

    def run(self, intent: Intent, conversation: Conversation | None = None) -> Applied:
        """Commit the intent and do all its steps. Raises StorageError: before the commit nothing was written; after it
        the intent stays, and the next `recover` goes on where this stopped."""
        intent = with_facts(intent)
        for edit in (TextEdit(MEMORY_PATH, intent.memory_before, intent.memory_before_version, ""), *intent.edits):
            tended = self._tended.of(edit.path)
            with suppress(StorageError):
                # Whose the present text is can be told only as long as it is not among our own versions.
                tended.changes.notice(tended.file.read())
            self._versions.keep(edit.before, edit.before_version)
        self._ledger.commit(intent)
        return self._apply(intent, conversation)

    def recover(self, conversation: Conversation | None = None, *, opening: bool = False) -> Recovered:
        """Roll a committed intent forward and clear away what a crash left. Raises StorageError.

        `conversation` is a live one whose pointer should move in memory too. `opening`: nobody is writing yet.
        """
        recovered = self._recover_intent(conversation)
        return replace(recovered, sentences=(*recovered.sentences, *self._leftovers.clear(everywhere=opening)))

    def _recover_intent(self, conversation: Conversation | None) -> Recovered:
        if not self._paths.own.intent_file.exists():
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
        applied = self._edit_files(intent)
        suggestion = self._reviewed(intent) or applied.held
        if suggestion is not None:
            self._ledger.hold(suggestion)
        self._files_and_suggestions(intent)
        if intent.kind == CONSOLIDATION:
            self.move_pointer(intent, conversation)
        set_files(self._paths.root, intent, calls=self._calls)
        self._ledger.finish(intent)
        return Applied(applied.memory, suggestion)

    def _files_and_suggestions(self, intent: Intent) -> None:
        apply_files(self._paths.root, intent, calls=self._calls)
        for move in (each for each in intent.moves if each.target.endswith(SUFFIX)):
            self._conversations.begun_anew(intent.session_key, self._paths.root / move.target)
        for text in intent.holds:
            if (suggestion := decode_suggestion(encode_text(text))) is not None:
                self._ledger.hold(suggestion)
        for suggestion_id in intent.settles:
            self._ledger.settle(suggestion_id, intent.outcome)

    def _force_what_is_seen(self, intent: Intent) -> None:
        """What a killed process wrote may be seen and not be on the disk: found done, it is not written again."""
        target = self._conversations.load(intent.session_key) if intent.persistent else None
        edited = [self._paths.file(edit.path) for edit in intent.edits]
        logs = (self._paths.history_file, self._paths.history_jsonl)
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

    def _edit_files(self, intent: Intent) -> Applied:
        """Bring MEMORY.md and the other memory files to what the intent says."""
        applied = Applied()
        if intent.memory_after is not None:
            before, version = intent.memory_before, intent.memory_before_version
            edit = TextEdit(MEMORY_PATH, before, version, intent.memory_after, intent.memory_merged)
            written = self._step(MEMORY_PATH).apply(
                intent, edit, lambda merged: self._ledger.commit(replace(intent, memory_merged=merged))
            )
            applied = Applied(written.text, written.held)
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
            self._ledger.hold(written.held)
        return now

    def _step(self, path: str) -> TextStep:
        from mnemoscope.memory.transactions.text_step import TextStep  # not before something is written

        return TextStep(self._tended.of(path), self._versions, self._ledger)

    def _reviewed(self, intent: Intent) -> Suggestion | None:
        """What a consolidation holds for the person, passage by passage."""
        from mnemoscope.domain.merge.conflict_resolution import passages
        from mnemoscope.memory.transactions.text_step import origin_of

        held = intent.suggestion()
        if held is None:
            return None
        changes = self._tended.memory.changes
        back = changes.hold_back(held.before, held.proposed).reasons
        conflicts = changes.attributed(passages(held.before, held.proposed), None, origin_of(intent))
        reasons = tuple(dict.fromkeys((*held.reasons, *back)))
        return replace(held, reasons=reasons, conflicts=conflicts)

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
            self._conversations.save(target)
        except BaseException:
            # On disk it has not moved; were it to stay moved here, the next save would skip the steps in between.
            target.last_consolidated = before
            raise
