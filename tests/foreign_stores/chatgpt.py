"""Generates exports of ChatGPT: the tree of a conversation, memory calls, hidden and unknown nodes, zips and parts."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BEGAN = 1_714_550_400.0
"""2024-05-01 08:00 UTC."""


def content(kind: str, **fields: Any) -> dict[str, Any]:
    return {"content_type": kind, **fields}


def text(*parts: Any) -> dict[str, Any]:
    return content("text", parts=list(parts))


class Conversation:
    """Builds one conversation; `say` hangs a node under the newest one, or under `parent`."""

    def __init__(self, key: str, title: str | None = "A talk", began: float = BEGAN, **fields: Any) -> None:
        self.key, self.title, self.began, self.fields = key, title, began, fields
        self.mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
        self.current = "root"

    def say(
        self,
        role: str,
        what: str | dict[str, Any],
        *,
        parent: str | None = None,
        recipient: str = "all",
        name: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> str:
        number = len(self.mapping)
        key, above = f"{self.key}-{number}", parent or self.current
        message = {
            "id": key,
            "author": {"role": role, "name": name, "metadata": {}},
            "create_time": self.began + 60 * number,
            "update_time": None,
            "content": text(what) if isinstance(what, str) else what,
            "status": "finished_successfully",
            "end_turn": role == "assistant",
            "weight": 1.0,
            "recipient": recipient,
            "metadata": {"model_slug": "gpt-4o"} if role == "assistant" and metadata is None else metadata or {},
        }
        self.mapping[key] = {"id": key, "message": message, "parent": above, "children": []}
        self.mapping[above]["children"].append(key)
        self.current = key
        return key

    def record(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "create_time": self.began,
            "update_time": self.began + 60 * len(self.mapping),
            "mapping": self.mapping,
            "moderation_results": [],
            "current_node": self.current,
            "conversation_id": self.key,
            "id": self.key,
            "default_model_slug": "gpt-4o",
            "is_archived": False,
            "is_do_not_remember": False,
            **self.fields,
        }


def talk(key: str, *lines: str, **fields: Any) -> Conversation:
    """Returns a conversation in which the person and the assistant speak in turn."""
    made = Conversation(key, **fields)
    for number, line in enumerate(lines):
        made.say("assistant" if number % 2 else "user", line)
    return made


def write_folder(folder: Path, conversations: Sequence[Conversation], parts: int = 1) -> Path:
    """Writes an export as a folder: `conversations.json`, or so many numbered parts."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in _files(conversations, parts).items():
        (folder / name).write_text(data, encoding="utf-8")
    return folder


def write_zip(path: Path, conversations: Sequence[Conversation], parts: int = 1) -> Path:
    """Writes an export as a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _files(conversations, parts).items():
            archive.writestr(name, data)
    return path


def _files(conversations: Sequence[Conversation], parts: int) -> dict[str, str]:
    records = [each.record() for each in conversations]
    files = {"user.json": '{"id": "user-1"}', "chat.html": "<html></html>", "message_feedback.json": "[]"}
    if parts == 1:
        return files | {"conversations.json": json.dumps(records, ensure_ascii=False)}
    cut = {number: records[number::parts] for number in range(parts)}
    return files | {f"conversations-{n:03}.json": json.dumps(each, ensure_ascii=False) for n, each in cut.items()}
