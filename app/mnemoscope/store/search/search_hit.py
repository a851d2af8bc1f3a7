"""Holds what a search over everything gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mnemoscope.store.search.sources import SearchKind

Spans = tuple[tuple[int, int], ...]


def first_places(words: Iterable[str], text: str) -> Spans:
    """Returns where each word stands first in a text, whatever its case, as (start, stop) in characters that do not
    overlap."""
    low = text.casefold()
    if len(low) != len(text):
        return ()
    places = sorted((start, start + len(word)) for word in words if (start := low.find(word)) >= 0)
    return tuple(place for number, place in enumerate(places) if not number or place[0] >= places[number - 1][1])


def _unmarked(_text: str) -> Spans:
    return ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Holds a passage that was found.

    `path` is relative to the workspace, `line` counts from 1, `message_index` is the message's number in its
    conversation (from 0) or -1. `mark` tells where in a text the words of the query stand, as (start, stop) in
    characters; `duplicates` are other places that say the same.
    """

    path: str
    kind: SearchKind
    line: int
    text: str
    score: float
    message_index: int = -1
    session_key: str = ""
    role: str = ""
    when: str = ""
    mark: Callable[[str], Spans] = field(default=_unmarked, repr=False, compare=False)
    duplicates: tuple[SearchHit, ...] = ()
    number: int = 0
    """Of the passage, in the index as it is now."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """Describes the index. `problem`: a sentence where there is no index."""

    passages: int = 0
    is_current: bool = False
    """Whether everything that was on disk at the last look can be found."""
    problem: str = ""
