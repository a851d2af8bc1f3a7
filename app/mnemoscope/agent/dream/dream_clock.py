"""When Dream runs next by itself, kept apart from running it: no disk, no model, and no clock of its own.

The moment is fixed when it is planned and then waited for, so that a wall clock that jumps forward makes a run due, and
one that is turned back only plans it anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from mnemoscope.memory.dream.schedule import cron_problem, next_run

QUIET: Final = timedelta(minutes=10)
"""Nothing is spent so soon after a workspace was opened, however long ago the last run was."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """What the settings say."""

    interval_hours: int
    cron: str = ""


class DreamClock:
    """Of one open workspace, from `opened` on. `last`: when Dream ran last, None for never."""

    def __init__(self, opened: datetime, last: datetime | None) -> None:
        self._not_before = opened + QUIET
        self._last = last or opened
        self._looked = opened
        self._planned: tuple[Rhythm, datetime] | None = None

    def due_at(self, now: datetime, rhythm: Rhythm) -> datetime:
        """The next run, by these settings."""
        if now < self._looked:
            # The clock was turned back: what it said before means nothing any more.
            self._planned, self._last, self._not_before = None, now, now
        self._looked = now
        if self._planned is None or self._planned[0] != rhythm:
            due = next_run(self._last, now, interval_hours=rhythm.interval_hours, cron=rhythm.cron)
            self._planned = rhythm, max(due, self._not_before)
        return self._planned[1]

    def ran(self, now: datetime) -> None:
        """A run ended, or there was nothing to do: the next one comes an interval from now."""
        self._last, self._planned = now, None


def rhythm_of(interval_hours: int, cron: str) -> tuple[Rhythm, str]:
    """The rhythm to follow, and a sentence where the cron expression cannot be."""
    problem = cron_problem(cron)
    if not problem:
        return Rhythm(interval_hours, cron.strip()), ""
    hours = "every hour" if interval_hours == 1 else f"every {interval_hours:,} hours"
    return Rhythm(interval_hours), f"{problem} Dream runs {hours} instead."
