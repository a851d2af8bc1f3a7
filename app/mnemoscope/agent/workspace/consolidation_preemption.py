"""Has a consolidation give way to an answer that waits for the same server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.events import (
    EventBus,
    PromptBuilt,
    ReplyDelta,
    ReplyEnded,
    SessionEvent,
    ThinkingStarted,
    TurnEnded,
)
from mnemoscope.domain.settings import Settings
from mnemoscope.llm.destination import shares_server
from mnemoscope.memory.memory_store import MemoryStore

WAIT_SECONDS: Final = 4.0
"""A server that takes several requests at once mostly begins to answer before, and nothing is given up for it."""


class ConsolidationPreemption:
    """Watches the answers that wait: a server of a person's own may take one request at a time."""

    def __init__(
        self,
        loop: AgentLoop,
        memory: MemoryStore,
        settings: Callable[[], Settings],
        bus: EventBus,
    ) -> None:
        self._loop = loop
        self._memory = memory
        self._settings = settings
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ends = (
            bus.on(PromptBuilt, self._on_prompt_built),
            bus.on((ThinkingStarted, ReplyDelta, ReplyEnded, TurnEnded), self._on_answer),
        )

    def close(self) -> None:
        """Watches no more."""
        for end in self._ends:
            end()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _on_prompt_built(self, event: PromptBuilt) -> None:
        self._end_wait(event.session_key)
        later = asyncio.get_running_loop().call_later
        self._timers[event.session_key] = later(WAIT_SECONDS, self._go_first, event.session_key)

    def _on_answer(self, event: SessionEvent) -> None:
        self._end_wait(event.session_key)

    def _end_wait(self, session_key: str) -> None:
        timer = self._timers.pop(session_key, None)
        if timer is not None:
            timer.cancel()

    def _go_first(self, session_key: str) -> None:
        self._timers.pop(session_key, None)
        progress, settings = self._loop.progress(session_key), self._settings()
        if progress is None or not self._memory.being_consolidated():
            return
        if shares_server(progress.model, settings.model_in_background, settings.api_base):
            self._loop.consolidation.give_way()
