"""A session file on disk as this process last saw it, and what other programs did to it since.

The order on disk is the truth: appended lines are taken in, and a file that was rewritten is read anew. Whether the
known part is unchanged is judged by inode, size, time and the first and last 512 bytes of it: nanobot 0.1.4
rewrites the whole file in place, and its first line then states a new time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.store.files.atomic import storage_errors
from mnemoscope.store.files.display_names import begin_sentence, known_as
from mnemoscope.store.sessions.file_format.session_index import (
    Reader,
    SessionIndex,
    build_index,
    extend_index,
    message_lines,
)


class Change(Enum):
    """Names what happened to a file since it was last looked at."""

    NONE = "unchanged"
    GREW = "lines were appended"
    REWRITTEN = "the file was rewritten"
    GONE = "the file is no longer there"


class StaleFile(Exception):
    """The bytes an index describes are no longer in the file."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Tells one state of a file from another."""

    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def of(cls, status: os.stat_result) -> Signature:
        """Returns the signature in a stat result."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@contextmanager
def opened(path: Path) -> Iterator[tuple[int, os.stat_result]]:
    """Yields a descriptor of a regular file for reading, and its status.

    Raises UnreadableFile for a folder, a pipe or refused access, FileNotFoundError where there is nothing.
    """
    descriptor = _open(path)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
            raise UnreadableFile(f"{begin_sentence(known_as(path))} could not be read: it is {kind}.", path=str(path))
        yield descriptor, status
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    # Without O_NONBLOCK a pipe of that name would stop the window for ever.
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK if os.name != "nt" else os.O_RDONLY | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        raise
    except OSError:
        with storage_errors(path, "read"):
            raise


class SessionFile:
    """Reads one session file. `index` is replaced as a whole, so a reader on another thread keeps a consistent one."""

    def __init__(self, path: Path) -> None:
        """Reads and indexes the file. Raises UnreadableFile or FileNotFoundError."""
        self.path = path
        self.index = SessionIndex()
        self.signature: Signature | None = None
        self._trusted: Signature | None = None
        self.reload()

    @property
    def torn_bytes(self) -> int:
        """Returns how many bytes follow the last whole line: a write that was cut off."""
        return max(0, self.signature.size - self.index.end) if self.signature else 0

    def reload(self) -> None:
        """Indexes the file from its beginning."""
        with opened(self.path) as (descriptor, status), storage_errors(self.path, "read"):
            self.index = build_index(_reader(descriptor), status.st_size)
            self._seen(status)

    def refresh(self) -> Change:
        """Takes in what other programs, or an append of ours, did to the file. Raises UnreadableFile."""
        try:
            if self.signature == Signature.of(self.path.stat()):
                return Change.NONE
            with opened(self.path) as (descriptor, status), storage_errors(self.path, "read"):
                return self._take_in(descriptor, status)
        except FileNotFoundError:
            return Change.GONE

    def block(self, index: SessionIndex, number: int) -> list[bytes]:
        """Returns the message lines of one block. Raises StaleFile where the file no longer holds them."""
        start, stop = index.span(number)
        data = self.read(index, start, stop)
        return message_lines(data, mixed=number in index.mixed)

    def read(self, index: SessionIndex, start: int, stop: int) -> bytes:
        """Returns bytes [start, stop) of the indexed part. Raises StaleFile."""
        try:
            with opened(self.path) as (descriptor, status):
                if not self._still_holds(index, descriptor, status):
                    raise StaleFile
                data = _reader(descriptor)(start, stop - start)
        except (OSError, UnreadableFile) as error:
            raise StaleFile from error
        if len(data) != stop - start:
            raise StaleFile
        return data

    def read_torn(self) -> bytes:
        """Returns the bytes after the last whole line. Raises StaleFile."""
        size = self.signature.size if self.signature else 0
        return self.read(self.index, self.index.end, size)

    def _take_in(self, descriptor: int, status: os.stat_result) -> Change:
        index, read = self.index, _reader(descriptor)
        same_size = self.signature is not None and self.signature.size == status.st_size
        if same_size or index.open_end or not self._prefix_stands(index, read, status):
            self.index = build_index(read, status.st_size)
            change = Change.REWRITTEN
        else:
            self.index = extend_index(index, read, status.st_size)
            change = Change.GREW
        self._seen(status)
        return change

    def _prefix_stands(self, index: SessionIndex, read: Reader, status: os.stat_result) -> bool:
        known = self.signature
        if known is None or (known.device, known.inode) != (status.st_dev, status.st_ino):
            return False
        return status.st_size >= index.end and _prints_match(index, read)

    def _still_holds(self, index: SessionIndex, descriptor: int, status: os.stat_result) -> bool:
        now = Signature.of(status)
        if index is self.index and now in (self.signature, self._trusted):
            return True
        if now.size < index.end or not _prints_match(index, _reader(descriptor)):
            return False
        self._trusted = now
        return True

    def _seen(self, status: os.stat_result) -> None:
        self.signature = Signature.of(status)
        self._trusted = None


def _prints_match(index: SessionIndex, read: Reader) -> bool:
    tail = read(index.end - len(index.tail), len(index.tail))
    return tail == index.tail and read(0, len(index.head)) == index.head


def read_at(descriptor: int, offset: int, size: int) -> bytes:
    """Returns bytes of an open file, fewer only at its end."""
    data = os.pread(descriptor, size, offset)
    while 0 < len(data) < size:
        more = os.pread(descriptor, size - len(data), offset + len(data))
        if not more:
            break
        data += more
    return data


def _reader(descriptor: int) -> Reader:
    return lambda offset, size: read_at(descriptor, offset, size)
