"""Names what is embedded for the search by meaning, and how much of it at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from mnemoscope.domain.search.words import UZBEK
from mnemoscope.domain.settings import LOCAL_EMBEDDING
from mnemoscope.store.files.shipped import shipped

BATCH: Final = 32
"""Passages of one request, each of one text or two."""
NEAREST: Final = 20
"""Passages of one question, at most."""
LONGEST_QUESTION: Final = 1_500
"""Characters of a question that are embedded."""
_LONG: Final = 200
"""Characters of a passage from which on what was said before it hardly changes what it means."""
_ALONE: Final = 0.6
"""The weight, 0 to 1, of the vector of a passage alone; the rest is that of the passage with the text before it."""


@dataclass(frozen=True, slots=True)
class Unembedded:
    """Describes a passage that has no vector yet; or, with the number 0, one of the unrelated texts.

    `before`: what was said right before it, where it may need that to be understood.
    """

    id: int
    text: str
    before: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Returns what of it is embedded: it alone, and with what was said before it; a long one is not embedded
        twice."""
        if not self.before:
            return (self.text,)
        whole = f"{self.before}\n{self.text}"
        return (whole,) if len(self.text) > _LONG else (self.text, whole)


@cache
def unrelated_texts() -> tuple[str, ...]:
    """Returns the texts that ship with the program and have nothing to do with each other nor with what is searched:
    next to their vectors it is seen what is near by chance."""
    lines = (shipped("resources", "search") / "unrelated.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("# "))


def embedded_texts(passages: Iterable[Unembedded]) -> list[str]:
    """Returns what of the passages is embedded, for `meanings`."""
    return [text for each in passages for text in each.texts]


def meanings(passages: Iterable[Unembedded], vectors: Iterable[Sequence[float]]) -> dict[Unembedded, Sequence[float]]:
    """Returns the vector of each passage, by those of `embedded_texts` the same.

    A message of a few words is either understood by what was said before it or begins something else, and nothing tells
    which. So its vector lies between the one of it alone and the one with what was said before it.
    """
    left = iter(vectors)
    return {each: _between([next(left) for _ in each.texts]) for each in passages}


def _between(vectors: Sequence[Sequence[float]]) -> Sequence[float]:
    if len(vectors) == 1:
        return vectors[0]
    alone, whole = vectors
    of_alone, of_whole = _ALONE / (math.hypot(*alone) or 1.0), (1 - _ALONE) / (math.hypot(*whole) or 1.0)
    return [of_alone * one + of_whole * other for one, other in zip(alone, whole, strict=True)]


@dataclass(frozen=True, slots=True)
class EmbeddedQuestion:
    """Describes a question as the vector that an embedding model has for it."""

    model: str
    text: str
    vector: Sequence[float]


def is_understood(model: str, language: str) -> bool:
    """Returns whether a model's vectors say anything of texts in a language: that of this computer never met Uzbek."""
    return model != LOCAL_EMBEDDING or language != UZBEK
