"""A foreign database is read from a private copy: of one moment, in nobody's way, and gone afterwards."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.foreign.reading import sqlite_copy
from mnemoscope.store.foreign.reading.sqlite_copy import SqliteCopies, columns_of, remove_leftovers


class Seconds:
    """A clock that stands still, and a pause that only notes."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def copies(tmp_path: Path, seconds: Seconds) -> Iterator[SqliteCopies]:
    one = SqliteCopies(tmp_path / "private", clock=seconds, pause=seconds.pauses.append)
    yield one
    one.close()


def database(folder: Path, rows: int = 3, *, wal: bool = False) -> tuple[Path, sqlite3.Connection]:
    """Makes a database with a table `t`, and leaves it open."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "state.db"
    writer = sqlite3.connect(path, isolation_level=None)
    if wal:
        writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE t(n INTEGER PRIMARY KEY, words TEXT)")
    writer.execute("BEGIN")
    writer.executemany("INSERT INTO t(words) VALUES (?)", [(f"row {n} " + "x" * 200,) for n in range(rows)])
    writer.execute("COMMIT")
    return path, writer


def count(copies: SqliteCopies, path: Path) -> int:
    with closing(copies.copy_of(path, ("t",)).connect()) as connection:
        return int(connection.execute("SELECT count(*) FROM t").fetchone()[0])


def state_of(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        path.relative_to(folder).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_rows_that_stand_in_the_wal_alone_are_read(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", wal=True)
    with closing(writer):
        assert path.stat().st_size < (path.parent / "state.db-wal").stat().st_size
        assert count(copies, path) == 3


def test_nothing_beside_a_database_changes_and_no_shm_is_left(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", wal=True)
    shutil.copytree(path.parent, tmp_path / "left behind", ignore=shutil.ignore_patterns("*-shm"))
    writer.close()
    before = state_of(tmp_path / "left behind")
    assert set(before) == {"state.db", "state.db-wal"}
    assert count(copies, tmp_path / "left behind" / "state.db") == 3
    assert state_of(tmp_path / "left behind") == before


def test_a_database_that_another_one_holds_locked_is_read(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store")
    with closing(writer):
        writer.execute("BEGIN EXCLUSIVE")
        assert count(copies, path) == 3


def test_a_transaction_that_was_cut_off_is_rolled_back_in_the_copy(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", rows=400)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("PRAGMA cache_spill = 1")
    writer.execute("BEGIN")
    writer.execute("UPDATE t SET words = 'gone'")
    (tmp_path / "cut").mkdir()
    for name in ("state.db", "state.db-journal"):
        shutil.copy(path.parent / name, tmp_path / "cut" / name)
    writer.close()
    with closing(copies.copy_of(tmp_path / "cut" / "state.db", ("t",)).connect()) as connection:
        rows = [row["words"] for row in connection.execute("SELECT words FROM t")]
    assert len(rows) == 400
    assert "gone" not in rows


def test_it_is_copied_at_most_every_ten_seconds_and_only_where_it_changed(
    tmp_path: Path, copies: SqliteCopies, seconds: Seconds
) -> None:
    path, writer = database(tmp_path / "store")
    with closing(writer):
        first = copies.copy_of(path)
        writer.execute("INSERT INTO t(words) VALUES ('new')")
        seconds.now = 9.9
        assert copies.copy_of(path) == first
        seconds.now = 10.0
        second = copies.copy_of(path)
        assert second != first
        assert not first.path.exists()
        assert count(copies, path) == 4
        seconds.now = 20.0
        assert copies.copy_of(path) == second
        seconds.now = 29.9
        assert copies.copy_of(path) == second


def test_what_was_opened_of_an_older_copy_can_be_read_on(
    tmp_path: Path, copies: SqliteCopies, seconds: Seconds
) -> None:
    path, writer = database(tmp_path / "store")
    with closing(writer), closing(copies.copy_of(path).connect()) as older:
        writer.execute("INSERT INTO t(words) VALUES ('new')")
        seconds.now = 10.0
        copies.copy_of(path)
        assert older.execute("SELECT count(*) FROM t").fetchone()[0] == 3


def test_a_copy_made_while_it_was_written_to_does_not_count(
    tmp_path: Path, copies: SqliteCopies, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, writer = database(tmp_path / "store")
    written: list[str] = []

    def copy_and_write(source: Path, target: Path, real: object = sqlite_copy._copy_bytes) -> None:
        assert callable(real)
        real(source, target)
        if source == path and len(written) < restless:
            written.append("again")
            os.utime(path, ns=(1, len(written)))

    # It is copied by the system itself, past the file calls.
    monkeypatch.setattr(sqlite_copy, "_copy_bytes", copy_and_write)
    with closing(writer):
        restless = 2
        assert count(copies, path) == 3
        assert len(seconds.pauses) == 2
        assert len(list((tmp_path / "private").glob("mnemoscope-stores-*/*"))) == 1
        seconds.now, restless = 10.0, 1000
        os.utime(path, ns=(1, 999))
        assert count(copies, path) == 3, "the copy of before is better than none"


def test_a_database_that_never_rests_is_said_to_do_so(
    tmp_path: Path, copies: SqliteCopies, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, writer = database(tmp_path / "store")
    times = iter(range(10**6))
    monkeypatch.setattr(sqlite_copy, "_times_of", lambda path: ((10**6, next(times)), None, None))
    with closing(writer), pytest.raises(StorageError, match="is being written to all the time"):
        copies.copy_of(path)


def test_a_wal_that_went_while_it_was_copied_is_left_out(tmp_path: Path) -> None:
    sqlite_copy._copy_bytes(tmp_path / "gone", tmp_path / "target")
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "state.db is empty."),
        (b"PK\x03\x04 not one", "state.db is no SQLite database."),
        (None, "state.db cannot be read: "),
    ],
)
def test_what_is_no_database_is_said_in_a_sentence(
    tmp_path: Path, copies: SqliteCopies, content: bytes | None, sentence: str
) -> None:
    path = tmp_path / "state.db"
    if content is not None:
        path.write_bytes(content)
    for _ in range(2):
        with pytest.raises(StorageError) as refused:
            copies.copy_of(path)
        assert refused.value.sentence.startswith(sentence)
    assert not list((tmp_path / "private").glob("*/*")) if content is None else True


def test_a_folder_in_its_place_is_no_database(tmp_path: Path, copies: SqliteCopies) -> None:
    (tmp_path / "state.db").mkdir()
    with pytest.raises(StorageError, match="is no file"):
        copies.copy_of(tmp_path / "state.db")


def test_a_database_cut_off_in_the_middle_is_damaged_and_what_can_be_read_is(
    tmp_path: Path, copies: SqliteCopies
) -> None:
    path, writer = database(tmp_path / "store", rows=2000)
    writer.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    copy = copies.copy_of(path, ("t",))
    assert copy.damage == "state.db is cut off: its end is missing. What can be read of it is shown."
    rows: list[int] = []
    with closing(copy.connect()) as connection:
        reading = connection.execute("SELECT n FROM t")
        with pytest.raises(sqlite3.DatabaseError):
            rows.extend(row["n"] for row in reading)
    assert len(rows) > 500


@pytest.mark.parametrize("missing", [1, 700, 4095, 4096])
@pytest.mark.parametrize("wal", [False, True])
def test_a_database_that_is_short_by_a_few_bytes_is_cut_off(
    tmp_path: Path, copies: SqliteCopies, missing: int, *, wal: bool
) -> None:
    path, writer = database(tmp_path / "store", rows=10, wal=wal)
    writer.execute("CREATE TABLE last(a)")
    writer.close()
    path.write_bytes(path.read_bytes()[:-missing])
    if wal:
        path.with_name("state.db-wal").write_bytes(b"")
    copy = copies.copy_of(path, ("t",))
    assert copy.damage == "state.db is cut off: its end is missing. What can be read of it is shown."
    with closing(copy.connect()) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone()[0] == 10


def test_a_length_in_the_header_that_an_old_sqlite_did_not_keep_is_not_believed(
    tmp_path: Path, copies: SqliteCopies
) -> None:
    path, writer = database(tmp_path / "store")
    writer.close()
    data = bytearray(path.read_bytes())
    data[28:32] = (1000).to_bytes(4, "big")
    data[92:96] = b"\0\0\0\0"
    path.write_bytes(data)
    assert copies.copy_of(path, ("t",)).damage == ""
    assert count(copies, path) == 3


def test_a_page_that_holds_something_else_is_damage(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", rows=2000)
    writer.close()
    data = bytearray(path.read_bytes())
    data[4096 * 9 : 4096 * 10] = b"\xff" * 4096
    path.write_bytes(data)
    assert "damaged" in copies.copy_of(path, ("t",)).damage


def test_a_row_that_points_beyond_its_page_is_damage(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", rows=2000)
    writer.close()
    data = bytearray(path.read_bytes())
    data[4096 * 9 + 8 : 4096 * 9 + 10] = b"\x0f\xfe"
    path.write_bytes(data)
    assert "damaged" in copies.copy_of(path, ("t",)).damage


def test_an_empty_database_with_a_wal_of_another_is_read_as_empty(tmp_path: Path, copies: SqliteCopies) -> None:
    (tmp_path / "state.db").write_bytes(b"")
    (tmp_path / "state.db-wal").write_bytes(b"of another one" * 100)
    with closing(copies.copy_of(tmp_path / "state.db", ("t",)).connect()) as connection:
        assert columns_of(connection, "t") == ()


def test_a_header_alone_is_damage(tmp_path: Path, copies: SqliteCopies) -> None:
    (tmp_path / "state.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 200)
    assert copies.copy_of(tmp_path / "state.db").damage != ""


def test_an_error_whose_words_are_no_text_is_damage(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store")
    writer.close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE t", b"CREATE TABL\xff t"))
    assert "damaged" in copies.copy_of(path, ("t",)).damage


def test_damage_in_a_table_that_is_not_read_does_no_harm(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", rows=2000)
    writer.execute("CREATE TABLE needed(a)")
    writer.execute("INSERT INTO needed VALUES (1)")
    writer.close()
    data = bytearray(path.read_bytes())
    data[4096 * 9 : 4096 * 10] = b"\xff" * 4096
    path.write_bytes(data)
    assert copies.copy_of(path, ("needed", "none")).damage == ""


def test_a_view_and_a_virtual_table_are_no_table(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store")
    writer.execute(
        "CREATE VIEW endless AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
    )
    writer.execute("CREATE VIRTUAL TABLE words USING fts5(a)")
    writer.close()
    with closing(copies.copy_of(path).connect()) as connection:
        assert columns_of(connection, "t") == ("n", "words")
        assert columns_of(connection, "endless") == ()
        assert columns_of(connection, "words") == ()
        assert columns_of(connection, "none") == ()


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", rows=0)
    writer.execute("INSERT INTO t(words) VALUES (CAST(X'61FF62' AS TEXT))")
    writer.close()
    with closing(copies.copy_of(path).connect()) as connection:
        assert connection.execute("SELECT words FROM t").fetchone()["words"] == "a�b"


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights in another way")
def test_copies_are_private(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store", wal=True)
    path.chmod(0o644)
    with closing(writer):
        copy = copies.copy_of(path)
    assert copy.path.stat().st_mode & 0o777 == 0o600
    assert copy.path.parent.stat().st_mode & 0o777 == 0o700


def test_copies_go_when_they_are_closed(tmp_path: Path, copies: SqliteCopies) -> None:
    path, writer = database(tmp_path / "store")
    writer.close()
    copy = copies.copy_of(path)
    copies.new_file().write_bytes(b"{}")
    copies.close()
    assert list((tmp_path / "private").iterdir()) == []
    copies.close()
    with pytest.raises(StorageError, match="The copy of the database cannot be read"):
        copy.connect()


def test_a_place_where_nothing_can_be_written_is_said(tmp_path: Path, seconds: Seconds) -> None:
    (tmp_path / "private").write_text("a file is in the way", encoding="utf-8")
    path, writer = database(tmp_path / "store")
    writer.close()
    with pytest.raises(StorageError, match="A private copy cannot be kept"):
        SqliteCopies(tmp_path / "private", clock=seconds).copy_of(path)


def test_without_a_place_of_its_own_a_copy_lies_with_the_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    path, writer = database(tmp_path / "store")
    writer.close()
    copies = SqliteCopies()
    assert copies.copy_of(path).path.is_relative_to(tmp_path / "temporary")
    copies.close()


def test_only_what_a_process_left_that_is_no_more_is_removed(tmp_path: Path) -> None:
    left, held = tmp_path / "mnemoscope-stores-left", tmp_path / "mnemoscope-stores-held"
    for folder in (left, held, tmp_path / "another's"):
        folder.mkdir()
        (folder / "1.db").write_bytes(b"private")
    (tmp_path / "mnemoscope-stores-link").symlink_to(tmp_path / "another's")
    (tmp_path / "mnemoscope-stores-file").write_bytes(b"")
    with FileLock(f"{held}.lock"):
        remove_leftovers(tmp_path)
        assert not left.exists()
        assert held.exists()
    assert (tmp_path / "another's" / "1.db").exists()
    assert (tmp_path / "mnemoscope-stores-link").is_symlink()


@pytest.mark.slow
def test_what_a_crash_leaves_goes_at_the_next_start(tmp_path: Path) -> None:
    path, writer = database(tmp_path / "store")
    writer.close()
    crash = (
        "import os, pathlib, sys\n"
        "from mnemoscope.store.foreign.reading.sqlite_copy import SqliteCopies\n"
        "SqliteCopies(pathlib.Path(sys.argv[2])).copy_of(pathlib.Path(sys.argv[1]))\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", crash, path, tmp_path / "private"], check=False).returncode == 9
    assert len(list((tmp_path / "private").glob("*/1.db"))) == 1
    SqliteCopies(tmp_path / "private").close()
    assert list((tmp_path / "private").iterdir()) == []
