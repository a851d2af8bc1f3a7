"""The records of imports are read one by one; what cannot be read costs only itself."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.store.workspace.import_records import ImportedKey, ImportRecord, ImportRecords
from mnemoscope.store.workspace.paths import WorkspacePaths


def test_records_are_kept_and_read_in_order(tmp_path: Path) -> None:
    (tmp_path / ".mnemoscope").mkdir()
    records = ImportRecords(WorkspacePaths(tmp_path))
    assert records.all() == []
    later = ImportRecord("b", "2026-05-02T08:00:00", "claude", "Claude", {})
    earlier = ImportRecord("a", "2026-05-01T08:00:00", "chatgpt", "ChatGPT", {"k": ImportedKey(3, "s")}, ("m",))
    records.keep(later)
    records.keep(earlier)
    assert records.all() == [earlier, later]


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".mnemoscope").mkdir()
    records = ImportRecords(WorkspacePaths(tmp_path))
    records.keep(ImportRecord("a", "2026-05-01", "chatgpt", "ChatGPT", {}))
    folder = tmp_path / ".mnemoscope" / "imports"
    (folder / "b.json").write_text("{", "utf-8")
    (folder / "c.json").write_bytes((folder / "a.json").read_bytes())
    (folder / "d").mkdir()
    assert [each.id for each in records.all()] == ["a"]
