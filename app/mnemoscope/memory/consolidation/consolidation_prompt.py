"""Builds the prompt for the consolidation model, in either way of consolidating. Text of tools and files is quoted.

The headings are nanobot's; what goes into history.jsonl is asked for as lines of facts, as nanobot asks for it too.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.consolidation.planning import line_head, without_forged_heads
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.origin import parts_of_message
from mnemoscope.domain.llm import OutputMode
from mnemoscope.domain.memory.history_entries import day_in_words
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.memory.dream.dream_prompt import asked_again, rejected_section
from mnemoscope.store.files.shipped import shipped_prompt

_EMPTY_MEMORY: Final = "(empty)"
_MEMORY_HEADING: Final = "## Current Long-term Memory"
_CONVERSATION_HEADING: Final = "## Conversation to Process"
_JOURNAL_HEADING: Final = "## Conversation to Summarise"
_TASK: Final = "## Task"
_HEAD_SHARE, _TAIL_SHARE = 0.7, 0.2
_LEAST: Final = 200
"""Characters that are shown of each part of a message, however long the others are."""
_UNSEEN: Final = frozenset({"Cf", "Cc", "Co", "Cs"})
_FORGED_SPEAKER: Final = re.compile(r"(?<=\n)[^\S\n]*(?:USER|ASSISTANT|SYSTEM|TOOL)\b(?=[^\n:]*:)")
"""A line of a message that could pass for the beginning of one without a time."""
_TAG: Final = re.compile(r"<(?=[/!?|\w])")


def consolidation_messages(
    memory: str,
    messages: Sequence[Mapping[str, Any]],
    *,
    line_limit: int,
    fence: str = "",
    problem: str = "",
    known: Collection[str] = (),
    mode: OutputMode = OutputMode.TOOL,
    brief: bool = False,
    rejected: Sequence[str] = (),
) -> list[Message]:
    """Returns system and user message.

    `line_limit`: characters of one message that are shown; more is cut in the middle. `fence`: the line from
    `new_fence` that surrounds quoted text, "" for one of its own.

    `problem`: why the last answer could not be used, said when asking again. `known`: keys, which are masked as is all
    that looks like one. `mode`: how the answer is to come. `brief`: in few words, for a model that holds little.
    `rejected`: facts that are not to be proposed again.
    """
    fence = fence or new_fence()
    brief = brief and mode is not OutputMode.TOOL
    conversation = "\n".join(_prompt_lines(messages, fence, line_limit, known, brief=brief))
    remembered = f"{_MEMORY_HEADING}\n{memory.strip() or _EMPTY_MEMORY}"
    refused = rejected_section([fence, *(f"- {_as_data(fact, fence)}" for fact in rejected), fence]) if rejected else ""
    shown = "\n\n".join(filter(None, [remembered, refused, f"{_CONVERSATION_HEADING}\n{conversation}"]))
    if mode is OutputMode.TOOL:
        user = f"{shipped_prompt('consolidation-request')}\n\n{shown}"
        again = "consolidation-again"
    else:
        user = shown if brief else f"{shipped_prompt('consolidation-json-request')}\n\n{shown}"
        again = "consolidation-json-again"
    if problem:
        user += f"\n\n{asked_again(problem, again)}"
    if brief:
        # A small model does what stands last.
        user += f"\n\n{_TASK}\n{shipped_prompt('consolidation-task')}"
    return [
        {"role": "system", "content": shipped_prompt(_guide_of(mode, brief=brief)).format(fence=fence)},
        {"role": "user", "content": user},
    ]


def _guide_of(mode: OutputMode, *, brief: bool) -> str:
    if mode is OutputMode.TOOL:
        return "consolidation"
    return "consolidation-brief" if brief else "consolidation-json"


def instructions_of(asked: Sequence[Message]) -> str:
    """Returns what a model was told to do, which is no answer."""
    return f"{asked[0]['content']}\n{asked[-1]['content'].partition(_TASK)[2]}"


def new_fence() -> str:
    """Returns a line that no text in a conversation can contain, since it is chosen after all of it was written.

    It is the same for each try with the same messages, so that a server need not read again what it has read.
    """
    return f"=== {secrets.token_hex(8)} ==="


def journal_messages(
    messages: Sequence[Mapping[str, Any]],
    *,
    line_limit: int,
    fence: str = "",
    problem: str = "",
    known: Collection[str] = (),
    mode: OutputMode = OutputMode.TEXT,
    brief: bool = False,
) -> list[Message]:
    """Returns system and user message.

    `line_limit`: characters of one message that are shown; more is cut in the middle. `fence`: the line from
    `new_fence` that surrounds quoted text, "" for one of its own.

    `problem`: why the last answer could not be used. `known`: keys, which are masked as is all that looks like one.
    `mode`: how the answer is to come; held to a schema, the lines are those of an object. `brief`: the conversation in
    few tokens, for a model that holds little.
    """
    fence = fence or new_fence()
    lines = _prompt_lines(messages, fence, line_limit, known, brief=brief)
    user = f"{shipped_prompt('journal-request')}\n\n{_JOURNAL_HEADING}\n" + "\n".join(lines)
    if problem:
        again = "journal-tool-again" if mode is OutputMode.TOOL else "journal-again"
        user += f"\n\n{asked_again(problem, again)}"
    guide = shipped_prompt("journal").format(fence=fence)
    if mode is not OutputMode.TEXT:
        guide += f"\n\n{shipped_prompt('journal-json' if mode is OutputMode.SCHEMA else 'journal-tool')}"
    return [{"role": "system", "content": guide}, {"role": "user", "content": user}]


def _prompt_lines(
    messages: Sequence[Mapping[str, Any]], fence: str, limit: int, known: Collection[str], *, brief: bool
) -> Iterator[str]:
    """Yields the messages as a model that consolidates reads them.

    `brief`: each day is named once, on a line of its own. The time of each message takes as many tokens as its words,
    and models that write little better than they read begin to write times.
    """
    shown_day = ""
    for message in messages:
        head = line_head(message)
        if head is None:
            continue
        if not brief:
            yield _prompt_line(head, message, fence, limit, known)
            continue
        when, _, speaker = head.partition("] ")
        day = when[1:].partition(" ")[0]
        if day not in ("?", shown_day):
            shown_day = day
            yield f"({day_in_words(day)})"
        line = _prompt_line(speaker, message, fence, limit, known)
        yield _FORGED_SPEAKER.sub(r"\\\g<0>", line)


def _prompt_line(head: str, message: Mapping[str, Any], fence: str, limit: int, known: Collection[str]) -> str:
    """Returns one message behind its head."""
    room = limit
    texts = []
    for part in parts_of_message(message):
        text = _cut(mask_secrets(part.text, known), max(_LEAST, room))
        room -= len(text)
        texts.append(
            f"\n{fence}\n{_as_data(text, fence)}\n{fence}"
            if part.is_quoted
            else f" {without_forged_heads(text).strip()}"
        )
    return f"{head}:{''.join(texts)}"


def _as_data(text: str, fence: str = "") -> str:
    """Returns text of a tool or file as a model may see it: tags escaped, nothing invisible, no line like the fence."""
    plain = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)
    plain = _TAG.sub("&lt;", plain.replace("\u2028", "\n").replace("\u2029", "\n"))
    return plain.replace(fence, "===") if fence else plain


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head, tail = int(limit * _HEAD_SHARE), int(limit * _TAIL_SHARE)
    mark = shipped_prompt("text-cut").format(count=len(text) - head - tail)
    return f"{text[:head]}\n{mark}\n{text[-tail:]}"
