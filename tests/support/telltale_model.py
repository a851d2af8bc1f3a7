"""A consolidation model that says in its entry which messages it was shown, so that a test can count them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mnemoscope.domain.llm import LLMResponse, ToolCallRequest
from mnemoscope.store.sessions.session_manager import SessionManager

_TOLD = re.compile(r"\bm\d+\b")


def save_memory(entry: Any, memory: Any, finish_reason: str = "tool_calls") -> LLMResponse:
    """Returns an answer that calls save_memory."""
    call = ToolCallRequest("call-1", "save_memory", {"history_entry": entry, "memory_update": memory})
    return LLMResponse(None, [call], finish_reason)


class TelltaleModel:
    """Answers each request with an entry that names the messages `m0`, `m1`, … it saw, and one more fact in memory.

    `meanwhile` runs while the model is thinking. `window`: tokens of its context.
    """

    def __init__(self, meanwhile: Callable[[], Awaitable[None] | None] | None = None, window: int = 65_536) -> None:
        self.prompts: list[str] = []
        self._meanwhile = meanwhile
        self._window = window

    def context_window(self, model: str | None = None) -> int:
        return self._window

    async def chat(self, messages: Any, tools: Any, model: Any, tool_choice: Any = None) -> LLMResponse:
        prompt = messages[-1]["content"]
        self.prompts.append(prompt)
        if self._meanwhile is not None:
            waiting = self._meanwhile()
            if waiting is not None:
                await waiting
        memory, _, conversation = prompt.partition("## Conversation to Process")
        memory = memory.partition("## Current Long-term Memory\n")[2].strip().removeprefix("(empty)")
        numbers = _TOLD.findall(conversation)
        return save_memory(
            f"[2026-01-02 10:00] Told {' '.join(numbers)}.", f"{memory or '# Notes'}\n- Learnt {numbers[0]}\n"
        )


def counts_in_history(root: Path) -> Counter[str]:
    """Returns how often each message is in the history log."""
    history = root / "memory" / "HISTORY.md"
    return Counter(_TOLD.findall(history.read_text())) if history.exists() else Counter()


def conversation(manager: SessionManager, count: int, key: str = "cli:direct", start: int = 0) -> Any:
    """Returns a saved session that says `m0`, `m1`, …"""
    session = manager.get_or_create(key)
    for number in range(start, start + count):
        session.add_message("user" if number % 2 == 0 else "assistant", f"m{number}")
    manager.save(session)
    return session


def names(count: int) -> Counter[str]:
    """Returns `m0` to `m<count - 1>`, each once."""
    return Counter(f"m{number}" for number in range(count))
