"""/dream and what belongs to it: nanobot's names and structure, with buttons that do what the text says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.command_action import CommandAction, actions_of
from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.settings import TWO_LAYER
from tests.support.agent_bench import KEY
from tests.support.dream_bench import CAT, FACT, TEXT, DreamBench, cat_script, edit
from tests.support.scripted_provider import Gate, keeps_nothing, says


async def dreamt(opened: DreamBench) -> str:
    """Returns the version of a run that added the cat."""
    opened.begin()
    assert (await opened.answer("/dream")).startswith("Dream completed in ")
    return (await opened.bench.dreaming.state()).runs[0].commit


async def test_dream_tells_what_it_did_and_offers_to_show_and_undo_it(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        sha = await dreamt(opened)
        text = str(opened.inner.messages()[-1]["content"])
        assert f" (commit `{sha}`).\n- `USER.md`: +1 −0\n- `memory/MEMORY.md`: +1 −0\n\n1 entry read" in text
        assert text.endswith("from 1 on; 30 tokens.")
        assert opened.buttons() == (
            CommandAction("Show the change", f"/dream-log {sha}"),
            CommandAction("Undo this change", f"/dream-restore {sha}"),
        )


async def test_dream_says_what_it_did_not_do(tmp_path: Path) -> None:
    down = ModelError("The server is down.", next_step="Try later.")
    async with DreamBench(tmp_path, keeps_nothing(), down, edit("- likes tea\n", ""), says("Done.")) as opened:
        opened.begin()
        assert "; no memory changes." in await opened.answer("/dream")
        opened.journal.append(FACT)
        text = await opened.answer("/dream")
        assert text.startswith("Dream failed after ")
        assert "The server is down. Try later. The entries still wait." in text
        assert "waits for you in Review" in await opened.answer("/dream")
        assert (await opened.answer("/dream")).startswith("Dream has nothing to read")
        assert opened.buttons() == (CommandAction("How Dream is guided", "/dream-prompt"),)


async def test_stop_ends_a_dream_begun_by_a_command(tmp_path: Path) -> None:
    gate = Gate()
    async with DreamBench(tmp_path, [gate]) as opened:
        opened.begin()
        asked = asyncio.create_task(opened.bench.loop.process(KEY, "/dream"))
        await gate.reached.wait()
        assert opened.bench.loop.stop(KEY)
        await asked
        text = str(opened.inner.messages()[-1]["content"])
        assert text.startswith("Dream did not complete after ")
        assert "Stopped by you. The entries still wait." in text
        assert opened.cursor() == 0


async def test_dream_at_work_already_is_said(tmp_path: Path) -> None:
    gate = Gate()
    async with DreamBench(tmp_path, [gate, keeps_nothing()]) as opened:
        opened.begin()
        running = asyncio.create_task(opened.bench.dreaming.run_now())
        await gate.reached.wait()
        assert (await opened.answer("/dream")).startswith("Dream is at work already")
        gate.open.set()
        await running


async def test_the_log_shows_the_newest_change_or_the_one_that_is_named(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        assert (await opened.answer("/dream-log")).startswith("Dream has not changed memory yet")
        sha = await dreamt(opened)
        text = await opened.answer("/dream-log")
        assert text.startswith(f"## Dream Update\n\nThis is what Dream changed last.\n\n- Commit: `{sha}`\n- Time: ")
        assert "- Changed files: `USER.md`, `memory/MEMORY.md`\n- History entries: 1\n" in text
        assert f"Use `/dream-restore {sha}` to undo this change." in text
        assert "```diff\ndiff --git a/USER.md b/USER.md\n" in text
        assert "+- has a cat called Mau\n" in text
        assert (await opened.answer(f"/dream-log {sha}")).partition("\n\n- ")[2] == text.partition("\n\n- ")[2]
        for unknown in ("ffffffff", "x`*y", "abc"):
            text = await opened.answer(f"/dream-log {unknown}")
            assert text.startswith(f"There is no change `{unknown.replace('`', '')}` that could be shown.")


async def test_a_fence_in_memory_does_not_end_the_fence_of_the_log(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, edit("", "- runs ```` `make` ````"), says("Done.")) as opened:
        opened.begin("- [durable] runs ```` `make` ````")
        await opened.answer("/dream")
        text = await opened.answer("/dream-log")
        assert "`````diff\n" in text
        assert text.endswith("`````")


@pytest.mark.slow
async def test_one_change_is_undone_and_its_entries_are_declined_or_dreamed_again(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        sha = await dreamt(opened)
        listed = await opened.answer("/dream-restore")
        assert listed.startswith("## Dream Restore\n\n")
        assert f"- `{sha}` " in listed
        assert opened.buttons() == (CommandAction(f"Show {sha}", f"/dream-log {sha}"),)
        text = await opened.answer(f"/dream-restore {sha}")
        assert text.startswith(f"`{sha}` is undone. USER.md, memory/MEMORY.md are as before it")
        assert "Its entries count as declined." in text
        assert "- Restored files: `USER.md`, `memory/MEMORY.md`" in text
        assert (opened.memory(), opened.cursor()) == (TEXT, 1)
        show, again = opened.buttons()
        assert "+- likes tea" not in await opened.answer(show.command)
        assert "-- has a cat called Mau" in str(opened.inner.messages()[-1]["content"])
        assert "Its entries are dreamed again." in await opened.answer(again.command)
        assert opened.cursor() == 0


@pytest.mark.slow
async def test_what_dream_did_can_be_looked_at_and_undone_in_another_profile_too(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        sha = await dreamt(opened)
        await opened.bench.config.change(profile=TWO_LAYER)
        assert (await opened.answer("/dream-log")).startswith("## Dream Update")
        assert (await opened.answer(f"/dream-restore {sha}")).startswith(f"`{sha}` is undone.")
        for typed in ("/dream", "/dream-prompt"):
            assert "Choose *Dream* under *Settings, How memory is kept*" in await opened.answer(typed)


async def test_only_changes_of_dreams_are_undone_by_its_command(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        base = await opened.bench.disk.run(opened.bench.memory.editing.read_text)
        await opened.bench.memory.editing.save_text(TEXT, base.digest)
        await opened.bench.commits.kept()
        commit = (await opened.bench.commits.page())[0]
        text = await opened.answer(f"/dream-restore {commit.sha}")
        assert "It is not Dream's but was made by: You." in text
        assert "There is no such version." in await opened.answer("/dream-restore ffffffff")
        assert opened.memory() == TEXT
        assert (await opened.answer("/dream-restore")).startswith("Dream has not changed memory yet")


async def test_the_guide_is_shown_made_and_then_followed(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing()) as opened:
        text = await opened.answer("/dream-prompt")
        assert text.startswith("## Dream Prompt\n\nDream follows Mnemoscope's own guide.")
        assert opened.buttons() == (CommandAction("Make an editable guide", "/dream-prompt init"),)
        assert (await opened.answer("/dream-prompt init")).startswith("`prompts/dream.md` is there now")
        assert opened.paths.dream_guide.read_text(encoding="utf-8").startswith("You tend the long-term memory")
        assert (tmp_path / "prompts" / "README.md").exists()
        opened.paths.dream_guide.write_text("Keep only cats.", encoding="utf-8")
        assert "already; it was left as it is" in await opened.answer("/dream-prompt init")
        assert "this workspace's own guide" in await opened.answer("/dream-prompt")
        assert opened.buttons() == ()
        opened.begin()
        await opened.answer("/dream")
        assert opened.provider.requests[0].messages[0]["content"] == "Keep only cats."


async def test_compact_sums_the_conversation_up_and_keeps_every_message(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, "Mau!", says(FACT)) as opened:
        await opened.bench.loop.process(KEY, "I have a cat called Mau")
        text = await opened.answer("/compact")
        assert text == "Messages 1 to 2 are summed up in memory/history.jsonl; a model is sent what comes after."
        assert [each.content for each in opened.journal.newest(9)] == [FACT]
        assert (await opened.answer("/compact")).startswith("There is nothing to sum up")
        assert len(opened.inner.messages()) == 6


async def test_history_shows_the_journal(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        assert "history log is empty" in await opened.answer("/history")
        opened.begin("one", "two", "three")
        assert await opened.answer("/history 2") == ("`2` [2026-11-21 09:00]\n\ntwo\n\n`3` [2026-11-21 09:00]\n\nthree")


async def test_buttons_stay_with_the_answer_and_foreign_fields_are_none(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        sha = await dreamt(opened)
        kept = opened.inner.messages()[-1]
        assert kept["_actions"][0] == {"label": "Show the change", "command": f"/dream-log {sha}"}
        assert CAT in opened.memory()
    for foreign in (
        None,
        "x",
        [1],
        [{"label": "x"}],
        [{"label": 1, "command": "/x"}],
        [{"label": "x", "command": "rm"}],
    ):
        assert actions_of({"_actions": foreign}) == ()


async def test_compact_says_where_the_messages_were_kept_as_they_are(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, "Mau!", *[TimeoutError()] * 3) as opened:
        await opened.bench.loop.process(KEY, "I have a cat called Mau")
        text = await opened.answer("/compact")
        assert text == (
            "Messages 1 to 2 are moved out of the prompt. No summary could be used, so they stand in the history as "
            "they are, marked [RAW]."
        )
        (entry,) = opened.journal.newest(9)
        assert entry.content.startswith("[RAW]")


@pytest.mark.logs_errors
async def test_a_dream_that_fails_in_whatever_way_is_answered(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, last=TimeoutError()) as opened:
        opened.begin()
        text = await opened.answer("/dream")
        assert "fail" in text or "did not finish" in text
        assert "there was no answer in time. " in text
