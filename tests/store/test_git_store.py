"""GitStore: where versions live, what they hold, how they are undone, and what a broken repository costs."""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import shutil
import zlib
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.versions import VersionNote
from mnemoscope.store.git import repository
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.git.place import git_place
from mnemoscope.store.git.repository import Repository, VersionsBroken, VersionsLocked
from mnemoscope.store.workspace_paths import WorkspacePaths
from tests.support.plain_git import git, run_git


class Clock:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 10, 0)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("# Memory\n\n- likes tea\n- lives in Graz\n", encoding="utf-8")
    (root / "SOUL.md").write_text("Be brief.\n", encoding="utf-8")
    return root


@pytest.fixture
def store(root: Path) -> GitStore:
    store = GitStore(root, clock=Clock())
    store.init()
    return store


def memory(root: Path) -> Path:
    return root / "memory" / "MEMORY.md"


def write(root: Path, text: str) -> None:
    memory(root).write_text(text, encoding="utf-8")


def test_versions_begin_with_the_files_as_they_are(store: GitStore) -> None:
    (first,) = store.log()
    assert (first.author, first.files) == ("Mnemoscope", ("SOUL.md", "memory/MEMORY.md"))
    assert not store.init()


def test_a_change_is_a_version_with_its_author_reason_and_origin(store: GitStore, root: Path) -> None:
    note = VersionNote("Dream", "Two facts from March", "Because they were said.", (("History-Entry", "12"),))
    made = store.commit(note, {"memory/MEMORY.md": b"# Memory\n\n- likes green tea\n"})
    assert made is not None
    assert (made.author, made.subject, made.files) == ("Dream", "Two facts from March", ("memory/MEMORY.md",))
    assert made.trailers == {"History-Entry": ("12",)}
    assert store.text_at(made.id, "memory/MEMORY.md") == "# Memory\n\n- likes green tea\n"
    assert store.text_at(made.id, "SOUL.md") == "Be brief.\n"


def test_nothing_changed_is_no_version(store: GitStore) -> None:
    assert store.auto_commit("Nothing") is None
    assert len(store.log()) == 1


def test_auto_commit_takes_what_others_changed_added_and_removed(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes coffee\n")
    (root / "skills" / "tea").mkdir(parents=True)
    (root / "skills" / "tea" / "SKILL.md").write_text("Brew.\n", encoding="utf-8")
    (root / "SOUL.md").unlink()
    assert store.auto_commit("Changed outside") is not None
    (newest, _) = store.log()
    assert newest.files == ("SOUL.md", "memory/MEMORY.md", "skills/tea/SKILL.md")


def test_other_files_have_no_versions(store: GitStore, root: Path) -> None:
    (root / "secret.txt").write_text("mine", encoding="utf-8")
    assert store.auto_commit("Nothing") is None
    assert store.commit(VersionNote("You", "No"), {"secret.txt": b"mine"}) is None


def test_a_diff_reads_as_git_writes_it(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes green tea\n- lives in Graz")
    sha = store.auto_commit("Tea")
    assert sha is not None
    shown = store.show_commit_diff(sha)
    assert shown is not None
    assert "diff --git a/memory/MEMORY.md b/memory/MEMORY.md\n--- a/memory/MEMORY.md" in shown[1]
    assert "-- likes tea\n" in shown[1]
    assert "+- likes green tea\n" in shown[1]
    assert "\\ No newline at end of file" in shown[1]
    first = store.log()[-1]
    assert store.diff_commits(first.sha, sha) == shown[1]


def test_a_version_is_found_by_the_beginning_of_its_id(store: GitStore) -> None:
    (first,) = store.log()
    assert store.find_commit(first.id[:6].upper()) == first
    assert store.find_commit("zzzz") is None
    assert store.find_commit("abc") is None


def test_undo_takes_back_one_change_and_keeps_the_later_ones(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes tea\n- lives in Graz\n- has a cat\n")
    cat = store.auto_commit("A cat")
    write(root, "# Memory\n\n- likes green tea\n- lives in Graz\n- has a cat\n")
    store.auto_commit("Green tea")
    assert cat is not None
    assert store.revert(cat) is not None
    assert memory(root).read_text(encoding="utf-8") == "# Memory\n\n- likes green tea\n- lives in Graz\n"
    assert store.log(1)[0].trailers == {"Undoes": (store.find_commit(cat).id,)}  # type: ignore[union-attr]


def test_the_first_version_can_be_undone_too(root: Path) -> None:
    memory(root).unlink()
    (root / "SOUL.md").unlink()
    store = GitStore(root, clock=Clock())
    store.init()
    write(root, "- likes tea\n")
    first = store.auto_commit("Tea")
    write(root, "- likes tea\n- has a cat\n")
    store.auto_commit("Cat")
    assert first is not None
    store.revert(first)
    assert memory(root).read_text(encoding="utf-8") == "- has a cat\n"


@pytest.mark.parametrize(
    ("before", "change", "undone"),
    [("", "# M\n\n- a\n- b\n- c\n", "# M\n\n- d\n"), ("- a\n", "- a\n- b\n- c\n- e\n- f\n", "- a\n- d\n")],
    ids=["the first of the file", "most of the file"],
)
def test_a_version_of_most_of_a_file_is_undone_as_any_other(root: Path, before: str, change: str, undone: str) -> None:
    write(root, before)
    store = GitStore(root, clock=Clock())
    store.init()
    write(root, change)
    large = store.auto_commit("Much")
    write(root, change + "- d\n")
    store.auto_commit("One more")
    assert store.revert(large or "") is not None
    assert memory(root).read_text(encoding="utf-8") == undone


def test_an_undo_can_be_undone(store: GitStore, root: Path) -> None:
    before = memory(root).read_text(encoding="utf-8")
    write(root, before + "- has a cat\n")
    cat = store.auto_commit("A cat")
    undone = store.revert(cat or "")
    assert memory(root).read_text(encoding="utf-8") == before
    store.revert(undone or "")
    assert memory(root).read_text(encoding="utf-8") == before + "- has a cat\n"


@git
def test_plain_git_reads_the_log_and_finds_nothing_amiss(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes green tea\n")
    store.commit(
        VersionNote("Dream", "Tea", "", (("History-Entry", "3"),)), {"memory/MEMORY.md": memory(root).read_bytes()}
    )
    (root / "config.json").write_text("{}", encoding="utf-8")
    told = run_git(root / "memory", "log", "--format=%an|%s|%(trailers:key=History-Entry,valueonly,separator=)")
    assert told.splitlines() == ["Dream|Tea|3", "Mnemoscope|Versions begin|"]
    assert run_git(root / "memory", "status", "--porcelain") == ""
    assert "error" not in run_git(root / "memory", "fsck", "--strict")


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
    with pytest.raises(VersionsLocked):
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
    with pytest.raises(VersionsBroken):
        store.auto_commit("Into the void")
    kept = store.set_aside()
    assert kept is not None
    assert kept.parent == WorkspacePaths(root).own.quarantine_dir
    assert memory(root).read_text(encoding="utf-8") == "- precious\n"
    assert [info.subject for info in store.log()] == ["Versions begin"]
    assert git_place(WorkspacePaths(root)).exists()


def test_a_clock_turned_back_costs_no_version(root: Path) -> None:
    clock = Clock()
    store = GitStore(root, clock=clock)
    store.init()
    clock.now -= timedelta(days=400)
    write(root, "- later\n")
    store.auto_commit("Later")
    assert [info.subject for info in store.log()] == ["Later", "Versions begin"]


def test_without_versions_one_is_told_so(root: Path) -> None:
    with pytest.raises(VersionsBroken, match="no versions of memory yet"):
        GitStore(root).log()


def test_a_page_of_one_file_passes_over_the_versions_of_others(store: GitStore, root: Path) -> None:
    (root / "SOUL.md").write_text("Be kind.\n", encoding="utf-8")
    store.auto_commit("Kinder")
    assert [info.subject for info in store.log(path="memory/MEMORY.md")] == ["Versions begin"]


def test_a_snapshot_has_every_file_as_it_was(store: GitStore, root: Path) -> None:
    (first,) = store.log()
    write(root, "- new\n")
    store.auto_commit("New")
    then = store.snapshot(first.id)
    assert then.commit == first
    assert then.texts == {"memory/MEMORY.md": "# Memory\n\n- likes tea\n- lives in Graz\n", "SOUL.md": "Be brief.\n"}


def test_a_version_that_is_not_known_is_not_undone_and_not_compared(store: GitStore) -> None:
    assert store.revert("abcdef12") is None
    with pytest.raises(StorageError, match="no version abcdef12"):
        store.diff_commits("abcdef12", store.log()[0].sha)


def test_what_is_undone_already_makes_no_version(store: GitStore, root: Path) -> None:
    before = memory(root).read_text(encoding="utf-8")
    write(root, before + "- has a cat\n")
    cat = store.auto_commit("A cat")
    write(root, before)
    store.auto_commit("No cat")
    assert store.revert(cat or "") is None


@git
def test_a_folder_where_the_versions_would_go_is_set_aside_first(root: Path) -> None:
    run_git(root, "init", "--quiet")
    (root / ".mnemoscope" / "versions.git").mkdir(parents=True)
    (root / ".mnemoscope" / "versions.git" / "odd").write_text("odd", encoding="utf-8")
    store = GitStore(root, clock=Clock())
    assert store.init()
    (kept,) = WorkspacePaths(root).own.quarantine_dir.iterdir()
    assert (kept / "odd").read_text(encoding="utf-8") == "odd"


def keep_loose(git_dir: Path, data: bytes) -> str:
    """An object as git keeps it in a file of its own; its name."""
    name = hashlib.sha1(data).hexdigest()
    file = git_dir / "objects" / name[:2] / name[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(zlib.compress(data))
    return name


def test_thousands_of_loose_objects_are_packed_and_read_as_before(store: GitStore) -> None:
    assert not store.tidy()
    # One folder of 256 is looked at: sixteen objects there stand for four thousand.
    blobs = (b"blob %d\0%d" % (len(str(number)), number) for number in itertools.count())
    for blob in itertools.islice((blob for blob in blobs if hashlib.sha1(blob).digest()[0] == 0x17), 16):
        keep_loose(store.git_dir, blob)
    assert store.tidy()
    assert not store.tidy()
    assert list((store.git_dir / "objects" / "pack").glob("*.pack"))
    assert [info.subject for info in store.log()] == ["Versions begin"]


def test_a_branch_that_names_no_version_is_told_as_broken(store: GitStore) -> None:
    blob = keep_loose(store.git_dir, b"blob 1\0x")
    (store.git_dir / "refs" / "heads" / "main").write_text(blob + "\n", encoding="ascii")
    with pytest.raises(VersionsBroken):
        store.log()


def test_a_version_of_something_that_is_no_folder_is_told_as_broken(store: GitStore) -> None:
    blob = keep_loose(store.git_dir, b"blob 1\0x")
    words = f"tree {blob}\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nodd\n".encode()
    made = keep_loose(store.git_dir, b"commit %d\0%s" % (len(words), words))
    (store.git_dir / "refs" / "heads" / "main").write_text(made + "\n", encoding="ascii")
    with pytest.raises(VersionsBroken):
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
    with pytest.raises(VersionsLocked, match="at the same moment"):
        late.add({"memory/MEMORY.md": b"- mine\n"}, VersionNote("You", "Mine"), datetime(2026, 3, 2))
    late.close()
    assert [info.subject for info in store.log()] == ["Two", "Versions begin"]


def test_more_versions_than_are_kept_in_mind_are_read(store: GitStore, root: Path) -> None:
    repository = Repository(store.git_dir, root)
    for number in range(70):
        repository.add({"USER.md": b"%d" % number}, VersionNote("You", f"{number}"), datetime(2026, 3, 2))
    repository.close()
    assert [info.subject for info in store.log(100)] == [*map(str, reversed(range(70))), "Versions begin"]


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
    with pytest.raises(VersionsLocked if passes else VersionsBroken), repository._named(done):
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
