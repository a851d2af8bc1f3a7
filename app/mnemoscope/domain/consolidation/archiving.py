"""In the dream profile a conversation that presses against the context window goes into history.jsonl.

Here it is decided how much of it goes, and which summary of it may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemoscope.domain.answers.answer_cleanup import AnswerCleanup, tidy, without_preamble
from mnemoscope.domain.answers.answer_reading import (
    ExpectedObject,
    JsonRepair,
    Mend,
    NoStructuredAnswer,
    find_object,
    no_mending,
    without_thinking,
)
from mnemoscope.domain.answers.error_pages import BLANK, is_error_page, is_no_prose
from mnemoscope.domain.answers.placeholders import (
    has_open_blank,
    is_placeholder,
    is_placeholder_line,
    is_refusal,
    stray_call,
)
from mnemoscope.domain.answers.repetition import (
    LOOPED,
    copies,
    echoes,
    fold_repeated_lines,
    goes_round,
    is_transcript,
    speaks_of_the_task,
)
from mnemoscope.domain.answers.task_words import says_only_the_task
from mnemoscope.domain.consolidation.planning import Slice, clamp_pointer, format_line, line_head, without_forged_heads
from mnemoscope.domain.consolidation.save_memory_tool import ASKED_PARTS, ASKED_WORDS, DATE_STAMP
from mnemoscope.domain.conversation.attachment import sent_view
from mnemoscope.domain.conversation.history_selection import is_unanswered
from mnemoscope.domain.conversation.message import Message, is_command, tool_calls_of
from mnemoscope.domain.conversation.origin import PERSON, origin_of, parts_of_message
from mnemoscope.domain.conversation.token_estimate import estimate_message
from mnemoscope.domain.llm import LLMResponse, ToolSchema
from mnemoscope.domain.memory.history_entries import RAW_MARK
from mnemoscope.domain.memory.journal_entry import clean_content
from mnemoscope.domain.text.fences import opening_mark

_RESERVE: Final = 1_024
"""Tokens kept free beside the answer, for what an estimate misses."""
_TARGET_SHARE: Final = 0.5
_SUMMARY_LIMIT: Final = 16_000
"""Characters of a summary; a longer one is no summary."""
_NOTHING: Final = frozenset({"(nothing)", "nothing", "[no summary]", "(no summary)", "none", "n/a"})
_FACT_LINE: Final = re.compile(
    r"^[ \t]*(?:[-*+•]|\d+[.)])?[ \t]*\**\[(?:permanent|durable|ephemeral|correction)\]", re.IGNORECASE | re.MULTILINE
)


def budget_of(context_window: int, answer: int) -> int:
    """Returns the tokens that a prompt may have before a conversation is consolidated."""
    return max(0, context_window - answer - _RESERVE)


def is_pressing(prompt_tokens: int, context_window: int, answer: int) -> bool:
    """Returns whether a prompt reaches its budget; all in tokens, `answer` those kept for the answer. A window of 0 is
    unknown and presses nothing."""
    return context_window > 0 and prompt_tokens >= budget_of(context_window, answer)


def plan_archive(messages: Sequence[Message], pointer: int, excess: int) -> Slice | None:
    """Returns the oldest messages after the pointer that hold at least `excess` tokens, up to a safe boundary.

    A boundary never lies inside a group of tool calls and their results. It lies before words of the person, for what
    comes before those is not sent; if none come within as much again, before any message. The newest turn always stays;
    if there is not so much before it, all there is goes. Returns None if nothing can go.
    """
    total = len(messages)
    start = clamp_pointer(pointer, total)
    last = _newest_turn(messages, start)
    gone = anywhere = 0
    for index in range(start, last):
        if gone >= excess and index > start and _is_safe(messages, start, index):
            if _is_question(messages[index]):
                return Slice(start, index)
            anywhere = anywhere or index
        if anywhere and gone >= 2 * excess:
            return Slice(start, anywhere)
        gone += estimate_message(sent_view(messages[index]))
    boundary = next((index for index in range(last, start, -1) if _is_safe(messages, start, index)), start)
    return Slice(start, boundary) if boundary > start else None


def excess_tokens(prompt_tokens: int, context_window: int, answer: int) -> int:
    """Returns how many tokens have to go so that the prompt comes down to half its budget."""
    return max(0, prompt_tokens - int(budget_of(context_window, answer) * _TARGET_SHARE))


SUMMARY_NAME: Final = "save_summary"
SUMMARY_TOOL: Final[ToolSchema] = {
    "type": "function",
    "function": {
        "name": SUMMARY_NAME,
        "description": "Save the lines that are worth knowing later.",
        "parameters": {
            "type": "object",
            "properties": {"lines": {"type": "array", "items": {"type": "string"}}},
            "required": ["lines"],
        },
    },
}


@dataclass(frozen=True, slots=True)
class SummaryVerdict:
    """Tells the verdict on a summary. `kind` is `ok`, `nothing` (there was nothing to tell) or `retry`.

    `cleaned` says what was done to the answer that nobody needs to decide about.
    """

    kind: str
    summary: str = ""
    reason: str = ""
    cleaned: tuple[AnswerCleanup, ...] = ()


def judge_summary(
    response: LLMResponse, *, instructions: str = "", spoken: str = "", mend: Mend = no_mending
) -> SummaryVerdict:
    """Returns whether an answer may stand in the journal. An error's text, a cut answer, a call of another tool, a
    placeholder, a refusal or silence is never a summary (nanobot stored a whole error page), nor is one that goes round
    in circles or only says again what the model was shown: `instructions` and the words `spoken`."""
    if response.finish_reason in _NO_SUMMARY:
        return SummaryVerdict("retry", reason=_NO_SUMMARY[response.finish_reason])
    mending = JsonRepair(mend)
    text, tidied = tidy(_lines_of(response, mending, spoken))
    text = clean_content(without_preamble(text))
    if response.has_tool_calls and not text:
        return SummaryVerdict("retry", reason="The model called a tool instead of writing a summary.")
    if not text:
        return SummaryVerdict("retry", reason="The answer was empty.")
    text = _without_empty_lines(text)
    if text.strip().strip(".").lower() in _NOTHING:
        return SummaryVerdict("nothing")
    reason = _no_summary(text) or _stands_for_one(text, spoken) or _says_again(text, instructions, spoken)
    cleaned = tuple(dict.fromkeys((*([AnswerCleanup.MENDED] if mending.was_needed else []), *tidied)))
    return SummaryVerdict("retry", reason=reason) if reason else SummaryVerdict("ok", text, cleaned=cleaned)


def _without_empty_lines(text: str) -> str:
    """Returns the text without fact lines that say there is nothing, "(nothing)" where no other is left."""
    lines = text.split("\n")
    kept = [line for line in lines if _FACT_LINE.sub("", line).strip().strip(".").lower() not in _NOTHING]
    return "\n".join(kept) if any(line.strip() for line in kept) else "(nothing)"


def _stands_for_one(text: str, spoken: str) -> str:
    """Returns why a text is no words about a conversation, as a sentence, or ""."""
    text = DATE_STAMP.sub("", text)
    is_blank = is_placeholder(text, ASKED_PARTS) or has_open_blank(text, spoken)
    if is_blank or any(map(is_placeholder_line, text.split("\n"))):
        return "The answer was a placeholder, not a summary."
    facts = [line[found.end() :] for line in text.split("\n") if (found := _FACT_LINE.match(line))]
    if (not facts and is_refusal(text)) or any(is_refusal(fact.strip(), is_fact=True) for fact in facts):
        return "The answer was one to the request, not a summary."
    is_call = stray_call(text, spoken) or speaks_of_the_task(text, spoken)
    return "The answer was a call written as text, not a summary." if is_call else ""


_NO_SUMMARY: Final[Mapping[str, str]] = {
    "error": "The provider answered with an error.",
    LOOPED: "The answer said the same again and again, and was stopped.",
    "length": "The answer was cut off.",
    "max_tokens": "The answer was cut off.",
    "content_filter": "The answer was cut off.",
}


def _no_summary(text: str) -> str:
    """Returns why a text is none of a summary's kind, as a sentence, or ""."""
    if is_error_page(text) or (is_no_prose(text) and not _FACT_LINE.search(text)):
        return "The answer looks like an error, not like a summary."
    if text.startswith(RAW_MARK):
        return "The answer is marked as messages that were not summarised."
    if len(text) > _SUMMARY_LIMIT:
        return f"The summary has {len(text):,} characters."
    return ""


def _says_again(text: str, instructions: str, spoken: str) -> str:
    """Returns why a text says nothing of its own, as a sentence, or ""."""
    if goes_round(text) or fold_repeated_lines(text, "")[1]:
        return "The answer said the same again and again."
    if is_transcript(text) or (not _FACT_LINE.search(text) and copies(text, spoken)) or _is_long_copy(text, spoken):
        return "The answer was the conversation itself, not a summary of it."
    is_echo = echoes(text, instructions) or echoes(text, ASKED_WORDS)
    if is_echo:
        return "The answer repeated the instructions instead of following them."
    plain = _FACT_LINE.sub("", DATE_STAMP.sub("", text))
    is_hollow = says_only_the_task(plain, (instructions, ASKED_WORDS), spoken)
    return "The answer said nothing of the conversation." if is_hollow else ""


def _is_long_copy(text: str, spoken: str) -> bool:
    """Returns whether fact lines are the conversation itself. A short one may be in the person's own words."""
    return text.count("\n") > 1 and copies(_FACT_LINE.sub("", text), spoken)


_LINES_OBJECT: Final = ExpectedObject(
    SUMMARY_NAME, ("lines",), dict.fromkeys(("facts", "summary", "entries", "factlines", "items"), "lines")
)


def _lines_of(response: LLMResponse, mend: Mend, spoken: str) -> str:
    """Returns the text of an answer, or the lines of the object that it is or that it called for. Thinking is left out,
    unless its marks are what was talked about."""
    said = response.content or ""
    text = (without_thinking(said, closed=True) if stray_call(said, spoken) else said).strip()
    calls = [call for call in response.tool_calls or () if _LINES_OBJECT.is_called(call.name)]
    begin = text.lstrip(BLANK)
    if not calls and not begin.startswith(("{", "[{")) and not opening_mark(begin) and not stray_call(text):
        return text
    try:
        lines = find_object(replace(response, tool_calls=calls), _LINES_OBJECT, mend)["lines"]
    except (NoStructuredAnswer, KeyError):
        return text
    if isinstance(lines, list):
        lines = "\n".join(str(each) if isinstance(each, str) else _line_of(each) for each in lines)
    return str(lines).strip() or "(nothing)"


def _line_of(value: object) -> str:
    """Returns a fact line for an object such as {"kind": "durable", "text": "…"}."""
    if not isinstance(value, Mapping):
        return str(value)
    words = [str(each) for each in value.values() if isinstance(each, str)]
    kind = next((each for each in words if each.strip("[]").lower() in _KINDS), "")
    return " ".join(filter(None, (f"[{kind.strip('[]')}]" if kind else "", *(each for each in words if each != kind))))


_KINDS: Final = frozenset({"permanent", "durable", "ephemeral", "correction"})


def raw_content(messages: Sequence[Mapping[str, Any]]) -> str:
    """Returns the messages in full, marked as not summarised; "" where none says anything."""
    lines = [line for message in messages if (line := _raw_line(message))]
    if not lines:
        return ""
    count = "1 message" if len(lines) == 1 else f"{len(lines)} messages"
    joined = "\n".join(lines)
    return f"{RAW_MARK} {count}\n{joined}"


def _raw_line(message: Mapping[str, Any]) -> str | None:
    """Returns the line of `format_line`; what a person put in rather than wrote stands on lines of its own, as `PASTE`
    or `FILE`."""
    parts = parts_of_message(message)
    head = line_head(message)
    if head is None or not any(part.is_quoted for part in parts) or origin_of(message) != PERSON:
        return format_line(message)
    heads = (head if part.origin == PERSON else head.replace("USER", part.origin.upper(), 1) for part in parts)
    return "\n".join(
        f"{each}: {without_forged_heads(part.text.strip(chr(10)))}" for each, part in zip(heads, parts, strict=True)
    )


def _newest_turn(messages: Sequence[Message], start: int) -> int:
    """Returns where the newest turn of the person begins; nothing from there on is archived while it is being
    answered."""
    if not is_unanswered(messages):
        return len(messages)
    for index in range(len(messages) - 1, start - 1, -1):
        if _is_question(messages[index]):
            return index
    return len(messages)


def _is_question(message: Message) -> bool:
    return message.get("role") == "user" and not is_command(message)


def _is_safe(messages: Sequence[Message], start: int, index: int) -> bool:
    """Returns whether a cut before `index` separates no tool result from its call."""
    if index >= len(messages):
        return True
    if messages[index].get("role") == "tool":
        return False
    # Between a call and its results nothing but results stands, save for a damaged record.
    for before in range(index - 1, max(start, index - 50) - 1, -1):
        message = messages[before]
        if message.get("role") == "assistant" and tool_calls_of(message):
            wanted = {str(call.get("id")) for call in tool_calls_of(message)}
            given = {str(messages[at].get("tool_call_id")) for at in range(before + 1, index)}
            return wanted <= given
        if message.get("role") == "user":
            return True
    return True
