"""A link swapped in between check and open leads nowhere: raced for real, by a process of its own.

Here with few opens; `python -m tests.agent.tools.path_swap` makes 60,000 of each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.agent.tools.openat2 import has_openat2
from tests.agent.tools.path_swap import ATTEMPTS, Tally, openat2, race, walk

OPENS, ROUNDS = 4_000, 100


class CheckedThenOpened:
    """What is not good enough: the path is resolved, judged, and opened afterwards."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes:
        try:
            found = (self.root / path).resolve()
            return (self.root / path).read_bytes() if found.is_relative_to(self.root) else b"inside"
        except OSError:  # swapped in the middle of resolving
            return b"inside"


def raced(folder: Path, kind: str, files_of: object, met: Callable[[Tally], bool]) -> Tally:
    """So many opens, and as many again where a busy machine let the two meet at none of them."""
    total = Tally()
    for number in range(ROUNDS):
        (folder / str(number)).mkdir()
        tally = race(folder / str(number), kind, files_of, opens=OPENS)  # type: ignore[arg-type]
        if tally is None:
            pytest.skip("this system cannot exchange two names in one step")
        total = Tally(*(getattr(total, name) + getattr(tally, name) for name in Tally.__slots__))
        if met(total):
            break
    return total


@pytest.mark.slow
@pytest.mark.parametrize("kind", ATTEMPTS)
@pytest.mark.parametrize("files_of", [openat2, walk])
def test_a_link_swapped_in_at_any_moment_never_leads_outside(tmp_path: Path, kind: str, files_of: object) -> None:
    if files_of is openat2 and not has_openat2():
        pytest.skip("this kernel has no openat2")
    tally = raced(tmp_path, kind, files_of, lambda tally: tally.refused > 0)
    assert tally.escapes == 0
    assert tally.refused > 0
    assert tally.opens >= OPENS


@pytest.mark.slow
def test_the_race_catches_a_path_that_is_checked_first_and_opened_later(tmp_path: Path) -> None:
    assert raced(tmp_path, "read", CheckedThenOpened, lambda tally: tally.escapes > 0).escapes > 0
