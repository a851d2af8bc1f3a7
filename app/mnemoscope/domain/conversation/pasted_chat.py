"""A chat that was typed, pasted or put in as a file is read for the person's messages in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from mnemoscope.domain.conversation.message import is_command, text_of
from mnemoscope.domain.text.json_text import parsed_json, parsed_object

MOST: Final = 5_000
"""Messages of one chat at most."""
_PERSON: Final = re.compile(
    r"(?:\*\*)?(?:you|user|human|me|person|я|men|мен|我|用户)(?:\*\*)?\s*[:：](?:\*\*)?\s*", re.IGNORECASE
)
_OTHER: Final = re.compile(
    r"(?:\*\*)?(?:assistant|agent|ai|bot|model|system|tool|ассистент|бот|助手)(?:\*\*)?\s*[:：](?:\*\*)?\s*",
    re.IGNORECASE,
)


def messages_of_chat(text: str) -> list[str]:
    """Returns the person's messages, in order: those of a session's JSON lines, those of a chat in which the speaker
    stands before each message (`You:`, `Assistant:`), or else each paragraph as one."""
    lines = text.replace("\r\n", "\n").split("\n")
    if _is_session(lines):
        found = list(_of_session(lines))
    elif any(map(_PERSON.match, lines)):
        found = list(_of_speakers(lines))
    else:
        found = re.split(r"\n\s*\n", "\n".join(lines))
    return [each.strip() for each in found if each.strip()][:MOST]


def _is_session(lines: list[str]) -> bool:
    first = next((line for line in lines if line.strip()), "")
    return isinstance(parsed_json(first), dict)


def _of_session(lines: list[str]) -> Iterator[str]:
    for line in lines:
        record = parsed_object(line)
        inner = record.get("message")
        message = inner if isinstance(inner, Mapping) else record
        if message.get("role") == "user" and not is_command(message):
            yield text_of(message)


def _of_speakers(lines: list[str]) -> Iterator[str]:
    said: list[str] | None = None
    for line in lines:
        person = _PERSON.match(line)
        if person is None and _OTHER.match(line) is None:
            if said is not None:
                said.append(line)
            continue
        if said is not None:
            yield "\n".join(said)
        said = [line[person.end() :]] if person else None
    if said is not None:
        yield "\n".join(said)
