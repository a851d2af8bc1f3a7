"""What holds of every merge of MEMORY.md, whatever the three texts are."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mnemoscope.domain.memory.facts import fact_key, fact_lines
from mnemoscope.domain.merge.three_way import merge_memory

FACTS = [
    "- Name is Sam",
    "- Likes green tea",
    "- likes green tea.",
    "- Likes black tea",
    "- Lives in Paris",
    "- Lives in Paris, near the river",
    "- Has a dog",
    "- Deadline is May 12",
    "- Deadline is May 14",
    "1. First step",
    "  - nested item",
    "- Has a cat\n  with stripes",
    "plain words",
    "| a | b |",
    "> quoted",
]
OTHERS = ["# User", "# Project", "## User", "", "---", "```\ncode\n\n- Has a dog\n```", "\u2028", "x\r"]
OPEN = ("```", "~~~", "   ")
"""A block of code that is never closed: what follows it changes what it is."""
LINES = st.lists(st.one_of(st.sampled_from(FACTS), st.sampled_from(OTHERS)), max_size=12)
ENDS = st.sampled_from(["\n", ""])


@st.composite
def texts(draw: st.DrawFn, more: tuple[str, ...] = ()) -> str:
    lines = draw(LINES)
    is_longer: bool = bool(more) and draw(st.booleans())
    if is_longer:
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(more)))
    return "\n".join(lines) + draw(ENDS)


@st.composite
def edited(draw: st.DrawFn, base: str) -> str:
    """Returns a few lines of `base` taken out, put in, replaced or moved, as people and models edit."""
    lines = base.split("\n")
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(lines)))
        kind = draw(st.sampled_from(["delete", "insert", "replace", "move"]))
        taken = lines[place : place + 1] if kind != "insert" else []
        del lines[place : place + len(taken)]
        if kind == "move":
            place = draw(st.integers(0, len(lines)))
            lines[place:place] = taken
        elif kind != "delete":
            lines.insert(place, draw(st.sampled_from(FACTS)))
    return "\n".join(lines)


@st.composite
def threes(draw: st.DrawFn, more: tuple[str, ...] = OPEN) -> tuple[str, str, str]:
    base = draw(texts(more))
    grown = st.lists(st.sampled_from(FACTS), max_size=2).map(lambda lines: "\n".join([base.rstrip("\n"), *lines]))
    sides = st.one_of(texts(more), edited(base), edited(base), grown)
    return base, draw(sides), draw(sides)


def said(text: str) -> set[str]:
    """Returns the lines as they stand, but for blanks at their end and the marks around code."""
    return {line.rstrip() for line in text.split("\n") if line.strip() and not line.startswith(("```", "~~~"))}


def lines_of(text: str) -> list[str]:
    """Returns the lines without the blank ones: how many of those stand at a join may differ."""
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def has_doubles(text: str) -> bool:
    lines = [fact_key(line) for line in lines_of(text)]
    return len(set(lines)) < len(lines)


def senses(text: str) -> set[str]:
    return {key for line in fact_lines(text) if (key := fact_key(line))}


@pytest.mark.slow
@given(texts(), texts())
def test_a_change_of_one_side_alone_is_taken_to_the_letter(base: str, changed: str) -> None:
    assert merge_memory(base, changed, base).text == changed
    assert merge_memory(base, base, changed).text == changed
    assert merge_memory(base, changed, changed).text == changed


@pytest.mark.slow
@given(threes())
def test_no_line_of_the_persons_is_lost_but_what_the_model_took_out(sides: tuple[str, str, str]) -> None:
    base, ours, theirs = sides
    found = merge_memory(base, ours, theirs)
    mine = {line for line in said(ours) if line not in said(base) or line in said(theirs)}
    lost = mine - said(found.text)
    assert {fact_key(line) for line in lost} <= senses(found.text), lost


@pytest.mark.slow
@given(threes())
def test_there_are_never_conflict_markers(sides: tuple[str, str, str]) -> None:
    found = merge_memory(*sides)
    for text in (found.text, found.proposed):
        assert not re.search(r"^(<{7}|>{7}|={7}|\|{7})", text, re.MULTILINE)


@pytest.mark.slow
@given(threes())
def test_every_line_of_the_merge_stood_on_one_of_the_sides(sides: tuple[str, str, str]) -> None:
    found = merge_memory(*sides)
    assert said(found.text) <= said(sides[1]) | said(sides[2])
    assert said(found.proposed) <= said(sides[1]) | said(sides[2])


@pytest.mark.slow
@given(threes())
def test_what_the_person_deleted_stays_deleted(sides: tuple[str, str, str]) -> None:
    base, ours, theirs = sides
    found = merge_memory(base, ours, theirs)
    assert not (senses(base) - senses(ours)) & senses(found.text)


def keeps_order(base: str, text: str) -> bool:
    """Returns whether what is left of `base` stands in the order it had."""
    left = [line for line in lines_of(base) if line in lines_of(text)]
    return [line for line in lines_of(text) if line in left] == left


@pytest.mark.slow
@given(threes(()))
def test_growth_that_was_merged_is_not_merged_twice(sides: tuple[str, str, str]) -> None:
    base, ours, theirs = sides
    # Which of two equal lines was taken out, or that one was moved, cannot be told once it is gone.
    assume(not any(has_doubles(text) for text in sides) and said(base) <= said(theirs) and keeps_order(base, theirs))
    once = merge_memory(base, ours, theirs)
    again = merge_memory(base, once.text, theirs)
    assert sorted(lines_of(again.text)) == sorted(lines_of(once.text))
    if keeps_order(base, ours):
        assert lines_of(again.text) == lines_of(once.text)


@pytest.mark.slow
@given(threes())
def test_nothing_of_the_other_side_is_dropped_without_a_word(sides: tuple[str, str, str]) -> None:
    base, ours, theirs = sides
    found = merge_memory(base, ours, theirs)
    wanted = senses(theirs) - senses(base)
    assert wanted <= senses(found.text) | senses(found.proposed)


@pytest.mark.slow
@given(threes())
def test_both_texts_differ_only_where_there_are_conflicts(sides: tuple[str, str, str]) -> None:
    found = merge_memory(*sides)
    assert found.conflicts or found.text == found.proposed


@pytest.mark.slow
@given(texts(), texts())
def test_without_a_base_no_line_of_either_side_is_lost(ours: str, theirs: str) -> None:
    found = merge_memory(None, ours, theirs)
    assert said(ours) <= said(found.text)
    assert senses(theirs) <= senses(found.text) | senses(found.proposed)
