"""An entry with all its bytes: its words change, and what says when it was made and whose it is stays to the byte."""

from __future__ import annotations

import json

import pytest

from mnemoscope.store.logs.standing_entries import has_entries, reworded_entries, standing_entries, stays_one_entry

HISTORY, JOURNAL, NOTE = "memory/HISTORY.md", "memory/history.jsonl", "memory/2026-03-01.md"
LOG = "[2026-03-01 09:00] Tea.\n\n## [2026-03-01 10:00] [RAW] Two\n\nparagraphs.\n\n"
LINES = (
    '{"cursor": 1, "timestamp": "2026-03-01 09:00", "content": "Tea.", "session_key": "cli:direct", "mood": "好"}\n'
    '{"cursor": 2, "timestamp": "2026-03-01 10:00", "content": "Two\\nlines."}'
)
NOTES = (
    "# Daily Notes — 2026-03-01\n\nA head.\n\n## [09:00:00] [user:7]\n**User:** Tea?\n**Agent:** Tea.\n\n"
    "## Plans\nNone.\n"
)


def test_which_files_have_entries() -> None:
    assert all(map(has_entries, (HISTORY, JOURNAL, NOTE)))
    assert not any(map(has_entries, ("memory/MEMORY.md", "USER.md", "notes/2026-03-01.md")))


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        (HISTORY, LOG, ["Tea.", "[RAW] Two\n\nparagraphs."]),
        (JOURNAL, LINES, ["Tea.", "Two\nlines."]),
        (NOTE, NOTES, ["A head.", "**User:** Tea?\n**Agent:** Tea.", "None."]),
        (NOTE, "Without a title.\n", ["Without a title."]),
        (HISTORY, LOG.replace("\n", "\r\n"), ["Tea.", "[RAW] Two\n\nparagraphs."]),
    ],
)
def test_the_words_of_each_entry_go_in_and_out_of_it(path: str, text: str, words: list[str]) -> None:
    data = text.encode()
    entries = standing_entries(path, data)
    assert [each.words for each in entries] == words
    for place, entry in enumerate(entries):
        assert entry.with_words(words[place]).encode() == entry.raw
        after = entry.with_words("One\nother")
        assert stays_one_entry(entries, place, after, data)
        changed = standing_entries(path, data.replace(entry.raw, after.encode()))
        assert [each.words for each in changed] == [*words[:place], "One\nother", *words[place + 1 :]]
        assert (changed[place].when, changed[place].cursor) == (entry.when, entry.cursor)


def test_a_line_of_json_keeps_all_of_its_other_fields() -> None:
    first, second = standing_entries(JOURNAL, LINES.encode())
    assert json.loads(first.with_words("Milk.")) == json.loads(first.raw) | {"content": "Milk."}
    assert first.with_words("Milk.").endswith('"mood": "好"}\n')
    assert not second.with_words("Milk.").endswith("\n"), "the end of the file has no line end"


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        (HISTORY, LOG, "Tea.\n[2026-03-02 09:00] More."),
        (NOTE, NOTES, "Tea.\n## [09:30:00]\nMore."),
        (JOURNAL, LINES, " "),
    ],
)
def test_words_that_readers_would_take_for_another_number_of_entries_are_known(
    path: str, text: str, words: str
) -> None:
    data = text.encode()
    entries = standing_entries(path, data)
    assert not stays_one_entry(entries, 0, entries[0].with_words(words), data)


def test_an_entry_without_a_date_is_told_by_its_new_first_line() -> None:
    data = b"[2026-03-01 09:00] Tea.\n\nMilk.\n\n"
    known = {b"Milk.": "2026-03-01 10:00"}
    entries = standing_entries(HISTORY, data, known)
    assert [each.words for each in entries] == ["Tea.", "Milk."]
    assert stays_one_entry(entries, 1, entries[1].with_words("Oat milk."), data, known)


@pytest.mark.parametrize(
    ("path", "data"),
    [(HISTORY, b"[2026-03-01 09:00] \xff\n\n"), (JOURNAL, LINES.encode().replace(b"Tea", b"\xff"))],
)
def test_bytes_that_are_no_text_have_no_words(path: str, data: bytes) -> None:
    assert standing_entries(path, data)[0].words is None


def test_entries_that_have_other_words_by_now_are_told_with_them() -> None:
    taken = LOG.replace("Tea.", "[…]").encode()
    (entry,) = reworded_entries(standing_entries(HISTORY, LOG.encode()), standing_entries(HISTORY, taken))
    assert (entry[0].words, entry[1]) == ("Tea.", "[2026-03-01 09:00] […]\n\n")


def test_of_an_entry_without_a_date_that_went_as_a_whole_the_mark_is_left() -> None:
    known = {b"Milk.": "2026-03-01 09:30"}
    before = standing_entries(HISTORY, b"[2026-03-01 09:00] Tea.\n\nMilk.\n\n[2026-03-01 10:00] Rum.\n\n", known)
    after = standing_entries(HISTORY, b"[2026-03-01 09:00] Tea.\n\n[2026-03-01 10:00] Rum.\n\n", known)
    assert [(entry.words, text) for entry, text in reworded_entries(before, after)] == [("Milk.", "[…]")]
    assert [(entry.words, text) for entry, text in reworded_entries(before[:2], after[:1])] == [("Milk.", "[…]")]
