"""Stopping a turn: what arrived is kept, every call has a result, and nothing else is run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from mnemoscope.agent.turn.turn import CUT_SHORT, STOPPED_BEFORE, RunningTool, TurnProgress
from mnemoscope.domain.conversation.history_selection import get_history
from mnemoscope.domain.events import Event, ReplyEnded, ToolRan, TurnEnded, TurnFailed
from mnemoscope.domain.llm import ReasoningDelta
from mnemoscope.store.files.disk import DiskThread
from tests.support.agent_bench import KEY, Bench, contents, make_bench
from tests.support.scripted_provider import Gate, asks, call


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

    def stop(event: Event) -> None:
        if isinstance(event, ToolRan):
            bench.loop.stop(KEY)

    bench.bus.subscribe(stop)
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


def waited_in(bench: Bench) -> float | None:
    progress = bench.loop.progress(KEY)
    return progress.waited if progress is not None else None


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
    before = Gate()
    script = [before, ReasoningDelta("Hm."), "Half ", gate, "done."]
    bench = make_bench(tmp_path, calls, script, approver=Waiting(), exec_enabled=True)
    assert bench.loop.progress(KEY) is None
    turn = asyncio.create_task(bench.loop.process(KEY, "Run"))
    await waiting.wait()
    assert bench.loop.progress(KEY) == TurnProgress("", (RunningTool("7", "exec", {"argv": ["true"]}),))
    assert waited_in(bench) is None
    assert asked[0].session_key == KEY
    go_on.set()
    await before.reached.wait()
    assert bench.loop.progress(KEY) == TurnProgress("", (), thinks=False)
    assert waited_in(bench) is not None
    before.open.set()
    await gate.reached.wait()
    assert bench.loop.progress(KEY) == TurnProgress("Half ", (), thinks=True)
    gate.open.set()
    await turn
    assert bench.loop.progress(KEY) is None


async def test_stop_where_nothing_runs_does_nothing(tmp_path: Path) -> None:
    assert not make_bench(tmp_path).loop.stop(KEY)
