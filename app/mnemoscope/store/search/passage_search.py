"""Ranked search over everything a workspace remembers: the index, kept true to the files, and what is asked of it.

One thread at a time. A damaged index is thrown away and made anew; where none can be kept at all, `problem` says so.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final, TypeVar

from mnemoscope.domain.search.days import Days
from mnemoscope.domain.search.line_heads import speaker_of, without_marks
from mnemoscope.domain.search.query import SearchQuery, parse_query
from mnemoscope.domain.search.ranking import PassageFeatures, Scorer, fused, grouped_duplicates, is_question
from mnemoscope.domain.search.weights import WEIGHTS, Weights
from mnemoscope.domain.search.words import IndexedWord, Related, language, script_of, tokens_of, words_of
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.search.candidates import AT_ONCE, THOROUGH, WITH_PHRASE, CandidateLookup, Candidates, Depth
from mnemoscope.store.search.database import FullTextMissing, SearchDatabase
from mnemoscope.store.search.embedded_texts import EmbeddedQuestion, Unembedded, is_understood
from mnemoscope.store.search.passage_index import KIND_BITS, PassageIndex, StoredPassage, is_talk
from mnemoscope.store.search.search_hit import Checkpoint, SearchHit, SearchState, unchecked
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.search.synchronizer import Synchronizer
from mnemoscope.store.search.vectors import Nearness, PassageVectors
from mnemoscope.store.sessions.file_format.names import key_from_stem
from mnemoscope.store.workspace.paths import WorkspacePaths

Result = TypeVar("Result")
_FOREVER: Final = 3_600.0
_SLICE: Final = 0.05
Ranked = TypeVar("Ranked")
_FOLDED: Final = 12
"""Passages looked at beyond a page, as some of it may say nearly the same."""
_CUT_KEPT: Final = 4_000
_JUDGED: Final = 100
"""Of those looked at, the best by their words, of which it is asked whether they look like an answer."""
_JUDGED_OF_KIND: Final = 24
_DAY: Final = 10
"""Characters of a time that say its day."""
_AROUND: Final = (-2, -1, 1, 2)
"""The distances, in passages, to the neighbours that may belong to the same exchange."""
_NEXT_TO: Final = (-1, 1)
_LOOKED_BESIDE: Final = 12
"""Of the strongest, beside which is looked: what answers a question may hold none of its words."""
_PAGE: Final = 10
"""Passages of which some have to be of another script than the query, where any is near."""
_OF_OTHER_SCRIPTS: Final = 2
_SPEAKER_FROM: Final = 5
"""Passages that begin with a name from which on it is that of somebody who talks."""
_LOOKED_FOR_SPEAKER: Final = 50
_LEFT_TO_ASK: Final = 2
"""Words that have to be left of a question."""
_SHOWN_OF_KIND: Final = 3
"""However full a page is: many hits in one place hide none in another."""


class PassageSearch:
    """Searches the passages of one workspace, kept in `database`. `weights`: how much counts what."""

    def __init__(self, paths: WorkspacePaths, database: SearchDatabase, weights: Weights = WEIGHTS) -> None:
        self._database = database
        self._weights = weights
        self._index = PassageIndex(database)
        self._sync = Synchronizer(paths, self._index)
        self._finder = PassageFinder(self._index, weights)
        self._vectors = PassageVectors(self._index, weights)

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

    def catch_up(self, seconds: float = _FOREVER) -> None:
        """Takes in what changed, for at most so many seconds."""
        deadline = time.perf_counter() + seconds
        self.refresh()
        while self.work(_SLICE) and time.perf_counter() < deadline:
            pass

    def find(
        self,
        text: str,
        limit: int = 50,
        *,
        typing: bool = False,
        at_once: bool = False,
        semantic: EmbeddedQuestion | None = None,
        check: Checkpoint = unchecked,
    ) -> list[SearchHit]:
        """Returns the best passages for a query, best first; none where there is no index.

        `typing`: the last word may not be whole. `at_once`: no further than a person waits who types on. `semantic`:
        the query once it is embedded, where passages are to be found by meaning too. Raises SearchGivenUp where
        `check` does, which is called between the steps.
        """
        depth = AT_ONCE if at_once else THOROUGH
        query = parse_query(text, shipped_words(), typing=typing, at_once=at_once, weights=self._weights)
        if query.is_empty and semantic is None:
            return []
        is_of_use = semantic is not None and is_understood(semantic.model, language(text))
        nearness = None
        if semantic is not None and is_of_use:
            nearness = partial(self._vectors.nearness, semantic, check=check)
        call = partial(self._finder.find, query, limit, nearness=nearness, depth=depth, check=check)
        return self._safely(call, otherwise=[])

    def unembedded(self, model: str, limit: int) -> list[Unembedded]:
        """Returns passages that have no vector of the model yet; none where vectors would be lost with the index."""
        call = partial(self._vectors.wanted, model, limit)
        return self._safely(call, otherwise=[]) if self._database.is_lasting else []

    def embed(self, model: str, vectors: Mapping[Unembedded, Sequence[float]]) -> None:
        """Keeps the vectors of passages."""
        self._safely(lambda: self._vectors.keep(model, vectors), otherwise=None)

    def without_speakers(self, question: str) -> str:
        """Returns a question as it is embedded, without the names of those who talk: they are near to all they say."""
        return self._safely(lambda: self._finder.without_speakers(question), otherwise=question)

    def nearness(self, question: EmbeddedQuestion) -> Nearness:
        """Returns how near the passages are to a question in meaning."""
        return self._safely(lambda: self._vectors.nearness(question), otherwise=Nearness())

    def newest_question(self, session_key: str) -> int:
        """Returns the number of the person's newest message in a conversation; 0 where there is none."""
        return self._safely(lambda: self._index.newest_question(session_key), otherwise=0)

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
        nearness: Callable[[Collection[int]], Nearness] | None = None,
        depth: Depth = THOROUGH,
        check: Checkpoint = unchecked,
    ) -> list[SearchHit]:
        """Returns the best `limit` passages, and of each kind the best three; best first. Raises sqlite3.Error, and
        what `check` raises between the steps.

        `nearness`: tells how near in meaning passages are, those found by words among them. What has no word of the
        query is found where it stands out. For a question the nearest others compete with what is found, be it by
        words or because it stands out.
        """
        if self._generation != self._index.generation:
            # Numbers are given anew in an index made anew.
            self._generation = self._index.generation
            self._cut.clear()
        found = self._lookup.candidates(query, depth)
        scorer = Scorer(replace(query, terms=tuple(found.terms)), found.rarity, self._weights)
        depth = replace(depth, scored=WITH_PHRASE) if query.phrases else depth
        check()
        numbers = self._chosen(found, depth)
        if scorer.looks_beside and depth.is_thorough:
            numbers += _beside(numbers, found.strength)
        check()
        near = nearness(numbers) if nearness is not None else Nearness()
        check()
        stored = self._index.fetch([*numbers, *(each for each in near.nearest if each not in numbers)])
        same = _same_words(stored.values(), query.days)
        check()
        scores = self._scores(scorer, [stored[number] for number in numbers if number in stored], found, same)
        check()
        if near.nearest:
            competes = scorer.looks_beside and bool(scores or near.near)
            competing = near.nearest if competes else [each for each in near.nearest if each in near.near]
            weight = self._weights.meaning + self._weights.unsaid * scorer.unsaid(max(scores.values(), default=0.0))
            alone = [same[each][0] for each in competing if each in stored]
            scores = self._with_meaning(scores, near, alone, stored, scorer, weight)
        check()
        ranked = sorted(scores, key=lambda number: -scores[number])
        if near.nearest:
            own = script_of(query.text)
            ranked = _of_other_scripts(ranked, lambda number: script_of(stored[number].text) != own)
        ranked = _of_every_kind(ranked, limit + _FOLDED, _SHOWN_OF_KIND)
        groups = grouped_duplicates([stored[number] for number in ranked], self._stems)
        groups = _of_every_kind(groups, limit, _SHOWN_OF_KIND, lambda group: group[0].id)
        whole = ([one for leader in group for one in same[leader.id]] for group in groups)
        return [self._hit(group, scorer, scores) for group in whole]

    def without_speakers(self, question: str) -> str:
        """Returns a question without the words with a capital that some passages of a talk begin with, as the name of
        who speaks. Raises sqlite3.Error."""
        words = list(words_of(question))
        names = [word for word in words if question[word.start].isupper() and self._is_speaker(word)]
        if len(words) - len(names) < _LEFT_TO_ASK:
            return question
        ends = [0, *(word.stop for word in names)]
        starts = [*(word.start for word in names), len(question)]
        kept = "".join(question[end:start] for end, start in zip(ends, starts, strict=True))
        return " ".join(kept.split())

    def _is_speaker(self, word: IndexedWord) -> bool:
        holding = self._index.holding(f'{{stems forms}} : "{word.stem}"', _LOOKED_FOR_SPEAKER)
        said = (each for each in self._index.fetch(holding).values() if each.role != "tool")
        speaking = sum(any(word.folded == folded for folded, _ in tokens_of(speaker_of(each.text))) for each in said)
        return speaking >= _SPEAKER_FROM

    def _with_meaning(
        self,
        scores: Mapping[int, float],
        near: Nearness,
        others: Iterable[StoredPassage],
        stored: Mapping[int, StoredPassage],
        scorer: Scorer,
        weight: float,
    ) -> dict[int, float]:
        """Returns scores by words and by meaning, which counts `weight`, of `others` by meaning alone; by either more
        where a passage looks like an answer. In a language that the model does not understand, words count for
        both."""
        asked_of = {number: stored[number] for number in scores} | {each.id: each for each in others}
        shares = {
            number: near.shares.get(number, 0.0) * scorer.of_speaker(each.text) * scorer.fitness(self._features(each))
            for number, each in asked_of.items()
            if is_understood(near.model, each.language)
        }
        nearest = max(shares.values(), default=0.0) or 1.0
        shares = {number: share / nearest for number, share in shares.items()}
        most = max(scores.values(), default=1.0)
        shares |= {number: score / most for number, score in scores.items() if number not in shares}
        return fused(scores, shares, weight)

    def _scores(
        self,
        scorer: Scorer,
        passages: Sequence[StoredPassage],
        found: Candidates,
        same: Mapping[int, Sequence[StoredPassage]],
    ) -> dict[int, float]:
        """Returns scores by words, and for the best of these also by whether they look like an answer.

        Of passages of the same words the first in `same` stands for all, with their best score. Of equals the newest is
        first.
        """
        near = found.near
        looked_at = {each.id: self._features(each, frozenset(near.get(each.id, ()))) for each in passages}
        by_words = {number: scorer.score(passage) for number, passage in looked_at.items()}
        if scorer.looks_around:
            by_words = self._with_surroundings(by_words, passages)
        by_words = {
            number: score and score * scorer.of_speaker(looked_at[number].text) for number, score in by_words.items()
        }
        scores: dict[int, float] = {}
        for each in sorted(passages, key=_recency, reverse=True):
            leader = same[each.id][0].id
            scores[leader] = max(scores.get(leader, 0.0), by_words.get(each.id, 0.0))
        best = sorted(filter(scores.get, scores), key=lambda number: -scores[number])
        best = best if scorer.has_phrases else _of_every_kind(best, _JUDGED, _JUDGED_OF_KIND)
        judged = {number: scores[number] * scorer.fitness(looked_at[number]) for number in best if number in looked_at}
        return {number: score for number, score in judged.items() if score > 0}

    def _with_surroundings(self, scores: Mapping[int, float], passages: Sequence[StoredPassage]) -> dict[int, float]:
        """Returns scores with a part of those of the passages close by, which are of the same talk, and a larger one of
        the question right before. A passage without any word of the query has a part of the better one next to it.

        Numbers of passages follow each other as these do in a file, but for what was edited since.
        """
        talks = {each.id: (each.file, each.when[:_DAY]) for each in passages}
        asking = {each.id for each in passages if scores[each.id] and is_question(each.text)}
        weights = self._weights
        found = {}
        for number, score in scores.items():
            talk = talks[number]
            around = sum(scores[number + step] for step in _AROUND if talks.get(number + step) == talk)
            before = number - 1
            asked = scores[before] if before in asking and talks[before] == talk else 0.0
            beside = max((scores[number + step] for step in _NEXT_TO if talks.get(number + step) == talk), default=0.0)
            found[number] = (
                score + weights.surroundings * around + weights.answered * asked if score else weights.beside * beside
            )
        return found

    def _chosen(self, found: Candidates, depth: Depth) -> list[int]:
        """Returns those worth a look at their text: the strongest, of equals the newest, and the strongest of each
        kind."""
        ranked = sorted(found.strength, key=found.strength.__getitem__, reverse=True)
        if depth.is_thorough and len(ranked) > depth.scored:
            least = found.strength[ranked[depth.scored]]
            equal = [number for number in ranked if found.strength[number] == least]
            start = ranked.index(equal[0])
            ranked[start : start + len(equal)] = self._index.newest_first(equal)
        return _of_every_kind(ranked, depth.scored, depth.of_kind)

    def _words(self, one: StoredPassage) -> list[tuple[str, str]]:
        words = self._cut.get(one.id)
        if words is None:
            if len(self._cut) >= _CUT_KEPT:
                self._cut.clear()
            words = self._cut[one.id] = tokens_of(one.text, one.language)
        return words

    def _features(self, one: StoredPassage, near: frozenset[int] = frozenset()) -> PassageFeatures:
        words = self._words(one)
        return PassageFeatures(one.text, words, one.role, one.language, near, one.when, is_talk(one.id))

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


def _beside(numbers: Sequence[int], known: Collection[int]) -> list[int]:
    """Returns the passages right before and behind the strongest, which are the first, without those that are known to
    hold a word of the query."""
    wanted = (number + step for number in numbers[:_LOOKED_BESIDE] for step in _NEXT_TO)
    return [each for each in dict.fromkeys(wanted) if each not in known]


def _same_words(passages: Iterable[StoredPassage], days: Sequence[Days]) -> dict[int, list[StoredPassage]]:
    """Returns, by number, the passages that are the same but for marks and case: those of the days that are asked for
    first, then the newest."""
    groups: dict[tuple[str, bool], list[StoredPassage]] = {}
    newest = sorted(passages, key=_recency, reverse=True)
    for each in sorted(newest, key=lambda one: not any(some.holds(one.when) for some in days)):
        said = without_marks(each.text).rstrip(" .!").casefold()
        groups.setdefault((said, each.role == "tool"), []).append(each)
    return {each.id: group for group in groups.values() for each in group}


def _of_other_scripts(ranked: list[int], is_other: Callable[[int], bool]) -> list[int]:
    """Returns what was ranked with the best of other scripts among the first ten, as its last where it was behind them:
    words find nothing in another script, however well a passage there answers."""
    page = ranked[:_PAGE]
    late = [each for each in islice(filter(is_other, ranked), _OF_OTHER_SCRIPTS) if each not in page]
    give_way = [each for each in page if not is_other(each)][-len(late) :] if late else []
    first = [each for each in page if each not in give_way] + late
    return [*first, *(each for each in ranked if each not in first)]


def _recency(one: StoredPassage) -> tuple[bool, str, int]:
    """Returns what is larger the newer a passage is; the lines of memory have no date and hold now."""
    return not one.when and one.kind >= SearchKind.NOTES, one.when, one.id


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
