"""The best passages for a query: those that may answer are looked at, scored, and gathered where they say the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final, TypeVar

from mnemoscope.domain.search.format_marks import without_marks
from mnemoscope.domain.search.query import SearchQuery
from mnemoscope.domain.search.ranking import PassageFeatures, Scorer, fused, grouped_duplicates
from mnemoscope.domain.search.weights import WEIGHTS, Weights
from mnemoscope.domain.search.words import Related, tokens_of
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.search.candidates import THOROUGH, WITH_PHRASE, CandidateLookup, Candidates, Depth
from mnemoscope.store.search.passage_index import KIND_BITS, PassageIndex, StoredPassage
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.store.sessions.names import key_from_stem

Ranked = TypeVar("Ranked")
_FOLDED: Final = 30
"""Passages looked at beyond a page, as some of it may say the same."""
_CUT_KEPT: Final = 4_000
_JUDGED: Final = 100
"""Of those looked at, the best by their words, of which it is asked whether they look like an answer."""
_JUDGED_OF_KIND: Final = 24
_SHOWN_OF_KIND: Final = 3
"""However full a page is: many hits in one place hide none in another."""


@cache
def shipped_words() -> Related:
    """Returns the words used for the same thing that ship with the program."""
    folder = shipped("resources", "search")
    names = ("related.txt", "forms.txt", "common.txt")
    return Related(*((folder / name).read_text(encoding="utf-8") for name in names))


class PassageFinder:
    """Asks one index. `weights`: how much counts what."""

    def __init__(self, index: PassageIndex, weights: Weights = WEIGHTS) -> None:
        self._index = index
        self._weights = weights
        self._lookup = CandidateLookup(index, weights)
        self._generation = index.generation
        self._cut: dict[int, list[tuple[str, str]]] = {}
        """The words of passages that were looked at before: the next key looks at many of them again."""

    def find(
        self,
        query: SearchQuery,
        limit: int = 50,
        *,
        kinds: Collection[SearchKind] = (),
        semantic: Sequence[int] = (),
        depth: Depth = THOROUGH,
    ) -> list[SearchHit]:
        """Returns the best `limit` passages, and of each kind the best three; best first. Raises sqlite3.Error.

        `kinds`: only there; everywhere where none is named. `semantic`: numbers of the passages that are nearest in
        meaning, the nearest first, fused with those found by words.
        """
        if self._generation != self._index.generation:
            # Numbers are given anew in an index made anew.
            self._generation = self._index.generation
            self._cut.clear()
        found = self._lookup.candidates(query, depth)
        scorer = Scorer(replace(query, terms=tuple(found.terms)), found.rarity, self._weights)
        depth = replace(depth, scored=WITH_PHRASE) if query.phrases else depth
        numbers = _chosen(found, kinds, depth)
        stored = self._index.fetch([*numbers, *(each for each in semantic if each not in found.strength)])
        scores = self._scores(scorer, [stored[number] for number in numbers if number in stored], found)
        ranked = sorted(scores, key=lambda number: (-scores[number], -number))
        if semantic:
            scores = fused(
                [(1.0, ranked), (self._weights.meaning, [each for each in semantic if each in stored])],
                self._weights.fusion_constant,
            )
            ranked = list(scores)
        ranked = _of_every_kind(ranked, limit + _FOLDED, _SHOWN_OF_KIND)
        groups = grouped_duplicates([stored[number] for number in ranked], self._stems)
        groups = _of_every_kind(groups, limit, _SHOWN_OF_KIND, lambda group: group[0].id)
        return [self._hit(group, scorer, scores) for group in groups]

    def _scores(self, scorer: Scorer, passages: Sequence[StoredPassage], found: Candidates) -> dict[int, float]:
        """Returns scores by words, and for the best of these also by whether they look like an answer."""
        near = found.near
        looked_at = {
            each.id: PassageFeatures(
                each.text, self._words(each), each.role, each.language, frozenset(near.get(each.id, ()))
            )
            for each in passages
        }
        scores = {number: scorer.score(passage) for number, passage in looked_at.items()}
        best = sorted(filter(scores.get, scores), key=lambda number: -scores[number])
        best = best if scorer.has_phrases else _of_every_kind(best, _JUDGED, _JUDGED_OF_KIND)
        judged = {number: scores[number] * scorer.fitness(looked_at[number]) for number in best}
        return {number: score for number, score in judged.items() if score > 0}

    def _words(self, one: StoredPassage) -> list[tuple[str, str]]:
        words = self._cut.get(one.id)
        if words is None:
            if len(self._cut) >= _CUT_KEPT:
                self._cut.clear()
            words = self._cut[one.id] = tokens_of(one.text, one.language)
        return words

    def _stems(self, one: StoredPassage) -> frozenset[str]:
        text = without_marks(one.text)
        words = self._words(one) if text == one.text else tokens_of(text, one.language)
        return frozenset(stem for _, stem in words)

    def _hit(self, group: Sequence[StoredPassage], scorer: Scorer, scores: dict[int, float]) -> SearchHit:
        first, *others = group
        also = tuple(self._place(each, scores) for each in others)
        return replace(self._place(first, scores), mark=scorer.spans, duplicates=also)

    def _place(self, one: StoredPassage, scores: dict[int, float]) -> SearchHit:
        state = self._index.file_of(one.file)
        key = ""
        if one.message_index >= 0:
            key = state.place.key or key_from_stem(PurePosixPath(state.name).stem)
        score = round(scores.get(one.id, 0.0), 4)
        at = (one.line, one.text, score, one.message_index, key, one.role, one.when)
        return SearchHit(state.name, one.kind, *at, number=one.id)


def _chosen(found: Candidates, kinds: Collection[SearchKind], depth: Depth) -> list[int]:
    """Returns those worth a look at their text: the strongest, and the strongest of each kind."""
    ranked = sorted(found.strength, key=found.strength.__getitem__, reverse=True)
    wanted = {int(kind) for kind in kinds or SearchKind}
    among = [number for number in ranked if number >> KIND_BITS in wanted]
    return _of_every_kind(among, depth.scored, depth.of_kind)


def _of_every_kind(
    ranked: Sequence[Ranked], most: int, of_kind: int, number: Callable[[Any], int] = lambda number: number
) -> list[Ranked]:
    """Returns the first `most`, and after them of each kind the first `of_kind`, in the order they had."""
    left: dict[int, int] = {}
    chosen = []
    for rank, one in enumerate(ranked):
        kind = number(one) >> KIND_BITS
        left[kind] = left.get(kind, of_kind) - 1
        if rank < most or left[kind] >= 0:
            chosen.append(one)
    return chosen
