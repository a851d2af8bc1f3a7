"""Finds what other programs changed in the workspace: size and time first, content where these differ."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.agent.workspace.returned_lines import ReturnedLines
from mnemoscope.domain.errors import MnemoscopeError, StorageError, UnreadableFile
from mnemoscope.domain.events import (
    EventBus,
    HistoryChanged,
    MemoryChanged,
    MemoryFileChanged,
    MemoryUnreadable,
    MessagesLost,
    Noticed,
    NoticePast,
    PointerMoved,
    RecordAppended,
    SessionsChanged,
    SettingsChanged,
    SuggestionsChanged,
    TurnFailed,
)
from mnemoscope.domain.memory.change import MEMORY_PATH, OUTSIDE_KINDS
from mnemoscope.domain.memory.file_registry import DREAM_FILES, is_untracked
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.transactions.transactions import origin_of_intent
from mnemoscope.store.files.atomic import ROOT_GONE
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.file_stamp import FileStamp, stamp_of
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.memory.tracked_files import newest_untracked_paths, tracked_paths
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_MOVED: Final = "nanobot moved this conversation to {folder}. It goes on there."
_STRAYS: Final = "Files in the inbox for proposals that are none were moved to quarantine: {count}."
_WHERE_STRAYS_ARE: Final = "They are in .mnemoscope/quarantine. Nothing of them was taken in."


@dataclass(frozen=True, slots=True)
class WorkspaceFingerprint:
    """Holds the marks of a workspace's files at one moment."""

    memory: FileStamp | None
    history: tuple[FileStamp | None, FileStamp | None]
    sessions: dict[str, FileStamp]
    suggestions: dict[str, FileStamp]
    inbox: FileStamp | None
    settings: FileStamp | None


@dataclass(frozen=True, slots=True)
class WorkspaceDifferences:
    """Holds what changed between two moments. `sessions`: changed files; `list_changed`: files come or gone."""

    memory: bool = False
    history: bool = False
    sessions: tuple[str, ...] = ()
    list_changed: bool = False
    suggestions: bool = False
    inbox: bool = False
    settings: bool = False


class WorkspaceComparison:
    """Compares the workspace with what it was at the last call."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self.paths = paths
        self._last: WorkspaceFingerprint | None = None

    def look(self) -> WorkspaceDifferences:
        """Returns what changed since the last look, by whomever; nothing at the first, but that the inbox was not
        looked into."""
        now = self._seen()
        before, self._last = self._last, now
        if before is None:
            return WorkspaceDifferences(inbox=True)
        changed = tuple(name for name, mark in now.sessions.items() if before.sessions.get(name, mark) != mark)
        return WorkspaceDifferences(
            memory=now.memory != before.memory,
            history=now.history != before.history,
            sessions=changed,
            list_changed=now.sessions.keys() != before.sessions.keys(),
            suggestions=now.suggestions != before.suggestions,
            inbox=now.inbox != before.inbox,
            settings=now.settings != before.settings,
        )

    def _seen(self) -> WorkspaceFingerprint:
        paths = self.paths
        history = (stamp_of(paths.history_file), stamp_of(paths.history_jsonl))
        waiting = _marks_in(paths.own.suggestions_dir, ".json")
        return WorkspaceFingerprint(
            stamp_of(paths.memory_file),
            history,
            {
                **_marks_in(paths.sessions_dir, ".jsonl"),
                **{f"discreet/{name}": mark for name, mark in _marks_in(paths.discreet_dir, ".jsonl").items()},
                **_moved_marks(paths.root),
            },
            waiting,
            stamp_of(paths.own.inbox_dir),
            stamp_of(paths.config_file),
        )


def _moved_marks(root: Path) -> dict[str, FileStamp]:
    """Returns the marks of the conversations that nanobot keeps in its own folder."""
    home = nanobot_home(root)
    files = home.files() if home is not None else []
    marks = ((f"{path.parent.name}/{path.name}", stamp_of(path)) for path in files)
    return {name: mark for name, mark in marks if mark is not None}


def _marks_in(folder: Path, suffix: str) -> dict[str, FileStamp]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(suffix) and entry.is_file()]
    except OSError:
        return {}
    marks = ((name, stamp_of(folder / name)) for name in names)
    return {name: mark for name, mark in marks if mark is not None}


class ChangedMemoryFiles:
    """Finds what other programs changed in the memory files beside MEMORY.md: SOUL.md, USER.md, Dream's guide, skills.

    It remembers the last look; our own writes are known by the events they come with.
    """

    def __init__(self, paths: WorkspacePaths, memory: MemoryStore, bus: EventBus, disk: Disk) -> None:
        self._paths = paths
        self._memory = memory
        self._bus = bus
        self._disk = disk
        self._last: dict[str, FileStamp] | None = None
        self._digests: dict[str, str] = {}
        self.close: Callable[[], None] = bus.on(MemoryFileChanged, self._on_own_write)

    async def rescan(self) -> list[str]:
        """Looks once, and announces what is new. Returns the files of every prompt that were not looked at as they are
        now. Raises MnemoscopeError."""
        is_first = self._last is None
        changed = await self._disk.run(self._changed)
        for path in changed:
            await self._check(path)
        return [path for path in DREAM_FILES if path != MEMORY_PATH and (is_first or path in changed)]

    def places(self) -> list[Path]:
        """Returns folders and files to watch."""
        paths = self._paths
        folders = [paths.root, paths.dream_guide.parent, paths.skills_dir]
        known = [paths.file(path) for path in self._last or ()]
        return list(dict.fromkeys([*folders, *known, *(path.parent for path in known)]))

    def _changed(self) -> list[str]:
        now = {path: state for path in tracked_paths(self._paths.root) if (state := stamp_of(self._paths.file(path)))}
        now.pop(MEMORY_PATH, None)
        before, self._last = self._last, now
        if before is None:
            return []
        return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))

    async def _check(self, path: str) -> None:
        try:
            text, is_ours = await self._disk.run(self._read, path)
        except StorageError as error:
            log.info("%s was changed and cannot be read: %s", path, error)
            return
        known, self._digests[path] = self._digests.get(path), text.digest
        if text.digest != known and not is_ours:
            origin = await self._disk.run(_whose_change, self._memory)
            self._bus.publish(MemoryFileChanged(path, text.text, text.digest, origin))

    def _read(self, path: str) -> tuple[MemoryText, bool]:
        """Returns the text, and whether it is one we wrote and whose own event is still to come."""
        text = self._memory.editing.read_text(path)
        changes = self._memory.editing.changes(path)
        newest = changes[-1] if changes else None
        is_noted = newest is not None and newest.after == text.digest
        return text, is_noted and newest is not None and newest.origin.kind not in OUTSIDE_KINDS

    def _on_own_write(self, event: MemoryFileChanged) -> None:
        self._digests[event.path] = event.digest


class UntrackedFiles:
    """Finds which files without commits that models are told of changed, by whomever: AGENTS.md and its like, the state
    of the conversation in front, and the newest daily notes."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._last: dict[str, FileStamp] = {}

    def changed(self) -> list[str]:
        """Returns the files that are not as at the last call, all of them at the first."""
        names = newest_untracked_paths(self._paths)
        now = {path: state for path in names if (state := stamp_of(self._paths.file(path)))}
        before, self._last = self._last, now
        return [path for path, state in now.items() if before.get(path) != state]

    def places(self) -> list[Path]:
        """Returns the files to watch, as far as they are there."""
        return [self._paths.file(path) for path in self._last]


class ExternalChanges:
    """Announces what other programs changed; our own writes are known by the events they come with."""

    def __init__(
        self,
        paths: WorkspacePaths,
        sessions: SessionManager,
        memory: MemoryStore,
        loop: AgentLoop,
        *,
        bus: EventBus,
        disk: Disk,
        opened: Mapping[str, Session],
        reload_settings: Callable[[], bool],
        is_writing: Callable[[], bool],
        read_only: bool = False,
    ) -> None:
        """`reload_settings` reads config.json again, and says whether anything else is in force now; `is_writing` says
        whether a consolidation or a run of Dream is at work."""
        self._paths = paths
        self._sessions = sessions
        self._memory = memory
        self._loop = loop
        self._bus = bus
        self._disk = disk
        self._opened = opened
        self._look = WorkspaceComparison(paths)
        self._files = ChangedMemoryFiles(paths, memory, bus, disk)
        self._untracked = UntrackedFiles(paths)
        self._returned = ReturnedLines(paths, memory, disk, self._ask_about_forgotten)
        self._reload_settings = reload_settings
        self._is_writing = is_writing
        self._read_only = read_only
        self._waiting: int | None = None
        self._digest: str | None = None
        self._published: str | None = None
        """The digest of the text that the last event told of."""
        self._unreadable = ""
        """The reason, a sentence, that MEMORY.md could not be read at the last look; "" if it could."""
        self._passed_over = False
        self._is_gone = False
        """Whether it was announced that the folder is not there."""
        self._was_reported = False
        """Whether somebody else said so, such as a turn that failed."""
        self._unsure = False
        self._is_inbox_due = False
        self._ends = (
            bus.on(MemoryChanged, self._on_memory_changed),
            bus.on(SuggestionsChanged, self._on_suggestions_changed),
            bus.on(HistoryChanged, self._on_history_changed),
            bus.on(TurnFailed, self._on_failure),
            bus.on(Noticed, self._on_failure),
        )

    async def close(self) -> None:
        """Stops listening and looking."""
        for end in self._ends:
            end()
        self._files.close()
        await self._returned.close()

    @property
    def is_folder_missed(self) -> bool:
        """Returns whether something says that the workspace's folder is not there, and no look has found it since."""
        return self._is_gone or self._was_reported

    def miss_folder(self) -> None:
        """Notes that somebody was told that the folder is not there: the look that finds it says that this is past."""
        self._was_reported = True

    def places(self) -> list[Path]:
        """Returns folders and files in which other programs may change something that is on show; some may be
        missing.
        """
        paths = self._paths
        files = (session.messages.file for session in self._opened.values())
        opened = [file.path for file in files if file is not None]
        watched = [paths.memory_dir, paths.memory_file, paths.history_file, paths.sessions_dir, paths.discreet_dir]
        home = nanobot_home(paths.root)
        watched += [home.folder] if home is not None else []
        watched += [paths.own.suggestions_dir, paths.own.inbox_dir, paths.config_file, *self._files.places(), *opened]
        watched += self._untracked.places()
        if self.is_folder_missed or not paths.root.exists():
            # It comes back in the folder it was in.
            watched.append(next(folder for folder in paths.root.parents if folder.exists()))
        return watched

    async def rescan(self) -> None:
        """Looks once. Never raises."""
        if not await self._is_there():
            return
        try:
            found = await self._disk.run(self._look.look)
            if not await self._is_there():
                # It went while it was looked at: nothing in it was taken away.
                return
            if found.memory or self._digest is None or self._unsure:
                await self._check_memory()
            if found.history:
                self._bus.publish(HistoryChanged())
            if found.sessions or found.list_changed or self._passed_over:
                await self._check_sessions()
            if found.list_changed or found.sessions:
                self._bus.publish(SessionsChanged())
            await self._look_for_forgotten()
            if found.settings and await self._disk.run(self._reload_settings):
                self._bus.publish(SettingsChanged())
            await self._check_waiting(found)
        except MnemoscopeError:
            log.exception("looking for outside changes failed")

    async def _is_there(self) -> bool:
        """Returns whether the workspace's folder is the one that was opened; announces once that it is not, and that it
        is again."""
        # One that is missed while this looks may have gone after it looked.
        was_missed = self.is_folder_missed
        try:
            await self._disk.run(self._sessions.require_root)
        except StorageError as error:
            before, self._is_gone = self._is_gone, True
            if not before:
                self._bus.publish(Noticed("danger", error.sentence, error.next_step, stays=True))
            return False
        if was_missed:
            self._is_gone = self._was_reported = False
            self._bus.publish(NoticePast(ROOT_GONE))
        return True

    async def _check_memory(self) -> None:
        self._unsure = False
        try:
            now = await self._disk.run(self._memory.editing.read_text)
        except UnreadableFile as error:
            self._digest, self._published = "", None
            self._unreadable = error.sentence
            self._bus.publish(MemoryUnreadable(str(error)))
            return
        if self._unreadable:
            self._bus.publish(NoticePast(self._unreadable))
            self._unreadable = ""
        known, self._digest = self._digest, now.digest
        if known != now.digest:
            await self._ask_about_forgotten(MEMORY_PATH)
        if known is None or known == now.digest:
            return
        if self._is_writing() and (self._paths.own.text_versions_dir / now.digest).exists():
            # Probably a text of ours on its way, whose own event follows; where none does, the next look tells.
            self._digest, self._unsure = known, True
            return
        origin = await self._disk.run(_whose_change, self._memory)
        if now.digest == self._published:
            # Whoever wrote it in this window said so while it was looked at here.
            return
        self._bus.publish(MemoryChanged(now.text, now.digest, origin))

    async def _look_for_forgotten(self) -> None:
        """Looks through what changed for what the person had forgotten. Raises MnemoscopeError."""
        for path in [*await self._files.rescan(), *await self._disk.run(self._untracked.changed)]:
            await self._ask_about_forgotten(path)
        if not self._read_only:
            await self._returned.look()

    async def _ask_about_forgotten(self, path: str, stayed: bool = False) -> bool:
        """Has what came back though the person had it forgotten wait for their word, or what `stayed` when they had.
        Returns whether that is done; what the disk refuses is tried again."""
        if self._read_only:
            return True
        try:
            is_asked = await self._disk.run(self._asks_about_forgotten, path, stayed)
        except StorageError as error:
            log.warning("what came back into %s is not asked about yet: %s", path, error)
            return False
        if is_asked:
            await self._check_suggestions()
        elif is_untracked(path) and any(
            each.path == path for each in await self._disk.run(self._memory.ledger.suggestions)
        ):
            # What waits is to rest on the text as it is now, or is dropped; no other event tells of these files.
            self._bus.publish(SuggestionsChanged(len(await self._disk.run(self._memory.ledger.undecided))))
        return True

    def _asks_about_forgotten(self, path: str, stayed: bool) -> bool:
        # What a forgetting is still to take out is no question; what it leaves is asked about at its end.
        if not self._memory.tombstones.count or self._memory.forgettings.is_unfinished():
            return False
        writer = self._memory.files.of(path)
        # Of what is noted there all the time no text versions are kept.
        current = writer.read(keep=not is_untracked(path))
        if not current.exists and is_untracked(path):
            return writer.drop_questions()
        return writer.ask_about_forgotten(current, stayed=stayed)

    async def _check_waiting(self, found: WorkspaceDifferences) -> None:
        """Takes in what programs outside proposed, where this window owns the workspace: what was decided made room."""
        if found.suggestions:
            await self._check_suggestions()
        # What the disk refuses is tried again at the next look.
        self._is_inbox_due = self._is_inbox_due or found.inbox or found.suggestions
        if self._is_inbox_due and not self._read_only:
            await self._take_in()
            self._is_inbox_due = False

    async def _take_in(self) -> None:
        for before, after in await self._disk.run(self._memory.proposals.texts):
            await self._memory.rejected_meanings.compare(before, after)
        taken = await self._disk.run(self._memory.proposals.take_in)
        if taken.suggestions:
            await self._check_suggestions()
        if taken.put_aside:
            self._bus.publish(Noticed("warning", _STRAYS.format(count=f"{taken.put_aside:,}"), _WHERE_STRAYS_ARE))

    async def _check_suggestions(self) -> None:
        """Counts the suggestions: another window that owns the workspace holds and settles them while this one looks
        on.
        """
        count = len(await self._disk.run(self._memory.ledger.undecided))
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
            place = _place_of(session)
            changed = False
            with suppress(UnreadableFile):
                changed = await self._disk.run(self._sessions.refresh, session)
            if loss := self._sessions.take_loss(key):
                self._bus.publish(MessagesLost(key, loss.kind, loss.known, loss.left))
                continue
            if not changed:
                continue
            if (now := _place_of(session)) not in (None, place) and place is not None:
                self._bus.publish(Noticed("info", _MOVED.format(folder=now)))
            for index in range(before, len(session.messages)):
                self._bus.publish(RecordAppended(key, index, session.messages[index]))
            if session.last_consolidated != pointer:
                self._bus.publish(PointerMoved(key, session.last_consolidated))

    def _on_memory_changed(self, event: MemoryChanged) -> None:
        self._digest = self._published = event.digest

    def _on_suggestions_changed(self, event: SuggestionsChanged) -> None:
        self._waiting = event.count

    def _on_history_changed(self, _event: HistoryChanged) -> None:
        # Written here, too: what is noted may say again what was forgotten.
        if not self._read_only:
            self._returned.begin()

    def _on_failure(self, event: TurnFailed | Noticed) -> None:
        if ROOT_GONE in event.sentence:
            self._was_reported = True


def _whose_change(memory: MemoryStore) -> str:
    """Returns whose a change is that is found in a file: that of the transaction which the disk does not let be
    finished, if there is one, since nobody can tell them apart until then; else another program's."""
    with suppress(StorageError):
        if (intent := memory.ledger.pending()) is not None:
            return origin_of_intent(intent).kind
    return "outside"


def _place_of(session: Session) -> Path | None:
    """Returns the folder that a conversation's file is in."""
    file = session.messages.file
    return file.path.parent if file is not None else None
