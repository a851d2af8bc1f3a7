"""Runs in a peer's environment: its own code takes, consolidates and remembers what `mnemoscope bench` says.

`peer_child.py PROGRAM PACKAGES`: `nanobot-two-layer`, `nanobot-journal` or `qanot`, and the folder of packages
it is installed in. Each line read is a JSON object with `op` and `folder`, each line written the answer as JSON.
"""

import asyncio
import contextlib
import json
import logging
import sys
import types
from pathlib import Path

PROGRAM, PACKAGES = sys.argv[1:]
sys.path.insert(0, PACKAGES)
if PROGRAM == "nanobot-two-layer":
    # The __init__ of these imports the whole program; what stands beneath them is the real thing.
    for name in ("nanobot", "nanobot.agent", "nanobot.providers", "nanobot.session"):
        package = types.ModuleType(name)
        package.__path__ = [str(Path(PACKAGES, *name.split(".")))]
        sys.modules[name] = package
if PROGRAM == "qanot":
    from qanot.memory import wal_scan, wal_write
else:
    from loguru import logger
    from nanobot.agent import memory

    logger.remove()
logging.disable()


class Answers:
    """A model of nanobot's kind that says what it was given."""

    def __init__(self, response):
        self.response = response

    async def chat(self, **_):
        return self.response

    async def chat_stream_with_retry(self, **_):
        return self.response


def settle_two_layer(folder, messages, answer):
    call = types.SimpleNamespace(arguments={"history_entry": answer["entry"], "memory_update": answer["memory"]})
    response = types.SimpleNamespace(has_tool_calls=True, tool_calls=[call])
    session = types.SimpleNamespace(messages=messages, last_consolidated=0)
    store = memory.MemoryStore(folder)
    return asyncio.run(store.consolidate(session, Answers(response), "bench", archive_all=True))


def settle_journal(folder, messages, answer):
    from nanobot.providers.base import LLMResponse

    summary = "\n".join(f"- {line}" for line in answer["added"]) or answer["entry"]
    generation = types.SimpleNamespace(temperature=0.1, max_tokens=4096, reasoning_effort=None)
    response = Answers(LLMResponse(content=summary))
    runtime = types.SimpleNamespace(
        provider=response, model="bench", generation=generation, context_window_tokens=65_536
    )
    archiver = memory.MemoryArchiver(memory.MemoryStore(folder), lambda **_: [], list)
    asked = archiver.archive(messages, runtime=runtime, session_key="cli:bench", history=messages, request_tools=[])
    return asyncio.run(asked) is not None


def remembered(folder):
    if PROGRAM == "qanot":
        path = folder / "MEMORY.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""
    store = memory.MemoryStore(folder)
    if PROGRAM == "nanobot-two-layer":
        return store.read_long_term()
    return "\n".join([store.read_memory(), *(each["content"] for each in store.read_unprocessed_history(0))])


def answer_of(asked):
    folder, op = Path(asked["folder"]), asked["op"]
    if op == "begin":
        path = folder / "MEMORY.md" if PROGRAM == "qanot" else folder / "memory" / "MEMORY.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(asked["memory"], encoding="utf-8")
    elif op == "take" and PROGRAM == "qanot":
        wal_write(wal_scan(asked["text"]), str(folder))
    elif op == "settle":
        settle = settle_two_layer if PROGRAM == "nanobot-two-layer" else settle_journal
        return settle(folder, asked["messages"], asked["answer"])
    return remembered(folder)


out, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    with contextlib.redirect_stdout(sys.stderr):
        told = answer_of(json.loads(line))
    print(json.dumps(told), file=out, flush=True)
