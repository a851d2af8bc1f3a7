"""Imports into a workspace that is open: the export is read on a thread of its own, and the disk's thread writes.

What is written is written a few conversations at a time, so that whatever else the workspace keeps waits for no more
than these.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import wait
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from mnemoscope.agent.importing.import_sources import open_source
from mnemoscope.agent.importing.importer import Importer, ImportResult, ImportUndone
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import EventBus, SessionsChanged, SuggestionsChanged
from mnemoscope.store.files.disk import Disk

Result = TypeVar("Result")
_LOOKED_AT: Final = 0.2
"""Seconds between two looks whether anybody still waits for an import."""


@dataclass(slots=True)
class ImportProgress:
    """Says that an import is at `done` conversations of `total`. Whoever sets `is_stopped` stops it."""

    done: int = 0
    total: int = 0
    is_stopped: bool = False

    def note(self, done: int, total: int) -> bool:
        """Notes how far it is, and returns whether to go on."""
        self.done, self.total = done, total
        return not self.is_stopped


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Tells the result of an import, or of its preview, with the name of the assistant as `title`."""

    title: str
    result: ImportResult


class ImportWrites:
    """Does what an import writes on the disk's thread, and waits for it."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def __call__(self, work: Callable[[], Result]) -> Result:
        """Returns what the work returns. Raises StorageError where the workspace was closed meanwhile."""
        try:
            return self._disk.submit(work).result()
        except RuntimeError as error:
            raise StorageError("The workspace was closed meanwhile.", next_step="Import once more.") from error


class Imports:
    """Previews, imports and takes back, for the window."""

    def __init__(
        self, importer: Importer, bus: EventBus, disk: Disk, compare: Callable[[str, str], Awaitable[None]]
    ) -> None:
        """`compare` is given a text before and after what an import brings, to know rejected facts in it by their
        meaning."""
        self._importer = importer
        self._bus = bus
        self._disk = disk
        self._compare = compare

    async def preview(self, path: Path, progress: ImportProgress) -> ImportReport:
        """Returns what an import would bring. Raises StorageError where there is nothing that can be imported."""
        return await self._read(path, progress, self._importer.preview)

    async def run(self, path: Path, progress: ImportProgress) -> ImportReport:
        """Imports what is new. Raises StorageError, with nothing imported."""
        loop = asyncio.get_running_loop()

        async def compared(before: str, after: str) -> None:
            await self._compare(before, after)

        def compare(before: str, after: str) -> None:
            comparing = asyncio.run_coroutine_threadsafe(compared(before, after), loop)
            # Whoever stops the import waits for no model: what was not compared waits for review.
            while not (comparing.done() or progress.is_stopped):
                wait([comparing], _LOOKED_AT)

        try:
            return await self._read(path, progress, partial(self._importer.run, compare=compare))
        finally:
            await self._announce()

    def newest(self) -> str:
        """Returns the id of the newest import that was not taken back, "" where there is none. Blocks on the disk."""
        return next((each.id for each in self._importer.imports()), "")

    async def undo(self, import_id: str) -> ImportUndone:
        """Takes an import back. Raises StorageError."""
        try:
            return await asyncio.to_thread(self._importer.undo, import_id)
        finally:
            await self._announce()

    async def _read(self, path: Path, progress: ImportProgress, work: Callable[..., ImportResult]) -> ImportReport:
        def read() -> ImportReport:
            source = open_source(path)
            if source is None:
                sentence = f"“{path.name}” is no export and no store of an agent that can be read."
                raise StorageError(sentence, next_step="Choose the zip, or the folder that it was unpacked to.")
            with closing(source):
                return ImportReport(source.title, work(source, progress.note))

        try:
            return await asyncio.to_thread(read)
        finally:
            # Nobody waits for it any more: it does not go on by itself.
            progress.is_stopped = True

    async def _announce(self) -> None:
        self._bus.publish(SessionsChanged())
        self._bus.publish(SuggestionsChanged(len(await self._disk.run(self._importer.ledger.suggestions))))
