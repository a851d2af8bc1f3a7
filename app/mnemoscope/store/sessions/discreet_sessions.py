"""Conversations that read memory and write none lie in a folder of their own, where no peer looks.

Their metadata says what they are, so that it goes with them into the archive, the trash and their branches. A file goes
into the folder before it says so, and says that it is remembered before it leaves: whatever a crash cuts off, what says
it is discreet lies where no other program reads it. What lies there and says nothing goes back at the next opening.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from mnemoscope.domain.conversation.branch import FORKS
from mnemoscope.domain.conversation.discretion import Discretion, marked
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import fsync_move, make_directory, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.sessions.file_format.record_line import encode_record
from mnemoscope.store.sessions.file_format.session_file import SessionFile
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import metadata_record, stated_metadata
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_writer import SessionWriter
from mnemoscope.store.workspace.paths import WorkspacePaths


class DiscreetSessions:
    """Moves session files into the folder of discreet conversations and out of it. Everything here blocks on the
    disk."""

    def __init__(
        self, paths: WorkspacePaths, folder: SessionFolder, writer: SessionWriter, *, calls: FileCalls = REAL_CALLS
    ) -> None:
        self._paths = paths
        self._folder = folder
        self._writer = writer
        self._calls = calls

    def change(self, session: Session, wanted: Discretion) -> None:
        """Makes a conversation a discreet one, or a remembered one again. Raises StorageError with nothing changed.

        One that has no file yet gets it in the right place with its first message.
        """
        before = session.metadata
        after = marked(before, wanted, len(session.messages))
        if len(session.messages):
            self._writer.write(session, metadata=True)
        file = session.messages.file
        if file is None:
            session.metadata = after
        elif wanted is Discretion.READS_MEMORY:
            self._require_plain(file.path)
            place = file.path
            self._move(file, self._paths.discreet_dir)
            try:
                self._state(session, after)
            except StorageError:
                with suppress(StorageError):
                    self._move(file, place.parent)
                raise
        else:
            self._require_free(file.path)
            self._state(session, after)
            try:
                self._move(file, self._paths.sessions_dir)
            except StorageError:
                with suppress(StorageError):
                    self._state(session, before)
                raise

    def keep(self, temporary: Session, key: str, discretion: Discretion) -> None:
        """Writes all that was said in a temporary conversation as one of another kind, whole or not at all. Where a
        failure left it under that key it is written again, not twice. Raises StorageError."""
        metadata = marked({name: value for name, value in temporary.metadata.items() if name != FORKS}, discretion)
        kept = Session(key, (), temporary.created_at, temporary.updated_at, metadata)
        # Where no other program looks it becomes whole; what a kill leaves of it there is ours to remove. One that a
        # failure left whole, and that could not be taken back, is written again.
        place = self._folder.find(key) or self._folder.place_for(key, Discretion.READS_MEMORY)
        make_directory(place.parent, calls=self._calls)
        records = [metadata_record(kept), *temporary.messages]
        replace_bytes(place, b"".join(map(encode_record, records)), calls=self._calls)
        if discretion is Discretion.REMEMBERED:
            self._move(self._folder.file(place), self._paths.sessions_dir)

    def tidy(self) -> None:
        """Moves what lies in the folder and is remembered to where it belongs, after a crash. Raises StorageError."""
        for path in sorted(self._paths.discreet_dir.glob("*" + SUFFIX)):
            with suppress(UnreadableFile, FileNotFoundError):
                file = self._folder.file(path)
                is_marked = marked(stated_metadata(file.index).metadata, Discretion.REMEMBERED)
                if is_marked == stated_metadata(file.index).metadata and self._is_free(path.name):
                    # That it is remembered may be seen and not yet be on the disk: where a power cut took those words
                    # and not the move, a discreet conversation would lie where peers read it.
                    fsync_file(path, calls=self._calls)
                    self._move(file, self._paths.sessions_dir)

    def _state(self, session: Session, metadata: dict[str, object]) -> None:
        before, session.metadata = session.metadata, metadata
        try:
            self._writer.write(session, metadata=True)
        except StorageError:
            session.metadata = before
            raise

    def _move(self, file: SessionFile, folder: Path) -> None:
        path, target = file.path, folder / file.path.name
        if path == target:
            return
        make_directory(folder, calls=self._calls)
        with storage_errors(path, "write"):
            self._calls.replace(str(path), str(target))
        self._folder.moved(file, target)
        try:
            fsync_move(path, target, calls=self._calls)
        except StorageError:
            with suppress(OSError):
                self._calls.replace(str(target), str(path))
                self._folder.moved(file, path)
            raise

    def _require_plain(self, path: Path) -> None:
        if path.is_symlink() or self._folder.is_moved(path):
            sentence = "Another program keeps this conversation in a folder of its own."
            raise StorageError(sentence, next_step="Begin a new conversation, and choose there.", path=str(path))

    def _require_free(self, path: Path) -> None:
        if path.parent == self._paths.discreet_dir and not self._is_free(path.name):
            sentence = "Another program began a conversation of the same name meanwhile."
            raise StorageError(sentence, next_step="Delete or rename that one first.", path=str(path))

    def _is_free(self, name: str) -> bool:
        return not (self._paths.sessions_dir / name).exists()
