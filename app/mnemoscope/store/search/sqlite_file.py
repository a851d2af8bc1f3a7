"""The files that SQLite keeps for one database."""

from __future__ import annotations

from pathlib import Path


def remove_database(path: Path) -> bool:
    """Remove a database that is closed, with what SQLite keeps beside it; False where the disk did not let it."""
    try:
        for ending in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    except OSError:
        return False
    return True
