"""A moment is told in the person's time zone, and in the system's where there is none of that name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mnemoscope.store.workspace.time_zone import in_time_zone, is_time_zone

LATE = datetime(2026, 11, 22, 21, 30, 5, tzinfo=UTC)


def test_a_moment_is_told_where_the_person_lives() -> None:
    there = in_time_zone(LATE, "Asia/Tashkent")
    assert (there, there.day, there.utcoffset()) == (LATE, 23, timedelta(hours=5))
    assert in_time_zone(LATE, "").utcoffset() == LATE.astimezone().utcoffset()
    assert is_time_zone("Asia/Tashkent")


@pytest.mark.parametrize("name", ["Mars/Olympus", "Asia", "../etc", "\0"])
def test_a_zone_nobody_knows_is_the_systems(name: str) -> None:
    assert in_time_zone(LATE, name) == LATE
    assert in_time_zone(LATE, name).utcoffset() == LATE.astimezone().utcoffset()
    assert not is_time_zone(name)
