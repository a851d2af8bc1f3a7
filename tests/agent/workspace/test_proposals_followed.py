"""What a program outside proposes waits in a window that is open, or in the next one that is."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from mnemoscope.agent.importing.imports import ImportProgress
from mnemoscope.agent.mcp.shared_memory import SharedMemory
from mnemoscope.domain.events import Noticed, SuggestionsChanged
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.agent.workspace.test_workbench import Opened
from tests.foreign_stores import chatgpt
from tests.support.faulty_calls import FailingAt


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    opened = Opened(tmp_path)
    yield opened
    await opened.bench.close()


async def test_a_proposal_waits_in_the_window_that_is_open(opened: Opened) -> None:
    bench, root = opened.bench, opened.bench.workspace.root
    await bench.recover()
    assert WorkspacePaths(root).own.inbox_dir in bench.external_changes.places()
    assert WorkspacePaths(root).own.inbox_dir.is_dir()
    said = SharedMemory(root).propose("Has a cat", "", "Claude Code")
    assert "waits for the person's review" in said
    await bench.rescan_files()
    assert [event.count for event in opened.inner.seen(SuggestionsChanged)][-1] == 1
    (held,) = bench.memory.ledger.suggestions()
    assert held.claimed_by == "Claude Code"
    await bench.rescan_files()
    assert len(bench.memory.ledger.suggestions()) == 1


async def test_what_is_near_in_meaning_to_a_rejected_proposal_waits_and_is_marked(opened: Opened) -> None:
    bench, memory = opened.bench, opened.bench.memory
    await bench.recover()
    asked: list[Sequence[str]] = []

    async def meanings(texts: Sequence[str]) -> dict[str, list[float]]:
        asked.append(texts)
        return {text: [1.0, 0.0] for text in texts}

    memory.rejected_meanings.use_model(meanings)
    for number, words in enumerate(("Prefers tea from Assam", "Likes the strong leaf of that valley")):
        SharedMemory(bench.workspace.root).propose(words, "", "Claude Code")
        await bench.rescan_files()
        if number == 0:
            [held] = memory.ledger.suggestions()
            await memory.editing.settle(held.id, "reject")
    assert asked == [["Prefers tea from Assam", "Likes the strong leaf of that valley"]]
    [waiting] = memory.ledger.suggestions()
    assert "strong leaf" in waiting.proposed
    assert any(each.startswith("It resembles “Prefers tea from Assam”") for each in waiting.reasons)


async def test_a_proposal_that_came_before_waits_once_the_window_opens(opened: Opened) -> None:
    SharedMemory(opened.bench.workspace.root).propose("Has a cat", "", "Claude Code")
    assert opened.bench.memory.ledger.suggestions() == []
    await opened.bench.recover()
    assert len(opened.bench.memory.ledger.suggestions()) == 1


@pytest.mark.logs_errors("looking for outside changes failed")
async def test_what_the_disk_refuses_is_taken_in_at_the_next_look(tmp_path: Path) -> None:
    full = FailingAt()
    bench = Opened(tmp_path, calls=full).bench
    await bench.recover()
    SharedMemory(tmp_path).propose("Has a cat", "", "Claude Code")
    full.at = lambda path: path.parent == WorkspacePaths(tmp_path).own.suggestions_dir
    await bench.rescan_files()
    assert bench.memory.ledger.suggestions() == []
    full.heal()
    await bench.rescan_files()
    assert len(bench.memory.ledger.suggestions()) == 1
    await bench.close()


async def test_files_that_are_no_proposals_are_told_of_once(opened: Opened) -> None:
    await opened.bench.recover()
    inbox = WorkspacePaths(opened.bench.workspace.root).own.inbox_dir
    (inbox / "\x1b[31mred.json").write_bytes(b"{" * 100_000)
    os.symlink("/etc/passwd", inbox / "0000000000000001.json")
    for _ in range(2):
        await opened.bench.rescan_files()
    notices = [event.sentence for event in opened.inner.seen(Noticed) if "inbox" in event.sentence]
    assert notices == ["Files in the inbox for proposals that are none were moved to quarantine: 2."]
    assert opened.bench.memory.ledger.suggestions() == []


async def test_what_an_import_brings_is_compared_by_meaning_and_what_is_near_waits_apart(
    opened: Opened, tmp_path: Path
) -> None:
    bench, memory = opened.bench, opened.bench.memory
    await bench.recover()

    async def meanings(texts: Sequence[str]) -> dict[str, list[float]]:
        return {text: [0.0, 1.0] if "cat" in text else [1.0, 0.0] for text in texts}

    memory.rejected_meanings.use_model(meanings)
    SharedMemory(bench.workspace.root).propose("Prefers tea from Assam", "", "Claude Code")
    await bench.rescan_files()
    [held] = memory.ledger.suggestions()
    await memory.editing.settle(held.id, "reject")
    talk = chatgpt.talk("one", "Hello")
    for words in ("Likes the strong leaf of that valley", "Has a cat", "Tea from Assam is what they prefer"):
        talk.say("assistant", words, recipient="bio")
    seen = await bench.imports.run(chatgpt.write_zip(tmp_path / "export.zip", [talk]), ImportProgress())
    assert len(seen.result.memories) == 3
    waiting = {each.proposed.strip().splitlines()[-1]: each.reasons for each in memory.ledger.suggestions()}
    assert set(waiting) == {"- Likes the strong leaf of that valley", "- Has a cat"}
    assert len(waiting["- Has a cat"]) == 1
    assert waiting["- Likes the strong leaf of that valley"][-1].startswith("It resembles “Prefers tea from Assam”")
    [out] = memory.ledger.left_out()
    assert "Tea from Assam is" in out.proposed


async def test_who_stops_an_import_waits_for_no_model(opened: Opened, tmp_path: Path) -> None:
    bench, memory, progress = opened.bench, opened.bench.memory, ImportProgress()
    await bench.recover()
    never = asyncio.Event()

    async def meanings(_texts: Sequence[str]) -> dict[str, list[float]]:
        progress.is_stopped = True
        await never.wait()
        return {}

    memory.rejected_meanings.use_model(meanings)
    memory.rejections.remember(
        Suggestion("aa", "2026-05-12T10:00:00", "", "- Prefers tea from Assam\n", (), "", 0, 0), "2026-05-12T10:00:00"
    )
    talk = chatgpt.talk("one", "Hello")
    talk.say("assistant", "Has a cat", recipient="bio")
    seen = await bench.imports.run(chatgpt.write_zip(tmp_path / "export.zip", [talk]), progress)
    assert seen.result.memories == ("Has a cat",)
    assert len(memory.ledger.suggestions()) == 1
    never.set()
