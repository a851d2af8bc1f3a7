"""This is the port to a language model. Tests replace the model here, never by patching."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from mnemoscope.domain.conversation.message import Message

SMALL_CONTEXT: Final = 8_192
"""Tokens of a context up to which a model is told less, and asked for less."""


def is_small_context(window: int) -> bool:
    """Returns whether a context of so many tokens holds so little that the program's own words have to be few. One of 0
    is unknown."""
    return 0 < window <= SMALL_CONTEXT


_SMALL_MODEL: Final = 4.0
"""Billions of parameters up to which a model repeats what stands beside the person's words."""
_PARAMETERS: Final = re.compile(r"(?<![a-z0-9.])e?(\d{1,4}(?:\.\d{1,3})?)([bm])(?![a-z0-9])", re.IGNORECASE)


def is_small_model(name: str) -> bool:
    """Returns whether a model's name says that it has few parameters, as `llama3.2:1b` and `SmolLM2-135M` do. Of
    several figures the largest counts; a name that says nothing is none."""
    found = [float(figure) / (1_000 if unit in "mM" else 1) for figure, unit in _PARAMETERS.findall(name)]
    return bool(found) and max(found) <= _SMALL_MODEL


def own_name(model: str) -> str:
    """Returns a model's own name, by which the window calls it: without its provider, and of a path the file alone."""
    return model.rpartition("/")[2] or model


def shown_name(model: str) -> str:
    """Returns a model's name as it is shown among others, which its provider tells it from: of a file's path, which
    llama.cpp gives, the file alone, with or without a provider before it."""
    provider, _, name = model.partition("/")
    is_path = model.startswith("/") or (bool(provider) and name.startswith("/"))
    return (model.rpartition("/")[2] if is_path else "") or model


ToolSchema = Mapping[str, Any]
"""A tool definition in OpenAI's shape: {"type": "function", "function": {"name", "description", "parameters"}}."""
ToolChoice = str | Mapping[str, Any]
"""`auto`, `none`, `required`, or {"type": "function", "function": {"name": …}} to force one tool."""


ResponseFormat = Mapping[str, Any]
"""{"type": "json_schema", "json_schema": {"name", "schema", "strict"}}: the form that the answer's text has to have."""


class OutputMode(StrEnum):
    """Names the modes in which a model can be made to answer with an object: it calls a tool, it is held to a schema,
    or it writes the object into its text."""

    TOOL = "tool"
    SCHEMA = "schema"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class ModelTraits:
    """Tells what is known of a model without asking it: whether it calls tools, takes a schema and takes images, None
    where unknown. `server` is its address where it is not the provider's own. `context` is in tokens, 0 where unknown;
    prices are in US dollars a token, None where unknown."""

    server: str = ""
    tools: bool | None = None
    schema: bool | None = None
    context: int = 0
    input_price: float | None = None
    output_price: float | None = None
    images: bool | None = None


@dataclass(frozen=True, slots=True)
class ToolCallRequest:
    """Describes a call the model asks for. `arguments` is as it came: a dict, JSON text, or a list of one dict."""

    id: str
    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class LLMResponse:
    """Describes a whole answer. `finish_reason` is stop, tool_calls, length, content_filter or error; `usage` holds
    token counts as `prompt_tokens`, `completion_tokens`, `total_tokens`; `cost` is in US dollars, None if unknown."""

    content: str | None
    tool_calls: Sequence[ToolCallRequest] = ()
    finish_reason: str = "stop"
    usage: Mapping[str, int] = field(default_factory=dict)
    reasoning_content: str | None = None
    cost: float | None = None

    @property
    def has_tool_calls(self) -> bool:
        """Returns whether the model asks for tools before it goes on."""
        return bool(self.tool_calls)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Holds the next piece of an answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """Holds the next piece of the model's visible reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """Holds the next piece of the arguments of a tool call, which comes whole with the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """Says that the request failed for now and is made again in `seconds`. `reason`: `rate`, `server` or `timeout`."""

    seconds: float
    reason: str


StreamPart = TextDelta | ReasoningDelta | CallDelta | Retrying | LLMResponse
"""A stream yields pieces, then exactly one LLMResponse as its last item. `Retrying` comes before any piece."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Holds everything a model is asked in one request.

    `model` is None for the model that the settings name. `max_tokens` is the most the answer may have; `temperature` is
    0 for the likeliest words and grows with variety; without `tool_choice` the model chooses whether to call a tool.
    `response_format` holds the text to a form, where the provider does so; `frequency_penalty`, 0 to 2, makes a word
    less likely the more often it was said.
    """

    messages: Sequence[Message]
    tools: Sequence[ToolSchema] = ()
    model: str | None = None
    max_tokens: int = 4096
    temperature: float = 0.1
    tool_choice: ToolChoice | None = None
    response_format: ResponseFormat | None = None
    frequency_penalty: float = 0.0


class LLMProvider(Protocol):
    """Asks a language model. Every failure is a `ModelError` with a sentence for the person.

    A provider that inherits from this class answers a ChatRequest in `complete` and `stream`; `chat` makes one.
    """

    async def chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema] | None = None,
        model: str | None = None,
        *,
        max_tokens: int = 4096,
        temperature: float = 0.1,
        tool_choice: ToolChoice | None = None,
        response_format: ResponseFormat | None = None,
    ) -> LLMResponse:
        """Asks once and waits for the whole answer."""
        asked = ChatRequest(messages, tools or (), model, max_tokens, temperature, tool_choice, response_format)
        return await self.complete(asked)

    async def complete(self, request: ChatRequest) -> LLMResponse:
        """Waits for the whole answer to a request."""
        ...

    def stream(self, request: ChatRequest) -> AsyncIterator[StreamPart]:
        """Yields pieces as they arrive, then the whole `LLMResponse` last. Closing the iterator stops the request."""
        ...

    def context_window(self, model: str | None = None) -> int:
        """Returns the tokens that the model's context holds, or a careful default where they are not known."""
        ...

    async def traits(self, model: str | None = None) -> ModelTraits:
        """Returns what is known of the model."""
        return ModelTraits()

    async def warm(self, model: str | None = None) -> None:
        """Gets ready what the first request to a model would wait for; nothing is asked of it."""
        return

    async def aclose(self) -> None:
        """Releases connections and processes."""
        ...


Vector = Sequence[float]
"""A text's place in a model's space of meanings: as many numbers as the model has dimensions, of any length."""
Meanings = Callable[[Sequence[str]], Awaitable[Mapping[str, Vector]]]
"""Returns the vectors of texts by the embedding model of this computer; none where it is not asked."""


class EmbeddedTexts(list[Vector]):
    """Holds the vectors that a remote model gave, in one answer, with the `tokens` it read, 0 where it does not say,
    and the `cost` in US dollars, None where no price is known."""

    def __init__(self, vectors: Iterable[Vector] = (), *, tokens: int = 0, cost: float | None = None) -> None:
        super().__init__(vectors)
        self.tokens = tokens
        self.cost = cost


class Embedder(Protocol):
    """Tells by vectors what texts mean. Every failure is a `ModelError` with a sentence for the person."""

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        """Returns one vector for each text, in their order, all of the same dimensions. Being cancelled stops the
        request.

        `is_question`: the texts are questions, not passages that may answer one; some models want to know. What
        comes as EmbeddedTexts counts as spent today.
        """
        ...
