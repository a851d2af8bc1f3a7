"""A repository of the person's that tracks the workspace: our versions change no byte of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.store.git.git_store import GitStore
from tests.support.plain_git import git, run_git

pytestmark = git


def contents(folder: Path) -> dict[Path, bytes]:
    """Returns every file below a folder, byte for byte."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("within", ["", "notes", "notes/of/mine"], ids=["the same folder", "above it", "further up"])
def test_no_byte_of_a_repository_that_tracks_the_workspace_changes(tmp_path: Path, within: str) -> None:
    theirs, root = tmp_path / "theirs", tmp_path / "theirs" / within
    (root / "memory").mkdir(parents=True)
    file = root / "memory" / "MEMORY.md"
    file.write_text("# Memory\n\n- likes tea\n", encoding="utf-8")
    run_git(theirs, "init", "--quiet")
    (theirs / ".gitignore").write_text("*.log\n", encoding="utf-8")
    run_git(theirs, "add", ".")
    run_git(theirs, "-c", "user.name=Ann", "-c", "user.email=ann@localhost", "commit", "--quiet", "--message", "Mine")
    tracked = run_git(theirs, "ls-files")
    assert (Path(within) / "memory" / "MEMORY.md").as_posix() in tracked.splitlines()
    before = contents(theirs / ".git")
    store = GitStore(root)
    store.init()
    file.write_text("# Memory\n\n- likes tea\n- has a cat\n", encoding="utf-8")
    cat = store.auto_commit("A cat", "Dream")
    store.revert(cat or "")
    assert [info.author for info in store.log()] == ["You", "Dream", "Mnemoscope"]
    assert store.git_dir == root / ".mnemoscope" / "versions.git"
    assert contents(theirs / ".git") == before
    assert (theirs / ".gitignore").read_bytes() == b"*.log\n"
    assert not (root / "memory" / ".git").exists()
    assert run_git(theirs, "ls-files") == tracked
    assert run_git(theirs, "status", "--porcelain", "--untracked-files=all") == ""
