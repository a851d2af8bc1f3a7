"""Runs the quick forms of the proofs, each in a process of its own: an evenly spread part of the runs, no failure."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proof import shim
from tests.proof.peer_reading import VERSIONS
from tests.support import peers

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def proved(what: str) -> str:
    """Returns the table of a proof's quick form, which must have found nothing wrong."""
    command = [sys.executable, "-m", "tests.proof", what, "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1_500)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-3_000:]
    return done.stdout


def counted(table: str, what: str) -> int:
    """Returns the number before "runs" or "states" in the last line."""
    found = re.search(rf"([\d,]+) {what} in", table)
    assert found is not None, table
    return int(found[1].replace(",", ""))


@pytest.mark.skipif(bool(shim.why_not()), reason=shim.why_not() or "it can run")
def test_no_kill_and_no_fault_at_any_call_loses_or_doubles_anything() -> None:
    assert counted(proved("matrix"), "runs") >= 120


def test_no_power_cut_leaves_a_state_that_loses_or_doubles_anything() -> None:
    assert counted(proved("power"), "states") >= 150


def test_no_power_cut_while_recovering_from_a_kill_does_either() -> None:
    assert counted(proved("recovery"), "states") >= 60


@pytest.mark.skipif(bool(shim.why_not()), reason=shim.why_not() or "it can run")
def test_planted_bugs_are_found() -> None:
    assert "NOT FOUND" not in proved("planted")


def test_the_published_peers_read_the_same_messages_and_pointer_after_a_kill() -> None:
    for version in VERSIONS:
        peers.require("nanobot-ai", version)
    assert counted(proved("peers"), "states") >= 100
