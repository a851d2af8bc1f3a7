"""Model servers on this computer, found by asking their usual addresses, and only when a person wants to choose."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

from mnemoscope.llm.catalog import ModelChoice, is_loopback

PROBE_SECONDS: Final = 0.8
"""A server on this computer that has not answered by then is not offered."""
_NOT_FOR_CHAT: Final = ("embed", "rerank", "whisper", "tts", "bge-")


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
    """The models of every server that answers, in the order of `servers`. Runs in a thread; never raises."""
    return await asyncio.to_thread(probe_all, servers, seconds)


def probe_all(servers: Sequence[LocalServer] = USUAL_SERVERS, seconds: float = PROBE_SECONDS) -> list[ModelChoice]:
    """The same, on the calling thread."""
    found: list[ModelChoice] = []
    # No proxy may stand between this computer and itself, and no netrc may lend a password.
    with httpx.Client(timeout=seconds, trust_env=False, follow_redirects=False) as client:
        for server in servers:
            found += _models_at(client, server)
    return found


def _models_at(client: httpx.Client, server: LocalServer) -> Iterable[ModelChoice]:
    if not is_loopback(server.address):
        return []
    try:
        answer = client.get(f"{server.address}/models")
        listed = answer.json() if answer.status_code == httpx.codes.OK else {}
    except (httpx.HTTPError, ValueError):
        return []  # Nothing listens there, or something that serves no models.
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
        if isinstance(entry, Mapping) and isinstance(entry.get("id"), str) and _is_for_chat(entry["id"])
    ]


def _is_for_chat(name: str) -> bool:
    return not any(part in name.lower() for part in _NOT_FOR_CHAT)


def _tokens(entry: Mapping[str, Any]) -> int:
    """What vLLM and llama.cpp say of the context they were started with."""
    meta = entry.get("meta")
    for value in (entry.get("max_model_len"), meta.get("n_ctx") if isinstance(meta, Mapping) else None):
        if isinstance(value, int) and value > 0:
            return value
    return 0
