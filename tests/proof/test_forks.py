"""Tries how a proof shares out its runs among processes."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.proof.forks import shared_out

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
SECONDS = 60.0


def test_the_answers_come_in_the_order_of_the_items() -> None:
    assert shared_out(range(9), lambda item: item * item, 2) == [0, 1, 4, 9, 16, 25, 36, 49, 64]
    assert shared_out([], str, 2) == []


def test_no_process_waits_while_another_has_items_left(tmp_path: Path) -> None:
    def work(item: int) -> bool:
        """Lets the first item wait until all others are done, and returns whether they were: whoever has it cannot do
        any of them."""
        (tmp_path / str(item)).touch()
        ends = time.monotonic() + (SECONDS if item == 0 else 0.0)
        while time.monotonic() < ends and len(list(tmp_path.iterdir())) < 6:
            time.sleep(0.005)
        return len(list(tmp_path.iterdir())) == 6 if item == 0 else True

    assert shared_out(range(6), work, 2) == [True] * 6


def test_what_goes_wrong_in_one_process_is_raised_here() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        shared_out([1, 0], lambda item: 1 // item, 2)
