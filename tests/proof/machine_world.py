"""A workspace in which anything may happen, for the state machine: the real core, with a model that does as it is told.

The process that is killed is a `KillingCalls`: from one call on nothing of the program reaches the disk any more.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemoscope.domain.errors import MnemoscopeError, ServerUnreachable
from mnemoscope.domain.events import RecordAppended
from mnemoscope.domain.llm import ChatRequest, LLMResponse, TextDelta
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.agent_bench import Bench, make_bench
from tests.support.faulty_calls import KillingCalls, SimulatedKill
from tests.support.telltale_model import save_memory

KEY = "cli:direct"
WINDOW = 4
NUMBER = re.compile(r"\bm(\d+)\b")
PERSONAL = re.compile(r"^- P\d+\b.*$", re.MULTILINE)
START = "# Notes\n- P0 was known before\n"


class Fuse(KillingCalls):
    """Ends the process at one of the next calls, once it is lit."""

    def __init__(self) -> None:
        super().__init__(0)
        self._open: set[int] = set()

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        def work() -> int:
            self._open.add(descriptor := FileCalls.open(self, path, flags, mode))
            return descriptor

        return int(self._do("open", work)) if flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR) else work()

    def close(self, descriptor: int) -> None:
        self._open.discard(descriptor)
        super().close(descriptor)

    def end(self) -> None:
        """Ends the process, and closes what it had open."""
        self.killed = True
        while self._open:
            os.close(self._open.pop())

    def light(self, calls: int, when: str) -> None:
        self._at, self._when = len(self.names) + calls, when

    def put_out(self) -> None:
        self._at = 0


class ObedientModel:
    """Answers as it is told. `mood`: what the next consolidations answer. `meanwhile`: what happens while it thinks."""

    def __init__(self) -> None:
        self.mood = "good"
        self.brings_back: list[str] = []
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.hangs = False

    def context_window(self, model: str | None = None) -> int:
        return 65_536

    async def chat(self, messages: Any, tools: Any = None, model: Any = None, **_: Any) -> LLMResponse:
        prompt = messages[-1]["content"]
        memory, _, conversation = prompt.partition("## Conversation to Process")
        memory = memory.partition("## Current Long-term Memory\n")[2].strip().removeprefix("(empty)")
        if (meanwhile := self.meanwhile) is not None:
            self.meanwhile = None
            await meanwhile()
        numbers = [f"m{number}" for number in NUMBER.findall(conversation.partition("## Your Last Answer")[0])]
        return self._answer(memory or "# Notes", numbers)

    def _answer(self, memory: str, numbers: list[str]) -> LLMResponse:
        entry = f"[2026-01-02 10:00] Told {' '.join(numbers)}."
        learnt = f"- Learnt {numbers[0] if numbers else 'nothing'}\n"
        if self.mood == "broken":
            raise ServerUnreachable("The server is down.")
        if self.mood == "bad":
            return LLMResponse("I would rather not.", ())
        if self.mood == "drops":
            lines = memory.split("\n")
            return save_memory(entry, "\n".join(lines[:1] + lines[2:]) + "\n" + learnt)
        if self.mood == "rewrites":
            return save_memory(entry, f"# Profile\n{learnt}")
        back = "".join(f"{line}\n" for line in self.brings_back) if self.mood == "brings back" else ""
        return save_memory(entry, f"{memory}\n{back}{learnt}")

    async def stream(self, request: ChatRequest) -> AsyncIterator[Any]:
        asked = max(int(number) for number in NUMBER.findall(str(request.messages[-1]["content"])))
        yield TextDelta(f"m{asked + 1} ")
        if self.hangs:
            await asyncio.Event().wait()
        yield TextDelta("it is")
        yield LLMResponse(f"m{asked + 1} it is", (), "stop", {})

    async def aclose(self) -> None:
        """Does nothing, as nothing is open."""


class World:
    """Holds one workspace on a real disk, which is opened, killed and opened again."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="machine-"))
        self.paths = WorkspacePaths(self.root)
        self.model = ObedientModel()
        self.acknowledged: list[str] = []
        self.open()
        self.memory.write_long_term(START)

    def open(self) -> None:
        """Opens the workspace as a program does, and let it recover."""
        self.fuse, self.runner = Fuse(), asyncio.Runner()
        # What a killed process leaves unfinished is nobody's business any more.
        self.runner.get_loop().set_exception_handler(lambda *_: None)
        self.bench: Bench = make_bench(
            self.root,
            provider=self.model,  # type: ignore[arg-type]
            real_memory=True,
            calls=self.fuse,
            clock=datetime.now,
            memory_window=WINDOW,
        )
        self.bench.bus.subscribe(self._heard)
        self.bench.sessions.health.mend_ends()
        self.memory.recover()
        self.run(self.bench.loop.services.partials.recover(self.bench.sessions, self.bench.loop.writer))

    @property
    def memory(self) -> Any:
        return self.bench.memory

    def run(self, work: Coroutine[Any, Any, Any], *, settle: bool = True) -> Any:
        """Does it, and let what it began in the background come to its end."""

        async def whole() -> Any:
            result = await work
            while settle and (tasks := list(self.bench.loop.consolidation.tasks)):
                await asyncio.gather(*tasks)
            return result

        return self.runner.run(whole())

    def survives(self, work: Callable[[], object], calls: int, when: str) -> bool:
        """Does it and end the process at one of its calls; False where it was ended. It is open again afterwards."""
        self.fuse.light(calls, when)
        try:
            work()
        except SimulatedKill:
            self.reopen()
            return False
        except MnemoscopeError:
            # The disk went away under it, and it said so.
            if not self.fuse.killed:
                raise
        if self.fuse.killed:
            self.reopen()
            return False
        self.fuse.put_out()
        return True

    def reopen(self) -> None:
        """Ends the process without a word, and opens the workspace in another one."""
        self.fuse.end()
        with suppress(SimulatedKill):
            self.runner.close()
        self.model.hangs, self.model.meanwhile = False, None
        self.open()

    def clear_away(self) -> None:
        """Removes everything."""
        self.fuse.end()
        with suppress(SimulatedKill):
            self.runner.close()
        shutil.rmtree(self.root)

    def write_outside(self, text: str) -> None:
        """Saves MEMORY.md as another program does."""
        self.paths.memory_file.write_text(text)

    def append_outside(self, name: str) -> None:
        """Adds a message to the conversation as another program does."""
        file = self.paths.sessions_dir / "cli_direct.jsonl"
        if file.exists():
            record = {"role": "user", "content": name, "timestamp": "2026-01-01T10:00:00"}
            with file.open("a") as stream:
                stream.write(json.dumps(record) + "\n")
            self.acknowledged.append(name)

    def report_outside_change(self, words: str) -> None:
        """Adds an entry to the history log as another program does."""
        with self.paths.history_file.open("a") as stream:
            stream.write(f"[2026-01-01 10:00] {words}\n\n")

    @property
    def text(self) -> str:
        """Returns MEMORY.md as it stands."""
        return self.paths.memory_file.read_text()

    def waiting(self) -> str:
        """Returns all that the person is asked about."""
        held = self.memory.ledger.suggestions()
        return "\n".join(f"{each.proposed}\n{[c.theirs for c in each.conflicts]}" for each in held)

    def transcripts(self) -> list[tuple[list[str], int, str]]:
        """Names of messages, pointer and beginning of each conversation file, archived ones first."""
        files = [*sorted(self.paths.archive_dir.glob("*.jsonl")), *sorted(self.paths.sessions_dir.glob("*.jsonl"))]
        return [_transcript(file) for file in files]

    def counts_in_history(self) -> Counter[str]:
        """Returns how often each message is in the history log."""
        history = self.paths.history_file
        text = history.read_text() if history.exists() else ""
        return Counter(f"m{number}" for line in text.split("\n") if " Told " in line for number in NUMBER.findall(line))

    def _heard(self, event: object) -> None:
        found = NUMBER.search(str(event.message.get("content"))) if isinstance(event, RecordAppended) else None
        if found and found[0] not in self.acknowledged:
            self.acknowledged.append(found[0])


def _decoded(line: bytes) -> dict[str, Any]:
    """Returns a record; a line that a kill tore off half-way is none until it is repaired."""
    try:
        return dict(json.loads(line)) if line.strip() else {}
    except ValueError:
        return {}


def _transcript(file: Path) -> tuple[list[str], int, str]:
    names: list[str] = []
    pointer, began = 0, ""
    for line in file.read_bytes().split(b"\n"):
        record = _decoded(line)
        if record.get("_type") == "metadata":
            pointer, began = record.get("last_consolidated", pointer), record.get("created_at", began)
        elif record:
            names += [found[0]] if (found := NUMBER.search(str(record.get("content")))) else []
    return names, pointer, began
