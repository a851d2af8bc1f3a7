"""Reads the home of Hermes Agent: `$HERMES_HOME`, else `~/.hermes`; each of its profiles is a home of its own.

**Conversations** are rows of `state.db`, a SQLite database in WAL mode. Its columns vary by version, so they are asked
for first, and one that is missing has the value that it began with. `sessions` has a row a session and `messages` a
row a message, in the order of their ids: `role` is user, assistant, tool, system; `content` is a text, or JSON after a
NUL and `json:`; `tool_calls` is JSON; `timestamp` is in seconds.

**A compaction** is made in one of two ways, and both are read as one conversation. By a *child session*, whose parent
ended with `end_reason = 'compression'`: the child goes on where the parent stopped, so the pair is one path. *In
place*: what was summarised gets `active = 0, compacted = 1`, then a row that begins with `[CONTEXT COMPACTION` stands
for it, and what is kept is inserted once more: same role, content, time and fields of tools are one message, at the
place of the first. The originals of what is kept have `active = 0, compacted = 0` in newer versions, as rows have that
were undone: those of which there is no later copy are the ones that were undone, and are a branch.

**Other sessions with a parent**: a delegate (`_delegate_from` in `model_config`, or a source of `subagent` or `tool`)
is a subagent; a branch (`_branched_from`) and a reset (`_reset_from`) are conversations of their own.

**Memory**: `memories/MEMORY.md` and `USER.md`, entries of one or more lines divided by a line of `§`. What a prompt
holds of them is bounded: 2,200 and 1,375 characters, or what `config.yaml` says. `SOUL.md` beside it. A change that
waits for the person lies in `pending/memory/<id>.json`. The assistant writes with the tool `memory`: `action` (add,
replace, remove), `target` (memory, user), `content`, `old_text`, or a list of `operations`, of which all or none take
effect. A call whose result says that it failed, or that it is `staged`, wrote nothing. What it writes to these files
with its ordinary tools, `write_file` and `patch`, is found too.

This is third-party knowledge: of the schema up to version 30, from the program's public source.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.copying.fact_text import DIVIDER
from mnemoscope.domain.errors import StorageError, reason_of
from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    MESSAGES,
    ForeignCall,
    ForeignConversation,
    ForeignMemory,
    ForeignMemoryFile,
    ForeignRecord,
    ForeignRole,
    MemoryEdit,
    RecordKind,
    StoreFormat,
    TextReplacement,
    newest_first,
)
from mnemoscope.store.files.atomic import open_to_read
from mnemoscope.store.foreign.agents.database_store import DatabaseStore
from mnemoscope.store.foreign.agents.hermes_transcript import (
    CallResult,
    HermesTranscript,
    call_result,
    column_text,
    is_present,
    kind_of_row,
    message_columns,
    record_of_row,
    row_key,
    rows_backwards,
)
from mnemoscope.store.foreign.reading.markdown_facts import FACT_ROLES
from mnemoscope.store.foreign.reading.record_values import json_value, stated_moment, title_from
from mnemoscope.store.foreign.reading.sqlite_copy import SQLITE_ERRORS, SqliteCopy, columns_of
from mnemoscope.store.foreign.reading.store_files import StoreFiles

_DATABASE: Final = "state.db"
MEMORY: Final = "memories/MEMORY.md"
USER: Final = "memories/USER.md"
SOUL: Final = "SOUL.md"
_PENDING: Final = "pending/memory"
_SIGNS: Final = (SOUL, _PENDING)
"""The files that a home may hold before its first conversation."""
_LIMITS: Final[Mapping[str, tuple[str, int]]] = {
    MEMORY: ("memory_char_limit", 2200),
    USER: ("user_char_limit", 1375),
}
_SOUL_LOADED: Final = 20_000
_RESETS: Final = frozenset({"session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired"})
_TABLES: Final = ("sessions", "messages")
_WRITING_TOOLS: Final = frozenset({"memory", "write_file", "patch"})
_SESSION_COLUMNS: Final = (
    "id", "parent_session_id", "end_reason", "started_at", "ended_at", "last_activity_at", "title", "source",
    "model_config", "session_key", "archived",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Session:
    key: Any
    """Its id as the database holds it."""
    id: str
    parent: str
    end_reason: str
    started: float | None
    ended: float | None
    last_activity: object
    title: str
    source: str
    session_key: str
    is_archived: bool
    marks: Mapping[str, str]


def _root_of(folder: Path) -> Path | None:
    waiting = folder.parent if folder.name == "memory" else folder
    within = waiting if waiting.name in {"memories", "pending"} else None
    for home in (folder, within.parent) if within is not None else (folder,):
        memories = home / "memories"
        if (home / _DATABASE).is_file() and (
            memories.is_dir() or home.name == ".hermes" or _has_sessions(home / _DATABASE)
        ):
            return home
        # Codex has a folder of this name with a file of this name, too.
        is_named = home.name == ".hermes" or home.parts[-3:-1] == (".hermes", "profiles")
        beside = (home / "config.yaml").is_file() or is_named
        if (memories / "USER.md").is_file() or (beside and any((home / name).exists() for name in (MEMORY, *_SIGNS))):
            return home
    return None


def _has_sessions(database: Path) -> bool:
    """Tells whether a database of this name, which other programs use too, looks like Hermes's: by its first pages, in
    which SQLite keeps the statements that made its tables."""
    head = b""
    for path in (database, database.with_name(f"{_DATABASE}-wal")):
        with suppress(OSError), open_to_read(path) as file:
            head += file.read(1 << 18)
    return b"parent_session_id" in head and b"messages" in head


def _usual_roots(home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
    root = Path(environment["HERMES_HOME"]) if environment.get("HERMES_HOME") else home / ".hermes"
    try:
        profiles = sorted(path for path in (root / "profiles").iterdir() if path.is_dir())
    except OSError:
        profiles = []
    return [root, *profiles]


FORMAT: Final = StoreFormat("hermes", "Hermes Agent", _root_of, _usual_roots)


class HermesStore(DatabaseStore):
    """Reads a home of Hermes Agent, and writes nothing."""

    format_name = FORMAT.name

    def __init__(self, root: Path, private: Path | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`private` is the folder for copies of the database; `clock`, in seconds, tells when to make another one."""
        super().__init__(root, private, clock=clock)
        self._read: tuple[SqliteCopy, dict[str, _Session], list[str]] | None = None
        """The sessions in the last copy of the database, and what could not be read of them."""

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns what conversations there are, newest first: the sessions of one path are one."""
        with self._database() as (connection, sessions):
            if connection is None:
                return []
            spans = _spans(connection)
            found = [_conversation(connection, _path_to(sessions, tip), spans, sessions) for tip in _tips(sessions)]
        return newest_first(found)

    def open(self, conversation: str) -> HermesTranscript:
        """Returns a conversation by its id. Raises StorageError where it is gone or cannot be read at all."""
        with self._database() as (_, sessions):
            if conversation not in sessions:
                reasons = ["This conversation is not here any more.", *self._problems["conversations"]]
                raise StorageError(reasons[-1], next_step="")
            return self._transcript(_path_to(sessions, sessions[conversation]))

    def newest(self, conversation: str, count: int) -> Sequence[ForeignRecord]:
        """Returns the newest messages of the active path, oldest first."""
        found: dict[bytes, ForeignRecord] = {}
        with self._database() as (connection, sessions):
            if connection is None or conversation not in sessions:
                return []
            for session in reversed(_path_to(sessions, sessions[conversation])):
                for row in rows_backwards(connection, session.key):
                    if len(found) >= count:
                        break
                    if kind_of_row(row) in MESSAGES and is_present(row):
                        found.setdefault(row_key(row), record_of_row(row))
        return list(found.values())[::-1]

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns MEMORY.md, USER.md and SOUL.md, then the changes that wait for the person."""
        files = StoreFiles(self.root)
        config = files.text("config.yaml") or ""
        found = []
        for path, role in ((MEMORY, "memory"), (USER, "user")):
            if (text := files.text(path)) is not None:
                limit = _limit(config, path)
                found.append(
                    ForeignMemoryFile(path, role, text, len(entries(text)), min(len(text), limit), limit=limit)
                )
        if (soul := files.text(SOUL)) is not None:
            found.append(ForeignMemoryFile(SOUL, "soul", soul, int(bool(soul.strip())), min(len(soul), _SOUL_LOADED)))
        waiting = ((path, files.text(path)) for path in files.names(_PENDING, ".json"))
        found += [ForeignMemoryFile(path, "waiting", text, 1, 0) for path, text in waiting if text is not None]
        self._problems["memory"] = files.problems
        return found

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Yields the calls that wrote memory and did not fail, oldest first."""
        found: dict[int, list[MemoryEdit]] = {}
        with self._database() as (connection, sessions):
            wrote = _sessions_that_wrote(connection) if connection else set()
            for tip in _tips(sessions):
                path = _path_to(sessions, tip)
                if not goes_on():
                    return
                if any(session.id in wrote for session in path):
                    with closing(self._transcript(path)) as transcript:
                        found = {**_edits_of(tip.id, transcript), **found}
        for rowid in sorted(found):
            yield from found[rowid]

    def _transcript(self, path: Sequence[_Session]) -> HermesTranscript:
        copy = self._copies.copy_of(self.root / _DATABASE, _TABLES)
        return HermesTranscript(copy.connect(), [session.key for session in path])

    @contextmanager
    def _database(self) -> Iterator[tuple[sqlite3.Connection | None, dict[str, _Session]]]:
        """Opens a copy of the database and reads its sessions; None and nothing where there is none to be read."""
        problems = self._problems["conversations"] = []
        if not os.path.lexists(self.root / _DATABASE):
            yield None, {}
            return
        if not StoreFiles(self.root).is_within(self.root / _DATABASE):
            problems.append(f"{_DATABASE} is a link out of the store and was not followed.")
            yield None, {}
            return
        try:
            copy = self._copies.copy_of(self.root / _DATABASE, _TABLES)
            connection = copy.connect()
        except StorageError as error:
            problems.append(error.sentence)
            yield None, {}
            return
        with closing(connection):
            if self._read is None or self._read[0] != copy:
                found = [copy.damage] if copy.damage else []
                self._read = (copy, _sessions_in(connection, found), found)
            problems.extend(self._read[2])
            yield connection, self._read[1]


def _sessions_in(connection: sqlite3.Connection, problems: list[str]) -> dict[str, _Session]:
    """Returns the sessions by id, as far as they can be read. Sessions of which only messages are left have no row."""
    found: dict[str, _Session] = {}
    try:
        there = columns_of(connection, "sessions")
        if "id" in there:
            columns = ", ".join(f'"{name}"' if name in there else f"NULL AS {name}" for name in _SESSION_COLUMNS)
            for row in connection.execute(f"SELECT {columns} FROM sessions"):
                session = _session_of(row)
                found.setdefault(session.id, session)
        else:
            problems.append(f"{_DATABASE} has no sessions as this reader knows them.")
    except SQLITE_ERRORS as error:
        problems.append(f"{_DATABASE} cannot be read: {reason_of(error)}")
    return found


def _session_of(row: sqlite3.Row) -> _Session:
    config = json_value(column_text(row["model_config"]))
    marks = config if isinstance(config, dict) else {}
    return _Session(
        key=row["id"],
        id=column_text(row["id"]),
        parent=column_text(row["parent_session_id"]),
        end_reason=column_text(row["end_reason"]),
        started=_seconds(row["started_at"]),
        ended=_seconds(row["ended_at"]),
        last_activity=row["last_activity_at"],
        title=column_text(row["title"]).strip(),
        source=column_text(row["source"]),
        session_key=column_text(row["session_key"]),
        is_archived=bool(row["archived"]),
        marks={name: column_text(value) for name, value in marks.items() if name.startswith("_") and value},
    )


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _continues(session: _Session, parent: _Session | None) -> bool:
    """Tells whether a session goes on where its parent was compressed. Marks are inherited by what goes on from a
    delegate or a branch, so they speak against it only where they name the parent. A delegate without a mark was made
    while its parent still ran."""
    if parent is None or parent.end_reason != "compression" or session.source == "tool":
        return False
    if any(session.marks.get(mark) == parent.id for mark in ("_branched_from", "_delegate_from", "_reset_from")):
        return False
    return session.started is None or parent.ended is None or session.started >= parent.ended


def _path_to(sessions: Mapping[str, _Session], tip: _Session) -> list[_Session]:
    """Returns the sessions of one conversation, oldest first."""
    path, passed = [tip], {tip.id}
    while (parent := sessions.get(path[-1].parent)) and _continues(path[-1], parent) and parent.id not in passed:
        path.append(parent)
        passed.add(parent.id)
    return path[::-1]


def _tips(sessions: Mapping[str, _Session]) -> list[_Session]:
    """Returns the last session of each conversation. In a circle, which no program makes, each is one."""
    gone_on = {each.parent for each in sessions.values() if _continues(each, sessions.get(each.parent))}
    tips = [each for each in sessions.values() if each.id not in gone_on]
    shown = {session.id for tip in tips for session in _path_to(sessions, tip)}
    return tips + [each for each in sessions.values() if each.id not in shown]


def _role_of(path: Sequence[_Session], sessions: Mapping[str, _Session]) -> ForeignRole:
    first = path[0]
    parent = sessions.get(first.parent)
    if "_delegate_from" in first.marks or first.source in {"subagent", "tool"}:
        return ForeignRole.SUBAGENT
    if parent is not None and not ({"_branched_from", "_reset_from"} & set(first.marks)):
        is_branch = parent.end_reason == "branched"
        is_reset = parent.end_reason in _RESETS and first.session_key == parent.session_key
        if not is_branch and not is_reset:
            return ForeignRole.SUBAGENT
    return ForeignRole.ARCHIVE if path[-1].is_archived else ForeignRole.MAIN


def _spans(connection: sqlite3.Connection) -> dict[str, tuple[int | None, int]]:
    """Returns for each session the number of the person's first row and of the last row. It reads no content."""
    found: dict[str, tuple[int | None, int]] = {}
    with suppress(*SQLITE_ERRORS, ValueError):
        message_columns(connection)
        for row in connection.execute(
            "SELECT session_id, min(CASE role WHEN 'user' THEN rowid END), max(rowid) FROM messages GROUP BY session_id"
        ):
            found[column_text(row[0])] = (row[1], row[2])
    return found


def _conversation(
    connection: sqlite3.Connection,
    path: Sequence[_Session],
    spans: Mapping[str, tuple[int | None, int]],
    sessions: Mapping[str, _Session],
) -> ForeignConversation:
    first, tip = path[0], path[-1]
    title = next((session.title for session in reversed(path) if session.title), "")
    first_row, last_row = spans.get(first.id, (None, 0))[0], spans.get(tip.id, (None, 0))[1]
    updated = stated_moment(_value(connection, "timestamp", last_row)) or stated_moment(tip.last_activity)
    return ForeignConversation(
        id=tip.id,
        path=_DATABASE,
        title=title or title_from(column_text(_value(connection, "content", first_row))),
        role=_role_of(path, sessions),
        parent=first.parent,
        created_at=stated_moment(first.started),
        updated_at=updated or stated_moment(tip.ended) or stated_moment(tip.started),
    )


def _value(connection: sqlite3.Connection, column: str, rowid: int | None) -> object:
    try:
        found = connection.execute(f"SELECT {column} FROM messages WHERE rowid = ?", (rowid,)).fetchone()
    except SQLITE_ERRORS:
        return None
    return None if found is None else found[0]


def _sessions_that_wrote(connection: sqlite3.Connection) -> set[str]:
    """Returns the ids of the sessions with a call that may have written memory."""
    try:
        return {
            column_text(row[0])
            for row in connection.execute("SELECT DISTINCT session_id FROM messages WHERE tool_calls LIKE '%memor%'")
        }
    except SQLITE_ERRORS:
        return set()


@dataclass(slots=True)
class _MemoryCall:
    place: int
    call: ForeignCall
    said_at: int | None
    """The place of the person's last text before it, on its own branch."""
    result: CallResult | None = None


def _edits_of(conversation: str, transcript: HermesTranscript) -> dict[int, list[MemoryEdit]]:
    """Returns the calls of a conversation that wrote to memory, by the numbers of their rows."""
    found: dict[int, list[MemoryEdit]] = {}
    for one in _memory_calls(transcript):
        if one.result is None or not (one.result.failed or one.result.is_staged):
            record = transcript.record(one.place)
            said = "" if one.said_at is None else transcript.record(one.said_at).text
            found.setdefault(transcript.row_id(one.place), []).extend(
                MemoryEdit(path, record.when, conversation, one.place, said, tool=one.call.name, **change)
                for path, change in _changes_of(one.call)
            )
    return found


def _memory_calls(transcript: HermesTranscript) -> list[_MemoryCall]:
    """Returns the calls that may write memory with their results, those of branches too: what was undone in a
    conversation was written all the same."""
    on_path = set(transcript.shape.active)
    found: list[_MemoryCall] = []
    without_result: dict[str, _MemoryCall] = {}
    said_at: int | None = None
    said_on_branch: int | None = None
    for place, number in enumerate(transcript.shape.kinds):
        kind = KINDS[number]
        if place in on_path:
            said_on_branch = None
        if kind is RecordKind.PERSON and place in on_path:
            said_at = place
        elif kind is RecordKind.PERSON:
            said_on_branch = place
        elif kind is RecordKind.ANSWER:
            for call in transcript.record(place).calls:
                if call.name in _WRITING_TOOLS:
                    found.append(_MemoryCall(place, call, said_at if said_on_branch is None else said_on_branch))
                    without_result[call.id] = found[-1]
        elif kind is RecordKind.RESULT and without_result:
            result = transcript.record(place)
            if answered := without_result.pop(result.answers, None):
                answered.result = call_result(result.text)
    return found


def _changes_of(call: ForeignCall) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the files that a call changes, with what an edit tells of how."""
    if call.name == "memory":
        for path, operations in _operations_of(call).items():
            yield path, {"apply": _application(operations)}
        return
    path = _file_of(column_text(call.arguments.get("path")))
    content, old, new = (call.arguments.get(name) for name in ("content", "old_string", "new_string"))
    if path and call.name == "write_file" and isinstance(content, str):
        yield path, {"apply": lambda _: content, "after": content}
    elif path and call.name == "patch" and isinstance(old, str) and old and isinstance(new, str):
        part = TextReplacement(old, new, is_all=call.arguments.get("replace_all") is True)
        yield path, {"apply": lambda text: _replaced(text, part), "replacements": (part,)}


def _file_of(path: str) -> str:
    """Returns the memory file that a path of the computer is, "" for another file."""
    plain = f"/{path}".replace("\\", "/")
    return next((name for name in (MEMORY, USER) if plain.endswith(f"/{name}")), "")


def _replaced(text: str, part: TextReplacement) -> str | None:
    count = text.count(part.old)
    return text.replace(part.old, part.new) if count == 1 or (count and part.is_all) else None


def _operations_of(call: ForeignCall) -> dict[str, list[Mapping[str, Any]]]:
    """Returns what a call does, by the file it does it to."""
    several = call.arguments.get("operations")
    operations: list[Mapping[str, Any]] = []
    if isinstance(several, list):
        operations = [one for one in several if isinstance(one, dict)]
    found: dict[str, list[Mapping[str, Any]]] = {}
    for one in operations or [call.arguments]:
        target = one.get("target", call.arguments.get("target", "memory"))
        if target in ("memory", "user"):
            found.setdefault(USER if target == "user" else MEMORY, []).append(one)
    return found


def _application(operations: Sequence[Mapping[str, Any]]) -> Callable[[str], str | None]:
    def apply(text: str) -> str | None:
        kept = list(dict.fromkeys(entries(text)))
        return DIVIDER.join(kept) if all(_apply_one(one, kept) for one in operations) else None

    return apply


def _apply_one(operation: Mapping[str, Any], kept: list[str]) -> bool:
    """Changes the entries; returns whether it is an operation that can take effect. The call did so: where no entry
    fits, one from outside did that is not known, and what took its place is added."""
    content, old = column_text(operation.get("content")).strip(), column_text(operation.get("old_text")).strip()
    action = operation.get("action")
    if (
        action not in ("add", "replace", "remove")
        or (action != "add" and not old)
        or (action != "remove" and not content)
    ):
        return False
    fitting = [entry for entry in kept if old in entry] if action != "add" else []
    if len(fitting) == 1:
        place = kept.index(fitting[0])
        kept[place : place + 1] = [] if action == "remove" else [content]
    elif action != "remove" and content not in kept:
        kept.append(content)
    return True


def entries(text: str) -> list[str]:
    """Returns the entries of a memory file."""
    return [entry for entry in map(str.strip, text.split(DIVIDER)) if entry]


def facts_in(file: ForeignMemoryFile) -> Iterator[ForeignMemory]:
    """Yields the entries of a memory file, each as one fact on one line."""
    if file.role in FACT_ROLES:
        for entry in entries(file.text):
            yield ForeignMemory(" ".join(entry.split()), heading=file.path)


def _limit(config: str, path: str) -> int:
    """Returns how many characters of a file a prompt holds, by the settings."""
    name, usual = _LIMITS[path]
    found = re.search(rf"^\s*{name}\s*:\s*[\"']?(\d{{1,9}})\b", config, re.MULTILINE)
    return int(found[1]) if found else usual
