"""A workspace opened as the window opens it: lock, disk thread, loop and memory, with the model alone replaced."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.dream.files import DREAM_TOOLS
from mnemoscope.domain.events import Event, RecordAppended
from mnemoscope.domain.llm import ChatRequest, LLMResponse, TextDelta, ToolCallRequest
from mnemoscope.domain.settings import THREE_TIER
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import DiskThread
from mnemoscope.store.forgetting.forgetting_files import CompletedForgetting
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.disk_health import DiskHealth, WatchedCalls
from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.agent_bench import make_workbench
from tests.support.telltale_model import TelltaleModel

KEY = "cli:direct"
HOME_ID = "0123456789abcdef0123456789abcdef"
"""The id that nanobot gave a workspace whose conversations it keeps in its own folder."""
WINDOW = 8
"""Messages; half of them stay."""
DREAMT = "- Prefers tea"
"""The line that Dream adds to MEMORY.md."""
SMALL = 2_000
"""Tokens of a context that is more than half full from the first message on."""
NUMBER = re.compile(r"\bm(\d+)\b")


def nanobots_home(root: Path) -> Path:
    """Returns where nanobot keeps conversations, within the workspace, so that its calls are counted too."""
    return root / "home/.nanobot/sessions" / HOME_ID


def settle_nanobots_home(root: Path) -> None:
    """Makes nanobot's folder, if there is one, that of this copy of the workspace."""
    folder = nanobots_home(root)
    if folder.is_dir():
        os.environ["HOME"] = str(root / "home")
        owner = folder / ".workspace"
        if not owner.exists() or owner.read_text() != str(root):
            owner.write_text(str(root))


class NumberedModel(TelltaleModel):
    """Answers message m<n> with m<n + 1>, consolidates as TelltaleModel does, and dreams of tea."""

    is_closed = False

    async def chat(self, messages: Any, tools: Any, model: Any, tool_choice: Any = None, **_: Any) -> LLMResponse:
        if tools is None:
            return LLMResponse("They went on counting from m0 to where they are now.")
        if tools is not DREAM_TOOLS:
            return await super().chat(messages, tools, model)
        if messages[-1]["role"] == "tool":
            return LLMResponse("Done.")
        edit = {"path": "memory/MEMORY.md", "old_text": "", "new_text": DREAMT}
        return LLMResponse(None, [ToolCallRequest("call-1", "edit_file", edit)], "tool_calls")

    async def stream(self, request: ChatRequest) -> AsyncIterator[Any]:
        asked = max(int(number) for number in NUMBER.findall(text_of(request.messages[-1])))
        text = f"m{asked + 1}"
        yield TextDelta(text)
        yield LLMResponse(text, (), "stop", {})

    async def aclose(self) -> None:
        self.is_closed = True


class Opened:
    """Holds an open workspace. `say` hears of each message the moment the person may rely on it: "m12"."""

    def __init__(
        self,
        root: Path,
        say: Callable[[str], None] = lambda _: None,
        *,
        calls: FileCalls = REAL_CALLS,
        window: int = WINDOW,
        versions: bool = False,
        tiers: bool = False,
    ) -> None:
        """Opens a workspace. `versions`: whether changes of memory are committed, which doubles the calls to try.

        `tiers`: exchanges are noted, and the context is so small that it is guarded.
        """
        layers: dict[str, Any] = (
            {"profile": THREE_TIER, "context_window_tokens": SMALL, "time_zone": "UTC"} if tiers else {}
        )
        self.root, self.say, self.model = root, say, NumberedModel()
        self.is_silent = False
        """The person may not rely yet on anything that is said."""
        self.waiting: Any = None
        """The messages that wait for the answer being written, if Qt is there."""
        self.forgotten: CompletedForgetting | None = None
        """The forgetting that can be taken back."""
        settle_nanobots_home(root)
        self.events: list[Event] = []
        workspace = open_workspace(root)
        health = DiskHealth()
        self.bench, _ = make_workbench(
            workspace,
            self.model,
            disk=DiskThread(),
            clock=datetime.now,
            health=health,
            calls=WatchedCalls(workspace.root, health, calls),
            memory_window=window,
            **layers,
        )
        if not versions:
            self.bench.commits.end()
        self.bench.bus.subscribe(self._heard)

    async def session(self) -> Session:
        """Returns the conversation every scenario is about."""
        return await self.bench.conversations.open(KEY)

    def seen(self, kind: type[Event]) -> list[Event]:
        """Returns the events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    async def close(self) -> None:
        """Closes as the window does."""
        await self.bench.close()

    def _heard(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, RecordAppended) and not self.is_silent:
            self.say(str(event.message["content"]))
