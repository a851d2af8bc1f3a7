"""Generates exports of Claude: one zip as until 2026, and the set of zips with a manifest since then."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def message(number: int, sender: str, text: str, **fields: Any) -> dict[str, Any]:
    when = f"2026-05-01T08:{number:02}:00.000000Z"
    block = {"start_timestamp": when, "stop_timestamp": when, "type": "text", "text": text, "citations": []}
    made = {
        "uuid": f"message-{number}",
        "text": text,
        "content": [block] if text else [],
        "sender": sender,
        "created_at": when,
        "updated_at": when,
        "attachments": [],
        "files": [],
    }
    return made | fields


def conversation(
    key: str, messages: Sequence[Mapping[str, Any]], name: str = "A talk", **fields: Any
) -> dict[str, Any]:
    made = {
        "uuid": key,
        "name": name,
        "created_at": "2026-05-01T08:00:00.000000Z",
        "updated_at": "2026-05-01T09:00:00.000000Z",
        "account": {"uuid": "account-1"},
        "chat_messages": list(messages),
    }
    return made | fields


def talk(key: str, *lines: str, **fields: Any) -> dict[str, Any]:
    """Returns a conversation in which the person and the assistant speak in turn."""
    spoken = [message(number, "assistant" if number % 2 else "human", line) for number, line in enumerate(lines)]
    return conversation(key, spoken, **fields)


def memory(text: str, projects: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {"conversations_memory": text, "project_memories": dict(projects or {}), "account_uuid": "account-1"}


def write_old(
    path: Path, conversations: Sequence[Mapping[str, Any]], memories: Mapping[str, Any] | None = None
) -> Path:
    """Writes one zip with everything."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(list(conversations), ensure_ascii=False))
        archive.writestr("users.json", json.dumps([{"uuid": "account-1", "full_name": "P. Erson"}]))
        archive.writestr("projects.json", "[]")
        if memories is not None:
            archive.writestr("memories.json", json.dumps([memories], ensure_ascii=False))
    return path


def write_set(folder: Path, parts: Sequence[Sequence[Mapping[str, Any]]], memories: Mapping[str, Any]) -> Path:
    """Writes a manifest and a set of zips; returns the first of them."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for number, conversations in enumerate(parts):
        name = f"conversations-{number:03}.zip"
        listed.append(
            {"filename": name, "category": "conversations", "part": number, "export_url": "https://x.invalid"}
        )
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("conversations.json", json.dumps(list(conversations), ensure_ascii=False))
    with zipfile.ZipFile(folder / "memories-000.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("memories/account-1.json", json.dumps(memories, ensure_ascii=False))
    with zipfile.ZipFile(folder / "light_metadata-000.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([{"uuid": "never", "chat_messages": []}]))
    manifest = {"created_at": "2026-09-01T00:00:00Z", "version": "1.0", "data_files": listed}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder / "conversations-000.zip"
