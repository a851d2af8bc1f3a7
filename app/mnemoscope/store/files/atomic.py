"""Writes that are whole or not there at all, and reads that never see half a file.

Replace: temporary file in the same directory, write, fsync, rename, fsync of the directory. The whole text is encoded
before any file is opened. Every OSError becomes a sentence for the person. Adding to a file is `append`, replacing one
that others write too is `swap`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from mnemoscope.domain.errors import DiskFull, StorageError, UnreadableFile
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootGone
from mnemoscope.store.files.display_names import begin_sentence, has_usual_name, known_as

TEMPORARY_SUFFIX = ".mnemo-tmp"
ROOT_GONE: Final = "The workspace folder is no longer there."
"""The sentence of each error of reading or writing while the folder is missing, or another is in its place."""
_SETTLED_SECONDS = 0.25
"""A file that is empty and younger than this is probably being rewritten by another program."""
_READ_TRIES = 60
_READ_PAUSE_SECONDS = 0.01
READ_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags with which a file is opened that may be a named pipe by now: nobody waits for whoever writes into it."""


def digest_of(data: bytes) -> str:
    """Returns the SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def encode_text(text: str) -> bytes:
    """Encodes a text as UTF-8; a lone surrogate, which UTF-8 has no bytes for, becomes U+FFFD."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def real_path(path: Path) -> Path:
    """Returns the file behind a symbolic link, so that the link survives a replace."""
    return path.resolve() if path.is_symlink() else path


def temporary_path(path: Path, token: str = "") -> Path:
    """Returns a name beside `path` for a file on its way; recognised by `TEMPORARY_SUFFIX` after a crash."""
    return path.with_name(f".{path.name}.{token or secrets.token_hex(6)}{TEMPORARY_SUFFIX}")


def name_of_leftover(path: Path) -> str:
    """Returns the name of the file a temporary one was on its way to."""
    return path.name.removesuffix(TEMPORARY_SUFFIX)[1:].rpartition(".")[0]


def make_directory(path: Path, *, mode: int = 0o777, calls: FileCalls = REAL_CALLS) -> None:
    """Creates a directory, with `mode`, and what is missing above it, durably; does nothing where it exists."""
    with storage_errors(path, "create"):
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        for folder in reversed(missing):
            with suppress(FileExistsError):
                calls.mkdir(str(folder), mode if folder == path else 0o777)
            _fsync_directory(folder.parent, calls)


def make_folder(path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Creates one directory durably where it is missing; where its parent is gone, nothing is built in its place."""
    with storage_errors(path, "create"), suppress(FileExistsError):
        if not path.is_dir():
            calls.mkdir(str(path))
            _fsync_directory(path.parent, calls)


def fsync_directories(folders: Iterable[Path], *, calls: FileCalls = REAL_CALLS) -> None:
    """Makes durable which folders are in these; raises nothing.

    A process that is killed between making a folder and forcing its parent leaves one that a power cut can still take,
    with all that is kept in it afterwards. The next one to own it calls this before it keeps anything there. Where the
    disk refuses, whatever is kept there says so.
    """
    for folder in folders:
        with suppress(OSError):
            if any(map(Path.is_dir, folder.iterdir())):
                _fsync_directory(folder, calls)


def fsync_directory(path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Makes renames, creations and removals in a directory durable."""
    with storage_errors(path, "write"):
        _fsync_directory(path, calls)


def replace_bytes(path: Path, data: bytes, *, calls: FileCalls = REAL_CALLS) -> None:
    """Puts `data` in place of the file, all or nothing; mode bits and a symbolic link are kept.

    Raises DiskFull or StorageError; the old file is then untouched.
    """
    target = real_path(path)
    with storage_errors(path, "write"):
        temporary = write_beside(target, data, calls=calls)
        try:
            calls.replace(str(temporary), str(target))
        except OSError:
            with suppress(OSError):
                calls.unlink(str(temporary))
            raise
        _fsync_directory(target.parent, calls)


def write_beside(target: Path, data: bytes, *, token: str = "", calls: FileCalls = REAL_CALLS) -> Path:
    """Writes `data` durably to a temporary file beside `target` with its mode; returns that file. Raises OSError."""
    temporary = temporary_path(target, token)
    descriptor = calls.open(str(temporary), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        with suppress(FileNotFoundError):
            calls.chmod(descriptor, stat.S_IMODE(target.stat().st_mode))
        write_all(descriptor, data, calls)
        calls.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            calls.unlink(str(temporary))
        raise
    finally:
        calls.close(descriptor)
    return temporary


def move_file(source: Path, target: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Moves a file within one disk, durably; one that is at `target` is replaced. Raises DiskFull or StorageError."""
    with storage_errors(target, "write"):
        calls.replace(str(source), str(target))
    fsync_move(source, target, calls=calls)


def fsync_move(source: Path, target: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Makes durable that a file went from one folder to another."""
    # The place it went to first: a power cut in between leaves two names rather than none.
    fsync_directory(target.parent, calls=calls)
    fsync_directory(source.parent, calls=calls)


def remove_file(path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Removes a file durably; does nothing where it is missing."""
    with storage_errors(path, "remove"):
        with suppress(FileNotFoundError):
            calls.unlink(str(path))
        _fsync_directory(path.parent, calls)


@dataclass(frozen=True, slots=True)
class StableRead:
    """Holds one look at a file: its first bytes, how many it has, and when it was changed, in nanoseconds."""

    data: bytes
    size: int
    modified: int


ReadAttempt = Callable[[Path, int], StableRead | None]
"""`look(path, most)`: at most so many bytes (-1: all); None where the file changed while it was read."""


def open_to_read(path: Path) -> BinaryIO:
    """Opens a file. Raises OSError, for a named pipe too: it would be waited for as long as nobody writes into it."""
    descriptor = os.open(path, READ_FLAGS)
    try:
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is a named pipe", str(path))
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def read_at_most(file: BinaryIO, most: int) -> bytes:
    """Returns the next bytes of a file, at most so many (-1: all).

    Room is made for what the file holds. `file.read(most)` would ask for as much as it may hold at most; once that was
    given back, the C library keeps up to twice as much for itself.
    """
    room = os.fstat(file.fileno()).st_size - file.tell() + 1
    if not 0 < room < most:
        return file.read(most)
    data = file.read(room)
    # It may have grown meanwhile.
    return data if len(data) < room else data + file.read(most - room)


def look_once(path: Path, most: int) -> StableRead | None:
    """Returns what one read of the disk gives, the first `most` bytes of it, all where that is negative; None where the
    file changed meanwhile."""
    with open_to_read(path) as file:
        before = os.fstat(file.fileno())
        data = read_at_most(file, most)
    after = path.stat()
    same = (before.st_ino, before.st_size, before.st_mtime_ns) == (after.st_ino, after.st_size, after.st_mtime_ns)
    whole = after.st_size if most < 0 else min(most, after.st_size)
    return StableRead(data, after.st_size, after.st_mtime_ns) if same and len(data) == whole else None


def read_stable(path: Path) -> bytes | None:
    """Returns the file as it stood at one moment, or None where there is none. Raises as `see_stable`."""
    seen = see_stable(path)
    return None if seen is None else seen.data


def see_stable(path: Path, most: int = -1, *, look: ReadAttempt = look_once) -> StableRead | None:
    """Returns the file, or its first `most` bytes, as it stood at one moment; None where there is none.

    Another program may be rewriting it: the file must be the same before and after the read, and an empty one counts
    only once it has been empty for 250 ms. Raises UnreadableFile for a folder, refused access, a file that never rests.
    """
    empty_since = (-1, 0.0)
    with storage_errors(path, "read"):
        for _ in range(_READ_TRIES):
            try:
                seen = look(path, most)
            except FileNotFoundError:
                return None
            if seen is not None:
                now = time.monotonic()
                if seen.modified != empty_since[0]:
                    empty_since = (seen.modified, now)
                if seen.data or _has_settled(seen.modified, now - empty_since[1]):
                    return seen
            time.sleep(_READ_PAUSE_SECONDS)
    sentence = f"{begin_sentence(known_as(path))} is being rewritten by another program without a pause."
    raise UnreadableFile(sentence, next_step="Wait until it is done, then try again.", path=str(path))


def _has_settled(modified: int, known_for: float) -> bool:
    # A time in the future is a clock that differs: such a file has been as it is for as long as it was looked at.
    return max(time.time() - modified / 1e9, known_for) >= _SETTLED_SECONDS


@contextmanager
def storage_errors(path: Path, action: str, known: Callable[[], str] | None = None) -> Iterator[None]:
    """Turns an OSError on `path` into DiskFull, UnreadableFile (while reading) or StorageError, with a sentence.

    `known`: what a person calls the file, where that says more than its place does.
    """
    try:
        yield
    except OSError as error:
        raise _named(error, path, action, known() if known else known_as(path)) from error


def _named(error: OSError, path: Path, action: str, known: str) -> StorageError:
    context: dict[str, Any] = {"errno": error.errno}
    if has_usual_name(path):
        context["path"] = str(path)
    if isinstance(error, RootGone):
        step = "Put it back to where it was, or open it where it is now."
        return StorageError(ROOT_GONE, next_step=step, path=str(error))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk is full: {known} could not be written.", **context)
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    kind = UnreadableFile if action == "read" else StorageError
    past = {"read": "read", "write": "written", "create": "created", "remove": "removed"}[action]
    return kind(f"{begin_sentence(known)} could not be {past}: {reason}.", **context)


_REASONS = {
    errno.EISDIR: "it is a folder",
    errno.EACCES: "access is refused",
    errno.EPERM: "access is refused",
    errno.EROFS: "the disk is read-only",
    errno.EIO: "the disk reports an error",
    errno.ENOENT: "it, or its folder, is not there",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.ELOOP: "its links lead in a circle",
    errno.ENAMETOOLONG: "its name is too long",
}


def write_all(descriptor: int, data: bytes, calls: FileCalls) -> None:
    written = 0
    while written < len(data):
        written += calls.write(descriptor, data[written:])


def _fsync_directory(path: Path, calls: FileCalls) -> None:
    if os.name == "nt":  # pragma: no cover - Windows cannot force a folder
        return
    descriptor = calls.open(str(path), os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        calls.fsync(descriptor)
    finally:
        calls.close(descriptor)
