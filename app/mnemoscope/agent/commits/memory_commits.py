"""Has every change of the memory files committed, reads the commits, and restores files from them.

A change is durable, with the name of who made it, before it arrives here. Its commit is made afterwards, on the disk's
thread, and nobody waits for it. A commit that a crash prevented is made when the workspace is opened next.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Final, Protocol, TypeVar

from mnemoscope.agent.commits.time_travel import PastPrompt, TimeTravel
from mnemoscope.domain.commits import CHANGE, TRANSACTION, BlameLine, CommitInfo, FileChange, Snapshot
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import CommitsChanged, Event, EventBus, MemoryChanged, MemoryFileChanged, Noticed
from mnemoscope.domain.merge.three_way import merge_memory, without_change
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.domain.text.diff import without_edit
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk, result_of
from mnemoscope.store.git.commit_history import CommitHistory
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.git.opening import load_git
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_NOT_THEN: Final = "Choose a version in which it is there."
Result = TypeVar("Result")


class UndoRun(Protocol):
    """Takes a run of Dream back, and returns the sentence that says what was done."""

    def __call__(self, run_id: str, *, again: bool) -> Awaitable[str]: ...


class MemoryCommits:
    """Keeps the git commits of one workspace's memory files.

    They are read on a thread of their own, so that nothing else ever waits. What reads git is imported on that thread
    too, and not before somebody looks. Whatever reads them raises StorageError if they cannot be read.
    """

    def __init__(
        self,
        paths: WorkspacePaths,
        memory: MemoryStore,
        bus: EventBus,
        disk: Disk,
        time_travel: TimeTravel,
        *,
        read_only: bool = False,
    ) -> None:
        self._paths = paths
        self._memory = memory
        self._bus = bus
        self._disk = disk
        self._time_travel = time_travel
        self._read_only = read_only
        self._committer = memory.committer()
        self._wanted = False
        self._committing: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None
        self._opened: CommitHistory | None = None
        self._closing = False
        self._unsubscribe = bus.on((MemoryChanged, MemoryFileChanged), self._on_memory_changed)
        self._undo_run: UndoRun | None = None

    def undo_runs_by(self, undo_run: UndoRun) -> None:
        """Has a commit of Dream's undone as the run it was, all of its files at once. Dream, which can do that, makes
        its commits here, so it comes later."""
        self._undo_run = undo_run

    # -- committing ---------------------------------------------------------------------------------------------------

    async def catch_up(self) -> None:
        """Makes the commits that are missing after opening, and says where they are damaged. git is not imported if
        neither is so."""
        if self._read_only:
            return
        if await self._disk.run(self._committer.is_behind) or await self._disk.run(self._committer.looks_damaged):
            self._keep_soon()

    def _keep_soon(self) -> None:
        """Makes a commit of what changed, without waiting; what comes meanwhile goes with it."""
        if self._read_only or self._closing:
            return
        self._wanted = True
        if self._committing is None:
            self._committing = asyncio.get_running_loop().create_task(self._keep(), name="commit")

    async def kept(self) -> None:
        """Waits until the commits have everything that was announced so far."""
        while self._committing is not None:
            await asyncio.wait({self._committing})

    async def close(self, seconds: float = 3.0) -> None:
        """Makes the commits that are still to be made, and gives everything back.

        What takes longer is left: it is made after the next opening.
        """
        self._unsubscribe()
        try:
            if (committing := self._committing) is not None:
                await asyncio.wait({committing}, timeout=seconds)
        finally:
            # The disk is closed next, and nothing may ask one that is closed.
            if committing is not None:
                committing.cancel()
            self.end()

    async def _keep(self) -> None:
        try:
            # Not on the disk's thread, which messages wait for: it takes a moment the first time.
            await self.on_thread(load_git)
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
            log.info("commits were not made to the end: %s", error)
        finally:
            self._committing = None

    async def _keep_once(self) -> None:
        said = await self._disk.run(self._committer.commit_changes)
        if said:
            await self.on_thread(self.reopen)
        for sentence in said:
            self._bus.publish(Noticed("warning", sentence, stays=True))
        self._bus.publish(CommitsChanged())

    def _tidy(self) -> None:
        store = GitStore(self._paths)
        try:
            if store.is_initialized() and store.tidy():
                self.reopen()
        except (StorageError, OSError) as error:
            log.info("commits were not packed: %s", error)

    def _on_memory_changed(self, _event: Event) -> None:
        self._keep_soon()

    # -- reading ------------------------------------------------------------------------------------------------------

    async def page(self, path: str = "", before: str = "", limit: int = 50, *, author: str = "") -> list[CommitInfo]:
        """Returns `limit` commits at most that changed the file at `path` ("": any), newest first, older than the
        commit `before` ("": all), by one `author` ("": any)."""
        return await self.on_thread(lambda: self._history().page(path, before, limit, author=author))

    async def change(self, commit: CommitInfo) -> list[FileChange]:
        """Returns what one commit changed."""
        return await self.on_thread(lambda: self._history().change(commit))

    async def text_at(self, commit_id: str, path: str) -> str | None:
        """Returns a file as it was, or None if it was not there. Line ends are `\\n`, as in the editor."""
        text = await self.on_thread(lambda: self._history().text_at(commit_id, path))
        return None if text is None else with_plain_line_ends(text)

    async def blame(self, path: str) -> list[BlameLine]:
        """Returns who wrote each line of the newest commit; [] for a file without commits."""
        return await self.on_thread(lambda: self._history().blame(path, lambda: not self._closing)) or []

    async def at(self, when: datetime, commit_id: str = "") -> Snapshot | None:
        """Returns all tracked files as they were at a moment (naive local time), or at the commit of that id.

        None before the first version.
        """
        return await self.on_thread(lambda: self._history().at(int(when.timestamp()), commit_id))

    async def moments(self) -> list[tuple[datetime, str]]:
        """Returns when each commit was made (naive local time) and its id, oldest first in the order they were made."""
        found = await self.on_thread(lambda: self._history().moments())
        return [(datetime.fromtimestamp(seconds), commit_id) for seconds, commit_id in found]

    async def find(self, short_sha: str) -> CommitInfo | None:
        """Returns the one commit whose id begins so, with at least four digits."""
        return await self.on_thread(lambda: self._history().find(short_sha))

    async def on_thread(self, work: Callable[[], Result]) -> Result:
        """Does one piece of work on the thread that reads commits; work once begun is finished."""
        if self._closing:
            raise StorageError("The workspace is being closed.", next_step="")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-versions")
        return await result_of(self._thread.submit(work))

    def reopen(self) -> None:
        """Has the repository read afresh. Call it on the thread."""
        if self._opened is not None:
            self._opened.close()

    def end(self) -> None:
        """Gives thread and files back; what is being read is given up."""
        self._closing = True
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.submit(self.reopen)
            thread.shutdown(wait=True)

    def _history(self) -> CommitHistory:
        if self._opened is None:
            self._opened = CommitHistory(self._paths, keep_index=not self._read_only)
        return self._opened

    async def prompt_at(self, when: datetime, session_key: str = "", commit_id: str = "") -> PastPrompt | None:
        """Returns what a model was, or would have been, sent at a moment (naive local time); None before the first
        version.

        `commit_id`: the one that is meant where several were made within that second.
        """
        snapshot = await self.at(when, commit_id)
        if snapshot is None:
            return None
        frame = await self._time_travel.frame(session_key)
        system = await self.on_thread(lambda: self._time_travel.system_then(snapshot, when, session_key, frame))
        return await self._time_travel.prompt_then(snapshot, system, when, session_key)

    # -- turning back -------------------------------------------------------------------------------------------------

    async def restore_file(self, commit_id: str, path: str) -> MemorySaved:
        """Puts a whole file back as it was at a commit, as the person's change, which can be undone.

        Raises StorageError, also where the file was not there then.
        """
        text = await self.text_at(commit_id, path)
        if text is None:
            raise StorageError(f"{path} is not in this version.", next_step=_NOT_THEN, path=path)
        base = await self._disk.run(self._memory.editing.read_text, path)
        return await self.restore_text(path, text, base.digest)

    async def restore_moment(self, snapshot: Snapshot) -> list[str]:
        """Puts back all files that are not as they were at a moment, as `restore_file` does; returns their paths.
        Raises StorageError."""
        different = []
        for path, text in snapshot.texts.items():
            now = await self._disk.run(self._memory.editing.read_text, path)
            if now.text != with_plain_line_ends(text):
                different.append(path)
        for path in different:
            await self.restore_file(snapshot.commit.id, path)
        return different

    async def restore_passage(self, path: str, before: str, after: str, number: int) -> bool:
        """Puts the older wording of passage `number` of what changed from `before` to `after` into a file as it is now;
        what was changed there since stays.

        Returns False, and writes nothing, where the passage is not as it was then. Raises StorageError.
        """
        now = await self._disk.run(self._memory.editing.read_text, path)
        wanted = without_edit(before, after, number)
        text = await self.on_thread(lambda: merge_memory(after, now.text, wanted, rewrites=True).text)
        if text == now.text:
            return False
        await self.restore_text(path, text, now.digest)
        return True

    async def restore_text(self, path: str, text: str, based_on: str | None) -> MemorySaved:
        """Writes a text in which the person has put passages back as they were. Raises StorageError."""
        return await self._memory.editing.save_text(text, based_on, origin="restore", path=path)

    async def undo_commit(self, commit_id: str, again: bool | None = None) -> str:
        """Takes one commit back and keeps everything later, as the person's change; returns a sentence that says so.

        `again`: whether the entries that Dream read for it are to be dreamed again; they count as declined otherwise.
        Raises StorageError.
        """
        commit = await self.find(commit_id)
        if commit is None or not commit.parent:
            raise _cannot_undo(commit)
        run = commit.named(TRANSACTION)
        if commit.author == "Dream" and run and self._undo_run is not None:
            return await self._undo_run(run, again=bool(again))
        changes = await self.change(commit)
        if change_id := commit.named(CHANGE):
            # What one change did in several files is undone in all of them at once.
            saved = await self._memory.editing.undo_change(change_id, changes[0].path)
            return _undone(commit, len(saved.conflicts))
        if not any([await self._take_back(each) for each in changes]):
            raise StorageError("Nothing of this version is left to undo.", next_step="", id=commit.id)
        return _undone(commit, 0)

    async def _take_back(self, change: FileChange) -> bool:
        """Takes back a change that no log knows, as of a file first seen in it; returns whether anything of it was
        left.

        What was changed since in the same place stays.
        """
        base = await self._disk.run(self._memory.editing.read_text, change.path)
        text = without_change(change, base.text)
        if text != base.text:
            await self.restore_text(change.path, text, base.digest)
        return text != base.text


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
    return f"{what} {passages} changed since and {'waits' if held == 1 else 'wait'} in Review."
