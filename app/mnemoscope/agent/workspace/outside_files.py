"""Changes other programs made to the memory files beside MEMORY.md: SOUL.md, USER.md, Dream's guide and the skills."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import Event, EventBus, MemoryFileChanged
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.memory.memory_file import MemoryText
from mnemoscope.store.memory.tracked_files import tracked_paths
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_OTHERS: Final = frozenset({"outside", "recovered"})
_State = tuple[int, int, int]


class OutsideFiles:
    """Remembers the last look; our own writes are known by the events they come with."""

    def __init__(self, paths: WorkspacePaths, memory: MemoryStore, bus: EventBus, disk: Disk) -> None:
        self._paths, self._memory, self._bus, self._disk = paths, memory, bus, disk
        self._last: dict[str, _State] | None = None
        self._versions: dict[str, str] = {}
        self.close: Callable[[], None] = bus.subscribe(self._on_event)

    async def rescan(self) -> None:
        """Look once, and announce what is new. Raises MnemoscopeError."""
        for path in await self._disk.run(self._changed):
            await self._check(path)

    def places(self) -> list[Path]:
        """Folders and files to watch."""
        paths = self._paths
        folders = [paths.root, paths.dream_guide.parent, paths.skills_dir]
        known = [paths.file(path) for path in self._last or ()]
        return list(dict.fromkeys([*folders, *known, *(path.parent for path in known)]))

    def _changed(self) -> list[str]:
        now = {path: state for path in tracked_paths(self._paths.root) if (state := _state(self._paths.file(path)))}
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
        known, self._versions[path] = self._versions.get(path), text.version
        if text.version != known and not is_ours:
            self._bus.publish(MemoryFileChanged(path, text.text, text.version, "outside"))

    def _read(self, path: str) -> tuple[MemoryText, bool]:
        """The text, and whether it is one we wrote and whose own event is still to come."""
        text = self._memory.editing.read_version(path)
        changes = self._memory.editing.changes(path)
        newest = changes[-1] if changes else None
        is_noted = newest is not None and newest.after == text.version
        return text, is_noted and newest is not None and newest.origin.kind not in _OTHERS

    def _on_event(self, event: Event) -> None:
        if isinstance(event, MemoryFileChanged):
            self._versions[event.path] = event.version


def _state(path: Path) -> _State | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
