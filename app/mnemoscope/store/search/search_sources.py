"""The files of a workspace that are searched, and what kind of place each is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.discretion import DISCRETION, Discretion
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.store.capture.session_state_files import STATE_SUFFIX
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.logs.history_log import DAILY_NOTE
from mnemoscope.store.sessions.branches import StoredBranch, StoredBranches
from mnemoscope.store.sessions.file_format.names import SUFFIX
from mnemoscope.store.sessions.folder import SessionFolder
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths

_KEPT: Final = (".md", ".txt", ".json", ".xml")
MOST_KEPT: Final = 1_000
_NAMES_A_KIND: Final = f'"{DISCRETION}"'.encode()


class SearchKind(IntEnum):
    """Names the kind of file something was found in. The larger, the fewer and more telling its lines usually are."""

    BRANCH = 1
    ARCHIVE = 2
    SESSION = 3
    HISTORY = 4
    NOTES = 5
    STATE = 6
    MEMORY = 7


@dataclass(frozen=True, slots=True)
class Source:
    """Describes one file to search; `name` is relative to the workspace, with slashes, or the whole path of one outside
    of it.

    `first`: the first message of a branch that stands in no other file that is searched; of HISTORY.md, what stands
    for where its entries begin.
    """

    path: Path
    name: str
    kind: SearchKind
    first: int = 0


_Closed = dict[tuple[str, str], Path]
"""Files of conversations, by the key and the name of the first branch."""


class SearchSources:
    """Finds the files of one workspace that are searched."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._stored = StoredBranches()
        self._sessions = SessionFolder(paths.sessions_dir, paths.root, paths.discreet_dir)
        self._archive = SessionFolder(paths.archive_dir)
        self._discreet: dict[Path, tuple[tuple[int, int], bool]] = {}

    def all(self) -> Iterator[Source]:
        """Yields every file that is there, the smaller kinds first, conversations by the newest change, branches that
        are not active last."""
        for path, kind in _found(self._paths):
            if kind is SearchKind.ARCHIVE and path.name.endswith(SUFFIX) and self._is_discreet(path):
                continue
            yield Source(path, path_within(path, self._paths.root), kind)
        closed = cache(self._closed)
        for path in _newest_first(self._paths.branches_dir):
            # A branch that cannot be read is not searched.
            with suppress(StorageError, FileNotFoundError):
                stored = self._stored.at(path)
                whole = self._whole(stored, closed)
                if stored.discretion is not Discretion.REMEMBERED or (whole is not None and self._is_left_out(whole)):
                    continue
                yield Source(path, path_within(path, self._paths.root), SearchKind.BRANCH, self._first(stored, whole))

    def _is_discreet(self, path: Path) -> bool:
        """Returns whether memory takes nothing from a conversation in the archive, as its file says: those that are
        talked in lie in a folder that is not searched."""
        with suppress(OSError, StorageError):
            status = path.stat()
            seen = status.st_mtime_ns, status.st_size
            if self._discreet.get(path, (None,))[0] != seen:
                names_one = _NAMES_A_KIND in path.read_bytes()
                self._discreet[path] = seen, names_one and self._stored.at(path).discretion is not Discretion.REMEMBERED
            return self._discreet[path][1]
        return False

    def _is_left_out(self, path: Path) -> bool:
        """Returns whether the conversation of this file is discreet, and so its branches: those that were left before
        it became so bear no mark of it."""
        folder = path.parent
        return folder == self._paths.discreet_dir or (folder == self._paths.archive_dir and self._is_discreet(path))

    def _first(self, stored: StoredBranch, whole: Path | None) -> int:
        """Returns the first message of a branch that neither the way it came out of holds, nor the one in the file
        `whole`."""
        branch = stored.branch
        shared = branch.shared_with(self._stored.beginning(whole)[1]) if whole is not None else None
        return max(branch.own_start, shared or 0)

    def _whole(self, stored: StoredBranch, closed: Callable[[], _Closed]) -> Path | None:
        """Returns the file of the branch of a conversation that is active, or was when /new closed it."""
        active = self._sessions.find(stored.key)
        if active is not None and self._stored.beginning(active)[1].root == stored.branch.root:
            return active
        return closed().get((stored.key, stored.branch.root))

    def _closed(self) -> _Closed:
        """Returns the files of conversations that /new closed; those that cannot be read are passed over."""
        found: _Closed = {}
        for entry in self._archive.every():
            with suppress(StorageError, FileNotFoundError):
                _, branch = self._stored.beginning(entry.path)
                found.setdefault((entry.key, branch.root), entry.path)
        return found


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
    wanted = [(changed, name) for name, changed in _listed(folder) if name.endswith((SUFFIX, STATE_SUFFIX))]
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
