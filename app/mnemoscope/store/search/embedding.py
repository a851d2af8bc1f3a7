"""Names what is embedded for the search by meaning, and how much of it at once: plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.search.words import UZBEK
from mnemoscope.domain.settings import LOCAL_EMBEDDING

BATCH: Final = 64
"""Passages of one request."""
NEAREST: Final = 20
"""Passages of one question, at most."""
LONGEST_QUESTION: Final = 1_500
"""Characters of a question that are embedded."""


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A passage that has no vector yet; or, with the number 0, one of the unrelated texts.

    `before`: what was said right before it, where it is embedded together with that.
    """

    id: int
    text: str
    before: str = ""

    @property
    def whole(self) -> str:
        """Returns the text that is embedded."""
        return f"{self.before}\n{self.text}" if self.before else self.text


@dataclass(frozen=True, slots=True)
class EmbeddedQuestion:
    """A question as the vector that an embedding model has for it."""

    model: str
    text: str
    vector: Sequence[float]


def is_understood(model: str, language: str) -> bool:
    """Returns whether a model's vectors say anything of texts in a language: that of this computer never met Uzbek."""
    return model != LOCAL_EMBEDDING or language != UZBEK
