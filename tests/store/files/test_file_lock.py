"""A lock on an open file is had by one at a time, and ends with the descriptor."""

from __future__ import annotations

import os
from pathlib import Path

from mnemoscope.store.files.file_lock import try_lock


def test_a_lock_is_had_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    path.write_bytes(b"")
    first, second = os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)
    try:
        assert try_lock(first)
        assert not try_lock(second)
    finally:
        os.close(first)
    assert try_lock(second)
    os.close(second)
