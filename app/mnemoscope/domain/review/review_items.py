"""Review items: the single passages of what waits, each with its own reasons, in groups of the same reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.memory.change import MemoryConflict
from mnemoscope.domain.memory.facts import added_facts, fact_key
from mnemoscope.domain.memory.suggestion import FactSource, Suggestion

_QUOTED: Final = re.compile("“.*”", re.DOTALL)
"""From the first quotation mark to the last, since what is quoted may have quotation marks of its own."""
_FLAT: Final = re.compile("“[^”]*”")
_MARK: Final = re.compile("[“”]")
_NUMBER: Final = re.compile(r"\d[\d,.]*\d|\d")
_BLANKS: Final = re.compile(r"\s+")


_TOOL_ALONE: Final = "Only a tool or file said “{words}”."
"""As the gate says it of a line that no word of the person and of an answer of their own supports."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """Describes one passage that a person accepts or rejects. `passage` is None where the suggestion cannot be taken
    apart: then it is decided whole. `reasons` are those of this passage, () where it only came along with one that has
    some."""

    suggestion: Suggestion
    passage: MemoryConflict | None
    reasons: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Returns the first reason without what it quotes and counts; "" for no reason. Items of one kind are a
        group."""
        return reason_kind(self.reasons[0]) if self.reasons else ""

    @property
    def before(self) -> str:
        """Returns the text as it stands."""
        return self.suggestion.before if self.passage is None else self.passage.mine

    @property
    def after(self) -> str:
        """Returns the text as it is proposed."""
        return self.suggestion.proposed if self.passage is None else self.passage.theirs

    @property
    def added(self) -> list[str]:
        """Returns the facts that accepting would add; other words for one count as added."""
        return added_facts(self.before, self.after)

    @property
    def removed(self) -> list[str]:
        """Returns the facts that accepting would take out and put nothing in their place."""
        return [] if self.added else added_facts(self.after, self.before)

    @property
    def sources(self) -> list[FactSource]:
        """Returns the messages that it was made from: those of the suggestion, or those of each fact that it adds."""
        whole = self.suggestion
        if whole.session_key and whole.stop > whole.start:
            return [FactSource("", whole.session_key, whole.start, whole.stop)]
        added = set(map(fact_key, self.added)) if whole.sources else ()
        return [each for each in whole.sources if fact_key(f"- {each.fact}") in added]


def fact_source(suggestion: Suggestion, line: str) -> FactSource | None:
    """Returns where a line was noted that an import brought as a suggestion, None where that is not known."""
    wanted = fact_key(line)
    return next((each for each in suggestion.sources if fact_key(f"- {each.fact}") == wanted), None)


def reason_kind(reason: str) -> str:
    """Returns a reason without what it counts, what it quotes and what stands between two quotations, so that the same
    reason of two texts is the same string."""
    return _NUMBER.sub("#", _QUOTED.sub("“…”", reason))


def review_items(suggestions: Iterable[Suggestion]) -> list[ReviewItem]:
    """Returns what waits, passage by passage: groups in the order of their oldest item, and oldest first in each."""
    items = [item for suggestion in suggestions for item in items_of(suggestion)]
    groups: dict[str, list[ReviewItem]] = {}
    for item in items:
        groups.setdefault(item.kind, []).append(item)
    return [item for group in groups.values() for item in group]


def items_of(suggestion: Suggestion) -> list[ReviewItem]:
    """Returns the items of one suggestion, in the order of its passages."""
    passages = suggestion.conflicts
    if not passages:
        return [ReviewItem(suggestion, None, suggestion.reasons)]
    own: list[list[str]] = [[] for _ in passages]
    common = []
    for reason in suggestion.reasons:
        places = _places_of(reason, passages)
        for place in places:
            own[place].append(reason)
        if not places:
            common.append(reason)
    return [
        ReviewItem(suggestion, passage, (*reasons, *common)) for passage, reasons in zip(passages, own, strict=True)
    ]


def is_apart_alone(suggestion: Suggestion) -> bool:
    """Returns whether the passages of a suggestion may be accepted one by one alone: there are several, and one of them
    has lines that only a tool or a file said."""
    items = items_of(suggestion)
    kind = reason_kind(_TOOL_ALONE)
    return len(items) > 1 and any(reason_kind(reason) == kind for item in items for reason in item.reasons)


def reasons_of(reasons: Iterable[str], text: str, others: Iterable[str]) -> tuple[str, ...]:
    """Returns the reasons of a text: those that quote it, and those that quote none of the other texts."""
    own, rest = _plain(text), [_plain(each) for each in others]
    found = []
    for reason in reasons:
        quoted = _quoted_words(reason)
        if _has_any(own, quoted) or not any(_has_any(each, quoted) for each in rest):
            found.append(reason)
    return tuple(found)


def _places_of(reason: str, passages: Sequence[MemoryConflict]) -> list[int]:
    """Returns the places of the passages that a reason quotes; what it quotes may be cut with an ellipsis."""
    quoted = _quoted_words(reason)
    texts = [_plain(f"{each.theirs}\n{each.mine}\n{each.base}") for each in passages]
    return [place for place, text in enumerate(texts) if _has_any(text, quoted)]


def _quoted_words(reason: str) -> list[str]:
    return [_plain(words).removesuffix("…") for words in _quotations(reason)]


def _has_any(text: str, quoted: Iterable[str]) -> bool:
    return any(words and words in text for words in quoted)


def _quotations(reason: str) -> list[str]:
    """Returns what a reason quotes, whole where that has quotation marks of its own. Where these are not in pairs, as
    in words that were cut, it is both what comes before the first closing mark and what comes before the last."""
    found: list[str] = []
    depth = start = 0
    for mark in _MARK.finditer(reason):
        if mark[0] == "“":
            start = start if depth else mark.end()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                found.append(reason[start : mark.start()])
    if depth:
        rest = reason[start - 1 :]
        found += [match[0][1:-1] for pattern in (_FLAT, _QUOTED) if (match := pattern.search(rest))]
    return found


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()
