"""Reads a SQLite database that another program owns, without opening it: from a private copy.

Opening is not harmless. `mode=ro` leaves a `-shm` beside a database in WAL mode and takes its locks; `immutable=1`
loses what stands in the `-wal` alone. So the bytes of the database, of its `-wal` and of its rollback journal are
copied, and SQLite opens the copy: it takes the `-wal` in, and rolls back a transaction that was cut off, there.

A copy counts only if size and time of the files were the same before and after, so that it is of one moment. Copies are
0600 in a folder of 0700; they go when they are closed, and those of a process that died go when the next one begins.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from mnemoscope.domain.errors import StorageError, reason_of
from mnemoscope.store.files.atomic import READ_FLAGS

SQLITE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""The errors of a damaged database: the words of an error may hold names from it that are no UTF-8."""
_PREFIX: Final = "mnemoscope-stores-"
_HEADER: Final = b"SQLite format 3\x00"
_HEADER_BYTES: Final = 100
_REST_SECONDS: Final = 10.0
"""A database is copied at most once in this time, however often it is asked for."""
_TRIES: Final = 5
_PAUSE_SECONDS: Final = 0.05
_CHUNK: Final = 1 << 20
_LONGEST: Final = 1 << 40
_BESIDE: Final = ("-wal", "-journal")
_NO_STEP: Final = "Nothing in it is changed by looking."

_Times = tuple[tuple[int, int] | None, ...]
"""Size and time of change of the database and of what lies beside it, None for what is not there."""


@dataclass(frozen=True, slots=True)
class SqliteCopy:
    """Describes a private copy of a database, of one moment. `damage` is a sentence where SQLite finds it damaged: what
    can be read of it may still be read, row by row, until one of `SQLITE_ERRORS` is raised."""

    path: Path
    damage: str = ""

    def connect(self) -> sqlite3.Connection:
        """Opens the copy to be read. What is no UTF-8 in a text is replaced. Raises StorageError where it is gone."""
        try:
            connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False, isolation_level=None
            )
            connection.text_factory = _text
            connection.row_factory = sqlite3.Row
            # What a database brings of its own (views, triggers, functions in them) is not to run here.
            connection.execute("PRAGMA trusted_schema = OFF")
        except SQLITE_ERRORS as error:
            raise StorageError(f"The copy of the database cannot be read: {reason_of(error)}", next_step="") from error
        return connection


@dataclass(slots=True)
class _Tried:
    """Holds the last try to copy a database: the copy, or the sentence why there is none."""

    at: float
    copy: SqliteCopy | None = None
    times: _Times | None = None
    error: str = ""


class SqliteCopies:
    """Keeps the private copies of one store's databases. It may be asked from several threads."""

    def __init__(
        self,
        private: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`private` is the folder in which the copies lie, None for the one for temporary files. Both are in seconds:
        `clock` tells the time, and `pause` waits before a database that was just written to is copied again."""
        self._base = private if private is not None else Path(tempfile.gettempdir())
        self._clock = clock
        self._pause = pause
        self._guard = threading.Lock()
        self._tried: dict[Path, _Tried] = {}
        self._folder: Path | None = None
        self._lock: FileLock | None = None
        self._made = 0
        remove_leftovers(self._base)

    def copy_of(self, database: Path, tables: Sequence[str] = ()) -> SqliteCopy:
        """Returns a copy of a database, the last one where it is younger than ten seconds or the database rests.

        `tables` are those whose rows are to be sound; another one that is not does no harm. Raises StorageError, with a
        sentence for the person, where there is no copy and none can be made.
        """
        with self._guard:
            tried = self._tried.get(database)
            if tried is None or self._clock() - tried.at >= _REST_SECONDS:
                tried = self._tried[database] = self._try(database, tables, tried)
            if tried.copy is None:
                raise StorageError(tried.error, next_step=_NO_STEP)
            return tried.copy

    def new_file(self) -> Path:
        """Returns a path for another private file of this store, to be removed with the copies. Raises StorageError."""
        with self._guard:
            return self._new_path(".jsonl")

    def close(self) -> None:
        """Removes the copies. A second call does nothing."""
        with self._guard:
            self._tried.clear()
            if self._folder is not None and self._lock is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                _release(self._lock)
            self._folder = self._lock = None

    def _try(self, database: Path, tables: Sequence[str], last: _Tried | None) -> _Tried:
        """Keeps the last copy where the database rests since, or does not rest long enough to be copied."""
        old = last.copy if last is not None else None
        try:
            if last is not None and old is not None and _times_of(database) == last.times:
                return _Tried(self._clock(), old, last.times)
            made = self._make(database, tables)
        except OSError as error:
            return _Tried(self._clock(), error=f"{database.name} cannot be read: {reason_of(error)}")
        except StorageError as error:
            return _Tried(self._clock(), error=error.sentence)
        if made is None:
            return _Tried(self._clock(), old, None, f"{database.name} is being written to all the time.")
        if old is not None:
            _remove_copy(old.path)
        return _Tried(self._clock(), *made)

    def _make(self, database: Path, tables: Sequence[str]) -> tuple[SqliteCopy, _Times] | None:
        """Returns a copy whose bytes are all of one moment and the times of that moment, None where it never rests.
        Raises OSError and StorageError."""
        for attempt in range(_TRIES):
            if attempt:
                self._pause(_PAUSE_SECONDS * attempt)
            before = _times_of(database)
            _refuse_what_is_none(database, before)
            target = self._new_path(".db")
            _copy_bytes(database, target)
            for index, end in enumerate(_BESIDE, start=1):
                if before[index] is not None:
                    _copy_bytes(_beside(database, end), _beside(target, end))
            if _times_of(database) == before:
                damage = _fault_of(target, tables)
                sentence = f"{database.name} is damaged ({damage}). What can be read of it is shown." if damage else ""
                length = _stated_length(target)
                if target.stat().st_size < length:
                    sentence = f"{database.name} is cut off: its end is missing. What can be read of it is shown."
                    _fill_up(target, length)
                return SqliteCopy(target, sentence), before
            _remove_copy(target)
        return None

    def _new_path(self, suffix: str) -> Path:
        self._made += 1
        return self._private_folder() / f"{self._made}{suffix}"

    def _private_folder(self) -> Path:
        """Returns the folder of this process, which is made when it is needed first. The lock that says that its owner
        lives is taken before the folder is there, so that no other process takes the folder for a leftover."""
        if self._folder is None:
            try:
                self._base.mkdir(mode=0o700, parents=True, exist_ok=True)
                folder = self._base / f"{_PREFIX}{secrets.token_hex(8)}"
                lock = FileLock(f"{folder}.lock", timeout=0, mode=0o600)
                lock.acquire()
                folder.mkdir(mode=0o700)
            except OSError as error:
                raise StorageError(f"A private copy cannot be kept: {reason_of(error)}") from error
            self._folder, self._lock = folder, lock
        return self._folder


def remove_leftovers(base: Path) -> None:
    """Removes the copies that processes left which are no more. What cannot be removed stays."""
    with suppress(OSError):
        for folder in [entry for entry in base.iterdir() if entry.name.startswith(_PREFIX)]:
            if folder.is_symlink() or not folder.is_dir():
                continue
            lock = FileLock(f"{folder}.lock", timeout=0, mode=0o600)
            with suppress(Timeout, OSError):
                lock.acquire()
                shutil.rmtree(folder, ignore_errors=True)
                _release(lock)


def columns_of(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Returns the columns of a table, none where there is no such table; a view or a virtual table is none. Raises
    sqlite3.Error."""
    found = connection.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if found is None or found["type"] != "table" or str(found["sql"]).upper().startswith("CREATE VIRTUAL"):
        return ()
    return tuple(str(row["name"]) for row in connection.execute(f'PRAGMA table_info("{table}")'))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _release(lock: FileLock) -> None:
    """The file goes while the lock is held, where the system permits that: nobody then waits for one that is gone."""
    with suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()
    with suppress(OSError):
        Path(lock.lock_file).unlink()


def _beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)


def _times_of(database: Path) -> _Times:
    """Raises OSError where the database itself is not there."""
    found: list[tuple[int, int] | None] = []
    status = database.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no file")
    found.append((status.st_size, status.st_mtime_ns))
    for end in _BESIDE:
        try:
            status = _beside(database, end).stat()
            found.append((status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None)
        except FileNotFoundError:
            found.append(None)
    return tuple(found)


def _refuse_what_is_none(database: Path, times: _Times) -> None:
    """Raises StorageError for what is no database. One that is empty may have all its rows in the `-wal`."""
    size, wal = (times[0] or (0, 0))[0], (times[1] or (0, 0))[0]
    if size == 0 and wal == 0:
        raise StorageError(f"{database.name} is empty.")
    if size:
        descriptor = os.open(database, READ_FLAGS)
        try:
            header = os.read(descriptor, len(_HEADER))
        finally:
            os.close(descriptor)
        if header != _HEADER:
            raise StorageError(f"{database.name} is no SQLite database.")


def _copy_bytes(source: Path, target: Path) -> None:
    """A file beside the database that is gone meanwhile is not copied: the times tell that something happened."""
    try:
        reading = os.open(source, READ_FLAGS)
    except FileNotFoundError:
        return
    try:
        writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(writing, "wb") as out:
            while chunk := os.read(reading, _CHUNK):
                out.write(chunk)
    finally:
        os.close(reading)


def _fault_of(copy: Path, tables: Sequence[str]) -> str:
    """Takes the `-wal` or the journal into the copy, and returns what SQLite finds wrong with the tables."""
    try:
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.text_factory = _text
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA trusted_schema = OFF")
            # A private copy need not outlive a power cut.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            for table in tables:
                if columns_of(connection, table):
                    verdict = str(connection.execute(f'PRAGMA quick_check("{table}")').fetchone()[0])
                    if verdict != "ok":
                        return verdict.splitlines()[-1].strip().rstrip(".")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except SQLITE_ERRORS as error:
        return reason_of(error).rstrip(".")
    return ""


def _stated_length(copy: Path) -> int:
    """Returns the bytes that a database has by its header, 0 where SQLite does not believe it either: what wrote last
    was so old that it did not keep the number. SQLite itself reads a last page that is not whole as if zeros followed,
    and finds nothing wrong. Raises OSError."""
    with open(copy, "rb") as file:
        header = file.read(_HEADER_BYTES)
    if header[24:28] != header[92:96]:
        return 0
    page_size = int.from_bytes(header[16:18], "big")
    return (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")


def _fill_up(copy: Path, length: int) -> None:
    """Gives a database that was cut off the length its header tells. SQLite reads nothing at all of one that is
    shorter; so it reads the pages that are there. A hole at the end of a file takes no room."""
    with suppress(OSError):
        os.truncate(copy, min(length, _LONGEST))


def _remove_copy(copy: Path) -> None:
    """Removes a copy; one that another still has open goes at the end, with the folder."""
    for end in ("", *_BESIDE, "-shm"):
        with suppress(OSError):
            _beside(copy, end).unlink()
