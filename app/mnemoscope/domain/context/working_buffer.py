"""The working buffer, memory/working-buffer.md, holds what was said while the context was filling up, as in Qanot.

It belongs to one conversation, which a line of its own names (other programs read on over it). Once it has served, the
file is its head alone, INACTIVE, so that nothing old is taken for what was said last.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemoscope.domain.secrets.stated_passwords import mask_secrets_and_passwords
from mnemoscope.domain.text.characters import on_one_line
from mnemoscope.domain.text.escape_markdown import escaped_lines
from mnemoscope.domain.text.excerpt import excerpt

MESSAGE_LIMIT: Final = 4_000
_SUMMARY_LIMIT: Final = 240
BUFFER_PATH: Final = "memory/working-buffer.md"
ACTIVE: Final = "ACTIVE"
INACTIVE: Final = "INACTIVE"
_TITLE: Final = "# Working Buffer (Danger Zone Log)"
_FIELD: Final = re.compile(r"\*\*(Status|Started|Conversation):\*\* ?(.*)")
_ENTRY: Final = re.compile(r"^(?=## \[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] Human$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WorkingBuffer:
    """Holds a working buffer, read back; `exchanges` are its entries as they stand there, oldest first."""

    status: str
    started: str
    conversation: str
    exchanges: tuple[str, ...]

    def serves(self, conversation: str) -> bool:
        """Returns whether it holds what was said last in this conversation; one of another program names none and
        serves any."""
        return self.status == ACTIVE and self.conversation in ("", on_one_line(conversation))


def buffer_head(started: datetime, conversation: str, status: str = ACTIVE) -> str:
    """Returns the text that the file begins with."""
    fields = f"**Status:** {status}\n**Started:** {started.isoformat(timespec='seconds')}\n"
    return f"{_TITLE}\n{fields}**Conversation:** {on_one_line(conversation)}\n\n---\n\n"


def buffer_stamp(when: datetime) -> str:
    """Returns a time as the heading of an entry has it."""
    return f"{when:%Y-%m-%d %H:%M:%S}"


def heading_time(exchange: str) -> str:
    """Returns the time in the heading of an entry, as `exchanges` has it."""
    return exchange[len("## [") : exchange.index("]")]


def buffer_entry(when: datetime, question: str, answer: str, known: Collection[str] = ()) -> str:
    """Returns one exchange with the blank line before it; keys are masked, and those in `known`."""
    stamp = buffer_stamp(when)
    # A key that the limit would cut in two is masked while it is whole.
    asked = escaped_lines(mask_secrets_and_passwords(question[: 2 * MESSAGE_LIMIT], known), MESSAGE_LIMIT)
    shortened = escaped_lines(excerpt(mask_secrets_and_passwords(answer[: 20 * _SUMMARY_LIMIT], known), _SUMMARY_LIMIT))
    return f"\n## [{stamp}] Human\n{asked}\n\n## [{stamp}] Agent (summary)\n{shortened}\n"


def read_buffer(text: str) -> WorkingBuffer:
    """Returns the working buffer that a file holds, whoever wrote it."""
    head, *entries = _ENTRY.split(text.replace("\r\n", "\n"))
    fields = {name: value.strip() for name, value in map(re.Match.groups, _FIELD.finditer(head.partition("\n---")[0]))}
    return WorkingBuffer(
        fields.get("Status", ""),
        fields.get("Started", ""),
        fields.get("Conversation", ""),
        tuple(entry.strip() for entry in entries),
    )
