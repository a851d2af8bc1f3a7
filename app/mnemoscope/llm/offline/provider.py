"""The built-in model stands behind the `LLMProvider` port: deterministic, offline, and honest about what it is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.consolidation.save_memory_tool import SAVE_MEMORY_NAME
from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.llm import (
    ChatRequest,
    LLMProvider,
    LLMResponse,
    ModelTraits,
    StreamPart,
    TextDelta,
    ToolCallRequest,
    ToolSchema,
)
from mnemoscope.llm.offline.answers import call_id, reply_to
from mnemoscope.llm.offline.consolidation import memory_update
from mnemoscope.llm.offline.dream_response import dream_response, is_dream
from mnemoscope.llm.offline.history_entry import asks_for_summary, history_entry, journal_summary
from mnemoscope.llm.offline.request_reader import current_memory, fence_in, spoken_messages

_CONTEXT_WINDOW: Final = 200_000
_WORD_PACE: Final = 0.012
"""Seconds between two words of a streamed answer: fast, and still seen to be written."""


class OfflineProvider(LLMProvider):
    """Is a small assistant that finds and quotes. The same request always gives the same answer: it knows what stands
    in the request, and what the tools that this offers find.

    `pace` is in seconds a word; 0 streams without waiting.
    """

    def __init__(self, *, pace: float = _WORD_PACE) -> None:
        self._pace = pace

    async def complete(self, request: ChatRequest) -> LLMResponse:
        """Answers at once."""
        return self._respond(request.messages, () if request.tool_choice == "none" else request.tools)

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        """Yields the answer word by word, then whole."""
        response = await self.complete(request)
        for word in re.findall(r"\s*\S+\s*", response.content or ""):
            yield TextDelta(word)
            await asyncio.sleep(self._pace)
        yield response

    def context_window(self, model: str | None = None) -> int:
        """Returns a number of tokens, which a budget needs; nothing here needs a limit."""
        return _CONTEXT_WINDOW

    async def traits(self, model: str | None = None) -> ModelTraits:
        """Returns that the built-in model calls tools, and takes neither a schema nor images."""
        return ModelTraits(tools=True, schema=False, images=False)

    async def aclose(self) -> None:
        """Does nothing, since there is nothing to release."""

    def _respond(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> LLMResponse:
        offered = {_name_of(tool): tool for tool in tools}
        if SAVE_MEMORY_NAME in offered:
            return _consolidate(messages)
        if is_dream(messages, offered):
            return dream_response(messages)
        if asks_for_summary(messages):
            return LLMResponse(journal_summary(messages), cost=0.0)
        reply = reply_to(messages, offered)
        if isinstance(reply, ToolCallRequest):
            return LLMResponse(None, (reply,), "tool_calls", cost=0.0)
        return LLMResponse(reply, cost=0.0)


def _name_of(tool: Mapping[str, Any]) -> str:
    function = tool.get("function")
    return str(function.get("name", "")) if isinstance(function, Mapping) else str(tool.get("name", ""))


def _consolidate(messages: Sequence[Message]) -> LLMResponse:
    asked = [text_of(message) for message in messages if message.get("role") == "user"]
    prompt = asked[-1] if asked else ""
    spoken = spoken_messages(prompt, fence_in(messages))
    memory = current_memory(prompt)
    arguments = {
        "history_entry": history_entry(spoken, memory),
        "memory_update": memory_update(memory, spoken),
    }
    call = ToolCallRequest(call_id(messages), SAVE_MEMORY_NAME, arguments)
    return LLMResponse(None, (call,), "tool_calls", cost=0.0)
