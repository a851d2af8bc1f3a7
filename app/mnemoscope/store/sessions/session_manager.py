"""Conversations on disk: append-only files that nanobot reads too. Nothing is ever overwritten, but for a message that
the person deletes: its record goes to the trash.

A turn appends its messages with one write and one fsync; a moved pointer or a title appends one more metadata record,
and the last one counts. All methods may block on the disk; the window calls them through its disk thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemoscope.domain.conversation.branch import BranchChoice, branch_choices
from mnemoscope.domain.conversation.deletion import MessageDeletion
from mnemoscope.domain.conversation.discretion import TEMPORARY_PREFIX, Discretion, Trace, discretion_of, is_temporary
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.imported_conversation import ImportedConversation
from mnemoscope.store.files.atomic import make_directory, remove_file, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.sessions.branches import SessionBranches
from mnemoscope.store.sessions.discreet_sessions import DiscreetSessions
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.record_line import session_record
from mnemoscope.store.sessions.file_format.session_file import SessionFile
from mnemoscope.store.sessions.file_format.tail import EMPTY_TAIL, Tail, tail_of_file, tail_of_log
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.imported_sessions import ImportedSessions
from mnemoscope.store.sessions.known_conversations import KnownConversations
from mnemoscope.store.sessions.message_trash import ChosenMessages, MessageTrash
from mnemoscope.store.sessions.metadata import stated_metadata
from mnemoscope.store.sessions.overview import PINNED, Overviews, SessionOverview, creation_time, overview_of_new
from mnemoscope.store.sessions.repair import FileRepair, SessionHealth
from mnemoscope.store.sessions.session import ANSWERING_MODEL, Session
from mnemoscope.store.sessions.session_moves import SessionMoves, Trashed
from mnemoscope.store.sessions.session_writer import LostMessages, SessionWriter
from mnemoscope.store.sessions.temporary_sessions import TemporaryLog, TemporarySessions
from mnemoscope.store.transactions.intent import Intent
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.write_access import WriteAccess


class SessionManager:
    """Keeps the conversations of one workspace. With `read_only` nothing at all is written."""

    def __init__(
        self,
        workspace: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], datetime] = datetime.now,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self.workspace = workspace
        self.read_only = read_only
        self._access = WriteAccess(workspace, read_only)
        self._paths = WorkspacePaths(workspace)
        self.sessions_dir = self._paths.sessions_dir
        self._clock = clock
        self._calls = calls
        self._cache: dict[str, Session] = {}
        self._folder = SessionFolder(self.sessions_dir, workspace, self._paths.discreet_dir)
        self._overviews = Overviews(self._folder)
        repair = FileRepair(workspace, self._paths.own.quarantine_dir, calls=calls)
        self._writer = SessionWriter(self._folder, repair, calls=calls)
        self.health = SessionHealth(self._folder, repair, self._access, self._file_of)
        self.moves = SessionMoves(self._paths, self._folder, self._writer, calls=calls)
        self.branches = SessionBranches(self._paths, self._folder, self._writer, repair, calls=calls)
        self.deleted_messages = MessageTrash(self._paths, self._folder, self.branches, calls=calls)
        self.discreet = DiscreetSessions(self._paths, self._folder, self._writer, calls=calls)
        self.imported = ImportedSessions(self._paths, self._folder, calls=calls)
        self.temporary = TemporarySessions(clock)
        self._archive = SessionArchive(self._paths.archive_dir)
        self._known = KnownConversations(self._paths.own.known_conversations_file, calls=calls)
        self._begun: set[str] = set()
        self._seen_discreet: set[str] = set()

    def get_or_create(self, key: str) -> Session:
        """Returns the conversation under a key; a new one is not on disk before it is saved. Raises UnreadableFile."""
        if is_temporary(key):
            return self.temporary.get_or_create(key)
        session = self.load(key)
        if session is None:
            session = self._cache[key] = Session(key, clock=self._clock)
        return session

    def load(self, key: str) -> Session | None:
        """Returns the conversation under a key, or None where there is none. Always the same object. Raises
        UnreadableFile.

        A torn last line is repaired first, unless this manager is read-only.
        """
        if is_temporary(key):
            return self.temporary.load(key)
        if key in self._cache:
            return self._cache[key]
        self.require_root()
        path = self._folder.find(key)
        if path is None:
            return None
        file = self._folder.file(path)
        self.health.mend(key, file)
        session = self._cache[key] = self._session_of(key, file)
        self.branches.look(session)
        return session

    def with_branch(self, key: str, began: str) -> Session | None:
        """Returns the conversation under a key, open or closed, that has the branch of that name, None where there is
        none. Raises UnreadableFile."""
        session = self.load(key)
        if session is None or not session.has_branch(began):
            session = self._archive.session_with(key, began, self.branches.root_with(key, began))
            if session is not None:
                self.branches.look(session)
        return session

    def create(self, title: str = "", *, key: str = "") -> Session:
        """Begins a new conversation, under a key of its own unless one is given: `desktop:<time>-<random>`.

        It is listed at once and gets its file with its title or its first message.
        """
        self._access.require()
        when = self._clock()
        key = key or self._new_key(when)
        metadata: dict[str, Any] = {"title": title, "title_user_edited": True} if title else {}
        session = self._cache[key] = Session(key, created_at=when, metadata=metadata, clock=self._clock)
        self._begun.add(key)
        if title:
            self.save(session)
        return session

    def append(self, session: Session) -> list[int]:
        """Writes the messages that are not on disk yet, durably; returns their numbers.

        Raises StorageError, with the file as it was and the messages still waiting, so that a retry writes each once.
        """
        if isinstance(session.messages, TemporaryLog):
            return session.messages.keep_pending()
        self._prepare(session)
        numbers = self._writer.write(session, metadata=False)
        self._note_known(session)
        return numbers

    def save(self, session: Session) -> None:
        """Writes whatever of the session is not on disk yet: messages, pointer, metadata. Raises StorageError."""
        if isinstance(session.messages, TemporaryLog):
            session.messages.keep_pending()
            return
        self._prepare(session)
        self._writer.write(session, metadata=True)
        self._note_known(session)

    def set_title(self, key: str, title: str) -> None:
        """Renames a conversation; "" lets its first words be the title again. Raises StorageError."""
        session = self.get_or_create(key)
        if title:
            session.metadata |= {"title": title, "title_user_edited": True}
        else:
            session.metadata = {k: v for k, v in session.metadata.items() if k not in ("title", "title_user_edited")}
        self.save(session)

    def set_pinned(self, key: str, pinned: bool) -> None:
        """Puts a conversation above the others in the list, or back among them. Raises StorageError."""
        self._set_field(key, PINNED, pinned)

    def set_model(self, key: str, model: str) -> None:
        """Chooses the model that answers in one conversation; "" for that of the settings. Raises StorageError."""
        self._set_field(key, ANSWERING_MODEL, model)

    def _set_field(self, key: str, name: str, value: bool | str) -> None:
        """Writes a field of a conversation's metadata; one that says nothing is left out."""
        session = self.get_or_create(key)
        rest = {known: held for known, held in session.metadata.items() if known != name}
        session.metadata = rest | ({name: value} if value else {})
        self.save(session)

    def refresh(self, session: Session) -> bool:
        """Takes in what another program did to the file; returns whether anything changed. Raises UnreadableFile."""
        return session.discretion is not Discretion.TEMPORARY and self._writer.take_in(session)

    def take_loss(self, key: str) -> LostMessages | None:
        """Returns what another program took away from a conversation since this was asked last; told once."""
        return self._writer.losses.pop(key, None)

    def invalidate(self, key: str) -> None:
        """Forgets the object, so that the next use reads the file anew. Messages that wait to be written are
        dropped."""
        self._cache.pop(key, None)

    def read_tail(self, key: str, count: int = 200) -> Tail:
        """Returns the newest messages at once, at any length of the file. Raises UnreadableFile."""
        session = self.temporary.load(key) or self._cache.get(key)
        if session is not None:
            return tail_of_log(session.messages, count)
        path = None if is_temporary(key) else self._folder.find(key)
        if path is not None and path.parent == self._paths.discreet_dir:
            self._seen_discreet.add(key)
        return tail_of_file(path, count) if path else EMPTY_TAIL

    def discretion_of(self, key: str) -> Discretion:
        """Returns how much is kept of a conversation that was opened, or whose tail was read. Does not block."""
        session = self._cache.get(key)
        if session is not None:
            return session.discretion
        stated = discretion_of(key, {})
        return Discretion.READS_MEMORY if key in self._seen_discreet else stated

    def set_discretion(self, session: Session, wanted: Discretion) -> None:
        """Makes a conversation a discreet one, or a remembered one again. Raises StorageError with nothing changed."""
        self._prepare(session)
        if not _leaves_a_key(wanted, len(session.messages)):
            self._known.drop(session.key)
        try:
            self.discreet.change(session, wanted)
        finally:
            self._note_known(session)
        self._seen_discreet.discard(session.key)

    def keep_temporary(self, temporary: Session, wanted: Discretion) -> Session:
        """Writes what was said in a temporary conversation under a key of its own, and closes the temporary one. Raises
        StorageError: then it is open as before."""
        self._access.require()
        self.require_root()
        key = f"desktop:{temporary.created_at:%Y%m%d-%H%M%S}-{temporary.key.removeprefix(TEMPORARY_PREFIX)}"
        self.discreet.keep(temporary, key, wanted)
        self.temporary.close(temporary.key)
        kept = self.get_or_create(key)
        self._note_known(kept)
        return kept

    def write_imported(self, conversation: ImportedConversation) -> None:
        """Writes a conversation that came from another agent, whole or not at all. Raises StorageError."""
        self._access.require()
        self.require_root()
        self.imported.write(conversation)

    def keys_put_aside(self) -> set[str]:
        """Returns the keys of the conversations that were deleted or closed here."""
        trashed = {each.trashed.key for each in self.moves.trashed()}
        closed = {each.key for each in self._archive.overviews()}
        return trashed | closed | set(self._known.load().deleted)

    def tidy(self) -> None:
        """Finishes what a crash cut off while the kind of a conversation was changed, while one was branching, or while
        one in nanobot's own folder was closed. What the disk refuses is done at the next opening."""
        self._access.require()
        for finish in (self.discreet.tidy, self.branches.tidy, self.moves.drop_unfinished):
            with suppress(StorageError):
                finish()

    def overviews(self) -> list[SessionOverview]:
        """Returns every conversation, the one changed last first; cheap, and cheaper where nothing changed."""
        self.require_root()
        held = {session.messages.file for session in self._cache.values()} - {None}
        seen = [
            self._overviews.of(entry, refresh=self._folder.known(entry.path) not in held)
            for entry in self._folder.entries()
        ]
        seen += [
            overview_of_new(session, self._folder.place_for(session.key, session.discretion))
            for session in (*self._without_file(), *self.temporary.sessions())
        ]
        return sorted((each for each in seen if each), key=lambda each: each.updated_at, reverse=True)

    def list_sessions(self) -> list[dict[str, Any]]:
        """Returns conversations as nanobot does: `key`, `created_at`, `updated_at`, `path`, all text, the one changed
        last first."""
        return [
            {
                "key": each.key,
                "created_at": each.created_at.isoformat(),
                "updated_at": each.updated_at.isoformat(),
                "path": str(each.path),
            }
            for each in self.overviews()
        ]

    def path_of(self, key: str) -> Path | None:
        """Returns the file of a conversation, or None where it has none. Raises UnreadableFile."""
        return None if is_temporary(key) else self._folder.find(key)

    def stem_of(self, key: str) -> str:
        """Returns the name of a conversation's file without its ending, "" where it has none. Raises UnreadableFile."""
        path = self.path_of(key) if key else None
        return path.stem if path else ""

    def archive(self, session: Session, when: datetime) -> Path | None:
        """Closes the transcript: moves its file to sessions/archive/ and begins anew under the same key, with the same
        object.

        Returns where it is kept, or None where nothing was said. Raises StorageError with nothing cleared.
        """
        if session.discretion is Discretion.TEMPORARY:
            self.temporary.begin_anew(session, when)
            return None
        self._prepare(session)
        self._known.drop(session.key)
        kept: Path | None = None
        try:
            kept = self.moves.archive(session, when)
        finally:
            if kept is None:
                self._note_known(session)
        return kept

    def fork(self, session: Session, stop: int) -> None:
        """Lets the conversation go on from its first `stop` messages as a branch; the former one is kept. Raises
        StorageError with nothing changed."""
        if session.discretion is Discretion.TEMPORARY:
            self.temporary.fork(session, stop, self._clock())
            return
        self._prepare(session)
        self.branches.fork(session, stop, self._clock())

    def switch_branch(self, session: Session, began: str) -> None:
        """Lets the conversation go on in another of its branches. Raises StorageError with nothing changed."""
        if session.discretion is Discretion.TEMPORARY:
            self.temporary.switch(session, began)
            return
        self._prepare(session)
        self.branches.switch(session, began)

    def branch_choices(self, key: str) -> list[BranchChoice]:
        """Returns where a conversation goes on in several ways, in order of messages. Raises UnreadableFile."""
        session = self.load(key)
        if session is None:
            return []
        if session.discretion is Discretion.TEMPORARY:
            return branch_choices(session.branch, self.temporary.used(session))
        used = {each.branch: each.updated_at.isoformat() for each in self.branches.others(session)}
        return branch_choices(session.branch, used)

    def branch_at(self, key: str, name: str) -> str:
        """Returns the name of the branch in a file, by its path in the workspace; "" where it is none of the
        conversation as it is now. Raises UnreadableFile."""
        session = self.load(key)
        is_kept = session is not None and session.discretion is not Discretion.TEMPORARY
        others = self.branches.others(session) if session is not None and is_kept else []
        return next((each.branch.began for each in others if each.path == self.workspace / name), "")

    def begun_anew(self, key: str, kept: Path) -> bool:
        """Lets a conversation that is in memory with its transcript go on anew after a recovery closed it; returns
        whether it did."""
        session = self._cache.get(key)
        file = session.messages.file if session else None
        if session is None or file is None or self._folder.known(file.path) is not file or not kept.exists():
            return False
        self.moves.follow(session, file, kept)
        return True

    def trash(self, key: str) -> Trashed:
        """Deletes a conversation so that `restore` brings it back. Raises StorageError."""
        if is_temporary(key):
            self.temporary.close(key)
            return Trashed(key, None)
        self._access.require()
        session = self._cache.get(key)
        if session is not None and session.messages.pending:
            self.append(session)
        path = self._folder.find(key)
        root = self.branches.root_of(path) if path else ""
        trashed = self._move_to_trash(key, path)
        if root:
            self.branches.trash(key, root)
        self._begun.discard(key)
        self.invalidate(key)
        return trashed

    def drop_empty(self, key: str) -> bool:
        """Removes a conversation in which nothing was ever said and which nobody named or pinned: nothing of it could
        be brought back. Returns whether it was one; any other stays as it is. Raises StorageError."""
        self._access.require()
        session = self.load(key)
        if session is None or len(session.messages) or session.metadata.keys() & {"title", PINNED}:
            return False
        path = self.path_of(key)
        if path is not None:
            with storage_errors(path, "read"):
                lines = path.read_bytes().splitlines()
            # Another program may have said something since, and what lies in a folder of its own is its own.
            if not all(map(session_record, lines)) or self._folder.is_moved(path):
                return False
            self._known.drop(key)
            remove_file(path, calls=self._calls)
            self._folder.forget(path)
        self._begun.discard(key)
        self.invalidate(key)
        return True

    def restore(self, trashed: Trashed) -> Session:
        """Brings a deleted conversation back. Raises StorageError where its key is in use again."""
        self._access.require()
        self.moves.restore(trashed)
        self.branches.restore(trashed.key)
        self.invalidate(trashed.key)
        restored = self.load(trashed.key) or self.create(key=trashed.key)
        self._note_known(restored)
        return restored

    def delete_messages(self, chosen: Sequence[ChosenMessages]) -> MessageDeletion:
        """Deletes messages so that `restore_messages` brings them back, also of closed conversations. Raises
        StorageError, as MessageTrash.delete does. Those of a temporary conversation are brought back as long as it is
        open."""
        if len(chosen) == 1 and is_temporary(chosen[0].session.key):
            return self.temporary.delete(chosen[0].session, chosen[0].indices, self._clock())
        for each in chosen:
            each.session.discretion.require(Trace.SESSION_FILE)
            self._write_waiting(each.session)
        try:
            return self.deleted_messages.delete(chosen, self._clock())
        finally:
            self.reread([each.session for each in chosen])

    def conversations_of_deletion(self, deletion_id: str) -> frozenset[str]:
        """Returns the keys of the conversations that a deletion of messages is about."""
        temporary = self.temporary.deletion(deletion_id)
        return frozenset(temporary.messages) if temporary else self.deleted_messages.conversations_of(deletion_id)

    def restore_messages(self, deletion_id: str) -> MessageDeletion:
        """Brings the messages of a deletion back. Raises StorageError, as MessageTrash.restore does."""
        if self.temporary.deletion(deletion_id) is not None:
            return self.temporary.restore(deletion_id)
        self._access.require()
        try:
            return self.deleted_messages.restore(deletion_id, self._clock())
        finally:
            self.reread()

    def roll_records_forward(self, intent: Intent) -> None:
        """Finishes a deletion of messages, or the way back, that was committed. Raises StorageError."""
        try:
            self.deleted_messages.roll_forward(intent)
        finally:
            self.reread()

    def reread(self, others: Sequence[Session] = ()) -> None:
        """Takes in that records of session files were replaced, in every conversation that is in memory, and in
        others."""
        for session in {*self._cache.values(), *others}:
            with suppress(StorageError, FileNotFoundError):
                session.messages.reread()

    def write_waiting(self) -> None:
        """Writes what waits in any conversation that is in memory. Raises StorageError."""
        for session in list(self._cache.values()):
            self._write_waiting(session)

    def require_root(self) -> None:
        """Raises StorageError where the workspace's folder is not the one that was opened any more."""
        with storage_errors(self.workspace, "read"):
            self._calls.require_root()

    def _write_waiting(self, session: Session) -> None:
        """Writes what waits in a live conversation; a closed one has nothing that waits."""
        self._access.require()
        if session is self._cache.get(session.key) and session.messages.pending:
            self.append(session)

    def _move_to_trash(self, key: str, path: Path | None) -> Trashed:
        was_known = key in self._known.load().known
        if path is not None and path.parent == self._paths.discreet_dir and not was_known:
            self._known.drop(key)
        elif path is not None:
            self._known.delete(key, self._clock())
        try:
            return self.moves.trash(key, path, self._clock())
        except StorageError:
            if was_known:
                self._known.add(key, self._clock())
            raise

    def _note_known(self, session: Session) -> None:
        """Lists a conversation that has a file, for an audit to miss it where that is gone."""
        if session.messages.file is not None and _leaves_a_key(session.discretion, session.discreet_since):
            self._known.add(session.key, session.created_at)

    @staticmethod
    def _new_key(when: datetime) -> str:
        return f"desktop:{when:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"

    def _without_file(self) -> list[Session]:
        """Returns the conversations that were begun here and wait for their first message."""
        begun = [self._cache[key] for key in tuple(self._begun) if key in self._cache]
        waiting = [session for session in begun if session.messages.file is None]
        self._begun = {session.key for session in waiting}
        return waiting

    def _file_of(self, key: str) -> SessionFile | None:
        session = self._cache.get(key)
        if session is not None and session.messages.file is not None:
            return session.messages.file
        path = self._folder.find(key)
        return self._folder.file(path) if path else None

    def _session_of(self, key: str, file: SessionFile) -> Session:
        stated = stated_metadata(file.index)
        log = MessageLog()
        log.attach(file)
        created = creation_time(file, stated)
        overview = self._overviews.of_file(key, file)
        return Session(
            key, log, created, overview.updated_at, stated.metadata, stated.last_consolidated, clock=self._clock
        )

    def _prepare(self, session: Session) -> None:
        """Makes a session the one of its key; what the file of another session with that key held is archived."""
        self._access.require()
        self.require_root()
        make_directory(self.sessions_dir, calls=self._calls)
        if session.discretion is Discretion.READS_MEMORY:
            make_directory(self._paths.discreet_dir, calls=self._calls)
        if session is self._cache.get(session.key) and not session.messages.cleared:
            return
        path = self._folder.find(session.key)
        if path is not None and session.messages.file is None:
            self.moves.put_aside(path, session, self._clock())
        session.messages.cleared = False
        self._cache[session.key] = session


def _leaves_a_key(discretion: Discretion, remembered: int) -> bool:
    """Returns whether a conversation may be listed: memory takes from it, or took from its first `remembered`
    messages."""
    return discretion is Discretion.REMEMBERED or (discretion is Discretion.READS_MEMORY and remembered > 0)
