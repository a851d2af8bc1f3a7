"""A model server on this computer that takes one request at a time, as a person may have one."""

from __future__ import annotations

import asyncio
import json
import re
from types import TracebackType
from typing import Final, Self

from mnemoscope.domain.consolidation.planning import SAVE_MEMORY_NAME

_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
_LENGTH: Final = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class OneSlotServer:
    """Answers in OpenAI's protocol. A consolidation keeps its slot until whoever asked leaves; whatever else is asked
    waits, and gets `answer`."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._slot = asyncio.Lock()
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

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            length = _LENGTH.search(await reader.readuntil(b"\r\n\r\n"))
            body = await reader.readexactly(int(length[1]) if length is not None else 0)
            self.asked += 1
            async with self._slot:
                if SAVE_MEMORY_NAME.encode() in body:
                    await reader.read()
                else:
                    writer.write(_HEAD + _events(self._answer))
                    await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def _events(answer: str) -> bytes:
    """Returns an answer as a stream of events."""
    ends: tuple[tuple[dict[str, str], str | None], ...] = ({"content": answer}, None), ({}, "stop")
    chunks = [
        {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tour", "choices": [choice]}
        for choice in ({"index": 0, "delta": delta, "finish_reason": reason} for delta, reason in ends)
    ]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode() + b"data: [DONE]\n\n"
