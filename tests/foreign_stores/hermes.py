"""Makes homes of Hermes Agent: `state.db` as its schema 30 has it, memory files, changes that wait."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

SESSIONS: Final = """CREATE TABLE sessions (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, session_key TEXT, display_name TEXT, model TEXT,
    model_config TEXT, system_prompt TEXT, system_prompt_hash TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
    ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, cwd TEXT, estimated_cost_usd REAL, title TEXT,
    last_activity_at REAL, profile_name TEXT, archived INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0)"""
MESSAGES: Final = """CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
    content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,
    finish_reason TEXT, reasoning TEXT, observed INTEGER DEFAULT 0, _compressed_summary INTEGER NOT NULL DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT, display_kind TEXT,
    display_metadata TEXT)"""
OLD_SESSIONS: Final = """CREATE TABLE sessions (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL,
    end_reason TEXT)"""
OLD_MESSAGES: Final = """CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
    tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL)"""
INDEX: Final = "CREATE INDEX idx_messages_session_id ON messages(session_id, id)"
BEGIN: Final = 1_790_000_000.0
SUMMARY: Final = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below."
SUMMARY_END: Final = "--- END OF CONTEXT SUMMARY — respond to the message below, not the summary above ---"
DIVIDER: Final = "\n§\n"


class HermesHome:
    """A home on the disk, and the connection of the program that writes it. Each message is a second later."""

    def __init__(self, root: Path, *, old: bool = False) -> None:
        self.root = root
        (root / "memories").mkdir(parents=True)
        self.database = root / "state.db"
        self.connection = sqlite3.connect(self.database, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        self.connection.execute("INSERT INTO schema_version VALUES (30)")
        self.connection.execute(OLD_SESSIONS if old else SESSIONS)
        self.connection.execute(OLD_MESSAGES if old else MESSAGES)
        self.connection.execute(INDEX)
        self.now = BEGIN
        self._calls = 0

    def close(self) -> None:
        self.connection.close()

    def memory(self, *entries: str, user: Sequence[str] = ()) -> None:
        (self.root / "memories" / "MEMORY.md").write_text(DIVIDER.join(entries), encoding="utf-8")
        if user:
            (self.root / "memories" / "USER.md").write_text(DIVIDER.join(user), encoding="utf-8")

    def pending(self, name: str, **payload: object) -> None:
        folder = self.root / "pending" / "memory"
        folder.mkdir(parents=True, exist_ok=True)
        record = {"subsystem": "memory", "action": payload.get("action"), "payload": payload}
        (folder / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")

    def session(self, name: str, **columns: object) -> str:
        """Adds a session; `model_config` is an object."""
        if isinstance(columns.get("model_config"), Mapping):
            columns["model_config"] = json.dumps(columns["model_config"])
        self._insert("sessions", {"id": name, "source": "cli", "started_at": self.now, **columns})
        return name

    def end(self, session: str, reason: str) -> None:
        self.connection.execute(
            "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ?", (self.now, reason, session)
        )

    def say(self, session: str, role: str, content: str | None, **columns: object) -> int:
        """Adds a message; returns its number."""
        self.now += 1
        return self._insert(
            "messages", {"session_id": session, "role": role, "content": content, "timestamp": self.now, **columns}
        )

    def talk(self, session: str, *turns: str) -> list[int]:
        """Adds texts of the person and of the assistant by turns."""
        return [self.say(session, "assistant" if number % 2 else "user", turn) for number, turn in enumerate(turns)]

    def call(self, session: str, tool: str, arguments: Mapping[str, Any], result: object, *, name: str = "") -> int:
        """Adds an answer with a call and its result, None for none; returns the number of the answer."""
        self._calls += 1
        name = name or f"call_{self._calls}"
        function = {"name": tool, "arguments": json.dumps(arguments)}
        calls = json.dumps([{"id": name, "type": "function", "function": function}])
        answer = self.say(session, "assistant", "", tool_calls=calls)
        if result is not None:
            text = result if isinstance(result, str) else json.dumps(result)
            self.say(session, "tool", text, tool_call_id=name, tool_name=tool)
        return answer

    def remember(self, session: str, *, result: object = None, **arguments: object) -> int:
        """Adds a call of the tool `memory` that took effect, unless `result` says otherwise."""
        return self.call(session, "memory", arguments, {"success": True, "done": True} if result is None else result)

    def compact(self, session: str, summary: str, tail: Sequence[int] = (), *, is_new: bool = True) -> None:
        """Compacts in place: what was there is put aside, then the summary and the tail once more. Newer versions mark
        the originals of the tail as undone rows are."""
        self.connection.execute(
            "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", (session,)
        )
        if is_new:
            for number in tail:
                self.connection.execute("UPDATE messages SET compacted = 0 WHERE id = ?", (number,))
        if summary:
            self.say(session, "user", f"{SUMMARY}\n{summary}", _compressed_summary=1)
        for number in tail:
            self.copy(number, session)

    def copy(self, number: int, session: str) -> int:
        """Inserts a message once more."""
        columns = "role, content, tool_call_id, tool_calls, tool_name, timestamp"
        done = self.connection.execute(
            f"INSERT INTO messages (session_id, {columns}) SELECT ?, {columns} FROM messages WHERE id = ?",
            (session, number),
        )
        return int(done.lastrowid or 0)

    def undo(self, *numbers: int) -> None:
        for number in numbers:
            self.connection.execute("UPDATE messages SET active = 0 WHERE id = ?", (number,))

    def _insert(self, table: str, columns: Mapping[str, object]) -> int:
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        done = self.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(columns.values()))
        return int(done.lastrowid or 0)
