"""A look at the files tells whether the newest version is there."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from mnemoscope.store.git.git_place import newest_commit_is_sound
from mnemoscope.store.git.git_store import GitStore


@pytest.fixture
def git_dir(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("- tea\n")
    store = GitStore(tmp_path)
    store.init()
    return store.git_dir


def branch(git_dir: Path) -> Path:
    return git_dir / "refs" / "heads" / "main"


def objects(git_dir: Path) -> list[Path]:
    return [path for path in (git_dir / "objects").rglob("*") if len(path.name) == 38]


def pack(git_dir: Path) -> None:
    with GitStore(git_dir.parent.parent)._opened() as repository:
        assert repository.pack()


def test_a_repository_as_it_was_made_is_sound_loose_and_packed(git_dir: Path) -> None:
    assert newest_commit_is_sound(git_dir)
    pack(git_dir)
    assert not objects(git_dir)
    assert newest_commit_is_sound(git_dir)
    name = branch(git_dir).read_text().strip()
    branch(git_dir).unlink()
    (git_dir / "packed-refs").write_text(f"# pack-refs with: peeled\n{name} refs/heads/main\n")
    assert newest_commit_is_sound(git_dir)


def test_a_branch_that_names_nothing_is_not(git_dir: Path) -> None:
    branch(git_dir).write_bytes(bytes(41))
    assert not newest_commit_is_sound(git_dir)
    branch(git_dir).unlink()
    assert not newest_commit_is_sound(git_dir)
    (git_dir / "packed-refs").write_text("# nothing\n")
    assert not newest_commit_is_sound(git_dir)


def test_neither_is_one_whose_commit_or_tree_is_missing_zeroed_or_another(git_dir: Path) -> None:
    name = branch(git_dir).read_text().strip()
    commit = git_dir / "objects" / name[:2] / name[2:]
    kept = commit.read_bytes()
    (other,) = (path for path in objects(git_dir) if path.read_bytes() != kept and b"- tea" in unpacked(path))
    commit.chmod(0o644)
    for data in (bytes(len(kept)), other.read_bytes()):
        commit.write_bytes(data)
        assert not newest_commit_is_sound(git_dir)
    commit.unlink()
    assert not newest_commit_is_sound(git_dir)
    commit.write_bytes(kept)
    assert newest_commit_is_sound(git_dir)
    for path in objects(git_dir):
        if path != commit:
            path.unlink()
    assert not newest_commit_is_sound(git_dir)


def test_a_pack_without_its_data_is_not(git_dir: Path) -> None:
    pack(git_dir)
    for path in (git_dir / "objects" / "pack").glob("*.pack"):
        path.unlink()
    assert not newest_commit_is_sound(git_dir)


def unpacked(path: Path) -> bytes:
    return zlib.decompress(path.read_bytes())
