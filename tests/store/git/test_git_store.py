"""GitStore: where versions live, what they hold, and how they are read."""

from __future__ import annotations

import hashlib
import itertools
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.domain.commits import CommitNote
from mnemoscope.domain.errors import RepositoryBroken
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.git.repository import Repository
from tests.support.git_workspace import Clock, keep_loose, memory, write
from tests.support.plain_git import git, run_git


def test_versions_begin_with_the_files_as_they_are(store: GitStore) -> None:
    (first,) = store.log()
    assert (first.author, first.files) == ("Mnemoscope", ("SOUL.md", "memory/MEMORY.md"))
    assert store.head() == first.id
    assert not store.init()


def test_a_change_is_a_version_with_its_author_reason_and_origin(store: GitStore, root: Path) -> None:
    note = CommitNote("Dream", "Two facts from March", "Because they were said.", (("History-Entry", "12"),))
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
    assert store.commit(CommitNote("You", "No"), {"secret.txt": b"mine"}) is None


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


@git
def test_plain_git_reads_the_log_and_finds_nothing_amiss(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes green tea\n")
    store.commit(
        CommitNote("Dream", "Tea", "", (("History-Entry", "3"),)), {"memory/MEMORY.md": memory(root).read_bytes()}
    )
    (root / "config.json").write_text("{}", encoding="utf-8")
    listed = run_git(root / "memory", "log", "--format=%an|%s|%(trailers:key=History-Entry,valueonly,separator=)")
    assert listed.splitlines() == ["Dream|Tea|3", "Mnemoscope|Versions begin|"]
    assert run_git(root / "memory", "status", "--porcelain") == ""
    assert "error" not in run_git(root / "memory", "fsck", "--strict")


def test_a_clock_turned_back_costs_no_version(root: Path) -> None:
    clock = Clock()
    store = GitStore(root, clock=clock)
    store.init()
    clock.now -= timedelta(days=400)
    write(root, "- later\n")
    store.auto_commit("Later")
    assert [info.subject for info in store.log()] == ["Later", "Versions begin"]


def test_without_versions_one_is_told_so(root: Path) -> None:
    with pytest.raises(RepositoryBroken, match="no versions of memory yet"):
        GitStore(root).log()


def test_a_page_of_one_file_passes_over_the_versions_of_others(store: GitStore, root: Path) -> None:
    (root / "SOUL.md").write_text("Be kind.\n", encoding="utf-8")
    store.auto_commit("Kinder")
    assert [info.subject for info in store.log(path="memory/MEMORY.md")] == ["Versions begin"]


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


@pytest.mark.slow
def test_more_versions_than_are_kept_in_mind_are_read(store: GitStore, root: Path) -> None:
    repository = Repository(store.git_dir, root)
    for number in range(70):
        repository.add({"USER.md": b"%d" % number}, CommitNote("You", f"{number}"), datetime(2026, 3, 2))
    repository.close()
    assert [info.subject for info in store.log(100)] == [*map(str, reversed(range(70))), "Versions begin"]
