"""The index of what other agents said and remember, for the search of the person alone.

It is one file of the person's, in no workspace, readable by them alone, and derived from the stores. It is deleted
when it is damaged, and when the person takes back that these are searched; what is gone from a store goes from it too.
SQLite finds any part of a text of three letters or more, in every script; shorter words are looked for in that.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.search.search_hit import Spans, first_places

_LONGEST_PASSAGE: Final = 4_000
"""Characters of one message that can be found."""
_FORMAT: Final = 2
_TABLES: Final = """
CREATE TABLE sources(id INTEGER PRIMARY KEY, root TEXT, name TEXT, path TEXT, title TEXT, stamp TEXT,
    agent TEXT, first INTEGER, stop INTEGER, UNIQUE(root, name));
CREATE VIRTUAL TABLE passages USING fts5(text, place UNINDEXED, role UNINDEXED, said UNINDEXED, tokenize='trigram');
"""
_WORDS: Final = re.compile(r'"([^"]+)"|“([^”]+)”|(\S+)')
_SHORTEST: Final = 3


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """Describes a conversation, or a memory file, of another agent: the root of its store and the name by which this
    has it; the path of the file that it lies in; its title; a stamp that is another one where it changed; and the name
    of the agent."""

    root: str
    name: str
    path: str
    title: str
    stamp: str
    agent: str


@dataclass(frozen=True, slots=True)
class ForeignPassage:
    """Describes a message, or a line of a memory file. `place` is that of its record, or the number of the line, from 1
    on. `role` is "user", "assistant", "summary" or "memory", and `said` a naive local time in ISO 8601, or ""."""

    text: str
    place: int
    role: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class ForeignHit:
    """Describes a passage that was found, and where it stands."""

    source: ForeignSource
    passage: ForeignPassage
    words: tuple[str, ...]

    def mark(self, text: str) -> Spans:
        """Returns where in a text the words of the query stand, as (start, stop) in characters."""
        return first_places(self.words, text)


class ForeignIndex:
    """Keeps the index in one file. One thread at a time may use it. Each method raises StorageError where it cannot be
    used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    @property
    def is_there(self) -> bool:
        """Returns whether anything was indexed."""
        return self._path.exists()

    def sources(self) -> dict[tuple[str, str], ForeignSource]:
        """Returns what is indexed, by root and name."""
        with self._usable() as db:
            found = db.execute("SELECT root, name, path, title, stamp, agent FROM sources").fetchall()
        return {(row[0], row[1]): ForeignSource(*row) for row in found}

    def put(self, source: ForeignSource, passages: Iterable[ForeignPassage]) -> None:
        """Indexes a source anew."""
        with self._usable() as db, db:
            self._drop(db, source.root, source.name)
            first = (db.execute("SELECT max(stop) FROM sources").fetchone()[0] or 0) + 1
            rows = [
                (number, _storable(each.text[:_LONGEST_PASSAGE]), each.place, each.role, each.said)
                for number, each in enumerate(passages, first)
            ]
            db.executemany("INSERT INTO passages(rowid, text, place, role, said) VALUES (?, ?, ?, ?, ?)", rows)
            names = map(_storable, (source.root, source.name, source.path, source.title, source.stamp, source.agent))
            db.execute(
                "INSERT INTO sources(root, name, path, title, stamp, agent, first, stop)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*names, first, first + len(rows)),
            )

    def forget(self, sources: Iterable[tuple[str, str]]) -> None:
        """Takes sources out, given their roots and names."""
        with self._usable() as db, db:
            for root, name in sources:
                self._drop(db, root, name)

    def tidy(self) -> None:
        """Takes the words of what was put anew or forgotten out of the file."""
        with self._usable() as db:
            with db:
                db.execute("INSERT INTO passages(passages) VALUES ('optimize')")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def find(self, text: str, limit: int) -> list[ForeignHit]:
        """Returns the passages that hold every word of a query, the best first; “in quotes” are words that follow each
        other."""
        words = tuple(dict.fromkeys(next(filter(None, each)).casefold() for each in _WORDS.findall(text)))
        long = [word for word in words if len(word) >= _SHORTEST]
        if not long:
            return []
        query = " AND ".join('"' + _storable(word).replace('"', '""') + '"' for word in long)
        short = [word for word in words if len(word) < _SHORTEST]
        with self._usable() as db:
            rows = db.execute(
                "SELECT root, name, path, title, stamp, agent, text, place, role, said FROM passages"
                " JOIN sources ON passages.rowid >= first AND passages.rowid < stop"
                " WHERE passages MATCH ? ORDER BY rank LIMIT ?",
                (query, limit * 10 if short else limit),
            ).fetchall()
        held = (row for row in rows if all(word in row[6].casefold() for word in short))
        return [ForeignHit(ForeignSource(*row[:6]), ForeignPassage(*row[6:]), words) for row in held][:limit]

    def remove(self) -> None:
        """Deletes the index and all that is in it."""
        self.close()
        for end in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.unlink(f"{self._path}{end}")

    def close(self) -> None:
        """Closes the file; it is opened again where something is asked."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @staticmethod
    def _drop(db: sqlite3.Connection, root: str, name: str) -> None:
        key = _storable(root), _storable(name)
        row = db.execute("SELECT first, stop, id FROM sources WHERE root = ? AND name = ?", key).fetchone()
        if row is not None:
            db.execute("DELETE FROM passages WHERE rowid >= ? AND rowid < ?", row[:2])
            db.execute("DELETE FROM sources WHERE id = ?", row[2:])

    @contextmanager
    def _usable(self) -> Iterator[sqlite3.Connection]:
        """Gives the database. One that is damaged is deleted, to be made anew from what it was made of."""
        try:
            if self._connection is None:
                self._connection = self._opened()
            yield self._connection
        except sqlite3.OperationalError as error:
            raise StorageError(f"The index of other agents cannot be used: {error}.") from error
        except sqlite3.Error as error:
            self.remove()
            raise StorageError(
                "The index of other agents was damaged. It is made anew with the next search."
            ) from error
        except OSError as error:
            raise StorageError(f"The index of other agents cannot be used: {error.strerror}.") from error

    def _opened(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        os.chmod(self._path, 0o600)
        db = sqlite3.connect(self._path, timeout=2.0, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA secure_delete = ON")
            if db.execute("PRAGMA user_version").fetchone()[0] != _FORMAT:
                for table in ("sources", "passages"):
                    db.execute(f"DROP TABLE IF EXISTS {table}")
                db.executescript(_TABLES)
                db.execute(f"PRAGMA user_version = {_FORMAT}")
        except BaseException:
            db.close()
            raise
        return db


def _storable(text: str) -> str:
    """Returns a text without the halves of characters, which no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
