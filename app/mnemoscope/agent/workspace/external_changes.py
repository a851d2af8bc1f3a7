"""Changes other programs made to the workspace, found by looking: size and time first, content where these differ."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.workspace.outside_files import OutsideFiles
from mnemoscope.domain.errors import MnemoscopeError, StorageError, UnreadableFile
from mnemoscope.domain.events import (
    Event,
    EventBus,
    HistoryChanged,
    MemoryChanged,
    MemoryUnreadable,
    MessagesLost,
    Noticed,
    PointerMoved,
    RecordAppended,
    SessionsChanged,
    SettingsChanged,
    SuggestionsChanged,
)
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells one state of a file from another without reading it."""

    inode: int
    size: int
    mtime: int

    @classmethod
    def of(cls, path: Path) -> Mark | None:
        """The file's state now, None where there is none."""
        try:
            status = path.stat()
        except OSError:
            return None
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at the workspace."""

    memory: Mark | None
    history: tuple[Mark | None, Mark | None]
    sessions: dict[str, Mark]
    suggestions: dict[str, Mark]
    settings: Mark | None


@dataclass(frozen=True, slots=True)
class Differences:
    """What is not as it was. `sessions`: file names that changed; `list_changed`: files came or went."""

    memory: bool = False
    history: bool = False
    sessions: tuple[str, ...] = ()
    list_changed: bool = False
    suggestions: bool = False
    settings: bool = False


class OutsideChanges:
    """Remembers the last look."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self.paths = paths
        self._last: Seen | None = None

    def look(self) -> Differences:
        """What changed since the last look, by whomever; nothing at the first."""
        now = self._seen()
        before, self._last = self._last, now
        if before is None:
            return Differences()
        changed = tuple(name for name, mark in now.sessions.items() if before.sessions.get(name, mark) != mark)
        return Differences(
            memory=now.memory != before.memory,
            history=now.history != before.history,
            sessions=changed,
            list_changed=now.sessions.keys() != before.sessions.keys(),
            suggestions=now.suggestions != before.suggestions,
            settings=now.settings != before.settings,
        )

    def _seen(self) -> Seen:
        paths = self.paths
        history = (Mark.of(paths.history_file), Mark.of(paths.history_jsonl))
        waiting = _marks_in(paths.own.suggestions_dir, ".json")
        return Seen(
            Mark.of(paths.memory_file),
            history,
            _marks_in(paths.sessions_dir, ".jsonl"),
            waiting,
            Mark.of(paths.config_file),
        )


def _marks_in(folder: Path, suffix: str) -> dict[str, Mark]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(suffix) and entry.is_file()]
    except OSError:
        return {}
    marks = ((name, Mark.of(folder / name)) for name in names)
    return {name: mark for name, mark in marks if mark is not None}


class ExternalChanges:
    """Announces what other programs changed; our own writes are known by the events they come with."""

    def __init__(
        self,
        paths: WorkspacePaths,
        sessions: SessionManager,
        memory: MemoryStore,
        loop: AgentLoop,
        bus: EventBus,
        disk: Disk,
        opened: Mapping[str, Session],
        reload_settings: Callable[[], bool],
        is_writing: Callable[[], bool],
    ) -> None:
        """`reload_settings` reads config.json again, and says whether anything else is in force now; `is_writing` says
        whether a consolidation or a run of Dream is at work."""
        self._paths, self._sessions, self._memory, self._loop = paths, sessions, memory, loop
        self._bus, self._disk, self._opened = bus, disk, opened
        self._changes = OutsideChanges(paths)
        self._files = OutsideFiles(paths, memory, bus, disk)
        self._reload_settings, self._is_writing = reload_settings, is_writing
        self._waiting: int | None = None
        self._version: str | None = None
        self._passed_over = self._gone = self._unsure = False
        self._unsubscribe = bus.subscribe(self._on_event)

    def close(self) -> None:
        """Hear of nothing any more."""
        self._unsubscribe()
        self._files.close()

    def places(self) -> list[Path]:
        """Folders and files in which other programs may change something that is on show; some may be missing."""
        paths = self._paths
        files = (session.messages.file for session in self._opened.values())
        opened = [file.path for file in files if file is not None]
        watched = [paths.memory_dir, paths.memory_file, paths.history_file, paths.sessions_dir]
        return [*watched, paths.own.suggestions_dir, paths.config_file, *self._files.places(), *opened]

    async def rescan(self) -> None:
        """Look once. Never raises."""
        if not await self._is_there():
            return
        try:
            found = await self._disk.run(self._changes.look)
            if not await self._is_there():
                # It went while it was looked at: nothing in it was taken away.
                return
            if found.memory or self._version is None or self._unsure:
                await self._check_memory()
            if found.history:
                self._bus.publish(HistoryChanged())
            if found.sessions or found.list_changed or self._passed_over:
                await self._check_sessions()
            if found.list_changed or found.sessions:
                self._bus.publish(SessionsChanged())
            await self._files.rescan()
            if found.suggestions:
                await self._check_suggestions()
            if found.settings and await self._disk.run(self._reload_settings):
                self._bus.publish(SettingsChanged())
        except MnemoscopeError:
            log.exception("looking for outside changes failed")

    async def _is_there(self) -> bool:
        """Whether the workspace's folder is the one that was opened; said once where it is not."""
        was_gone, self._gone = self._gone, False
        try:
            await self._disk.run(self._sessions.require_root)
        except StorageError as error:
            self._gone = True
            if not was_gone:
                self._bus.publish(Noticed("danger", error.sentence, error.next_step, stays=True))
        return not self._gone

    async def _check_memory(self) -> None:
        self._unsure = False
        try:
            now = await self._disk.run(self._memory.editing.read_version)
        except UnreadableFile as error:
            self._version = ""
            self._bus.publish(MemoryUnreadable(str(error)))
            return
        known, self._version = self._version, now.version
        if known is None or known == now.version:
            return
        if self._is_writing() and (self._paths.own.text_versions_dir / now.version).exists():
            # Probably a text of ours on its way, whose own event follows; where none does, the next look tells.
            self._version, self._unsure = known, True
            return
        self._bus.publish(MemoryChanged(now.text, now.version, "outside"))

    async def _check_suggestions(self) -> None:
        """Another window that owns the workspace holds and settles them while this one looks on."""
        count = len(await self._disk.run(self._memory.ledger.suggestions))
        if count != self._waiting:
            self._bus.publish(SuggestionsChanged(count))

    async def _check_sessions(self) -> None:
        self._passed_over = False
        for key, session in list(self._opened.items()):
            if self._loop.is_busy(key):
                # What it writes takes in the rest; what came without that is found when it is done.
                self._passed_over = True
                continue
            before, pointer = len(session.messages), session.last_consolidated
            changed = False
            with suppress(UnreadableFile):
                changed = await self._disk.run(self._sessions.refresh, session)
            if loss := self._sessions.take_loss(key):
                self._bus.publish(MessagesLost(key, loss.kind, loss.known, loss.left))
                continue
            if not changed:
                continue
            for index in range(before, len(session.messages)):
                self._bus.publish(RecordAppended(key, index, session.messages[index]))
            if session.last_consolidated != pointer:
                self._bus.publish(PointerMoved(key, session.last_consolidated))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, MemoryChanged):
            self._version = event.version
        elif isinstance(event, SuggestionsChanged):
            self._waiting = event.count
