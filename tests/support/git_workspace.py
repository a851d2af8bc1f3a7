"""A workspace with versions, for tests."""

from __future__ import annotations

import hashlib
import zlib
from datetime import datetime, timedelta
from pathlib import Path


class Clock:
    """Moves only when it is turned by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 10, 0)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


def memory(root: Path) -> Path:
    """Returns the path of MEMORY.md in the workspace."""
    return root / "memory" / "MEMORY.md"


def write(root: Path, text: str) -> None:
    """Has MEMORY.md say this."""
    memory(root).write_text(text, encoding="utf-8")


def keep_loose(git_dir: Path, data: bytes) -> str:
    """Returns an object as git keeps it in a file of its own; its name."""
    name = hashlib.sha1(data).hexdigest()
    file = git_dir / "objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(zlib.compress(data))
    return name
