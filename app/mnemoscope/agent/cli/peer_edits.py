"""Reads which calls of nanobot's conversations wrote to memory files, so that these can be replayed line by line.

nanobot's tools are `write_file` (`path`, `content`) and `edit_file` (`path`, `old_text`, `new_text`, `replace_all`), in
calls of OpenAI's shape; the result of one that failed begins with "Error". What its consolidation and its Dream write
stands in no conversation, and Qanot keeps the names of its tools alone: such lines are from outside.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from mnemoscope.agent.tools.toolbox import read_arguments
from mnemoscope.domain.conversation.message import Message, text_of, tool_call_name, tool_calls_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.foreign.foreign_records import MemoryEdit, TextReplacement
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths


def peer_edits(paths: WorkspacePaths, sessions: SessionManager) -> list[MemoryEdit]:
    """Returns the calls of all conversations that wrote to a file of the workspace, and did not fail."""
    found: list[MemoryEdit] = []
    for overview in sessions.overviews():
        with suppress(MnemoscopeError):
            session = sessions.load(overview.key)
            if session is not None:
                found += _edits(paths, overview.key, session.messages)
    return found


def _edits(paths: WorkspacePaths, key: str, messages: Sequence[Message]) -> Iterator[MemoryEdit]:
    failed = {
        str(each.get("tool_call_id"))
        for each in messages
        if each.get("role") == "tool" and text_of(each).startswith("Error")
    }
    said = ""
    for place, message in enumerate(messages):
        if message.get("role") == "user":
            said = text_of(message)
        for call in tool_calls_of(message):
            path, changes = _written(paths, call)
            if path and str(call.get("id")) not in failed:
                when = parse_time(message.get("timestamp"))
                yield MemoryEdit(
                    path, _aware(when), key, place, said, _cannot_tell, tool=tool_call_name(call), **changes
                )


def _written(paths: WorkspacePaths, call: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the file that a call writes, "" for any other call, and what it writes there."""
    function = call.get("function")
    arguments = (read_arguments(function.get("arguments")) if isinstance(function, Mapping) else None) or {}
    path, name = arguments.get("path"), tool_call_name(call)
    if not isinstance(path, str) or name not in ("write_file", "edit_file"):
        return "", {}
    root = posixpath.normpath(paths.root.as_posix())
    inside = posixpath.relpath(posixpath.join(root, path), root)
    content, old, new = (arguments.get(each) for each in ("content", "old_text", "new_text"))
    if name == "write_file":
        return (inside, {"after": content}) if isinstance(content, str) else ("", {})
    if not isinstance(old, str) or not isinstance(new, str):
        return "", {}
    return inside, {"replacements": (TextReplacement(old, new, arguments.get("replace_all") is True),)}


def _aware(when: datetime | None) -> datetime | None:
    with suppress(OverflowError, OSError, ValueError):
        return when.astimezone() if when is not None else None
    return None


def _cannot_tell(_text: str) -> str | None:
    return None
