"""Decides on which lines of memory an answer likely rests, by words that they have in common.

A word counts where the line and the answer have it and the question has not: what was asked for comes back in any
answer, also in one that knows nothing. No word proves that a line is the cause of an answer. A model may have said the
same without it, and may have been led by a line of which no word comes back. `likely_meaning` finds some of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.review.content_words import says_nothing
from mnemoscope.domain.search.stems import in_latin
from mnemoscope.domain.search.words import is_spaceless, language, stems_of, words_of


@dataclass(frozen=True, slots=True)
class LikelyWeights:
    """Weighs what speaks for a line. Measured by `python -m tests.bench receipt`, on the half that is held back."""

    figure: float = 2.0
    """A word with a digit in it."""
    name: float = 1.6
    """A word that begins with a capital letter within a line, and in the answer too."""
    long: float = 1.5
    """A word of many letters: the longer a word, the fewer things are called so."""
    pair: float = 0.8
    """Two characters of a script without spaces: a word is often two or three such pairs."""
    share: float = 1.2
    """The weight that all words of the line which are not in the question would add, if all of them came back."""
    link: float = 1.0
    """The same of the words that the line has in common with the question."""
    least: float = 1.9
    """A line whose evidence is less is not named."""
    beside: float = 0.45
    """Nor is one with less than this share of the strongest line's evidence."""


_WEIGHTS: Final = LikelyWeights()


@dataclass(frozen=True, slots=True)
class LikelyLine:
    """Describes a line that an answer likely rests on: its place among those compared, its evidence, and the words of
    it that come back in the answer, as the line has them; no words where it counts by its meaning alone."""

    place: int
    evidence: float
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    """Describes one content word of a text: the forms under which it is compared, how it stands there, and what it
    weighs."""

    keys: frozenset[str]
    shown: str
    weight: float
    is_name: bool = False


def likely_lines(question: str, answer: str, lines: Sequence[str]) -> list[LikelyLine]:
    """Returns the lines that the answer likely rests on, the strongest first.

    `question` is what was asked, with whatever else was said that the answer may have its words from.
    """
    asked, named = _keys(question), _names(answer)
    said = _keys(answer) - asked
    words_by_line = [_words(line) for line in lines]
    counts = Counter(key for words in words_by_line for key in {key for word in words for key in word.keys})
    found = []
    for place, words in enumerate(words_by_line):
        line = _judged(place, words, asked, said, named, counts, len(lines))
        if line is not None and line.evidence >= _WEIGHTS.least:
            found.append(line)
    found.sort(key=lambda each: -each.evidence)
    return [each for each in found if each.evidence >= _WEIGHTS.beside * found[0].evidence]


def _judged(
    place: int,
    words: Sequence[_Word],
    asked: frozenset[str],
    said: frozenset[str],
    named: frozenset[str],
    counts: Mapping[str, int],
    total: int,
) -> LikelyLine | None:
    """Returns the evidence for one line, or None where no word of it that was not asked for comes back."""

    def rarity(word: _Word) -> float:
        most = max(counts[key] for key in word.keys)
        weight = 1.0 if word.is_name and not word.keys & named else word.weight
        return weight * log(1 + total / most) / log(1 + max(total, 2))

    back = [word for word in words if word.keys & said and not word.keys & asked]
    if not back:
        return None
    new = sum(rarity(word) for word in words if not word.keys & asked)
    linked = sum(rarity(word) for word in words if word.keys & asked)
    came = sum(map(rarity, back))
    evidence = came + _WEIGHTS.share * came / new + _WEIGHTS.link * linked / (linked + new)
    return LikelyLine(place, evidence, tuple(dict.fromkeys(word.shown for word in back)))


def _keys(text: str) -> frozenset[str]:
    return frozenset(key for word in _words(text) for key in word.keys)


def _names(text: str) -> frozenset[str]:
    return frozenset(key for word in _words(text) if word.shown[:1].isupper() for key in word.keys)


def _words(text: str) -> list[_Word]:
    """Returns the content words of a text, each form once."""
    plain = fact_text(text)
    spoken = language(plain)
    found: dict[str, _Word] = {}
    for word in words_of(plain, spoken):
        if says_nothing(word.folded):
            continue
        shown = plain[word.start : word.stop]
        if is_spaceless(word.folded):
            if len(word.folded) > 1:
                found.setdefault(word.folded, _Word(frozenset({word.folded}), shown, _WEIGHTS.pair))
            continue
        is_figure = any(map(str.isdigit, word.folded))
        if len(word.folded) < 2 and not is_figure:
            continue
        # A line begins with a capital letter, whatever its first word is; but for BYD or eBay.
        is_name = (word.start > 0 and shown[:1].isupper()) or any(map(str.isupper, shown[1:]))
        is_long = len(word.folded) >= _LONG_WORD
        plain_weight = _WEIGHTS.long if is_long else 1.0
        weight = _WEIGHTS.figure if is_figure else _WEIGHTS.name if is_name else plain_weight
        found.setdefault(word.folded, _Word(_forms(word.folded, word.stem), shown, weight, is_name))
    return list(found.values())


_LONG_WORD: Final = 9
"""Letters of a word that weighs more than others."""
_LONG: Final = 5
"""Letters of a word's beginning, in Latin, that are enough for two forms of it in two scripts to be the same."""


def _forms(folded: str, stem: str) -> frozenset[str]:
    """Returns the forms under which a word is found in other texts, whatever their language and alphabet."""
    latin = in_latin(folded)
    forms = {folded, stem, *(form for form in stems_of(folded) if len(form) >= 4)}
    if len(latin) > _LONG and latin.isalpha():
        forms.add(latin[:_LONG])
    return frozenset(forms)
