"""What is kept beside the conversations of one workspace: notes, the guard of their contexts, prompts as they were
sent, tool results in full. Each part is made when it is first needed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import EventBus
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.agent.prompt.prompt_guard import PromptGuard
    from mnemoscope.agent.prompt.sent_prompts import SentPrompts
    from mnemoscope.agent.turn.exchange_notes import ExchangeNotes
    from mnemoscope.memory.capture.captures import Captures
    from mnemoscope.memory.context.daily_notes import DailyNotes

log = logging.getLogger(__name__)


class Keeping:
    """Makes the parts, wired."""

    def __init__(
        self,
        paths: WorkspacePaths,
        provider: LLMProvider,
        settings: Callable[[], Settings],
        bus: EventBus,
        disk: Disk,
        clock: Callable[[], datetime],
        *,
        calls: FileCalls = REAL_CALLS,
        keys: Callable[[], Collection[str]] = frozenset,
        capturing: Callable[[], Captures] | None = None,
    ) -> None:
        """`capturing`: as AgentLoop has it."""
        self._capturing = capturing
        self._paths, self._provider, self._settings, self._bus, self._disk = paths, provider, settings, bus, disk
        self._clock, self._calls, self._keys = clock, calls, keys

    @cached_property
    def notes(self) -> DailyNotes:
        """The days' notes."""
        from mnemoscope.memory.context.daily_notes import DailyNotes

        zone = self._zone
        return DailyNotes(self._paths, clock=self._clock, zone=zone, calls=self._calls, keys=self._keys)

    @cached_property
    def guarding(self) -> PromptGuard:
        """The guard of the contexts."""
        from mnemoscope.agent.prompt.prompt_guard import PromptGuard
        from mnemoscope.memory.context.context_guard import ContextGuard

        guard = ContextGuard(self._paths, self.notes, self._state_of, calls=self._calls, keys=self._keys)
        return PromptGuard(
            guard,
            provider=self._provider,
            settings=self._settings,
            bus=self._bus,
            disk=self._disk,
            masked=self._masked,
        )

    @cached_property
    def noting(self) -> ExchangeNotes:
        """What is noted when a turn is over."""
        from mnemoscope.agent.turn.exchange_notes import ExchangeNotes

        return ExchangeNotes(self.notes, self.guarding, self._settings, self._bus, self._disk)

    @cached_property
    def past(self) -> SentPrompts:
        """The prompts as they were sent."""
        from mnemoscope.agent.prompt.sent_prompts import SentPrompts
        from mnemoscope.store.journals.prompt_log import PromptLog

        prompts = PromptLog(self._paths.own.prompts_dir, calls=self._calls)
        return SentPrompts(prompts, self._disk, self._clock, self._masked)

    async def keep_whole(self, tool: str, text: str) -> str:
        """Keep a tool's whole result; its file relative to the workspace, "" where the disk refuses.

        `text` is without keys of the keychain already: the conversation has its two ends.
        """
        from mnemoscope.store.workspace.tool_results import ToolResultFiles

        files = ToolResultFiles(self._paths.own.tool_results_dir, calls=self._calls)
        try:
            kept = await self._disk.run(files.keep, tool, text, self._clock())
        except StorageError as error:
            log.warning("the whole result of %s could not be kept: %s", tool, error)
            return ""
        return kept.relative_to(self._paths.root).as_posix()

    def _state_of(self, session_key: str) -> str:
        return "" if self._capturing is None else self._capturing().states.read(session_key).text

    def _zone(self) -> str:
        return self._settings().time_zone

    def _masked(self, text: str) -> str:
        from mnemoscope.domain.secrets.detection import mask_known  # its rules are not compiled before a turn

        return mask_known(text, self._keys())
