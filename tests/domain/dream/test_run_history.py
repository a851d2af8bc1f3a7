"""Where an entry of the journal stands: it waits, a run read it, or it was passed over."""

from __future__ import annotations

from mnemoscope.domain.dream.position import DreamPosition
from mnemoscope.domain.dream.run import DreamRun, RunOutcome, Spend
from mnemoscope.domain.dream.run_history import DreamReadIndex


def run(name: str, first: int, last: int, outcome: RunOutcome = "changed") -> DreamRun:
    return DreamRun(name, "2026-05-03T09:00:00", 1.0, "manual", "m", first, last, 1, 1, Spend(), outcome)


def test_an_entry_beyond_the_cursor_waits_whatever_once_read_it() -> None:
    reach = DreamReadIndex(DreamPosition(4), [run("b", 5, 8), run("a", 1, 4)])
    assert [reach.place.waits(cursor) for cursor in (4, 5)] == [False, True]
    assert reach.run_of(5) is None


def test_the_newest_run_that_came_to_an_end_with_an_entry_is_the_one_that_read_it() -> None:
    reach = DreamReadIndex(DreamPosition(9), [run("c", 1, 9, "failed"), run("b", 3, 5, "nothing"), run("a", 1, 5)])
    found = [reach.run_of(cursor) for cursor in (2, 3, 3)]
    assert [one.id if one else "" for one in found] == ["a", "b", "b"]


def test_an_entry_before_the_cursor_that_no_run_read_was_passed_over() -> None:
    reach = DreamReadIndex(DreamPosition(9), [run("a", 5, 9)])
    assert not reach.place.waits(2)
    assert reach.run_of(2) is None


def test_what_says_the_same_of_every_entry_is_equal() -> None:
    assert DreamReadIndex(DreamPosition(4), [run("a", 1, 4)]) == DreamReadIndex(
        DreamPosition(4), [run("a", 1, 4), run("x", 1, 4, "stopped")]
    )
    assert DreamReadIndex(DreamPosition(4)) != DreamReadIndex(DreamPosition(5))


def test_an_entry_that_is_to_be_read_again_waits_whatever_the_cursor_says() -> None:
    reach = DreamReadIndex(DreamPosition(9, ((3, 4),)), [run("a", 1, 9)])
    assert [reach.place.waits(cursor) for cursor in (2, 3, 4, 5)] == [False, True, True, False]
    assert reach.run_of(3) is None
