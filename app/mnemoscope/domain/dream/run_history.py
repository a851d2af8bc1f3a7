"""The records of Dream's runs tell why it does not run by itself, what it cost, and which run read an entry."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from mnemoscope.domain.dream.position import DreamPosition
from mnemoscope.domain.dream.run import DreamRun, Spend

_FAILURES: Final = 3
"""So many runs of the clock that fail on the same entries are enough: the next would cost the same and fail again."""


def blocked_by(runs: Sequence[DreamRun], first: int) -> str:
    """Returns a sentence that says why Dream does not run by itself, or "". `runs` has the newest first; `first` is the
    entry that waits first.

    A run that somebody stopped says nothing, and one begun by hand begins the count anew.
    """
    counted = [run for run in runs if run.outcome != "stopped"]
    failed = list(takewhile(lambda run: _failed_by_itself(run, first), counted))
    if len(failed) < _FAILURES:
        return ""
    reason = f" {failed[0].reason}" if failed[0].reason else ""
    return f"It failed {len(failed)} times in a row at entry {first:,}.{reason} It waits until you run it yourself."


def day_is_spent(spent: Spend, limit: int) -> str:
    """Returns a sentence that says why Dream does not run by itself any more today, or "". `limit` is in tokens, 0 for
    none."""
    if not 0 < limit <= spent.tokens:
        return ""
    return f"Today's limit of {limit:,} tokens is reached. It runs by itself again tomorrow."


def spent_on(runs: Sequence[DreamRun], day: str) -> Spend:
    """Returns what the runs of a day (`YYYY-MM-DD`) cost."""
    total = Spend()
    for run in runs:
        if run.when.startswith(day):
            usage = {"prompt_tokens": run.spend.prompt_tokens, "completion_tokens": run.spend.completion_tokens}
            total = total.plus(usage, run.spend.money)
    return total


def _run_that_read(runs: Sequence[DreamRun], cursor: int) -> DreamRun | None:
    """Returns the newest run that read an entry and came to an end with it."""
    return next((run for run in runs if run.settled and run.first <= cursor <= run.last), None)


class DreamReadIndex:
    """Knows which run read which entry of the journal.

    `runs` has the newest first.
    """

    def __init__(self, place: DreamPosition, runs: Sequence[DreamRun] = ()) -> None:
        self.place = place
        self.runs = tuple(run for run in runs if run.settled)
        self._known: dict[int, DreamRun | None] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DreamReadIndex) and (self.place, self.runs) == (other.place, other.runs)

    __hash__ = None  # type: ignore[assignment]

    def run_of(self, cursor: int) -> DreamRun | None:
        """Returns the run that read an entry, or None if it waits or was passed over."""
        if self.place.waits(cursor):
            return None
        if cursor not in self._known:
            self._known[cursor] = _run_that_read(self.runs, cursor)
        return self._known[cursor]


def _failed_by_itself(run: DreamRun, first: int) -> bool:
    return run.trigger == "schedule" and not run.settled and run.first == first
