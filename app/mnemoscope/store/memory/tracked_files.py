"""The files of a workspace that have commits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.file_registry import TRACKED_FILES, UNTRACKED_FILES, is_daily_note
from mnemoscope.store.workspace.paths import WorkspacePaths

MAX_BYTES: Final = 2_000_000
"""A larger file has no commits."""
_MOST_UNTRACKED: Final = 40
"""So many files are looked at for lines that were forgotten: those that stand in prompts, and a month of notes."""


def is_tracked(path: str, tracked: tuple[str, ...] = TRACKED_FILES) -> bool:
    """Returns whether a path, relative to the workspace, has commits."""
    return any(path == name or (name.endswith("/") and path.startswith(name)) for name in tracked)


def present_files(paths: WorkspacePaths, tracked: tuple[str, ...] = TRACKED_FILES) -> Iterator[tuple[str, bytes]]:
    """Yields the tracked files that are there, by path, with their bytes; what cannot be read is passed over."""
    for path in tracked_paths(paths.root, tracked):
        with suppress(OSError):
            file = paths.file(path)
            if file.is_file() and file.stat().st_size <= MAX_BYTES:
                yield path, file.read_bytes()


def tracked_paths(root: Path, tracked: tuple[str, ...] = TRACKED_FILES) -> Iterator[str]:
    """Yields their names, relative to the workspace; one that is named itself may be missing."""
    for name in tracked:
        top = root / name
        for file in _files_in(top) if name.endswith("/") else [top]:
            yield file.relative_to(root).as_posix()


def untracked_paths(paths: WorkspacePaths) -> list[str]:
    """Returns the names of the files without commits that hold what models are told, as far as they are there: what
    stands in prompts, and then the daily notes, the newest first."""
    standing = [path for path in UNTRACKED_FILES if (paths.root / path).is_file()]
    found: list[str] = []
    with suppress(OSError):
        found = [f"memory/{each.name}" for each in paths.memory_dir.iterdir() if each.is_file()]
    return standing + sorted(filter(is_daily_note, found), reverse=True)


def newest_untracked_paths(paths: WorkspacePaths) -> list[str]:
    """Returns, of these, the ones in which lines are asked about that stand there though they were forgotten."""
    return untracked_paths(paths)[:_MOST_UNTRACKED]


def _files_in(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent) / name for name in sorted(names) if not name.startswith("."))
