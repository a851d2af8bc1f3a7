"""The search index of a workspace: which files hold which passages, and which passages hold which words.

Words come cut by `domain.search_words`, so that every script and language is treated alike at both ends; SQLite only
keeps the lists of which passage holds which. Used from one thread at a time.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.search.words import language, tokens_of
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.search.database import SearchDatabase
from mnemoscope.store.search.passages import Piece, Place
from mnemoscope.store.search.sources import SearchKind

log = logging.getLogger(__name__)
KIND_BITS: Final = 48
"""A passage's number begins with its kind, so that the lists can be asked for one kind alone."""


@dataclass(slots=True)
class FileState:
    """What the index knows of one file. `size` -1: it was not read to its end yet."""

    id: int
    name: str
    kind: SearchKind
    inode: int = 0
    size: int = -1
    modified: int = 0
    place: Place = field(default_factory=Place)
    checksum: int = 0
    """CRC-32 of everything before `place`."""
    tail: int = 0
    """CRC-32 of the last bytes before `place`."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage as it is kept."""

    id: int
    file: int
    line: int
    spot: int
    role: str
    when: str
    text: str
    beside: str
    language: str

    @property
    def kind(self) -> SearchKind:
        """What kind of place it stands in."""
        return SearchKind(self.id >> KIND_BITS)


class SearchIndex:
    """The tables of one workspace's index."""

    def __init__(self, path: Path | None, *, calls: FileCalls = REAL_CALLS) -> None:
        """`path` and `calls` as SearchDatabase has them."""
        self.database = SearchDatabase(path, opened=self._take_up, calls=calls)
        self._next: dict[SearchKind, int] = {}
        self.files: dict[str, FileState] = {}

    @property
    def db(self) -> sqlite3.Connection:
        """The open database. Raises sqlite3.Error, OSError or FullTextMissing."""
        return self.database.connection

    def discard(self, reason: str) -> bool:
        """Throw all away, to be made anew; False where that was tried in vain."""
        self.files, self._next = {}, {}
        return self.database.discard(reason)

    def count(self) -> int:
        """How many passages there are, roughly: numbers given out, of which some are deleted."""
        return sum(number - (kind << KIND_BITS) for kind, number in self._next.items())

    # -- writing ------------------------------------------------------------------------------------------------------

    def file(self, name: str, kind: SearchKind) -> FileState:
        """What is known of a file; a new one where nothing is."""
        known = self.files.get(name)
        if known is None:
            cursor = self.db.execute("INSERT INTO files(name, kind) VALUES (?, ?)", (name, kind))
            known = self.files[name] = FileState(cursor.lastrowid or 0, name, kind)
        return known

    def file_of(self, number: int) -> FileState:
        """The file of that number."""
        return next(state for state in self.files.values() if state.id == number)

    def save(self, state: FileState) -> None:
        """Keep how far a file was read."""
        at = state.place
        self.db.execute(
            "UPDATE files SET inode = ?, size = ?, modified = ?, end = ?, line = ?, spot = ?, beside = ?, key = ?,"
            " checksum = ?, tail = ? WHERE id = ?",
            (state.inode, state.size, state.modified, *astuple(at), state.checksum, state.tail, state.id),
        )

    def forget(self, state: FileState) -> None:
        """A file is gone, and so are its passages."""
        self.db.execute("DELETE FROM files WHERE id = ?", (state.id,))
        self.files.pop(state.name, None)

    def add(self, state: FileState, pieces: Sequence[Piece]) -> None:
        """Keep passages of a file."""
        first = self._next.get(state.kind, state.kind << KIND_BITS) + 1
        rows, tokens = [], []
        for number, piece in enumerate(pieces, first):
            said = (piece.start, piece.line, piece.spot, piece.role, piece.when, piece.text, piece.beside)
            spoken = language(piece.text)
            rows.append((number, state.id, *said, spoken))
            tokens.append((number, *_tokens(piece.text, piece.beside, spoken)))
        self._next[state.kind] = first + len(pieces) - 1
        self.db.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self.db.executemany("INSERT INTO words(rowid, stems, forms, near) VALUES (?, ?, ?, ?)", tokens)

    def drop(self, passages: Iterable[Stored]) -> None:
        """Take passages out, and every word of them."""
        gone = [(each.id, *_tokens(each.text, each.beside, each.language)) for each in passages]
        self.db.executemany("INSERT INTO words(words, rowid, stems, forms, near) VALUES ('delete', ?, ?, ?, ?)", gone)
        self.db.executemany("DELETE FROM passages WHERE id = ?", [(row[0],) for row in gone])

    def tidy(self) -> None:
        """Take the words of deleted passages out of the file. Some milliseconds for every thousand passages."""
        self.db.execute("INSERT INTO words(words) VALUES ('optimize')")

    def place(self, moved: Iterable[tuple[int, int, str, int]]) -> None:
        """Passages that say the same at another place: (start, line, when, number)."""
        self.db.executemany("UPDATE passages SET start = ?, line = ?, said = ? WHERE id = ?", moved)

    # -- reading ------------------------------------------------------------------------------------------------------

    def passages(self, file: int, start: int = 0, limit: int = -1) -> list[Stored]:
        """The passages of a file from a byte on, in order."""
        return self._stored("WHERE file = ? AND start >= ? ORDER BY start, id LIMIT ?", (file, start, limit))

    def newest_spot(self, session_key: str, role: str) -> int:
        """The number of the newest message of a role in a conversation that is not archived; 0 without one."""
        query = (
            "SELECT max(passages.spot) FROM passages, files WHERE file = files.id AND key = ? AND kind = ? AND role = ?"
        )
        found = self.db.execute(query, (session_key, SearchKind.SESSION, role)).fetchone()[0]
        return int(found or 0)

    def fetch(self, numbers: Sequence[int]) -> dict[int, Stored]:
        """Passages by number; one that is gone is left out."""
        marks = ",".join("?" * len(numbers))
        return {each.id: each for each in self._stored(f"WHERE id IN ({marks})", numbers)}

    def holding(self, expression: str, limit: int, kind: SearchKind | None = None) -> list[int]:
        """Numbers of the passages that match, the highest first."""
        low, high = (0, 1 << 62) if kind is None else (kind << KIND_BITS, (kind + 1) << KIND_BITS)
        query = "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?"
        return [row[0] for row in self.db.execute(query, (expression, low, high, limit))]

    def how_many(self, expression: str) -> int:
        """How many passages match."""
        return int(self.db.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone()[0])

    def _stored(self, condition: str, values: Sequence[Any]) -> list[Stored]:
        query = f"SELECT id, file, line, spot, role, said, body, beside, language FROM passages {condition}"
        return [Stored(*row) for row in self.db.execute(query, values)]

    def _take_up(self, db: sqlite3.Connection) -> None:
        """What stands in a database that was just opened."""
        self.files = {state.name: state for state in _states(db)}
        for kind in SearchKind:
            low, high = kind << KIND_BITS, (kind + 1) << KIND_BITS
            last = db.execute("SELECT max(id) FROM passages WHERE id BETWEEN ? AND ?", (low, high)).fetchone()[0]
            self._next[kind] = last or low


def _states(db: sqlite3.Connection) -> Iterator[FileState]:
    columns = "id, name, kind, inode, size, modified, end, line, spot, beside, key, checksum, tail"
    for number, name, kind, inode, size, modified, *place, checksum, tail in db.execute(f"SELECT {columns} FROM files"):
        at = Place(*place) if place[0] is not None else Place()
        stat = (inode or 0, -1 if size is None else size, modified or 0)
        yield FileState(number, name, SearchKind(kind), *stat, at, checksum or 0, tail or 0)


def _tokens(text: str, beside: str, spoken: str) -> tuple[str, str, str]:
    """The columns of a passage: stems, words where they differ from these, stems of what stands beside it."""
    stems, forms = [], []
    for folded, stem in tokens_of(text, spoken):
        stems.append(stem)
        if folded != stem:
            forms.append(folded)
    return " ".join(stems), " ".join(forms), " ".join(stem for _, stem in tokens_of(beside))
