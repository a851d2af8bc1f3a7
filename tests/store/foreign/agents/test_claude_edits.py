"""Which call of Claude Code wrote a line of memory, and what the person had said before it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.foreign_records import MemoryEdit
from mnemoscope.store.foreign.agents.claude_code import ClaudeCodeStore
from mnemoscope.store.foreign.agents.claude_edits import MemoryPaths
from tests.foreign_stores.claude_code import (
    FOLDER,
    MEMORY,
    PROJECT,
    SESSION,
    ClaudeRecords,
    call,
    store_of_history,
    write_files,
)
from tests.foreign_stores.edit_histories import Telling, edit_history

INDEX = f"projects/{PROJECT}/memory/MEMORY.md"


def stored(root: Path, *talks: ClaudeRecords, text: str = "") -> ClaudeCodeStore:
    for talk in talks:
        name = f"{SESSION}/subagents/agent-{talk.agent}" if talk.agent else talk.session
        talk.write(root / "projects" / PROJECT / f"{name}.jsonl")
    write_files(root, {INDEX: text})
    return ClaudeCodeStore(root, environment={})


def sources(store: ClaudeCodeStore, path: str = INDEX) -> list[str]:
    text = next(each.text for each in store.memory_files() if each.path == path)
    return [
        "unknown" if each.is_unknown else each.edit.message_text if each.edit else "outside"
        for each in line_sources(path, text, store.edits())
    ]


def wrote(talk: ClaudeRecords, said: str, tool: str = "Write", result: str = "ok", **arguments: Any) -> None:
    if said:
        talk.person(said)
    name = f"toolu_{talk.session}{talk.agent}{len(talk.records)}"
    use_result = arguments.pop("use_result", None)
    failed = arguments.pop("failed", False)
    talk.answer(call(name, tool, **{"file_path": MEMORY} | arguments))
    talk.result(name, result, failed=failed, **({"toolUseResult": use_result} if use_result is not None else {}))


def test_write_edit_and_multi_edit_lead_to_the_persons_words(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\nb\nc\n")
    wrote(talk, "two", "Edit", old_string="b", new_string="x")
    wrote(talk, "three", "MultiEdit", edits=[{"old_string": "c", "new_string": "y\nz"}, {"old_string": 5}, 7])
    store = stored(tmp_path, talk, text="a\nx\ny\nz\nw\n")
    assert sources(store) == ["one", "two", "three", "three", "outside"]
    edits = list(store.edits())
    assert [(each.tool, each.conversation) for each in edits] == [
        ("Write", SESSION),
        ("Edit", SESSION),
        ("MultiEdit", SESSION),
    ]
    assert store.open(SESSION).record(edits[0].place).calls[0].name == "Write"


def test_what_a_call_does_to_a_text_can_be_asked(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    wrote(talk, "two", "Edit", old_string="a", new_string="b")
    wrote(talk, "three", "Edit", old_string="a", new_string="b", replace_all=True)
    wrote(talk, "four", "Edit", old_string="", new_string="c")
    wrote(talk, "five", "Bash", command=f"rm {MEMORY}")
    applied = [[each.apply(text) for text in ("", "a", "aa")] for each in stored(tmp_path, talk).edits()]
    assert applied == [["a\n"] * 3, [None, "b", None], [None, "b", "bb"], ["c"] * 3, [None] * 3]


def test_a_call_that_failed_or_has_no_result_wrote_nothing(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n", failed=True)
    wrote(talk, "one", content="a\n", result="<tool_use_error>File has not been read yet.</tool_use_error>")
    talk.person("two")
    talk.answer(call("open", "Write", file_path=MEMORY, content="a\n"))
    talk.answer(call("", "Write", file_path=MEMORY, content="a\n"))
    assert sources(stored(tmp_path, talk, text="a\n")) == ["outside"]


def test_calls_without_what_they_need_are_passed_over(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content=5)
    wrote(talk, "two", file_path=5)
    wrote(talk, "three", file_path="/home/ada/notes/readme.md", content="memory")
    wrote(talk, "four", "MultiEdit", edits="none")
    wrote(talk, "five", "Edit", old_string="a")
    wrote(talk, "six", "Bash", command=5)
    wrote(talk, "seven", "Bash", command=f"cat {MEMORY}")
    wrote(talk, "eight", "Grep", pattern="memory")
    assert list(stored(tmp_path, talk).edits()) == []


def test_a_result_tells_the_text_before(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n", use_result={"type": "create", "originalFile": None})
    wrote(
        talk,
        "two",
        content="a\nx\nb\n",
        use_result={"type": "update", "originalFile": "a\nx\n", "content": "a\nx\nb\n"},
    )
    assert sources(stored(tmp_path, talk, text="a\nx\nb\n")) == ["one", "outside", "two"]


def test_what_the_person_changed_of_an_edit_counts(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n", result="File created successfully at: x")
    use_result = {"oldString": "a", "newString": "changed", "userModified": True, "replaceAll": False}
    wrote(talk, "two", "Edit", old_string="a", new_string="b", use_result=use_result)
    assert sources(stored(tmp_path, talk, text="changed\n")) == ["two"]


@pytest.mark.parametrize(
    ("result", "use_result"),
    [
        ("     1\u2192a\n     2\u2192x\n\n<system-reminder>be careful</system-reminder>", None),
        ("1\ta\n2\tx", None),
        ("", {"file": {"content": "a\nx\n", "startLine": 1, "numLines": 2, "totalLines": 2}}),
        ([{"type": "text", "text": "     1\u2192a\n     2\u2192x"}, "odd"], None),
    ],
)
def test_a_file_that_was_read_whole_tells_what_came_from_outside(tmp_path: Path, result: Any, use_result: Any) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    wrote(talk, "two", "Read", result, use_result=use_result)
    wrote(talk, "three", content="a\nx\nb\n")
    assert sources(stored(tmp_path, talk, text="a\nx\nb\n")) == ["one", "outside", "three"]


@pytest.mark.parametrize(
    ("result", "arguments"),
    [
        ("     5\u2192x", {"offset": 5}),
        ("     5\u2192x", {}),
        ("", {"use_result": {"file": {"content": "x", "startLine": 5, "numLines": 1, "totalLines": 9}}}),
        (5, {}),
    ],
)
def test_a_part_that_was_read_tells_nothing(tmp_path: Path, result: Any, arguments: dict[str, Any]) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", "Read", result, **arguments)
    assert list(stored(tmp_path, talk).edits()) == []


def test_what_a_command_of_a_shell_did_is_unknown(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    wrote(talk, "two", "Bash", command=f"echo b >> {MEMORY}")
    assert sources(stored(tmp_path, talk, text="a\nb\n")) == ["one", "unknown"]


def test_every_branch_wrote_in_fact_and_has_its_own_words(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    first = talk.person("first")
    wrote(talk, "old way", content="a\n")
    talk.last = first
    wrote(talk, "new way", "Edit", old_string="a", new_string="a\nb")
    assert sources(stored(tmp_path, talk, text="a\nb\n")) == ["old way", "new way"]


def test_a_call_that_a_resumed_conversation_repeats_counts_once(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    again = ClaudeRecords(session="22222222", records=list(talk.records))
    assert len(list(stored(tmp_path, talk, again).edits())) == 1


def test_a_call_is_of_the_conversation_that_was_resumed(tmp_path: Path) -> None:
    talk = ClaudeRecords(session="33333333")
    wrote(talk, "one", content="a\n")
    again = ClaudeRecords(session="22222222", records=list(talk.records), last=talk.last, now=talk.now)
    wrote(again, "two", "Edit", old_string="a", new_string="a\nb")
    assert [each.conversation for each in stored(tmp_path, talk, again).edits()] == ["33333333", "22222222"]


def test_ids_of_calls_that_are_used_again_are_other_calls(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    other = ClaudeRecords(session="00000000", now=talk.now + timedelta(hours=1))
    for number, one in enumerate((talk, talk, other)):
        one.person(f"say {number}")
        one.answer(call("t1", "Write", file_path=MEMORY, content="a\n" * (number + 1)))
        one.result("t1")
    assert [each.message_text for each in stored(tmp_path, talk, other).edits()] == ["say 0", "say 1", "say 2"]


def test_calls_of_several_conversations_are_in_their_order_in_time(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    other = ClaudeRecords(session="00000000", now=talk.now + timedelta(hours=1))
    wrote(talk, "one", content="a\n")
    wrote(other, "two", "Edit", old_string="a", new_string="b")
    assert sources(stored(tmp_path, talk, other, text="b\n")) == ["two"]


@pytest.mark.parametrize("is_more_said", [True, False])
def test_a_subagents_call_goes_back_to_the_person(tmp_path: Path, is_more_said: bool) -> None:
    talk = ClaudeRecords()
    talk.person("please look around")
    talk.answer(call("task", "Task", prompt="look"))
    helper = ClaudeRecords(agent="a1", now=talk.now)
    helper.person("look, and note it in memory", None)
    wrote(helper, "", content="a\n")
    talk.now += timedelta(minutes=5)
    talk.result("task")
    if is_more_said:
        talk.person("something else")
    assert sources(stored(tmp_path, talk, helper, text="a\n")) == ["please look around"]


def test_a_subagent_of_a_branch_that_was_left_goes_back_to_the_person_there(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    before = talk.answer("Hello.")
    talk.person("please look around")
    talk.answer(call("task", "Task", prompt="look"))
    helper = ClaudeRecords(agent="a1", now=talk.now)
    helper.person("look, and note it in memory", None)
    wrote(helper, "", content="a\n")
    talk.now += timedelta(minutes=5)
    talk.result("task")
    talk.person("something else", before)
    talk.answer("Yes.")
    assert sources(stored(tmp_path, talk, helper, text="a\n")) == ["please look around"]


def test_a_subagent_alone_has_the_words_it_was_given(tmp_path: Path) -> None:
    helper = ClaudeRecords(agent="a1")
    helper.person("look", None)
    wrote(helper, "", content="a\n")
    assert sources(stored(tmp_path, helper, text="a\n")) == ["look"]


def test_a_sidechain_in_the_main_file_goes_back_to_the_person_before_it(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("please look around")
    talk.person("look", None, isSidechain=True)
    talk.base = {"isSidechain": True}
    wrote(talk, "", content="a\n")
    assert sources(stored(tmp_path, talk, text="a\n")) == ["please look around"]


def test_a_call_that_nobody_asked_for_has_no_words(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "", content="a\n")
    found = list(stored(tmp_path, talk).edits())
    assert [each.message_text for each in found] == [""]


def test_two_results_in_one_line_are_told_apart(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    edit = {"file_path": MEMORY, "old_string": "a", "new_string": "b"}
    talk.answer(call("t1", "Write", file_path=MEMORY, content="a\n"), call("t2", "Edit", **edit))
    blocks = [
        {"type": "tool_result", "tool_use_id": name, "content": "ok", "is_error": name == "t2"} for name in ("t1", "t2")
    ]
    talk.person(blocks, toolUseResult={"originalFile": "of nobody"})
    found = list(stored(tmp_path, talk).edits())
    assert [(each.tool, each.before) for each in found] == [("Write", None)]


def test_a_conversation_that_cannot_be_read_is_told_and_the_rest_read(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    store = stored(tmp_path, talk)
    gone = ClaudeRecords(session="22222222")
    gone.person("hello")
    path = gone.write(tmp_path / "projects" / PROJECT / "22222222.jsonl")
    known = store._transcripts()
    path.unlink()
    store._transcripts = lambda: known  # type: ignore[method-assign]
    assert len(list(store.edits())) == 1
    assert len(store.problems()) == 2


def test_a_result_that_is_gone_tells_nothing(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    talk.person("x" * 1000)
    store = stored(tmp_path, talk)
    store.open(SESSION)
    path = tmp_path / "projects" / PROJECT / f"{SESSION}.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"tool_use_id":"t', b'"tool_use_id":"x'))
    assert list(store.edits()) == []


WHOLE = MemoryPaths(Path("/copy/.claude"), f"projects/{PROJECT}/", is_project=False, folder=FOLDER)
ONE = MemoryPaths(Path(f"/copy/{PROJECT}"), "", is_project=True, folder=FOLDER)
RENAMED = MemoryPaths(Path("/copy/renamed"), "", is_project=True, folder=FOLDER)


@pytest.mark.parametrize(
    ("paths", "named", "path"),
    [
        (WHOLE, MEMORY, INDEX),
        (WHOLE, f"~/.claude/projects/{PROJECT}/memory/sub/fact.md", f"projects/{PROJECT}/memory/sub/fact.md"),
        (WHOLE, rf"C:\Users\ada\.claude\projects\{PROJECT}\memory\MEMORY.md", INDEX),
        (WHOLE, f"/copy/.claude/projects/{PROJECT}/../{PROJECT}/memory/MEMORY.md", INDEX),
        (WHOLE, "/copy/.claude/CLAUDE.md", "CLAUDE.md"),
        (WHOLE, "/copy/.claude/settings.json", None),
        (WHOLE, "/home/ada/.claude/CLAUDE.md", "CLAUDE.md"),
        (WHOLE, "/home/ada/.claude/agent-memory/x/MEMORY.md", "agent-memory/x/MEMORY.md"),
        (WHOLE, f"{FOLDER}/.claude/CLAUDE.md", f"{FOLDER}/.claude/CLAUDE.md"),
        (WHOLE, f"{FOLDER}/.claude/agent-memory-local/x/y.md", f"{FOLDER}/.claude/agent-memory-local/x/y.md"),
        (WHOLE, "CLAUDE.local.md", f"{FOLDER}/CLAUDE.local.md"),
        (WHOLE, f"{FOLDER}/readme.md", None),
        (WHOLE, f"{FOLDER}/CLAUDE.py", None),
        (WHOLE, "a\0b", None),
        (WHOLE, "", None),
        (ONE, MEMORY, "memory/MEMORY.md"),
        (ONE, "/home/ada/.claude/projects/-other/memory/MEMORY.md", None),
        (ONE, "/home/ada/.claude/CLAUDE.md", "../../CLAUDE.md"),
        (RENAMED, MEMORY, "memory/MEMORY.md"),
    ],
)
def test_a_memory_file_is_known_by_the_path_that_a_call_names(paths: MemoryPaths, named: str, path: str | None) -> None:
    assert paths.of(named) == path


@pytest.mark.parametrize("telling", list(Telling))
def test_lines_of_whole_histories_lead_to_the_right_message(tmp_path: Path, telling: Telling) -> None:
    history = edit_history(1, telling, count=60)
    store = ClaudeCodeStore(store_of_history(tmp_path, history, telling), environment={})
    said = ["outside" if owner is None else history.calls[owner].said for owner in history.owners]
    found = sources(store)
    assert [each if one != "unknown" else "unknown" for each, one in zip(said, found, strict=True)] == found
    assert found.count("unknown") <= 0.15 * len(found)


def test_edits_are_handed_out_in_one_shape(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    wrote(talk, "one", content="a\n")
    assert all(isinstance(each, MemoryEdit) for each in stored(tmp_path, talk).edits())
