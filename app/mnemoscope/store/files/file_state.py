"""One state of a file is told from another without reading it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class FileState(NamedTuple):
    """Which file it is, its size in bytes, and when it was written, in nanoseconds since 1970."""

    inode: int
    size: int
    modified: int


def state_of(path: Path | str) -> FileState | None:
    """Returns the state of a file, or of a folder, now; None where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileState(status.st_ino, status.st_size, status.st_mtime_ns)
