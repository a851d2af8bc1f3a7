"""Where the repository of versions is: never in the way of one of the person's.

`memory/.git`, with the workspace as its work tree. Where the workspace, or a folder above it, is in a repository
already, or memory/.git is somebody else's, it is `.mnemoscope/versions.git`, kept out of theirs by a .gitignore in
`.mnemoscope`, a folder that is ours alone.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.store.workspace.paths import WorkspacePaths

MARK: Final = b"[mnemoscope]"
"""A section in the config of a repository of ours."""


def beside_memory(paths: WorkspacePaths) -> Path:
    """The usual place."""
    return paths.memory_dir / ".git"


def out_of_the_way(paths: WorkspacePaths) -> Path:
    """The place where a repository of the person's would be disturbed by the usual one."""
    return paths.own.folder / "versions.git"


def git_place(paths: WorkspacePaths) -> Path:
    """Where the repository of versions is, or is to be made."""
    usual = beside_memory(paths)
    taken = usual.exists() and not is_ours(usual)
    return out_of_the_way(paths) if taken or is_tracked_by_person(paths) else usual


def names_in_git(paths: WorkspacePaths) -> dict[str, str]:
    """Memory files that lie elsewhere than usual, and where: in git they are called as on disk."""
    name = paths.name_on_disk(MEMORY_PATH)
    return {} if name == MEMORY_PATH else {MEMORY_PATH: name}


def is_tracked_by_person(paths: WorkspacePaths) -> bool:
    """Whether the workspace lies in a repository of the person's."""
    return any((folder / ".git").exists() for folder in (paths.root, *paths.root.resolve().parents))


def is_ours(git_dir: Path) -> bool:
    """Whether a git directory was made by us."""
    with suppress(OSError):
        return MARK in (git_dir / "config").read_bytes()
    return False
