"""Model servers on this computer are found by asking their usual addresses, and only when a person wants to choose."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from mnemoscope.llm.catalog import ModelChoice, is_for_chat, is_loopback

PROBE_SECONDS: Final = 0.8
"""A server on this computer that has not answered by then is not offered."""
MOST_BYTES: Final = 4_000_000
_OK: Final = 200


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A program that serves models, and the address it usually listens at (OpenAI's protocol, `/v1` included)."""

    title: str
    address: str


USUAL_SERVERS: Final = (
    LocalServer("Ollama", "http://127.0.0.1:11434/v1"),
    LocalServer("LM Studio", "http://127.0.0.1:1234/v1"),
    LocalServer("llama.cpp", "http://127.0.0.1:8080/v1"),
    LocalServer("vLLM", "http://127.0.0.1:8000/v1"),
)


async def find_local(
    servers: Sequence[LocalServer] = USUAL_SERVERS, *, seconds: float = PROBE_SECONDS
) -> list[ModelChoice]:
    """Returns the models of every server that answers, in the order of `servers`. Runs in a thread; never raises."""
    return await asyncio.to_thread(probe_all, servers, seconds)


def probe_all(servers: Sequence[LocalServer] = USUAL_SERVERS, seconds: float = PROBE_SECONDS) -> list[ModelChoice]:
    """Returns what `find_local` does, on the calling thread."""
    found: list[ModelChoice] = []
    for server in servers:
        found += _models_at(server, seconds)
    return found


def _models_at(server: LocalServer, seconds: float) -> Iterable[ModelChoice]:
    listed = _get(f"{server.address}/models", seconds) if is_loopback(server.address) else None
    entries = listed.get("data") if isinstance(listed, Mapping) else None
    return [
        ModelChoice(
            f"openai/{entry['id']}",
            f"{server.title}: {entry['id']}",
            "openai",
            needs_key=False,
            local=True,
            api_base=server.address,
            context_window=_tokens(entry),
        )
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, Mapping) and isinstance(entry.get("id"), str) and is_for_chat(entry["id"])
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
        return json.loads(answer.read(MOST_BYTES)) if answer.status == _OK else None
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None
    finally:
        connection.close()


def _tokens(entry: Mapping[str, Any]) -> int:
    """Returns the context that vLLM and llama.cpp say they were started with."""
    meta = entry.get("meta")
    for value in (entry.get("max_model_len"), meta.get("n_ctx") if isinstance(meta, Mapping) else None):
        if isinstance(value, int) and value > 0:
            return value
    return 0
