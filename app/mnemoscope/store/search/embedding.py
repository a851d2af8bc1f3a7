"""Names what is embedded for the search by meaning, and how much of it at once: plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BATCH: Final = 64
"""Passages of one request."""
NEAREST: Final = 20
"""Passages of one question, at most."""
LONGEST_QUESTION: Final = 1_500
"""Characters of a question that are embedded."""


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A passage that has no vector yet; or, with the number 0, one of the unrelated texts."""

    id: int
    text: str
