"""Writes of one open workspace: none is made where its folder was moved away, or another one took its place."""

from __future__ import annotations

import os
from pathlib import Path

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootGone

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class RootedCalls(FileCalls):
    """Calls that change anything first look whether the folder is the one that was opened. Raises RootGone."""

    def __init__(self, root: Path, calls: FileCalls = REAL_CALLS) -> None:
        self._root, self._calls = root, calls
        self._opened = _identity(root)

    def require_root(self) -> None:
        """Raise RootGone where the folder is another one, or none."""
        if self._opened is None or _identity(self._root) != self._opened:
            raise RootGone(str(self._root))

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        """As FileCalls."""
        if flags & _WRITING:
            self.require_root()
        return self._calls.open(path, flags, mode)

    def write(self, descriptor: int, data: bytes) -> int:
        """As FileCalls."""
        return self._calls.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """As FileCalls."""
        self._calls.fsync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """As FileCalls."""
        self._calls.truncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        """As FileCalls."""
        self._calls.close(descriptor)

    def chmod(self, descriptor: int, mode: int) -> None:
        """As FileCalls."""
        self._calls.chmod(descriptor, mode)

    def replace(self, source: str, target: str) -> None:
        """As FileCalls."""
        self.require_root()
        self._calls.replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        """As FileCalls."""
        self.require_root()
        return self._calls.exchange(one, other)

    def is_open_elsewhere(self, path: str) -> bool:
        """As FileCalls."""
        return self._calls.is_open_elsewhere(path)

    def unlink(self, path: str) -> None:
        """As FileCalls."""
        self.require_root()
        self._calls.unlink(path)

    def mkdir(self, path: str) -> None:
        """As FileCalls."""
        self.require_root()
        self._calls.mkdir(path)


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
