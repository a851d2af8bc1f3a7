"""What a search over everything gives, and how far it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from mnemoscope.store.search.sources import SearchKind

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Depth:
    """How far a search goes: numbers read for all words together, passages looked at, and of each kind; pairs
    of common words that are asked for together."""

    rows: int
    scored: int
    of_kind: int
    pairs: int


AT_ONCE: Final = Depth(1_200, 60, 10, 2)
"""While somebody types."""
THOROUGH: Final = Depth(3_000, 200, 24, 10)


def _unmarked(_text: str) -> Spans:
    return ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage found. `path` is relative to the workspace, `line` counts from 1, `spot` is the message's number in its
    conversation (from 0) or -1; `mark` tells where in a text the words of the query stand, as (start, stop) in
    characters; `also` are other places that say the same."""

    path: str
    kind: SearchKind
    line: int
    text: str
    score: float
    spot: int = -1
    session_key: str = ""
    role: str = ""
    when: str = ""
    mark: Callable[[str], Spans] = field(default=_unmarked, repr=False, compare=False)
    also: tuple[SearchHit, ...] = ()
    number: int = 0
    """Of the passage, in the index as it is now."""
