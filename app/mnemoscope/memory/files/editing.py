"""Writes, settles and takes back what a person and the agent's tools change in memory files; announces each change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime

from mnemoscope.domain.errors import ApprovalMoved
from mnemoscope.domain.events import Event, MemoryChanged, MemoryFileChanged, SuggestionsChanged
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange, MemoryOrigin
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.files.memory_files import MemoryFiles
from mnemoscope.memory.files.memory_writer import Along, MemorySaved, MemoryWriter, Proposer
from mnemoscope.memory.files.suggestion_resolution import SuggestionResolver
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.write_access import WriteAccess


class MemoryEditing:
    """Edits one workspace's memory files. The synchronous methods work at once on the caller's thread, the asynchronous
    ones on `disk`."""

    def __init__(
        self,
        files: MemoryFiles,
        ledger: Ledger,
        access: WriteAccess,
        *,
        disk: Disk,
        announce: Callable[[Event], None],
        clock: Callable[[], datetime] = datetime.now,
        keys: Callable[[], Collection[str]] = frozenset,
        undone: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """`keys`: those that are masked in whatever a model wants to be kept; `undone` is told each change of MEMORY.md
        that was taken back.
        """
        self._files = files
        self._ledger = ledger
        self._access = access
        self._disk = disk
        self._announce = announce
        self._clock = clock
        self._keys = keys
        self._undone = undone

    def read_text(self, path: str = MEMORY_PATH) -> MemoryText:
        """MEMORY.md, or another memory file, with its digest, for editing. Raises UnreadableFile or StorageError."""
        return self._files.of(path).read(keep=not self._access.read_only)

    async def save_text(
        self,
        text: str,
        based_on: str | None,
        origin: str = "editor",
        *,
        sources: Sources | None = None,
        session_key: str = "",
        path: str = MEMORY_PATH,
        settles: str = "",
    ) -> MemorySaved:
        """Saves a text made from the one of digest `based_on`. Where the file moved on, both changes are merged.

        Where both sides changed the same lines the person's stand (`origin` editor, restore or outside), and the other
        side becomes a suggestion. `settles` names the suggestion that the person's text was made from: the same write
        closes it, as edited. Any other `origin` is a model's: the file's lines stand, and the text passes the same
        gate as a consolidation's; `sources` says who said what before it. Raises StorageError with nothing overwritten.
        """
        self._access.require()
        when = self._clock().isoformat()
        if settles:
            source = MemoryOrigin("review", when, detail=settles)
            saved = await self._disk.run(self._files.of(path).save, text, based_on, source, Along(settles, "edit"))
        elif (source := MemoryOrigin(origin, when)).is_personal:
            saved = await self._disk.run(self._files.of(path).save, text, based_on, source)
        else:
            proposer = Proposer(sources or Sources(), frozenset(self._keys()), session_key, when)
            saved = await self._disk.run(self._files.of(path).propose, text, based_on, origin, proposer)
        self._announce_saved(saved, "" if saved.held else origin, path)
        if settles:
            self._announce_waiting()
        return saved

    def separate(self, path: str = MEMORY_PATH) -> None:
        """Part a memory file from its other names (hard links), which keep the text as it is. Raises StorageError."""
        self._access.require()
        self._files.of(path).file.separate()

    async def settle(self, suggestion_id: str, decision: str, text: str | None = None, shown: str = "") -> MemorySaved:
        """Settles a suggestion: `accept`, `edit` (with the person's `text`) or `reject`.

        `accept` writes exactly what was shown: `text`, or what has the SHA-256 `shown`. Where that is not what would be
        written now, nothing is: ApprovalMoved is raised, or `conflicts` are returned where the person changed the same
        lines, and the suggestion waits again, brought up to date.
        """
        self._access.require()
        writer = await self._disk.run(self._files.of_suggestion, suggestion_id)
        try:
            saved = await self._disk.run(self._resolver(writer).settle, suggestion_id, decision, text, shown)
        except ApprovalMoved:
            self._announce_waiting()
            raise
        self._announce_saved(saved, "editor" if decision != "reject" else "", writer.changes.path)
        self._announce_waiting()
        return saved

    async def settle_conflict(self, suggestion_id: str, number: int, choice: str, text: str = "") -> MemorySaved:
        """Settles passage `number` of a suggestion's `conflicts`: `mine`, `theirs`, `both`, or `edit` with the `text`.

        The suggestion waits with the other passages, which then count from 0 again, and is closed with the last one.
        Where the passage was changed since it was shown, nothing is written and `conflicts` says so. Raises
        StorageError for an unknown suggestion, passage or choice.
        """
        self._access.require()
        writer = await self._disk.run(self._files.of_suggestion, suggestion_id)
        saved = await self._disk.run(self._resolver(writer).settle_conflict, suggestion_id, number, choice, text)
        self._announce_saved(saved, "editor" if choice != "mine" and not saved.conflicts else "", writer.changes.path)
        self._announce_waiting()
        return saved

    def changes(self, path: str = MEMORY_PATH) -> list[MemoryChange]:
        """Returns every change of a memory file that is kept, oldest first, whoever made it. Raises StorageError."""
        return self._files.of(path).changes.changes()

    def version_text(self, digest: str) -> str:
        """Returns the text version of this digest, as changes name them. Raises StorageError where it is not
        kept."""
        return self._files.memory.changes.text(digest)

    async def undo_change(self, change_id: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Takes one change back (a consolidation's is its transaction's id) and keeps everything later.

        It is a change of its own, which can be undone as well. Where something later changed the same passage, that
        stands: `conflicts` says so, and a suggestion waits. Raises StorageError where the change is not known, too
        long ago, or nothing of it is left.
        """
        self._access.require()
        saved = await self._disk.run(self._resolver(self._files.of(path)).undo, change_id)
        self._announce_saved(saved, "restore", path)
        if self._undone is not None and path == MEMORY_PATH:
            await self._undone(change_id)
        return saved

    async def undo_changes(self, change_ids: Sequence[str]) -> MemorySaved:
        """Takes several changes of MEMORY.md back in one step, which can be undone like any change; given oldest first.

        Where something later changed the same passage, that stands. Raises StorageError with nothing changed.
        """
        self._access.require()
        saved = await self._disk.run(self._resolver(self._files.memory).undo_all, change_ids)
        self._announce_saved(saved, "restore")
        if self._undone is not None:
            for change_id in change_ids:
                await self._undone(change_id)
        return saved

    async def restore_version(self, digest: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Replaces a memory file by a version of it; a change of its own, which can be undone. Raises StorageError."""
        self._access.require()
        saved = await self._disk.run(self._resolver(self._files.of(path)).restore, digest)
        self._announce_saved(saved, "restore", path)
        return saved

    def _resolver(self, writer: MemoryWriter) -> SuggestionResolver:
        return SuggestionResolver(writer, self._ledger)

    def _announce_saved(self, saved: MemorySaved, origin: str, path: str = MEMORY_PATH) -> None:
        if origin and path == MEMORY_PATH:
            self._announce(MemoryChanged(saved.text, saved.digest, origin))
        elif origin:
            self._announce(MemoryFileChanged(path, saved.text, saved.digest, origin))
        if saved.conflicts or saved.held:
            self._announce_waiting()

    def _announce_waiting(self) -> None:
        self._announce(SuggestionsChanged(len(self._ledger.suggestions())))
