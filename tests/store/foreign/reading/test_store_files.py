"""Memory files of a store are read as far as that is safe, and what is not read is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.store.foreign.reading import store_files
from mnemoscope.store.foreign.reading.store_files import MOST_BYTES, StoreFiles
from tests.support.privileges import as_nobody, reachable_folder


def test_files_are_read_by_their_path_in_the_store(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_bytes("\ufeffü\r\n".encode())
    files = StoreFiles(tmp_path)
    assert files.text("notes/a.md") == "ü\n"
    assert files.text("notes") is None
    assert files.text("none.md") is None
    assert files.outside_text(tmp_path / "none.md", "none.md") is None
    assert files.is_within(tmp_path)
    assert not files.is_within(tmp_path.parent)
    assert files.problems == []


def test_what_is_not_read_is_said(tmp_path: Path) -> None:
    root = tmp_path / "store"
    root.mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "long.md").write_text("1" * MOST_BYTES + "2")
    (root / "nul.md").write_bytes(b"\0\xff")
    (root / "within.md").symlink_to(root / "nul.md")
    files = StoreFiles(root)
    assert (files.text("out.md"), files.text("long.md") == "1" * MOST_BYTES) == (None, True)
    assert files.text("nul.md") == "\0\ufffd"
    assert files.text("within.md") == "\0\ufffd"
    assert files.problems == [
        "out.md is a link out of the store and was not followed.",
        "long.md is longer than 8 MB; the rest of it is not shown.",
        "nul.md holds NUL bytes.",
        "within.md holds NUL bytes.",
    ]


def test_a_file_that_may_not_be_read_is_a_problem() -> None:
    with reachable_folder() as root:
        (root / "a.md").touch(0)
        files = StoreFiles(root)
        with as_nobody():
            assert files.text("a.md") is None
    assert files.problems == ["a.md: “a.md” could not be read: access is refused."]


def test_names_are_in_order_without_what_is_hidden_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.md", "a.md", "c.txt", ".hidden.md", "deep/d.md", ".git/e.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    files = StoreFiles(tmp_path)
    assert list(files.names("", ".md")) == ["a.md", "b.md", "deep/d.md"]
    assert list(files.names("")) == ["a.md", "b.md", "c.txt", "deep/d.md"]
    assert list(files.names("nowhere")) == []
    monkeypatch.setattr(store_files, "_MOST_FILES", 2)
    assert list(files.names("", ".md")) == ["a.md", "b.md"]
    assert len(files.problems) == 1
    (tmp_path / "plain").touch()
    list(files.names("plain"))
    assert len(files.problems) == 2
