"""What a window calls to read, write, settle and take back texts of memory: part of the workbench."""

from __future__ import annotations

from typing import Final

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.settings_store import SettingsStore
from mnemoscope.store.workspace.workspace import Workspace
from mnemoscope.store.workspace.write_access import WriteAccess

DREAM_GUIDE: Final = "prompts/dream.md"
MEMORY_FILES: Final = (MEMORY_PATH, "SOUL.md", "USER.md", DREAM_GUIDE)


class MemoryCalls:
    """The calls about memory."""

    workspace: Workspace
    memory: MemoryStore
    disk: Disk
    settings_store: SettingsStore
    access: WriteAccess

    async def read_memory(self, path: str = MEMORY_PATH) -> MemoryText:
        """A memory file as it stands. Raises UnreadableFile."""
        return await self.disk.run(self.memory.editing.read_version, path)

    async def save_memory_text(self, text: str, based_on: str | None, path: str = MEMORY_PATH) -> MemorySaved:
        """Save what the person wrote, merged where the file moved on."""
        self.access.require()
        return await self.memory.editing.save_text(text, based_on, origin="editor", path=path)

    async def starter_text(self, path: str) -> str:
        """What a memory file begins with: Mnemoscope's own guide for Dream's, else as in a new workspace."""
        return await self.disk.run(_starter, path)

    async def suggestions(self) -> list[Suggestion]:
        """The memory texts that wait for the person."""
        return await self.disk.run(self.memory.ledger.suggestions)

    async def settle(self, suggestion_id: str, decision: str, text: str | None = None, shown: str = "") -> MemorySaved:
        """Settle a suggestion: `accept` (with the text that was shown, or its SHA-256), `edit` (with the person's
        text) or `reject`. Raises ApprovalMoved where something else would be written than was shown."""
        self.access.require()
        return await self.memory.editing.settle(suggestion_id, decision, text, shown)

    async def separate_files(self, path: str = MEMORY_PATH) -> None:
        """Part a memory file and config.json from their other names (hard links), which keep the text as it is now.

        The answer to FileShared, before what raised it is tried again. Raises StorageError.
        """
        self.access.require()
        await self.disk.run(self.memory.editing.separate, path)
        await self.disk.run(self.settings_store.separate)

    async def settle_conflict(self, suggestion_id: str, number: int, choice: str, text: str = "") -> MemorySaved:
        """Settle one passage of a suggestion: `mine`, `theirs`, `both`, or `edit` with the passage as `text`."""
        self.access.require()
        return await self.memory.editing.settle_conflict(suggestion_id, number, choice, text)

    async def captured_in(self, session: Session) -> dict[int, list[CaptureRecord]]:
        """What was captured of a conversation, by message. Raises UnreadableFile."""
        # Where nothing was ever captured, what captures is not imported to say so.
        if "capturing" not in vars(self.memory) and not await self.disk.run(_has_captures, self.workspace.paths):
            return {}
        return await self.memory.captures.of_conversation(session.key, session.created_at.isoformat())

    async def memory_changes(self, path: str = MEMORY_PATH) -> list[MemoryChange]:
        """Every change of a memory file that is kept, oldest first. Raises StorageError."""
        return await self.disk.run(self.memory.editing.changes, path)

    async def memory_version_text(self, version: str) -> str:
        """The text of a version that a change names. Raises StorageError where it is not kept any more."""
        return await self.disk.run(self.memory.editing.version_text, version)

    async def undo_memory_change(self, change_id: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Take one change of a memory file back and keep everything later. Raises StorageError."""
        self.access.require()
        return await self.memory.editing.undo_change(change_id, path)

    async def restore_memory_version(self, version: str, path: str = MEMORY_PATH) -> MemorySaved:
        """Replace a memory file by the text of a version. Raises StorageError."""
        self.access.require()
        return await self.memory.editing.restore_version(version, path)


def _has_captures(paths: WorkspacePaths) -> bool:
    return any(paths.own.folder.glob(f"{paths.own.captures_log.name}*"))


def _starter(path: str) -> str:
    if path == DREAM_GUIDE:
        from mnemoscope.memory.dream.prompt import shipped_guide

        return shipped_guide()
    file = shipped("resources", "blank", *path.split("/"))
    return file.read_text(encoding="utf-8") if file.is_file() else ""
