"""Looks for a word in everything that lies in a folder, in every form in which a program may keep it."""

from __future__ import annotations

import base64
import binascii
import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from dulwich.repo import Repo

_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_SQLITE = b"SQLite format 3\0"


def traces_of(word: str, folder: Path) -> list[str]:
    """Returns the files that hold the word: by name, plain, as UTF-16, hex or base64, compressed, compressed and in
    base64 line by line, in a git object or in a database, as text or as a term of its index. Relative to the folder,
    sorted.
    """
    forms = _forms(word)
    found = set[str]()
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        texts = _contents(path, word) if path.is_file() and not path.is_symlink() else iter(())
        if word.lower() in name.lower() or any(form in text.lower() for text in texts for form in forms):
            found.add(name)
    return sorted(found)


def _forms(word: str) -> list[bytes]:
    plain = word.encode()
    wide = [word.encode(encoding) for encoding in ("utf-16-le", "utf-16-be")]
    # A piece of base64 depends on what stands before it: its middle is the same for one of three beginnings.
    encoded = [base64.b64encode(b" " * before + each)[4:-4] for each in (plain, *wide) for before in range(3)]
    urlsafe = [each.replace(b"+", b"-").replace(b"/", b"_") for each in encoded]
    digits = [each.hex().encode() for each in (plain, *wide)]
    return [each.lower() for each in (plain, *wide, *encoded, *urlsafe, *digits)]


def _contents(path: Path, word: str) -> Iterator[bytes]:
    data = path.read_bytes()
    yield data
    for place in _ZLIB.finditer(data):
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[place.start() :])
    for line in data.splitlines():
        with suppress(binascii.Error, zlib.error):
            yield zlib.decompress(base64.b64decode(line, validate=True))
    if data.startswith(_SQLITE):
        yield from _rows(path, word)
    if path.name == "HEAD" and (path.parent / "objects").is_dir():
        yield from _objects(path.parent)


def _objects(folder: Path) -> Iterator[bytes]:
    with closing(Repo(str(folder))) as repository:
        for name in repository.object_store:
            yield repository.object_store[name].as_raw_string()


def _rows(path: Path, word: str) -> Iterator[bytes]:
    """Yields every value of a database, and the terms of its text indexes, which are in no table as they are."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        database.text_factory = bytes
        tables = [(name.decode(), (sql or b"").decode()) for name, sql in database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
        )]  # fmt: skip
        for table, sql in tables:
            with suppress(sqlite3.OperationalError):
                for row in database.execute(f'SELECT * FROM "{table}"'):
                    yield b"\n".join(value for value in row if isinstance(value, bytes))
            if "USING fts5" in sql:
                yield word.encode() if _is_indexed(database, table, word) else b""


def _is_indexed(database: sqlite3.Connection, table: str, word: str) -> bool:
    query = f'SELECT count(*) FROM "{table}" WHERE "{table}" MATCH ?'
    try:
        (hits,) = database.execute(query, (word,)).fetchone()
    except sqlite3.OperationalError:
        # An index of three letters each that keeps no order: all of them stand in one row.
        parts = [word[place : place + 3] for place in range(len(word) - 2)]
        (hits,) = database.execute(query, (" AND ".join(parts),)).fetchone()
    return bool(hits)
