"""A model is tried with a few short requests: whether it answers, streams, calls tools, keeps to a schema, sees images.

Nothing of the person's is sent: the requests are the same for everybody. Each finding is given as soon as it is there.
Whatever a model answers is a finding; only where it cannot be reached at all is that an error.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from mnemoscope.domain.answers.answer_reading import ExpectedObject, NoStructuredAnswer, find_object, without_thinking
from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.llm import ChatRequest, LLMProvider, LLMResponse, ModelTraits, ReasoningDelta, TextDelta

REQUESTS: Final = 4
MOST_ANSWER: Final = 256
"""Tokens that one answer may have: a model that thinks first needs some for that."""
MOST_TOKENS: Final = 3_000
"""Tokens of a whole check, both ways, the image among them; what is told before it is begun."""
_MOST_PROMPT: Final = MOST_TOKENS - REQUESTS * MOST_ANSWER
_MANY: Final = 2
_NOT_SUPPORTED: Final = re.compile(r"\bnot (?:be )?support|\bunsupported\b", re.IGNORECASE)


class Ability(StrEnum):
    """Names what a model is tried for, in this order."""

    ANSWERS = "answers"
    STREAMS = "streams"
    TOOLS = "tools"
    SCHEMA = "schema"
    IMAGES = "images"


class TrialOutcome(StrEnum):
    """Names how a trial ended. `IN_TEXT`: the call stands in the text, where it is found all the same. `REFUSED`: the
    server does not take such a request. `UNKNOWN`: it could not be tried."""

    YES = "yes"
    NO = "no"
    IN_TEXT = "in text"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TrialFinding:
    """Holds what one trial found; `sentence` says what the server said against it, "" for nothing."""

    ability: Ability
    outcome: TrialOutcome
    sentence: str = ""


def most_price(traits: ModelTraits) -> float | None:
    """Returns the most that a check can cost in US dollars, None where the prices are not known."""
    if traits.input_price is None or traits.output_price is None:
        return None
    return _MOST_PROMPT * traits.input_price + REQUESTS * MOST_ANSWER * traits.output_price


async def check_model(provider: LLMProvider, model: str) -> AsyncGenerator[TrialFinding, None]:
    """Yields what the model can do. Raises ModelError if it does not answer at all; then nothing else is asked."""
    pieces, answer = 0, LLMResponse(None)
    async with aclosing(provider.stream(_asked(model, "Count from one to ten, in words."))) as parts:  # type: ignore[type-var]
        async for part in parts:
            pieces += isinstance(part, TextDelta | ReasoningDelta)
            if isinstance(part, LLMResponse):
                answer = part
    spoke = bool((answer.content or "").strip() or (answer.reasoning_content or "").strip())
    yield TrialFinding(Ability.ANSWERS, TrialOutcome.YES if spoke else TrialOutcome.NO)
    yield TrialFinding(Ability.STREAMS, TrialOutcome.YES if pieces >= _MANY else TrialOutcome.NO)
    yield await _tried(Ability.TOOLS, provider, _tool_request(model))
    yield await _tried(Ability.SCHEMA, provider, _schema_request(model))
    yield await _tried(Ability.IMAGES, provider, _image_request(model))


async def _tried(ability: Ability, provider: LLMProvider, request: ChatRequest) -> TrialFinding:
    try:
        answer = await provider.complete(request)
    except ModelError as error:
        # A server that is too busy, or gone, says nothing of the model; llama.cpp refuses an image with status 500.
        is_refused = not error.transient or bool(_NOT_SUPPORTED.search(str(error.context.get("detail", ""))))
        return TrialFinding(ability, TrialOutcome.REFUSED if is_refused else TrialOutcome.UNKNOWN, error.sentence)
    return TrialFinding(ability, _JUDGES[ability](answer))


def _asked(model: str, words: str, **more: Any) -> ChatRequest:
    return ChatRequest([{"role": "user", "content": words}], model=model, max_tokens=MOST_ANSWER, temperature=0, **more)


_TOOL: Final = "note_colour"
_TOOL_PARAMETERS: Final = {
    "type": "object",
    "properties": {"colour": {"type": "string", "description": "The name of the colour"}},
    "required": ["colour"],
}
_MOODS: Final = ("cheerful", "gloomy")
_MOOD_SCHEMA: Final = {
    "type": "object",
    "properties": {"mood": {"type": "string", "enum": list(_MOODS)}},
    "required": ["mood"],
    "additionalProperties": False,
}


def _tool_request(model: str) -> ChatRequest:
    tool = {
        "type": "function",
        "function": {"name": _TOOL, "description": "Notes a colour.", "parameters": _TOOL_PARAMETERS},
    }
    return _asked(model, "Note the colour green with the tool note_colour.", tools=[tool])


def _schema_request(model: str) -> ChatRequest:
    """Asks without a word of the form: an object comes only where the server holds the model to it."""
    form = {"type": "json_schema", "json_schema": {"name": "mood", "schema": _MOOD_SCHEMA, "strict": True}}
    return _asked(model, "It is a sunny morning and the birds sing. How does that feel?", response_format=form)


def _image_request(model: str) -> ChatRequest:
    content = [
        {"type": "text", "text": "Which two colours does this image show? Answer with two words."},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_two_squares()}"}},
    ]
    return ChatRequest([{"role": "user", "content": content}], model=model, max_tokens=MOST_ANSWER, temperature=0)


def _two_squares() -> str:
    """Returns a PNG image in base64: yellow on the left, green on the right. A model that sees nothing seldom guesses
    these two."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    side = 64
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    half = side // 2
    rows = (b"\0" + b"\xff\xe0\x00" * half + b"\x00\x90\x20" * half) * side
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode("ascii")


def _calls(answer: LLMResponse) -> TrialOutcome:
    if any(call.name == _TOOL for call in answer.tool_calls):
        return TrialOutcome.YES
    try:
        find_object(answer, ExpectedObject(_TOOL, ("colour",)))
    except NoStructuredAnswer:
        return TrialOutcome.NO
    return TrialOutcome.IN_TEXT


def _keeps_to_schema(answer: LLMResponse) -> TrialOutcome:
    try:
        found = find_object(answer, ExpectedObject("mood", ("mood",)))
    except NoStructuredAnswer:
        return TrialOutcome.NO
    return TrialOutcome.YES if found.get("mood") in _MOODS else TrialOutcome.NO


def _sees(answer: LLMResponse) -> TrialOutcome:
    words = without_thinking(answer.content or "").casefold()
    return TrialOutcome.YES if "yellow" in words and "green" in words else TrialOutcome.NO


_JUDGES: Final = {Ability.TOOLS: _calls, Ability.SCHEMA: _keeps_to_schema, Ability.IMAGES: _sees}
