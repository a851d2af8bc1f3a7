"""Reading history logs: HISTORY.md, history.jsonl and daily notes, as people and other programs leave them."""

from typing import Any

import pytest

from mnemoscope.domain.memory.history_entries import (
    MarkdownFormat,
    entry_time,
    is_raw,
    parse_history,
    split_entries,
    stamp_length,
)
from mnemoscope.store.logs.history_log import JsonLinesFormat, NotesFormat


def texts(data: str | bytes) -> list[str]:
    return [entry.text for entry in parse_history(data)]


def test_an_entry_starts_at_a_line_with_a_bracketed_date() -> None:
    assert texts("[2026-03-06 14:20] one\n\n[2026-03-07] two [2026-01-01] inside\n") == [
        "[2026-03-06 14:20] one",
        "[2026-03-07] two [2026-01-01] inside",
    ]


def test_several_paragraphs_belong_to_the_dated_entry_before_them() -> None:
    assert texts("[2026-03-06 14:20] one\n\nmore\n\nand more\n\n[2026-03-07 09:00] two\n\n") == [
        "[2026-03-06 14:20] one\n\nmore\n\nand more",
        "[2026-03-07 09:00] two",
    ]


def test_paragraphs_before_any_date_stand_alone() -> None:
    assert texts("loose\nstill loose\n\n\n  second\n\n[2026-03-06 14:20] dated\n\nits own\n") == [
        "loose\nstill loose",
        "second",
        "[2026-03-06 14:20] dated\n\nits own",
    ]


def test_a_file_without_dates_is_read_as_paragraphs() -> None:
    assert texts("one\n \t\ntwo\r\n\r\nthree") == ["one", "two", "three"]


def test_messages_inside_a_raw_entry_belong_to_it() -> None:
    lines = ("[2026-03-06 14:19] USER: hi", "[2026-03-06 14:20] ASSISTANT [tools: a, b]: ho")
    raw = "\n".join(("[2026-03-06 14:20] [RAW] 2 messages", *lines))
    entries = parse_history(f"{raw}\n\n[2026-03-07 08:00] after\n")
    assert [entry.text for entry in entries] == [raw, "[2026-03-07 08:00] after"]
    assert [entry.raw for entry in entries] == [True, False]


def test_a_line_like_a_message_starts_an_entry_where_no_raw_entry_is_open() -> None:
    assert len(texts("[2026-03-06 14:20] one\n[2026-03-06 14:21] USER: two\n")) == 2


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(ending: Any) -> None:
    data = ("\ufeff" + ending.join(["[2026-03-06 14:20] one", "", "more", "", "[2026-03-07] two", ""])).encode()
    assert texts(data) == ["[2026-03-06 14:20] one\n\nmore", "[2026-03-07] two"]


def test_bad_bytes_cost_themselves_only() -> None:
    assert texts(b"[2026-03-06 14:20] o\xffne\n\n[2026-03-07] two\n") == [
        "[2026-03-06 14:20] o\ufffdne",
        "[2026-03-07] two",
    ]


def test_a_line_separator_of_unicode_ends_no_line() -> None:
    assert texts("[2026-03-06 14:20] one\u2028[2026-03-07] still one\n") == [
        "[2026-03-06 14:20] one\u2028[2026-03-07] still one"
    ]


def test_nothing_holds_no_entries() -> None:
    assert texts("") == texts("\n\n \r\n") == texts(b"\xef\xbb\xbf") == []


@pytest.mark.parametrize(
    ("entry", "when"),
    [
        ("[2026-03-06 14:20] a", "2026-03-06 14:20"),
        ("[2026-03-06T14:20:11Z] a", "2026-03-06 14:20"),
        ("[2026-03-06] a", "2026-03-06"),
        ("[2026-03-06 to 2026-03-09] a", "2026-03-06"),
        ("a [2026-03-06 14:20]", ""),
        ("", ""),
    ],
)
def test_the_time_of_an_entry_is_what_it_starts_with(entry: Any, when: Any) -> None:
    assert entry_time(entry) == when


def test_numbers_count_from_the_beginning_of_the_file() -> None:
    assert [entry.number for entry in parse_history("[2026-01-01] a\n[2026-01-02] b\n")] == [0, 1]
    assert stamp_length("[2026-01-01] a") == 13
    assert is_raw("[2026-01-01] [RAW] 3 messages")
    assert split_entries("[2026-01-01] a\n") == ["[2026-01-01] a"]


@pytest.mark.parametrize("size", [1, 7, 30, 64])
def test_blocks_of_whole_lines_give_the_same_entries_as_the_whole(size: Any) -> None:
    lines = (
        "a\nb\n\nc\n\n[2026-01-01] d\n\ne\n[2026-01-02] [RAW] f\n[2026-01-02] USER: g\n\n[2026-01-03] h\n".splitlines(
            True
        )
    )
    data = "".join(lines).encode()
    whole, parts = [], []
    one = MarkdownFormat()
    one.begin("", stamped=False)
    one.feed(data, 0, lambda start, day: whole.append((start, day)))
    two, base = MarkdownFormat(), 0
    two.begin("", stamped=False)
    for at in range(0, len(lines), max(1, size // 8)):
        block = "".join(lines[at : at + max(1, size // 8)]).encode()
        two.feed(block, base, lambda start, day: parts.append((start, day)))
        base += len(block)
    assert parts == whole
    assert len(whole) == 5


def test_bad_json_lines_are_skipped_and_counted() -> None:
    good = b'{"cursor": 1, "timestamp": "2026-04-03 00:02", "content": "caf\\u00e9"}'
    lines = [
        good,
        b"no json",
        b'{"cursor": "x", "timestamp": "2026-04-03 00:02", "content": "a"}',
        b"[1]",
        b"",
        b"\0\0",
    ]
    lines += [
        b"[" * 100_000,
        b'{"cursor": 2, "timestamp": 5, "content": "a"}',
        good.replace(b"caf", b"c\xff"),
        b'{"cursor": 3',
    ]
    found: list[tuple[int, int]] = []
    form = JsonLinesFormat()
    skipped = form.feed(b"\n".join(lines), 0, lambda start, day: found.append((start, day)))
    assert len(found) == 2
    assert len(skipped) == 6
    assert form.decode(good + b"\nno json\n", "history.jsonl") == ("2026-04-03 00:02", "café", 1)


def test_a_json_line_without_words_is_no_entry_and_no_fault() -> None:
    form = JsonLinesFormat()
    found: list[tuple[int, int]] = []

    def note(start: int, day: int) -> None:
        found.append((start, day))

    assert form.feed(b'{"cursor": 1, "timestamp": "2026-04-03 00:02", "content": " "}\n', 0, note) == []
    assert found == []


def test_a_daily_note_is_read_by_sections_and_its_name_says_the_day() -> None:
    data = b"# Daily Notes \xe2\x80\x94 2026-03-10\n\n\n## [09:30:11] [user:7]\nhello\n\n## Plan\n- a\n"
    form, starts = NotesFormat(), []
    form.begin("2026-03-10.md", stamped=False)
    form.feed(data, 0, lambda start, _day: starts.append(start))
    parts = [data[a:b] for a, b in zip(starts, [*starts[1:], len(data)], strict=True)]
    assert [form.decode(part, "2026-03-10.md")[:2] for part in parts] == [
        ("2026-03-10 09:30", "hello"),
        ("2026-03-10", "Plan\n- a"),
    ]


def test_a_time_that_is_none_leaves_the_entry_without_one() -> None:
    line = b'{"cursor": 7, "timestamp": "yesterday", "content": "Tea."}\n'
    found = JsonLinesFormat().decode(line, "")
    assert (found.when, found.text, found.cursor) == ("", "Tea.", 7)
