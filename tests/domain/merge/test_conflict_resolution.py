from __future__ import annotations

import pytest

from mnemoscope.domain.merge.conflict_resolution import Side, settle_conflict
from mnemoscope.domain.merge.three_way import Conflict

TEXT = "# A\n- mine\n- last\n"
THEIRS = "# A\n- theirs\n- last\n"


@pytest.mark.parametrize(
    ("side", "expected"),
    [("mine", TEXT), ("theirs", THEIRS), ("both", "# A\n- mine\n- theirs\n- last\n")],
)
def test_a_reworded_line_is_settled_in_its_place(side: Side, expected: str) -> None:
    assert settle_conflict(TEXT, Conflict("- old", "- mine", "- theirs"), side, THEIRS) == expected


def test_what_they_deleted_is_deleted_with_its_line() -> None:
    assert settle_conflict(TEXT, Conflict("- old", "- mine", ""), "theirs", "# A\n- last\n") == "# A\n- last\n"


@pytest.mark.parametrize("side", ["theirs", "both"])
def test_what_i_deleted_comes_back_where_they_have_it(side: Side) -> None:
    conflict = Conflict("- old", "", "- theirs")
    assert settle_conflict("# A\n- last\n", conflict, side, THEIRS) == THEIRS


def test_what_i_deleted_comes_back_at_the_end_where_nothing_near_it_is_left() -> None:
    assert settle_conflict("other", Conflict("- old", "", "- theirs"), "theirs", THEIRS) == "other\n- theirs\n"


def test_part_of_a_longer_line_is_not_taken_for_the_passage() -> None:
    text = "- mine and more\n- mine\n"
    assert settle_conflict(text, Conflict("", "- mine", "- theirs"), "theirs", "") == "- mine and more\n- theirs\n"


def test_a_passage_that_was_edited_away_settles_nothing() -> None:
    assert settle_conflict(TEXT, Conflict("- old", "- gone", "- theirs"), "theirs", THEIRS) is None
