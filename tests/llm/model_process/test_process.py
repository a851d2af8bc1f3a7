"""The model process: started late, ended in time, started again after it died, and told nothing it need not know."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import AnswerCutOff, ServerUnreachable
from mnemoscope.domain.llm import ChatRequest, TextDelta
from mnemoscope.llm.model_process.process import MODEL_COMMAND, Exchange, ModelProcess, child_environment
from mnemoscope.llm.remote import Connection, LiteLLMProvider, RequestLimits
from tests.llm.conftest import MODEL
from tests.support.loopback_server import Answer, LoopbackServer, Stall
from tests.support.own_time import Watch

HELLO = [{"role": "user", "content": "Hello"}]

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "ask" in asked:
        words = asked["ask"]["messages"][0]["content"]
        if words == "die": sys.exit(3)
        if words == "hang": continue
        print("this is not JSON")
        print(json.dumps({"id": asked["id"], "text": words}))
        done = dict(content=words, reasoning=None, calls=[], finish_reason="stop", usage={}, cost=None)
        print(json.dumps({"id": asked["id"], "done": done}), flush=True)
"""
STUBBORN = """
import time
print('{"ready": 0}', flush=True)
while True: time.sleep(1)
"""


def echo_process() -> ModelProcess:
    """Returns a process with the same protocol that starts in milliseconds."""
    return ModelProcess((sys.executable, "-I", "-S", "-c", ECHO))


async def ask(provider: LiteLLMProvider, words: str) -> str | None:
    return (await provider.chat([{"role": "user", "content": words}], model=MODEL)).content


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


async def test_no_process_starts_before_it_is_needed() -> None:
    process = echo_process()
    LiteLLMProvider(process=process)
    assert not process.is_running
    await process.aclose()


async def test_closing_ends_the_process_and_leaves_no_descriptor() -> None:
    before = open_descriptors()
    process = echo_process()
    assert await ask(LiteLLMProvider(process=process), "hello") == "hello"
    pid = process.pid
    assert pid is not None
    await process.aclose()
    assert is_gone(pid)
    assert not process.is_running
    assert open_descriptors() == before


@pytest.mark.slow
def test_a_process_that_will_not_end_is_ended_within_a_second() -> None:
    # More than once on a machine that gave nobody a turn in that second.
    assert any(ending_takes() < 1 for _ in range(5))


def ending_takes() -> float:
    started = threading.Event()
    process = ModelProcess((sys.executable, "-I", "-S", "-c", STUBBORN), on_ready=lambda _: started.set())
    process.warm()
    assert started.wait(60)
    pid = process.pid
    assert pid is not None
    watch = Watch()
    asyncio.run(process.aclose())
    taken = watch.seconds()
    assert is_gone(pid)
    return taken


async def test_closing_while_a_request_runs_ends_the_request() -> None:
    process = echo_process()
    asked = asyncio.create_task(ask(LiteLLMProvider(process=process), "hang"))
    await asyncio.sleep(0)
    await process.aclose()
    with pytest.raises(ServerUnreachable):
        await asked


async def test_a_process_that_dies_is_said_and_started_again() -> None:
    process = echo_process()
    provider = LiteLLMProvider(process=process)
    with pytest.raises(ServerUnreachable) as caught:
        await ask(provider, "die")
    assert caught.value.sentence == "The model process ended unexpectedly."
    assert await ask(provider, "again") == "again"
    await process.aclose()


async def test_a_program_that_cannot_be_started_is_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL", "mnemoscope.llm.model_process.process")
    process = ModelProcess(("/nowhere/python",))
    with pytest.raises(ServerUnreachable):
        await ask(LiteLLMProvider(process=process), "hello")
    await process.aclose()


async def test_a_process_that_stopped_responding_is_ended() -> None:
    process = echo_process()
    provider = LiteLLMProvider(process=process, limits=RequestLimits(silence_seconds=0.3))
    with pytest.raises(ServerUnreachable) as caught:
        await ask(provider, "hang")
    assert caught.value.sentence == "The model process stopped responding and was ended."
    await process.aclose()


def test_loops_one_after_another_can_share_a_process() -> None:
    process = echo_process()
    provider = LiteLLMProvider(process=process)
    assert asyncio.run(ask(provider, "one")) == "one"
    assert asyncio.run(ask(provider, "two")) == "two"
    asyncio.run(process.aclose())


@pytest.mark.slow
async def test_a_kill_in_the_middle_of_an_answer_keeps_what_had_arrived(is_long: bool) -> None:
    with LoopbackServer(Stall(("Half ",)), otherwise=Answer("Whole.")) as server:
        provider = LiteLLMProvider(lambda _: Connection(server.base_url, "test"))
        parts = provider.stream(ChatRequest(HELLO, model=MODEL))
        assert await anext(parts) == TextDelta("Half ")
        assert provider.process.pid is not None
        os.kill(provider.process.pid, signal.SIGKILL)
        with pytest.raises(AnswerCutOff):
            await anext(parts)
        # That it is started again, which takes seconds, is told above of one that starts at once.
        if is_long:
            assert (await provider.chat(HELLO, model=MODEL)).content == "Whole."
        await provider.aclose()


@pytest.mark.slow
def test_it_ends_when_the_window_dies_even_while_it_imports() -> None:
    process = subprocess.Popen(MODEL_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment())
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()


def test_the_environment_holds_no_key_and_nothing_for_litellm() -> None:
    given = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "sk-1",
        "ANTHROPIC_API_KEY": "sk-2",
        "OPENAI_BASE_URL": "http://elsewhere",
        "LITELLM_LOG": "DEBUG",
        "HF_TOKEN": "x",
        "PYTHONSTARTUP": "/tmp/x.py",
        "PYTHONPATH": "/tmp",
        "AWS_PROFILE": "work",
        "no_proxy": "example.org",
    }
    kept = child_environment(given)
    assert kept.keys() <= {"PATH", "AWS_PROFILE", "no_proxy", "NO_PROXY", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
    assert kept["no_proxy"] == "example.org,127.0.0.1,localhost,::1"
    assert "/tmp" not in kept["PYTHONPATH"].split(os.pathsep)


def test_the_command_line_names_the_module_and_nothing_secret() -> None:
    assert (sys.executable, "-P", "-X", "utf8", "-m", "mnemoscope.llm.model_process.host") == MODEL_COMMAND


@pytest.mark.slow
def test_what_is_said_while_litellm_loads_is_not_lost_and_nothing_else_is_printed() -> None:
    """The protocol by hand: one request that fails at once, since nothing listens there."""
    ask_of = {
        "model": "openai/scripted", "messages": HELLO, "tools": [], "tool_choice": None, "max_tokens": 1,
        "temperature": 0, "api_base": "http://127.0.0.1:9/v1", "api_key": "test", "first_seconds": 1,
        "idle_seconds": 1, "connect_seconds": 1, "tries": 1, "longest_wait": 1,
    }  # fmt: skip
    said = subprocess.Popen(
        MODEL_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment(), cwd=Path(sys.prefix)
    )
    assert said.stdin is not None
    assert said.stdout is not None
    said.stdin.write(json.dumps({"id": 7, "ask": ask_of}).encode() + b"\n")
    said.stdin.flush()
    lines = [json.loads(said.stdout.readline()) for _ in range(2)]
    assert lines[0].keys() == {"ready"}
    assert lines[1]["failed"]["kind"] == "server"
    said.stdin.close()
    assert said.stdout.read() == b""
    said.stdout.close()
    assert said.wait(60) == 0


class CountingLoop(asyncio.SelectorEventLoop):
    """Counts its timers: Qt's loop keeps each one until it is due, also where it was cancelled."""

    timers = 0

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:  # type: ignore[override]
        self.timers += 1
        return super().call_at(when, callback, *args, context=context)


def test_an_answer_in_many_pieces_sets_one_timer() -> None:
    async def hear() -> int:
        exchange = Exchange(1, lambda _: None, lambda _: None)
        for number in range(500):
            exchange.deliver({"text": str(number)})
            assert await exchange.hear(90) == {"text": str(number)}
        exchange.close()
        loop = asyncio.get_running_loop()
        assert isinstance(loop, CountingLoop)
        return loop.timers

    with asyncio.Runner(loop_factory=CountingLoop) as runner:
        assert runner.run(hear()) == 1


async def test_a_silence_before_anybody_listened_is_none() -> None:
    exchange = Exchange(1, lambda _: None, lambda _: None)
    with pytest.raises(TimeoutError):
        await exchange.hear(0.02)
    exchange.deliver({"text": "late"})
    assert await exchange.hear(0.02) == {"text": "late"}
    await asyncio.sleep(0.05)  # Nobody hears, and that is no silence of the process's.
    exchange.deliver({"text": "later"})
    assert await exchange.hear(5) == {"text": "later"}
    exchange.close()
