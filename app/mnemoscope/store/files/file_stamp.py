"""One state of a file is told from another by its stamp, without reading it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class FileStamp(NamedTuple):
    """Holds the number of a file, its size in bytes, and when it was written, in nanoseconds since 1970."""

    inode: int
    size: int
    modified: int


def stamp_of(path: Path | str) -> FileStamp | None:
    """Returns the stamp of a file, or of a folder, as it is now; None where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileStamp(status.st_ino, status.st_size, status.st_mtime_ns)
