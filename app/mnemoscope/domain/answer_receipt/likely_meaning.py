"""Decides on which lines of memory an answer likely rests by what they mean, where no word need be in common.

A line counts where a sentence of the answer is near to it, clearly nearer than the question is, and than that sentence
is to any other line: what was asked for is near to any answer, and some line is always the nearest. Vectors are
compared as the search compares them, without the mean of their script. The weights hold for LOCAL_EMBEDDING alone; that
model never met Uzbek, so nothing is said of what is written in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul, sub
from typing import Final

from mnemoscope.domain.answer_receipt.likely import LikelyLine
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.memory.facts import fact_text
from mnemoscope.domain.search.words import UZBEK, language, script_of

MOST_SENTENCES: Final = 60
"""Sentences of an answer that are compared, and of a question."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])\s*|\n+")
_FEW: Final = 5
"""Unrelated texts of a script from which on their mean says where that script lies; of fewer all of them say it."""
_NOWHERE: Final = 1e-3
"""The length of what is left of a unit vector without the mean: less is no direction."""


@dataclass(frozen=True, slots=True)
class MeaningWeights:
    """Holds the cosines that a line needs, as `LikelyWeights` does for words, measured in the same way."""

    least: float = 0.35
    """With the nearest sentence of an answer that has no other."""
    by_sentences: float = 0.05
    """More for each doubling of the answer's sentences: the more there are, the nearer one is by chance."""
    beyond_question: float = 0.3
    """More than with the nearest sentence of the question."""
    beyond_others: float = 0.15
    """More than that sentence has with any line that says something else."""
    alike: float = 0.6
    """From here on two lines say the same, and do not speak against each other."""


_WEIGHTS: Final = MeaningWeights()


def texts_to_embed(question: str, answer: str, lines: Sequence[str]) -> list[str]:
    """Returns each text of which `likely_by_meaning` wants the vector; none where it can say nothing."""
    asked, said, known = _sentences(question), _sentences(answer), list(_known(lines).values())
    if not said or not known or UZBEK in (language(question), language(answer)):
        return []
    return list(dict.fromkeys([*asked, *said, *known]))


def likely_by_meaning(
    question: str,
    answer: str,
    lines: Sequence[str],
    vectors: Mapping[str, Vector],
    unrelated: Mapping[str, Vector],
) -> list[LikelyLine]:
    """Returns the lines that the answer is close to in meaning, the nearest first, without words.

    `vectors` holds those of `texts_to_embed`, `unrelated` those of texts that have nothing to do with each other.
    """
    if not texts_to_embed(question, answer, lines):
        return []
    space = _Space(unrelated)
    known = {place: space.centred(text, vectors[text]) for place, text in _known(lines).items()}
    asked = [space.centred(text, vectors[text]) for text in _sentences(question)]
    sentences = _sentences(answer)
    least = _WEIGHTS.least + _WEIGHTS.by_sentences * math.log2(len(sentences))
    found: dict[int, float] = {}
    for text in sentences:
        said = space.centred(text, vectors[text])
        for place, cosine in _standing_out(said, asked, known, least).items():
            found[place] = max(cosine, found.get(place, 0.0))
    return [LikelyLine(place, found[place], ()) for place in sorted(found, key=lambda each: -found[each])]


def with_meaning(likely: Sequence[LikelyLine], close: Sequence[LikelyLine]) -> list[LikelyLine]:
    """Returns the lines that words speak for, and after them those that meaning alone does."""
    places = {each.place for each in likely}
    return [*likely, *(each for each in close if each.place not in places)]


def _standing_out(said: Vector, asked: Sequence[Vector], known: Mapping[int, Vector], least: float) -> dict[int, float]:
    """Returns the cosine of each line that one sentence stands out as near to: those that say what the nearest says."""
    cosines = {place: _product(said, line) for place, line in known.items()}
    nearest = max(cosines, key=cosines.__getitem__)
    if cosines[nearest] < least:
        return {}
    same = {place for place, line in known.items() if _product(known[nearest], line) >= _WEIGHTS.alike} | {nearest}
    others = max((cosine for place, cosine in cosines.items() if place not in same), default=0.0)
    return {
        place: cosines[place]
        for place in same
        if cosines[place] >= max(least, others + _WEIGHTS.beyond_others)
        and cosines[place]
        >= max((_product(each, known[place]) for each in asked), default=0.0) + _WEIGHTS.beyond_question
    }


def _known(lines: Sequence[str]) -> dict[int, str]:
    """Returns what each line says, by its place, of those that the model understands."""
    texts = {place: fact_text(line) for place, line in enumerate(lines)}
    return {place: text for place, text in texts.items() if _says(text) and language(text) != UZBEK}


def _sentences(text: str) -> list[str]:
    found = (fact_text(each) for each in _SENTENCE_END.split(text))
    return [each for each in dict.fromkeys(found) if _says(each)][:MOST_SENTENCES]


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


class _Space:
    """Describes the space of an embedding model, in which each script lies in a corner of its own."""

    def __init__(self, unrelated: Mapping[str, Vector]) -> None:
        self._unrelated = [(script_of(text), _unit(vector)) for text, vector in unrelated.items()]
        self._means: dict[str, Vector] = {}

    def centred(self, text: str, vector: Vector) -> Vector:
        """Returns a vector without the mean of its script, of length 1; zeros where nothing is left of it."""
        return _unit(list(map(sub, _unit(vector), self._mean(script_of(text), len(vector)))), _NOWHERE)

    def _mean(self, script: str, dimensions: int) -> Vector:
        if script not in self._means:
            own = [vector for other, vector in self._unrelated if other == script]
            some = own if len(own) >= _FEW else [vector for _, vector in self._unrelated]
            mean = [sum(column) / len(some) for column in zip(*some, strict=True)]
            self._means[script] = mean or [0.0] * dimensions
        return self._means[script]


def _unit(vector: Vector, least: float = 0.0) -> Vector:
    length = math.hypot(*vector)
    return [each / length for each in vector] if length > least else [0.0] * len(vector)


def _product(one: Vector, other: Vector) -> float:
    return float(sum(map(mul, one, other)))
