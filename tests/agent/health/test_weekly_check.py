"""Memory is checked once a week, by itself, unless the settings say otherwise; what disagrees waits for review."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.agent.health.weekly_check import WEEK, WeeklyCheck
from mnemoscope.bootstrap import open_core
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.calls import REAL_CALLS
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.files.shipped import shipped

HOUR = timedelta(hours=1)


class Checked:
    """A check of one folder whose clock, settings and busy work a test changes."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "memory-check.json"
        self.now = datetime(2026, 11, 1, 9)
        self.settings = Settings()
        self.may_begin = True
        self.times: list[datetime] = []
        self.check = self.opened()

    def opened(self) -> WeeklyCheck:
        """Returns the check as a program that is begun anew has it."""
        return WeeklyCheck(
            self.file,
            self.propose,
            lambda: self.may_begin,
            lambda: self.settings,
            InlineDisk(),
            lambda: self.now,
            calls=REAL_CALLS,
        )

    async def propose(self) -> int:
        self.times.append(self.now)
        return 0


async def test_memory_is_checked_a_week_after_it_was_first_looked_at_and_then_each_week(tmp_path: Path) -> None:
    one = Checked(tmp_path)
    begun = one.now
    for hours in range(24 * 15 + 1):
        one.now = begun + hours * HOUR
        if hours % 50 == 0:
            one.check = one.opened()
        await one.check.look()
    assert one.times == [begun + WEEK, begun + 2 * WEEK]


async def test_a_check_that_is_switched_off_or_may_not_begin_is_made_once_it_may(tmp_path: Path) -> None:
    one = Checked(tmp_path)
    await one.check.look()
    one.now += WEEK
    one.settings, one.may_begin = Settings(weekly_check=False), True
    await one.check.look()
    one.settings, one.may_begin = Settings(), False
    await one.check.look()
    assert one.times == []
    one.may_begin = True
    await one.check.look()
    assert one.times == [one.now]


@pytest.mark.parametrize("damaged", ["", "[]", '{"checked": 5}', '{"checked": "soon"}'])
async def test_a_damaged_file_and_a_clock_turned_back_begin_the_week_anew(tmp_path: Path, damaged: str) -> None:
    one = Checked(tmp_path)
    one.file.write_text(damaged, encoding="utf-8")
    await one.check.look()
    one.now -= 2 * WEEK
    await one.check.look()
    one.now += WEEK - HOUR
    await one.check.look()
    assert one.times == []
    one.now += HOUR
    await one.check.look()
    assert len(one.times) == 1


async def test_a_check_that_fails_and_a_time_that_cannot_be_kept_are_not_tried_again_each_minute(
    tmp_path: Path,
) -> None:
    one = Checked(tmp_path)
    one.file.mkdir()
    tried = []

    async def fail() -> int:
        tried.append(one.now)
        raise StorageError("The disk is full.")

    one.propose = fail  # type: ignore[method-assign]
    one.check = one.opened()
    await one.check.look()
    one.now += WEEK
    with pytest.raises(StorageError):
        await one.check.look()
    await one.check.look()
    assert len(tried) == 1


async def test_in_a_workspace_what_disagrees_waits_for_review_and_no_file_is_changed(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    shutil.copytree(shipped("resources", "blank"), folder)
    bench = open_core(folder, trusted=True).bench
    try:
        text = "- Lives in Graz\n- Has a cat\n- Lives in Linz now\n"
        bench.memory.write_long_term(text)
        checked = bench.workspace.paths.own.memory_check_file
        checked.write_text('{"checked": "2020-01-01T09:00:00"}', encoding="utf-8")
        await bench.weekly_check.look()
        [waits] = bench.memory.ledger.suggestions()
        assert waits.reasons == ("Two facts disagree: “Lives in Graz” and “Lives in Linz now”.",)
        assert bench.memory.read_long_term() == text
        assert "2020" not in checked.read_text(encoding="utf-8")
    finally:
        await bench.close()
