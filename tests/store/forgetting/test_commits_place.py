"""Commits are made anew without words."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from dulwich import porcelain

from mnemoscope.domain.commits import CommitNote
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.forgetting.byte_search import count_in_file, files_below
from mnemoscope.store.forgetting.commits_place import CommitsPlace, found_in_repositories_of_person
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


def kept(root: Path) -> GitStore:
    """Makes a repository of ours in a workspace, whose MEMORY.md had the words."""
    (root / "memory").mkdir(parents=True)
    store = GitStore(root, clock=lambda: datetime(2026, 3, 1, 10, 0))
    store.init()
    store.commit(CommitNote("You", "First"), {"memory/MEMORY.md": f"- {WORDS}\n".encode()})
    return store


def forgotten(root: Path) -> list[str]:
    """Takes the words out of every place that can be taken; returns the names of those places."""
    places, what = ForgettingPlaces(WorkspacePaths(root)), ForgottenText.of(WORDS)
    found = [each for each in places.find(what) if each.can_be_taken]
    for each in found:
        places.take(each.kind, each.path, what)
    return [each.path for each in found]


def says(root: Path) -> list[str]:
    """Returns the files that have the words, also packed."""
    what = ForgottenText.of(WORDS)
    return [path.relative_to(root).as_posix() for path in files_below(root) if count_in_file(path, what)]


def test_commits_made_before_the_workspace_came_into_a_repository_of_the_persons_go_too(tmp_path: Path) -> None:
    root = tmp_path / "home" / "workspace"
    store = kept(root)
    porcelain.init(str(tmp_path / "home")).close()
    assert store.git_dir == root / ".mnemoscope" / "versions.git"
    assert says(root)
    assert forgotten(root) == ["memory/.git"]
    assert says(root) == []


def test_commits_made_while_the_workspace_lay_in_a_repository_of_the_persons_go_too(tmp_path: Path) -> None:
    root = tmp_path / "home" / "workspace"
    porcelain.init(str(tmp_path / "home")).close()
    kept(root)
    shutil.rmtree(tmp_path / "home" / ".git")
    assert forgotten(root) == [".mnemoscope/versions.git"]
    assert says(root) == []


@pytest.mark.parametrize("cut_off", [False, True])
def test_a_repository_of_ours_that_could_not_be_used_any_more_goes_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, cut_off: bool
) -> None:
    store = kept(tmp_path)
    store.git_dir.joinpath("HEAD").write_bytes(b"broken")
    aside = store.set_aside()
    assert aside is not None
    assert CommitsPlace(WorkspacePaths(tmp_path)).ids(aside) == frozenset()
    if cut_off:
        with monkeypatch.context() as patched:
            # Trees are removed by the system itself, past the file calls.
            patched.setattr(shutil, "rmtree", remove_objects_and_fail)
            with pytest.raises(StorageError):
                CommitsPlace(WorkspacePaths(tmp_path)).take(aside, ForgottenText.of(WORDS))
        assert says(tmp_path) == []
        CommitsPlace(WorkspacePaths(tmp_path)).take(aside, ForgottenText.of(WORDS))
    else:
        assert forgotten(tmp_path) == [f".mnemoscope/quarantine/{aside.name}"]
    assert not aside.exists()
    assert says(tmp_path) == []


def remove_objects_and_fail(path: Path, remove: Callable[[Path], None] = shutil.rmtree) -> None:
    if path.name != "objects":
        raise OSError(errno.EIO, "Input/output error", str(path))
    remove(path)


def test_a_repository_of_the_persons_in_a_folder_of_the_workspace_is_named(tmp_path: Path) -> None:
    committed(tmp_path / "notes", WORDS, "Other")
    found = list(found_in_repositories_of_person(WorkspacePaths(tmp_path), ForgottenText.of(WORDS)))
    assert [(each.path, each.count, each.can_be_taken) for each in found] == [("notes/.git", 2, False)]
