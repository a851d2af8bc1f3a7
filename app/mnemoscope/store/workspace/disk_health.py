"""Tracks from the results of writes whether the disk accepts them, and calls back when that changes.

A small file beside the drafts holds some space in reserve. It is removed when the disk is full, so that a message or a
draft can still be written. Memory files are not written from this reserve.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import TEMPORARY_SUFFIX, remove_file, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls, RootedCalls
from mnemoscope.store.files.display_names import OWN_FOLDER
from mnemoscope.store.workspace.paths import WorkspacePaths

RESERVE_BYTES: Final = 262_144
_REASONS: Final = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read-only", errno.EIO: "failing"}
_SAVED_FIRST: Final = frozenset({"chat", "drafts"})


@dataclass(frozen=True, slots=True)
class DiskTrouble:
    """Says what the disk refuses, and why. `reason`: full, read-only or failing. `refused`: those of chat, drafts,
    memory and settings that could not be written.

    `chat_saved`: a message was written since the trouble began.
    """

    reason: str
    refused: frozenset[str]
    chat_saved: bool = False


class DiskHealth:
    """Remembers what the disk refused and has not taken since."""

    def __init__(self) -> None:
        self.trouble: DiskTrouble | None = None
        self._on_change: Callable[[DiskTrouble | None], object] = lambda _trouble: None

    def when_changed(self, listener: Callable[[DiskTrouble | None], object]) -> None:
        """Has each change of the trouble told, on the thread that writes; None: there is none any more."""
        self._on_change = listener

    def refused(self, area: str, number: int) -> None:
        """Notes that a write of this area failed with this errno; only those that say something of the disk count."""
        reason = _REASONS.get(number)
        if reason is not None:
            before = self.trouble
            refused = (before.refused if before else frozenset()) | {area}
            self._set_trouble(DiskTrouble(reason, refused, bool(before and before.chat_saved and area != "chat")))

    def took(self, area: str) -> None:
        """Notes that a write of this area is durable."""
        if self.trouble is not None:
            left = self.trouble.refused - {area}
            saved = self.trouble.chat_saved or area == "chat"
            self._set_trouble(DiskTrouble(self.trouble.reason, left, saved) if left else None)

    def clear(self) -> None:
        """Notes that the disk takes everything again."""
        self._set_trouble(None)

    def _set_trouble(self, trouble: DiskTrouble | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_change(trouble)


class WatchedCalls(RootedCalls):
    """Calls within one workspace whose failures and successes `health` learns of."""

    def __init__(self, root: Path, health: DiskHealth, calls: FileCalls = REAL_CALLS) -> None:
        super().__init__(root, calls)
        self._paths, self._health = WorkspacePaths(root), health
        self._areas: dict[int, str] = {}

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        """Opens a file as FileCalls does; a message or a draft that finds no room gets the reserve."""
        if not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return super().open(path, flags, mode)
        area = self._area(path)
        with self._noting(area):
            descriptor = self._with_room(area, partial(super().open, path, flags, mode))
        self._areas[descriptor] = area
        return descriptor

    def write(self, descriptor: int, data: bytes) -> int:
        """Writes as FileCalls does; a message or a draft that finds no room gets the reserve."""
        area = self._areas.get(descriptor, "")
        with self._noting(area):
            return self._with_room(area, partial(super().write, descriptor, data))

    def fsync(self, descriptor: int) -> None:
        area = self._areas.get(descriptor, "")
        with self._noting(area):
            super().fsync(descriptor)
        if area:
            self._health.took(area)

    def close(self, descriptor: int) -> None:
        self._areas.pop(descriptor, None)
        super().close(descriptor)

    def replace(self, source: str, target: str) -> None:
        with self._noting(self._area(target)):
            super().replace(source, target)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        with self._noting(self._area(path)):
            super().mkdir(path, mode)

    def _with_room(self, area: str, work: Callable[[], int]) -> int:
        try:
            return work()
        except OSError as error:
            is_full = _REASONS.get(error.errno or 0) == "full"
            if not is_full or area not in _SAVED_FIRST or not _free_reserve(self._paths, self._calls):
                raise
        return work()

    @contextmanager
    def _noting(self, area: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if area:
                self._health.refused(area, error.errno or 0)
            raise

    def _area(self, path: str) -> str:
        with suppress(ValueError):
            parts = Path(path).relative_to(self._paths.root).parts
            if parts[:1] == ("sessions",):
                return "chat"
            if parts[:2] == (OWN_FOLDER, "drafts"):
                return "drafts"
            return "settings" if len(parts) == 1 and "config.json" in parts[0] else "memory"
        return "memory"


def _free_reserve(paths: WorkspacePaths, calls: FileCalls = REAL_CALLS) -> bool:
    """Gives the reserve back; returns whether there was one."""
    with suppress(OSError):
        calls.unlink(str(paths.own.reserve_file))
        return True
    return False


def keep_reserve(paths: WorkspacePaths, calls: FileCalls = REAL_CALLS) -> bool:
    """Puts the reserve on the disk where it is not; returns whether it is there, which takes room for it."""
    if not paths.own.reserve_file.exists():
        with suppress(StorageError):
            replace_bytes(paths.own.reserve_file, os.urandom(RESERVE_BYTES), calls=calls)
    return paths.own.reserve_file.exists()


def try_disk(paths: WorkspacePaths, calls: FileCalls = REAL_CALLS) -> None:
    """Writes a little beside the memory, and takes it away again. Raises StorageError where that fails."""
    # Named as a file on its way, so that what a crash leaves of it is cleared away.
    trial = paths.own.folder / f".trial{TEMPORARY_SUFFIX}"
    replace_bytes(trial, b"\n", calls=calls)
    remove_file(trial, calls=calls)
