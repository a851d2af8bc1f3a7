"""Turns that fail, are killed or are closed: what was said is on the disk once, and the person is told."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.turn.turn import STOPPED_BEFORE
from mnemoscope.domain.errors import AnswerCutOff, DiskFull, RateLimited
from mnemoscope.domain.events import TurnEnded, TurnFailed
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.store.files.disk import DiskThread
from tests.support.agent_bench import KEY, Answers, contents, make_bench
from tests.support.faulty_calls import FailingAt
from tests.support.scripted_provider import Gate, asks, call


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
    assert bench.seen(TurnFailed)[0].sentence == "The model failed: boom."
    assert bench.messages()[1]["content"] == "Some "


@pytest.mark.logs_errors("the provider failed")
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TimeoutError(), ("AnswerTimedOut", "The model did not answer in time.")),
        (RuntimeError(""), ("ModelError", "The model failed: RuntimeError.")),
    ],
)
async def test_an_exception_that_says_nothing_is_told_with_a_reason(
    tmp_path: Path, error: Exception, message: tuple[str, str]
) -> None:
    bench = make_bench(tmp_path, [error])
    assert await bench.loop.process(KEY, "Hello")
    (failed,) = bench.seen(TurnFailed)
    assert (failed.kind, failed.sentence) == message


async def test_a_message_the_disk_refuses_is_not_sent_and_written_once_when_sent_again(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, "Yes.")
    append, full = bench.sessions.append, [True]

    def failing(session: Any) -> list[int]:
        if full:
            full.pop()
            raise DiskFull("The disk is full.")
        return append(session)

    fakes = {"append": staticmethod(failing), "take_loss": staticmethod(lambda _key: None)}
    bench.loop.writer.sessions = type("Full", (), fakes)()
    await bench.loop.process(KEY, "Hello")
    assert bench.provider.requests == []
    assert bench.seen(TurnFailed)[0].kind == "DiskFull"
    assert bench.messages() == []
    await bench.loop.process(KEY, "Hello")
    assert contents(bench) == [("user", "Hello"), ("assistant", "Yes.")]


async def test_the_answer_on_its_way_survives_a_kill(tmp_path: Path) -> None:
    gate = Gate()
    bench = make_bench(tmp_path, ["So far ", "so good", gate])
    bench.loop.services.partials.interval = 0
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    file = bench.loop.services.partials.path_of(KEY)
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
    assert await reopened.loop.services.partials.recover(reopened.sessions, reopened.loop.writer) == [KEY]
    assert reopened.messages()[1]["content"] == "So far so good"
    assert reopened.messages()[1]["interrupted"] is True
    assert await reopened.loop.services.partials.recover(reopened.sessions, reopened.loop.writer) == []
    assert len(reopened.messages()) == 2


async def test_an_answer_that_the_disk_refuses_is_on_it_before_the_turn_ends(tmp_path: Path) -> None:
    gate, calls, disk = Gate(), FailingAt(), DiskThread()
    bench = make_bench(tmp_path, ["Half", gate, LLMResponse("Half and whole")], disk=disk, calls=calls)
    turn = asyncio.create_task(bench.loop.process(KEY, "Tell me"))
    await gate.reached.wait()
    calls.at = lambda path: path.parent.name == "sessions"
    gate.open.set()
    await turn
    disk.close()
    assert json.loads(bench.loop.services.partials.path_of(KEY).read_bytes())["text"].startswith("Half")
    assert [each.kind for each in bench.seen(TurnFailed)] == ["DiskFull"]


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
    assert await bench.loop.services.partials.recover(bench.sessions, bench.loop.writer) == []
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
