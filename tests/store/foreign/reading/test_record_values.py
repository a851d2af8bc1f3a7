"""Times, titles and values of records, whatever stands in their place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mnemoscope.store.foreign.reading.record_values import json_value, raw_shown, stated_moment, title_from

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        NOON.timestamp(),
        int(NOON.timestamp()) * 1000,
        "2026-11-23T12:00:00.000Z",
        "2026-11-23T13:00:00+01:00",
        "2026-11-23T12:00:00",
    ],
)
def test_a_time_is_read_in_seconds_milliseconds_or_iso(value: object) -> None:
    assert stated_moment(value) == NOON


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        [],
        "",
        "yesterday",
        0,
        -1,
        10**20,
        -(10**20),
        float("nan"),
        float("inf"),
        "0001-01-01",
        "9999-12-31T23:59:59-14:00",
    ],
)
def test_what_is_no_time_or_beyond_reason_is_none(value: object) -> None:
    assert stated_moment(value) is None


def test_a_title_is_the_first_words_on_one_line() -> None:
    assert title_from("  What\n is it? ") == "What is it?"
    assert title_from("word " * 100) == f"{'word ' * 15}word…"
    assert title_from("") == ""


def test_json_that_is_none_is_none_and_lone_surrogates_are_replaced() -> None:
    assert json_value('{"a": [1]}') == {"a": [1]}
    assert json_value("{") is None
    assert json_value("[" * 100_000) is None
    assert json_value(r'["\ud800", "\ud83d\ude00"]') == ["�", "😀"]


def test_a_long_record_is_shortened() -> None:
    assert raw_shown("x" * 30_000) == f"{'x' * 20_000}…"
    assert raw_shown("short") == "short"
