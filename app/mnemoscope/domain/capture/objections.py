"""Some matches are no statement of the person's: questions, words of others, conditions, statements about somebody
else."""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.capture.folded_message import Folded, Sentence
from mnemoscope.domain.capture.rules import Language, Rule

QUESTION: Final = "question"
HYPOTHETICAL: Final = "hypothetical"
REPORTED: Final = "reported speech"
NEGATED: Final = "negated"
THIRD_PERSON: Final = "third person"
VAGUE: Final = "too vague"
SECRET: Final = "secret"
_BEFORE: Final = 160
"""Characters in front of a hit that are looked at."""
_AFTER: Final = 240
_TOLD: Final = 60
_FEW_WORDS: Final = 5
_FEW_LETTERS: Final = 8
"""How long it may be that says who said something."""
_AROUND: Final = " ,;.!?…\"'“”«»„—–-"
_CLAUSE: Final = re.compile(r"(?:^|[,;:.!?()\[\]\"'«»“”—–]|\s-)\s*$")
_JOINT: Final = re.compile(r"[,;:.—–]\s*| --? ")


def objection(rule: Rule, folded: Folded, sentence: Sentence, start: int, stop: int) -> str:
    """Returns why a match [start, stop) in this sentence is no statement of the person's, or ""."""
    language = rule.language
    before = folded.low[max(sentence.start, start - _BEFORE) : start]
    if QUESTION not in rule.allows and _is_asked(language, folded.low, sentence, start, stop):
        return QUESTION
    for guard, reason in (("hypothetical", HYPOTHETICAL), ("reported", REPORTED), ("negated", NEGATED)):
        pattern = language.guards.get(guard)
        if pattern and reason not in rule.allows and pattern.search(before):
            return reason
    if REPORTED not in rule.allows and _is_told(language, folded.low, stop, sentence.stop):
        return REPORTED
    # A value says what it is wherever it stands; what a person says of themselves begins a clause.
    is_bare = rule.category == "specific_value"
    if not is_bare and THIRD_PERSON not in rule.allows and not _begins_clause(language, before):
        return THIRD_PERSON
    return ""


def _is_told(language: Language, low: str, stop: int, end: int) -> bool:
    """Returns whether the sentence ends with the name of who said it: `I prefer tea, said Anna.`"""
    told = language.guards.get("told")
    rest = low[stop : min(end, stop + _TOLD)].strip(_AROUND)
    if not told or not rest or end > stop + _TOLD:
        return False
    if not language.is_spaced:
        return len(rest) <= _FEW_LETTERS and bool(told.search(rest))
    return len(rest.split()) <= _FEW_WORDS and bool(told.match(rest))


def _is_asked(language: Language, low: str, sentence: Sentence, start: int, stop: int) -> bool:
    pattern = language.guards.get("questions")
    if not sentence.asks:
        head = low[sentence.start : min(sentence.stop, sentence.start + 48)]
        if pattern is None:
            return False
        if not language.is_spaced:
            return bool(pattern.search(low[sentence.start : sentence.stop][:_AFTER]))
        opening = _without_openers(language, head)
        return bool(pattern.match(opening))
    if start > sentence.start and pattern and pattern.match(low[sentence.start : start]):
        return True
    # "My name is Anna, what's yours?": the question is the other clause.
    rest = low[stop : min(sentence.stop, stop + _AFTER)]
    joints = language.guards.get("joints")
    ends = [joint.end() for pattern in (_JOINT, joints) if pattern for joint in pattern.finditer(rest)]
    return not any(_asks(language, rest[end:].lstrip()) for end in ends)


def _asks(language: Language, clause: str) -> bool:
    pattern = language.guards.get("questions")
    if pattern is None:
        return False
    if not language.is_spaced:
        return bool(pattern.search(clause))
    if clause.rstrip("?!. ").endswith(tuple(language.words["question_ends"])):
        return True
    return bool(pattern.match(clause) or pattern.match(_without_openers(language, clause)))


def _without_openers(language: Language, text: str) -> str:
    openers = language.guards.get("openers")
    while openers and (found := openers.match(text)):
        text = text[found.end() :].lstrip(" ,:;!.-")
    return text


def _begins_clause(language: Language, before: str) -> bool:
    """Returns whether a clause can begin here: behind punctuation, or behind words that only lead to it."""
    tail = before[-60:]
    openers, joints = language.guards.get("openers"), language.guards.get("joints")
    if joints and _last(joints, tail):
        return True
    for _ in range(4):
        if _CLAUSE.search(tail):
            return True
        found = _last(openers, tail) if openers else None
        if found is None:
            return False
        tail = tail[: found.start()]
    return False


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Returns the match that ends the text but for blanks."""
    bare = len(text.rstrip())
    return next((found for found in pattern.finditer(text) if found.end() == bare), None)
