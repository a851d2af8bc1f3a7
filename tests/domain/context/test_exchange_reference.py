"""An entry of the notes is left where the messages behind it are; one that nothing refers to stays."""

import pytest

from mnemoscope.domain.context.exchange_reference import (
    ExchangeReference,
    NotedExchange,
    NotedMessage,
    left_entries,
    reference_of,
)


def reference(stamp: str, index: int) -> ExchangeReference:
    return ExchangeReference("memory/2026-11-22.md", stamp, NotedExchange("a", (NotedMessage("2026", index),)))


def is_left(exchange: NotedExchange) -> bool:
    return exchange.messages[0].index >= 10


def test_a_reference_is_read_back_as_it_was_kept() -> None:
    one = reference("10:30:00", 4)
    assert reference_of(one.as_document()) == one


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"file": "a", "at": "b", "session": "c", "messages": 1},
        {"file": "a", "at": "b", "session": "c", "messages": [["2026"]]},
        {"file": "a", "at": "b", "session": "c", "messages": [["2026", True]]},
    ],
)
def test_what_is_none_is_read_as_none(document: object) -> None:
    assert reference_of(document) is None


def test_entries_are_told_apart_by_their_times() -> None:
    known = [reference("10:00:00", 0), reference("11:00:00", 10)]
    assert left_entries(["10:00:00", "11:00:00", "12:00:00"], known, is_left) == [False, True, False]


def test_entries_of_one_time_are_told_apart_by_their_order_or_all_have_to_be_left() -> None:
    known = [reference("10:00:00", 0), reference("10:00:00", 10)]
    assert left_entries(["10:00:00", "10:00:00"], known, is_left) == [False, True]
    assert left_entries(["10:00:00"], known, is_left) == [False]
    assert left_entries(["10:00:00"], [known[1], known[1]], is_left) == [True]
