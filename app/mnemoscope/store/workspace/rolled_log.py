"""A log file that begins anew when it is long, and keeps the last ones beside it."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path


class RolledLog(logging.FileHandler):
    """Appends to `path`; beyond `most_bytes` that becomes `path.1`, the one before `path.2`, and so on up to `kept`.

    As the standard library's, without what that brings along for logs over a network: a megabyte of it.
    """

    def __init__(self, path: Path, most_bytes: int, kept: int) -> None:
        super().__init__(path, encoding="utf-8", delay=True)
        self._path, self._most_bytes, self._kept = path, most_bytes, kept

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line. A log that cannot be put aside is written on."""
        # Gone, or held open by another window on a system where that matters.
        with suppress(OSError):
            if self._path.stat().st_size > self._most_bytes:
                self._begin_anew()
        super().emit(record)

    def _begin_anew(self) -> None:
        if self.stream is not None:
            self.stream.close()
            self.stream = None
        names = [self._path, *(self._path.with_name(f"{self._path.name}.{n}") for n in range(1, self._kept + 1))]
        for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
            if newer.exists():
                newer.replace(older)
