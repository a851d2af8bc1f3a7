"""Cuts the sections that memory takes of a prompt, where they are too long together, to the budget."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from mnemoscope.domain.context.prompt_snapshot import MEMORY_TITLE, RECENT_TITLE, STATE_TITLE, CutLines, PromptSection
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.llm import is_small_context
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.shipped import shipped_prompt

MEMORY_KIND: Final = "memory"
MEMORY_TITLES: Final = frozenset({MEMORY_TITLE, STATE_TITLE, RECENT_TITLE})
_RECOVERY_SHARE: Final = 4
"""Of the budget, one part in so many is kept free for what is recovered."""
_WINDOW_SHARE: Final = 4
"""Of a small context, memory has one part in so many, beside as much for the program's own words."""
_SMALLER: Final = 4
"""The part of the budget that state and recent history have each, where all of memory does not fit."""


class BudgetedSections(NamedTuple):
    """Holds the sections of a prompt, those of memory within their budget."""

    sections: list[PromptSection]
    cut: int | None
    """The first line, from 0, of the long-term section's whole text that is not sent; None where all of it is."""
    lines: tuple[CutLines, ...] = ()
    """Those that are not sent, by the sentence about them."""


@dataclass(frozen=True, slots=True)
class SentOfFile:
    """Counts how much of a file's text is sent in every prompt."""

    tokens: int
    """Of the whole text, estimated."""
    sent: int
    """Of the part that is sent; as many as `tokens` where that is all."""
    cut: int | None = None
    """The first line, from 0, from which on nothing is sent; None where no end is left out."""
    forgotten: tuple[int, ...] = ()
    """The lines, from 0, that the person had forgotten: they are not sent."""


def memory_budget(settings: Settings, window: int = 0) -> int:
    """Returns the tokens that all of memory may take of a prompt: what the settings say, in a small context no more
    than its share. `window`: the tokens that the model's context holds, 0 where unknown."""
    most = window // _WINDOW_SHARE if is_small_context(window) else settings.memory_budget_tokens
    return min(settings.memory_budget_tokens, most)


def memory_room(settings: Settings, window: int = 0) -> int:
    """Returns the tokens that memory may take of a system prompt: where the context is guarded, a part stays free for
    recovery. `window` as above."""
    budget = memory_budget(settings, window)
    return budget - budget // _RECOVERY_SHARE if settings.guards_context else budget


def smaller_room(settings: Settings) -> int:
    """Returns the tokens that the state of a conversation may take, where all of memory does not fit."""
    return memory_room(settings) // _SMALLER


def is_carried(section: PromptSection) -> bool:
    """Returns whether a section goes within the newest message rather than in the system prompt."""
    return section.title == STATE_TITLE and section.kind == MEMORY_KIND


def memory_tokens(sections: Sequence[PromptSection]) -> int:
    """Returns the tokens of the sections that memory takes."""
    return sum(section.tokens for section in sections if section.kind == MEMORY_KIND)


def within_budget(sections: Sequence[PromptSection], budget: int, notices: list[str]) -> BudgetedSections:
    """Returns the sections, those of memory cut to `budget` tokens in all, and where MEMORY.md is cut; adds a sentence
    to `notices` for each cut.

    Of the state and of recent history the newest lines stay, of MEMORY.md the first.
    """
    if memory_tokens(sections) <= budget:
        return BudgetedSections(list(sections), None)
    memory = [section for section in sections if section.kind == MEMORY_KIND]
    smaller = {each.title: _cut(each, budget // _SMALLER, budget) for each in memory if each.title != MEMORY_TITLE}
    room = budget - sum(each.section.tokens for each in smaller.values())
    cuts = smaller | {each.title: _cut(each, room, budget) for each in memory if each.title == MEMORY_TITLE}
    lines = []
    for each in memory:
        cut = cuts[each.title]
        if cut.stays is not None:
            why = f"{each.source}: cut to {cut.section.tokens:,} of {each.tokens:,} tokens, memory's budget."
            notices.append(why)
            lines.append(CutLines.of(why, each.source, cut.rows))
    fitted = [cuts[section.title].section if section in memory else section for section in sections]
    return BudgetedSections(fitted, cuts[MEMORY_TITLE].stays if MEMORY_TITLE in cuts else None, tuple(lines))


class _Cut(NamedTuple):
    """Holds a section within its tokens, the number of lines that stay of it, None where all of them do, and the
    others."""

    section: PromptSection
    stays: int | None = None
    rows: Sequence[str] = ()


def _cut(section: PromptSection, most: int, budget: int) -> _Cut:
    if section.tokens <= most:
        return _Cut(section)
    keeps_end = section.title != MEMORY_TITLE
    marker = shipped_prompt("older-cut" if keeps_end else "memory-cut").format(source=section.source, budget=budget)
    head, *lines = section.text.split("\n")

    def cut_text(count: int) -> str:
        if keeps_end:
            return "\n".join([head, marker, *lines[len(lines) - count :]])
        return "\n".join([head, *lines[:count], marker])

    count = bisect_right(range(len(lines)), most, key=lambda count: estimate_tokens(cut_text(count))) - 1
    count = max(0, count)
    text = cut_text(count)
    rows = lines[: len(lines) - count] if keeps_end else lines[count:]
    return _Cut(replace(section, text=text, tokens=estimate_tokens(text)), count + 1, rows)
