"""A consolidation model's answer is judged: applied, applied unchanged, asked for again, or held for review.

The rules are general; tests/corpus/save_memory.json holds the cases they must get right. `retry`: the answer cannot be
used. `nochange`: there is nothing new for MEMORY.md. `review`: the answer is sound, but what it would do to MEMORY.md
is the person's to decide; history and pointer go on. Values that are not text are kept as their
JSON text, as in nanobot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mnemoscope.domain.consolidation.error_pages import BLANK, is_failure
from mnemoscope.domain.consolidation.planning import SAVE_MEMORY_NAME, without_forged_heads
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.memory.facts import fact_lines
from mnemoscope.domain.memory.history_entries import split_date
from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import Sources
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK, JOINERS, LINE_BREAK, without_format_characters
from mnemoscope.domain.text.fences import FENCE_MARK, ends_in_code

MAX_ENTRY: Final = 64_000
MAX_MEMORY: Final = 1_000_000
_ROOM: Final = 64_000
_GROWTH: Final = 8
_MAX_ARGUMENTS: Final = 16_000_000
_TAG: Final = re.compile(r"<(?=[/!?|A-Za-z])")
_IMAGE: Final = re.compile(r"!(?=\[)")
_SHOWN_PLACEHOLDER: Final = 80

_PARTS = (
    r"(?:memory|memories|facts?|contents?|sections?|entries|notes?|information|items?|lines?|document|file|text"
    r"|details?|data)"
)
_SAME = (
    r"(?:unchanged|un-?modified|not (?:changed|modified|repeated|shown)|no changes?|unaltered|intact|omitted|elided"
    r"|truncated|(?:the )?same|as (?:before|above|is)|(?:is |are )?(?:kept|preserved|retained)|remains?|stays?"
    r"|continues?)"
)
_REST = r"(?:rest|remainder|remaining|everything else|others?|existing|previous|prior|earlier)"
_ITEM = r"^(?:[-*+]\s*)?"
_OPENS = r"(?:[\[(<{…]|\.\.|//|<!--)"
_LEAD = r"^(?:[-*+>#/]+\s*|<!--\s*|//\s*)*[\[(<{*_…\s]*(?:\.{2,}|…)?[\[(<{*_…\s]*"
_OF_WHAT = rf"(?:\s+of)?(?:\s+(?:the|this|your|existing|previous|current|long-?term|other|{_PARTS}))*"

_PLACEHOLDER_PATTERNS: Final = (
    # "… rest of memory unchanged …", "(everything else stays the same)", "all other sections remain"
    _LEAD + rf"(?:the |all |all the |and )*{_REST}\b{_OF_WHAT}\W+{_SAME}\b.{{0,40}}$",
    # "(unchanged)", "[same as before]", "<!-- omitted for brevity -->", "... no changes ..."
    _ITEM + _OPENS + rf"[\s.…\-!]*(?:{_PARTS}\s+)?{_SAME}\b.{{0,60}}$",
    # "... rest of memory ...", "(existing facts here)", "[previous content]"
    _ITEM + _OPENS + rf"[\s.…\-!]*(?:the |all )?{_REST}\b[\w\s,'’-]{{0,50}}[\s.…\-]*(?:[\])>}}…]|\.\.|-->).{{0,3}}$",
    # a line of nothing but dots
    _ITEM + r"[\[(<{]?\s*(?:\.{3,}|…+)\s*[\])>}]?$",
    r"^.{0,4}(?:其余|其他|剩余|剩下|原有|以上|以下).{0,12}(?:不变|保持|省略|同上|相同).{0,6}$",
    r"^.{0,4}(?:остальн|прочее).{0,30}(?:без изменений|не измен).{0,6}$",
)
_PLACEHOLDERS: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PLACEHOLDER_PATTERNS)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an answer. `kind` is ok, nochange, retry or review; `reasons` are one sentence each, for `retry`
    and `review`.

    `history_entry` and `memory_update` are ready to be written; both are "" for `retry`.
    """

    kind: str
    history_entry: str = ""
    memory_update: str = ""
    reasons: tuple[str, ...] = ()


class _Unusable(Exception):
    """The answer cannot be used; the message says why, as a sentence."""


def judge(
    response: LLMResponse,
    memory_before: str,
    *,
    spoken: str = "",
    sources: Sources | None = None,
    known: Collection[str] = (),
) -> Verdict:
    """Decides what becomes of an answer of a model that was shown `memory_before`. Never raises.

    `sources` says who said what in the slice; what the person did not say is held for review if a tool or file spoke
    too. `spoken` alone is short for the person's own words. `known` are keys, which are masked as is what looks like
    one.
    """
    try:
        arguments = _arguments(response)
        entry = _entry(arguments, known)
        update = _update(arguments, memory_before)
    except _Unusable as problem:
        return Verdict("retry", reasons=(mask_secrets(str(problem), known),))
    if _says_the_same(update, memory_before):
        return Verdict("nochange", entry, memory_before)
    proposal = review(memory_before, update, sources=sources or Sources(spoken), known=known)
    return Verdict("review" if proposal.reasons else "ok", entry, proposal.text, proposal.reasons)


def _arguments(response: LLMResponse) -> Mapping[str, Any]:
    if response.finish_reason in _BROKEN_OFF:
        raise _Unusable(_BROKEN_OFF[response.finish_reason])
    calls = [call for call in response.tool_calls or () if call.name == SAVE_MEMORY_NAME]
    if not calls:
        called = ", ".join(str(call.name) for call in response.tool_calls or ())
        raise _Unusable(f"The model called {called} instead of save_memory." if called else _NO_CALL)
    return _decoded(calls[0].arguments)


_NO_CALL: Final = "The model answered with text instead of calling save_memory."
_BROKEN_OFF: Final[Mapping[str, str]] = {
    "length": "The model's answer was cut off at its length limit.",
    "max_tokens": "The model's answer was cut off at its length limit.",
    "content_filter": "The model's answer was stopped by a content filter.",
    "error": "The model reported an error instead of an answer.",
}


def _decoded(value: object) -> Mapping[str, Any]:
    for _ in range(3):
        if isinstance(value, Mapping):
            return value
        if isinstance(value, list):
            value = next((item for item in value if isinstance(item, Mapping)), None)
        elif isinstance(value, str):
            value = _parsed(value)
    if isinstance(value, Mapping):
        return value
    problem = "The arguments of save_memory were not an object."
    raise _Unusable(problem)


def _parsed(text: str) -> object:
    if len(text) > _MAX_ARGUMENTS:
        problem = "The arguments of save_memory were far too long."
        raise _Unusable(problem)
    fenced = _FENCED_JSON.match(text)
    try:
        return json.loads(fenced[1] if fenced else text.strip(BLANK), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        problem = "The arguments of save_memory were not valid JSON."
        raise _Unusable(problem) from error


_FENCED_JSON = re.compile(r"\s*```[ \t]*(?:json\w*)?\s*(.*?)\s*```\s*\Z", re.DOTALL | re.IGNORECASE)


def _no_number(constant: str) -> object:
    raise ValueError(constant)


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if value is None:
        problem = f"The answer had no {name}."
        raise _Unusable(problem)
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        problem = f"The {name} was not text."
        raise _Unusable(problem) from error


def _entry(arguments: Mapping[str, Any], known: Collection[str]) -> str:
    entry = _CONTROL.sub("", _text(arguments, "history_entry").replace("\r\n", "\n")).strip(BLANK)
    if not _WORDLIKE.search(entry):
        problem = "The history_entry was empty."
    elif len(entry) > MAX_ENTRY:
        problem = f"The history_entry had {len(entry):,} characters; at most {MAX_ENTRY:,} are kept."
    elif is_failure(entry):
        problem = "The history_entry was an error message, not a summary."
    else:
        return history_entry_text(mask_secrets(entry, known))
    raise _Unusable(problem)


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_WORDLIKE = re.compile(r"\w")


def _update(arguments: Mapping[str, Any], before: str) -> str:
    update = _text(arguments, "memory_update")
    _check_size(update, before)
    update = _without_wrapping(update, before)
    if not update.strip(BLANK) or update.strip(BLANK).lower() in _NOTHING:
        # "Return unchanged if nothing new": of an empty memory, nothing is the honest answer.
        if not before.strip(BLANK) and isinstance(arguments.get("memory_update"), str):
            return before
        problem = "The memory_update was empty."
    elif not _WORDLIKE.search(update):
        problem = "The memory_update held no words."
    elif _CONTROL.search(update.replace("\r\n", "\n")):
        problem = "The memory_update held control characters."
    elif is_failure(update) and not is_failure(before):
        problem = "The memory_update was an error message, not a memory."
    elif _open_fence(update) and not _open_fence(before):
        problem = "The memory_update ended inside a code block, as if cut off."
    elif elided := find_placeholder_line(update, before):
        problem = f"The memory_update left parts out (“{elided}”) instead of repeating them."
    else:
        return update
    raise _Unusable(problem)


_NOTHING: Final = frozenset({"(empty)", "empty", "{}", "[]", "null", "none", "n/a", "(none)", '""'})


def _check_size(update: str, before: str) -> None:
    limit = min(MAX_MEMORY, _GROWTH * len(before) + _ROOM)
    if len(update) > max(limit, len(before)):
        problem = f"The memory_update had {len(update):,} characters; at most {limit:,} are accepted."
        raise _Unusable(problem)


def _without_wrapping(update: str, before: str) -> str:
    """Returns a document that came as one code block, without the block's fences."""
    update = update.removeprefix(BYTE_ORDER_MARK)
    found = _WHOLE_FENCE.match(update)
    if found is None or _WHOLE_FENCE.match(before) or _open_fence(found["body"]):
        return update
    return found["body"] + "\n"


_WHOLE_FENCE = re.compile(
    rf"\s*(?P<mark>{FENCE_MARK})[ \t]*(?:markdown|md|text|txt)?[ \t]*\r?\n(?P<body>.*?)\r?\n(?P=mark)\s*\Z", re.DOTALL
)


def _open_fence(text: str) -> bool:
    """Returns whether a code block is still open at the end."""
    return ends_in_code(_BULLET.sub("", line) for line in text.split("\n"))


_BULLET = re.compile(r"\A[ \t]{0,3}[-*+][ \t]+")


def _says_the_same(update: str, before: str) -> bool:
    return [line.rstrip() for line in update.strip(BLANK).split("\n")] == [
        line.rstrip() for line in before.strip(BLANK).split("\n")
    ] or (not fact_lines(update) and not fact_lines(before) and not _WORDLIKE.search(update))


def history_entry_text(text: str) -> str:
    """Returns the text on consecutive lines with the date it begins with in brackets; other dates, headings, tags and
    images at the beginning of lines are escaped, and characters nobody could see are left out."""
    seen = without_format_characters(LINE_BREAK.sub("\n", text), keep=JOINERS)
    when, words = split_date(seen)
    lines = [line.rstrip() for line in words.split("\n") if line.strip()]
    if not lines:
        return ""
    # The first line stands behind the date; without one it begins a line itself.
    body = without_forged_heads("\n".join(["", *lines])).partition("\n")[2]
    return (f"[{when}] " if when else "") + _IMAGE.sub(r"!\\", _TAG.sub("&lt;", body))


def find_placeholder_line(update: str, before: str) -> str:
    """Returns the line of `update` that stands for what was left out, or "". A line that was in `before` is none."""
    known = {line.strip() for line in before.split("\n")}
    for line in update.split("\n"):
        stripped = line.strip()
        if stripped and stripped not in known and any(pattern.match(stripped) for pattern in _PLACEHOLDERS):
            return stripped[:_SHOWN_PLACEHOLDER]
    return ""
