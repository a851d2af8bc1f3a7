"""A decision that a kill or the disk cuts off counts like any other: what it let come back is held again once it is
undone, and what it rejected is remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError, Unfinished
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryOrigin
from mnemoscope.domain.memory.file_registry import JOURNAL_PATH, USER_PATH
from mnemoscope.domain.review.review_items import ReviewItem, review_items
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.files.memory_editing import Decided
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

FACTS = "# User\n- Name is Sam\n- Likes tea\n- Has two cats\n"
FACT = "I'm allergic to peanuts."
LINE = "- Allergic to peanuts"
TOOL = MemoryOrigin("agent", "2026-05-12T10:00:00", "desktop:x")
KEY = TombstoneKey()


class Killed(BaseException):
    """The program ends here."""


class Disk(FileCalls):
    """Ends the program, or refuses, at each call that gives a file whose path has `at` in it its name."""

    at = ""
    kills = True

    def replace(self, source: str, target: str) -> None:
        self._stop_at(target)
        super().replace(source, target)

    def exchange(self, one: str, other: str) -> bool:
        self._stop_at(other)
        return super().exchange(one, other)

    def _stop_at(self, target: str) -> None:
        if self.at and self.at in target:
            raise Killed if self.kills else OSError(28, "No space left on device")


def opened(root: Path, calls: FileCalls | None = None) -> MemoryStore:
    own = WorkspacePaths(root).own
    stones = Tombstones(own.tombstones_file, KEY)
    store = MemoryStore(root, sessions=SessionManager(root), tombstones=stones, calls=calls or FileCalls())
    store.recover()
    return store


def asked(store: MemoryStore, path: str = MEMORY_PATH, line: str = LINE) -> ReviewItem:
    """Returns the item of a line that a tool proposes and that waits."""
    before = store.editing.read_text(path).text
    store.files.of(path).suggest(before, f"{before}{line}\n", ("A tool said it.",), TOOL)
    (item,) = review_items(store.ledger.suggestions())
    return item


def holds(store: MemoryStore) -> bool:
    return store.tombstones.match(FACT) is not None


@pytest.mark.parametrize("at", ["suggestions", "/ledger/", "tombstones.json"])
@pytest.mark.parametrize("way", ["versions", "review"])
async def test_undoing_an_accept_that_recovery_finished_forgets_the_fact_again(
    tmp_path: Path, at: str, way: str
) -> None:
    disk = Disk()
    store = opened(tmp_path, disk)
    store.write_long_term(FACTS)
    item = asked(store)
    store.tombstones.add([FACT])
    disk.at = at
    if at == "tombstones.json":
        store.tombstones._calls = disk
    with pytest.raises(Killed):
        await store.editing.decide(item, "accept")
    again = opened(tmp_path)
    assert LINE in again.read_long_term()
    assert not holds(again), "it is the person's word"
    (change,) = (each for each in again.editing.changes() if each.origin.kind == "review")
    if way == "versions":
        await again.editing.undo_change(change.id)
    else:
        await again.editing.reopen(Decided(item.suggestion, change.id))
    assert LINE not in again.read_long_term()
    assert holds(again)
    assert holds(opened(tmp_path))


async def test_undoing_a_save_an_edit_or_what_was_kept_after_all_forgets_the_fact_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.write_long_term(FACTS)
    store.tombstones.add([FACT])
    saved = await store.editing.save_text(f"{FACTS}{LINE}\n", store.editing.read_text().digest)
    assert not holds(store)
    await opened(tmp_path).editing.undo_change(store.editing.changes()[-1].id)
    assert holds(store)
    assert LINE not in store.read_long_term()
    assert saved.text == f"{FACTS}{LINE}\n"


@pytest.mark.parametrize("path", [MEMORY_PATH, USER_PATH])
@pytest.mark.parametrize("kills", [False, True])
@pytest.mark.parametrize("at", ["suggestions/settled", "/ledger/"])
async def test_a_rejection_that_is_cut_off_is_remembered_and_can_be_undone(
    tmp_path: Path, path: str, at: str, *, kills: bool
) -> None:
    disk = Disk()
    store = opened(tmp_path, disk)
    store.files.of(path).overwrite(FACTS)
    item = asked(store, path)
    disk.at, disk.kills = at, kills
    with pytest.raises(Killed if kills else Unfinished) as cut_off:
        await store.editing.decide(item, "reject")
    name = str(cut_off.value.context["id"]) if isinstance(cut_off.value, Unfinished) else ""
    disk.at = ""
    if kills:
        store = opened(tmp_path)
    else:
        await store.editing.finish_refused()
    assert store.rejections.since(LINE) is not None
    assert store.ledger.suggestions() == []
    assert store.editing.read_text(path).text == FACTS
    asked_again = f"{FACTS}- Peanut allergy\n"
    store.files.of(path).suggest(FACTS, asked_again, ("A tool said it.",), TOOL)
    assert store.ledger.suggestions() == []
    await store.editing.reopen(Decided(item.suggestion, name))
    assert store.rejections.since(LINE) is None
    assert store.ledger.suggestions() == [item.suggestion]


@pytest.mark.parametrize(
    "decide",
    [
        lambda store, name: store.editing.settle_conflict(name, 0, "mine"),
        lambda store, name: store.editing.settle(name, "reject"),
    ],
)
async def test_what_a_rejection_that_the_disk_refuses_lets_stand_is_forgotten_no_more(
    tmp_path: Path, decide: Callable[..., object]
) -> None:
    """A line that was written back is asked about; not to have it taken out means that it may stand."""
    disk = Disk()
    store = opened(tmp_path, disk)
    store.memory_file.write_text(f"{FACTS}{LINE}\n", "utf-8")
    store.tombstones.add([FACT])
    writer = store.files.memory
    assert writer.ask_about_forgotten(writer.read())
    (waiting,) = store.ledger.suggestions()
    disk.at, disk.kills = "suggestions/settled", False
    with pytest.raises(StorageError):
        await decide(store, waiting.id)  # type: ignore[misc]  # either is a coroutine
    disk.at = ""
    await store.editing.finish_refused()
    assert not holds(store)
    await store.editing.reopen(Decided(waiting))
    assert holds(store)


async def test_undoing_a_capture_rejects_again_what_it_said(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.write_long_term(FACTS)
    item = asked(store, line="- Prefers green tea")
    await store.editing.decide(item, "reject")
    outcome = await store.captures.capture(PersonMessage("desktop:x", "2026-05-12T10:00:00", 0, "I prefer green tea."))
    (record,) = (each for each in outcome.records if each.outcome == "kept")
    assert store.rejections.since("- Prefers green tea") is None
    await store.captures.undo(record.id)
    assert store.rejections.since("- Prefers green tea") is not None


async def test_an_undo_that_leaves_the_line_standing_forgets_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.write_long_term(FACTS)
    store.tombstones.add([FACT])
    now = store.editing.read_text()
    await store.editing.save_text(f"{FACTS}{LINE}\n", now.digest)
    change = store.editing.changes()[-1].id
    now = store.editing.read_text()
    await store.editing.save_text(f"{FACTS}{LINE}, badly\n", now.digest)
    saved = await store.editing.undo_change(change)
    assert saved.conflicts
    assert f"{LINE}, badly" in store.read_long_term()
    assert store.files.memory.changes.forgotten_lines(store.read_long_term()) == []


@pytest.mark.parametrize("at", ["intent.json", "history.jsonl", "suggestions/settled", "/ledger/"])
async def test_a_line_that_goes_out_of_the_history_goes_once_wherever_that_is_cut_off(tmp_path: Path, at: str) -> None:
    disk = Disk()
    store = opened(tmp_path, disk)
    log = WorkspacePaths(tmp_path).history_jsonl
    log.parent.mkdir(exist_ok=True)
    entries = [
        {"cursor": 1, "timestamp": "2026-05-12 10:00", "content": "Likes tea"},
        {
            "cursor": 2,
            "timestamp": "2026-05-12 10:01",
            "content": f"{LINE}\n- Has two cats",
            "session_key": "desktop:x",
        },
    ]
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")
    store.tombstones.add([FACT])
    writer = store.files.of(JOURNAL_PATH)
    assert writer.ask_about_forgotten(writer.read(keep=False))
    (item,) = review_items(store.ledger.suggestions())
    disk.at = at
    with pytest.raises(Killed):
        await store.editing.decide(item, "accept")
    again = opened(tmp_path)
    for waiting in review_items(again.ledger.suggestions()):
        assert at == "intent.json", "nothing was decided then"
        await again.editing.decide(waiting, "accept")
    entries[1]["content"] = "- Has two cats"
    assert [json.loads(line) for line in log.read_text("utf-8").splitlines()] == entries
    assert again.ledger.suggestions() == []
    assert again.tombstones.match(FACT) is not None
