"""Appends to a file and truncates it, each with one fsync; after an error of the disk the file is written anew.

fsync is not repeated on a file where it failed: the system may have dropped what it could not write, and would report
success the next time (EIO). The contents that can be read are written to a new file, which replaces the old one.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mnemoscope.store.files.atomic import fsync_directory, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import replace_if_unchanged

_distrusted: set[tuple[int, int]] = set()
"""Device and inode of files the disk reported an error for. The kernel's state, so one set for the process."""


def append_bytes(
    path: Path, data: bytes, *, calls: FileCalls = REAL_CALLS, known: Callable[[], str] | None = None
) -> None:
    """Adds `data` at the end: one write, one fsync. A write that fails half-way takes its own fragment back.

    Creates the file where it is missing. Raises DiskFull or StorageError, which call the file as it is `known`.
    """
    with storage_errors(path, "write", known):
        is_new = not path.exists()
        with (
            _rewritten_on_error(path, lambda present: present + data, calls),
            _opened(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, calls) as descriptor,
        ):
            _append(descriptor, data, calls)
    if is_new:
        fsync_directory(path.parent, calls=calls)


def append_lines(path: Path, lines: bytes, *, calls: FileCalls = REAL_CALLS) -> None:
    """Adds whole lines as `append_bytes` does. A line that a crash cut off is ended first, so that it never joins them.

    Raises DiskFull or StorageError.
    """
    with storage_errors(path, "read"), suppress(FileNotFoundError):
        if not ends_whole(path):
            lines = b"\n" + lines
    append_bytes(path, lines, calls=calls)


def truncate_file(path: Path, size: int, *, calls: FileCalls = REAL_CALLS) -> None:
    """Cuts the file to `size` bytes, durably."""
    with (
        storage_errors(path, "write"),
        _rewritten_on_error(path, lambda present: present[:size], calls),
        _opened(path, os.O_WRONLY, calls) as descriptor,
    ):
        calls.truncate(descriptor, size)
        calls.fsync(descriptor)


def fsync_file(path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Makes what a file shows durable: visible is not yet on the disk."""
    with (
        storage_errors(path, "write"),
        _rewritten_on_error(path, lambda present: present, calls),
        _opened(path, os.O_RDONLY, calls) as descriptor,
    ):
        calls.fsync(descriptor)


class _Distrusted(Exception):
    """The disk reported an error for this file before."""


@contextmanager
def _opened(path: Path, flags: int, calls: FileCalls) -> Iterator[int]:
    descriptor = calls.open(str(path), flags)
    try:
        if _identity(descriptor) in _distrusted:
            raise _Distrusted
        yield descriptor
    except OSError as error:
        if error.errno == errno.EIO:
            _distrusted.add(_identity(descriptor))
        raise
    finally:
        calls.close(descriptor)


@contextmanager
def _rewritten_on_error(path: Path, wanted: Callable[[bytes], bytes], calls: FileCalls) -> Iterator[None]:
    """Writes the `wanted` bytes to a new file in the place of this one if the disk reports an error (EIO)."""
    try:
        yield
    except _Distrusted:
        _rewrite(path, wanted, calls)
    except OSError as error:
        if error.errno != errno.EIO or not path.exists():
            raise
        _rewrite(path, wanted, calls)


def _rewrite(path: Path, wanted: Callable[[bytes], bytes], calls: FileCalls) -> None:
    present, status = path.read_bytes(), path.stat()
    replace_if_unchanged(path, wanted(present), present, _with_added_bytes, calls=calls, separate=True)
    _distrusted.discard((status.st_dev, status.st_ino))


def _with_added_bytes(expected: bytes | None, found: bytes, mine: bytes) -> bytes:
    known = expected or b""
    if not found.startswith(known):
        raise OSError(errno.EIO, os.strerror(errno.EIO))
    return mine + found[len(known) :]


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def _append(descriptor: int, data: bytes, calls: FileCalls) -> None:
    written = 0
    try:
        while written < len(data):
            written += calls.write(descriptor, data[written:])
        calls.fsync(descriptor)
    except OSError:
        if written:
            with suppress(OSError):
                _undo_append(descriptor, written, calls)
        raise


def _undo_append(descriptor: int, written: int, calls: FileCalls) -> None:
    # After an append the offset stands behind what this descriptor wrote: only an untouched end is cut.
    end = os.lseek(descriptor, 0, os.SEEK_CUR)
    if end == os.fstat(descriptor).st_size:
        calls.truncate(descriptor, end - written)


def end_line(path: Path, *, calls: FileCalls = REAL_CALLS) -> str:
    """Returns what has to stand before a new line: a line break where the last one was never ended, else "".

    NUL bytes at the end, which a power cut leaves of what was not on the disk yet, are cut off. Raises OSError or
    StorageError.
    """
    data = path.read_bytes()
    kept = data.rstrip(b"\0")
    if kept != data:
        truncate_file(path, len(kept), calls=calls)
    return "" if not kept or kept.endswith(b"\n") else "\n"


def ends_whole(path: Path) -> bool:
    """Returns whether a file of lines is empty or ends with a whole one. Raises OSError."""
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
