"""Decides what of the workspace a command gets: most of it to read, its own folders to write, what is protected not
at all.

A folder is granted whole, or, where something protected lies in it, opened up: then it is only listed, and each of its
children is judged by itself. The workspace's own folder is always opened up, so a command makes no new name at its top
level: no `.git`, no `config.json`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.agent.tools.path_rules import INSTRUCTION_FOLDERS, is_hidden
from mnemoscope.domain.errors import ToolError

_READ_ONLY_FOLDERS: Final = INSTRUCTION_FOLDERS | {"memory"}
"""The files that later prompts are made of, and the rules of capture: no command may write them."""
_ENTRY_LIMIT: Final = 200_000
"""Names that are looked at."""
_GRANT_LIMIT: Final = 2_000
"""Files and folders that are granted one by one."""


@dataclass(frozen=True, slots=True)
class Grants:
    """Holds absolute paths. `listed`: folders, outer ones first, of which only the names are seen."""

    root: str
    listed: tuple[str, ...]
    read_only: tuple[str, ...]
    writable: tuple[str, ...]


def grants_of(root: Path, *, most_entries: int = _ENTRY_LIMIT, most_grants: int = _GRANT_LIMIT) -> Grants:
    """Looks through the workspace as it is now; no link is followed. Raises ToolError where there is too much of it."""
    survey = _Survey(most_entries, most_grants)
    for parts, entry in survey.children((), str(root)):
        if entry.is_dir(follow_symlinks=False):
            survey.grant_folder(parts, entry.path, writable=parts[0].casefold() not in _READ_ONLY_FOLDERS)
        else:
            survey.read_only.append(entry.path)
    return Grants(str(root), (str(root), *survey.listed), tuple(survey.read_only), tuple(survey.writable))


class _Survey:
    def __init__(self, most_entries: int, most_grants: int) -> None:
        self._most_entries = most_entries
        self._most_grants = most_grants
        self.listed: list[str] = []
        self.read_only: list[str] = []
        self.writable: list[str] = []
        self._seen = 0

    def grant_folder(self, parts: tuple[str, ...], path: str, *, writable: bool) -> None:
        """Grants a folder whole if that is safe, else opens it up."""
        if self._is_plain(parts, path, writable=writable):
            (self.writable if writable else self.read_only).append(path)
            return
        self.listed.append(path)
        for inner, entry in self.children(parts, path):
            if entry.is_dir(follow_symlinks=False):
                self.grant_folder(inner, entry.path, writable=writable)
            else:
                is_own = writable and entry.stat(follow_symlinks=False).st_nlink == 1
                (self.writable if is_own else self.read_only).append(entry.path)
        if len(self.listed) + len(self.read_only) + len(self.writable) > self._most_grants:
            raise _too_much()

    def children(self, parts: tuple[str, ...], path: str) -> Iterator[tuple[tuple[str, ...], os.DirEntry[str]]]:
        """Yields the regular files and folders of a folder, without what is protected."""
        with os.scandir(path) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                inner = (*parts, entry.name)
                if _is_file_or_folder(entry) and not is_hidden(inner):
                    yield inner, entry

    def _is_plain(self, parts: tuple[str, ...], path: str, *, writable: bool) -> bool:
        """Tells whether nothing in the folder is protected, nor, if it is to be written, has a name elsewhere."""
        waiting = [(parts, path)]
        while waiting:
            folder, where = waiting.pop()
            with os.scandir(where) as entries:
                for entry in entries:
                    self._count()
                    inner = (*folder, entry.name)
                    if is_hidden(inner) or (writable and _has_other_names(entry)):
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((inner, entry.path))
        return True

    def _count(self) -> None:
        self._seen += 1
        if self._seen > self._most_entries:
            raise _too_much()


def _is_file_or_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)


def _has_other_names(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_nlink > 1


def _too_much() -> ToolError:
    return ToolError(
        "The workspace holds too many files to tell a command which of them it may use; nothing was run.",
        next_step="Move large folders out of the workspace.",
    )
