"""Claude's export is read as its facts say: blocks, calls, attached files, memories, and the newer set of zips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.foreign.exports.claude_export import ClaudeExport
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from tests.foreign_stores import claude_ai
from tests.foreign_stores.claude_ai import conversation, memory, message, talk


def read(folder: Path, *conversations: dict[str, Any], memories: dict[str, Any] | None = None) -> ClaudeExport:
    return ClaudeExport(ExportFiles(claude_ai.write_old(folder / "export.zip", conversations, memories)))


def kinds(export: ClaudeExport, key: str) -> list[tuple[str, str]]:
    transcript = export.open(key)
    found = [transcript.record(place) for place in transcript.shape.active]
    return [(each.kind.value, each.text) for each in found]


def test_a_conversation_is_read_in_order(tmp_path: Path) -> None:
    export = read(tmp_path, talk("c", "Hello", "Hi", "Bye"))
    assert kinds(export, "c") == [("person", "Hello"), ("answer", "Hi"), ("person", "Bye")]
    listed = export.conversations()[0]
    assert (listed.id, listed.title, listed.path) == ("c", "A talk", "conversations.json")
    assert listed.created_at is not None
    assert listed.created_at.isoformat() == "2026-05-01T08:00:00+00:00"


def test_an_answer_is_one_message_and_the_result_of_each_of_its_calls_is_another(tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "tea"}},
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "name": "web_search",
            "content": [{"type": "text", "text": "Leaves"}],
        },
        {"type": "tool_use", "name": "repl", "input": "no object"},
        {"type": "tool_result", "content": "failed", "is_error": True},
        {"type": "text", "text": "Tea is leaves."},
        {"type": "text", "text": " "},
    ]
    answer = message(1, "assistant", "", content=blocks)
    export = read(tmp_path, conversation("c", [message(0, "human", "What is tea?"), answer]))
    assert kinds(export, "c") == [
        ("person", "What is tea?"),
        ("answer", "Let me look.\n\nTea is leaves."),
        ("result", "Leaves"),
        ("result", "failed"),
    ]
    transcript = export.open("c")
    assert transcript.record(1).calls[0].arguments == {"query": "tea"}
    assert [transcript.record(at).answers for at in (2, 3)] == [each.id for each in transcript.record(1).calls]
    assert transcript.record(2).answers == "t1"
    assert transcript.record(3).failed


def test_a_call_without_an_end_is_shown(tmp_path: Path) -> None:
    blocks = [{"type": "tool_use", "id": "t", "name": "x", "input": {}}]
    export = read(tmp_path, conversation("c", [message(0, "assistant", "", content=blocks)]))
    assert kinds(export, "c") == [("answer", "")]
    only_results = [{"type": "tool_result", "content": "x"}]
    export = read(tmp_path, conversation("c", [message(0, "assistant", "", content=only_results)]))
    assert kinds(export, "c") == [("result", "x")]


def test_the_text_of_an_attached_file_is_kept_apart_from_the_persons_words(tmp_path: Path) -> None:
    file = {"file_name": "notes.txt", "file_type": "txt", "file_size": 5, "extracted_content": "I am Boris"}
    spoken = message(0, "human", "Read this", attachments=[file, {"file_name": "x"}], files=[{"file_name": "a.png"}])
    transcript = read(tmp_path, conversation("c", [spoken])).open("c")
    record = transcript.record(0)
    assert record.text == "Read this\n\n[notes.txt]\nI am Boris"
    assert [record.text[start:stop] for start, stop in record.quotes] == ["[notes.txt]\nI am Boris"]
    assert record.images == 1
    alone = read(tmp_path, conversation("c", [message(0, "human", "", attachments=[file])])).open("c").record(0)
    assert alone.quotes == ((0, len(alone.text)),)


def test_branches_are_found_where_parents_are_named(tmp_path: Path) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    spoken = [
        message(0, "human", "Which tea?", parent_message_uuid=root),
        message(1, "assistant", "Green.", parent_message_uuid="message-0"),
        message(2, "assistant", "Black.", parent_message_uuid="message-0"),
    ]
    export = read(tmp_path, conversation("c", spoken))
    assert kinds(export, "c") == [("person", "Which tea?"), ("answer", "Black.")]
    assert len(export.open("c").shape.branches) == 1
    named = read(tmp_path, conversation("c", spoken, current_leaf_message_uuid="message-1"))
    assert kinds(named, "c")[-1] == ("answer", "Green.")


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    spoken = [message(0, "human", ""), message(1, "oracle", "beyond"), message(2, "assistant", "")]
    export = read(tmp_path, conversation("c", spoken))
    assert export.open("c").shape.unknown_records == 1
    assert kinds(export, "c") == []


def test_memories_are_lines_under_their_headings(tmp_path: Path) -> None:
    text = "# Work\n\nPat bakes.\n\n**Home**\n\n- Has a dog\n* Has a dog\n"
    files = [{"path": "notes.md", "content": "Likes tea"}, {"name": "x"}, 3]
    export = read(tmp_path, memories=memory(text, {"p1": "- Ships in May"}) | {"memory_files": files})
    assert [(each.text, each.heading) for each in export.memories()] == [
        ("Pat bakes.", "Work"),
        ("Has a dog", "Home"),
        ("Ships in May", "Project p1"),
        ("Likes tea", "Project notes.md"),
    ]


def test_a_set_of_zips_is_read_from_any_of_them(tmp_path: Path) -> None:
    first = claude_ai.write_set(tmp_path / "set", [[talk("a", "1")], [talk("b", "2")]], memory("- Has a dog"))
    for path in (first, first.parent):
        export = ClaudeExport(ExportFiles(path))
        assert sorted(each.id for each in export.conversations()) == ["a", "b"]
        assert [each.text for each in export.memories()] == ["Has a dog"]
        assert export.problems() == []
        export.close()


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    path = claude_ai.write_old(tmp_path / "export.zip", [talk("a", "1"), talk("a", "1"), {"uuid": "x"}, {}])
    export = ClaudeExport(ExportFiles(path))
    assert len(export.conversations()) == 1
    assert export.problems() == ["2 records are no conversations that can be read; they are left out."]
    one = ClaudeExport(ExportFiles(claude_ai.write_old(tmp_path / "one.zip", [talk("a", "1"), {}])))
    assert one.problems() == ["1 record is no conversation that can be read; it is left out."]
    one.close()
    with pytest.raises(StorageError):
        export.open("x")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.json").write_text('[{"uuid": "a", "chat_messages": []}, {"uuid"', "utf-8")
    export = ClaudeExport(ExportFiles(folder))
    assert [each.id for each in export.conversations()] == ["a"]
    assert len(export.problems()) == 1
