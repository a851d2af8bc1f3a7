"""Tells whether anything in a store was touched: each file's bytes and times, and what lies in each folder."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path


def hashes_of(root: Path) -> dict[str, tuple[str, int]]:
    """Returns for each path below a folder the hash of its bytes ("" for a folder) and when it was changed."""
    return {
        path.relative_to(root).as_posix(): (
            sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mtime_ns,
        )
        for path in sorted(root.rglob("*"))
    }
