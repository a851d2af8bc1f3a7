"""The protocol by which any memory system is tried: four methods, and the values that they take and return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """Describes a message of a conversation: `role` is user, assistant or tool, `name` that of the tool, `when` ISO
    8601.

    `origin`: where the whole text came from if the person did not write it, such as `file`; `quotes`: the spans of it
    that they put in, each its first character, the one after its last, and where it came from.
    """

    id: str
    role: str
    text: str
    when: str
    name: str = ""
    origin: str = ""
    quotes: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """Describes an answer of the model to a system that asks it to consolidate; every system gets the same one under
    its id.

    `entry` is the line of history, `memory` the whole text that the model wants memory to have, and `added` the lines
    of it that are new, without their bullets. A system takes the form that it asks its own model for.
    """

    id: str
    entry: str
    memory: str
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RememberedLine:
    """Describes a line that memory holds, without its bullet, and the id of the message it rests on, "" where none is
    known."""

    text: str
    source: str = ""


class MemorySystem(Protocol):
    """Is a memory system that is tried, made anew for each trial with an empty folder and the text that it begins
    with."""

    def take(self, message: SaidMessage) -> None:
        """Takes one message of the conversation, as it is said."""

    def settle(self, answer: RawAnswer) -> bool:
        """Consolidates what was taken since the last time, the model saying `answer`. False: no model is asked."""

    def remembered(self) -> list[RememberedLine]:
        """Returns what memory holds without a person having accepted anything."""

    def forget(self, text: str) -> bool:
        """Forgets the line that says `text`, as its person would. False: the system has no way to."""


@runtime_checkable
class ForgettingSystem(MemorySystem, Protocol):
    """Is a memory system that can be told to forget something for good: it is out of memory and is not to come back."""

    def forget_for_good(self, texts: Sequence[str]) -> None:
        """Forgets what these lines say, wherever it stands, so that no model and no tool brings it back."""


SystemFactory = Callable[[Path, str], MemorySystem]
"""Makes a system from an empty folder and the Markdown text that its memory begins with."""
