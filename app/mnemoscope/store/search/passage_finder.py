"""Finding passages in the search index: which may answer a query, by the lists of its words, and the best of them.

Every place is asked for by itself, so that many hits in one never hide those in another; and a passage that holds all
words of a query is always looked at, however common each of them is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final, TypeVar

from mnemoscope.domain.search.query import PREFIX, SearchQuery, Term, Variant
from mnemoscope.domain.search.ranking import NEAR, Passage, Scorer, folded_together, fused, rarity, said
from mnemoscope.domain.search.words import Related, plain_stem, tokens_of
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.search.passage_index import KIND_BITS, SearchIndex, Stored
from mnemoscope.store.search.search_hit import THOROUGH, Depth, SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.store.sessions.names import key_from_stem

Ranked = TypeVar("Ranked")
_LEAST_ROWS: Final = 150
_TOGETHER: Final = 200
_FOLDED: Final = 30
"""Passages looked at beyond a page, as some of it may say the same."""
_CUT_KEPT: Final = 4_000
_WITH_PHRASE: Final = 2_000
_JUDGED: Final = 100
"""Of those looked at, the best by their words, of which it is asked whether they look like an answer."""
_JUDGED_OF_KIND: Final = 24
_SHOWN_OF_KIND: Final = 3
"""However full a page is: many hits in one place hide none in another."""
_EXACT_FROM: Final = PREFIX
MEANING: Final = 0.6
"""The weight of what is near in meaning beside what is found by words: a small model is often near without a reason."""
_LOOSE: Final = 0.45
_LEADING: Final = 4
"""Variants of a term that are asked for where two have to stand together."""
_STALE_FROM: Final = 0.1
_COUNTS_KEPT: Final = 5_000


@dataclass(slots=True)
class _Found:
    """What the lists of words say: strength by passage, terms beside each, how rare each term is."""

    strength: dict[int, float] = field(default_factory=dict)
    near: dict[int, set[int]] = field(default_factory=dict)
    rarity: list[tuple[float, float]] = field(default_factory=list)
    """By term: of the word itself, and of what is used for it."""


@cache
def shipped_words() -> Related:
    """The words used for the same thing that ship with the program."""
    folder = shipped("resources", "search")
    names = ("related.txt", "forms.txt", "common.txt")
    return Related(*((folder / name).read_text(encoding="utf-8") for name in names))


class SearchFinder:
    """Asks one index."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._counts: dict[str, int] = {}
        self._counted_at = 0
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
        """The best `limit` passages, and of each kind the best three; best first. Raises sqlite3.Error.

        `kinds`: only there; everywhere where none is named. `semantic`: numbers of the passages that are nearest in
        meaning, the nearest first, fused with those found by words.
        """
        found = self._look_up(query, depth)
        scorer = Scorer(query, found.rarity)
        depth = replace(depth, scored=_WITH_PHRASE) if query.phrases else depth
        numbers = _chosen(found, kinds, depth)
        stored = self._index.fetch([*numbers, *(each for each in semantic if each not in found.strength)])
        scores = self._scores(scorer, [stored[number] for number in numbers if number in stored], found)
        ranked = sorted(scores, key=lambda number: (-scores[number], -number))
        if semantic:
            ranked, scores = _fused(ranked, [each for each in semantic if each in stored])
        ranked = _of_every_kind(ranked, limit + _FOLDED, _SHOWN_OF_KIND)
        groups = folded_together([stored[number] for number in ranked], self._said)
        groups = _of_every_kind(groups, limit, _SHOWN_OF_KIND, lambda group: group[0].id)
        return [self._hit(group, scorer, scores) for group in groups]

    def _scores(self, scorer: Scorer, passages: Sequence[Stored], found: _Found) -> dict[int, float]:
        """By words, and for the best of these whether they look like an answer too."""
        near = found.near
        looked_at = {
            each.id: Passage(each.text, self._words(each), each.role, each.language, frozenset(near.get(each.id, ())))
            for each in passages
        }
        scores = {number: scorer.score(passage) for number, passage in looked_at.items()}
        best = sorted(filter(scores.get, scores), key=lambda number: -scores[number])
        best = best if scorer.has_phrases else _of_every_kind(best, _JUDGED, _JUDGED_OF_KIND)
        judged = {number: scores[number] * scorer.fitness(looked_at[number]) for number in best}
        return {number: score for number, score in judged.items() if score > 0}

    def _words(self, one: Stored) -> list[tuple[str, str]]:
        words = self._cut.get(one.id)
        if words is None:
            if len(self._cut) >= _CUT_KEPT:
                self._cut.clear()
            words = self._cut[one.id] = tokens_of(one.text, one.language)
        return words

    def _said(self, one: Stored) -> frozenset[str]:
        text = said(one.text)
        words = self._words(one) if text == one.text else tokens_of(text, one.language)
        return frozenset(stem for _, stem in words)

    def _hit(self, group: Sequence[Stored], scorer: Scorer, scores: dict[int, float]) -> SearchHit:
        first, *others = group
        also = tuple(self._place(each, scores) for each in others)
        return replace(self._place(first, scores), mark=scorer.spans, also=also)

    def _place(self, one: Stored, scores: dict[int, float]) -> SearchHit:
        state = self._index.file_of(one.file)
        key = ""
        if one.spot >= 0:
            key = state.place.key or key_from_stem(PurePosixPath(state.name).stem)
        score = round(scores.get(one.id, 0.0), 4)
        at = (one.line, one.text, score, one.spot, key, one.role, one.when)
        return SearchHit(state.name, one.kind, *at, number=one.id)

    # -- which passages may answer ------------------------------------------------------------------------------------

    def _look_up(self, query: SearchQuery, depth: Depth) -> _Found:
        found = _Found()
        rows = max(_LEAST_ROWS, depth.rows // max(1, 2 * len(query.terms)))
        common: list[int] = []
        for number, term in enumerate(query.terms):
            if self._look_up_term(found, number, term, rows):
                common.append(number)
        self._look_up_together(found, query, common, depth.pairs)
        for phrase in query.phrases:
            expression = " AND ".join(f'{{stems forms}} : ("{word}" OR "{plain_stem(word)}")' for word in phrase)
            everything = sum(rare for rare, _ in found.rarity)
            found.strength |= dict.fromkeys(self._index.holding(expression, _WITH_PHRASE), everything)
        return found

    def _look_up_term(self, found: _Found, number: int, term: Term, rows: int) -> bool:
        """Add what holds a term; True where there is more than was read."""
        exact = [each for each in term.variants if each.weight >= _EXACT_FROM]
        loose = [each for each in term.variants if each.weight < _EXACT_FROM]
        expression = _expression(exact)
        holding = self._index.holding(expression, rows)
        is_common = len(holding) == rows
        rare = rarity(self._count(expression) if is_common else len(holding), self._index.count())
        similar = self._index.holding(_expression(loose), rows // 2) if loose else []
        less_rare = min(rare, rarity(len(similar) + len(holding), self._index.count())) if similar else rare
        found.rarity.append((rare if holding else less_rare, less_rare))
        for passage in similar:
            found.strength[passage] = found.strength.get(passage, 0.0) + less_rare * _LOOSE
        for passage in holding:
            found.strength[passage] = found.strength.get(passage, 0.0) + rare
        whole = [each for each in exact if not each.prefix]
        for passage in self._index.holding(_expression(whole, "near"), rows // 2) if whole else ():
            found.near.setdefault(passage, set()).add(number)
            found.strength[passage] = found.strength.get(passage, 0.0) + NEAR * rare
        return is_common

    def _look_up_together(self, found: _Found, query: SearchQuery, common: Sequence[int], most: int) -> None:
        """Of words that many passages hold, those passages that hold two of them."""
        pairs = [(one, other) for one in common for other in range(len(query.terms)) if other != one]
        pairs = [pair for pair in pairs if pair[0] < pair[1] or pair[1] not in common]
        for one, other in pairs[:most]:
            expression = " AND ".join(_expression(query.terms[each].variants[:_LEADING]) for each in (one, other))
            both = found.rarity[one][0] + found.rarity[other][0]
            for passage in self._index.holding(expression, _TOGETHER):
                found.strength[passage] = max(found.strength.get(passage, 0.0), both)
        if len(common) > 1 and len(query.terms) > 2:
            together = " AND ".join(_expression(term.variants[:_LEADING]) for term in query.terms)
            everything = sum(rare for rare, _ in found.rarity)
            found.strength |= dict.fromkeys(self._index.holding(together, _TOGETHER), everything)

    def _count(self, expression: str) -> int:
        """How many passages hold a common word, as of a while ago."""
        size = self._index.count()
        if abs(size - self._counted_at) > _STALE_FROM * self._counted_at or len(self._counts) > _COUNTS_KEPT:
            self._counts, self._counted_at = {}, size
        if expression not in self._counts:
            self._counts[expression] = self._index.how_many(expression)
        return self._counts[expression]


def _chosen(found: _Found, kinds: Collection[SearchKind], depth: Depth) -> list[int]:
    """Those worth a look at their text: the strongest, and the strongest of each kind."""
    ranked = sorted(found.strength, key=found.strength.__getitem__, reverse=True)
    wanted = {int(kind) for kind in kinds or SearchKind}
    among = [number for number in ranked if number >> KIND_BITS in wanted]
    return _of_every_kind(among, depth.scored, depth.of_kind)


def _of_every_kind(
    ranked: Sequence[Ranked], most: int, of_kind: int, number: Callable[[Any], int] = lambda number: number
) -> list[Ranked]:
    """The first `most`, and after them of each kind the first `of_kind`, in the order they had."""
    left: dict[int, int] = {}
    chosen = []
    for rank, one in enumerate(ranked):
        kind = number(one) >> KIND_BITS
        left[kind] = left.get(kind, of_kind) - 1
        if rank < most or left[kind] >= 0:
            chosen.append(one)
    return chosen


def _fused(lexical: Sequence[int], semantic: Sequence[int]) -> tuple[list[int], dict[int, float]]:
    scores = fused([(1.0, lexical), (MEANING, semantic)])
    return list(scores), scores


def _expression(variants: Sequence[Variant], columns: str = "stems forms") -> str:
    tokens = " OR ".join(map(_asked_for, variants))
    return f"{{{columns}}} : ({tokens})"


def _asked_for(variant: Variant) -> str:
    """Of several words all, in any order: the lists do not know it, the passage that is looked at does."""
    if " " in variant.token:
        words = (f'"{word}"' for word in variant.token.split())
        return f"({' AND '.join(words)})"
    return f'"{variant.token}"{"*" * variant.prefix}'
