"""One process owns a workspace, and a kill gives it back."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.store.workspace import lock as workspace_lock

_HOLD = """
import pathlib, sys, time
from mnemoscope.store.workspace import lock as workspace_lock
kept = workspace_lock.acquire(pathlib.Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


@pytest.mark.slow
def test_a_killed_process_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", _HOLD, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        assert workspace_lock.acquire(path) is None
        assert workspace_lock.holder(path) == f"process {child.pid}"
        child.send_signal(signal.SIGKILL)
        child.wait()
    lock = workspace_lock.acquire(path)
    assert lock is not None
    assert workspace_lock.holder(path) == "this program"
    lock.release()
    lock.release()
    assert workspace_lock.holder(path) == ""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"pid": 7, "host": "elsewhere"}, "process 7 on elsewhere"),
        ({"pid": "x"}, "another process"),
        ([1], "another process"),
        (None, "another process"),
    ],
)
def test_the_owner_is_named_in_words(tmp_path: Path, said: object, words: str) -> None:
    path = tmp_path / "lock"
    lock = workspace_lock.acquire(path)
    assert lock is not None
    path.write_text("" if said is None else json.dumps(said))
    assert workspace_lock.holder(path) == words
    lock.release()


def test_an_owner_nested_too_deep_to_be_read_is_another_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = workspace_lock.acquire(path)
    assert lock is not None
    path.write_text("[" * 1_000)
    assert workspace_lock.holder(path) == "another process"
    lock.release()


def test_nobody_holds_a_lock_that_is_not_there(tmp_path: Path) -> None:
    assert workspace_lock.holder(tmp_path / "lock") == ""
    assert os.listdir(tmp_path) == []
