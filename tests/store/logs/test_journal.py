"""history.jsonl: numbers given once, entries never lost, and damage that costs only itself."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.journal_entry import (
    MAX_CURSOR,
    JournalEntry,
    JournalFact,
    clean_content,
    entry_for_prompt,
    facts_of,
)
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.paths import WorkspacePaths

NOON = datetime(2026, 4, 3, 12, 0)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(WorkspacePaths(tmp_path), clock=lambda: NOON)


def add_lines(journal: Journal, *lines: str | bytes) -> None:
    journal.file.parent.mkdir(exist_ok=True)
    with journal.file.open("ab") as file:
        for line in lines:
            file.write((line if isinstance(line, bytes) else line.encode()) + b"\n")


def line(cursor: object, content: object = "words") -> str:
    return json.dumps({"cursor": cursor, "timestamp": "2026-04-03 00:02", "content": content})


def test_entries_are_numbered_from_one_and_written_as_the_peers_write_them(journal: Journal) -> None:
    assert journal.append("- [durable] Likes tea\n\n") == 1
    assert journal.append("Grüße aus Graz", session_key="cli:direct") == 2
    assert journal.file.read_text(encoding="utf-8") == (
        '{"cursor": 1, "timestamp": "2026-04-03 12:00", "content": "- [durable] Likes tea"}\n'
        '{"cursor": 2, "timestamp": "2026-04-03 12:00", "content": "Grüße aus Graz", "session_key": "cli:direct"}\n'
    )
    assert journal.cursor_file.read_bytes() == b"2"


@pytest.mark.parametrize("hint", [b"", b"abc", b"true", b"-5", b"2.5", b"9" * 400, b"1", b"\xff\xfe", None])
def test_the_hint_never_gives_a_number_twice(journal: Journal, hint: bytes | None) -> None:
    for _ in range(3):
        journal.append("words")
    if hint is None:
        journal.cursor_file.unlink()
    else:
        journal.cursor_file.write_bytes(hint)
    assert journal.append("more") == 4
    assert journal.cursor_file.read_bytes() == b"4"


def test_a_hint_ahead_of_the_file_is_followed(journal: Journal) -> None:
    journal.append("words")
    journal.cursor_file.write_bytes(b"40")
    assert journal.append("more") == 41


@pytest.mark.parametrize(
    "bad",
    [
        line(True), line(-1), line(1.5), line("7"), line(None), line(2**60), "[1, 2]", '"text"', "{broken", "null",
        '{"cursor": 9}', line(9, content=["a"]), b"\xff\xfe\xfd", "[" * 100_000, '{"cursor": ' + "9" * 5_000 + "}",
    ],
)  # fmt: skip
def test_a_line_that_holds_no_entry_is_passed_over_and_counted(journal: Journal, bad: str | bytes) -> None:
    journal.append("one")
    add_lines(journal, bad)
    assert journal.append("two") == 2
    found = journal.after(0)
    assert [entry.content for entry in found.entries] == ["one", "two"]
    assert found.unreadable == 1


def test_a_bad_byte_inside_an_entry_costs_that_byte(journal: Journal) -> None:
    add_lines(journal, line(1, "words").encode().replace(b"words", b"w\xffrds"))
    assert [entry.content for entry in journal.after(0).entries] == ["w\ufffdrds"]


def test_crlf_blank_lines_and_a_byte_order_mark_are_read(journal: Journal) -> None:
    add_lines(journal, b"\xef\xbb\xbf" + line(1).encode() + b"\r", b"\r", line(2).encode() + b"\r")
    assert [entry.cursor for entry in journal.after(0).entries] == [1, 2]
    assert journal.after(0).unreadable == 0


def test_an_entry_never_joins_a_line_that_was_cut_off(journal: Journal) -> None:
    add_lines(journal, line(1))
    with journal.file.open("ab") as file:
        file.write(b'{"cursor": 2, "timest')
    assert journal.append("whole") == 2
    assert [entry.content for entry in journal.after(0).entries] == ["words", "whole"]


def test_only_what_comes_after_the_cursor_waits(journal: Journal) -> None:
    for number in range(1, 11):
        journal.append(f"entry {number}")
    found = journal.after(7)
    assert [entry.cursor for entry in found.entries] == [8, 9, 10]
    some = journal.after(2, limit=3)
    assert ([entry.cursor for entry in some.entries], some.waiting) == ([3, 4, 5], 8)


def test_an_entry_written_twice_is_read_once_and_two_of_one_number_both(journal: Journal) -> None:
    add_lines(journal, line(1, "a"), line(1, "a"), line(2, "b"), line(2, "c"))
    assert [entry.content for entry in journal.after(0).entries] == ["a", "b", "c"]


def test_entries_out_of_order_are_all_found(journal: Journal) -> None:
    add_lines(journal, line(3), line(1), line(2), line(5), line(4))
    assert [entry.cursor for entry in journal.after(2).entries] == [3, 4, 5]
    assert journal.append("next") == 6


def test_an_entry_of_200_kilobytes_is_kept_whole_and_enters_a_prompt_cut(journal: Journal) -> None:
    words = "weather " * 25_000
    journal.append("before")
    journal.append(words)
    journal.append("after")
    found = journal.after(0).entries
    assert [len(entry.content) for entry in found] == [6, len(words.rstrip()), 5]
    shown = entry_for_prompt(found[1])
    assert len(shown) < 4_200
    assert "more characters in memory/history.jsonl" in shown


def test_a_lone_surrogate_costs_no_entry(journal: Journal) -> None:
    journal.append("broken \ud800 emoji")
    assert journal.after(0).entries[0].content == "broken \ufffd emoji"


def test_the_largest_number_there_is_leaves_room_for_no_other(journal: Journal) -> None:
    add_lines(journal, line(MAX_CURSOR))
    with pytest.raises(StorageError, match="no other can follow"):
        journal.append("one more")
    assert journal.file.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("number", [MAX_CURSOR + 1, 2**53 - 1, 2**63, 10**30])
def test_a_line_with_an_absurd_number_is_no_entry_and_stops_nothing(journal: Journal, number: int) -> None:
    add_lines(journal, line(1), line(number))
    assert journal.append("more") == 2
    found = journal.after(0)
    assert ([entry.cursor for entry in found.entries], found.unreadable) == ([1, 2], 1)


@pytest.mark.parametrize("hint", [2**53 - 1, MAX_CURSOR + 1])
def test_a_hint_so_large_that_nobody_counted_so_far_stops_nothing(journal: Journal, hint: int) -> None:
    journal.append("words")
    journal.cursor_file.write_bytes(str(hint).encode())
    assert [journal.append("more"), journal.append("and on")] == [2, 3]
    assert journal.cursor_file.read_bytes() == b"3"


def test_entries_of_one_number_are_read_together_however_few_are_asked_for(journal: Journal) -> None:
    add_lines(journal, line(1), line(1, "of another program"), line(2))
    found = journal.after(0, 1)
    assert [entry.cursor for entry in found.entries] == [1, 1]
    assert found.waiting == 3


@pytest.mark.parametrize("said", [b"abc", b"true", b"-3", b"1.5", b"9" * 30, b"", b"99"])
def test_a_dream_cursor_that_cannot_be_followed_hides_no_entry(journal: Journal, said: bytes) -> None:
    journal.append("words")
    journal.dream_cursor_file.write_bytes(said)
    read = journal.dream_cursor()
    assert read.value == 0
    assert ".dream_cursor" in read.problem


def test_the_dream_cursor_is_kept_as_the_peers_keep_it(journal: Journal) -> None:
    assert journal.dream_cursor().value == 0
    assert journal.dream_cursor().problem == ""
    journal.append("words")
    journal.set_dream_cursor(1)
    assert journal.dream_cursor_file.read_bytes() == b"1"
    assert journal.dream_cursor().value == 1


APPENDER = """
import sys
from pathlib import Path
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.paths import WorkspacePaths
journal = Journal(WorkspacePaths(Path(sys.argv[1])))
for number in range(40):
    journal.append(f"{sys.argv[2]} {number}")
"""


@pytest.mark.slow
def test_two_processes_that_append_at_once_share_no_number(tmp_path: Path) -> None:
    command = [sys.executable, "-c", APPENDER, str(tmp_path)]
    working = [subprocess.Popen([*command, name]) for name in ("a", "b")]
    assert [process.wait(300) for process in working] == [0, 0]
    found = Journal(WorkspacePaths(tmp_path)).after(0)
    assert [entry.cursor for entry in found.entries] == list(range(1, 81))
    assert len({entry.content for entry in found.entries}) == 80


def test_reading_after_a_cursor_reads_the_tail_alone(journal: Journal) -> None:
    add_lines(journal, *(line(number, "x" * 200) for number in range(1, 5_001)))
    seen = 0
    for entry in journal._backwards():
        seen += 1
        if entry is not None and entry.cursor <= 4_990:
            break
    assert seen == 11
    assert journal.after(4_990).waiting == 10


@pytest.mark.slow
@given(st.lists(st.binary(max_size=80).map(lambda data: data.replace(b"\n", b" ")), max_size=8), st.integers(0, 8))
def test_whatever_bytes_stand_in_the_file_a_new_entry_is_found_again(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], place: int
) -> None:
    journal = Journal(WorkspacePaths(tmp_path_factory.mktemp("journal")), clock=lambda: NOON)
    add_lines(journal, *lines[:place], line(3), *lines[place:])
    cursor = journal.append("found again")
    assert cursor >= 4
    assert JournalEntry(cursor, "2026-04-03 12:00", "found again") in journal.after(cursor - 1).entries


def test_fact_lines_are_told_from_other_words() -> None:
    content = "Talked about drinks.\n- [durable] Likes tea\n* [Correction]  Not coffee\n- [odd] x\n- [permanent]\n"
    assert facts_of(content) == [JournalFact("durable", "Likes tea"), JournalFact("correction", "Not coffee")]


def test_a_models_thoughts_are_no_part_of_an_entry() -> None:
    assert clean_content("<think>hm\n</think>\n- Likes tea  \n") == "- Likes tea"
    assert clean_content("<think>never ends") == ""


def test_words_about_thoughts_are_no_thoughts() -> None:
    words = "- [durable] The parser shall drop <think> blocks\n- [durable] Likes tea"
    assert clean_content(words) == words
    assert clean_content("- [durable] Likes tea\n<think>and what else") == "- [durable] Likes tea"


def test_raw_messages_are_kept_whole_whatever_they_say(journal: Journal) -> None:
    words = "[RAW] 2 messages\n[2026-04-03 12:00] USER: what is\n<think>?\n[2026-04-03 12:01] ASSISTANT: A thought."
    journal.append(words)
    assert journal.after(0).entries[0].content == words


def test_entries_are_found_by_number_and_the_last_of_them_in_order(journal: Journal) -> None:
    add_lines(journal, line(1, "a"), "{broken", line(2, "b"), line(3, "c"))
    assert [entry.content for entry in journal.newest(2)] == ["b", "c"]
    found = journal.get(1)
    assert found is not None
    assert found.content == "a"
    assert journal.get(9) is None
    assert journal.count() == 3


def test_a_hint_never_goes_back(journal: Journal) -> None:
    journal.append("words")
    journal.cursor_file.write_bytes(b"40")
    journal.hint(3)
    assert journal.cursor_file.read_bytes() == b"40"


def test_an_empty_file_is_begun_with_the_first_entry(journal: Journal) -> None:
    add_lines(journal)
    assert journal.append("words") == 1
    assert journal.file.read_bytes().count(b"\n") == 1


def test_entries_are_counted_without_the_lines_that_are_none(journal: Journal) -> None:
    assert journal.count() == 0
    add_lines(journal, line(1, "a"), "{broken", line(2, "b"))
    assert journal.count() == 2


def test_a_row_of_entries_is_read_by_its_numbers(journal: Journal) -> None:
    for number in range(5):
        journal.append(f"Entry {number}")
    assert [entry.cursor for entry in journal.between(2, 4)] == [2, 3, 4]
    assert journal.between(9, 12) == []


def test_the_newest_entries_of_a_minute_that_is_past_are_those_that_were_there_then(tmp_path: Path) -> None:
    minutes = iter(range(10, 15))
    journal = Journal(WorkspacePaths(tmp_path), clock=lambda: datetime(2026, 4, 3, 0, next(minutes)))
    for number in range(5):
        journal.append(f"Entry {number}")
    assert [entry.cursor for entry in journal.newest(2, "2026-04-03 00:12")] == [2, 3]
    assert journal.newest(2, "2026-04-02 23:59") == []
