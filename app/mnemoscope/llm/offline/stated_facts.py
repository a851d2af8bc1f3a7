"""People state facts in plain words. There are few patterns, each anchored at a sentence's start: it is better to miss
a fact than to write ordinary talk into somebody's memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.text.characters import APOSTROPHE
from mnemoscope.domain.text.fences import outside_code
from mnemoscope.llm.offline.keywords import clip, holds_secret, sentences

_FACT_LIMIT: Final = 240
"""Characters of one bullet at most."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """Describes one thing to keep: a one-line `text`, and `kind`, which chooses the heading: `person`, `preference`,
    `project`, `decision` or `note`."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: str
    regex: re.Pattern[str]
    words: Callable[[re.Match[str]], str]


def facts_in(text: str) -> Iterator[StatedFact]:
    """Yields the facts stated in a person's own words, in order. Questions, conditions, code and secrets give none."""
    for line in outside_code(text.splitlines()):
        if line.lstrip().startswith((">", "|", "`")):
            continue
        for sentence in sentences(line):
            yield from _facts_of(sentence)


def _facts_of(sentence: str) -> Iterator[StatedFact]:
    whole = _fact_of(sentence)
    if whole is not None and whole.kind == "note":
        yield whole
    elif not sentence.endswith(("?", "？")):
        yield from (fact for clause in _AND.split(sentence) if (fact := _fact_of(clause)) is not None)


def _fact_of(sentence: str) -> StatedFact | None:
    plain = APOSTROPHE.sub("'", sentence).strip()
    if plain.endswith(("?", "？")) or holds_secret(plain):
        return None
    plain = _OPENING.sub("", plain)
    for pattern in _PATTERNS:
        match = pattern.regex.match(plain)
        if match:
            return _tidy(pattern.words(match), pattern.kind)
    return None


def _tidy(words: str, kind: str) -> StatedFact | None:
    text = clip(words, _FACT_LIMIT).strip(" .!;,。！")
    text = text.lstrip("#-*+>|`~=[]! ")
    if len(text) < 3 or ("://" in text and "](" in text):
        return None
    return StatedFact(text[0].upper() + text[1:], kind)


def _inner(match: re.Match[str]) -> str:
    """Returns the words that were to be remembered, in the shape a pattern would give them."""
    inner = _fact_of(match["rest"])
    if inner is not None:
        return inner.text
    return f"Remember {match['rest']}" if match["rest"].lower().startswith("to ") else match["rest"]


def _possession(match: re.Match[str]) -> str:
    return f"{match['what']} {match['verb']} {match['rest']}"


def _start(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_OPENING: Final = _start(
    r"\A(?:(?:ok(?:ay)?|hi|hello|hey|well|so|and|also|but|yes|no|right|fine|great|thanks|thank you|please|by the way|"
    r"btw|just so you know|fyi|for the record|from now on|in general|today|actually)\b[\s,;:!.–-]*)*"
)
_AND: Final = re.compile(r"[,;]?\s+(?:and|but)\s+(?=(?:i|i['’]m|my|we|we['’]ve|our|the deadline)\s)", re.IGNORECASE)
_PERSONAL: Final = (
    r"(?:full |first |last |middle |user |nick)name|time ?zone|birthday|e-?mail(?: address)?|job|role|profession|"
    r"(?:native |first )?language|pronouns|editor|shell|operating system|company|employer|team|city|country|address|"
    r"phone(?: number)?|wife|husband|partner|son|daughter|brother|sister|dog|cat|boss|manager|diet|hobby|"
    r"favou?rite [\w -]{2,30}"
)
_PROJECT: Final = (
    r"deadline|release(?: date)?|launch(?: date)?|budget|stack|database|repository|repo|branch|server|staging|port|"
    r"code ?name|project(?: name)?|goal|target|coding style|licen[cs]e|client|customer|meeting|stand-?up|due date"
)
_IS: Final = r"(?P<verb>is|are|was moved to|will be|has moved to)"
_REST: Final = r"(?P<rest>\S.{1,400})"
_WHEN: Final = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|\d{4}-\d\d-\d\d|\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|noon|midnight|"
    r"(?:every|each) \w+|\w+ o['’]clock"
)
_HAPPENS: Final = (
    r"is|are|will be|opens?|closes?|starts?|begins?|ends?|takes? place|happens?|arrives?|was moved|were moved|has moved"
)

_PATTERNS: Final = (
    _Pattern(
        "note",
        _start(
            r"(?:can you |could you |you should |i want you to |i'd like you to |let's )?(?:please )?"
            r"(?:remember|don't forget|do not forget|keep in mind|note|make a note|take note|write down|memori[sz]e)"
            rf"(?: this)?(?: that\b|\s*[:：,]| for later[:,]?)\s*{_REST}"
        ),
        _inner,
    ),
    _Pattern(
        "note",
        _start(rf"(?:please )?(?:remember|don't forget) (?=(?:to|my|our|the|i|we|i'm)\b)(?!the (?:time|day)){_REST}"),
        _inner,
    ),
    _Pattern("note", _start(rf"(?:请|請)?(?:记住|記住)[：:，,\s]*{_REST}"), _inner),
    _Pattern(
        "person",
        _start(
            r"(?:(?:my name is|i am called|i'm called) (?!(?:on|in|at|not|the|an?|spelled|also|still|wrong|too)\b)|"
            r"call me (?=(?-i:[A-ZÀ-Þ])))(?P<rest>[^\s,.;!]+(?:(?! I\b) (?-i:[A-ZÀ-Þ])[^\s,.;!]*){0,3})"
        ),
        lambda match: f"Name is {match['rest']}",
    ),
    _Pattern(
        "person",
        _start(r"我(?:叫|的名字是)\s*(?P<rest>[^\s，,。.!！]{1,30})"),
        lambda match: f"Name is {match['rest']}",
    ),
    _Pattern("person", _start(rf"my (?P<what>{_PERSONAL}) {_IS} {_REST}"), _possession),
    _Pattern(
        "preference",
        _start(rf"i(?: really| much| always| strongly| usually| would|'d)* prefer (?!not to say|nothing){_REST}"),
        lambda match: f"Prefers {match['rest']}",
    ),
    _Pattern(
        "preference",
        _start(rf"(?:always|never) (?=use|write|reply|answer|show|call|add|start|end|put|format|explain){_REST}"),
        lambda match: match.group(),
    ),
    _Pattern("person", _start(rf"i(?: now| currently)? live in {_REST}"), lambda match: f"Lives in {match['rest']}"),
    _Pattern(
        "person",
        _start(rf"i(?: now| currently)? work (?P<how>as|at|for|with|in) {_REST}"),
        lambda match: f"Works {match['how']} {match['rest']}",
    ),
    _Pattern(
        "person",
        _start(
            r"(?:i am|i'm) (?P<what>allergic to|vegetarian|vegan|based in|from|left-handed|colour-?blind)"
            r"(?P<rest>.{0,200})"
        ),
        lambda match: f"Is {match['what']}{match['rest']}",
    ),
    _Pattern(
        "decision",
        _start(
            r"(?:we|i)(?:'ve| have)?(?: finally| just| now| all)* (?P<verb>decided|agreed|chose|settled|picked)\b"
            rf"(?! (?:nothing|not yet)) {_REST}"
        ),
        lambda match: (
            f"{match['verb'].capitalize()}{match['rest'] if match['rest'][0].isspace() else ' ' + match['rest']}"
        ),
    ),
    _Pattern(
        "decision",
        _start(rf"(?:let's|let us) (?P<verb>go with|stick with|stay with|use) {_REST}"),
        lambda match: f"Decided to {match['verb']} {match['rest']}",
    ),
    _Pattern("decision", _start(rf"(?:the|our) decision is {_REST}"), lambda match: f"Decision: {match['rest']}"),
    _Pattern(
        "project",
        _start(rf"(?:the|our|my)(?: project's| team's)? (?P<what>{_PROJECT}) {_IS} {_REST}"),
        _possession,
    ),
    _Pattern(
        "note",
        _start(
            rf"(?:the|our|my) (?P<what>[\w'&-]+(?: [\w'&-]+){{0,5}}?) (?P<verb>{_HAPPENS}) "
            rf"(?P<rest>(?:[\w' ]{{1,40}} )?(?:(?:on|at|in|from|until|till|by|to|between) .{{0,30}}?)?"
            rf"\b(?:{_WHEN})\b.{{0,200}})"
        ),
        _possession,
    ),
    _Pattern(
        "project", _start(rf"(?:we|our project|the project) uses? {_REST}"), lambda match: f"Uses {match['rest']}"
    ),
)
