"""An entry of the history or of a daily note is corrected where it stands, so that the programs that read the same
files find it, and gets its former words back."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError, WorkspaceReadOnly
from mnemoscope.domain.events import EntryCorrected, Event, EventBus, HistoryChanged
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.memory.files.entry_corrections import CorrectableEntry
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.transactions.file_steps import planned_cut
from mnemoscope.store.transactions.intent import Intent
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import KillingCalls, SimulatedKill

HISTORY, JOURNAL, NOTE = "memory/HISTORY.md", "memory/history.jsonl", "memory/2026-03-01.md"
LOGS = {
    HISTORY: "[2026-03-01 09:00] Rent is 940 pounds.\n\n[2026-03-01 10:00] The cat is called Biscuit.\n\n",
    JOURNAL: '{"cursor": 1, "timestamp": "2026-03-01 09:00", "content": "Rent is 940 pounds."}\n'
    '{"cursor": 2, "timestamp": "2026-03-01 10:00", "content": "The cat is called Biscuit.", "session_key": "a:b"}\n',
    NOTE: "# Daily Notes — 2026-03-01\n\n\n## [09:00:00]\n**User:** The rent?\n**Agent:** Rent is 940 pounds.\n\n"
    "## [10:00:00] [user:7]\n**User:** My cat?\n**Agent:** The cat is called Biscuit.\n",
}


def opened(root: Path, calls: FileCalls = REAL_CALLS, **more: object) -> MemoryStore:
    store = MemoryStore(root, calls=calls, **more)  # type: ignore[arg-type]
    store.recover()
    return store


@pytest.fixture(params=LOGS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / "memory").mkdir()
    (tmp_path / request.param).write_text(LOGS[request.param], encoding="utf-8")
    return str(request.param)


async def found(store: MemoryStore, path: str, passage: str) -> CorrectableEntry:
    entry = await store.corrections.find(path, passage)
    assert entry is not None
    return entry


async def corrected(store: MemoryStore, path: str) -> str:
    """Corrects the older entry, and returns the id of the correction."""
    entry = await found(store, path, "Rent is 940 pounds.")
    return await store.corrections.correct(entry, entry.words.replace("940", "980"))


async def test_nothing_but_the_words_of_the_entry_changes_and_they_come_back(path: str, tmp_path: Path) -> None:
    store = opened(tmp_path)
    correction = await corrected(store, path)
    assert (tmp_path / path).read_text(encoding="utf-8") == LOGS[path].replace("940", "980")
    (stands,) = store.corrections.standing().values()
    assert (stands.id, "940 pounds" in stands.former) == (correction, True)
    again = opened(tmp_path)
    entry = await found(again, path, "Rent is 940 pounds.")
    assert "980 pounds" in entry.words, "what was sent once leads to what stands now"
    assert entry.correction is not None
    assert entry.correction.id == correction
    await again.corrections.undo(correction)
    assert (tmp_path / path).read_text(encoding="utf-8") == LOGS[path]
    assert again.corrections.standing() == {}
    with pytest.raises(StorageError, match="Something later"):
        await again.corrections.undo(correction)


async def test_a_passage_is_found_however_it_stood_in_the_prompt(path: str, tmp_path: Path) -> None:
    store = opened(tmp_path)
    shown = {
        HISTORY: "- [2026-03-01 10:00] The cat is called Biscuit.",
        JOURNAL: LOGS[JOURNAL].splitlines()[1],
        NOTE: "## [10:00:00] [user:7]\n**User:** My cat?\n**Agent:** The cat is called Biscuit.",
    }
    for passage in (shown[path], "The cat is called Biscuit.", "is called Biscuit", "The cat is called B…"):
        assert "Biscuit" in (await found(store, path, passage)).words
    assert await store.corrections.find(path, "The dog is called Rex.") is None
    assert await store.corrections.find(path, "is") is None, "too little to tell an entry by"
    assert await store.corrections.find("memory/MEMORY.md", "The cat is called Biscuit.") is None


async def test_an_entry_that_is_another_one_by_now_is_not_written_over(path: str, tmp_path: Path) -> None:
    store = opened(tmp_path)
    entry = await found(store, path, "Rent is 940 pounds.")
    theirs = LOGS[path].replace("940", "960")
    (tmp_path / path).write_text(theirs, encoding="utf-8")
    with pytest.raises(StorageError, match="changed meanwhile"):
        await store.corrections.correct(entry, "Rent is 980 pounds.")
    assert (tmp_path / path).read_text(encoding="utf-8") == theirs


async def test_what_another_program_added_or_took_out_meanwhile_stays_so(path: str, tmp_path: Path) -> None:
    store = opened(tmp_path)
    entry = await found(store, path, "The cat is called Biscuit.")
    heads = {HISTORY: "[2026-03-01 10:00]", JOURNAL: '{"cursor": 2', NOTE: "## [10:00:00]"}
    later = LOGS[path][LOGS[path].index(heads[path]) :]
    (tmp_path / path).write_text(later, encoding="utf-8")
    await store.corrections.correct(entry, entry.words.replace("Biscuit", "Crumb"))
    assert (tmp_path / path).read_text(encoding="utf-8") == later.replace("Biscuit", "Crumb")


@pytest.mark.parametrize(
    "words", ["", "  \n", "[2026-03-02 09:00] One.\n[2026-03-02 10:00] Two.", "One.\n## [11:00:00]\nTwo."]
)
async def test_words_that_are_not_one_entry_are_refused(words: str, path: str, tmp_path: Path) -> None:
    store = opened(tmp_path)
    entry = await found(store, path, "Rent is 940 pounds.")
    is_one = bool(words.strip()) and (path == JOURNAL or (path == NOTE) == words.startswith("["))
    if is_one:
        await store.corrections.correct(entry, words)
        return
    with pytest.raises(StorageError, match="one entry"):
        await store.corrections.correct(entry, words)
    assert (tmp_path / path).read_text(encoding="utf-8") == LOGS[path]


async def test_a_kill_anywhere_leaves_the_entry_as_it_was_or_corrected(path: str, tmp_path: Path) -> None:
    seen = list[bool]()
    for at in count(1):
        (tmp_path / path).write_text(LOGS[path], encoding="utf-8")
        store = opened(tmp_path, KillingCalls(at))
        entry = await found(store, path, "Rent is 940 pounds.")
        try:
            await store.corrections.correct(entry, entry.words.replace("940", "980"))
        except SimulatedKill:
            opened(tmp_path)
        else:
            break
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert text in (LOGS[path], LOGS[path].replace("940", "980"))
        seen.append("980" in text)
        assert opened(tmp_path).ledger.pending() is None
    assert seen == sorted(seen)
    assert set(seen) == {False, True}


async def test_the_messages_behind_an_entry_are_known_still(tmp_path: Path) -> None:
    store = opened(tmp_path)
    text = "[2026-03-01 09:00] Rent is 940 pounds.\n\n"
    (tmp_path / "memory").mkdir(exist_ok=True)
    (tmp_path / HISTORY).write_text(text)
    parts = {"session_key": "cli:direct", "stop": 8, "history_entry": text, "id": "a1"}
    intent = Intent.of_kind("consolidation", workspace_id="w", when="2026-03-01T09:00:00", **_without_id(parts))
    store.ledger.commit(intent)
    store.ledger.finish(intent)
    entry = await found(store, HISTORY, "Rent is 940 pounds.")
    await store.corrections.correct(entry, "Rent is 980 pounds.")
    record = EntryLinks(store.ledger.records()).record_for("[2026-03-01 09:00] Rent is 980 pounds.")
    assert record is not None
    assert record.transaction_id == intent.id
    written = store.ledger.intent(intent.id)
    assert written is not None
    cut = planned_cut(tmp_path, tmp_path / HISTORY, written.history_entry)
    assert cut is not None, "with its messages it can be taken back still"


def _without_id(parts: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in parts.items() if name != "id"}


async def test_readers_of_the_journal_find_the_same_numbers(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / JOURNAL).write_text(LOGS[JOURNAL])
    await corrected(opened(tmp_path), JOURNAL)
    journal = Journal(WorkspacePaths(tmp_path))
    first, second = journal.get(1), journal.get(2)
    assert first is not None
    assert second is not None
    assert (first.content, first.timestamp) == ("Rent is 980 pounds.", "2026-03-01 09:00")
    assert second.session_key == "a:b"
    assert journal.last_cursor() == 2


async def test_what_is_done_is_announced_and_a_folder_that_is_only_read_stays(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / HISTORY).write_text(LOGS[HISTORY])
    heard: list[type[Event]] = []
    bus = EventBus()
    bus.subscribe(lambda event: heard.append(type(event)))
    await corrected(opened(tmp_path, bus=bus), HISTORY)
    assert [each for each in heard if each in (HistoryChanged, EntryCorrected)] == [HistoryChanged, EntryCorrected]
    text = (tmp_path / HISTORY).read_text()
    reader = MemoryStore(tmp_path, read_only=True)
    entry = await found(reader, HISTORY, "Rent is 980 pounds.")
    with pytest.raises(WorkspaceReadOnly):
        await reader.corrections.correct(entry, "Rent is 1 pound.")
    assert (tmp_path / HISTORY).read_text() == text


async def test_bytes_that_are_no_text_are_said(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / HISTORY).write_bytes(b"[2026-03-01 09:00] Rent is \xff pounds, says the landlord.\n\n")
    with pytest.raises(StorageError, match="no text"):
        await opened(tmp_path).corrections.find(HISTORY, "pounds, says the landlord")


async def test_the_persons_own_words_bring_back_what_they_had_forgotten_until_they_are_undone(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / JOURNAL).write_text(
        json.dumps({"cursor": 1, "timestamp": "2026-03-01 09:00", "content": "A pet."}) + "\n"
    )
    store = opened(tmp_path)
    store.tombstones.add(["The cat is called Biscuit"])
    changes = store.files.memory.changes
    assert changes.objection("The cat is called Biscuit")
    correction = await store.corrections.correct(await found(store, JOURNAL, "A pet."), "The cat is called Biscuit")
    assert not changes.objection("The cat is called Biscuit")
    await store.corrections.undo(correction)
    assert changes.objection("The cat is called Biscuit")


async def test_the_words_before_a_correction_are_forgotten_with_the_others(path: str, tmp_path: Path) -> None:
    store = opened(tmp_path)
    entry = await found(store, path, "Rent is 940 pounds.")
    await store.corrections.correct(entry, entry.words.replace("Rent is 940 pounds.", "The rent went up."))
    plan = store.forgettings.plan(["Rent is 940 pounds"])
    assert [each.kind for each in plan.places] == [PlaceKind.LEDGER], "they stand nowhere else"
    store.forgettings.carry_out(plan.text, plan.everything, plan.without(plan.everything))
    assert not store.forgettings.plan(["Rent is 940 pounds"]).places
    again = opened(tmp_path)
    assert all("940" not in each.former for each in again.corrections.standing().values())
    assert "The rent went up." in (await found(again, path, "The rent went up.")).words
