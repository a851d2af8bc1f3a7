"""The file of the search index: SQLite with FTS5, derived from the workspace's files and thrown away whenever in doubt.

It is opened when it is first needed; in a temporary folder where the workspace has no place for it. Several parts of
the index keep their tables in it. Each is told when the file is opened, before a change is kept, and when it is thrown
away.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootGone

log = logging.getLogger(__name__)
_FORMAT: Final = 10
"""Of the tables and of how texts are cut into words: another number, and the index is made anew."""
_FORMER: Final = "index.db"
"""The file in which the index of the history logs was before it came into this one."""
_PAGES: Final = 1024
"""Kibibytes of the file's pages that SQLite keeps: half of its own measure. The system keeps them too."""
_PRAGMAS: Final = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "secure_delete = ON",
    f"cache_size = -{_PAGES}",
)
_PATIENCE: Final = 0.2
"""Seconds to wait for a process that lets go of the index."""
_APPLICATION: Final = 0x4D4E5352
_NO_FULL_TEXT: Final = "This Python was built without SQLite's full-text search, so files are searched one by one."
_TRIGRAMS: Final = "content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1'"
"""Texts come folded already, so that index and verification agree on what letters are the same."""
_PREFIXES: Final = "2 3"
"""Letters of the beginnings of words that have lists of their own: `to` and `the` begin many words, and are often the
word that is typed. Of a single letter the lists would take a tenth more of the file."""
_TABLES: Final = f"""
CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT UNIQUE, kind INTEGER, inode INTEGER, size INTEGER,
    modified INTEGER, end INTEGER, line INTEGER, message_index INTEGER, beside TEXT, key TEXT, checksum INTEGER,
    tail INTEGER, first INTEGER);
CREATE TABLE passages(id INTEGER PRIMARY KEY, file INTEGER, start INTEGER, line INTEGER, message_index INTEGER,
    role TEXT, said TEXT, body TEXT, beside TEXT, language TEXT);
CREATE INDEX passages_by_file ON passages(file, start);
CREATE INDEX files_by_key ON files(key);
CREATE VIRTUAL TABLE words USING fts5(stems, forms, near, content='', detail=column, columnsize=0, tokenize='ascii',
    prefix='{_PREFIXES}');
CREATE TABLE vocabulary(id INTEGER PRIMARY KEY, word TEXT UNIQUE);
CREATE VIRTUAL TABLE word_trigrams USING fts5(word, {_TRIGRAMS});
CREATE TRIGGER word_added AFTER INSERT ON vocabulary BEGIN
    INSERT INTO word_trigrams(rowid, word) VALUES (new.id, new.word);
END;
CREATE TRIGGER word_gone AFTER DELETE ON vocabulary BEGIN
    INSERT INTO word_trigrams(word_trigrams, rowid, word) VALUES ('delete', old.id, old.word);
END;
CREATE TABLE covers(kind TEXT PRIMARY KEY, entries INTEGER, end INTEGER, checksum INTEGER);
CREATE VIRTUAL TABLE trigrams_history USING fts5(text, {_TRIGRAMS});
CREATE VIRTUAL TABLE trigrams_jsonl USING fts5(text, {_TRIGRAMS});
CREATE VIRTUAL TABLE trigrams_notes USING fts5(text, {_TRIGRAMS});
"""


class FullTextMissing(Exception):
    """SQLite here has no FTS5."""


class Tenant(Protocol):
    """Keeps the tables of one part of the index in the database."""

    def on_opened(self, db: sqlite3.Connection) -> None:
        """Takes over what stands in a database that was just opened."""

    def before_commit(self, db: sqlite3.Connection) -> None:
        """Writes what has to be kept with the change that is about to be kept."""

    def on_discarded(self) -> None:
        """Forgets everything, as the database was thrown away."""


class SearchDatabase:
    """Opens the database in `path`, or in a temporary folder if that is None or not writable. For one thread at a time.

    `calls` say whether the workspace is where it was: SQLite itself asks nobody.
    """

    def __init__(self, path: Path | None, *, calls: FileCalls = REAL_CALLS) -> None:
        self._path = path
        self._calls = calls
        self._tenants: list[Tenant] = []
        self._folder: Path | None = None
        self._attempts = 3
        self.problem = ""
        """A sentence where there is no index at all."""
        self._db: sqlite3.Connection | None = None

    def add_tenant(self, tenant: Tenant) -> None:
        """Tells one more part of what happens to the database."""
        self._tenants.append(tenant)
        if self._db is not None:
            tenant.on_opened(self._db)

    @property
    def connection(self) -> sqlite3.Connection:
        """Returns the open database. Raises sqlite3.Error, OSError or FullTextMissing."""
        if self._db is None:
            self._db = self._opened()
        return self._db

    @property
    def is_open(self) -> bool:
        """Returns whether something asked for the database already."""
        return self._db is not None

    @property
    def file(self) -> Path:
        """Returns where the database is, or would be."""
        if self._path is not None and not self.is_moved_away():
            return self._path
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mnemoscope-search-"))
        return self._folder / "search.db"

    @property
    def is_lasting(self) -> bool:
        """Returns whether it is there again the next time."""
        return self._path is not None

    def is_moved_away(self) -> bool:
        """Returns whether the folder of the workspace is gone, or another one took its place."""
        try:
            self._calls.require_root()
        except RootGone:
            return True
        return False

    def begin(self) -> None:
        """Starts a change, unless one is under way."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Keeps what was changed."""
        if self._db is not None and self._db.in_transaction:
            for tenant in self._tenants:
                tenant.before_commit(self._db)
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Keeps what is indexed and closes the file; a temporary one is removed."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self.commit()
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def abandon(self) -> None:
        """Removes a temporary file that is in use still, because the process ends at once. Safe from any thread."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def discard(self, reason: str) -> bool:
        """Throws the file away, to be made anew; False, and `problem` says why, where that was tried in vain."""
        log.warning("the search index is thrown away: %s", reason)
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None
        for tenant in self._tenants:
            tenant.on_discarded()
        self._attempts -= 1
        if not _remove(self.file) and self._path is not None:
            self._path = None
        if self._attempts <= 0:
            self.problem = f"The search index cannot be kept ({reason}), so files are searched one by one."
        return not self.problem

    def begin_anew(self) -> None:
        """Throws the file away because of what it holds: nothing is wrong with it, and it is made again."""
        self.close()
        for tenant in self._tenants:
            tenant.on_discarded()
        _remove(self.file)

    def give_up(self, sentence: str) -> None:
        """Does without an index, for the reason that the sentence says."""
        self.problem = sentence
        self.close()

    def _opened(self) -> sqlite3.Connection:
        # Whoever owns the index uses it from one thread; which one is not known yet where it is made.
        db = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False, timeout=_PATIENCE)
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
            _remove(self.file.with_name(_FORMER))
        elif marks != (_APPLICATION, _FORMAT):
            raise sqlite3.DatabaseError("it is of another format")
        # The lock is taken with the first write, and kept.
        db.execute(f"PRAGMA user_version = {_FORMAT}")
        for tenant in self._tenants:
            tenant.on_opened(db)


def _create(db: sqlite3.Connection) -> None:
    try:
        db.executescript(f"BEGIN; {_TABLES} COMMIT;")
    except sqlite3.OperationalError as error:
        if "fts5" in str(error):
            raise FullTextMissing(_NO_FULL_TEXT) from error
        raise
    db.execute(f"PRAGMA application_id = {_APPLICATION}")
    db.execute(f"PRAGMA user_version = {_FORMAT}")


def _remove(path: Path) -> bool:
    """Removes a database that is closed, with what SQLite keeps beside it; False where the disk did not let it."""
    try:
        for ending in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    except OSError:
        return False
    return True
