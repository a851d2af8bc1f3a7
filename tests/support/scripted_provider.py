"""A language model that says what a test wrote down: answers, pieces, failures, and gates that hold it back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from mnemoscope.domain.llm import (
    ChatRequest,
    LLMProvider,
    LLMResponse,
    ModelTraits,
    ReasoningDelta,
    Retrying,
    StreamPart,
    TextDelta,
    ToolCallRequest,
)

LOCAL = ModelTraits("http://127.0.0.1:8080/v1")
"""The traits of a model on a server of the person's own."""
Step = str | TextDelta | ReasoningDelta | LLMResponse | BaseException | asyncio.Event


@dataclass
class Gate:
    """Holds a script back: `reached` is set when the model gets there, `open` lets it go on."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    open: asyncio.Event = field(default_factory=asyncio.Event)


def call(name: str, *, id: str = "", **arguments: Any) -> ToolCallRequest:
    """Returns a tool call as a model asks for it."""
    return ToolCallRequest(id or f"call-{name}", name, arguments)


def asks(*calls: ToolCallRequest, text: str | None = None) -> LLMResponse:
    """Returns an answer that asks for tools."""
    return LLMResponse(text, calls, "tool_calls", {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})


def says(text: str) -> LLMResponse:
    """Returns a plain answer."""
    return LLMResponse(text, (), "stop", {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})


def keeps_nothing(summary: str = "Nothing.") -> LLMResponse:
    """Returns a run of Dream that finds nothing worth keeping, as a model says it that calls tools."""
    return asks(call("finish", summary=summary))


class ScriptedProvider(LLMProvider):
    """Answers each request with the next script: an answer, an error, or a list of pieces, gates and an end.

    A text is streamed word by word and then answered whole. A list that ends without an LLMResponse or an error is
    closed with the text of its pieces. With the script used up, `last` is repeated; without `last` that is an error.
    """

    def __init__(self, *scripts: Any, last: Any = None, window: int = 32_000) -> None:
        self.scripts: list[Any] = list(scripts)
        self.last = last
        self.window = window
        self.requests: list[ChatRequest] = []
        self.closed_streams = 0
        self.is_closed = False

    def then(self, *scripts: Any) -> ScriptedProvider:
        """Adds to the script."""
        self.scripts.extend(scripts)
        return self

    async def complete(self, request: ChatRequest) -> LLMResponse:
        self._note(request)
        response: LLMResponse | None = None
        async for part in self._play(self._next()):
            if isinstance(part, LLMResponse):
                response = part
        assert response is not None
        return response

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        self._note(request)
        try:
            async with aclosing(self._play(self._next())) as parts:
                async for part in parts:
                    yield part
        finally:
            self.closed_streams += 1

    def context_window(self, model: str | None = None) -> int:
        return self.window

    async def aclose(self) -> None:
        self.is_closed = True

    def _note(self, request: ChatRequest) -> None:
        self.requests.append(
            replace(request, messages=[dict(each) for each in request.messages], tools=list(request.tools))
        )

    def _next(self) -> Any:
        if self.scripts:
            return self.scripts.pop(0)
        if self.last is None:
            raise AssertionError("the script is used up")
        return self.last

    async def _play(self, script: Any) -> AsyncGenerator[StreamPart, None]:
        if isinstance(script, str):
            script = [word + " " for word in script.split(" ")[:-1]] + [script.rpartition(" ")[2]]
        elif not isinstance(script, list):
            script = [script]
        async with aclosing(self._parts(script)) as parts:
            async for part in parts:
                yield part

    async def _parts(self, steps: Iterable[Any]) -> AsyncGenerator[StreamPart, None]:
        text = ""
        for step in steps:
            if isinstance(step, Gate):
                step.reached.set()
                await step.open.wait()
            elif isinstance(step, BaseException):
                raise step
            elif isinstance(step, LLMResponse):
                if step.content and not text:
                    yield TextDelta(step.content)
                yield step
                return
            elif isinstance(step, ReasoningDelta | Retrying):
                yield step
            else:
                piece = step.text if isinstance(step, TextDelta) else step
                text += piece
                yield TextDelta(piece)
        yield says(text)


class KnownModel(ScriptedProvider):
    """Scripts a model of which something is known, for each name or for all; by itself it answers on a server of the
    person's own."""

    def __init__(self, *scripts: Any, traits: ModelTraits | Mapping[str, ModelTraits] = LOCAL, **options: Any) -> None:
        super().__init__(*scripts, **options)
        self.known = traits

    async def traits(self, model: str | None = None) -> ModelTraits:
        return self.known if isinstance(self.known, ModelTraits) else self.known.get(model or "", ModelTraits())

    @property
    def ways(self) -> list[str]:
        """Returns how it was asked, request by request."""
        return ["tool" if each.tools else "schema" if each.response_format else "text" for each in self.requests]
