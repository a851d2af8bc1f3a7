"""A person settles two facts that disagree: the old one is kept, the new one takes its place from a day on, or both
stand with the scope in which each holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal

from mnemoscope.domain.capture.captured_line import escaped_capture, is_struck, standing_line, struck_line
from mnemoscope.domain.disagreement.memory_check import (
    Disagreement,
    PlacedPair,
    is_struck_form,
    quoted,
    says,
    sentence_across,
    with_struck_lines,
)
from mnemoscope.domain.memory.facts import fact_key, fact_lines
from mnemoscope.domain.memory.file_registry import COMPARED_FILES
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import changed_passages, settle_conflict
from mnemoscope.domain.merge.three_way import Conflict
from mnemoscope.domain.review.review_items import ReviewItem, reasons_of, review_items

_SCOPE: Final = re.compile(r" \([^()]*\)\s*$")
_WITHIN: Final = Disagreement("", "").sentence.partition("“")[0]
_ACROSS: Final = sentence_across("", "", "/").partition(":")[0]
"""The beginnings of the reasons for which two facts wait for the person: two of one file (`_WITHIN`), and two of
different files (`_ACROSS`)."""
_NO_TEXTS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settlement:
    """Holds the person's choice. `until` is the day from which the new fact holds; the scopes, such as "at work", are
    those of `both`."""

    choice: Literal["keep", "replace", "both"]
    until: date | None = None
    old_scope: str = ""
    new_scope: str = ""


@dataclass(frozen=True, slots=True)
class PairItem(ReviewItem):
    """Describes two facts that disagree, as one item of the review: it is settled by a `Settlement`."""

    placed: PlacedPair

    @property
    def pair(self) -> Disagreement:
        """Returns the two lines."""
        return self.placed.pair

    @property
    def is_brought(self) -> bool:
        """Returns whether the newer line is only proposed, and does not stand yet."""
        is_here = self.placed.new_path == self.suggestion.path
        return is_here and self.pair.new not in self.suggestion.before.split("\n")


@dataclass(frozen=True, slots=True)
class Settled:
    """Holds the texts of the memory files, by path, as the person settled a pair; and what of its suggestion waits on,
    whose passages are to be found anew."""

    texts: Mapping[str, str]
    left: Suggestion | None


def items_with_pairs(suggestions: Iterable[Suggestion], texts: Mapping[str, str] = _NO_TEXTS) -> list[ReviewItem]:
    """Returns what waits: each pair of facts that disagree as one item, and the other passages as `review_items`
    does. `texts` are those of the memory files, by path: a pair of two files is found only with them."""
    pairs: list[ReviewItem] = []
    others = []
    for suggestion in suggestions:
        found = pairs_of(suggestion, texts)
        if not found:
            others.append(suggestion)
            continue
        sentences = {each.reason(suggestion.path) for each in found}
        reasons = tuple(reason for reason in suggestion.reasons if reason not in sentences)
        keys = {fact_key(line) for each in found for line in (each.pair.old, each.pair.new)}
        rest = tuple(each for each in suggestion.conflicts if not keys & _keys(f"{each.mine}\n{each.theirs}"))
        of_pairs = {each: _said_in(each) for each in found}
        of_rest = [f"{each.mine}\n{each.theirs}\n{each.base}" for each in rest]
        for each, text in of_pairs.items():
            apart = [*of_rest, *(other for pair, other in of_pairs.items() if pair != each)]
            own = reasons_of(reasons, text, apart)
            pairs.append(PairItem(suggestion, None, (each.reason(suggestion.path), *own), each))
        if rest:
            own = reasons_of(reasons, "\n".join(of_rest), of_pairs.values())
            others.append(replace(suggestion, reasons=own, conflicts=rest))
    return [*pairs, *review_items(others)]


def pairs_of(suggestion: Suggestion, texts: Mapping[str, str] = _NO_TEXTS) -> tuple[PlacedPair, ...]:
    """Returns the pairs of lines that a suggestion waits for because they disagree, as they stand in it and in the
    other files of `texts`."""
    wanted = [reason for reason in dict.fromkeys(suggestion.reasons) if reason.startswith((_WITHIN, _ACROSS))]
    if not wanted:
        return ()
    # Each line is quoted once: two long files have very many pairs of lines.
    here, path = _quotes(suggestion.before), suggestion.path
    proposed = _quotes(suggestion.proposed)
    others = {other: _quotes(text) for other, text in texts.items() if other != path}
    found = []
    for reason in wanted:
        pairs = [PlacedPair(pair, path, path) for pair in _named(reason, here, proposed)]
        for other, lines in others.items() if reason.startswith(_ACROSS) else ():
            struck = (pair for pair in _named(reason, here, lines) if _strikes(suggestion, pair))
            pairs += [PlacedPair(pair, path, other) for pair in struck]
            pairs += [PlacedPair(pair, other, path) for pair in _named(reason, lines, proposed)]
        found += [each for each in pairs if each.reason(path) == reason][:1]
    return tuple(found)


def _said_in(placed: PlacedPair) -> str:
    return f"{placed.pair.old}\n{placed.pair.new}"


def _quotes(text: str) -> list[tuple[str, str]]:
    """Returns the lines of a text that state something, each with its quotation, those furthest down first."""
    return [(line, quoted(line)) for line in reversed(fact_lines(text)) if not is_struck(line)]


def _named(reason: str, old: Sequence[tuple[str, str]], new: Sequence[tuple[str, str]]) -> Iterator[Disagreement]:
    """Yields each two lines of which a reason quotes both."""
    named = [line for line, quote in new if quote in reason]
    return (Disagreement(one, other) for one, quote in old if quote in reason for other in named)


def _strikes(suggestion: Suggestion, pair: Disagreement) -> bool:
    """Returns whether a suggestion would strike the older line of a pair."""
    before = suggestion.before.split("\n")
    return any(is_struck_form(line, pair.old) and line not in before for line in suggestion.proposed.split("\n"))


def pair_id(path: str, pair: Disagreement, other: str = "") -> str:
    """Returns the id under which a pair of lines of one file, or of two, waits, whatever their order. Scopes in
    brackets at the end do not count, so that a pair that was kept with its scopes is known again."""
    said = sorted(fact_key(_SCOPE.sub("", line)) for line in (pair.old, pair.new))
    return sha256("\n".join((*sorted({path, other or path}), *said)).encode()).hexdigest()[:16]


def settled(
    suggestion: Suggestion, placed: PlacedPair, settlement: Settlement, texts: Mapping[str, str]
) -> Settled | None:
    """Returns the texts of the memory files as the person settled a pair of a suggestion, which rests on the text of
    its file; None where the pair does not stand in them as it was shown."""
    here, found = suggestion.path, pairs_of(suggestion, texts)
    if placed not in found:
        return None
    before = suggestion.before.split("\n")
    is_refused = settlement.choice == "keep" and placed.pair.new not in before
    # A new line that is not written disagrees with no other, either.
    over = [each for each in found if each == placed or (is_refused and each.pair.new == placed.pair.new)]
    after = {
        path: settled_text(text, placed, path, settlement, suggestion.proposed)
        for path, text in {**texts, here: suggestion.before}.items()
    }
    if only_strikes(suggestion) and set(found) <= set(over):
        return Settled(after, None)
    rest = suggestion
    for each in over:
        rest = replace(rest, proposed=without_pair(rest, each.pair))
    proposed = settled_text(rest.proposed, placed, here, settlement, suggestion.proposed)
    left = replace(suggestion, before=after[here], proposed=proposed, conflicts=())
    if passages := changed_passages(after[here], proposed):
        sentences = {each.reason(here) for each in over}
        waits = [f"{each.base}\n{each.theirs}" for each in passages]
        waits += [_said_in(each) for each in found if each not in over]
        kept = [reason for reason in left.reasons if reason not in sentences]
        return Settled(after, replace(left, reasons=reasons_of(kept, "\n".join(waits), map(_said_in, over))))
    reasons = tuple(each.reason(here) for each in found if each not in over)
    left = replace(left, proposed=after[here], reasons=reasons)
    return Settled(after, left if pairs_of(left, after) else None)


def settled_text(text: str, placed: PlacedPair, path: str, settlement: Settlement, proposed: str = "") -> str:
    """Returns the text of the file at `path` as the person settled the pair, wherever its lines stand. A new line that
    is not there yet is put below the old one, or where it stands in the `proposed` text."""
    pair, choice, lines = placed.pair, settlement.choice, text.split("\n")
    if path == placed.new_path and choice == "keep":
        return "\n".join(line for line in lines if not says(line, pair.new))
    if path == placed.new_path and pair.new not in lines:
        if pair.old in lines:
            lines.insert(lines.index(pair.old) + 1, pair.new)
        else:
            put_in = settle_conflict(text, Conflict("", "", pair.new), "theirs", proposed)
            lines = text.split("\n") if put_in is None else put_in.split("\n")
    if path == placed.old_path and choice == "replace" and settlement.until is not None:
        lines = with_struck_lines("\n".join(lines), (pair,), settlement.until).split("\n")
    if choice == "both":
        scopes = ((placed.old_path, pair.old, settlement.old_scope), (placed.new_path, pair.new, settlement.new_scope))
        for of_path, fact, scope in scopes:
            lines = [with_scope(line, scope) if path == of_path and says(line, fact) else line for line in lines]
    return "\n".join(lines)


def asks_about_nothing(suggestion: Suggestion, texts: Mapping[str, str]) -> bool:
    """Returns whether a suggestion only asks which of two lines holds, and one of them does not stand any more.
    `texts` are those of all memory files that say what is known; without one of them it cannot be told."""
    return set(COMPARED_FILES) <= texts.keys() and only_strikes(suggestion) and not pairs_of(suggestion, texts)


def only_strikes(suggestion: Suggestion) -> bool:
    """Returns whether a suggestion does no more than to strike lines, since others disagree with them."""
    struck = [each.theirs for each in suggestion.conflicts if is_struck(each.theirs)]
    strikes = all(
        each.theirs in struck or (not each.theirs and any(is_struck_form(line, each.mine) for line in struck))
        for each in suggestion.conflicts
    )
    reasons = suggestion.reasons
    return strikes and bool(reasons) and all(reason.startswith((_WITHIN, _ACROSS)) for reason in reasons)


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
