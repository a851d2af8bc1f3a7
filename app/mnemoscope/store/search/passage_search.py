"""Ranked search over everything a workspace remembers: the index, kept true to the files, and what is asked of it.

One thread at a time. A damaged index is thrown away and made anew; where none can be kept at all, `problem` says so.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from mnemoscope.domain.search.query import parse_query
from mnemoscope.domain.search.weights import WEIGHTS, Weights
from mnemoscope.store.search.candidates import AT_ONCE, THOROUGH
from mnemoscope.store.search.database import FullTextMissing, SearchDatabase
from mnemoscope.store.search.embedding import Unembedded
from mnemoscope.store.search.passage_finder import PassageFinder, shipped_words
from mnemoscope.store.search.passage_index import PassageIndex
from mnemoscope.store.search.search_hit import SearchHit, SearchState
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.store.search.synchronizer import Synchronizer
from mnemoscope.store.search.vectors import PassageVectors
from mnemoscope.store.workspace.paths import WorkspacePaths

Result = TypeVar("Result")
_FOREVER: Final = 3_600.0
_SLICE: Final = 0.05


class PassageSearch:
    """The passages of one workspace, kept in `database`. `weights`: how much counts what."""

    def __init__(self, paths: WorkspacePaths, database: SearchDatabase, weights: Weights = WEIGHTS) -> None:
        self._database = database
        self._weights = weights
        self._index = PassageIndex(database)
        self._sync = Synchronizer(paths, self._index)
        self._finder = PassageFinder(self._index, weights)
        self._vectors = PassageVectors(self._index)

    @property
    def state(self) -> SearchState:
        """Returns what was known at the last look."""
        return SearchState(
            self._index.count(), self._sync.is_done and not self._database.problem, self._database.problem
        )

    @property
    def index(self) -> PassageIndex:
        """Returns the index itself."""
        return self._index

    @property
    def is_stale(self) -> bool:
        """Returns whether the index was thrown away since the last look, and a new one can be made."""
        return self._sync.is_stale and not self._database.problem and not self._database.is_moved_away()

    def refresh(self) -> bool:
        """Looks what changed on disk; True where there is something to take in."""
        return not self._database.is_moved_away() and self._safely(self._sync.refresh, otherwise=False)

    def work(self, seconds: float) -> bool:
        """Takes in more, for about `seconds`; True where there is more to do."""
        if self.is_stale:
            self.refresh()
        return self._safely(lambda: self._sync.work(seconds), otherwise=False)

    def catch_up(self, seconds: float = _FOREVER, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Takes in what changed, for at most so many seconds."""
        deadline = time.perf_counter() + seconds
        self.refresh()
        while self.work(_SLICE) and time.perf_counter() < deadline and not should_stop():
            pass

    def find(
        self,
        text: str,
        limit: int = 50,
        *,
        typing: bool = False,
        at_once: bool = False,
        kinds: Collection[SearchKind] = (),
        semantic: Sequence[int] = (),
    ) -> list[SearchHit]:
        """Returns the best passages for a query, best first; none where there is no index.

        `typing`: the last word may not be whole. `at_once`: no further than a person waits who types on.
        """
        depth = AT_ONCE if at_once else THOROUGH
        query = parse_query(text, shipped_words(), typing=typing, at_once=at_once, weights=self._weights)
        if query.is_empty and not semantic:
            return []
        call = partial(self._finder.find, query, limit, kinds=kinds, semantic=semantic, depth=depth)
        return self._safely(call, otherwise=[])

    def unembedded(self, model: str, limit: int) -> list[Unembedded]:
        """Returns passages that have no vector of the model yet; none where vectors would be lost with the index."""
        call = partial(self._vectors.wanted, model, limit)
        return self._safely(call, otherwise=[]) if self._database.is_lasting else []

    def embed(self, model: str, vectors: Mapping[Unembedded, Sequence[float]]) -> None:
        """Keeps the vectors of passages."""
        self._safely(lambda: self._vectors.keep(model, vectors), otherwise=None)

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> list[int]:
        """Returns numbers of the passages nearest in meaning, for `find`."""
        return self._safely(lambda: self._vectors.nearest(model, vector, limit), otherwise=[])

    def newest_question(self, session_key: str) -> int:
        """Returns the number of the person's newest message in a conversation; 0 where there is none."""
        return self._safely(lambda: self._index.newest_message_index(session_key, "user"), otherwise=0)

    def stop(self) -> None:
        """Gives up what is being taken in."""
        self._sync.stop()

    def _safely(self, call: Callable[[], Result], *, otherwise: Result) -> Result:
        """Makes a call; where the index is broken, begins a new one that the next look fills."""
        if self._database.problem:
            return otherwise
        try:
            return call()
        except FullTextMissing as error:
            self._database.give_up(str(error))
        except (sqlite3.Error, OSError) as error:
            self._sync.stop()
            if self._database.discard(f"{error}"):
                self.refresh()
        return otherwise
