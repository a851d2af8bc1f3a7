"""Conversations and memories of another agent, as a workspace of ours holds them once they are imported.

An imported conversation is at rest until it is continued: its metadata names where it came from and how many messages
it had. Its messages carry no mark of their own, so that every program that reads sessions reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.foreign.foreign_records import KINDS, ForeignMemory, ForeignRecord, RecordKind
from mnemoscope.domain.foreign.foreign_store import ForeignTranscript

IMPORTED: Final = "imported"
"""The field of a session's metadata that says where the conversation came from: `from`, `id`, and `messages`."""
_RESULT: Final = KINDS.index(RecordKind.RESULT)
_LONGEST_RESULT: Final = 100_000
"""Characters of one tool result that are taken over; what is longer is cut in its middle."""


@dataclass(frozen=True, slots=True)
class ImportedConversation:
    """Describes a conversation as it is written: its ways, of which the first is the active one. Times are naive local
    ones."""

    key: str
    source: str
    id: str
    title: str
    ways: tuple[tuple[Message, ...], ...]
    created_at: datetime
    updated_at: datetime
    is_discreet: bool = False

    @property
    def messages(self) -> int:
        """Returns how many messages the active way has."""
        return len(self.ways[0]) if self.ways else 0


def imported_key(source: str, conversation: str) -> str:
    """Returns the key that a conversation of another agent has here: `chatgpt:<its id>`."""
    plain = "".join(char if char.isprintable() and not char.isspace() else "-" for char in conversation)
    return f"{source}:{plain[:120]}"


def is_at_rest(metadata: Mapping[str, Any], messages: int) -> bool:
    """Returns whether a conversation was imported and nothing was said in it since."""
    field = metadata.get(IMPORTED)
    return isinstance(field, Mapping) and field.get("messages") == messages


def messages_on(transcript: ForeignTranscript, places: Iterable[int]) -> list[Message]:
    """Returns the messages at these places of a transcript, as a session file holds them.

    A result whose call is not there before it gets one, since models refuse a result without its call; a call whose
    result is missing stays as it is, which every reader of sessions bears.
    """
    parts = transcript.shape.parts
    found: list[Message] = []
    called: set[str] = set()
    for place in places:
        records = [transcript.record(each) for each in (place, *parts.get(place, ()))]
        head = records[0]
        if head.kind is RecordKind.RESULT:
            _join_call(found, called, head, place)
            found.append(_result(head, place))
        else:
            message = _spoken(records, place)
            called |= {str(call["id"]) for call in message.get("tool_calls", ())}
            found.append(message)
    return found


def record_indices(
    kinds: bytes, path: Sequence[int], shown: Sequence[Message], begin: int, parts: Mapping[int, tuple[int, ...]]
) -> dict[int, int]:
    """Returns the index of each record on a path, whose messages are `shown`, the first of them at `begin`: a call that
    was put before its result takes an index too."""
    found: dict[int, int] = {}
    at = 0
    for place in path:
        if kinds[place] == _RESULT and shown[at].get("role") != "tool":
            at += 1
        found.update(dict.fromkeys((place, *parts.get(place, ())), begin + at))
        at += 1
    return found


def _spoken(records: Sequence[ForeignRecord], place: int) -> Message:
    head = records[0]
    images = sum(record.images for record in records)
    text = "\n\n".join(record.text for record in records if record.text)
    if images and "[image]" not in text:
        text = f"{text}\n\n{'[image] ' * images}".strip()
    message: Message = {"role": "user" if head.kind is RecordKind.PERSON else "assistant", "content": text}
    _stamp(message, head.when)
    if head.quotes and len(records) == 1:
        message["quotes"] = [[start, stop, "file"] for start, stop in head.quotes]
    calls = [call for record in records for call in record.calls]
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"{place}-{number}",
                "type": "function",
                "function": {
                    "name": call.name or "tool",
                    "arguments": json.dumps(call.arguments, ensure_ascii=False, default=str),
                },
            }
            for number, call in enumerate(calls)
        ]
    return message


def _result(record: ForeignRecord, place: int) -> Message:
    text = record.text
    if len(text) > _LONGEST_RESULT:
        half = _LONGEST_RESULT // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half:,} characters were left out]\n{text[-half:]}"
    message: Message = {
        "role": "tool",
        "tool_call_id": record.answers or f"result-{place}",
        "name": record.tool or "tool",
        "content": text,
    }
    return _stamp(message, record.when)


def _join_call(found: list[Message], called: set[str], record: ForeignRecord, place: int) -> None:
    id_ = record.answers or f"result-{place}"
    if id_ in called:
        return
    called.add(id_)
    function = {"name": record.tool or "tool", "arguments": "{}"}
    call = {"id": id_, "type": "function", "function": function}
    if found and found[-1]["role"] == "assistant":
        found[-1].setdefault("tool_calls", []).append(call)
    else:
        found.append(_stamp({"role": "assistant", "content": "", "tool_calls": [call]}, record.when))


def _stamp(message: Message, when: datetime | None) -> Message:
    if when is not None:
        message["timestamp"] = local_time(when).isoformat()
    return message


def local_time(when: datetime) -> datetime:
    """Returns an aware time as the naive local one that session files hold."""
    return when.astimezone().replace(tzinfo=None) if when.tzinfo else when


def remembered_lines(memories: Iterable[ForeignMemory]) -> list[str]:
    """Returns what is remembered as the lines of a Markdown list, one a memory, under the headings they stood under."""
    lines: list[str] = []
    heading = ""
    for each in memories:
        if each.heading != heading and each.heading:
            lines += ["", f"### {' '.join(each.heading.split())}", ""]
        heading = each.heading
        lines.append(f"- {' '.join(each.text.split())}")
    return lines
