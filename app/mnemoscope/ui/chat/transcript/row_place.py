"""Where a message stands among the others of its conversation, as far as it shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from mnemoscope.domain.conversation.message import Message, is_command
from mnemoscope.store.sessions.stated_time import parse_time
from mnemoscope.ui.chat.transcript.message_source import MessageSource
from mnemoscope.ui.chat.transcript.tool_states import CALLS_AT_ONCE


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Where a message stands: its index, the day to announce above it, and whether it is the first of the document.

    `newest`: no words came after it, so that it can be answered again.
    """

    index: int
    day: date | None = None
    first: bool = False
    newest: bool = False


def place_of(source: MessageSource, index: int, message: Message, *, first: bool) -> RowPlace:
    """The place of a message; later ones are only looked at where it was broken off."""
    later = (source[place] for place in range(index + 1, source.stop))
    newest = bool(message.get("interrupted")) and all(map(is_command, later))
    return RowPlace(index, day_above(source, index, message), first, newest)


def day_above(source: MessageSource, index: int, message: Message) -> date | None:
    """The day a message begins; None where the one before is of the same day, or its time is not known."""
    when = parse_time(message.get("timestamp"))
    if when is None:
        return None
    for before in range(index - 1, max(index - CALLS_AT_ONCE, source.first) - 1, -1):
        earlier = parse_time(source[before].get("timestamp"))
        if earlier is not None:
            return when.date() if earlier.date() != when.date() else None
    return when.date()
