"""A message that is deleted leaves a record in its place, so that the numbers of all others keep their meaning.

The record that stands there says nothing: no words, no call, no result. It is an answer that other programs pass over
as far as they can be made to: nanobot sends no answer without words from 0.2.2 on and none with `_command`, and from
0.3.0 on it shows none with `_hidden_history`. No version consolidates what has no words. 0.1.4 and 0.1.5 send any
record that is a message; of this one they send "(empty)". A record that is no message to them (`_type`) would not be
sent either, but would not be counted, and their pointer would be off by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import DAMAGED_ROLE, DELETED, Message, is_command, is_deleted, tool_calls_of

_HIDDEN: Final = "_hidden_history"


@dataclass(frozen=True, slots=True)
class DeletionMark:
    """Tells what a record is left of: `record` counts the messages of the deletion `id`; `role` was the message's. One
    that was forgotten is in no trash."""

    id: str
    record: int
    role: str
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True)
class MessageDeletion:
    """Describes a deletion of messages that stands or was taken back: the indices of the messages by conversation."""

    id: str
    when: str
    messages: Mapping[str, tuple[int, ...]]


def record_of_deleted(
    message: Mapping[str, Any], deletion_id: str, record: int, *, is_forgotten: bool = False
) -> Message:
    """Returns the record that stands in the place of a message once it is deleted; `record` is its place among those
    that are deleted with it, of whichever conversation."""
    mark: dict[str, Any] = {"id": deletion_id, "record": record, "role": str(message.get("role"))}
    if is_forgotten:
        mark["forgotten"] = True
    said_when = {"timestamp": message["timestamp"]} if isinstance(message.get("timestamp"), str) else {}
    return {"role": "assistant", "content": "", **said_when, "_command": True, _HIDDEN: True, DELETED: mark}


def deletion_mark(message: Mapping[str, Any]) -> DeletionMark | None:
    """Returns which deletion left this record, or None where it is none that this program left."""
    mark = message.get(DELETED)
    if not isinstance(mark, Mapping):
        return None
    name, record, role = mark.get("id"), mark.get("record"), mark.get("role")
    if not isinstance(name, str) or type(record) is not int or not isinstance(role, str):
        return None
    return DeletionMark(name, record, role, mark.get("forgotten") is True)


def may_come_back(message: Mapping[str, Any]) -> bool:
    """Returns whether a message that is deleted is in the trash: not one that was forgotten."""
    mark = deletion_mark(message)
    return mark is None or not mark.is_forgotten


def message_with_results(messages: Sequence[Message], index: int) -> tuple[int, ...]:
    """Returns the indices that go when message `index` is deleted: itself, and with a tool call all its results, so
    that what is left can still be sent. A result goes with the call it answers."""
    first = index
    while first > 0 and messages[first].get("role") == "tool":
        first -= 1
    if not tool_calls_of(messages[first]):
        return deletable(messages, (index,))
    stop = first + 1
    while stop < len(messages) and messages[stop].get("role") == "tool":
        stop += 1
    return deletable(messages, range(first, stop))


def turn_with(messages: Sequence[Message], index: int) -> tuple[int, ...]:
    """Returns the indices of the turn that message `index` belongs to: what the person said, and all that followed up
    to what they said next. A command is a turn of its own with its answer."""
    as_command = is_command(messages[index]) and not is_deleted(messages[index])
    first = index
    while first > 0 and not _begins_turn(messages[first], as_command=as_command):
        first -= 1
    stop = max(first, index) + 1
    while stop < len(messages) and not _asked(messages[stop]):
        stop += 1
    wanted = (each for each in range(first, stop) if is_command(messages[each]) == as_command)
    return deletable(messages, wanted)


def deletable(messages: Sequence[Message], indices: Iterable[int]) -> tuple[int, ...]:
    """Returns those of the indices whose messages can be deleted, in order: not what is deleted already, and not what
    cannot be read, whose bytes are kept aside as damaged."""
    wanted = (each for each in sorted(set(indices)) if 0 <= each < len(messages))
    return tuple(each for each in wanted if not is_deleted(messages[each]) and _is_readable(messages[each]))


def _is_readable(message: Message) -> bool:
    return message.get("role") != DAMAGED_ROLE


def _asked(message: Message) -> bool:
    """Returns whether the person said it, command or not, also where it is deleted by now."""
    mark = deletion_mark(message)
    return (message.get("role") if mark is None else mark.role) == "user"


def _begins_turn(message: Message, *, as_command: bool) -> bool:
    return _asked(message) and (is_deleted(message) or is_command(message) == as_command)
