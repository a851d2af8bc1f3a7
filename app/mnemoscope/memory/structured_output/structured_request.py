"""Asks a provider for one answer in a given output mode, and ends an answer that repeats itself while it streams."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.answers.repetition import LOOPED, LoopWatch
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.errors import ContextTooLong, KeyMissing, KeyRefused, MnemoscopeError, RateLimited
from mnemoscope.domain.llm import (
    SMALL_CONTEXT,
    CallDelta,
    ChatRequest,
    LLMProvider,
    LLMResponse,
    OutputMode,
    ReasoningDelta,
    TextDelta,
    ToolSchema,
    is_small_context,
)
from mnemoscope.domain.settings import is_built_in

log = logging.getLogger(__name__)
DEFAULT_WINDOW: Final = 65_536
_LEAST_ANSWER: Final = 256
_ORDINARY_ANSWER: Final = 1_024
"""Room for thinking and for the form of an answer, where the context is not small."""
_MOST_SAID: Final = 3_072
_MOST_DOUBLINGS: Final = 3
CUT_OFF: Final = frozenset({"length", "max_tokens"})
"""Finish reasons of an answer that was cut off at its limit."""
_ANSWER: Final = 2_048
_INSTRUCTIONS: Final = 1_024
_BRIEF: Final = 256
_LEAST_BUDGET: Final = 512
_AFTER_LOOP: Final[Mapping[str, Any]] = {"temperature": 0.4, "frequency_penalty": 0.6}
"""The request after an answer that went round in circles: asked as before, it would do so again."""
_ALWAYS_TAKEN: Final = ("messages", "tools", "model")
"""The arguments that the `chat` of every provider takes, be it written by others."""
_TOOL_REFUSALS: Final = (
    "tool_choice", "toolchoice", "tool choice", "does not support", "support tool", "requires --jinja",
    "tools param", 'should be ["none", "auto"]', "function calling", "function call",
)  # fmt: skip
_SCHEMA_REFUSALS: Final = (
    "response_format", "json_schema", "response format", "structured output", "grammar", "schema", "does not support",
)  # fmt: skip


class OutputModeRefused(Exception):
    """The provider does not take this way of asking; nothing was answered."""


@dataclass(frozen=True, slots=True)
class RequestedOutput:
    """Describes what is asked for: tools for one way, the schema of an object for the other. `forced`: the tool that
    has to be called, "" where the model may choose among several and stop. `known`: a text that may be repeated as it
    is."""

    tools: Sequence[ToolSchema]
    schema: Mapping[str, Any]
    name: str
    forced: str = ""
    known: str = ""


class StructuredRequests:
    """Asks providers, and remembers while it lives which of their models take no forced tool choice, and which need
    more room for an answer than is usual."""

    def __init__(self) -> None:
        self._free: set[tuple[int, str | None]] = set()
        self._doublings: dict[tuple[int, str | None], int] = {}

    async def ask(
        self,
        provider: Any,
        model: str | None,
        messages: Sequence[Message],
        wanted: RequestedOutput,
        mode: OutputMode,
        *,
        room: AnswerRoom,
        cuts: int = 0,
        after_loop: bool = False,
    ) -> LLMResponse:
        """Returns one answer, whatever it is, within `room` after so many that were cut off.

        Raises OutputModeRefused, and what the provider raises.
        """
        doublings = self._doublings.get((id(provider), model), 0) + cuts
        most = room.tokens(doublings)
        asked: dict[str, Any] = {"messages": messages, "tools": None, "model": model, "max_tokens": most}
        if after_loop:
            asked |= _AFTER_LOOP
        if mode is OutputMode.TOOL:
            asked["tools"] = wanted.tools
            if wanted.forced:
                free = (id(provider), model) in self._free
                asked["tool_choice"] = "auto" if free else forced_choice(wanted.forced)
        elif mode is OutputMode.SCHEMA:
            asked["response_format"] = _format_of(wanted)
        response = await self._answered(provider, asked, wanted.known)
        if getattr(response, "finish_reason", "") not in CUT_OFF:
            # A model that thinks at length needs as much the next time.
            self._doublings[id(provider), model] = min(doublings, _MOST_DOUBLINGS)
        return response

    async def _answered(self, provider: Any, asked: Mapping[str, Any], known: str) -> LLMResponse:
        """Returns the answer to what is asked by the names of ChatRequest's fields. A model that takes no forced tool
        choice is asked freely, and from now on."""
        try:
            return await _tried(provider, asked, known)
        except OutputModeRefused:
            if asked.get("tool_choice", "auto") == "auto":
                raise
        log.info("%s takes no forced tool choice; it is asked freely", asked["model"])
        self._free.add((id(provider), asked["model"]))
        return await _tried(provider, {**asked, "tool_choice": "auto"}, known)


async def _tried(provider: Any, asked: Mapping[str, Any], known: str) -> LLMResponse:
    """Returns the answer. Raises OutputModeRefused where the provider's words mean that."""
    signs = _TOOL_REFUSALS if asked["tools"] else _SCHEMA_REFUSALS if "response_format" in asked else ()
    try:
        response = await _answer(provider, asked, known)
    except (ContextTooLong, KeyMissing, KeyRefused, RateLimited):
        raise
    except Exception as error:
        if not _has_sign(_error_text(error), signs):
            raise
        raise OutputModeRefused(_error_text(error)) from error
    failed = getattr(response, "finish_reason", "") == "error"
    if failed and _has_sign(str(response.content), signs):
        raise OutputModeRefused(str(response.content))
    return response


async def _answer(provider: Any, asked: Mapping[str, Any], known: str) -> LLMResponse:
    if LLMProvider in type(provider).__mro__ and type(provider).chat is LLMProvider.chat:
        request = ChatRequest(**{**asked, "tools": asked["tools"] or ()})
        if is_built_in(request.model or ""):
            response: LLMResponse = await provider.complete(request)
            return response
        return await _watched(provider, request, known)
    least = {name: asked[name] for name in _ALWAYS_TAKEN}
    more = _accepted(provider.chat, {name: value for name, value in asked.items() if name not in least})
    if "response_format" in asked and "response_format" not in more:
        raise OutputModeRefused("The provider takes no response_format.")
    try:
        response = await provider.chat(**least, **more)
    except TypeError as error:
        # A provider that passes everything on to one that takes less.
        if not more or "unexpected keyword argument" not in str(error):
            raise
        if "response_format" in asked:
            raise OutputModeRefused(str(error)) from error
        response = await provider.chat(**least)
    return response


async def _watched(provider: LLMProvider, request: ChatRequest, known: str) -> LLMResponse:
    """Returns the answer, stopped where it begins to go round in circles."""
    watch, said = LoopWatch(known), list[str]()
    response: LLMResponse | None = None
    stream: Any = provider.stream(request)
    async with aclosing(stream) as parts:
        async for part in parts:
            if isinstance(part, LLMResponse):
                response = part
            elif isinstance(part, TextDelta | CallDelta | ReasoningDelta):
                if isinstance(part, TextDelta):
                    said.append(part.text)
                if watch.add(part.text):
                    log.info("an answer of %s went round in circles and was stopped", request.model)
                    return LLMResponse("".join(said), finish_reason=LOOPED)
    assert response is not None, "a stream ends with its LLMResponse or raises"
    return response


def forced_choice(name: str) -> Mapping[str, Any]:
    """Returns the tool choice that forces one tool."""
    return {"type": "function", "function": {"name": name}}


def _format_of(wanted: RequestedOutput) -> Mapping[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": wanted.name, "schema": wanted.schema, "strict": True},
    }


def closed_schema(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the schema of an object without room for anything else, as servers want it to hold a model to it."""
    return {**parameters, "additionalProperties": False}


def bounded_schema(schema: Mapping[str, Any], most: Mapping[str, int]) -> Mapping[str, Any]:
    """Returns a schema in which texts have at most so many characters and lists so many items, by the names of
    properties; the texts of a list are named as the list with a dot behind it.

    A server holds the model to it while it writes, so that a small model ends its object within its room.
    """

    def bounded(name: str, part: Mapping[str, Any]) -> Mapping[str, Any]:
        limit = {"string": "maxLength", "array": "maxItems"}.get(str(part.get("type")))
        found = dict(part)
        if limit and name in most and most[name] <= _MOST_COUNTED:
            found[limit] = most[name]
        if isinstance(part.get("items"), Mapping):
            found["items"] = bounded(f"{name}.", part["items"])
        if isinstance(part.get("properties"), Mapping):
            found["properties"] = {key: bounded(key, each) for key, each in part["properties"].items()}
        return found

    return bounded("", schema)


_MOST_COUNTED: Final = 1_500
"""Beyond this a llama.cpp server takes no count of repetitions."""


def mend(text: str) -> object:
    """Reads JSON that is not quite JSON. Raises ValueError where it makes nothing of it."""
    import json_repair  # rarely needed: most answers are JSON

    try:
        found: object = json_repair.loads(text)
    except (ValueError, RecursionError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(str(error)) from error
    if not isinstance(found, dict | list):
        raise ValueError("nothing was found in it")
    return found


def context_window(provider: Any, model: str | None) -> int:
    """Returns the tokens that a model's context holds, or what is usual where its provider does not say."""
    ask = getattr(provider, "context_window", None)
    try:
        window = ask(model) if callable(ask) else DEFAULT_WINDOW
    except Exception:
        log.exception("the context window of %s could not be learned", model)
        return DEFAULT_WINDOW
    return window if isinstance(window, int) and window > 0 else DEFAULT_WINDOW


def slice_budget(provider: Any, model: str | None, memory: str) -> int:
    """Returns the tokens of conversation that fit in one request, beside the memory, the instructions and the
    answer."""
    window = context_window(provider, model)
    is_small = is_small_context(window)
    instructions, answer = (_BRIEF, _LEAST_ANSWER) if is_small else (_INSTRUCTIONS, _ANSWER)
    # Memory stands in the request and once more in the answer. What the answer may say more of is the slice's share.
    left = window - 2 * estimate_tokens(memory) - instructions - answer
    return max(_LEAST_BUDGET, int(left / 1.5) if is_small else left)


@dataclass(frozen=True, slots=True)
class AnswerRoom:
    """Holds the tokens that an answer may take: what it repeats, half as much again, and a quarter of what it was shown
    besides; twice as many after each answer that was cut off, as far as the context holds them."""

    window: int
    shown: int
    """Tokens of the request."""
    repeated: int = 0
    """Tokens of the request that the answer says again."""

    @classmethod
    def of(cls, window: int, messages: Sequence[Message], repeated: str = "") -> AnswerRoom:
        """Returns the room for an answer to these messages that says the text `repeated` again."""
        return cls(window, sum(map(estimate_message, messages)), estimate_tokens(repeated))

    def tokens(self, cuts: int = 0) -> int:
        """Returns the tokens that may be taken after so many answers that were cut off."""
        least = _LEAST_ANSWER if is_small_context(self.window) else _ORDINARY_ANSWER
        said = min(max(0, self.shown - self.repeated) // 4, _MOST_SAID)
        wanted = (least + int(1.5 * self.repeated) + said) << min(cuts, _MOST_DOUBLINGS)
        if self.window >= 2 * SMALL_CONTEXT:
            return wanted
        return max(least, min(wanted, self.window - self.shown - self.shown // 10))


def _accepted(chat: Any, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what of `wanted` a provider's `chat` takes: other people's may know only messages, tools and model."""
    try:
        parameters = inspect.signature(chat).parameters.values()
    except (TypeError, ValueError):
        return dict(wanted)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(wanted)
    names = {parameter.name for parameter in parameters}
    return {name: value for name, value in wanted.items() if name in names}


def _error_text(error: BaseException) -> str:
    detail = error.context.get("detail", "") if isinstance(error, MnemoscopeError) else ""
    return f"{error} {detail}"


def _has_sign(text: str, signs: Sequence[str]) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in signs)
