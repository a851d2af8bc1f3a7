"""Scores how well a passage answers a query, fuses several rankings into one, and groups results that say the same."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pstdev
from typing import Final, NamedTuple, TypeVar

from mnemoscope.domain.search.line_heads import speaker_of
from mnemoscope.domain.search.query import SearchQuery
from mnemoscope.domain.search.times_and_numbers import says_number, says_time
from mnemoscope.domain.search.weights import WEIGHTS, Weights
from mnemoscope.domain.search.words import (
    RelatedWord,
    is_form_of,
    is_spaceless,
    language,
    stems_of,
    tokens_of,
    words_of,
)
from mnemoscope.domain.text.characters import APOSTROPHES, QUESTION_MARKS

ItemT = TypeVar("ItemT")
KeyT = TypeVar("KeyT", bound=Hashable)
_BESIDE_FROM: Final = 2
"""Words of the query that have to stand beside a passage that holds none itself: it may be the answer."""
_SAME_FROM: Final = 0.85
"""Share of common words from which two passages say the same."""
_SHORT: Final = 8
_SAYS_LITTLE: Final = 30
_SAYS_ENOUGH: Final = 125
"""Bytes of a message as UTF-8, between which a longer one more often answers: some 6 and 25 words of English. Of
Chinese, where a character says more, a third as many characters are enough."""
_NAME: Final = re.compile(rf"(?<=[\w,] )[A-ZА-ЯЎҚҒҲ][\w{APOSTROPHES}-]{{2,}}")
CHANCE: Final = 0.001
"""A passage may seem near to one of so many questions that nothing answers."""
_LEAST_SPREAD: Final = 0.01
"""Cosines are not kept more exactly."""


@dataclass(frozen=True, slots=True)
class PassageFeatures:
    """Holds what ranking has to know of a passage. `words`: those of its text, as `tokens_of` gives them; `near`: the
    numbers of the terms that stand beside it."""

    text: str
    words: Sequence[tuple[str, str]]
    role: str = ""
    language: str = ""
    near: frozenset[int] = frozenset()
    when: str = ""
    """As `2026-03-06 14:20`, with as much of it as is known."""
    is_talk: bool = False
    """Whether it was said in a talk, where a few words seldom answer; a line of memory answers in however few."""


class TermRarity(NamedTuple):
    """Tells how rare a term is, as inverse document frequencies above 0: the word in its forms, with the words used for
    the same thing, and with what only begins like it."""

    of_word: float
    related: float
    loose: float


class Scorer:
    """Scores passages for one query. `rarity`: of each term."""

    def __init__(self, query: SearchQuery, rarity: Sequence[TermRarity], weights: Weights = WEIGHTS) -> None:
        self._query = query
        self._weights = weights
        self._rarity = [
            TermRarity(*(rare * term.weight for rare in each)) for each, term in zip(rarity, query.terms, strict=True)
        ]
        self._whole = sum(each.of_word for each in self._rarity) or 1.0
        self._tokens: dict[str, list[tuple[int, float]]] = {}
        self._others: dict[str, list[tuple[int, float, tuple[RelatedWord, ...]]]] = {}
        """Words used for the same thing, by token; each counts in its own languages alone."""
        self._prefixes: list[tuple[str, int, float]] = []
        self._groups: list[tuple[str, int, float]] = []
        for number, term in enumerate(query.terms):
            for variant in term.variants:
                if " " in variant.token:
                    self._groups.append((f" {variant.token} ", number, variant.weight))
                elif variant.prefix:
                    self._prefixes.append((variant.token, number, variant.weight))
                elif variant.is_other and variant.spoken:
                    others = tuple(RelatedWord(variant.token, each) for each in variant.spoken)
                    self._others.setdefault(variant.token, []).append((number, variant.weight, others))
                else:
                    self._tokens.setdefault(variant.token, []).append((number, variant.weight))
        self._language = language(query.text)
        self._named = frozenset(form for word in words_of(query.text) for form in (word.folded, *stems_of(word.folded)))
        self._starts = tuple(token for token, _, _ in self._prefixes)
        own = [variant for term in query.terms for variant in term.variants if not variant.is_other]
        self._own = frozenset(variant.token for variant in own if not variant.prefix)
        self._own_starts = tuple(variant.token for variant in own if variant.prefix)

    @property
    def has_phrases(self) -> bool:
        """Returns whether the query has words that have to follow each other."""
        return bool(self._query.phrases)

    def score(self, passage: PassageFeatures) -> float:
        """Scores by words alone: 0 if nothing of the query is there; larger is better."""
        words, weights = passage.words, self._weights
        counts, adjacent = self._matches(words)
        beside = passage.near - counts.keys()
        of_day = self._of_day(passage.when)
        is_near = len(beside) >= _BESIDE_FROM and 2 * len(beside) >= len(self._query.terms)
        if not counts and not is_near and not of_day:
            return 0.0
        total = covered = 0.0
        for number, found in counts.items():
            weight = max(found)
            strength = weight * self._rarity[number][(weight <= weights.related) + (weight < weights.prefix)]
            total += strength * (1 + weights.saturation * (1 - 1 / len(found)))
            covered += strength
        for number in beside:
            total += weights.near * self._rarity[number].of_word
            covered += weights.near * self._rarity[number].of_word
        length = 1 - weights.length + weights.length * max(len(words), _SHORT) / weights.usual_length
        share = covered / self._whole
        score = total / math.sqrt(length) * (0.5 + 0.5 * share)
        score *= 1 + weights.adjacent * adjacent / len(self._query.terms)
        score = score * (1 + of_day) + of_day * weights.named_day
        return score * self._fit_to_language(passage.language)

    @property
    def looks_around(self) -> bool:
        """Returns whether what stands around a passage counts: of one word there is no more to learn from it."""
        return len(self._query.terms) > 1

    @property
    def looks_beside(self) -> bool:
        """Returns whether a passage may answer that holds no word of the query: a question is answered so, and what is
        looked for by words is not."""
        return self.looks_around and (bool(self._query.wants) or is_question(self._query.text))

    def unsaid(self, score: float) -> float:
        """Returns how much of the query a passage of that score leaves unsaid, 0 to 1."""
        return 1 - min(1.0, score / self._whole)

    def _of_day(self, when: str) -> float:
        """Returns how much more a passage of that time counts."""
        named = [days for days in self._query.days if days.holds(when)]
        if not named:
            return 0.0
        return self._weights.of_day if any(days.is_one for days in named) else self._weights.of_month

    def of_speaker(self, text: str) -> float:
        """Returns what to multiply the score by for who speaks: more where a passage begins with `Name:`, and the query
        holds every word of the name."""
        return 1 + self._weights.speaker if self._is_said_by_named(text) else 1.0

    def _is_said_by_named(self, text: str) -> bool:
        speaker = speaker_of(text)
        words = tokens_of(speaker)
        if any(is_spaceless(folded) for folded, _ in words):
            return speaker in self._query.text
        return bool(words) and all(folded in self._named or stem in self._named for folded, stem in words)

    def spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Returns where the words of the query stand in a text, for marking them: (start, stop) in characters. Other
        words, used for the same thing, are not marked as if they had been typed."""
        found = [(word.start, word.stop) for word in words_of(text) if self._is_own(word.folded, word.stem)]
        joined: list[tuple[int, int]] = []
        for start, stop in found:
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
            else:
                joined.append((start, stop))
        return tuple(joined)

    def _is_own(self, folded: str, stem: str) -> bool:
        """Returns whether a word is one of the query, in whatever form."""
        return not self._own.isdisjoint((folded, stem)) or (
            bool(self._own_starts) and (stem.startswith(self._own_starts) or folded.startswith(self._own_starts))
        )

    def _matches(self, words: Sequence[tuple[str, str]]) -> tuple[dict[int, list[float]], int]:
        counts: dict[int, list[float]] = {}
        adjacent, before = 0, -2
        for word in words:
            numbers = self._found(*word)
            for number, weight in numbers:
                counts.setdefault(number, []).append(weight)
            if numbers:
                adjacent += numbers[0][0] == before + 1
                before = numbers[0][0]
        if self._groups:
            spaced = f" {' '.join(stem for _, stem in words)} "
            for group, number, weight in self._groups:
                if group in spaced:
                    counts.setdefault(number, []).append(weight)
        return counts, min(adjacent, len(self._query.terms))

    def _found(self, folded: str, stem: str) -> list[tuple[int, float]]:
        found = self._tokens.get(stem) or self._tokens.get(folded) or []
        others = self._others.get(stem) or self._others.get(folded)
        if others:
            # It may be a word of the query, and stand for another one.
            known = [number for number, _ in found]
            found = found + [
                (number, weight)
                for number, weight, words in others
                if number not in known and any(is_form_of(folded, word) for word in words)
            ]
        if found:
            return found
        if self._starts and (stem.startswith(self._starts) or folded.startswith(self._starts)):
            return [
                (number, weight)
                for token, number, weight in self._prefixes
                if stem.startswith(token) or folded.startswith(token)
            ]
        return []

    def _fit_to_language(self, spoken: str) -> float:
        return 1.0 if spoken in ("", self._language) else self._weights.other_language

    def fitness(self, passage: PassageFeatures) -> float:
        """Returns what to multiply the score by: whether a passage looks like an answer; 0 where a phrase is not
        there."""
        query, weights, fitness = self._query, self._weights, 1.0
        text = passage.text
        holds_time = "time" in query.wants and says_time(text, passage.words)
        if holds_time or ("number" in query.wants and says_number(text, passage.words)):
            fitness += weights.asked_for
        if "name" in query.wants and _NAME.search(text):
            fitness += weights.asked_for
        if query.of_person and passage.role in ("user", ""):
            fitness += weights.own_words
        if passage.is_talk and self.looks_beside:
            length = min(max(len(text.encode(errors="replace")), _SAYS_LITTLE), _SAYS_ENOUGH)
            fitness *= (length / _SAYS_ENOUGH) ** weights.fullness
        if is_question(text):
            fitness *= weights.question
        if passage.role == "tool":
            fitness *= weights.tool
        if "~~" in text:
            fitness *= weights.struck
        if query.phrases:
            spaced = _spaced_words(text)
            held = sum(f" {' '.join(phrase)} " in spaced for phrase in query.phrases)
            fitness *= 1 + weights.phrase if held == len(query.phrases) else 0
        return fitness


def is_question(text: str) -> bool:
    """Returns whether a passage ends with a question."""
    return text.rstrip().endswith(tuple(QUESTION_MARKS))


def _spaced_words(text: str) -> str:
    """Returns a text as phrases are looked for in it: its folded words with a space before and after each."""
    words = [folded for folded, _ in tokens_of(text) if len(folded) > 1 or not is_spaceless(folded)]
    return f" {' '.join(words)} "


def rarity(holding: int, of: int) -> float:
    """Returns the inverse document frequency of a term that `holding` of so many passages hold; above 0."""
    return math.log(1 + (of - min(holding, of) + 0.5) / (holding + 0.5))


def fused(
    words: Mapping[KeyT, float], meaning: Mapping[KeyT, float], weight: float = WEIGHTS.meaning
) -> dict[KeyT, float]:
    """Returns scores by words and shares of nearness in meaning, 0 to 1, as one score, the best first.

    Each counts by how good it is and not by its rank, so that words that say all of the question are not overtaken by
    what is a little nearer than the rest. The words of the best passage count as 1, and meaning counts `weight`.
    """
    most = max(words.values(), default=0.0) or 1.0
    scores = {key: (1 - weight) * score / most + weight * meaning.get(key, 0.0) for key, score in words.items()}
    scores |= {key: weight * share for key, share in meaning.items() if key not in words}
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def nearness_shares(away: Mapping[KeyT, float], most: float) -> dict[KeyT, float]:
    """Returns each distance from what is usual as a share of the largest, `most`: 0 to 1."""
    span = max(most, _LEAST_SPREAD)
    return {key: min(1.0, max(0.0, distance / span)) for key, distance in away.items()}


def grouped_duplicates(items: Iterable[ItemT], words: Callable[[ItemT], frozenset[str]]) -> list[list[ItemT]]:
    """Returns items that say the same by their words, gathered behind the best of them; the order is kept."""
    groups: list[tuple[frozenset[str], list[ItemT]]] = []
    for item in items:
        own = words(item)
        least, most = _SAME_FROM * len(own), len(own) / _SAME_FROM
        alike = (each for each in groups if least <= len(each[0]) <= most)
        same = next((group for known, group in alike if _are_same(own, known)), None)
        if same is None:
            groups.append((own, [item]))
        else:
            same.append(item)
    return [group for _, group in groups]


def _are_same(words: frozenset[str], others: frozenset[str]) -> bool:
    common = len(words & others)
    if not common or common < _SAME_FROM * (len(words) + len(others) - common):
        return False
    # Numbers tell passages apart that are alike otherwise.
    return words == others or not any(word.isdigit() for word in words ^ others)


def nearness_threshold(unrelated: Sequence[float], among: int) -> float:
    """Returns the cosine above which a text is near, if the nearest is looked for `among` so many.

    Every model has a scale of its own: with one, unrelated texts have a cosine of 0.7, with another of 0. So no cosine
    says that two texts are near, but how far it stands out from those of unrelated texts does. `unrelated` are cosines
    with texts that have nothing to do with it. The more texts are looked through, the nearer the best of them is by
    chance, and the higher this is.
    """
    far_out = NormalDist().inv_cdf(1 - CHANCE / max(1, among))
    return fmean(unrelated) + far_out * max(pstdev(unrelated), _LEAST_SPREAD)
