"""One agent's database of OpenClaw, from 2026.8.1 on: `agents/<id>/agent/openclaw-agent.sqlite`, read from a copy.

`session_windows` has a row a session, `session_nodes` a row a session key with its names, and `transcript_events` the
records that stood in files before, by `session_id` in the order of `seq`: as `event_json`, or from schema 23 on, where
that saves room, as `event_zstd` (a frame of at most 4 MB, `event_utf8_bytes` when it is taken apart). Sessions that
nobody speaks in any more lie in `session_transcript_cold_archives` from schema 20 on: in a file of `sessions/cold/` or
in the row (`storage` is `file` or `sqlite`), compressed lines of `{"kind": "header"}` and then `{"kind": "event",
"row": {seq, event_json, created_at}}`. Those that were deleted or reset lie in `session_transcript_archives` as JSON
lines, with an `encoding` of `zstd` or `identity`.

From schema 24 on `session_entry_snapshots` holds, by session key and `field`, larger notes as `value_json`: what the
system prompt was made of (`systemPromptReport`), which skills there were. They stand behind the records of the session
that is the key's current one, as records of the type `session_entry_snapshot`, and are no messages.

A database of 2026.6.5 to 2026.7.1 has none of these tables: its sessions are files.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from mnemoscope.domain.errors import StorageError, reason_of
from mnemoscope.store.files.atomic import open_to_read
from mnemoscope.store.files.json_record import RecordDamaged, decode_object
from mnemoscope.store.foreign.agents.openclaw_transcript import SNAPSHOT, PiLine, pi_line
from mnemoscope.store.foreign.reading.json_lines import JsonLines
from mnemoscope.store.foreign.reading.record_values import json_value, text_in
from mnemoscope.store.foreign.reading.sqlite_copy import SQLITE_ERRORS, columns_of
from mnemoscope.store.foreign.reading.zstd_bounded import CompressionDamaged, decompress, decompressed

_EVENTS: Final = "transcript_events"
TABLES: Final = (
    _EVENTS,
    "session_windows",
    "session_nodes",
    "session_transcript_cold_archives",
    "session_transcript_archives",
)
_SNAPSHOTS: Final = "session_entry_snapshots"
NEWEST_SCHEMA: Final = 25
_LARGEST_EVENT: Final = 8 << 20
_LARGEST_TRANSCRIPT: Final = 512 << 20
"""In bytes. What is compressed and grows beyond is damage."""
_HEAD_EVENTS: Final = 16


@dataclass(frozen=True, slots=True)
class DatabaseSession:
    """Describes a session as the tables tell it. `kind` is where its records stand: "events", "cold" or "archive";
    `number` is the row of an archive there."""

    id: str
    kind: str
    key: str = ""
    title: str = ""
    created_at: object = None
    updated_at: object = None
    is_put_away: bool = False
    spawned_by: str = ""
    number: int = 0
    archive: str = ""


class AgentDatabase:
    """Reads the sessions of one agent, from an open copy. Every method raises sqlite3.Error where a table cannot be
    read."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._columns = {table: columns_of(connection, table) for table in TABLES}

    @property
    def has_sessions(self) -> bool:
        """Tells whether the tables of sessions are there."""
        return {"session_id", "seq"} <= set(self._columns[_EVENTS])

    def schema(self) -> int:
        """Returns the version of its schema, 0 where it tells none."""
        versions = [self._connection.execute("PRAGMA user_version").fetchone()[0]]
        if "schema_version" in columns_of(self._connection, "schema_meta"):
            versions += [row[0] for row in self._connection.execute("SELECT schema_version FROM schema_meta")]
        return max((version for version in versions if isinstance(version, int)), default=0)

    def sessions(self) -> list[DatabaseSession]:
        """Returns all sessions, those that were archived behind the others."""
        nodes = {row["session_key"]: row for row in self._rows("session_nodes", *_NODE)}
        windows = {text_in(row["session_id"]): row for row in self._rows("session_windows", *_WINDOW)}
        cold = {text_in(row["session_id"]): row for row in self._rows("session_transcript_cold_archives", *_COLD)}
        ids = [text_in(row[0]) for row in self._connection.execute(f"SELECT DISTINCT session_id FROM {_EVENTS}")]
        names = dict.fromkeys([*ids, *windows, *cold])
        with_events = set(ids)
        found = [
            _session(name, windows.get(name), nodes, cold.get(name) if name not in with_events else None)
            for name in names
        ]
        for row in self._rows("session_transcript_archives", *_ARCHIVE):
            name, archive = text_in(row["session_id"]), text_in(row["archive_name"])
            key = text_in(row["session_key"])
            found.append(
                DatabaseSession(
                    archive or f"{name}.{row['number']}",
                    "archive",
                    key,
                    _title(None, nodes.get(key)),
                    updated_at=row["created_at"],
                    is_put_away=True,
                    number=row["number"],
                    archive=archive,
                )
            )
        return found

    def head(self, session: str) -> list[bytes]:
        """Returns the first records of a session whose records stand in the database, as far as they can be read."""
        return list(EventRows(self._connection, session).first(_HEAD_EVENTS))

    def _rows(self, table: str, *columns: str) -> Iterator[sqlite3.Row]:
        """Yields the rows of a table with `number`, the row's own; NULL for columns that are missing."""
        there = self._columns[table]
        if columns[0] in there:
            chosen = ", ".join(f'"{name}"' if name in there else f"NULL AS {name}" for name in columns)
            yield from self._connection.execute(f"SELECT rowid AS number, {chosen} FROM {table}")


_NODE: Final = ("session_key", "entry_json", "label", "display_name", "archived_at", "spawned_by", "parent_session_key")
_WINDOW: Final = ("session_id", "session_key", "display_name", "created_at", "updated_at", "transcript_updated_at")
_COLD: Final = ("session_id", "archive_name", "archive_sha256", "storage", "archived_at")
_ARCHIVE: Final = ("session_id", "session_key", "archive_name", "created_at")


def _session(
    name: str, window: sqlite3.Row | None, nodes: Mapping[Any, sqlite3.Row], cold: sqlite3.Row | None
) -> DatabaseSession:
    key = text_in(window["session_key"]) if window is not None else ""
    node = nodes.get(key)
    updated = window["transcript_updated_at"] or window["updated_at"] if window is not None else None
    return DatabaseSession(
        id=name,
        kind="events" if cold is None else "cold",
        key=key,
        title=_title(window, node),
        created_at=window["created_at"] if window is not None else None,
        updated_at=updated or (cold["archived_at"] if cold is not None else None),
        is_put_away=node is not None and node["archived_at"] is not None,
        spawned_by=text_in(node["spawned_by"]) if node is not None else "",
        number=cold["number"] if cold is not None else 0,
        archive=text_in(cold["archive_name"]) if cold is not None else "",
    )


def _title(window: sqlite3.Row | None, node: sqlite3.Row | None) -> str:
    if window is not None and text_in(window["display_name"]).strip():
        return text_in(window["display_name"]).strip()
    if node is None:
        return ""
    entry = json_value(text_in(node["entry_json"]))
    details = entry if isinstance(entry, dict) else {}
    names = (
        node["label"],
        node["display_name"],
        details.get("label"),
        details.get("displayName"),
        details.get("subject"),
    )
    return next((name.strip() for name in names if isinstance(name, str) and name.strip()), "")


class EventRows:
    """Reads the records of one session in the table of events."""

    def __init__(self, connection: sqlite3.Connection, session: str) -> None:
        """The connection is closed with this."""
        self.damage: list[str] = []
        self.unfinished = 0
        self._connection = connection
        self._session = session
        self._numbers = array("q")
        self._snapshots: list[tuple[str, str]] = []
        """The session keys and fields of what stands behind the records."""
        there = columns_of(connection, _EVENTS)
        columns = ("event_json", "event_zstd", "event_utf8_bytes")
        self._columns = ", ".join(name if name in there else f"NULL AS {name}" for name in columns)

    def read(self) -> Iterator[tuple[int, PiLine | None]]:
        """Yields the records in the order of `seq`."""
        for place, row in enumerate(self._select("ORDER BY seq")):
            self._numbers.append(row["number"])
            try:
                yield place, pi_line(_payload(row))
            except RecordDamaged as damage:
                self.damage.append(f"Event {row['seq']} {damage}.")
                yield place, None
        self._snapshots = self._find_snapshots()
        for place in range(len(self._numbers), len(self._numbers) + len(self._snapshots)):
            yield place, PiLine(type=SNAPSHOT)

    def first(self, count: int) -> Iterator[bytes]:
        """Yields the first records that can be read."""
        yield from self._some(f"ORDER BY seq LIMIT {count}")

    def last(self, count: int) -> list[bytes]:
        """Returns the last records that can be read, oldest first."""
        return list(self._some(f"ORDER BY seq DESC LIMIT {count}"))[::-1]

    def line(self, place: int) -> bytes:
        """Returns one record."""
        if place >= len(self._numbers):
            return self._snapshot(*self._snapshots[place - len(self._numbers)])
        number = self._numbers[place]
        row = None
        with suppress(*SQLITE_ERRORS):
            row = self._connection.execute(
                f"SELECT {self._columns} FROM {_EVENTS} WHERE rowid = ?", (number,)
            ).fetchone()
        if row is None:
            raise RecordDamaged("cannot be read any more")
        return _payload(row)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _find_snapshots(self) -> list[tuple[str, str]]:
        """Returns the keys and fields of the notes on this session."""
        try:
            if not {"session_key", "field", "value_json"} <= set(columns_of(self._connection, _SNAPSHOTS)):
                return []
            found = self._connection.execute(
                f"SELECT session_key, field FROM {_SNAPSHOTS} JOIN session_nodes USING (session_key)"
                " WHERE current_session_id = ? ORDER BY session_key, field",
                (self._session,),
            )
            return [(text_in(row[0]), text_in(row[1])) for row in found]
        except SQLITE_ERRORS:
            self.damage.append("Not all rows of this conversation can be read.")
            return []

    def _snapshot(self, key: str, field: str) -> bytes:
        """Returns one note as a record. Raises RecordDamaged."""
        row = None
        with suppress(*SQLITE_ERRORS):
            row = self._connection.execute(
                f"SELECT value_json FROM {_SNAPSHOTS} WHERE session_key = ? AND field = ?", (key, field)
            ).fetchone()
        if row is None or not isinstance(row[0], str):
            raise RecordDamaged("cannot be read any more")
        return f'{{"type":"{SNAPSHOT}","field":{json.dumps(field)},"value":{row[0]}}}'.encode("utf-8", "replace")

    def _select(self, order: str) -> Iterator[sqlite3.Row]:
        try:
            yield from self._connection.execute(
                f"SELECT rowid AS number, seq, {self._columns} FROM {_EVENTS} WHERE session_id = ? {order}",
                (self._session,),
            )
        except SQLITE_ERRORS:
            self.damage.append("Not all rows of this conversation can be read.")

    def _some(self, order: str) -> Iterator[bytes]:
        for row in self._select(order):
            with suppress(RecordDamaged):
                yield _payload(row)


def _payload(row: sqlite3.Row) -> bytes:
    """Returns the record in a row. Raises RecordDamaged."""
    plain, packed, length = row["event_json"], row["event_zstd"], row["event_utf8_bytes"]
    if isinstance(plain, str):
        return plain.encode("utf-8")
    if not isinstance(packed, bytes):
        raise RecordDamaged("is empty")
    try:
        payload = decompressed(packed, _LARGEST_EVENT)
    except CompressionDamaged as damage:
        raise RecordDamaged(str(damage)) from damage
    if isinstance(length, int) and length != len(payload):
        raise RecordDamaged("is not as long as it should be")
    return payload


class FileRecords(JsonLines[PiLine]):
    """Reads the records in a file of JSON lines. One that is private is removed when it is closed."""

    def __init__(self, path: Path, *, is_private: bool = False) -> None:
        super().__init__(path, pi_line)
        self._is_private = is_private

    def close(self) -> None:
        """Removes a private file."""
        if self._is_private:
            with suppress(OSError):
                self.path.unlink()


def archive_records(opened: Callable[[], BinaryIO], target: Path, *, is_compressed: bool = True) -> FileRecords:
    """Writes the records of an archive to a private file, whatever form they have there. Damage at its end is told, and
    what was good until then is shown. Raises StorageError."""
    faults: list[str] = []
    try:
        with opened() as source, open(target, "xb", opener=_for_one) as plain:
            try:
                if is_compressed:
                    decompress(source, plain, _LARGEST_TRANSCRIPT)
                else:
                    _copy(source, plain)
            except CompressionDamaged as damage:
                faults.append(f"The archive {damage}.")
        _unwrap(target)
    except OSError as error:
        raise StorageError(f"The archive cannot be read: {reason_of(error)}", next_step="") from error
    records = FileRecords(target, is_private=True)
    records.damage += faults
    return records


def cold_source(
    connection: sqlite3.Connection, session: DatabaseSession, folder: Path, is_within: Callable[[Path], bool]
) -> tuple[BinaryIO, bool, str]:
    """Returns what an archive's records are read from, whether they are compressed, and a sentence where they are not
    what the database says. Raises StorageError."""
    try:
        if session.kind == "archive":
            row = _archive_row(connection, "session_transcript_archives", session.number)
            data = _bytes(row["blob"])
            return io.BytesIO(data), row["encoding"] != "identity" and not _is_text(data), ""
        row = _archive_row(connection, "session_transcript_cold_archives", session.number)
    except (*SQLITE_ERRORS, TypeError) as error:
        raise StorageError(f"The archive cannot be read: {reason_of(error)}", next_step="") from error
    stated = text_in(row["sha256"]).lower()
    if row["storage"] == "sqlite" or (row["storage"] is None and row["blob"]):
        data = _bytes(row["blob"])
    else:
        data = _archive_file(folder / os.path.basename(text_in(row["name"]) or f"{stated}.jsonl.zst"), is_within)
    differs = bool(stated) and stated not in _digests(data)
    fault = "The archive is not the one that the database names." if differs else ""
    return io.BytesIO(data), not _is_text(data), fault


def _is_text(data: bytes) -> bool:
    """Tells whether an archive begins as a line of JSON does, and so was never compressed."""
    return data.startswith(b"{")


def _archive_row(connection: sqlite3.Connection, table: str, number: int) -> Mapping[str, Any]:
    """Returns what a row says of an archive: name, sha256, storage, blob, encoding, None for what it does not say.
    Columns are known with the word `archive` before them and without it. Raises sqlite3.Error, TypeError for no row."""
    there = columns_of(connection, table)
    named = {
        name: next((each for each in (f"archive_{name}", name) if each in there), None)
        for name in ("name", "sha256", "storage", "blob", "encoding")
    }
    chosen = ", ".join(f'"{column}"' if column else "NULL" for column in named.values())
    row = connection.execute(f"SELECT {chosen} FROM {table} WHERE rowid = ?", (number,)).fetchone()
    return dict(zip(named, row, strict=True))


def _digests(data: bytes) -> Iterator[str]:
    """Yields the digests that may be meant: of the archive as it lies there, and of what is in it."""
    yield hashlib.sha256(data).hexdigest()
    inside = _Digest()
    with suppress(CompressionDamaged):
        decompress(io.BytesIO(data), cast("BinaryIO", inside), _LARGEST_TRANSCRIPT)
        yield inside.hexdigest()


class _Digest:
    """Takes bytes, and keeps their digest alone."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> int:
        """Takes some of them."""
        self._hash.update(data)
        return len(data)

    def hexdigest(self) -> str:
        """Returns the digest of all that were taken."""
        return self._hash.hexdigest()


def _archive_file(path: Path, is_within: Callable[[Path], bool]) -> bytes:
    try:
        if not is_within(path):
            raise StorageError(f"{path.name} is a link out of the store and was not followed.", next_step="")
        with open_to_read(path) as file:
            return file.read(_LARGEST_TRANSCRIPT)
    except (OSError, ValueError) as error:
        raise StorageError(f"The archive cannot be read: {reason_of(error)}", next_step="") from error


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value or "").encode("utf-8", "replace")


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    while chunk := source.read(1 << 20):
        target.write(chunk)


def _for_one(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _unwrap(path: Path) -> None:
    """Takes the records out of the lines of a cold archive; other lines stay as they are."""
    wrapped = path.with_name(f"{path.name}.packed")
    os.replace(path, wrapped)
    with open_to_read(wrapped) as source, open(path, "xb", opener=_for_one) as target:
        target.writelines(_unwrapped(line) for line in source)
    wrapped.unlink()


def _unwrapped(line: bytes) -> bytes:
    if b'"kind"' not in line:
        return line
    try:
        record = decode_object(line.rstrip(b"\n"))
    except RecordDamaged:
        return line
    row = record.get("row")
    if record.get("kind") == "event" and isinstance(row, dict) and isinstance(row.get("event_json"), str):
        return b" ".join(row["event_json"].encode("utf-8", "replace").splitlines()) + b"\n"
    return b"" if record.get("kind") == "header" and "type" not in record else line
