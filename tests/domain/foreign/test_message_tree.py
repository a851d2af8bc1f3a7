"""The path to a leaf and the branches beside it, whatever the parents are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.foreign.message_tree import NO_PARENT, branch_ends, nearest_above, path_to


def test_the_path_goes_from_the_root_to_the_leaf() -> None:
    assert list(path_to([NO_PARENT, 0, 1, 0, 3], 4)) == [0, 3, 4]


def test_a_parent_that_is_not_there_is_no_parent() -> None:
    assert list(path_to([NO_PARENT, 99, 1], 2)) == [1, 2]
    assert list(path_to([NO_PARENT], NO_PARENT)) == []


def test_a_circle_ends_where_it_would_begin_again() -> None:
    assert list(path_to([2, 0, 1], 2)) == [0, 1, 2]
    assert list(path_to([0], 0)) == [0]


def test_the_nearest_message_above_is_found_over_records_that_are_none() -> None:
    assert list(nearest_above([NO_PARENT, 0, 1, 2, 2], [1, 0, 0, 1, 1])) == [NO_PARENT, 0, 0, 0, 0]


def test_a_branch_ends_with_a_message_that_none_comes_after() -> None:
    parents = [NO_PARENT, 0, 1, 0, 3, 4]
    messages = [1, 1, 1, 1, 1, 0]
    assert branch_ends(parents, messages, [0, 1, 2]) == (4,)
    assert branch_ends(parents, messages, [0, 3, 4]) == (2,)


def test_a_record_that_is_no_message_ends_no_branch() -> None:
    assert branch_ends([NO_PARENT, 0, 0], [1, 1, 0], [0, 1]) == ()


def test_a_hundred_thousand_records_in_a_row_need_no_deep_stack() -> None:
    parents = range(-1, 99_999)
    assert len(path_to(parents, 99_999)) == 100_000
    assert nearest_above(parents, bytes(100_000))[-1] == NO_PARENT


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    size = draw(st.integers(1, 30))
    parents = draw(st.lists(st.integers(-2, size + 1), min_size=size, max_size=size))
    return parents, draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))


def plainly_above(parents: list[int], wanted: list[int], start: int) -> int:
    seen = set()
    place = start
    while place not in seen:
        seen.add(place)
        place = parents[place]
        if not 0 <= place < len(parents):
            return NO_PARENT
        if wanted[place]:
            return place
    return NO_PARENT


@given(trees())
def test_whatever_the_parents_are_the_nearest_above_is_what_walking_finds(tree: tuple[list[int], list[int]]) -> None:
    parents, wanted = tree
    assert list(nearest_above(parents, wanted)) == [plainly_above(parents, wanted, at) for at in range(len(parents))]


@given(trees(), st.integers(-1, 29))
def test_whatever_the_parents_are_a_path_has_no_place_twice(tree: tuple[list[int], list[int]], leaf: int) -> None:
    parents, messages = tree
    path = path_to(parents, leaf)
    assert len(set(path)) == len(path)
    assert not set(branch_ends(parents, messages, path)) & set(path)
