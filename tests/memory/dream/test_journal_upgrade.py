"""From HISTORY.md to history.jsonl and back: shown first, whole or not at all, and nothing lost either way."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from tests.support.faulty_calls import KillingCalls, SimulatedKill

OLD = (
    "Without any time.\n\n"
    "[2026-01-01 09:00] Planned the shop.\n\n"
    "[2026-01-02] A day without an hour.\n\n"
    "[2026-01-03 10:30] [RAW] 2 messages\n[2026-01-03 10:29] USER: Hello\n[2026-01-03 10:30] ASSISTANT: Yes.\n\n"
)


def opened(root: Path, calls: FileCalls = REAL_CALLS) -> MemoryStore:
    return MemoryStore(root, clock=lambda: datetime(2026, 4, 3, 10, 0), calls=calls)


def begun(root: Path, text: str = OLD) -> MemoryStore:
    store = opened(root)
    store.history_file.write_bytes(text.encode())
    noon = datetime(2026, 2, 1, 12, 0).timestamp()
    os.utime(store.history_file, (noon, noon))
    return store


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return begun(tmp_path)


def contents(store: MemoryStore) -> list[tuple[int, str, str]]:
    return [(each.cursor, each.timestamp, each.content) for each in store.dream.journal.newest(99)]


def test_the_plan_says_what_would_be_done_and_does_nothing(store: MemoryStore, tmp_path: Path) -> None:
    plan = store.dream.upgrade.plan()
    assert plan.is_needed
    assert [entry.cursor for entry in plan.entries] == list(range(1, len(plan.entries) + 1))
    assert (plan.undated, plan.waiting, plan.kept_as) == (1, 0, "memory/HISTORY.md.bak")
    assert not store.dream.journal.file.exists()
    assert store.history_file.read_text(encoding="utf-8") == OLD


def test_entries_are_numbered_with_their_own_times_and_the_old_file_is_kept(store: MemoryStore) -> None:
    store.dream.upgrade.upgrade(dream_old=False)
    undated, first, day, raw = contents(store)
    assert undated == (1, "2026-02-01 12:00", "Without any time.")
    assert first == (2, "2026-01-01 09:00", "Planned the shop.")
    assert day == (3, "2026-01-02 00:00", "[2026-01-02] A day without an hour.")
    assert raw[0] == 4
    assert raw[2].startswith("[RAW] 2 messages\n")
    assert "USER: Hello" in raw[2]
    assert not store.history_file.exists()
    assert store.history_file.with_name("HISTORY.md.bak").read_text(encoding="utf-8") == OLD
    assert store.dream.journal.cursor_file.read_text() == "4"


@pytest.mark.parametrize(("dream_old", "waiting"), [(True, 4), (False, 0)])
def test_the_person_says_whether_the_old_entries_are_dreamed(store: MemoryStore, dream_old: bool, waiting: int) -> None:
    store.dream.upgrade.upgrade(dream_old=dream_old)
    assert store.dream.unread.waiting().count == waiting
    store.dream.journal.append("- [durable] New")
    assert store.dream.unread.waiting().count == waiting + 1


def test_entries_that_waited_before_wait_on(store: MemoryStore) -> None:
    store.dream.journal.append("- [durable] Waits")
    plan = store.dream.upgrade.upgrade(dream_old=True)
    assert (plan.waiting, plan.entries[0].cursor) == (1, 2)
    assert store.dream.unread.waiting().count == 5


def test_old_entries_that_could_not_be_passed_over_are_not_taken_over_unasked(store: MemoryStore) -> None:
    store.dream.journal.append("- [durable] Waits")
    with pytest.raises(StorageError, match=r"1 entry of history.jsonl waits for Dream"):
        store.dream.upgrade.upgrade(dream_old=False)
    assert store.history_file.exists()
    assert len(contents(store)) == 1
    store.dream.journal.set_dream_cursor(1)
    store.dream.upgrade.upgrade(dream_old=False)
    assert (store.dream.unread.waiting().count, len(contents(store))) == (0, 5)


def test_a_second_upgrade_finds_nothing_and_a_second_old_file_gets_a_name_of_its_own(store: MemoryStore) -> None:
    store.dream.upgrade.upgrade(dream_old=False)
    assert not store.dream.upgrade.upgrade(dream_old=False).is_needed
    store.history_file.write_text("[2026-03-01 09:00] Written by an older program.\n\n", encoding="utf-8")
    plan = store.dream.upgrade.upgrade(dream_old=False)
    assert (plan.kept_as, plan.entries[0].cursor) == ("memory/HISTORY.md.bak.2", 5)
    assert len(contents(store)) == 5


def test_windows_line_ends_are_no_part_of_the_words(tmp_path: Path) -> None:
    store = begun(tmp_path, "[2026-01-01 09:00] One\r\nand on.\r\n\r\n[2026-01-02 09:00] Two.\r\n\r\n")
    store.dream.upgrade.upgrade(dream_old=True)
    assert [content for _, _, content in contents(store)] == ["One\nand on.", "Two."]


def test_going_back_gives_every_entry_back_and_keeps_the_journal(store: MemoryStore) -> None:
    store.dream.upgrade.upgrade(dream_old=False)
    store.dream.journal.append("- [durable] One\n- [durable] Two")
    assert store.dream.upgrade.downgrade() == 5
    text = store.history_file.read_text(encoding="utf-8")
    assert "\n\n[2026-01-01 09:00] Planned the shop.\n\n" in text
    for words in ("A day without an hour.", "Without any time.", "USER: Hello", "- [durable] One\n- [durable] Two"):
        assert words in text
    assert not store.dream.journal.file.exists()
    assert store.dream.journal.file.with_name("history.jsonl.bak").exists()
    assert store.dream.upgrade.downgrade() == 0


def test_there_and_back_and_there_again_loses_no_words(store: MemoryStore) -> None:
    store.dream.upgrade.upgrade(dream_old=False)
    first = contents(store)
    store.dream.upgrade.downgrade()
    store.dream.upgrade.upgrade(dream_old=False)
    words = " ".join(content for _, _, content in contents(store))
    assert all(content.split("\n")[-1] in words for _, _, content in first)
    assert contents(store)[0] == first[0]


def test_without_a_log_there_is_nothing_to_take_over(tmp_path: Path) -> None:
    plan = opened(tmp_path).dream.upgrade.plan()
    assert (plan.is_needed, plan.kept_as) == (False, "")


@pytest.mark.slow
@pytest.mark.parametrize("back", [False, True])
def test_killed_anywhere_it_is_done_or_has_not_begun(tmp_path: Path, back: bool) -> None:
    kills = 0
    for number in range(1, 400):
        root = tmp_path / str(number)
        before = begun(root)
        if back:
            before.dream.upgrade.upgrade(dream_old=False)
        calls = KillingCalls(number)
        store = opened(root, calls)
        try:
            if back:
                store.dream.upgrade.downgrade()
            else:
                store.dream.upgrade.upgrade(dream_old=False)
        except SimulatedKill:
            kills += 1
        else:
            break
        after = opened(root)
        after.recover()
        text = after.history_file.read_text(encoding="utf-8") if after.history_file.exists() else ""
        entries = len(contents(after))
        assert (entries, "Planned the shop." in text) in ((4, False), (0, True)), number
        if entries:
            assert after.dream.unread.waiting().count == 0
    else:
        pytest.fail("it never came to an end")
    assert kills > 15


async def test_what_was_to_be_read_again_means_nothing_once_the_journal_is_given_up(store: MemoryStore) -> None:
    for words in ("One", "Two"):
        store.dream.journal.append(f"- [durable] {words}")
    store.dream.journal.set_dream_cursor(2)
    store._paths.own.dream_place.parent.mkdir(exist_ok=True)
    store._paths.own.dream_place.write_text('{"again": [[1, 1]]}', "utf-8")
    assert store.dream.unread.waiting().count == 1
    store.dream.upgrade.downgrade()
    store.dream.upgrade.upgrade(dream_old=False)
    assert store.dream.unread.waiting().count == 0
