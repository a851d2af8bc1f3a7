"""One message's way: durable, answered, durable again, one turn at a time."""

from __future__ import annotations

import asyncio
import gc
import json
from itertools import pairwise
from pathlib import Path

import pytest

from mnemoscope.agent.prompt.context_builder import RUNTIME_TAG
from mnemoscope.agent.turn.turn import Turn
from mnemoscope.domain.conversation.history_selection import get_history
from mnemoscope.domain.events import (
    Event,
    Noticed,
    PromptBuilt,
    RecordAppended,
    ReplyDelta,
    ReplyEnded,
    SessionsChanged,
    ThinkingStarted,
    ToolRan,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from mnemoscope.domain.llm import LLMResponse, ReasoningDelta
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.agent_bench import KEY, contents, kinds, make_bench
from tests.support.scripted_provider import Gate, asks, call, says


def all_files(root: Path) -> list[Path]:
    return sorted(root.rglob("*"))


async def test_a_message_is_answered_and_both_are_durable(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Good morning, Nell.")
    assert await bench.loop.process(KEY, "Hello")
    user, answer = bench.messages()
    assert user == {"role": "user", "content": "Hello", "timestamp": "2026-11-21T09:00:02.000000"}
    assert answer["content"] == "Good morning, Nell."
    assert answer["model"] == "scripted"
    assert answer["usage"]["completion_tokens"] == 5
    assert "interrupted" not in answer
    assert kinds(bench) == [
        RecordAppended, SessionsChanged, TurnStarted, PromptBuilt, ReplyDelta, RecordAppended, ReplyEnded, TurnEnded,
    ]  # fmt: skip
    assert "".join(delta.text for delta in bench.seen(ReplyDelta)) == "Good morning, Nell."
    assert bench.seen(TurnEnded) == [TurnEnded(KEY, "answered")]


async def test_a_turn_that_is_over_is_gone_at_once_with_its_prompt(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, asks(call("list_files")), "Good morning, Nell.", "Good night.")
    await bench.loop.process(KEY, "Hello")
    gc.collect()
    gc.disable()
    try:
        await bench.loop.process(KEY, "And now?")
        await asyncio.sleep(0)
        assert [each for each in gc.get_objects() if isinstance(each, Turn)] == []
    finally:
        gc.enable()


async def test_the_message_is_on_the_disk_before_the_model_is_asked(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, [gate, "Yes."])
    turn = asyncio.create_task(bench.loop.process(KEY, "Are you there?"))
    await gate.reached.wait()
    assert contents(bench) == [("user", "Are you there?")]
    gate.open.set()
    await turn


async def test_a_record_is_announced_only_when_a_reader_would_find_it(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, asks(call("list_files")), "Done.")

    def check(event: Event) -> None:
        if isinstance(event, RecordAppended):
            assert bench.messages()[event.index] == event.message

    bench.bus.subscribe(check)
    await bench.loop.process(KEY, "Look")
    assert [event.index for event in bench.seen(RecordAppended)] == [0, 1, 2, 3]


async def test_the_model_gets_system_history_and_the_message_with_its_moment(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "One.", "Two.")
    await bench.loop.process(KEY, "First")
    await bench.loop.process(KEY, "Second")
    first, second = bench.provider.requests
    assert first.messages[0] == second.messages[0]
    assert [message["role"] for message in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[1] == {"role": "user", "content": "First"}
    assert set(second.messages[2]) == {"role", "content"}
    assert second.messages[3]["content"].startswith(RUNTIME_TAG)
    assert second.messages[3]["content"].endswith("\n\nSecond")
    assert second.model == "scripted"


async def test_tools_run_and_the_model_goes_on_with_their_results(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("Buy clay.")
    bench = make_bench(tmp_path, asks(call("read_file", path="plan.md"), text="Let me look."), "Buy clay, it says.")
    await bench.loop.process(KEY, "What is the plan?")
    _, asking, result, answer = bench.messages()
    assert asking["content"] == "Let me look."
    assert asking["tool_calls"] == [
        {
            "id": "call-read_file",
            "type": "function",
            "function": {"name": "read_file", "arguments": json.dumps({"path": "plan.md"})},
        }
    ]
    assert (result["role"], result["tool_call_id"], result["name"], result["content"]) == (
        "tool", "call-read_file", "read_file", "Buy clay.",
    )  # fmt: skip
    assert answer["content"] == "Buy clay, it says."
    assert [message["role"] for message in bench.provider.requests[1].messages[-3:]] == ["user", "assistant", "tool"]
    assert bench.provider.requests[1].messages[:2] == bench.provider.requests[0].messages
    (ran,) = bench.seen(ToolRan)
    assert (ran.succeeded, ran.summary) == (True, "Buy clay.")
    assert bench.seen(ToolStarted)[0].arguments == {"path": "plan.md"}
    assert len(bench.seen(PromptBuilt)[1].prompt.request) == len(bench.provider.requests[1].messages)


async def test_a_tool_that_fails_is_told_to_the_model(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, asks(call("read_file", path="../secret")), "I may not.")
    await bench.loop.process(KEY, "Read it")
    assert "was refused" in bench.messages()[2]["content"]
    assert not bench.seen(ToolRan)[0].succeeded


async def test_after_the_last_round_of_tools_the_model_may_only_speak(tmp_path: Path) -> None:
    again = asks(call("list_files"))
    bench = make_bench(tmp_path, again, again, says("Enough."), max_tool_rounds=2)
    await bench.loop.process(KEY, "Look")
    assert [request.tool_choice for request in bench.provider.requests] == [None, None, "none"]
    assert bench.messages()[-1]["content"] == "Enough."
    assert bench.seen(Noticed)[0].sentence == "The limit of 2 rounds of tool calls is reached."
    assert bench.seen(TurnEnded) == [TurnEnded(KEY, "answered")]


async def test_calls_without_ids_or_with_the_same_get_their_own(tmp_path: Path) -> None:
    bench = make_bench(
        tmp_path, asks(call("list_files", id="a"), call("list_files", id="a"), call("list_files", id="")), "Ok"
    )
    await bench.loop.process(KEY, "Look")
    ids = [one["id"] for one in bench.messages()[1]["tool_calls"]]
    assert len(set(ids)) == 3
    assert [message["tool_call_id"] for message in bench.messages() if message["role"] == "tool"] == ids
    assert len(get_history(bench.messages(), 0)) == 6


async def test_malformed_arguments_are_stored_as_json_that_a_server_accepts(tmp_path: Path) -> None:
    bad = call("read_file")
    bad = type(bad)(bad.id, bad.name, "{broken")
    bench = make_bench(tmp_path, asks(bad), "Sorry.")
    await bench.loop.process(KEY, "Read")
    stored = bench.messages()[1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(stored) == {"malformed": "{broken"}
    assert "not a JSON object" in bench.messages()[2]["content"]


async def test_reasoning_is_kept_beside_the_answer(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, [ReasoningDelta("Think"), ReasoningDelta("ing."), "Four."])
    await bench.loop.process(KEY, "2 + 2")
    assert bench.messages()[1]["reasoning_content"] == "Thinking."
    kinds = [type(event) for event in bench.events if isinstance(event, PromptBuilt | ThinkingStarted | ReplyDelta)]
    assert kinds == [PromptBuilt, ThinkingStarted, ReplyDelta]


async def test_an_answer_that_reached_the_limit_is_kept_and_said(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, LLMResponse("Once upon", (), "length"))
    await bench.loop.process(KEY, "Tell a story")
    assert bench.messages()[1]["finish_reason"] == "length"
    assert "the limit of 4,096 tokens" in bench.seen(Noticed)[0].sentence


async def test_an_answer_that_the_server_cut_below_the_limit_does_not_name_the_limit(tmp_path: Path) -> None:
    cut = LLMResponse("Once upon", (), "length", usage={"prompt_tokens": 1_600, "completion_tokens": 448})
    bench = make_bench(tmp_path, cut)
    await bench.loop.process(KEY, "Tell a story")
    said = bench.seen(Noticed)[0]
    assert "the model's context is full" in said.sentence
    assert "raise the limit" not in said.next_step


async def test_a_second_message_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, [gate, "Yes."], "Other.")
    turn = asyncio.create_task(bench.loop.process(KEY, "One"))
    await gate.reached.wait()
    assert bench.loop.is_busy(KEY)
    assert await bench.loop.process(KEY, "Two") is False
    assert await bench.loop.process("desktop:other", "Elsewhere") is True
    gate.open.set()
    await turn
    assert contents(bench) == [("user", "One"), ("assistant", "Yes.")]
    assert not bench.loop.is_busy(KEY)


async def test_the_session_is_free_again_when_the_end_is_announced(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Yes.")
    busy: list[bool] = []
    bench.bus.subscribe(lambda event: busy.append(bench.loop.is_busy(KEY)) if isinstance(event, TurnEnded) else None)
    await bench.loop.process(KEY, "One")
    assert busy == [False]


async def test_nothing_but_blanks_is_not_taken(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    assert await bench.loop.process(KEY, "  \n ") is False
    assert bench.messages() == []


async def test_a_read_only_workspace_takes_no_message(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, read_only=True)
    before = all_files(tmp_path)
    assert await bench.loop.process(KEY, "Hello") is False
    assert bench.seen(Noticed)[0].sentence == "The workspace is open for reading only."
    assert all_files(tmp_path) == before


@pytest.mark.slow
async def test_a_turn_costs_the_same_file_growth_at_any_length(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, provider=None)
    bench.provider.last = "Yes."
    sizes = []
    for number in range(30):
        await bench.loop.process(KEY, f"Message {number:03}")
        sizes.append(SessionManager(tmp_path).path_of(KEY).stat().st_size)  # type: ignore[union-attr]
    growth = [after - before for before, after in pairwise(sizes[1:])]
    # The seconds that an answer took are written with as many digits as they have.
    assert max(growth) - min(growth) <= 16
