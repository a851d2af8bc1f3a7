"""A folder that is no store of any agent is none."""

from pathlib import Path

from mnemoscope.store.foreign.store_formats import open_store, title_of_format


def test_a_folder_of_no_known_format_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    assert open_store(tmp_path) is None


def test_a_format_is_called_by_its_title_and_one_that_nobody_knows_by_its_name() -> None:
    assert title_of_format("codex") == "Codex"
    assert title_of_format("abacus") == "abacus"
