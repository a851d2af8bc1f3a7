"""The tour's disk: the real one, which can be told to refuse, and to keep what a kill at a commit would leave."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from mnemoscope.store.files.calls import FileCalls

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class TourDisk(FileCalls):
    """Lets the disk fail in a scene. `error` is an errno that every change fails with while it is set; `keep` copies a
    workspace at its next commit."""

    def __init__(self) -> None:
        self.error = 0
        self._copy: tuple[Path, Path] | None = None

    def keep(self, root: Path, copy: Path) -> None:
        """Copies `root` right after its next consolidation is committed, before anything of it is done."""
        self._copy = root, copy

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        """Does as FileCalls, unless it is told to refuse."""
        if flags & _WRITING:
            self._refuse()
        return super().open(path, flags, mode)

    def write(self, descriptor: int, data: bytes) -> int:
        """Does as FileCalls, unless it is told to refuse."""
        self._refuse()
        return super().write(descriptor, data)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        """Does as FileCalls, unless it is told to refuse."""
        self._refuse()
        super().mkdir(path, mode)

    def replace(self, source: str, target: str) -> None:
        """Does as FileCalls, unless it is told to refuse."""
        self._refuse()
        super().replace(source, target)
        if self._copy is not None and Path(target) == self._copy[0] / ".mnemoscope" / "intent.json":
            shutil.copytree(*self._copy, ignore=shutil.ignore_patterns("lock", "search*"))
            self._copy = None

    def _refuse(self) -> None:
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
