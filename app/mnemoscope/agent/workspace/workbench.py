"""The façade a window talks to: plain async calls in, events out. No view reads the disk or calls a model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.consolidation.idle_compaction import IdleCompaction
from mnemoscope.agent.consolidation.prompt_usage import ContextUse
from mnemoscope.agent.dream.dream_runner import DreamParts
from mnemoscope.agent.dream.dreaming import Dreaming
from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.agent.prompt.recent_history import RecentHistory
from mnemoscope.agent.prompt.session_state import SessionState
from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.agent.tools.approval import ApproverSlot
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.turn.progress import TurnProgress
from mnemoscope.agent.workspace.conversation_list import ConversationList
from mnemoscope.agent.workspace.external_changes import ExternalChanges
from mnemoscope.agent.workspace.memory_files import MemoryCalls
from mnemoscope.agent.workspace.model_choice import Models
from mnemoscope.agent.workspace.prompt_preview import PromptCalls
from mnemoscope.agent.workspace.repairs import Repairs
from mnemoscope.domain.conversation.history_selection import Selection
from mnemoscope.domain.conversation.origin import Quote
from mnemoscope.domain.dream.run_history import DreamReadIndex
from mnemoscope.domain.events import (
    AnswerRecovered,
    Event,
    EventBus,
    Noticed,
    SettingsChanged,
)
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.domain.settings import DREAM, Settings
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.disk_health import DiskHealth
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import Workspace
from mnemoscope.store.workspace.write_access import WriteAccess

if TYPE_CHECKING:
    from mnemoscope.agent.commands.dream_commands import DreamCommands
    from mnemoscope.agent.commits.time_travel import TimeTravel
    from mnemoscope.domain.secrets.detection import Secret
    from mnemoscope.memory.capture.captures import Captures

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TimelineFacts:
    """What the timeline draws beside the messages: finished consolidations, what is sent, the pointer, the window.

    `context`: in the dream profile, how full the prompt is; a consolidation comes when that is full, not the window.
    """

    records: list[ConsolidationRecord]
    selection: Selection
    pointer: int
    window: int
    context: ContextUse | None = None
    reach: DreamReadIndex | None = None
    """In the dream profile, which entries Dream has read."""
    consolidates: bool = True
    """Whether messages are ever settled by themselves."""


@dataclass(frozen=True, slots=True)
class WorkbenchParts:
    """The parts a workbench is made of, wired by whoever knows the concrete classes."""

    workspace: Workspace
    sessions: SessionManager
    memory: MemoryStore
    context: ContextBuilder
    toolbox: Toolbox
    loop: AgentLoop
    settings: SettingsStore
    provider: LLMProvider
    bus: EventBus
    disk: Disk
    clock: Callable[[], datetime] = datetime.now
    health: DiskHealth = field(default_factory=DiskHealth)
    search: SearchService | None = None
    """None: one of its own."""


class Workbench(MemoryCalls, PromptCalls):
    """One open workspace."""

    def __init__(self, parts: WorkbenchParts) -> None:
        self.workspace, self.sessions, self.memory = parts.workspace, parts.sessions, parts.memory
        self.context, self.toolbox, self.loop = parts.context, parts.toolbox, parts.loop
        self.settings_store, self.provider, self.bus, self.disk = parts.settings, parts.provider, parts.bus, parts.disk
        self.clock = parts.clock
        self.calls = parts.health.calls
        """The file calls of this workspace, for whatever else is kept in it."""
        read_only = parts.workspace.read_only
        self.search = parts.search or SearchService(parts.workspace.paths, parts.bus, read_only=read_only)
        self.access = WriteAccess(parts.workspace.root, read_only)
        self.conversations = ConversationList(parts.sessions, parts.loop, parts.bus, parts.disk, self.access)
        self._watch = ExternalChanges(
            parts.workspace.paths,
            parts.sessions,
            parts.memory,
            parts.loop,
            parts.bus,
            parts.disk,
            self.conversations.opened,
            self._reload_settings,
            lambda: parts.loop.is_consolidating or self.dreaming.is_running,
        )
        self.loop.commands.change_settings = self.change_settings
        self.versions = MemoryCommits(
            parts.workspace.paths, parts.memory, parts.bus, parts.disk, read_only=parts.workspace.read_only
        )
        self.versions.past = self._time_travel
        self.dreaming = Dreaming(self._dream_parts(parts))
        self.loop.commands.dream = self._dream_commands
        self._idle = IdleCompaction(parts.loop, parts.bus, lambda: self.settings, parts.clock)
        self.context.recent = RecentHistory(parts.memory.dream, lambda: self.settings.profile == DREAM)
        state = SessionState(lambda: parts.memory.captures.states, lambda: self.settings)
        self.context.session_state = state.section
        self.context.memory_budget = lambda: self.settings.memory_budget_tokens
        self.context.recovery_room = lambda: self.settings.memory_budget_tokens // 4 * self.settings.guards_context
        self._follow_profile()
        self._unfollow = parts.bus.subscribe(self._on_event)
        self.repairs = Repairs(
            parts.workspace, parts.sessions, parts.memory, parts.loop.consolidating, parts.bus, parts.disk, parts.health
        )

    def _time_travel(self) -> TimeTravel:
        from mnemoscope.agent.commits.time_travel import TimeTravel  # with tempfile, and not before somebody goes back

        parts = self.workspace.root, self.sessions, self.memory, self.toolbox, self.provider
        return TimeTravel(*parts, lambda: self.settings, self.disk)

    def _dream_commands(self) -> DreamCommands:
        from mnemoscope.agent.commands.dream_commands import DreamCommands  # not before one is typed

        return DreamCommands(self.workspace.paths, self.memory, self.dreaming, self.versions, self.disk)

    def _dream_parts(self, parts: WorkbenchParts) -> DreamParts:
        return DreamParts(
            memory=parts.memory,
            versions=self.versions,
            provider=parts.provider,
            settings=lambda: self.settings,
            change_settings=self.change_settings,
            bus=parts.bus,
            disk=parts.disk,
            clock=parts.clock,
            disk_refuses=lambda: parts.health.trouble is not None,
            read_only=parts.workspace.read_only,
        )

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.settings_store.settings

    @property
    def capturing(self) -> Captures:
        """What was captured, and the way back."""
        return self.memory.captures

    @property
    def read_only(self) -> bool:
        """Whether nothing may be written."""
        return self.workspace.read_only

    # -- opening and closing ------------------------------------------------------------------------------------------

    async def recover(self) -> None:
        """After opening: finish what a crash interrupted, and say so. Read-only workspaces are left as they are."""
        await self.repairs.begin()
        if self.settings_store.complaints:
            aside = "settings.set_aside" if self.settings_store.malformed and not self.read_only else ""
            # One notice: a window shows only a few at a time.
            self.bus.publish(Noticed("warning", "\n".join(self.settings_store.complaints), action=aside, stays=True))
        if not self.read_only:
            await self.disk.run(self.sessions.health.mend_ends)
            await self.repairs.recover_memory()
            for key in await self.loop.partials.recover(self.sessions, self.loop.records):
                self.bus.publish(AnswerRecovered(key))
        await self.rescan_files()
        await self.versions.catch_up()
        await self.dreaming.start()

    async def close(self, seconds: float = 3.0) -> None:
        """Stop what runs and keep what has arrived, then give the workspace back."""
        await self.loop.drain(seconds)
        await self._idle.close(seconds)
        await self.dreaming.close(seconds)
        await self.versions.close(seconds)
        self._watch.close()
        await self.search.close()
        self._unfollow()
        try:
            await self.provider.aclose()
        finally:
            # Whatever a provider does: what is queued is written, and another window may have the workspace.
            self.disk.close()
            self.workspace.close()

    # -- conversations ------------------------------------------------------------------------------------------------

    async def send(self, key: str, text: str, quotes: Sequence[Quote] = ()) -> bool:
        """Send a message or a command; False where it was not taken. `quotes`: what of it was pasted or came from a
        file, each as (start, stop, "paste" or "file") in characters."""
        return await self.loop.process(key, text, quotes)

    def keys_in(self, text: str) -> list[Secret]:
        """What in a text looks like a key or is one of the keychain: to be asked about before it is sent, since what
        the person sends is kept to the letter."""
        from mnemoscope.domain.secrets.detection import secrets_in

        return secrets_in(text, self.loop.records.keys())

    async def retry(self, key: str) -> bool:
        """Have the newest message answered again, after a failure."""
        return await self.loop.retry(key)

    def progress(self, key: str) -> TurnProgress | None:
        """How far the answer being written is; None where none is."""
        return self.loop.progress(key)

    def stop(self, key: str) -> bool:
        """Stop the answer being written."""
        return self.loop.stop(key)

    async def consolidate_now(self, key: str) -> bool:
        """Consolidate what may be consolidated."""
        return await self.loop.consolidate_now(key)

    async def start_new(self, key: str) -> bool:
        """Archive and clear the conversation, as /new does."""
        return await self.loop.start_new(key)

    # -- what is looked at --------------------------------------------------------------------------------------------

    async def timeline_facts(self, key: str) -> TimelineFacts:
        """What the timeline shows beside the messages."""
        session = await self.disk.run(self.sessions.get_or_create, key)
        records = await self.disk.run(self.memory.records, session)
        guarded = self.settings.guards_context
        compaction = await self.loop.keeping.guarding.compaction_in(session) if guarded else None
        selection = self._selection_with(compaction, session)
        use = await self.loop.consolidating.use(session)
        window, reach = self.settings.memory_window, await self.dreaming.reach()
        consolidates = self.loop.consolidating.consolidates
        return TimelineFacts(records, selection, session.last_consolidated, window, use, reach, consolidates)

    async def set_settings_aside(self) -> str:
        """Rename a malformed config.json so that settings can be kept again; its new name. Raises StorageError."""
        kept = await self.disk.run(self.settings_store.set_aside)
        self.bus.publish(SettingsChanged())
        return kept.name

    async def change_settings(self, **values: Any) -> Settings:
        """Change settings by name and write them. Raises SettingsError or StorageError; nothing was written then."""
        settings = await self.disk.run(self.settings_store.change, **values)
        self.bus.publish(SettingsChanged())
        return settings

    def _on_event(self, event: Event) -> None:
        if isinstance(event, SettingsChanged):
            self._follow_profile()

    def _follow_profile(self) -> None:
        """Conversations are consolidated as the profile in force says, from the next one on."""
        self.memory.strategies.use_journal(self.settings.profile == DREAM)

    def _reload_settings(self) -> bool:
        before = self.settings_store.settings
        return self.settings_store.load() != before

    def places_to_watch(self) -> list[Path]:
        """Folders and files in which other programs may change something that is on show; some may be missing."""
        return self._watch.places()

    async def rescan_files(self) -> None:
        """Look for changes of other programs and announce them. Cheap where nothing changed; never raises."""
        await self._watch.rescan()
        self.search.look()


@dataclass(frozen=True, slots=True)
class Core:
    """One open workspace as the window is given it."""

    bench: Workbench
    models: Models
    approver: ApproverSlot
