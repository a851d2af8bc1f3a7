"""A request to the built-in model is read back tolerantly: the memory in the system prompt, a consolidation's two
sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.text.fences import outside_code

_MEMORY_HEADING: Final = (
    re.compile(r"^# Memory\s+## Long-term Memory[ \t]*$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^#{1,3} Long-term Memory[ \t]*$", re.MULTILINE | re.IGNORECASE),
)
_STATE_HEADING: Final = re.compile(r"^# Current Session State[ \t]*$", re.MULTILINE)
_KEPT_OUT: Final = re.compile(
    r"^Memory: the person chose (?:that nothing of this conversation is remembered|a temporary conversation)\b",
    re.MULTILINE,
)
_SECTION_END: Final = re.compile(r"\n\n---\n\n(?=# )")
_FENCE: Final = re.compile(r"=== [0-9a-f]{8,} ===")
_LAST_ANSWER: Final = "\n\n## Your Last Answer\n"
_CURRENT: Final = re.compile(r"^## Current Long-term Memory[ \t]*\n", re.MULTILINE)
_PROCESS: Final = re.compile(r"^## Conversation to (?:Process|Summarise)[ \t]*\n", re.MULTILINE)
_LINE: Final = re.compile(
    r"^\[(?P<when>\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\?)\] (?P<role>[A-Z_?]+)(?: \[tools: (?P<tools>[^\]]*)\])?"
    r": ?(?P<text>.*)$"
)
_RUNTIME: Final = re.compile(r"\A\[Runtime context\b[^\]]*\]\n.*?(?:\n\n|\Z)", re.DOTALL | re.IGNORECASE)
_TIME: Final = re.compile(r"^Current time: (?P<time>.+)$", re.MULTILINE | re.IGNORECASE)
_QUOTED_ROLE: Final = "TOOL"
"""The role given to whatever stands between fences, whoever passed it on."""
_EMPTY_MARKS: Final = frozenset({"(empty)", "(none)", "(nothing yet)"})


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """Holds a line of long-term memory and the heading it stands under (`""` for none)."""

    text: str
    heading: str


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """Describes one message of a conversation to consolidate. `when` is `YYYY-MM-DD HH:MM` or `?`."""

    when: str
    role: str
    tools: tuple[str, ...]
    text: str


def message_words(message: Mapping[str, Any]) -> str:
    """Returns a message's words without the runtime context that travels with the person's."""
    return _RUNTIME.sub("", text_of(message)).strip()


def memory_section(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the text of the system prompt's Long-term Memory section, or `""` if there is none."""
    for message in messages:
        if message.get("role") != "system":
            continue
        text = text_of(message)
        heading = next((found for pattern in _MEMORY_HEADING if (found := pattern.search(text))), None)
        if heading:
            return _section_behind(text, heading)
    return ""


def state_in(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the text of the system prompt's section of what was captured in this conversation, or `""` if there is
    none."""
    for message in messages:
        text = text_of(message) if message.get("role") == "system" else ""
        headings = list(_STATE_HEADING.finditer(text))
        if headings:
            # Memory stands before it, and may hold the same words.
            return _section_behind(text, headings[-1])
    return ""


def is_remembered(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Returns False where the newest message's runtime context says that memory takes nothing from this
    conversation."""
    return _KEPT_OUT.search(_runtime_context(messages)) is None


def _section_behind(text: str, heading: re.Match[str]) -> str:
    rest = text[heading.end() :]
    end = _SECTION_END.search(rest)
    return rest[: end.start() if end else len(rest)].strip("\n")


def time_in(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the time that the newest message's runtime context states, or `""` if it states none."""
    time = _TIME.search(_runtime_context(messages))
    return time["time"].strip() if time else ""


def _runtime_context(messages: Sequence[Mapping[str, Any]]) -> str:
    newest: Mapping[str, Any] = next((each for each in reversed(messages) if each.get("role") == "user"), {})
    context = _RUNTIME.match(text_of(newest))
    return context.group() if context else ""


def fence_in(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the line that surrounds quoted text by a consolidation's instructions, or `""` if they name none."""
    for message in messages:
        fence = _FENCE.search(text_of(message)) if message.get("role") == "system" else None
        if fence:
            return fence.group()
    return ""


def memory_lines(memory: str) -> Iterator[MemoryLine]:
    """Yields the lines that state something, with their headings; code fences, rules and footers are left out."""
    heading = ""
    for line in outside_code(memory.splitlines()):
        plain = line.strip()
        if not plain or set(plain) <= set("-*_=|: "):
            continue
        elif re.match(r"#{1,6} ", plain):
            heading = plain.lstrip("#").strip()
        else:
            bare = re.sub(r"^(?:[-*+]|\d+[.)]) +", "", plain)
            if not _is_remark(bare):
                yield MemoryLine(bare, heading)


def _is_remark(line: str) -> bool:
    """Returns whether a template says this about itself: in brackets, or in italics from end to end."""
    return (line.startswith("(") and line.endswith(")")) or bool(re.fullmatch(r"\*[^*]+\*|_[^_]+_", line))


def current_memory(prompt: str) -> str:
    """Returns the memory shown to a consolidation, verbatim but for the blank lines around it."""
    start = _CURRENT.search(prompt)
    if not start:
        return ""
    end = _conversation_start(prompt, start.end())
    memory = prompt[start.end() : end[0]].strip("\n")
    return "" if memory.strip() in _EMPTY_MARKS else memory


def spoken_messages(prompt: str, fence: str = "") -> list[SpokenMessage]:
    """Returns the conversation to consolidate, message by message. Between two `fence` lines nothing begins a
    message."""
    start = _CURRENT.search(prompt)
    body = prompt[_conversation_start(prompt, start.end() if start else 0)[1] :]
    body = body.rpartition(_LAST_ANSWER)[0] or body
    spoken: list[SpokenMessage] = []
    is_quoted, whose = False, _QUOTED_ROLE
    for line in body.split("\n"):
        if fence and line.strip() == fence:
            is_quoted = not is_quoted
            continue
        match = None if is_quoted else _LINE.match(line)
        if match:
            tools = tuple(name.strip() for name in (match["tools"] or "").split(",") if name.strip())
            spoken.append(SpokenMessage(match["when"].replace("T", " "), match["role"], tools, match["text"]))
            whose = match["role"]
        elif spoken:
            role = _QUOTED_ROLE if is_quoted else whose if spoken[-1].role == _QUOTED_ROLE else spoken[-1].role
            _go_on(spoken, role, line)
    return spoken


def _go_on(spoken: list[SpokenMessage], role: str, line: str) -> None:
    """Adds one more line to the newest message; words of somebody else within it stand apart."""
    last = spoken[-1]
    if last.role == role or not last.text.strip():
        spoken[-1] = SpokenMessage(last.when, role, last.tools, f"{last.text}\n{line}")
    else:
        spoken.append(SpokenMessage(last.when, role, (), line))


def _conversation_start(prompt: str, after: int) -> tuple[int, int]:
    """Returns where the conversation's heading begins and ends.

    The memory before it may hold the same words, so the first one that a conversation line follows counts.
    """
    first: tuple[int, int] | None = None
    for match in _PROCESS.finditer(prompt, after):
        first = first or match.span()
        following = prompt[match.end() :].lstrip("\n").split("\n", 1)[0]
        if _LINE.match(following):
            return match.span()
    return first or (len(prompt), len(prompt))
