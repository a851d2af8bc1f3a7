"""Words are cut to stems, so that other forms of a word are found: English, Russian and Uzbek.

It is light on purpose: a stem need not be a word, it only has to be the same for the forms of one. Words come folded.
"""

from __future__ import annotations

import re
from typing import Final

from mnemoscope.domain.text.uzbek_alphabets import IN_LATIN

_VOWEL: Final = re.compile("[aeiouy]")
_DOUBLED: Final = re.compile(r"(bb|dd|ff|gg|mm|nn|pp|rr|tt)\Z")
_DERIVED: Final = (
    "ization", "isation", "ational", "ations", "ation", "ements", "ement", "ments", "ment", "ically", "ical", "fulness",
    "ful", "ness", "able", "ible", "ably", "ibly", "ance", "ence", "ancy", "ency", "ations", "ators", "ator", "ions",
    "ion", "ity", "ive", "ist", "ism", "ize", "ise", "ous", "ant", "ent", "ate", "al", "ly", "er", "or", "ic",
)  # fmt: skip
"""Longer ones first where one ends in another."""
_DERIVED_FROM: Final = 4
"""Letters that have to be left before an ending that makes another word of it."""
_SHORTEST: Final = 3
_OWN_E: Final = frozenset((
    "bare", "bite", "cane", "cape", "care", "code", "cute", "date", "fate", "fire", "hate", "hope", "kite", "made",
    "mane", "mate", "mode", "note", "pane", "pine", "plane", "pope", "rate", "ripe", "robe", "site", "slope", "tape",
    "tone", "tube", "twine", "wine",
))  # fmt: skip
"""Words that mean something else without their last e: who cares has no car."""
_OWN_I: Final = frozenset(
    ("armi", "busi", "copi", "furi", "kiwi", "ladi", "piti", "puni", "rubi", "taxi", "tini", "wari")
)
"""The same of an i or a y: who is busy, or busier, takes no bus."""
_NO_DERIVATION: Final = frozenset({"business", "party"})
"""Words that look as if they were made of another word, and mean something else."""

_RUSSIAN_REFLEXIVE: Final = ("ся", "сь")
_RUSSIAN: Final = tuple(sorted((
    "ими", "ыми", "ями", "ами", "ого", "его", "ому", "ему", "ией", "иях", "иям", "ием", "ешь", "ишь", "ете", "ите",
    "ала", "ила", "ела", "ыла", "ули", "али", "или", "ели", "ать", "ять", "ить", "еть", "уть", "ают", "яют", "уют",
    "ует", "ает", "яет", "ую", "юю", "ая", "яя", "ое", "ее", "ие", "ые", "ий", "ый", "ой", "ей", "ых", "их", "ым",
    "им", "ом", "ем", "ам", "ям", "ах", "ях", "ов", "ев", "ью", "ия", "ья", "ет", "ит", "ут", "ют", "ат", "ят", "ал",
    "ил", "ел", "ул", "ла", "ло", "ли", "ть", "на", "но", "ны", "а", "я", "о", "е", "и", "ы", "у", "ю", "ь", "й", "л",
), key=len, reverse=True))  # fmt: skip
_UZBEK: Final = tuple(sorted((
    "ingizlar", "imizning", "larning", "laring", "ingiz", "larni", "larga", "larda", "lardan", "moqchi", "yapman",
    "yapti", "yapsan", "yapmiz", "yotgan", "gandan", "ganman", "gan", "kan", "qan", "imiz", "ning", "lari", "lar",
    "ni", "ga", "ka", "qa", "da", "dan", "gacha", "dagi", "niki", "miz", "siz", "man", "san", "dim", "ding", "dik",
    "tim", "di", "ti", "adi", "aman", "asan", "ydi", "yman", "moq", "ish", "sh", "im", "ing", "si", "i", "m", "ib",
    "mas", "may", "chi", "lik", "li", "siz", "roq",
), key=len, reverse=True))  # fmt: skip
_UZBEK_TIMES: Final = 4
_CYRILLIC: Final = str.maketrans({letter: latin.replace("'", "") for letter, latin in IN_LATIN.items()} | {"ц": "s"})


def english_stem(word: str) -> str:
    """Returns the stem of a folded word in Latin letters: `allergies`, `allergic` and `allergy` give `allerg`."""
    return _without_derivation(_without_verb_ending(_singular(word)))


def russian_stem(word: str) -> str:
    """Returns the stem of a folded word in Cyrillic letters."""
    for ending in _RUSSIAN_REFLEXIVE:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST + 1:
            word = word.removesuffix(ending)
    for ending in _RUSSIAN:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word.removesuffix(ending)
            break
    return word.removesuffix("н") if word.endswith("нн") else word


def uzbek_stem(word: str) -> str:
    """Returns the stem of a folded Uzbek word in Latin letters: endings are added one after the other, and so they come
    off."""
    for _ in range(_UZBEK_TIMES):
        ending = next((each for each in _UZBEK if word.endswith(each) and len(word) - len(each) >= _SHORTEST), "")
        if not ending:
            break
        word = word.removesuffix(ending)
    return word


def in_latin(word: str) -> str:
    """Returns a Cyrillic word in the letters of Uzbek Latin, without apostrophes."""
    return word.translate(_CYRILLIC)


def _singular(word: str) -> str:
    if len(word) <= _SHORTEST or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes", "oes")):
        return word[:-2]
    return word[:-1]


def _without_verb_ending(word: str) -> str:
    for ending in ("ing", "ied", "ed"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _SHORTEST - (ending == "ied"):
            continue
        if ending == "ied":
            return stem + "y"
        if _VOWEL.search(stem):
            if _DOUBLED.search(stem) and len(stem) > _SHORTEST:
                return stem[:-1]
            return stem + "e" if stem + "e" in _OWN_E else stem
    return word


def _without_derivation(word: str) -> str:
    if word in _NO_DERIVATION:
        return word
    for ending in _DERIVED:
        if word.endswith(ending) and len(word) - len(ending) >= _DERIVED_FROM:
            left = word.removesuffix(ending)
            # Butter, letter and summer have nothing to do with but, let and sum.
            word = word if _DOUBLED.search(left) and len(left) == _DERIVED_FROM else left
            break
    if word in _OWN_E or word in _OWN_I:
        return word
    if word.endswith("y") and f"{word[:-1]}i" in _OWN_I:
        return f"{word[:-1]}i"
    while len(word) > _SHORTEST and word.endswith(("e", "i", "y")):
        word = word[:-1]
    return word[:-1] if _DOUBLED.search(word) and len(word) > _SHORTEST else word
