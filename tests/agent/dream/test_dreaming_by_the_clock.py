"""Dream's clock: when a run is due, what it may spend, and what keeps it from running by itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.dream.dreaming import QUIET, DreamClock, DreamSchedule
from mnemoscope.agent.tasks.periodic_task import LONGEST_PAUSE
from mnemoscope.agent.tasks.spending import Purpose
from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.events import Dreamed, Noticed
from mnemoscope.domain.llm import LLMResponse
from tests.support.dream_bench import FACT, DreamBench
from tests.support.scripted_provider import keeps_nothing

NOON = datetime(2026, 11, 21, 12, 0)
DOWN = ModelError("The server is down.", next_step="Try later.")


async def test_opening_spends_nothing_however_long_ago_the_last_run_was(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing()) as opened:
        opened.begin()
        await opened.bench.dreaming.run_now()
        opened.journal.append(FACT)
    async with DreamBench(tmp_path, keeps_nothing()) as opened:
        opened.clock.move(days=3)
        await opened.bench.dreaming.close()
        await opened.bench.dreaming.start()
        assert (await opened.bench.dreaming.state()).next_run == opened.clock.now + QUIET
        assert await opened.bench.dreaming.look() == QUIET.total_seconds()
        assert opened.provider.requests == []


async def test_what_is_due_runs_and_the_next_time_is_an_interval_later(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing(), dream_interval_hours=3) as opened:
        opened.begin()
        assert (await opened.bench.dreaming.state()).next_run == opened.clock.now + timedelta(hours=3)
        opened.clock.move(hours=3)
        assert await opened.bench.dreaming.look() == LONGEST_PAUSE
        assert opened.seen(Dreamed)[0].run.trigger == "schedule"
        assert (await opened.bench.dreaming.state()).next_run == opened.clock.now + timedelta(hours=3)


async def test_nothing_waiting_asks_no_model_at_the_due_time(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        opened.clock.move(hours=5)
        await opened.bench.dreaming.look()
        assert opened.provider.requests == []
        assert (await opened.bench.dreaming.state()).next_run == opened.clock.now + timedelta(hours=2)


async def test_the_clock_runs_five_batches_at_most_and_the_rest_waits(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, last=keeps_nothing(), dream_batch=1) as opened:
        opened.begin(*[FACT] * 7)
        opened.clock.move(hours=3)
        await opened.bench.dreaming.look()
        assert (opened.cursor(), (await opened.bench.dreaming.state()).waiting) == (5, 2)


@pytest.mark.parametrize(
    ("settings", "blocked"),
    [
        ({"dream_enabled": False}, ""),
        ({"dream_paused": True}, ""),
        ({"profile": "two-layer"}, "Dream runs by itself in the dream profile only."),
    ],
)
async def test_switched_off_paused_or_elsewhere_it_never_runs_by_itself_and_loses_nothing(
    tmp_path: Path, settings: dict[str, Any], blocked: str
) -> None:
    async with DreamBench(tmp_path, keeps_nothing(), **settings) as opened:
        opened.begin()
        opened.clock.move(days=9)
        await opened.bench.dreaming.look()
        state = await opened.bench.dreaming.state()
        assert (state.waiting, state.next_run, state.blocked, opened.cursor()) == (1, None, blocked, 0)
        assert opened.provider.requests == []
        # By hand it runs all the same.
        assert await opened.bench.dreaming.run_now() is not None
        assert opened.cursor() == 1


async def test_at_the_limit_of_a_days_spending_only_the_person_has_it_run(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, keeps_nothing(), keeps_nothing(), spending_limit=0.02) as opened:
        opened.begin()
        await opened.bench.spending.add(Purpose.CHAT, LLMResponse("Yes.", usage={"total_tokens": 10}, cost=0.02))
        opened.clock.move(hours=3)
        await opened.bench.dreaming.look()
        state = await opened.bench.dreaming.state()
        assert state.blocked.startswith("The daily limit of US$0.02 is reached")
        assert (opened.provider.requests, opened.cursor(), state.next_run) == ([], 0, None)
        assert await opened.bench.dreaming.run_now() is not None
        assert opened.cursor() == 1
        opened.journal.append(FACT)
        opened.clock.move(days=1)
        await opened.bench.dreaming.look()
        assert opened.cursor() == 2


async def test_three_failures_in_a_row_at_the_same_entry_are_enough(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, DOWN, DOWN, DOWN) as opened:
        opened.begin()
        for _ in range(5):
            opened.clock.move(hours=3)
            await opened.bench.dreaming.look()
        assert len(opened.provider.requests) == 3
        state = await opened.bench.dreaming.state()
        assert state.blocked.startswith("It failed 3 times in a row at entry 1. The server is down.")
        assert state.next_run is None
    async with DreamBench(tmp_path, DOWN, keeps_nothing()) as opened:
        assert (await opened.bench.dreaming.state()).blocked
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        assert run.outcome == "failed"
        opened.clock.move(hours=3)
        await opened.bench.dreaming.look()
        assert opened.cursor() == 1


async def test_a_cron_expression_stands_before_the_interval(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, dream_cron="30 4 * * *") as opened:
        assert (await opened.bench.dreaming.state()).next_run == datetime(2026, 11, 22, 4, 30)


async def test_a_bad_cron_expression_is_said_once_and_the_interval_holds(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, dream_cron="every tuesday") as opened:
        for _ in range(3):
            assert (await opened.bench.dreaming.state()).next_run == opened.clock.now + timedelta(hours=2)
        (said,) = (each.sentence for each in opened.seen(Noticed))
        assert said.startswith("“every tuesday” is no cron expression of five fields")
        assert said.endswith("Dream runs every 2 hours instead.")


async def test_new_settings_hold_at_once(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await opened.bench.dreaming.state()
        await opened.bench.config.change(dream_interval_hours=5)
        assert (await opened.bench.dreaming.state()).next_run == opened.clock.now + timedelta(hours=5)


def test_a_clock_that_jumps_ahead_makes_it_due_and_one_turned_back_plans_anew() -> None:
    rhythm = DreamSchedule(2)
    clock = DreamClock(NOON, NOON - timedelta(hours=1))
    due = clock.due_at(NOON, rhythm)
    assert due == NOON + timedelta(hours=1)
    assert clock.due_at(NOON + timedelta(days=40), rhythm) == due
    long_ago = NOON - timedelta(days=400)
    assert clock.due_at(long_ago, rhythm) == long_ago + timedelta(hours=2)
    assert clock.due_at(long_ago + timedelta(hours=2), rhythm) == long_ago + timedelta(hours=2)


def test_a_last_run_in_the_future_makes_nobody_wait_for_years() -> None:
    clock = DreamClock(NOON, NOON + timedelta(days=900))
    assert clock.due_at(NOON, DreamSchedule(2)) == NOON + timedelta(hours=2)
