"""The façade a window talks to: plain async calls in, events out. No view reads the disk or calls a model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.context import ContextBuilder, PromptFrame
from mnemoscope.agent.dream_running import DreamParts
from mnemoscope.agent.dreaming import Dreaming
from mnemoscope.agent.loop import AgentLoop
from mnemoscope.agent.outside import OutsideWatch
from mnemoscope.agent.progress import TurnProgress
from mnemoscope.agent.repairs import Repairs
from mnemoscope.agent.tools.toolbox import Toolbox
from mnemoscope.agent.versions import VersionWatch
from mnemoscope.domain.errors import StorageError, WorkspaceReadOnly
from mnemoscope.domain.events import (
    AnswerRecovered,
    EventBus,
    Noticed,
    PromptSnapshot,
    RecordsDamaged,
    SessionsChanged,
    SettingsChanged,
)
from mnemoscope.domain.history import Selection, select_history
from mnemoscope.domain.llm import LLMProvider
from mnemoscope.domain.memory_change import MEMORY_PATH, MemoryChange
from mnemoscope.domain.origin import Quote
from mnemoscope.domain.secret_patterns import Secret, secrets_in
from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trace import ConsolidationRecord, Suggestion
from mnemoscope.memory.memory_store import MemorySaved, MemoryStore
from mnemoscope.store.config import SettingsStore
from mnemoscope.store.disk import Disk
from mnemoscope.store.disk_health import DiskHealth
from mnemoscope.store.memory_file import MemoryText
from mnemoscope.store.session import Session
from mnemoscope.store.session_moves import Trashed, TrashedOverview
from mnemoscope.store.session_overview import SessionOverview
from mnemoscope.store.session_tail import Tail
from mnemoscope.store.sessions import SessionManager
from mnemoscope.store.workspace import Workspace

log = logging.getLogger(__name__)
MEMORY_FILES: Final = (MEMORY_PATH, "SOUL.md", "USER.md", "prompts/dream.md")


@dataclass(frozen=True, slots=True)
class TimelineFacts:
    """What the timeline draws beside the messages: finished consolidations, what is sent, the pointer, the window."""

    records: list[ConsolidationRecord]
    selection: Selection
    pointer: int
    window: int


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


class Workbench:
    """One open workspace."""

    def __init__(self, parts: WorkbenchParts) -> None:
        self.workspace, self.sessions, self.memory = parts.workspace, parts.sessions, parts.memory
        self.context, self.toolbox, self.loop = parts.context, parts.toolbox, parts.loop
        self.settings_store, self.provider, self.bus, self.disk = parts.settings, parts.provider, parts.bus, parts.disk
        self.clock = parts.clock
        self.calls = parts.health.calls
        """The file calls of this workspace, for whatever else is kept in it."""
        self._opened: dict[str, Session] = {}
        self._damaged: dict[str, int] = {}
        self._watch = OutsideWatch(
            parts.workspace.paths,
            parts.sessions,
            parts.memory,
            parts.loop,
            parts.bus,
            parts.disk,
            self._opened,
            self._reload_settings,
        )
        self.loop.commands.change_settings = self.change_settings
        self.versions = VersionWatch(
            parts.workspace.paths, parts.memory, parts.bus, parts.disk, read_only=parts.workspace.read_only
        )
        self.dreaming = Dreaming(self._dream_parts(parts))
        self.repairs = Repairs(
            parts.workspace, parts.sessions, parts.memory, parts.loop.consolidating, parts.bus, parts.disk, parts.health
        )

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
            await self.repairs.recover_memory()
            for key in await self.loop.recover_partials():
                self.bus.publish(AnswerRecovered(key))
        await self.rescan_files()
        await self.versions.catch_up()
        await self.dreaming.start()

    async def close(self, seconds: float = 3.0) -> None:
        """Stop what runs and keep what has arrived, then give the workspace back."""
        await self.loop.drain(seconds)
        await self.dreaming.close(seconds)
        await self.versions.close(seconds)
        self._watch.close()
        try:
            await self.provider.aclose()
        finally:
            # Whatever a provider does: what is queued is written, and another window may have the workspace.
            self.disk.close()
            self.workspace.close()

    # -- conversations ------------------------------------------------------------------------------------------------

    async def overviews(self) -> list[SessionOverview]:
        """The list of conversations, cheaply."""
        return await self.disk.run(self.sessions.overviews)

    async def open_tail(self, key: str, count: int = 200) -> Tail:
        """The newest messages alone, at once, whatever the conversation's length: for the first paint."""
        return await self.disk.run(self.sessions.read_tail, key, count)

    async def open_session(self, key: str) -> Session:
        """The whole conversation, indexed on the disk's thread. Announces damaged records. Raises UnreadableFile."""
        session = await self.disk.run(self.sessions.get_or_create, key)
        self._opened[key] = session
        self._damaged.pop(key, None)
        await self.check_damage(key)
        return session

    async def check_damage(self, key: str) -> None:
        """Announce damaged records not told of since the conversation was opened: some show when they are read."""
        damaged = await self.disk.run(self.sessions.damage, key)
        if len(damaged) > self._damaged.get(key, 0):
            self._damaged[key] = len(damaged)
            self.bus.publish(RecordsDamaged(key, len(damaged), damaged[0].kept_in))

    async def new_conversation(self, title: str = "") -> Session:
        """A new, empty conversation under a key of its own; the one of ours that is empty still, where there is one."""
        self._refuse_read_only()
        empty = "" if title else await self._empty_conversation()
        if empty:
            return await self.open_session(empty)
        session = await self.disk.run(self.sessions.create, title)
        self._opened[session.key] = session
        self.bus.publish(SessionsChanged())
        return session

    async def begin_again(self, key: str) -> None:
        """Have a conversation that was begun in an earlier run, and never got a message, in the list again."""
        self._refuse_read_only()
        if await self.disk.run(self.sessions.load, key) is None:
            await self.disk.run(partial(self.sessions.create, key=key))

    async def _empty_conversation(self) -> str:
        """The key of an empty conversation of this program that nobody named, or ""."""
        found = (one for one in await self.overviews() if not (one.count or one.title or one.problem))
        return next((one.key for one in found if _is_ours(one.key) and not self.loop.is_busy(one.key)), "")

    async def rename(self, key: str, title: str) -> None:
        """Give a conversation a title."""
        self._refuse_read_only()
        await self.disk.run(self.sessions.set_title, key, " ".join(title.split()))
        self.bus.publish(SessionsChanged())

    async def delete(self, key: str) -> Trashed:
        """Move a conversation to the trash; `restore` takes the result. Raises StorageError while it is busy."""
        self._refuse_read_only()
        if self.loop.is_busy(key):
            raise StorageError("This conversation is still at work.", next_step="Stop the answer first.", session=key)
        async with self.loop.consolidating.lock(key):
            trashed = await self.disk.run(self.sessions.trash, key)
        self._opened.pop(key, None)
        self.bus.publish(SessionsChanged())
        return trashed

    async def trashed(self) -> list[TrashedOverview]:
        """The conversations in the trash, the one deleted last first."""
        return await self.disk.run(self.sessions.trashed)

    async def restore(self, trashed: Trashed) -> None:
        """Take a conversation back out of the trash."""
        self._refuse_read_only()
        await self.disk.run(self.sessions.restore, trashed)
        self.bus.publish(SessionsChanged())

    async def send(self, key: str, text: str, quotes: Sequence[Quote] = ()) -> bool:
        """Send a message or a command; False where it was not taken. `quotes`: what of it was pasted or came from a
        file, each as (start, stop, "paste" or "file") in characters."""
        return await self.loop.process(key, text, quotes)

    def keys_in(self, text: str) -> list[Secret]:
        """What in a text looks like a key or is one of the keychain: to be asked about before it is sent, since what
        the person sends is kept to the letter."""
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

    # -- memory -------------------------------------------------------------------------------------------------------

    def memory_files(self) -> tuple[str, ...]:
        """The memory files a person edits, relative to the workspace, whether they are there or not."""
        return MEMORY_FILES

    async def read_memory(self, path: str = MEMORY_PATH) -> MemoryText:
        """A memory file as it stands. Raises UnreadableFile."""
        return await self.disk.run(self.memory.read_version, path)

    async def save_memory_text(self, text: str, based_on: str | None, path: str = MEMORY_PATH) -> MemorySaved:
        """Save what the person wrote, merged where the file moved on."""
        self._refuse_read_only()
        return await self.memory.save_text(text, based_on, origin="editor", path=path)

    async def suggestions(self) -> list[Suggestion]:
        """The memory texts that wait for the person."""
        return await self.disk.run(self.memory.suggestions)

    async def settle(self, suggestion_id: str, decision: str, text: str | None = None, shown: str = "") -> MemorySaved:
        """Settle a suggestion: `accept` (with the text that was shown, or its SHA-256), `edit` (with the person's
        text) or `reject`. Raises ApprovalMoved where something else would be written than was shown."""
        self._refuse_read_only()
        return await self.memory.settle(suggestion_id, decision, text, shown)

    async def separate_files(self) -> None:
        """Part MEMORY.md and config.json from their other names (hard links), which keep the text as it is now.

        The answer to FileShared, before what raised it is tried again. Raises StorageError.
        """
        self._refuse_read_only()
        await self.disk.run(self.memory.separate)
        await self.disk.run(self.settings_store.separate)

    async def settle_conflict(self, suggestion_id: str, number: int, choice: str, text: str = "") -> MemorySaved:
        """Settle one passage of a suggestion: `mine`, `theirs`, `both`, or `edit` with the passage as `text`."""
        self._refuse_read_only()
        return await self.memory.settle_conflict(suggestion_id, number, choice, text)

    async def memory_changes(self, path: str = MEMORY_PATH) -> list[MemoryChange]:
        """Every change of a memory file that is kept, oldest first. Raises StorageError."""
        return await self.disk.run(self.memory.memory_changes, path)

    async def memory_version_text(self, version: str) -> str:
        """The text of a version that a change names. Raises StorageError where it is not kept any more."""
        return await self.disk.run(self.memory.version_text, version)

    async def undo_memory_change(self, change_id: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Take one change of a memory file back and keep everything later. Raises StorageError."""
        self._refuse_read_only()
        return await self.memory.undo_change(change_id, path)

    async def restore_memory_version(self, version: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Replace a memory file by the text of a version. Raises StorageError."""
        self._refuse_read_only()
        return await self.memory.restore_version(version, path)

    # -- what is looked at --------------------------------------------------------------------------------------------

    async def preview_prompt(self, key: str, draft: str) -> PromptSnapshot:
        """What would be sent if the draft were sent now."""
        session = await self.disk.run(self.sessions.get_or_create, key)
        system = await self.disk.run(self.context.system_sections)
        return self.context.snapshot(
            session.messages,
            session.last_consolidated,
            draft,
            now=self.clock(),
            session_key=key,
            frame=PromptFrame.of(self.settings, self.provider, self.toolbox.schemas()),
            system=system,
        )

    async def timeline_facts(self, key: str) -> TimelineFacts:
        """What the timeline shows beside the messages."""
        session = await self.disk.run(self.sessions.get_or_create, key)
        records = await self.disk.run(self.memory.records, session)
        selection = select_history(session.messages, session.last_consolidated)
        return TimelineFacts(records, selection, session.last_consolidated, self.settings.memory_window)

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

    def _reload_settings(self) -> bool:
        before = self.settings_store.settings
        return self.settings_store.load() != before

    def places_to_watch(self) -> list[Path]:
        """Folders and files in which other programs may change something that is on show; some may be missing."""
        paths = self.workspace.paths
        files = (session.messages.file for session in self._opened.values())
        opened = [file.path for file in files if file is not None]
        watched = [paths.memory_dir, paths.memory_file, paths.history_file, paths.sessions_dir]
        return [*watched, paths.suggestions_dir, paths.config_file, *opened]

    async def rescan_files(self) -> None:
        """Look for changes of other programs and announce them. Cheap where nothing changed; never raises."""
        await self._watch.rescan()

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise WorkspaceReadOnly("The workspace is open for reading only.")


def _is_ours(key: str) -> bool:
    return key.startswith("desktop:")
