"""Which messages a guarded prompt holds: those that are compacted are not sent, and a marker says so."""

from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.agent.prompt.context_builder import ContextBuilder, PromptFrame
from mnemoscope.agent.prompt.sent_messages import GuardPlan, compactable, viewed_history
from mnemoscope.domain.context.compaction import Compaction, plan_compaction
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.context.recovery import RecalledSource
from mnemoscope.domain.conversation.history_selection import LeftOutReason, select_history
from mnemoscope.domain.conversation.token_estimate import estimate_message
from mnemoscope.store.files.shipped import shipped_prompt

HIDDEN = Compaction(2, 16, 14, 1_000)
TOLD = (
    RecalledSource(
        "Working Buffer Recovery", "memory/working-buffer.md", "## Working Buffer Recovery\n\nthey chose tea", 12
    ),
)


def said(count: int, words: str = "words") -> list[dict[str, Any]]:
    return [{"role": ("user", "assistant")[each % 2], "content": f"{words} {each}"} for each in range(count)]


def shot(tmp_path: Any, messages: list[dict[str, Any]], guarded: GuardPlan, window: int = 0) -> PromptSnapshot:
    return ContextBuilder(tmp_path).snapshot(
        messages,
        0,
        "where were we?",
        now=datetime(2026, 11, 22, 10, 30),
        session_key="desktop:a",
        frame=PromptFrame("m", (), window),
        plan=guarded,
    )


def test_a_marker_stands_between_the_first_and_the_last_messages(tmp_path: Any) -> None:
    messages = said(20)
    prompt = shot(tmp_path, messages, GuardPlan(HIDDEN))
    words = [str(message["content"]) for message in prompt.request[1:-1]]
    assert words[:2] == ["words 0", "words 1"]
    assert words[2].startswith("[CONTEXT COMPACTION: 14 earlier messages")
    assert words[3:] == ["words 16", "words 17", "words 18", "words 19"]
    (marker,) = [section for section in prompt.messages if section.kind == "marker"]
    assert marker.source == "messages 3 to 16"
    assert "14 messages: compacted, a marker stands for them." in prompt.left_out
    assert len(prompt.messages) == len(prompt.request) - 1
    assert len(messages) == 20


def test_what_is_recovered_is_a_part_of_its_own_before_the_persons_words(tmp_path: Any) -> None:
    prompt = shot(tmp_path, said(4), GuardPlan(None, TOLD))
    recovery, newest = prompt.messages[-2:]
    assert recovery.kind == "recovery"
    assert recovery.source == "memory/working-buffer.md"
    assert prompt.request[-2]["content"].startswith(shipped_prompt("recovery"))
    assert "chose tea" not in newest.text
    assert prompt.memory_tokens >= recovery.tokens


def test_a_pointer_beyond_what_was_compacted_leaves_no_marker(tmp_path: Any) -> None:
    assert viewed_history(said(20), 16, None, HIDDEN) == select_history(said(20), 16)


def test_a_pointer_within_it_leaves_the_marker_first() -> None:
    selection = viewed_history(said(20), 10, None, HIDDEN)
    assert selection.kept == (16, 17, 18, 19)
    assert selection.reason(12) is LeftOutReason.COMPACTED


def test_where_even_the_rest_does_not_fit_the_oldest_go_first(tmp_path: Any) -> None:
    messages = said(20, "word " * 100)
    cost = estimate_message(messages[-1])
    selection = viewed_history(messages, 0, 2 * cost + 20, HIDDEN)
    assert selection.kept == (18, 19)
    assert selection.reason(17) is LeftOutReason.BEYOND_LIMIT
    assert selection.reason(3) is LeftOutReason.COMPACTED


def test_the_beginning_of_a_very_long_conversation_stays() -> None:
    messages = said(2_000)
    sent = compactable(messages, 0)
    plan = plan_compaction(messages, sent, dict.fromkeys(sent, 1))
    assert plan is not None
    assert (plan.start, plan.stop) == (2 if len(sent) < 500 else plan.start, 1_996)
    selection = viewed_history(messages + said(600), 0, None, plan)
    assert selection.kept[:2] == (0, 1)
    assert len(selection.kept) <= 600


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 40))
def test_no_message_is_both_sent_and_left_out(count: int, start: int, length: int, pointer: int) -> None:
    messages = said(count)
    compaction = Compaction(min(start, count), min(start + length, count), length, 0)
    selection = viewed_history(messages, min(pointer, count), None, compaction)
    assert not set(selection.kept) & set(selection.left_out)
    if compaction.stop > pointer:
        assert not [index for index in selection.kept if compaction.hides(index)]


def test_a_tool_result_that_was_cut_says_where_the_whole_text_is(tmp_path: Any) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "exec", "arguments": "{}"}}
    result = {"role": "tool", "content": "x" * 400, "tool_call_id": "c", "name": "exec", "cut": 4_000, "whole": "a.txt"}
    messages = [*said(1), {"role": "assistant", "content": None, "tool_calls": [call]}, result]
    (cut,) = shot(tmp_path, messages, GuardPlan()).cut
    assert (cut.title, cut.source, cut.tokens) == ("exec", "a.txt", 1_000)
