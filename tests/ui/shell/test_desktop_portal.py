"""Notifications arrive at a portal on a real session bus: one a batch, without a word of a conversation, and a press
opens what was told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.store.workspace.workspace import create_workspace

HOME = Path(__file__).parents[3]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the portal is one of Linux desktops")
def test_the_portal_is_told_once_a_batch_without_a_word_said_and_a_press_opens_what_was_told(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    create_workspace(root)
    command = [sys.executable, "-m", "tests.ui.shell.notifying_child", str(root), str(tmp_path / "window.ini")]
    session = ["dbus-run-session", "--", *command]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(session, capture_output=True, text=True, cwd=HOME, env=environment, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout.strip().split("\n")[-1])
    added = [body for method, body in printed["calls"] if method == "AddNotification"]
    assert [body[1]["body"][1] for body in added] == ["2 answers have arrived.", "2 proposals wait for your review."]
    assert {body[1]["title"][1] for body in added} == {"Mnemoscope"}
    assert len({body[0] for body in added}) == 1, "one takes the place of the other"
    assert ["RemoveNotification", [added[0][0]]] in printed["calls"], "it goes when the window is in front"
    everything = json.dumps(printed["calls"]).casefold()
    for word in ("quokka", "marigold", "periwinkle", "shed", "first", "second", str(root).casefold()):
        assert word not in everything
    assert printed["open"] == [["desktop:second", True, False], ["desktop:second", True, True]]
