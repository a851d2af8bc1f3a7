"""Drafts are kept by name, one file each, and only within the workspace that was opened."""

from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.calls import RootedCalls
from mnemoscope.store.workspace.draft_store import DraftStore


def test_a_draft_comes_back_until_it_is_forgotten(tmp_path: Path) -> None:
    store = DraftStore(tmp_path / "drafts")
    assert store.load("composer desktop:1") is None
    store.save("composer desktop:1", {"text": "half a \ud800 thought"})
    store.save("composer desktop:2", {"text": "another"})
    again = DraftStore(tmp_path / "drafts")
    assert again.load("composer desktop:1") == {"text": "half a \ud800 thought"}
    store.forget("composer desktop:1")
    store.forget("composer desktop:1")
    assert again.load("composer desktop:1") is None
    assert again.load("composer desktop:2") == {"text": "another"}


@pytest.mark.parametrize("data", [b"{half", b"[1]", b'{"draft": "text"}', b"[" * 100_000, b"\xff"])
def test_one_that_cannot_be_read_counts_as_none(tmp_path: Path, data: bytes) -> None:
    store = DraftStore(tmp_path / "drafts")
    store.save("a", {"text": "x"})
    (file,) = (tmp_path / "drafts").iterdir()
    file.write_bytes(data)
    assert store.load("a") is None


def test_nothing_is_kept_where_the_workspace_was_moved_away(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    store = DraftStore(root / "drafts", calls=RootedCalls(root))
    store.save("a", {"text": "x"})
    root.rename(tmp_path / "moved")
    root.mkdir()
    with pytest.raises(StorageError, match="no longer there"):
        store.save("a", {"text": "y"})
    assert list(root.iterdir()) == []
    with pytest.raises(StorageError):
        store.forget("a")
