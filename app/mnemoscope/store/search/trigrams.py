"""An index of three-letter runs over large history logs: SQLite FTS5, contentless, derived, built in slices.

It tells which entries may hold a text; whoever asks verifies against the entry. It covers the oldest entries up to
`covered(kind)` and never the newest one, which may still grow. A damaged or foreign file is thrown away and rebuilt.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.store.search.entry_log import HistoryLog
from mnemoscope.store.search.history_query import KINDS, HistoryKind
from mnemoscope.store.search.log_query import IndexBroken
from mnemoscope.store.search.sqlite_file import remove_database

log = logging.getLogger(__name__)
_FORMAT: Final = 1
_APPLICATION: Final = 0x4D4E454D
_BATCH: Final = 128
"""Entries added at once: some milliseconds."""
_COMMIT_EVERY: Final = 8_192
_CHECK_BLOCK: Final = 1 << 21
_TRIGRAMS: Final = 24
_CONTINUATIONS: Final = 200
_END: Final = "\n\n"
"""Added to each text, so that its last two letters begin runs of three as well."""


@dataclass(slots=True)
class _Cover:
    """How far one log is indexed: entries, the byte they end at, and a checksum of everything before it."""

    entries: int = 0
    end: int = 0
    checksum: int = 0
    checked: int = 0
    """Bytes verified of what an earlier run left."""
    running: int = 0
    trusted: bool = False
    unsaved: int = 0


class TrigramIndex:
    """The index in `path`, or in a temporary folder where `path` is None. Not safe for several threads."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._folder: Path | None = None
        self._db: sqlite3.Connection | None = None
        self._covers: dict[HistoryKind, _Cover] = {kind: _Cover() for kind in KINDS}
        self.usable = True

    def covered(self, kind: HistoryKind) -> int:
        """Entries of a log that are indexed."""
        cover = self._covers[kind]
        return cover.entries if cover.trusted and self._db is not None else 0

    def build(self, source: HistoryLog, seconds: float) -> bool:
        """Index more of a log, for about `seconds`; True where there is more to do."""
        if not self.usable:
            return False
        try:
            return self._build(source, time.perf_counter() + seconds)
        except (sqlite3.Error, OSError) as error:
            self.discard(f"{error}")
            return self.usable

    def forget(self, kind: HistoryKind) -> None:
        """A log was rewritten: index it anew."""
        try:
            if self._db is not None and self._covers[kind].entries:
                self._forget(kind)
        except sqlite3.Error as error:
            self.discard(f"{error}")

    def candidates(self, kind: HistoryKind, needle: str, below: int) -> Iterator[int]:
        """Entries numbered under `below` that may hold a folded text of three letters or more, newest first."""
        places = range(len(needle) - 2)
        runs = {needle[at : at + 3] for at in places[:: max(1, len(places) // _TRIGRAMS)]}
        yield from self._matching(kind, " AND ".join(map(_quoted, sorted(runs))), below)

    def continuations(self, kind: HistoryKind, start: str, below: int) -> Iterator[int] | None:
        """Entries that hold one or two letters, newest first; None where too many runs begin with them."""
        runs: list[str] = []
        last = start
        while len(runs) <= _CONTINUATIONS:
            with _reading():
                query = f"SELECT term FROM runs_{kind} WHERE term > ? LIMIT 1"
                row = self._connection().execute(query, (last,)).fetchone()
            if row is None or not row[0].startswith(start):
                return self._matching(kind, " OR ".join(map(_quoted, runs)), below) if runs else iter(())
            last = row[0]
            runs.append(last)
        return None

    def count(self, kind: HistoryKind, run: str) -> int:
        """How many indexed entries hold a run of three letters."""
        query = f"SELECT count(*) FROM text_{kind} WHERE text_{kind} MATCH ?"
        with _reading():
            return int(self._connection().execute(query, (_quoted(run),)).fetchone()[0])

    def close(self) -> None:
        """Keep what is indexed and let go of the file; a temporary one is removed."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._save()
            self._db.close()
            self._db = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def discard(self, reason: str) -> None:
        """Throw the file away; the second time, do without an index."""
        log.warning("the history index is thrown away: %s", reason)
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None
        self.usable = remove_database(self._file()) and self._attempts_left()
        self._covers = {kind: _Cover() for kind in KINDS}

    _attempts = 3

    def _attempts_left(self) -> bool:
        self._attempts -= 1
        return self._attempts > 0

    def _build(self, source: HistoryLog, deadline: float) -> bool:
        self._connection()
        cover = self._covers[source.kind]
        if not cover.trusted and not self._check(source, cover, deadline):
            return True
        cover = self._covers[source.kind]
        until = len(source) - 1
        while cover.entries < until and time.perf_counter() < deadline:
            self._add(source, cover, min(until, cover.entries + _BATCH))
            if cover.unsaved >= _COMMIT_EVERY:
                self._save()
        if cover.entries >= until:
            self._save()
        return cover.entries < until

    def _check(self, source: HistoryLog, cover: _Cover, deadline: float) -> bool:
        """Compare what an earlier run indexed with the files, byte by byte; True once it is settled."""
        table = source.table
        fits = 0 < cover.entries < len(table) and table.starts[cover.entries] == cover.end
        if fits:
            while cover.checked < cover.end and time.perf_counter() < deadline:
                block = table.files.read(cover.checked, min(cover.checked + _CHECK_BLOCK, cover.end))
                if not block:
                    break
                cover.running = zlib.crc32(block, cover.running)
                cover.checked += len(block)
            if cover.checked < cover.end and time.perf_counter() >= deadline:
                return False
        if not fits or cover.running != cover.checksum:
            self._forget(source.kind)
        self._covers[source.kind].trusted = True
        return True

    def _add(self, source: HistoryLog, cover: _Cover, until: int) -> None:
        db = self._connection()
        if not db.in_transaction:
            db.execute("BEGIN")
        texts = source.texts(cover.entries, until)
        rows = [(number, _indexed(text)) for number, text in enumerate(texts, cover.entries + 1)]
        db.executemany(f"INSERT INTO text_{source.kind}(rowid, text) VALUES (?, ?)", rows)
        end = source.table.starts[until]
        cover.checksum = zlib.crc32(source.table.files.read(cover.end, end), cover.checksum)
        cover.unsaved += until - cover.entries
        cover.entries, cover.end = until, end

    def _save(self) -> None:
        db = self._db
        if db is None or not db.in_transaction:
            return
        for kind, cover in self._covers.items():
            if cover.unsaved:
                db.execute(
                    "INSERT OR REPLACE INTO covers VALUES (?, ?, ?, ?)",
                    (kind, cover.entries, cover.end, cover.checksum),
                )
        db.execute("COMMIT")
        for cover in self._covers.values():
            cover.unsaved = 0

    def _forget(self, kind: HistoryKind) -> None:
        db = self._connection()
        self._save()
        if self._covers[kind].entries:
            with db:
                db.execute("DELETE FROM covers WHERE kind = ?", (kind,))
                db.execute(f"INSERT INTO text_{kind}(text_{kind}) VALUES ('delete-all')")
        self._covers[kind] = _Cover()

    def _matching(self, kind: HistoryKind, expression: str, below: int) -> Iterator[int]:
        query = f"SELECT rowid FROM text_{kind} WHERE text_{kind} MATCH ? AND rowid <= ? ORDER BY rowid DESC"
        with _reading():
            for (row,) in self._connection().execute(query, (expression, below)):
                yield row - 1

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = self._opened()
        return self._db

    def _opened(self) -> sqlite3.Connection:
        path = self._file()
        path.parent.mkdir(exist_ok=True)
        # Whoever owns the index uses it from one thread; which one is not known yet where it is made.
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA cache_size = -16000")
            marks = (db.execute("PRAGMA application_id").fetchone()[0], db.execute("PRAGMA user_version").fetchone()[0])
            if marks == (0, 0) and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                _create(db)
            elif marks != (_APPLICATION, _FORMAT):
                raise sqlite3.DatabaseError("it is of another kind")
            for kind in KINDS:
                db.execute(f"CREATE VIRTUAL TABLE temp.runs_{kind} USING fts5vocab(main, text_{kind}, instance)")
            covers = db.execute("SELECT kind, entries, end, checksum FROM covers").fetchall()
        except sqlite3.Error:
            db.close()
            raise
        for kind, entries, end, checksum in covers:
            self._covers[kind] = _Cover(entries, end, checksum)
        return db

    def _file(self) -> Path:
        if self._path is not None:
            return self._path
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mnemoscope-index-"))
        return self._folder / "index.db"


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise IndexBroken(str(error)) from error


def _create(db: sqlite3.Connection) -> None:
    db.execute("BEGIN")
    db.execute(f"PRAGMA application_id = {_APPLICATION}")
    db.execute(f"PRAGMA user_version = {_FORMAT}")
    db.execute("CREATE TABLE covers(kind TEXT PRIMARY KEY, entries INTEGER, end INTEGER, checksum INTEGER)")
    for kind in KINDS:
        # Texts come folded already, so that index and verification agree on what letters are the same.
        db.execute(
            f"CREATE VIRTUAL TABLE text_{kind} USING fts5(text, content='', detail=none, columnsize=0, "
            "tokenize='trigram case_sensitive 1')"
        )
    db.execute("COMMIT")


def _indexed(text: str) -> str:
    return text.replace("\0", " ").casefold() + _END


def _quoted(run: str) -> str:
    return '"' + run.replace('"', '""') + '"'
