"""One message's way: durable, answered, durable again; stopped, failed or killed at any moment without a loss."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.context import RUNTIME_TAG
from mnemoscope.agent.progress import RunningTool, TurnProgress
from mnemoscope.agent.turn import CUT_SHORT, STOPPED_BEFORE
from mnemoscope.domain.errors import AnswerCutOff, DiskFull, RateLimited
from mnemoscope.domain.events import (
    Event,
    Noticed,
    PromptBuilt,
    RecordAppended,
    ReplyDelta,
    ReplyEnded,
    SessionsChanged,
    ToolRan,
    ToolStarted,
    TurnEnded,
    TurnFailed,
    TurnStarted,
)
from mnemoscope.domain.history import get_history
from mnemoscope.domain.llm import LLMResponse, ReasoningDelta
from mnemoscope.store.disk import DiskThread
from mnemoscope.store.sessions import SessionManager
from tests.support.agent_bench import KEY, Answers, Bench, make_bench
from tests.support.scripted_provider import Gate, asks, call, says


def kinds(bench: Bench) -> list[type[Event]]:
    """The kinds of events in order, deltas in a row counted once."""
    names = [type(event) for event in bench.events]
    return [
        kind for place, kind in enumerate(names) if place == 0 or kind is not names[place - 1] or kind is not ReplyDelta
    ]


def contents(bench: Bench) -> list[tuple[str, Any]]:
    return [(message["role"], message["content"]) for message in bench.messages()]


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


async def test_an_answer_that_reached_the_limit_is_kept_and_said(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, LLMResponse("Once upon", (), "length"))
    await bench.loop.process(KEY, "Tell a story")
    assert bench.messages()[1]["finish_reason"] == "length"
    assert "ends early" in bench.seen(Noticed)[0].sentence


# -- stop -------------------------------------------------------------------------------------------------------------


async def test_stop_while_streaming_keeps_what_arrived_marked(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["The first ", "half", gate, " and the second"], "Next.")
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    assert bench.loop.stop(KEY)
    assert await turn
    answer = bench.messages()[1]
    assert (answer["content"], answer["interrupted"], answer["model"]) == ("The first half", True, "scripted")
    assert bench.provider.closed_streams == 1
    assert bench.seen(TurnEnded) == [TurnEnded(KEY, "stopped")]
    assert bench.seen(TurnFailed) == []
    await bench.loop.process(KEY, "Go on")
    assert bench.messages()[-1]["content"] == "Next."


async def test_stop_before_the_first_piece_stores_nothing(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, [gate, "Late"])
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    bench.loop.stop(KEY)
    await turn
    assert contents(bench) == [("user", "Tell me")]
    assert len(bench.seen(ReplyEnded)) == 1


async def test_stop_at_the_very_first_moment_is_heard(tmp_path: Path) -> None:
    disk = DiskThread()
    bench = make_bench(tmp_path, "Never said.", disk=disk)
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await asyncio.sleep(0)
    assert bench.loop.is_busy(KEY)
    bench.loop.stop(KEY)
    await turn
    assert contents(bench) == [("user", "Tell me")]
    assert bench.provider.requests == []
    disk.close()


async def test_stop_while_a_tool_runs_gives_every_call_a_result(tmp_path: Path) -> None:
    waiting = asyncio.Event()

    class Waiting:
        async def ask(self, request: Any) -> Any:
            waiting.set()
            await asyncio.Event().wait()

    calls = asks(call("list_files", id="1"), call("exec", id="2", argv=["true"]), call("list_files", id="3"))
    bench = make_bench(tmp_path, calls, approver=Waiting(), exec_enabled=True)
    turn = asyncio.create_task(bench.loop.process(KEY, "Run"))
    await waiting.wait()
    bench.loop.stop(KEY)
    await turn
    results = [(m["tool_call_id"], m["content"], m.get("interrupted")) for m in bench.messages() if m["role"] == "tool"]
    assert results[1:] == [("2", STOPPED_BEFORE, True), ("3", STOPPED_BEFORE, True)]
    assert len(get_history(bench.messages(), 0)) == 5
    assert bench.seen(TurnEnded) == [TurnEnded(KEY, "stopped")]


async def test_stop_between_two_tools_does_not_run_the_second(tmp_path: Path) -> None:
    calls = asks(call("list_files", id="1"), call("write_file", id="2", path="x", content="y"))
    bench = make_bench(tmp_path, calls)
    bench.bus.subscribe(lambda event: bench.loop.stop(KEY) if isinstance(event, ToolRan) else None)
    await bench.loop.process(KEY, "Run")
    assert bench.messages()[-1]["content"] == STOPPED_BEFORE
    assert not (tmp_path / "x").exists()


async def test_stop_while_a_command_runs_says_that_it_was_running(tmp_path: Path) -> None:
    class Agreeing:
        async def ask(self, request: Any) -> Any:
            asyncio.get_running_loop().call_soon(bench.loop.stop, KEY)
            return "once"

    bench = make_bench(tmp_path, asks(call("exec", argv=["sleep", "5"])), approver=Agreeing(), exec_enabled=True)
    await bench.loop.process(KEY, "Run")
    assert bench.messages()[-1]["content"] == CUT_SHORT


# -- looking on -------------------------------------------------------------------------------------------------------


async def test_the_progress_of_a_turn_is_its_open_answer_and_the_tools_that_run(tmp_path: Path) -> None:
    asked: list[Any] = []
    waiting, go_on, gate = asyncio.Event(), asyncio.Event(), Gate()

    class Waiting:
        async def ask(self, request: Any) -> Any:
            asked.append(request)
            waiting.set()
            await go_on.wait()
            return "deny"

    calls = asks(call("exec", id="7", argv=["true"]), text="First I look.")
    bench = make_bench(tmp_path, calls, ["Half ", gate, "done."], approver=Waiting(), exec_enabled=True)
    assert bench.loop.progress(KEY) is None
    turn = asyncio.create_task(bench.loop.process(KEY, "Run"))
    await waiting.wait()
    assert bench.loop.progress(KEY) == TurnProgress("", (RunningTool("7", "exec", {"argv": ["true"]}),))
    assert asked[0].session_key == KEY
    go_on.set()
    await gate.reached.wait()
    assert bench.loop.progress(KEY) == TurnProgress("Half ", ())
    gate.open.set()
    await turn
    assert bench.loop.progress(KEY) is None


async def test_stop_where_nothing_runs_does_nothing(tmp_path: Path) -> None:
    assert not make_bench(tmp_path).loop.stop(KEY)


# -- failures ---------------------------------------------------------------------------------------------------------


async def test_a_model_that_fails_leaves_the_message_and_says_why(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, RateLimited("The server asks to wait."), "Better.")
    assert await bench.loop.process(KEY, "Hello")
    (failed,) = bench.seen(TurnFailed)
    assert (failed.sentence, failed.kind) == ("The server asks to wait.", "RateLimited")
    assert failed.next_step == "Wait a little, then try again."
    assert contents(bench) == [("user", "Hello")]
    assert bench.seen(TurnEnded) == [TurnEnded(KEY, "failed")]
    await bench.loop.process(KEY, "Again")
    assert bench.messages()[-1]["content"] == "Better."


async def test_an_answer_cut_off_in_the_middle_is_kept_marked(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, ["Half an ", "answer", AnswerCutOff("The connection ended.")])
    await bench.loop.process(KEY, "Hello")
    assert bench.messages()[1]["content"] == "Half an answer"
    assert bench.messages()[1]["interrupted"] is True
    assert bench.seen(TurnFailed)[0].kind == "AnswerCutOff"


@pytest.mark.parametrize("answer", [LLMResponse(""), LLMResponse(None), LLMResponse("  \n")])
async def test_an_empty_answer_is_a_failure_and_not_stored(tmp_path: Path, answer: LLMResponse) -> None:
    bench = make_bench(tmp_path, answer)
    await bench.loop.process(KEY, "Hello")
    assert bench.seen(TurnFailed)[0].sentence == "The model's answer was empty."
    assert contents(bench) == [("user", "Hello")]


async def test_an_error_page_is_not_stored_as_an_answer(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, LLMResponse("<html>502 Bad Gateway", (), "error"))
    await bench.loop.process(KEY, "Hello")
    assert "502" not in json.dumps([m for m in bench.messages() if not m.get("interrupted")])
    assert bench.seen(TurnFailed)[0].kind == "ModelError"


@pytest.mark.logs_errors("the provider failed")
async def test_a_provider_that_breaks_never_reaches_the_caller(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, ["Some ", ValueError("boom")])
    assert await bench.loop.process(KEY, "Hello")
    assert bench.seen(TurnFailed)[0].sentence == "The model's answer could not be read."
    assert bench.messages()[1]["content"] == "Some "


async def test_a_message_the_disk_refuses_is_not_sent_and_written_once_when_sent_again(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Yes.")
    append, full = bench.sessions.append, [True]

    def failing(session: Any) -> list[int]:
        if full:
            full.pop()
            raise DiskFull("The disk is full.")
        return append(session)

    fakes = {"append": staticmethod(failing), "take_loss": staticmethod(lambda _key: None)}
    bench.loop.records.sessions = type("Full", (), fakes)()  # type: ignore[assignment]
    await bench.loop.process(KEY, "Hello")
    assert bench.provider.requests == []
    assert bench.seen(TurnFailed)[0].kind == "DiskFull"
    assert bench.messages() == []
    await bench.loop.process(KEY, "Hello")
    assert contents(bench) == [("user", "Hello"), ("assistant", "Yes.")]


# -- one turn at a time -----------------------------------------------------------------------------------------------


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


# -- killed and closed ------------------------------------------------------------------------------------------------


async def test_the_answer_on_its_way_survives_a_kill(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["So far ", "so good", gate])
    bench.loop.partials.interval = 0
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    file = bench.loop.partials.path_of(KEY)
    while not file.exists() or json.loads(file.read_bytes())["text"] != "So far so good":  # noqa: ASYNC110
        await asyncio.sleep(0)
    left = file.read_bytes()
    bench.loop.stop(KEY)
    await turn
    assert not file.exists()

    other = tmp_path / "after-kill"
    (other / "sessions").mkdir(parents=True)
    session_file = next((tmp_path / "sessions").glob("*.jsonl"))
    lines = session_file.read_bytes().splitlines(keepends=True)
    (other / "sessions" / session_file.name).write_bytes(b"".join(lines[:-1]))
    reopened = make_bench(other)
    (other / ".mnemoscope" / "drafts").mkdir()
    (other / ".mnemoscope" / "drafts" / file.name).write_bytes(left)
    assert await reopened.loop.partials.recover(reopened.sessions, reopened.loop.records) == [KEY]
    assert reopened.messages()[1]["content"] == "So far so good"
    assert reopened.messages()[1]["interrupted"] is True
    assert await reopened.loop.partials.recover(reopened.sessions, reopened.loop.records) == []
    assert len(reopened.messages()) == 2


async def test_a_partial_answer_that_was_stored_after_all_is_not_stored_twice(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Whole.")
    await bench.loop.process(KEY, "Tell me")
    session = bench.sessions.get_or_create(KEY)
    folder = tmp_path / ".mnemoscope" / "drafts"
    folder.mkdir(exist_ok=True)
    partial = {
        "session_key": KEY,
        "created_at": session.created_at.isoformat(),
        "index": 1,
        "model": "m",
        "text": "Who",
    }
    (folder / "partial-x.json").write_text(json.dumps(partial))
    (folder / "partial-y.json").write_text("{torn")
    assert await bench.loop.partials.recover(bench.sessions, bench.loop.records) == []
    assert len(bench.messages()) == 2


async def test_closing_in_the_middle_of_an_answer_keeps_it(tmp_path: Path) -> None:
    gate, disk = Gate(), DiskThread()
    bench = make_bench(tmp_path, ["Half", gate], disk=disk)
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    await bench.loop.drain(3)
    assert await turn
    disk.close()
    assert bench.messages()[1]["interrupted"] is True
    assert await bench.loop.process(KEY, "More") is False


async def test_cancelling_the_caller_keeps_what_arrived(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["Half", gate])
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert bench.messages()[1]["content"] == "Half"
    assert not bench.loop.is_busy(KEY)


async def test_closing_while_an_approval_is_open_runs_nothing(tmp_path: Path) -> None:
    asked = asyncio.Event()

    class Waiting(Answers):
        async def ask(self, request: Any) -> Any:
            asked.set()
            await asyncio.Event().wait()

    bench = make_bench(tmp_path, asks(call("exec", argv=["touch", "x"])), approver=Waiting(), exec_enabled=True)
    turn = asyncio.create_task(bench.loop.process(KEY, "Run"))
    await asked.wait()
    await bench.loop.drain(3)
    await turn
    assert not (tmp_path / "x").exists()
    assert bench.messages()[-1]["content"] == STOPPED_BEFORE


async def test_a_turn_costs_the_same_file_growth_at_any_length(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, provider=None)
    bench.provider.last = "Yes."
    sizes = []
    for number in range(30):
        await bench.loop.process(KEY, f"Message {number:03}")
        sizes.append(SessionManager(tmp_path).path_of(KEY).stat().st_size)  # type: ignore[union-attr]
    growth = {after - before for before, after in pairwise(sizes[1:])}
    assert len(growth) == 1
