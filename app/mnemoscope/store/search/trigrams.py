"""The three-letter runs of large history logs in the search database: contentless, derived, built in slices.

They tell which entries may hold a text; whoever asks verifies against the entry. The index covers the oldest entries up
to `covered(kind)` and never the newest one, which may still grow.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from mnemoscope.store.search.database import FullTextMissing, SearchDatabase
from mnemoscope.store.search.entry_log import EntryLog
from mnemoscope.store.search.history_query import HISTORY_KINDS, HistoryKind

_BATCH: Final = 128
"""Entries added at once: some milliseconds."""
_COMMIT_EVERY: Final = 8_192
_CHECK_BLOCK: Final = 1 << 21
_TRIGRAMS: Final = 24
_CONTINUATIONS: Final = 200
_END: Final = "\n\n"
"""Added to each text, so that its last two letters begin runs of three as well."""


class IndexBroken(Exception):
    """The index could not be read."""


@dataclass(slots=True)
class _Cover:
    """Says how far one log is indexed: entries, the byte they end at, and a checksum of everything before it."""

    entries: int = 0
    end: int = 0
    checksum: int = 0
    checked: int = 0
    """Bytes verified of what an earlier run left."""
    running: int = 0
    trusted: bool = False
    unsaved: int = 0


class TrigramIndex:
    """Keeps the trigrams of a workspace's history logs. Not safe for several threads."""

    def __init__(self, database: SearchDatabase) -> None:
        self._database = database
        self._covers: dict[HistoryKind, _Cover] = {kind: _Cover() for kind in HISTORY_KINDS}
        database.add_tenant(self)

    @property
    def usable(self) -> bool:
        """Returns whether there is a database to ask."""
        return not self._database.problem

    def on_opened(self, db: sqlite3.Connection) -> None:
        """Takes over what an earlier run indexed; it is compared with the logs before it is used."""
        for kind in HISTORY_KINDS:
            db.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.runs_{kind} USING fts5vocab(main, trigrams_{kind}, instance)"
            )
        covers = db.execute("SELECT kind, entries, end, checksum FROM covers").fetchall()
        for kind, entries, end, checksum in covers:
            self._covers[kind] = _Cover(entries, end, checksum)

    def before_commit(self, db: sqlite3.Connection) -> None:
        """Keeps how far the logs are indexed with what is indexed."""
        for kind, cover in self._covers.items():
            if cover.unsaved:
                row = (kind, cover.entries, cover.end, cover.checksum)
                db.execute("INSERT OR REPLACE INTO covers VALUES (?, ?, ?, ?)", row)
                cover.unsaved = 0

    def on_discarded(self) -> None:
        """Forgets how far the logs were indexed."""
        self._covers = {kind: _Cover() for kind in HISTORY_KINDS}

    def covered(self, kind: HistoryKind) -> int:
        """Returns entries of a log that are indexed."""
        cover = self._covers[kind]
        return cover.entries if cover.trusted and self._database.is_open else 0

    def build(self, source: EntryLog, seconds: float) -> bool:
        """Indexes more of a log, for about `seconds`; True where there is more to do."""
        if not self.usable:
            return False
        try:
            return self._build(source, time.perf_counter() + seconds)
        except FullTextMissing as error:
            self._database.give_up(str(error))
        except (sqlite3.Error, OSError) as error:
            self._database.discard(f"{error}")
        return self.usable

    def forget(self, kind: HistoryKind) -> None:
        """Forgets a log that was rewritten; it is indexed anew."""
        try:
            if self._database.is_open and self._covers[kind].entries:
                self._forget(kind)
        except sqlite3.Error as error:
            self._database.discard(f"{error}")

    def candidates(self, kind: HistoryKind, needle: str, below: int) -> Iterator[int]:
        """Returns entries numbered under `below` that may hold a folded text of three letters or more, newest first."""
        yield from self._matching(kind, trigrams_of(needle), below)

    def continuations(self, kind: HistoryKind, start: str, below: int) -> Iterator[int] | None:
        """Returns entries that hold one or two letters, newest first; None where too many runs begin with them."""
        runs: list[str] = []
        last = start
        while len(runs) <= _CONTINUATIONS:
            with _reading():
                query = f"SELECT term FROM runs_{kind} WHERE term > ? LIMIT 1"
                row = self._database.connection.execute(query, (last,)).fetchone()
            if row is None or not row[0].startswith(start):
                return self._matching(kind, " OR ".join(map(_quoted, runs)), below) if runs else iter(())
            last = row[0]
            runs.append(last)
        return None

    def count(self, kind: HistoryKind, run: str) -> int:
        """Returns how many indexed entries hold a run of three letters."""
        query = f"SELECT count(*) FROM trigrams_{kind} WHERE trigrams_{kind} MATCH ?"
        with _reading():
            return int(self._database.connection.execute(query, (_quoted(run),)).fetchone()[0])

    def _build(self, source: EntryLog, deadline: float) -> bool:
        _ = self._database.connection
        cover = self._covers[source.kind]
        if not cover.trusted and not self._check(source, cover, deadline):
            return True
        cover = self._covers[source.kind]
        until = len(source) - 1
        while cover.entries < until and time.perf_counter() < deadline:
            self._add(source, cover, min(until, cover.entries + _BATCH))
            if cover.unsaved >= _COMMIT_EVERY:
                self._database.commit()
        if cover.entries >= until:
            self._database.commit()
        return cover.entries < until

    def _check(self, source: EntryLog, cover: _Cover, deadline: float) -> bool:
        """Compares what an earlier run indexed with the files, byte by byte; True once it is settled."""
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

    def _add(self, source: EntryLog, cover: _Cover, until: int) -> None:
        self._database.begin()
        texts = source.texts(cover.entries, until)
        rows = [(number, _indexed(text)) for number, text in enumerate(texts, cover.entries + 1)]
        insert = f"INSERT INTO trigrams_{source.kind}(rowid, text) VALUES (?, ?)"
        self._database.connection.executemany(insert, rows)
        end = source.table.starts[until]
        cover.checksum = zlib.crc32(source.table.files.read(cover.end, end), cover.checksum)
        cover.unsaved += until - cover.entries
        cover.entries = until
        cover.end = end

    def _forget(self, kind: HistoryKind) -> None:
        if self._covers[kind].entries:
            self._database.begin()
            db = self._database.connection
            db.execute("DELETE FROM covers WHERE kind = ?", (kind,))
            db.execute(f"INSERT INTO trigrams_{kind}(trigrams_{kind}) VALUES ('delete-all')")
        self._covers[kind] = _Cover()
        self._database.commit()

    def _matching(self, kind: HistoryKind, expression: str, below: int) -> Iterator[int]:
        query = f"SELECT rowid FROM trigrams_{kind} WHERE trigrams_{kind} MATCH ? AND rowid <= ? ORDER BY rowid DESC"
        with _reading():
            for (row,) in self._database.connection.execute(query, (expression, below)):
                yield row - 1


def trigrams_of(needle: str) -> str:
    """Returns the expression by which FTS5 finds what may hold a text of three letters or more."""
    places = range(len(needle) - 2)
    runs = {needle[at : at + 3] for at in places[:: max(1, len(places) // _TRIGRAMS)]}
    return " AND ".join(map(_quoted, sorted(runs)))


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise IndexBroken(str(error)) from error


def _indexed(text: str) -> str:
    return text.replace("\0", " ").casefold() + _END


def _quoted(run: str) -> str:
    return '"' + run.replace('"', '""') + '"'
