"""The files of a workspace that have commits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.file_registry import HISTORY_PATH, TRACKED_FILES, UNTRACKED_FILES, is_daily_note, is_paged
from mnemoscope.store.workspace.paths import WorkspacePaths

_MAX_BYTES: Final = 2_000_000
"""A larger file has no commits."""
_NEWEST: Final = 40
"""So many files are looked at at once, and watched: those that stand in prompts, and a month of notes."""


def is_tracked(path: str, tracked: tuple[str, ...] = TRACKED_FILES) -> bool:
    """Returns whether a path, relative to the workspace, has commits."""
    return any(path == name or (name.endswith("/") and path.startswith(name)) for name in tracked)


def present_files(paths: WorkspacePaths, tracked: tuple[str, ...] = TRACKED_FILES) -> Iterator[tuple[str, bytes]]:
    """Yields the tracked files that are there, by path, with their bytes; what cannot be read is passed over."""
    for path in tracked_paths(paths.root, tracked):
        with suppress(OSError):
            file = paths.file(path)
            if file.is_file() and file.stat().st_size <= _MAX_BYTES:
                yield path, file.read_bytes()


def tracked_paths(root: Path, tracked: tuple[str, ...] = TRACKED_FILES) -> Iterator[str]:
    """Yields their names, relative to the workspace; one that is named itself may be missing."""
    for name in tracked:
        top = root / name
        for file in _files_in(top) if name.endswith("/") else [top]:
            yield file.relative_to(root).as_posix()


def untracked_paths(paths: WorkspacePaths) -> list[str]:
    """Returns the names of the files without commits that hold what models are told or can find, as far as they are
    there: what stands in prompts, then the daily notes, the newest first, other notes and HISTORY.md."""
    standing = [path for path in UNTRACKED_FILES if (paths.root / path).is_file()]
    found: list[str] = []
    with suppress(OSError):
        found = [f"memory/{each.name}" for each in os.scandir(paths.memory_dir) if each.is_file()]
    notes = sorted((path for path in found if is_paged(path) and path not in standing), reverse=True)
    return [*standing, *sorted(notes, key=lambda path: (not is_daily_note(path), path == HISTORY_PATH))]


def newest_untracked_paths(paths: WorkspacePaths) -> list[str]:
    """Returns the first of these: those that are looked at at once."""
    return untracked_paths(paths)[:_NEWEST]


def _files_in(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent) / name for name in sorted(names) if not name.startswith("."))
