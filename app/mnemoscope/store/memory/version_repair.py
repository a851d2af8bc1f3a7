"""Versions of MEMORY.md that cannot be read any more: set aside when a workspace opens, so that new ones are kept."""

from __future__ import annotations

import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.store.files.atomic import fsync_directory, make_directory, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths

_LOOKED_AT: Final = 60
"""The newest texts, which are the ones merged with; reading all would cost the start of a workspace."""


def set_aside_damaged(paths: WorkspacePaths, calls: FileCalls = REAL_CALLS) -> int:
    """Move what is no version to the quarantine: the folder itself where it is none, else texts that are no text.

    Returns how many were moved. Raises StorageError; nothing is ever deleted.
    """
    folder = paths.own.versions_dir
    if not folder.is_symlink() and not folder.exists():
        return 0
    damaged = [folder] if not folder.is_dir() else [path for path in _newest(folder) if not _is_text(path)]
    for path in damaged:
        make_directory(paths.own.quarantine_dir, calls=calls)
        target = paths.own.quarantine_dir / f"{secrets.token_hex(4)}-version-{path.name[:16]}"
        with storage_errors(path, "write"):
            calls.replace(str(path), str(target))
    if damaged:
        fsync_directory(paths.own.quarantine_dir, calls=calls)
    return len(damaged)


def _newest(folder: Path) -> list[Path]:
    found: list[tuple[int, Path]] = []
    with suppress(OSError):
        # A temporary file is cleared away by whoever recovers.
        texts = (path for path in folder.iterdir() if not path.name.startswith("."))
        found.extend((path.lstat().st_mtime_ns, path) for path in texts)
    return [path for _, path in sorted(found, reverse=True)[:_LOOKED_AT]]


def _is_text(path: Path) -> bool:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        data = path.read_bytes()
        data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    # What a power cut left of a file that was never forced to the disk.
    return not data or data.strip(b"\x00") != b""
