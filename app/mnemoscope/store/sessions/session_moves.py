"""Moves session files: to the archive what /new closed, to the trash what a person deleted. It removes none."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.branch import FORKS
from mnemoscope.domain.conversation.discretion import DISCREET_SINCE, Discretion, discretion_of
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.capture.session_state_files import (
    FRESH_STATE,
    STATE_SUFFIX,
    own_state_file,
    parted_state,
    state_file,
)
from mnemoscope.store.files.atomic import (
    encode_text,
    make_directory,
    move_file,
    remove_file,
    replace_bytes,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.files.text_encoding import in_style
from mnemoscope.store.memory.memory_file import MemoryFile
from mnemoscope.store.sessions.archive import put_aside
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.sessions.file_format.record_line import encode_record
from mnemoscope.store.sessions.file_format.session_file import SessionFile
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import metadata_record, stated_metadata
from mnemoscope.store.sessions.overview import overview_of
from mnemoscope.store.sessions.session import ANSWERING_MODEL, Session
from mnemoscope.store.sessions.session_writer import SessionWriter
from mnemoscope.store.transactions.file_steps import apply_files, planned_move, set_files, undo_files
from mnemoscope.store.transactions.intent import NEW, Intent, NewFile, SetFile
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_OF_ONE_CONVERSATION: Final = (
    "title",
    "title_user_edited",
    "_last_summary",
    "_last_usage",
    "pending_user_turn",
    "runtime_checkpoint",
    ANSWERING_MODEL,
    FORKS,
    DISCREET_SINCE,
)
"""Metadata that describes a conversation rather than its key; it goes with the transcript that is archived."""


@dataclass(frozen=True, slots=True)
class Trashed:
    """Describes a deleted conversation. `kept` is its file in the trash; None where it had never been saved."""

    key: str
    kept: Path | None


@dataclass(frozen=True, slots=True)
class TrashedOverview:
    """Describes a deleted conversation as the list of them shows it."""

    trashed: Trashed
    title: str
    count: int
    """Of the messages that were there."""
    deleted_at: datetime


class SessionMoves:
    """Moves session files between the folder, the archive and the trash; never over another file."""

    def __init__(
        self, paths: WorkspacePaths, folder: SessionFolder, writer: SessionWriter, *, calls: FileCalls = REAL_CALLS
    ) -> None:
        self._paths = paths
        self._ledger = Ledger(paths, calls=calls)
        self._folder = folder
        self._writer = writer
        self._calls = calls

    def archive(self, session: Session, when: datetime) -> Path | None:
        """Closes the transcript, and what was captured in it, and begins anew, as one transaction; returns None where
        nothing was said.

        Raises StorageError: then nothing changed, or, where not even that could be had, it is finished by the next
        recovery.
        """
        self._writer.write(session, metadata=False)
        file = session.messages.file
        if file is None or not len(session.messages):
            return None
        metadata = {name: value for name, value in session.metadata.items() if name not in _OF_ONE_CONVERSATION}
        fresh = Session(session.key, created_at=when, metadata=metadata, clock=session.clock)
        kept = self._close(file.path, fresh, session.created_at)
        self.follow(session, file, kept)
        return kept

    def put_aside(self, path: Path, session: Session, when: datetime) -> Path:
        """Moves a file to the archive and begins one for a session that takes its key. Raises StorageError."""
        fresh = Session(session.key, created_at=session.created_at, updated_at=when, metadata=session.metadata)
        kept = self._close(path, fresh, session.created_at)
        self._folder.forget(path)
        return kept

    def follow(self, session: Session, file: SessionFile, kept: Path) -> None:
        """Lets a live session whose transcript went to the archive read on in the file that was begun."""
        original = file.path
        # Whoever shows the transcript goes on reading it.
        file.path = kept
        self._folder.forget(original)
        log, begun = MessageLog(), self._folder.file(original)
        log.attach(begun)
        stated = stated_metadata(begun.index)
        session.follow(log)
        session.created_at = stated.created_at or session.created_at
        session.updated_at = session.created_at
        session.last_consolidated, session.metadata = 0, dict(stated.metadata)
        session.other_branches = ()

    def _close(self, path: Path, fresh: Session, began: datetime) -> Path:
        root, ledger = self._paths.root, self._ledger
        make_directory(self._paths.archive_dir, calls=self._calls)
        if self._folder.is_moved(path):
            return self._close_moved(path, fresh)
        kept = _free_name(self._paths.archive_dir, path, fresh.updated_at)
        record = encode_record(metadata_record(fresh)).decode("utf-8")
        state, kept_state = state_file(self._paths, fresh.key, path.stem), kept.with_name(kept.stem + STATE_SUFFIX)
        moves, begins = [planned_move(root, path, kept)], [NewFile(path.relative_to(root).as_posix(), record)]
        sets: tuple[SetFile, ...] = ()
        captured, others, digest = self._parted(state)
        if state is not None and others:
            # What others wrote stays where they read it.
            begins += [NewFile(path_within(kept_state, root), captured)] if captured else []
            sets = (SetFile(path_within(state, root), digest, others),) if captured else ()
        elif state is not None:
            moves.append(planned_move(root, state, kept_state))
            begins += [NewFile(state.name, FRESH_STATE)] if state == self._paths.session_state else []
        intent = Intent.of_kind(
            NEW,
            workspace_id=ledger.workspace_id(),
            when=fresh.updated_at.isoformat(),
            session_key=fresh.key,
            session_created_at=began.isoformat(),
            moves=tuple(moves),
            begins=tuple(begins),
            sets=sets,
        )
        ledger.commit(intent)
        try:
            apply_files(root, intent, calls=self._calls)
            set_files(root, intent, calls=self._calls)
        except StorageError:
            undo_files(root, intent, calls=self._calls)
            # Where the state cannot be read any more, the copy of what was captured may be the only one.
            with suppress(OSError):
                if sets and state is not None and state.read_bytes() != encode_text(others):
                    remove_file(kept_state, calls=self._calls)
            ledger.drop()
            raise
        # All is done: were the intent to stay, recovery would find nothing left to do.
        with suppress(StorageError):
            ledger.finish(intent)
        return kept

    def _close_moved(self, path: Path, fresh: Session) -> Path:
        """Closes a transcript in nanobot's own folder, which may be on another disk: a copy is durable in the archive
        before the file begins anew.

        A crash in between leaves the conversation as it was, and `drop_unfinished` takes the copy away.
        """
        with self._folder.writing():
            with storage_errors(path, "read"):
                data = path.read_bytes()
            kept = _copy_of(data, self._paths.archive_dir, path) or _free_name(
                self._paths.archive_dir, path, fresh.updated_at
            )
            replace_bytes(kept, data, calls=self._calls)
            try:
                replace_bytes(path, encode_record(metadata_record(fresh)), calls=self._calls)
            except StorageError:
                if not _begins_with(path, kept):
                    # It begins anew though the disk could not say so: the copy is the only one.
                    log.warning("a conversation was closed, and the disk did not confirm it: %s", path)
                else:
                    with suppress(StorageError):
                        remove_file(kept, calls=self._calls)
                    raise
        state = state_file(self._paths, fresh.key, path.stem)
        if state is not None:
            self._move_along(state, kept.with_name(kept.stem + STATE_SUFFIX))
            if state == self._paths.session_state and not state.exists():
                # The conversation is closed by now. What is captured next begins the state where this cannot.
                with suppress(StorageError):
                    replace_bytes(state, encode_text(FRESH_STATE), calls=self._calls)
        return kept

    def drop_unfinished(self) -> None:
        """Removes copies in the archive of conversations in nanobot's own folder whose closing a crash cut off: they go
        on where they are, with all that the copy holds. Raises StorageError."""
        home = self._folder.home()
        if home is None or not self._paths.archive_dir.is_dir():
            return
        with self._folder.writing():
            for path in home.files():
                for copy in sorted(self._paths.archive_dir.glob(f"*{SUFFIX}")):
                    if copy.name.startswith(f"{path.stem}-") and _begins_with(path, copy):
                        remove_file(copy, calls=self._calls)

    def _parted(self, state: Path | None) -> tuple[str, str, str]:
        """Returns what of a state was captured here, what others wrote into the one in the root, and the digest that
        says so: what is written next to either is not in them."""
        if state is None or state != self._paths.session_state:
            return "", "", ""
        current = MemoryFile(state).read()
        captured, others = parted_state(current.text)
        with storage_errors(state, "read"):
            # In their own style: byte order mark and line ends are theirs too.
            others = others and in_style(others, state.read_bytes()).decode("utf-8")
        return captured, others, current.digest

    def trash(self, key: str, path: Path | None, when: datetime) -> Trashed:
        """Moves a file to the trash, and what was captured in the conversation with it. Raises StorageError."""
        if path is None:
            return Trashed(key, None)
        kept = self._move_into(self._paths.own.trash_dir, path, when)
        state = own_state_file(self._paths, key, path.stem)
        if state is not None:
            self._move_along(state, kept.with_name(kept.stem + STATE_SUFFIX))
        return Trashed(key, kept)

    def trashed(self) -> list[TrashedOverview]:
        """Returns the session files in the trash, the one deleted last first; what is no session file is passed
        over."""
        folder = SessionFolder(self._paths.own.trash_dir)
        listed = []
        for path in self._paths.own.trash_dir.glob("*" + SUFFIX):
            # What cannot be read is no conversation that could be opened after it was restored.
            with suppress(StorageError, UnreadableFile, FileNotFoundError, ValueError):
                listed.append(_seen_in_trash(folder.file(path)))
        return sorted(listed, key=lambda each: each.deleted_at, reverse=True)

    def restore(self, trashed: Trashed) -> None:
        """Moves a file back. Raises StorageError where its key is in use again."""
        if trashed.kept is None:
            return
        if self._folder.find(trashed.key) is not None:
            msg = "A new conversation took the place of the deleted one, which stays in the trash."
            raise StorageError(msg, next_step="Delete the new one first, then restore.", path=str(trashed.kept))
        place = self._folder.place_for(trashed.key, self._discretion_of(trashed.key, trashed.kept))
        make_directory(place.parent, calls=self._calls)
        self._move(trashed.kept, place)
        state, back = (each.with_name(each.stem + STATE_SUFFIX) for each in (trashed.kept, place))
        if state.exists() and not back.exists():
            self._move_along(state, back)

    @staticmethod
    def _discretion_of(key: str, kept: Path) -> Discretion:
        """Returns the discretion of a deleted conversation, as its file says; one that cannot be read goes where it
        would be looked for."""
        with suppress(UnreadableFile):
            return discretion_of(key, stated_metadata(SessionFile(kept).index).metadata)
        return Discretion.REMEMBERED

    def _move_into(self, folder: Path, path: Path, when: datetime) -> Path:
        make_directory(folder, calls=self._calls)
        target = _free_name(folder, path, when)
        self._move(path, target)
        if known := self._folder.known(path):
            # Whoever shows it goes on reading it.
            known.path = target
        self._folder.forget(path)
        return target

    def _move_along(self, path: Path, target: Path) -> None:
        """Moves what goes along with a conversation that was moved already: what the disk refuses stays where nobody
        reads it."""
        try:
            captured, others, digest = self._parted(path)
            if not others:
                self._move(path, target)
            elif captured:
                replace_bytes(target, encode_text(captured), calls=self._calls)
                MemoryFile(path, calls=self._calls).write(others, based_on=digest)
        except StorageError as error:
            log.warning("what was captured in a conversation stays behind: %s", error)

    def _move(self, path: Path, target: Path) -> None:
        if self._folder.is_moved(path):
            # nanobot's own folder may be on another disk.
            with self._folder.writing():
                with storage_errors(path, "read"):
                    data = path.read_bytes()
                replace_bytes(target, data, calls=self._calls)
                remove_file(path, calls=self._calls)
            return
        move_file(path, target, calls=self._calls)


def _free_name(folder: Path, path: Path, when: datetime) -> Path:
    stem = f"{path.stem}-{when:%Y%m%d-%H%M%S}"
    names = (f"{stem}{suffix}{path.suffix}" for suffix in ("", *(f"-{number}" for number in range(2, 10_000))))
    return next(folder / name for name in names if not (folder / name).exists())


def _copy_of(data: bytes, folder: Path, path: Path) -> Path | None:
    """Returns the copy of a transcript that an interrupted closing left in a folder, None where there is none."""
    with storage_errors(folder, "read"):
        same = (each for each in sorted(folder.glob("*" + SUFFIX)) if each.name.startswith(path.stem))
        return next((each for each in same if each.stat().st_size == len(data) and each.read_bytes() == data), None)


def _begins_with(path: Path, copy: Path) -> bool:
    """Returns whether a file begins with all that another one holds."""
    with storage_errors(path, "read"), path.open("rb") as file:
        size = copy.stat().st_size
        return 0 < size <= os.fstat(file.fileno()).st_size and file.read(size) == copy.read_bytes()


def _seen_in_trash(file: SessionFile) -> TrashedOverview:
    key, when = put_aside(file)
    overview = overview_of(key, file)
    return TrashedOverview(Trashed(key, file.path), overview.title, overview.left, when or overview.updated_at)
