"""Tells whether one fact may say what another one says, in other words.

A fact is read as units: its values, its words, each with the group of wordings in which it stands, and the phrases of
such groups; of Chinese its words and, of what is left, its single signs. What both facts have is weighed against what
they have in all. What speaks for another fact takes a larger share to be outweighed: a value that only one of them
has, the same beginning with quite another end, and two facts that disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemoscope.domain.forgetting.tombstone import (
    COUNTED_SIGNS,
    SMALL_SIGNS,
    HashedTerm,
    TermWeight,
    hashed_terms,
    may_be_uzbek,
)
from mnemoscope.domain.forgetting.wordings import Wordings
from mnemoscope.domain.review.content_words import says_nothing
from mnemoscope.domain.search.words import is_spaceless, stems_of, words_of
from mnemoscope.domain.text.characters import HAN_LETTER, KANA_LETTER

_KNOWN: Final = 1_000
"""Facts whose units are remembered."""
_GIVES: Final = re.compile(
    r"\b(?:lends?|lent|gives?|gave|given|sends?|sent|sells?|sold)\b|\b(?:дал[аио]?|да[её]т|дают)\b"
    r"|\b(?:отда|одолжил|прода)|\bотправ(?:ил|ля|ит)\w*(?<!ся)(?<!сь)\b"
    r"|\b(?:ber|sot|yubor)(?:gan|di|adi|ib|moqchi|yapti)|\b(?:бер|сот|юбор)(?:ган|ди|ади|иб|моқчи|япти)"
    r"|借给|送给|卖|寄给|还给",
    re.IGNORECASE,
)
_TAKES: Final = re.compile(
    r"\b(?:borrow(?:s|ed)?|takes?|took|taken|receive[sd]?|gets?|got|buys?|bought)\b"
    r"|\b(?:взял|бер[ёе]т|получ|занял|купи|покупа)|\bol(?:gan|di|adi|ib|moqchi|yapti)"
    r"|\bол(?:ган|ди|ади|иб|моқчи|япти)|借了|买|收到|[跟向从]\w{1,4}借",
    re.IGNORECASE,
)
"""Verbs for the two sides of one deed: one person gives (`_GIVES`) what another takes (`_TAKES`)."""
_NUMERALS: Final = frozenset("〇一二两三四五六七八九十百千万")
_PLAIN_FORMS: Final = ("word ", "begins ", "same ")


@dataclass(frozen=True, slots=True)
class _Weights:
    """Weighs what two facts have in common. Measured by `python -m tests.bench rejected`, on the halves that are
    sealed."""

    word: float = 1.0
    """A word or a value."""
    weak: float = 0.35
    """A word that says how things belong together: other facts have it too."""
    sign: float = 0.5
    """A sign of Chinese that is part of no known word; most words have two."""
    least: float = 1.9
    """The least weight of the units that two facts have in common, for them to resemble each other."""
    nearly_all: float = 0.8
    """The share of all units that both have, with which one word in common is enough."""
    share: float = 0.35
    """The share of all units that both have, from which on two facts resemble each other."""
    held: float = 0.15
    """So much less is enough where the tombstone of the one holds the other."""
    value_alone: float = 0.15
    """So much more it takes where one has a value that the other lacks."""
    other_end: float = 0.25
    """The same where they begin or end alike and have nothing else in common."""
    disagree: float = 0.2
    """The same where they disagree."""


_WEIGHTS: Final = _Weights()


@dataclass(frozen=True, slots=True)
class _Unit:
    """Describes a word, value, phrase or sign of a fact, by the forms under which another fact may have it."""

    forms: frozenset[str]
    weight: float
    is_value: bool = False
    is_unique: bool = False
    """It is an address or a long number, which is no other thing's."""
    may_be_name: bool = False
    """It stands first in Uzbek, where every word has a capital letter, and in no group."""


def resemble(
    one: str, other: str, wordings: Wordings, disagree: Callable[[str, str], bool], *, is_held: bool = False
) -> bool:
    """Returns whether two facts have so much in common that one may be the other in other words.

    `disagree` tells whether the second of two facts disagrees with the first; `is_held` says that a tombstone of the
    one holds the other.
    """
    units, others = _units(one, wordings), _units(other, wordings)
    left, left_other = _unmatched(units, others), _unmatched(others, units)
    if any(unit.is_unique and unit not in left for unit in units):
        return True
    whole, whole_other = _weight(units), _weight(others)
    matched, matched_other = whole - _weight(left), whole_other - _weight(left_other)
    share = (matched + matched_other) / (whole + whole_other) if matched else 0.0
    least = _WEIGHTS.word if share >= _WEIGHTS.nearly_all else _WEIGHTS.least
    if not is_held and min(matched, matched_other) < least:
        return False
    needed = _WEIGHTS.share - (_WEIGHTS.held if is_held else 0)
    if _has_other_value(left, left_other) or _has_other_value(left_other, left):
        return False
    needed += _WEIGHTS.value_alone if any(unit.is_value for unit in (*left, *left_other)) else 0
    if share < needed or are_two_sides(one, other):
        return False
    needed += _WEIGHTS.other_end if _differ_in_one_place(one, other) else 0
    # What takes longest to tell is asked last, and of few.
    return share >= needed + _WEIGHTS.disagree or (
        share >= needed and not disagree(one, other) and not disagree(other, one)
    )


def are_told_apart(one: str, other: str, wordings: Wordings) -> bool:
    """Returns whether the words of two facts that may be near in meaning say that they are two: each has a value for
    itself, what is given in the one is taken in the other, or they begin or end alike and the rest is quite another."""
    units, others = _units(one, wordings), _units(other, wordings)
    left, left_other = _unmatched(units, others), _unmatched(others, units)
    if _has_other_value(left, left_other) or _has_other_value(left_other, left):
        return True
    return are_two_sides(one, other) or _differ_in_one_place(one, other)


def are_two_sides(one: str, other: str) -> bool:
    """Returns whether what is given in the one fact is taken in the other."""
    sides = [(bool(_GIVES.search(text)), bool(_TAKES.search(text))) for text in (one, other)]
    return sorted(sides) == [(False, True), (True, False)]


def _weight(units: Iterable[_Unit]) -> float:
    return sum(unit.weight for unit in units)


def _unmatched(units: Iterable[_Unit], others: Iterable[_Unit]) -> list[_Unit]:
    forms = {form for unit in others for form in unit.forms}
    return [unit for unit in units if forms.isdisjoint(unit.forms)]


def _has_other_value(left: Iterable[_Unit], left_other: Iterable[_Unit]) -> bool:
    """Returns whether a fact has a value where the other has another one, or what may be a name."""
    return any(unit.is_value for unit in left) and any(unit.is_value or unit.may_be_name for unit in left_other)


def _differ_in_one_place(one: str, other: str) -> bool:
    """Returns whether two facts begin or end with the same words, of which one says something, and have none in common
    between: the same is said of two things, or two things of the same."""
    folded = [word.folded for word in words_of(one)]
    words = [frozenset(stems_of(word)) for word in folded]
    others = [frozenset(stems_of(word.folded)) for word in words_of(other)]
    shorter = min(len(words), len(others))
    first = next((at for at in range(shorter) if words[at].isdisjoint(others[at])), shorter)
    last = next((at for at in range(shorter - first) if words[-1 - at].isdisjoint(others[-1 - at])), shorter - first)
    between, between_other = words[first : len(words) - last], others[first : len(others) - last]
    if not between or not between_other or all(map(says_nothing, (*folded[:first], *folded[len(folded) - last :]))):
        return False
    return frozenset().union(*between).isdisjoint(frozenset().union(*between_other))


@lru_cache(maxsize=_KNOWN)
def _units(text: str, wordings: Wordings) -> tuple[_Unit, ...]:
    is_chinese = HAN_LETTER.search(text) is not None and KANA_LETTER.search(text) is None
    found = list(_units_of_words(text, wordings, is_chinese=is_chinese))
    if is_chinese:
        found += _units_of_signs(text, wordings)
    return tuple(dict.fromkeys(found))


def _units_of_words(text: str, wordings: Wordings, *, is_chinese: bool) -> Iterator[_Unit]:
    is_uzbek = may_be_uzbek(text)
    indexed = [word for word in words_of(text) if not is_spaceless(word.folded)]
    words = [word.folded for word in indexed]
    # Where the verb stands last, as in Uzbek, who or where it is stands first; elsewhere facts begin with a verb.
    is_capital = is_uzbek and bool(indexed) and text[indexed[0].start].isupper()
    first = frozenset(stems_of(words[0])) if is_capital else frozenset()
    phrases = list(wordings.phrases_in(words, is_uzbek=is_uzbek))
    in_phrases = {stem for each in phrases for word in words[each.start : each.stop] for stem in stems_of(word)}
    groups: dict[str, frozenset[int]] = {}
    for word in words:
        of_word = wordings.groups_of(word, is_uzbek=is_uzbek)
        for stem in stems_of(word):
            groups[stem] = groups.get(stem, frozenset()) | of_word
    for term in hashed_terms(text):
        if is_chinese and HAN_LETTER.search("".join(term.forms)):
            continue
        stems = {form.removeprefix("word ") for form in term.forms if form.startswith("word ")}
        is_value = term.weight not in (TermWeight.WORD, TermWeight.LIGHT)
        if (stems & in_phrases and not is_value) or (term.weight is TermWeight.LIGHT and not _is_plain(term)):
            continue
        of_term = frozenset().union(*(groups.get(stem, frozenset()) for stem in stems))
        is_weak = of_term <= wordings.weak and (term.weight is TermWeight.LIGHT or bool(of_term))
        weight = _WEIGHTS.weak if is_weak and not is_value else _WEIGHTS.word
        is_unique = term.weight is TermWeight.UNIQUE
        may_be_name = not of_term and not stems.isdisjoint(first)
        yield _Unit(frozenset((*term.forms, *map(_sign_of, of_term))), weight, is_value, is_unique, may_be_name)
    for phrase in phrases:
        yield _unit_of_group(frozenset({phrase.group}), (), wordings)


def _is_plain(term: HashedTerm) -> bool:
    """Returns whether a light term is a word: others stand for a value as older tombstones have it."""
    return all(form.startswith(_PLAIN_FORMS) and not any(map(str.isdigit, form)) for form in term.forms)


def _units_of_signs(text: str, wordings: Wordings) -> Iterator[_Unit]:
    known, rest = wordings.without_spaceless(text)
    for word, groups in known.items():
        yield _unit_of_group(groups, (f"sign {word}",), wordings)
    for sign in dict.fromkeys(SMALL_SIGNS.sub("", rest)):
        if HAN_LETTER.match(sign) and sign not in COUNTED_SIGNS and sign not in _NUMERALS:
            yield _Unit(frozenset({f"sign {sign}"}), _WEIGHTS.sign)


def _unit_of_group(groups: frozenset[int], forms: Sequence[str], wordings: Wordings) -> _Unit:
    weight = _WEIGHTS.weak if groups <= wordings.weak else _WEIGHTS.word
    return _Unit(frozenset((*forms, *map(_sign_of, groups))), weight)


def _sign_of(group: int) -> str:
    return f"group {group}"
