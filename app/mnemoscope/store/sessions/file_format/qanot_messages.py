"""Messages as qanot 2.0 writes them to its session files, read as ours.

Format: `{"type": "message", "id", "parentId", "timestamp": UTC ISO 8601, "message": {"role", "content"}, …}`, one
object a line, no metadata record; the content of an answer is a list of `text` and `tool_use` blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.conversation.message import Message, text_of_content
from mnemoscope.store.sessions.file_format.stated_time import parse_time

_INJECTED: Final = ("\n\n---\n[MEMORY CONTEXT", "\n\n---\n\n[COMPACTION RECOVERY]")
"""The words that that program put behind a person's."""


def is_qanots(head: bytes) -> bool:
    """Returns whether a session file begins as that program's do; they state nothing about the conversation."""
    return head.startswith(b'{"type": "message", "id": ')


def message_of_qanot(record: Mapping[str, Any]) -> Message | None:
    """Returns the message such a record holds, with the person's own words alone; None for any other record."""
    inner = record.get("message")
    if record.get("type") != "message" or not isinstance(inner, Mapping) or not isinstance(inner.get("role"), str):
        return None
    content = inner.get("content")
    text = text_of_content(_texts(content))
    message: Message = {"role": inner["role"], "content": _own_words(text) if inner["role"] == "user" else text}
    tools = _tools(content)
    if tools:
        message["tools_used"] = tools
    when = parse_time(record.get("timestamp"))
    message["timestamp"] = when.isoformat() if when else None
    return message | {name: record[name] for name in ("model", "user_id") if record.get(name)}


def _texts(content: object) -> object:
    if not isinstance(content, Sequence) or isinstance(content, str):
        return content
    return [part for part in content if not isinstance(part, Mapping) or part.get("type") != "tool_use"]


def _tools(content: object) -> list[str]:
    if not isinstance(content, Sequence) or isinstance(content, str):
        return []
    return [
        str(each.get("name") or "?") for each in content if isinstance(each, Mapping) and each.get("type") == "tool_use"
    ]


def _own_words(text: str) -> str:
    for mark in _INJECTED:
        text = text.partition(mark)[0]
    return text.strip()
