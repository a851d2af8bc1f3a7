"""A person judges what the rules of capture found: right, wrong, or missed. Judgements are tests of the rules, and so
are the examples that stand beside a rule.

A judgement's line in `capture/marks.jsonl` is `{"text", "start", "stop", "category", "verdict", "rule", "language"}`;
places are characters of the message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mnemoscope.domain.capture.rules import CATEGORIES, DECOY, STATEMENT, Rule, RuleSet
from mnemoscope.domain.capture.scan import Capture, captures_in
from mnemoscope.domain.text.json_text import parsed_json

PersonsVerdict = Literal["right", "wrong", "missed"]
_VERDICTS: Final[tuple[PersonsVerdict, ...]] = ("right", "wrong", "missed")
NO_RULE: Final = ""
"""The rule of what no rule found."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Describes a judgement of one place in a message; `rule` is the rule that matched there, NO_RULE if something was
    missed."""

    text: str
    start: int
    stop: int
    category: str
    verdict: PersonsVerdict
    rule: str = NO_RULE
    language: str = ""

    @property
    def words(self) -> str:
        """Returns the words that were judged."""
        return self.text[self.start : self.stop]

    @property
    def is_wanted(self) -> bool:
        """Returns whether the place is to be captured."""
        return self.verdict != "wrong"

    def is_same_place(self, other: Judgement) -> bool:
        """Returns whether a later judgement replaces this one."""
        if (self.text, self.category) != (other.text, other.category):
            return False
        return self.start < other.stop and other.start < self.stop


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of captures: `found` were wanted and captured, `false` captured and not wanted, `missed` wanted and not
    captured."""

    found: int = 0
    false: int = 0
    missed: int = 0

    @property
    def precision(self) -> float | None:
        """Returns the share of the captures that are right, 0 to 1; None if there were none."""
        return self.found / (self.found + self.false) if self.found + self.false else None

    @property
    def recall(self) -> float | None:
        """Returns the share of the wanted captures that were made, 0 to 1; None if none is wanted."""
        return self.found / (self.found + self.missed) if self.found + self.missed else None

    def plus(self, other: Tally) -> Tally:
        """Returns the sum of both tallies."""
        return Tally(self.found + other.found, self.false + other.false, self.missed + other.missed)


@dataclass(frozen=True, slots=True)
class JudgementFailure:
    """Describes a judgement that the rules do not follow, and the rule that captures what it must not, or NO_RULE."""

    mark: Judgement
    by: str = NO_RULE

    @property
    def sentence(self) -> str:
        """Returns a sentence that tells the person what is wrong."""
        if self.mark.is_wanted:
            return f"“{self.mark.words}” is to be remembered as {self.mark.category} and would not be."
        return f"“{self.mark.words}” would be remembered as {self.mark.category}, by {self.by}, and is not to be."


@dataclass(frozen=True, slots=True)
class RuleScore:
    """Scores how well rules follow the judgements: in all, by rule and by language; lists those not followed."""

    total: Tally = field(default_factory=Tally)
    by_rule: Mapping[str, Tally] = field(default_factory=dict)
    by_language: Mapping[str, Tally] = field(default_factory=dict)
    failures: tuple[JudgementFailure, ...] = ()


def score_rules(marks: Iterable[Judgement], rules: RuleSet) -> RuleScore:
    """Runs the rules over every message that has judgements. A capture that nobody judged counts for nothing."""
    by_text: dict[str, list[Judgement]] = {}
    for mark in marks:
        by_text.setdefault(mark.text, []).append(mark)
    total, failures = Tally(), list[JudgementFailure]()
    by_rule: dict[str, Tally] = {}
    by_language: dict[str, Tally] = {}
    for text, theirs in by_text.items():
        captures = captures_in(text, rules)
        for mark in theirs:
            hit = _hit(mark, captures)
            tally = _judged(mark, hit)
            rule = hit.rule if hit else mark.rule
            language = hit.language if hit else mark.language
            total = total.plus(tally)
            by_rule[rule] = by_rule.get(rule, Tally()).plus(tally)
            by_language[language] = by_language.get(language, Tally()).plus(tally)
            if tally.false or tally.missed:
                failures.append(JudgementFailure(mark, hit.rule if hit else NO_RULE))
    return RuleScore(total, by_rule, by_language, tuple(failures))


def _hit(mark: Judgement, captures: Sequence[Capture]) -> Capture | None:
    """Returns the capture that a judgement is about: the one of its category, at its place."""
    for each in captures:
        if each.category == mark.category and each.span[0] < mark.stop and mark.start < each.span[1]:
            return each
    return None


def _judged(mark: Judgement, hit: Capture | None) -> Tally:
    if mark.is_wanted:
        return Tally(found=1) if hit else Tally(missed=1)
    return Tally(false=1) if hit else Tally()


def with_judgement(marks: Sequence[Judgement], new: Judgement) -> list[Judgement]:
    """Returns the judgements with one more, which replaces an earlier one of the same place."""
    return [*(each for each in marks if not each.is_same_place(new)), new]


def encode_judgement(mark: Judgement) -> str:
    """Returns a judgement's line, without its newline."""
    fields = {
        "text": mark.text,
        "start": mark.start,
        "stop": mark.stop,
        "category": mark.category,
        "verdict": mark.verdict,
        "rule": mark.rule,
        "language": mark.language,
    }
    return json.dumps(fields, ensure_ascii=False)


def decode_judgement(line: str) -> Judgement | None:
    """Returns the judgement that a line holds; None for any other line."""
    found = parsed_json(line)
    return _mark(found) if isinstance(found, dict) else None


def _mark(found: Mapping[str, Any]) -> Judgement | None:
    text, start, stop = found.get("text"), found.get("start"), found.get("stop")
    category, verdict = found.get("category"), found.get("verdict")
    if not isinstance(text, str) or category not in CATEGORIES or verdict not in _VERDICTS:
        return None
    if not isinstance(start, int) or not isinstance(stop, int) or not 0 <= start < stop <= len(text):
        return None
    return Judgement(text, start, stop, category, verdict, _word(found.get("rule")), _word(found.get("language")))


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def added_rules(rules: RuleSet, shipped: RuleSet) -> list[Rule]:
    """Returns the rules that the program does not ship."""
    known = {each.id: each.patterns for each in shipped.rules}
    return [each for each in rules.rules if known.get(each.id) != each.patterns]


def broken_examples(rules: RuleSet, shipped: RuleSet) -> tuple[str, ...]:
    """Returns a sentence for each example that one of the person's own rules does not follow."""
    added = (each for each in added_rules(rules, shipped) if each.category not in (STATEMENT, DECOY))
    return tuple(sentence for rule in added for sentence in _broken_by(rule, rules))


def _broken_by(rule: Rule, rules: RuleSet) -> Iterator[str]:
    for text in rule.examples:
        found = [each.rule for each in captures_in(text, rules)]
        if rule.id not in found:
            instead = f"; {found[0]} finds it instead" if found else ""
            yield f"{rule.id}: its example “{text}” is not found by it{instead}."
    for text in rule.counterexamples:
        if rule.id in [each.rule for each in captures_in(text, rules)]:
            yield f"{rule.id}: its counterexample “{text}” is found by it."
