"""The store of Claude Code: its projects, conversations, titles and memory files, and that nothing in it is touched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.edit_replay import line_sources
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile, ForeignRole
from mnemoscope.store.foreign.agents.claude_code import ClaudeCodeStore, loaded_of_index, root_of, usual_roots
from mnemoscope.store.foreign.store_formats import open_store, usual_stores
from tests.foreign_stores.claude_code import (
    BEGIN,
    FOLDER,
    PROJECT,
    SESSION,
    ClaudeRecords,
    line_of,
    sample_store,
    write_files,
)
from tests.foreign_stores.hashes import hashes_of
from tests.support.privileges import as_nobody, reachable_folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return sample_store(tmp_path / ".claude")


def opened(root: Path, **environment: str) -> ClaudeCodeStore:
    return ClaudeCodeStore(root, environment=environment)


def files(store: ClaudeCodeStore) -> dict[str, ForeignMemoryFile]:
    return {each.path: each for each in store.memory_files()}


def test_conversations_of_all_projects_are_listed_newest_first(home: Path) -> None:
    found = opened(home).conversations()
    assert [each.title for each in found] == ["Good morning.", "Look for the parser.", "Tabs and Graz"]
    helper, talk = found[1], found[2]
    assert (helper.role, helper.parent, helper.id) == (ForeignRole.SUBAGENT, SESSION, "agent-a1b2")
    assert (talk.role, talk.path) == (ForeignRole.MAIN, f"projects/{PROJECT}/{SESSION}.jsonl")
    assert (talk.created_at, talk.updated_at) == (BEGIN + timedelta(seconds=1), BEGIN + timedelta(seconds=10))
    assert talk.size == (home / talk.path).stat().st_size


def test_one_projects_folder_is_a_store_by_itself(home: Path) -> None:
    store = opened(home / "projects" / PROJECT)
    assert [each.path for each in store.conversations()] == [
        f"{SESSION}/subagents/agent-a1b2.jsonl",
        f"{SESSION}.jsonl",
    ]
    assert list(files(store)) == ["memory/MEMORY.md", "../../CLAUDE.md", "memory/deploys.md"]


def test_an_older_subagent_lies_beside_and_names_its_conversation(home: Path) -> None:
    helper = ClaudeRecords(agent="old")
    helper.person("look", None)
    helper.write(home / "projects" / PROJECT / "agent-old.jsonl")
    found = {each.id: each for each in opened(home).conversations()}["agent-old"]
    assert (found.role, found.parent) == (ForeignRole.SUBAGENT, SESSION)


def test_two_files_of_one_name_have_two_ids(home: Path) -> None:
    talk = ClaudeRecords()
    talk.person("the same name")
    talk.write(home / "projects" / "-home-ada-zebra" / f"{SESSION}.jsonl")
    store = opened(home)
    other = next(each for each in store.conversations() if each.title == "the same name")
    assert other.id == f"projects/-home-ada-zebra/{SESSION}"
    assert store.open(other.id).shape.messages == 1


def test_a_conversation_is_opened_read_on_and_read_anew(home: Path) -> None:
    store = opened(home)
    transcript = store.open(SESSION)
    assert (transcript.shape.messages, store.open(SESSION)) == (8, transcript)
    path = home / "projects" / PROJECT / f"{SESSION}.jsonl"
    talk = ClaudeRecords()
    talk.person("more", "nowhere")
    with path.open("ab") as file:
        file.write(line_of(talk.records[0] | {"uuid": "new"}))
    assert store.open(SESSION) is transcript
    assert transcript.shape.messages == 1
    path.write_bytes(talk.data())
    assert store.open(SESSION) is not transcript
    store.close()


def test_only_some_conversations_are_kept_open(home: Path) -> None:
    for number in range(12):
        talk = ClaudeRecords(session=f"s{number:03}")
        talk.person("hello")
        talk.write(home / "projects" / PROJECT / f"s{number:03}.jsonl")
    store = opened(home)
    first = store.open("s000")
    for number in range(12):
        store.open(f"s{number:03}")
    assert store.open("s000") is not first


def test_a_conversation_that_is_gone_is_an_error(home: Path) -> None:
    with pytest.raises(StorageError):
        opened(home).open("nobody")


@pytest.mark.parametrize("has_boundary", [True, False])
def test_what_was_summed_up_is_told_without_opening_it(home: Path, has_boundary: bool) -> None:
    records = ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    records.person("Let us plan.")
    if has_boundary:
        records.boundary(records.answer("Yes."))
    else:
        records.summary("They plan.")
        records.person("And then?")
    records.write(home / "projects" / PROJECT / f"{records.session}.jsonl")
    store = opened(home)
    may_be = {each.id: store.may_be_summed_up(each.id) for each in store.conversations()}
    assert may_be == {each: bool(store.open(each).shape.compactions) for each in may_be}
    assert sum(may_be.values()) == 1
    with pytest.raises(StorageError):
        store.may_be_summed_up("nobody")


def test_the_newest_messages_come_without_reading_all(home: Path) -> None:
    store = opened(home)
    assert [each.text for each in store.newest(SESSION, 3)][-1] == "Done."
    assert [each.text for each in store.newest("agent-a1b2", 3)] == ["Look for the parser.", "It is in lexer.py."]


def titled(root: Path, *records: Mapping[str, object]) -> str:
    talk = ClaudeRecords(session="t")
    talk.person("<system-reminder>x</system-reminder>")
    talk.person("first words")
    talk.write(root / "projects" / "-t" / "t.jsonl")
    with (root / "projects" / "-t" / "t.jsonl").open("ab") as file:
        file.writelines(line_of(record) for record in records)
    return next(each.title for each in opened(root).conversations() if each.id == "t")


def test_a_title_is_the_persons_the_programs_a_summary_or_the_first_words(tmp_path: Path) -> None:
    root = tmp_path / ".claude"
    theirs = {"type": "summary", "summary": "of another", "leafUuid": "elsewhere"}
    ours = {"type": "summary", "summary": "of this", "leafUuid": "ut-1"}
    assert titled(root) == "first words"
    assert titled(root, theirs, {"type": "summary", "summary": "of nothing"}) == "first words"
    assert titled(root, theirs, ours) == "of this"
    ai = {"type": "ai-title", "aiTitle": "by the program"}
    assert titled(root, ours, ai, {"type": "ai-title", "aiTitle": "again"}) == "again"
    own = {"type": "custom-title", "customTitle": "by the person"}
    assert titled(root, own, ai) == "by the person"
    assert titled(root, {"type": "custom-title", "customTitle": 5}, {"x": "custom-title"}) == "first words"


def test_of_a_long_transcript_only_its_ends_are_read_for_the_list(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("the beginning")
    for _ in range(40):
        talk.answer("x" * 10_000)
    talk.beside("custom-title", customTitle="the end")
    root = tmp_path / ".claude"
    path = talk.write(root / "projects" / PROJECT / f"{SESSION}.jsonl")
    found = opened(root).conversations()[0]
    assert (found.title, found.updated_at, found.size) == ("the end", talk.now, path.stat().st_size)


def test_a_file_that_is_no_transcript_is_listed_and_shown_as_damage(home: Path) -> None:
    odd = 'hello\n{"timestamp": 5}\n{"type":"summary", x}\n{"timestamp" 7}'
    write_files(home / "projects" / PROJECT, {"odd.jsonl": odd, "empty.jsonl": "", f"{SESSION}/subagents/x.jsonl": odd})
    store = opened(home)
    found = {each.id: each for each in store.conversations()}
    assert (found["odd"].title, found["empty"].title) == ("", "")
    assert found["odd"].updated_at is not None
    assert "x" not in found
    assert len(store.open("odd").shape.damage) == 3
    assert store.open("empty").shape.messages == 0


def test_what_cannot_be_read_is_told(home: Path) -> None:
    (home / "projects" / PROJECT / "pipe.jsonl").symlink_to(home / "projects" / PROJECT / "nowhere")
    os.mkfifo(home / "projects" / PROJECT / "fifo")
    (home / "projects" / "-gone").mkdir()
    store = opened(home)
    assert len(store.conversations()) == 3
    talk = home / "projects" / PROJECT / f"{SESSION}.jsonl"
    known = store._transcripts()[SESSION]
    talk.unlink()
    assert store._head(known)[0].title == ""
    assert any("could not" in each or "No such" in each for each in store.problems())


def test_a_folder_that_may_not_be_read_is_told(home: Path) -> None:
    with reachable_folder() as folder:
        whole = Path(shutil.copytree(home, folder / ".claude"))
        alone = Path(shutil.copytree(home / "projects" / PROJECT, folder / PROJECT))
        store, project = opened(whole), opened(alone)
        for closed in (whole / "projects", alone):
            closed.chmod(0)
        with as_nobody():
            assert store.conversations() == []
            assert project.conversations() == []
        for closed in (whole / "projects", alone):
            closed.chmod(0o755)
    assert "projects could not be read: Permission denied." in store.problems()
    assert "The folder could not be read: Permission denied." in project.problems()


def test_memory_files_tell_what_a_prompt_holds(home: Path) -> None:
    write_files(
        home,
        {
            "rules/style.md": "- tabs\n- no spaces\n",
            "rules/python.md": "---\npaths:\n  - '**/*.py'\n---\n- ruff\n",
            "rules/windows.md": "\ufeff---\r\npaths:\r\n  - '**/*.ps1'\r\n---\r\n- tabs\r\n",
            "agent-memory/reviewer/MEMORY.md": "One thing.\n\nAnother thing.\n# Heading\n",
            "agent-memory/reviewer/detail.md": "x",
        },
    )
    found = files(opened(home))
    index = found[f"projects/{PROJECT}/memory/MEMORY.md"]
    assert (index.role, index.entries, index.loaded_characters) == ("index", 3, index.characters)
    fact = found[f"projects/{PROJECT}/memory/deploys.md"]
    assert (fact.role, fact.entries, fact.loaded_characters) == ("topic", 1, 0)
    style, python = found["rules/style.md"], found["rules/python.md"]
    assert (style.role, style.entries, style.loaded_characters) == ("instructions", 2, style.characters)
    assert (python.entries, python.loaded_characters) == (2, 0)
    assert found["rules/windows.md"].loaded_characters == 0
    assert found["agent-memory/reviewer/MEMORY.md"].entries == 2
    assert next(iter(found)) == "CLAUDE.md"


def test_of_an_index_200_lines_or_25_kilobytes_are_loaded() -> None:
    assert loaded_of_index("") == 0
    short = "".join(f"- {number:03}\n" for number in range(300))
    assert loaded_of_index(short) == 200 * 6
    long = "".join("x" * 999 + "\n" for _ in range(100))
    assert loaded_of_index(long) == 25_000
    assert loaded_of_index("ä" * 999 + "\n" + "y" * 30_000) == 1_000
    assert loaded_of_index("ä" * 20_000) == 12_500


def test_the_instructions_of_the_folder_worked_in_are_memory_too(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    write_files(
        folder,
        {
            "CLAUDE.md": "- one\n",
            ".claude/CLAUDE.md": "- two\n",
            "CLAUDE.local.md": "- three\n",
            ".claude/rules/a.md": "- four\n",
            ".claude/agent-memory/x/MEMORY.md": "- five\n",
            ".claude/agent-memory-local/x/y.md": "six\n",
        },
    )
    talk = ClaudeRecords(base={"cwd": str(folder)})
    talk.person("hello")
    talk.write(home / "projects" / "-work" / "w.jsonl")
    found = files(opened(home))
    around = {path: each.role for path, each in found.items() if path.startswith(folder.as_posix())}
    assert around == {
        (folder / name).as_posix(): role
        for name, role in {
            "CLAUDE.md": "instructions",
            ".claude/CLAUDE.md": "instructions",
            "CLAUDE.local.md": "instructions",
            ".claude/rules/a.md": "instructions",
            ".claude/agent-memory/x/MEMORY.md": "index",
            ".claude/agent-memory-local/x/y.md": "topic",
        }.items()
    }


def test_the_home_folder_worked_in_does_not_list_the_store_twice(home: Path, tmp_path: Path) -> None:
    talk = ClaudeRecords(base={"cwd": str(tmp_path)})
    talk.person("hello")
    talk.write(home / "projects" / "-h" / "h.jsonl")
    assert [path for path in files(opened(home)) if path.endswith("CLAUDE.md")] == ["CLAUDE.md"]


def test_another_folder_for_memory_is_read_where_it_is_named(home: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/MEMORY.md": "- a\n", "theirs/MEMORY.md": "- b\n"})
    (home / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(tmp_path / "mine")}), encoding="utf-8")
    assert (tmp_path / "mine" / "MEMORY.md").as_posix() in files(opened(home))
    given = opened(home, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE=str(tmp_path / "theirs"))
    assert (tmp_path / "theirs" / "MEMORY.md").as_posix() in files(given)
    assert (tmp_path / "mine" / "MEMORY.md").as_posix() not in files(given)
    (home / "settings.json").write_text('{"autoMemoryDirectory": 5}', encoding="utf-8")
    assert (tmp_path / "mine" / "MEMORY.md").as_posix() not in files(opened(home))
    for text, count in (("", 0), ("{cut", 1), ("[]", 1), ("[" * 100_000, 1)):
        (home / "settings.json").write_text(text, encoding="utf-8")
        store = opened(home)
        assert files(store)
        assert [each.partition(" ")[0] for each in store.problems()] == ["settings.json"] * count


def test_links_out_of_the_store_are_not_followed(home: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"secret/MEMORY.md": "secret\n", "one.md": "secret\n"})
    (home / "projects" / PROJECT / "memory" / "linked.md").symlink_to(tmp_path / "one.md")
    (home / "projects" / "-linked").mkdir()
    (home / "projects" / "-linked" / "memory").symlink_to(tmp_path / "secret")
    store = opened(home)
    assert all("secret" not in each.text for each in store.memory_files())
    assert len(store.problems()) == 2
    write_files(tmp_path, {"mine/a.md": "a\n"})
    (tmp_path / "mine" / "linked.md").symlink_to(tmp_path / "one.md")
    given = opened(home, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE=str(tmp_path / "mine"))
    assert all("secret" not in each.text for each in given.memory_files())
    assert len(given.problems()) == 3


def test_a_folder_is_known_as_a_store_or_as_a_part_of_one(home: Path, tmp_path: Path) -> None:
    project = home / "projects" / PROJECT
    assert root_of(home) == home
    assert root_of(home / "projects") == home
    assert root_of(project) == project
    assert root_of(project / "memory") == project
    assert root_of(project / SESSION / "subagents") == project
    moved = home.rename(tmp_path / "backup")
    assert root_of(moved) == moved
    copied = (moved / "projects" / PROJECT).rename(tmp_path / "elsewhere")
    assert root_of(copied) == copied
    assert list(files(opened(copied))) == ["memory/MEMORY.md", "memory/deploys.md"]


def test_a_folder_of_something_else_is_no_store(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"a/notes.jsonl": '{"a": 1}\n', "projects/b/x.jsonl": "", ".claude/other": "", "-x/memory.md": ""}
    )
    (tmp_path / "a" / "dir.jsonl").mkdir()
    for name in ("a", "projects", ".claude", "-x", "nowhere", "."):
        assert root_of(tmp_path / name) is None
    write_files(tmp_path, {".claude/settings.json": "{}"})
    assert root_of(tmp_path / ".claude") == tmp_path / ".claude"
    assert opened(tmp_path / ".claude").conversations() == []


def test_a_project_with_nothing_but_memory_is_a_store(tmp_path: Path) -> None:
    write_files(tmp_path, {"-home-ada/memory/MEMORY.md": "- a\n"})
    assert root_of(tmp_path / "-home-ada") == tmp_path / "-home-ada"


@pytest.mark.parametrize(
    ("content", "paths"),
    [
        ({"CLAUDE.md": "- a\n"}, ["CLAUDE.md"]),
        ({"settings.json": "{}", "rules/tabs.md": "- a\n"}, ["rules/tabs.md"]),
        ({"agent-memory/reviewer/MEMORY.md": "- a\n"}, ["agent-memory/reviewer/MEMORY.md"]),
        ({"CLAUDE.md": "- a\n", "stray.jsonl": "{}\n", "memory/MEMORY.md": "- no project's\n"}, ["CLAUDE.md"]),
    ],
)
def test_a_home_before_its_first_conversation_has_its_memory(
    tmp_path: Path, content: dict[str, str], paths: list[str]
) -> None:
    home = tmp_path / ".claude"
    write_files(home, content)
    assert root_of(home) == home
    store = opened(home)
    assert list(files(store)) == paths
    assert (store.conversations(), store.problems()) == ([], [])


def test_a_home_of_another_name_before_its_first_conversation_is_known_by_its_settings(tmp_path: Path) -> None:
    home = tmp_path / "config"
    write_files(home, {"CLAUDE.md": "- a\n"})
    assert root_of(home) is None
    write_files(home, {"settings.json": "{}"})
    assert [(each.name, root) for each, root in usual_stores(tmp_path, {"CLAUDE_CONFIG_DIR": str(home)})] == [
        ("claude-code", home)
    ]
    assert list(files(opened(home))) == ["CLAUDE.md"]


def test_a_store_goes_on_with_its_first_project(tmp_path: Path) -> None:
    home = tmp_path / ".claude"
    write_files(home, {"CLAUDE.md": "- a\n"})
    store = opened(home)
    assert store.conversations() == []
    sample_store(home)
    assert len(store.conversations()) == 3


def test_it_is_found_at_its_usual_place(home: Path, tmp_path: Path) -> None:
    assert usual_roots(tmp_path, {}) == (tmp_path / ".claude",)
    assert usual_roots(tmp_path, {"CLAUDE_CONFIG_DIR": str(home)}) == (home,)
    assert [(each.name, root) for each, root in usual_stores(tmp_path, {}) if each.name == "claude-code"] == [
        ("claude-code", home)
    ]
    store = open_store(home)
    assert store is not None
    assert (store.format_name, store.root) == ("claude-code", home)
    store.close()


def test_nothing_in_the_store_is_touched_by_reading_it(home: Path) -> None:
    before = hashes_of(home)
    store = opened(home)
    for each in store.conversations():
        transcript = store.open(each.id)
        for place in range(len(transcript.shape.kinds)):
            transcript.record(place)
        store.newest(each.id, 5)
        transcript.close()
    for file in store.memory_files():
        line_sources(file.path, file.text, store.edits())
    store.problems()
    store.close()
    assert hashes_of(home) == before


def test_times_beyond_reason_leave_the_time_of_the_file(tmp_path: Path) -> None:
    talk = ClaudeRecords(base={"timestamp": "9999-99-99T00:00:00Z"})
    talk.person("hello")
    root = tmp_path / ".claude"
    path = talk.write(root / "projects" / PROJECT / f"{SESSION}.jsonl")
    when = datetime(2026, 11, 3, tzinfo=UTC)
    os.utime(path, (when.timestamp(), when.timestamp()))
    found = opened(root).conversations()[0]
    assert (found.created_at, found.updated_at) == (None, when)


def test_a_folder_worked_in_that_is_no_path_is_passed_over(home: Path) -> None:
    talk = ClaudeRecords(base={"cwd": "a\0b"})
    talk.person("hello")
    talk.write(home / "projects" / "-n" / "n.jsonl")
    assert all(not path.startswith(FOLDER) for path in files(opened(home)))
