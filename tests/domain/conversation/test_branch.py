"""Branches of a conversation: what they share, who said what, and where a person may go another way."""

from __future__ import annotations

import pytest

from mnemoscope.domain.conversation.branch import FORKS, Branch, Fork, branch_choices, branch_of

ROOT = Branch("2026-01-01")
EDITED = ROOT.forked(60, "2026-01-02")
LATER = EDITED.forked(75, "2026-01-03")
EARLIER = EDITED.forked(40, "2026-01-04")
BESIDE = ROOT.forked(60, "2026-01-05")


def test_a_branch_names_the_ways_it_came_out_of_up_to_where_it_left_them() -> None:
    assert EDITED.forks == (Fork("2026-01-01", 60),)
    assert LATER.forks == (Fork("2026-01-01", 60), Fork("2026-01-02", 75))
    assert EARLIER.forks == (Fork("2026-01-01", 40),)
    assert EDITED.forked(60, "x").forks == (Fork("2026-01-01", 60),)
    assert ROOT.forked(0, "x").root == "2026-01-01"
    assert [each.own_start for each in (ROOT, EDITED, LATER, EARLIER)] == [0, 60, 75, 40]


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (ROOT, EDITED, 60),
        (ROOT, LATER, 60),
        (EDITED, LATER, 75),
        (LATER, EARLIER, 40),
        (EDITED, BESIDE, 60),
        (LATER, BESIDE, 60),
        (EDITED, EDITED, None),
        (ROOT, Branch("elsewhere"), 0),
    ],
)
def test_two_branches_share_the_messages_before_they_parted(one: Branch, other: Branch, shared: int | None) -> None:
    assert one.shared_with(other) == other.shared_with(one) == shared


def test_a_message_belongs_to_the_branch_it_was_said_in() -> None:
    owners = [LATER.owner_of(index) for index in (0, 59, 60, 74, 75, 900)]
    assert owners == ["2026-01-01"] * 2 + ["2026-01-02"] * 2 + ["2026-01-03"] * 2


def test_a_range_of_another_branch_reaches_as_far_as_it_is_shared() -> None:
    assert ROOT.reach_of(LATER, 80) == 60
    assert ROOT.reach_of(LATER, 50) == 50
    assert LATER.reach_of(LATER, 80) == 80


def test_what_the_metadata_says_is_read_back_and_nonsense_is_no_fork() -> None:
    assert branch_of("2026-01-03", {FORKS: LATER.as_field()}) == LATER
    for field in (None, "x", [["a"]], [[1, 2]], [["a", True]], [["a", -1]], [["a", 9], ["b", 3]], {"a": 1}):
        assert branch_of("b", {FORKS: field}) == Branch("b")


def test_ways_are_offered_where_they_part_and_the_one_used_last_stands_for_those_that_go_along() -> None:
    others = {ROOT: "1", LATER: "3", EARLIER: "4", BESIDE: "5"}
    choices = branch_choices(EDITED, others)
    assert [(each.index, each.places, each.here) for each in choices] == [
        (40, (EDITED, EARLIER), 0),
        (60, (ROOT, EDITED, BESIDE), 1),
        (75, (EDITED, LATER), 0),
    ]
    from_root = branch_choices(ROOT, {EDITED: "1", LATER: "2", EARLIER: "0", BESIDE: "0"})
    assert [(each.index, each.places, each.here) for each in from_root] == [
        (40, (ROOT, EARLIER), 0),
        (60, (ROOT, LATER, BESIDE), 0),
    ]


def test_a_branch_of_another_conversation_is_never_offered() -> None:
    assert branch_choices(ROOT, {Branch("elsewhere"): "1"}) == []
