"""A person settles two facts that disagree: the old one is kept, the new one takes its place from a day on, or both
stand with the scope in which each holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import Final, Literal

from mnemoscope.domain.capture.lines import escaped_capture, is_struck, standing_line, struck_line
from mnemoscope.domain.contradiction.memory_check import Disagreement, is_struck_form, quoted, replaced, says
from mnemoscope.domain.memory.facts import fact_key, fact_lines
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.domain.review.review_items import ReviewItem, review_items

_SCOPE: Final = re.compile(r" \([^()]*\)\s*$")
_BEGIN: Final = Disagreement("", "").sentence.partition("“")[0]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The person's choice. `until` is the day from which the new fact holds; the scopes, such as "at work", are those
    of `both`."""

    choice: Literal["keep", "replace", "both"]
    until: date | None = None
    old_scope: str = ""
    new_scope: str = ""


@dataclass(frozen=True, slots=True)
class PairItem(ReviewItem):
    """Two facts that disagree, as one item of the review: it is settled by a `Settlement`."""

    pair: Disagreement


def items_with_pairs(suggestions: Iterable[Suggestion]) -> list[ReviewItem]:
    """Returns what waits: each pair of facts that disagree as one item, and the other passages as `review_items`
    does."""
    pairs: list[ReviewItem] = []
    others = []
    for suggestion in suggestions:
        found = pairs_of(suggestion)
        if not found:
            others.append(suggestion)
            continue
        sentences = {pair.sentence for pair in found}
        reasons = tuple(reason for reason in suggestion.reasons if reason not in sentences)
        pairs += [PairItem(suggestion, None, (pair.sentence, *reasons), pair) for pair in found]
        keys = {fact_key(line) for pair in found for line in (pair.old, pair.new)}
        rest = tuple(each for each in suggestion.conflicts if not keys & _keys(f"{each.mine}\n{each.theirs}"))
        if rest:
            others.append(replace(suggestion, reasons=reasons, conflicts=rest))
    return [*pairs, *review_items(others)]


def pairs_of(suggestion: Suggestion) -> tuple[Disagreement, ...]:
    """Returns the pairs of lines that a suggestion waits for because they disagree."""
    wanted = dict.fromkeys(reason for reason in suggestion.reasons if reason.startswith(_BEGIN))
    if not wanted:
        return ()
    old = [line for line in fact_lines(suggestion.before) if not is_struck(line)]
    new = [line for line in fact_lines(suggestion.proposed) if not is_struck(line)]
    # Each line is quoted once: two long files have very many pairs of lines.
    old_quotes, new_quotes = [(line, quoted(line)) for line in old], [(line, quoted(line)) for line in new]
    found = (_named_pair(reason, old_quotes, new_quotes) for reason in wanted)
    return tuple(pair for pair in found if pair is not None)


def _named_pair(reason: str, old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> Disagreement | None:
    """Returns the pair that a reason names, of lines with their quotations; of equal ones those furthest down."""
    named_old = [line for line, quote in reversed(old) if quote in reason]
    named_new = [line for line, quote in reversed(new) if quote in reason]
    pairs = (Disagreement(one, other) for one in named_old for other in named_new)
    return next((pair for pair in pairs if pair.sentence == reason), None)


def pair_id(path: str, pair: Disagreement) -> str:
    """Returns the id under which a pair of lines of one file waits, whatever their order. Scopes in brackets at the
    end do not count, so that a pair that was kept with its scopes is known again."""
    said = sorted(fact_key(_SCOPE.sub("", line)) for line in (pair.old, pair.new))
    return sha256("\n".join((path, *said)).encode()).hexdigest()[:16]


def settled_text(text: str, pair: Disagreement, settlement: Settlement) -> str | None:
    """Returns the text as the person settled the pair, wherever its lines stand; None where the old line does not stand
    in it. A new line that is not there yet is put below the old one."""
    lines = text.split("\n")
    if pair.old not in lines:
        return None
    if settlement.choice == "keep":
        return "\n".join(line for line in lines if not says(line, pair.new))
    if pair.new not in lines:
        lines.insert(lines.index(pair.old) + 1, pair.new)
    if settlement.choice == "replace" and settlement.until is not None:
        return replaced("\n".join(lines), (pair,), settlement.until)
    for fact, scope in ((pair.old, settlement.old_scope), (pair.new, settlement.new_scope)):
        lines = [with_scope(line, scope) if says(line, fact) else line for line in lines]
    return "\n".join(lines)


def with_scope(line: str, scope: str) -> str:
    """Returns a line that says in brackets where or when it holds; without words it stays as it is."""
    words = scope.strip().strip("()").strip()
    return f"{line.rstrip()} ({escaped_capture(words)})" if words else line


def without_pair(suggestion: Suggestion, pair: Disagreement) -> str:
    """Returns the proposed text as if the pair had not been brought: the old line stands, and the new one is there only
    where it stood before."""
    before = suggestion.before.split("\n")
    lines = [line for line in suggestion.proposed.split("\n") if pair.new in before or line != pair.new]
    stood = {_without_day(struck_line(line, date.max)): line for line in before if says(line, pair.old)}
    # What was struck before, the proposal did not strike.
    return "\n".join(
        stood.get(_without_day(line), pair.old) if line not in before and is_struck_form(line, pair.old) else line
        for line in lines
    )


def _without_day(struck: str) -> str:
    return struck.rpartition(" (until ")[0]


def _keys(text: str) -> set[str]:
    return {fact_key(standing_line(line)) for line in text.split("\n")} - {""}
