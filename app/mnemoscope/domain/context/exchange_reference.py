"""Names the messages that an entry of the daily notes, or of the working buffer, was made from.

The entries themselves have the form that other programs read, in which there is no place for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class NotedMessage:
    """Describes a message: the name of the branch that it was said in, and its number in it."""

    session_created_at: str
    index: int


@dataclass(frozen=True, slots=True)
class NotedExchange:
    """Holds the messages of one conversation that an entry is made from."""

    session_key: str
    messages: tuple[NotedMessage, ...]


@dataclass(frozen=True, slots=True)
class ExchangeReference:
    """Names the messages behind an entry: that of the file `file`, relative to the workspace, whose heading has the
    time `stamp`."""

    file: str
    stamp: str
    exchange: NotedExchange

    def as_document(self) -> dict[str, Any]:
        """Returns the reference as it is kept."""
        said = [[each.session_created_at, each.index] for each in self.exchange.messages]
        return {"file": self.file, "at": self.stamp, "session": self.exchange.session_key, "messages": said}


def reference_of(document: object) -> ExchangeReference | None:
    """Returns the reference that is kept so; None where it is none."""
    if not isinstance(document, Mapping):
        return None
    file, stamp, key, said = (document.get(name) for name in ("file", "at", "session", "messages"))
    if not (isinstance(file, str) and isinstance(stamp, str) and isinstance(key, str) and isinstance(said, list)):
        return None
    messages = [
        NotedMessage(each[0], each[1])
        for each in said
        if isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) and type(each[1]) is int
    ]
    return ExchangeReference(file, stamp, NotedExchange(key, tuple(messages))) if len(messages) == len(said) else None


def left_entries(
    stamps: Sequence[str], references: Sequence[ExchangeReference], is_left: Callable[[NotedExchange], bool]
) -> list[bool]:
    """Returns of each entry of a file, by the times in their headings, whether the conversation has left the messages
    behind it. One that nothing refers to is not known to be left.

    Where several entries have one time, their order tells them apart, or else all of them have to be left.
    """
    by_stamp: dict[str, list[ExchangeReference]] = {}
    for each in references:
        by_stamp.setdefault(each.stamp, []).append(each)
    entries, passed = Counter(stamps), Counter[str]()
    found: list[bool] = []
    for stamp in stamps:
        behind, place = by_stamp.get(stamp, []), passed[stamp]
        passed[stamp] += 1
        if len(behind) == entries[stamp]:
            behind = behind[place : place + 1]
        found.append(bool(behind) and all(is_left(each.exchange) for each in behind))
    return found
