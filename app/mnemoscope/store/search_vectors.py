"""What passages mean, as vectors of an embedding model, in the search index; and which are nearest to a question.

A vector is kept in whole numbers of a byte each, which tell cosines apart by less than a hundredth. To compare 100,000
of them in full would take seconds, so the signs of a vector's numbers choose the few that are compared.
"""

from __future__ import annotations

import heapq
import math
import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from operator import mul
from typing import Final

from mnemoscope.domain.frozen import frozen
from mnemoscope.store.search_index import SearchIndex

COMPARED: Final = 800
"""Passages compared in full, of those whose signs are most like the question's."""
_SIGNS: Final = 1_024
_FULL: Final = 127
_SIGN: Final = bytes(b"01"[value < 128] for value in range(256))
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS vector_model(name TEXT);
CREATE TABLE IF NOT EXISTS vectors(id INTEGER PRIMARY KEY, signs BLOB, length REAL, numbers BLOB);
CREATE TABLE IF NOT EXISTS vectors_wanted(id INTEGER PRIMARY KEY);
CREATE TRIGGER IF NOT EXISTS vector_wanted AFTER INSERT ON passages BEGIN
    INSERT INTO vectors_wanted VALUES (new.id);
END;
CREATE TRIGGER IF NOT EXISTS vector_gone AFTER DELETE ON passages BEGIN
    DELETE FROM vectors WHERE id = old.id;
    DELETE FROM vectors_wanted WHERE id = old.id;
END;
"""


@frozen
class Unembedded:
    """A passage that has no vector yet."""

    id: int
    text: str


class SearchVectors:
    """The vectors of one index. Everything raises sqlite3.Error where the index is broken."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._db: sqlite3.Connection | None = None
        self._model = ""
        self._signs: dict[int, int] = {}
        """By passage; those that are deleted since are found out when they are compared."""

    def use(self, model: str) -> None:
        """Vectors are `model`'s from now on; another model's are thrown away."""
        db = self._index.db
        if db is self._db and model == self._model:
            return
        db.executescript(_TABLES)
        self._index.begin()
        if db.execute("SELECT name FROM vector_model").fetchall() != [(model,)]:
            self._begin_anew(db, model)
        self._index.commit()
        found = db.execute("SELECT id, signs FROM vectors")
        self._signs = {number: int.from_bytes(signs, "big") for number, signs in found}
        self._db, self._model = db, model

    def wanted(self, model: str, limit: int) -> list[Unembedded]:
        """Passages to embed next: memory before notes before conversations, the newest first."""
        self.use(model)
        query = (
            "SELECT id, body FROM passages WHERE id IN"
            " (SELECT id FROM vectors_wanted ORDER BY id DESC LIMIT ?) ORDER BY id DESC"
        )
        return [Unembedded(*row) for row in self._index.db.execute(query, (limit,))]

    def keep(self, model: str, vectors: Mapping[Unembedded, Sequence[float]]) -> None:
        """Keep what was found out of passages that still say the same."""
        self.use(model)
        still = self._index.fetch([each.id for each in vectors])
        rows = [
            (each.id, *_kept(vector))
            for each, vector in vectors.items()
            if each.id in still and still[each.id].text == each.text
        ]
        self._index.begin()
        self._index.db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
        self._index.db.executemany("DELETE FROM vectors_wanted WHERE id = ?", [(row[0],) for row in rows])
        self._index.commit()
        self._signs.update((number, int.from_bytes(signs, "big")) for number, signs, _, _ in rows)

    def nearest(self, model: str, vector: Sequence[float], limit: int) -> list[int]:
        """Numbers of the passages that mean most nearly the same, the nearest first."""
        self.use(model)
        signs, length, numbers = _kept(vector)
        if not length:
            return []
        asked, own = int.from_bytes(signs, "big"), array("b", numbers).tolist()
        while True:
            away = {number: (asked ^ each).bit_count() for number, each in self._signs.items()}
            chosen = heapq.nsmallest(COMPARED, away, key=away.__getitem__)
            found = self._fetched(chosen)
            for gone in set(chosen) - found.keys():
                del self._signs[gone]
            if len(found) == len(chosen):
                break
        likeness = {
            number: sum(map(mul, own, array("b", others))) / (length * other)
            for number, (other, others) in found.items()
            # What has no direction is near to nothing; and of other dimensions nothing can be said.
            if other and len(others) == len(numbers)
        }
        return heapq.nlargest(limit, likeness, key=likeness.__getitem__)

    def _fetched(self, numbers: Sequence[int]) -> dict[int, tuple[float, bytes]]:
        marks = ",".join("?" * len(numbers))
        query = f"SELECT id, length, numbers FROM vectors WHERE id IN ({marks})"
        return {number: (length, others) for number, length, others in self._index.db.execute(query, numbers)}

    def _begin_anew(self, db: sqlite3.Connection, model: str) -> None:
        for table in ("vector_model", "vectors", "vectors_wanted"):
            db.execute(f"DELETE FROM {table}")
        db.execute("INSERT INTO vector_model VALUES (?)", (model,))
        db.execute("INSERT INTO vectors_wanted SELECT id FROM passages")


def _kept(vector: Sequence[float]) -> tuple[bytes, float, bytes]:
    """Signs, length and numbers as they are kept; a length of 0 where a vector has no direction."""
    most = max(map(abs, vector), default=0.0)
    if not most or not math.isfinite(sum(vector)):
        return b"", 0.0, b""
    numbers = array("b", [round(each * _FULL / most) for each in vector])
    signs = int(numbers.tobytes()[:_SIGNS].translate(_SIGN), 2)
    return signs.to_bytes(_SIGNS // 8, "big"), math.hypot(*numbers), numbers.tobytes()
