"""Any model litellm knows stands behind the `LLMProvider` port. litellm itself runs in the model process."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.llm import (
    CallDelta,
    ChatRequest,
    EmbeddedTexts,
    LLMProvider,
    LLMResponse,
    ModelTraits,
    ReasoningDelta,
    Retrying,
    StreamPart,
    TextDelta,
    ToolCallRequest,
    Vector,
    shown_name,
)
from mnemoscope.llm.destination import destination_of
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.llm.model_catalog import (
    ModelChoice,
    context_window,
    is_loopback,
    key_name,
    litellm_name,
    provider_of,
    server_address,
)
from mnemoscope.llm.model_process.process import Exchange, Heard, ModelProcess, unpacked_vector

log = logging.getLogger(__name__)

_NO_KEY: Final = "not-needed"
"""The key that is sent to a server that wants none: the protocol's client insists on one."""
_EMBEDDING_PREFIXES: Final = (
    ("nomic-embed-text", ("search_query: ", "search_document: ")),
    ("multilingual-e5", ("query: ", "passage: ")),
    ("mxbai-embed", ("Represent this sentence for searching relevant passages: ", "")),
)
"""By a part of the model's name: before a question, before a passage."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits of a request: how long to wait, in seconds, and how often to try before the first piece has arrived."""

    idle_seconds: float = 60.0
    """No chunk for so long ends the request."""
    local_patience: float = 5.0
    """A server on this computer may take so many times longer to begin: it may have a model to load."""
    connect_seconds: float = 10.0
    tries: int = 3
    longest_wait: float = 20.0
    """A server that asks to wait longer is not waited for."""
    silence_seconds: float = 90.0
    """The model process itself, litellm's import included, must have said something by then."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Holds the address of a model and the key to it; an empty address is the provider's own."""

    api_base: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ServerContext:
    """Holds the tokens that a server gives a model, and those that the model could hold; 0 where it does not say."""

    tokens: int = 0
    most: int = 0


class LiteLLMProvider(LLMProvider):
    """Asks models through the model process, which starts with the first request or with `warm()`.

    `connection(model)` says where a model is; it is asked for each request, so a key typed meanwhile counts.
    """

    def __init__(
        self,
        connection: Callable[[str], Connection] | None = None,
        *,
        limits: RequestLimits | None = None,
        process: ModelProcess | None = None,
    ) -> None:
        self._connection = connection or (lambda model: Connection())
        self._limits = limits or RequestLimits()
        self._process = process or ModelProcess()

    @property
    def process(self) -> ModelProcess:
        """Returns the process that hosts litellm."""
        return self._process

    def at(self, connection: Connection) -> LiteLLMProvider:
        """Returns a provider that speaks through the same process to one connection, whatever is set."""
        return LiteLLMProvider(lambda _model: connection, limits=self._limits, process=self._process)

    async def warm(self, model: str | None = None) -> None:
        """Has litellm imported in the model process, without waiting for it."""
        self._process.warm()

    async def complete(self, request: ChatRequest) -> LLMResponse:
        """Returns the whole answer. It is streamed underneath, so that a slow model is not taken for a dead one."""
        async with aclosing(self.stream(request)) as parts:
            async for part in parts:
                if isinstance(part, LLMResponse):
                    return part
        raise AssertionError("a stream ends with its LLMResponse or raises")

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamPart, None]:
        """Yields pieces as they arrive, then the whole answer."""
        name = request.model or ""
        connection = self._connection(name)
        ask = {
            **self._ask_of(name, connection),
            "messages": list(request.messages),
            "tools": list(request.tools),
            "tool_choice": request.tool_choice,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "response_format": request.response_format,
            "frequency_penalty": request.frequency_penalty,
        }
        exchange = self._process.ask(ask)
        has_begun = False
        try:
            while True:
                heard = await self._receive(exchange, name, connection)
                if "failed" in heard:
                    raise self._error(Failure(**heard["failed"]), name, connection, has_begun=has_begun)
                if "done" in heard:
                    yield _response(heard["done"])
                    return
                for part in _pieces(heard):
                    has_begun = has_begun or not isinstance(part, Retrying)
                    yield part
        finally:
            exchange.close()

    async def embed(self, texts: Sequence[str], model: str, *, is_question: bool = False) -> list[Vector]:
        """Returns the meaning of each text as a vector, with what it took, as EmbeddedTexts. A server on this computer
        asks no price."""
        connection = self._connection(model)
        prefix = _embedding_prefix(model, is_question=is_question)
        ask = {**self._ask_of(model, connection), "embed": [prefix + text for text in texts]}
        done = await self._answer(ask, model, connection)
        is_free = destination_of(model, connection.api_base).kind == "this computer"
        cost = 0.0 if is_free else done["cost"]
        return EmbeddedTexts(map(unpacked_vector, done["vectors"]), tokens=done["tokens"], cost=cost)

    def context_window(self, model: str | None = None) -> int:
        """Returns the tokens that the model's context holds, from our own table."""
        name = model or ""
        return context_window(name, self._connection(name).api_base)

    async def traits(self, model: str | None = None) -> ModelTraits:
        """Returns what litellm's table says of the model; nothing leaves this computer for it."""
        name = model or ""
        connection = self._connection(name)
        ask = {"traits": litellm_name(name, connection.api_base)}
        heard = await self._process.answer(ask, self._limits.silence_seconds)
        found = heard.get("done", {})
        server = server_address(name, connection.api_base) or (provider_of(name) if not key_name(name) else "")
        # A server of the person's own may ask any price, or none, for a model of a known name.
        input_price, output_price = (None, None) if server else (found.get("input_price"), found.get("output_price"))
        return ModelTraits(
            server,
            found.get("tools"),
            found.get("schema"),
            found.get("context") or 0,
            input_price,
            output_price,
            found.get("images"),
        )

    async def models_at(self, connection: Connection, model: str = "") -> list[ModelChoice]:
        """Returns the models that a server says it serves; `model` tells its protocol. Raises ModelError."""
        done = await self._inquire("models", model, connection)
        server = server_address(model, connection.api_base)
        prefix = litellm_name(model or "any", connection.api_base).partition("/")[0]
        return [
            ModelChoice(
                f"{prefix}/{entry['name']}",
                shown_name(entry["name"]),
                prefix,
                needs_key=False,
                local=is_loopback(server),
                api_base=connection.api_base,
                context_window=entry["context"],
            )
            for entry in done["models"]
        ]

    async def context_at(self, connection: Connection, model: str) -> ServerContext:
        """Returns the context that a server says it gives a model. Raises ModelError."""
        done = await self._inquire("context", model, connection)
        return ServerContext(done["context"], done["most"])

    async def _inquire(self, what: str, model: str, connection: Connection) -> Mapping[str, Any]:
        ask = {
            "inquire": what,
            "address": server_address(model, connection.api_base),
            "model": litellm_name(model, connection.api_base).partition("/")[2],
            "api_key": connection.key or (_NO_KEY if connection.api_base else None),
            "connect_seconds": self._limits.connect_seconds,
        }
        return await self._answer(ask, model, connection)

    async def _answer(self, ask: Mapping[str, Any], model: str, connection: Connection) -> Mapping[str, Any]:
        """Returns what the model process answers to a question that is answered at once. Raises ModelError."""
        heard = await self._process.answer(ask, self._limits.silence_seconds)
        if "failed" in heard:
            raise self._error(Failure(**heard["failed"]), model, connection, has_begun=False)
        done: Mapping[str, Any] = heard["done"]
        return done

    async def aclose(self) -> None:
        """Ends the model process; a later request would start it again."""
        await self._process.aclose()

    def _ask_of(self, model: str, connection: Connection) -> dict[str, Any]:
        limits = self._limits
        return {
            "model": litellm_name(model, connection.api_base),
            "api_base": server_address(model, connection.api_base),
            "api_key": connection.key or (_NO_KEY if connection.api_base else None),
            "first_seconds": limits.idle_seconds * (limits.local_patience if is_loopback(connection.api_base) else 1),
            "idle_seconds": limits.idle_seconds,
            "connect_seconds": limits.connect_seconds,
            "tries": limits.tries,
            "longest_wait": limits.longest_wait,
        }

    async def _receive(self, exchange: Exchange, model: str, connection: Connection) -> Heard:
        try:
            return await exchange.hear(self._limits.silence_seconds)
        except TimeoutError:
            self._process.end_silent()
            raise self._error(Failure("silent"), model, connection, has_begun=False) from None

    def _error(self, failure: Failure, model: str, connection: Connection, *, has_begun: bool) -> ModelError:
        if has_begun and failure.kind == "ended":
            failure = Failure("cut", detail="the model process ended")
        if failure.kind == "key" and not connection.key:
            failure = replace(failure, kind="no_key")
        # What the server said may repeat what it was sent: whoever asked knows whether that may be kept in a log.
        log.warning("model %s failed: %s %s", model, failure.kind, failure.status or "")
        return error_of(failure, model, connection.api_base)


def _pieces(heard: Heard) -> list[StreamPart]:
    if "waiting" in heard:
        return [Retrying(float(heard["waiting"]), str(heard.get("reason", "")))]
    pieces: list[StreamPart] = []
    if reasoning := heard.get("reasoning"):
        pieces.append(ReasoningDelta(reasoning))
    if text := heard.get("text"):
        pieces.append(TextDelta(text))
    if call := heard.get("call"):
        pieces.append(CallDelta(call))
    return pieces


def _response(done: Mapping[str, Any]) -> LLMResponse:
    return LLMResponse(
        content=done["content"],
        tool_calls=tuple(ToolCallRequest(call["id"], call["name"], call["arguments"]) for call in done["calls"]),
        finish_reason=done["finish_reason"],
        usage=done["usage"],
        reasoning_content=done["reasoning"],
        cost=done["cost"],
    )


def _embedding_prefix(model: str, *, is_question: bool) -> str:
    """Returns what some families of embedding models were trained to read before a question or a passage."""
    found = next((words for name, words in _EMBEDDING_PREFIXES if name in model.casefold()), ("", ""))
    return found[0] if is_question else found[1]
