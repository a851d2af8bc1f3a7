"""Killed with SIGKILL two seconds after the last key: what was typed, and the answer under way, are there again."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.own_time import Watch
from tests.ui.window.hot_exit_child import BEGINNING, DRAFT, FACT, QUESTION
from tests.ui.window_fixture import KEY, Stage, messages_on_disk, until

FACTS = "# User\n\n- Name is Sam\n"
PROMISED = 2.0
"""Seconds after which a draft is kept; an answer under way is kept each second."""
HOME = Path(__file__).parents[3]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
async def test_what_was_typed_and_answered_two_seconds_before_kill_9_is_there_again(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."), memory=FACTS)
    command = [sys.executable, "-m", "tests.ui.window.hot_exit_child", str(stage.root), str(stage.folder / "child.ini")]
    # A pipe of the event loop would need a child watcher, which the window's loop has not.
    output = stage.folder / "child.txt"
    with output.open("wb") as log:
        child = await asyncio.to_thread(_start, command, log.fileno())
        try:
            await until(lambda: b"typed" in output.read_bytes() or child.poll() is not None, "all is typed")
            assert child.poll() is None, output.read_text("utf-8")
            # Not a rest for luck: this is the time that is promised, without what other programs had the processor.
            watch = Watch(child.pid)
            await until(lambda: watch.seconds() >= PROMISED, "the promised time")
            os.kill(child.pid, signal.SIGKILL)
        finally:
            child.kill()
            await asyncio.to_thread(child.wait)
    assert child.returncode == -signal.SIGKILL
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    again = await stage.open()
    assert again.key == KEY
    await until(lambda: again.composer.draft() == DRAFT, "the unsent message")
    await until(lambda: again.memory.editor.text() == FACTS + FACT, "the unsaved memory")
    await again.until_said("kept, marked as interrupted")
    newest = [(one["role"], one["content"], bool(one.get("interrupted"))) for one in messages_on_disk(stage.root)][2:]
    assert newest == [("user", QUESTION, False), ("assistant", BEGINNING, True)]


def _start(command: list[str], output: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen(command, stdout=output, stderr=output, cwd=HOME, env=environment)
