"""Commits are made anew without words."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from dulwich import porcelain

from mnemoscope.domain.commits import CommitNote
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.forgetting.byte_search import files_below
from mnemoscope.store.forgetting.commits import CommitsPlace, found_in_repositories_of_person
from mnemoscope.store.forgetting.places import ForgettingPlaces
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.workspace.paths import WorkspacePaths


def test_a_file_that_several_commits_hold_is_written_without_the_words_in_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    store = GitStore(tmp_path, clock=lambda: datetime(2026, 3, 1, 10, 0))
    store.init()
    words = "Lives in Graz with two cats"
    store.commit(CommitNote("You", "First"), {"memory/MEMORY.md": f"- {words}\n".encode()})
    store.commit(CommitNote("You", "Second"), {"USER.md": b"- Another file\n"})
    place, what = CommitsPlace(WorkspacePaths(tmp_path)), ForgottenText.of(words)
    [folder] = place.files()
    assert place.found_in(folder, what)[0] > 0
    place.take(folder, what)
    assert place.found_in(folder, what)[0] == 0
    assert [each.subject for each in store.log(10)][:2] == ["Second", "First"]


def committed(folder: Path, *texts: str) -> Path:
    """Makes a repository of the person's in a folder, whose MEMORY.md had these texts; returns its git directory."""
    (folder / "memory").mkdir(parents=True, exist_ok=True)
    repository = porcelain.init(str(folder))
    for text in texts:
        (folder / "memory" / "MEMORY.md").write_text(text, "utf-8")
        porcelain.add(repository, [str(folder / "memory" / "MEMORY.md")])
        porcelain.commit(repository, text.encode(), author=b"A <a@b>", committer=b"A <a@b>")
    repository.close()
    return folder / ".git"


WORDS = "Lives in Graz with two cats"


def test_commits_of_the_persons_own_repository_are_searched_and_only_named(tmp_path: Path) -> None:
    root = tmp_path / "home" / "workspace"
    git_dir = committed(tmp_path / "home", WORDS, "Other")
    paths, what = WorkspacePaths(root), ForgottenText.of(WORDS)
    root.mkdir(parents=True)
    before = {path: path.read_bytes() for path in files_below(git_dir)}
    (found,) = ForgettingPlaces(paths).find(what)
    assert (found.path, found.count, found.can_be_taken) == (str(git_dir), 2, False)
    assert "repository of yours" in found.why_not
    assert {path: path.read_bytes() for path in files_below(git_dir)} == before
    assert list(ForgettingPlaces(paths).find(ForgottenText.of("Never said at all"))) == []


def test_a_large_repository_that_holds_memory_is_said_not_to_be_searched(tmp_path: Path) -> None:
    git_dir, paths = committed(tmp_path, "Other"), WorkspacePaths(tmp_path)
    (found,) = found_in_repositories_of_person(paths, ForgottenText.of(WORDS), 1)
    assert (found.path, found.count) == (".git", 0)
    assert "too large" in found.why_not
    (git_dir / "index").write_bytes(b"another file")
    assert list(found_in_repositories_of_person(paths, ForgottenText.of(WORDS), 1)) == []


def test_a_broken_repository_of_the_persons_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "memory" / ".git" / "objects").mkdir(parents=True)
    assert list(found_in_repositories_of_person(WorkspacePaths(tmp_path), ForgottenText.of(WORDS))) == []
