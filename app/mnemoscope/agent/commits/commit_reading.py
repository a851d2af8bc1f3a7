"""The versions of memory as the window looks at them: read on a thread of their own, so that nothing else ever waits.

What reads git is imported on that thread too, and not before somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from mnemoscope.domain.commits import BlameLine, CommitInfo, FileChange, Snapshot
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.store.files.disk import result_of
from mnemoscope.store.workspace.paths import WorkspacePaths

if TYPE_CHECKING:
    from mnemoscope.store.git.commit_history import CommitHistory

Result = TypeVar("Result")


class CommitReading:
    """One workspace's. Every method raises StorageError where the versions cannot be read."""

    def __init__(self, paths: WorkspacePaths, *, read_only: bool = False) -> None:
        self._paths, self._read_only = paths, read_only
        self._thread: ThreadPoolExecutor | None = None
        self._opened: CommitHistory | None = None
        self._closing = False

    async def page(self, path: str = "", before: str = "", limit: int = 50, *, author: str = "") -> list[CommitInfo]:
        """Versions that changed a file ("": any), newest first, older than the version `before`; by one `author`."""
        return await self.on_thread(lambda: self._history().page(path, before, limit, author=author))

    async def change(self, commit: CommitInfo) -> list[FileChange]:
        """What one version changed."""
        return await self.on_thread(lambda: self._history().change(commit))

    async def text_at(self, commit_id: str, path: str) -> str | None:
        """A file as it was, None where it was not there. Line ends are `\\n`, as in the editor."""
        text = await self.on_thread(lambda: self._history().text_at(commit_id, path))
        return None if text is None else with_plain_line_ends(text)

    async def blame(self, path: str) -> list[BlameLine]:
        """Who wrote each line of the newest version; [] for a file without versions."""
        return await self.on_thread(lambda: self._history().blame(path, lambda: self._closing)) or []

    async def at(self, when: datetime, version: str = "") -> Snapshot | None:
        """All tracked files as they were at a moment (naive local time), or at the `version` of that id.

        None before the first version.
        """
        return await self.on_thread(lambda: self._history().at(int(when.timestamp()), version))

    async def moments(self) -> list[tuple[datetime, str]]:
        """When each version was made (naive local time) and its id, oldest first in the order they were made."""
        found = await self.on_thread(lambda: self._history().moments())
        return [(datetime.fromtimestamp(seconds), version) for seconds, version in found]

    async def find(self, short_sha: str) -> CommitInfo | None:
        """The one version whose id begins so, with at least four digits."""
        return await self.on_thread(lambda: self._history().find(short_sha))

    async def compare(self, old_id: str, new_id: str, path: str) -> tuple[str, str]:
        """A file as it was at two versions; "" where it was not there."""
        return (await self.text_at(old_id, path) or "", await self.text_at(new_id, path) or "")

    async def on_thread(self, work: Callable[[], Result]) -> Result:
        """Do one piece of work on the thread that reads versions; work once begun is finished."""
        if self._closing:
            raise StorageError("The workspace is being closed.", next_step="")
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mnemoscope-versions")
        return await result_of(self._thread.submit(work))

    def reopen(self) -> None:
        """Look at the repository afresh. On the thread."""
        if self._opened is not None:
            self._opened.close()

    def end(self) -> None:
        """Give thread and files back; what is being read is given up."""
        self._closing = True
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.submit(self.reopen)
            thread.shutdown(wait=True)

    def _history(self) -> CommitHistory:
        if self._opened is None:
            from mnemoscope.store.git.commit_history import CommitHistory

            self._opened = CommitHistory(self._paths, keep_index=not self._read_only)
        return self._opened
