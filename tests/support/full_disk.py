"""File calls of a disk that has no room for one file."""

from __future__ import annotations

import errno
from pathlib import Path

from mnemoscope.store.files.calls import FileCalls


class FullDisk(FileCalls):
    """Has no room for one file, by its name, while it is told so."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_full = False

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        if self.is_full and self.name in Path(path).name and flags & 3:
            raise OSError(errno.ENOSPC, "No space left on device", path)
        return super().open(path, flags, mode)

    def replace(self, source: str, target: str) -> None:
        if self.is_full and self.name in target:
            raise OSError(errno.ENOSPC, "No space left on device", target)
        super().replace(source, target)
