"""Makes states of OpenClaw: session files with their index, databases from 2026.8.1 on, archives, workspaces."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import zstandard

BEGIN: Final = 1_790_000_000_000
"""In milliseconds."""
SCHEMA: Final = """
PRAGMA user_version = 24;
CREATE TABLE schema_meta(meta_key TEXT PRIMARY KEY, role TEXT, schema_version INTEGER, agent_id TEXT, app_version TEXT);
INSERT INTO schema_meta VALUES ('primary', 'agent', 24, 'main', '2026.9.7');
CREATE TABLE session_nodes(session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL,
    entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL, parent_session_key TEXT, spawned_by TEXT, label TEXT,
    display_name TEXT, archived_at INTEGER) STRICT;
CREATE TABLE session_windows(session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT,
    reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, transcript_updated_at INTEGER,
    ended_at INTEGER, display_name TEXT) STRICT;
CREATE TABLE transcript_events(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
    created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
    PRIMARY KEY (session_id, seq)) STRICT;
CREATE TABLE session_transcript_cold_archives(session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL,
    archive_name TEXT NOT NULL UNIQUE, archive_sha256 TEXT NOT NULL, event_count INTEGER NOT NULL, raw_bytes INTEGER,
    archive_bytes INTEGER, last_seq INTEGER, archived_at INTEGER, storage TEXT NOT NULL, archive_blob BLOB) STRICT;
CREATE TABLE session_transcript_archives(session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL,
    reason TEXT NOT NULL, encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, archive_sha256 TEXT NOT NULL,
    archive_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, published_at INTEGER,
    PRIMARY KEY (session_id, generation)) STRICT;
"""


def packed(data: bytes) -> bytes:
    """Compresses as OpenClaw does."""
    return zstandard.ZstdCompressor(level=1, write_checksum=True).compress(data)


class Transcript:
    """The records of a session, each a second after the one before. A method returns the id of the record it adds."""

    def __init__(self, session: str = "s1", *, version: int = 3, cwd: str = "/home/user/.openclaw/workspace") -> None:
        self.session = session
        self.records: list[dict[str, Any]] = [
            {"type": "session", "version": version, "id": session, "timestamp": self._iso(0), "cwd": cwd}
        ]
        self.leaf: str | None = None

    @property
    def lines(self) -> list[str]:
        return [json.dumps(record, ensure_ascii=False) for record in self.records]

    def add(self, kind: str, *, record_id: str = "", parent: object = ..., **fields: object) -> str:
        """Adds a record below the last one, or below `parent`."""
        number = len(self.records)
        name = record_id or f"{number:08x}"
        record = {"type": kind, "id": name, "parentId": self.leaf if parent is ... else parent, **fields}
        self.records.append({**record, "timestamp": self._iso(number)})
        self.leaf = name
        return name

    def message(
        self, role: str, content: object, *, parent: object = ..., record_id: str = "", **fields: object
    ) -> str:
        when = BEGIN + 1000 * len(self.records)
        message = {"role": role, "content": content, "timestamp": when, **fields}
        return self.add("message", message=message, parent=parent, record_id=record_id)

    def user(self, text: str, *, parent: object = ..., record_id: str = "") -> str:
        return self.message("user", [{"type": "text", "text": text}], parent=parent, record_id=record_id)

    def answer(self, text: str, *, parent: object = ...) -> str:
        content = [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": text}]
        return self.message("assistant", content, parent=parent, model="m-1", provider="p", stopReason="stop")

    def talk(self, *turns: str) -> list[str]:
        return [self.answer(turn) if number % 2 else self.user(turn) for number, turn in enumerate(turns)]

    def call(self, tool: str, arguments: object, result: str | None = "done", *, failed: bool = False) -> str:
        """Adds an answer with a call and, unless it is None, its result; returns the id of the answer."""
        call = f"call_{len(self.records)}"
        block = {"type": "toolCall", "id": call, "name": tool, "arguments": arguments}
        name = self.message("assistant", [block], model="m-1", stopReason="toolUse")
        if result is not None:
            content = [{"type": "text", "text": result}]
            self.message("toolResult", content, toolCallId=call, toolName=tool, isError=failed)
        return name

    def compact(self, summary: str, first_kept: str) -> str:
        return self.add("compaction", summary=summary, firstKeptEntryId=first_kept, tokensBefore=1000)

    def _iso(self, number: int) -> str:
        when = datetime.fromtimestamp(BEGIN / 1000 + number, UTC)
        return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class OpenClawState:
    """A state folder on the disk."""

    def __init__(self, root: Path, agent: str = "main") -> None:
        self.root = root
        self.agent = root / "agents" / agent
        self.sessions = self.agent / "sessions"
        self.workspace = root / "workspace"
        self.sessions.mkdir(parents=True)
        self.workspace.mkdir(exist_ok=True)

    def file(self, transcript: Transcript, name: str = "") -> Path:
        """Writes a transcript to a file, compressed where the name says so."""
        path = self.sessions / (name or f"{transcript.session}.jsonl")
        data = "".join(f"{line}\n" for line in transcript.lines).encode()
        path.write_bytes(packed(data) if path.suffix == ".zst" else data)
        return path

    def index(self, **entries: object) -> None:
        """Writes sessions.json; `__` in a key stands for a colon."""
        keys = {key.replace("__", ":"): entry for key, entry in entries.items()}
        (self.sessions / "sessions.json").write_text(json.dumps(keys), encoding="utf-8")

    def memory(self, name: str, text: str, workspace: str = "workspace") -> Path:
        path = self.root / workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def config(self, value: object) -> None:
        text = value if isinstance(value, str) else json.dumps(value)
        (self.root / "openclaw.json").write_text(text, encoding="utf-8")

    def database(self) -> AgentTables:
        return AgentTables(self.agent)


class AgentTables:
    """One agent's database, in WAL mode, and open."""

    def __init__(self, agent: Path, *, schema: str = SCHEMA) -> None:
        self.agent = agent
        (agent / "agent").mkdir(parents=True, exist_ok=True)
        self.path = agent / "agent" / "openclaw-agent.sqlite"
        self.connection = sqlite3.connect(self.path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection.executescript(schema)

    def close(self) -> None:
        self.connection.close()

    def node(self, key: str, session: str, *, entry: Mapping[str, object] | None = None, **columns: object) -> None:
        self._insert(
            "session_nodes",
            {"session_key": key, "current_session_id": session, "entry_json": json.dumps(entry or {}), "updated_at": 1}
            | columns,
        )

    def window(self, session: str, key: str = "agent:main:main", **columns: object) -> None:
        self._insert(
            "session_windows",
            {"session_id": session, "session_key": key, "created_at": BEGIN, "updated_at": BEGIN + 5000} | columns,
        )

    def snapshot(self, key: str, field: str, value: object) -> None:
        """Writes a note beside the current session of a key, as schema 24 has it."""
        self.connection.execute(
            "CREATE TABLE IF NOT EXISTS session_entry_snapshots(session_key TEXT NOT NULL, field TEXT NOT NULL,"
            " value_json TEXT NOT NULL, PRIMARY KEY (session_key, field))"
        )
        text = value if isinstance(value, str | bytes) else json.dumps(value)
        self._insert("session_entry_snapshots", {"session_key": key, "field": field, "value_json": text})

    def events(self, transcript: Transcript, *, compress: bool = False, order: Sequence[int] | None = None) -> None:
        """Writes the records as rows, in an order of inserting that need not be that of `seq`."""
        lines = transcript.lines
        for seq in order or range(len(lines)):
            data = lines[seq].encode()
            row: dict[str, object] = {"session_id": transcript.session, "seq": seq, "created_at": BEGIN}
            if compress and seq:
                row |= {"event_zstd": packed(data), "event_utf8_bytes": len(data), "navigation_json": "{}"}
            else:
                row["event_json"] = lines[seq]
            self._insert("transcript_events", row)

    def cold(self, transcript: Transcript, *, in_row: bool = False, **columns: object) -> Path:
        """Writes a transcript as a cold archive; returns the path that its file has or would have."""
        wrapped = [{"kind": "header", "version": 1, "sessionId": transcript.session}]
        wrapped += [
            {"kind": "event", "row": {"seq": seq, "event_json": line, "created_at": BEGIN}}
            for seq, line in enumerate(transcript.lines)
        ]
        data = packed("".join(f"{json.dumps(line)}\n" for line in wrapped).encode())
        digest = hashlib.sha256(data).hexdigest()
        path = self.agent / "sessions" / "cold" / f"{digest}.jsonl.zst"
        if not in_row:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        row = {
            "session_id": transcript.session, "generation": "g", "archive_name": path.name, "archive_sha256": digest,
            "event_count": len(wrapped) - 1, "archived_at": BEGIN, "storage": "sqlite" if in_row else "file",
            "archive_blob": data if in_row else None,
        }  # fmt: skip
        self._insert("session_transcript_cold_archives", row | columns)
        return path

    def archive(
        self, transcript: Transcript, *, reason: str = "deleted", encoding: str = "zstd", **columns: object
    ) -> str:
        """Writes a transcript of a session that was deleted or reset; returns the archive's name."""
        data = "".join(f"{line}\n" for line in transcript.lines).encode()
        name = f"{transcript.session}.jsonl.{reason}.2026-09-01T00-00-00.000Z"
        row = {
            "session_id": transcript.session, "generation": "g", "session_key": "agent:main:main", "reason": reason,
            "encoding": encoding, "archive_blob": packed(data) if encoding == "zstd" else data, "archive_sha256": "",
            "archive_name": name, "created_at": BEGIN,
        }  # fmt: skip
        self._insert("session_transcript_archives", row | columns)
        return name

    def _insert(self, table: str, columns: Mapping[str, object]) -> None:
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        self.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(columns.values()))
