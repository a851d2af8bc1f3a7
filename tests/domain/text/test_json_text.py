"""JSON that may be none is read as nothing, whatever is wrong with it."""

from __future__ import annotations

import pytest

from mnemoscope.domain.text.json_text import parsed_json, parsed_object


@pytest.mark.parametrize("text", ["", " ", "{", "no JSON", b"\xff\xfe", "[" * 100_000, "9" * 5_000, '{"a": 1} {}'])
def test_what_is_no_json_holds_nothing(text: str | bytes) -> None:
    assert parsed_json(text) is None
    assert parsed_object(text) == {}


@pytest.mark.parametrize(("text", "value"), [("3", 3), (b"[1, 2]", [1, 2]), ('"words"', "words"), ("null", None)])
def test_a_value_that_is_no_object_is_no_object(text: str | bytes, value: object) -> None:
    assert parsed_json(text) == value
    assert parsed_object(text) == {}


def test_an_object_is_read_from_text_and_bytes() -> None:
    assert parsed_object(' {"a": [1]} ') == parsed_object(b'{"a": [1]}\n') == {"a": [1]}
