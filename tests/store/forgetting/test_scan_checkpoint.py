"""What was looked through is known again, until something else is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.store.files.file_stamp import FileStamp
from mnemoscope.store.forgetting.scan_checkpoint import (
    ScanCheckpoint,
    ScannedFile,
    read_scan_checkpoint,
    write_scan_checkpoint,
)
from mnemoscope.store.workspace.paths import WorkspacePaths


def looked_at() -> ScanCheckpoint:
    return ScanCheckpoint(frozenset({"ab", "cd"}), {"memory/HISTORY.md": ScannedFile(FileStamp(1, 2, 3), ("ef", "01"))})


def test_what_was_looked_at_is_known_again(tmp_path: Path) -> None:
    path = WorkspacePaths(tmp_path).own.scan_checkpoint_file
    write_scan_checkpoint(path, looked_at())
    assert read_scan_checkpoint(path) == looked_at()


@pytest.mark.parametrize("data", [b"", b"[]", b'{"held": [], "files": {"a": [1, 2]}}', b'{"held": [], "files": []}'])
def test_what_cannot_be_read_is_looked_at_again(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "looked-at.json"
    assert read_scan_checkpoint(path) == ScanCheckpoint()
    path.write_bytes(data)
    assert read_scan_checkpoint(path) == ScanCheckpoint()


def test_only_for_what_was_not_looked_for_before_all_files_are_looked_at_again() -> None:
    looked = looked_at()
    looked.look_for(frozenset({"ab"}))
    assert len(looked.files) == 1
    looked.look_for(frozenset({"ab", "cd"}))
    assert looked == ScanCheckpoint(frozenset({"ab", "cd"}))
