"""A model server on this computer that speaks OpenAI's protocol, and whoever stands in for a provider with it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from mnemoscope.domain.llm import ChatRequest, LLMResponse, StreamPart
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.llm.remote import Connection, LiteLLMProvider

_STREAM: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
_JSON: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
_NOT_FOUND: Final = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_LENGTH: Final = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_TOKEN_BYTES: Final = 4
"""About so many bytes of English are a token."""
_OTHERWISE: Final = "Noted."


class ModelServer:
    """Serves `models`, each with a context of so many tokens, as llama.cpp does. `answers` are given in turn to what is
    asked; each tells how many tokens it read and wrote."""

    def __init__(self, answers: Sequence[str] = (), *, models: Sequence[str] = (), context: int = 0) -> None:
        self.answers = list(answers)
        self._models, self._context = tuple(models), context
        self.asked = 0
        self.address = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()

    async def respond(self, path: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request."""
        if body:
            self.asked += 1
            writer.write(_STREAM + _events_of(self.answers.pop(0) if self.answers else _OTHERWISE, len(body)))
        else:
            answer = self._answer_to(path)
            writer.write(_NOT_FOUND if answer is None else _JSON + json.dumps(answer).encode())
        await writer.drain()

    def _answer_to(self, path: str) -> dict[str, object] | None:
        if path == "/v1/models":
            return {"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]}
        if path == "/props" and self._context:
            return {"default_generation_settings": {"n_ctx": self._context}}
        return None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1]) if length is not None else 0)
            await self.respond(head.split(b" ", 2)[1].decode(), body, reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class ProviderStandIn(LiteLLMProvider):
    """Asks models as the window does. While `server` is an address, that server answers in the stead of each provider
    that would be asked at its own, and its answers cost what the provider's price list says."""

    def __init__(self, address_in_force: Callable[[], str], process: ModelProcess | None = None) -> None:
        super().__init__(self._connected, process=process)
        self.server = ""
        self._address_in_force = address_in_force

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamPart, None]:
        """Yields pieces as they arrive, then the whole answer, with what it cost."""
        is_priced = bool(self.server) and not self._address_in_force()
        async with aclosing(super().stream(request)) as parts:
            async for part in parts:
                yield await self._priced(part, request) if is_priced and isinstance(part, LLMResponse) else part

    async def _priced(self, answer: LLMResponse, request: ChatRequest) -> LLMResponse:
        traits = await self.at(Connection()).traits(request.model)
        read, written = (answer.usage.get(name, 0) for name in ("prompt_tokens", "completion_tokens"))
        return replace(answer, cost=read * (traits.input_price or 0) + written * (traits.output_price or 0))

    def _connected(self, model: str) -> Connection:
        del model
        return Connection(self._address_in_force() or self.server)


def _events_of(answer: str, asked_bytes: int) -> bytes:
    """Returns an answer to a request of so many bytes as a stream of events."""
    read, written = asked_bytes // _TOKEN_BYTES, 1 + len(answer.encode()) // _TOKEN_BYTES
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    ends: tuple[tuple[dict[str, str], str | None], ...] = ({"content": answer}, None), ({}, "stop")
    common = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tour"}
    chunks: list[dict[str, object]] = [
        {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} for delta, reason in ends
    ]
    chunks.append({**common, "choices": [], "usage": usage})
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode() + b"data: [DONE]\n\n"
