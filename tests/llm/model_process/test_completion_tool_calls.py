"""Tool calls joined from what servers really send."""

from typing import Any

import pytest

from mnemoscope.llm.model_process.classification import seconds_of
from mnemoscope.llm.model_process.completion import ToolCallJoiner


def part(index: int | None, call_id: str | None, name: str | None, arguments: str | None) -> dict[str, Any]:
    return {"index": index, "id": call_id, "function": {"name": name, "arguments": arguments}}


def joined(*chunks: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    fragments = ToolCallJoiner()
    for chunk in chunks:
        fragments.add(chunk)
    return [(call["id"], call["name"], call["arguments"]) for call in fragments.joined()]


def test_fragments_of_calls_that_interleave_are_told_apart_by_index() -> None:
    assert joined(
        [part(0, "a", "one", ""), part(1, "b", "two", "")], [part(1, None, None, "{2")], [part(0, None, None, "{1")],
        [part(0, None, None, "}"), part(1, None, None, "}")],
    ) == [("a", "one", "{1}"), ("b", "two", "{2}")]  # fmt: skip


def test_a_new_id_under_the_same_index_is_another_call() -> None:
    assert joined([part(0, "a", "one", "{}")], [part(0, "b", "two", "{}")]) == [("a", "one", "{}"), ("b", "two", "{}")]


def test_an_id_repeated_with_every_fragment_is_one_call() -> None:
    assert joined([part(0, "a", "one", "{")], [part(0, "a", "one", "}")]) == [("a", "one", "{}")]


def test_a_fragment_without_index_belongs_to_the_last_call() -> None:
    assert joined([part(None, "a", "one", "{")], [part(None, None, None, "}")]) == [("a", "one", "{}")]


def test_a_call_without_an_id_gets_one_and_a_call_without_a_name_is_none() -> None:
    assert joined([part(0, None, "one", "{}"), part(1, "x", None, "{}")]) == [("call_0", "one", "{}")]


@pytest.mark.parametrize(("header", "seconds"), [("2", 2.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None)])
def test_retry_after_is_a_number_of_seconds(header: str, seconds: float | None) -> None:
    assert seconds_of(header) == seconds


def test_retry_after_may_be_a_date() -> None:
    assert seconds_of("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert (seconds_of("Wed, 21 Oct 2099 07:28:00 GMT") or 0) > 1_000_000
