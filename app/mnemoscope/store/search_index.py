"""The search index of a workspace: SQLite with FTS5, derived from the files and thrown away whenever in doubt.

Words come cut by `domain.search_words`, so that every script and language is treated alike at both ends; SQLite only
keeps the lists of which passage holds which. Used from one thread at a time.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.frozen import frozen
from mnemoscope.domain.search_words import language, tokens_of
from mnemoscope.store.calls import REAL_CALLS, FileCalls, RootGone
from mnemoscope.store.search_forms import Piece, Place
from mnemoscope.store.search_sources import SearchKind

log = logging.getLogger(__name__)
FORMAT: Final = 2
"""Of the tables and of how texts are cut into words: another number, and the index is made anew."""
KIND_BITS: Final = 48
"""A passage's number begins with its kind, so that the lists can be asked for one kind alone."""
_PRAGMAS: Final = (
    "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL", "cache_size = -8000",
    "secure_delete = ON",
)  # fmt: skip
_PATIENCE: Final = 0.2
"""Seconds to wait for a process that lets go of the index."""
_APPLICATION: Final = 0x4D4E5352
_NO_FULL_TEXT: Final = "This Python was built without SQLite's full-text search, so files are searched one by one."
_TABLES: Final = """
CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT UNIQUE, kind INTEGER, inode INTEGER, size INTEGER,
    modified INTEGER, end INTEGER, line INTEGER, spot INTEGER, beside TEXT, key TEXT, checksum INTEGER, tail INTEGER);
CREATE TABLE passages(id INTEGER PRIMARY KEY, file INTEGER, start INTEGER, line INTEGER, spot INTEGER, role TEXT,
    said TEXT, body TEXT, beside TEXT, language TEXT);
CREATE INDEX passages_by_file ON passages(file, start);
CREATE INDEX files_by_key ON files(key);
CREATE VIRTUAL TABLE words USING fts5(stems, forms, near, content='', detail=column, columnsize=0, tokenize='ascii');
"""


class FullTextMissing(Exception):
    """SQLite here has no FTS5."""


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


@frozen
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
    """The index in `path`, or in a temporary folder where `path` is None or cannot be written."""

    def __init__(self, path: Path | None, *, calls: FileCalls = REAL_CALLS) -> None:
        """`calls` say whether the workspace is where it was: SQLite itself asks nobody."""
        self._path, self._calls = path, calls
        self._folder: Path | None = None
        self._attempts = 3
        self._next: dict[SearchKind, int] = {}
        self.files: dict[str, FileState] = {}
        self.problem = ""
        """A sentence where there is no index at all."""
        self._db: sqlite3.Connection | None = None

    @property
    def db(self) -> sqlite3.Connection:
        """The open database. Raises sqlite3.Error, OSError or FullTextMissing."""
        if self._db is None:
            self._db = self._opened()
        return self._db

    @property
    def is_lasting(self) -> bool:
        """Whether it is there again the next time."""
        return self._path is not None

    def is_moved_away(self) -> bool:
        """Whether the folder of the workspace is gone, or another one took its place."""
        try:
            self._calls.require_root()
        except RootGone:
            return True
        return False

    def count(self) -> int:
        """How many passages there are, roughly: numbers given out, of which some are deleted."""
        return sum(number - (kind << KIND_BITS) for kind, number in self._next.items())

    # -- writing ------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start a change, unless one is under way."""
        if not self.db.in_transaction:
            self.db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Keep what was changed."""
        if self._db is not None and self._db.in_transaction:
            self._db.execute("COMMIT")

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

    def close(self) -> None:
        """Keep what is indexed and let go of the file; a temporary one is removed."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self.commit()
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def discard(self, reason: str) -> bool:
        """Throw the file away, to be made anew; False, and `problem` says why, where that was tried in vain."""
        log.warning("the search index is thrown away: %s", reason)
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None
        self.files, self._next = {}, {}
        self._attempts -= 1
        if not self._removed() and self._path is not None:
            self._path = None
        if self._attempts <= 0:
            self.problem = f"The search index cannot be kept ({reason}), so files are searched one by one."
        return not self.problem

    def give_up(self, sentence: str) -> None:
        """There is no index here, for the reason that the sentence says."""
        self.problem = sentence
        self.close()

    def _stored(self, condition: str, values: Sequence[Any]) -> list[Stored]:
        query = f"SELECT id, file, line, spot, role, said, body, beside, language FROM passages {condition}"
        return [Stored(*row) for row in self.db.execute(query, values)]

    def _opened(self) -> sqlite3.Connection:
        path = self._file()
        # Whoever owns the index uses it from one thread; which one is not known yet where it is made.
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_PATIENCE)
        try:
            self._prepare(db)
        except sqlite3.OperationalError as error:
            db.close()
            if "locked" not in str(error):
                raise
            # Another process keeps it true to the files; two that did would both add what is new.
            self._path = None
            return self._opened()
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        marks = (db.execute("PRAGMA application_id").fetchone()[0], db.execute("PRAGMA user_version").fetchone()[0])
        if marks == (0, 0) and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            _create(db)
        elif marks != (_APPLICATION, FORMAT):
            raise sqlite3.DatabaseError("it is of another format")
        # The lock is taken with the first write, and kept.
        db.execute(f"PRAGMA user_version = {FORMAT}")
        self.files = {state.name: state for state in _states(db)}
        for kind in SearchKind:
            low, high = kind << KIND_BITS, (kind + 1) << KIND_BITS
            last = db.execute("SELECT max(id) FROM passages WHERE id BETWEEN ? AND ?", (low, high)).fetchone()[0]
            self._next[kind] = last or low

    def _file(self) -> Path:
        if self._path is not None and not self.is_moved_away():
            return self._path
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mnemoscope-search-"))
        return self._folder / "search.db"

    def _removed(self) -> bool:
        path = self._file()
        try:
            for ending in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
        except OSError:
            return False
        return True


def _create(db: sqlite3.Connection) -> None:
    try:
        db.executescript(f"BEGIN; {_TABLES} COMMIT;")
    except sqlite3.OperationalError as error:
        if "fts5" in str(error):
            raise FullTextMissing(_NO_FULL_TEXT) from error
        raise
    db.execute(f"PRAGMA application_id = {_APPLICATION}")
    db.execute(f"PRAGMA user_version = {FORMAT}")


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
