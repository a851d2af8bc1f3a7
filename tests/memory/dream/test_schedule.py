"""When Dream runs."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mnemoscope.memory.dream.schedule import cron_problem, next_run

NOW = datetime(2026, 4, 3, 10, 30)


def test_it_runs_an_interval_after_the_last_run() -> None:
    last = NOW - timedelta(hours=1)
    assert next_run(last, NOW, interval_hours=2) == NOW + timedelta(hours=1)


def test_a_run_that_is_overdue_comes_now() -> None:
    assert next_run(NOW - timedelta(days=9), NOW, interval_hours=2) == NOW


def test_the_first_run_comes_an_interval_from_now() -> None:
    assert next_run(None, NOW, interval_hours=2) == NOW + timedelta(hours=2)


def test_cron_takes_precedence() -> None:
    assert next_run(None, NOW, interval_hours=2, cron="0 */4 * * *") == datetime(2026, 4, 3, 12, 0)


@pytest.mark.parametrize("cron", ["every day", "99 * * * *", "* * * *", "0 0 31 2 *", "* * * * * *", "\0"])
def test_a_cron_expression_that_cannot_be_followed_is_told_and_the_interval_holds(cron: str) -> None:
    assert cron_problem(cron)
    assert next_run(None, NOW, interval_hours=3, cron=cron) == NOW + timedelta(hours=3)


def test_no_expression_is_no_problem() -> None:
    assert cron_problem("") == ""
    assert cron_problem("*/15 8-18 * * 1-5") == ""


def test_a_clock_turned_back_does_not_put_the_next_run_off_for_years() -> None:
    assert next_run(NOW + timedelta(days=900), NOW, interval_hours=2) == NOW + timedelta(hours=2)
