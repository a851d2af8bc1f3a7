"""What memory took from messages that were left is known: entries, lines and captures, each once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mnemoscope.agent.workspace.abandoned_memory import AbandonedMemory
from mnemoscope.domain.events import BranchChanged
from tests.proof.beginnings import KEPT, conversation
from tests.proof.opened import KEY, Opened


async def left(opened: Opened) -> AbandonedMemory:
    """Returns what memory took from what the newest branch left."""
    event = opened.seen(BranchChanged)[-1]
    assert isinstance(event, BranchChanged)
    return await opened.bench.abandoned.of(await opened.session(), event.left, event.stop)


async def test_entries_and_lines_of_what_was_left_are_told_and_taken_back(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=8)
    loop, memory = opened.bench.loop, tmp_path / "memory/MEMORY.md"
    await opened.session()
    # Messages 1 to 8 become an entry and a line; message 6 is edited, so that it tells of both sides.
    assert await loop.consolidate_now(KEY)
    assert await loop.branch(KEY, 6)
    taken = await left(opened)
    assert (taken.entries, taken.shared_entries, taken.lines, taken.change_ids) == (0, 1, (), ())
    # Before message 1: all of it is left.
    assert await loop.switch_branch(KEY, (await opened.session()).branch.root)
    assert await loop.branch(KEY, 0)
    before = memory.read_text()
    taken = await left(opened)
    assert (taken.entries, taken.shared_entries, [line.strip("- ") for line in taken.lines]) == (1, 0, ["Learnt m0"])
    _, changes = await opened.bench.abandoned.take_back(taken)
    assert "Learnt m0" not in memory.read_text()
    assert "Known before" in memory.read_text()
    assert not (await left(opened)).lines
    await opened.bench.memory.editing.undo_changes(changes)
    assert memory.read_text() == before
    await opened.close()


async def test_captures_of_what_was_left_are_told_and_those_of_what_stays_are_not(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=100)
    loop = opened.bench.loop
    await opened.session()
    await loop.process(KEY, f"{KEPT}. m12")
    assert await loop.resend(KEY, 12, "m14")
    taken = await left(opened)
    assert ([KEPT in line for line in taken.lines], taken.entries) == ([True], 0)
    await loop.switch_branch(KEY, (await opened.session()).branch.root)
    assert await loop.regenerate(KEY, 13)
    assert not (await left(opened)).is_any
    await opened.close()


async def test_a_line_that_was_struck_out_meanwhile_is_taken_back_too(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=100)
    loop, memory = opened.bench.loop, tmp_path / "memory/MEMORY.md"
    await opened.session()
    await loop.process(KEY, "I live in Graz. m12")
    assert await loop.resend(KEY, 12, "m14")
    taken = await left(opened)
    # What is offered stands until it is pressed; the person goes on, and says otherwise.
    await loop.process(KEY, "I live in Vienna. m16")
    before = memory.read_text()
    assert "Graz" in before
    assert "(until " in before
    assert len((await left(opened)).lines) == 1
    _, changes = await opened.bench.abandoned.take_back(taken)
    assert "Graz" not in memory.read_text()
    assert "Vienna" in memory.read_text()
    assert not (await left(opened)).lines
    captures = opened.bench.memory.captures
    outcomes = {each.text: each.outcome for each in await captures.log()}
    assert outcomes == {"I live in Vienna": "kept", "I live in Graz": "undone"}
    await opened.bench.memory.editing.undo_changes(changes)
    assert memory.read_text() == before
    assert {each.outcome for each in await captures.log()} == {"kept"}, "it stands again, struck out"
    # Taking lines back once more, by undoing the undo in the list of versions.
    await opened.bench.memory.editing.undo_change(opened.bench.memory.editing.changes()[-1].id)
    assert "Graz" not in memory.read_text()
    assert {each.text: each.outcome for each in await captures.log()} == outcomes
    await opened.close()


async def test_a_line_that_the_branch_on_show_says_too_is_not_taken_back(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=100)
    loop = opened.bench.loop
    await opened.session()
    await loop.process(KEY, f"{KEPT}. m12")
    assert await loop.resend(KEY, 12, f"{KEPT}, as I said. m14")
    assert not (await left(opened)).lines
    # Whoever goes back to the one before is offered nothing either: both say it.
    await loop.switch_branch(KEY, (await opened.session()).branch.root)
    assert not (await left(opened)).lines
    await opened.close()
