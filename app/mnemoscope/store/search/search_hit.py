"""Holds what a search over everything gives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from mnemoscope.store.search.search_sources import SearchKind

Spans = tuple[tuple[int, int], ...]


class SearchGivenUp(Exception):
    """Nobody waits for what is found any more: a newer question took this one's place, or the search is closed."""


Checkpoint = Callable[[], None]
"""Is called between the steps of a long search. Raises SearchGivenUp to end it."""


def unchecked() -> None:
    """Lets a search go on to its end."""


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


def files_of(hits: Iterable[SearchHit]) -> set[str]:
    """Returns the paths of the files in which these passages stand, also in other places that say the same."""
    return {each.path for hit in hits for each in (hit, *hit.duplicates)}


def without_inactive(hits: Iterable[SearchHit], left: Mapping[str, Collection[str]]) -> list[SearchHit]:
    """Returns the passages without the lines that a conversation has left, by the paths of their files. Where another
    place says the same, that stands for it."""

    def is_left(hit: SearchHit) -> bool:
        return hit.text.strip() in left.get(hit.path, ())

    found = list[SearchHit]()
    for hit in hits:
        places = [each for each in hit.duplicates if not is_left(each)]
        if not is_left(hit):
            found.append(hit if len(places) == len(hit.duplicates) else replace(hit, duplicates=tuple(places)))
        elif places:
            found.append(replace(places[0], duplicates=tuple(places[1:])))
    return found


@dataclass(frozen=True, slots=True)
class SearchState:
    """Describes the index. `problem`: a sentence where there is no index."""

    passages: int = 0
    is_current: bool = False
    """Whether everything that was on disk at the last look can be found."""
    problem: str = ""
