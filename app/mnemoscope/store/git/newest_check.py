"""Whether the newest version is there, by a look at its files: cheap enough for every opening, git is not imported."""

from __future__ import annotations

import re
import zlib
from hashlib import sha1
from pathlib import Path
from typing import Final

_ID: Final = re.compile(rb"[0-9a-f]{40}")
_PACKED: Final = re.compile(rb"^([0-9a-f]{40}) refs/heads/main$", re.MULTILINE)
_TREE: Final = re.compile(rb"\0tree ([0-9a-f]{40})\n")


def newest_commit_is_sound(git_dir: Path) -> bool:
    """Whether the branch names a commit that can be read, and its tree; of packed ones only whether they are there."""
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
