"""Every byte of a folder is searched for words, whatever the files are."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.store.forgetting.byte_search import files_below


def test_links_and_folders_are_no_files_to_search(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("b.txt", "a.txt", "below/c.txt"):
        (tmp_path / name).write_text("words", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    found = [path.relative_to(tmp_path).as_posix() for path in files_below(tmp_path)]
    assert found == ["a.txt", "b.txt", "below/c.txt"]
