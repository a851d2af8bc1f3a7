"""Rows of the timeline: where they lie, what is grouped, what a filter lists."""

from __future__ import annotations

import random
from itertools import pairwise
from time import thread_time
from typing import Any

import pytest

from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.timeline.row_filter import STEP, RoleFilter, RowFilter, StateFilter, scan_span, state_spans
from mnemoscope.domain.timeline.rows import (
    EntryGroups,
    RowKind,
    RowMeasures,
    RowStack,
    TimelineRow,
    push_consolidated,
    push_matches,
    push_unconsolidated,
    unfolded_at_first,
)

MEASURES = RowMeasures(message=10, pointer=20, kept=5, entry=100)


def record(start: int, stop: int) -> ConsolidationRecord:
    return ConsolidationRecord(f"{start}-{stop}", "desktop:x", "", start, stop, "2026-03-12T14:30", f"entry of {start}")


def stacked(
    total: int,
    pointer: int,
    groups: EntryGroups,
    unfolded: set[int] | None = None,
    keep: int = 0,
    measures: RowMeasures = MEASURES,
) -> RowStack:
    stack = RowStack()
    push_consolidated(stack, groups, unfolded or set(), pointer, measures)
    push_unconsolidated(stack, pointer, total, keep, measures)
    return stack


def row_names(stack: RowStack) -> list[str]:
    return [f"{stack.row(place).kind.value} {stack.row(place).number}" for place in range(stack.rows)]


def test_folded_entries_stand_above_the_pointer_and_the_unconsolidated_messages_below() -> None:
    stack = stacked(6, 4, EntryGroups([record(0, 2), record(2, 4)], 4))
    assert row_names(stack) == ["entry 0", "entry 1", "pointer 4", "message 4", "message 5"]


def test_an_unfolded_entry_is_followed_by_its_messages() -> None:
    stack = stacked(5, 4, EntryGroups([record(0, 2), record(2, 4)], 4), {0})
    assert row_names(stack) == ["entry 0", "message 0", "message 1", "entry 1", "pointer 4", "message 4"]


def test_consolidated_messages_without_an_entry_are_listed_where_they_belong() -> None:
    stack = stacked(9, 8, EntryGroups([record(2, 4), record(6, 7)], 8))
    expected = ["message 0", "message 1", "entry 0", "message 4", "message 5", "entry 1", "message 7", "pointer 8"]
    assert row_names(stack) == [*expected, "message 8"]


def test_the_kept_window_is_marked_where_the_next_consolidation_takes_something() -> None:
    assert row_names(stacked(5, 1, EntryGroups(), keep=2)) == [
        "message 0", "pointer 1", "message 1", "message 2", "kept 3", "message 3", "message 4",
    ]  # fmt: skip
    assert "kept" not in " ".join(row_names(stacked(5, 3, EntryGroups(), keep=2)))


def test_a_session_with_nothing_consolidated_starts_with_the_pointer() -> None:
    assert row_names(stacked(2, 0, EntryGroups())) == ["pointer 0", "message 0", "message 1"]


@pytest.mark.parametrize(
    ("records", "spans_kept"),
    [
        ([record(2, 4), record(0, 2)], [(0, 2), (2, 4)]),
        ([record(0, 3), record(2, 4)], [(0, 3), (3, 4)]),
        ([record(0, 4), record(1, 2)], [(0, 4)]),
        ([record(-3, 2), record(3, 99)], [(0, 2), (3, 4)]),
        ([record(2, 2), record(3, 1), record(50, 60)], []),
    ],
    ids=["out of order", "overlapping", "one within another", "beyond the ends", "empty or after the pointer"],
)
def test_no_message_is_in_two_groups_and_none_is_after_the_pointer(
    records: list[ConsolidationRecord], spans_kept: list[tuple[int, int]]
) -> None:
    groups = EntryGroups(records, 4)
    assert list(zip(groups.starts, groups.stops, strict=True)) == spans_kept
    assert len(groups) == len(spans_kept)


def test_a_message_knows_the_group_that_holds_it() -> None:
    groups = EntryGroups([record(2, 4), record(6, 7)], 8)
    assert [groups.holding(index) for index in range(8)] == [None, None, 0, 0, None, None, 1, None]


def test_only_the_newest_entries_are_unfolded_at_first() -> None:
    groups = EntryGroups([record(0, 50), record(50, 55), record(55, 58)], 58)
    assert unfolded_at_first(groups, 8) == {1, 2}
    assert unfolded_at_first(groups, 2) == set()
    assert unfolded_at_first(EntryGroups(), 8) == set()


@pytest.mark.parametrize("own_heights", [False, True], ids=["equal entries", "entries of their own height"])
def test_every_row_is_found_by_its_place_its_height_and_its_message(*, own_heights: bool) -> None:
    chance = random.Random(3)
    for _ in range(60):
        total = chance.randrange(1, 60)
        pointer = chance.randrange(0, total + 1)
        cuts = sorted(chance.sample(range(pointer + 1), min(pointer + 1, 5)))
        groups = EntryGroups([record(*pair) for pair in pairwise(cuts) if chance.random() < 0.7], pointer)
        heights = tuple(chance.randrange(40, 90) for _ in range(len(groups))) if own_heights else ()
        unfolded = {place for place in range(len(groups)) if chance.random() < 0.5}
        stack = stacked(total, pointer, groups, unfolded, chance.randrange(9), RowMeasures(10, 20, 5, 100, heights))
        top = 0
        for place in range(stack.rows):
            row = stack.row(place)
            assert stack.top(place) == top
            assert stack.place_at(top) == stack.place_at(top + stack.row_height(place) - 1) == place
            assert stack.place_of_row(row) == place
            top += stack.row_height(place)
        assert top == stack.height
        listed = [stack.row(place).number for place in range(stack.rows) if stack.row(place).kind is RowKind.MESSAGE]
        folded = [number for place in range(len(groups)) if place not in unfolded for number in groups.numbers(place)]
        assert sorted(listed + folded) == list(range(total))
        assert all(stack.place_of(number) is None for number in folded)


def test_places_outside_are_refused_and_heights_outside_are_clamped() -> None:
    stack = stacked(3, 0, EntryGroups())
    assert stack.place_at(-50) == 0
    assert stack.place_at(10_000) == stack.rows - 1
    assert RowStack().place_at(0) == -1
    with pytest.raises(IndexError):
        stack.row(stack.rows)
    assert stack.place_of(3) is None
    assert stack.place_of_row(TimelineRow(RowKind.ENTRY, 0)) is None


def test_the_end_can_be_cut_and_laid_again() -> None:
    stack = RowStack()
    groups = EntryGroups([record(0, 2)], 2)
    push_consolidated(stack, groups, set(), 2, MEASURES)
    head = stack.mark()
    for total in range(2, 9):
        stack.cut(head)
        push_unconsolidated(stack, 2, total, 3, MEASURES)
        assert row_names(stack) == row_names(stacked(total, 2, groups, keep=3))
        assert stack.height == stacked(total, 2, groups, keep=3).height


def test_what_a_filter_found_has_the_pointer_where_it_belongs() -> None:
    stack = RowStack()
    push_matches(stack, [[0, 3], [5, 8, 9]], 6, MEASURES)
    assert row_names(stack) == ["message 0", "message 3", "message 5", "pointer 6", "message 8", "message 9"]
    assert stack.place_of(8) == 4
    assert stack.place_of(4) is None
    everything_consolidated = RowStack()
    push_matches(everything_consolidated, [[0, 3]], 6, MEASURES)
    assert row_names(everything_consolidated)[-1] == "pointer 6"


@pytest.mark.slow
def test_a_million_messages_cost_no_more_than_ten_thousand() -> None:
    def cost(total: int) -> float:
        groups = EntryGroups([record(start, start + 50) for start in range(0, total - 100, 50)], total - 100)
        stack = stacked(total, total - 100, groups, {len(groups) // 2}, 50)
        start = thread_time()
        for step in range(2_000):
            place = stack.place_at(step * 997 % stack.height)
            stack.top(place)
            stack.row(place)
        return thread_time() - start

    assert min(cost(1_000_000) for _ in range(3)) < 3 * min(cost(10_000) for _ in range(3))


def session(count: int) -> list[dict[str, Any]]:
    roles = ("user", "assistant", "tool")
    return [{"role": roles[number % 3], "content": str(number), "tool_call_id": "x"} for number in range(count)]


def test_a_scan_finds_the_newest_matches_first() -> None:
    messages = session(3 * STEP)
    steps = list(scan_span(messages, range(len(messages)), RowFilter(role=RoleFilter.USER)))
    assert len(steps) == 3
    assert steps[0][0] >= 2 * STEP
    found = [number for step in reversed(steps) for number in step]
    assert found == list(range(0, len(messages), 3))


def test_a_command_is_listed_under_no_role() -> None:
    command = {"role": "user", "content": "/help", "_command": True}
    assert not RowFilter(role=RoleFilter.USER).accepts(command)
    assert RowFilter().accepts(command)


def test_left_out_messages_are_listed_from_the_selection_alone() -> None:
    messages = session(20)
    selection = select_history(messages, 4, 8)
    newest, older = state_spans(StateFilter.LEFT_OUT, 4, 20, selection)
    assert all(selection.reason(index) for index in (*newest, *older))
    assert list(older) == list(range(4, 12))
    assert state_spans(StateFilter.CONSOLIDATED, 4, 20, selection) == [range(4)]
    assert state_spans(StateFilter.UNCONSOLIDATED, 4, 20, selection) == [range(4, 20)]
