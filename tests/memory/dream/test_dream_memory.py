"""A run of Dream taken back: it alone, with everything later kept, and its entries dreamed again or declined."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.errors import StorageError
from mnemoscope.memory.dream.dreamer import DreamRequest
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from tests.support.dream_bench import CAT, FACT, MEMORY, TEXT, cat_script, edit
from tests.support.faulty_calls import FailingOnce, KillingCalls, SimulatedKill
from tests.support.scripted_provider import ScriptedProvider, keeps_nothing, says


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 4, 3, 10, 0)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def opened(root: Path, calls: FileCalls = REAL_CALLS) -> MemoryStore:
    return MemoryStore(root, clock=Clock(), calls=calls)


def begun(root: Path) -> MemoryStore:
    store = opened(root)
    store.memory_file.write_text(TEXT, encoding="utf-8")
    store.dream.journal.append(FACT)
    return store


async def dream(store: MemoryStore, *script: Any) -> DreamRun:
    finished = await store.dream.dreamer.run(DreamRequest(ScriptedProvider(*script), "m"))
    assert finished is not None
    return finished.run


def user(root: Path) -> str:
    file = root / "USER.md"
    return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return begun(tmp_path)


@pytest.mark.slow
async def test_the_very_first_run_is_undone_with_its_cursor(store: MemoryStore, tmp_path: Path) -> None:
    run = await dream(store, *cat_script())
    undone = store.dream.undo(run.id, again=True)
    assert [path for path, _ in undone.changed] == ["USER.md", MEMORY]
    assert (store.read_long_term(), user(tmp_path)) == (TEXT, "")
    assert store.get_last_dream_cursor() == 0
    assert store.dream.unread.waiting().count == 1
    again = await dream(store, *cat_script())
    assert (again.outcome, store.get_last_dream_cursor()) == ("changed", 1)


@pytest.mark.slow
async def test_declined_entries_are_not_dreamed_again_unless_that_is_asked_for_later(store: MemoryStore) -> None:
    run = await dream(store, *cat_script())
    store.dream.undo(run.id, again=False)
    assert (store.get_last_dream_cursor(), store.dream.unread.waiting().count) == (1, 0)
    assert store.dream.runs.newest()[0].undone == "declined"
    store.dream.undo(run.id, again=True)
    assert store.dream.unread.waiting().count == 1
    assert store.dream.runs.newest()[0].undone == "again"
    with pytest.raises(StorageError, match="Nothing of this run is left to undo"):
        store.dream.undo(run.id, again=False)


def test_what_cannot_be_followed_in_the_journal_is_said(store: MemoryStore) -> None:
    assert store.dream.problems() == []
    with store.dream.journal.file.open("ab") as file:
        file.write(b'{"cursor": true, "timestamp": "", "content": ""}\n')
    store.dream.journal.append("- [durable] Likes snow")
    store.dream.journal.dream_cursor_file.write_bytes(b"99")
    cursor, lines = store.dream.problems()
    assert cursor.startswith("memory/.dream_cursor says 99, but the last entry is 2.")
    assert lines.startswith("1 line holds no entry in memory/history.jsonl;")


@pytest.mark.slow
async def test_everything_later_stays(store: MemoryStore, tmp_path: Path) -> None:
    first = await dream(store, *cat_script())
    base = store.editing.read_text()
    await store.editing.save_text(base.text + "- likes rain\n", base.digest)
    store.dream.journal.append("- [durable] Likes snow")
    await dream(store, edit("- likes rain\n", "- likes rain\n- likes snow\n"), says("Done."))
    undone = store.dream.undo(first.id, again=False)
    assert undone.held == 0
    assert store.read_long_term() == TEXT + "- likes rain\n- likes snow\n"
    assert user(tmp_path) == ""
    assert store.get_last_dream_cursor() == 2


@pytest.mark.slow
async def test_the_entries_of_an_older_run_are_dreamed_again_and_no_others(store: MemoryStore) -> None:
    first = await dream(store, *cat_script())
    store.dream.journal.append("- [durable] Likes snow")
    await dream(store, keeps_nothing())
    store.dream.undo(first.id, again=True)
    assert (store.get_last_dream_cursor(), store.dream.unread.waiting().count) == (2, 1)
    store.dream.journal.append("- [durable] Likes fog")
    model = ScriptedProvider(*cat_script(), keeps_nothing())
    runs = [await store.dream.dreamer.run(DreamRequest(model, "m")) for _ in range(3)]
    assert [(each.run.first, each.run.last) for each in runs if each] == [(1, 1), (3, 3)]
    asked = [str(request.messages[1]["content"]) for request in model.requests]
    assert ["Likes snow" in each for each in asked] == [False, False, False]
    assert (store.get_last_dream_cursor(), store.dream.unread.waiting().count) == (3, 0)
    assert CAT in store.read_long_term()


@pytest.mark.slow
async def test_what_is_to_be_read_again_and_is_gone_from_the_journal_does_not_wait(store: MemoryStore) -> None:
    first = await dream(store, *cat_script())
    store.dream.journal.append("- [durable] Likes snow")
    await dream(store, keeps_nothing())
    store.dream.undo(first.id, again=True)
    lines = store.dream.journal.file.read_text("utf-8").splitlines(keepends=True)
    store.dream.journal.file.write_text("".join(lines[1:]), "utf-8")
    assert store.dream.unread.waiting().count == 0
    store.dream.journal.append("- [durable] Likes fog")
    run = await dream(store, keeps_nothing())
    assert (run.first, store.dream.unread.place().again) == (3, ())


@pytest.mark.slow
async def test_where_later_words_stand_in_the_same_place_they_stay_and_the_rest_waits(store: MemoryStore) -> None:
    run = await dream(store, *cat_script())
    base = store.editing.read_text()
    await store.editing.save_text(base.text.replace("called Mau", "called Mau, a tabby"), base.digest)
    undone = store.dream.undo(run.id, again=False)
    assert undone.held == 1
    assert "- has a cat called Mau, a tabby\n" in store.read_long_term()
    (waiting,) = store.ledger.suggestions()
    assert waiting.path == MEMORY
    assert waiting.reasons == ("A later change touched the same words; they stand.",)


@pytest.mark.slow
async def test_an_undo_is_a_change_of_its_own_and_can_be_undone(store: MemoryStore, tmp_path: Path) -> None:
    run = await dream(store, *cat_script())
    undone = store.dream.undo(run.id, again=False)
    change = store.editing.changes()[-1]
    assert (change.id, change.origin.kind, change.origin.detail) == (undone.change_id, "undo", run.id)
    await store.editing.undo_change(change.id)
    assert CAT in store.read_long_term()
    assert "Mau" in user(tmp_path)


async def test_a_run_that_wrote_nothing_or_is_not_known_cannot_be_undone(store: MemoryStore) -> None:
    run = await dream(store, keeps_nothing())
    with pytest.raises(StorageError, match="Nothing of this run is left"):
        store.dream.undo(run.id, again=False)
    with pytest.raises(StorageError, match="not known any more"):
        store.dream.undo("no-such-run", again=False)


@pytest.mark.slow
async def test_a_run_whose_record_a_crash_kept_from_being_written_is_undone_too(store: MemoryStore) -> None:
    run = await dream(store, *cat_script())
    opened(store.memory_dir.parent).dream.runs._file.unlink()
    store.dream.undo(run.id, again=True)
    assert (store.read_long_term(), store.get_last_dream_cursor()) == (TEXT, 0)


@pytest.mark.slow
async def test_a_run_finished_by_recovery_has_a_record_and_is_undone(tmp_path: Path) -> None:
    begun(tmp_path)
    for number in range(1, 200):
        store = opened(tmp_path, KillingCalls(number))
        with contextlib.suppress(SimulatedKill):
            await dream(store, *cat_script())
        if store._paths.own.intent_file.exists():
            break
    after = opened(tmp_path)
    after.recover()
    (run,) = after.dream.runs.newest()
    assert (run.outcome, run.first, run.last, run.entries) == ("changed", 1, 1, 1)
    assert run.reason == "It was interrupted while it was written, and finished afterwards."
    assert [edit.path for edit in run.edits] == ["USER.md", MEMORY]
    after.dream.undo(run.id, again=False)
    assert after.read_long_term() == TEXT


def is_recorded(store: MemoryStore) -> bool:
    """Returns a run whose edits stand has a record, one that did not happen has none that says so."""
    changed = [run for run in store.dream.runs.newest() if run.outcome == "changed"]
    return len(changed) == ("Mau" in store.read_long_term())


@pytest.mark.slow
async def test_killed_anywhere_a_run_that_happened_has_a_record_when_it_is_opened_again(
    tmp_path: Path, stride: int
) -> None:
    for number in range(1, 400, stride):
        root = tmp_path / str(number)
        begun(root)
        store = opened(root, KillingCalls(number))
        try:
            await dream(store, *cat_script())
        except SimulatedKill:
            after = opened(root)
            after.recover()
            assert is_recorded(after), number
        else:
            break
    assert number > 30


@pytest.mark.slow
async def test_wherever_the_disk_refused_a_run_that_happened_has_a_record_once_it_takes_it(
    tmp_path: Path, stride: int
) -> None:
    for number in range(2, 400, stride):
        root = tmp_path / str(number)
        begun(root)
        calls = FailingOnce(number)
        store = opened(root, calls)
        with contextlib.suppress(StorageError):
            await dream(store, *cat_script())
        if len(calls.names) < number:
            break
        store.finish_pending()
        assert is_recorded(store), number
        store.dream.add_missing_record()
        assert is_recorded(store), number
    assert number > 30


@pytest.mark.slow
@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_killed_anywhere_an_undo_is_whole_or_has_not_happened(
    tmp_path: Path, when: str, again: bool, stride: int
) -> None:
    kills = 0
    for number in range(1 + (2 * again + (when == "after")) % stride, 400, stride):
        root = tmp_path / str(number)
        run = await dream(begun(root), *cat_script())
        calls = KillingCalls(number, when)
        store = opened(root, calls)
        calls.names.clear()
        try:
            store.dream.undo(run.id, again=again)
        except SimulatedKill:
            kills += 1
        else:
            break
        after = opened(root)
        after.recover()
        state = (after.get_last_dream_cursor(), "Mau" in after.read_long_term(), "Mau" in user(root))
        assert state in ((1, True, True), (0 if again else 1, False, False)), (number, state)
        assert not list(root.rglob("*.mnemo-tmp"))
    else:
        pytest.fail("it never came to an end")
    assert kills >= 25 // stride
