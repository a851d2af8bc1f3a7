"""Consolidation: freeze a slice, ask the model, judge the answer, hand it to the transaction. Seeds 000 and 001."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from weakref import WeakValueDictionary

from mnemoscope.domain.consolidation import Slice, clamp_pointer, format_lines, plan_slice, raw_entry, split_passes
from mnemoscope.domain.errors import ContextTooLong, MnemoscopeError
from mnemoscope.domain.events import (
    Consolidated,
    ConsolidationFailed,
    ConsolidationStarted,
    ConsolidationStopped,
    Event,
    HistoryChanged,
    MemoryChanged,
    SuggestionsChanged,
)
from mnemoscope.domain.message import Message
from mnemoscope.domain.origin import LOOKED_BACK, sources_of
from mnemoscope.domain.save_memory import Verdict, judge
from mnemoscope.domain.secret_patterns import mask_secrets
from mnemoscope.memory.asking import Asker, slice_budget
from mnemoscope.memory.consolidation_prompt import consolidation_messages
from mnemoscope.memory.conversation import Conversation, created_at, is_on_disk, range_hash
from mnemoscope.memory.finishing import to_the_end
from mnemoscope.memory.transaction import Applied, Recovered, Transactions
from mnemoscope.store.atomic import digest, encode_text
from mnemoscope.store.disk import Disk
from mnemoscope.store.history_append import entry_bytes, history_mark
from mnemoscope.store.intent import Intent
from mnemoscope.store.ledger import Ledger
from mnemoscope.store.memory_file import MemoryFile, MemoryText
from mnemoscope.store.workspace import WorkspacePaths

log = logging.getLogger(__name__)
TRIES: Final = 3
_LINE_SHARE: Final = 3
"""Characters of one message shown, per token of the budget: a single message never fills more than the request."""
_CLOSED: Final = "The conversation was closed while it was being consolidated; nothing was written."
_MOVED: Final = "The conversation's pointer moved while it was being consolidated; nothing was written."


class _GaveUp(Exception):
    """Nothing was written for this pass; the message is the reason, for the person. `tries`: answers asked for."""

    def __init__(self, reason: str, tries: int = 0) -> None:
        super().__init__(reason)
        self.tries = tries


@dataclass(frozen=True, slots=True)
class _Frozen:
    """What one pass takes, fixed before the model is asked: nothing here is computed again after the await."""

    part: Slice
    messages: tuple[Message, ...]
    range_hash: str
    created_at: str
    memory: MemoryText
    earlier: tuple[Message, ...] = ()
    """Messages before them: what tools and files said there may live on in what the assistant said since."""


class Consolidator:
    """Consolidates conversations of one workspace; of one conversation only once at a time."""

    def __init__(
        self,
        paths: WorkspacePaths,
        ledger: Ledger,
        memory: MemoryFile,
        transactions: Transactions,
        *,
        disk: Disk,
        announce: Callable[[Event], None],
        clock: Callable[[], datetime] = datetime.now,
        keys: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self._paths = paths
        self._ledger = ledger
        self._memory = memory
        self._transactions = transactions
        self._disk = disk
        self._announce = announce
        self._clock = clock
        self._keys = keys
        self._asker = Asker()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.last_failure = ""

    async def consolidate(
        self, session: Conversation, provider: Any, model: str, *, archive_all: bool, memory_window: int
    ) -> bool:
        """As `MemoryStore.consolidate`. Raises nothing but CancelledError."""
        lock = self._locks.setdefault(session.key, asyncio.Lock())
        part = Slice(0, 0)
        try:
            async with lock:
                recovered = await self._disk.run(self._catch_up, session)
                if recovered.intent is not None:
                    self._announce_result(recovered.intent, recovered.applied)
                part = _plan(session, memory_window, archive_all) or part
                await self._in_passes(session, provider, model, part)
        except asyncio.CancelledError:
            self._announce(ConsolidationStopped(session.key))
            raise
        except Exception as error:  # noqa: BLE001 - seed 001: every failure is logged, none raised
            self._failed(session.key, part, error)
            return False
        return True

    async def archive_raw(self, session: Conversation, *, memory_window: int) -> bool:
        """Without a model: what would be consolidated becomes one entry marked [RAW], MEMORY.md stays. As above."""
        lock = self._locks.setdefault(session.key, asyncio.Lock())
        part = Slice(0, 0)
        try:
            async with lock:
                await self._disk.run(self._catch_up, session)
                part = _plan(session, memory_window, False) or part
                if len(part):
                    frozen = await self._disk.run(self._freeze, session, part)
                    entry = mask_secrets(raw_entry(frozen.messages, self._clock()), self._keys())
                    await to_the_end(self._write(session, "", frozen, Verdict("nochange", entry)))
        except Exception as error:  # noqa: BLE001 - as a consolidation: logged and announced, not raised
            self._failed(session.key, part, error)
            return False
        return True

    async def _in_passes(self, session: Conversation, provider: Any, model: str, planned: Slice) -> None:
        """All of the planned slice, in as many passes as the model's context needs; each pass is done for good."""
        todo = [planned] if len(planned) else []
        while todo:
            frozen = await self._disk.run(self._freeze, session, todo.pop(0))
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
        self._announce(ConsolidationStarted(session.key, part.start, part.stop))
        verdict = await self._answer(provider, model, frozen, budget)
        await to_the_end(self._write(session, model, frozen, verdict))

    async def _write(self, session: Conversation, model: str, frozen: _Frozen, verdict: Verdict) -> None:
        done = await self._disk.run(self._commit, session, model, frozen, verdict)
        if done is not None:
            self._announce_result(*done)

    async def _answer(self, provider: Any, model: str, frozen: _Frozen, budget: int) -> Verdict:
        if not format_lines(frozen.messages):
            # Commands and damaged records only: there is nothing to tell, the pointer moves over them.
            return Verdict("nochange")
        problem, memory, limit = "", frozen.memory.text, budget * _LINE_SHARE
        for number in range(1, TRIES + 1):
            keys = self._keys()
            asked = consolidation_messages(memory, frozen.messages, line_limit=limit, problem=problem, known=keys)
            response = await self._asker.ask(provider, model, asked, memory)
            verdict = judge(response, memory, sources=sources_of(frozen.messages, frozen.earlier), known=keys)
            if verdict.kind != "retry":
                return verdict
            problem = " ".join(verdict.reasons)
            log.warning("consolidation answer %d of %d could not be used: %s", number, TRIES, problem)
        raise _GaveUp(problem, TRIES)

    def _catch_up(self, session: Conversation) -> Recovered:
        """Finish what a crash left, and move the pointer over what the ledger knows to be consolidated.

        A pointer can be lost though its messages were consolidated: another program writes the file with its old one.
        """
        recovered = self._transactions.recover(session)
        began = created_at(session)
        for intent in self._ledger.finished(session.key) if is_on_disk(session) else ():
            if intent.session_created_at == began and intent.start == session.last_consolidated < intent.stop:
                self._transactions.move_pointer(intent, session)
        return recovered

    def _freeze(self, session: Conversation, part: Slice) -> _Frozen:
        memory = self._memory.read()
        # A history log that cannot be added to is found out before the model is asked.
        history_mark(self._paths.history_file)
        messages = tuple(session.messages[part.start : part.stop])
        earlier = tuple(session.messages[max(0, part.start - LOOKED_BACK) : part.start])
        hashed = range_hash(session, part.start, part.stop)
        return _Frozen(part, messages, hashed, created_at(session), memory, earlier)

    def _commit(
        self, session: Conversation, model: str, frozen: _Frozen, verdict: Verdict
    ) -> tuple[Intent, Applied] | None:
        """None where someone else consolidated the same messages meanwhile."""
        self._transactions.recover(session)
        if not _still_there(session, frozen):
            raise _GaveUp(_CLOSED)
        pointer = clamp_pointer(session.last_consolidated, len(session.messages))
        if pointer >= frozen.part.stop:
            return None
        if pointer != frozen.part.start:
            raise _GaveUp(_MOVED)
        intent = self._intent(session, model, frozen, verdict)
        return intent, self._transactions.run(intent, session)

    def _intent(self, session: Conversation, model: str, frozen: _Frozen, verdict: Verdict) -> Intent:
        part, memory = frozen.part, frozen.memory
        history = self._paths.history_file
        mark = history_mark(history)
        entry = entry_bytes(verdict.history_entry, history).decode("utf-8") if verdict.history_entry else ""
        changed = verdict.kind == "ok" and verdict.memory_update != memory.text
        identity = f"{session.key}\n{frozen.created_at}\n{part.start}\n{part.stop}\n{frozen.range_hash}"
        return Intent(
            id=secrets.token_hex(8),
            key=digest(encode_text(identity)),
            workspace_id=self._ledger.workspace_id(),
            session_key=session.key,
            session_created_at=frozen.created_at,
            persistent=is_on_disk(session),
            start=part.start,
            stop=part.stop,
            range_hash=frozen.range_hash,
            when=self._clock().isoformat(),
            model=str(model),
            history_entry=entry,
            history_size=mark.size,
            history_tail=mark.tail,
            memory_before=memory.text,
            memory_before_version=memory.version,
            memory_after=verdict.memory_update if changed else None,
            held=verdict.memory_update if verdict.kind == "review" else None,
            reasons=verdict.reasons if verdict.kind == "review" else (),
        )

    def _announce_result(self, intent: Intent, applied: Applied) -> None:
        self.last_failure = ""
        if intent.history_entry:
            self._announce(HistoryChanged())
        if applied.memory is not None:
            self._announce(MemoryChanged(applied.memory.text, applied.memory.version, "consolidation"))
        held = applied.held is not None
        if held:
            self._announce(SuggestionsChanged(len(self._ledger.suggestions())))
        entry = intent.history_entry.strip("\n")
        changed = applied.memory is not None
        self._announce(Consolidated(intent.session_key, intent.start, intent.stop, entry, intent.id, changed, held))

    def _failed(self, key: str, part: Slice, error: Exception) -> None:
        where = f"messages {part.start} to {part.stop} of {key} were not consolidated"
        tries = error.tries if isinstance(error, _GaveUp) else 1
        if isinstance(error, (_GaveUp, MnemoscopeError)):
            reason = str(error)
            log.warning("%s: %s", where, reason)
        else:
            reason = f"The model could not be asked: {error}"
            log.error("%s", where, exc_info=error)
        self.last_failure = reason
        self._announce(ConsolidationFailed(key, part.start, part.stop, reason, tries))


def _plan(session: Conversation, memory_window: int, archive_all: bool) -> Slice | None:
    total = len(session.messages)
    return plan_slice(total, session.last_consolidated, memory_window, archive_all=archive_all)


def _still_there(session: Conversation, frozen: _Frozen) -> bool:
    """Whether the conversation still holds the frozen messages: /new clears it, in memory or by a new beginning."""
    if created_at(session) != frozen.created_at:
        return False
    return range_hash(session, frozen.part.start, frozen.part.stop) == frozen.range_hash
