"""Says the same in a conversation of each kind, as a program of its own; then it closes or is killed in mid-answer.

`python -m tests.support.discreet_child FOLDER END`, where END is `close` or `kill`. Each kind has a word of its own,
which the person says, and which the model says, puts into memory, files and commands, and fails with.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.bootstrap import wire_workbench
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.origin import FILE
from mnemoscope.domain.conversation.text_file import FileSpan, TextFile
from mnemoscope.domain.errors import ModelUnknown
from mnemoscope.domain.llm import ChatRequest, LLMProvider, LLMResponse, StreamPart, TextDelta, ToolCallRequest
from mnemoscope.domain.settings import PROFILES
from mnemoscope.store.files.disk import DiskThread
from mnemoscope.store.workspace.program_log import program_log
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import create_workspace, open_workspace

WORDS: Final = {
    Discretion.REMEMBERED: "zanzibarquokka",
    Discretion.READS_MEMORY: "obsidianwombat",
    Discretion.TEMPORARY: "velvetpangolin",
}


class Parrot(LLMProvider):
    """Says the word it was told, in every way it can."""

    def __init__(self) -> None:
        self.rounds = 0
        self.stays_open: asyncio.Event | None = None

    async def complete(self, request: ChatRequest) -> LLMResponse:
        word = _word_in(request)
        if request.tools:
            name = request.tools[0]["function"]["name"]
            values = {"history_entry": f"They spoke of {word}.", "memory_update": f"# Memory\n- Likes {word}\n"}
            return LLMResponse(None, [ToolCallRequest("c1", str(name), values)], "tool_calls")
        return LLMResponse(f"They spoke of {word}, and of nothing else.", (), "stop")

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        word, asked = _word_in(request), str(request.messages[-1].get("content"))
        if asked.endswith("fail"):
            raise ModelUnknown(f"No {word} here.", detail=word)
        if asked.endswith("write"):
            yield LLMResponse(f"I write {word}.", _calls(word), "tool_calls")
            return
        yield TextDelta(f"You said {word}. ")
        if self.stays_open is not None:
            self.stays_open.set()
            await asyncio.Event().wait()
        yield LLMResponse(f"You said {word}. ", (), "stop")

    def context_window(self, model: str | None = None) -> int:
        return 32_000

    async def aclose(self) -> None:
        pass


def _word_in(request: ChatRequest) -> str:
    text = str(request.messages[-1].get("content")) if request.messages else ""
    return next((word for word in WORDS.values() if word in text), "nothing")


def _calls(word: str) -> list[ToolCallRequest]:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "memory/MEMORY.md", "content": f"# Memory\n- Likes {word}\n"}),
        ("write_file", {"path": f"notes/{word}.md", "content": word}),
        ("edit_file", {"path": "USER.md", "old_text": "", "new_text": word}),
        ("exec", {"argv": ["echo", word]}),
        ("search_memory", {"query": word}),
        ("read_file", {"path": f"notes/{word}-other.md"}),
    ]
    return [ToolCallRequest(f"c{place}", name, values) for place, (name, values) in enumerate(asked)]


async def _begin(bench: Workbench, kind: Discretion) -> str:
    if kind is Discretion.TEMPORARY:
        return (await bench.discretion.begin_temporary()).key
    session = await bench.conversations.begin("A talk")
    await bench.discretion.change(session.key, kind)
    return session.key


async def _talk(bench: Workbench, kind: Discretion) -> str:
    key, word, loop = await _begin(bench, kind), WORDS[kind], bench.loop
    said = f"I prefer {word} to anything else. Remember that my deadline is {word}."
    for text in (said, f"{word} write", f"{word} fail", said, "/consolidate", "/compact", f"/history {word}"):
        await loop.process(key, text)
    quoted = TextFile(f"{word}.md", f"I prefer {word}, it says.").quoted()
    text = f"What is in it?\n\n{quoted}"
    start = text.index(quoted)
    await loop.process(key, text, [(start, len(text), FILE)], files=[FileSpan(start, len(text), f"{word}.md")])
    await loop.resend(key, 0, f"Again: {said}")
    await bench.conversations.rename(key, f"About {word}")
    await loop.regenerate(key, 1)
    await bench.search.find(word)
    if kind is Discretion.TEMPORARY:
        closed = await _begin(bench, kind)
        await loop.process(closed, said)
        await bench.conversations.delete(closed)
    return key


async def _play(root: Path, profile: str, model: Parrot) -> tuple[Workbench, str]:
    create_workspace(root)
    workspace = open_workspace(root)
    store = SettingsStore(workspace.paths, profile=profile)
    store.load()
    bench = wire_workbench(workspace, store, model, disk=DiskThread())
    await bench.config.change(profile=profile, model="scripted", memory_window=4, exec_enabled=True)
    bench.loop.services.partials.interval = 0
    await bench.recover()
    keys = [await _talk(bench, kind) for kind in Discretion]
    await asyncio.gather(*bench.loop.consolidation.tasks)
    await bench.search.find("anything")
    return bench, keys[-2]


async def _main(folder: Path, end: str) -> None:
    models = [Parrot() for _ in PROFILES]
    played = [
        await _play(folder / f"workspace-{name}", name, model) for name, model in zip(PROFILES, models, strict=True)
    ]
    if end == "close":
        for bench, _ in played:
            await bench.close()
        return
    for (bench, reads), model in zip(played, models, strict=True):
        temporary = (await bench.discretion.begin_temporary()).key
        for key, kind in ((reads, Discretion.READS_MEMORY), (temporary, Discretion.TEMPORARY)):
            model.stays_open = asyncio.Event()
            task = asyncio.create_task(bench.loop.process(key, f"And {WORDS[kind]}"))
            await model.stays_open.wait()
            # What was to be written of the piece that came is written.
            for _ in range(3):
                await asyncio.sleep(0)
                await bench.disk.run(bool)
            assert not task.done()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    home = Path(sys.argv[1])
    handler = program_log(home / "state" / "mnemoscope.log", frozenset)
    logging.basicConfig(level=logging.DEBUG, handlers=[handler])
    asyncio.run(_main(home, sys.argv[2]))
