"""The files of a workspace that are searched, and what kind of place each is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.journals.history_log import DAILY_NOTE
from mnemoscope.store.sessions.names import SUFFIX
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths

_STATE_SUFFIX: Final = ".SESSION-STATE.md"
_KEPT: Final = (".md", ".txt", ".json", ".xml")
MOST_KEPT: Final = 1_000


class SearchKind(IntEnum):
    """Names the kind of file something was found in. The larger, the fewer and more telling its lines usually are."""

    ARCHIVE = 1
    SESSION = 2
    HISTORY = 3
    NOTES = 4
    STATE = 5
    MEMORY = 6


@dataclass(frozen=True, slots=True)
class Source:
    """One file to search; `name` is relative to the workspace, with slashes, or the whole path of one outside of it."""

    path: Path
    name: str
    kind: SearchKind


def is_daily_note(name: str) -> bool:
    """Returns whether this file, by its place in the workspace, is one of the history's."""
    folder, _, file = name.rpartition("/")
    return folder == "memory" and DAILY_NOTE.fullmatch(file) is not None


def search_sources(paths: WorkspacePaths) -> Iterator[Source]:
    """Returns every file that is there, the smaller kinds first, conversations by the newest change."""
    for path, kind in _found(paths):
        yield Source(path, path_within(path, paths.root), kind)


def _found(paths: WorkspacePaths) -> Iterator[tuple[Path, SearchKind]]:
    for path in (paths.memory_file, paths.file(USER_PATH)):
        if path.is_file() and (path == paths.memory_file or not path.is_symlink()):
            yield path, SearchKind.MEMORY
    if _is_plain(paths.session_state):
        yield paths.session_state, SearchKind.STATE
    yield from _in_memory_folder(paths)
    yield from ((path, SearchKind.NOTES) for path in _of_memory_tool(paths))
    for path in (paths.history_file, paths.history_jsonl):
        if _is_plain(path):
            yield path, SearchKind.HISTORY
    yield from ((path, SearchKind.SESSION) for path in _newest_first(paths.sessions_dir))
    home = nanobot_home(paths.root)
    yield from ((path, SearchKind.SESSION) for path in (_newest_first(home.folder) if home is not None else ()))
    yield from ((path, SearchKind.ARCHIVE) for path in _newest_first(paths.archive_dir))


def _in_memory_folder(paths: WorkspacePaths) -> Iterator[tuple[Path, SearchKind]]:
    """Yields daily notes, the newest first, then what else lies there as text."""
    # The buffer only repeats the conversation.
    known = {paths.memory_file.name, paths.history_file.name, paths.working_buffer.name}
    names = [name for name, _ in _listed(paths.memory_dir) if name.endswith(".md") and name not in known]
    for name in sorted(names, key=lambda name: (DAILY_NOTE.fullmatch(name) is not None, name), reverse=True):
        yield paths.memory_dir / name, SearchKind.NOTES


def _of_memory_tool(paths: WorkspacePaths) -> Iterator[Path]:
    """Returns what models of other programs keep in `memories/`; the first MOST_KEPT by name."""
    top, found = paths.root / "memories", list[Path]()
    for folder, inner, names in () if top.is_symlink() else os.walk(top):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        wanted = (Path(folder, name) for name in sorted(names) if name.endswith(_KEPT) and not name.startswith("."))
        found += filter(_is_plain, wanted)
        if len(found) >= MOST_KEPT:
            break
    return iter(found[:MOST_KEPT])


def _newest_first(folder: Path) -> list[Path]:
    wanted = [(changed, name) for name, changed in _listed(folder) if name.endswith((SUFFIX, _STATE_SUFFIX))]
    return [folder / name for _, name in sorted(wanted, reverse=True)]


def _listed(folder: Path) -> list[tuple[str, int]]:
    """Returns names of the plain files in a folder and when each was changed."""
    try:
        with os.scandir(folder) as entries:
            return [(each.name, each.stat().st_mtime_ns) for each in entries if _is_searched(each)]
    except OSError:
        return []


def _is_searched(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
