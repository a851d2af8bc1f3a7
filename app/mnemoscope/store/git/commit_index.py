"""Indexes the commits, so that it is quick to ask which of them changed a file and who wrote each line.

Derived from the repository and kept in SQLite: brought up to date with each new commit, made again where it is missing,
unreadable, or knows commits the repository does not have.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.commits import SHORT, BlameLine, CommitInfo, brings_back, carry_blame
from mnemoscope.domain.text.diff import split_lines

if TYPE_CHECKING:
    from mnemoscope.store.git.repository import Repository

_FORMAT: Final = 2
_KEEP_BLAME_EVERY: Final = 50
"""Commits after which blame is kept, so that whoever gives up and asks again does not begin anew."""
_TABLES: Final = """
CREATE TABLE commits(n INTEGER PRIMARY KEY, id TEXT UNIQUE, parent TEXT, author TEXT, stamp TEXT, seconds INTEGER,
                     message TEXT);
CREATE TABLE touched(path TEXT, n INTEGER, blob TEXT, PRIMARY KEY(path, n)) WITHOUT ROWID;
CREATE TABLE blame(path TEXT PRIMARY KEY, n INTEGER, owners BLOB) WITHOUT ROWID;
CREATE TABLE written(path TEXT, line TEXT, n INTEGER, PRIMARY KEY(path, line, n)) WITHOUT ROWID;
"""
_COLUMNS: Final = "n, id, parent, author, stamp, seconds, message"


class CommitIndex:
    """Keeps one index file. Commits are numbered from 1, oldest first. Two threads may not use it at once."""

    def __init__(self, file: Path, repository: Repository) -> None:
        self._file, self._repository = file, repository
        self._database = self._open()

    def close(self) -> None:
        """Gives the file back."""
        self._database.close()

    def catch_up(self, goes_on: GoesOn = to_the_end) -> bool:
        """Takes in the commits that are new; False where `goes_on` said no."""
        newest = self._newest()
        new: list[str] = []
        for commit_id in self._repository.ids():
            if commit_id == newest:
                break
            new.append(commit_id)
            if not goes_on():
                return False
        else:
            if newest:
                self._clear()
        for start in range(0, len(new), 200):
            batch = new[::-1][start : start + 200]
            with self._database:
                for commit_id in batch:
                    self._take_in(self._repository.commit(commit_id))
            if not goes_on():
                return False
        return True

    @property
    def is_current(self) -> bool:
        """Tells whether every commit is known."""
        return self._newest() == self._repository.head()

    def page(self, path: str = "", before: str = "", limit: int = 50, *, author: str = "") -> list[CommitInfo]:
        """Returns `limit` commits at most that changed `path` ("": any), newest first, older than `before` ("": all),
        by one `author` ("": any)."""
        end = self._number(before) if before else 1 << 62
        where = "n < ?" if not path else "n < ? AND n IN (SELECT n FROM touched WHERE path = ?)"
        where += " AND author = ?" if author else ""
        values = (end, *filter(None, (path, author)), limit)
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM commits WHERE {where} ORDER BY n DESC LIMIT ?",
            values,
        )
        return [self._info(row) for row in rows.fetchall()]

    def find(self, short: str) -> CommitInfo | None:
        """Returns the one commit whose id begins with some lower-case hexadecimal digits."""
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM commits WHERE id >= ? AND id < ? LIMIT 2", (short, f"{short}g")
        ).fetchall()
        return self._info(rows[0]) if len(rows) == 1 else None

    def at(self, seconds: int) -> CommitInfo | None:
        """Returns the commit that stood at a moment (since the epoch): the last one made before it in the order of
        commits."""
        row = self._database.execute(
            f"SELECT {_COLUMNS} FROM commits WHERE seconds <= ? ORDER BY n DESC LIMIT 1",
            (seconds,),
        ).fetchone()
        return self._info(row) if row else None

    def moments(self) -> list[tuple[int, str]]:
        """Returns when each commit was made (since the epoch) and its id, oldest first in the order of commits."""
        return list(self._database.execute("SELECT seconds, id FROM commits ORDER BY n"))

    def blame(self, path: str, goes_on: GoesOn = to_the_end) -> list[BlameLine] | None:
        """Returns the lines of a file in the newest commit taken in, and who wrote each, [] for an unknown file; None
        where `goes_on` said no. Whoever only brought a line back did not write it: that is who wrote these words
        last."""
        carried = self._carried(path, goes_on)
        if carried is None:
            return None
        text, owners = carried
        known: dict[int, CommitInfo] = {}
        for number in set(owners):
            row = self._database.execute(f"SELECT {_COLUMNS} FROM commits WHERE n = ?", (number,)).fetchone()
            known[number] = self._info(row)
        return [BlameLine(line, known[owner]) for line, owner in zip(split_lines(text), owners, strict=bool(owners))]

    # -- inside -------------------------------------------------------------------------------------------------------

    def _carried(self, path: str, goes_on: GoesOn) -> tuple[str, list[int]] | None:
        """Returns a file's text and the number of the commit that wrote each line, both as of the last commit taken in:
        another may be made meanwhile."""
        row = self._database.execute("SELECT n, owners FROM blame WHERE path = ?", (path,)).fetchone()
        last, owners = (row[0], list(array("I", row[1]))) if row else (0, [])
        text = self._text(path, last) if row else ""
        steps = self._database.execute("SELECT n, blob FROM touched WHERE path = ? AND n > ? ORDER BY n", (path, last))
        for number, blob in steps.fetchall():
            after = self._repository.text(blob) if blob else ""
            lines = split_lines(after)
            owners = carry_blame(text, owners, after, number) if last else [number] * len(lines)
            self._name_writers(path, number, lines, owners)
            last, text = number, after
            if number % _KEEP_BLAME_EVERY == 0:
                self._keep_blame(path, last, owners)
            if not goes_on():
                self._database.commit()
                return None
        if not row or last != row[0]:
            self._keep_blame(path, last, owners)
        return text, owners

    def _name_writers(self, path: str, number: int, lines: Sequence[str], owners: list[int]) -> None:
        """Notes the lines that a commit wrote; gives those that it only brought back to whoever wrote them last."""
        fresh = [row for row, owner in enumerate(owners) if owner == number]
        (message,) = self._database.execute("SELECT message FROM commits WHERE n = ?", (number,)).fetchone()
        if not brings_back(message):
            rows = [(path, lines[row], number) for row in fresh]
            self._database.executemany("INSERT OR IGNORE INTO written VALUES (?, ?, ?)", rows)
            return
        for row in fresh:
            asked = (path, lines[row], number)
            found = self._database.execute("SELECT max(n) FROM written WHERE path = ? AND line = ? AND n < ?", asked)
            owners[row] = found.fetchone()[0] or number

    def _keep_blame(self, path: str, number: int, owners: list[int]) -> None:
        with self._database:
            values = (path, number, array("I", owners).tobytes())
            self._database.execute("INSERT OR REPLACE INTO blame VALUES (?, ?, ?)", values)

    def _text(self, path: str, number: int) -> str:
        row = self._database.execute("SELECT blob FROM touched WHERE path = ? AND n = ?", (path, number)).fetchone()
        return self._repository.text(row[0]) if row and row[0] else ""

    def _take_in(self, info: CommitInfo) -> None:
        values = (info.id, info.parent, info.author, info.timestamp, info.seconds, info.message)
        cursor = self._database.execute(
            "INSERT INTO commits(id, parent, author, stamp, seconds, message) VALUES (?, ?, ?, ?, ?, ?)", values
        )
        entries = self._repository.entries(info.id)
        rows = [(path, cursor.lastrowid, entries.get(path, "")) for path in info.files]
        self._database.executemany("INSERT INTO touched VALUES (?, ?, ?)", rows)

    def _info(self, row: tuple[int, str, str, str, str, int, str]) -> CommitInfo:
        number, identity, parent, author, stamp, seconds, message = row
        files = self._database.execute("SELECT path FROM touched WHERE n = ? ORDER BY path", (number,)).fetchall()
        paths = tuple(name for (name,) in files)
        return CommitInfo(
            sha=identity[:SHORT],
            message=message,
            timestamp=stamp,
            author=author,
            id=identity,
            parent=parent,
            files=paths,
            seconds=seconds,
        )

    def _newest(self) -> str:
        row = self._database.execute("SELECT id FROM commits ORDER BY n DESC LIMIT 1").fetchone()
        return str(row[0]) if row else ""

    def _number(self, commit_id: str) -> int:
        row = self._database.execute("SELECT n FROM commits WHERE id = ?", (commit_id,)).fetchone()
        return int(row[0]) if row else 0

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connected()
        except sqlite3.DatabaseError:
            # Damaged, or of another format: it can be made again.
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._file, check_same_thread=False)
        try:
            database.execute("PRAGMA synchronous = OFF")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _FORMAT):
                raise sqlite3.DatabaseError("another format")
            if version == 0:
                database.executescript(
                    _TABLES + f"CREATE INDEX touched_n ON touched(n); PRAGMA user_version = {_FORMAT};"
                )
            database.execute("SELECT count(*) FROM touched").fetchone()
        except sqlite3.DatabaseError:
            database.close()
            raise
        return database

    def _clear(self) -> None:
        with self._database:
            for table in ("commits", "touched", "blame", "written"):
                self._database.execute(f"DELETE FROM {table}")
