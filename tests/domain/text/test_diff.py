from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.text.diff import (
    DiffLine,
    LineEdit,
    changed_lines,
    count_changes,
    diff_lines,
    line_edits,
    split_lines,
    without_edit,
    word_spans,
)
from tests.support.own_time import at_most

LINES = st.sampled_from(["", "# Project", "- tea", "- coffee", "- green tea", "x\u2028y"])
TEXTS = st.lists(LINES, max_size=12).map("\n".join)


def apply(text: str, other: str) -> str:
    lines = split_lines(text)
    for edit in reversed(line_edits(text, other)):
        lines[edit.start : edit.stop] = edit.lines
    return "\n".join(lines)


@given(TEXTS, TEXTS)
def test_the_edits_make_the_new_text_of_the_old(before: str, after: str) -> None:
    assert apply(before, after) == after


@given(TEXTS, TEXTS)
def test_every_line_of_both_sides_is_in_the_whole_diff_once(before: str, after: str) -> None:
    rows = diff_lines(before, after, context=1_000)
    if before == after:
        assert rows == ()
        return
    assert [row.text for row in rows if row.kind != "added"] == split_lines(before)
    assert [row.text for row in rows if row.kind != "removed"] == split_lines(after)


def test_equal_texts_have_no_diff() -> None:
    assert diff_lines("a\nb", "a\nb") == ()
    assert changed_lines("a", "a") == ()


def test_a_reworded_line_marks_the_words_that_changed() -> None:
    removed, added = diff_lines("- Deadline is 12 May", "- Deadline is 14 May")
    assert (removed.kind, removed.text[slice(*removed.spans[0])]) == ("removed", "12")
    assert (added.kind, added.text[slice(*added.spans[0])]) == ("added", "14")


def test_lines_with_little_in_common_have_no_word_marks() -> None:
    assert word_spans("the quick brown fox", "SELECT 1;") == ((), ())


def test_a_very_long_line_is_not_compared_by_word() -> None:
    assert word_spans("a " * 3_000, "a " * 3_001) == ((), ())


def test_far_unchanged_lines_become_a_gap_that_counts_them() -> None:
    before = "\n".join(str(n) for n in range(20))
    rows = diff_lines(before, before.replace("\n10\n", "\nten\n"), context=2)
    assert [row.kind for row in rows] == ["gap", "same", "same", "removed", "added", "same", "same", "gap"]
    assert rows[0] == DiffLine("gap", "8")
    assert (rows[1].old, rows[1].new) == (8, 8)


def test_a_gap_never_hides_a_single_line() -> None:
    rows = diff_lines("a\nb\nc\nd", "a\nb\nc\nD", context=2)
    assert [row.kind for row in rows] == ["same", "same", "same", "removed", "added"]


def test_a_reworded_line_is_paired_with_its_likeness_not_with_its_neighbour() -> None:
    rows = diff_lines("- Sam keeps 20 connections", "- New here\n- Sam keeps 30 connections")
    marked = {row.text: row.spans for row in rows if row.kind == "added"}
    assert marked["- New here"] == ()
    assert marked["- Sam keeps 30 connections"]


def test_changes_are_counted() -> None:
    assert count_changes(diff_lines("a\nb", "a\nc\nd")) == (2, 1)


def test_changed_lines_are_numbered_in_the_new_text() -> None:
    assert changed_lines("a\nb\nc", "a\nnew\nb\nC") == (1, 3)


def test_one_changed_line_in_five_megabytes_is_found_at_once() -> None:
    before = "\n".join(f"- item {n} with some words in it" for n in range(150_000))
    after = before.replace("item 75000 ", "thing ")
    with at_most(2.0):
        edits = line_edits(before, after)
    assert [(edit.start, edit.stop) for edit in edits] == [(75_000, 75_001)]


def test_one_change_is_taken_back_and_the_others_stay() -> None:
    before, after = "a\nb\nc\nd\ne", "a\nB\nB2\nc\ne\nf"
    assert without_edit(before, after, 0) == "a\nb\nc\ne\nf"
    assert without_edit(before, after, 1) == "a\nB\nB2\nc\nd\ne\nf"
    assert without_edit(before, after, 2) == "a\nB\nB2\nc\ne"


def applied(before: str, edits: Sequence[LineEdit]) -> str:
    lines = split_lines(before)
    for edit in reversed(edits):
        lines[edit.start : edit.stop] = edit.lines
    return "\n".join(lines)


@pytest.mark.slow
@given(TEXTS, TEXTS)
def test_a_change_that_is_taken_back_leaves_all_others(before: str, after: str) -> None:
    edits = line_edits(before, after)
    assert applied(before, edits) == after
    for number in range(len(edits)):
        assert without_edit(before, after, number) == applied(before, [*edits[:number], *edits[number + 1 :]])


@given(TEXTS, TEXTS)
def test_the_passages_of_a_diff_are_the_edits_in_their_order(before: str, after: str) -> None:
    rows, runs = diff_lines(before, after), 0
    for row, previous in zip(rows, (None, *rows), strict=False):
        changed = row.kind in {"added", "removed"}
        runs += changed and (previous is None or previous.kind not in {"added", "removed"})
    assert runs == len(line_edits(before, after))
