"""Runs Dream: batch after batch, never two at once, each announced with the commit that was made of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal
from mnemoscope.domain.commits import TRANSACTION
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.dream.run_history import spent_on
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import (
    Dreamed,
    DreamProgressed,
    DreamStarted,
    DreamStateChanged,
    EventBus,
    SuggestionsChanged,
    text_changed,
)
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import DREAM, Settings
from mnemoscope.domain.trust import TrustGate, Use
from mnemoscope.memory.dream.dream_session import DreamLimits, DreamProgress
from mnemoscope.memory.dream.dreamer import DreamRequest, FinishedRun
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.memory.memory_file import MemoryText

MANUAL: Final = "manual"
SCHEDULE: Final = "schedule"


@dataclass(frozen=True, slots=True)
class DreamServices:
    """Holds the parts that Dream works with."""

    memory: MemoryStore
    commits: MemoryCommits
    provider: LLMProvider
    settings: Callable[[], Settings]
    change_settings: Callable[..., Awaitable[Any]]
    bus: EventBus
    disk: Disk
    trust: TrustGate
    clock: Callable[[], datetime]
    spent: Callable[[], str]
    """Returns a sentence if a budget is spent, so that nothing that costs begins by itself today, or ""."""
    disk_refuses: Callable[[], bool]
    read_only: bool


class DreamRunner:
    """Runs Dream over one workspace."""

    def __init__(self, services: DreamServices) -> None:
        self._services = services
        self._bus = services.bus
        self._disk = services.disk
        self._dream = services.memory.dream
        self._stop_signal: StopSignal | None = None
        self._closing = False
        self._between = asyncio.Event()
        """Clear while it is looked whether there is another batch; made anew for each run."""
        self.halted = ""
        """The reason, a sentence, that the last runs ended while entries wait; "" if a stop or a failure ended them."""

    @property
    def is_running(self) -> bool:
        """Returns whether a run is at work."""
        return self._stop_signal is not None

    async def looked(self) -> None:
        """Waits while one batch is over and it is only looked whether there is another: that takes a moment."""
        if self._stop_signal is not None:
            await self._between.wait()

    async def run(self, trigger: str, batches: int | None = None) -> list[DreamRun]:
        """Reads what waits, a batch after the other, at most so many; returns every run, oldest first, [] if one is
        at work.

        Raises StorageError where the first could not even begin, and FolderNotTrusted.
        """
        if self._stop_signal is not None or self._closing:
            return []
        await self._services.trust.require(Use.DREAM)
        stop_signal, runs = StopSignal(), list[DreamRun]()
        self._stop_signal = stop_signal
        self.halted = ""
        self._between = asyncio.Event()
        try:
            spent = await self._spent_today() if trigger == SCHEDULE else 0
            while batches is None or len(runs) < batches:
                if await self._is_spent(trigger, spent):
                    break
                run = await self._run_once(trigger, stop_signal, spent)
                runs += [run] if run else []
                spent += run.spend.tokens if run else 0
                if run is None or not run.settled or stop_signal.is_set:
                    break
        finally:
            self._stop_signal = None
            self._between.set()
            self._bus.publish(DreamStateChanged())
        return runs

    def stop(self) -> bool:
        """Ends the run that is at work; False if none is. What was not committed is dropped, and waits on."""
        if self._stop_signal is None:
            return False
        self._stop_signal.stop()
        return True

    def close(self) -> None:
        """Ends the run that is at work, and begins none any more."""
        self._closing = True
        self.stop()

    async def _spent_today(self) -> int:
        day = self._services.clock().date().isoformat()
        return spent_on(await self._disk.run(self._dream.runs.since, day), day).tokens

    async def _is_spent(self, trigger: str, spent: int) -> bool:
        """Returns whether no other run may begin, while entries wait."""
        limit = self._services.settings().dream_day_tokens
        if not 0 < limit <= spent or not (await self._disk.run(self._dream.unread.waiting)).count:
            return False
        self.halted = _reached(trigger, limit)
        return True

    def _limits(self, trigger: str, spent: int) -> DreamLimits:
        """Returns what the next run may take: what one run may, and no more than is left of all."""
        settings = self._services.settings()
        one, limit = settings.dream_max_tokens, settings.dream_day_tokens
        left = limit - spent
        if limit and (not one or left < one):
            return DreamLimits(settings.dream_rounds, max(1, left), _reached(trigger, limit))
        return DreamLimits(settings.dream_rounds, one)

    async def _run_once(self, trigger: str, stop_signal: StopSignal, spent: int) -> DreamRun | None:
        settings = self._services.settings()
        asked = DreamRequest(
            self._services.provider,
            settings.model_of_dream,
            trigger,
            self._limits(trigger, spent),
            settings.dream_batch,
        )
        known = await self._disk.run(self._dream.runs.newest, 1)
        work = self._dream.dreamer.run(
            asked,
            on_begin=self._began,
            on_progress=self._progressed,
            stopped=lambda: stop_signal.is_set and not self._closing,
        )
        try:
            finished = await stop_signal.run(work)
        except Stopped:
            finished = await self._disk.run(self._left, known[0].id if known else "")
        return None if finished is None else await self._ended(finished)

    async def _ended(self, finished: FinishedRun) -> DreamRun:
        run = finished.run
        self._between.clear()
        await self.announce(finished.changed, DREAM, held=any(edit.held for edit in run.edits))
        if finished.changed and not self._closing:
            run = await self._with_commit(run)
        self._bus.publish(Dreamed(run))
        return run

    async def _with_commit(self, run: DreamRun) -> DreamRun:
        """Returns the run with the commit that was made of it. Only a record: what cannot be found is left out."""
        try:
            await self._services.commits.kept()
            made = await self._services.commits.page(author="Dream", limit=5)
            commit = next((each.sha for each in made if run.id in each.trailers.get(TRANSACTION, ())), "")
            if commit:
                run = replace(run, commit=commit)
                await self._disk.run(self._dream.runs.add, run)
        except MnemoscopeError:
            return run
        return run

    async def announce(self, changed: Iterable[tuple[str, MemoryText]], origin: str, *, held: bool) -> None:
        """Announces files with a new text, and whether something waits in Review since."""
        for path, text in changed:
            self._bus.publish(text_changed(path, text.text, text.digest, origin))
        if held:
            self._bus.publish(SuggestionsChanged(len(await self._disk.run(self._services.memory.ledger.suggestions))))

    def _began(self, first: int, last: int, entries: int) -> None:
        self._between.set()
        self._bus.publish(DreamStarted(first, last, entries))
        self._bus.publish(DreamStateChanged())

    def _progressed(self, step: DreamProgress) -> None:
        self._bus.publish(DreamProgressed(step.rounds, step.spend.tokens, step.last))

    def _left(self, known: str) -> FinishedRun | None:
        """Returns what a run that was stopped left: its record and, if it was committed by then, what it changed."""
        newest = next(iter(self._dream.runs.newest(1)), None)
        if newest is None or newest.id == known:
            return None
        paths = dict.fromkeys(edit.path for edit in newest.edits if not edit.held)
        return FinishedRun(newest, tuple((path, self._services.memory.editing.read_text(path)) for path in paths))


def _reached(trigger: str, limit: int) -> str:
    of = "a day" if trigger == SCHEDULE else "one command"
    return f"The limit of {limit:,} tokens of {of} was reached."
