"""Versions of the memory files: kept in step with every change, looked at, and turned back to.

Each change is durable, with its maker's name, before this hears of it. A version is made of it afterwards, on the
disk's thread, and nobody waits for it. What a crash kept from being made is made when the workspace opens next.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from mnemoscope.agent.commits.commit_reading import CommitReading
from mnemoscope.domain.commits import CommitInfo, FileChange
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import CommitsChanged, Event, EventBus, MemoryChanged, MemoryFileChanged, Noticed
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.memory.files.committer import CHANGE, TRANSACTION
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.agent.commits.time_travel import PastPrompt, TimeTravel

log = logging.getLogger(__name__)
_NOT_THEN: Final = "Choose a version in which it is there."


class UndoRun(Protocol):
    """Takes a run of Dream back; the sentence that says what was done."""

    def __call__(self, run_id: str, *, again: bool) -> Awaitable[str]: ...


class MemoryCommits(CommitReading):
    """The versions of one workspace."""

    def __init__(
        self, paths: WorkspacePaths, memory: MemoryStore, bus: EventBus, disk: Disk, *, read_only: bool = False
    ) -> None:
        super().__init__(paths, read_only=read_only)
        self._memory, self._bus, self._disk = memory, bus, disk
        self._keeper = memory.committer()
        self._wanted = False
        self._keeping: asyncio.Task[None] | None = None
        self._unsubscribe = bus.subscribe(self._on_event)
        self.undo_run: UndoRun | None = None
        """How Dream's versions are undone; all of a run's files at once."""
        self.past: Callable[[], TimeTravel] | None = None
        """What goes back to a moment; made when somebody does."""

    # -- keeping ------------------------------------------------------------------------------------------------------

    async def catch_up(self) -> None:
        """After opening: make the versions that are missing, and say where they are damaged. git is not imported where
        neither is so."""
        if self._read_only:
            return
        if await self._disk.run(self._keeper.is_behind) or await self._disk.run(self._keeper.looks_damaged):
            self.keep_soon()

    def keep_soon(self) -> None:
        """Make a version of what changed, without waiting; what comes meanwhile goes with it."""
        if self._read_only or self._closing:
            return
        self._wanted = True
        if self._keeping is None:
            self._keeping = asyncio.get_running_loop().create_task(self._keep(), name="keep versions")

    async def kept(self) -> None:
        """Wait until the versions have everything that was announced so far."""
        while self._keeping is not None:
            await asyncio.wait({self._keeping})

    async def close(self, seconds: float = 3.0) -> None:
        """Make the versions that are still to be made, and give everything back."""
        self._unsubscribe()
        if self._keeping is not None:
            await asyncio.wait({self._keeping}, timeout=seconds)
        self.end()

    async def _keep(self) -> None:
        try:
            # Not on the disk's thread, which messages wait for: it takes a moment the first time.
            await self.on_thread(_import_git)
            while self._wanted:
                self._wanted = False
                await self._keep_once()
                if not self._wanted:
                    # What changes meanwhile is still to be kept.
                    await self.on_thread(self._tidy)
        except StorageError as error:
            # Closed meanwhile: what is missing is made after the next opening.
            if not self._closing:
                raise
            log.info("versions were not kept to the end: %s", error)
        finally:
            self._keeping = None

    async def _keep_once(self) -> None:
        said = await self._disk.run(self._keeper.keep)
        if said:
            await self.on_thread(self.reopen)
        for sentence in said:
            self._bus.publish(Noticed("warning", sentence, stays=True))
        self._bus.publish(CommitsChanged())

    def _tidy(self) -> None:
        from mnemoscope.store.git.git_store import GitStore

        store = GitStore(self._paths)
        try:
            if store.is_initialized() and store.tidy():
                self.reopen()
        except (StorageError, OSError) as error:
            log.info("versions were not packed: %s", error)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, MemoryChanged | MemoryFileChanged):
            self.keep_soon()

    async def prompt_at(self, when: datetime, session_key: str = "", version: str = "") -> PastPrompt | None:
        """What a model was, or would have been, sent at a moment (naive local time); None before the first version.

        `version`: the id of the one that is meant where several were made within that second.
        """
        snapshot = await self.at(when, version)
        if snapshot is None or self.past is None:
            return None
        past = self.past()
        system = await self.on_thread(lambda: past.system_then(snapshot, when, session_key))
        return await past.prompt_then(snapshot, system, when, session_key)

    # -- turning back -------------------------------------------------------------------------------------------------

    async def restore_file(self, commit_id: str, path: str) -> MemorySaved:
        """Put a whole file back as it was at a version, as the person's change, which can be undone.

        Raises StorageError, also where the file was not there then.
        """
        text = await self.text_at(commit_id, path)
        if text is None:
            raise StorageError(f"{path} is not in this version.", next_step=_NOT_THEN, path=path)
        base = await self._disk.run(self._memory.editing.read_version, path)
        return await self.restore_text(path, text, base.version)

    async def restore_text(self, path: str, text: str, based_on: str | None) -> MemorySaved:
        """Write a text in which the person has put passages back as they were. As `save_text`. Raises StorageError."""
        return await self._memory.editing.save_text(text, based_on, origin="restore", path=path)

    async def undo_commit(self, commit_id: str, again: bool | None = None) -> str:
        """Take one version back and keep everything later, as the person's change; a sentence that says what was done.

        `again`: whether the entries that Dream read for it are to be dreamed again; they count as declined otherwise.
        Raises StorageError.
        """
        commit = await self.find(commit_id)
        if commit is None or not commit.parent:
            raise _cannot_undo(commit)
        run = commit.trailers.get(TRANSACTION, ("",))[0]
        if commit.author == "Dream" and run and self.undo_run is not None:
            return await self.undo_run(run, again=bool(again))
        changes = await self.change(commit)
        if names := commit.trailers.get(CHANGE):
            saved = [await self._memory.editing.undo_change(names[0], each.path) for each in changes]
            return _undone(commit, sum(len(each.conflicts) for each in saved))
        if not any([await self._take_back(each) for each in changes]):
            raise StorageError("Nothing of this version is left to undo.", next_step="", id=commit.id)
        return _undone(commit, 0)

    async def _take_back(self, change: FileChange) -> bool:
        """A change that no journal knows, as of a file that was first seen in it; whether anything of it was left.

        What was changed since in the same place stays.
        """
        from mnemoscope.domain.merge.three_way import merge_memory

        base = await self._disk.run(self._memory.editing.read_version, change.path)
        text = merge_memory(_plain(change.after), base.text, _plain(change.before), rewrites=True).text
        if text != base.text:
            await self.restore_text(change.path, text, base.version)
        return text != base.text


def _import_git() -> None:
    from mnemoscope.store.git import git_store  # noqa: F401 - only so that it is there


def _plain(text: str | None) -> str:
    return with_plain_line_ends(text or "")


def _cannot_undo(commit: CommitInfo | None) -> StorageError:
    if commit is None:
        return StorageError("This version is not known any more.", next_step="Choose another from the list.")
    sentence = "This is the first version: there is nothing before it to go back to."
    return StorageError(sentence, next_step="Restore a later one instead.")


def _undone(commit: CommitInfo, held: int) -> str:
    what = f"{commit.sha} ({commit.subject}) is undone; everything later stays."
    if not held:
        return what
    passages = "1 passage was" if held == 1 else f"{held} passages were"
    return f"{what} {passages} changed since and waits in Review."
