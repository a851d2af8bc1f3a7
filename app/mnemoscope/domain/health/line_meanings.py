"""Tells how near lines of a memory are in meaning, by the vectors of an embedding model.

The model is the one of this computer, and what is near is told by its cosines. It never met Uzbek.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import mul
from types import MappingProxyType
from typing import Final

from mnemoscope.domain.disagreement.fact_comparison import rule_language
from mnemoscope.domain.memory.facts import fact_text, numbered_fact_lines
from mnemoscope.domain.search.words import is_uzbek

_NEAR: Final = 0.68
"""The cosine from which on two lines may say the same. Of 83 lines of open sets that say what another one does 74 are
as near, of 2,956 pairs of honest lines 4."""
_SIGNS_APART: Final = 0.36
"""The share of a vector's numbers that have another sign beyond which two are surely not as near."""
_NO_VECTORS: Final[Mapping[str, Sequence[float]]] = MappingProxyType({})


def understood_texts(rows: Sequence[str]) -> list[str]:
    """Returns what the lines of a memory text say, but for those in Uzbek."""
    texts = (fact_text(row) for _, row in numbered_fact_lines(rows))
    return [text for text in texts if not is_uzbek(text) and rule_language(text) != "uz"]


class LineMeanings:
    """Compares the meanings of some texts. A text without a vector is near to none."""

    def __init__(self, vectors: Mapping[str, Sequence[float]] = _NO_VECTORS) -> None:
        self._units = {text: _unit(vector) for text, vector in vectors.items()}
        self._signs = {text: _signs(vector) for text, vector in vectors.items()}

    def __contains__(self, text: str) -> bool:
        return text in self._units

    def are_near(self, one: str, other: str, least: float = _NEAR) -> bool:
        """Returns whether two texts may say the same: the cosine of their vectors is at `least` this."""
        if one not in self or other not in self:
            return False
        first, second = self._units[one], self._units[other]
        apart = (self._signs[one] ^ self._signs[other]).bit_count()
        if least >= _NEAR and apart > _SIGNS_APART * len(first):
            return False
        cosine: float = sum(map(mul, first, second))
        return cosine >= least


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    length = math.hypot(*vector) or 1.0
    return tuple(each / length for each in vector)


def _signs(vector: Sequence[float]) -> int:
    return int("".join("1" if each > 0 else "0" for each in vector) or "0", 2)
