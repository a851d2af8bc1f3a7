"""Guards conversations against a full context: what a prompt leaves out, what it recovers, and when.

`domain/context` decides, `memory/context/context_records` keeps it on the disk. Nothing here stops a turn: where the
disk refuses, the view holds until the program ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final
from weakref import WeakKeyDictionary

from mnemoscope.agent.prompt.memory_budget import is_carried
from mnemoscope.agent.prompt.sent_messages import UNGUARDED, GuardPlan, MessagesBefore, compactable
from mnemoscope.agent.tasks.stop_signal import StopSignal
from mnemoscope.domain.consolidation.planning import format_lines
from mnemoscope.domain.context.compaction import Compaction, ContextFacts, ContextTracker, plan_compaction
from mnemoscope.domain.context.exchange_reference import NotedExchange
from mnemoscope.domain.context.prompt_snapshot import PromptSnapshot
from mnemoscope.domain.context.recovery import RecalledSource, asks_where_we_were
from mnemoscope.domain.conversation.attachment import sent_view
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.errors import ModelError, StorageError
from mnemoscope.domain.events import EventBus, Noticed
from mnemoscope.domain.forgetting.forgotten_lines import (
    Forgotten,
    entry_without_forgotten,
    nothing_forgotten,
    results_with_marks,
)
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings, is_built_in
from mnemoscope.memory.context.context_records import ContextRecords
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.sessions.session import Session

log = logging.getLogger(__name__)

TARGET: Final = 0.35
"""Share of the window that a prompt with what is recovered is to have after a compaction."""
_LEAST_RECOVERY: Final = 0.05
_WORTH: Final = 0.05
"""Share of the window that a compaction has to free: less is not worth a changed prompt."""

_LEFT_OUT: Final = "The prompt was too long for the model: {count} older messages are left out for this message alone."
_LEFT_OUT_ONE: Final = "The prompt was too long for the model: 1 older message is left out for this message alone."
_SHORTENED_RESULTS: Final = (
    "The prompt was too long for the model: results of tools are shortened for this message alone."
)
_STAY_HERE: Final = "All of them stay in this conversation, as long as it is open."
Build = Callable[[GuardPlan], PromptSnapshot]
_SHORTEST_SUMMARY: Final = 20
_LONGEST_SUMMARY: Final = 6_000
"""Characters of a summary."""
_SUMMARY_TOKENS: Final = 1_024
_SUMMED_UP_SHARE: Final = 0.4
"""Of the window that the lines to sum up may take."""
_SUMMARY_MARGIN: Final = 2_000


@dataclass(slots=True)
class _Conversation:
    """Holds the state of one conversation. `recalled` goes with the message at `recalled_for`, whatever is asked
    again."""

    tracker: ContextTracker = field(default_factory=lambda: ContextTracker(0))
    is_counted: bool = False
    is_loaded: bool = False
    compaction: Compaction | None = None
    recalled: tuple[RecalledSource, ...] = ()
    recalled_for: int = -1
    has_compacted: bool = False
    """Since the working buffer served last."""

    def plan(self, recalled: tuple[RecalledSource, ...] = (), spare: int = 0) -> GuardPlan:
        """Returns how its next prompt is guarded."""
        return GuardPlan(self.compaction, recalled, spare, self.tracker.factor)


class PromptGuard:
    """Guards the prompts of one workspace, while the settings want it; those of discreet conversations always."""

    def __init__(
        self,
        records: ContextRecords,
        *,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        bus: EventBus,
        disk: Disk,
        masked: Callable[[str], str],
        forgotten: Forgotten = nothing_forgotten,
    ) -> None:
        """`forgotten` returns what tells of a line whether the person had it forgotten: no model that sums up is told
        of one that a tool gave."""
        self._forgotten_now = forgotten
        self._records = records
        self._provider = provider
        self._settings = settings
        self._bus = bus
        self._disk = disk
        self._masked = masked
        self._conversations: WeakKeyDictionary[Session, _Conversation] = WeakKeyDictionary()

    async def prompt(
        self, session: Session, index: int, text: str, build: Build, stop_signal: StopSignal, *, force: bool = False
    ) -> PromptSnapshot:
        """Returns the prompt for the person's message at `index`; compacted where it has to be, or by `force`. Raises
        Stopped.

        What was compacted stays so; what is recovered goes with this message alone. Where the settings want no
        guarding, `force` leaves older messages out of this prompt alone.
        """
        if not self._guards(session):
            return self._shortened(build) if force else build(UNGUARDED)
        one = await self._conversation(session)
        prompt = build(one.plan(one.recalled if one.recalled_for == index else ()))
        one.tracker.window, first = prompt.context_window, prompt.tokens
        is_asked = one.recalled_for != index and asks_where_we_were(text)
        if force or one.tracker.needs_compaction(prompt.tokens):
            is_asked = await self._compact(session, index, one, stop_signal, force=force) or is_asked
        if is_asked:
            before, prompt = prompt, build(one.plan())
            # One that was too long has to be shorter, whatever is recovered.
            most = (before.tokens - prompt.tokens) // 2 if force else prompt.context_window
            one.recalled, one.recalled_for = await self._recall(session, prompt, most), index
            prompt = build(one.plan(one.recalled))
        if spare := self._spare(one, prompt, too_long=first if force else 0):
            recalled = one.recalled if one.recalled_for == index else ()
            prompt = build(one.plan(recalled, spare))
        return self._with_facts(prompt, one)

    def _shortened(self, build: Build) -> PromptSnapshot:
        """Returns the prompt at half its length, as far as older messages and results of tools can give up so much, and
        tells the person."""
        whole = build(UNGUARDED)
        half = whole.tokens // 2
        prompt = build(GuardPlan(most=half))
        fewer = len(whole.request) - len(prompt.request)
        if prompt.tokens > half:
            prompt = build(GuardPlan(most=half, spare=prompt.tokens - half))
        if prompt.tokens >= whole.tokens:
            return whole
        sentence = _SHORTENED_RESULTS
        if fewer:
            sentence = _LEFT_OUT_ONE if fewer == 1 else _LEFT_OUT.format(count=f"{fewer:,}")
        self._bus.publish(Noticed("info", sentence, "All of them stay in this conversation, and in its file."))
        return prompt

    def _guards(self, session: Session) -> bool:
        """Returns whether the prompts of a conversation are guarded: always where no consolidation makes room."""
        return self._settings().guards_context or not session.discretion.permits(Trace.CONSOLIDATION)

    @staticmethod
    def _spare(one: _Conversation, prompt: PromptSnapshot, too_long: int) -> int:
        """Returns the tokens that the turn's own results have to give up; `too_long`: those of a prompt that was, of
        which half is to go."""
        return max(one.tracker.excess(prompt.tokens), prompt.tokens - too_long // 2 if too_long else 0)

    async def preview(self, session: Session, draft: str, build: Build) -> PromptSnapshot:
        """Returns what would be sent for a draft; nothing is compacted or kept, only told that it would be."""
        if not self._guards(session):
            return build(UNGUARDED)
        one = await self._conversation(session)
        prompt = build(one.plan())
        tracker = ContextTracker(prompt.context_window)
        tracker.factor = one.tracker.factor
        if asks_where_we_were(draft):
            recalled = await self._recall(session, prompt, prompt.context_window)
            prompt = build(one.plan(recalled))
        waits = tracker.needs_compaction(prompt.tokens) and self._plan(session, len(session.messages), one) is not None
        return self._with_facts(prompt, replace(one, tracker=tracker, recalled_for=-1), waits=waits)

    def is_over(self, session: Session, prompt: PromptSnapshot) -> bool:
        """Returns whether a prompt that grew while its turn went on should be compacted before it is sent."""
        one = self._conversations.get(session)
        return self._guards(session) and one is not None and one.tracker.needs_compaction(prompt.tokens)

    def measured(self, session: Session, prompt: PromptSnapshot) -> PromptSnapshot:
        """Returns a prompt about to be sent, with what is known of its size now; one that is not guarded as it is."""
        one = self._conversations.get(session)
        return prompt if one is None or prompt.guard is None else self._with_facts(prompt, one)

    def counted(self, session: Session, prompt: PromptSnapshot, usage: Mapping[str, Any]) -> None:
        """Notes that a prompt was answered; `usage` is as the provider reports it."""
        one = self._conversations.setdefault(session, _Conversation())
        one.tracker.window = prompt.context_window
        one.tracker.note(prompt.tokens, usage)
        one.is_counted = one.is_counted or bool(usage.get("prompt_tokens"))

    async def compaction_in(self, session: Session) -> Compaction | None:
        """Returns the messages that are not sent, or None if the context is not guarded."""
        return (await self._conversation(session)).compaction if self._guards(session) else None

    def known_compaction(self, session: Session) -> Compaction | None:
        """Returns the messages that are not sent, as far as they were looked at."""
        one = self._conversations.get(session)
        return one.compaction if one is not None else None

    async def answered(
        self, session: Session, question: str, answer: str, exchange: NotedExchange, prompt: PromptSnapshot
    ) -> None:
        """Resets the buffer after a turn if it has served, and notes the exchange there while the context fills.

        Raises DiskFull or StorageError.
        """
        if not self._settings().guards_context:
            return
        one = await self._conversation(session)
        if one.has_compacted:
            await self._disk.run(self._records.reset_buffer, session)
            one.has_compacted = False
        if one.tracker.needs_buffer(prompt.tokens):
            await self._disk.run(self._records.note, session, question, answer, exchange)

    async def _conversation(self, session: Session) -> _Conversation:
        one = self._conversations.setdefault(session, _Conversation())
        if not one.is_loaded:
            one.compaction = await self._disk.run(self._records.compaction_of, session)
            one.is_loaded = True
        if one.compaction is not None and one.compaction.stop > len(session.messages):
            # The conversation began anew, or another program cut it.
            one.compaction = None
        return one

    async def _compact(
        self, session: Session, index: int, one: _Conversation, stop_signal: StopSignal, *, force: bool
    ) -> bool:
        plan = self._plan(session, index, one, force=force)
        if plan is None:
            return False
        one.compaction = replace(plan, summary=await stop_signal.run(self._summary(session, one, plan)))
        one.has_compacted = True
        try:
            if session.discretion.permits(Trace.COMPACTION):
                await self._disk.run(self._records.keep_compaction, session, one.compaction)
        except StorageError as error:
            log.warning("a compaction holds only until the program ends: %s", error)
        sentence = f"The context was filling up: {plan.removed:,} earlier messages are no longer sent to the model."
        is_kept = session.discretion.permits(Trace.SESSION_FILE)
        where = "All of them stay in this conversation, and in its file." if is_kept else _STAY_HERE
        self._bus.publish(Noticed("info", sentence, where))
        return True

    def _plan(self, session: Session, index: int, one: _Conversation, *, force: bool = False) -> Compaction | None:
        """Returns what to leave out from now on, or None if that is hardly more than is left out already."""
        messages = MessagesBefore(session.messages, index)
        sent = compactable(messages, session.last_consolidated)
        cost = {each: estimate_message(sent_view(messages[each])) for each in sent}
        plan = plan_compaction(messages, sent, cost)
        if plan is None:
            return None
        hidden = one.compaction
        freed = sum(cost[each] for each in sent if plan.hides(each) and not (hidden and hidden.hides(each)))
        least = 1 if force else int(_WORTH * one.tracker.window)
        if freed < max(1, least):
            return None
        # Of a very long conversation only the newest were looked at: the others between are left out too.
        return replace(plan, removed=max(plan.removed, plan.stop - plan.start - _commands(sent, plan)))

    async def _summary(self, session: Session, one: _Conversation, plan: Compaction) -> str:
        model = session.model or self._settings().model
        if is_built_in(model):
            return ""
        before = one.compaction
        begin = max(plan.start, before.stop) if before is not None and before.summary else plan.start
        is_forgotten = self._forgotten_now()
        messages = await self._disk.run(results_with_marks, session.messages[begin : plan.stop], is_forgotten)
        earlier = entry_without_forgotten(before.summary, is_forgotten)[0] if before else ""
        summary = await sum_up(self._provider, model, messages, one.tracker.window, earlier)
        return self._masked(summary)

    async def _recall(self, session: Session, prompt: PromptSnapshot, most: int) -> tuple[RecalledSource, ...]:
        room = max(int(_LEAST_RECOVERY * prompt.context_window), int(TARGET * prompt.context_window) - prompt.tokens)
        budget = min(room, most, prompt.memory_budget - prompt.memory_tokens)
        has_state = any(map(is_carried, prompt.messages))
        return await self._disk.run(
            partial(self._records.recovery, session.key, max(0, budget), with_state=not has_state)
        )

    def _with_facts(self, prompt: PromptSnapshot, one: _Conversation, *, waits: bool = False) -> PromptSnapshot:
        tracker, kinds = one.tracker, {section.kind for section in prompt.messages}
        facts = ContextFacts(
            tracker.tokens(prompt.tokens),
            tracker.next_turn(prompt.tokens),
            prompt.context_window,
            is_counted=one.is_counted,
            is_buffering=tracker.needs_buffer(prompt.tokens),
            compaction=one.compaction if "marker" in kinds else None,
            told=one.recalled if "recovery" in kinds else (),
            waits=waits,
        )
        return replace(prompt, guard=facts)


def _commands(sent: list[int], plan: Compaction) -> int:
    """Counts messages between the newest that were looked at which are never sent."""
    newest = [each for each in sent if plan.hides(each)][-400:]
    return newest[-1] - newest[0] + 1 - len(newest) if newest else 0


async def sum_up(provider: LLMProvider, model: str, messages: Sequence[Message], window: int, before: str = "") -> str:
    """Returns a summary of the messages, "" where the model gives none. `before`: that of what came before them.

    Never raises ModelError: a marker does in the place of a summary.
    """
    lines = format_lines(messages)
    fitted = _fitting(lines, max(_SUMMARY_MARGIN, int(window * _SUMMED_UP_SHARE) - _SUMMARY_MARGIN - _SUMMARY_TOKENS))
    request = shipped_prompt("summary-request-continued" if before else "summary-request")
    asked: list[Message] = [
        {"role": "system", "content": shipped_prompt("summary")},
        {"role": "user", "content": request.format(before=before, messages=fitted)},
    ]
    try:
        response = await provider.chat(asked, None, model, max_tokens=_SUMMARY_TOKENS)
    except ModelError as error:
        log.warning("what was compacted could not be summed up: %s", error)
        return ""
    summary = (response.content or "").strip()
    if response.finish_reason == "error" or len(summary) < _SHORTEST_SUMMARY:
        return ""
    return summary if len(summary) <= _LONGEST_SUMMARY else summary[:_LONGEST_SUMMARY].rstrip() + " …"


def _fitting(lines: Sequence[str], room: int) -> str:
    """Returns the lines, each cut to its share where all of them are too long together."""
    if sum(map(estimate_tokens, lines)) <= room:
        return "\n".join(lines)
    most = max(80, room * 3 // max(1, len(lines)))
    kept: list[str] = []
    for line in reversed(lines):
        kept.append(line if len(line) <= most else f"{line[:most]} […]")
        room -= estimate_tokens(kept[-1]) + 1
        if room < 0:
            break
    return "\n".join(reversed(kept))
