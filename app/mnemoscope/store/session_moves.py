"""Session files put aside: what /new closed to the archive, what a person deleted to the trash. Nothing is removed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mnemoscope.store.atomic import fsync_directory, make_directory, storage_errors
from mnemoscope.store.calls import REAL_CALLS, FileCalls


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted conversation. `kept` is its file in the trash; None where it had never been saved."""

    key: str
    kept: Path | None
    original: Path | None


def move_aside(path: Path, folder: Path, when: datetime, *, calls: FileCalls = REAL_CALLS) -> Path:
    """Move a session file into `folder` under a name with the time; never over another file. Raises StorageError."""
    make_directory(folder, calls=calls)
    stem = f"{path.stem}-{when:%Y%m%d-%H%M%S}"
    names = (f"{stem}{suffix}{path.suffix}" for suffix in ("", *(f"-{number}" for number in range(2, 10_000))))
    target = next(folder / name for name in names if not (folder / name).exists())
    move(path, target, calls=calls)
    return target


def move(path: Path, target: Path, *, calls: FileCalls = REAL_CALLS) -> None:
    """Rename a file, durably in both folders. The caller has seen that `target` is free."""
    with storage_errors(target, "write"):
        calls.replace(str(path), str(target))
    fsync_directory(target.parent, calls=calls)
    fsync_directory(path.parent, calls=calls)
