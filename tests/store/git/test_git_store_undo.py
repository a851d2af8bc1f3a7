"""Undoing versions: one change is taken back, the later ones stay, and what is undone can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.git.git_store import GitStore
from tests.support.git_workspace import Clock, memory, write


def test_undo_takes_back_one_change_and_keeps_the_later_ones(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes tea\n- lives in Graz\n- has a cat\n")
    cat = store.auto_commit("A cat")
    write(root, "# Memory\n\n- likes green tea\n- lives in Graz\n- has a cat\n")
    store.auto_commit("Green tea")
    assert cat is not None
    assert store.revert(cat) is not None
    assert memory(root).read_text(encoding="utf-8") == "# Memory\n\n- likes green tea\n- lives in Graz\n"
    assert store.log(1)[0].trailers == {"Undoes": (store.find_commit(cat).id,)}  # type: ignore[union-attr]


def test_the_first_version_is_not_undone_and_no_file_changes(store: GitStore, root: Path) -> None:
    write(root, "# Memory\n\n- likes tea\n- has a cat\n")
    store.auto_commit("Cat")
    before = {path: path.read_bytes() for path in (memory(root), root / "SOUL.md")}
    newest, *_, first = store.log()
    assert store.revert(first.sha) is None
    assert {path: path.read_bytes() for path in before} == before
    assert store.log()[0] == newest


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


def test_a_file_with_windows_line_ends_keeps_them(store: GitStore, root: Path) -> None:
    memory(root).write_bytes(b"# Memory\r\n\r\n- likes tea\r\n- has a cat\r\n")
    store.auto_commit("Tea")
    memory(root).write_bytes(b"# Memory\r\n\r\n- likes tea\r\n- has a cat\r\n- has a dog\r\n")
    dog = store.auto_commit("A dog")
    memory(root).write_bytes(b"# Memory\r\n\r\n- likes green tea\r\n- has a cat\r\n- has a dog\r\n")
    store.auto_commit("Green tea")
    assert store.revert(dog or "") is not None
    assert memory(root).read_bytes() == b"# Memory\r\n\r\n- likes green tea\r\n- has a cat\r\n"
