"""The tour's model: the built-in one, whose consolidations can be held back or told to go wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from mnemoscope.domain.consolidation import SAVE_MEMORY_NAME
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest, ToolChoice, ToolSchema
from mnemoscope.domain.message import Message
from mnemoscope.llm.offline import OfflineProvider


class TourModel(OfflineProvider):
    """Chats as the built-in model does. `answers` are given to the next consolidations, once `gate` is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.answers: list[LLMResponse] = []

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema] | None = None,
        model: str | None = None,
        *,
        max_tokens: int = 4096,
        temperature: float = 0.1,
        tool_choice: ToolChoice | None = None,
    ) -> LLMResponse:
        """As the built-in model answers, but for consolidations that are scripted."""
        if any(tool["function"]["name"] == SAVE_MEMORY_NAME for tool in tools or ()):
            await self.gate.wait()
            if self.answers:
                return self.answers.pop(0)
        return await super().chat(
            messages, tools, model, max_tokens=max_tokens, temperature=temperature, tool_choice=tool_choice
        )


def no_tool_call() -> LLMResponse:
    """A consolidation's answer that says something and saves nothing."""
    return LLMResponse("I have noted everything of importance.")


def memory_of(text: str, entry: str) -> LLMResponse:
    """A consolidation's answer that replaces the memory by `text`."""
    arguments = {"history_entry": entry, "memory_update": text}
    return LLMResponse(None, [ToolCallRequest("tour", SAVE_MEMORY_NAME, arguments)], "tool_calls")
