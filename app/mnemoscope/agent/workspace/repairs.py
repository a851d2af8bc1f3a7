"""Repairs a workspace: tries the disk, archives without a model, replaces hard links, shows damage, makes a copy."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.consolidation.background_consolidation import BackgroundConsolidation
from mnemoscope.agent.consolidation.prompt_usage import plan_everything
from mnemoscope.agent.tasks.disk_retries import DiskRetries
from mnemoscope.agent.workspace.workspace_settings import WorkspaceSettings
from mnemoscope.domain.conversation.message import Message, SalvagedRecord, salvage, text_of
from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.domain.events import DiskRefuses, DiskTakes, EventBus, MemoryRecovered, Noticed
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.atomic import fsync_directories, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.quarantine import DamagedRecord
from mnemoscope.store.memory.text_versions import set_aside_damaged
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.disk_health import DiskHealth, DiskTrouble, keep_reserve, try_disk
from mnemoscope.store.workspace.draft_store import DraftStore
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import Workspace

_SHOWN_BYTES: Final = 20_000
_NOT_COPIED: Final = ("lock", "reserve", "*.mnemo-tmp")


@dataclass(frozen=True, slots=True)
class DamagedText:
    """Describes a damaged record with its bytes as text, cut where there are very many, and what can still be read of
    it."""

    record: DamagedRecord
    text: str
    salvaged: SalvagedRecord


class Repairs:
    """Carries out the repairs of one open workspace."""

    def __init__(
        self,
        workspace: Workspace,
        sessions: SessionManager,
        memory: MemoryStore,
        settings: WorkspaceSettings,
        *,
        consolidation: BackgroundConsolidation,
        bus: EventBus,
        disk: Disk,
        health: DiskHealth,
        calls: FileCalls = REAL_CALLS,
    ) -> None:
        """`calls`: those that `health` learns from."""
        self._workspace = workspace
        self._sessions = sessions
        self._memory = memory
        self._settings = settings
        self._consolidation = consolidation
        self._bus = bus
        self._disk = disk
        self._health = health
        self._calls = calls
        self._is_finishing = False
        self._retries = DiskRetries(
            "a change of memory",
            workspace.root,
            bus,
            disk,
            is_left=self._is_refused,
            go_on=self._finish_refused,
            is_at_work=lambda: self._is_finishing,
        )

    async def begin(self) -> None:
        """Announces the disk's refusals from now on."""
        loop = asyncio.get_running_loop()
        self._health.when_changed(lambda trouble: loop.call_soon_threadsafe(self._announce, trouble))
        if not self._workspace.read_only:
            await self._disk.run(self._force_folders)
            await self._disk.run(keep_reserve, self._workspace.paths, self._calls)

    async def close(self) -> None:
        """Ends the tries to finish what the disk refused: it is finished when the workspace is opened next."""
        await self._retries.close()

    async def recover_memory(self) -> None:
        """Finishes what a crash left unfinished, and says what was done, naming the change of memory it made."""
        damaged = await self._disk.run(set_aside_damaged, self._workspace.paths, self._calls)
        if damaged:
            self._bus.publish(Noticed("warning", _damaged_versions(damaged), _NEW_VERSIONS, stays=True))
        unfinished = await self._disk.run(self._workspace.paths.own.intent_file.exists)
        sentences = await self._disk.run(self._memory.recover)
        change = await self._disk.run(self._newest_consolidation) if unfinished and sentences else ""
        for sentence in sentences:
            known = change if sentence == sentences[0] else ""
            notice = MemoryRecovered(sentence, known) if known else Noticed("info", sentence, stays=True)
            self._bus.publish(notice)

    @property
    def disk_refuses(self) -> bool:
        """Returns whether the disk refused something and has not taken it since."""
        return self._health.trouble is not None

    async def try_disk(self) -> bool:
        """Returns whether the disk takes a little now; if it does, the trouble is over."""
        try:
            await self._disk.run(try_disk, self._workspace.paths, self._calls)
        except StorageError:
            return False
        self._health.clear()
        await self._disk.run(keep_reserve, self._workspace.paths, self._calls)
        return True

    async def archive_raw(self, key: str) -> bool:
        """Settles what waits as it is, without a model. False if that failed, which was announced."""
        try:
            async with self._consolidation.lock(key):
                session = await self._disk.run(self._sessions.get_or_create, key)
                window = self._consolidation.settings().memory_window
                plan = plan_everything if self._consolidation.is_dreaming else None
                done = await self._memory.archive_raw(session, memory_window=window, plan=plan)
        except MnemoscopeError as error:
            self._bus.publish(Noticed("danger", error.sentence, error.next_step))
            return False
        if done:
            self._consolidation.backoff.forget(key)
        return done

    async def separate_files(self, path: str = MEMORY_PATH) -> None:
        """Separates a memory file and config.json from their other names (hard links), which keep the text as it is
        now.

        This is the answer to FileShared, before what raised it is tried again. Raises StorageError.
        """
        await self._disk.run(self._memory.editing.separate, path)
        await self._disk.run(self._settings.store.separate)

    async def damaged(self, key: str) -> list[DamagedText]:
        """Returns the damaged records of a conversation, in the order of the file."""
        return await self._disk.run(self._damaged, key)

    async def copy_to(self, folder: Path) -> Path:
        """Copies the whole workspace into a new folder there, and returns it.

        Nothing that is there is replaced. Raises StorageError where it cannot be written.
        """
        return await asyncio.to_thread(self._copy_to, folder)

    async def keep_drafts_in(self, copy: Path, drafts: Mapping[str, dict[str, Any]]) -> None:
        """Keeps what is typed and not sent or saved, by the names of its drafts, in a copy of the workspace. Raises
        StorageError."""
        store = DraftStore(WorkspacePaths(copy).own.drafts_dir)
        for name, draft in drafts.items():
            await self._disk.run(store.save, name, draft)

    def _force_folders(self) -> None:
        """Makes durable the folders that a process which was killed may have made and not forced."""
        paths = self._workspace.paths
        ours = paths.own.folder, paths.sessions_dir, paths.memory_dir
        within = [folder for top in ours if top.is_dir() for folder in _folders_in(top)]
        fsync_directories([paths.root, *ours, *within], calls=self._calls)

    def _newest_consolidation(self) -> str:
        with suppress(StorageError):
            changes = self._memory.editing.changes()
            return changes[-1].id if changes and changes[-1].origin.kind == "consolidation" else ""
        return ""

    def _damaged(self, key: str) -> list[DamagedText]:
        return [self._read(record) for record in self._sessions.health.damage(key)]

    def _read(self, record: DamagedRecord) -> DamagedText:
        data = b""
        if record.kept_in:
            with suppress(OSError):
                data = (self._workspace.root / record.kept_in).read_bytes()
        return DamagedText(record, data[:_SHOWN_BYTES].decode("utf-8", "replace"), salvage(data))

    def _copy_to(self, folder: Path) -> Path:
        root = self._workspace.root
        target = next(
            place
            for number in range(1, 1_000)
            if not (place := folder / (root.name if number == 1 else f"{root.name} {number}")).exists()
        )
        if target.is_relative_to(root):
            raise StorageError("A copy cannot be kept within the workspace itself.", next_step="Choose another folder.")
        with storage_errors(target, "write"):
            shutil.copytree(root, target, symlinks=True, ignore=shutil.ignore_patterns(*_NOT_COPIED))
        return target

    def _announce(self, trouble: DiskTrouble | None) -> None:
        if trouble is None:
            self._bus.publish(DiskTakes())
        else:
            self._bus.publish(DiskRefuses(trouble.reason, trouble.refused, trouble.chat_saved))
            self._retries.begin()

    async def _is_refused(self) -> bool:
        """Returns whether something may be, or is, committed and not finished."""
        return self.disk_refuses or await self._disk.run(self._memory.ledger.pending) is not None

    async def _finish_refused(self) -> None:
        """Sees whether there is room again, and finishes a change of memory; a forgetting goes on in a way of its own.

        Raises StorageError.
        """
        # A message or a draft may just have got the room of the reserve: only more than that is room again.
        if self.disk_refuses and await self._disk.run(keep_reserve, self._workspace.paths, self._calls):
            await self.try_disk()
        if await self._disk.run(self._memory.forgettings.is_unfinished):
            return
        self._is_finishing = True
        try:
            await self._memory.editing.finish_refused()
        finally:
            self._is_finishing = False


def _damaged_versions(count: int) -> str:
    what = "1 earlier text of MEMORY.md" if count == 1 else f"{count} earlier texts of MEMORY.md"
    return f"The version history of memory was damaged: {what} could not be read. MEMORY.md itself is as it was."


_NEW_VERSIONS: Final = (
    "What is damaged was moved to quarantine in .mnemoscope/quarantine; versions are kept anew from now on."
)


def export_text(messages: Sequence[Message], memory: str, *, unsent: str = "") -> str:
    """Returns a conversation, what was typed and not sent, and the memory text, as one Markdown document."""
    parts = [
        f"**{message.get('role', '?')}** · {message.get('timestamp', '')}\n\n{text_of(message)}" for message in messages
    ]
    # A message the disk refused is in the conversation and back in the message field too.
    known = bool(messages) and text_of(messages[-1]).strip() == unsent.strip()
    parts += [f"**not sent**\n\n{unsent}"] if unsent.strip() and not known else []
    conversation = "\n\n---\n\n".join(parts)
    return f"# Conversation\n\n{conversation}\n\n# MEMORY.md\n\n{memory}\n"


def _folders_in(folder: Path) -> list[Path]:
    """Returns the folders within, without a look at each of perhaps thousands of files."""
    with os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if entry.is_dir()]
