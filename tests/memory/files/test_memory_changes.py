"""Every change of MEMORY.md is known, whoever made it, and can be taken back without what came later."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError, WorkspaceReadOnly
from mnemoscope.domain.events import Event, EventBus, MemoryChanged
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin, undone_changes
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.memory.change_log import KEPT, ChangeLog, LoggedChange
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.faulty_calls import CountedCalls, KillingCalls, SimulatedKill
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import conversation, save_memory

FACTS = "# User\n- Name is Sam\n- Likes tea\n- Lives in Paris\n"


def open_store(root: Path, calls: FileCalls = REAL_CALLS, bus: EventBus | None = None) -> MemoryStore:
    store = MemoryStore(root, sessions=SessionManager(root, calls=calls), calls=calls, bus=bus)
    store.recover()
    return store


async def save(store: MemoryStore, text: str) -> None:
    await store.editing.save_text(text, store.editing.read_text().digest)


async def consolidate(store: MemoryStore, update: str, start: int = 0) -> None:
    session = conversation(SessionManager(store.memory_dir.parent), 4, start=start)
    model = ScriptedProvider(save_memory("[2026-01-02 10:00] Talked.", update))
    assert await store.consolidate(session, model, "m", archive_all=True)


def kinds(store: MemoryStore) -> list[str]:
    return [change.origin.kind for change in store.editing.changes()]


@pytest.fixture
async def store(tmp_path: Path) -> MemoryStore:
    made = open_store(tmp_path)
    await save(made, FACTS)
    return made


@pytest.mark.parametrize("place", ["memory/MEMORY.md", "MEMORY.md"])
async def test_a_change_of_another_program_is_dated_by_the_file_wherever_it_lies(tmp_path: Path, place: str) -> None:
    (tmp_path / "memory").mkdir()
    file = tmp_path / place
    file.write_text(FACTS)
    await save(open_store(tmp_path), FACTS + "- Has a cat\n")
    file.write_text(FACTS + "- Has a dog\n")
    noon = datetime(2026, 1, 2, 12)
    os.utime(file, (noon.timestamp(), noon.timestamp()))
    store = open_store(tmp_path)
    await save(store, FACTS + "- Has a dog\n- Has a bird\n")
    outside = next(each for each in store.editing.changes() if each.added == ("Has a dog",))
    assert outside.when == noon.isoformat()


async def test_each_change_tells_whose_it_is_and_what_it_did(store: MemoryStore) -> None:
    store.memory_file.write_text(FACTS + "- Has a dog\n")
    await consolidate(store, FACTS + "- Has a dog\n- Plays chess\n")
    first, outside, consolidated = store.editing.changes()
    assert (first.origin.kind, first.added, first.before) == (
        "editor",
        ("Name is Sam", "Likes tea", "Lives in Paris"),
        "",
    )
    assert (outside.origin.kind, outside.added) == ("outside", ("Has a dog",))
    assert (outside.count_added, outside.count_removed) == (1, 0)
    origin = consolidated.origin
    assert (origin.kind, origin.session_key, origin.start, origin.stop) == ("consolidation", "cli:direct", 0, 4)
    assert consolidated.entry.endswith("] Talked.")
    assert store.editing.version_text(consolidated.before) == FACTS + "- Has a dog\n"


async def test_the_ledgers_card_and_the_change_have_the_same_name(store: MemoryStore) -> None:
    await consolidate(store, FACTS + "- Has a dog\n")
    assert store.editing.changes()[-1].id == store.ledger.records()[0].transaction_id


@pytest.mark.parametrize("restarted", [False, True])
async def test_undo_takes_one_change_back_and_keeps_everything_later(store: MemoryStore, restarted: bool) -> None:
    await consolidate(store, FACTS.replace("Likes tea", "Likes green tea") + "- Has a dog\n")
    change = store.editing.changes()[-1]
    await save(store, store.read_long_term().replace("Sam", "Samuel") + "- Later\n")
    if restarted:
        store = open_store(store.memory_dir.parent)
    saved = await store.editing.undo_change(change.id)
    assert saved.conflicts == ()
    assert store.read_long_term() == FACTS.replace("Sam", "Samuel") + "- Later\n"


async def test_an_undo_can_be_undone(store: MemoryStore) -> None:
    await consolidate(store, FACTS + "- Has a dog\n")
    await store.editing.undo_change(store.editing.changes()[-1].id)
    undo = store.editing.changes()[-1]
    assert (undo.origin.kind, undo.origin.detail) == ("undo", store.editing.changes()[-2].id)
    await store.editing.undo_change(undo.id)
    assert store.read_long_term() == FACTS + "- Has a dog\n"
    assert store.ledger.suggestions() == []


async def test_what_another_program_changed_can_be_undone(store: MemoryStore) -> None:
    store.memory_file.write_text("# Gone\n")
    store.editing.read_text()
    await store.editing.undo_change(store.editing.changes()[-1].id)
    assert store.read_long_term() == FACTS


async def test_where_something_later_changed_the_same_line_it_stands_and_the_rest_is_undone(store: MemoryStore) -> None:
    await consolidate(store, FACTS.replace("Likes tea", "Likes green tea") + "- Has a dog\n")
    change = store.editing.changes()[-1]
    mine = store.read_long_term().replace("green tea", "white tea")
    await save(store, mine)
    saved = await store.editing.undo_change(change.id)
    assert saved.text == mine.replace("- Has a dog\n", "")
    (suggestion,) = store.ledger.suggestions()
    (conflict,) = suggestion.conflicts
    assert (conflict.base, conflict.mine, conflict.theirs) == ("- Likes green tea", "- Likes white tea", "- Likes tea")
    assert (conflict.mine_from.kind, conflict.theirs_from.kind) == ("editor", "undo")


async def test_an_undo_of_what_is_gone_says_so(store: MemoryStore) -> None:
    await consolidate(store, FACTS + "- Has a dog\n")
    change = store.editing.changes()[-1]
    await store.editing.undo_change(change.id)
    with pytest.raises(StorageError, match="Nothing of this change is left"):
        await store.editing.undo_change(change.id)
    with pytest.raises(StorageError, match="no such change"):
        await store.editing.undo_change("nothing")


async def test_an_undo_of_more_than_half_of_the_file_is_what_was_asked_for(store: MemoryStore) -> None:
    await save(store, "# Other\n- a\n- b\n- c\n- d\n")
    change = store.editing.changes()[-1]
    await save(store, "# Other\n- a\n- b\n- c\n- d\n- later\n")
    await store.editing.undo_change(change.id)
    assert set(FACTS.split("\n")) <= set(store.read_long_term().split("\n"))
    assert "- later" in store.read_long_term()


async def test_a_whole_version_is_restored_to_the_letter_and_that_can_be_undone(store: MemoryStore) -> None:
    first = store.editing.read_text().digest
    await save(store, "# New\n- all of it\n")
    await store.editing.restore_version(first)
    assert store.read_long_term() == FACTS
    await store.editing.undo_change(store.editing.changes()[-1].id)
    assert store.read_long_term() == "# New\n- all of it\n"
    with pytest.raises(StorageError, match="not kept any more"):
        await store.editing.restore_version("0" * 64)


async def test_undo_and_restore_are_announced(tmp_path: Path) -> None:
    events: list[Event] = []
    bus = EventBus()
    bus.subscribe(events.append)
    store = open_store(tmp_path, bus=bus)
    await save(store, FACTS)
    await save(store, "- other\n")
    saved = await store.editing.undo_change(store.editing.changes()[-1].id)
    assert events[-1] == MemoryChanged(FACTS, saved.digest, "restore")


async def test_a_ledger_from_before_changes_were_noted_serves_for_undo(store: MemoryStore) -> None:
    await consolidate(store, FACTS + "- Has a dog\n")
    (record,) = store.ledger.records()
    (store.memory_dir.parent / ".mnemoscope" / "memory-changes.jsonl").unlink()
    store = open_store(store.memory_dir.parent)
    await store.editing.undo_change(record.transaction_id)
    assert store.read_long_term() == FACTS


async def test_looking_only_undoes_nothing(store: MemoryStore) -> None:
    change = store.editing.changes()[-1]
    store.memory_file.write_text(FACTS + "- Has a dog\n")
    looking = MemoryStore(store.memory_dir.parent, read_only=True)
    assert looking.read_long_term() == FACTS + "- Has a dog\n"
    assert [each.id for each in looking.editing.changes()] == [change.id]
    for undo in (looking.editing.undo_change(change.id), looking.editing.restore_version(change.after)):
        with pytest.raises(WorkspaceReadOnly):
            await undo


async def test_a_file_that_is_missing_for_a_moment_is_no_change(store: MemoryStore) -> None:
    store.memory_file.unlink()
    assert store.editing.read_text().text == ""
    assert kinds(store) == ["editor"]
    store.memory_file.write_text(FACTS)
    store.editing.read_text()
    assert kinds(store) == ["editor"]


async def test_what_was_written_just_before_a_crash_is_told_from_what_others_wrote(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a")
    await save(store, FACTS)
    counted = CountedCalls()
    root = tmp_path / "b"
    shutil.copytree(tmp_path / "a", root)
    await save(open_store(root, counted), FACTS + "- Has a dog\n")
    found = set()
    for at in range(1, len(counted.names) + 1):
        shutil.rmtree(root)
        shutil.copytree(tmp_path / "a", root)
        killed = open_store(root, KillingCalls(at))
        with pytest.raises(SimulatedKill):
            await save(killed, FACTS + "- Has a dog\n")
        again = open_store(root)
        again.editing.read_text()
        found.add((again.read_long_term() == FACTS, tuple(kinds(again))))
        assert not list(root.rglob("*.mnemo-tmp"))
    assert found == {(True, ("editor",)), (False, ("editor", "recovered")), (False, ("editor", "editor"))}


@pytest.mark.slow
async def test_an_undo_that_is_killed_is_done_or_not_and_can_be_asked_for_again(tmp_path: Path) -> None:
    template = tmp_path / "a"
    store = open_store(template)
    await save(store, FACTS)
    await consolidate(store, FACTS + "- Has a dog\n")
    change = store.editing.changes()[-1]
    counted, root = CountedCalls(), tmp_path / "b"
    shutil.copytree(template, root)
    await open_store(root, counted).editing.undo_change(change.id)
    for at in range(1, len(counted.names) + 1):
        shutil.rmtree(root)
        shutil.copytree(template, root)
        killed = open_store(root, KillingCalls(at, "half"))
        with pytest.raises(SimulatedKill):
            await killed.editing.undo_change(change.id)
        again = open_store(root)
        assert again.editing.read_text().text in (FACTS, FACTS + "- Has a dog\n")
        if again.read_long_term() != FACTS:
            await again.editing.undo_change(change.id)
        assert again.read_long_term() == FACTS
        assert not list(root.rglob("*.mnemo-tmp"))


def line(number: int, deleted: tuple[str, ...] = (), restored: tuple[str, ...] = ()) -> LoggedChange:
    origin = MemoryOrigin("editor", "2026-01-01T10:00:00")
    return LoggedChange(MemoryChange(str(number), origin.when, origin, f"{number}", f"{number + 1}"), deleted, restored)


@pytest.mark.slow
def test_the_journal_is_bounded_and_forgets_no_deletion(tmp_path: Path) -> None:
    journal = ChangeLog(tmp_path / "changes.jsonl")
    journal.add(line(0, deleted=("a" * 16, "b" * 16)))
    for number in range(1, 3 * KEPT):
        journal.add(line(number, restored=("b" * 16,) if number == 5 else ()))
    again = ChangeLog(journal.path)
    assert KEPT <= len(again.lines()) < 2 * KEPT
    assert dict(again.deleted()) == dict(journal.deleted()) == {"a" * 16: "2026-01-01T10:00:00"}
    assert again.lines() == journal.lines()
    assert again.last_digest() == f"{3 * KEPT}"


def test_a_line_of_the_journal_that_was_torn_costs_only_itself(tmp_path: Path) -> None:
    journal = ChangeLog(tmp_path / "changes.jsonl")
    for number in range(3):
        journal.add(line(number, deleted=(f"{number}" * 16,)))
    data = journal.path.read_bytes()
    journal.path.write_bytes(data[:-40])
    again = ChangeLog(journal.path)
    assert [each.change.id for each in again.lines()] == ["0", "1"]
    again.add(line(7))
    assert [each.change.id for each in ChangeLog(journal.path).lines()] == ["0", "1", "7"]


async def test_what_a_tool_saved_names_the_change_that_takes_it_back(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await save(store, FACTS)
    known = store.editing.read_text().digest
    saved = await store.editing.save_text(FACTS + "- Has a cat\n", known, origin="agent", session_key="cli:direct")
    change = store.editing.changes()[-1]
    assert (saved.change_id, change.origin.kind) == (change.id, "agent")
    same = await store.editing.save_text(saved.text, saved.digest, origin="agent", session_key="cli:direct")
    assert same.change_id == ""
    await store.editing.undo_change(saved.change_id)
    assert store.editing.read_text().text == FACTS


async def test_what_is_undone_and_brought_back_again_is_known(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await save(store, FACTS)
    await save(store, FACTS + "- Has a cat\n")
    change = store.editing.changes()[-1]
    assert undone_changes(store.editing.changes()) == {}
    for again in (1, 2):
        await store.editing.undo_change(change.id)
        undo = store.editing.changes()[-1]
        assert undone_changes(store.editing.changes())[change.id] == undo.id, again
        await store.editing.undo_change(undo.id)
        assert change.id not in undone_changes(store.editing.changes()), again


async def test_the_author_of_a_line_is_who_wrote_it_not_who_brought_it_back(tmp_path: Path) -> None:
    file = tmp_path / "memory" / "MEMORY.md"
    file.parent.mkdir()
    file.write_text("# Facts\n- Stood there before\n", "utf-8")
    store = open_store(tmp_path)
    many = "".join(f"- Typed line {number}, {'long ' * 40}to be shortened\n" for number in range(20))
    await save(store, store.read_long_term() + many)
    typed = many.split("\n")[17]
    without = store.editing.changes()[-1].before
    await save(store, store.read_long_term().replace(f"{typed}\n", ""))
    await store.editing.undo_change(store.editing.changes()[-1].id)
    file.write_text(store.read_long_term() + "- From another program\n", "utf-8")
    store.editing.read_text()
    await consolidate(store, store.read_long_term() + "- Consolidated\n")
    for changes in (store.files.memory.changes, open_store(tmp_path).files.memory.changes):
        authors = {
            "- Stood there before": "outside",
            typed: "editor",
            "- From another program": "outside",
            "- **Consolidated**": "consolidation",
            "- Nobody wrote this": "",
            "": "",
        }
        assert {line: changes.author_of(line).kind for line in authors} == authors
    # The text before is not kept any more: the twelve facts the log lists are still known, by how they begin.
    (tmp_path / ".mnemoscope" / "versions" / without).unlink()
    changes = open_store(tmp_path).files.memory.changes
    assert [changes.author_of(line).kind for line in (many.split("\n")[3], typed)] == ["editor", "undo"]


async def test_nobody_is_named_where_no_change_was_noted(tmp_path: Path) -> None:
    assert MemoryStore(tmp_path).files.memory.changes.author_of("- Likes tea").kind == ""
