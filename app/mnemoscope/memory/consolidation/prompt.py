"""Builds the prompt for the consolidation model, in either way of consolidating. Text of tools and files is quoted.

The headings are nanobot's; what goes into history.jsonl is asked for as lines of facts, as nanobot asks for it too.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.consolidation.planning import line_head, without_forged_heads
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.origin import parts_of_message
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.store.files.shipped import shipped_prompt

EMPTY_MEMORY: Final = "(empty)"
MEMORY_HEADING: Final = "## Current Long-term Memory"
CONVERSATION_HEADING: Final = "## Conversation to Process"
JOURNAL_HEADING: Final = "## Conversation to Summarise"
_HEAD_SHARE, _TAIL_SHARE = 0.7, 0.2
_LEAST: Final = 200
"""Characters that are shown of each part of a message, however long the others are."""
_UNSEEN: Final = frozenset({"Cf", "Cc", "Co", "Cs"})
_TAG: Final = re.compile(r"<(?=[/!?|\w])")


def consolidation_messages(
    memory: str,
    messages: Sequence[Mapping[str, Any]],
    *,
    line_limit: int,
    problem: str = "",
    known: Collection[str] = (),
) -> list[Message]:
    """Returns system and user message.

    `line_limit`: characters of one message that are shown; more is cut in the middle.

    `problem`: why the last answer could not be used, said when asking again. `known`: keys, which are masked as is all
    that looks like one.
    """
    # A line no text in the conversation can contain, since it is chosen after all of it was written.
    fence = f"=== {secrets.token_hex(8)} ==="
    lines = [line for message in messages if (line := _prompt_line(message, fence, line_limit, known)) is not None]
    conversation = "\n".join(lines)
    user = (
        "Consolidate this conversation: call the save_memory tool.\n\n"
        f"{MEMORY_HEADING}\n{memory.strip() or EMPTY_MEMORY}\n\n{CONVERSATION_HEADING}\n{conversation}"
    )
    asked = [
        {"role": "system", "content": shipped_prompt("consolidation").format(fence=fence)},
        {"role": "user", "content": user},
    ]
    if problem:
        again = f"That answer could not be used. {problem} Call save_memory once, with both arguments complete."
        asked[1]["content"] += f"\n\n## Your Last Answer\n{again}"
    return asked


def journal_messages(
    messages: Sequence[Mapping[str, Any]], *, line_limit: int, problem: str = "", known: Collection[str] = ()
) -> list[Message]:
    """Returns system and user message.

    `line_limit`: characters of one message that are shown; more is cut in the middle.

    `problem`: why the last answer could not be used. `known`: keys, which are masked as is all that looks like one.
    """
    fence = f"=== {secrets.token_hex(8)} ==="
    lines = [line for message in messages if (line := _prompt_line(message, fence, line_limit, known)) is not None]
    user = f"Summarise this part of the conversation.\n\n{JOURNAL_HEADING}\n" + "\n".join(lines)
    if problem:
        user += f"\n\n## Your Last Answer\nThat answer could not be used. {problem} Answer with fact lines alone."
    return [
        {"role": "system", "content": shipped_prompt("journal").format(fence=fence)},
        {"role": "user", "content": user},
    ]


def _prompt_line(message: Mapping[str, Any], fence: str, limit: int, known: Collection[str] = ()) -> str | None:
    """Returns one message as a model that consolidates reads it; None where it says nothing."""
    head = line_head(message)
    if head is None:
        return None
    room = limit
    told = []
    for part in parts_of_message(message):
        text = _cut(mask_secrets(part.text, known), max(_LEAST, room))
        room -= len(text)
        told.append(
            f"\n{fence}\n{as_data(text, fence)}\n{fence}"
            if part.is_quoted
            else f" {without_forged_heads(text).strip()}"
        )
    return f"{head}:{''.join(told)}"


def as_data(text: str, fence: str = "") -> str:
    """Returns text of a tool or file as a model may see it: tags escaped, nothing invisible, no line like the fence."""
    plain = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)
    plain = _TAG.sub("&lt;", plain.replace("\u2028", "\n").replace("\u2029", "\n"))
    return plain.replace(fence, "===") if fence else plain


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head, tail = int(limit * _HEAD_SHARE), int(limit * _TAIL_SHARE)
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"
