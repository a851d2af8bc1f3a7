"""What a person says is on the disk before anything else happens: once, in its place, and never what they took out."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemoscope.domain.capture.file_changes import MEMORY_HEADER, SECTION
from mnemoscope.domain.capture.record import DUPLICATE, KEPT, PAUSED, REFUSED, SECRET, STATE_HEADER
from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.errors import WorkspaceReadOnly
from mnemoscope.domain.events import Captured, MemoryChanged
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.memory.capture.capture_writer import CaptureOutcome, PersonMessage
from mnemoscope.memory.files.write_hooks import add_write_hook
from mnemoscope.memory.memory_store import MemoryStore, wal_scan, wal_write
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.capture_bench import AFTER, BEGAN, KEY, MEMORY, SAID, Kept, kept
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory

__all__ = ["kept"]


def everything(root: Path) -> str:
    """Returns what any file says."""
    return "".join(path.read_text("utf-8", "replace") for path in root.rglob("*") if path.is_file())


async def test_what_lasts_stands_in_both_files_and_what_it_replaces_is_struck(kept: Kept) -> None:
    outcome = await kept.say(SAID, 4)
    assert kept.memory == AFTER
    assert kept.state == ["**preference**: I prefer tea", "**correction**: No, the server is in Berlin, not Paris"]
    assert (kept.root / "SESSION-STATE.md").read_text().startswith(f"{STATE_HEADER}\n\n- [2026-03-01T")
    assert [(each.outcome, each.index, each.replaced) for each in outcome.records] == [
        (KEPT, 4, ""),
        (KEPT, 4, "- The server is in Paris"),
    ]
    assert [(each.known_line, each.known_by) for each in outcome.records] == [("", ""), ("", "")]
    assert [type(event) for event in kept.events] == [MemoryChanged, Captured]
    assert await kept.store.captures.log() == [*reversed(outcome.records)]
    assert await kept.store.captures.of_conversation(KEY, Branch(BEGAN)) == {4: list(outcome.records)}


async def test_a_message_without_anything_to_keep_writes_and_announces_nothing(kept: Kept) -> None:
    before = sorted(kept.root.rglob("*"))
    for text in ("I'm tired today", "It's raining", "How do I use grep?", ""):
        assert not [each for each in (await kept.say(text)).records if each.outcome == KEPT]
    assert not (kept.root / "SESSION-STATE.md").exists()
    assert kept.memory == MEMORY
    assert {path for path in kept.root.rglob("*") if path not in before} <= {
        kept.root / ".mnemoscope" / "captures.jsonl"
    }


async def test_the_same_message_again_is_not_captured_again(kept: Kept) -> None:
    await kept.say(SAID, 4)
    assert await kept.say(SAID, 4) == CaptureOutcome()
    again = Kept(kept.root)
    assert await again.say(SAID, 4) == CaptureOutcome()
    assert kept.memory == AFTER
    assert len(kept.state) == 2


async def test_what_is_known_already_is_refused_as_a_duplicate(kept: Kept) -> None:
    await kept.say("I prefer tea", 0)
    (record,) = (await kept.say("I really prefer tea!", 2)).records
    assert (record.outcome, record.reason) == (REFUSED, f"{DUPLICATE} of - **preference**: I prefer tea")
    assert not record.may_be_kept
    assert kept.memory.count("tea") == 1
    assert len(kept.state) == 1


async def test_what_one_message_says_twice_is_kept_once(kept: Kept) -> None:
    first, second = (await kept.say("I prefer tea. I prefer tea.")).records
    assert (first.outcome, second.outcome) == (KEPT, REFUSED)
    assert second.reason.startswith(DUPLICATE)
    assert kept.memory.count("- **preference**: I prefer tea") == 1


async def test_a_state_says_only_what_holds_now(kept: Kept) -> None:
    await kept.say("My name is Anna", 0)
    await kept.say("My name is Ann", 2)
    rows = (kept.root / "SESSION-STATE.md").read_text().split("\n")
    assert [row for row in rows if "Anna" in row and "~~" in row and "until 2026-03-01" in row]
    assert kept.state == ["**proper_noun**: My name is Ann"]
    assert "- ~~**proper\\_noun**" not in kept.memory
    assert (
        "- ~~**proper_noun**: My name is Anna~~ (until 2026-03-01)\n- **proper_noun**: My name is Ann\n" in kept.memory
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Do I prefer tea?", "question"),
        ("Translate: 'I love you, my name is Juliet'", "template"),
        ("Remember my key is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA", SECRET),
    ],
)
async def test_a_refusal_says_why(kept: Kept, text: str, reason: str) -> None:
    records = (await kept.say(text)).records
    assert {(each.outcome, each.reason) for each in records} == {(REFUSED, reason)}
    assert kept.memory == MEMORY
    assert "sk-ant-api03" not in (kept.root / ".mnemoscope/captures.jsonl").read_text()


async def test_a_key_of_the_keychain_is_kept_nowhere(tmp_path: Path) -> None:
    kept = Kept(tmp_path, keys=["orchid-seven-lamp"])
    (record,) = (await kept.say("Remember that the door code is orchid-seven-lamp")).records
    assert (record.outcome, record.reason, record.may_be_kept) == (REFUSED, SECRET, False)
    assert "orchid-seven-lamp" not in everything(tmp_path)


async def test_pasted_text_is_nobodys_word(kept: Kept) -> None:
    text = "I prefer tea. I prefer cake."
    records = (await kept.say(text, quotes=((14, len(text), "paste"),))).records
    assert [(each.text, each.outcome, each.reason) for each in records] == [
        ("I prefer tea", KEPT, ""),
        ("I prefer cake", REFUSED, "pasted"),
    ]
    assert "cake" not in kept.memory


async def test_while_paused_it_is_only_noted_what_would_have_been_kept(kept: Kept) -> None:
    (record,) = (await kept.say("I prefer tea", paused=True)).records
    assert (record.outcome, record.reason, record.may_be_kept) == (REFUSED, PAUSED, True)
    assert (kept.memory, kept.state) == (MEMORY, [])


async def test_a_capture_is_a_change_of_its_own_that_names_its_message(kept: Kept) -> None:
    kept.store.committer().commit_changes()
    (record,) = (await kept.say("I prefer tea", 4)).records
    (change,) = kept.store.editing.changes()
    origin = change.origin
    assert (change.id, origin.kind, origin.session_key, origin.start) == (record.change_id, "capture", KEY, 4)
    assert (change.count_added, change.count_removed) == (1, 0)
    kept.store.committer().commit_changes()
    newest = GitStore(kept.root).log(1)[0]
    assert (newest.author, newest.subject) == ("Capture", "memory/MEMORY.md: Captured from a message")
    assert (newest.trailers["Conversation"], newest.trailers["Messages"]) == ((KEY,), ("4-5",))


async def test_lines_go_into_their_section_and_not_behind_what_comes_after(tmp_path: Path) -> None:
    kept = Kept(tmp_path, memory=f"# M\n\n{SECTION}\n\n- **preference**: I like plov\n\n## Mine\n\n- own")
    await kept.say("I prefer tea")
    assert kept.memory == (
        f"# M\n\n{SECTION}\n\n- **preference**: I like plov\n- **preference**: I prefer tea\n\n## Mine\n\n- own"
    )


async def test_a_workspace_without_memory_gets_the_peers_file(tmp_path: Path) -> None:
    kept = Kept(tmp_path, memory=None)
    await kept.say("I prefer tea")
    assert kept.memory == f"{MEMORY_HEADER}\n\n{SECTION}\n\n- **preference**: I prefer tea\n"


@pytest.mark.slow
async def test_of_a_long_memory_each_line_is_read_once(kept: Kept) -> None:
    kept.memory_file.write_text("# Memory\n" + "".join(f"- {number}\n" for number in range(6_000)))
    await kept.say("I prefer tea", 0)
    known = kept.store.captures.writer._facts
    await kept.say("I like plov", 2)
    assert kept.store.captures.writer._facts is known
    assert len(known) > 6_000


async def test_a_workspace_that_is_only_looked_at_is_not_written(tmp_path: Path) -> None:
    Kept(tmp_path)
    kept = Kept(tmp_path, read_only=True)
    for call in (kept.say("I prefer tea"), kept.store.captures.undo("x"), kept.store.captures.keep("x")):
        with pytest.raises(WorkspaceReadOnly):
            await call
    assert kept.memory == MEMORY


async def test_each_conversation_has_its_own_state(kept: Kept) -> None:
    manager = SessionManager(kept.root)
    other = manager.get_or_create("desktop:b")
    other.add_message("user", "Hello")
    manager.save(other)
    await kept.say("The deadline is 2026-06-15")
    await kept.store.captures.capture(PersonMessage("desktop:b", BEGAN, 0, "The deadline is 2026-07-20"))
    states = kept.store.captures.states
    assert "2026-06-15" in states.read(KEY).text
    assert "2026-06-15" not in states.read("desktop:b").text
    assert kept.state == ["**specific_value**: The deadline is 2026-07-20"]


async def test_the_time_of_a_line_is_that_of_the_place_the_person_lives_in(tmp_path: Path) -> None:
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    store = MemoryStore(tmp_path, clock=lambda: noon, zone=lambda: "Asia/Tashkent")
    store.editing.read_text()
    outcome = await store.captures.capture(PersonMessage(KEY, BEGAN, 0, "I prefer tea"))
    await store.captures.undo(outcome.records[0].id)
    after = await store.captures.keep(outcome.records[0].id)
    lines = [outcome.records[0].state_line, after.records[0].state_line]
    assert lines == ["- [2026-11-22T17:00:00+05:00] **preference**: I prefer tea"] * 2


@pytest.mark.logs_errors("write hook")
def test_the_seeds_doors_write_both_files_once_and_tell_the_hooks(tmp_path: Path) -> None:
    published: list[tuple[str, str]] = []
    remove = add_write_hook(lambda content, source: published.append((source, content)))

    def fail(content: str, source: str) -> None:
        raise ZeroDivisionError

    broken = add_write_hook(fail)
    try:
        wal_write(wal_scan("My name is Bobur. The deadline is 2025-06-15."), tmp_path, "7")
        wal_write(wal_scan("My name is Bobur"), str(tmp_path), "7")
    finally:
        remove()
        remove()
        broken()
    memory = (tmp_path / "MEMORY.md").read_text()
    assert memory == f"{MEMORY_HEADER}\n\n{SECTION}\n\n- **proper_noun**: [user:7] My name is Bobur\n"
    assert MemoryStore(tmp_path).read_long_term() == memory
    state = (tmp_path / "SESSION-STATE.md").read_text()
    assert state.count("**proper_noun**: My name is Bobur\n") == state.count("[user:7] **proper_noun**") == 1
    assert [source for source, _ in published] == ["MEMORY.md", "SESSION-STATE.md"]
    assert published[0][1] == "- **proper_noun**: [user:7] My name is Bobur\n"


@pytest.mark.parametrize(
    ("config", "others", "name"),
    [
        ('{"mnemoscope": {"profile": "three-tier"}}', (), "MEMORY.md"),
        ('{"mnemoscope": {"profile": "three-tier"}}', ("memory/2026-03-01.md",), "MEMORY.md"),
        ('{"mnemoscope": {"profile": "three-tier"}}', ("memory/HISTORY.md",), "memory/MEMORY.md"),
        ('{"mnemoscope": {"profile": "three-tier"}}', ("memory/MEMORY.md",), "memory/MEMORY.md"),
        ('{"mnemoscope": {"profile": "two-layer"}}', (), "memory/MEMORY.md"),
        ("{", (), "memory/MEMORY.md"),
        ("[]", (), "memory/MEMORY.md"),
        ('{"mnemoscope": 1}', (), "memory/MEMORY.md"),
        ("", ("AGENTS.md",), "memory/MEMORY.md"),
    ],
)
def test_what_is_captured_in_a_folder_without_memory_stands_where_its_profile_reads(
    tmp_path: Path, config: str, others: tuple[str, ...], name: str
) -> None:
    (tmp_path / "memory").mkdir()
    for each in others:
        (tmp_path / each).write_text("# Mine\n", encoding="utf-8")
    if config:
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
    wal_write(wal_scan("I prefer tea"), tmp_path)
    assert "I prefer tea" in (tmp_path / name).read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.rglob("MEMORY.md")] == ["MEMORY.md"]


def test_a_config_that_is_no_file_names_no_profile(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    assert not WorkspacePaths.found(tmp_path).memory_at_root


async def test_what_one_person_says_strikes_and_repeats_nothing_of_another(tmp_path: Path) -> None:
    kept = Kept(tmp_path, memory="# Memory\n")
    wal_write(wal_scan("My name is Alice. I prefer tea."), tmp_path, "alice")
    wal_write(wal_scan("My name is Boris"), tmp_path, "boris")
    (record, _) = (await kept.say("My name is Carol. I prefer tea.")).records
    memory = [row for row in kept.memory.split("\n") if row.startswith("- ")]
    assert memory == [
        "- **proper_noun**: [user:alice] My name is Alice",
        "- **preference**: [user:alice] I prefer tea",
        "- **proper_noun**: [user:boris] My name is Boris",
        "- **proper_noun**: My name is Carol",
        "- **preference**: I prefer tea",
    ]
    assert "~~" not in kept.memory + (tmp_path / "SESSION-STATE.md").read_text()
    await kept.store.captures.undo(record.id)
    assert [row for row in memory if row not in kept.memory.split("\n")] == ["- **proper_noun**: My name is Carol"]


def test_what_one_person_took_out_may_still_be_said_by_another(tmp_path: Path) -> None:
    wal_write(wal_scan("I prefer tea"), tmp_path, "alice")
    store = MemoryStore(tmp_path)
    before = store.editing.read_text()
    line = "- **preference**: [user:alice] I prefer tea"
    assert line in before.text
    without = before.text.replace(f"{line}\n", "")
    store.files.memory.save_with_base(without, before.digest, before.text, MemoryOrigin("editor"))
    wal_write(wal_scan("I prefer tea"), tmp_path, "alice")
    assert "tea" not in store.read_long_term()
    wal_write(wal_scan("I prefer tea"), tmp_path, "boris")
    assert store.read_long_term().count("tea") == 1
    assert "- **preference**: [user:boris] I prefer tea" in store.read_long_term()


async def test_consolidation_is_shown_nothing_struck_and_keeps_it_all(kept: Kept) -> None:
    await kept.say(SAID)
    manager = SessionManager(kept.root)
    session = manager.get_or_create(KEY)
    for number in range(20):
        session.add_message("user", f"I have a cat called Mau {number}")
    manager.save(session)
    shown = "\n".join(row for row in AFTER.split("\n") if "~~" not in row)
    model = ScriptedProvider(
        [save_memory("[2026-03-01 10:00] Of Mau.", shown.replace("- mine", "- mine\n- has a cat"))]
    )
    assert await kept.store.consolidate(session, model, "m", memory_window=10)
    assert "~~" not in str(model.requests)
    assert kept.memory == AFTER.replace("- mine", "- mine\n- has a cat")
