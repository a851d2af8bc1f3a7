"""States of OpenClaw: files and databases, the tree and its leaf, boundaries, archives, memory, and who wrote it."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import KINDS, ForeignRecord, ForeignRole, RecordKind, TranscriptShape
from mnemoscope.store.foreign.agents import openclaw_database
from mnemoscope.store.foreign.agents.openclaw import FORMAT, OpenClawStore
from mnemoscope.store.foreign.store_formats import open_store
from tests.foreign_stores.openclaw import BEGIN, AgentTables, OpenClawState, Transcript, packed
from tests.foreign_stores.spoiling import ODD, spoilt_lines
from tests.support.privileges import as_nobody, reachable_folder

TODAY = date(2026, 11, 23)


@pytest.fixture
def state(tmp_path: Path) -> OpenClawState:
    return OpenClawState(tmp_path / ".openclaw")


@pytest.fixture
def tables(state: OpenClawState) -> Iterator[AgentTables]:
    one = state.database()
    yield one
    one.close()


@pytest.fixture
def store(state: OpenClawState, tmp_path: Path) -> Iterator[OpenClawStore]:
    now = [0.0]

    def clock() -> float:
        now[0] += 10
        return now[0]

    one = OpenClawStore(state.root, tmp_path / "private", today=lambda: TODAY, clock=clock)
    yield one
    one.close()


def path_of(store: OpenClawStore, conversation: str = "s1") -> list[ForeignRecord]:
    transcript = store.open(conversation)
    try:
        return [transcript.record(place) for place in transcript.shape.active]
    finally:
        transcript.close()


def texts(store: OpenClawStore, conversation: str = "s1") -> list[str]:
    return [record.text for record in path_of(store, conversation)]


def shape_of(store: OpenClawStore, conversation: str = "s1") -> TranscriptShape:
    transcript = store.open(conversation)
    transcript.close()
    return transcript.shape


def ids(store: OpenClawStore) -> set[str]:
    return {one.id for one in store.conversations()}


# Records


def test_messages_are_texts_answers_and_the_result_of_each_call(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.add("model_change", provider="p", modelId="m-1")
    talk.add("thinking_level_change", thinkingLevel="high")
    projection = {"modelPromptProjection": {"version": 1, "text": "[noon] Hello"}}
    talk.message("user", "Hello", __openclaw=projection)
    talk.message("user", [{"type": "image", "data": "x"}, {"type": "text", "text": "See"}, 7, "plain"])
    talk.message("assistant", [{"type": "thinking", "thinking": "only"}])
    calls = [
        {"type": "toolCall", "id": "a", "name": "read", "arguments": {"path": "x"}},
        {"type": "toolUse", "id": "b", "name": "exec", "input": '{"command": "ls"}'},
        {"type": "toolCall", "id": "c", "name": "broken", "arguments": "{"},
    ]
    talk.message("assistant", [{"type": "text", "text": "I will"}, *calls], model="m-2")
    talk.message("toolResult", [{"type": "text", "text": "no"}], toolCallId="a", toolName="read", isError=True)
    talk.message("toolResult", "", toolCallId="b", toolName="exec")
    talk.message("bashExecution", "", command="ls", output="x")
    talk.message("custom", "injected")
    talk.message("user", "from elsewhere", provenance={"kind": "inter_session"})
    talk.message("user", "A new session was started via /new or /reset. Greet the user.")
    talk.message("oracle", "of another version")
    talk.add("custom_message", customType="x", content="in the context", display=False)
    talk.add("custom", customType="x", data={})
    talk.add("label", targetId="00000001", label="here")
    talk.add("session_info", name="Named")
    talk.add("branch_summary", fromId="00000001", summary="They tried")
    talk.add("telemetry", data=1)
    state.file(talk)
    hello, seen, answer, failed, empty = path_of(store)
    assert (hello.kind, hello.text, hello.sent) == (RecordKind.PERSON, "Hello", "[noon] Hello")
    assert hello.when == datetime.fromtimestamp(BEGIN / 1000 + 3, UTC)
    assert (seen.text, seen.images) == ("See\nplain", 1)
    assert (answer.kind, answer.text, answer.model) == (RecordKind.ANSWER, "I will", "m-2")
    assert [(call.id, call.name, dict(call.arguments)) for call in answer.calls] == [
        ("a", "read", {"path": "x"}),
        ("b", "exec", {"command": "ls"}),
        ("c", "broken", {}),
    ]
    assert (failed.kind, failed.answers, failed.tool, failed.failed) == (RecordKind.RESULT, "a", "read", True)
    assert (empty.answers, empty.failed) == ("b", False)
    shape = shape_of(store)
    assert shape.unknown_records == 2
    assert store.conversations()[0].title == "Named"
    transcript = store.open("s1")
    assert transcript.record(len(shape.kinds) - 2).text == "They tried"
    assert transcript.record(len(shape.kinds) - 1).kind is RecordKind.UNKNOWN
    with pytest.raises(IndexError):
        transcript.record(len(shape.kinds))
    (state.sessions / "s1.jsonl").unlink()
    assert transcript.record(3).kind is RecordKind.DAMAGED
    assert store.problems() == []


def test_version_1_is_linear_and_keeps_from_a_number_on(state: OpenClawState, store: OpenClawStore) -> None:
    lines = [
        {"type": "session", "id": "s1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"},
        {"type": "message", "message": {"role": "user", "content": "one"}},
        {"type": "message", "message": {"role": "assistant", "content": "two"}},
        {"type": "message", "message": {"role": "user", "content": "three"}},
        {"type": "compaction", "summary": "They counted", "firstKeptEntryIndex": 3},
        {"type": "message", "message": {"role": "assistant", "content": "four"}},
    ]
    (state.sessions / "s1.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert texts(store) == ["one", "two", "three", "four"]
    assert [mark.kept_from for mark in shape_of(store).compactions] == [2]


@pytest.mark.parametrize("version", [1, 2, 3, 4, "4", None])
def test_any_version_in_the_header_is_read(state: OpenClawState, store: OpenClawStore, version: Any) -> None:
    talk = Transcript(version=version)
    talk.talk("one", "two")
    state.file(talk)
    assert texts(store) == ["one", "two"]
    assert shape_of(store).unknown_records == 0


# The tree


def test_the_active_path_goes_from_the_last_record_to_the_root(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    one, two = talk.talk("one", "two")
    talk.talk("left", "left too")
    talk.user("right", parent=two)
    talk.answer("right too")
    talk.user("another root", parent=None)
    talk.user("on", parent=one)
    state.file(talk)
    assert texts(store) == ["one", "on"]
    shape = shape_of(store)
    assert shape.branches == (4, 6, 7)
    transcript = store.open("s1")
    assert [transcript.record(place).text for place in transcript.path_to(6)] == ["one", "two", "right", "right too"]


def test_a_leaf_record_moves_the_leaf_and_what_names_it_hangs_on_its_target(
    state: OpenClawState, store: OpenClawStore
) -> None:
    talk = Transcript()
    one, two = talk.talk("one", "two")
    talk.talk("left", "left too")
    marker = talk.add("leaf", targetId=two)
    state.file(talk)
    assert texts(store) == ["one", "two"]
    talk.user("after it", parent=marker)
    state.file(talk)
    assert texts(store) == ["one", "two", "after it"]
    talk.add("leaf", targetId=None)
    state.file(talk)
    assert texts(store) == []
    talk.user("anew", parent=None)
    talk.add("leaf", targetId=marker, appendParentId=one)
    state.file(talk)
    assert texts(store) == ["one", "two"]
    talk.user("appended elsewhere", parent=one)
    state.file(talk)
    assert texts(store) == ["one", "two", "appended elsewhere"]


@pytest.mark.parametrize(
    "control",
    [
        {"targetId": "missing"},
        {"targetId": "00000001", "appendParentId": "missing"},
        {"targetId": "00000001", "appendMode": "sideways"},
        {"targetId": 7},
        {},
    ],
)
def test_a_leaf_record_that_names_nothing_known_does_not_count(
    state: OpenClawState, store: OpenClawStore, control: dict[str, Any]
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    marker = talk.add("leaf", **control)
    talk.user("below it", parent=marker)
    state.file(talk)
    assert texts(store) == ["one", "two", "below it"]
    talk.add("leaf", targetId=marker)
    state.file(talk)
    assert texts(store) == ["one", "two", "below it"]


def test_what_is_appended_aside_does_not_move_the_leaf(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    _, two = talk.talk("one", "two")
    talk.message("assistant", "aside", parent=two)
    talk.records[-1]["appendMode"] = "side"
    state.file(talk)
    assert texts(store) == ["one", "two"]
    assert shape_of(store).branches == (3,)
    talk.user("goes on", parent=talk.leaf)
    state.file(talk)
    assert texts(store) == ["one", "two", "goes on"]


def test_a_record_of_an_unknown_type_carries_the_chain_but_is_no_leaf(
    state: OpenClawState, store: OpenClawStore
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    talk.add("telemetry", data=1)
    state.file(talk)
    assert texts(store) == ["one", "two"]
    talk.user("below it")
    state.file(talk)
    assert texts(store) == ["one", "two", "below it"]
    assert shape_of(store).branches == ()


@pytest.mark.parametrize("parent", ["missing", 7, {"x": 1}, "self"])
def test_a_record_whose_parent_is_not_there_hangs_on_the_leaf(
    state: OpenClawState, store: OpenClawStore, parent: Any
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    talk.user("orphan", parent=parent, record_id="self")
    talk.answer("below it")
    state.file(talk)
    assert texts(store) == ["one", "two", "orphan", "below it"]


def test_a_record_without_a_parent_or_an_id_hangs_on_the_leaf(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    talk.user("three")
    del talk.records[-1]["parentId"]
    talk.answer("four")
    del talk.records[-1]["id"]
    talk.user("five", parent="gone")
    state.file(talk)
    assert texts(store) == ["one", "two", "three", "four", "five"]


def test_the_same_record_twice_is_one(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    talk.records.append(talk.records[1])
    talk.user("three")
    state.file(talk)
    assert texts(store) == ["one", "two", "three"]
    assert shape_of(store).messages == 3


# Boundaries


def test_a_compaction_keeps_from_a_record_on(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    names = talk.talk("one", "two", "three", "four")
    talk.compact("They counted to two.", names[2])
    later = talk.talk("five", "six")
    talk.compact("They counted to five.", later[1])
    talk.talk("seven")
    state.file(talk)
    shape = shape_of(store)
    assert [mark.kept_from for mark in shape.compactions] == [2, 5]
    assert (shape.messages, shape.last_consolidated) == (7, 5)
    place = shape.compactions[1].summary
    assert place is not None
    record = store.open("s1").record(place)
    assert (record.kind, record.text) == (RecordKind.SUMMARY, "They counted to five.")


@pytest.mark.parametrize("kept", ["missing", None, 7, "00000003"])
def test_a_compaction_that_names_nothing_before_it_keeps_nothing(
    state: OpenClawState, store: OpenClawStore, kept: Any
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    talk.compact("They counted.", kept)
    talk.talk("three")
    state.file(talk)
    assert [mark.kept_from for mark in shape_of(store).compactions] == [2]


def test_a_compaction_on_a_branch_is_no_mark_of_the_path(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    one = talk.user("one")
    talk.talk("left", "left too")
    talk.compact("They went left.", one)
    talk.user("right", parent=one)
    state.file(talk)
    assert shape_of(store).compactions == ()


@pytest.mark.parametrize(("kept", "expected"), [(True, 1), (False, 2)])
def test_a_reset_is_a_boundary_without_a_summary(
    state: OpenClawState, store: OpenClawStore, kept: bool, expected: int
) -> None:
    talk = Transcript()
    names = talk.talk("one", "two")
    talk.add("reset", reason="new", **({"firstKeptEntryId": names[1]} if kept else {}))
    talk.talk("three")
    state.file(talk)
    assert texts(store) == ["one", "two", "three"]
    assert [(mark.kept_from, mark.summary) for mark in shape_of(store).compactions] == [(expected, None)]
    assert shape_of(store).unknown_records == 0


# Conversations in files


def test_sessions_have_the_names_and_times_of_the_index(state: OpenClawState, store: OpenClawStore) -> None:
    for session in ("s1", "s2-topic-7", "s3", "s4"):
        talk = Transcript(session)
        talk.talk(f"Hello from {session}")
        state.file(talk)
    state.index(
        agent__main__main={
            "sessionId": "s1",
            "displayName": "Main chat",
            "sessionStartedAt": BEGIN,
            "lastInteractionAt": BEGIN + 9000,
        },
        agent__main__telegram__group__7={
            "sessionFile": "/home/user/.openclaw/agents/main/sessions/s2-topic-7.jsonl",
            "subject": "Tea",
        },
        agent__main__subagent__x={"sessionId": "s3", "spawnedBy": "agent:main:main"},
        cron__job="no entry",
    )
    shown = {one.id: one for one in store.conversations()}
    assert {name: one.title for name, one in shown.items()} == {
        "s1": "Main chat",
        "s2-topic-7": "Tea",
        "s3": "Hello from s3",
        "s4": "Hello from s4",
    }
    assert (shown["s3"].role, shown["s3"].parent) == (ForeignRole.SUBAGENT, "agent:main:main")
    assert (shown["s1"].role, shown["s1"].path) == (ForeignRole.MAIN, "agents/main/sessions/s1.jsonl")
    assert shown["s1"].created_at == datetime.fromtimestamp(BEGIN / 1000, UTC)
    assert shown["s1"].updated_at == datetime.fromtimestamp(BEGIN / 1000 + 9, UTC)
    assert shown["s4"].created_at == datetime.fromtimestamp(BEGIN / 1000, UTC)
    assert shown["s1"].size == (state.sessions / "s1.jsonl").stat().st_size
    assert store.problems() == []


def test_archives_are_shown_as_such(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    state.file(talk)
    names = [
        "s0.jsonl.reset.2026-09-01T10-00-00.000Z",
        "s0.jsonl.deleted.2026-09-02T10-00-00.000Z.zst",
        "s1.jsonl.bak-1790000000",
    ]
    for name in names:
        state.file(talk, name)
    for name in ("s1.trajectory.jsonl", "s1.checkpoint.aa.jsonl", "notes.txt", ".hidden.jsonl"):
        state.file(talk, name)
    shown = {one.id: one.role for one in store.conversations()}
    assert shown == {"s1": ForeignRole.MAIN, **dict.fromkeys(names, ForeignRole.ARCHIVE)}
    for name in names:
        assert texts(store, name) == ["one", "two"]
        assert [record.text for record in store.newest(name, 1)][-1:] == ["two"]


def test_the_same_session_in_two_agents_is_two_conversations(tmp_path: Path) -> None:
    for agent in ("main", "work"):
        talk = Transcript()
        talk.talk(f"from {agent}")
        OpenClawState(tmp_path / ".openclaw", agent).file(talk)
    store = OpenClawStore(tmp_path / ".openclaw", tmp_path / "private")
    assert ids(store) == {"main/s1", "work/s1"}
    assert texts(store, "work/s1") == ["from work"]
    store.close()


def test_the_newest_messages_come_from_the_last_bytes(state: OpenClawState, store: OpenClawStore) -> None:
    talk, more = Transcript(), " at length" * 2_000
    talk.talk(*[f"text {number}{more}" for number in range(200)])
    path = state.file(talk)
    assert path.stat().st_size > 3_000_000
    found = [record.text.removesuffix(more) for record in store.newest("s1", 3)]
    assert found[-3:] == ["text 197", "text 198", "text 199"]
    assert len(found) < 20
    assert len(store.newest("s1", 100)) >= 100
    assert len(store.newest("s1", 10_000)) == 200
    with path.open("a", encoding="utf-8") as file:
        file.write('{"broken\n')
    assert store.newest("s1", 1)[-1].text == f"text 199{more}"


def test_it_is_followed_while_the_agent_writes(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one")
    path = state.file(talk)
    assert texts(store) == ["one"]
    talk.talk("one and", "two")
    path.write_text("".join(f"{line}\n" for line in talk.lines)[:-20], encoding="utf-8")
    assert texts(store) == ["one", "one and"]
    assert "The last line is not whole" in shape_of(store).damage[0]
    state.file(talk)
    assert texts(store) == ["one", "one and", "two"]


# Conversations in a database


def test_rows_are_read_in_the_order_of_seq_plain_or_compressed(
    state: OpenClawState, tables: AgentTables, store: OpenClawStore
) -> None:
    talk = Transcript()
    names = talk.talk("one", "two", "three " * 500, "four")
    talk.compact("They counted.", names[2])
    talk.talk("five")
    tables.window("s1", transcript_updated_at=BEGIN + 7000)
    tables.node("agent:main:main", "s1", entry={"displayName": "Main chat"})
    tables.events(talk, compress=True, order=[3, 1, 0, 2, 6, 5, 4])
    [shown] = store.conversations()
    assert (shown.id, shown.title, shown.path) == ("s1", "Main chat", "agents/main/agent/openclaw-agent.sqlite")
    assert shown.updated_at == datetime.fromtimestamp(BEGIN / 1000 + 7, UTC)
    assert texts(store) == ["one", "two", "three " * 500, "four", "five"]
    assert shape_of(store).last_consolidated == 2
    assert [record.text for record in store.newest("s1", 2)][-2:] == ["four", "five"]
    assert store.problems() == []


def test_titles_of_rows_are_the_windows_the_nodes_or_the_first_words(tables: AgentTables, store: OpenClawStore) -> None:
    for session, key in (("w", "a"), ("n", "b"), ("f", "c"), ("x", "agent:main:subagent:1"), ("o", "old")):
        talk = Transcript(session)
        talk.talk(f"Hello from {session}")
        tables.events(talk)
        if session != "o":
            tables.window(session, key, display_name=" Window " if session == "w" else None)
    tables.node("a", "w", label="Node")
    tables.node("b", "n", label="Labelled", spawned_by="agent:main:main")
    tables.node("c", "f", archived_at=1)
    shown = {one.id: (one.title, one.role) for one in store.conversations()}
    assert shown == {
        "w": ("Window", ForeignRole.MAIN),
        "n": ("Labelled", ForeignRole.SUBAGENT),
        "f": ("Hello from f", ForeignRole.ARCHIVE),
        "x": ("Hello from x", ForeignRole.SUBAGENT),
        "o": ("Hello from o", ForeignRole.MAIN),
    }


@pytest.mark.parametrize("in_row", [True, False])
def test_cold_sessions_are_read_from_a_file_or_the_row(tables: AgentTables, store: OpenClawStore, in_row: bool) -> None:
    talk = Transcript()
    names = talk.talk("one", "two", "three")
    talk.compact("They\ncounted.", names[2])
    tables.window("s1")
    tables.cold(talk, in_row=in_row)
    assert ids(store) == {"s1"}
    assert texts(store) == ["one", "two", "three"]
    assert (shape_of(store).last_consolidated, shape_of(store).damage) == (2, ())
    assert [record.text for record in store.newest("s1", 1)] == ["one", "two", "three"]


def test_a_cold_archive_that_is_another_one_or_gone_is_said(
    tables: AgentTables, store: OpenClawStore, tmp_path: Path
) -> None:
    talk = Transcript()
    talk.talk("one")
    tables.window("s1")
    path = tables.cold(talk)
    other = Transcript()
    other.talk("another")
    path.write_bytes(packed(b"\n".join(line.encode() for line in [*other.lines, '{"kind": "broken', ""])))
    assert texts(store) == ["another"]
    assert shape_of(store).damage[0] == "The archive is not the one that the database names."
    path.write_bytes(path.read_bytes()[:-6])
    assert "The archive is cut off." in shape_of(store).damage
    path.unlink()
    with pytest.raises(StorageError, match="The archive cannot be read"):
        store.open("s1")
    tables.connection.execute("UPDATE session_transcript_cold_archives SET archive_name = 'a' || char(0) || 'b'")
    with pytest.raises(StorageError, match="The archive cannot be read"):
        store.open("s1")
    tables.connection.execute("UPDATE session_transcript_cold_archives SET archive_name = ?", (path.name,))
    (tmp_path / "elsewhere.zst").write_bytes(packed(b"{}"))
    path.symlink_to(tmp_path / "elsewhere.zst")
    with pytest.raises(StorageError, match="is a link out of the store"):
        store.open("s1")


@pytest.mark.parametrize("encoding", ["zstd", "identity"])
def test_sessions_that_were_deleted_are_in_the_archives(
    state: OpenClawState, tables: AgentTables, store: OpenClawStore, encoding: str
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    name = tables.archive(talk, encoding=encoding)
    state.file(talk, name)
    [shown] = store.conversations()
    assert (shown.id, shown.role) == (name, ForeignRole.ARCHIVE)
    assert texts(store, name) == ["one", "two"]


def test_a_file_that_was_left_behind_counts_once(
    state: OpenClawState, tables: AgentTables, store: OpenClawStore
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    state.file(talk)
    talk.talk("three")
    tables.events(talk)
    state.file(Transcript("s2"))
    assert ids(store) == {"s1", "s2"}
    assert texts(store) == ["one", "two", "three"]


def test_a_database_without_tables_of_sessions_falls_back_to_files(state: OpenClawState, store: OpenClawStore) -> None:
    tables = AgentTables(state.agent, schema="PRAGMA user_version = 1; CREATE TABLE auth(a)")
    tables.close()
    talk = Transcript()
    talk.talk("one")
    state.file(talk)
    assert ids(store) == {"s1"}
    assert store.problems() == []


def test_a_schema_that_is_not_known_is_said_and_read(tables: AgentTables, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one")
    tables.events(talk)
    tables.connection.execute("UPDATE schema_meta SET schema_version = 31")
    assert texts(store) == ["one"]
    assert store.problems() == [
        "agents/main/agent/openclaw-agent.sqlite has version 31 of its schema, which this reader does not know."
    ]


def test_older_tables_lack_columns(state: OpenClawState, store: OpenClawStore) -> None:
    schema = """CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER);
        CREATE TABLE session_windows(session_id TEXT, session_key TEXT); CREATE TABLE session_nodes(label TEXT)"""
    tables = AgentTables(state.agent, schema=schema)
    talk = Transcript()
    talk.talk("one", "two")
    for seq, line in enumerate(talk.lines):
        tables.connection.execute("INSERT INTO transcript_events VALUES ('s1', ?, ?, 0)", (seq, line))
    tables.connection.execute("INSERT INTO session_windows VALUES ('s1', 'key')")
    tables.close()
    assert texts(store) == ["one", "two"]
    assert store.problems() == []


def test_rows_that_cannot_be_read_cost_themselves(tables: AgentTables, store: OpenClawStore) -> None:
    talk = Transcript()
    for number in range(6):
        talk.user(f"text {number}")
    tables.events(talk)
    changes: list[tuple[int, bytes | None, int | None]] = [
        (2, None, None),
        (3, b"no frame", 8),
        (4, packed(b"x" * 9_000_000), 9_000_000),
        (5, packed(talk.lines[5].encode()), 1),
    ]
    for seq, data, length in changes:
        tables.connection.execute(
            "UPDATE transcript_events SET event_json = NULL, event_zstd = ?, event_utf8_bytes = ? WHERE seq = ?",
            (data, length, seq),
        )
    assert texts(store) == ["text 0", "text 5"]
    assert shape_of(store).damage == (
        "Event 2 is empty.",
        "Event 3 is damaged.",
        "Event 4 holds more than 8,388,608 bytes.",
        "Event 5 is not as long as it should be.",
    )
    transcript = store.open("s1")
    assert transcript.record(2).kind is RecordKind.DAMAGED
    assert [record.text for record in store.newest("s1", 5)] == ["text 0", "text 5"]
    transcript.close()
    assert transcript.record(1).kind is RecordKind.DAMAGED


# Memory


def test_memory_files_have_what_of_them_is_loaded(state: OpenClawState, store: OpenClawStore) -> None:
    state.memory("MEMORY.md", "# Memory\n\n- Lives in Graz\n  - in Austria\n* Likes tea\n1. First\n" + "x" * 30_000)
    for name in ("memory.md", "USER.md", "SOUL.md", "AGENTS.md", "TOOLS.md", "DREAMS.md"):
        state.memory(name, f"{name}\n")
    for day in ("2026-11-23", "2026-11-22-tea", "2026-11-21", "notes"):
        state.memory(f"memory/{day}.md", "- one\n- two\n")
    state.memory("memory/.dreams/x.md", "hidden")
    state.memory(
        "memory/audit/suggestions.jsonl", '{"id": 1, "action": "add"}\n{"id": 1, "state": "applied"}\n{"id": 2}\nx\n'
    )
    state.memory("memory/picture.png", "no text")
    found = {one.path.removeprefix("workspace/"): one for one in store.memory_files()}
    assert {name: (one.role, one.loaded_characters == one.characters) for name, one in found.items()} == {
        "MEMORY.md": ("memory", False),
        "memory.md": ("memory", True),
        "USER.md": ("user", True),
        "SOUL.md": ("soul", True),
        "AGENTS.md": ("instructions", True),
        "TOOLS.md": ("instructions", True),
        "DREAMS.md": ("summary", False),
        "memory/2026-11-23.md": ("daily note", True),
        "memory/2026-11-22-tea.md": ("daily note", True),
        "memory/2026-11-21.md": ("daily note", False),
        "memory/notes.md": ("topic", False),
        "memory/audit/suggestions.jsonl": ("waiting", False),
    }
    assert (found["MEMORY.md"].entries, found["MEMORY.md"].loaded_characters) == (4, 20_000)
    assert found["memory/2026-11-21.md"].loaded_characters == found["DREAMS.md"].loaded_characters == 0
    assert found["memory/audit/suggestions.jsonl"].entries == 2
    assert [one.loaded_characters > 0 for one in store.memory_files()] == [True] * 8 + [False] * 4


def test_workspaces_are_those_of_the_settings(state: OpenClawState, store: OpenClawStore, tmp_path: Path) -> None:
    state.memory("MEMORY.md", "default")
    state.memory("MEMORY.md", "of work", "workspace-work")
    state.memory("MEMORY.md", "of play", "play")
    state.memory("MEMORY.md", "configured", "elsewhere/w")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "MEMORY.md").write_text("outside", encoding="utf-8")
    state.config(
        {
            "agents": {
                "defaults": {"workspace": "/home/user/.openclaw/elsewhere/w"},
                "list": [
                    {"id": "play", "workspace": "play"},
                    {"id": "out", "workspace": "~/outside"},
                    7,
                    {"id": "none"},
                ],
            }
        }
    )
    assert {one.path: one.text for one in store.memory_files()} == {
        "elsewhere/w/MEMORY.md": "configured",
        "play/MEMORY.md": "of play",
        "workspace-work/MEMORY.md": "of work",
        "../outside/MEMORY.md": "outside",
    }
    state.config(
        "{ // JSON5\n agents: { defaults: { workspace: '~/.openclaw/play' } },\n list: [{ workspace: 'workspace' }] }"
    )
    assert {one.path for one in store.memory_files()} == {
        "play/MEMORY.md",
        "workspace/MEMORY.md",
        "workspace-work/MEMORY.md",
    }
    state.config({"agents": 7, "agent": {"workspace": "pl\0ay"}})
    assert "play/MEMORY.md" in {one.path for one in store.memory_files()}
    state.config({"agents": 7, "agent": {"workspace": str(tmp_path / "outside")}})
    assert "../outside/MEMORY.md" in {one.path for one in store.memory_files()}


def test_a_memory_file_that_leads_out_is_not_followed(
    state: OpenClawState, store: OpenClawStore, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("not ours", encoding="utf-8")
    (state.workspace / "MEMORY.md").symlink_to(tmp_path / "secret.md")
    (state.sessions / "s9.jsonl").symlink_to(tmp_path / "secret.md")
    assert store.memory_files() == []
    assert ids(store) == set()
    assert len(store.problems()) == 2


# Who wrote it


def test_calls_that_wrote_memory_are_edits_with_the_text_before_them(
    state: OpenClawState, store: OpenClawStore
) -> None:
    talk = Transcript()
    talk.user("I live in Graz")
    talk.call("write", {"path": "MEMORY.md", "content": "- Lives in Graz\n- Likes tea\n"})
    talk.user("In Vienna now")
    talk.call("edit", {"path": "/home/user/.openclaw/workspace/MEMORY.md", "oldText": "Graz", "newText": "Vienna"})
    talk.call("edit", {"file_path": "./MEMORY.md", "old_string": "tea", "new_string": "coffee"}, failed=True)
    talk.call("write", {"path": "notes/plan.md", "content": "no memory"})
    talk.call("write", {"path": "/etc/MEMORY.md", "content": "not there"})
    talk.call("read", {"path": "MEMORY.md"})
    talk.user("And a note")
    talk.call("write", {"path": "memory/2026-11-23.md", "content": "- noted\n"}, None)
    several = [{"oldText": "Vienna", "newText": "Linz"}, {"oldText": "tea", "newText": "cake"}]
    talk.call("edit", {"path": "~/.openclaw/workspace/MEMORY.md", "edits": json.dumps(several)})
    state.file(talk)
    edits = list(store.edits())
    assert [(edit.path, edit.message_text, edit.tool) for edit in edits] == [
        ("workspace/MEMORY.md", "I live in Graz", "write"),
        ("workspace/MEMORY.md", "In Vienna now", "edit"),
        ("workspace/memory/2026-11-23.md", "And a note", "write"),
        ("workspace/MEMORY.md", "And a note", "edit"),
    ]
    text: str | None = ""
    for edit in edits:
        if edit.path == "workspace/MEMORY.md" and text is not None:
            text = edit.apply(text)
    assert text == "- Lives in Linz\n- Likes cake\n"
    assert (edits[0].after, edits[0].conversation, edits[0].place) == ("- Lives in Graz\n- Likes tea\n", "s1", 2)
    assert edits[0].when == datetime.fromtimestamp(BEGIN / 1000 + 2, UTC)
    assert [(each.old, each.new) for each in edits[3].replacements] == [("Vienna", "Linz"), ("tea", "cake")]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"oldText": "a", "newText": "b"}, "a a"),
        ({"oldText": "a", "newText": "b"}, "none"),
        ({"edits": [{"oldText": "ab", "newText": "x"}, {"oldText": "bc", "newText": "y"}]}, "abc"),
    ],
)
def test_an_edit_that_does_not_fit_changes_nothing(
    state: OpenClawState, store: OpenClawStore, arguments: dict[str, object], text: str
) -> None:
    talk = Transcript()
    talk.call("edit", {"path": "MEMORY.md", **arguments})
    state.file(talk)
    [edit] = store.edits()
    assert edit.apply(text) is None


def test_calls_with_arguments_that_are_none_write_nothing(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.call("write", {"path": "MEMORY.md"})
    talk.call("write", {"content": "x"})
    talk.call("edit", {"path": "MEMORY.md", "oldText": "", "newText": "x"})
    talk.call("edit", {"path": "MEMORY.md", "edits": [7, {"oldText": 7}]})
    talk.call("write", "no object")
    talk.call("apply_patch", {"input": "no patch"})
    talk.call("apply_patch", {})
    state.file(talk)
    assert list(store.edits()) == []


def test_calls_without_ids_of_their_own_are_told_apart(state: OpenClawState, store: OpenClawStore) -> None:
    calls = [[("MEMORY.md", "one"), ("USER.md", "two")], [("MEMORY.md", "three")]]
    lines: list[dict[str, Any]] = [{"type": "session", "id": "s1"}]
    for failed, several in zip((True, False), calls, strict=True):
        blocks = [
            {
                "type": "toolCall",
                "id": f"call_{number}",
                "name": "write",
                "arguments": {"path": path, "content": content},
            }
            for number, (path, content) in enumerate(several)
        ]
        lines.append({"type": "message", "message": {"role": "assistant", "content": blocks}})
        lines.append({"type": "message", "message": {"role": "toolResult", "toolCallId": "call_0", "isError": failed}})
    (state.sessions / "s1.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert [edit.after for edit in store.edits()] == ["two", "three"]


def test_a_patch_writes_memory_too(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.call("apply_patch", {"input": "*** Begin Patch\n*** Add File: MEMORY.md\n+- one\n+- two\n*** End Patch"})
    talk.call("apply_patch", {"input": "*** Begin Patch\n*** Update File: MEMORY.md\n@@\n-- two\n+- 2\n*** End Patch"})
    state.file(talk)
    first, second = store.edits()
    assert first.after == "- one\n- two\n"
    assert second.apply(first.after) == "- one\n- 2\n"


def test_an_edit_on_a_branch_has_the_text_of_its_branch(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    one = talk.user("one")
    talk.user("left")
    talk.call("write", {"path": "MEMORY.md", "content": "left"})
    talk.answer("right", parent=one)
    talk.call("write", {"path": "MEMORY.md", "content": "right"})
    state.file(talk)
    assert [(edit.message_text, edit.after) for edit in store.edits()] == [("left", "left"), ("one", "right")]


def test_edits_that_stand_in_an_archive_once_more_are_told_once(
    state: OpenClawState, tables: AgentTables, store: OpenClawStore
) -> None:
    talk = Transcript()
    talk.call("write", {"path": "MEMORY.md", "content": "one"})
    state.file(talk, "s1.jsonl.bak-1790000000")
    tables.events(talk)
    other = Transcript("s2", cwd="/somewhere/else")
    other.user("I moved")
    other.call("write", {"path": "/somewhere/else/USER.md", "content": "two"})
    tables.archive(other)
    edits = list(store.edits())
    assert [(edit.after, edit.conversation) for edit in edits][:1] == [("one", "s1")]
    assert [(edit.path, edit.after, edit.message_text) for edit in edits[1:]] == [
        ("workspace/USER.md", "two", "I moved")
    ]


def test_a_path_of_another_system_is_found_too(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript(cwd="C:\\Users\\user\\.openclaw\\workspace")
    talk.call("write", {"path": "C:\\Users\\user\\.openclaw\\workspace\\MEMORY.md", "content": "one"})
    talk.call("write", {"path": "D:\\MEMORY.md", "content": "elsewhere"})
    state.file(talk)
    assert [edit.path for edit in store.edits()] == ["workspace/MEMORY.md"]


# Damage


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + b"\0" * 100])
def test_a_database_that_is_none_is_said_and_the_files_are_shown(
    state: OpenClawState, store: OpenClawStore, content: bytes
) -> None:
    (state.agent / "agent").mkdir()
    (state.agent / "agent" / "openclaw-agent.sqlite").write_bytes(content)
    talk = Transcript()
    talk.talk("one")
    state.file(talk)
    assert ids(store) == {"s1"}
    assert store.problems()[0].startswith("agents/main/agent/openclaw-agent.sqlite")


def test_a_database_that_leads_out_is_not_followed(state: OpenClawState, store: OpenClawStore, tmp_path: Path) -> None:
    tables = AgentTables(tmp_path / "elsewhere")
    tables.close()
    (state.agent / "agent").mkdir()
    (state.agent / "agent" / "openclaw-agent.sqlite").symlink_to(tables.path)
    assert ids(store) == set()
    assert "is a link out of the store" in store.problems()[0]


def test_problems_are_told_without_being_looked_for_first(state: OpenClawState, store: OpenClawStore) -> None:
    (state.root / "agents" / "empty").mkdir()
    (state.sessions / "sessions.json").write_text("7", encoding="utf-8")
    assert store.problems() == ["main/sessions/sessions.json holds no JSON object."]


def test_a_file_that_cannot_be_looked_at_is_listed(tmp_path: Path) -> None:
    with reachable_folder() as folder:
        OpenClawState(folder / ".openclaw").file(Transcript()).chmod(0)
        store = OpenClawStore(folder / ".openclaw", tmp_path / "private")
        with as_nobody():
            [shown] = store.conversations()
        store.close()
    assert (shown.id, shown.title, shown.size, shown.updated_at) == ("s1", "", 0, None)


def test_an_archive_that_cannot_be_unpacked_is_said(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"")
    with pytest.raises(StorageError, match="The archive cannot be read"):
        openclaw_database.archive_records(lambda: io.BytesIO(b""), tmp_path / "there")


def test_an_index_that_is_none_is_said(state: OpenClawState, store: OpenClawStore) -> None:
    state.file(Transcript())
    (state.sessions / "sessions.json").write_text("[", encoding="utf-8")
    assert ids(store) == {"s1"}
    assert store.problems() == ["main/sessions/sessions.json holds no JSON object."]


def test_a_conversation_that_is_gone_is_said(state: OpenClawState, store: OpenClawStore) -> None:
    path = state.file(Transcript())
    assert ids(store) == {"s1"}
    path.unlink()
    with pytest.raises(StorageError, match="not here any more"):
        store.open("s1")
    with pytest.raises(StorageError, match="not here any more"):
        store.newest("s1", 1)


def test_lines_that_are_no_records_cost_themselves(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one", "two", "three")
    lines = [line.encode() for line in talk.lines]
    lines[2:3] = [
        b'{"type": "message"}',
        b"\0\0",
        b"[" * 100_000,
        b'"text"',
        b"\xff\xfe",
        b'{"type": "message", "message": 7}',
    ]
    (state.sessions / "s1.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    assert texts(store) == ["one", "three"]
    assert len(shape_of(store).damage) == 6
    assert store.conversations()[0].title == "one"


def read_all(root: Path, private: Path) -> None:
    """Reads whatever is there; no bad input raises anything but StorageError."""
    store = OpenClawStore(root, private, today=lambda: TODAY)
    try:
        for one in store.conversations():
            try:
                transcript = store.open(one.id)
            except StorageError:
                continue
            for place in range(len(transcript.shape.kinds)):
                transcript.record(place)
                transcript.path_to(place)
            transcript.close()
            store.newest(one.id, 3)
        for edit in store.edits():
            edit.apply("one\ntwo")
        store.memory_files()
        store.problems()
    finally:
        store.close()


def test_a_transcript_cut_off_anywhere_shows_what_is_whole(state: OpenClawState, store: OpenClawStore) -> None:
    talk = Transcript()
    names = talk.talk("one", "two", "three", "four")
    talk.compact("They counted.", names[2])
    talk.call("write", {"path": "MEMORY.md", "content": "x"})
    path = state.file(talk)
    data = path.read_bytes()
    whole = [0]
    for line in data.splitlines(keepends=True):
        whole.append(whole[-1] + len(line))
    for records, end in enumerate(whole):
        for cut in (0, 7):
            path.write_bytes(data[: end + cut])
            shape = shape_of(store)
            assert len(shape.kinds) == records
            assert len(shape.damage) == (1 if cut and end < len(data) else 0)


def test_a_database_cut_off_anywhere_never_raises(state: OpenClawState, tmp_path: Path) -> None:
    tables = state.database()
    for number in range(10):
        talk = Transcript(f"s{number}")
        talk.talk("one " * 100, "two " * 100)
        tables.events(talk, compress=bool(number % 2))
    tables.cold(Transcript("cold"), in_row=True)
    tables.archive(Transcript("gone"))
    tables.close()
    data = tables.path.read_bytes()
    for length in range(0, len(data), 4096):
        tables.path.write_bytes(data[:length])
        read_all(state.root, tmp_path / "private")


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize("value", ODD, ids=repr)
def test_an_odd_value_at_any_place_of_any_record_is_borne(state: OpenClawState, tmp_path: Path, value: object) -> None:
    talk = Transcript()
    talk.user("I like tea")
    talk.call("edit", {"path": "MEMORY.md", "edits": [{"oldText": "a", "newText": "b"}]}, "done")
    talk.compact("Tea", talk.answer("Noted"))
    talk.add("leaf", targetId=talk.leaf)
    for lines in spoilt_lines(talk.lines, value):
        (state.sessions / "s1.jsonl").write_text("".join(f"{line}\n" for line in lines))
        read_all(state.root, tmp_path / "private")


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**20), 10**20),
        st.floats(),
        st.text(max_size=10),
        st.sampled_from(
            [
                "message",
                "leaf",
                "compaction",
                "reset",
                "user",
                "assistant",
                "toolCall",
                "edit",
                "MEMORY.md",
                "a",
                "b",
                "side",
            ]
        ),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["type", "id", "parentId", "targetId", "appendParentId", "appendMode", "firstKeptEntryId", "firstKeptEntryIndex",
     "message", "timestamp", "cwd", "version", "name", "summary", "content"],
)  # fmt: skip
MESSAGES = st.dictionaries(
    st.sampled_from(
        ["role", "content", "timestamp", "toolCallId", "toolName", "isError", "provenance", "__openclaw", "model"]
    ),
    VALUES,
)


# It takes no branch that no other test takes.
@pytest.mark.no_cover
# It takes no branch that no other test takes.
@pytest.mark.no_cover
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    records=st.lists(st.one_of(st.dictionaries(FIELDS, st.one_of(VALUES, MESSAGES), max_size=8), VALUES), max_size=8),
    noise=st.binary(max_size=60),
    index=VALUES,
    config=VALUES,
)
def test_any_records_index_and_settings_are_borne(
    tmp_path_factory: pytest.TempPathFactory, records: list[Any], noise: bytes, index: Any, config: Any
) -> None:
    state = OpenClawState(tmp_path_factory.mktemp("state") / ".openclaw")
    lines = [json.dumps(record).encode() for record in records]
    (state.sessions / "s1.jsonl").write_bytes(b"\n".join([*lines, noise]))
    (state.sessions / "s2.jsonl.deleted.1.zst").write_bytes(packed(b"\n".join(lines))[: len(noise) * 3 + 1])
    (state.sessions / "sessions.json").write_text(
        json.dumps({"a": index, "b": {"sessionId": "s1", "displayName": index}})
    )
    (state.root / "openclaw.json").write_text(json.dumps({"agents": config, "agent": {"workspace": config}}))
    read_all(state.root, state.root.parent / "private")


# It takes no branch that no other test takes.
@pytest.mark.no_cover
# It takes no branch that no other test takes.
@pytest.mark.no_cover
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    rows=st.lists(
        st.tuples(
            *[
                st.one_of(
                    st.none(),
                    st.integers(-(2**60), 2**60),
                    st.floats(),
                    st.binary(max_size=9),
                    st.sampled_from(["a", "b"]),
                )
            ]
            * 8
        ),
        max_size=6,
    )
)
def test_any_value_in_any_column_is_borne(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[object, ...]]
) -> None:
    state = OpenClawState(tmp_path_factory.mktemp("state") / ".openclaw")
    schema = """CREATE TABLE transcript_events(session_id, seq, event_json, event_zstd, event_utf8_bytes, x, y, z);
        CREATE TABLE session_windows(session_id, session_key, display_name, created_at, updated_at, x, y, z);
        CREATE TABLE session_nodes(session_key, entry_json, label, display_name, archived_at, spawned_by, x, y);
        CREATE TABLE session_transcript_cold_archives(session_id, archive_name, archive_sha256, storage, archived_at,
            archive_blob, x, y);
        CREATE TABLE session_transcript_archives(session_id, session_key, archive_name, created_at, archive_blob,
            encoding, x, y);
        CREATE TABLE schema_meta(schema_version)"""
    tables = AgentTables(state.agent, schema=schema)
    for table in schema.split("CREATE TABLE ")[1:-1]:
        tables.connection.executemany(f"INSERT INTO {table.partition('(')[0]} VALUES ({', '.join('?' * 8)})", rows)
    tables.close()
    read_all(state.root, state.root.parent / "private")


# The store


def test_nothing_in_the_state_changes(state: OpenClawState, tables: AgentTables, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.call("write", {"path": "MEMORY.md", "content": "x"})
    state.file(talk, "s0.jsonl.reset.1.zst")
    tables.events(talk)
    tables.cold(Transcript("cold"))
    state.memory("MEMORY.md", "x")

    def current() -> dict[str, tuple[str, int]]:
        return {
            str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
            for path in state.root.rglob("*")
            if path.is_file()
        }

    before, listing = current(), sorted(str(path) for path in state.root.rglob("*"))
    read_all(state.root, state.root.parent / "private")
    texts(store)
    store.close()
    assert current() == before
    assert sorted(str(path) for path in state.root.rglob("*")) == listing
    assert list((state.root.parent / "private").iterdir()) == []


def test_a_state_is_known_by_what_lies_in_it(state: OpenClawState, tmp_path: Path) -> None:
    assert FORMAT.root_of(state.root) == state.root
    assert FORMAT.root_of(state.sessions) == state.root
    assert FORMAT.root_of(tmp_path) is None
    copy = tmp_path / "copy"
    os.rename(state.root, copy)
    assert FORMAT.root_of(copy) == copy
    assert FORMAT.root_of(copy / "workspace") is None
    store = open_store(copy, private=tmp_path / "private")
    assert store is not None
    assert (store.format_name, store.root) == ("openclaw", copy)
    store.close()
    (tmp_path / ".clawdbot" / "workspace").mkdir(parents=True)
    assert FORMAT.root_of(tmp_path / ".clawdbot") == tmp_path / ".clawdbot"


@pytest.mark.parametrize(
    ("place", "path"),
    [
        (".openclaw", "workspace-coder/MEMORY.md"),
        (".openclaw", "workspace/memory/2026-11-23.md"),
        ("srv/claw", "workspace/SOUL.md"),
        ("srv/claw", "workspace-coder/IDENTITY.md"),
    ],
)
def test_a_state_before_its_first_conversation_has_its_memory(tmp_path: Path, place: str, path: str) -> None:
    root = tmp_path / place
    (root / path).parent.mkdir(parents=True)
    (root / path).write_text("- a\n", encoding="utf-8")
    assert FORMAT.root_of(root) == root
    store = OpenClawStore(root, tmp_path / "private")
    assert [each.path for each in store.memory_files()] == [path]
    assert (store.conversations(), store.problems()) == ([], [])
    store.close()


def test_a_workspace_of_another_program_is_no_state(tmp_path: Path) -> None:
    for name in ("workspace/AGENTS.md", "workspace/notes.md", "workspace.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert FORMAT.root_of(tmp_path) is None
    (tmp_path / "workspace" / "SOUL.md").touch()
    assert FORMAT.root_of(tmp_path) == tmp_path
    (tmp_path / "config.json").touch()
    assert FORMAT.root_of(tmp_path) is None


def test_it_is_looked_for_where_it_usually_is() -> None:
    home = Path("/home/user")
    assert list(FORMAT.usual_roots(home, {})) == [home / ".openclaw", home / ".clawdbot"]
    assert list(FORMAT.usual_roots(home, {"OPENCLAW_STATE_DIR": "/srv/claw"})) == [Path("/srv/claw")]


def others(store: OpenClawStore, conversation: str = "s1") -> list[ForeignRecord]:
    with closing(store.open(conversation)) as transcript:
        kinds = [KINDS[kind] for kind in transcript.shape.kinds]
        return [transcript.record(place) for place, kind in enumerate(kinds) if kind is RecordKind.ASIDE][1:]


def test_what_is_noted_of_the_system_prompt_stands_behind_the_records(
    tables: AgentTables, store: OpenClawStore
) -> None:
    talk = Transcript("s1")
    talk.talk("Hello", "Good morning")
    tables.events(talk)
    for key, session in (("agent:main:main", "s1"), ("agent:main:other", "s2")):
        tables.node(key, session)
        tables.window(session, key)
    tables.snapshot("agent:main:main", "systemPromptReport", {"systemPrompt": {"chars": 4711}})
    tables.snapshot("agent:main:main", "skillsSnapshot", ["weather"])
    tables.snapshot("agent:main:other", "systemPromptReport", {"chars": 1})
    skills, report = others(store)
    assert json.loads(report.raw) == {
        "type": "session_entry_snapshot", "field": "systemPromptReport", "value": {"systemPrompt": {"chars": 4711}}
    }  # fmt: skip
    assert json.loads(skills.raw)["value"] == ["weather"]
    with closing(store.open("s1")) as transcript:
        assert (transcript.shape.unknown_records, transcript.shape.damage) == (0, ())
        assert transcript.shape.branches == ()
    assert [each.text for each in path_of(store)] == ["Hello", "Good morning"]
    assert [each.text for each in store.newest("s1", 5)] == ["Hello", "Good morning"]
    assert store.problems() == []


@pytest.mark.parametrize("value", ["{", b"\xff\xfe", '"\\ud800"', "[" * 5000])
def test_a_note_that_is_no_json_is_damaged_and_the_rest_is_shown(
    tables: AgentTables, store: OpenClawStore, value: str | bytes
) -> None:
    talk = Transcript("s1")
    talk.talk("Hello")
    tables.events(talk)
    tables.node("agent:main:main", "s1")
    tables.snapshot("agent:main:main", "systemPromptReport", value)
    (note,) = others(store)
    assert note.text == ""
    assert [each.text for each in path_of(store)] == ["Hello"]


def test_notes_of_a_layout_that_is_not_known_are_passed_over_or_said(tables: AgentTables, store: OpenClawStore) -> None:
    talk = Transcript("s1")
    talk.talk("Hello")
    tables.events(talk)
    tables.connection.execute("CREATE TABLE session_entry_snapshots(id TEXT)")
    assert others(store) == []
    tables.connection.execute("DROP TABLE session_entry_snapshots")
    tables.snapshot("agent:main:main", "systemPromptReport", {})
    tables.connection.execute("ALTER TABLE session_nodes RENAME TO session_nodes_2")
    with closing(store.open("s1")) as transcript:
        assert transcript.shape.damage == ("Not all rows of this conversation can be read.",)
        assert transcript.shape.messages == 1


def test_a_table_without_row_numbers_is_said(state: OpenClawState, store: OpenClawStore) -> None:
    tables = AgentTables(
        state.agent,
        schema="CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT,"
        " PRIMARY KEY (session_id, seq)) WITHOUT ROWID; INSERT INTO transcript_events VALUES ('s1', 0, '{}')",
    )
    tables.close()
    assert ids(store) == {"s1"}
    assert shape_of(store).damage == ("Not all rows of this conversation can be read.",)


@pytest.mark.parametrize("stated", ["of the file", "of what is in it", "none"])
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_cold_archive_is_found_whatever_its_columns_are_called(
    tables: AgentTables, store: OpenClawStore, stated: str, is_packed: bool
) -> None:
    talk = Transcript()
    talk.talk("one", "two")
    path = tables.cold(talk)
    inside = zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())
    data = path.read_bytes() if is_packed else inside
    digest = hashlib.sha256({"of the file": data, "of what is in it": inside}.get(stated, b"")).hexdigest()
    path.with_name(f"{digest}.jsonl.zst").write_bytes(data)
    tables.connection.executescript(
        "DROP TABLE session_transcript_cold_archives;"
        "CREATE TABLE session_transcript_cold_archives(session_id, sha256, name, blob);"
    )
    row = ("s1", digest, None, None) if stated != "none" else ("s1", None, None, data)
    tables.connection.execute("INSERT INTO session_transcript_cold_archives VALUES (?, ?, ?, ?)", row)
    assert texts(store) == ["one", "two"]
    assert shape_of(store).damage == ()


def test_a_cold_archive_whose_row_is_gone_is_said(tables: AgentTables, store: OpenClawStore) -> None:
    talk = Transcript()
    talk.talk("one")
    tables.cold(talk, in_row=True)
    assert texts(store) == ["one"]
    tables.connection.execute("DELETE FROM session_transcript_cold_archives")
    with pytest.raises(StorageError, match="The archive cannot be read"):
        store.open("s1")


def test_a_cold_table_of_another_shape_is_said(state: OpenClawState, store: OpenClawStore) -> None:
    with sqlite3.connect(state.database().path) as connection:
        connection.execute("DROP TABLE session_transcript_cold_archives")
        connection.execute("CREATE TABLE session_transcript_cold_archives(session_id TEXT)")
        connection.execute("INSERT INTO session_transcript_cold_archives VALUES ('s1')")
    connection.close()
    assert ids(store) == {"s1"}
    with pytest.raises(StorageError, match="The archive cannot be read"):
        store.open("s1")
