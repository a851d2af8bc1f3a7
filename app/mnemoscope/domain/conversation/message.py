"""A message is one record of a conversation, as the session files hold it.

It is a plain dict, so that unknown fields of other programs survive a round trip. The format is that of nanobot 0.1.4's
session files: `role`, `content`, `timestamp` (naive local ISO 8601), and if present `tool_calls` (OpenAI shape),
`tool_call_id`, `name`, `reasoning_content`, `tools_used`. Ours, which nanobot passes over, are `interrupted` (bool),
`_command` (bool: a slash command or its answer, never sent to a model), `_deleted` (which deletion left this record in
the place of a message), `origin` ("person", "model", "tool", "file"), `memory_change` (the id of the change of
MEMORY.md that a tool's call made), `memory_suggestion` (that of the suggestion which its text became instead),
`attachments` and `files`, as `attachment` and `text_file` have them, and what `answer_figures` names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.text.one_line_text import one_line_text, with_closed_marks

Message = dict[str, Any]

_PROMPT_FIELDS: Final = ("role", "content", "tool_calls", "tool_call_id", "name", "reasoning_content")
NOT_RUN: Final = "Not run: "
"""The beginning of the result of a tool call that was denied or stopped before it ran."""
NOT_WRITTEN: Final = "Not written: "
"""The beginning of the result of a tool call whose text for a memory file waits for the person."""
DELETED: Final = "_deleted"
"""The field of a record that stands in the place of a message that was deleted."""
SEARCH_TOOL: Final = "search_memory"
READING_TOOL: Final = "read_file"
"""Tools by which a model searches memory and reads files, as records name them."""
SPOKEN_ROLES: Final = frozenset({"user", "assistant", "tool"})
"""Roles of the messages in which somebody, or something that a tool reads, has the word."""
DAMAGED_ROLE: Final = "damaged"
"""Role of the placeholder that keeps the place of a record whose bytes could not be read."""
SUMMARY_ROLE: Final = "summary"
"""Role of the text that another agent sends in the place of what it left out; no session file of ours holds one."""
_CONTENT_LEFT: Final = re.compile(r'"content"\s*:\s*"((?:[^"\\]|\\.)*)')
_ROLE_LEFT: Final = re.compile(r'"role"\s*:\s*"(\w{1,20})"')
_CUT_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{0,3})?\Z")


def message_number(index: int) -> int:
    """Returns the number by which a person calls the message at an index: people count from 1."""
    return index + 1


def message_numbers(start: int, stop: int) -> tuple[int, int]:
    """Returns the first and the last number of `messages[start:stop]` as a person counts them; for no messages, the
    next one's."""
    return message_number(start), message_number(max(start, stop - 1))


def message_range(start: int, stop: int) -> str:
    """Returns what `messages[start:stop]` are called: `message 13`, or `messages 13 to 20`."""
    first, last = message_numbers(start, stop)
    return f"message {first:,}" if first == last else f"messages {first:,} to {last:,}"


def text_of(message: Mapping[str, Any]) -> str:
    """Returns the message's words as plain text; a list of content parts is joined, an image becomes `[image]`."""
    return text_of_content(message.get("content"))


def text_of_content(content: object) -> str:
    """Returns the plain text of any content value that a session file may hold."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(part for part in map(_text_of_part, content) if part)
    return json.dumps(content, ensure_ascii=False, default=str)


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return str(part)
    if isinstance(part.get("text"), str):
        return str(part["text"])
    return "[image]" if "image" in str(part.get("type", "")) else ""


def tool_calls_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the well-formed tool calls an assistant message declares; `[]` for anything else."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return []
    return [call for call in calls if isinstance(call, Mapping)]


def tool_call_name(call: Mapping[str, Any]) -> str:
    """Returns the name in a tool call of OpenAI's shape, or `?`."""
    function = call.get("function")
    name = function.get("name") if isinstance(function, Mapping) else call.get("name")
    return str(name) if name else "?"


def tool_names(message: Mapping[str, Any]) -> list[str]:
    """Returns the names of the tools a message used: its `tool_calls`, or the `tools_used` of files up to 0.1.4."""
    names = [tool_call_name(call) for call in tool_calls_of(message)]
    used = message.get("tools_used")
    if isinstance(used, list):
        names += [str(name) for name in used if str(name) not in names]
    return names


def first_words(message: Mapping[str, Any], limit: int = 120) -> str:
    """Returns one line that tells a person which message this is: its first words, or the tools it called."""
    whole = text_of(message)
    said = whole[: limit * 4]
    is_cut = bool(message.get("interrupted")) or len(said) < len(whole)
    is_typed = is_command(message) and message.get("role") == "user"
    is_markdown = message.get("role") != "tool" and not is_typed
    plain = one_line_text(with_closed_marks(said) if is_cut else said) if is_markdown else ""
    text = plain or " ".join(said.split())
    if text:
        return text[:limit]
    return ", ".join(tool_names(message))[:limit]


def is_command(message: Mapping[str, Any]) -> bool:
    """Returns whether this is a slash command or its answer, which is shown but never sent to a model."""
    return bool(message.get("_command"))


def is_deleted(message: Mapping[str, Any]) -> bool:
    """Returns whether this record stands in the place of a message that was deleted: nothing of it is sent, learnt
    from, searched or counted."""
    return bool(message.get(DELETED))


def prompt_view(message: Mapping[str, Any]) -> Message:
    """Returns the message reduced to the fields a model may see."""
    return {name: message.get(name) for name in _PROMPT_FIELDS if message.get(name) is not None or name == "content"}


@dataclass(frozen=True, slots=True)
class SalvagedRecord:
    """Holds the `role` and `words` of a record as far as they can be read, each "" if they cannot."""

    role: str = ""
    words: str = ""


def salvage(data: bytes) -> SalvagedRecord:
    """Reads what is left of a record. Never raises; bytes that are no text become U+FFFD."""
    text = data.decode("utf-8", "replace")
    role, content = _ROLE_LEFT.search(text), _CONTENT_LEFT.search(text)
    return SalvagedRecord(role[1] if role else "", _unescaped(content[1]) if content else "")


def _unescaped(inner: str) -> str:
    """Returns the inside of a JSON string that may have been cut off anywhere."""
    whole = inner if _is_even(inner) else _CUT_ESCAPE.sub("", inner)
    try:
        return str(json.loads(f'"{whole}"', strict=False))
    except ValueError:
        return whole


def _is_even(inner: str) -> bool:
    """Returns whether the text does not end within an escape."""
    cut = _CUT_ESCAPE.search(inner)
    return cut is None or (len(inner[: cut.start() + 1]) - len(inner[: cut.start() + 1].rstrip("\\"))) % 2 == 0
