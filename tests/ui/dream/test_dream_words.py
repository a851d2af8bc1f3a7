"""What Dream does, when and for how much is said by the settings; how long a run took is never nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from mnemoscope.domain.dream.run import DreamState, Spend
from mnemoscope.domain.settings import DREAM, TWO_LAYER, Settings
from mnemoscope.ui.dream.dream_words import duration, introduction, next_words, today_words, unread_words


def test_what_took_no_time_worth_telling_took_a_little() -> None:
    assert duration(0.01) == "under 0.1 s"
    assert [duration(seconds) for seconds in (0.06, 2.0, 42.0, 61.0)] == ["0.1 s", "2.0 s", "42 s", "1 min 1 s"]


def test_large_figures_of_today_are_grouped_as_everywhere_in_the_window() -> None:
    words = today_words(Spend(12_000, 345), 1_000_000)
    assert words == "Today: 12,345 tokens; at most 1,000,000 tokens a day by itself"


def test_what_dream_costs_is_said_for_each_way_it_may_be_set() -> None:
    def cost(**settings: object) -> str:
        return introduction(replace(Settings(profile=DREAM), **settings))[2][1]  # type: ignore[arg-type]

    assert "Nothing" in cost()
    assert "It asks b: by itself at most 1,000,000 tokens a day." in cost(model="a/b")
    assert "It asks b." in cost(model="a/b", dream_day_tokens=0)
    assert "It asks small.gguf." in cost(model="openai//srv/small.gguf", dream_day_tokens=0)


def test_when_dream_runs_is_said_for_each_way_it_may_be_set() -> None:
    def when(**settings: object) -> str:
        return introduction(replace(Settings(profile=DREAM), **settings))[1][1]  # type: ignore[arg-type]

    assert when().startswith("Every 2 hours while the window is open")
    assert when(dream_interval_hours=1).startswith("Every hour")
    assert when(dream_cron="0 4 * * *").startswith("By the schedule 0 4 * * *")
    assert when(dream_enabled=False) == "Only with Run now: by itself it is switched off."
    assert "when you ask for it" in when(profile=TWO_LAYER)


def test_where_nothing_waits_no_run_is_promised() -> None:
    now = datetime(2026, 5, 4, 9, 0)
    none, some = (DreamState(next_run=now + timedelta(hours=2), waiting=waiting) for waiting in (0, 3))
    assert unread_words(none) == "No entry waits"
    assert next_words(none, now).startswith("Looks for entries today at ")
    assert next_words(some, now).startswith("Next run today at ")
