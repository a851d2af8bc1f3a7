"""Consolidates beside the conversation: on the running loop, one at a time for each session.

A turn never waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final, Protocol
from weakref import WeakValueDictionary

from mnemoscope.agent.consolidation.prompt_usage import (
    ContextUse,
    PromptUsage,
    PromptUsageMeter,
    plan_everything,
    plan_relief,
)
from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal
from mnemoscope.agent.tools.tool import LongTermMemory
from mnemoscope.domain.consolidation.planning import Slice, format_lines, is_due, keep_count, plan_slice, waiting_count
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import is_command, message_range
from mnemoscope.domain.errors import FolderNotTrusted, MnemoscopeError
from mnemoscope.domain.events import (
    ConsolidationFailed,
    ConsolidationPutOff,
    EventBus,
    Noticed,
    SessionCleared,
    SessionsChanged,
)
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import DREAM, THREE_TIER, Settings, is_built_in
from mnemoscope.domain.trust import TrustGate, Use
from mnemoscope.memory.consolidation.consolidator import LastConsolidation, Plan, RunningConsolidation
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager

log = logging.getLogger(__name__)


class ConsolidatingMemory(Protocol):
    """Is the part of the memory store that consolidation uses."""

    @property
    def editing(self) -> LongTermMemory:
        """Returns what tools and commands write through."""
        ...

    def last_consolidation(self, session_key: str) -> LastConsolidation:
        """Returns how the last consolidation of a conversation ended."""
        ...

    def running_consolidation(self, session_key: str) -> RunningConsolidation | None:
        """Returns the consolidation of a conversation that a model is asked for, or None if there is none."""
        ...

    def finish_pending(self, session: Session | None = None) -> None:
        """Rolls forward what was left unfinished. Raises StorageError."""
        ...

    async def consolidate(
        self, session: Session, provider: LLMProvider, model: str, *, archive_all: bool = False, memory_window: int = 50
    ) -> bool:
        """Consolidates, exactly once; False if nothing was moved. Never raises."""
        ...

    async def consolidate_part(self, session: Session, provider: LLMProvider, model: str, plan: Plan) -> bool:
        """Consolidates the messages that are planned when their turn comes."""
        ...


@dataclass(frozen=True, slots=True)
class ConsolidationOutcome:
    """Tells whether something was done, with the sentence for the person; `announced` if an event said it already."""

    done: bool
    sentence: str
    announced: bool = False


@dataclass(frozen=True, slots=True)
class _Failed:
    asked: object
    at: int
    wait: int
    cause: str = ""
    times: int = 1


_PATIENT_TIMES: Final = 3
_TASK: Final = "consolidate "


class ConsolidationBackoff:
    """Decides how long the automatic consolidation of each session waits after it failed, counted in messages.

    The next trigger tries again; a model that failed for the same cause three times is not asked at every message. What
    is asked for by hand never waits.
    """

    def __init__(self) -> None:
        self._failed: dict[str, _Failed] = {}

    def is_over(self, session_key: str, total: int, asked: object) -> bool:
        """Returns whether it may be tried again with `total` messages; another model (`asked`) is tried at once."""
        last = self._failed.get(session_key)
        # Fewer messages than at the failure: the conversation began anew.
        return last is None or last.asked != asked or total < last.at or total >= last.at + last.wait

    def fail(self, session_key: str, total: int, asked: object, memory_window: int, cause: str = "") -> int:
        """Notes a failure with `total` messages; returns at how many it is tried again, 0 for at the next trigger.

        From the third failure for the same cause on it waits for a quarter of the window, then for twice as many each
        time.
        """
        last = self._failed.get(session_key)
        again = last is not None and (last.asked, last.cause) == (asked, cause) and total >= last.at
        times, wait = (last.times + 1, last.wait) if last is not None and again else (1, 0)
        if times >= _PATIENT_TIMES:
            wait = 2 * wait or max(1, memory_window // 4)
        self._failed[session_key] = _Failed(asked, total, wait, cause, times)
        return total + wait if wait else 0

    def put_off(self, session_key: str, total: int, asked: object, memory_window: int) -> int:
        """Has it wait for a quarter of the window, as the person stopped it; returns at how many messages it is tried
        again."""
        wait = max(1, memory_window // 4)
        self._failed[session_key] = _Failed(asked, total, wait)
        return total + wait

    def tried_again_at(self, session_key: str, total: int, asked: object) -> int:
        """Returns at how many messages it is tried again, 0 for at the next trigger."""
        last = self._failed.get(session_key)
        return 0 if last is None or self.is_over(session_key, total, asked) else last.at + last.wait

    def forget(self, session_key: str) -> None:
        """Notes a success: nothing waits any more."""
        self._failed.pop(session_key, None)


class BackgroundConsolidation:
    """Starts consolidations and serialises them for each session. The names are nanobot's."""

    def __init__(
        self,
        *,
        memory: ConsolidatingMemory,
        sessions: SessionManager,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        bus: EventBus,
        disk: Disk,
        clock: Callable[[], datetime],
        root: Path,
        usage: PromptUsageMeter,
        trust: TrustGate,
        paused: Callable[[], bool],
        spent: Callable[[], str],
    ) -> None:
        """`trust` is asked before every consolidation; `paused` says whether nothing new is begun by itself, as while
        the disk refuses; `spent` why nothing that costs is begun by itself today, a sentence, or ""."""
        self.memory = memory
        self.sessions = sessions
        self.provider = provider
        self.settings = settings
        self.bus = bus
        self.disk = disk
        self.clock = clock
        self.root = root
        self.usage = usage
        self.trust = trust
        self._paused = paused
        self.spent = spent
        self._reported_on: dict[str, date] = {}
        """On which day it was said of a conversation that the limit is reached."""
        self.occupied: set[str] = set()
        """The keys of conversations in which none begins by itself: one is at work in them, or they are kept idle."""
        self.locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.tasks: set[asyncio.Task[bool]] = set()
        self._in_background: dict[str, Session] = {}
        self._gave_way: dict[str, int] = {}
        """By the key of a conversation: where its pointer stood when its consolidation gave way."""
        self.backoff = ConsolidationBackoff()

    @property
    def is_dreaming(self) -> bool:
        """Returns whether conversations are consolidated for Dream: into history.jsonl, when their prompt grows too
        long.
        """
        return self.settings().profile == DREAM

    @property
    def is_running(self) -> bool:
        """Returns whether any session is being consolidated in the background."""
        return bool(self.tasks)

    @property
    def consolidates(self) -> bool:
        """Returns whether conversations become memory by being summed up; with three tiers tools and captures write
        it.
        """
        return self.settings().profile != THREE_TIER

    def paused(self) -> bool:
        """Returns whether nothing new is begun by itself now."""
        return self._paused() or self.trust.waits(self._trust_use())

    @contextmanager
    def none_begun_in(self, session_keys: set[str]) -> Iterator[None]:
        """Begins no consolidation by itself in these conversations meanwhile, in none of which one runs."""
        self.occupied |= session_keys
        try:
            yield
        finally:
            self.occupied -= session_keys

    def start_if_due(self, session: Session) -> None:
        """Begins a consolidation in the background if one is due and none is running for this session."""
        if self.paused() or session.key in self.occupied or not (self.consolidates and _may_be_consolidated(session)):
            return
        if not self.is_dreaming and not _is_due(session, self.settings().memory_window):
            return
        if not self.backoff.is_over(session.key, len(session.messages), self._asked()) or self._is_spent(
            session, presses=not self.is_dreaming
        ):
            return
        self.occupied.add(session.key)
        self._in_background[session.key] = session
        task = asyncio.create_task(self._consolidate_or_back_off(session), name=_task_name(session.key))
        self.tasks.add(task)
        task.add_done_callback(self._forget)

    async def stop(self, session: Session) -> bool:
        """Ends what runs in the background for a conversation; False if nothing does. What was not committed is
        dropped, and it is tried again by itself after some messages more."""
        task = next((each for each in self.tasks if each.get_name() == _task_name(session.key)), None)
        if task is None:
            return False
        pointer = session.last_consolidated
        task.cancel()
        await asyncio.wait({task})
        if session.last_consolidated == pointer:
            total, window = len(session.messages), self.settings().memory_window
            self.bus.publish(
                ConsolidationPutOff(session.key, self.backoff.put_off(session.key, total, self._asked(), window))
            )
        return True

    def give_way(self) -> None:
        """Ends what runs in the background, so that a server answers first. What was not committed is dropped, and each
        begins again after the next answer in its conversation; it gives way once, so that it is done at last."""
        for task in self.tasks:
            session = self._in_background.get(task.get_name().removeprefix(_TASK))
            if session is not None and self._gave_way.get(session.key) != session.last_consolidated:
                self._gave_way[session.key] = session.last_consolidated
                task.cancel()

    def tried_again_at(self, session: Session) -> int:
        """Returns at how many messages it is tried again by itself after failures or a stop, 0 for at the next
        trigger."""
        return self.backoff.tried_again_at(session.key, len(session.messages), self._asked())

    async def make_room(self, session: Session, stop_signal: StopSignal) -> None:
        """Waits for a consolidation before a turn if the prompt would not fit at all. Raises Stopped."""
        if not (self.is_dreaming and _may_be_consolidated(session)) or self.paused():
            return
        measured = await self.usage.measure(session)
        if measured.presses and not measured.fits:
            if not self.backoff.is_over(session.key, len(session.messages), self._asked()) or self._is_spent(
                session, presses=True
            ):
                return
            self.occupied.add(session.key)
            await stop_signal.run(self._consolidate_or_back_off(session))
        elif measured.presses:
            self.start_if_due(session)

    async def context_use(self, session: Session) -> ContextUse | None:
        """Returns how much of the context's budget the next prompt takes, or None if messages are counted instead."""
        return await self.usage.context_use(session) if self.is_dreaming and _may_be_consolidated(session) else None

    async def consolidate_now(self, session: Session, stop_signal: StopSignal) -> ConsolidationOutcome:
        """Consolidates before it is due, after one that is running. `stop_signal` ends the waiting. Raises KeptOut."""
        session.discretion.require(Trace.CONSOLIDATION)
        try:
            async with self._locked(session.key, stop_signal):
                part = self._planned_part(session)
                if part is None:
                    return ConsolidationOutcome(False, self._nothing_yet())
                done = await self._consolidate_stoppably(session, part, stop_signal)
        except Stopped:
            return ConsolidationOutcome(False, "Stopped. Nothing was consolidated.")
        last = self.memory.last_consolidation(session.key)
        if not done:
            if again := self.tried_again_at(session):
                self.bus.publish(ConsolidationPutOff(session.key, again))
            sentence = f"Nothing was consolidated. {last.failure}".strip()
            return ConsolidationOutcome(False, sentence, announced=not last.overtaken)
        return ConsolidationOutcome(True, self._done_sentence(session, part, last.raw))

    def _done_sentence(self, session: Session, part: Slice, raw: Sequence[Slice]) -> str:
        part_words = _sentence_start(_without_commands(session, part))
        if raw and sum(map(len, raw)) >= len(part):
            why = "No summary could be used, so they stand in the history as they are, marked [RAW]."
            return f"{part_words} moved out of the prompt. {why}"
        rest = "".join(
            f" Of {_named(_without_commands(session, each))} no summary could be used: there the history has the words "
            "as they are, marked [RAW]."
            for each in raw
        )
        if self.is_dreaming:
            return f"{part_words} summed up in memory/history.jsonl; a model is sent what comes after.{rest}"
        return f"{part_words} consolidated; the newest stay as they are.{rest}"

    async def compact_idle(self, session: Session) -> bool:
        """Archives a conversation that nobody has talked in for a while. Failures are announced, not raised.

        Returns False if it is to be asked for again, as while another is running or the disk refuses.
        """
        if not _may_be_consolidated(session):
            return True
        if not self.is_dreaming or self.paused() or session.key in self.occupied or self.spent():
            return False
        async with self.lock(session.key):
            if not _says_something(session, plan_everything(session)):
                return True
            return await self._consolidate_part(session, plan_everything) or not self.paused()

    async def close_conversation(self, session: Session, stop_signal: StopSignal) -> ConsolidationOutcome:
        """Does what /new does: wait, archive the rest, keep the transcript, clear. On failure nothing is cleared.

        `stop_signal` ends it as long as it waits; what has been archived is closed for good.
        """
        try:
            async with self._locked(session.key, stop_signal):
                return await self._close(session, stop_signal)
        except Stopped:
            return ConsolidationOutcome(False, "Stopped. The conversation was not closed, and nothing was cleared.")

    async def _close(self, session: Session, stop_signal: StopSignal) -> ConsolidationOutcome:
        if not len(session.messages):
            return ConsolidationOutcome(True, "This conversation is empty already.")
        if not await self._consolidate_rest(session, stop_signal):
            reason = self.memory.last_consolidation(session.key).failure or "The model did not consolidate it."
            return ConsolidationOutcome(False, f"The conversation was not closed, and nothing was cleared. {reason}")
        try:
            kept = await self.disk.run(self._archive, session)
        except MnemoscopeError as error:
            return ConsolidationOutcome(False, f"The conversation was not closed, and nothing was cleared. {error}")
        name = path_within(kept, self.root) if kept else ""
        self.bus.publish(SessionCleared(session.key, name))
        self.bus.publish(SessionsChanged())
        kept_in = f" The one before is kept in {name}." if name else ""
        return ConsolidationOutcome(True, f"A new conversation has begun.{kept_in}", announced=True)

    def _archive(self, session: Session) -> Path | None:
        self.memory.finish_pending(session)
        return self.sessions.archive(session, self.clock())

    def lock(self, session_key: str) -> asyncio.Lock:
        """Returns the lock of one session; it lives as long as someone holds or awaits it."""
        lock = self.locks.get(session_key)
        if lock is None:
            lock = self.locks[session_key] = asyncio.Lock()
        return lock

    @asynccontextmanager
    async def _locked(self, session_key: str, stop_signal: StopSignal) -> AsyncIterator[None]:
        lock = self.lock(session_key)
        await stop_signal.run(lock.acquire())
        try:
            yield
        finally:
            lock.release()

    async def drain(self, seconds: float) -> None:
        """Cancels what has not been committed, and waits for what has; at most that many seconds."""
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def _consolidate_or_back_off(self, session: Session) -> bool:
        lock = self.lock(session.key)
        try:
            async with lock:
                done = await (self._relieve(session) if self.is_dreaming else self._consolidate_waiting(session))
        except FolderNotTrusted:
            # It waits with everything else, which the window says in one place.
            return False
        else:
            last = self.memory.last_consolidation(session.key)
            if not (done or last.overtaken):
                total, window = len(session.messages), self.settings().memory_window
                again = self.backoff.fail(session.key, total, self._asked(), window, last.failure)
                if again:
                    self.bus.publish(ConsolidationPutOff(session.key, again))
            return done
        finally:
            self.occupied.discard(session.key)
            self._in_background.pop(session.key, None)

    async def _relieve(self, session: Session) -> bool:
        """Archives a slice up to a safe boundary that brings the prompt to half its budget, as nanobot does."""
        pointer = session.last_consolidated
        measured: PromptUsage = await self.usage.measure(session)
        return not measured.presses or await self._consolidate_part(session, plan_relief(measured, pointer))

    async def _consolidate_part(self, session: Session, plan: Plan) -> bool:
        await self.trust.require(self._trust_use())
        done = await self.memory.consolidate_part(session, self.provider, self.settings().model_in_background, plan)
        if done:
            self.backoff.forget(session.key)
        return done

    async def _consolidate_waiting(self, session: Session, *, archive_all: bool = False) -> bool:
        if self.is_dreaming and not archive_all:
            return await self._consolidate_part(session, plan_everything)
        await self.trust.require(self._trust_use())
        settings = self.settings()
        done = await self.memory.consolidate(
            session,
            self.provider,
            settings.model_in_background,
            archive_all=archive_all,
            memory_window=settings.memory_window,
        )
        if done:
            self.backoff.forget(session.key)
        return done

    async def _consolidate_stoppably(
        self, session: Session, part: Slice, stop_signal: StopSignal, *, archive_all: bool = False
    ) -> bool:
        """Does what `_consolidate_waiting` does. Raises Stopped if it was stopped before all of `part` was
        committed."""
        try:
            return await stop_signal.run(self._consolidate_waiting(session, archive_all=archive_all))
        except Stopped:
            if session.last_consolidated >= part.stop:
                return True
            raise

    def _planned_part(self, session: Session) -> Slice | None:
        if self.is_dreaming:
            part = plan_everything(session)
            return part if _says_something(session, part) else None
        return plan_slice(len(session.messages), session.last_consolidated, self.settings().memory_window)

    def _nothing_yet(self) -> str:
        if self.is_dreaming:
            return "There is nothing to sum up: what was said is in memory/history.jsonl already."
        kept = keep_count(self.settings().memory_window)
        newest = "the newest message stays as it is" if kept == 1 else f"the newest {kept} messages stay as they are"
        return f"There is nothing to consolidate yet: {newest}."

    def _asked(self) -> tuple[str, str]:
        settings = self.settings()
        return settings.model_in_background, settings.api_base

    def _trust_use(self) -> Use:
        return Use.BACKGROUND if not is_built_in(self.settings().background_model) else Use.ANSWERS

    def _is_spent(self, session: Session, *, presses: bool) -> bool:
        """Returns whether today's limit keeps a consolidation from being begun by itself; where one `presses`, that is
        said once a day. What a person asks for goes on."""
        reason, settings = self.spent(), self.settings()
        if not reason or is_built_in(settings.model_in_background):
            return False
        today = self.clock().date()
        if presses and self._reported_on.get(session.key) != today:
            self._reported_on[session.key] = today
            start = session.last_consolidated
            self.bus.publish(ConsolidationFailed(session.key, start, len(session.messages), reason, 0))
            self.bus.publish(
                Noticed("warning", reason, "The chat goes on. The limit stands in the settings.", "settings.limit")
            )
        return True

    async def _consolidate_rest(self, session: Session, stop_signal: StopSignal) -> bool:
        part = plan_slice(len(session.messages), session.last_consolidated, 0, archive_all=True)
        if (
            part is None
            or not (self.consolidates and _may_be_consolidated(session))
            or not format_lines(session.messages[part.start : part.stop])
        ):
            return True
        return await self._consolidate_stoppably(session, part, stop_signal, archive_all=True)

    def _forget(self, task: asyncio.Task[bool]) -> None:
        self.tasks.discard(task)
        name = task.get_name()
        if all(each.get_name() != name for each in self.tasks):
            # One that was ended before it began has run nothing of its own.
            self.occupied.discard(name.removeprefix(_TASK))
            self._in_background.pop(name.removeprefix(_TASK), None)
        if not task.cancelled() and task.exception() is not None:
            log.error("a consolidation ended unexpectedly", exc_info=task.exception())


def _task_name(session_key: str) -> str:
    return f"{_TASK}{session_key}"


def _may_be_consolidated(session: Session) -> bool:
    return session.discretion.permits(Trace.CONSOLIDATION)


def _is_due(session: Session, window: int) -> bool:
    total, pointer = len(session.messages), session.last_consolidated
    if not is_due(total, pointer, window):
        return False
    return is_due(waiting_count(session.messages.__getitem__, total, pointer, window), 0, window)


def _without_commands(session: Session, part: Slice) -> Slice:
    """Returns the part without the commands and their answers at either end: they are nothing that is summed up."""
    start, stop = part.start, part.stop
    while start < stop and is_command(session.messages[start]):
        start += 1
    while start < stop and is_command(session.messages[stop - 1]):
        stop -= 1
    return Slice(start, stop) if start < stop else part


def _named(part: Slice) -> str:
    """Names messages by their numbers, as timeline and history do."""
    return message_range(part.start, part.stop)


def _sentence_start(part: Slice) -> str:
    named = _named(part)
    return f"{named[:1].upper()}{named[1:]} {'is' if len(part) == 1 else 'are'}"


def _says_something(session: Session, part: Slice | None) -> bool:
    return part is not None and bool(format_lines(session.messages[part.start : part.stop]))
