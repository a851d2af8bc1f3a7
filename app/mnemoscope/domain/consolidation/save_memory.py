"""A consolidation model's answer is judged: applied, applied unchanged, asked for again, or held for review.

The rules are general; tests/corpus/save_memory.json holds the cases they must get right. `retry`: the answer cannot be
used. `nochange`: there is nothing new for MEMORY.md. `review`: the answer is sound, but what it would do to MEMORY.md
is the person's to decide; history and pointer go on. Values that are not text are kept as their JSON text, as in
nanobot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
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
from mnemoscope.domain.answers.error_pages import BLANK, is_failure
from mnemoscope.domain.answers.placeholders import (
    PATTERN_STAMP,
    find_placeholder_line,
    find_unfilled_line,
    has_open_blank,
    is_placeholder,
    is_refusal,
    stray_call,
)
from mnemoscope.domain.answers.repetition import (
    LOOPED,
    circle_reasons,
    copies,
    echoes,
    fold_repeated_lines,
    goes_round,
    is_transcript,
    speaks_of_the_task,
)
from mnemoscope.domain.answers.task_words import says_only_the_task
from mnemoscope.domain.consolidation.planning import without_forged_heads
from mnemoscope.domain.consolidation.save_memory_tool import ASKED_PARTS, ASKED_WORDS, DATE_STAMP, SAVE_MEMORY_NAME
from mnemoscope.domain.llm import LLMResponse
from mnemoscope.domain.memory.facts import fact_key, fact_lines
from mnemoscope.domain.memory.history_entries import split_date
from mnemoscope.domain.review.memory_review import review
from mnemoscope.domain.review.sources import Sources
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.text.characters import BYTE_ORDER_MARK, JOINERS, LINE_BREAK, without_format_characters
from mnemoscope.domain.text.fences import FENCE_MARK, ends_in_code

_MAX_ENTRY: Final = 64_000
_MAX_MEMORY: Final = 1_000_000
_ROOM: Final = 64_000
_GROWTH: Final = 8
_TAG: Final = re.compile(r"<(?=[/!?|A-Za-z])")
_IMAGE: Final = re.compile(r"!(?=\[)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Tells the verdict on an answer. `kind` is ok, nochange, retry or review; `reasons` are one sentence each, for
    `retry` and `review`.

    `history_entry` and `memory_update` are ready to be written; both are "" for `retry`. `cleaned` says what was done
    to the answer that nobody needs to decide about.
    """

    kind: str
    history_entry: str = ""
    memory_update: str = ""
    reasons: tuple[str, ...] = ()
    cleaned: tuple[AnswerCleanup, ...] = ()
    misses_form: bool = False
    """For `retry`: the answer was none of what was asked for, so that asking in another way may help."""
    asked: tuple[str, ...] = ()
    """The ways in which the model was asked, an OutputMode each, the one that was answered last; () if it was not."""


class _Unusable(Exception):
    """The answer cannot be used; the message says why, as a sentence."""


SAVE_MEMORY_OBJECT: Final = ExpectedObject(
    SAVE_MEMORY_NAME,
    ("history_entry", "memory_update"),
    dict.fromkeys(("history", "historysummary", "historylog", "entry", "summary", "historyparagraph"), "history_entry")
    | dict.fromkeys(
        ("memory", "updatedmemory", "newmemory", "memoryupdated", "longtermmemory", "updatedlongtermmemory"),
        "memory_update",
    ),
)


def judge(
    response: LLMResponse,
    memory_before: str,
    *,
    spoken: str = "",
    sources: Sources | None = None,
    known: Collection[str] = (),
    instructions: str = "",
    mend: Mend = no_mending,
) -> Verdict:
    """Decides what becomes of an answer of a model that was shown `memory_before`. Never raises.

    `sources` says who said what in the slice; what the person did not say is held for review if a tool or file spoke
    too. `spoken` alone is short for the person's own words. `known` are keys, which are masked as is what looks like
    one. `instructions` is what the model was told to do, which is no entry; `mend` reads JSON that is not quite JSON.
    """
    sources = sources or Sources(spoken)
    mending = JsonRepair(mend)
    try:
        arguments = _arguments(response, mending)
        entry, tidied = _entry(arguments, known, _all_words(sources), instructions, quoted=sources.quoted)
        update, more = _update(arguments, memory_before, spoken=_all_words(sources), quoted=sources.quoted)
    except NoStructuredAnswer as problem:
        return Verdict("retry", reasons=(mask_secrets(str(problem), known),), misses_form=problem.is_form)
    except _Unusable as problem:
        return Verdict("retry", reasons=(mask_secrets(str(problem), known),))
    cleaned = tuple(dict.fromkeys((*([AnswerCleanup.MENDED] if mending.was_needed else []), *tidied, *more)))
    update, often = fold_repeated_lines(update, memory_before)
    if _says_the_same(update, memory_before):
        return Verdict("nochange", entry, memory_before, cleaned=cleaned)
    proposal = review(memory_before, update, sources=sources, known=known)
    reasons = (*circle_reasons(update, memory_before, often), *proposal.reasons)
    return Verdict("review" if reasons else "ok", entry, proposal.text, reasons, cleaned)


def _all_words(sources: Sources) -> str:
    return "\n".join((sources.spoken, sources.answered, *(said for _, said in sources.exchanges)))


def _arguments(response: LLMResponse, mend: Mend) -> Mapping[str, Any]:
    if response.finish_reason in _BROKEN_OFF:
        has_begun = bool(response.tool_calls) or '"memory_update"' in (response.content or "")
        is_form = response.finish_reason not in ("error", "content_filter") and not has_begun
        raise NoStructuredAnswer(_BROKEN_OFF[response.finish_reason], is_form=is_form)
    return find_object(response, SAVE_MEMORY_OBJECT, mend)


_BROKEN_OFF: Final[Mapping[str, str]] = {
    "length": "The model's answer was cut off at its length limit.",
    "max_tokens": "The model's answer was cut off at its length limit.",
    "content_filter": "The model's answer was stopped by a content filter.",
    "error": "The model reported an error instead of an answer.",
    LOOPED: "The model began to say the same again and again, and was stopped.",
}


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if value is None:
        raise _Unusable(f"The answer had no {name}.")
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return ("\n" if name == "memory_update" else " ").join(value)
    if isinstance(value, bool) or (isinstance(value, list) and any(isinstance(each, Mapping) for each in value)):
        raise _Unusable(f"The {name} was not text.")
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise _Unusable(f"The {name} was not text.") from error


def _entry(
    arguments: Mapping[str, Any], known: Collection[str], spoken: str, instructions: str, quoted: str
) -> tuple[str, list[AnswerCleanup]]:
    """Returns the entry and what was cleaned out of it."""
    entry, tidied = _without_thoughts(*tidy(_text(arguments, "history_entry")), f"{spoken}\n{quoted}")
    entry = _BEGINNING_PATTERN.sub("", without_preamble(entry).strip(BLANK))
    when, words = split_date(entry)
    if not when:
        # A date that there is not is none; the program dates the entry itself.
        entry = words = DATE_STAMP.sub("", entry)
    problem = _problem_of_entry(entry, words, spoken, quoted) or _problem_of_words(words, spoken, instructions)
    if problem:
        raise _Unusable(problem)
    return history_entry_text(mask_secrets(entry, known)), tidied


def _problem_of_entry(entry: str, words: str, spoken: str, quoted: str) -> str:
    """Returns why an entry is no summary at all, as a sentence, or ""."""
    if not _WORDLIKE.search(entry):
        return "The history_entry was empty."
    if len(entry) > _MAX_ENTRY:
        return f"The history_entry had {len(entry):,} characters; at most {_MAX_ENTRY:,} are kept."
    if is_failure(entry):
        return "The history_entry was an error message, not a summary."
    if is_placeholder(words, ASKED_PARTS) or has_open_blank(words, f"{spoken}\n{quoted}"):
        return "The history_entry was a placeholder, not a summary."
    if is_refusal(words):
        return "The history_entry was an answer to the request, not a summary."
    return (
        "The history_entry was a call written as text, not a summary."
        if stray_call(words, f"{spoken}\n{quoted}")
        else ""
    )


def _problem_of_words(words: str, spoken: str, instructions: str) -> str:
    """Returns why an entry says nothing of its own, as a sentence, or ""."""
    if goes_round(words):
        return "The history_entry said the same again and again."
    if is_transcript(words) or copies(words, spoken):
        return "The history_entry was the conversation itself, not a summary of it."
    if echoes(words, f"{ASKED_WORDS}\n{instructions}") or speaks_of_the_task(words, spoken):
        return "The history_entry repeated the instructions instead of following them."
    if says_only_the_task(words, (ASKED_WORDS, instructions), spoken):
        return "The history_entry said nothing of the conversation."
    return ""


def _without_thoughts(text: str, tidied: list[AnswerCleanup], shown: str) -> tuple[str, list[AnswerCleanup]]:
    """Returns a text without the thinking in it, unless such marks are what was talked about, and what was cleaned."""
    plain = without_thinking(text, closed=True)
    if plain == text or not stray_call(text, shown):
        return text, tidied
    return plain.strip(BLANK), [*tidied, AnswerCleanup.THINKING]


_BEGINNING_PATTERN: Final = re.compile(rf"\A[*_\s]*(?:{PATTERN_STAMP.pattern})[*_:\s]*", re.IGNORECASE)
_WORDLIKE: Final = re.compile(r"[^\W\d_]")
"""A letter of any alphabet; dates and figures alone say nothing."""


def _update(arguments: Mapping[str, Any], before: str, spoken: str, quoted: str) -> tuple[str, list[AnswerCleanup]]:
    """Returns the new memory text and what was cleaned out of it."""
    update = _text(arguments, "memory_update")
    _check_size(update, before)
    update, tidied = _without_thoughts(*tidy(update), f"{before}\n{spoken}\n{quoted}")
    update = _without_wrapping(without_preamble(update), before)
    update = _without_shown_heading(update, before)
    if update.strip(BLANK) and update.strip(BLANK) == before.strip(BLANK):
        # "Return unchanged if nothing new": what stands there already is an answer, however bare it is.
        return update, tidied
    if not update.strip(BLANK) or update.strip(BLANK).lower() in _NOTHING:
        # Of an empty memory, nothing is the honest answer.
        if not before.strip(BLANK) and isinstance(arguments.get("memory_update"), str):
            return before, tidied
        raise _Unusable("The memory_update was empty.")
    if problem := _problem_of(update, before, spoken):
        raise _Unusable(problem)
    return update, tidied


def _problem_of(update: str, before: str, spoken: str) -> str:
    """Returns why a text is no memory, in a sentence for the model, or ""."""
    return _problem_of_form(update, before) or _problem_of_sense(update, before, spoken)


def _problem_of_form(update: str, before: str) -> str:
    if not _WORDLIKE.search(update):
        return "The memory_update held no words."
    if is_failure(update) and not is_failure(before):
        return "The memory_update was an error message, not a memory."
    if _open_fence(update) and not _open_fence(before):
        return "The memory_update ended inside a code block, as if cut off."
    if _keeps_nothing(update, before):
        return "The memory_update was a sentence in place of the memory."
    return ""


def _problem_of_sense(update: str, before: str, spoken: str) -> str:
    if elided := find_placeholder_line(update, before):
        return f"The memory_update left parts out (“{elided}”) instead of repeating them."
    is_blank = is_placeholder(update, ASKED_PARTS) or has_open_blank(update, f"{before}\n{spoken}")
    if is_blank or echoes(update, ASKED_WORDS):
        return "The memory_update was a placeholder, not a memory."
    if is_refusal(update):
        return "The memory_update was an answer to the request, not a memory."
    if unfilled := find_unfilled_line(update, before, ASKED_PARTS):
        return f"The memory_update held a line that stands for a fact (“{unfilled}”) instead of saying it."
    if speaks_of_the_task(update, f"{before}\n{spoken}"):
        return "The memory_update repeated the instructions instead of following them."
    if is_transcript(update) and not is_transcript(before):
        return "The memory_update was the conversation itself, not a memory."
    return ""


def _keeps_nothing(update: str, before: str) -> bool:
    """Returns whether a text is nothing but sentences, and none of them a line of the memory, which has bullets."""
    if not any(_BULLET.match(line) for line in fact_lines(before)):
        return False
    stood = set(map(fact_key, fact_lines(before)))
    return all(line[0].isalpha() and fact_key(line) not in stood for line in update.split("\n") if line.strip())


def _without_shown_heading(update: str, before: str) -> str:
    """Returns the update without the heading under which the model was shown the memory, and its word for nothing."""
    if _SHOWN_HEADING.match(before):
        return update
    return _SHOWN_HEADING.sub("", update, count=1)


_SHOWN_HEADING: Final = re.compile(r"\A\s*## Current Long-term Memory[ \t]*\n+(?:\(empty\)[ \t]*(?:\n+|\Z))?")
_NOTHING: Final = frozenset({"(empty)", "empty", "{}", "[]", "null", "none", "n/a", "(none)", '""'})


def _check_size(update: str, before: str) -> None:
    limit = min(_MAX_MEMORY, _GROWTH * len(before) + _ROOM)
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
