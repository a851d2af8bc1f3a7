"""A consolidation is planned: when it is due, which messages it takes, and how they are told to the model.

The rules are those of nanobot's two-layer memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import DAMAGED_ROLE, Message, is_command, text_of, tool_names
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.memory.history_entries import RAW_MARK
from mnemoscope.domain.text.characters import INVISIBLE

DEFAULT_MEMORY_WINDOW: Final = 100
"""Messages after the pointer with which a consolidation is due."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Holds the message indices [start, stop) that one consolidation takes."""

    start: int
    stop: int

    def __len__(self) -> int:
        return max(0, self.stop - self.start)


def keep_count(memory_window: int) -> int:
    """Returns how many of the newest messages stay unconsolidated."""
    return max(0, memory_window) // 2


def is_due(total: int, last_consolidated: int, memory_window: int) -> bool:
    """Returns whether the unconsolidated part has reached the window. Windows 0 and 1 count as 1: each message is
    due."""
    return total - clamp_pointer(last_consolidated, total) >= max(1, memory_window)


def waiting_count(
    message_at: Callable[[int], Mapping[str, Any]], total: int, last_consolidated: int, memory_window: int
) -> int:
    """Returns how many messages after the pointer wait for a consolidation; slash commands and their answers do not
    count.

    Reads no further back than until the window is full; what lies before that counts as it is.
    """
    start = clamp_pointer(last_consolidated, total)
    commands = ordinary = 0
    for index in range(total - 1, start - 1, -1):
        if ordinary >= max(1, memory_window):
            break
        if is_command(message_at(index)):
            commands += 1
        else:
            ordinary += 1
    return total - start - commands


def clamp_pointer(last_consolidated: object, total: int) -> int:
    """Returns a safe pointer for one that a file states: 0 if it is not a number, negative, or beyond the end.

    Beyond the end hides every message in nanobot (its issue 4066); starting again at 0 only repeats work.
    """
    if isinstance(last_consolidated, bool) or not isinstance(last_consolidated, int):
        return 0
    return last_consolidated if 0 <= last_consolidated <= total else 0


def plan_slice(total: int, last_consolidated: int, memory_window: int, *, archive_all: bool = False) -> Slice | None:
    """Returns the slice `messages[last:-keep]` frozen as numbers, or None where there is nothing to do.

    `archive_all` takes everything after the pointer: what lies before it is in the history log already.
    """
    start = clamp_pointer(last_consolidated, total)
    stop = total if archive_all else total - keep_count(memory_window)
    return Slice(start, stop) if stop > start else None


def format_line(message: Mapping[str, Any]) -> str | None:
    """Returns `[2026-03-06 14:20] USER [tools: a, b]: words`, or None for a message that says nothing.

    A line of the words that begins like a line of ours, or like a heading, has a backslash before it.
    """
    head = line_head(message)
    return None if head is None else f"{head}: {without_forged_heads(text_of(message))}"


def line_head(message: Mapping[str, Any]) -> str | None:
    """Returns the part of `format_line` before the colon."""
    if is_command(message) or message.get("role") == DAMAGED_ROLE:
        return None
    names = tool_names(message)
    if not text_of(message).strip() and not names:
        return None
    stamp = message.get("timestamp")
    when = _NO_STAMP.sub("", stamp[:16].replace("T", " ")) if isinstance(stamp, str) and stamp else "?"
    tools = f" [tools: {', '.join(_NO_NAME.sub('_', name) for name in names)}]" if names else ""
    return f"[{when}] {_NO_NAME.sub('_', str(message.get('role') or '?')).upper()}{tools}"


def without_forged_heads(text: str) -> str:
    """Returns the text with no line that could pass for the beginning of a message, an entry or a section."""
    first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join([first, *(_FORGED.sub(r"\\\g<0>", line) for line in others)])


_NO_STAMP: Final = re.compile(r"[^\d :-]")
_NO_NAME: Final = re.compile(r"[^\w.:?-]")
_FORGED: Final = re.compile(
    rf"[^\S\n]*[{INVISIBLE}]*"
    r"(?:[*_]{0,3}\[(?:\d{4}-|\?\])|#{1,6}(?=\s)|={3,}|-{3,}[ \t]*$|<\||\[RAW\])"
)


def format_lines(messages: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the conversation as the consolidation model reads it, a line a message."""
    return [line for line in map(format_line, messages) if line is not None]


def raw_entry(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the messages as they are, as the words of one entry of the history log marked [RAW]; "" where none says
    anything."""
    lines = format_lines(messages)
    if not lines:
        return ""
    count = "1 message" if len(lines) == 1 else f"{len(lines)} messages"
    # A line of a message that looks like the start of an entry must not become one.
    text = "\n".join(line.replace("\n", "\n  ") for line in lines)
    return f"{RAW_MARK} {count}\n{text}"


def split_passes(messages: Sequence[Message], part: Slice, budget_tokens: int) -> Iterator[Slice]:
    """Yields consecutive slices of a slice whose formatted lines fit the budget; one message is never split."""
    begin, used = part.start, 0
    for index, message in enumerate(messages[part.start : part.stop], part.start):
        cost = estimate_tokens(format_line(message) or "") + 1
        if index > begin and used + cost > budget_tokens:
            yield Slice(begin, index)
            begin, used = index, 0
        used += cost
    if begin < part.stop:
        yield Slice(begin, part.stop)
