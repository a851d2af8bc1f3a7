"""Parses what a person types into the search field: terms to look for, and what kind of answer is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemoscope.domain.search.days import Days, named_days
from mnemoscope.domain.search.weights import WEIGHTS, Weights
from mnemoscope.domain.search.words import (
    IndexedWord,
    Related,
    RelatedWord,
    is_spaceless,
    language,
    plain_stem,
    script,
    stems_of,
    words_of,
)

_MOST_TERMS: Final = 24
_LONGEST_QUERY: Final = 2_000
_PREFIX_FROM: Final = 2
_OPEN_FROM: Final = 3
_ROOT_FROM: Final = 6
_ROOT: Final = 5
_PAIR: Final = 2
_QUOTED: Final = re.compile(r'["\u201c\u201d\u00ab\u00bb\u300c\u300d]([^"\u201c\u201d\u00ab\u00bb\u300c\u300d]+)'
                            r'["\u201c\u201d\u00ab\u00bb\u300c\u300d]')  # fmt: skip
_ANSWERS: Final = (
    ("time", re.compile(r"\b(when|what (time|day|date)|which day|how (long|soon|often)|deadline)\b|когда|во сколько|"
                        r"\bqachon|nechida|soat nech|качон|қачон|什么时候|几点|哪天|几号|多久|何时|"
                        r"\b(wann|wie lange|wie oft|welche[mnr]? tag|quand|quelle heure|quels? jours?|combien de temps|"
                        r"cuándo|qué (hora|día|mes|fecha)|cuánto tiempo|quando|che (ora|giorno)|quanto tempo|"
                        r"que (horas?|dia)|wanneer|hoe (laat|lang|vaak)|welke dag|kiedy|o której|jak (długo|często)|"
                        r"ne zaman|saat kaçta|hangi gün)\b|متى|أي يوم|いつ|何[時曜月年]|언제|몇 ?시|며칠|무슨 요일|"
                        r"เมื่อไ|กี่โมง|วันไหน|วันอะไร", re.IGNORECASE)),
    ("number", re.compile(r"\bhow (much|many|old|big|large|tall|far|heavy|long)\b|\b(number|price|cost|amount|budget|"
                          r"size|salary|rent)\b|сколько|цена|номер|\b(qancha|necha|nechta|narx)|канча|неча|қанча|"
                          r"多少|几|号码|价格|多大|"
                          r"\b(wie ?viele?|wie (alt|groß|hoch|teuer|weit|schwer)|combien|cuánt[oa]s?|quant[oaie]s?|"
                          r"hoeveel|hoe (oud|groot|ver|duur)|kaç|ne kadar|كم)\b|^\W*((od|do|na|za|o|w) )?ile\b|いくつ|"
                          r"いくら|何[人歳個回本枚円]|얼마|몇|เท่าไ|กี่", re.IGNORECASE)),
    ("name", re.compile(r"\b(who|whom|whose|where|which (city|country|town|company|restaurant))\b|"
                        r"\b(кто|кого|кому|где|куда|откуда)\b|\b(kim|qayer)|\bким", re.IGNORECASE)),
    # Of languages that put no mark behind a question: anything else.
    ("other", re.compile(r"อะไร|ทำไม|อย่างไร|ยังไง|ใคร|ไหน|ไหม|か[。 ]*$")),
)  # fmt: skip
_ASKING: Final = frozenset((
    "what", "which", "whose", "many", "какой", "какая", "какое", "какие", "какую", "каких", "каком", "какого", "каким",
    "qaysi", "nechanchi", "қайси",
))  # fmt: skip
_OF_PERSON: Final = frozenset((
    "i", "my", "me", "mine", "im", "ive", "я", "мне", "меня", "мой", "мои", "моя", "мое", "моего", "моей", "men",
    "mening", "menga", "meni", "мен", "менинг", "менга",
))  # fmt: skip
_FEWEST_DIGITS: Final = 4
_MOST_DIGITS: Final = 13
"""Digits of a number that is written in groups: `1 000` to a telephone number with its country's."""
_TELEPHONE: Final = 6
"""Digits from which on a number may be a telephone number."""
_GROUP_SIZES: Final = (3, 2)
_LAST_GROUP: Final = 4
_MOST_GROUPS: Final = 6
_RUN: Final = re.compile(r"[^\W\d_]+|\d+")
_BETWEEN_GROUPS: Final = re.compile(r"[ \u00a0\u202f.,/()-]{1,2}")
"""The characters between the groups of a number."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Describes a token that stands for a term, or several with a blank between, and how much finding it counts (0 to
    1). `prefix`: what begins with it counts. `is_other` says that it is another word, used for the same thing."""

    token: str
    weight: float
    prefix: bool = False
    is_other: bool = False
    spoken: tuple[str, ...] = ()
    """Of another word: the languages in which it is one."""


@dataclass(frozen=True, slots=True)
class Term:
    """Describes one word that is looked for. `weight` (0 to 1): how much it says of what is looked for."""

    word: str
    variants: tuple[Variant, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Describes a query. `phrases`: folded words that have to follow each other. `wants`: what is asked for, of `time`,
    `number`, `name` and `other`; nothing where no word says that it is a question."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    wants: frozenset[str] = frozenset()
    of_person: bool = False
    """Whether the person asks about themselves."""
    days: tuple[Days, ...] = ()
    """The days it names."""

    @property
    def is_empty(self) -> bool:
        """Returns whether there is nothing to look for."""
        return not self.terms


def parse_query(
    text: str, related: Related, *, typing: bool = False, at_once: bool = False, weights: Weights = WEIGHTS
) -> SearchQuery:
    """Reads a query.

    `typing`: its last word may not be whole yet, so what begins with it counts too. `at_once`: related words of other
    scripts are left for when there is time.
    """
    text = text[:_LONGEST_QUERY]
    reader = _TermReader(related, weights, language(text))
    words = list(words_of(text))
    phrases = tuple(filter(None, (tuple(_phrase(match[1])) for match in _QUOTED.finditer(text))))
    specific = [word for word in words if not _is_common(word.folded, related.common)]
    kept = specific or words
    last = words[-1] if typing and words and words[-1].stop == len(text) else None
    if last is not None and specific and len(specific) > 1 and len(last.folded) < _OPEN_FROM and last in kept:
        # Two letters of one more word say less than the words before it, and stand in half of all passages.
        kept = [word for word in kept if word is not last]
    heads = _answer_heads(words, related.common)
    together = _written_together(text, words)
    terms = [
        reader.term(
            word,
            is_open=word is last,
            at_once=at_once,
            weight=weights.head if word.folded in heads else 1.0,
            together=together.get(word.folded, ""),
        )
        for word in _distinct(kept)
    ]
    terms += reader.spaceless_terms(text)
    wants = frozenset(name for name, pattern in _ANSWERS if pattern.search(text))
    is_own = any(word.folded in _OF_PERSON for word in words) or "我" in text
    return SearchQuery(text, tuple(terms[:_MOST_TERMS]), phrases, wants, is_own, named_days(text))


def _phrase(text: str) -> Iterator[str]:
    words = list(words_of(text))
    for number, word in enumerate(words):
        # The last character of a run alone is in the pair before it already.
        if len(word.folded) > 1 or not is_spaceless(word.folded) or not number:
            yield word.folded


def _answer_heads(words: Sequence[IndexedWord], common: frozenset[str]) -> frozenset[str]:
    """Returns the words after `which` and `how many`: what kind of thing the answer is, and seldom a word of the
    answer."""
    heads = set()
    for asking, word, after in zip(words, words[1:], [*words[2:], None], strict=False):
        head = after if word.folded in common and asking.folded in _ASKING and after is not None else word
        if asking.folded in _ASKING and head.folded not in common:
            heads.add(head.folded)
    return frozenset(heads)


def _distinct(words: Iterable[IndexedWord]) -> list[IndexedWord]:
    found: dict[str, IndexedWord] = {}
    for word in words:
        found[word.folded] = word
    return list(found.values())


def _is_common(folded: str, common: frozenset[str]) -> bool:
    if is_spaceless(folded):
        return len(folded) == 1 or common.issuperset(folded)
    return folded in common


class _TermReader:
    """Makes terms of words: with their forms, and what is used for the same thing."""

    def __init__(self, related: Related, weights: Weights, spoken: str) -> None:
        """`spoken`: what language the query is in."""
        self._related = related
        self._weights = weights
        self._spoken = spoken

    def term(self, word: IndexedWord, *, is_open: bool, at_once: bool, weight: float, together: str = "") -> Term:
        """Returns a word, with everything that stands for it; `together`: written in one piece with those beside it."""
        folded, weights = word.folded, self._weights
        found: dict[tuple[str, bool], float] = {}

        def add(tokens: Iterable[str], weight: float, *, prefix: bool = False) -> None:
            for token in tokens:
                found[token, prefix] = max(weight, found.get((token, prefix), 0.0))

        stems = stems_of(folded)
        forms = self._related.forms(folded)
        add((word.stem, *stems), weights.exact)
        add(forms, weights.form)
        add(_written_apart(folded), weights.form)
        if together:
            add((together, plain_stem(together)), weights.form)
        if len(folded) == 1 and is_spaceless(folded):
            # It is indexed with the character behind it.
            add([folded], weights.prefix, prefix=True)
        if is_open and (len(folded) >= _PREFIX_FROM or is_spaceless(folded)):
            add([folded], weights.prefix, prefix=True)
        if len(folded) >= _ROOT_FROM and folded.isalpha():
            add((stem[: max(_ROOT, len(stem) - 2)] for stem in stems if len(stem) >= _ROOT), weights.root, prefix=True)
        own = frozenset(found)
        spoken: dict[tuple[str, bool], dict[str, None]] = {}
        for other in self._variants_of(self._related.of(folded, (*stems, *forms), self._spoken)):
            is_own = script(other.token) == script(folded)
            if is_own or not at_once:
                add([other.token], weights.related if is_own else weights.foreign, prefix=other.prefix)
                spoken.setdefault((other.token, other.prefix), {}).update(dict.fromkeys(other.spoken))
        variants = (
            Variant(key[0], weight, key[1], is_other=key not in own, spoken=tuple(spoken.get(key, ())))
            for key, weight in found.items()
        )
        return Term(folded, tuple(sorted(variants, key=lambda each: -each.weight)), weight)

    def spaceless_terms(self, text: str) -> Iterator[Term]:
        """Yields words of one character, which no pair is, are found by looking for each that has others."""
        for word in self._related.spaceless:
            if len(word) == 1 and word in text:
                others = self._variants_of(self._related.to(word, "spaceless"))
                variants = (Variant(word, self._weights.form, prefix=True), *others)
                yield Term(word, variants, self._weights.head)

    def _variants_of(self, others: Iterable[RelatedWord]) -> Iterator[Variant]:
        for word, spoken in others:
            if not is_spaceless(word):
                yield Variant(word, self._weights.related, is_other=True, spoken=(spoken,))
            elif len(word) <= _PAIR:
                yield Variant(word, self._weights.related, prefix=len(word) < _PAIR, is_other=True)


@lru_cache(maxsize=256)
def _written_apart(folded: str) -> tuple[str, ...]:
    """Returns the groups a folded word may be written in, each with a blank between its words as they are indexed.

    Numbers and names are written in groups by some and in one piece by others: `90 123 45 67`, `901234567`; `AB 123`,
    `AB123`. The index holds them as they are written; a query asks for both.
    """
    if folded.isdecimal():
        return tuple(dict.fromkeys(_groupings(folded))) if _FEWEST_DIGITS <= len(folded) <= _MOST_DIGITS else ()
    runs = _RUN.findall(folded)
    if not 1 < len(runs) <= _MOST_GROUPS or not any(run.isdecimal() for run in runs):
        return ()
    return (" ".join(run if run.isdecimal() else plain_stem(run) for run in runs),)


def _groupings(digits: str) -> Iterator[str]:
    """Yields the groups by thousands, and of long numbers those of two and three as telephone numbers have, the last of
    up to four."""
    head = len(digits) % 3 or 3
    yield " ".join([digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3))])
    for size in _GROUP_SIZES if len(digits) >= _TELEPHONE else ():
        yield from (f"{digits[:size]} {rest}" for rest in _in_groups(digits[size:], _MOST_GROUPS - 1))


def _in_groups(digits: str, most: int) -> Iterator[str]:
    if len(digits) in (*_GROUP_SIZES, _LAST_GROUP):
        yield digits
    for size in _GROUP_SIZES if most > 1 else ():
        if len(digits) - size >= min(_GROUP_SIZES):
            yield from (f"{digits[:size]} {rest}" for rest in _in_groups(digits[size:], most - 1))


def _written_together(text: str, words: Sequence[IndexedWord]) -> Mapping[str, str]:
    """Returns the words of a text that are in one piece with those beside them: groups of digits, and what a hyphen
    joins."""
    found: dict[str, str] = {}
    start = 0
    for place in range(1, len(words) + 1):
        if place < len(words) and _belongs(text, words[place - 1], words[place]):
            continue
        if place - start > 1:
            whole = "".join(word.folded for word in words[start:place])
            found |= {word.folded: whole for word in words[start:place]}
        start = place
    return found


def _belongs(text: str, one: IndexedWord, other: IndexedWord) -> bool:
    between = text[one.stop : other.start]
    if one.folded.isdecimal() and other.folded.isdecimal():
        return _BETWEEN_GROUPS.fullmatch(between) is not None
    return between == "-"
