"""Keeps the meanings of passages in the search index, as vectors of an embedding model, and finds the nearest.

A vector is kept in whole numbers of a byte each, which tell cosines apart by less than a hundredth. To compare 100,000
of them in full would take seconds, so the signs of a vector's numbers choose the few that are compared.

A model puts all texts of one script into one corner of its space, and there they are near to each other whatever they
say. So vectors are centred before they are compared: the mean of the passages of that script is taken away, from the
question too. Where a passage says little by itself or answers a question, what was said right before it counts in its
vector.

The nearest of all passages may still be far. The texts of resources/search/unrelated.txt, embedded before any passage,
show how near texts are by chance for this model: only what stands out from them is near.
"""

from __future__ import annotations

import heapq
import math
import sqlite3
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import add, mul, sub
from statistics import fmean, median
from typing import Final

from mnemoscope.domain.search.ranking import is_question, nearness_shares, nearness_threshold
from mnemoscope.domain.search.weights import WEIGHTS, Weights
from mnemoscope.domain.search.words import script_of
from mnemoscope.store.search.embedded_texts import NEAREST, EmbeddedQuestion, Unembedded, unrelated_texts
from mnemoscope.store.search.passage_index import LISTED, PassageIndex, is_talk, listed
from mnemoscope.store.search.search_hit import Checkpoint, unchecked

COMPARED: Final = 300
"""Passages compared in full, of those whose signs are most like the question's."""
SAYS_LITTLE: Final = 60
"""Characters of a passage under which it is embedded with what was said before it, too; an answer always is."""
_BEFORE: Final = 200
"""Characters of what was said before a passage that are embedded with it."""
_SAMPLE: Final = 200
"""Passages that stand for all others where it is told how near any passage is to a question."""
_ENOUGH: Final = 20
"""Passages of a script from which on their mean says where that script lies; of fewer the unrelated texts say it."""
_SIGNS: Final = 1_024
_COSINES_AT_ONCE: Final = 100
_AT_ONCE: Final = 25_000
"""Signs that are compared without a pause: some milliseconds."""
_FULL: Final = 127
_FORMAT: Final = "3"
"""Of the tables and of the texts that are embedded: another one, and all are embedded anew."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS vector_model(name TEXT);
CREATE TABLE IF NOT EXISTS vectors_wanted(id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS vectors(id INTEGER PRIMARY KEY, signs BLOB, length REAL, numbers BLOB, script TEXT);
CREATE TABLE IF NOT EXISTS vectors_unrelated(text TEXT PRIMARY KEY, length REAL, numbers BLOB);
CREATE TABLE IF NOT EXISTS vector_means(script TEXT PRIMARY KEY, passages INTEGER, sums BLOB);
CREATE TRIGGER IF NOT EXISTS vector_wanted AFTER INSERT ON passages BEGIN
    INSERT INTO vectors_wanted VALUES (new.id);
END;
CREATE TRIGGER IF NOT EXISTS vector_gone AFTER DELETE ON passages BEGIN
    DELETE FROM vectors WHERE id = old.id;
    DELETE FROM vectors_wanted WHERE id = old.id;
END;
"""
_FORMER: Final = (
    "DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS vectors_unrelated; DROP TABLE IF EXISTS vector_means;"
)


_Kept = tuple[float, bytes]
"""A vector's length and its numbers."""
_Placed = tuple[float, bytes, str, int]
"""The same with the script and the file of its passage."""
_Spot = tuple[Sequence[float], float, float]
"""The mean of a script, its square, and its product with the question."""
_NOWHERE: Final = 1e-6
"""Of what is left of a unit vector without the mean, squared: less is a rounding error and no direction."""
_FEW: Final = 5
"""Unrelated texts of a script from which on they say where it lies."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Tells how near the passages of an index are to one question, on centred vectors.

    `nearest`: the nearest passages, the nearest first. `near`: those of them that stand out by themselves, so that they
    are near and not only the nearest. `shares`: how near each compared passage is with those next to it, 0 to 1, from
    one that is as near as any to the nearest.
    """

    model: str = ""
    nearest: tuple[int, ...] = ()
    near: tuple[int, ...] = ()
    shares: Mapping[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Mean:
    """Holds the mean direction of the passages of a script: `sums` of their unit vectors."""

    passages: int
    sums: array[float]
    _known: tuple[int, array[float]] = (0, array("d"))
    """The mean as it was of so many passages."""

    @property
    def numbers(self) -> array[float]:
        """Returns the mean itself."""
        if self._known[0] != self.passages:
            self._known = self.passages, array("d", (each / self.passages for each in self.sums))
        return self._known[1]


class PassageVectors:
    """Keeps the vectors of one index. Everything raises sqlite3.Error where the index is broken."""

    def __init__(self, index: PassageIndex, weights: Weights = WEIGHTS) -> None:
        self._index = index
        self._weights = weights
        self._db: sqlite3.Connection | None = None
        self._model = ""
        self._signs: dict[int, int] = {}
        """By passage; those that are deleted since are found out when they are compared."""
        self._unrelated: dict[str, _Kept] = {}
        self._means: dict[str, _Mean] = {}
        """By script, as the next."""
        self._unrelated_means: dict[str, Sequence[float]] = {}
        self._unrelated_centred: list[Sequence[float]] = []
        """The unrelated texts away from the means; empty where these have moved since."""
        self._apart: dict[int, float] = {}
        """By passage, the squared length of its normalised vector less the mean of its script: the next key asks for
        many of them again. Emptied, as the sample is, when a vector comes, which moves the means."""
        self._by_chance: dict[int, float] = {}
        """The cosine above which a question is near to a passage, and not only as near as that passage is to anything;
        emptied as these two."""
        self._sampled: dict[int, _Placed] = {}

    def use(self, model: str) -> None:
        """Keeps `model`'s vectors from now on; another model's are thrown away, and so is what cannot be one."""
        db = self._index.db
        if db is self._db and model == self._model:
            return
        self._index.database.commit()
        db.executescript("CREATE TABLE IF NOT EXISTS vector_model(name TEXT)")
        name = f"{model} {_FORMAT}"
        is_other = db.execute("SELECT name FROM vector_model").fetchall() != [(name,)]
        db.executescript(_FORMER * is_other + _TABLES)
        self._index.database.begin()
        if is_other:
            db.execute("DELETE FROM vector_model")
            db.execute("INSERT INTO vector_model VALUES (?)", (name,))
        db.execute(
            "DELETE FROM vectors WHERE length AND length(numbers) IS NOT (SELECT length(numbers) FROM vectors"
            " WHERE length GROUP BY length(numbers) ORDER BY count(*) DESC LIMIT 1)"
        )
        db.execute(
            "INSERT OR IGNORE INTO vectors_wanted SELECT id FROM passages WHERE id NOT IN (SELECT id FROM vectors)"
        )
        self._index.database.commit()
        found = db.execute("SELECT id, signs FROM vectors")
        self._signs = {number: int.from_bytes(signs, "big") for number, signs in found}
        known = db.execute("SELECT text, length, numbers FROM vectors_unrelated")
        self._unrelated = {text: (length, numbers) for text, length, numbers in known if text in unrelated_texts()}
        means = db.execute("SELECT script, passages, sums FROM vector_means")
        self._means = {script: _Mean(passages, array("d", sums)) for script, passages, sums in means}
        self._unrelated_means, self._unrelated_centred = {}, []
        self._apart = {}
        self._by_chance = {}
        self._sampled = {}
        self._db, self._model = db, model

    def wanted(self, model: str, limit: int) -> list[Unembedded]:
        """Returns what to embed next, `limit` texts at most: unrelated texts, then memory, notes and conversations, the
        newest first."""
        self.use(model)
        if unknown := [text for text in unrelated_texts() if text not in self._unrelated]:
            return [Unembedded(0, text) for text in unknown[:limit]]
        query = (
            "SELECT id, body, (SELECT body FROM passages AS other WHERE other.file = passages.file"
            " AND other.start < passages.start ORDER BY other.start DESC LIMIT 1) FROM passages WHERE id IN"
            " (SELECT id FROM vectors_wanted ORDER BY id DESC LIMIT ?) ORDER BY id DESC"
        )
        found = self._index.db.execute(query, (limit,))
        return [Unembedded(number, text, _before(number, text, before or "")) for number, text, before in found]

    def keep(self, model: str, vectors: Mapping[Unembedded, Sequence[float]]) -> None:
        """Keeps what was found out of passages that still say the same."""
        self.use(model)
        self._unrelated_centred = []
        self._apart = {}
        self._by_chance = {}
        self._sampled = {}
        kept = {each: _kept(vector) for each, vector in vectors.items()}
        new = {each.text: one for each, one in kept.items() if not each.id}
        if new:
            self._unrelated |= new
            self._unrelated_means = {}
        still = self._index.fetch([each.id for each in vectors if each.id])
        rows = []
        for each, one in kept.items():
            if each.id in still and still[each.id].text == each.text:
                script = script_of(each.text)
                rows.append((each.id, self._signs_of(one, script), *one, script))
                self._count_in(one, script)
        unrelated = [(text, *one) for text, one in new.items()]
        means = [(script, mean.passages, mean.sums.tobytes()) for script, mean in self._means.items()]
        db = self._index.db
        self._index.database.begin()
        db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
        db.executemany("DELETE FROM vectors_wanted WHERE id = ?", [(row[0],) for row in rows])
        db.executemany("INSERT OR REPLACE INTO vectors_unrelated VALUES (?, ?, ?)", unrelated)
        db.executemany("INSERT OR REPLACE INTO vector_means VALUES (?, ?, ?)", means)
        self._index.database.commit()
        self._signs.update((row[0], int.from_bytes(row[1], "big")) for row in rows)

    def nearness(
        self, question: EmbeddedQuestion, among: Collection[int] = (), *, check: Checkpoint = unchecked
    ) -> Nearness:
        """Returns how near the passages are to a question, of all the nearest, and those `among` which one chooses.
        Raises SearchGivenUp where `check` does, which is called every few milliseconds."""
        self.use(question.model)
        one, script = _kept(question.vector), script_of(question.text)
        if not one[0] or len(self._unrelated) < len(unrelated_texts()):
            return Nearness()
        asked = self._centred(one, script)
        means: dict[str, _Spot] = {}
        passages = self._compared(int.from_bytes(self._signs_of(one, script), "big"), check)
        passages |= self._fetched([number for number in among if number not in passages])
        check()
        cosines = self._cosines(asked, passages, means, check)
        best = heapq.nlargest(NEAREST, cosines, key=cosines.__getitem__)
        sample = list(self._cosines(asked, self._sample(set(best)), means, check).values())
        unrelated = self._centred_unrelated()
        check()
        least = nearness_threshold([_product(asked, each) for each in unrelated] + sample, len(self._signs))
        near = [
            each
            for each in best
            if cosines[each] > least and self._stands_out(cosines[each], each, passages[each], unrelated)
        ]
        check()
        usual = median(sample or [0.0])
        away = self._with_neighbours({number: cosine - usual for number, cosine in cosines.items()}, passages)
        nearest = heapq.nlargest(NEAREST, away, key=away.__getitem__)
        shares = nearness_shares(away, away[nearest[0]]) if nearest else {}
        return Nearness(question.model, tuple(dict.fromkeys((*nearest, *near))), tuple(near), shares)

    def _with_neighbours(self, away: Mapping[int, float], passages: Mapping[int, _Placed]) -> dict[int, float]:
        """Returns how far passages are from usual towards near, with a part of how far those next to them in a talk
        are: what answers says its part of what was talked about.

        Of a file of which enough was compared only what its passages are nearer than its others counts for those next
        to them: all of another language are nearer or farther together. A passage that was not compared counts as
        usual, and a line of memory as if the two next to it were half as near.
        """
        of_file: dict[int, list[int]] = {}
        for number, (*_, file) in passages.items():
            of_file.setdefault(file, []).append(number)
        weight = self._weights.near_beside
        found = {}
        for numbers in of_file.values():
            usual = fmean(away[each] for each in numbers) if len(numbers) >= _ENOUGH else 0.0
            nearer = {number: away[number] - usual for number in numbers}
            for number, own in nearer.items():
                beside = nearer.get(number - 1, 0.0) + nearer.get(number + 1, 0.0)
                found[number] = away[number] + weight * (beside if is_talk(number) else own)
        return found

    def _stands_out(self, cosine: float, number: int, passage: _Placed, unrelated: Iterable[Sequence[float]]) -> bool:
        """Returns whether a passage is not as near as that to anything: some short ones are."""
        if number not in self._by_chance:
            length, numbers, script, _ = passage
            own = self._centred((length, numbers), script)
            by_chance = [_product(own, each) for each in unrelated]
            self._by_chance[number] = nearness_threshold(by_chance, len(self._signs))
        return cosine > self._by_chance[number]

    def _cosines(
        self, asked: Sequence[float], passages: Mapping[int, _Placed], spots: dict[str, _Spot], check: Checkpoint
    ) -> dict[int, float]:
        found = {}
        for place, (number, passage) in enumerate(passages.items()):
            if not place % _COSINES_AT_ONCE:
                check()
            found[number] = self._cosine(asked, number, passage, spots)
        return found

    def _cosine(self, asked: Sequence[float], number: int, passage: _Placed, spots: dict[str, _Spot]) -> float:
        """Returns the cosine of a centred question and a passage once that is centred; 0 where one has no direction or
        other dimensions."""
        length, numbers, script, _ = passage
        if not length or len(numbers) != len(asked):
            return 0.0
        if script not in spots:
            mean = self._mean(script, len(asked))
            spots[script] = mean, _product(mean, mean), _product(mean, asked)
        mean, square, of_asked = spots[script]
        own = array("b", numbers)
        away = self._apart.get(number)
        if away is None:
            away = self._apart[number] = 1 - 2 * sum(map(mul, own, mean)) / length + square
        return (sum(map(mul, own, asked)) / length - of_asked) / math.sqrt(away) if away > _NOWHERE else 0.0

    def _centred(self, one: _Kept, script: str) -> Sequence[float]:
        """Returns a vector without the mean of its script, of length 1; zeros where nothing is left of it."""
        unit = _unit(one)
        away = array("d", map(sub, unit, self._mean(script, len(unit))))
        length = math.hypot(*away)
        return (
            array("d", (each / length for each in away))
            if length * length > _NOWHERE
            else array("d", bytes(8 * len(unit)))
        )

    def _centred_unrelated(self) -> list[Sequence[float]]:
        if not self._unrelated_centred:
            self._unrelated_centred = [self._centred(each, script_of(text)) for text, each in self._unrelated.items()]
        return self._unrelated_centred

    def _mean(self, script: str, dimensions: int) -> Sequence[float]:
        """Returns where the passages of a script lie; where there are few, where the unrelated texts do."""
        known = self._means.get(script)
        if known is not None and known.passages >= _ENOUGH and len(known.sums) == dimensions:
            return known.numbers
        return self._mean_of_unrelated(script, dimensions)

    def _mean_of_unrelated(self, script: str, dimensions: int) -> Sequence[float]:
        known = self._unrelated_means.get(script)
        if known is None or len(known) != dimensions:
            known = self._unrelated_means[script] = self._new_mean_of_unrelated(script, dimensions)
        return known

    def _new_mean_of_unrelated(self, script: str, dimensions: int) -> Sequence[float]:
        of_script = [each for text, each in self._unrelated.items() if script_of(text) == script]
        some = of_script if len(of_script) >= _FEW else self._unrelated.values()
        units = [unit for unit in map(_unit, some) if len(unit) == dimensions]
        if not units:
            return array("d", bytes(8 * dimensions))
        return array("d", (sum(column) / len(units) for column in zip(*units, strict=True)))

    def _signs_of(self, one: _Kept, script: str) -> bytes:
        """Returns the signs of a vector, away from the unrelated texts of its script: their mean never moves."""
        unit = _unit(one)
        middle = self._mean_of_unrelated(script, len(unit))
        signs = "".join("01"[each > mean] for each, mean in islice(zip(unit, middle, strict=True), _SIGNS))
        return int(signs or "0", 2).to_bytes(_SIGNS // 8, "big")

    def _count_in(self, one: _Kept, script: str) -> None:
        """Takes a passage into the mean of its script; what is deleted later stays in it."""
        unit = _unit(one)
        mean = self._means.get(script)
        if mean is None or len(mean.sums) != len(unit):
            if len(unit):
                self._means[script] = _Mean(1, unit)
            return
        mean.passages += 1
        mean.sums = array("d", map(add, mean.sums, unit))

    def _compared(self, asked: int, check: Checkpoint) -> dict[int, _Placed]:
        """Returns the passages whose signs are most like the question's."""
        while True:
            away: list[int] = []
            signs = iter(self._signs.values())
            while some := [(asked ^ each).bit_count() for each in islice(signs, _AT_ONCE)]:
                away += some
                check()
            farthest = max(heapq.nsmallest(COMPARED, away), default=0)
            nearer = [number for number, far in zip(self._signs, away, strict=True) if far < farthest]
            check()
            equal = (number for number, far in zip(self._signs, away, strict=True) if far == farthest)
            chosen = [*nearer, *islice(equal, COMPARED - len(nearer))]
            found = self._fetched(chosen)
            for gone in set(chosen) - found.keys():
                del self._signs[gone]
            if len(found) == len(chosen):
                return found

    def _sample(self, but: Collection[int]) -> dict[int, _Placed]:
        """Returns passages from everywhere."""
        if not self._sampled:
            step = max(1, len(self._signs) // _SAMPLE)
            self._sampled = self._fetched(list(islice(self._signs, 0, None, step)))
        return {number: each for number, each in self._sampled.items() if number not in but}

    def _fetched(self, numbers: Sequence[int]) -> dict[int, _Placed]:
        query = (
            "SELECT vectors.id, length, numbers, script, file FROM vectors JOIN passages USING (id)"
            f" WHERE vectors.id IN {LISTED}"
        )
        return {number: tuple(placed) for number, *placed in self._index.db.execute(query, (listed(numbers),))}


def _before(number: int, text: str, before: str) -> str:
    """Returns what a passage of a talk is embedded with: the question that it answers, or where it says little by
    itself, whatever was said before it. A line of memory stands for itself."""
    if not is_talk(number):
        return ""
    return before[-_BEFORE:] if is_question(before) or len(text) < SAYS_LITTLE else ""


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    """Returns the inner product; 0 for other dimensions."""
    return sum(map(mul, one, other)) if len(one) == len(other) else 0.0


def _unit(one: _Kept) -> array[float]:
    """Returns a kept vector at a length of 1; one without direction has no dimensions."""
    length, numbers = one
    return array("d", (each / length for each in array("b", numbers))) if length else array("d")


def _kept(vector: Sequence[float]) -> _Kept:
    """Returns length and numbers as they are kept; a length of 0 where a vector has no direction."""
    most = max(map(abs, vector), default=0.0)
    if not most or not math.isfinite(sum(vector)):
        return 0.0, b""
    numbers = array("b", [round(each * _FULL / most) for each in vector])
    return math.hypot(*numbers), numbers.tobytes()
