"""Reads a session file as the published nanobots (the peers) do, written anew from the documents of their formats."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class PeerSession:
    """Holds what a peer has in memory after loading."""

    messages: list[dict[str, Any]] = field(default_factory=list)
    last_consolidated: int = 0
    metadata: dict[str, Any] = field(default_factory=dict)
    created_at: str = ""


def lossy_name(key: str) -> str:
    """Returns the file name of a key up to 0.2.2."""
    stem = key.replace(":", "_")
    for character in '<>:"/\\|?*':
        stem = stem.replace(character, "_")
    return stem.strip() + ".jsonl"


def encoded_name(key: str) -> str:
    """Returns the file name of a key from 0.3.0."""
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=") + ".jsonl"


def load_0_1_4(path: Path) -> PeerSession:
    """Loads a file of generation 1: metadata may stand anywhere, and the last wins. Raises ValueError, as one bad line
    loses the file."""
    session = PeerSession()
    with path.open(encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            data = json.loads(line)
            if data.get("_type") == "metadata":
                _take_metadata(session, data)
            else:
                session.messages.append(data)
    return session


def load_0_3_0(path: Path, key: str) -> PeerSession:
    """Loads a file of generation 2b: bad lines are skipped, unknown types too, and a pointer out of range is 0."""
    session = PeerSession()
    for line in path.read_bytes().decode("utf-8", "replace").split("\n"):
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if not isinstance(data, dict):
            continue
        if data.get("_type") == "metadata":
            assert data.get("key", key) == key
            _take_metadata(session, data)
        elif "_type" not in data:
            session.messages.append(data)
    pointer = session.last_consolidated
    if not isinstance(pointer, int) or not 0 <= pointer <= len(session.messages):
        session.last_consolidated = 0
    return session


def save_0_1_4(path: Path, key: str, session: PeerSession, updated_at: str) -> None:
    """Writes the whole file anew, in place, as generation 1 does."""
    first = {
        "_type": "metadata",
        "key": key,
        "created_at": session.created_at or updated_at,
        "updated_at": updated_at,
        "metadata": session.metadata,
        "last_consolidated": session.last_consolidated,
    }
    with path.open("w", encoding="utf-8") as file:
        for record in (first, *session.messages):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _take_metadata(session: PeerSession, data: dict[str, Any]) -> None:
    session.metadata = data.get("metadata", {})
    session.created_at = data.get("created_at", "")
    session.last_consolidated = data.get("last_consolidated", 0)
