"""Reads the rows of Hermes Agent's table `messages`: what each is, and what of a path of sessions is shown and counted.

What the rows mean is told in `hermes`.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from mnemoscope.domain.errors import reason_of
from mnemoscope.domain.foreign.foreign_records import (
    KINDS,
    MESSAGES,
    CompactionMark,
    ForeignCall,
    ForeignRecord,
    RecordKind,
    TranscriptShape,
)
from mnemoscope.store.foreign.reading.record_values import json_value, raw_shown, stated_moment
from mnemoscope.store.foreign.reading.sqlite_copy import SQLITE_ERRORS, columns_of

_SUMMARIES: Final = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
_SUMMARY_END: Final = "--- END OF CONTEXT SUMMARY"
_KEPT_BEFORE: Final = "[PRIOR CONTEXT — for reference only; not a new message]"
_SUMMARY_BELOW: Final = "[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]"
_TASKS_KEPT: Final = "[Your active task list was preserved across context compression]"
_STRUCTURED: Final = "\x00json:"
_NO_PERSON: Final = frozenset(
    {"hidden", "model_switch", "async_delegation_complete", "process_complete", "auto_continue"}
)
"""The values of `display_kind` for a row that the program wrote in the person's role."""
_COLUMNS: Final[Mapping[str, str]] = {
    "role": "NULL", "content": "NULL", "tool_call_id": "NULL", "tool_calls": "NULL", "tool_name": "NULL",
    "timestamp": "NULL", "active": "1", "compacted": "0", "display_kind": "NULL", "_compressed_summary": "0",
}  # fmt: skip
"""The columns that are read, each with what stands for it where it is missing."""

DatabaseRow = Mapping[str, Any]


def message_columns(connection: sqlite3.Connection) -> str:
    """Returns the columns to select, the id first. Raises sqlite3.Error; ValueError where there is no such table."""
    there = columns_of(connection, "messages")
    if not {"session_id", "role"} <= set(there):
        raise ValueError("it has no messages")
    missing = (f"{value} AS {name}" for name, value in _COLUMNS.items() if name not in there)
    return ", ".join(["rowid AS id", *(f'"{name}"' for name in _COLUMNS if name in there), *missing])


def column_text(value: object) -> str:
    """Returns what a column holds as a text: SQLite keeps any type in any column."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def is_present(row: DatabaseRow) -> bool:
    """Tells whether a row is part of what was said: sent still, or summarised; not undone or replaced by a copy."""
    return bool(row["active"]) or bool(row["compacted"])


def kind_of_row(row: DatabaseRow) -> RecordKind:
    """Returns what a row is. A result that says nothing is still one."""
    role, text = column_text(row["role"]), column_text(row["content"])
    if role not in {"user", "assistant", "tool", "system", "session_meta", "developer"}:
        return RecordKind.UNKNOWN
    if role == "tool":
        return RecordKind.RESULT
    if role in {"user", "assistant"} and (row["_compressed_summary"] or _is_summary(text)):
        return RecordKind.SUMMARY
    if role == "assistant":
        said = text.strip() or _calls_of(row)
        return RecordKind.ANSWER if said and row["display_kind"] != "hidden" else RecordKind.ASIDE
    if role == "user" and text.strip() and column_text(row["display_kind"]) not in _NO_PERSON:
        return RecordKind.ASIDE if text.startswith(_TASKS_KEPT) else RecordKind.PERSON
    return RecordKind.ASIDE


def _is_summary(text: str) -> bool:
    return text.lstrip().startswith(_SUMMARIES) or _SUMMARY_BELOW in text


def row_key(row: DatabaseRow) -> bytes:
    """Returns what a row has in common with its copies: role, content, time and the fields of tools. A message that is
    kept may stand in one row with the summary, before it or after it; the key is then that message's."""
    content = column_text(row["content"])
    if _SUMMARY_BELOW in content:
        content = content.partition(_SUMMARY_BELOW)[0].removeprefix(_KEPT_BEFORE).strip() or content
    elif _SUMMARY_END in content and _is_summary(content):
        content = content.partition(_SUMMARY_END)[2].partition("---\n")[2].strip() or content
    parts = (row["role"], content, row["timestamp"], row["tool_call_id"], row["tool_calls"], row["tool_name"])
    own = row["id"] if row["timestamp"] is None else None
    return blake2b(repr((parts, own)).encode("utf-8", "replace"), digest_size=16).digest()


def record_of_row(row: DatabaseRow) -> ForeignRecord:
    """Returns a row as a record."""
    text, images = _content_of(row["content"])
    kind = kind_of_row(row)
    is_result = kind is RecordKind.RESULT
    return ForeignRecord(
        kind=kind,
        id=str(row["id"]),
        text=text,
        when=stated_moment(row["timestamp"]),
        calls=_calls_of(row) if kind is RecordKind.ANSWER else (),
        answers=column_text(row["tool_call_id"]) if is_result else "",
        tool=column_text(row["tool_name"]) if is_result else "",
        failed=is_result and call_result(text).failed,
        images=images,
        raw=raw_shown(json.dumps(dict(row), ensure_ascii=False, default=column_text)),
        sent=column_text(row.get("api_content")),
    )


@dataclass(frozen=True, slots=True)
class CallResult:
    """Says of the result of a call whether it failed, and whether what it was to write waits for the person."""

    failed: bool
    is_staged: bool = False


def call_result(text: str) -> CallResult:
    """Reads the result of a call, which is a JSON object for Hermes's own tools."""
    value = json_value(text)
    if not isinstance(value, dict):
        return CallResult(text.lstrip().lower().startswith("error"))
    failed = value.get("success") is False or (bool(value.get("error")) and value.get("success") is not True)
    return CallResult(failed, bool(value.get("staged")))


def rows_backwards(connection: sqlite3.Connection, session: object) -> Iterator[DatabaseRow]:
    """Yields the rows of a session, the newest first, as far as they can be read."""
    with suppress(*SQLITE_ERRORS, ValueError):
        columns = message_columns(connection)
        for row in connection.execute(
            f"SELECT *, {columns} FROM messages WHERE session_id = ? ORDER BY rowid DESC", (session,)
        ):
            yield dict(row)


class HermesTranscript:
    """Follows a path of sessions, each of which goes on where the one before was compressed. It keeps a connection."""

    def __init__(self, connection: sqlite3.Connection, sessions: Sequence[object]) -> None:
        """`sessions` are their ids as the database holds them, the oldest first."""
        self._connection = connection
        self._columns = ""
        self._ids = array("q")
        self._walk = _Walk()
        damage: list[str] = []
        try:
            self._columns = message_columns(connection)
            for session in sessions:
                self._walk.begin_session()
                for row in self._rows_of(session, damage):
                    self._ids.append(row["id"])
                    self._walk.take(row)
                self._walk.end_session()
        except (*SQLITE_ERRORS, ValueError) as error:
            damage.append(f"The rows of this conversation cannot be read: {reason_of(error)}")
        self._shape = self._walk.shape(tuple(damage))
        self._walk = _Walk()

    @property
    def shape(self) -> TranscriptShape:
        """Returns what is shown and counted."""
        return self._shape

    def record(self, place: int) -> ForeignRecord:
        """Returns one row."""
        if not 0 <= place < len(self._ids):
            raise IndexError(f"there is no record {place}")
        row = self.row(place)
        return ForeignRecord(RecordKind.DAMAGED) if row is None else record_of_row(row)

    def path_to(self, place: int) -> Sequence[int]:
        """Returns the messages up to one, of the path or of a run of rows that was undone after it."""
        path = list(self._shape.active[: bisect_right(self._shape.active, place)])
        after = path[-1] + 1 if path else 0
        return path + [each for each in range(after, place + 1) if KINDS[self._shape.kinds[each]] in MESSAGES]

    def row(self, place: int) -> DatabaseRow | None:
        """Returns one row as the database holds it, None where it cannot be read any more."""
        return self._row(self._ids[place])

    def row_id(self, place: int) -> int:
        """Returns the number of a row, which grows with time over all sessions."""
        return self._ids[place]

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _row(self, rowid: int) -> DatabaseRow | None:
        """Returns a row with all the columns that it has, those that are not read too."""
        try:
            found = self._connection.execute(
                f"SELECT *, {self._columns} FROM messages WHERE rowid = ?", (rowid,)
            ).fetchone()
        except SQLITE_ERRORS:
            return None
        return None if found is None else dict(found)

    def _rows_of(self, session: object, damage: list[str]) -> Iterator[DatabaseRow]:
        """Yields the rows of a session in order; where one of them cannot be read, each by itself."""
        last = -1
        try:
            for row in self._connection.execute(
                f"SELECT {self._columns} FROM messages WHERE session_id = ? ORDER BY rowid", (session,)
            ):
                yield dict(row)
                last = row["id"]
        except SQLITE_ERRORS:
            damage.append("Not all rows of this conversation can be read.")
            for rowid in self._ids_after(last, session):
                yield self._row(rowid) or {**_NOTHING, "id": rowid}

    def _ids_after(self, last: int, session: object) -> list[int]:
        """Returns the numbers of the rows after one, as far as they can be told: an index may have them all."""
        found: list[int] = []
        with suppress(*SQLITE_ERRORS):
            found.extend(
                int(row[0])
                for row in self._connection.execute(
                    "SELECT rowid FROM messages WHERE session_id = ? AND rowid > ? ORDER BY rowid", (session, last)
                )
            )
        return found


_NOTHING: Final[DatabaseRow] = {**dict.fromkeys(_COLUMNS), "_is_damaged": True}


@dataclass(slots=True)
class _Seen:
    """Describes a message of the path: the first of its rows."""

    place: int
    session: int
    is_old: bool
    """Whether a later row of the same session may be its copy: a compaction put it aside."""
    is_undone: bool


@dataclass(slots=True)
class _Summary:
    place: int | None
    next_place: int | None = None
    """The first message that stands after it: what is kept."""


@dataclass(slots=True)
class _Walk:
    """Goes over the rows of a path of sessions once, and finds the shape."""

    kinds: bytearray = field(default_factory=bytearray)
    _seen: dict[bytes, _Seen] = field(default_factory=dict)
    _summaries: list[_Summary] = field(default_factory=list)
    _session: int = -1
    _summaries_before: int = 0
    """The number of summaries that the sessions before this one have."""
    _is_compacted: bool = False
    """Whether this session is the result of a compaction, or one was made in it."""
    _first_sent: int | None = None
    """The first message of this session that is still sent."""

    def begin_session(self) -> None:
        """A session that continues another one is a compaction, with a summary or without."""
        self._session += 1
        self._is_compacted = self._session > 0
        self._first_sent = None
        self._summaries_before = len(self._summaries)

    def end_session(self) -> None:
        """Notes a compaction of which there is no summary."""
        if self._is_compacted and len(self._summaries) == self._summaries_before:
            self._summaries.append(_Summary(None, self._first_sent))

    def take(self, row: DatabaseRow) -> None:
        """Takes one row."""
        place = len(self.kinds)
        kind = RecordKind.DAMAGED if "_is_damaged" in row else kind_of_row(row)
        if kind is RecordKind.SUMMARY:
            self._take_summary(row, place)
        elif kind in MESSAGES and self._take_message(row, place):
            kind = RecordKind.ASIDE
        self.kinds.append(KINDS.index(kind))

    def _take_summary(self, row: DatabaseRow, place: int) -> None:
        key = row_key(row)
        kept = self._seen.get(key)
        if kept is not None and self._is_message(kept):
            kept.is_undone = False
            self._summaries.append(_Summary(place, kept.place))
        elif kept is None and is_present(row):
            self._summaries.append(_Summary(place))
        self._seen.setdefault(key, _Seen(place, self._session, is_old=True, is_undone=False))

    def _take_message(self, row: DatabaseRow, place: int) -> bool:
        """Takes a message; tells whether it is a copy of one before."""
        key, is_undone = row_key(row), not is_present(row)
        first = self._seen.get(key)
        if first is not None and (first.session != self._session or first.is_old):
            first.is_undone = first.is_undone and is_undone
            first.session, first.is_old = self._session, not row["active"]
            shown = first.place
        else:
            shown = place
            # A row that is the same as one still sent is another message: nothing copied it.
            own = key if first is None else key + place.to_bytes(8, "big")
            self._seen[own] = _Seen(place, self._session, is_old=not row["active"], is_undone=is_undone)
        if not is_undone:
            self._note_kept(shown, row)
        return shown != place

    def _note_kept(self, shown: int, row: DatabaseRow) -> None:
        self._is_compacted = self._is_compacted or bool(row["compacted"])
        if len(self._summaries) > self._summaries_before and self._summaries[-1].next_place is None:
            self._summaries[-1].next_place = shown
        if self._first_sent is None and row["active"]:
            self._first_sent = shown

    def shape(self, damage: tuple[str, ...]) -> TranscriptShape:
        """Returns the shape of all that was taken."""
        active = array("i", sorted(each.place for each in self._seen.values() if self._is_shown(each)))
        marks = tuple(
            CompactionMark(len(active) if each.next_place is None else bisect_left(active, each.next_place), each.place)
            for each in self._summaries
        )
        return TranscriptShape(bytes(self.kinds), active, {}, marks, self._undone_ends(active), damage)

    def _is_message(self, each: _Seen) -> bool:
        return KINDS[self.kinds[each.place]] in MESSAGES

    def _is_shown(self, each: _Seen) -> bool:
        return not each.is_undone and self._is_message(each)

    def _undone_ends(self, active: Sequence[int]) -> tuple[int, ...]:
        """Returns the last message of each run of rows that were undone."""
        on_path = set(active)
        ends: list[int] = []
        is_open = False
        for place, kind in enumerate(self.kinds):
            if KINDS[kind] in MESSAGES:
                if place in on_path:
                    is_open = False
                elif is_open:
                    ends[-1] = place
                else:
                    ends.append(place)
                    is_open = True
        return tuple(ends)


def _content_of(value: object) -> tuple[str, int]:
    """Returns the text of a row and how many images stand in it."""
    text = column_text(value)
    if not text.startswith(_STRUCTURED):
        return text, 0
    parts = json_value(text.removeprefix(_STRUCTURED))
    if not isinstance(parts, list):
        return text, 0
    objects = [part for part in parts if isinstance(part, dict)]
    texts = [str(part["text"]) for part in objects if isinstance(part.get("text"), str)]
    return "\n".join(texts), sum("image" in str(part.get("type")) for part in objects)


def _calls_of(row: DatabaseRow) -> tuple[ForeignCall, ...]:
    value = json_value(column_text(row["tool_calls"]))
    return tuple(_call_of(call) for call in value if isinstance(call, dict)) if isinstance(value, list) else ()


def _call_of(call: Mapping[str, Any]) -> ForeignCall:
    inner = call.get("function")
    function: Mapping[str, Any] = inner if isinstance(inner, dict) else call
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        arguments = json_value(arguments)
    return ForeignCall(
        column_text(call.get("id") or call.get("call_id")),
        column_text(function.get("name")),
        arguments if isinstance(arguments, dict) else {},
    )
