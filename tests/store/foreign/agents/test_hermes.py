"""Homes of Hermes Agent: conversations over their compactions, memory files with what is loaded, and who wrote them."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import ForeignRecord, ForeignRole, MemoryEdit, RecordKind
from mnemoscope.store.foreign.agents.hermes import FORMAT, HermesStore
from mnemoscope.store.foreign.agents.hermes_transcript import HermesTranscript
from mnemoscope.store.foreign.store_formats import open_store
from tests.foreign_stores.hermes import BEGIN, SUMMARY, SUMMARY_END, HermesHome

JSON_MARK = "\x00json:"
PRIOR = "[PRIOR CONTEXT — for reference only; not a new message]"
PRIOR_END = "[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]"
CALL_WITH_A_NUMBER = (
    r'[{"id": 1, "function": {"name": "memory", "arguments": "{\"action\": \"add\", \"content\": 7}"}}]'
)
CALL_OF_SEVERAL = (
    r'[{"function": {"name": "memory", "arguments": {"operations": [1, {"action": "add", "content": "\ud800"}]}}}]'
)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[HermesHome]:
    one = HermesHome(tmp_path / ".hermes")
    yield one
    one.close()


@pytest.fixture
def store(home: HermesHome, tmp_path: Path) -> Iterator[HermesStore]:
    now = [0.0]

    def clock() -> float:
        now[0] += 10
        return now[0]

    one = HermesStore(home.root, tmp_path / "private", clock=clock)
    yield one
    one.close()


def texts(store: HermesStore, conversation: str) -> list[str]:
    """Returns the texts of the active path."""
    return [record.text for record in path_of(store, conversation)]


def path_of(store: HermesStore, conversation: str) -> list[ForeignRecord]:
    transcript = store.open(conversation)
    try:
        return [transcript.record(place) for place in transcript.shape.active]
    finally:
        transcript.close()


def shape_of(store: HermesStore, conversation: str) -> HermesTranscript:
    """Returns a transcript that is closed: its shape is kept."""
    transcript = store.open(conversation)
    transcript.close()
    return transcript


def replayed(edits: list[MemoryEdit], path: str, text: str = "") -> str | None:
    for edit in edits:
        if edit.path == path:
            after = edit.apply(text)
            assert after is not None
            text = after
    return text


# Conversations


def test_a_session_is_a_conversation_with_its_title_and_times(home: HermesHome, store: HermesStore) -> None:
    home.talk(home.session("first", title="Graz", model="m"), "Hello", "Hi")
    home.talk(home.session("second"), "  What is\n the time?  ", "Noon")
    second, first = store.conversations()
    assert (first.id, first.title, first.path, first.role) == ("first", "Graz", "state.db", ForeignRole.MAIN)
    assert second.title == "What is the time?"
    assert first.created_at == datetime.fromtimestamp(BEGIN, UTC)
    assert first.updated_at == datetime.fromtimestamp(BEGIN + 2, UTC)
    assert texts(store, "first") == ["Hello", "Hi"]
    assert store.problems() == []
    assert (store.format_name, store.root) == ("hermes", home.root)


def test_messages_are_texts_answers_and_the_result_of_each_call(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.say(session, "system", "You are Hermes.")
    home.say(session, "user", "Look", api_content="Look [noon]")
    calls = [
        {"id": "a", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "x"}'}},
        {"call_id": "b", "name": "terminal", "arguments": {"command": "ls"}},
        "no call",
        {"id": "c", "function": {"name": "broken", "arguments": "{"}},
    ]
    home.say(session, "assistant", "I will", tool_calls=json.dumps(calls))
    home.say(session, "tool", '{"error": "none such"}', tool_call_id="a", tool_name="read_file")
    home.say(session, "tool", "", tool_call_id="b", tool_name="terminal")
    home.say(session, "assistant", None, reasoning="Hm", tool_calls="not JSON")
    home.say(session, "assistant", "Done")
    home.say(session, "user", "", display_kind=None)
    home.say(session, "user", "[model changed]", display_kind="model_switch")
    home.say(session, "assistant", "not to be seen", display_kind="hidden")
    home.say(session, "oracle", "of another version")
    person, answer, failed, empty, last = path_of(store, "one")
    assert (person.sent, answer.sent) == ("Look [noon]", "")
    assert '"api_content"' in person.raw
    assert (person.kind, answer.kind, empty.kind) == (RecordKind.PERSON, RecordKind.ANSWER, RecordKind.RESULT)
    assert [(call.id, call.name, dict(call.arguments)) for call in answer.calls] == [
        ("a", "read_file", {"path": "x"}),
        ("b", "terminal", {"command": "ls"}),
        ("c", "broken", {}),
    ]
    assert (failed.answers, failed.tool, failed.failed, empty.failed) == ("a", "read_file", True, False)
    assert last.text == "Done"
    transcript = store.open("one")
    assert transcript.shape.unknown_records == 1
    assert transcript.record(10).kind is RecordKind.UNKNOWN
    assert "of another version" in transcript.record(10).raw
    with pytest.raises(IndexError):
        transcript.record(11)
    transcript.close()
    assert transcript.record(0).kind is RecordKind.DAMAGED


def test_what_is_structured_is_read_and_images_are_counted(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    parts = [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {}}, 7, {"type": "text", "text": "it"}]
    home.say(session, "user", JSON_MARK + json.dumps(parts))
    home.say(session, "user", JSON_MARK + "{")
    seen, broken = path_of(store, "one")
    assert (seen.text, seen.images) == ("See\nit", 1)
    assert broken.text == JSON_MARK + "{"


def test_columns_that_an_older_version_lacks_have_what_they_began_with(tmp_path: Path) -> None:
    home = HermesHome(tmp_path / "older", old=True)
    home.talk(home.session("one"), "Hello", "Hi")
    home.end("one", "compression")
    home.talk(home.session("two", parent_session_id="one"), f"{SUMMARY} They met.", "Go on")
    home.close()
    store = HermesStore(home.root, tmp_path / "private")
    assert [one.title for one in store.conversations()] == ["Hello"]
    assert texts(store, "two") == ["Hello", "Hi", "Go on"]
    store.close()


def test_a_child_of_a_compressed_session_goes_on_with_it(home: HermesHome, store: HermesStore) -> None:
    home.session("root", title="Graz")
    numbers = home.talk("root", "one", "two", "three", "four")
    home.end("root", "compression")
    home.session("middle", parent_session_id="root")
    home.say("middle", "user", f"{SUMMARY}\nThey counted.")
    home.copy(numbers[2], "middle")
    home.copy(numbers[3], "middle")
    home.talk("middle", "five", "six")
    home.end("middle", "compression")
    home.session("tip", parent_session_id="middle")
    home.say("tip", "assistant", f"{SUMMARY}\nThey counted on.")
    home.talk("tip", "seven", "eight")
    [one] = store.conversations()
    assert (one.id, one.title, one.parent) == ("tip", "Graz", "")
    assert texts(store, "tip") == ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    shape = shape_of(store, "tip").shape
    assert [mark.kept_from for mark in shape.compactions] == [2, 6]
    assert shape.last_consolidated == 6
    assert shape.branches == ()
    transcript = store.open("tip")
    place = shape.compactions[1].summary
    assert place is not None
    assert transcript.record(place).kind is RecordKind.SUMMARY
    assert "counted on" in transcript.record(place).text
    transcript.close()


def test_a_child_without_a_summary_is_a_compaction_all_the_same(home: HermesHome, store: HermesStore) -> None:
    home.talk(home.session("root"), "one", "two")
    home.end("root", "compression")
    home.talk(home.session("tip", parent_session_id="root"), "three")
    mark = shape_of(store, "tip").shape.compactions[0]
    assert (mark.kept_from, mark.summary) == (2, None)
    home.end("tip", "compression")
    home.session("empty", parent_session_id="tip")
    assert [each.kept_from for each in shape_of(store, "empty").shape.compactions] == [2, 3]


def test_a_session_compressed_in_two_ways_at_once_has_a_conversation_each(home: HermesHome, store: HermesStore) -> None:
    home.talk(home.session("root"), "one")
    home.end("root", "compression")
    home.talk(home.session("a", parent_session_id="root"), "to a")
    home.talk(home.session("b", parent_session_id="root"), "to b")
    assert {one.id for one in store.conversations()} == {"a", "b"}
    assert texts(store, "a") == ["one", "to a"]
    assert texts(store, "b") == ["one", "to b"]


@pytest.mark.parametrize("is_new", [True, False])
def test_a_compaction_in_place_shows_each_message_once(home: HermesHome, store: HermesStore, is_new: bool) -> None:
    session = home.session("one")
    numbers = home.talk(session, "one", "two", "three", "four")
    home.compact(session, "They counted.", numbers[2:], is_new=is_new)
    home.talk(session, "five", "six")
    shape = shape_of(store, session).shape
    assert texts(store, session) == ["one", "two", "three", "four", "five", "six"]
    assert [mark.kept_from for mark in shape.compactions] == [2]
    assert (shape.messages, shape.last_consolidated, shape.branches, shape.unknown_records) == (6, 2, (), 0)


def test_several_compactions_in_place_have_a_mark_each(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    numbers = home.talk(session, "one", "two", "three", "four")
    home.compact(session, "They counted to two.", numbers[2:])
    later = home.talk(session, "five", "six")
    home.compact(session, "They counted to five.", later[1:])
    home.talk(session, "seven")
    shape = shape_of(store, session).shape
    assert texts(store, session) == ["one", "two", "three", "four", "five", "six", "seven"]
    assert [mark.kept_from for mark in shape.compactions] == [2, 5]


def test_a_summary_that_was_copied_or_undone_is_no_compaction_of_its_own(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.talk(session, "one", "two")
    home.compact(session, "They counted.")
    summary = home.connection.execute("SELECT max(id) FROM messages").fetchone()[0]
    home.talk(session, "three")
    home.copy(summary, session)
    home.undo(home.say(session, "user", f"{SUMMARY} undone"))
    assert [mark.kept_from for mark in shape_of(store, session).shape.compactions] == [2]


def test_rows_that_were_summarised_without_a_summary_are_a_compaction(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    numbers = home.talk(session, "one", "two", "three")
    home.compact(session, "", numbers[2:])
    shape = shape_of(store, session).shape
    assert texts(store, session) == ["one", "two", "three"]
    assert [(mark.kept_from, mark.summary) for mark in shape.compactions] == [(2, None)]


@pytest.mark.parametrize(
    "row",
    [
        f"{SUMMARY}\nThey counted.\n\n{SUMMARY_END}\n\nthree",
        f"{PRIOR}\nthree\n\n{PRIOR_END}\n\n{SUMMARY}\nThey counted.",
    ],
)
def test_a_message_that_stands_in_one_row_with_the_summary_is_kept(
    home: HermesHome, store: HermesStore, row: str
) -> None:
    session = home.session("one")
    numbers = home.talk(session, "one", "two", "three")
    home.compact(session, "")
    home.undo(numbers[2])
    home.connection.execute("UPDATE messages SET compacted = 0 WHERE id = ?", (numbers[2],))
    home.say(session, "user", row, timestamp=home.now)
    home.talk(session, "four")
    shape = shape_of(store, session).shape
    assert texts(store, session) == ["one", "two", "three", "four"]
    assert [mark.kept_from for mark in shape.compactions] == [2]


def test_two_messages_that_are_the_same_and_still_sent_are_two(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    for _ in range(3):
        home.say(session, "user", "yes", timestamp=BEGIN)
    assert texts(store, session) == ["yes"] * 3


def test_what_was_undone_is_a_branch(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.talk(session, "one", "two")
    undone = home.talk(session, "wrong", "sorry", "still wrong")
    home.talk(session, "right", "yes")
    home.undo(*undone)
    last = home.talk(session, "more", "of it")
    home.undo(*last)
    shape = shape_of(store, session).shape
    assert texts(store, session) == ["one", "two", "right", "yes"]
    assert shape.branches == (4, 8)
    transcript = shape_of(store, session)
    assert list(transcript.path_to(4)) == [0, 1, 2, 3, 4]
    assert list(transcript.path_to(5)) == [0, 1, 5]
    assert list(transcript.path_to(8)) == [0, 1, 5, 6, 7, 8]


def test_delegates_branches_resets_and_what_is_archived_are_told_apart(home: HermesHome, store: HermesStore) -> None:
    home.talk(home.session("root", session_key="k"), "one")
    home.session("delegate", parent_session_id="root", model_config={"_delegate_from": "root"})
    home.session("tool", source="tool")
    home.session("unmarked", parent_session_id="root", model_config="not JSON")
    home.session("branch", parent_session_id="root", model_config={"_branched_from": "root"})
    home.session("old", archived=1)
    home.session("orphan", parent_session_id="gone")
    home.session("before", session_key="k")
    home.end("before", "branched")
    home.session("old branch", parent_session_id="before")
    home.session("evening", session_key="k")
    home.end("evening", "daily")
    home.session("morning", parent_session_id="evening", session_key="k")
    home.session("night", parent_session_id="evening", session_key="other")
    roles = {one.id: one.role for one in store.conversations()}
    assert {name for name, role in roles.items() if role is ForeignRole.SUBAGENT} == {
        "delegate",
        "tool",
        "unmarked",
        "night",
    }
    assert {name for name, role in roles.items() if role is ForeignRole.ARCHIVE} == {"old"}
    assert next(one.parent for one in store.conversations() if one.id == "delegate") == "root"


def test_a_delegate_of_a_compressed_session_does_not_continue_it(home: HermesHome, store: HermesStore) -> None:
    home.session("root")
    home.session("delegate", parent_session_id="root", model_config={"_delegate_from": "root"}, started_at=BEGIN + 99)
    home.talk("root", "one")
    home.session("unmarked", parent_session_id="root", started_at=BEGIN)
    home.end("root", "compression")
    home.session("tool", parent_session_id="root", source="tool", started_at=BEGIN + 99)
    home.session("tip", parent_session_id="root", model_config={"_delegate_from": "another one"})
    roles = {one.id: one.role for one in store.conversations()}
    assert roles == {
        "delegate": ForeignRole.SUBAGENT,
        "unmarked": ForeignRole.SUBAGENT,
        "tool": ForeignRole.SUBAGENT,
        "tip": ForeignRole.MAIN,
    }


def test_the_newest_messages_come_without_reading_all(home: HermesHome, store: HermesStore) -> None:
    numbers = home.talk(home.session("root"), "one", "two", "three")
    home.end("root", "compression")
    home.session("tip", parent_session_id="root")
    home.say("tip", "user", f"{SUMMARY} They counted.")
    home.copy(numbers[2], "tip")
    undone = home.talk("tip", "four", "five")
    home.undo(undone[1])
    assert [record.text for record in store.newest("tip", 2)] == ["three", "four"]
    assert [record.text for record in store.newest("tip", 3)] == ["two", "three", "four"]
    assert [record.text for record in store.newest("tip", 99)] == ["one", "two", "three", "four"]
    assert store.newest("gone", 2) == []


def test_it_is_followed_while_the_agent_writes(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.talk(session, "one")
    assert texts(store, session) == ["one"]
    home.talk(session, "two")
    assert texts(store, session) == ["one", "two"]


# Memory


def test_memory_files_have_entries_and_what_of_them_is_loaded(home: HermesHome, store: HermesStore) -> None:
    home.memory("One fact\nof two lines", "x" * 3000, user=["u" * 1000, "v" * 1000])
    (home.root / "SOUL.md").write_text("Be brief.", encoding="utf-8")
    (home.root / "memories" / "MEMORY.md.lock").write_bytes(b"")
    home.pending("p1", action="add", target="memory", content="Waits", old_text=None)
    memory, user, soul, waiting = store.memory_files()
    assert (memory.path, memory.role, memory.entries, memory.characters, memory.loaded_characters) == (
        "memories/MEMORY.md",
        "memory",
        2,
        3024,
        2200,
    )
    assert (user.path, user.role, user.entries, user.loaded_characters) == ("memories/USER.md", "user", 2, 1375)
    assert (soul.path, soul.role, soul.entries, soul.loaded_characters) == ("SOUL.md", "soul", 1, 9)
    assert (waiting.path, waiting.role, waiting.entries, waiting.loaded_characters) == (
        "pending/memory/p1.json",
        "waiting",
        1,
        0,
    )
    assert "Waits" in waiting.text


def test_the_limits_are_those_of_the_settings(home: HermesHome, store: HermesStore) -> None:
    home.memory("m" * 5000, user=["u" * 5000])
    (home.root / "config.yaml").write_text(
        "memory:\n  # memory_char_limit: 1\n  memory_char_limit: 4000  # more\n  user_char_limit: '900'\n",
        encoding="utf-8",
    )
    assert [each.loaded_characters for each in store.memory_files()] == [4000, 900]
    (home.root / "config.yaml").write_text("memory_char_limit: [broken", encoding="utf-8")
    assert [each.loaded_characters for each in store.memory_files()] == [2200, 1375]


def test_a_memory_file_that_leads_out_of_the_home_is_not_followed(
    home: HermesHome, store: HermesStore, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("not ours", encoding="utf-8")
    (home.root / "memories" / "MEMORY.md").symlink_to(tmp_path / "secret.md")
    assert store.memory_files() == []
    assert "MEMORY.md" in store.problems()[0]


# Who wrote it


def test_each_call_that_took_effect_is_an_edit_with_the_text_before_it(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.say(session, "user", "I live in Graz")
    home.remember(session, action="add", target="memory", content=" Lives in Graz ")
    home.say(session, "user", "And I like tea")
    home.remember(session, action="add", target="user", content="Likes tea")
    home.remember(session, action="replace", target="memory", old_text="Graz", content="Lives in Graz,\nin Austria")
    home.say(session, "user", "Two more")
    home.remember(
        session,
        target="memory",
        operations=[
            {"action": "add", "content": "Alpha"},
            {"action": "add", "content": "B"},
            {"action": "add", "content": "B"},
            {"action": "remove", "old_text": "Alpha"},
            {"action": "remove", "old_text": "Lives in Graz"},
        ],
    )
    edits = list(store.edits())
    assert [(edit.path, edit.message_text, edit.tool) for edit in edits] == [
        ("memories/MEMORY.md", "I live in Graz", "memory"),
        ("memories/USER.md", "And I like tea", "memory"),
        ("memories/MEMORY.md", "And I like tea", "memory"),
        ("memories/MEMORY.md", "Two more", "memory"),
    ]
    assert [edit.conversation for edit in edits] == [session] * 4
    assert edits[0].when == datetime.fromtimestamp(BEGIN + 2, UTC)
    assert replayed(edits[:3], "memories/MEMORY.md") == "Lives in Graz,\nin Austria"
    assert replayed(edits[1:2], "memories/USER.md") == "Likes tea"
    assert replayed(edits, "memories/MEMORY.md") == "B"


def test_calls_that_failed_or_wait_for_the_person_wrote_nothing(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.remember(session, action="add", content="too long", result={"success": False, "error": "over the limit"})
    home.remember(session, action="add", content="waits", result={"success": True, "staged": True, "pending_id": "1"})
    home.remember(session, action="add", content="wrong", result="Error: no such tool")
    home.remember(session, action="add", content="nowhere", target="elsewhere")
    home.call(session, "terminal", {"command": "memory"}, "ok")
    home.say(session, "tool", "of a call that is not there", tool_call_id="gone")
    home.call(session, "memory", {"action": "add", "content": "no result is left"}, None)
    home.say(session, "tool", "of a call that is not there", tool_call_id="gone")
    home.remember(session, action="add", content="written", result="[memory] add on memory")
    assert [edit.apply("") for edit in store.edits()] == ["no result is left", "written"]


def test_memory_that_was_written_with_ordinary_tools_is_found_too(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    path = "/home/user/.hermes/memories/MEMORY.md"
    home.call(session, "write_file", {"path": path, "content": "one\n§\ntwo two"}, {"bytes_written": 9})
    home.call(session, "patch", {"path": path, "old_string": "one", "new_string": "1"}, {"success": True})
    home.call(session, "patch", {"path": path, "old_string": "two", "new_string": "2", "replace_all": True}, "ok")
    home.call(session, "patch", {"path": path, "old_string": "nowhere", "new_string": "2"}, "ok")
    home.call(session, "patch", {"path": path, "old_string": "", "new_string": "memory"}, "ok")
    home.call(session, "patch", {"path": path, "old_string": "one", "new_string": "x"}, {"error": "not found"})
    home.call(session, "write_file", {"path": "memory.txt", "content": "no memory"}, "ok")
    home.call(session, "write_file", {"path": path, "content": None}, "ok")
    write, first, second, nowhere = store.edits()
    assert (write.path, write.after, write.tool) == ("memories/MEMORY.md", "one\n§\ntwo two", "write_file")
    assert write.apply("before") == write.after
    assert [first.apply("one, one"), first.apply("one")] == [None, "1"]
    assert (second.apply("two two"), nowhere.apply("one")) == ("2 2", None)


def test_results_go_with_the_last_call_of_their_name(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.call(session, "memory", {"action": "add", "content": "first"}, {"success": False}, name="call_0")
    home.call(session, "memory", {"action": "add", "content": "second"}, {"success": True}, name="call_0")
    assert [edit.apply("") for edit in store.edits()] == ["second"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "add", "content": " "},
        {"action": "replace", "old_text": "a", "content": ""},
        {"action": "remove", "old_text": ""},
        {"action": "forget", "old_text": "one"},
        {"action": 7},
        {"operations": [{"action": "add", "content": "fits"}, {"action": "remove"}]},
        {"operations": "several", "action": None},
    ],
)
def test_a_call_that_can_have_no_effect_fits_no_text(
    home: HermesHome, store: HermesStore, arguments: dict[str, object]
) -> None:
    home.remember(home.session("one"), **arguments)
    [edit] = store.edits()
    assert edit.apply("one") is None


def test_what_took_the_place_of_an_entry_that_is_not_known_is_known(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.remember(session, action="replace", old_text="from outside", content="Lives in Graz")
    home.remember(session, action="remove", old_text="from outside too")
    home.remember(session, action="replace", old_text="Lives in Graz", content="Lives in Vienna")
    home.remember(session, action="add", content="Lives in Vienna")
    assert replayed(list(store.edits()), "memories/MEMORY.md", "Likes tea") == "Likes tea\n§\nLives in Vienna"


def test_an_edit_on_a_branch_has_the_text_of_its_branch(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    home.talk(session, "main", "yes")
    first = home.connection.execute("SELECT max(id) FROM messages").fetchone()[0]
    home.say(session, "user", "undone")
    home.remember(session, action="add", content="from the branch")
    last = home.connection.execute("SELECT max(id) FROM messages").fetchone()[0]
    home.undo(*range(first + 1, last + 1))
    home.remember(session, action="add", content="from the path")
    assert [edit.message_text for edit in store.edits()] == ["undone", "main"]


def test_edits_of_sessions_on_one_path_are_told_once_and_in_their_order(home: HermesHome, store: HermesStore) -> None:
    home.talk(home.session("root"), "said before")
    home.session("other")
    number = home.remember("root", action="add", content="one")
    home.remember("other", action="add", content="two")
    home.end("root", "compression")
    home.session("tip", parent_session_id="root")
    home.say("tip", "user", f"{SUMMARY} They noted.")
    home.copy(number, "tip")
    home.remember("tip", action="add", content="three")
    home.session("fork", parent_session_id="root")
    edits = list(store.edits())
    assert [edit.apply("") for edit in edits] == ["one", "two", "three"]
    assert [edit.message_text for edit in edits] == ["said before", "", "said before"]


# Damage


def test_a_home_without_a_database_shows_its_memory(tmp_path: Path) -> None:
    (tmp_path / "home" / "memories").mkdir(parents=True)
    (tmp_path / "home" / "memories" / "USER.md").write_text("Likes tea", encoding="utf-8")
    store = HermesStore(tmp_path / "home", tmp_path / "private")
    assert [each.path for each in store.memory_files()] == ["memories/USER.md"]
    assert (store.conversations(), list(store.edits()), store.newest("one", 1), store.problems()) == ([], [], [], [])
    with pytest.raises(StorageError, match="not here any more"):
        store.open("one")
    store.close()


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + b"\0" * 100])
def test_a_database_that_is_none_is_said_and_the_memory_is_shown(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".hermes" / "memories").mkdir(parents=True)
    (tmp_path / ".hermes" / "memories" / "MEMORY.md").write_text("Lives in Graz", encoding="utf-8")
    (tmp_path / ".hermes" / "state.db").write_bytes(content)
    store = open_store(tmp_path / ".hermes", private=tmp_path / "private")
    assert store is not None
    assert len(store.problems()) >= 1
    assert "state.db" in store.problems()[0]
    assert [each.text for each in store.memory_files()] == ["Lives in Graz"]
    with pytest.raises(StorageError):
        store.open("one")
    store.close()


def test_a_database_that_leads_out_of_the_home_is_not_followed(
    home: HermesHome, store: HermesStore, tmp_path: Path
) -> None:
    os.rename(home.database, tmp_path / "elsewhere.db")
    home.database.symlink_to(tmp_path / "elsewhere.db")
    assert store.conversations() == []
    assert store.problems() == ["state.db is a link out of the store and was not followed."]


def test_a_database_of_another_program_has_no_sessions(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    with sqlite3.connect(tmp_path / "state.db") as other:
        other.execute("CREATE TABLE sessions(name)")
        other.execute("CREATE VIEW messages AS SELECT 1 AS session_id, 2 AS role")
    other.close()
    store = HermesStore(tmp_path, tmp_path / "private")
    assert store.conversations() == []
    assert store.problems() == ["state.db has no sessions as this reader knows them."]
    store.close()


def test_sessions_without_messages_as_they_are_known_are_shown_empty(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    with sqlite3.connect(tmp_path / "state.db") as other:
        other.execute("CREATE TABLE sessions(id, parent_session_id)")
        other.execute("INSERT INTO sessions VALUES ('one', NULL), ('a', 'b'), ('b', 'a')")
    other.close()
    store = HermesStore(tmp_path, tmp_path / "private")
    assert {one.id for one in store.conversations()} == {"one", "a", "b"}
    shape = shape_of(store, "one").shape
    assert (shape.messages, shape.damage) == (0, ("The rows of this conversation cannot be read: it has no messages.",))
    assert (store.newest("one", 1), list(store.edits())) == ([], [])
    store.close()


def test_sessions_that_name_each_other_as_parent_end(home: HermesHome, store: HermesStore) -> None:
    for name, parent in (("a", "b"), ("b", "a"), ("self", "self")):
        home.talk(home.session(name, parent_session_id=parent), f"in {name}")
        home.end(name, "compression")
    home.connection.execute("UPDATE sessions SET ended_at = NULL")
    assert {one.id for one in store.conversations()} == {"a", "b", "self"}
    assert texts(store, "self") == ["in self"]
    assert texts(store, "a") == ["in b", "in a"]


def test_rows_on_a_damaged_page_cost_themselves(home: HermesHome, store: HermesStore) -> None:
    session = home.session("one")
    for number in range(300):
        home.say(session, "user", f"text {number} " + "x" * 300)
    home.close()
    data = bytearray(home.database.read_bytes())
    where = data.index(b"text 150 ")
    page = where // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    home.database.write_bytes(data)
    transcript = store.open(session)
    damaged = transcript.shape.kinds.count(list(RecordKind).index(RecordKind.DAMAGED))
    assert 0 < damaged < 20
    assert transcript.shape.messages == 300 - damaged
    assert transcript.shape.damage == ("Not all rows of this conversation can be read.",)
    assert transcript.record(150).kind is RecordKind.DAMAGED
    transcript.close()
    assert "damaged" in store.problems()[0]
    assert [one.id for one in store.conversations()] == [session]


def test_a_database_cut_off_anywhere_never_raises(home: HermesHome, tmp_path: Path) -> None:
    for number in range(60):
        home.say(home.session(f"s{number}"), "user", f"text {number} " + "x" * 300)
    home.remember("s1", action="add", content="one")
    home.close()
    data = home.database.read_bytes()
    for length in range(0, len(data), 2048):
        root = tmp_path / f"cut {length}" / ".hermes"
        (root / "memories").mkdir(parents=True)
        (root / "state.db").write_bytes(data[:length])
        read_all(root, tmp_path / "private")


def read_all(root: Path, private: Path) -> HermesStore:
    """Reads whatever is there; no bad input raises anything but StorageError."""
    store = HermesStore(root, private)
    try:
        for one in store.conversations():
            try:
                transcript = store.open(one.id)
            except StorageError:
                continue
            for place in range(len(transcript.shape.kinds)):
                transcript.record(place)
            store.newest(one.id, 3)
            transcript.close()
        for edit in store.edits():
            edit.apply("one\n§\ntwo")
        store.memory_files()
        assert all(sentence.startswith("state.db ") for sentence in store.problems())
    finally:
        store.close()
    return store


VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.binary(max_size=20),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.sampled_from(
        [
            "user",
            "assistant",
            "tool",
            "memory",
            "compression",
            "s0",
            "s1",
            SUMMARY,
            JSON_MARK + "[" * 3000,
            "[" * 100_000,
        ]
    ),
    st.sampled_from([CALL_WITH_A_NUMBER, CALL_OF_SEVERAL]),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    sessions=st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES, VALUES), max_size=4),
    messages=st.lists(st.tuples(*[VALUES] * 9), max_size=8),
)
def test_any_value_in_any_column_is_borne(
    tmp_path_factory: pytest.TempPathFactory, sessions: list[tuple[object, ...]], messages: list[tuple[object, ...]]
) -> None:
    root = tmp_path_factory.mktemp("home")
    (root / "memories").mkdir()
    connection = sqlite3.connect(root / "state.db")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("CREATE TABLE sessions(id, parent_session_id, end_reason, started_at, ended_at)")
    connection.execute(
        "CREATE TABLE messages(session_id, role, content, tool_calls, tool_call_id, timestamp, active, compacted,"
        " display_kind)"
    )
    connection.executemany("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", sessions)
    connection.executemany(f"INSERT INTO messages VALUES ({', '.join('?' * 9)})", messages)
    connection.commit()
    connection.close()
    read_all(root, root / "private")


# The store


def test_nothing_in_the_home_changes(home: HermesHome, store: HermesStore) -> None:
    home.memory("Lives in Graz")
    session = home.session("one")
    home.talk(session, "Hello", "Hi")
    home.remember(session, action="add", content="x")

    def state() -> dict[str, tuple[str, int]]:
        return {
            str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
            for path in home.root.rglob("*")
            if path.is_file()
        }

    before, listing = state(), sorted(os.listdir(home.root))
    read_all(home.root, home.root.parent / "private")
    texts(store, session)
    store.close()
    assert state() == before
    assert sorted(os.listdir(home.root)) == listing


def test_a_home_is_known_by_what_lies_in_it(home: HermesHome, tmp_path: Path) -> None:
    assert FORMAT.root_of(home.root) == home.root
    assert FORMAT.root_of(home.root / "memories") == home.root
    assert FORMAT.root_of(tmp_path) is None
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    os.link(home.database, elsewhere / "state.db")
    os.link(f"{home.database}-wal", elsewhere / "state.db-wal")
    assert FORMAT.root_of(elsewhere) == elsewhere
    other = tmp_path / "other"
    other.mkdir()
    (other / "state.db").write_bytes(b"SQLite format 3\x00 of another program")
    assert FORMAT.root_of(other) is None
    (other / "state.db").chmod(0)
    assert FORMAT.root_of(other) is None
    codex = tmp_path / ".codex"
    (codex / "memories").mkdir(parents=True)
    (codex / "memories" / "MEMORY.md").write_text("# Handbook", encoding="utf-8")
    assert FORMAT.root_of(codex) is None
    (codex / "config.yaml").write_text("", encoding="utf-8")
    assert FORMAT.root_of(codex) == codex


@pytest.mark.parametrize("path", ["SOUL.md", "memories/MEMORY.md", "pending/memory/a.json"])
@pytest.mark.parametrize("place", [".hermes", ".hermes/profiles/work", "srv/hermes"])
def test_a_home_before_its_first_conversation_has_its_memory(tmp_path: Path, place: str, path: str) -> None:
    root = tmp_path / place
    (root / path).parent.mkdir(parents=True)
    (root / path).write_text("{}", encoding="utf-8")
    if place == "srv/hermes":
        # Of another name, its settings tell that it is one.
        assert FORMAT.root_of(root) is None
        (root / "config.yaml").touch()
    assert FORMAT.root_of((root / path).parent) == root
    store = HermesStore(root, tmp_path / "private")
    assert [each.path for each in store.memory_files()] == [path]
    assert (store.conversations(), store.problems()) == ([], [])
    store.close()


def test_it_is_looked_for_where_it_usually_is(home: HermesHome, tmp_path: Path) -> None:
    (home.root / "profiles" / "work").mkdir(parents=True)
    (home.root / "profiles" / "notes.txt").write_bytes(b"")
    assert list(FORMAT.usual_roots(tmp_path, {})) == [home.root, home.root / "profiles" / "work"]
    assert list(FORMAT.usual_roots(tmp_path, {"HERMES_HOME": "/srv/hermes"})) == [Path("/srv/hermes")]
    store = HermesStore(home.root, tmp_path / "private")
    assert store.conversations() == []
    store.close()
