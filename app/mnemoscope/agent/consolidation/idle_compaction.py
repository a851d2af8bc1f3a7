"""Archives conversations that nobody has talked in for a while, for Dream, where the settings say so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from mnemoscope.agent.consolidation.background_consolidation import BackgroundConsolidation
from mnemoscope.agent.tasks.periodic_task import LONGEST_PAUSE, PeriodicTask
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import EventBus, TurnEnded

log = logging.getLogger(__name__)


class IdleCompaction:
    """Knows when each conversation was last talked in since the workspace was opened; opening alone spends nothing."""

    def __init__(
        self,
        consolidation: BackgroundConsolidation,
        is_busy: Callable[[str], bool],
        bus: EventBus,
        clock: Callable[[], datetime],
    ) -> None:
        self._consolidation = consolidation
        self._is_busy = is_busy
        self._clock = clock
        self._talked: dict[str, datetime] = {}
        self._task = PeriodicTask("idle conversations", self.look)
        self._unsubscribe = bus.on(TurnEnded, self._on_turn_ended)

    async def close(self, seconds: float = 3.0) -> None:
        """Stops looking."""
        self._unsubscribe()
        await self._task.stop(seconds)

    async def look(self) -> float:
        """Archives what has been idle for long enough, and returns the seconds until the next look.

        What cannot be begun now, as while the disk refuses, is looked at again.
        """
        settings, now = self._consolidation.settings(), self._clock()
        if not settings.idle_compact_minutes:
            return LONGEST_PAUSE
        limit = timedelta(minutes=settings.idle_compact_minutes)
        for key, when in list(self._talked.items()):
            # A clock that was turned back counts as no time at all.
            is_due = now - when >= limit and self._may_begin(key)
            # It may have been talked in while it was archived.
            if is_due and await self._archive(key) and self._talked[key] == when:
                del self._talked[key]
        return LONGEST_PAUSE

    def _may_begin(self, key: str) -> bool:
        consolidation = self._consolidation
        return consolidation.is_dreaming and not consolidation.paused() and not self._is_busy(key)

    async def _archive(self, key: str) -> bool:
        consolidation = self._consolidation
        try:
            session = await consolidation.disk.run(consolidation.sessions.get_or_create, key)
        except MnemoscopeError as error:
            # The other conversations do not wait for this one.
            log.warning("idle conversation %s: %s %s", key, error, error.context)
            return False
        return await consolidation.compact_idle(session)

    def _on_turn_ended(self, event: TurnEnded) -> None:
        self._talked[event.session_key] = self._clock()
        self._task.start()
