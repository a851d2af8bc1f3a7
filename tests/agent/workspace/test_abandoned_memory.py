"""What memory took from messages that were left is known: entries, lines and captures, each once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.agent.workspace.abandoned_memory import AbandonedMemory
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.events import BranchChanged
from mnemoscope.domain.llm import ToolCallRequest
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.settings import DREAM
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.workspace.workspace import open_workspace
from tests.proof.beginnings import KEPT, conversation
from tests.proof.opened import KEY, Opened
from tests.support.agent_bench import make_workbench
from tests.support.faulty_calls import Refusing
from tests.support.scripted_provider import ScriptedProvider, asks, call


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
    assert (taken.entries, taken.shared_entries, taken.lines, taken.files) == (0, 1, (), ())
    # Before message 1: all of it is left.
    assert await loop.switch_branch(KEY, (await opened.session()).branch.root)
    assert await loop.branch(KEY, 0)
    before = memory.read_text()
    taken = await left(opened)
    assert (len(taken.cuts), taken.shared_entries, [line.strip("- ") for line in taken.lines]) == (1, 0, ["Learnt m0"])
    history = (tmp_path / "memory/HISTORY.md").read_text()
    out = await opened.bench.abandoned.remove(taken)
    assert "Learnt m0" not in memory.read_text()
    assert "Known before" in memory.read_text()
    assert "Told of before" in (tmp_path / "memory/HISTORY.md").read_text()
    assert len((tmp_path / "memory/HISTORY.md").read_text()) < len(history)
    assert not (await left(opened)).is_any
    # What another program adds meanwhile stays.
    with (tmp_path / "memory/HISTORY.md").open("a") as file:
        file.write("[2026-11-22 10:00] Told by another program.\n\n")
    await opened.bench.abandoned.undo_removal(out)
    assert memory.read_text() == before
    assert (tmp_path / "memory/HISTORY.md").read_text() == f"{history}[2026-11-22 10:00] Told by another program.\n\n"
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


@pytest.mark.parametrize("refused", [("captures.jsonl",), ("captures.jsonl", "memory-changes.jsonl")])
@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_capture_that_the_disk_did_not_let_be_noted_is_told_and_taken_back(
    tmp_path: Path, refused: tuple[str, ...], is_restarted: bool
) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    memory = tmp_path / "memory/MEMORY.md"
    opened = Opened(tmp_path, window=100, calls=(calls := Refusing()))
    await opened.session()
    before = memory.read_text()
    calls.names = refused
    await opened.bench.loop.process(KEY, f"{KEPT}. m12")
    learnt = memory.read_text()
    assert KEPT in learnt
    if is_restarted:
        await opened.close()
        assert not (tmp_path / ".mnemoscope/captures.jsonl").exists()
        opened = Opened(tmp_path, window=100)
        await opened.session()
    calls.names = ()
    assert await opened.bench.loop.resend(KEY, 12, "m14")
    taken = await left(opened)
    assert ([KEPT in line for line in taken.lines], len(taken.state_lines)) == ([True], 1)
    captures = opened.bench.memory.captures
    assert [each.text for each in await captures.log()] == [KEPT], "it is noted by then"
    assert KEPT not in await opened.bench.disk.run(captures.active_states.text_of, KEY)
    out = await opened.bench.abandoned.remove(taken)
    assert memory.read_text().strip() == before.strip()
    await opened.bench.abandoned.undo_removal(out)
    assert memory.read_text() == learnt
    await opened.close()


async def test_what_was_taken_back_last_is_found_again_also_where_no_line_was_among_it(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=8)
    await opened.session()
    assert not await opened.bench.abandoned.undo_newest_removal()
    assert await opened.bench.loop.consolidate_now(KEY)
    assert await opened.bench.loop.branch(KEY, 0)
    memory, history = (tmp_path / "memory" / name for name in ("MEMORY.md", "HISTORY.md"))
    said, entries = memory.read_text(), history.read_text()
    await opened.bench.abandoned.remove(replace(await left(opened), files=()))
    assert (memory.read_text() == said, len(history.read_text()) < len(entries)) == (True, True)
    await opened.close()
    # As after a restart: nothing is known but what the disk has.
    again = Opened(tmp_path, window=8)
    assert await again.bench.abandoned.undo_newest_removal()
    assert history.read_text() == entries
    assert not await again.bench.abandoned.undo_newest_removal(), "nothing is brought back twice"
    await again.close()


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
    out = await opened.bench.abandoned.remove(taken)
    assert "Graz" not in memory.read_text()
    assert "Vienna" in memory.read_text()
    assert not (await left(opened)).lines
    captures = opened.bench.memory.captures
    outcomes = {each.text: each.outcome for each in await captures.log()}
    assert outcomes == {"I live in Vienna": "kept", "I live in Graz": "undone"}
    await opened.bench.abandoned.undo_removal(out)
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


async def test_an_entry_that_tells_of_two_branches_that_were_left_is_of_them_alone(tmp_path: Path) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=8)
    loop = opened.bench.loop
    await opened.session()
    # Messages 1 to 8 become an entry on the first branch; the next one leaves it within them, the third before them.
    assert await loop.consolidate_now(KEY)
    assert await loop.branch(KEY, 6)
    await loop.process(KEY, "m20")
    assert await loop.branch(KEY, 0)
    taken = await left(opened)
    assert (len(taken.cuts), taken.shared_entries, [line.strip("- ") for line in taken.lines]) == (1, 0, ["Learnt m0"])
    await opened.close()


async def test_a_proposal_that_tells_of_what_stays_too_is_told_and_withdrawn_where_that_is_chosen(
    tmp_path: Path,
) -> None:
    await asyncio.to_thread(conversation, tmp_path)
    opened = Opened(tmp_path, window=8)
    loop, memory = opened.bench.loop, opened.bench.memory
    await opened.session()
    assert await loop.consolidate_now(KEY)
    record = memory.ledger.records(KEY)[-1]
    text = memory.editing.read_text().text
    origin = MemoryOrigin("consolidation", record.when, KEY, record.start, record.stop, record.transaction_id)
    memory.files.memory.suggest(
        text, f"{text}- Heard m6\n", ("A tool said it.",), origin, known_as=record.transaction_id
    )
    assert await loop.branch(KEY, 6)
    taken = await left(opened)
    assert ([len(taken.shared_suggestions), taken.suggestions], taken.can_be_removed) == ([1, ()], False)
    out = await opened.bench.abandoned.remove(taken.with_shared_suggestions())
    assert memory.ledger.suggestions() == []
    await opened.bench.abandoned.undo_removal(out)
    assert len(memory.ledger.suggestions()) == 1
    await opened.close()


async def dreamt(root: Path, *before: str) -> Opened:
    """Returns a conversation of which an entry of the journal was made and dreamed, after entries of others."""
    await asyncio.to_thread(conversation, root)
    opened = Opened(root, window=8)
    await opened.bench.config.change(profile=DREAM)
    await opened.session()
    for words in before:
        Journal(opened.bench.workspace.paths).append(words)
    assert await opened.bench.loop.consolidate_now(KEY)
    run = await opened.bench.dreaming.run_now()
    assert run is not None
    assert "Prefers tea" in (root / "memory/MEMORY.md").read_text()
    assert await opened.bench.loop.branch(KEY, 0)
    return opened


async def test_what_dream_made_of_such_entries_alone_is_offered(tmp_path: Path) -> None:
    opened = await dreamt(tmp_path)
    taken = await left(opened)
    assert ([line.strip("- ") for line in taken.lines], taken.dream_lines) == (["Prefers tea"], ())
    journal = (tmp_path / "memory/history.jsonl").read_text()
    out = await opened.bench.abandoned.remove(taken)
    assert "Prefers tea" not in (tmp_path / "memory/MEMORY.md").read_text()
    assert (tmp_path / "memory/history.jsonl").read_text() == ""
    await opened.bench.abandoned.undo_removal(out)
    assert (tmp_path / "memory/history.jsonl").read_text() == journal
    assert "Prefers tea" in (tmp_path / "memory/MEMORY.md").read_text()
    await opened.close()


async def test_what_dream_made_of_other_entries_too_is_told_and_stays(tmp_path: Path) -> None:
    opened = await dreamt(tmp_path, "- [durable] Somebody else's entry")
    taken = await left(opened)
    assert (taken.lines, [line.strip("- ") for line in taken.dream_lines]) == ((), ["Prefers tea"])
    assert (len(taken.cuts), taken.files) == (1, ()), "the entry goes, and no line"
    await opened.close()


async def asked(root: Path, *calls: ToolCallRequest) -> tuple[Workbench, Callable[[], Awaitable[AbandonedMemory]]]:
    """Returns a conversation whose only turn made these calls, and what tells what memory took from it once left."""
    (root / "memory").mkdir()
    (root / ".mnemoscope").mkdir()
    (root / "memory/MEMORY.md").write_text("# Memory\n\n- Known before\n")
    script = [asks(each) for each in calls]
    bench, _ = make_workbench(open_workspace(root), ScriptedProvider(*script, last="Yes."))
    bench.commits.end()
    await bench.conversations.open(KEY)
    await bench.loop.process(KEY, "The bees of the neighbours live in Graz.")
    assert await bench.loop.resend(KEY, 0, "Never mind.")

    async def abandoned_now() -> AbandonedMemory:
        session = await bench.conversations.open(KEY)
        return await bench.abandoned.of(session, session.branch.root, 0)

    return bench, abandoned_now


async def test_lines_that_a_tool_wrote_in_what_was_left_are_taken_back(tmp_path: Path) -> None:
    text = "# Memory\n\n- Known before\n- Bees live in Graz\n"
    bench, abandoned_now = await asked(tmp_path, call("write_file", path="memory/MEMORY.md", content=text))
    memory = tmp_path / "memory/MEMORY.md"
    assert "Bees" in memory.read_text()
    taken = await abandoned_now()
    assert [line.strip("- ") for line in taken.lines] == ["Bees live in Graz"]
    out = await bench.abandoned.remove(taken)
    assert memory.read_text() == "# Memory\n\n- Known before\n"
    await bench.abandoned.undo_removal(out)
    assert memory.read_text() == text
    await bench.close()


async def test_a_proposal_of_what_was_left_is_withdrawn_and_waits_again(tmp_path: Path) -> None:
    bench, abandoned_now = await asked(
        tmp_path, call("write_file", path="memory/MEMORY.md", content="# Memory\n\n- New\n")
    )
    before = bench.memory.ledger.suggestions()
    assert len(before) == 1
    taken = await abandoned_now()
    assert (taken.suggestions, taken.lines, taken.can_be_removed) == (tuple(before), (), True)
    out = await bench.abandoned.remove(taken)
    assert bench.memory.ledger.suggestions() == []
    assert not (await abandoned_now()).is_any
    await bench.abandoned.undo_removal(out)
    assert bench.memory.ledger.suggestions() == before
    await bench.close()
