"""Where Dream is in the journal: what waits, what is read again, and a long entry read in parts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.dream.position import BATCH_CHARACTERS, PART_CHARACTERS, DreamPosition, next_batch
from mnemoscope.domain.memory.journal_entry import JournalEntry


def entry(number: int, content: str = "- [durable] Words") -> JournalEntry:
    return JournalEntry(number, "2026-04-03 00:02", content)


def read_all(entries: list[JournalEntry], count: int, part: int = PART_CHARACTERS) -> list[tuple[int, str]]:
    """Returns what batches tell of the entries until none is left, a number and the words each."""
    place, parts = DreamPosition(), list[tuple[int, str]]()
    for _ in range(1_000):
        waiting = [each for each in entries if place.waits(each.cursor)]
        batch = next_batch(waiting, count, place, part)
        if batch is None:
            return parts
        parts += [(each.cursor, words) for each, words in zip(batch.entries, batch.texts, strict=True)]
        place = DreamPosition.of(place.after(batch).cursor, json.loads(json.dumps(place.after(batch).as_record())))
    pytest.fail("it never came to an end")


def test_a_batch_is_bounded_by_number_and_by_size() -> None:
    batch = next_batch([entry(number, "word " * 100) for number in range(1, 101)])
    assert batch is not None
    assert len(batch.entries) == 20
    long = next_batch([entry(number, "x" * (BATCH_CHARACTERS // 4)) for number in range(1, 101)])
    assert long is not None
    assert [each.cursor for each in long.entries] == [1, 2, 3, 4]
    assert next_batch([]) is None


def test_entries_of_one_number_are_never_in_two_batches() -> None:
    entries = [entry(1, "a"), entry(1, "b"), entry(2, "c")]
    for count in (1, 2):
        batch = next_batch(entries, count)
        assert batch is not None
        assert [each.content for each in batch.entries] == ["a", "b"]
    size = PART_CHARACTERS
    batch = next_batch([entry(number, "x" * size) for number in (1, 2, 2, 3)])
    assert batch is not None
    assert [each.cursor for each in batch.entries] == [1, 2, 2]


def test_a_long_entry_is_read_to_its_end_part_after_part_and_the_cursor_waits_for_it() -> None:
    words = "".join(f"line {number}\n" for number in range(9_000))
    entries, place, seen = [entry(4), entry(5, words), entry(6)], DreamPosition(3), ""
    steps = []
    while batch := next_batch([each for each in entries if each.cursor > place.cursor], 20, place):
        steps.append((batch.begun, batch.rest, place.after(batch).cursor))
        seen += "".join(part.split(") ", 1)[-1] for part in batch.texts if "(characters" in part)
        place = place.after(batch)
    assert [cursor for *_, cursor in steps][-1] == 6
    assert all(cursor == 4 for *_, cursor in steps[:-1])
    assert [begun for begun, *_ in steps][1:] == [rest for _, rest, _ in steps][:-1]
    assert [line.strip() for line in seen.splitlines() if line.strip()] == words.splitlines()
    assert place == DreamPosition(6)


def test_a_part_says_which_it_is_and_that_it_is_raw() -> None:
    raw = entry(1, "[RAW] 1 messages\n" + "x" * 30_000)
    first = next_batch([raw])
    assert first is not None
    assert first.texts[0].startswith("[2026-04-03 00:02] (characters 1 to 20,000 of 30,017) [RAW] 1 messages")
    second = next_batch([raw], place=DreamPosition().after(first))
    assert second is not None
    assert second.texts[0].startswith("[2026-04-03 00:02] [RAW] (characters 20,001 to 30,017 of 30,017) xxx")
    assert second.entries == (raw,)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 90)), max_size=12), st.integers(1, 5), st.integers(1, 40))
def test_nothing_is_left_unread_and_nothing_is_read_twice(made: list[tuple[int, int]], count: int, part: int) -> None:
    number, entries = 1, list[JournalEntry]()
    for gap, size in made:
        number += gap
        entries.append(entry(number, "".join(chr(97 + place % 26) for place in range(size))))
    parts = read_all(entries, count, part)
    for cursor in {each.cursor for each in entries}:
        words = "".join(each.split("] ", 1)[1].split(") ", 1)[-1] for found, each in parts if found == cursor)
        assert words == "".join(each.content for each in entries if each.cursor == cursor)


def test_what_was_noted_of_an_entry_that_is_shorter_now_does_not_hide_it() -> None:
    batch = next_batch([entry(3, "short")], place=DreamPosition.of(2, {"parts": [[3, 500]]}))
    assert batch is not None
    assert (batch.entries[0].content, batch.rest) == ("short", 0)


def test_entries_of_an_older_run_are_read_again_and_no_others() -> None:
    place = DreamPosition(9).back_before(2, 4)
    assert [number for number in range(1, 12) if place.waits(number)] == [2, 3, 4, 10, 11]
    batch = next_batch([entry(2), entry(3), entry(4)], 2, place)
    assert batch is not None
    assert place.after(batch) == DreamPosition(9, ((4, 4),))


def test_of_the_newest_run_the_cursor_goes_back_as_other_programs_know_it() -> None:
    assert DreamPosition(9, ((2, 3), (7, 8))).back_before(6, 9) == DreamPosition(5, ((2, 3),))
    assert DreamPosition(6, (), ((7, 40),)).back_before(7, 7, 20) == DreamPosition(6, (), ((7, 20),))
    assert DreamPosition(6, (), ((7, 40),)).back_before(7, 7) == DreamPosition(6)


def test_what_waits_already_is_not_noted_again() -> None:
    place = DreamPosition(3)
    assert place.back_before(4, 6) == place
    again = place.back_before(1, 2)
    assert again.back_before(1, 2) == again


@pytest.mark.parametrize(
    "record",
    [None, [], "x", {"again": 7, "parts": "x"}, {"again": [[3, 2], [1], [1, True], ["1", 2], [-1, 2]]},
     {"again": [[10, 12]], "parts": [[4, 5]]}],
)  # fmt: skip
def test_a_record_that_makes_no_sense_counts_as_none(record: Any) -> None:
    assert DreamPosition.of(5, record) == DreamPosition(5)


def test_rows_that_meet_are_one() -> None:
    assert DreamPosition.of(9, {"again": [[5, 6], [1, 2], [3, 3], [6, 20]]}).again == ((1, 3), (5, 9))
