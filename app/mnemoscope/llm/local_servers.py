"""Model servers on this computer are found by asking their usual addresses, and only when a person wants to choose."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from mnemoscope.domain.llm import shown_name
from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.llm.model_catalog import ModelChoice, is_loopback
from mnemoscope.llm.model_process.served_models import models_in

_PROBE_SECONDS: Final = 0.8
"""A server on this computer that has not answered by then is not offered."""
_MOST_BYTES: Final = 4_000_000
_OK: Final = 200


@dataclass(frozen=True, slots=True)
class LocalServer:
    """Describes a program that serves models, and the address it usually listens at (OpenAI's protocol, `/v1`
    included)."""

    title: str
    address: str


_USUAL_SERVERS: Final = (
    LocalServer("Ollama", "http://127.0.0.1:11434/v1"),
    LocalServer("LM Studio", "http://127.0.0.1:1234/v1"),
    LocalServer("llama.cpp", "http://127.0.0.1:8080/v1"),
    LocalServer("vLLM", "http://127.0.0.1:8000/v1"),
)


async def find_local(servers: Sequence[LocalServer] = _USUAL_SERVERS) -> list[ModelChoice]:
    """Returns the models of every server that answers, in the order of `servers`. Runs in a thread; never raises."""
    return await asyncio.to_thread(_probe_all, servers)


def _probe_all(servers: Sequence[LocalServer]) -> list[ModelChoice]:
    """Returns what `find_local` does, on the calling thread."""
    found: list[ModelChoice] = []
    for server in servers:
        found += _models_at(server)
    return found


def _models_at(server: LocalServer) -> Iterable[ModelChoice]:
    listed = _get(f"{server.address}/models", _PROBE_SECONDS) if is_loopback(server.address) else None
    return [
        ModelChoice(
            f"openai/{each['name']}",
            f"{server.title}: {shown_name(each['name'])}",
            "openai",
            needs_key=False,
            local=True,
            api_base=server.address,
            context_window=each["context"],
        )
        for each in models_in(listed)
    ]


def _get(address: str, seconds: float) -> Any:
    """Returns the JSON at an address, or None if nothing listens or it serves no models. It takes no proxy and no
    redirect."""
    import http.client  # rarely needed: a megabyte that only the choice of a model asks for

    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=seconds)
    try:
        connection.request("GET", parts.path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        return parsed_json(answer.read(_MOST_BYTES)) if answer.status == _OK else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
