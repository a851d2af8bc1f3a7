"""A workbench in the dream profile: real files, journal and versions, a scripted model, a clock and a sleep of ours."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from mnemoscope.domain.conversation.command_action import CommandAction, actions_of
from mnemoscope.domain.events import Event
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.settings import FIELDS
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import DiskThread
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.disk_health import DiskHealth
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.agent_bench import KEY, make_workbench
from tests.support.scripted_provider import ScriptedProvider, asks, call, says

Kind = TypeVar("Kind", bound=Event)
MEMORY = "memory/MEMORY.md"
TEXT = "# Memory\n\n## Preferences\n\n- likes tea\n"
FACT = "- [durable] Has a cat called Mau"
CAT = "- likes tea\n- has a cat called Mau\n"


class SetClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = datetime(2026, 11, 21, 9, 0)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


class DreamBench:
    """Holds a workbench in the dream profile. `settings`: by their names in Settings, beside the dream profile; written
    into config.json."""

    def __init__(
        self,
        root: Path,
        *scripts: Any,
        read_only: bool = False,
        calls: FileCalls = REAL_CALLS,
        last: Any = None,
        window: int = 32_000,
        **settings: Any,
    ) -> None:
        self.root, self.paths, self.clock = root, WorkspacePaths(root), SetClock()
        if not read_only:
            self.paths.own.folder.mkdir(parents=True, exist_ok=True)
            self.paths.memory_dir.mkdir(exist_ok=True)
            configure(self.paths.config_file, **({"profile": "dream", "model": "scripted"} | settings))
        self.workspace = open_workspace(root, read_only=read_only)
        self.provider = ScriptedProvider(*scripts, last=last, window=window)
        self.health = DiskHealth()
        self.bench, self.inner = make_workbench(
            self.workspace,
            self.provider,
            disk=DiskThread(),
            clock=self.clock,
            health=self.health,
            calls=calls,
            model=settings.get("model", "scripted"),
        )

    async def __aenter__(self) -> DreamBench:
        await self.bench.recover()
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.bench.close()

    def begin(self, *entries: str) -> None:
        """Writes MEMORY.md and entries of the journal, as another program left them."""
        self.paths.memory_file.write_text(TEXT, encoding="utf-8")
        for entry in entries or (FACT,):
            self.journal.append(entry, session_key=KEY)

    @property
    def journal(self) -> Journal:
        return Journal(self.paths, clock=self.clock)

    def memory(self) -> str:
        return self.paths.memory_file.read_text(encoding="utf-8")

    def cursor(self) -> int:
        return self.journal.dream_cursor().value

    def seen(self, kind: type[Kind]) -> list[Kind]:
        return self.inner.seen(kind)

    async def answer(self, text: str) -> str:
        """Returns what a command answers."""
        assert await self.bench.loop.process(KEY, text)
        return str(self.inner.messages()[-1]["content"])

    def buttons(self) -> tuple[CommandAction, ...]:
        """Returns what the newest answer offers."""
        return actions_of(self.inner.messages()[-1])


def configure(file: Path, **settings: Any) -> None:
    """Writes settings by their names, as a person would into config.json."""
    document: dict[str, Any] = {}
    for field in FIELDS:
        if field.name in settings:
            place = document
            for part in field.path[:-1]:
                place = place.setdefault(part, {})
            place[field.path[-1]] = settings[field.name]
    file.write_text(json.dumps(document), encoding="utf-8")


def edit(old: str, new: str, path: str = MEMORY) -> LLMResponse:
    """Returns the model edits a passage."""
    return asks(call("edit_file", path=path, old_text=old, new_text=new))


def cat_script() -> list[Any]:
    """Returns what a model answers that adds the cat to two files, and is done."""
    both = asks(
        call("edit_file", id="1", path=MEMORY, old_text="- likes tea\n", new_text=CAT),
        call("edit_file", id="2", path="USER.md", old_text="", new_text="- has a cat called Mau"),
    )
    return [both, says("Added the cat.")]


async def turns(count: int = 20) -> None:
    """Lets everything that is ready on the loop have its turn."""
    for _ in range(count):
        await asyncio.sleep(0)
