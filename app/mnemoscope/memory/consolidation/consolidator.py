"""Consolidation: freeze a slice, ask the model, judge the answer, hand it to the transaction."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

from mnemoscope.domain.consolidation.planning import Slice, clamp_pointer, format_lines, plan_slice, split_passes
from mnemoscope.domain.consolidation.save_memory import Verdict
from mnemoscope.domain.conversation.message import Message, message_range
from mnemoscope.domain.errors import ContextTooLong, MnemoscopeError, reason_of
from mnemoscope.domain.events import (
    Consolidated,
    ConsolidationAskedAgain,
    ConsolidationFailed,
    ConsolidationStarted,
    ConsolidationStopped,
    Event,
    HistoryChanged,
    MemoryChanged,
    SuggestionsChanged,
)
from mnemoscope.domain.forgetting.forgotten_lines import entry_without_forgotten, without_forgotten
from mnemoscope.domain.memory.history_entries import is_raw
from mnemoscope.domain.memory.suggestion import HAD_FORGOTTEN
from mnemoscope.domain.review.sources import LOOKED_BACK
from mnemoscope.memory.consolidation.strategies import ConsolidationGivenUp, ConsolidationStrategy
from mnemoscope.memory.structured_output.structured_request import slice_budget
from mnemoscope.memory.transactions.conversation import Conversation, is_on_disk, owner_of, range_hash, reach_of
from mnemoscope.memory.transactions.transactions import (
    AppliedTransaction,
    Recovered,
    Transactions,
    finish_despite_cancellation,
)
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.logs.history_append import history_mark
from mnemoscope.store.memory.memory_file import MemoryFile, MemoryText
from mnemoscope.store.transactions.intent import Intent
from mnemoscope.store.transactions.ledger import Ledger

log = logging.getLogger(__name__)
_CLOSED: Final = "The conversation was closed, or went on in another branch, while it was being consolidated."
Plan = Callable[[Conversation], Slice | None]
"""Returns the messages that are due when their turn comes; None for none."""
_MOVED: Final = "The conversation's pointer moved while it was being consolidated."


@dataclass(frozen=True, slots=True)
class _Frozen:
    """Holds what one pass takes, fixed before the model is asked: nothing here is computed again after the await."""

    part: Slice
    messages: tuple[Message, ...]
    range_hash: str
    began: str
    """The moment at which the branch began that the last of the messages was said in."""
    memory: MemoryText
    strategy: ConsolidationStrategy
    earlier: tuple[Message, ...] = ()
    """Messages before them: what tools and files said there may live on in what the assistant said since."""

    @property
    def memory_text(self) -> str:
        """Returns the text of MEMORY.md as it was."""
        return self.memory.text


@dataclass(frozen=True, slots=True)
class LastConsolidation:
    """Tells how the last consolidation of a conversation ended."""

    failure: str = ""
    """The reason, a sentence, that nothing (more) was written; "" if it succeeded."""
    tries: int = 0
    """The number of times a model was asked in vain since the last consolidation that succeeded."""
    raw: tuple[Slice, ...] = ()
    """The messages that stand in the history as they are, because no summary of them could be used."""
    overtaken: bool = False
    """Whether nothing went wrong but the conversation, which went on otherwise while the model was asked."""


@dataclass(frozen=True, slots=True)
class RunningConsolidation:
    """Describes a consolidation under way: its messages, when the model was asked first, and which answer is
    awaited."""

    part: Slice
    began: float
    """As time.monotonic() counts."""
    attempt: int = 1
    reason: str = ""
    """The reason that the last answer could not be used; "" at the first attempt."""


class _Overtaken(ConsolidationGivenUp):
    """The conversation holds the messages no more, or its pointer moved, while the model was asked about them."""


class Consolidator:
    """Consolidates conversations of one workspace; of one conversation only once at a time."""

    def __init__(
        self,
        ledger: Ledger,
        memory: MemoryFile,
        transactions: Transactions,
        strategy: Callable[[], ConsolidationStrategy],
        *,
        disk: Disk,
        announce: Callable[[Event], None],
        clock: Callable[[], datetime] = datetime.now,
        is_forgotten: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`memory`: MEMORY.md; `strategy`: returns the way of consolidating that is in force; `is_forgotten`: whether
        the person had a text forgotten, so that it stands in no entry by itself."""
        self._ledger = ledger
        self._memory = memory
        self._transactions = transactions
        self._strategy = strategy
        self._is_forgotten = is_forgotten
        self._disk = disk
        self._announce = announce
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._last: dict[str, LastConsolidation] = {}
        self._running: dict[str, RunningConsolidation] = {}

    def last(self, session_key: str) -> LastConsolidation:
        """Returns how the last consolidation of a conversation ended."""
        return self._last.get(session_key, LastConsolidation())

    def running(self, session_key: str) -> RunningConsolidation | None:
        """Returns the consolidation of a conversation that a model is asked for, or None if there is none."""
        return self._running.get(session_key)

    def conversations(self) -> tuple[str, ...]:
        """Returns the conversations that a model is consolidating."""
        return tuple(self._running)

    async def consolidate(self, session: Conversation, provider: Any, model: str, plan: Plan) -> bool:
        """Consolidates the planned messages. True where it succeeded or there was nothing to do.

        False, with `last` saying why, where nothing (more) was written. That is announced as a failure, but where the
        conversation went on otherwise meanwhile: what is due then is planned anew. Raises nothing but CancelledError.
        """
        lock = self._locks.setdefault(session.key, asyncio.Lock())
        strategy, part = self._strategy(), Slice(0, 0)
        try:
            async with lock:
                recovered = await self._disk.run(self._catch_up, session)
                if recovered.intent is not None:
                    self._announce_result(recovered.intent, recovered.applied)
                self._last[session.key] = replace(self.last(session.key), failure="", raw=(), overtaken=False)
                part = plan(session) or part
                await self._in_passes(session, provider, model, part, strategy)
                self._last[session.key] = replace(self.last(session.key), tries=0)
        except asyncio.CancelledError:
            self._announce(ConsolidationStopped(session.key))
            raise
        except Exception as error:  # noqa: BLE001 - every failure is logged, none raised, as in nanobot
            self._failed(session.key, part, error)
            return False
        return True

    async def archive_raw(self, session: Conversation, plan: Plan) -> bool:
        """Makes the planned messages one entry marked [RAW], without a model; MEMORY.md stays. As above."""
        lock = self._locks.setdefault(session.key, asyncio.Lock())
        strategy, part = self._strategy(), Slice(0, 0)
        try:
            async with lock:
                await self._disk.run(self._catch_up, session)
                self._last[session.key] = replace(self.last(session.key), failure="", raw=(), overtaken=False)
                part = plan(session) or part
                if len(part):
                    frozen = await self._disk.run(self._freeze, session, part, strategy)
                    verdict = Verdict("nochange", strategy.raw(frozen.messages))
                    await finish_despite_cancellation(self._write(session, "", frozen, verdict))
                self._last[session.key] = replace(self.last(session.key), tries=0)
        except Exception as error:  # noqa: BLE001 - as a consolidation: logged and announced, not raised
            self._failed(session.key, part, error)
            return False
        return True

    async def _in_passes(
        self, session: Conversation, provider: Any, model: str, planned: Slice, strategy: ConsolidationStrategy
    ) -> None:
        """Consolidates the planned slice in as many passes as the model's context needs; each is done for good."""
        todo = [planned] if len(planned) else []
        while todo:
            frozen = await self._disk.run(self._freeze, session, todo.pop(0), strategy)
            budget = slice_budget(provider, model, frozen.memory.text)
            first = next(split_passes(session.messages, frozen.part, budget))
            if first != frozen.part:
                todo[:0] = [first, Slice(first.stop, frozen.part.stop)]
                continue
            try:
                await self._consolidate_frozen(session, provider, model, frozen, budget)
            except ContextTooLong:
                if len(frozen.part) == 1:
                    raise
                middle = (frozen.part.start + frozen.part.stop) // 2
                todo[:0] = [Slice(frozen.part.start, middle), Slice(middle, frozen.part.stop)]

    async def _consolidate_frozen(
        self, session: Conversation, provider: Any, model: str, frozen: _Frozen, budget: int
    ) -> None:
        part = frozen.part
        self._running[session.key] = RunningConsolidation(part, time.monotonic())
        self._announce(ConsolidationStarted(session.key, part.start, part.stop))
        try:
            verdict = await self._answer(session.key, provider, model, frozen, budget)
        finally:
            del self._running[session.key]
        await finish_despite_cancellation(self._write(session, model, frozen, verdict))

    async def _write(self, session: Conversation, model: str, frozen: _Frozen, verdict: Verdict) -> None:
        done = await self._disk.run(self._commit, session, model, frozen, verdict)
        if done is not None:
            self._announce_result(*done)

    async def _answer(self, key: str, provider: Any, model: str, frozen: _Frozen, budget: int) -> Verdict:
        if not format_lines(frozen.messages):
            # Commands and damaged records only: there is nothing to tell, the pointer moves over them.
            return Verdict("nochange")
        return await frozen.strategy.answer(provider, model, frozen, budget, partial(self._asks_again, key))

    def _asks_again(self, key: str, attempt: int, reason: str) -> None:
        self._running[key] = replace(self._running[key], attempt=attempt, reason=reason)
        self._announce(ConsolidationAskedAgain(key, attempt, reason))

    def _catch_up(self, session: Conversation) -> Recovered:
        """Finishes what a crash left, and moves the pointer over what the ledger knows to be consolidated.

        A pointer can be lost though its messages were consolidated: another program writes the file with its old one.
        """
        recovered = self._transactions.recover(session)
        for intent in self._ledger.finished(session.key) if is_on_disk(session) else ():
            is_here = reach_of(session, intent.session_created_at, intent.stop) == intent.stop
            if is_here and intent.start == session.last_consolidated < intent.stop:
                self._transactions.move_pointer(intent, session)
        return recovered

    def _freeze(self, session: Conversation, part: Slice, strategy: ConsolidationStrategy) -> _Frozen:
        memory = self._memory.read()
        # A history log that cannot be added to is found out before the model is asked.
        history_mark(strategy.log)
        messages = tuple(session.messages[part.start : part.stop])
        earlier = tuple(session.messages[max(0, part.start - LOOKED_BACK) : part.start])
        hashed = range_hash(session, part.start, part.stop)
        return _Frozen(part, messages, hashed, owner_of(session, part.stop - 1), memory, strategy, earlier)

    def _commit(
        self, session: Conversation, model: str, frozen: _Frozen, verdict: Verdict
    ) -> tuple[Intent, AppliedTransaction] | None:
        """Commits a pass; returns None if someone else consolidated the same messages meanwhile."""
        self._transactions.recover(session)
        if not _still_there(session, frozen):
            raise _Overtaken(_CLOSED)
        pointer = clamp_pointer(session.last_consolidated, len(session.messages))
        if pointer >= frozen.part.stop:
            return None
        if pointer != frozen.part.start:
            raise _Overtaken(_MOVED)
        intent = self._intent(session, model, frozen, verdict)
        return intent, self._transactions.run(intent, session)

    def _intent(self, session: Conversation, model: str, frozen: _Frozen, verdict: Verdict) -> Intent:
        part, memory = frozen.part, frozen.memory
        strategy = frozen.strategy
        verdict = self._without_forgotten(verdict, memory.text)
        mark = history_mark(strategy.log)
        entry = b""
        if verdict.history_entry:
            entry = strategy.entry(verdict.history_entry, session.key, frozen.messages)
        changed = verdict.kind == "ok" and verdict.memory_update != memory.text
        identity = f"{session.key}\n{frozen.began}\n{part.start}\n{part.stop}\n{frozen.range_hash}"
        return Intent(
            id=secrets.token_hex(8),
            key=digest_of(encode_text(identity)),
            workspace_id=self._ledger.workspace_id(),
            session_key=session.key,
            session_created_at=frozen.began,
            persistent=is_on_disk(session),
            start=part.start,
            stop=part.stop,
            range_hash=frozen.range_hash,
            when=self._clock().isoformat(),
            model=str(model),
            history_entry=entry.decode("utf-8"),
            history_path=strategy.log_path,
            history_size=mark.size,
            history_tail=mark.tail,
            memory_before=memory.text,
            memory_before_version=memory.digest,
            memory_after=verdict.memory_update if changed else None,
            held=verdict.memory_update if verdict.kind == "review" else None,
            reasons=verdict.reasons if verdict.kind == "review" else (),
            asked=verdict.asked,
            cleaned=tuple(kind.value for kind in verdict.cleaned),
        )

    def _without_forgotten(self, verdict: Verdict, memory: str) -> Verdict:
        """Returns the verdict with an entry that does not say what the person had forgotten. What it said is proposed
        as lines of memory, so that it waits for them."""
        entry, said = entry_without_forgotten(verdict.history_entry, self._is_forgotten)
        if not said:
            return verdict
        wanted = memory if verdict.kind == "nochange" else verdict.memory_update
        _, stand = without_forgotten(memory, self._is_forgotten)
        _, waits = without_forgotten(wanted, self._is_forgotten)
        verdict = replace(verdict, history_entry=entry)
        if waits > stand:
            return verdict
        kind = "ok" if verdict.kind == "nochange" else verdict.kind
        reasons = tuple(f"{HAD_FORGOTTEN}: “{each}”." for each in said) if kind == "review" else ()
        lines = "".join(f"- {each}\n" for each in said)
        update = f"{wanted.rstrip()}\n{lines}".lstrip("\n")
        return replace(verdict, kind=kind, memory_update=update, reasons=(*verdict.reasons, *reasons))

    def _announce_result(self, intent: Intent, applied: AppliedTransaction) -> None:
        if is_raw(intent.entry_text):
            known = self.last(intent.session_key)
            self._last[intent.session_key] = replace(known, raw=(*known.raw, Slice(intent.start, intent.stop)))
        if intent.history_entry:
            self._announce(HistoryChanged())
        if applied.memory is not None:
            self._announce(MemoryChanged(applied.memory.text, applied.memory.digest, "consolidation"))
        held = applied.held is not None
        if held:
            self._announce(SuggestionsChanged(len(self._ledger.suggestions())))
        entry = intent.entry_text
        changed = applied.memory is not None
        self._announce(Consolidated(intent.session_key, intent.start, intent.stop, entry, intent.id, changed, held))

    def _failed(self, key: str, part: Slice, error: Exception) -> None:
        named = message_range(part.start, part.stop) if part else "messages"
        where = f"{named} of {key} {'was' if len(part) == 1 else 'were'} not consolidated"
        if isinstance(error, _Overtaken):
            log.info("%s: %s", where, error)
            self._last[key] = replace(self.last(key), failure=str(error), overtaken=True)
            self._announce(ConsolidationStopped(key))
            return
        tries = self.last(key).tries + (max(1, error.tries) if isinstance(error, ConsolidationGivenUp) else 1)
        if isinstance(error, (ConsolidationGivenUp, MnemoscopeError)):
            reason = str(error)
            log.warning("%s: %s", where, reason)
        else:
            reason = f"The model could not be asked: {reason_of(error)}"
            log.error("%s", where, exc_info=error)
        self._last[key] = replace(self.last(key), failure=reason, tries=tries)
        said = error.detail if isinstance(error, MnemoscopeError) else ""
        self._announce(ConsolidationFailed(key, part.start, part.stop, reason, tries, said))


def window_plan(memory_window: int, *, archive_all: bool = False) -> Plan:
    """Returns the plan by which all messages go but half of `memory_window`, which counts messages, or, with
    `archive_all`, every one, as nanobot has it."""

    def plan(session: Conversation) -> Slice | None:
        total = len(session.messages)
        return plan_slice(total, session.last_consolidated, memory_window, archive_all=archive_all)

    return plan


def _still_there(session: Conversation, frozen: _Frozen) -> bool:
    """Returns whether the conversation still holds the frozen messages: /new clears it, in memory or by a new
    beginning."""
    if owner_of(session, frozen.part.stop - 1) != frozen.began:
        return False
    return range_hash(session, frozen.part.start, frozen.part.stop) == frozen.range_hash
