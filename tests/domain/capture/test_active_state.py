"""What of a state holds on a branch, by the records of its captures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mnemoscope.domain.capture.active_state import active_state, lines_left
from mnemoscope.domain.capture.record import REFUSED, UNDONE, CaptureRecord, twin_reason
from mnemoscope.domain.conversation.branch import Branch, Fork
from mnemoscope.domain.conversation.inactive_messages import inactive_on

ROOT = Branch("began")
OTHER = Branch("later", (Fork("began", 4),))
MESSAGES = [{"role": "user", "content": f"m{number}"} for number in range(8)]


def record(name: str, index: int, began: str = "began", **more: str) -> CaptureRecord:
    return CaptureRecord(
        name,
        "2026-11-22T09:00:00",
        "desktop:x",
        began,
        index,
        "preference",
        name,
        fact=f"fact {name}",
        state_line=line(name),
        **more,
    )


def line(name: str) -> str:
    return f"- [2026-11-22T09:00:00+00:00] **preference**: {name}"


def struck(name: str) -> str:
    return f"- ~~{line(name)[2:]}~~ (until 2026-11-22)"


def sent(rows: Sequence[str], *records: CaptureRecord) -> list[str]:
    """Returns the lines that hold on the branch that began first."""
    return active_state("\n".join(rows), records, inactive_on(ROOT, [OTHER], MESSAGES)).split("\n")


@pytest.mark.parametrize(
    ("index", "began", "is_left"),
    [
        (2, "began", False),
        (5, "began", False),
        (5, "later", True),
        (5, "before all", False),
        (9, "began", False),
    ],
    ids=["shared", "of this branch", "of another branch", "of no branch that is known", "not written yet"],
)
def test_a_message_is_left_where_another_branch_alone_has_it(index: int, began: str, is_left: bool) -> None:
    assert inactive_on(ROOT, [OTHER], MESSAGES)(record("tea", index, began)) is is_left


def test_a_line_that_a_message_which_stays_says_too_is_sent() -> None:
    tea, cake = record("tea", 5, "later"), record("cake", 5, "later")
    again = replace(record("again", 6), fact=tea.fact, outcome=REFUSED, reason=twin_reason(line("tea")), state_line="")
    assert lines_left([tea, cake], [again]) == {line("cake")}
    assert sent([line("tea"), line("cake"), "By hand"], tea, cake, again) == [line("tea"), "By hand"]


def test_a_line_is_struck_by_what_holds_alone() -> None:
    rows = [struck("tea"), line("cake")]
    tea, cake = record("tea", 2), record("cake", 6, replaced_state=line("tea"))
    assert sent(rows, tea, cake) == rows
    assert sent(rows, tea) == rows, "nobody knows what struck it"
    assert sent(rows, tea, replace(cake, session_created_at="later")) == [line("tea")]
    assert sent(rows[:1], tea, replace(cake, outcome=UNDONE)) == [line("tea")]


def test_what_strikes_a_line_that_is_left_strikes_what_that_one_struck() -> None:
    rows = [struck("tea"), struck("cake"), line("pie")]
    tea, cake = record("tea", 2), record("cake", 5, "later", replaced_state=line("tea"))
    pie = record("pie", 6, replaced_state=line("cake"))
    assert sent(rows, tea, cake, pie) == [struck("tea"), line("pie")]
    assert sent(rows, tea, cake, replace(pie, session_created_at="later")) == [line("tea")]


def test_what_is_left_and_said_anew_strikes_as_before() -> None:
    rows = [struck("tea"), line("cake")]
    tea, cake = record("tea", 2), record("cake", 5, "later", replaced_state=line("tea"))
    again = replace(
        record("again", 6), fact=cake.fact, outcome=REFUSED, reason=twin_reason(line("cake")), state_line=""
    )
    assert sent(rows, tea, cake, again) == rows


def test_records_that_strike_each_other_end() -> None:
    tea = record("tea", 5, "later", replaced_state=line("cake"))
    cake = record("cake", 5, "later", replaced_state=line("tea"))
    assert sent([struck("tea"), struck("cake")], tea, cake) == [""]
