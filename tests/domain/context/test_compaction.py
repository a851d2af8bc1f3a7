"""When the context is guarded, and which messages a compaction leaves out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.context.compaction import Compaction, ContextTracker, plan_compaction


def calls(*ids: str) -> dict[str, Any]:
    made = [{"id": each, "type": "function", "function": {"name": "f", "arguments": "{}"}} for each in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "content": "done", "tool_call_id": call_id, "name": "f"}


def said(count: int) -> list[dict[str, Any]]:
    return [{"role": "user" if each % 2 == 0 else "assistant", "content": str(each)} for each in range(count)]


def plan(messages: list[dict[str, Any]]) -> Compaction | None:
    return plan_compaction(messages, range(len(messages)), dict.fromkeys(range(len(messages)), 10))


def test_the_first_two_and_the_last_four_stay() -> None:
    assert plan(said(20)) == Compaction(2, 16, 14, 140)


@pytest.mark.parametrize("count", range(7))
def test_six_messages_or_fewer_are_never_compacted(count: int) -> None:
    assert plan(said(count)) is None


def test_calls_and_their_results_are_never_parted() -> None:
    messages = [*said(1), calls("a", "b"), result("a"), result("b"), *said(6), calls("c"), result("c"), *said(3)]
    compaction = plan(messages)
    assert compaction is not None
    assert (compaction.start, compaction.stop) == (4, 10)


def group_of(kinds: list[int]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for number, kind in enumerate(kinds):
        if kind == 0:
            messages.append({"role": "user", "content": "q"})
        elif kind == 1:
            messages.append({"role": "assistant", "content": "a"})
        else:
            ids = [f"{number}-{each}" for each in range(kind - 1)]
            messages += [calls(*ids), *map(result, ids)]
    return messages


@given(st.lists(st.integers(0, 4), max_size=20))
def test_every_result_that_is_sent_has_its_call_and_every_call_its_results(kinds: list[int]) -> None:
    messages = group_of(kinds)
    compaction = plan(messages)
    if compaction is None:
        return
    sent = [message for index, message in enumerate(messages) if not compaction.hides(index)]
    declared = [call["id"] for message in sent for call in message.get("tool_calls", ())]
    assert declared == [message["tool_call_id"] for message in sent if message["role"] == "tool"]
    assert compaction.start >= 2
    assert len(messages) - compaction.stop >= 4
    assert compaction.removed == compaction.stop - compaction.start


def test_the_marker_says_how_many_are_missing_and_a_summary_stands_in_its_place() -> None:
    assert Compaction(2, 14, 12, 0).marker.startswith("[CONTEXT COMPACTION: 12 earlier messages were removed")
    summed_up = Compaction(2, 14, 12, 0, "They chose Postgres.").marker
    assert "12 messages compacted" in summed_up
    assert "They chose Postgres." in summed_up


def test_the_buffer_begins_at_half_of_the_window_and_compaction_beyond_sixty_percent_of_the_next_turn() -> None:
    tracker = ContextTracker(10_000)
    assert not tracker.needs_buffer(4_999)
    assert tracker.needs_buffer(5_000)
    tracker.note(1_000, {"prompt_tokens": 1_000, "completion_tokens": 100})
    assert not tracker.needs_compaction(5_900)
    assert tracker.needs_compaction(5_901)


def test_what_the_server_counted_corrects_the_estimate() -> None:
    tracker = ContextTracker(10_000)
    tracker.note(1_000, {"prompt_tokens": 1_500})
    assert tracker.tokens(2_000) == 3_000
    tracker.note(1_000, {})
    assert tracker.tokens(2_000) == 3_000


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": 0}, {"prompt_tokens": "9"}, {"prompt_tokens": True}])
def test_a_server_that_reports_nothing_of_use_corrects_nothing(usage: dict[str, Any]) -> None:
    tracker = ContextTracker(10_000)
    tracker.note(1_000, usage)
    assert tracker.tokens(1_000) == 1_000


def test_a_server_that_reports_nonsense_is_not_believed() -> None:
    tracker = ContextTracker(10_000)
    tracker.note(1_000, {"prompt_tokens": 10**9, "completion_tokens": 10**9})
    assert tracker.tokens(1_000) == 3_000
    assert tracker.next_turn(0) == 1_250


def test_a_window_nobody_knows_guards_nothing() -> None:
    tracker = ContextTracker(0)
    assert not tracker.needs_buffer(10**9)
    assert not tracker.needs_compaction(10**9)
