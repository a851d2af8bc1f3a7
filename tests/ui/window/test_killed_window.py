"""Killed while it talks and while it consolidates, with another program at work: see killed_window for a hundred."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.ui.window.killed_window import Life


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_what_a_killed_window_and_another_program_promised_is_there_once(tmp_path: Path, is_long: bool) -> None:
    life = Life(tmp_path / "workspace")
    life.begin()
    if is_long:
        life.live_and_die(0.0, consolidating=False)
    life.live_and_die(0.02, consolidating=True)
    assert life.problems() == []
    assert life.sent
    assert life.consolidating
