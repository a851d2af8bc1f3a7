"""Conversations that nobody has talked in for a while: archived for Dream, where the settings say so (seed 004)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from mnemoscope.agent.loop import AgentLoop
from mnemoscope.agent.minutes import LONGEST, Minutes
from mnemoscope.domain.events import Event, EventBus, TurnEnded
from mnemoscope.domain.settings import Settings


class IdleWatch:
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
        """Archive what has been idle for long enough; the seconds until the next look. Raises MnemoscopeError."""
        settings, now = self._settings(), self._clock()
        if not settings.idle_compact_minutes:
            return LONGEST
        limit = timedelta(minutes=settings.idle_compact_minutes)
        for key, when in list(self._talked.items()):
            # A clock that was turned back counts as no time at all.
            if now - when >= limit and not self._loop.is_busy(key):
                del self._talked[key]
                session = await self._loop.disk.run(self._loop.sessions.get_or_create, key)
                await self._loop.consolidating.compact_idle(session)
        return LONGEST

    def _on_event(self, event: Event) -> None:
        if isinstance(event, TurnEnded):
            self._talked[event.session_key] = self._clock()
            self._minutes.start()
