"""A model gets a selection of a session's messages; for each other one it is known why it is left out.

The rules are those of nanobot's `get_history`: from the pointer to the end, at most `max_messages` from the tail,
aligned to a user turn, without tool results that lost their call and without tool calls that lost a result, repeated
until stable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from mnemoscope.domain.conversation.message import (
    DAMAGED_ROLE,
    Message,
    is_command,
    is_deleted,
    prompt_view,
    tool_calls_of,
)


class LeftOutReason(Enum):
    """Says why a message after the pointer is not sent."""

    BEYOND_LIMIT = "older than the last messages that are sent"
    BEFORE_USER_TURN = "before the first user message that is sent"
    ORPHAN_RESULT = "tool result without its call"
    INCOMPLETE_CALLS = "tool call without all its results"
    COMMAND = "a command, never sent"
    DELETED = "deleted"
    DAMAGED = "damaged record"
    COMPACTED = "compacted, a marker stands for them"


@dataclass(frozen=True, slots=True)
class HistorySelection:
    """Holds the selected messages: `kept` are the ascending indices that are sent, `left_out` maps an index to its
    reason, for indices from `first_considered` on."""

    kept: tuple[int, ...]
    left_out: Mapping[int, LeftOutReason]
    start: int
    first_considered: int

    def reason(self, index: int) -> LeftOutReason | None:
        """Returns why `index` is left out, or None if it is sent or lies before the pointer."""
        if self.start <= index < self.first_considered:
            return LeftOutReason.BEYOND_LIMIT
        return self.left_out.get(index)


NOTHING_LEFT_OUT: Final = HistorySelection((), {}, 0, 0)
"""It is for conversations that no model is sent: none of their messages is told to be left out."""


def select_history(messages: Sequence[Message], last_consolidated: int, max_messages: int = 500) -> HistorySelection:
    """Decides which messages are sent. Reads at most `max_messages` messages; 0 or less means no limit."""
    total = len(messages)
    start = min(max(last_consolidated, 0), total)
    first = start if max_messages <= 0 else max(start, total - max_messages)
    window = list(enumerate(messages[first:total], first))
    left_out: dict[int, LeftOutReason] = {}
    for index, message in window:
        if is_deleted(message):
            left_out[index] = LeftOutReason.DELETED
        elif is_command(message):
            left_out[index] = LeftOutReason.COMMAND
        elif message.get("role") == DAMAGED_ROLE:
            left_out[index] = LeftOutReason.DAMAGED
    kept = [(index, message) for index, message in window if index not in left_out]
    while True:
        dropped = _leading(kept) or _orphans(kept) or _incomplete(kept)
        if not dropped:
            break
        left_out.update(dropped)
        kept = [(index, message) for index, message in kept if index not in dropped]
    return HistorySelection(tuple(index for index, _ in kept), left_out, start, first)


def selection_during_turn(selection: HistorySelection, messages: Sequence[Message]) -> HistorySelection:
    """Returns the selection while a turn is at work: the tool calls it waits for are open, so neither they nor their
    results are left out."""
    calls = [index for index, reason in selection.left_out.items() if reason is LeftOutReason.INCOMPLETE_CALLS]
    newest = max(calls, default=len(messages))
    if any(messages[index].get("role") == "user" for index in range(newest + 1, len(messages))):
        return selection
    is_open = {LeftOutReason.INCOMPLETE_CALLS, LeftOutReason.ORPHAN_RESULT}
    waited_for = {index for index, reason in selection.left_out.items() if index >= newest and reason in is_open}
    left_out = {index: reason for index, reason in selection.left_out.items() if index not in waited_for}
    kept = tuple(sorted({*selection.kept, *waited_for}))
    return HistorySelection(kept, left_out, selection.start, selection.first_considered)


def get_history(messages: Sequence[Message], last_consolidated: int, max_messages: int = 500) -> list[Message]:
    """Returns the messages that a model is sent, reduced to the fields of a prompt."""
    selection = select_history(messages, last_consolidated, max_messages)
    return [prompt_view(messages[index]) for index in selection.kept]


def _leading(kept: list[tuple[int, Message]]) -> dict[int, LeftOutReason]:
    dropped: dict[int, LeftOutReason] = {}
    for index, message in kept:
        if message.get("role") == "user":
            return dropped
        dropped[index] = LeftOutReason.BEFORE_USER_TURN
    return dropped


def is_unanswered(messages: Sequence[Message]) -> bool:
    """Returns whether the newest record but for commands is no answer: the person's words, a tool's result, or a tool
    call.

    It looks back over 500 commands at most.
    """
    for index in range(len(messages) - 1, max(-1, len(messages) - 500), -1):
        message = messages[index]
        if not is_command(message):
            return message.get("role") in {"user", "tool"} or bool(_call_ids(message))
    return False


def _orphans(kept: list[tuple[int, Message]]) -> dict[int, LeftOutReason]:
    declared: set[str] = set()
    dropped: dict[int, LeftOutReason] = {}
    for index, message in kept:
        declared.update(_call_ids(message))
        result_of = message.get("tool_call_id")
        if message.get("role") == "tool" and (not isinstance(result_of, str) or result_of not in declared):
            dropped[index] = LeftOutReason.ORPHAN_RESULT
    return dropped


def _incomplete(kept: list[tuple[int, Message]]) -> dict[int, LeftOutReason]:
    dropped: dict[int, LeftOutReason] = {}
    for place, (index, message) in enumerate(kept):
        wanted = set(_call_ids(message))
        if wanted and not wanted <= _results_following(kept, place):
            dropped[index] = LeftOutReason.INCOMPLETE_CALLS
    return dropped


def _results_following(kept: list[tuple[int, Message]], place: int) -> set[str]:
    found: set[str] = set()
    for following in range(place + 1, len(kept)):
        _, message = kept[following]
        if message.get("role") != "tool":
            break
        found.add(str(message.get("tool_call_id")))
    return found


def _call_ids(message: Mapping[str, Any]) -> list[str]:
    if message.get("role") != "assistant":
        return []
    return [str(call.get("id")) for call in tool_calls_of(message)]
