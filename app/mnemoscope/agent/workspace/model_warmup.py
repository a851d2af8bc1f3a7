"""Starts the process of a remote model soon after a workspace was opened, so that the first message finds it ready."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import Event, EventBus, SettingsChanged, TrustChanged
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import TrustGate, Use

log = logging.getLogger(__name__)

_WAIT_SECONDS: Final = 0.5
"""The window is painted first; the process takes some seconds to be ready, at a low priority."""


class ModelWarmup:
    """Readies the model that answers: after the workspace was opened, and again where the settings or the trust in the
    folder change. Nothing is started for the built-in model, nor before the person agreed to the folder."""

    def __init__(
        self,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        trust: TrustGate,
        bus: EventBus,
        *,
        wait_seconds: float = _WAIT_SECONDS,
    ) -> None:
        self._provider = provider
        self._settings = settings
        self._trust = trust
        self._wait_seconds = wait_seconds
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_open = False
        self._unsubscribe = bus.on((SettingsChanged, TrustChanged), self._on_model_changed)

    def start(self) -> None:
        """Begins to wait for the window, once the folder was looked at."""
        self._is_open = True
        self._schedule()

    async def close(self) -> None:
        """Starts nothing any more."""
        self._is_open = False
        self._unsubscribe()
        self._stop_waiting()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _on_model_changed(self, _event: Event) -> None:
        if self._is_open:
            self._schedule()

    def _schedule(self) -> None:
        self._stop_waiting()
        self._timer = asyncio.get_running_loop().call_later(self._wait_seconds, self._warm)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _warm(self) -> None:
        self._timer = None
        if not self._trust.waits(Use.ANSWERS):
            self._task = asyncio.get_running_loop().create_task(self._ready(), name="warm model")

    async def _ready(self) -> None:
        try:
            await self._provider.warm(self._settings().model)
        except MnemoscopeError as error:
            # The first message says so, and says what to do.
            log.info("the model could not be made ready: %s", error)
