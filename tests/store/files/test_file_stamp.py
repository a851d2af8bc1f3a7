"""A file that was written, replaced or removed is in another state than before."""

from __future__ import annotations

import os
from pathlib import Path

from mnemoscope.store.files.file_stamp import FileStamp, stamp_of


def test_what_was_written_or_replaced_is_in_another_state(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    os.utime(path, ns=(7, 7))
    first = stamp_of(path)
    assert first == FileStamp(path.stat().st_ino, 3, 7) == stamp_of(str(path))
    path.write_bytes(b"two")
    assert stamp_of(path) != first
    (tmp_path / "b").write_bytes(b"one")
    os.utime(tmp_path / "b", ns=(7, 7))
    os.replace(tmp_path / "b", path)
    assert stamp_of(path) != first


def test_what_is_not_there_or_can_be_no_file_has_none(tmp_path: Path) -> None:
    assert stamp_of(tmp_path / "none") is None
    assert stamp_of("a\0b") is None
