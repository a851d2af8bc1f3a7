"""Measures how much of the model's context a conversation takes, and chooses the messages that make room.

Tokens are estimated here, without a network, and counted once: what a conversation gains is added to the count.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from weakref import WeakKeyDictionary

from mnemoscope.agent.prompt.context_builder import ContextBuilder, PromptFrame
from mnemoscope.agent.prompt.sent_messages import HISTORY_LIMIT
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.domain.consolidation.archiving import budget_of, excess_tokens, is_pressing, plan_archive
from mnemoscope.domain.consolidation.planning import Slice, clamp_pointer
from mnemoscope.domain.conversation.attachment import sent_view
from mnemoscope.domain.conversation.message import is_command
from mnemoscope.domain.conversation.token_estimate import estimate_message, estimate_tokens
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.memory.structured_output.structured_request import DEFAULT_WINDOW
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session

_AT_ONCE: Final = 300
"""Messages counted before the loop gets its turn."""
_ENOUGH: Final = 4
"""A count of so many context windows is not taken further: what goes is taken in several passes anyway."""


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Counts the tokens of the next prompt, estimated, and how many bring a consolidation about."""

    tokens: int
    budget: int

    @property
    def percent_left(self) -> int:
        """Returns how much of the budget is free, 0 to 100."""
        return max(0, 100 - round(100 * self.tokens / max(1, self.budget)))


@dataclass(frozen=True, slots=True)
class PromptUsage:
    """Counts the sizes a prompt is made of: the part that stays, and the conversation after the pointer. All in
    tokens."""

    fixed: int
    conversation: int
    messages: int
    window: int
    answer: int

    @property
    def tokens(self) -> int:
        """Returns the tokens of the whole prompt."""
        return self.fixed + self.conversation

    @property
    def presses(self) -> bool:
        """Returns whether something has to go: the budget is reached, or messages are left out for being too many."""
        return is_pressing(self.tokens, self.window, self.answer) or self.messages > HISTORY_LIMIT

    @property
    def fits(self) -> bool:
        """Returns whether the prompt could be sent as it is."""
        return self.tokens + self.answer <= self.window

    @property
    def excess(self) -> int:
        """Returns how many tokens have to go."""
        hidden = self.conversation // 2 if self.messages > HISTORY_LIMIT else 0
        return max(excess_tokens(self.tokens, self.window, self.answer), hidden)


class _Count:
    """Tokens and messages of one conversation after its pointer, as far as counted."""

    def __init__(self) -> None:
        self.start = 0
        self.stop = 0
        self.tokens = 0
        self.messages = 0

    def advance(self, session: Session, most: int, enough: int) -> bool:
        """Counts so many messages more, and returns whether there is nothing left to count."""
        total = len(session.messages)
        start = clamp_pointer(session.last_consolidated, total)
        if start != self.start or total < self.stop:
            self.start = start
            self.stop = start
            self.tokens = 0
            self.messages = 0
        until = min(total, self.stop + most)
        for message in session.messages[self.stop : until]:
            if not is_command(message):
                self.tokens += estimate_message(sent_view(message))
                self.messages += 1
        self.stop = until
        return until == total or self.tokens > enough


class PromptUsageMeter:
    """Measures the conversations of one workspace."""

    def __init__(
        self,
        context: ContextBuilder,
        tools: Toolbox,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        disk: Disk,
    ) -> None:
        self._context = context
        self._tools = tools
        self._provider = provider
        self._settings = settings
        self._disk = disk
        self._counts: WeakKeyDictionary[Session, _Count] = WeakKeyDictionary()

    async def measure(self, session: Session) -> PromptUsage:
        """Returns what the next prompt would take, were nothing left out of it.

        What goes with the newest message, such as its time, is not counted. `agent.workspace.prompt_preview` makes what
        the prompt pane shows.
        """
        frame = PromptFrame.of(
            self._settings(), self._provider, self._tools.schemas, model=session.model, discretion=session.discretion
        )
        read = partial(self._context.system_sections, session_key=session.key, frame=frame)
        sections = (await self._disk.run(read)).sections
        window = frame.context_window if frame.context_window > 0 else DEFAULT_WINDOW
        fixed = sum(each.tokens for each in sections) + estimate_tokens(str(list(frame.tools)))
        answer = min(self._settings().max_tokens, window // 4)
        count = self._counts.setdefault(session, _Count())
        for _ in iter(partial(count.advance, session, _AT_ONCE, _ENOUGH * window), True):
            await asyncio.sleep(0)
        return PromptUsage(fixed, count.tokens, count.messages, window, answer)

    async def context_use(self, session: Session) -> ContextUse:
        """Returns how much of the budget is taken."""
        measured = await self.measure(session)
        return ContextUse(measured.tokens, budget_of(measured.window, measured.answer))


def plan_relief(measured: PromptUsage, pointer: int) -> Callable[[Any], Slice | None]:
    """Returns the plan that brings a prompt to half its budget; none if the pointer has moved since it was measured."""

    def plan(session: Any) -> Slice | None:
        if not measured.presses or session.last_consolidated != pointer:
            return None
        return plan_archive(session.messages, pointer, measured.excess)

    return plan


def plan_everything(session: Any) -> Slice | None:
    """Plans to archive all there is, but for a turn that is not answered yet and for commands at the end, such as the
    one that asks for it."""
    part = plan_archive(session.messages, session.last_consolidated, sys.maxsize)
    if part is None:
        return None
    stop = part.stop
    while stop > part.start and is_command(session.messages[stop - 1]):
        stop -= 1
    return Slice(part.start, stop) if stop > part.start else None
