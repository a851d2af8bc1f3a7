"""Finds conversations by their titles, archived ones too. The words of their messages are found by the index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.search.search_hit import SearchHit, first_places
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.store.sessions.overview import SessionOverview

_MOST: Final = 3
"""Of each kind that are put before what else was found."""
_FEWEST: Final = 2
"""Characters typed from which on titles are looked at."""


def titled_hits(
    overviews: Iterable[SessionOverview], closed: Iterable[ClosedConversation], root: Path
) -> list[SearchHit]:
    """Returns a hit for each conversation that was given a title and may be found, with the title as its text; a choice
    leads to its first message."""
    found = []
    for kind, some in ((SearchKind.SESSION, overviews), (SearchKind.ARCHIVE, closed)):
        for one in some:
            if one.is_titled and one.count and one.discretion is Discretion.REMEMBERED:
                path, when = path_within(one.path, root), one.created_at.isoformat()
                found.append(SearchHit(path, kind, 1, one.title, 0.0, 0, one.key, when=when))
    return found


def with_titles(asked: str, titled: Iterable[SearchHit], hits: Sequence[SearchHit]) -> list[SearchHit]:
    """Returns what was found, behind the conversations whose title holds every word that was asked for."""
    words = asked.casefold().split()
    if len(asked.strip()) < _FEWEST or not words:
        return list(hits)
    chosen: dict[SearchKind, list[SearchHit]] = {}
    for each in titled:
        if all(word in each.text.casefold() for word in words):
            chosen.setdefault(each.kind, []).append(each)
    best = [each for some in chosen.values() for each in some[:_MOST]]
    return [replace(each, mark=partial(first_places, words)) for each in best] + list(hits)
