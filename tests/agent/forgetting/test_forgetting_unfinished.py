"""A forgetting that the disk refuses half-way is told as what it is, goes on by itself, and can be taken back whole."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError, Unfinished
from mnemoscope.domain.events import ConsolidationFailed, DiskTakes, ForgettingFinished, MemoryChanged
from mnemoscope.domain.forgetting.tombstone import Recall
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.agent.forgetting.test_forgetting import LINE, SECRET, forget
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY, Opened
from tests.support.full_disk import FullDisk

MEMORY = f"# Facts\n\n- Known before\n{LINE}\n"
HISTORY = f"[2026-11-20 10:00] {SECRET}\n\n"


async def begun(root: Path, name: str = "HISTORY.md") -> tuple[Opened, WorkspacePaths, FullDisk]:
    """Returns a workspace in which a forgetting was begun, and the disk had no room for the file of a name."""
    disk = FullDisk(name)
    await asyncio.to_thread(conversation, root)
    paths = WorkspacePaths(root)
    paths.memory_file.write_text(MEMORY, encoding="utf-8")
    paths.history_file.write_text(HISTORY, encoding="utf-8")
    opened = Opened(root, calls=disk, window=100, versions=True)
    await opened.bench.rescan_files()
    disk.is_full = True
    return opened, paths, disk


async def finished(opened: Opened) -> str:
    """Returns the id of a forgetting once it is said to be finished."""
    for _ in range(500):
        for each in opened.events:
            if isinstance(each, ForgettingFinished):
                return each.receipt_id
        await asyncio.sleep(0.01)
    raise AssertionError("it was not finished")


def origins(opened: Opened) -> set[str]:
    """Returns by whom the changes of MEMORY.md were made, as they were announced."""
    return {each.origin for each in opened.events if isinstance(each, MemoryChanged)}


async def test_it_is_no_change_of_another_program_and_the_next_try_ends_it_so_that_it_can_be_taken_back(
    tmp_path: Path,
) -> None:
    opened, paths, disk = await begun(tmp_path)
    forgetting = opened.bench.forgetting
    with pytest.raises(Unfinished, match="disk is full"):
        await forget(opened)
    assert "quokka" not in paths.memory_file.read_text("utf-8")
    assert await forgetting.is_unfinished()
    await opened.bench.rescan_files()
    assert origins(opened) == {"forgotten"}
    assert opened.bench.memory.tombstones.match(SECRET) is Recall.FORGOTTEN
    with pytest.raises(StorageError, match="disk is full"):
        await forgetting.go_on()
    disk.is_full = False
    await forgetting.go_on()
    name = await finished(opened)
    assert not await forgetting.is_unfinished()
    assert [each.id for each in await forgetting.receipts()] == [name]
    assert forgetting.can_undo(name)
    await opened.bench.rescan_files()
    assert origins(opened) == {"forgotten"}
    assert await forgetting.undo(name) == []
    assert paths.memory_file.read_text("utf-8") == MEMORY
    assert paths.history_file.read_text("utf-8") == HISTORY
    await opened.close()


async def test_what_another_program_writes_before_it_is_finished_stays_when_it_is_taken_back(tmp_path: Path) -> None:
    opened, paths, disk = await begun(tmp_path)
    with pytest.raises(Unfinished):
        await forget(opened)
    with paths.memory_file.open("a", encoding="utf-8") as file:
        file.write("- Came between\n")
    disk.is_full = False
    await opened.bench.forgetting.go_on()
    assert await opened.bench.forgetting.undo(await finished(opened)) == []
    assert paths.memory_file.read_text("utf-8") == f"{MEMORY}- Came between\n"
    await opened.close()


async def test_it_goes_on_by_itself_once_the_disk_takes_what_is_written(tmp_path: Path) -> None:
    opened, _, disk = await begun(tmp_path)
    with pytest.raises(Unfinished):
        await forget(opened)
    opened.bench.bus.publish(DiskTakes())
    await asyncio.sleep(0.2)
    assert await opened.bench.forgetting.is_unfinished()
    disk.is_full = False
    opened.bench.bus.publish(DiskTakes())
    assert opened.bench.forgetting.can_undo(await finished(opened))
    await opened.close()


async def test_another_write_that_finishes_it_leaves_the_way_back(tmp_path: Path) -> None:
    opened, _, disk = await begun(tmp_path)
    with pytest.raises(Unfinished):
        await forget(opened)
    disk.is_full = False
    await opened.bench.disk.run(opened.bench.memory.finish_pending)
    assert opened.bench.forgetting.can_undo(await finished(opened))
    await opened.close()


async def test_a_consolidation_that_is_committed_is_said_to_go_on_and_is_no_change_of_another_program(
    tmp_path: Path,
) -> None:
    disk = FullDisk("/ledger/")
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, calls=disk)
    await opened.bench.rescan_files()
    before = WorkspacePaths(tmp_path).memory_file.read_bytes()
    disk.is_full = True
    await opened.bench.loop.consolidate_now(KEY)
    reasons = [each.reason for each in opened.events if isinstance(each, ConsolidationFailed)]
    assert reasons
    assert all("It was begun, and is finished when the disk has room" in each for each in reasons)
    assert WorkspacePaths(tmp_path).memory_file.read_bytes() != before
    await opened.bench.rescan_files()
    assert origins(opened) == {"consolidation"}
    disk.is_full = False
    await opened.bench.disk.run(opened.bench.memory.finish_pending)
    await opened.bench.rescan_files()
    assert origins(opened) == {"consolidation"}
    await opened.close()


async def test_before_the_commit_a_full_disk_leaves_everything_as_it_was(tmp_path: Path) -> None:
    opened, paths, _ = await begun(tmp_path, "intent.json")
    with pytest.raises(StorageError) as refused:
        await forget(opened)
    assert not isinstance(refused.value, Unfinished)
    assert paths.memory_file.read_text("utf-8") == MEMORY
    assert not await opened.bench.forgetting.is_unfinished()
    assert opened.bench.memory.tombstones.match(SECRET) is None
    assert origins(opened) == set()
    await opened.close()


async def test_a_forgetting_that_is_not_finished_is_at_the_next_opening(tmp_path: Path) -> None:
    opened, paths, disk = await begun(tmp_path)
    with pytest.raises(Unfinished):
        await forget(opened)
    await opened.close()
    disk.is_full = False
    again = Opened(tmp_path, window=100, versions=True)
    await again.bench.recover()
    [receipt] = await again.bench.forgetting.receipts()
    assert not again.bench.forgetting.can_undo(receipt.id)
    assert "quokka" not in paths.memory_file.read_text("utf-8") + paths.history_file.read_text("utf-8")
    await again.close()


async def test_what_is_still_to_go_is_not_asked_about_before_it_is_finished(tmp_path: Path) -> None:
    opened, paths, disk = await begun(tmp_path, "MEMORY.md")
    note = paths.memory_dir / "2026-11-20.md"
    note.write_text(f"# 2026-11-20\n\n{LINE}\n", encoding="utf-8")
    with pytest.raises(Unfinished):
        await forget(opened, everything=True)
    with note.open("a", encoding="utf-8") as file:
        file.write("- Written meanwhile\n")
    assert LINE in note.read_text("utf-8"), "else there is nothing to ask about"
    await opened.bench.rescan_files()
    assert opened.bench.memory.ledger.suggestions() == []
    disk.is_full = False
    await opened.bench.forgetting.go_on()
    assert "quokka" not in note.read_text("utf-8")
    assert opened.bench.memory.ledger.suggestions() == []
    await opened.close()
