"""What a broken, locked or foreign repository costs: never a file, and never more than the versions that are broken."""

from __future__ import annotations

import errno
import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.commits import CommitNote
from mnemoscope.domain.errors import RepositoryBroken, RepositoryLocked, StorageError
from mnemoscope.store.git import repository
from mnemoscope.store.git.git_place import git_place
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.git.repository import Repository
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.git_workspace import Clock, keep_loose, memory, write
from tests.support.plain_git import git, run_git


@git
def test_a_repository_of_the_persons_around_the_workspace_is_never_touched(root: Path) -> None:
    run_git(root, "init", "--quiet")
    (root / ".gitignore").write_text("*.log\n", encoding="utf-8")
    before = sorted(path for path in (root / ".git").rglob("*"))
    store = GitStore(root, clock=Clock())
    store.init()
    assert store.git_dir == root / ".mnemoscope" / "versions.git"
    assert not (root / "memory" / ".git").exists()
    assert (root / ".gitignore").read_text(encoding="utf-8") == "*.log\n"
    assert sorted(path for path in (root / ".git").rglob("*")) == before
    assert ".mnemoscope" not in run_git(root, "status", "--porcelain", "--untracked-files=all")


@git
def test_versions_move_out_of_the_way_when_the_person_begins_a_repository(store: GitStore, root: Path) -> None:
    run_git(root, "init", "--quiet")
    store.init()
    assert not (root / "memory" / ".git").exists()
    assert [info.subject for info in store.log()] == ["Versions begin"]
    run_git(root, "add", "memory")
    assert "memory/MEMORY.md" in run_git(root, "ls-files")


def test_a_repository_in_the_way_is_left_alone(root: Path) -> None:
    (root / "memory" / ".git").mkdir()
    (root / "memory" / ".git" / "config").write_text("[core]\n", encoding="utf-8")
    store = GitStore(root, clock=Clock())
    store.init()
    assert store.git_dir == root / ".mnemoscope" / "versions.git"
    assert os.listdir(root / "memory" / ".git") == ["config"]


def test_a_lock_left_behind_is_cleared_and_a_fresh_one_respected(store: GitStore, root: Path) -> None:
    lock = store.git_dir / "refs" / "heads" / "main.lock"
    lock.write_bytes(b"")
    write(root, "- new\n")
    with pytest.raises(RepositoryLocked):
        store.auto_commit("Locked")
    os.utime(lock, (0, 0))
    assert store.auto_commit("Stale") is not None


@git
def test_a_detached_head_is_followed_by_new_versions_on_the_branch(store: GitStore, root: Path) -> None:
    write(root, "- two\n")
    store.auto_commit("Two")
    run_git(root / "memory", "checkout", "--quiet", store.log()[-1].id)
    assert "likes tea" in memory(root).read_text(encoding="utf-8")
    assert store.auto_commit("Changed outside") is not None
    assert [info.subject for info in store.log()] == ["Changed outside", "Two", "Versions begin"]


@pytest.mark.parametrize("harm", ["objects", "head", "config"])
def test_an_unreadable_repository_is_set_aside_and_begun_again_from_the_files(
    store: GitStore, root: Path, harm: str
) -> None:
    write(root, "- precious\n")
    if harm == "objects":
        for file in (store.git_dir / "objects").rglob("*"):
            if file.is_file():
                file.chmod(0o644)
                file.write_bytes(b"\0" * 20)
    elif harm == "head":
        (store.git_dir / "refs" / "heads" / "main").write_bytes(b"f" * 40 + b"\n")
    else:
        shutil.rmtree(store.git_dir / "objects")
    with pytest.raises(RepositoryBroken):
        store.auto_commit("Into the void")
    kept = store.set_aside()
    assert kept is not None
    assert kept.parent == WorkspacePaths(root).own.quarantine_dir
    assert memory(root).read_text(encoding="utf-8") == "- precious\n"
    assert [info.subject for info in store.log()] == ["Versions begin"]
    assert git_place(WorkspacePaths(root)).exists()


@git
def test_a_folder_where_the_versions_would_go_is_set_aside_first(root: Path) -> None:
    run_git(root, "init", "--quiet")
    (root / ".mnemoscope" / "versions.git").mkdir(parents=True)
    (root / ".mnemoscope" / "versions.git" / "odd").write_text("odd", encoding="utf-8")
    store = GitStore(root, clock=Clock())
    assert store.init()
    (kept,) = WorkspacePaths(root).own.quarantine_dir.iterdir()
    assert (kept / "odd").read_text(encoding="utf-8") == "odd"


def test_a_branch_that_names_no_version_is_told_as_broken(store: GitStore) -> None:
    blob = keep_loose(store.git_dir, b"blob 1\0x")
    (store.git_dir / "refs" / "heads" / "main").write_text(blob + "\n", encoding="ascii")
    with pytest.raises(RepositoryBroken):
        store.log()


def test_a_version_of_something_that_is_no_folder_is_told_as_broken(store: GitStore) -> None:
    blob = keep_loose(store.git_dir, b"blob 1\0x")
    words = f"tree {blob}\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nodd\n".encode()
    made = keep_loose(store.git_dir, b"commit %d\0%s" % (len(words), words))
    (store.git_dir / "refs" / "heads" / "main").write_text(made + "\n", encoding="ascii")
    with pytest.raises(RepositoryBroken):
        store.log()


def test_a_version_another_program_makes_in_the_same_moment_is_never_overwritten(store: GitStore, root: Path) -> None:
    first = store.log()[0].id
    write(root, "- two\n")
    store.auto_commit("Two")

    class Late(Repository):
        """One that saw the branch before another program moved it."""

        def head(self) -> str:
            return first

    late = Late(store.git_dir, root)
    with pytest.raises(RepositoryLocked, match="at the same moment"):
        late.add({"memory/MEMORY.md": b"- mine\n"}, CommitNote("You", "Mine"), datetime(2026, 3, 2))
    late.close()
    assert [info.subject for info in store.log()] == ["Two", "Versions begin"]


@pytest.mark.parametrize(
    ("number", "done", "passes"),
    [
        (errno.ENOSPC, "read", True),
        (errno.EROFS, "written", True),
        (errno.EIO, "written", True),
        (errno.EIO, "read", False),
        (errno.ENOENT, "written", False),
    ],
)
def test_a_full_or_read_only_disk_is_waited_for_and_breaks_nothing(number: int, done: str, passes: bool) -> None:
    with pytest.raises(RepositoryLocked if passes else RepositoryBroken), repository._named(done):
        raise OSError(number, "told by the disk")


def test_what_a_killed_owner_left_is_cleared_and_what_came_since_is_not(store: GitStore, root: Path) -> None:
    git_dir = store.git_dir
    for name in ("HEAD.lock", "objects/17/half.lock"):
        (git_dir / name).parent.mkdir(exist_ok=True)
        (git_dir / name).write_bytes(b"half")
    (root / "memory" / ".git-0123abcd").mkdir()
    (root / "memory" / ".git-notes").mkdir()
    opened = (git_dir / "HEAD.lock").stat().st_mtime
    store.clear_leftovers(opened)
    assert (git_dir / "HEAD.lock").exists()
    store.clear_leftovers(opened + 1)
    assert not (git_dir / "HEAD.lock").exists()
    assert not (git_dir / "objects/17/half.lock").exists()
    assert [path.name for path in (root / "memory").iterdir() if path.name.startswith(".git-")] == [".git-notes"]


def test_an_object_that_cannot_be_removed_stands_in_nobodys_way(store: GitStore) -> None:
    (store.git_dir / "objects" / "17" / "half.lock").mkdir(parents=True)
    store.clear_leftovers(0.0)
    assert (store.git_dir / "objects" / "17" / "half.lock").exists()


def test_leftovers_of_no_repository_at_all_are_none(tmp_path: Path) -> None:
    GitStore(tmp_path / "nowhere").clear_leftovers(0.0)


@pytest.mark.parametrize("tracked", [False, True], ids=["beside memory", "out of the way"])
def test_a_workspace_that_was_moved_away_is_not_built_anew(root: Path, tracked: bool) -> None:
    if tracked:
        (root.parent / ".git").mkdir()
    store = GitStore(root)
    root.rename(root.with_name("elsewhere"))
    with pytest.raises(StorageError):
        store.init()
    assert not root.exists()


def test_a_workspace_without_a_folder_of_memory_gets_one_with_its_versions(root: Path) -> None:
    shutil.rmtree(root / "memory")
    store = GitStore(root, clock=Clock())
    assert store.init()
    assert git_place(WorkspacePaths(root)).parent == root / "memory"
