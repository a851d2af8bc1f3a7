"""The soak in its short form, in a process of its own; `python -m tests.proof soak` is the whole one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.proof.soak import Soaked, verdict_lines
from tests.proof.soak_meter import Sample, slope, spread

ROOT = Path(__file__).parents[3]


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory and threads are counted in /proc")
def test_hundreds_of_turns_with_a_server_that_fails_leave_nothing_behind_and_nothing_out() -> None:
    done = soaked()
    for _ in range(2):
        # A gap counts that comes each time; one may be the machine's, that gave another thread of the window no turn.
        if not_reached(done.stdout) == ["the window's longest gap"]:
            done = soaked()
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-4_000:]


def soaked() -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.proof", "soak", "--quick"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1_500)


def not_reached(table: str) -> list[str]:
    """Returns the figures that a printed soak missed, errors and messages among them."""
    return [line[:50].rstrip() for line in table.splitlines() if line.endswith("NOT REACHED")]


def samples(leak: float = 0.0, step: float = 0.0, lost: int = 0, gap: float = 20.0) -> list[Sample]:
    """Ten, 100 turns apart: memory grows by `leak` each time, by `step` once; `lost` descriptors each time."""
    return [Sample(100 * n, 120 + leak * n + step * (n > 5), 220, 26 + lost * n, 10, 16, 3, gap) for n in range(1, 11)]


def missed(judged: list[Sample]) -> list[str]:
    """Returns what a soak that showed these would print as not reached."""
    return [what for what, *_, reached in Soaked(1_000, 300, judged, 100).verdicts() if not reached]


def test_a_leak_is_seen_and_one_step_up_is_none() -> None:
    assert slope(samples(leak=1.5), "megabytes") == pytest.approx(1.5)
    assert slope(samples(step=4), "megabytes") < 1
    assert spread(samples(lost=1), "descriptors") == 9


def test_each_bound_can_be_missed() -> None:
    assert missed(samples()) == []
    assert missed(samples(leak=1.5)) == ["the window's memory, for each 100 turns"]
    assert missed(samples(lost=1)) == ["the window's descriptors moved by"]
    assert missed(samples(gap=201)) == ["the window's longest gap"]


def test_what_was_printed_tells_which_bounds_were_missed() -> None:
    for bad in (samples(gap=201), samples(leak=1.5), samples(lost=1, gap=201)):
        printed = verdict_lines(Soaked(1_000, 300, bad, 100))
        assert not_reached("\n".join(printed)) == missed(bad)
