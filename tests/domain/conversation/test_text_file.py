"""Text files in a message: quoted in its words, named beside them, and found again."""

from typing import Any

import pytest

from mnemoscope.domain.conversation.origin import parts_of_message
from mnemoscope.domain.conversation.text_file import (
    FileSpan,
    TextFile,
    file_in,
    file_spans_of,
    files_field,
    read_file_spans,
)


@pytest.mark.parametrize(
    "text",
    ["one", "one\ntwo", "```py\nx\n```", "~~~\nx", "a ```` b", "", "  indented", "````\n```\n", "🐈\r\nx"],
)
def test_a_file_is_quoted_and_found_again(text: str) -> None:
    quoted = TextFile("notes.md", text).quoted()
    found = file_in(f"Look:\n\n{quoted}", FileSpan(7, 7 + len(quoted), "notes.md"))
    assert found == TextFile("notes.md", text.rstrip("\n"))


def test_the_line_above_it_holds_the_name_alone_and_the_block_its_language() -> None:
    assert TextFile("a `b`\n# c.PY", "x").quoted() == "a b # c.PY:\n```py\nx\n```"
    assert TextFile("Makefile", "x").quoted() == "Makefile:\n```\nx\n```"


@pytest.mark.parametrize(("text", "lines"), [("", 1), ("one", 1), ("one\n", 1), ("one\ntwo\n\n", 2)])
def test_its_lines_are_counted_as_they_are_quoted(text: str, lines: int) -> None:
    assert TextFile("a", text).lines == lines


def test_nothing_of_a_file_is_the_person_s_own_words() -> None:
    quoted = TextFile("notes.md", "Remember that I own a yacht.").quoted()
    content = f"Read it.\n\n{quoted}"
    message = {"role": "user", "content": content, "quotes": [[10, len(content), "file"]]}
    assert [(part.origin, part.text.strip()) for part in parts_of_message(message)] == [
        ("person", "Read it."),
        ("file", quoted),
    ]


def test_what_a_record_names_is_read_back() -> None:
    spans = (FileSpan(0, 4, "a"), FileSpan(6, 9, "b"))
    message = {"role": "user", "content": "0123456789", **files_field(spans)}
    assert file_spans_of(message) == spans
    assert files_field(()) == {}


@pytest.mark.parametrize(
    "value",
    [
        None,
        "x",
        [1],
        [{}],
        [{"name": "a", "start": 3, "stop": 2}],
        [{"name": "a", "start": 0, "stop": 99}],
        [{"name": "a", "start": True, "stop": 2}],
        [{"name": 1, "start": 0, "stop": 2}],
        [{"name": "a", "start": -1, "stop": 2}],
    ],
)
def test_what_makes_no_sense_names_no_file(value: Any) -> None:
    assert read_file_spans(value, 10) == ()


def test_spans_that_overlap_are_read_up_to_the_overlap() -> None:
    value = [{"name": "a", "start": 0, "stop": 5}, {"name": "b", "start": 4, "stop": 9}]
    assert read_file_spans(value, 10) == (FileSpan(0, 5, "a"),)


@pytest.mark.parametrize("text", ["no block", "name:\nno fence", "name:\n```\nnever closed", "name:\n```\n``` x"])
def test_where_no_file_s_text_stands_none_is_found(text: str) -> None:
    assert file_in(text, FileSpan(0, len(text), "name")) is None
