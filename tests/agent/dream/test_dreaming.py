"""Dream by hand: one run at a time, everything announced, stopped, paused and taken back without a loss."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.prompt.recent_history import PastHistory
from mnemoscope.agent.tasks.periodic_task import LONGEST_PAUSE
from mnemoscope.domain.errors import StorageError, WorkspaceReadOnly
from mnemoscope.domain.events import (
    Dreamed,
    DreamProgressed,
    DreamStarted,
    DreamStateChanged,
    MemoryChanged,
    MemoryFileChanged,
    Noticed,
    SuggestionsChanged,
)
from mnemoscope.domain.llm import LLMResponse
from tests.support.agent_bench import KEY
from tests.support.dream_bench import CAT, FACT, TEXT, DreamBench, cat_script, edit
from tests.support.scripted_provider import Gate, keeps_nothing, says


async def test_by_hand_all_that_waits_is_read_batch_after_batch(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script(), keeps_nothing(), dream_batch=2) as opened:
        opened.begin(FACT, "- [ephemeral] Two", "- [ephemeral] Three")
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        assert (run.outcome, run.first, run.last, opened.cursor()) == ("nothing", 3, 3, 3)
        assert [(each.first, each.last, each.entries) for each in opened.seen(DreamStarted)] == [(1, 2, 2), (3, 3, 1)]
        assert [each.run.outcome for each in opened.seen(Dreamed)] == ["changed", "nothing"]
        assert opened.seen(DreamProgressed)[0].last == "memory/MEMORY.md is changed."
        assert CAT in opened.memory()
        assert await opened.bench.dreaming.run_now() is None


async def test_what_a_run_changed_is_announced_and_it_knows_its_version(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        opened.begin()
        await opened.bench.dreaming.run_now()
        assert [(each.text, each.origin) for each in opened.seen(MemoryChanged)][-1] == (opened.memory(), "dream")
        assert [(each.path, each.origin) for each in opened.seen(MemoryFileChanged)] == [("USER.md", "dream")]
        state = await opened.bench.dreaming.state()
        (commit,) = await opened.bench.commits.page(author="Dream")
        assert commit.sha == state.runs[0].commit != ""
        assert commit.files == ("USER.md", "memory/MEMORY.md")
        assert commit.trailers["History-Entries"] == ("1-1",)


async def test_what_waits_for_the_person_is_announced(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, edit("- likes tea\n", ""), says("Done.")) as opened:
        opened.begin()
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        assert run.outcome == "held"
        assert opened.seen(SuggestionsChanged)[-1].count == 1
        assert opened.memory() == TEXT


async def test_two_runs_at_once_are_one(tmp_path: Path) -> None:
    gate = Gate()
    async with DreamBench(tmp_path, [gate, keeps_nothing()]) as opened:
        opened.begin()
        first = asyncio.create_task(opened.bench.dreaming.run_now())
        await gate.reached.wait()
        assert (await opened.bench.dreaming.state()).running
        assert await opened.bench.dreaming.run_now() is None
        with pytest.raises(StorageError, match="Dream is at work"):
            await opened.bench.dreaming.upgrade(dream_old=True)
        gate.open.set()
        run = await first
        assert run is not None
        assert len(opened.provider.requests) == 1


async def test_a_run_that_is_stopped_ends_at_once_and_its_entries_wait(tmp_path: Path) -> None:
    gate = Gate()
    async with DreamBench(tmp_path, edit("tea", "green tea"), [gate]) as opened:
        opened.begin()
        running = asyncio.create_task(opened.bench.dreaming.run_now())
        await gate.reached.wait()
        assert opened.bench.dreaming.runner.stop()
        run = await running
        assert run is not None
        assert (run.outcome, run.reason, run.rounds, run.spend.tokens) == ("stopped", "Stopped by you.", 1, 15)
        assert (opened.cursor(), opened.memory()) == (0, TEXT)
        assert not opened.bench.dreaming.runner.stop()


async def test_closing_ends_a_run_and_its_record_says_so(tmp_path: Path) -> None:
    gate = Gate()
    async with DreamBench(tmp_path, [gate]) as opened:
        opened.begin()
        running = asyncio.create_task(opened.bench.dreaming.run_now())
        await gate.reached.wait()
    await running
    async with DreamBench(tmp_path) as again:
        (run,) = (await again.bench.dreaming.state()).runs
        assert run.reason.startswith("Mnemoscope was closed; nothing was changed")


async def test_pausing_is_kept_in_the_settings(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await opened.bench.dreaming.pause(True)
        assert opened.bench.settings.dream_paused
        assert opened.seen(DreamStateChanged)
        await opened.bench.dreaming.pause(False)
        assert not (await opened.bench.dreaming.state()).paused


async def test_its_own_model_is_asked_where_one_is_set(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing(), dream_model="small/model") as opened:
        opened.begin()
        await opened.bench.dreaming.run_now()
        assert opened.provider.requests[0].model == "small/model"


async def test_null_in_the_settings_is_the_default(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, dream_model=None, dream_cron=None) as opened:
        assert (opened.bench.settings.dream_model, opened.bench.settings.dream_cron) == ("", "")
        assert opened.seen(Noticed) == []


async def test_a_journal_that_cannot_be_followed_is_said_on_opening(tmp_path: Path) -> None:
    opened = DreamBench(tmp_path, keeps_nothing())
    opened.begin()
    opened.journal.dream_cursor_file.write_bytes(b"seven")
    async with opened:
        (noticed,) = opened.seen(Noticed)
        assert noticed.sentence == "memory/.dream_cursor holds no number. All entries count as not read yet."


@pytest.mark.slow
async def test_how_far_it_has_read_is_told_for_all_entries_at_once(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        opened.begin()
        before = await opened.bench.dreaming.reach()
        assert before is not None
        assert before.place.waits(1)
        run = await opened.bench.dreaming.run_now()
        after = await opened.bench.dreaming.reach()
        assert after is not None
        assert after.run_of(1) == run
        assert run is not None
        await opened.bench.dreaming.undo(run.id, again=True)
        again = await opened.bench.dreaming.reach()
        assert again is not None
        assert again.place.waits(1)
        await opened.bench.config.change(profile="two-layer")
        assert await opened.bench.dreaming.reach() is None


@pytest.mark.slow
@pytest.mark.parametrize(("again", "comes_back"), [(True, True), (False, False)])
async def test_what_is_to_be_dreamed_again_may_be_written_again_and_what_was_declined_may_not(
    tmp_path: Path, again: bool, comes_back: bool
) -> None:
    async with DreamBench(tmp_path, *cat_script(), *cat_script()) as opened:
        opened.begin()
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        await opened.bench.dreaming.undo(run.id, again=again)
        assert opened.memory() == TEXT
        if not again:
            opened.journal.append(FACT, session_key=KEY)
        second = await opened.bench.dreaming.run_now()
        assert second is not None
        assert ("has a cat called Mau" in opened.memory()) is comes_back
        assert bool(second.commit) is comes_back


async def test_an_upgrade_is_announced_and_taken_back(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        opened.paths.history_file.write_text("[2026-01-01 09:00] Told.\n\n", encoding="utf-8")
        assert (await opened.bench.dreaming.plan_upgrade()).is_needed
        await opened.bench.dreaming.upgrade(dream_old=True)
        assert (await opened.bench.dreaming.state()).waiting == 1
        assert await opened.bench.dreaming.downgrade() == 1
        assert opened.paths.history_file.read_text(encoding="utf-8") == "[2026-01-01 09:00] Told.\n\n"


async def test_in_a_workspace_that_is_only_looked_at_nothing_runs(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        opened.begin()
    async with DreamBench(tmp_path, read_only=True) as looking:
        dreaming = looking.bench.dreaming
        assert (await dreaming.state()).blocked == "The workspace is open for reading only."
        assert await dreaming.look() == LONGEST_PAUSE
        for forbidden in (dreaming.run_now(), dreaming.pause(True), dreaming.undo("x", True), dreaming.downgrade()):
            with pytest.raises(WorkspaceReadOnly):
                await forbidden


async def test_the_loop_is_never_held_by_a_run(tmp_path: Path) -> None:
    """Reading, writing and committing are other threads' work: between two turns of the loop little time goes by."""
    async with DreamBench(tmp_path, *cat_script(), LLMResponse("Nothing.")) as opened:
        opened.begin()
        loop, gaps = asyncio.get_running_loop(), list[float]()
        running = asyncio.create_task(opened.bench.dreaming.run_now())
        while not running.done():
            began = loop.time()
            await asyncio.sleep(0)
            gaps.append(loop.time() - began)
        gaps.sort()
        assert gaps[len(gaps) * 99 // 100] < 0.02


async def test_a_known_text_that_another_program_puts_back_during_a_run_is_seen_in_time(
    tmp_path: Path,
) -> None:
    gate = Gate()
    async with DreamBench(tmp_path, *cat_script(), [gate, keeps_nothing()]) as opened:
        opened.begin()
        await opened.bench.rescan_files()
        await opened.bench.dreaming.run_now()
        await opened.bench.rescan_files()
        opened.journal.append("- [durable] Likes snow")
        running = asyncio.create_task(opened.bench.dreaming.run_now())
        await gate.reached.wait()
        opened.paths.memory_file.write_text(TEXT, encoding="utf-8")
        await opened.bench.rescan_files()
        assert [each.origin for each in opened.seen(MemoryChanged)] == ["outside", "dream"]
        gate.open.set()
        await running
        await opened.bench.rescan_files()
        assert [(each.origin, each.text) for each in opened.seen(MemoryChanged)][2:] == [("outside", TEXT)]


@pytest.mark.slow
async def test_a_run_whose_only_edit_the_person_had_taken_out_is_held_and_says_so(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script(), *cat_script()) as opened:
        opened.begin()
        first = await opened.bench.dreaming.run_now()
        assert first is not None
        await opened.bench.dreaming.undo(first.id, again=False)
        opened.journal.append(FACT)
        second = await opened.bench.dreaming.run_now()
        assert second is not None
        assert opened.memory() == TEXT
        assert (second.outcome, [edit.held for edit in second.edits]) == ("held", [True, True])
        assert second.commit == ""


async def test_what_dream_had_not_read_at_a_moment_is_told_as_it_was_then(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing(), keeps_nothing()) as opened:
        opened.begin("- [durable] At nine")
        opened.clock.move(hours=1)
        await opened.bench.dreaming.run_now()
        opened.clock.move(hours=1)
        opened.journal.append("- [durable] At eleven", session_key=KEY)
        opened.journal.append("- [durable] Elsewhere", session_key="other")
        opened.clock.move(hours=1)
        await opened.bench.dreaming.run_now()
        dream = opened.inner.memory.dream
        notices = [
            PastHistory(dream, lambda: True, datetime(2026, 11, 21, hour, 30)).text(KEY) for hour in (8, 9, 10, 11, 12)
        ]
        found = [["At nine" in text, "At eleven" in text, "Elsewhere" in text] for text in notices]
        assert found == [[False] * 3, [True, False, False], [False] * 3, [False, True, False], [False] * 3]
        assert PastHistory(dream, lambda: False, datetime(2026, 11, 21, 9, 30)).text(KEY) == ""
        # Read by another program: nobody knows when.
        opened.journal.append("- [durable] Read elsewhere", session_key=KEY)
        opened.journal.set_dream_cursor(4)
        assert "elsewhere" not in PastHistory(dream, lambda: True, datetime(2026, 11, 21, 13)).text(KEY)


@pytest.mark.slow
async def test_a_run_is_taken_back_as_soon_as_its_record_is_there(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        opened.begin()
        undone = list[asyncio.Task[Any]]()

        def on_event(event: object) -> None:
            if isinstance(event, Dreamed):
                undone.append(asyncio.create_task(opened.bench.dreaming.undo(event.run.id, again=False)))

        unsubscribe = opened.inner.bus.subscribe(on_event)
        await opened.bench.dreaming.run_now()
        assert [path for path, _ in (await undone[0]).changed] == ["USER.md", "memory/MEMORY.md"]
        assert opened.memory() == TEXT
        unsubscribe()
        with pytest.raises(StorageError) as error:
            await opened.bench.dreaming.undo(opened.seen(Dreamed)[0].run.id, again=False)
        assert str(error.value) == "Nothing of this run is left to undo: its files are as they would be without it."
