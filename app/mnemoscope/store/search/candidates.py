"""Finds the passages that may answer a query, by the lists of its words in the index, without looking at a text.

Every place is asked for by itself, so that many hits in one never hide those in another; and a passage that holds all
words of a query is always looked at, however common each of them is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mnemoscope.domain.search.days import Days
from mnemoscope.domain.search.query import SearchQuery, Term, Variant
from mnemoscope.domain.search.ranking import TermRarity, rarity
from mnemoscope.domain.search.weights import Weights
from mnemoscope.domain.search.words import is_spaceless, plain_stem
from mnemoscope.store.search.passage_index import PassageIndex

_LEAST_ROWS: Final = 150
_TOGETHER: Final = 200
WITH_PHRASE: Final = 2_000
"""Passages looked at where words have to follow each other."""
_LEADING: Final = 4
"""Variants of a term that are asked for where two have to stand together."""
_STALE_FROM: Final = 0.1
_COUNTS_KEPT: Final = 5_000
_INSIDE_FROM: Final = 3
"""Letters of a word that is looked for inside others."""
_TOO_FEW: Final = 3
"""Passages that hold a word from which on it is not looked for inside others."""
_MOST_HOLDERS: Final = 12


@dataclass(frozen=True, slots=True)
class Depth:
    """Sets how far a search goes.

    `rows`: numbers of passages read from the index for all words together. `scored`: passages looked at, and `of_kind`
    of each kind. `pairs`: pairs of common words that are asked for together. `is_thorough`: words inside others are
    looked for, the rarity of a word is told from that of the words used for the same thing, and passages that are equal
    are ordered by their time before some are left out.
    """

    rows: int
    scored: int
    of_kind: int
    pairs: int
    is_thorough: bool


AT_ONCE: Final = Depth(1_200, 60, 10, 2, is_thorough=False)
"""While somebody types."""
THOROUGH: Final = Depth(3_000, 200, 24, 10, is_thorough=True)


@dataclass(slots=True)
class Candidates:
    """Collects what the lists of words say: strength by passage, terms beside each, how rare each term is."""

    strength: dict[int, float] = field(default_factory=dict)
    near: dict[int, set[int]] = field(default_factory=dict)
    terms: list[Term] = field(default_factory=list)
    """Those of the query; one that nothing holds by itself with the words around it."""
    rarity: list[TermRarity] = field(default_factory=list)
    """By term."""

    @property
    def whole_rarity(self) -> float:
        """Returns the rarity of all terms together."""
        return sum(each.of_word for each in self.rarity)

    def strengthen(self, passages: Iterable[int], by: float) -> None:
        """Counts so much more for passages that hold something."""
        strength = self.strength
        for passage in passages:
            strength[passage] = strength.get(passage, 0.0) + by


class CandidateLookup:
    """Looks queries up in one index."""

    def __init__(self, index: PassageIndex, weights: Weights) -> None:
        self._index = index
        self._weights = weights
        self._counts: dict[str, int] = {}
        self._counted_at = 0

    def candidates(self, query: SearchQuery, depth: Depth) -> Candidates:
        """Returns the passages that may answer. Raises sqlite3.Error."""
        found = Candidates()
        rows = max(_LEAST_ROWS, depth.rows // max(1, 2 * len(query.terms)))
        common: list[int] = []
        for number, term in enumerate(query.terms):
            if self._look_up_term(found, number, term, rows, is_thorough=depth.is_thorough):
                common.append(number)
        self._look_up_together(found, query.terms, common, depth.pairs)
        for days in query.days:
            self._look_up_days(found, days, rows)
        for phrase in query.phrases:
            expression = " AND ".join(f'{{stems forms}} : ("{word}" OR "{plain_stem(word)}")' for word in phrase)
            found.strength |= dict.fromkeys(self._index.holding(expression, WITH_PHRASE), found.whole_rarity)
        return found

    def _look_up_term(self, found: Candidates, number: int, term: Term, rows: int, *, is_thorough: bool) -> bool:
        """Adds what holds a term; returns True where there is more than was read."""
        exact = [each for each in term.variants if each.weight >= self._weights.prefix]
        loose = [each for each in term.variants if each.weight < self._weights.prefix]
        expression = _expression(exact)
        holding = self._index.holding(expression, rows)
        is_common = len(holding) == rows
        rare = rarity(self._count(expression) if is_common else len(holding), self._index.count())
        similar = self._index.holding(_expression(loose), rows // 2) if loose else []
        too_few = is_thorough and len(holding) + len(similar) < _TOO_FEW
        if too_few and (holders := self._words_around(term)):
            loose += holders
            similar = self._index.holding(_expression(loose), rows // 2)
            term = replace(term, variants=(*term.variants, *holders))
        found.terms.append(term)
        less_rare = min(rare, rarity(len(similar) + len(holding), self._index.count())) if similar else rare
        if holding:
            of_word = self._rarity_of_word(exact, rows, rare) if is_thorough else rare
            found.rarity.append(TermRarity(of_word, rare, less_rare))
        else:
            found.rarity.append(TermRarity(less_rare, less_rare, less_rare))
        found.strengthen(similar, less_rare * self._weights.loose)
        found.strengthen(holding, rare)
        whole = [each for each in exact if not each.prefix]
        beside = self._index.holding(_expression(whole, "near"), rows // 2) if whole else []
        found.strengthen(beside, rare * self._weights.near)
        for passage in beside:
            found.near.setdefault(passage, set()).add(number)
        return is_common

    def _rarity_of_word(self, exact: Sequence[Variant], rows: int, among_related: float) -> float:
        """Returns how rare a word and its forms are without the words used for the same thing, which are more often
        common; as with them where nothing holds it."""
        own = [each for each in exact if each.weight > self._weights.related or each.prefix]
        if not own or len(own) == len(exact):
            return among_related
        expression = _expression(own)
        holding = len(self._index.holding(expression, rows))
        if not holding:
            return among_related
        return rarity(self._count(expression) if holding == rows else holding, self._index.count())

    def _words_around(self, term: Term) -> list[Variant]:
        """Returns the indexed words that hold a word which hardly anything holds: `shop` stands in `workshop`."""
        if not self._weights.inside or len(term.word) < _INSIDE_FROM or is_spaceless(term.word):
            return []
        known = {variant.token for variant in term.variants}
        holders = self._index.words_with(term.word, _MOST_HOLDERS)
        return [Variant(word, self._weights.inside) for word in holders if word not in known]

    def _look_up_days(self, found: Candidates, days: Days, rows: int) -> None:
        """Adds the passages of days that the query names."""
        asked = [Variant(token, 1.0, prefix=is_beginning) for token, is_beginning in days.tokens()]
        if asked:
            holding = self._index.holding(_expression(asked, "near"), rows)
            found.strengthen(holding, rarity(len(holding), self._index.count()) * self._weights.near)

    def _look_up_together(self, found: Candidates, terms: Sequence[Term], common: Sequence[int], most: int) -> None:
        """Adds, for words that many passages hold, the passages that hold two of them."""
        pairs = [(one, other) for one in common for other in range(len(terms)) if other != one]
        pairs = [pair for pair in pairs if pair[0] < pair[1] or pair[1] not in common]
        for one, other in pairs[:most]:
            expression = " AND ".join(_expression(terms[each].variants[:_LEADING]) for each in (one, other))
            both = found.rarity[one].of_word + found.rarity[other].of_word
            for passage in self._index.holding(expression, _TOGETHER):
                found.strength[passage] = max(found.strength.get(passage, 0.0), both)
        if len(common) > 1 and len(terms) > 2:
            together = " AND ".join(_expression(term.variants[:_LEADING]) for term in terms)
            found.strength |= dict.fromkeys(self._index.holding(together, _TOGETHER), found.whole_rarity)

    def _count(self, expression: str) -> int:
        """Returns how many passages hold a common word, as of a while ago."""
        size = self._index.count()
        if abs(size - self._counted_at) > _STALE_FROM * self._counted_at or len(self._counts) > _COUNTS_KEPT:
            self._counts = {}
            self._counted_at = size
        if expression not in self._counts:
            self._counts[expression] = self._index.how_many(expression)
        return self._counts[expression]


def _expression(variants: Sequence[Variant], columns: str = "stems forms") -> str:
    tokens = " OR ".join(map(_asked_for, variants))
    return f"{{{columns}}} : ({tokens})"


def _asked_for(variant: Variant) -> str:
    """Returns how FTS5 is asked for a variant; for several words it asks for all of them, in any order."""
    if " " in variant.token:
        words = (f'"{word}"' for word in variant.token.split())
        return f"({' AND '.join(words)})"
    return f'"{variant.token}"{"*" * variant.prefix}'
