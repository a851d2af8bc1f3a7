"""history.jsonl on disk: entries are appended, one line, one write and one fsync each, and read from the end.

Whatever its length, adding an entry and reading the entries after a cursor cost what the tail costs. The next cursor is
one above the largest of `.cursor`, which is only a hint, and what the end of the file holds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.journal_entry import (
    MAX_CURSOR,
    JournalEntry,
    clean_content,
    encode_entry,
    entry_of,
    oldest_entries,
    read_cursor,
    timestamp_of,
    without_duplicates,
)
from mnemoscope.store.files.append import append_bytes
from mnemoscope.store.files.atomic import encode_text, make_directory, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.json_record import mended
from mnemoscope.store.workspace.paths import WorkspacePaths

if sys.platform != "win32":  # pragma: no branch - Windows has none
    import fcntl

_BLOCK: Final = 1 << 16
_LOOKED_AT: Final = 64
"""Entries at the end among which the largest cursor is looked for: others may have appended at the same moment."""
_SETTLED: Final = 256
"""So many entries in a row at or before a cursor, read from the end: everything before them is too."""


@dataclass(frozen=True, slots=True)
class Unprocessed:
    """Entries after a cursor, oldest first: at most as many as were asked for, of `waiting` in all.

    `unreadable`: lines among them that hold no entry; they are left where they are.
    """

    entries: tuple[JournalEntry, ...]
    waiting: int
    unreadable: int


@dataclass(frozen=True, slots=True)
class CursorRead:
    """Holds what a cursor file says; if it could not be followed, `problem` is a sentence and `value` is careful."""

    value: int
    problem: str = ""


class Journal:
    """Reads and writes the journal of one workspace. Writes belong to the disk's thread."""

    def __init__(
        self, paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS, clock: Callable[[], datetime] = datetime.now
    ) -> None:
        self.file = paths.history_jsonl
        self.cursor_file = paths.memory_dir / ".cursor"
        self.dream_cursor_file = paths.memory_dir / ".dream_cursor"
        self._calls = calls
        self._clock = clock

    # -- adding -------------------------------------------------------------------------------------------------------

    def append(self, content: str, *, session_key: str = "") -> int:
        """Adds an entry durably; returns its cursor. Raises DiskFull or StorageError; nothing was added then."""
        make_directory(self.file.parent, calls=self._calls)
        with _one_at_a_time(self.file.parent):
            entry = self.next_entry(content, session_key=session_key)
            append_bytes(self.file, self.line(entry), calls=self._calls)
        self.hint(entry.cursor)
        return entry.cursor

    def next_entry(self, content: str, *, session_key: str = "") -> JournalEntry:
        """Returns the entry that would be added now. Raises StorageError where there is no number left for it."""
        cursor = self.last_cursor() + 1
        if cursor > MAX_CURSOR:
            raise StorageError(
                "history.jsonl holds an entry with the largest number there is, so no other can follow it.",
                next_step="Correct the number of its last lines by hand; nothing was written.",
            )
        return JournalEntry(cursor, timestamp_of(self._clock()), clean_content(content), session_key)

    def line(self, entry: JournalEntry) -> bytes:
        """Returns the bytes to add for an entry: its line, and a break before it where the last line has none."""
        return (b"" if self._ends_in_break() else b"\n") + encode_text(encode_entry(entry)) + b"\n"

    def hint(self, cursor: int) -> None:
        """Tells other programs the last number given. Derived: a failure is no loss, the file itself is looked at."""
        with suppress(StorageError):
            known = self._hinted()
            if known is None or known < cursor:
                replace_bytes(self.cursor_file, str(cursor).encode(), calls=self._calls)

    def last_cursor(self) -> int:
        """Returns the largest number given so far, 0 before the first. Raises UnreadableFile."""
        tail = islice((entry for entry in self._backwards() if entry is not None), _LOOKED_AT)
        return max([self._hinted() or 0, *(entry.cursor for entry in tail)])

    # -- reading ------------------------------------------------------------------------------------------------------

    def after(self, cursor: int, limit: int | None = None) -> Unprocessed:
        """Returns the entries with a larger number than `cursor`, the oldest `limit` of them, and those of the same
        number.

        Raises UnreadableFile.
        """
        found: list[JournalEntry] = []
        settled = unreadable = unsure = 0
        for entry in self._backwards():
            if entry is None:
                unsure += 1
            elif entry.cursor > cursor:
                found.append(entry)
                settled, unreadable, unsure = 0, unreadable + unsure, 0
            else:
                settled += 1
                if settled == _SETTLED:
                    break
        entries = without_duplicates(reversed(found))
        entries.sort(key=lambda entry: entry.cursor)
        some = entries if limit is None else oldest_entries(entries, limit)
        return Unprocessed(tuple(some), len(entries), unreadable)

    def between(self, first: int, last: int) -> list[JournalEntry]:
        """Returns the entries numbered `first` to `last`, oldest first. Raises UnreadableFile."""
        return [entry for entry in self.after(first - 1).entries if entry.cursor <= last]

    def newest(self, count: int, until: str = "") -> list[JournalEntry]:
        """Returns the last entries, of those that were there at a minute (`until`, as they write it), oldest first.

        Raises UnreadableFile.
        """
        there = (each for each in self._backwards() if each is not None and (not until or each.timestamp <= until))
        return list(islice(there, count))[::-1]

    def count(self) -> int:
        """Returns how many entries there are. Reads the whole file."""
        return sum(entry is not None for entry in self._backwards())

    def get(self, cursor: int) -> JournalEntry | None:
        """Returns the entry with a number, looked for from the end."""
        return next((entry for entry in self._backwards() if entry is not None and entry.cursor == cursor), None)

    # -- Dream's cursor -----------------------------------------------------------------------------------------------

    def dream_cursor(self) -> CursorRead:
        """Returns the number of the last entry Dream has read. Where the file cannot be followed nothing counts as
        read."""
        try:
            with storage_errors(self.dream_cursor_file, "read"):
                data = self.dream_cursor_file.read_bytes()
        except StorageError as error:
            missing = isinstance(error.__cause__, FileNotFoundError)
            return CursorRead(0, "" if missing else str(error))
        value = read_cursor(data)
        if value is None:
            return CursorRead(0, "memory/.dream_cursor holds no number.")
        last = self.last_cursor()
        if value > last:
            return CursorRead(0, f"memory/.dream_cursor says {value:,}, but the last entry is {last:,}.")
        return CursorRead(value)

    def set_dream_cursor(self, cursor: int) -> None:
        """Notes what Dream has read. Raises DiskFull or StorageError."""
        make_directory(self.dream_cursor_file.parent, calls=self._calls)
        replace_bytes(self.dream_cursor_file, str(cursor).encode(), calls=self._calls)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _backwards(self) -> Iterator[JournalEntry | None]:
        """Yields entries from the last to the first; None for a line that holds none. Blank lines are passed over."""
        for line in lines_backwards(self.file):
            if line.strip(b" \t\r\0"):
                yield _decode(line)

    def _ends_in_break(self) -> bool:
        with storage_errors(self.file, "read"), suppress(FileNotFoundError), self.file.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(size - 1)
                return file.read(1) == b"\n"
        return True

    def _hinted(self) -> int | None:
        with suppress(OSError):
            return read_cursor(self.cursor_file.read_bytes())
        return None


def _decode(line: bytes) -> JournalEntry | None:
    try:
        record: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            record = msgspec.json.decode(mended(line))
        except (msgspec.DecodeError, RecursionError):
            return None
    return entry_of(record)


def lines_backwards(path: Path) -> Iterator[bytes]:
    """Yields the lines of a file from the last to the first, split on `\\n` alone. Nothing for a missing file."""
    with storage_errors(path, "read"), suppress(FileNotFoundError), path.open("rb") as file:
        at = file.seek(0, os.SEEK_END)
        rest: list[bytes] = []
        while at:
            start = max(0, at - _BLOCK)
            file.seek(start)
            first, *others = file.read(at - start).split(b"\n")
            at = start
            if others:
                yield others[-1] + b"".join(reversed(rest))
                yield from reversed(others[:-1])
                rest = [first]
            else:
                rest.append(first)
        yield b"".join(reversed(rest))


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Locks the journal, so that two processes never give one number twice: each waits for the other's append."""
    if sys.platform == "win32":  # pragma: no cover - Windows has no flock
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
