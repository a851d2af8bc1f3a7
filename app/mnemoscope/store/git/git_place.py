"""Finds the repository of commits, and whether its newest commit is there, without importing a git library.

It is `memory/.git`, with the workspace as its work tree. Where the workspace lies in a repository of the person's, or
memory/.git is another program's, it is `.mnemoscope/versions.git`, which a .gitignore in `.mnemoscope` hides from
theirs.
"""

from __future__ import annotations

import math
import os
import re
import zlib
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import Final

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.store.files.display_names import OWN_FOLDER
from mnemoscope.store.workspace.paths import WorkspacePaths

_MARK: Final = b"[mnemoscope]"
"""A section in the config of a repository of ours."""
_ID: Final = re.compile(rb"[0-9a-f]{40}")
_PACKED: Final = re.compile(rb"^([0-9a-f]{40}) refs/heads/main$", re.MULTILINE)
_TREE: Final = re.compile(rb"\0tree ([0-9a-f]{40})\n")


def beside_memory(paths: WorkspacePaths) -> Path:
    """Returns the usual place."""
    return paths.memory_dir / ".git"


def out_of_the_way(paths: WorkspacePaths) -> Path:
    """Returns the place where a repository of the person's would be disturbed by the usual one."""
    return paths.own.folder / "versions.git"


def git_place(paths: WorkspacePaths) -> Path:
    """Returns where the repository of commits is, or is to be made."""
    usual = beside_memory(paths)
    taken = usual.exists() and not is_ours(usual)
    return out_of_the_way(paths) if taken or _is_tracked_by_person(paths) else usual


def names_in_git(paths: WorkspacePaths) -> dict[str, str]:
    """Returns the memory files that lie elsewhere than usual, with their places: in git they are called as on disk."""
    name = paths.name_on_disk(MEMORY_PATH)
    return {} if name == MEMORY_PATH else {MEMORY_PATH: name}


def _is_tracked_by_person(paths: WorkspacePaths) -> bool:
    """Returns whether the workspace lies in a repository of the person's."""
    return any((folder / ".git").exists() for folder in (paths.root, *paths.root.resolve().parents))


def repositories_of_ours(paths: WorkspacePaths) -> list[Path]:
    """Returns every repository of commits that was made here: that in use; the one that was in use before a repository
    of the person's came or went; and those in the quarantine, since they could not be used."""
    aside = sorted(paths.own.quarantine_dir.glob("*.git"))
    found = (git_place(paths), beside_memory(paths), out_of_the_way(paths), *aside)
    return [path for path in dict.fromkeys(found) if is_ours(path)]


def repositories_of_person(paths: WorkspacePaths) -> list[Path]:
    """Returns the git directories of the person's own repositories: the nearest one that the workspace lies in, and
    those of folders in it."""
    above = (folder / ".git" for folder in (paths.root, *paths.root.resolve().parents))
    found = [path for path in above if path.is_dir()][:1]
    for folder, below, _ in os.walk(paths.root):
        if ".git" in below and Path(folder) != paths.root:
            found.append(Path(folder) / ".git")
        below[:] = sorted(name for name in below if name not in (".git", OWN_FOLDER))
    ours = repositories_of_ours(paths)
    return [path for path in found if path not in ours]


def clear_locks(git_dir: Path, since: float, until: float = math.inf) -> None:
    """Removes git's locks that are older than `since` or, with a clock turned back, newer than `until` (seconds)."""
    for name in ("HEAD.lock", "index.lock", "packed-refs.lock", "refs/heads/main.lock"):
        with suppress(OSError):
            if not since <= (git_dir / name).stat().st_mtime <= until:
                (git_dir / name).unlink()


def is_ours(git_dir: Path) -> bool:
    """Returns whether a git directory was made by us."""
    with suppress(OSError):
        return _MARK in (git_dir / "config").read_bytes()
    return False


def newest_commit_is_sound(git_dir: Path) -> bool:
    """Returns whether the branch names a commit that can be read, and its tree; of packed ones only whether they are
    there."""
    try:
        commit = _named(git_dir)
        return commit is not None and _is_sound(git_dir, commit)
    except (OSError, zlib.error):
        return False


def _named(git_dir: Path) -> bytes | None:
    branch = git_dir / "refs" / "heads" / "main"
    if branch.exists():
        found = _ID.fullmatch(branch.read_bytes().strip())
        return found[0] if found else None
    packed = _PACKED.search((git_dir / "packed-refs").read_bytes())
    return packed[1] if packed else None


def _is_sound(git_dir: Path, name: bytes) -> bool:
    known = name.decode()
    loose = git_dir / "objects" / known[:2] / known[2:]
    if not loose.exists():
        return _is_packed(git_dir, bytes.fromhex(known))
    data = zlib.decompress(loose.read_bytes())
    tree = _TREE.search(data)
    # What git names an object by is no secret's.
    is_whole = sha1(data, usedforsecurity=False).hexdigest() == known
    return is_whole and (tree is None or _is_sound(git_dir, tree[1]))


def _is_packed(git_dir: Path, name: bytes) -> bool:
    indices = (git_dir / "objects" / "pack").glob("*.idx")
    return any(name in index.read_bytes() and index.with_suffix(".pack").exists() for index in indices)
