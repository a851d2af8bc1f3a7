"""A line of JSON that another program wrote is decoded, or it is told why not."""

from __future__ import annotations

import json
import math

import pytest

from mnemoscope.store.files.json_record import RecordDamaged, bare, decode_object


def test_what_json_ignores_around_a_line_is_taken_away() -> None:
    assert bare(b'\xef\xbb\xbf \t{"a": 1}\r') == b'{"a": 1}'


def test_a_number_that_is_none_and_half_a_character_are_borne() -> None:
    assert math.isnan(decode_object(b'{"a": NaN}')["a"])
    assert decode_object(b'{"a": "\\ud800"}')["a"].isprintable()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[1]", "is no JSON object"),
        (b'{"a": "\xff"}', "is not valid UTF-8"),
        (b'{"a": 1', "is no valid JSON"),
        (b'{"a":\0 1}', "holds NUL bytes"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "is nested too deeply"),
        (b'{"a": ' + b"1" * 5000 + b"}", "holds a number that is too long"),
    ],
)
def test_what_is_no_record_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(RecordDamaged, match=reason):
        decode_object(line)


def test_a_sound_record_comes_back_as_it_was() -> None:
    record = {"text": "grüße", "n": [1, 2.5, None, True]}
    assert decode_object(json.dumps(record).encode()) == record
