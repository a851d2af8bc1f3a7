"""Each line of a memory file is known by the call that first gave it its present words, or nothing is said of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.foreign.edit_replay import line_sources, with_commits
from mnemoscope.domain.foreign.foreign_records import MemoryCommit, MemoryEdit, TextReplacement
from tests.foreign_stores.edit_histories import PATH, Telling, edit_history

BEGIN = datetime(2026, 11, 2, tzinfo=UTC)
OUTSIDE = "outside"
UNKNOWN = "unknown"


def nothing(_: str) -> str | None:
    return None


def call(name: str, minute: int | None, **given: object) -> MemoryEdit:
    when = None if minute is None else BEGIN + timedelta(minutes=minute)
    fields: dict[str, object] = {"apply": nothing} | given
    return MemoryEdit(path=PATH, when=when, conversation="c", place=0, message_text=name, **fields)  # type: ignore[arg-type]


def write(name: str, minute: int | None, after: str, before: str | None = None) -> MemoryEdit:
    return call(name, minute, after=after, before=before)


def edit(name: str, minute: int | None, *pairs: tuple[str, str], is_all: bool = False) -> MemoryEdit:
    return call(name, minute, replacements=tuple(TextReplacement(old, new, is_all) for old, new in pairs))


def owners(text: str, *edits: MemoryEdit) -> list[str]:
    return [
        UNKNOWN if each.is_unknown else each.edit.message_text if each.edit else OUTSIDE
        for each in line_sources(PATH, text, edits)
    ]


def test_a_file_that_no_call_wrote_came_from_outside() -> None:
    assert owners("a\nb\n") == [OUTSIDE, OUTSIDE]
    assert owners("") == []


def test_lines_are_numbered_and_keep_their_text() -> None:
    first, second = line_sources(PATH, "a\r\nb", [write("w", 0, "a\n")])
    assert (first.path, first.line, first.text, second.line, second.text) == (PATH, 1, "a", 2, "b")
    assert (first.is_outside, second.is_outside) == (False, True)


def test_edits_of_another_file_are_passed_over() -> None:
    other = MemoryEdit("other.md", BEGIN, "c", 0, "other", nothing, after="a\n")
    assert owners("a\n", other) == [OUTSIDE]


def test_a_line_that_is_written_again_keeps_the_call_that_wrote_it_first() -> None:
    assert owners("a\nb\nc\n", write("one", 0, "a\nb\n"), write("two", 1, "a\nb\nc\n")) == ["one", "one", "two"]


def test_a_call_that_changes_words_of_a_line_has_the_line() -> None:
    assert owners("likes tea\nb\n", write("one", 0, "likes coffee\nb\n"), edit("two", 1, ("coffee", "tea"))) == [
        "two",
        "one",
    ]


def test_what_stands_around_the_change_in_a_call_stays_whose_it_was() -> None:
    text = "a\nb\nnew\nc\n"
    assert owners(text, write("one", 0, "a\nb\nc\n"), edit("two", 1, ("b\nc", "b\nnew\nc"))) == [
        "one",
        "one",
        "two",
        "one",
    ]


def test_a_moved_line_keeps_its_call() -> None:
    assert owners("c\na\nb\n", write("one", 0, "a\nb\nc\n"), write("two", 1, "c\na\nb\n")) == ["one"] * 3


def test_a_line_that_was_gone_and_written_again_is_the_later_calls() -> None:
    steps = (write("one", 0, "a\nb\n"), edit("two", 1, ("a\n", "")), edit("three", 2, ("b", "b\na")))
    assert owners("b\na\n", *steps) == ["one", "three"]


def test_several_replacements_of_one_call_are_taken_in_order() -> None:
    assert owners("x\ny\n", write("one", 0, "a\nb\n"), edit("two", 1, ("a", "c"), ("c", "x"), ("b", "y"))) == [
        "two",
        "two",
    ]


def test_all_that_is_equal_is_replaced() -> None:
    steps = (write("one", 0, "a tea\nb\nc tea\n"), edit("two", 1, ("tea", "coffee"), is_all=True))
    assert owners("a coffee\nb\nc coffee\n", *steps) == ["two", "one", "two"]


def test_a_line_put_beside_an_equal_one_is_told_by_its_place() -> None:
    steps = (write("one", 0, "a\nb\nc\n"), edit("two", 1, ("b", "b\na")))
    assert owners("a\nb\na\nc\n", *steps) == ["one", "one", "two", "one"]


def test_which_of_two_equal_neighbours_is_new_is_not_guessed() -> None:
    assert owners("a\na\n", write("one", 0, "a\n"), write("two", 1, "a\na\n")) == [UNKNOWN, UNKNOWN]
    assert owners("a\n", write("one", 0, "a\n"), edit("two", 1, ("a", "a\na"))) == [UNKNOWN]


def test_equal_lines_of_one_call_are_that_calls() -> None:
    assert owners("a\nb\na\n", write("one", 0, "a\nb\na\n")) == ["one"] * 3
    assert owners("a\n\nb\n\nc\n", write("one", 0, "a\n\nb\n"), edit("two", 1, ("b", "b\n\nc"))) == [
        "one",
        "one",
        "one",
        "two",
        "two",
    ]


def test_a_blank_line_is_told_by_where_it_stands() -> None:
    assert owners("a\n\nb\n\nc\n", write("one", 0, "a\n\nb\n")) == ["one", "one", "one", OUTSIDE, OUTSIDE]


def test_carriage_returns_say_nothing() -> None:
    steps = (write("one", 0, "a\r\nb\r\n"), edit("two", 1, ("b\r\n", "b\r\nc\r\n")))
    assert owners("a\r\nb\r\nc\r\n", *steps) == ["one", "one", "two"]


def test_a_file_without_an_end_of_its_last_line_is_a_file() -> None:
    assert owners("a\nb", write("one", 0, "a"), edit("two", 1, ("a", "a\nb"))) == ["one", "two"]
    assert owners("a\nb\n", write("one", 0, "a"), write("two", 1, "a\nb\n")) == ["one", "two"]


def test_calls_are_taken_in_their_order_in_time() -> None:
    assert owners("b\n", edit("two", 1, ("a", "b")), write("one", 0, "a\n")) == ["two"]


def test_a_call_without_a_time_stays_behind_the_one_before_it() -> None:
    assert owners("b\n", write("one", 0, "a\n"), edit("two", None, ("a", "b")), write("three", 1, "b\n")) == ["two"]


def test_what_a_call_found_that_none_had_written_came_from_outside() -> None:
    steps = (write("one", 0, "a\n"), write("two", 1, "a\nx\nb\n", before="a\nx\n"))
    assert owners("a\nx\nb\n", *steps) == ["one", OUTSIDE, "two"]


def test_a_look_at_the_file_tells_what_came_from_outside() -> None:
    read = write("read", 1, "a\nx\n", before="a\nx\n")
    assert owners("a\nx\nb\n", write("one", 0, "a\n"), read, write("two", 2, "a\nx\nb\n")) == ["one", OUTSIDE, "two"]


def test_a_file_that_was_there_before_is_found_backwards() -> None:
    steps = (edit("one", 0, ("old", "tea")), edit("two", 1, ("b", "b\nc")))
    assert owners("likes tea\na\nb\nc\n", *steps) == ["one", OUTSIDE, OUTSIDE, "two"]
    assert owners("a\nc\nd\n", edit("one", 0, ("b", "c")), write("two", 1, "a\nc\nd\n")) == [UNKNOWN, "one", UNKNOWN]


def test_what_was_only_taken_out_before_is_not_found_and_not_missed() -> None:
    assert owners("a\n", edit("one", 0, ("b\n", ""))) == [OUTSIDE]


def test_lines_of_a_call_that_fits_no_more_are_found_by_their_words() -> None:
    steps = (write("one", 0, "a\nb\n"), edit("two", 1, ("strange", "strange\nnew")))
    assert owners("a\nstrange\nnew\nb\n", *steps) == ["one", OUTSIDE, "two", "one"]


def test_a_call_that_fits_no_more_takes_out_what_it_replaced() -> None:
    steps = (write("one", 0, "a\nb\n"), edit("two", 1, ("a\nstrange", "new")))
    assert owners("new\nb\n", *steps) == ["two", "one"]


def test_a_line_changed_from_outside_and_by_a_call_is_unknown_where_their_order_is() -> None:
    steps = (write("one", 0, "likes strong coffee\n"), edit("two", 1, ("coffee", "green tea")))
    assert owners("likes strong green tea daily\n", *steps) == [UNKNOWN]
    assert owners("likes strong milk daily\n", *steps) == [OUTSIDE]


def test_a_part_of_a_line_from_outside_that_a_call_changed_is_not_said_to_be_outsides() -> None:
    steps = (write("one", 0, "a\n"), edit("two", 1, ("black", "green")))
    assert owners("a\nlikes green tea\n", *steps) == ["one", UNKNOWN]


def test_words_replaced_everywhere_may_stand_in_lines_from_outside() -> None:
    steps = (write("one", 0, "a tea\n"), edit("two", 1, ("tea", "coffee"), is_all=True))
    assert owners("a coffee\nb coffee\n", *steps) == ["two", UNKNOWN]


def test_what_is_new_after_a_call_that_nobody_can_follow_is_unknown() -> None:
    assert owners("a\nb\n", write("one", 0, "a\n"), call("shell", 1)) == ["one", UNKNOWN]
    after = write("read", 2, "a\nb\n", before="a\nb\n")
    assert owners("a\nb\nc\n", write("one", 0, "a\n"), call("shell", 1), after) == ["one", UNKNOWN, OUTSIDE]


def appending(line: str) -> Callable[[str], str | None]:
    return lambda text: f"{text}{line}\n"


def test_a_call_known_only_by_what_it_does_is_done_again() -> None:
    one, two = call("one", 0, apply=appending("a")), call("two", 1, apply=appending("b"))
    assert owners("a\nb\n", one, two) == ["one", "two"]
    assert owners("b\n", one, call("gone", 1, apply=lambda _: ""), write("three", 2, "b\n")) == ["three"]


def test_an_empty_old_text_makes_the_file() -> None:
    assert owners("a\n", edit("one", 0, ("", "a\n"))) == ["one"]
    assert owners("a\n", write("none", 0, "", before=""), edit("one", 1, ("", "a\n"))) == ["one"]


@pytest.mark.parametrize(("telling", "least"), [(Telling.ORIGINALS, 0.98), (Telling.READS, 0.98), (Telling.BARE, 0.8)])
def test_of_histories_made_by_lot_nothing_is_said_that_is_wrong(telling: Telling, least: float) -> None:
    right = count = 0
    for seed in range(4):
        history = edit_history(seed, telling)
        for source, owner in zip(line_sources(PATH, history.text, history.edits(telling)), history.owners, strict=True):
            stated = source.edit.place if source.edit else None
            assert source.is_unknown or stated == owner, (seed, source.line)
            right += not source.is_unknown
            count += 1
    assert right >= least * count


TEXTS = st.text("ab\n\r", max_size=12)
STEPS = st.one_of(
    st.tuples(TEXTS, TEXTS, st.booleans()).map(lambda each: edit("e", 0, (each[0], each[1]), is_all=each[2])),
    st.tuples(TEXTS, st.none() | TEXTS).map(lambda each: write("w", 0, *each)),
    st.just(call("unknown", 0)),
)


@given(TEXTS, st.lists(STEPS, max_size=8))
def test_whatever_the_calls_are_each_line_has_one_source(text: str, steps: list[MemoryEdit]) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    assert [each.text for each in line_sources(PATH, text, steps)] == (lines if lines[-1] else lines[:-1])


def test_a_line_that_no_call_wrote_came_with_the_commit_that_first_had_it() -> None:
    texts = ["", "a\nb\n", "a\nb\nc\n", "b\nc\nd\n"]
    # A clock that was set back changes nothing in the order of commits.
    commits = [
        MemoryCommit(f"id{number}", BEGIN - timedelta(minutes=number), "Letta", f"commit {number}", before, after)
        for number, (before, after) in enumerate(pairwise(texts))
    ]
    present = "b\nc\nd\nnot committed\n"
    sources = line_sources(PATH, present, [write("call", 1, "d\nnot committed\n", before="not committed\n")])
    assert [each.text for each in sources if each.edit is not None] == ["d"]
    found = with_commits(sources, present, commits)
    assert [(each.text, each.commit.subject if each.commit else "") for each in found] == [
        ("b", "commit 0"),
        ("c", "commit 1"),
        ("d", ""),
        ("not committed", ""),
    ]
    assert with_commits(sources, present, ()) == sources
