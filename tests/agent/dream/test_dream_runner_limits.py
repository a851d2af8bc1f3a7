"""What a run of Dream may take: of a day, of a command, and where the server does not say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.support.dream_bench import TEXT, DreamBench, edit
from tests.support.scripted_provider import keeps_nothing, says


async def test_the_spend_of_today_is_summed_up(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing(), keeps_nothing()) as opened:
        opened.begin()
        await opened.bench.dreaming.run_now()
        assert (await opened.bench.dreaming.state()).spent_today.tokens == 15
        opened.clock.move(days=1)
        assert (await opened.bench.dreaming.state()).spent_today.tokens == 0


async def test_one_command_takes_no_more_than_a_day_may_and_says_what_still_waits(tmp_path: Path) -> None:
    script = [keeps_nothing()] * 4
    async with DreamBench(tmp_path, *script, dream_batch=1, dream_day_tokens=20) as opened:
        opened.begin("One", "Two", "Three", "Four")
        answer = await opened.answer("/dream")
        assert "The limit of 20 tokens of one command was reached. 2 entries still wait; `/dream` goes on." in answer
        assert opened.buttons()[-1].command == "/dream"
        assert opened.cursor() == 2
        # By hand as often as the person likes; the clock counts all of the day.
        assert (await opened.answer("/dream")).startswith("Dream completed")
        assert (opened.cursor(), opened.bench.dreaming.runner.halted) == (4, "")


async def test_the_clock_waits_for_the_next_day_once_a_days_tokens_are_spent(tmp_path: Path) -> None:
    async with DreamBench(
        tmp_path, *[keeps_nothing()] * 4, dream_batch=1, dream_day_tokens=20, dream_interval_hours=2
    ) as opened:
        opened.begin("One", "Two", "Three", "Four")
        opened.clock.move(hours=2)
        await opened.bench.dreaming.look()
        assert opened.cursor() == 2
        state = await opened.bench.dreaming.state()
        assert (state.spent_today.tokens, state.day_limit, state.next_run) == (30, 20, None)
        assert state.blocked == "Today's limit of 20 tokens is reached. It runs by itself again tomorrow."
        opened.clock.move(hours=2)
        await opened.bench.dreaming.look()
        assert (opened.cursor(), len(opened.provider.requests)) == (2, 2)
        opened.clock.move(hours=20)
        await opened.bench.dreaming.look()
        assert opened.cursor() == 4


async def test_a_run_that_meets_the_limit_of_the_command_changes_nothing_and_says_which_it_was(tmp_path: Path) -> None:
    async with DreamBench(
        tmp_path, keeps_nothing(), edit("tea", "green tea"), says("Done."), dream_batch=1, dream_day_tokens=20
    ) as opened:
        opened.begin("One", "Two")
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        assert (run.outcome, run.reason) == ("capped", "The limit of 20 tokens of one command was reached.")
        assert (opened.cursor(), opened.memory()) == (1, TEXT)


async def test_a_server_that_does_not_say_what_an_answer_took_is_limited_all_the_same(tmp_path: Path) -> None:
    silent = [replace(answer, usage={}) for answer in (edit("tea", "green tea"), says("Done."))]
    async with DreamBench(tmp_path, *silent, dream_max_tokens=100) as opened:
        opened.begin()
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        assert run.outcome == "capped"
        assert run.spend.tokens > 100
        assert opened.memory() == TEXT
