"""What goes into the journal when the context presses, and what may stand there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.consolidation.archiving import (
    SummaryVerdict,
    budget_of,
    excess_tokens,
    is_pressing,
    judge_summary,
    plan_archive,
    raw_content,
)
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest

WORDS = "word " * 80


def user(text: str = WORDS) -> dict[str, Any]:
    return {"role": "user", "content": text, "timestamp": "2026-04-03T00:02:00"}


def assistant(text: str = WORDS) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "timestamp": "2026-04-03T00:02:00"}


def calls(*ids: str) -> dict[str, Any]:
    function = {"name": "read_file", "arguments": "{}"}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": name, "function": function} for name in ids]}


def result(name: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "name": "read_file", "content": WORDS}


def test_the_context_presses_once_the_prompt_reaches_its_budget() -> None:
    assert budget_of(10_000, 4_096) == 4_880
    assert is_pressing(4_880, 10_000, 4_096)
    assert not is_pressing(4_879, 10_000, 4_096)
    assert not is_pressing(1 << 40, 0, 4_096)
    assert excess_tokens(4_880, 10_000, 4_096) == 2_440


def test_the_oldest_messages_go_until_enough_is_gone() -> None:
    messages = [user(), assistant()] * 5
    part = plan_archive(messages, 2, 250)
    assert part is not None
    # Not 5: an answer without its question is not sent, and would be in neither.
    assert (part.start, part.stop) == (2, 6)


def test_no_turn_is_cut_unless_it_is_as_long_as_all_that_should_go() -> None:
    messages = [user(), *[assistant()] * 9, user(), assistant()]
    parts = [plan_archive(messages, 0, excess) for excess in (100, 450, 800)]
    assert [part.stop for part in parts if part is not None] == [1, 5, 10]


def test_a_boundary_never_lies_inside_a_group_of_tool_calls() -> None:
    messages = [user(), calls("a", "b"), result("a"), result("b"), assistant(), user(), assistant()]
    for excess in (90, 150, 250, 350):
        part = plan_archive(messages, 0, excess)
        assert part is not None
        assert part.stop in (1, 4, 5, 6, 7)


def test_the_turn_that_is_being_answered_stays() -> None:
    messages = [user(), assistant(), user(), calls("a"), result("a")]
    part = plan_archive(messages, 0, 10_000)
    assert part is not None
    assert part.stop == 2


def test_one_endless_turn_without_an_answer_has_nothing_to_give() -> None:
    assert plan_archive([user(), calls("a"), result("a")], 0, 10_000) is None
    assert plan_archive([], 0, 10) is None


def test_a_conversation_of_tools_alone_still_has_a_boundary() -> None:
    messages = [user()]
    for number in range(80):
        messages += [calls(str(number)), result(str(number))]
    messages += [assistant(), user("short")]
    part = plan_archive(messages, 0, 2_000)
    assert part is not None
    assert 0 < part.stop < 161


GROUP = st.sampled_from(["user", "assistant", "tools"])


@pytest.mark.slow
@given(st.lists(GROUP, max_size=20), st.integers(0, 4_000), st.integers(0, 20))
def test_no_result_is_ever_separated_from_its_call(groups: list[str], excess: int, pointer: int) -> None:
    messages: list[dict[str, Any]] = []
    for number, group in enumerate(groups):
        names = [f"{number}a", f"{number}b"]
        made = {"user": [user()], "assistant": [assistant()], "tools": [calls(*names), *map(result, names)]}
        messages += made[group]
    part = plan_archive(messages, pointer, excess)
    if part is not None:
        rest = messages[part.stop :]
        open_calls = {call["id"] for message in rest for call in message.get("tool_calls", ())}
        assert all(
            message["tool_call_id"] in open_calls for message in rest if message["role"] == "tool" and part.start == 0
        )


@pytest.mark.parametrize(
    "response",
    [
        LLMResponse(None), LLMResponse("  \n"), LLMResponse("- [durable] tea", finish_reason="error"),
        LLMResponse("- [durable] te", finish_reason="length"), LLMResponse("<!DOCTYPE html><html>502"),
        LLMResponse('{"error": {"message": "overloaded"}}'), LLMResponse("Error code: 429 - rate limited"),
        LLMResponse(None, (ToolCallRequest("1", "read_file", {}),), "tool_calls"), LLMResponse("x" * 16_001),
        LLMResponse("<think>only thoughts</think>"), LLMResponse("[RAW] 3 messages\n…"),
        LLMResponse("Traceback (most recent call last):\n  File"),
    ],
)  # fmt: skip
def test_what_is_no_summary_is_asked_for_again(response: LLMResponse) -> None:
    verdict = judge_summary(response)
    assert verdict.kind == "retry"
    assert verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "<head><title>502 Bad Gateway</title></head>\n<body>nginx</body>",
        "<center><h1>504 Gateway Time-out</h1></center>",
        "```html\n<html><body>502</body></html>\n```",
        "Error calling LLM: litellm.RateLimitError: 429 Too Many Requests",
        "litellm.APIConnectionError: Connection reset",
        "litellm.Timeout: APITimeoutError - Request timed out.",
        '{"message":"quota exceeded","code":429}',
        '```json\n{"message": "quota exceeded"}\n```',
        '[{"status": "RESOURCE_EXHAUSTED"}]',
        '{"detail":"Not authenticated"}',
        "Error: Internal Server Error",
        "**Error:** the model is overloaded\n\n- Check your plan\n- Try again later",
        "RateLimitError: slow down",
        "502 Bad Gateway",
        "HTTP/1.1 503 Service Unavailable",
        "upstream connect error or disconnect/reset before headers. reset reason: overflow",
        "Rate limit exceeded. Try again in 20s.",
        "You exceeded your current quota, please check your plan.",
        "An internal error occurred while processing your request.",
        "Connection error.",
        "\u200bError: overloaded",
    ],
)  # fmt: skip
def test_what_a_failing_server_says_is_no_summary_though_it_came_as_an_answer(text: str) -> None:
    verdict = judge_summary(LLMResponse(text, finish_reason="stop"))
    assert (verdict.kind, verdict.reason) == ("retry", "The answer looks like an error, not like a summary.")


@pytest.mark.parametrize(
    "text",
    [
        "- 502 Bad Gateway is what Ann's server answered; nginx was restarted",
        "- Error: Internal Server Error was in the log of the shop",
        "* `Rate limit exceeded` comes from the weather API",
        "Ann's server answered 502 Bad Gateway until nginx was restarted.",
        "Errors in the build were mended by Ann.",
        "Rate limits of the weather API were talked about.",
        "Connection errors of the printer went away.",
        "Error handling is to be written by Friday.",
        "<Tab> is Ann's key for completing.",
        "[2026-04-03] Ann chose JWT.",
        "Error: the summary is short.\n- [durable] Ann's server answers 502",
        '```\n- [permanent] Likes {"tea": true}\n```',
        "[durable] Ann writes HTML by hand",
        "HTTP 502 since Monday:\n1. [ephemeral] nginx is looked at",
    ],
)  # fmt: skip
def test_an_honest_summary_may_tell_of_errors_and_markup(text: str) -> None:
    assert judge_summary(LLMResponse(text, finish_reason="stop")) == SummaryVerdict("ok", text)


def test_a_page_is_none_whatever_stands_in_it() -> None:
    assert judge_summary(LLMResponse("<!DOCTYPE html>\n- [durable] Likes tea")).kind == "retry"


def test_a_summary_is_taken_without_thoughts() -> None:
    verdict = judge_summary(LLMResponse("<think>hm</think>\n- [durable] Likes tea\n"))
    assert (verdict.kind, verdict.summary) == ("ok", "- [durable] Likes tea")
    assert judge_summary(LLMResponse("(nothing)")).kind == "nothing"


def test_an_error_that_is_only_talked_about_is_a_summary() -> None:
    assert judge_summary(LLMResponse("- [durable] The server answered error 502 to Ann")).kind == "ok"


def test_raw_messages_are_kept_in_full() -> None:
    long = "w" * 50_000
    content = raw_content([user(long), assistant("short")])
    assert content.startswith("[RAW] 2 messages\n[2026-04-03 00:02] USER: w")
    assert content.count("w") == 50_000
    assert raw_content([]) == ""
