"""Runs Dream beside the conversation: by its clock or by hand, one run at a time, stopped, paused and taken back.

A model is asked only in a run, so nothing is spent between two runs. Dream can be switched off or paused without a
loss: its cursor says how far it has read, and it goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from mnemoscope.agent.dream.dream_runner import MANUAL, SCHEDULE, DreamRunner, DreamServices
from mnemoscope.agent.tasks.periodic_task import LONGEST_PAUSE, PeriodicTask
from mnemoscope.domain.dream.run import DreamRun, DreamState
from mnemoscope.domain.dream.run_history import DreamReadIndex, blocked_by, day_is_spent, spent_on
from mnemoscope.domain.errors import StorageError, WorkspaceReadOnly
from mnemoscope.domain.events import (
    Consolidated,
    Dreamed,
    DreamStateChanged,
    Event,
    HistoryChanged,
    Noticed,
    SettingsChanged,
    TrustChanged,
)
from mnemoscope.domain.settings import DREAM, Settings, is_built_in
from mnemoscope.domain.trust import Use
from mnemoscope.memory.dream.dream_memory import UndoneRun
from mnemoscope.memory.dream.journal_upgrade import UpgradePlan
from mnemoscope.memory.dream.schedule import cron_problem, next_run

_SCHEDULED_BATCHES: Final = 5
"""Runs that follow each other when the clock began them; what waits still, waits for the next time."""
QUIET: Final = timedelta(minutes=10)
"""Nothing is spent so soon after a workspace was opened, however long ago the last run was."""
_SHOWN_RUNS: Final = 50
_ALL_RUNS: Final = 10_000


@dataclass(frozen=True, slots=True)
class DreamSchedule:
    """States how often Dream runs, as the settings say."""

    interval_hours: int
    cron: str = ""


class DreamClock:
    """Says when Dream runs next by itself: no disk, no model, and no clock of its own.

    The moment is fixed when it is planned and then waited for, so that a wall clock that jumps forward makes a run due,
    and one that is turned back only plans it anew. `opened` is when the workspace was opened, `last` when Dream ran
    last.
    """

    def __init__(self, opened: datetime, last: datetime | None) -> None:
        self._not_before = opened + QUIET
        self._last = last or opened
        self._looked = opened
        self._planned: tuple[DreamSchedule, datetime] | None = None

    def due_at(self, now: datetime, rhythm: DreamSchedule) -> datetime:
        """Returns the next run, by these settings."""
        if now < self._looked:
            # The clock was turned back: what it said before means nothing any more.
            self._planned = None
            self._last = now
            self._not_before = now
        self._looked = now
        if self._planned is None or self._planned[0] != rhythm:
            due = next_run(self._last, now, interval_hours=rhythm.interval_hours, cron=rhythm.cron)
            self._planned = rhythm, max(due, self._not_before)
        return self._planned[1]

    def ran(self, now: datetime) -> None:
        """Notes that a run ended, or that there was nothing to do: the next one comes an interval from now."""
        self._last, self._planned = now, None


def _rhythm_of(interval_hours: int, cron: str) -> tuple[DreamSchedule, str]:
    """Returns the rhythm to follow, and a sentence if the cron expression cannot be followed."""
    problem = cron_problem(cron)
    if not problem:
        return DreamSchedule(interval_hours, cron.strip()), ""
    hours = "every hour" if interval_hours == 1 else f"every {interval_hours:,} hours"
    return DreamSchedule(interval_hours), f"{problem} Dream runs {hours} instead."


class Dreaming:
    """Runs Dream over one workspace, and says how things stand."""

    def __init__(self, services: DreamServices) -> None:
        self._services = services
        self._bus = services.bus
        self._disk = services.disk
        self._dream = services.memory.dream
        self.runner = DreamRunner(services)
        self._clock: DreamClock | None = None
        self._task = PeriodicTask("Dream's clock", self.look)
        self._complained = ""
        self._runs: tuple[DreamRun, ...] | None = None
        """All runs, newest first, once somebody asked how far Dream has read; read again after each."""
        self._changes = 0
        self._ends = (
            services.bus.on((Dreamed, DreamStateChanged), self._forget_runs),
            services.bus.on((SettingsChanged, TrustChanged, HistoryChanged, Consolidated), self._announce_state),
        )

    async def start(self) -> None:
        """Looks at the clock from now on."""
        if not self._services.read_only:
            await self._report_problems()
            last = await self._disk.run(self._dream.runs.newest, 1)
            self._clock = DreamClock(self._services.clock(), datetime.fromisoformat(last[0].when) if last else None)
            self._task.start()

    async def close(self, seconds: float = 3.0) -> None:
        """Stops looking; a run that is not committed changes nothing, one that is is finished."""
        self.runner.close()
        await self._task.stop(seconds)
        for end in self._ends:
            end()

    # -- what it does -------------------------------------------------------------------------------------------------

    async def state(self) -> DreamState:
        """Returns how things stand. Raises UnreadableFile where the journal cannot be read."""
        waiting, first, runs = await self._disk.run(self._look_up)
        settings, now = self._services.settings(), self._services.clock()
        day = now.date().isoformat()
        today = await self._disk.run(self._dream.runs.since, day)
        spent = spent_on(today, day)
        blocked = self._never_by_itself() or (blocked_by(runs, first) if waiting else "")
        if not blocked and settings.dream_enabled and not settings.dream_paused:
            blocked = day_is_spent(spent, settings.dream_day_tokens)
        return DreamState(
            enabled=settings.dream_enabled,
            paused=settings.dream_paused,
            running=self.runner.is_running,
            waiting=waiting,
            next_run=None if blocked else await self._due(now),
            blocked=blocked,
            runs=tuple(runs),
            spent_today=spent,
            day_limit=settings.dream_day_tokens,
        )

    async def run_now(self) -> DreamRun | None:
        """Reads all that waits, a batch after the other, and returns the last run; None if nothing waits or one is at
        work.

        Raises StorageError or WorkspaceReadOnly before anything was asked.
        """
        runs = await self.run(MANUAL)
        return runs[-1] if runs else None

    async def run(self, trigger: str, batches: int | None = None) -> list[DreamRun]:
        """Reads what waits, at most so many batches, and returns every run, oldest first."""
        self._require_writable()
        try:
            return await self.runner.run(trigger, batches)
        finally:
            if self._clock is not None:
                self._clock.ran(self._services.clock())

    async def pause(self, paused: bool) -> None:
        """Pauses or resumes runs by itself. Raises SettingsError, StorageError or WorkspaceReadOnly."""
        self._require_writable()
        await self._services.change_settings(dream_paused=paused)

    async def undo(self, run_id: str, again: bool) -> UndoneRun:
        """Takes back what a run wrote, and keeps everything later; `again` if its entries are to be dreamed again.

        They count as declined otherwise. Raises StorageError.
        """
        await self._require_idle()
        undone = await self._disk.run(partial(self._dream.undo, run_id, again=again))
        await self.runner.announce(undone.changed, "restore", held=bool(undone.held))
        self._bus.publish(DreamStateChanged())
        return undone

    async def undo_and_report(self, run_id: str, *, again: bool) -> str:
        """Takes a run back as `undo` does, and returns the sentence that says what was done."""
        undone = await self.undo(run_id, again)
        names = ", ".join(path for path, _ in undone.changed)
        files = f"{names} {'is' if len(undone.changed) == 1 else 'are'} as before it, and everything later stays. "
        entries = "Its entries are dreamed again." if again else "Its entries count as declined."
        held = " What was changed since stays, and the other words wait in Review." if undone.held else ""
        return f"{files if names else ''}{entries}{held}"

    async def plan_upgrade(self) -> UpgradePlan:
        """Returns what taking HISTORY.md over into history.jsonl would do; nothing is written. Raises
        UnreadableFile.
        """
        return await self._disk.run(self._dream.upgrade.plan)

    async def upgrade(self, dream_old: bool) -> UpgradePlan:
        """Takes HISTORY.md over; `dream_old` if Dream shall read the old entries. Raises StorageError."""
        await self._require_idle()
        plan = await self._disk.run(partial(self._dream.upgrade.upgrade, dream_old=dream_old))
        self._bus.publish(HistoryChanged())
        return plan

    async def downgrade(self) -> int:
        """Goes back to HISTORY.md with the journal's entries, and returns how many. Raises StorageError."""
        await self._require_idle()
        count = await self._disk.run(self._dream.upgrade.downgrade)
        self._bus.publish(HistoryChanged())
        return count

    async def reach(self) -> DreamReadIndex | None:
        """Returns where each entry stands, for a whole list of them; None outside the dream profile."""
        if self._services.settings().profile != DREAM:
            return None
        return await self._disk.run(self._read_reach)

    # -- the clock ----------------------------------------------------------------------------------------------------

    async def look(self) -> float:
        """Runs what is due, and returns the seconds until the next look. Raises MnemoscopeError."""
        now = self._services.clock()
        due = await self._due(now)
        if due is None or self.runner.is_running:
            return LONGEST_PAUSE
        if now < due:
            return (due - now).total_seconds()
        try:
            waiting, first, runs = await self._disk.run(self._look_up)
            if waiting and not blocked_by(runs, first):
                await self.run(SCHEDULE, _SCHEDULED_BATCHES)
        finally:
            if self._clock is not None:
                self._clock.ran(self._services.clock())
        return LONGEST_PAUSE

    async def _due(self, now: datetime) -> datetime | None:
        """Returns when it runs next by itself; None if it is not going to."""
        settings, clock = self._services.settings(), self._clock
        if clock is None or self._never_by_itself() or settings.dream_paused or not settings.dream_enabled:
            return None
        due, complaint = await self._disk.run(_due_at, clock, now, settings)
        if complaint and complaint != self._complained:
            step = "Correct agents.defaults.dream.cron in config.json."
            self._bus.publish(Noticed("warning", complaint, step, "settings.dream"))
        self._complained = complaint
        return due

    def _never_by_itself(self) -> str:
        if self._services.read_only:
            return "The workspace is open for reading only."
        if self._services.settings().profile != DREAM:
            return "Dream runs by itself in the dream profile only."
        if self._services.trust.waits(Use.DREAM):
            return "Dream waits: nobody has agreed yet to where this folder's words go."
        if self._services.disk_refuses():
            return "The disk does not take what is written."
        return "" if is_built_in(self._services.settings().model_of_dream) else self._services.spent()

    # -- on the disk's thread -----------------------------------------------------------------------------------------

    def _look_up(self) -> tuple[int, int, list[DreamRun]]:
        """Returns how many entries wait, the number of the first of them, and the newest runs."""
        if not self._services.read_only:
            self._dream.add_missing_record()
        waiting = self._dream.unread.waiting()
        return waiting.count, waiting.first, self._dream.runs.newest(_SHOWN_RUNS)

    def _read_reach(self) -> DreamReadIndex:
        # The loop may drop what is kept while this runs on the disk's thread.
        runs, change = self._runs, self._changes
        if runs is None:
            runs = tuple(self._dream.runs.newest(_ALL_RUNS))
            if change == self._changes:
                self._runs = runs
        return DreamReadIndex(self._dream.unread.place(), runs)

    # -- inside -------------------------------------------------------------------------------------------------------

    async def _report_problems(self) -> None:
        if self._services.settings().profile != DREAM:
            return
        try:
            problems = await self._disk.run(self._dream.problems)
        except StorageError as error:
            problems = [str(error)]
        for sentence in problems:
            self._bus.publish(Noticed("warning", sentence))

    def _forget_runs(self, _event: Event) -> None:
        self._changes += 1
        self._runs = None

    def _announce_state(self, _event: Event) -> None:
        self._bus.publish(DreamStateChanged())

    def _require_writable(self) -> None:
        if self._services.read_only:
            raise WorkspaceReadOnly("The workspace is open for reading only.")

    async def _require_idle(self) -> None:
        self._require_writable()
        await self.runner.looked()
        if self.runner.is_running:
            raise StorageError("Dream is at work.", next_step="Stop it, or wait until it is done.")


def _due_at(clock: DreamClock, now: datetime, settings: Settings) -> tuple[datetime, str]:
    """Returns the next run and a complaint. On the disk's thread, which imports what reads cron expressions."""
    rhythm, complaint = _rhythm_of(settings.dream_interval_hours, settings.dream_cron)
    return clock.due_at(now, rhythm), complaint
