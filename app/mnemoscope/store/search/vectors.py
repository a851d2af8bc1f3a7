"""Keeps the meanings of passages in the search index, as vectors of an embedding model, and finds the nearest.

A vector is kept in whole numbers of a byte each, which tell cosines apart by less than a hundredth. To compare 100,000
of them in full would take seconds, so the signs of a vector's numbers choose the few that are compared.

The nearest of all passages may still be far. The texts of resources/search/unrelated.txt, embedded before any passage,
show how near texts are by chance for this model: only what stands out from them is near.
"""

from __future__ import annotations

import heapq
import math
import sqlite3
from array import array
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import mul
from typing import Final

from mnemoscope.domain.search.ranking import nearness_threshold
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.search.embedding import Unembedded
from mnemoscope.store.search.passage_index import PassageIndex

COMPARED: Final = 800
"""Passages compared in full, of those whose signs are most like the question's."""
_SAMPLE: Final = 200
"""Passages that stand for all others where it is told how near any passage is to a question."""
_SIGNS: Final = 1_024
_FULL: Final = 127
_SIGN: Final = bytes(b"01"[value < 128] for value in range(256))
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS vector_model(name TEXT);
CREATE TABLE IF NOT EXISTS vectors(id INTEGER PRIMARY KEY, signs BLOB, length REAL, numbers BLOB);
CREATE TABLE IF NOT EXISTS vectors_wanted(id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS vectors_unrelated(text TEXT PRIMARY KEY, length REAL, numbers BLOB);
CREATE TRIGGER IF NOT EXISTS vector_wanted AFTER INSERT ON passages BEGIN
    INSERT INTO vectors_wanted VALUES (new.id);
END;
CREATE TRIGGER IF NOT EXISTS vector_gone AFTER DELETE ON passages BEGIN
    DELETE FROM vectors WHERE id = old.id;
    DELETE FROM vectors_wanted WHERE id = old.id;
END;
"""


_Kept = tuple[float, bytes]
"""A vector's length and its numbers."""


@cache
def unrelated_texts() -> tuple[str, ...]:
    """Returns the texts that ship with the program and have nothing to do with each other nor with what is searched."""
    lines = (shipped("resources", "search") / "unrelated.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("# "))


class PassageVectors:
    """The vectors of one index. Everything raises sqlite3.Error where the index is broken."""

    def __init__(self, index: PassageIndex) -> None:
        self._index = index
        self._db: sqlite3.Connection | None = None
        self._model = ""
        self._signs: dict[int, int] = {}
        """By passage; those that are deleted since are found out when they are compared."""
        self._unrelated: dict[str, _Kept] = {}

    def use(self, model: str) -> None:
        """Keeps `model`'s vectors from now on; another model's are thrown away."""
        db = self._index.db
        if db is self._db and model == self._model:
            return
        self._index.database.commit()
        db.executescript(_TABLES)
        self._index.database.begin()
        if db.execute("SELECT name FROM vector_model").fetchall() != [(model,)]:
            self._clear(db, model)
        self._index.database.commit()
        found = db.execute("SELECT id, signs FROM vectors")
        self._signs = {number: int.from_bytes(signs, "big") for number, signs in found}
        known = db.execute("SELECT text, length, numbers FROM vectors_unrelated")
        self._unrelated = {text: (length, numbers) for text, length, numbers in known if text in unrelated_texts()}
        self._db, self._model = db, model

    def wanted(self, model: str, limit: int) -> list[Unembedded]:
        """Returns what to embed next: unrelated texts, then memory, notes and conversations, the newest first."""
        self.use(model)
        if unknown := [text for text in unrelated_texts() if text not in self._unrelated]:
            return [Unembedded(0, text) for text in unknown[:limit]]
        query = (
            "SELECT id, body FROM passages WHERE id IN"
            " (SELECT id FROM vectors_wanted ORDER BY id DESC LIMIT ?) ORDER BY id DESC"
        )
        return [Unembedded(*row) for row in self._index.db.execute(query, (limit,))]

    def keep(self, model: str, vectors: Mapping[Unembedded, Sequence[float]]) -> None:
        """Keeps what was found out of passages that still say the same."""
        self.use(model)
        kept = {each: _kept(vector) for each, vector in vectors.items()}
        still = self._index.fetch([each.id for each in vectors if each.id])
        rows = [(each.id, *kept[each]) for each in kept if each.id in still and still[each.id].text == each.text]
        unrelated = {each.text: (length, numbers) for each, (_, length, numbers) in kept.items() if not each.id}
        db = self._index.db
        self._index.database.begin()
        db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
        db.executemany("DELETE FROM vectors_wanted WHERE id = ?", [(row[0],) for row in rows])
        db.executemany(
            "INSERT OR REPLACE INTO vectors_unrelated VALUES (?, ?, ?)", [(t, *v) for t, v in unrelated.items()]
        )
        self._index.database.commit()
        self._signs.update((number, int.from_bytes(signs, "big")) for number, signs, _, _ in rows)
        self._unrelated |= unrelated

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> list[int]:
        """Returns numbers of the passages nearest in meaning, the nearest first; none where none is near."""
        self.use(model)
        signs, length, numbers = _kept(vector)
        if not length or len(self._unrelated) < len(unrelated_texts()):
            return []
        asked = (length, numbers)
        passages = self._compared(int.from_bytes(signs, "big"))
        likeness = {number: cosine(asked, each) for number, each in passages.items()}
        best = heapq.nlargest(limit, likeness, key=likeness.__getitem__)
        others = [cosine(asked, each) for each in self._sample(set(best)).values()]
        least = nearness_threshold(self._chance_cosines(asked) + others, len(self._signs))
        return [
            number
            for number in best
            if likeness[number] > least and self._stands_out(likeness[number], passages[number])
        ]

    def _stands_out(self, likeness: float, passage: _Kept) -> bool:
        """Returns whether a passage is not as near as that to anything: some short ones are."""
        return likeness > nearness_threshold(self._chance_cosines(passage), len(self._signs))

    def _chance_cosines(self, one: _Kept) -> list[float]:
        return [cosine(one, each) for each in self._unrelated.values()]

    def _compared(self, asked: int) -> dict[int, _Kept]:
        """Returns the passages whose signs are most like the question's."""
        while True:
            away = {number: (asked ^ each).bit_count() for number, each in self._signs.items()}
            chosen = heapq.nsmallest(COMPARED, away, key=away.__getitem__)
            found = self._fetched(chosen)
            for gone in set(chosen) - found.keys():
                del self._signs[gone]
            if len(found) == len(chosen):
                return found

    def _sample(self, but: Collection[int]) -> dict[int, _Kept]:
        """Returns passages from everywhere."""
        step = max(1, len(self._signs) // _SAMPLE)
        return self._fetched([number for number in islice(self._signs, 0, None, step) if number not in but])

    def _fetched(self, numbers: Sequence[int]) -> dict[int, _Kept]:
        marks = ",".join("?" * len(numbers))
        query = f"SELECT id, length, numbers FROM vectors WHERE id IN ({marks})"
        return {number: (length, others) for number, length, others in self._index.db.execute(query, numbers)}

    def _clear(self, db: sqlite3.Connection, model: str) -> None:
        for table in ("vector_model", "vectors", "vectors_wanted", "vectors_unrelated"):
            db.execute(f"DELETE FROM {table}")
        db.execute("INSERT INTO vector_model VALUES (?)", (model,))
        db.execute("INSERT INTO vectors_wanted SELECT id FROM passages")


def cosine(one: _Kept, other: _Kept) -> float:
    """Returns the cosine of two vectors; 0 where one has no direction or other dimensions."""
    (length, numbers), (others_length, others) = one, other
    if not length or not others_length or len(numbers) != len(others):
        return 0.0
    product: int = sum(map(mul, array("b", numbers), array("b", others)))
    return product / (length * others_length)


def _kept(vector: Sequence[float]) -> tuple[bytes, float, bytes]:
    """Returns signs, length and numbers as they are kept; a length of 0 where a vector has no direction."""
    most = max(map(abs, vector), default=0.0)
    if not most or not math.isfinite(sum(vector)):
        return b"", 0.0, b""
    numbers = array("b", [round(each * _FULL / most) for each in vector])
    signs = int(numbers.tobytes()[:_SIGNS].translate(_SIGN), 2)
    return signs.to_bytes(_SIGNS // 8, "big"), math.hypot(*numbers), numbers.tobytes()
