"""Rules of capture are data: one TOML file for each language, and the person's own, turned into patterns that are safe.

A file holds `language = "en"`, `[macros]` (names for parts of patterns), `[guards]` (lists of words) and `[[rule]]`
tables. A rule has `id`, `category`, `cues` (words of which one must be there), `patterns`, and whatever else `Rule`
has. A cue `*amiz` is any word with that ending: what a person does or decides is told in some languages by the ending
of the verb alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from mnemoscope.domain.capture.folded_message import WORD, fold_message, spelt_in_cyrillic
from mnemoscope.domain.capture.needed_words import Words, needed_words
from mnemoscope.domain.capture.safe_patterns import check_pattern
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.text.characters import HAN

CATEGORIES: Final = ("correction", "proper_noun", "preference", "decision", "specific_value", "remember")
BY_RANK: Final = ("correction", "remember", "proper_noun", "preference", "decision", "specific_value")
"""The categories by rank: of hits that say the same of a sentence, the one that stands first here is kept."""
DURABLE: Final = frozenset({"proper_noun", "preference", "remember"})
STATEMENT: Final = "statement"
"""Category of rules that only say what a sentence is about: for corrections, and lines that are already kept."""
DECOY: Final = "decoy"
"""Category of rules whose hits are refused: they say why, where nothing would be said."""
_GUARDS: Final = (
    "openers", "joints", "momentary", "fun", "questions", "question_ends", "hypothetical", "reported", "told",
    "negated", "material", "given", "ordered", "leads", "points", "tags", "idle", "products", "vague", "stops",
    "trailing", "lists", "asides", "articles", "not_names", "after_name", "places", "occasions", "manners", "media",
    "tools",
)  # fmt: skip
_NAMED: Final = frozenset({"places", "occasions", "manners", "media", "tools"})
"""Lists that only `unless` asks: whole values are looked up in them, and no pattern is made of them."""
_MACROS: Final[Mapping[str, str]] = {
    "name": r"(?P<name>[^\s,.;:!?][^\n,;:!?()]{0,79})",
    "anyname": r"(?P<anyname>[^\s,.;:!?][^\n,;:!?()]{0,79})",
    "han": rf"(?P<han>[{HAN}·]{{1,8}})",
    "rest": r"(?P<rest>[^\s,.;:!?][^\n]{0,199})",
    "mid": r"(?P<mid>\w[^\n,;:]{0,59}?)",
    "midname": r"(?P<midname>\w[\w'-]{1,40}?)",
    "what": r"(?P<what>\w[\w' -]{0,39}?)",
    "old": r"(?P<old>\w[^\n,;]{0,59}?)",
    "oldrest": r"(?P<old>\w[^\n,;.!]{0,59})",
    "end": r"(?= ?(?:[.,;:!?()—-]|$))",
    "final": r"(?=\W{0,12}$)",
}
VALUES: Final = ("named", "product", "name", "anyname", "midname", "han", "rest", "mid", "exact")
"""Groups of a pattern that hold the value, whose kind the name tells."""
_FARTHEST: Final = 10
"""Sentences that one wish to remember can mean."""
_ENDING: Final = "*"
"""Opens a cue that is the ending of a word."""
_SHORTEST_ENDING: Final = 3
"""Letters, with the mark: a shorter ending would wake its rule in every sentence."""
_EVERY_LANGUAGE: Final = "any"
"""The code of what belongs to no language; the names that its lists hold are known in all of them."""
_MOST_LISTS: Final = 1_024
"""Of guards that are kept compiled; the shipped languages have fewer than 100."""
_ANY_END: Final = r"[\w']{0,12}"
"""The pattern that the star of a phrase becomes: up to 12 letters, digits, underscores or straight apostrophes."""
_MACRO: Final = re.compile(r"\{([a-z]{1,16})\}")
_GROUP_NAME: Final = re.compile(r"\(\?P<([a-z]{1,12})>")


class InvalidRule(MnemoscopeError):
    """A rule of a capture file cannot be used."""

    next_step = "The other rules are used; correct this one in its file, or take it out."


@dataclass(frozen=True, slots=True)
class Language:
    """Holds the parts that a language's rules share. `guards` are word lists as patterns, `words` the same lists as
    sets; `heads` are the first words of requests to work on a text, one of which any such request has."""

    code: str
    is_spaced: bool = True
    is_also_cyrillic: bool = False
    guards: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    heads: frozenset[str] = frozenset()


Try = tuple[Words, str]
"""A pattern behind the texts of which every match of it holds one; none where no such texts are known."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Describes a rule of capture. `subject` is what the value is said of and may name groups (`favourite {what}`);
    `is_single` says that it has one value at a time; `opposite` is a subject that cannot hold the same value.
    `allows` names the guards this rule does without; a match whose value is a word of a list that `unless` names is
    none, so that a town is no employer; one that `is_general` gives way to the others of its category; with
    `needs_fact` a match counts only if another rule finds a fact in it, and with `points_back` what is kept is what
    stands before it (`... Remember this.`), `reach` sentences of it; with `points_on` too it is what follows. A
    match of one that `follows` subjects counts only right behind a comma or an `and` after a fact about one of
    them, whose person it goes on to tell of (`My name is Ann, living in Leeds`). `said` are the words that are kept
    where those of the match would say nothing by themselves (`I'm {value}`, of `Ann, 30`). `reason` is why the
    matches of a decoy are refused."""

    id: str
    category: str
    language: Language
    patterns: tuple[str, ...]
    cues: tuple[str, ...] = ()
    subject: str = ""
    opposite: str = ""
    is_single: bool = False
    is_durable: bool = False
    is_strict: bool = False
    needs_fact: bool = False
    points_back: bool = False
    is_general: bool = False
    points_on: bool = False
    follows: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    said: str = ""
    reach: int = 1
    confidence: float = 0.9
    allows: frozenset[str] = frozenset()
    reason: str = ""
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    _tries: list[Try] = field(default_factory=list, compare=False, repr=False)

    @property
    def tries(self) -> Sequence[Try]:
        """Returns the patterns, each with its needed words, which are looked for when they are first asked for."""
        if not self._tries:
            self._tries[:] = [(needed_words(each), each) for each in self.patterns]
        return self._tries


Woken = Mapping[tuple[str, bool], Rule]
"""Rules by their id, and whether each reads its sentence in Latin letters."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Holds the rules in force. `by_word` holds the rules that a word in a sentence wakes, `by_ending` those that the
    ending of a word does, all of which are `endings`; `by_part` does for languages without blanks, whose cues
    `part_heads` and `by_head` find by their first two letters, or the only one. `problems` are plain sentences about
    rules that were left out."""

    rules: tuple[Rule, ...] = ()
    languages: Mapping[str, Language] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    by_word: Mapping[str, Woken] = field(default_factory=dict)
    by_ending: Mapping[str, Woken] = field(default_factory=dict)
    endings: tuple[str, ...] = ()
    by_part: Mapping[str, Woken] = field(default_factory=dict)
    by_head: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    part_heads: re.Pattern[str] | None = None

    def statements(self, language: Language) -> list[Rule]:
        """Returns the rules that only say what a sentence is about."""
        return [each for each in self.rules if each.category == STATEMENT and each.language.code == language.code]


File = tuple[str, Mapping[str, Any]]
"""The name of a file of rules, and what it holds."""


def rule_set(files: Iterable[File], problems: Iterable[str] = (), *, shipped: Iterable[File] = ()) -> RuleSet:
    """Returns the rules of these files, in order. A later rule with the same id replaces an earlier one; `off = ["id"]`
    at the top of a file switches rules off. A rule that cannot be used is left out and named behind the `problems` that
    are known already.

    `shipped`: the files that come with the program, and stand before the others. All their patterns are known to be
    safe: they are not checked again, and each is compiled when it is first tried.
    """
    builder = _Builder()
    builder.problems += problems
    given = [*((file, True) for file in shipped), *((file, False) for file in files)]
    for (name, table), is_shipped in sorted(given, key=lambda each: each[0][1].get("language") != _EVERY_LANGUAGE):
        builder.take(name, table, is_shipped=is_shipped)
    return builder.built()


class _Builder:
    def __init__(self) -> None:
        self.languages: dict[str, Language] = {}
        self.macros: dict[str, dict[str, str]] = {}
        self.rules: dict[str, Rule] = {}
        self.problems: list[str] = []

    def take(self, name: str, table: Mapping[str, Any], *, is_shipped: bool) -> None:
        code = str(table.get("language") or "")
        if code not in self.languages:
            self.languages[code] = Language(code)
        try:
            self._take_language(code, table)
        except MnemoscopeError as error:
            self.problems.append(f"{name}: {error}")
        rows = table.get("rule", [])
        if not isinstance(rows, list):
            self.problems.append(f"{name}: rules are written as [[rule]] tables.")
            rows = []
        for place, row in enumerate(rows, start=1):
            self._take_rule(f"{name}, rule {place}", code, row, is_shipped=is_shipped)
        self._switch_off(name, table)

    def _switch_off(self, name: str, table: Mapping[str, Any]) -> None:
        try:
            for each in _words(table, "off"):
                self.rules.pop(each, None)
        except MnemoscopeError as error:
            self.problems.append(f"{name}: {error}")

    def _take_language(self, code: str, table: Mapping[str, Any]) -> None:
        self.macros.setdefault(code, {}).update(
            {str(key): str(value) for key, value in _table(table, "macros").items()}
        )
        lists = _table(table, "guards")
        unknown = sorted(set(lists) - set(_GUARDS))
        if unknown:
            raise InvalidRule(f"There is no guard called {unknown[0]}; there are {', '.join(_GUARDS)}.")
        known = self.languages[code]
        is_spaced = bool(table.get("spaced", known.is_spaced))
        is_cyrillic = bool(table.get("also_cyrillic", known.is_also_cyrillic))
        words = {key: known.words.get(key, frozenset()) | _folded(_words(lists, key)) for key in _GUARDS}
        words["material"] |= words["given"]
        if _EVERY_LANGUAGE in self.languages:
            for key in ("products", *_NAMED):
                words[key] |= self.languages[_EVERY_LANGUAGE].words.get(key, frozenset())
        if is_cyrillic:
            # What is looked up in the lists of names is spelt in Latin letters when it comes to it.
            spelt = {key: each for key, each in words.items() if key not in _NAMED}
            words |= {key: each | frozenset(map(spelt_in_cyrillic, each)) for key, each in spelt.items()}
        self.languages[code] = Language(
            code,
            is_spaced,
            is_cyrillic,
            {key: _any_of(each, is_spaced) for key, each in words.items() if each and key not in _NAMED},
            words,
            frozenset(_head(each) for each in words["material"] | words["ordered"]),
        )

    def _take_rule(self, place: str, code: str, row: object, *, is_shipped: bool) -> None:
        try:
            rule = _rule(row, self.languages[code], self.macros.get(code, {}))
            for pattern in () if is_shipped else rule.patterns:
                check_pattern(pattern)
        except MnemoscopeError as error:
            self.problems.append(f"{place}: {error}")
        else:
            self.rules[rule.id] = rule

    def built(self) -> RuleSet:
        rules = tuple(self.rules.values())
        by_part = _index(rule for rule in rules if not rule.language.is_spaced)
        by_word = _index(rule for rule in rules if rule.language.is_spaced)
        by_ending = {cue[1:]: by_word.pop(cue) for cue in list(by_word) if cue[0] == _ENDING}
        heads = {cue[:2] for cue in by_part}
        by_head = {head: tuple(cue for cue in by_part if cue[:2] in (head, head[0])) for head in heads}
        return RuleSet(
            rules=rules,
            languages=self.languages,
            problems=tuple(self.problems),
            by_word=by_word,
            by_ending=by_ending,
            endings=tuple(by_ending),
            by_part=by_part,
            by_head=by_head,
            part_heads=re.compile("|".join(_beginnings(heads))) if heads else None,
        )


def _beginnings(heads: Collection[str]) -> Iterator[str]:
    """Yields the first letters of cues as parts of a pattern; the second letter of a longer cue is only looked at."""
    for first in sorted({head[0] for head in heads}):
        seconds = "".join(sorted(re.escape(head[1]) for head in heads if head[0] == first and len(head) > 1))
        yield re.escape(first) if first in heads else f"{re.escape(first)}(?=[{seconds}])"


def _head(phrase: str) -> str:
    head = phrase.partition(" ")[0]
    if not head or head.endswith("*"):
        raise InvalidRule(f"A phrase of material begins with a whole word, unlike {phrase}.")
    return head


def _index(rules: Iterable[Rule]) -> dict[str, Woken]:
    found: dict[str, dict[tuple[str, bool], Rule]] = {}
    for rule in rules:
        for cue in rule.cues if rule.category != STATEMENT else ():
            found.setdefault(cue, {})[rule.id, False] = rule
            if rule.language.is_also_cyrillic:
                found.setdefault(spelt_in_cyrillic(cue), {})[rule.id, True] = rule
    return {**found}


def _rule(row: object, language: Language, macros: Mapping[str, str]) -> Rule:
    if not isinstance(row, Mapping) or not str(row.get("id") or ""):
        raise InvalidRule("A rule has no id.")
    category = str(row.get("category") or "")
    if category not in (*CATEGORIES, STATEMENT, DECOY):
        raise InvalidRule(f"The rule {row['id']} has no category that is known; there are {', '.join(CATEGORIES)}.")
    cues = tuple(_cue(fold_message(cue).low, language) for cue in _words(row, "cues"))
    if not cues and category != STATEMENT:
        raise InvalidRule(f"The rule {row['id']} names no cues: words of which one must be in a sentence.")
    has_value = category != DECOY and not row.get("points_back", False)
    patterns = tuple(_pattern(each, language, macros, has_value=has_value) for each in _words(row, "patterns"))
    if not patterns:
        raise InvalidRule(f"The rule {row['id']} has no patterns.")
    return Rule(
        id=str(row["id"]),
        category=category,
        language=language,
        patterns=patterns,
        cues=cues,
        subject=str(row.get("subject", "")),
        opposite=str(row.get("opposite", "")),
        is_single=bool(row.get("single", False)),
        is_durable=bool(row.get("durable", category in DURABLE)),
        is_strict=bool(row.get("strict", False)),
        needs_fact=bool(row.get("needs_fact", False)),
        points_back=bool(row.get("points_back", False)),
        is_general=bool(row.get("general", False)),
        points_on=bool(row.get("points_on", False)),
        follows=frozenset(_words(row, "follows")),
        unless=_lists_of(row),
        said=str(row.get("said", "")),
        reach=_count(row.get("reach", 1)),
        confidence=_share(row.get("confidence", 0.9)),
        allows=frozenset(_words(row, "allows")),
        reason=str(row.get("reason", "")),
        examples=_words(row, "examples"),
        counterexamples=_words(row, "counterexamples"),
    )


def _lists_of(row: Mapping[str, Any]) -> frozenset[str]:
    """Returns the names of the lists a value must not be in."""
    named = frozenset(_words(row, "unless"))
    unknown = sorted(named - set(_GUARDS))
    if unknown:
        raise InvalidRule(f"There is no list called {unknown[0]}; there are {', '.join(_GUARDS)}.")
    return named


def _cue(cue: str, language: Language) -> str:
    """Returns the word of a message that wakes the rule; of a cue of several words that is the longest, `from` of `from
    now on`. Of an ending the mark stays before it."""
    if cue[0] == _ENDING and language.is_spaced and len(cue) > _SHORTEST_ENDING:
        return cue
    words = WORD.findall(cue) if language.is_spaced else [cue]
    if not words:
        raise InvalidRule(f"“{cue}” is no cue: there is no word in it.")
    return max(words, key=len)


def _pattern(text: str, language: Language, macros: Mapping[str, str], *, has_value: bool) -> str:
    whole = _MACRO.sub(lambda found: _expanded(found[1], macros), text)
    whole = _MACRO.sub(lambda found: _expanded(found[1], {}), whole)
    whole = rf"(?<![\w'])(?:{whole})" if language.is_spaced else f"(?:{whole})"
    if has_value and not set(VALUES).intersection(_GROUP_NAME.findall(whole)):
        raise InvalidRule(f"A pattern marks no value: one of {', '.join(f'{{{each}}}' for each in VALUES[:-1])}.")
    return whole


def _expanded(name: str, macros: Mapping[str, str]) -> str:
    known = macros.get(name, _MACROS.get(name))
    if known is None:
        raise InvalidRule(f"{{{name}}} is no macro that is known.")
    return known


@lru_cache(_MOST_LISTS)
def _any_of(words: frozenset[str], is_spaced: bool) -> re.Pattern[str]:
    # By their first letters, so that a place in a text is compared with a few of them and not with all.
    by_head: dict[str, list[str]] = {}
    for each in sorted(words, key=len, reverse=True):
        by_head.setdefault(each[0], []).append(re.escape(each[1:]).replace(r"\*", _ANY_END))
    whole = "|".join(
        f"{_ANY_END if head == _ENDING else re.escape(head)}(?:{'|'.join(rest)})" for head, rest in by_head.items()
    )
    return re.compile(rf"(?<![\w'])(?:{whole})(?![\w']|-\w)" if is_spaced else f"(?:{whole})")


def _folded(words: Iterable[str]) -> frozenset[str]:
    # All of a list at once: there are thousands of words.
    return frozenset(filter(None, fold_message("\n".join(words)).low.split("\n")))


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, Mapping):
        raise InvalidRule(f"{key} is no table.")
    return found


def _words(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise InvalidRule(f"{key} is no list of words.")
    return tuple(found)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _FARTHEST:
        raise InvalidRule(f"reach is no number from 1 to {_FARTHEST}.")
    return value


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise InvalidRule("confidence is no number above 0 and up to 1.")
    return float(value)
