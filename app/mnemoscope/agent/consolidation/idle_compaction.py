"""Conversations that nobody has talked in for a while: archived for Dream, where the settings say so (seed 004)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from mnemoscope.agent.tasks.periodic_task import LONGEST, Minutes
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import Event, EventBus, TurnEnded
from mnemoscope.domain.settings import Settings

log = logging.getLogger(__name__)


class IdleCompaction:
    """Knows when each conversation was last talked in since the workspace was opened; opening alone spends nothing."""

    def __init__(
        self, loop: AgentLoop, bus: EventBus, settings: Callable[[], Settings], clock: Callable[[], datetime]
    ) -> None:
        self._loop, self._settings, self._clock = loop, settings, clock
        self._talked: dict[str, datetime] = {}
        self._minutes = Minutes("idle conversations", self.look)
        self._unsubscribe = bus.subscribe(self._on_event)

    async def close(self, seconds: float = 3.0) -> None:
        """Look no more."""
        self._unsubscribe()
        await self._minutes.stop(seconds)

    async def look(self) -> float:
        """Archive what has been idle for long enough; the seconds until the next look.

        What cannot be begun now, as while the disk refuses, is looked at again.
        """
        settings, now = self._settings(), self._clock()
        if not settings.idle_compact_minutes:
            return LONGEST
        limit = timedelta(minutes=settings.idle_compact_minutes)
        for key, when in list(self._talked.items()):
            # A clock that was turned back counts as no time at all.
            is_due = now - when >= limit and self._may_begin(key)
            # It may have been talked in while it was settled.
            if is_due and await self._settle(key) and self._talked[key] == when:
                del self._talked[key]
        return LONGEST

    def _may_begin(self, key: str) -> bool:
        consolidating = self._loop.consolidating
        return consolidating.is_dreaming and not consolidating.paused() and not self._loop.is_busy(key)

    async def _settle(self, key: str) -> bool:
        try:
            session = await self._loop.disk.run(self._loop.sessions.get_or_create, key)
        except MnemoscopeError as error:
            # The other conversations do not wait for this one.
            log.warning("idle conversation %s: %s %s", key, error, error.context)
            return False
        return await self._loop.consolidating.compact_idle(session)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TurnEnded):
            self._talked[event.session_key] = self._clock()
            self._minutes.start()
