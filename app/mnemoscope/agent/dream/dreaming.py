"""Dream beside the conversation: by its clock or by hand, one run at a time, stopped and paused, and taken back.

While no clock says so and nobody asks, no model is asked and nothing is spent: switching Dream off or pausing it loses
nothing, for what it has read is only what stands in its cursor.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from mnemoscope.agent.dream.dream_clock import DreamClock, rhythm_of
from mnemoscope.agent.dream.dream_runner import MANUAL, SCHEDULE, DreamParts, DreamRunner
from mnemoscope.agent.tasks.periodic_task import LONGEST, Minutes
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
)
from mnemoscope.domain.settings import DREAM, Settings
from mnemoscope.memory.dream.dream_memory import Undone

if TYPE_CHECKING:
    from mnemoscope.memory.dream.journal_upgrade import UpgradePlan

SCHEDULED_BATCHES: Final = 5
"""Runs that follow each other when the clock began them; what waits still, waits for the next time."""
_SHOWN_RUNS: Final = 50
_ALL_RUNS: Final = 10_000


class Dreaming:
    """Dream over one workspace."""

    def __init__(self, parts: DreamParts) -> None:
        self._parts, self._bus, self._disk = parts, parts.bus, parts.disk
        self._dream = parts.memory.dream
        self._runner = DreamRunner(parts)
        self._clock: DreamClock | None = None
        self._minutes = Minutes("Dream's clock", self.look, sleep=parts.sleep)
        self._complained = ""
        self._runs: tuple[DreamRun, ...] | None = None
        self._changes = 0
        """All runs, newest first, once somebody asked how far Dream has read; read again after each."""
        self._unsubscribe = parts.bus.subscribe(self._on_event)
        parts.versions.undo_run = self.undo_told

    async def start(self) -> None:
        """After opening: look at the clock from now on."""
        if not self._parts.read_only:
            await self._tell_problems()
            last = await self._disk.run(self._dream.runs.newest, 1)
            self._clock = DreamClock(self._parts.clock(), datetime.fromisoformat(last[0].when) if last else None)
            self._minutes.start()

    async def close(self, seconds: float = 3.0) -> None:
        """Stop looking; a run that is not committed changes nothing, one that is is finished."""
        self._runner.close()
        await self._minutes.stop(seconds)
        self._unsubscribe()

    # -- what it does -------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether a run is at work."""
        return self._runner.is_running

    async def state(self) -> DreamState:
        """How things stand. Raises UnreadableFile where the journal cannot be read."""
        waiting, first, runs = await self._disk.run(self._look_up)
        settings, now = self._parts.settings(), self._parts.clock()
        day = now.date().isoformat()
        today = await self._disk.run(self._dream.runs.since, day)
        spent = spent_on(today, day)
        blocked = self._never_by_itself() or (blocked_by(runs, first) if waiting else "")
        if not blocked and settings.dream_enabled and not settings.dream_paused:
            blocked = day_is_spent(spent, settings.dream_day_tokens)
        return DreamState(
            enabled=settings.dream_enabled,
            paused=settings.dream_paused,
            running=self.is_running,
            waiting=waiting,
            next_run=None if blocked else await self._due(now),
            blocked=blocked,
            runs=tuple(runs),
            spent_today=spent,
            day_limit=settings.dream_day_tokens,
        )

    async def run_now(self) -> DreamRun | None:
        """Read all that waits, a batch after the other; the last run. None where nothing waits or one is at work.

        Raises StorageError or WorkspaceReadOnly before anything was asked.
        """
        runs = await self.run(MANUAL)
        return runs[-1] if runs else None

    async def run(self, trigger: str, batches: int | None = None) -> list[DreamRun]:
        """As `run_now`, at most so many batches; every run, oldest first."""
        self._require_writable()
        try:
            return await self._runner.run(trigger, batches)
        finally:
            if self._clock is not None:
                self._clock.ran(self._parts.clock())

    @property
    def halted(self) -> str:
        """Why the last command or click ended while entries still wait, a sentence; "" where it did not."""
        return self._runner.halted

    def stop(self) -> bool:
        """End the run that is at work; False where none is. What was not committed is dropped, and waits on."""
        return self._runner.stop()

    async def pause(self, paused: bool) -> None:
        """Let it not run by itself, or again. Raises SettingsError, StorageError or WorkspaceReadOnly."""
        self._require_writable()
        await self._parts.change_settings(dream_paused=paused)

    async def undo(self, run_id: str, again: bool) -> Undone:
        """Take back what a run wrote, and keep everything later; `again`: its entries are to be dreamed again.

        They count as declined otherwise. Raises StorageError.
        """
        await self._require_idle()
        undone = await self._disk.run(partial(self._dream.undo, run_id, again=again))
        await self._runner.announce(undone.changed, "restore", held=bool(undone.held))
        self._bus.publish(DreamStateChanged())
        return undone

    async def undo_told(self, run_id: str, *, again: bool) -> str:
        """As `undo`; the sentence that says what was done."""
        undone = await self.undo(run_id, again)
        names = ", ".join(path for path, _ in undone.changed)
        files = f"{names} {'is' if len(undone.changed) == 1 else 'are'} as before it, and everything later stays. "
        entries = "Its entries are dreamed again." if again else "Its entries count as declined."
        held = " What was changed since stays, and the other words wait in Review." if undone.held else ""
        return f"{files if names else ''}{entries}{held}"

    async def plan_upgrade(self) -> UpgradePlan:
        """What taking HISTORY.md over into history.jsonl would do; nothing is written. Raises UnreadableFile."""
        return await self._disk.run(self._dream.upgrade.plan)

    async def upgrade(self, dream_old: bool) -> UpgradePlan:
        """Take HISTORY.md over; `dream_old`: Dream shall read the old entries. Raises StorageError."""
        await self._require_idle()
        plan = await self._disk.run(partial(self._dream.upgrade.upgrade, dream_old=dream_old))
        self._bus.publish(HistoryChanged())
        return plan

    async def downgrade(self) -> int:
        """Go back to HISTORY.md, with the journal's entries; how many. Raises StorageError."""
        await self._require_idle()
        count = await self._disk.run(self._dream.upgrade.downgrade)
        self._bus.publish(HistoryChanged())
        return count

    async def reach(self) -> DreamReadIndex | None:
        """Where each entry stands, for a whole list of them; None outside the dream profile."""
        if self._parts.settings().profile != DREAM:
            return None
        return await self._disk.run(self._read_reach)

    # -- the clock ----------------------------------------------------------------------------------------------------

    async def look(self) -> float:
        """Run what is due; the seconds until the next look. Raises MnemoscopeError."""
        now = self._parts.clock()
        due = await self._due(now)
        if due is None or self.is_running:
            return LONGEST
        if now < due:
            return (due - now).total_seconds()
        try:
            waiting, first, runs = await self._disk.run(self._look_up)
            if waiting and not blocked_by(runs, first):
                await self.run(SCHEDULE, SCHEDULED_BATCHES)
        finally:
            if self._clock is not None:
                self._clock.ran(self._parts.clock())
        return LONGEST

    async def _due(self, now: datetime) -> datetime | None:
        """When it runs next by itself; None where it is not going to."""
        settings, clock = self._parts.settings(), self._clock
        if clock is None or self._never_by_itself() or settings.dream_paused or not settings.dream_enabled:
            return None
        due, complaint = await self._disk.run(_due_at, clock, now, settings)
        if complaint and complaint != self._complained:
            self._bus.publish(Noticed("warning", complaint, "Correct agents.defaults.dream.cron in config.json."))
        self._complained = complaint
        return due

    def _never_by_itself(self) -> str:
        if self._parts.read_only:
            return "The workspace is open for reading only."
        if self._parts.settings().profile != DREAM:
            return "Dream runs by itself in the dream profile only."
        return "The disk does not take what is written." if self._parts.disk_refuses() else ""

    # -- on the disk's thread -----------------------------------------------------------------------------------------

    def _look_up(self) -> tuple[int, int, list[DreamRun]]:
        """How many entries wait, the number of the first of them, and the newest runs."""
        if not self._parts.read_only:
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

    async def _tell_problems(self) -> None:
        if self._parts.settings().profile != DREAM:
            return
        try:
            problems = await self._disk.run(self._dream.problems)
        except StorageError as error:
            problems = [str(error)]
        for sentence in problems:
            self._bus.publish(Noticed("warning", sentence))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Dreamed | DreamStateChanged):
            self._changes += 1
            self._runs = None
        if isinstance(event, SettingsChanged | HistoryChanged | Consolidated):
            self._bus.publish(DreamStateChanged())

    def _require_writable(self) -> None:
        if self._parts.read_only:
            raise WorkspaceReadOnly("The workspace is open for reading only.")

    async def _require_idle(self) -> None:
        self._require_writable()
        await self._runner.looked()
        if self.is_running:
            raise StorageError("Dream is at work.", next_step="Stop it, or wait until it is done.")


def _due_at(clock: DreamClock, now: datetime, settings: Settings) -> tuple[datetime, str]:
    """On the disk's thread: what reads cron expressions is imported there, when it is needed."""
    rhythm, complaint = rhythm_of(settings.dream_interval_hours, settings.dream_cron)
    return clock.due_at(now, rhythm), complaint
