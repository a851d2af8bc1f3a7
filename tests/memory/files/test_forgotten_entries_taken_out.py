"""What the person lets go out of a history log goes out of what its consolidation is said to have written, in the same
step: none of both is there without the other, wherever a kill comes, and both come back together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.transactions.intent import CONSOLIDATION, Intent
from tests.support.faulty_calls import KillingCalls, SimulatedKill

HISTORY, JOURNAL = "memory/HISTORY.md", "memory/history.jsonl"
SAID = "The locker at the harbour gym opens with code 2417."
AGAIN = "Harbour gym, locker code 2417"
ENTRIES = {
    HISTORY: [f"[2026-03-01 09:00] {AGAIN}\n\n", "[2026-03-01 10:00] The cat is called Biscuit.\n\n"],
    JOURNAL: [
        f'{{"cursor": 1, "timestamp": "2026-03-01 09:00", "content": "{AGAIN}"}}\n',
        '{"cursor": 2, "timestamp": "2026-03-01 10:00", "content": "The cat is called Biscuit."}\n',
    ],
}
TAKEN = {HISTORY: "[2026-03-01 09:00] […]", JOURNAL: "[…]"}


def opened(root: Path, calls: FileCalls = REAL_CALLS) -> MemoryStore:
    store = MemoryStore(root, calls=calls)
    store.recover()
    return store


def asked(root: Path, path: str, entries: Sequence[str]) -> None:
    """Has a log of entries that consolidations wrote ask about the one that says what the person had forgotten."""
    (root / "memory").mkdir(parents=True)
    (root / path).write_text("".join(entries), "utf-8")
    store = opened(root)
    for number, entry in enumerate(entries):
        intent = Intent.of_kind(
            CONSOLIDATION,
            workspace_id="w",
            when=f"2026-03-01T{9 + number:02}:00:00",
            session_key="cli:direct",
            stop=8,
            history_entry=entry,
            history_path="" if path == HISTORY else path,
        )
        store.ledger.commit(intent)
        store.ledger.finish(intent)
    store.tombstones.add([SAID])
    writer = store.files.of(path)
    assert writer.ask_about_forgotten(writer.read())


def cards(store: MemoryStore) -> list[str]:
    return [record.entry for record in store.ledger.records()]


@pytest.mark.parametrize("path", ENTRIES)
async def test_both_go_and_come_back_together(path: str, tmp_path: Path) -> None:
    root = tmp_path / "folder"
    asked(root, path, ENTRIES[path])
    store = opened(root)
    before, data = cards(store), (root / path).read_bytes()
    assert AGAIN in before[0]
    (item,) = store.editing.waiting_items()
    decided = await store.editing.decide(item, "accept")
    assert AGAIN not in (root / path).read_text("utf-8")
    assert cards(store) == cards(opened(root)) == [TAKEN[path], before[1]]
    await store.editing.reopen(decided)
    assert (cards(opened(root)), (root / path).read_bytes()) == (before, data)
    (again,) = store.editing.waiting_items()
    await store.editing.decide(again, "accept")
    assert cards(opened(root)) == [TAKEN[path], before[1]]


async def test_of_two_entries_of_the_same_words_each_is_told_by_its_place(tmp_path: Path) -> None:
    root = tmp_path / "folder"
    asked(root, JOURNAL, [ENTRIES[JOURNAL][0], ENTRIES[JOURNAL][0].replace('"cursor": 1', '"cursor": 2')])
    store = opened(root)
    for item in store.editing.waiting_items():
        await store.editing.decide(item, "accept")
        said = [json.loads(line)["content"] for line in (root / JOURNAL).read_text("utf-8").splitlines()]
        assert cards(store) == said
    assert said == ["[…]", "[…]"]


async def test_an_entry_without_a_date_leaves_the_mark_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "folder"
    asked(root, HISTORY, [ENTRIES[HISTORY][1].replace("10:00", "08:00"), f"{AGAIN}\n\n"])
    store = opened(root)
    before, data = cards(store), (root / HISTORY).read_bytes()
    (item,) = store.editing.waiting_items()
    decided = await store.editing.decide(item, "accept")
    assert cards(opened(root)) == [before[0], "[…]"]
    await store.editing.reopen(decided)
    assert (cards(opened(root)), (root / HISTORY).read_bytes()) == (before, data)


@pytest.mark.parametrize("path", ENTRIES)
async def test_a_kill_anywhere_leaves_both_or_neither(path: str, tmp_path: Path) -> None:
    seen = list[bool]()
    for at in count(1):
        root = tmp_path / str(at)
        asked(root, path, ENTRIES[path])
        store = opened(root, KillingCalls(at))
        (item,) = store.editing.waiting_items()
        try:
            await store.editing.decide(item, "accept")
        except SimulatedKill:
            again = opened(root)
        else:
            break
        is_gone = AGAIN not in (root / path).read_text("utf-8")
        assert (AGAIN not in cards(again)[0], not again.editing.waiting_items()) == (is_gone, is_gone)
        assert again.ledger.pending() is None
        seen.append(is_gone)
    assert seen == sorted(seen)
    assert set(seen) == {False, True}
