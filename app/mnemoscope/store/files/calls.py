"""The system calls that change files, in one place: here tests let any of them fail, stop half-way or never return.

`RootedCalls` refuses them where the folder of the workspace is not the one that was opened any more.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

if sys.platform != "win32":  # pragma: no branch - Windows has none
    import fcntl

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class RootGone(OSError):
    """The folder everything is in is not the one that was opened any more."""


class FileCalls:
    """Makes the real system calls. Every method raises OSError as the call of the same name does."""

    def require_root(self) -> None:
        """Raises RootGone where the folder everything is in was moved away; here nothing is known of one."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        """Opens or creates a file; returns its descriptor."""
        return os.open(path, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0), mode)

    def write(self, descriptor: int, data: bytes) -> int:
        """Writes once; returns how many bytes were taken, which may be fewer than given."""
        return os.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """Waits until a file or directory is on the disk."""
        os.fsync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cuts a file to `size` bytes."""
        os.ftruncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        """Gives the descriptor back."""
        os.close(descriptor)

    def chmod(self, descriptor: int, mode: int) -> None:
        """Sets the permission bits of an open file."""
        if hasattr(os, "fchmod"):  # pragma: no branch - Windows has none
            os.fchmod(descriptor, mode)

    def replace(self, source: str, target: str) -> None:
        """Renames over the target in one step."""
        os.replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        """Lets two existing names change places in one step; False where the system cannot."""
        call = _renameat2()
        if call is None:  # pragma: no cover - not Linux, or a C library without renameat2
            return False
        if call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
            return True
        number = ctypes.get_errno()
        if number in (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP):
            return False
        raise OSError(number, os.strerror(number), one, None, other)

    def is_open_elsewhere(self, path: str) -> bool:
        """Returns whether someone has a file open; False where the system cannot tell (Linux can, for files of one's
        own)."""
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            return not _may_lease(descriptor)
        finally:
            os.close(descriptor)

    def link(self, source: str, target: str) -> None:
        """Gives a file a second name, which no other file has yet."""
        os.link(source, target)

    def unlink(self, path: str) -> None:
        """Removes a name."""
        os.unlink(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        """Creates one directory."""
        os.mkdir(path, mode)


REAL_CALLS = FileCalls()


def _may_lease(descriptor: int) -> bool:
    """Returns whether a lease for writing is granted, as it is where nobody else has the file open; gives it back at
    once."""
    if not sys.platform.startswith("linux"):  # pragma: no cover - other systems have no leases
        return True
    try:
        # Who opens the file in between sends a signal: one that is ignored unless somebody asks for it.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno != errno.EAGAIN
    return True


@cache
def _renameat2() -> Callable[..., int] | None:
    if not sys.platform.startswith("linux"):  # pragma: no cover - other systems have no renameat2
        return None
    found = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if found is None:  # pragma: no cover - a C library before glibc 2.28
        return None
    found.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    found.restype = ctypes.c_int
    call: Callable[..., int] = found
    return call


class RootedCalls(FileCalls):
    """Calls that change anything first look whether the folder is the one that was opened. Raises RootGone."""

    def __init__(self, root: Path, calls: FileCalls = REAL_CALLS) -> None:
        self._root, self._calls = root, calls
        self._opened = _identity(root)

    def require_root(self) -> None:
        """Raises RootGone where the folder is another one, or none."""
        if self._opened is None or _identity(self._root) != self._opened:
            raise RootGone(str(self._root))

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if flags & _WRITING:
            self.require_root()
        return self._calls.open(path, flags, mode)

    def write(self, descriptor: int, data: bytes) -> int:
        return self._calls.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        self._calls.fsync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        self._calls.truncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        self._calls.close(descriptor)

    def chmod(self, descriptor: int, mode: int) -> None:
        self._calls.chmod(descriptor, mode)

    def replace(self, source: str, target: str) -> None:
        self.require_root()
        self._calls.replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        self.require_root()
        return self._calls.exchange(one, other)

    def is_open_elsewhere(self, path: str) -> bool:
        return self._calls.is_open_elsewhere(path)

    def link(self, source: str, target: str) -> None:
        self.require_root()
        self._calls.link(source, target)

    def unlink(self, path: str) -> None:
        self.require_root()
        self._calls.unlink(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self.require_root()
        self._calls.mkdir(path, mode)


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
