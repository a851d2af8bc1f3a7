"""The branches of conversations on disk: each a session file of its own, of which one is active.

The active branch of a conversation is the file under its name, which nanobot reads too; the others lie in
`sessions/branches/`, where no other program looks. So which one is active follows from where it lies, and one step
lets two files change places. What a crash leaves behind is told by what is in a file: a branch in which nothing was
said yet, or a copy of the active one.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.conversation.branch import FORKS, Branch, branch_of
from mnemoscope.domain.conversation.discretion import DISCREET_SINCE, DISCRETION, Discretion
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.store.files.append import append_bytes
from mnemoscope.store.files.atomic import fsync_move, make_directory, remove_file, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.file_format.names import SUFFIX, readable_stem
from mnemoscope.store.sessions.file_format.record_line import encode_record, session_record
from mnemoscope.store.sessions.file_format.session_file import SessionFile, Signature, StaleFile, opened, read_at
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.sessions.metadata import differs_from_known, metadata_record, stated_key, stated_metadata
from mnemoscope.store.sessions.overview import creation_time, overview_of
from mnemoscope.store.sessions.repair import FileRepair
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_writer import SessionWriter
from mnemoscope.store.workspace.paths import WorkspacePaths

_OF_THE_END: Final = ("_last_usage", "pending_user_turn", "runtime_checkpoint")
"""Metadata that describes the end of a conversation: a branch has another end."""
_SUMMARY: Final = "_last_summary"
"""The words with which nanobot sums up the messages before the pointer."""
_OF_ALL: Final = ("title", "title_user_edited", DISCRETION, DISCREET_SINCE)
"""Metadata that describes the conversation, whichever of its branches is active."""
_LONGEST_STEM: Final = 60
_FIRST_LINE_BYTES: Final = 1 << 14
_MOMENT: Final = timedelta(microseconds=1)
_GONE: Final = "That branch is not there any more."
_NOTHING_CHANGED: Final = "Nothing was changed."


@dataclass(frozen=True, slots=True)
class StoredBranch:
    """Describes a branch in a file: its conversation, how many messages it has, how many are consolidated, when it was
    used."""

    key: str
    branch: Branch
    path: Path
    count: int
    last_consolidated: int
    updated_at: datetime
    discretion: Discretion

    @property
    def is_empty(self) -> bool:
        """Tells whether nothing was said in it that another branch does not hold."""
        return bool(self.branch.forks) and self.count <= self.branch.own_start


class StoredBranches:
    """Knows the branch in each file for as long as the file stays the same. Its index is not kept: a long conversation
    has many branches, and their messages are read when one becomes active."""

    def __init__(self) -> None:
        self._seen: dict[Path, tuple[Signature | None, StoredBranch]] = {}

    def at(self, path: Path) -> StoredBranch:
        """Returns the branch in a file. Raises UnreadableFile or FileNotFoundError."""
        seen = self._seen.get(path)
        if seen is None or seen[0] != Signature.of(path.stat()):
            file = SessionFile(path)
            seen = self._seen[path] = file.signature, _stored(file)
        return seen[1]

    def beginning(self, path: Path) -> tuple[str, Branch]:
        """Returns the conversation and the branch that the first record of a file states: a long one is not read whole,
        and where a branch came from never changes. Raises UnreadableFile or FileNotFoundError."""
        with opened(path) as (descriptor, _), storage_errors(path, "read"):
            first = read_at(descriptor, 0, _FIRST_LINE_BYTES).partition(b"\n")[0]
        record = session_record(first) or {}
        began, metadata = parse_time(record.get("created_at")), record.get("metadata")
        if began is not None and isinstance(metadata, dict):
            return stated_key(record), branch_of(began.isoformat(), metadata)
        stored = self.at(path)
        return stored.key, stored.branch

    def forget(self, path: Path) -> None:
        """Forgets a file that was moved away."""
        self._seen.pop(path, None)


class SessionBranches:
    """Forks conversations and switches between their branches. Everything here blocks on the disk."""

    def __init__(
        self,
        paths: WorkspacePaths,
        folder: SessionFolder,
        writer: SessionWriter,
        repair: FileRepair,
        *,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        self._paths = paths
        self._folder = folder
        self._writer = writer
        self._repair = repair
        self._calls = calls
        self._kept = StoredBranches()

    def others(self, session: Session) -> list[StoredBranch]:
        """Returns the branches of a conversation that are not active, the one begun first first."""
        active = session.branch
        found = {
            each.branch.began: each
            for each in self.of_key(session.key)
            if each.branch.root == active.root and each.branch.began != active.began and not each.is_empty
        }
        return [found[began] for began in sorted(found)]

    def messages_of(self, session: Session, began: str) -> Sequence[Message]:
        """Returns the messages of a branch that is not active, from its file; none where there is no such branch.
        Raises UnreadableFile."""
        found = next((each for each in self.others(session) if each.branch.began == began), None)
        return () if found is None else _log_at(found.path)

    def beside(self, session: Session) -> list[StoredBranch]:
        """Returns every branch of a conversation, closed or not, but the one in the session's file, also where nothing
        was said in it yet."""
        active = session.branch
        return [each for each in self.of_key(session.key) if each.branch.root == active.root and each.branch != active]

    def look(self, session: Session) -> None:
        """Notes in a conversation which other branches it has, by the beginnings of their files alone: a long
        conversation is opened at once. What cannot be read is passed over."""
        active = session.branch
        found = {each.began: each for each in self._begun(session.key) if each.root == active.root}
        session.other_branches = tuple(found[began] for began in sorted(found) if began != active.began)

    def fork(self, session: Session, stop: int, when: datetime) -> None:
        """Lets a conversation go on from its first `stop` messages as a branch of its own; the former one stays as it
        is. The object is the same afterwards, its messages are others.

        Raises StorageError: then nothing changed.
        """
        self._writer.write(session, metadata=True)
        file = session.messages.file
        if file is None or not 0 <= stop < len(session.messages):
            raise StorageError("Nothing follows there, so there is nothing to branch from.", session=session.key)
        with self._folder.writing():
            known = {session.branch.began, *(each.branch.began for each in self.of_key(session.key))}
            while when.isoformat() in known:
                when += _MOMENT
            branch = session.branch.forked(stop, when.isoformat())
            fresh = place_of_branch(self._paths, session.key, when)
            make_directory(fresh.parent, calls=self._calls)
            try:
                replace_bytes(fresh, _beginning(session, file, branch, when), calls=self._calls)
                self._activate(session, file, fresh)
            except StorageError:
                self._withdraw(fresh, branch)
                raise

    def switch(self, session: Session, began: str) -> None:
        """Makes the branch of that name the active one. Its pointer moves over what was consolidated in the others and
        is shared with them. One in which nothing was said is dropped when it is left.

        Raises StorageError: then the same branch is active as before.
        """
        self._writer.write(session, metadata=True)
        file = session.messages.file
        others = self.others(session)
        wanted = next((each for each in others if each.branch.began == began), None)
        if file is None or wanted is None:
            raise StorageError(_GONE, next_step=_NOTHING_CHANGED)
        with self._folder.writing():
            kept = _indexed(wanted.path)
            self._repair.mend_end(kept)
            self._bring_up(session, wanted.branch, kept, others)
            self._activate(session, file, wanted.path)

    def root_of(self, path: Path) -> str:
        """Returns the name of the first branch of the conversation whose active file this is, "" where it cannot be
        read: what cannot be read is deleted all the same."""
        with suppress(UnreadableFile, FileNotFoundError):
            return _stored(self._folder.file(path)).branch.root
        return ""

    def root_with(self, key: str, began: str) -> str:
        """Returns the name of the first branch of the conversation that the branch `began` belongs to, where that is
        kept aside under this key; else its own."""
        return next((each.root for each in self._begun(key) if each.began == began), began)

    def trash(self, key: str, root: str) -> None:
        """Moves the branches of a conversation that was deleted to the trash, beside it. Raises StorageError."""
        for each in [each for each in self.of_key(key) if each.branch.root == root]:
            self._move(each.path, self._trash_dir)

    def restore(self, key: str) -> None:
        """Brings the branches of a conversation that was restored back. Raises StorageError."""
        active = self._active_file(key)
        root = _stored(active).branch.root if active is not None else ""
        trash = SessionFolder(self._trash_dir)
        for path in sorted(self._trash_dir.glob(f"*{_mark(key)}.*{SUFFIX}")):
            with suppress(UnreadableFile, FileNotFoundError):
                if _stored(trash.file(path)).branch.root == root:
                    self._move(path, self._paths.branches_dir)

    def tidy(self) -> None:
        """Finishes what a crash cut off: mends torn ends, removes branches in which nothing was said, and copies of an
        active one, and moves branches to where their conversation is. Raises StorageError.
        """
        known: dict[tuple[str, str], SessionFile] = {}
        trashed: dict[str, set[str]] | None = None
        for file, stored in self._all():
            key, root = stored.key, stored.branch.root
            active = self._active_file(key)
            same = known.setdefault((key, stored.branch.began), file)
            others = [each for each in (same, active) if each is not None and each is not file]
            is_copy = any(_is_copy_of(file, each) for each in others)
            if stored.is_empty or is_copy:
                self._remove(stored.path)
            elif active is None or _stored(active).branch.root != root:
                trashed = self._trashed() if trashed is None else trashed
                if root in trashed.get(key, ()):
                    self._move(stored.path, self._trash_dir)
        if self._trash_dir.is_dir():
            for key in {entry.key for entry in SessionFolder(self._trash_dir).entries()}:
                self.restore(key)

    @property
    def _trash_dir(self) -> Path:
        return self._paths.own.trash_dir / "branches"

    def _trashed(self) -> dict[str, set[str]]:
        """Returns which conversations are in the trash: the names of their first branches, by key."""
        found: dict[str, set[str]] = {}
        folder = SessionFolder(self._paths.own.trash_dir)
        for path in self._paths.own.trash_dir.glob("*" + SUFFIX):
            with suppress(UnreadableFile, FileNotFoundError):
                file = folder.file(path)
                found.setdefault(stated_key(file.index.record), set()).add(_stored(file).branch.root)
        return found

    def _move(self, path: Path, folder: Path) -> None:
        make_directory(folder, calls=self._calls)
        with storage_errors(path, "write"):
            self._calls.replace(str(path), str(folder / path.name))
        fsync_move(path, folder / path.name, calls=self._calls)
        self._kept.forget(path)

    def of_key(self, key: str) -> Iterator[StoredBranch]:
        """Yields every branch of a key that is kept aside, also of conversations that were closed."""
        for path in sorted(self._paths.branches_dir.glob(f"*{_mark(key)}.*{SUFFIX}")):
            with suppress(StorageError, FileNotFoundError):
                stored = self._kept.at(path)
                if stored.key == key:
                    yield stored

    def _begun(self, key: str) -> Iterator[Branch]:
        """Yields every branch of a key that is kept aside, as the first record of its file says: where a branch came
        from never changes."""
        for path in self._paths.branches_dir.glob(f"*{_mark(key)}.*{SUFFIX}"):
            with suppress(StorageError, FileNotFoundError):
                stated, branch = self._kept.beginning(path)
                if stated == key:
                    yield branch

    def _all(self) -> list[tuple[SessionFile, StoredBranch]]:
        """Returns every branch that is kept aside, of whatever conversation, the longest first; each ends whole."""
        found = []
        for path in sorted(self._paths.branches_dir.glob("*" + SUFFIX)):
            with suppress(StorageError, FileNotFoundError):
                file = SessionFile(path)
                self._repair.mend_end(file)
                found.append((file, _stored(file)))
        return sorted(found, key=lambda each: each[1].count, reverse=True)

    def _active_file(self, key: str) -> SessionFile | None:
        path = self._folder.find(key) if key else None
        return self._folder.file(path) if path else None

    def _bring_up(self, session: Session, wanted: Branch, file: SessionFile, others: list[StoredBranch]) -> None:
        """Appends what a branch has to know before it is active: its pointer, the conversation's title and its kind."""
        stated = _session_of(session.key, file, session)
        metadata = {name: value for name, value in stated.metadata.items() if name not in _OF_ALL}
        stated.metadata = metadata | {name: session.metadata[name] for name in _OF_ALL if name in session.metadata}
        reached: list[tuple[Branch, int, Callable[[], MessageLog]]]
        reached = [(session.branch, session.last_consolidated, lambda: session.messages)]
        reached += [(each.branch, each.last_consolidated, partial(_log_at, each.path)) for each in others]
        for branch, pointer, messages in reached:
            stop = wanted.reach_of(branch, pointer)
            if stop > stated.last_consolidated and _is_shared(stated.messages, messages(), stop):
                stated.last_consolidated = stop
        record = metadata_record(stated)
        if differs_from_known(record, file.index.record or {}):
            append_bytes(file.path, encode_record(record), calls=self._calls)

    def _activate(self, session: Session, file: SessionFile, path: Path) -> None:
        """Lets the active file and one of the others change places, and the session read on in the one that is active
        now."""
        active, was_empty = file.path, _stored(file).is_empty
        left = path if self._exchange(path, active) else self._copy_over(path, active)
        # Whoever shows the former branch goes on reading it.
        file.path = left
        self._folder.forget(active)
        now = self._folder.file(active)
        fresh = _session_of(session.key, now, session)
        session.follow(fresh.messages)
        session.created_at, session.updated_at = fresh.created_at, fresh.updated_at
        session.last_consolidated, session.metadata = fresh.last_consolidated, fresh.metadata
        if was_empty:
            with suppress(StorageError):
                self._remove(left)
        self.look(session)

    def _exchange(self, path: Path, active: Path) -> bool:
        """Lets two files change places in one step; False where that cannot be: on two disks, or through a link."""
        if active.is_symlink() or self._folder.is_moved(active):
            return False
        with storage_errors(active, "write"):
            try:
                if not self._calls.exchange(str(path), str(active)):
                    return False
            except OSError as error:
                if error.errno == errno.EXDEV:
                    return False
                raise
        try:
            fsync_move(path, active, calls=self._calls)
        except StorageError:
            with suppress(OSError):
                self._calls.exchange(str(path), str(active))
            raise
        return True

    def _copy_over(self, path: Path, active: Path) -> Path:
        """Puts a branch in the place of the active one by copies, each durable before the next; returns where the
        active one went."""
        with storage_errors(active, "read"):
            former, wanted = active.read_bytes(), path.read_bytes()
        left = path.with_name(f"{path.stem}-left{SUFFIX}")
        replace_bytes(left, former, calls=self._calls)
        try:
            replace_bytes(active, wanted, calls=self._calls)
        except StorageError:
            with suppress(StorageError):
                self._remove(left)
            raise
        with suppress(StorageError):
            self._remove(path)
        return left

    def _withdraw(self, path: Path, branch: Branch) -> None:
        """Removes a branch that did not become the active one, where its file is there and holds it."""
        with suppress(StorageError, FileNotFoundError):
            stored = self._kept.at(path)
            if stored.branch == branch and stored.is_empty:
                self._remove(path)

    def _remove(self, path: Path) -> None:
        remove_file(path, calls=self._calls)
        self._kept.forget(path)


def place_of_branch(paths: WorkspacePaths, key: str, when: datetime) -> Path:
    """Returns where the file of a new branch may be made: a name by which it is found, and that no other file has."""
    stem = readable_stem(key)[:_LONGEST_STEM].strip(". ") or "session"
    name = f"{stem}-{_mark(key)}.{when:%Y%m%d-%H%M%S-%f}"
    endings = ("", *(f"-{number}" for number in range(2, 10_000)))
    places = (paths.branches_dir / f"{name}{ending}{SUFFIX}" for ending in endings)
    return next(place for place in places if not place.exists())


def _mark(key: str) -> str:
    """Returns what the names of a conversation's branches hold."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def file_branch(file: SessionFile) -> Branch:
    """Returns which branch of its conversation a session file holds."""
    stated = stated_metadata(file.index)
    return branch_of(creation_time(file, stated).isoformat(), stated.metadata)


def _stored(file: SessionFile) -> StoredBranch:
    key = stated_key(file.index.record)
    seen, branch = overview_of(key, file), file_branch(file)
    return StoredBranch(key, branch, file.path, seen.count, seen.last_consolidated, seen.updated_at, seen.discretion)


def _indexed(path: Path) -> SessionFile:
    """Returns a file that was there a moment ago. Raises StorageError."""
    try:
        return SessionFile(path)
    except FileNotFoundError as error:
        raise StorageError(_GONE, next_step=_NOTHING_CHANGED, path=str(path)) from error


def _log_at(path: Path) -> MessageLog:
    return _log_of(_indexed(path))


def _log_of(file: SessionFile) -> MessageLog:
    log = MessageLog()
    log.attach(file)
    return log


def _session_of(key: str, file: SessionFile, like: Session) -> Session:
    stated, seen = stated_metadata(file.index), overview_of(key, file)
    return Session(
        key,
        _log_of(file),
        creation_time(file, stated),
        seen.updated_at,
        stated.metadata,
        stated.last_consolidated,
        clock=like.clock,
    )


def _is_shared(one: MessageLog, other: MessageLog, stop: int) -> bool:
    """Returns whether both hold the same as the last of `stop` messages: another program may have changed one."""
    return 0 < stop <= min(len(one), len(other)) and one[stop - 1] == other[stop - 1]


def _is_copy_of(file: SessionFile, active: SessionFile) -> bool:
    """Returns whether a file is the active branch itself, with nothing in it that the active file does not hold."""
    one, other = _stored(file), _stored(active)
    if one.branch != other.branch or one.count > other.count:
        return False
    return _log_of(file)[:] == _log_of(active)[: one.count]


def _beginning(session: Session, file: SessionFile, branch: Branch, when: datetime) -> bytes:
    """Returns the file of a new branch: its metadata, and the messages it shares, as they are written."""
    pointer = min(session.last_consolidated, branch.own_start)
    gone = (*_OF_THE_END, *((_SUMMARY,) if pointer < session.last_consolidated else ()))
    metadata: dict[str, Any] = {name: value for name, value in session.metadata.items() if name not in gone}
    fresh = Session(session.key, (), when, when, metadata | {FORKS: branch.as_field()}, pointer)
    return encode_record(metadata_record(fresh)) + _message_lines(file, branch.own_start)


def _message_lines(file: SessionFile, stop: int) -> bytes:
    """Returns the lines of the first `stop` messages, each with its newline."""
    index, parts, left = file.index, list[bytes](), stop
    try:
        for block in range(len(index.starts)):
            if left <= 0:
                break
            lines = file.block(index, block)[:left]
            left -= len(lines)
            # A block at a time: ten thousand lines at once would leave gaps in the process's memory.
            parts += (b"\n".join(lines), b"\n") if lines else ()
    except StaleFile as error:
        raise StorageError("The conversation was changed by another program.", next_step="Try again.") from error
    return b"".join(parts)
