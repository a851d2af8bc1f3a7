"""The tour's model: the built-in one, whose consolidations can be held back or told to go wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Final

from mnemoscope.domain.consolidation.save_memory_tool import SAVE_MEMORY_NAME
from mnemoscope.domain.llm import ChatRequest, LLMResponse, StreamPart, TextDelta, ToolCallRequest
from mnemoscope.llm.offline.dream_response import is_dream
from mnemoscope.llm.offline.provider import OfflineProvider

# Seconds between two words: they are still streamed, and nobody waits to read them.
_PACE: Final = 0.001


class TourModel(OfflineProvider):
    """Chats as the built-in model does. `answers` are given to the next consolidations, once `gate` is open.

    Runs of Dream wait for `dream_gate`. `talk` are the next answers of the conversation. One that is streamed rests
    after the words `rest_at`, until `go_on` is set.
    """

    def __init__(self) -> None:
        super().__init__(pace=_PACE)
        self.gate = asyncio.Event()
        self.gate.set()
        self.dream_gate = asyncio.Event()
        self.dream_gate.set()
        self.answers: list[LLMResponse] = []
        self.talk: list[LLMResponse] = []
        self.rest_at = ""
        self.rests = False
        self.go_on = asyncio.Event()

    async def complete(self, request: ChatRequest) -> LLMResponse:
        """Answers as the built-in model does, but for consolidations that are scripted."""
        names = [tool["function"]["name"] for tool in request.tools]
        if is_dream(request.messages, names):
            await self.dream_gate.wait()
        elif SAVE_MEMORY_NAME in names:
            await self.gate.wait()
            if self.answers:
                return self.answers.pop(0)
        elif self.talk:
            return self.talk.pop(0)
        return await super().complete(request)

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        """Streams as the built-in model does, resting where it is told to."""
        said = ""
        async for part in super().stream(request):
            yield part
            said += part.text if isinstance(part, TextDelta) else ""
            if self.rest_at and self.rest_at in said:
                self.rest_at, self.rests = "", True
                await self.go_on.wait()
                self.rests = False

    def rest_after(self, words: str) -> None:
        """Rests in the answer that comes, once it has these words."""
        self.rest_at, self.rests = words, False
        self.go_on.clear()


def no_tool_call() -> LLMResponse:
    """Returns a consolidation's answer that says something and saves nothing."""
    return LLMResponse("I have noted everything of importance.")


def call_of(name: str, **arguments: object) -> LLMResponse:
    """Returns an answer that asks for one tool."""
    return LLMResponse(None, [ToolCallRequest(f"tour-{name}", name, arguments)], "tool_calls")


def memory_of(text: str, entry: str) -> LLMResponse:
    """Returns a consolidation's answer that replaces the memory by `text` and tells this in an entry of now."""
    arguments = {"history_entry": f"[{datetime.now():%Y-%m-%d %H:%M}] {entry}", "memory_update": text}
    return LLMResponse(None, [ToolCallRequest("tour", SAVE_MEMORY_NAME, arguments)], "tool_calls")
