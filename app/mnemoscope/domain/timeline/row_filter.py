"""A filter of the timeline lists some messages, found newest first in small steps so that nothing has to wait."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from mnemoscope.domain.conversation.history_selection import HistorySelection
from mnemoscope.domain.conversation.message import Message, is_command

STEP: Final = 256
"""Messages looked at in one step of a scan."""


class RoleFilter(Enum):
    """Names the role that a listed message has."""

    ALL = "all"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class StateFilter(Enum):
    """Names the part of the session in which a listed message stands."""

    ALL = "all"
    CONSOLIDATED = "consolidated"
    UNCONSOLIDATED = "unconsolidated"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Holds the filter in force. Only the role needs a look into the messages."""

    role: RoleFilter = RoleFilter.ALL
    state: StateFilter = StateFilter.ALL

    @property
    def active(self) -> bool:
        """Returns whether anything is hidden."""
        return self.role is not RoleFilter.ALL or self.state is not StateFilter.ALL

    def accepts(self, message: Mapping[str, Any]) -> bool:
        """Returns whether a message's role is listed."""
        return self.role is RoleFilter.ALL or (message.get("role") == self.role.value and not is_command(message))


def state_spans(state: StateFilter, pointer: int, total: int, selection: HistorySelection) -> list[Sequence[int]]:
    """Returns the indices in that state as ascending spans, the newest span first."""
    if state is StateFilter.CONSOLIDATED:
        return [range(pointer)]
    if state is StateFilter.UNCONSOLIDATED:
        return [range(pointer, total)]
    if state is StateFilter.LEFT_OUT:
        named = array("Q", sorted(index for index in selection.left_out if 0 <= index < total))
        return [named, range(selection.start, min(selection.first_considered, total))]
    return [range(pointer, total), range(pointer)]


def scan_span(messages: Sequence[Message], span: Sequence[int], chosen: RowFilter) -> Iterator[array[int]]:
    """Looks through a span from its end, `STEP` messages a step; each step yields its matches, ascending.

    A consecutive span is read in slices, which a message log decodes fastest.
    """
    for stop in range(len(span), 0, -STEP):
        part = span[max(0, stop - STEP) : stop]
        sliced = slice(part.start, part.stop) if isinstance(part, range) else None
        found = messages[sliced] if sliced else [messages[index] for index in part]
        yield array("Q", [index for index, message in zip(part, found, strict=False) if chosen.accepts(message)])
