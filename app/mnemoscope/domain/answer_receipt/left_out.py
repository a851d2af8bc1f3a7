"""Tells what did not go with a prompt and why: the lines and messages, where the record of the prompt names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from mnemoscope.domain.answer_receipt.memory_use import MemoryKind, UsedMemory
from mnemoscope.domain.context.prompt_snapshot import CutLines, CutMessages, PromptSnapshot
from mnemoscope.domain.conversation.message import Message, first_words, is_deleted
from mnemoscope.domain.memory.file_registry import JOURNAL_PATH, SOUL_PATH

MOST_MESSAGES: Final = 200
"""Messages that are named for one reason, the newest."""


@dataclass(frozen=True, slots=True)
class LeftOutMessage:
    """Describes a message that was not sent: its number in the conversation, who said it, and its first words."""

    number: int
    role: str
    words: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Tells one reason why something was left out, and what that was. `more`: how many lines or messages there are
    beside these, None where there are some that were not counted."""

    why: str
    lines: tuple[UsedMemory, ...] = ()
    messages: tuple[LeftOutMessage, ...] = ()
    more: int | None = 0


def left_out_of(prompt: PromptSnapshot, message_at: Callable[[int], Message | None]) -> tuple[LeftOut, ...]:
    """Returns what was left out of a prompt, by memory's budget, by compaction, at the pointer, of long results.
    `message_at` returns a message of the conversation, None where there is none of that number."""
    lines = {each.why: each for each in prompt.cut_lines or ()}
    messages = {each.why: each for each in prompt.cut_messages}
    found = []
    for why in prompt.left_out:
        if why in messages:
            newest = tuple(_newest(messages[why], message_at))
            found.append(LeftOut(why, messages=newest, more=max(0, messages[why].count - MOST_MESSAGES)))
        elif why in lines:
            found.append(LeftOut(why, tuple(_parts(lines[why])), more=lines[why].more))
        else:
            found.append(LeftOut(why))
    results = (
        LeftOut(f"{part.title}: {part.tokens:,} tokens of its result were left out, since it was too long.")
        for part in prompt.cut
    )
    return (*found, *results)


def _newest(cut: CutMessages, message_at: Callable[[int], Message | None]) -> Iterator[LeftOutMessage]:
    """Yields the newest messages, as many as are named, without those that are deleted by now."""
    for number in islice(cut.numbers, MOST_MESSAGES):
        message = message_at(number)
        if message is not None and not is_deleted(message):
            yield LeftOutMessage(number, str(message.get("role") or ""), first_words(message))


def _parts(cut: CutLines) -> Iterator[UsedMemory]:
    """Yields the lines as parts of memory that stand at no place of the prompt."""
    kind = {JOURNAL_PATH: MemoryKind.ENTRY, SOUL_PATH: MemoryKind.INSTRUCTION}.get(cut.source, MemoryKind.LINE)
    for text in _pieces(cut):
        yield UsedMemory(kind, cut.source, text, -1, 0, 0)


def _pieces(cut: CutLines) -> list[str]:
    """Returns the lines, an entry of the history with those that are set in below it."""
    rows = cut.text.split("\n") if cut.text else []
    if cut.source != JOURNAL_PATH:
        return rows
    pieces: list[str] = []
    for row in rows:
        if pieces and not row.startswith("- "):
            pieces[-1] += f"\n{row}"
        else:
            pieces.append(row)
    return pieces
