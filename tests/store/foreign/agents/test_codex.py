"""Codex's folder is read: messages once, what Codex puts in apart, the pointer, memory with what is loaded, edits."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import (
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRole,
    MemoryEdit,
    RecordKind,
    TranscriptShape,
)
from mnemoscope.store.foreign.agents.codex import CodexStore, root_of
from mnemoscope.store.foreign.store_formats import open_store, usual_stores
from tests.foreign_stores.codex import ID, START, Rollout, make_store, message, patch_of
from tests.foreign_stores.git_memory import GitMemory
from tests.foreign_stores.hashes import hashes_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / ".codex"


def shape_of(root: Path, conversation: str = ID) -> TranscriptShape:
    return CodexStore(root).open(conversation).shape


def texts(root: Path, conversation: str = ID) -> list[tuple[str, str]]:
    transcript = CodexStore(root).open(conversation)
    return [(found.kind.value, found.text) for place in transcript.shape.active if (found := transcript.record(place))]


def file_named(files: Sequence[ForeignMemoryFile], path: str) -> ForeignMemoryFile:
    (found,) = (each for each in files if each.path == path)
    return found


def edits_of(root: Path) -> list[MemoryEdit]:
    return list(CodexStore(root).edits())


# -- finding ----------------------------------------------------------------------------------------------------------


def test_a_store_is_known_by_its_folders_and_from_within(root: Path, tmp_path: Path) -> None:
    assert open_store(root) is None
    make_store(root)
    for folder in (root, root / "sessions" / "2026", root / "memories"):
        store = open_store(folder)
        assert store is not None
        assert (store.format_name, store.root) == ("codex", root)
    elsewhere = root.rename(tmp_path / "copy-of-codex")
    assert root_of(elsewhere / "sessions") == elsewhere
    assert root_of(tmp_path) is None
    (tmp_path / "project" / ".codex").mkdir(parents=True)
    (tmp_path / "project" / ".codex" / "config.toml").touch()
    assert root_of(tmp_path / "project" / ".codex") is None


@pytest.mark.parametrize(
    ("place", "path"),
    [
        (".codex", "AGENTS.md"),
        (".codex", "AGENTS.override.md"),
        (".codex", "memories/MEMORY.md"),
        ("srv/codex", "memories/memory_summary.md"),
    ],
)
def test_a_home_before_its_first_conversation_has_its_memory(tmp_path: Path, place: str, path: str) -> None:
    home = tmp_path / place
    (home / path).parent.mkdir(parents=True)
    (home / path).write_text("- a\n", encoding="utf-8")
    store = open_store((home / path).parent)
    assert store is not None
    assert (store.format_name, store.root) == ("codex", home)
    assert [each.path for each in store.memory_files()] == [path]
    assert (store.conversations(), store.problems()) == ([], [])
    store.close()


def test_the_usual_places(tmp_path: Path) -> None:
    make_store(tmp_path / ".codex")
    assert ("codex", tmp_path / ".codex") in [(kind.name, place) for kind, place in usual_stores(tmp_path, {})]
    assert "codex" not in [kind.name for kind, _ in usual_stores(tmp_path / "nobody", {})]
    make_store(tmp_path / "other")
    assert tmp_path / "other" in [place for _, place in usual_stores(tmp_path, {"CODEX_HOME": str(tmp_path / "other")})]


def test_conversations_are_listed_newest_first_with_titles_roles_and_parents(root: Path) -> None:
    make_store(root)
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": ID, "depth": 1}}}
    Rollout(root, id="sub", start=START + timedelta(days=2)).meta(source=spawned).injected().says("Look it up").write()
    for age, path in enumerate(sorted(root.rglob("rollout-*.jsonl"), reverse=True)):
        os.utime(path, (1_790_000_000 - age, 1_790_000_000 - age))
    found = CodexStore(root).conversations()
    by_id = {each.id: each for each in found}
    times = [each.updated_at for each in found if each.updated_at]
    assert times == sorted(times, reverse=True)
    assert len(times) == 3
    assert (by_id[ID].title, by_id[ID].role, by_id[ID].parent) == ("The shop", ForeignRole.MAIN, "")
    assert by_id[ID].path == f"sessions/2026/10/05/rollout-2026-10-05T09-00-00-{ID}.jsonl"
    assert by_id[ID].created_at is not None
    assert by_id[ID].size == (root / by_id[ID].path).stat().st_size
    archived = by_id[f"{ID[:-1]}2"]
    assert (archived.title, archived.role) == ("Second thing", ForeignRole.ARCHIVE)
    assert (by_id["sub"].role, by_id["sub"].parent) == (ForeignRole.SUBAGENT, ID)


def test_an_id_that_two_files_have_stays_one_of_them(root: Path) -> None:
    Rollout(root).meta().says("one").write()
    Rollout(root, start=START + timedelta(hours=1)).meta().says("two").write()
    store = CodexStore(root)
    ids = {each.id for each in store.conversations()}
    assert len(ids) == 2
    assert {store.open(each).shape.messages for each in ids} == {1}
    with pytest.raises(StorageError):
        store.open("nobody")


def test_a_conversation_that_is_put_aside_meanwhile_is_found_there(root: Path) -> None:
    rollout = Rollout(root).meta().says("one").write()
    store = CodexStore(root)
    assert store.open(ID).shape.messages == 1
    (root / "archived_sessions").mkdir()
    rollout.path.rename(root / "archived_sessions" / rollout.path.name)
    assert store.open(ID).shape.messages == 1


# -- messages ---------------------------------------------------------------------------------------------------------


def test_each_message_call_and_output_is_one_and_twins_are_not_counted(root: Path) -> None:
    make_store(root)
    assert texts(root) == [
        ("person", "Set up the shop"),
        ("answer", "I will look."),
        ("answer", ""),
        ("result", "Exit code: 0\nOutput:\nok"),
        ("person", "Remember: celadon needs 1222 degrees"),
        ("answer", ""),
        ("result", "Success. Updated the following files:\n"),
        ("answer", "Noted."),
        ("person", "And the bowls?"),
        ("answer", "They are done."),
    ]
    shape = shape_of(root)
    assert (shape.messages, shape.unknown_records, shape.branches, shape.damage) == (10, 0, (), ())


def test_calls_outputs_and_images_are_read(root: Path) -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}
    rollout = Rollout(root).meta().item(type="message", role="user", content=[image])
    rollout.calls("shell", {"command": ["ls", "-l"]}, {"content": "no", "success": False})
    action = {"type": "exec", "command": ["pwd"]}
    rollout.item(type="local_shell_call", call_id="c9", status="completed", action=action)
    rollout.item(type="function_call_output", call_id="c9", output=[{"type": "input_text", "text": "here"}])
    rollout.item(type="web_search_call", id="ws", status="completed", action={"type": "search", "query": "glaze"})
    rollout.item(type="function_call", name="odd", arguments="[1", call_id="c10").write()
    transcript = CodexStore(root).open(ID)
    said, call, failed, shell, here, search, odd = (transcript.record(place) for place in transcript.shape.active)
    assert (said.kind, said.images) == (RecordKind.PERSON, 1)
    assert (call.calls[0].name, call.calls[0].arguments) == ("shell", {"command": ["ls", "-l"]})
    assert (failed.text, failed.failed, failed.answers) == ("no", True, "call_1")
    assert shell.calls[0].arguments == action
    assert (here.text, here.failed, here.answers) == ("here", False, "c9")
    assert (search.calls[0].id, search.calls[0].name) == ("ws", "web_search_call")
    assert odd.calls[0].arguments == {}
    summary = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Looking"}, 7]}
    rollout.item(**summary).event("agent_reasoning", text="Hm").line(
        "response_item", {"output": {"output": {}}}
    ).write()
    transcript = CodexStore(root).open(ID)
    shown = [transcript.record(place).text for place in range(len(transcript.shape.kinds))]
    assert shown[-3:] == ["Looking", "Hm", ""]
    with pytest.raises(IndexError):
        transcript.record(1_000)


def test_what_codex_puts_in_is_no_message(root: Path) -> None:
    rollout = Rollout(root).meta().injected()
    for text in (
        "<user_instructions>\nx\n</user_instructions>",
        "<turn_aborted>\nstopped\n</turn_aborted>",
        "<user_shell_command>ls</user_shell_command>",
        "# AGENTS.md instructions\n\nx",
        "Another language model started to solve this problem and said much.",
        "  ",
    ):
        rollout.item(**message("user", text))
    both = message("user", "<environment_context>x</environment_context>")
    both["content"].append({"type": "input_text", "text": "really said"})
    rollout.item(**both).item(type="message", role="user", content="plainly said").write()
    assert texts(root) == [("person", "really said"), ("person", "plainly said")]


def test_a_file_that_has_only_the_events_is_read_from_them(root: Path) -> None:
    Rollout(root).meta().event("user_message", message="Hello").event("agent_message", message="Hi").write()
    assert texts(root) == [("person", "Hello"), ("answer", "Hi")]


def test_records_of_unknown_types_are_counted_and_kept(root: Path) -> None:
    rollout = Rollout(root).meta().says("Hello").line("brand_new", {"x": 1}).item(type="hologram", x=2)
    rollout.event("telepathy", x=3).line("session_meta", None).write()
    transcript = CodexStore(root).open(ID)
    assert (transcript.shape.unknown_records, transcript.shape.messages) == (4, 1)
    unknown = [place for place, kind in enumerate(transcript.shape.kinds) if transcript.record(place).kind == "unknown"]
    assert len(unknown) == 4
    assert '"hologram"' in transcript.record(unknown[1]).raw


# -- the pointer, and what was taken back -----------------------------------------------------------------------------


def test_the_first_message_that_a_compaction_keeps_is_the_pointer(root: Path) -> None:
    make_store(root)
    shape = shape_of(root)
    (mark,) = shape.compactions
    assert (shape.last_consolidated, mark.kept_from) == (4, 4)
    assert mark.summary is not None
    summary = CodexStore(root).open(ID).record(mark.summary)
    assert (summary.kind, summary.text) == (RecordKind.SUMMARY, "The shop was set up.")


def test_where_only_the_person_s_words_are_kept_the_mark_says_how_far(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").answers("b").says("c").answers("d")
    rollout.compacts("One.", [message("user", "a"), message("user", "c"), message("user", "One.")]).says("e")
    rollout.compacts("Two.", [message("user", "c"), message("assistant", "d"), message("user", "e")])
    rollout.compacts("Three.", []).says("f").write()
    marks = shape_of(root).compactions
    assert [(mark.kept_from, mark.scattered_to, mark.whole_from) for mark in marks] == [(0, 4, 4), (2, 0, 2), (5, 0, 5)]


def test_without_a_history_nothing_before_the_mark_is_kept(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").answers("b").compacts("", None).says("c").answers("d")
    rollout.compacts("Twice.", [message("assistant", "d")]).says("e").write()
    shape = shape_of(root)
    assert [mark.kept_from for mark in shape.compactions] == [2, 3]
    assert [mark.summary is None for mark in shape.compactions] == [True, False]
    assert (shape.last_consolidated, shape.messages) == (3, 5)


def test_of_the_same_words_the_last_ones_are_kept(root: Path) -> None:
    rollout = Rollout(root).meta().says("ok").answers("fine").says("ok").answers("good")
    rollout.compacts("x", [message("user", "ok"), message("assistant", "good")]).write()
    assert shape_of(root).last_consolidated == 2


def test_turns_that_were_taken_back_are_a_branch(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").answers("b").says("c").answers("d")
    rollout.event("thread_rolled_back", num_turns=1).says("e").answers("f").write()
    transcript = CodexStore(root).open(ID)
    assert [transcript.record(place).text for place in transcript.shape.active] == ["a", "b", "e", "f"]
    (end,) = transcript.shape.branches
    assert [transcript.record(place).text for place in transcript.path_to(end)] == ["a", "b", "c", "d"]
    assert list(transcript.path_to(transcript.shape.active[2])) == list(transcript.shape.active[:3])


def test_a_compaction_that_was_taken_back_counts_no_more(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").answers("b").says("c").compacts("x", None).says("d")
    rollout.event("thread_rolled_back", num_turns=2).event("thread_rolled_back", num_turns=0).write()
    shape = shape_of(root)
    assert (shape.messages, shape.compactions) == (2, ())
    Rollout(root, id="empty", start=START + timedelta(hours=1)).meta().event("thread_rolled_back", num_turns=9).write()
    assert shape_of(root, "empty").messages == 0


# -- live, and the newest ---------------------------------------------------------------------------------------------


def test_a_conversation_is_followed_while_it_grows(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").write()
    store = CodexStore(root)
    assert store.open(ID).shape.messages == 1
    rollout.answers("b").write()
    assert store.open(ID).shape.messages == 2
    rollout.lines = rollout.lines[:3]
    rollout.write()
    assert store.open(ID).shape.messages == 1
    for number in range(12):
        Rollout(root, id=f"x{number}", start=START + timedelta(hours=number + 1)).meta().says("x").write()
        assert store.open(f"x{number}").shape.messages == 1
    store.close()
    store.close()


def test_the_newest_messages_are_read_from_the_end(root: Path) -> None:
    rollout = Rollout(root).meta().injected()
    for number in range(40):
        rollout.says(f"said {number}{' at length' * 5_000}").answers(f"answer {number}")
    rollout.write()
    store = CodexStore(root)
    found = [each.text.removesuffix(" at length" * 5_000) for each in store.newest(ID, 3)]
    assert found == ["answer 38", "said 39", "answer 39"]
    assert len(store.newest(ID, 1_000)) == 80
    assert list(store.newest(ID, 0)) == []


# -- memory -----------------------------------------------------------------------------------------------------------


def test_memory_files_with_what_is_loaded(root: Path) -> None:
    make_store(root)
    store = CodexStore(root)
    files = store.memory_files()
    loaded = [(each.path, each.loaded_characters == each.characters) for each in files if each.loaded_characters]
    assert loaded == [("AGENTS.md", True), ("memories/memory_summary.md", True)]
    roles = {each.path: (each.role, each.entries) for each in files}
    assert roles == {
        "AGENTS.md": ("instructions", 2),
        "memories/memory_summary.md": ("summary", 2),
        "memories/MEMORY.md": ("memory", 2),
        "memories/raw_memories.md": ("raw memory", 2),
        "memories/rollout_summaries/2026-10-05-shop.md": ("rollout summary", 1),
        "memories/extensions/ad_hoc/instructions.md": ("instructions", 1),
        "memories/extensions/ad_hoc/notes/2026-10-05T09-00-30-glaze.md": ("note", 1),
        "memories_1.sqlite": ("staging", 0),
    }
    assert store.problems() == []


def test_the_commits_of_memories_are_told(root: Path) -> None:
    make_store(root)
    shutil.rmtree(root / "memories" / ".git")
    memory = GitMemory(root / "memories")
    memory.commit("phase two", {"MEMORY.md": "- a\n"})
    before = hashes_of(root)
    store = CodexStore(root)
    found = store.commits("memories/MEMORY.md")
    assert [(each.subject, each.after) for each in found] == [("phase two", "- a\n")]
    assert list(store.commits("AGENTS.md")) == []
    assert list(store.commits("memories/MEMORY.md", lambda: False)) == []
    store.close()
    assert hashes_of(root) == before


def test_a_store_without_memories_has_no_memory_files(root: Path) -> None:
    Rollout(root).meta().says("x").write()
    assert list(CodexStore(root).memory_files()) == []


def test_a_long_summary_is_cut(root: Path) -> None:
    make_store(root)
    (root / "memories" / "memory_summary.md").write_text("ü" * 30_000, encoding="utf-8")
    (root / "memories" / "raw_memories.md").write_text("- one\n")
    (root / "memories" / "odd.txt").write_text("- one\n")
    files = CodexStore(root).memory_files()
    summary = file_named(files, "memories/memory_summary.md")
    assert (summary.characters, summary.loaded_characters) == (30_000, 10_000)
    assert file_named(files, "memories/raw_memories.md").entries == 1
    assert file_named(files, "memories/odd.txt").role == "topic"


def test_instructions_of_the_folders_that_were_worked_in(root: Path, tmp_path: Path) -> None:
    shop = tmp_path / "repo" / "shop"
    shop.mkdir(parents=True)
    (tmp_path / "repo" / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text("- above the repository\n")
    (tmp_path / "repo" / "AGENTS.md").write_text("- one\n- two\n")
    (shop / "AGENTS.override.md").write_text("- three\n" * 10_000)
    (shop / "AGENTS.md").write_text("- not read\n")
    make_store(root)
    (root / "AGENTS.override.md").write_text("- instead\n")
    for number, cwd in enumerate((str(shop), str(tmp_path / "repo"), "relative", "/no/such", str(root))):
        Rollout(root, id=f"w{number}", cwd=cwd, start=START + timedelta(hours=number + 1)).meta().says("x").write()
    files = CodexStore(root).memory_files()
    instructions = {each.path: (each.entries, each.loaded_characters) for each in files if each.role == "instructions"}
    del instructions["memories/extensions/ad_hoc/instructions.md"]
    assert instructions == {
        "AGENTS.override.md": (1, 10),
        "../repo/AGENTS.md": (2, 12),
        "../repo/shop/AGENTS.override.md": (10_000, 32_768),
    }


def test_links_out_of_the_store_are_not_followed(root: Path, tmp_path: Path) -> None:
    make_store(root)
    (tmp_path / "secret.md").write_text("- secret\n")
    (root / "memories" / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "sessions" / "2026" / "rollout-x.jsonl").symlink_to(tmp_path / "secret.md")
    store = CodexStore(root)
    assert not any("secret" in each.text for each in store.memory_files())
    assert len(store.conversations()) == 2
    assert [sentence for sentence in store.problems() if "link out of the store" in sentence] == list(store.problems())
    assert len(store.problems()) == 2


# -- who wrote a line -------------------------------------------------------------------------------------------------


def test_a_patch_on_a_memory_file_is_an_edit_with_the_person_s_words_before_it(root: Path) -> None:
    make_store(root)
    (edit,) = edits_of(root)
    assert edit.path == "memories/extensions/ad_hoc/notes/2026-10-05T09-00-30-glaze.md"
    assert (edit.conversation, edit.tool) == (ID, "apply_patch")
    assert edit.message_text == "Remember: celadon needs 1222 degrees"
    assert edit.apply("") == edit.after == "# Glaze\n- celadon at 1222 degrees\n"
    assert edit.when is not None
    record = CodexStore(root).open(ID).record(edit.place)
    assert record.calls[0].name == "apply_patch"


def test_the_ways_in_which_memory_is_written(root: Path) -> None:
    new = patch_of("*** Add File: memories/a.md", "+one")
    more = patch_of("*** Update File: ~/.codex/memories/a.md", "@@", " one", "+two")
    rollout = Rollout(root, cwd="/home/ann/.codex").meta().says("first")
    rollout.calls("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{new}\nEOF"]})
    rollout.says("second").calls("exec_command", {"cmd": f"cd memories && apply_patch <<'EOF'\n{more}\nEOF\n"})
    rollout.calls("shell", {"command": ["apply_patch", patch_of("*** Delete File: /elsewhere/.codex/memories/a.md")]})
    rollout.calls("add_ad_hoc_note", {"filename": "n.md", "note": "a note"})
    rollout.calls("apply_patch", {"input": patch_of("*** Add File: AGENTS.md", "+- be brief")})
    rollout.calls("shell_command", {"command": "echo '- x' >> memories/a.md"})
    action = {"type": "exec", "command": ["sh", "-c", "cat memories/a.md"], "working_directory": "/home/ann/.codex"}
    rollout.item(type="local_shell_call", call_id="c9", status="completed", action=action).write()
    found = [(each.path, each.message_text, each.apply("one\n")) for each in edits_of(root)]
    assert found == [
        ("memories/a.md", "first", "one\n"),
        ("memories/a.md", "second", "one\ntwo\n"),
        ("memories/a.md", "second", ""),
        ("memories/extensions/ad_hoc/notes/n.md", "second", "a note\n"),
        ("AGENTS.md", "second", "- be brief\n"),
        ("memories/a.md", "second", None),
    ]


def test_a_file_that_was_moved_is_gone_from_where_it_was(root: Path) -> None:
    patch = patch_of("*** Update File: memories/a.md", "*** Move to: memories/b.md", "@@", "-one", "+two")
    Rollout(root, cwd="/home/ann/.codex").meta().says("x").patches(patch).write()
    assert [(each.path, each.apply("one\n")) for each in edits_of(root)] == [
        ("memories/a.md", ""),
        ("memories/b.md", None),
    ]


@pytest.mark.parametrize(
    "output",
    [
        "apply_patch verification failed: Failed to find expected lines",
        "Exit code: 1\nOutput:\nno",
        "Process exited with code 2\n",
        json.dumps({"output": "no", "metadata": {"exit_code": 1}}),
        {"content": "no", "success": False},
    ],
)
def test_a_call_that_failed_writes_nothing(root: Path, output: Any) -> None:
    patch = patch_of("*** Add File: memories/a.md", "+one")
    Rollout(root, cwd="/home/ann/.codex").meta().says("x").patches(patch, output).write()
    assert edits_of(root) == []


def test_what_a_patch_s_end_says_counts_too(root: Path) -> None:
    patch = patch_of("*** Add File: memories/a.md", "+one")
    rollout = Rollout(root, cwd="/home/ann/.codex").meta().says("x").calls("apply_patch", patch, None, custom=True)
    rollout.event("patch_apply_end", call_id="call_1", success=False).write()
    assert edits_of(root) == []


def test_calls_that_are_no_patch_of_memory_are_passed_over(root: Path) -> None:
    rollout = Rollout(root, cwd="/home/ann/shop").meta().says("x")
    rollout.patches(patch_of("*** Add File: memories/a.md", "+one"))
    rollout.patches("*** Begin Patch\nmemories nonsense")
    rollout.calls("shell", {"command": "cat /home/ann/.codex/memories/MEMORY.md"})
    rollout.calls("shell", {"command": 7, "note": "memories/"}).write()
    assert edits_of(root) == []


def test_the_message_before_a_call_is_one_of_its_own_branch(root: Path) -> None:
    rollout = Rollout(root, cwd="/home/ann/.codex").meta().says("first").answers("ok").says("second")
    rollout.event("thread_rolled_back", num_turns=1)
    rollout.patches(patch_of("*** Add File: memories/a.md", "+one")).write()
    assert [each.message_text for each in edits_of(root)] == ["first"]


def test_instructions_outside_of_the_store_are_known_by_their_place(root: Path) -> None:
    Rollout(root, cwd="/home/ann/shop").meta().patches(patch_of("*** Add File: AGENTS.md", "+x")).write()
    (edit,) = edits_of(root)
    assert edit.path == os.path.relpath("/home/ann/shop/AGENTS.md", root)
    assert edit.message_text == ""


# -- damage -----------------------------------------------------------------------------------------------------------


def test_damage_is_told_and_the_rest_shown(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").answers("b").write()
    data = rollout.path.read_bytes()
    rollout.path.write_bytes(b"\xff\n[1]\n" + data + b'{"cut')
    shape = shape_of(root)
    assert shape.messages == 2
    assert len(shape.damage) == 3
    assert "not whole" in shape.damage[-1]
    assert CodexStore(root).open(ID).record(0).kind is RecordKind.DAMAGED


def test_a_record_that_is_gone_is_damaged(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").write()
    transcript = CodexStore(root).open(ID)
    rollout.path.write_bytes(b"")
    assert transcript.record(1).kind is RecordKind.DAMAGED


def test_a_rollout_without_words_is_named_after_its_file(root: Path) -> None:
    path = root / "sessions" / "2026" / "10" / "05" / "rollout-2026-10-05T09-00-00-abc.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("[]\n{}\n")
    (path.parent / "rollout-odd.jsonl").write_text("")
    (path.parent / "other.jsonl").write_text("")
    store = CodexStore(root)
    assert {(each.id, each.title) for each in store.conversations()} == {
        ("abc", ""),
        ("sessions/2026/10/05/rollout-odd.jsonl", ""),
    }


class GoingStore(CodexStore):
    """A store of which the conversations go when they are listed."""

    def conversations(self) -> Sequence[ForeignConversation]:
        """Lists them for the last time."""
        listed = super().conversations()
        for path in self.root.rglob("rollout-*.jsonl"):
            path.unlink()
        return listed


def test_a_file_that_cannot_be_read_is_a_problem(root: Path) -> None:
    make_store(root)
    store = CodexStore(root)
    store.conversations()
    for path in root.rglob("rollout-*.jsonl"):
        path.unlink()
        path.symlink_to(root / "nowhere")
    assert store.conversations() == []
    assert len([sentence for sentence in store.problems() if "could not be read" in sentence]) == 2
    make_store(root / "deeper" / ".codex")
    other = GoingStore(root / "deeper" / ".codex")
    assert list(other.edits()) == []
    assert len(other.problems()) == 2


@pytest.mark.parametrize("value", [None, 7, "x", [], [7], {}, {"content": 7}, 10**20, "\ud800"])
def test_wrong_types_in_every_field_break_nothing(root: Path, value: Any) -> None:
    make_store(root)
    (path,) = (root / "sessions").rglob("rollout-*.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    spoilt = []
    for line in lines:
        spoilt += [line | {name: value} for name in line]
        spoilt += [line | {"payload": line["payload"] | {name: value}} for name in line["payload"]]
        spoilt += [line | {"payload": line["payload"] | {"content": [value, {"type": value, "text": value}]}}]
    path.write_text("".join(json.dumps(line) + "\n" for line in spoilt), encoding="utf-8")
    look_at_all(root)


def look_at_all(root: Path) -> None:
    store = CodexStore(root)
    for each in store.conversations():
        transcript = store.open(each.id)
        for place in range(len(transcript.shape.kinds)):
            transcript.record(place)
            transcript.path_to(place)
        store.newest(each.id, 5)
    for edit in store.edits():
        edit.apply("")
    store.memory_files()
    store.problems()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10_000), st.binary(max_size=6), st.integers(0, 10_000))
def test_a_byte_flipped_or_a_file_cut_anywhere_breaks_nothing(
    tmp_path: Path, place: int, junk: bytes, stop: int
) -> None:
    root = tmp_path / ".codex"
    if not root.exists():
        make_store(root)
        (tmp_path / "sound").write_bytes(next((root / "sessions").rglob("rollout-*.jsonl")).read_bytes())
    data = (tmp_path / "sound").read_bytes()
    place, stop = place % len(data), stop % len(data)
    next((root / "sessions").rglob("rollout-*.jsonl")).write_bytes((data[:place] + junk + data[place + 1 :])[:stop])
    look_at_all(root)


def test_nothing_is_written(root: Path) -> None:
    make_store(root)
    before = hashes_of(root)
    look_at_all(root)
    assert hashes_of(root) == before


def compressed(path: Path, data: bytes | None = None) -> Path:
    """Puts a compressed rollout in the place of a plain one, as newer versions do with old ones."""
    packed = path.with_name(f"{path.name}.zst")
    packed.write_bytes(zstandard.compress(path.read_bytes()) if data is None else data)
    shutil.copystat(path, packed)
    path.unlink()
    return packed


def test_a_compressed_rollout_is_read_as_a_plain_one_is(root: Path, tmp_path: Path) -> None:
    make_store(root)
    before = CodexStore(root)
    listed = [(each.id, each.title, before.open(each.id).shape.messages) for each in before.conversations()]
    written = [(each.path, each.message_text) for each in before.edits()]
    for path in sorted(root.rglob("rollout-*.jsonl")):
        compressed(path)
    hashes = hashes_of(root)
    private = tmp_path / "private"
    store = CodexStore(root, private)
    assert [(each.id, each.title, store.open(each.id).shape.messages) for each in store.conversations()] == listed
    assert [(each.path, each.message_text) for each in store.edits()] == written
    assert store.problems() == []
    assert all(each.path.endswith(".zst") for each in store.conversations())
    assert [len(store.newest(each.id, 2)) for each in store.conversations()] == [2] * len(listed)
    copies = list(private.rglob("*.jsonl"))
    assert len(copies) == len(listed)
    assert all(path.stat().st_mode & 0o077 == 0 for path in copies)
    assert store.open(listed[0][0]) is store.open(listed[0][0])
    store.close()
    assert list(private.rglob("*.jsonl")) == []
    assert hashes_of(root) == hashes


@pytest.mark.parametrize("is_packed", [False, True])
def test_what_was_summed_up_is_told_without_opening_it(root: Path, is_packed: bool) -> None:
    plain = Rollout(root).meta().says('They call it "compact".').answers("b").write()
    other = Rollout(root, id="00000001-6666-7777-8888-999999999999").meta().says("a").compacts("", None).write()
    if is_packed:
        compressed(plain.path)
        compressed(other.path)
    store = CodexStore(root)
    may_be = {each.id: store.may_be_summed_up(each.id) for each in store.conversations()}
    assert may_be == {each: bool(store.open(each).shape.compactions) for each in may_be}
    assert sorted(may_be.values()) == [False, True]
    with pytest.raises(StorageError):
        store.may_be_summed_up("nobody")
    store.close()


def test_a_rollout_that_is_there_in_both_forms_counts_once(root: Path) -> None:
    rollout = Rollout(root).meta().says("a").write()
    packed = rollout.path.with_name(f"{rollout.path.name}.zst")
    packed.write_bytes(zstandard.compress(rollout.path.read_bytes()))
    store = CodexStore(root)
    assert [each.path.endswith(".jsonl") for each in store.conversations()] == [True]
    store.close()


def test_a_compressed_rollout_that_is_cut_off_shows_what_is_good(root: Path) -> None:
    rollout = Rollout(root).meta().says("Good morning.").write()
    data = zstandard.compress(rollout.path.read_bytes())
    packed = compressed(rollout.path, data + data[:-4])
    store = CodexStore(root)
    (found,) = store.conversations()
    assert found.title == "Good morning."
    assert store.open(found.id).shape.messages >= 1
    assert store.problems() == [f"The rollout {packed.relative_to(root).as_posix()} is cut off."]
    packed.write_bytes(b"no frame")
    assert store.open(found.id).shape.messages == 0
    assert store.problems() == [f"The rollout {packed.relative_to(root).as_posix()} is damaged."]
    packed.unlink()
    with pytest.raises(StorageError):
        store.open(found.id)
    store.close()
