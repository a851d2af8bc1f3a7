"""Runs a real small model over HTTP: chat, stop, retry, offered tools, consolidation, journal and Dream in each way,
and suggestions that are held for review.

`python -m tests.support.small_model [--quick]` starts a llama.cpp server with 135 million parameters and a context of
2,048 tokens and opens workspaces on it. Each answer is bounded to 128 tokens by a relay before the server, so that the
work is bounded by tokens and not by time. What is asserted is what became of it, never how it was worded. With --quick
each kind of work begins in one way, and each way begins one kind.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from mnemoscope.bootstrap import open_core
from mnemoscope.domain.events import Consolidated, ConsolidationFailed, Event
from mnemoscope.domain.llm import OutputMode
from mnemoscope.domain.memory.journal_entry import JournalEntry, encode_entry
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.router import ModelRouter
from mnemoscope.memory.structured_output.output_modes import JOURNAL_TASK
from mnemoscope.store.workspace.output_modes_file import OutputModesFile
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.shared_models import SharedModels, begun_process

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = ROOT / ".venv-small-model" / "bin" / "python"
CONTEXT: Final = 2_048
MOST_TOKENS: Final = 128
MODEL: Final = "openai/small"
KEY: Final = "cli:direct"
FACTS: Final = "# Notes\n\n- Name is Alice\n- Lives in Leeds\n"


@dataclass
class Relay:
    """Stands before the server: bounds every answer, notes every request, and may answer in its place."""

    server: str
    address: str = ""
    """The address of the relay, as a person would type it."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    heard: threading.Event = field(default_factory=threading.Event)
    """Is set when a request has come."""
    answers: list[str] = field(default_factory=list)
    """Texts that are given in place of the model's, one a request."""
    models: ModelProcess | None = None
    """The process that all workspaces ask, which takes seconds to begin; each has its own where there is none."""

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        """Passes one request on, piece by piece."""
        body = json.loads(handler.rfile.read(int(handler.headers.get("Content-Length") or 0)) or b"{}")
        body["max_tokens"] = min(MOST_TOKENS, int(body.get("max_tokens") or MOST_TOKENS))
        self.asked.append(body)
        self.heard.set()
        if self.answers:
            _send(handler, self.answers.pop(0))
            return
        parts = urlsplit(self.server)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=900)
        with contextlib.suppress(OSError), contextlib.closing(connection):
            connection.request("POST", handler.path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            handler.send_response(answer.status)
            handler.send_header("Content-Type", answer.getheader("Content-Type") or "application/json")
            handler.send_header("Connection", "close")
            handler.end_headers()
            while piece := answer.read1(65_536):
                handler.wfile.write(piece)
                handler.wfile.flush()
        handler.close_connection = True


def _send(handler: BaseHTTPRequestHandler, text: str) -> None:
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    for chunk in chunks:
        whole = {"id": "relay", "object": "chat.completion.chunk", "created": 0, "model": "small", **chunk}
        handler.wfile.write(f"data: {json.dumps(whole)}\n\n".encode())
    handler.wfile.write(b"data: [DONE]\n\n")
    handler.close_connection = True


@contextmanager
def served() -> Iterator[Relay]:
    """Yields a server with the model, and the relay before it; its address is `relay.address`."""
    command = [str(PYTHON), str(Path(__file__).with_name("small_model_server.py")), str(CONTEXT)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        relay = Relay(next(line.strip() for line in process.stdout if line.startswith("http")))

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                relay.handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        front = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=front.serve_forever, daemon=True)
        thread.start()
        relay.address = f"http://127.0.0.1:{front.server_port}/v1"
        try:
            yield relay
        finally:
            front.shutdown()
            front.server_close()
            process.kill()


class Bench:
    """Holds a workspace that asks the small model."""

    def __init__(
        self,
        root: Path,
        relay: Relay,
        *,
        profile: str = "two-layer",
        mode: OutputMode | None = None,
        task: str = "",
        window: int = 50,
    ) -> None:
        self.root, self.relay = root, relay
        defaults = {"model": MODEL, "maxTokens": MOST_TOKENS, "contextWindowTokens": CONTEXT, "memoryWindow": window}
        own = {"profile": profile, "apiBase": relay.address}
        document = {"agents": {"defaults": defaults}, "mnemoscope": own}
        (root / "memory").mkdir(parents=True, exist_ok=True)
        (root / "memory" / "MEMORY.md").write_text(FACTS, encoding="utf-8")
        (root / "config.json").write_text(json.dumps(document), encoding="utf-8")
        if mode is not None:
            name = f"{MODEL}@{relay.address}" + (f" ({task})" if task else "")
            OutputModesFile(WorkspacePaths.found(root).own.model_modes_file).save({name: mode.value})
        core = open_core(root, trusted=True)
        self.bench = core.bench
        if relay.models is not None:
            router = self.bench.provider
            assert isinstance(router, ModelRouter)
            router._remote = SharedModels(router._connection, process=relay.models)
        self.events: list[Event] = []
        self.bench.bus.subscribe(self.events.append)

    @property
    def memory(self) -> str:
        """Returns the text of MEMORY.md."""
        return (self.root / "memory" / "MEMORY.md").read_text(encoding="utf-8")

    def of(self, kind: type[Event]) -> list[Any]:
        """Returns the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def messages(self) -> list[Any]:
        """Returns the messages of the conversation."""
        return list(self.bench.sessions.get_or_create(KEY).messages)

    def talked(self) -> None:
        """Adds a conversation that was held before."""
        session = self.bench.sessions.get_or_create(KEY)
        session.add_message("user", "We use PostgreSQL for the clinic's database.")
        session.add_message("assistant", "Noted.")
        self.bench.sessions.save(session)

    async def close(self) -> None:
        """Ends what runs."""
        await self.bench.loop.drain()
        await self.bench.provider.aclose()
        self.bench.disk.close()


def _settled(bench: Bench) -> str:
    """Returns what became of a consolidation: one of three, and nothing was lost in any of them."""
    done, failed = bench.of(Consolidated), bench.of(ConsolidationFailed)
    assert len(done) + len(failed) == 1, (done, failed)
    assert all(fact in bench.memory for fact in ("Name is Alice", "Lives in Leeds"))
    if failed:
        assert failed[0].reason
        return f"failed: {failed[0].reason}"
    log = (bench.root / "memory" / "HISTORY.md").read_text(encoding="utf-8")
    assert log.strip().startswith("[")
    return "held" if done[0].held_for_review else "consolidated"


async def chat(folder: Path, relay: Relay) -> str:
    """Returns a turn is answered, the next is stopped in the middle, and it is tried again; tools are offered each
    time."""
    bench = Bench(folder, relay)
    assert await bench.bench.loop.process(KEY, "Say hello.")
    answer = bench.messages()[-1]
    assert answer["role"] == "assistant"
    assert str(answer["content"]).strip()
    assert relay.asked[-1]["tools"]
    relay.heard.clear()
    turn = asyncio.create_task(bench.bench.loop.process(KEY, "Count to one hundred."))
    assert await asyncio.to_thread(relay.heard.wait, 120)
    assert bench.bench.loop.stop(KEY)
    await turn
    assert not bench.bench.loop.is_busy(KEY)
    assert [each["role"] for each in bench.messages()].count("user") == 2
    await bench.bench.loop.retry(KEY)
    assert [each["role"] for each in bench.messages()].count("user") == 2
    await bench.close()
    return f"{len(bench.messages())} messages, {len(relay.asked)} requests"


def consolidation(mode: OutputMode) -> Callable[[Path, Relay], Coroutine[Any, Any, str]]:
    """Returns a consolidation that begins in one way."""

    async def run(folder: Path, relay: Relay) -> str:
        bench = Bench(folder, relay, mode=mode, window=1)
        bench.talked()
        relay.asked.clear()
        await bench.bench.loop.consolidate_now(KEY)
        first = relay.asked[0]
        assert ("tools" in first, "response_format" in first) == (mode is OutputMode.TOOL, mode is OutputMode.SCHEMA)
        assert 1 <= len(relay.asked) <= 4
        await bench.close()
        return f"{_settled(bench)}, {len(relay.asked)} requests"

    return run


async def held(folder: Path, relay: Relay) -> str:
    """Returns an answer that drops a fact waits for the person."""
    bench = Bench(folder, relay, window=1)
    bench.talked()
    answer = {"history_entry": "Talked about PostgreSQL.", "memory_update": "# Notes\n\n- Uses PostgreSQL\n"}
    relay.answers.append(f"<think>what to keep</think>\n```json\n{json.dumps(answer)}\n```")
    await bench.bench.loop.consolidate_now(KEY)
    await bench.close()
    outcome = _settled(bench)
    assert outcome == "held", outcome
    assert bench.memory == FACTS
    return outcome


def journal(mode: OutputMode) -> Callable[[Path, Relay], Coroutine[Any, Any, str]]:
    """Returns a summary for the journal that begins in one way: lines, nothing, or the messages as they were."""

    async def run(folder: Path, relay: Relay) -> str:
        bench = Bench(folder, relay, profile="dream", mode=mode, task=JOURNAL_TASK)
        bench.talked()
        relay.asked.clear()
        await bench.bench.loop.consolidate_now(KEY)
        first = relay.asked[0]
        assert ("tools" in first, "response_format" in first) == (mode is OutputMode.TOOL, mode is OutputMode.SCHEMA)
        assert 1 <= len(relay.asked) <= 3
        await bench.close()
        assert len(bench.of(Consolidated)) == 1
        file = folder / "memory" / "history.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        entries = [str(json.loads(line)["content"]) for line in lines]
        assert not any("tool_call" in each or "<think" in each for each in entries)
        became = "nothing" if not entries else "raw" if entries[0].startswith("[RAW]") else "summed up"
        return f"{became}, {len(relay.asked)} requests"

    return run


def dream(mode: OutputMode) -> Callable[[Path, Relay], Coroutine[Any, Any, str]]:
    """Returns a run in which Dream reads the journal, beginning in one way: it says what it cannot do, and what waits
    goes on waiting."""

    async def run(folder: Path, relay: Relay) -> str:
        (folder / "memory").mkdir(parents=True)
        entry = JournalEntry(1, "2026-03-15 10:00", "- [permanent] Has a sister called Clara")
        (folder / "memory" / "history.jsonl").write_text(encode_entry(entry) + "\n", encoding="utf-8")
        bench = Bench(folder, relay, profile="dream", mode=mode)
        run = await bench.bench.dreaming.run_now()
        first = relay.asked[0]
        assert ("tools" in first, "response_format" in first) == (mode is OutputMode.TOOL, mode is OutputMode.SCHEMA)
        assert run is not None
        cursor = folder / "memory" / ".dream_cursor"
        is_read = cursor.exists() and cursor.read_text(encoding="utf-8").strip() == "1"
        assert is_read == run.settled
        assert run.settled or run.reason
        assert all(fact in bench.memory for fact in ("Name is Alice", "Lives in Leeds"))
        await bench.close()
        asked = ", ".join(run.asked)
        return f"{run.outcome} (asked by {asked}), {len(relay.asked)} requests. {run.reason}".strip()

    return run


SCENES: Final[dict[str, Callable[[Path, Relay], Coroutine[Any, Any, str]]]] = {
    "chat, stop, retry": chat,
    "held for review": held,
    "consolidation by tool": consolidation(OutputMode.TOOL),
    "consolidation by schema": consolidation(OutputMode.SCHEMA),
    "consolidation in text": consolidation(OutputMode.TEXT),
    "journal by tool": journal(OutputMode.TOOL),
    "journal by schema": journal(OutputMode.SCHEMA),
    "journal in text": journal(OutputMode.TEXT),
    "Dream by tool": dream(OutputMode.TOOL),
    "Dream by schema": dream(OutputMode.SCHEMA),
    "Dream in text": dream(OutputMode.TEXT),
}
QUICK: Final = ("chat, stop, retry", "held for review", "consolidation by tool", "journal in text", "Dream by schema")


def main() -> int:
    """Plays the scenes; returns 1 if one of them did not come out as it must."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.small_model")
    parser.add_argument("--quick", action="store_true", help="each kind of work in one way")
    names = QUICK if parser.parse_args().quick else tuple(SCENES)
    failed = 0
    with served() as relay, begun_process() as relay.models, tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            began = time.monotonic()
            relay.asked.clear()
            try:
                said = asyncio.run(SCENES[name](Path(folder) / str(number), relay))
            except AssertionError as error:
                failed += 1
                said = f"NOT AS IT MUST BE {error}"
            print(f"{name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
