"""Looks through all that memory is made of for lines that the person had forgotten, whoever wrote them back, and asks.

Files that stand in prompts are asked about as they change (`external_changes`). Here are the others, of which there may
be thousands: notes of every day, history logs, skills. What was looked through is noted, so that only what is new is
looked at, in the background, in slices that no window waits for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.forgetting.forgotten_lines import words_after_head
from mnemoscope.domain.memory.file_registry import DREAM_FILES, file_of_page, is_paged, page_path
from mnemoscope.domain.text.characters import decoded
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.atomic import read_stable
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.files.file_stamp import FileStamp, stamp_of
from mnemoscope.store.forgetting.scan_checkpoint import (
    ScanCheckpoint,
    ScannedFile,
    read_scan_checkpoint,
    write_scan_checkpoint,
)
from mnemoscope.store.memory.log_page import page_count, page_of_bytes, text_of_page
from mnemoscope.store.memory.memory_file import MAX_BYTES
from mnemoscope.store.memory.tracked_files import tracked_paths, untracked_paths
from mnemoscope.store.workspace.paths import WorkspacePaths

log = logging.getLogger(__name__)
_AT_ONCE: Final = 40
"""Files that a look goes through before it returns; the others follow in the background."""
_KEPT_AFTER: Final = 200
"""Files after which it is noted how far a look came."""
_MOST_ASKED: Final = 100
"""So many questions about lines that came back wait at once; the next are asked once some are decided."""
_SLICE_SECONDS: Final = 0.002
"""So long lines are compared without a pause, which is twice as long."""
AskPerson = Callable[[str, bool], Awaitable[bool]]
"""Has what came back into a page or file be asked about, by its path, or what stayed there when it was forgotten; False
where that is to be tried again."""


@dataclass(frozen=True, slots=True)
class _Look:
    """Names what a look found to be done: the files that are not as they were looked through, the paths of files and
    pages about which something is asked already, the keyed hashes of what is looked for, and when something was
    forgotten last, in nanoseconds since 1970."""

    due: tuple[str, ...]
    waiting: frozenset[str]
    held: frozenset[str]
    forgotten_at: int


class ReturnedLines:
    """Looks through the files of one workspace, on the loop's thread but for what takes time."""

    def __init__(self, paths: WorkspacePaths, memory: MemoryStore, disk: Disk, ask: AskPerson) -> None:
        self._paths = paths
        self._memory = memory
        self._disk = disk
        self._ask = ask
        self._looked: ScanCheckpoint | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_due_again = False

    async def look(self) -> None:
        """Goes through what changed, the files that are read most at once and the others in the background. Raises
        MnemoscopeError."""
        if (found := await self._find()) is None:
            return
        await self._go_through(found, found.due[:_AT_ONCE])
        if found.due[_AT_ONCE:]:
            self.begin()
        elif found.due:
            await self._keep()

    def begin(self) -> None:
        """Goes through all that changed, in the background."""
        self._is_due_again = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._go_on())

    async def close(self) -> None:
        """Ends the look; what was not looked through is the next time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _go_on(self) -> None:
        while self._is_due_again:
            self._is_due_again = False
            try:
                if (found := await self._find()) is not None:
                    await self._go_through(found, found.due)
                    await self._keep()
            except MnemoscopeError as error:
                log.warning("not all files were looked through for what was forgotten: %s", error)

    async def _find(self) -> _Look | None:
        """Returns what is to be done; None while nothing is forgotten, or that cannot be told."""
        held = await self._disk.run(self._held)
        if not held:
            return None
        if self._looked is None:
            self._looked = await asyncio.to_thread(read_scan_checkpoint, self._paths.own.scan_checkpoint_file)
        looked = self._looked
        looked.look_for(held)
        waiting = frozenset(each.path for each in await self._disk.run(self._memory.ledger.suggestions))
        now = await asyncio.to_thread(self._stamps)
        for path in looked.files.keys() - now.keys():
            del looked.files[path]
            for page in waiting:
                if file_of_page(page) == path:
                    # What waits about a file that is gone, or has another name, is dropped.
                    await self._ask(page, False)
        due = (path for path, stamp in now.items() if path not in looked.files or looked.files[path].stamp != stamp)
        newest = await asyncio.to_thread(stamp_of, self._paths.own.tombstones_file)
        return _Look(tuple(due), waiting, held, newest.modified if newest is not None else 0)

    def _held(self) -> frozenset[str]:
        """Returns what is looked for; nothing while a forgetting is to take out more."""
        stones = self._memory.tombstones
        if not stones.count or stones.problem() or self._memory.forgettings.is_unfinished():
            return frozenset()
        return stones.held

    def _stamps(self) -> dict[str, FileStamp]:
        """Returns the files that can be looked through, those that stand in prompts first."""
        tracked = (path for path in tracked_paths(self._paths.root) if path not in DREAM_FILES)
        names = dict.fromkeys((*untracked_paths(self._paths), *tracked))
        stamps = ((path, stamp_of(self._paths.file(path))) for path in names)
        return {path: stamp for path, stamp in stamps if stamp is not None}

    async def _go_through(self, found: _Look, due: Iterable[str]) -> None:
        is_forgotten = await self._disk.run(partial(self._memory.tombstones.forgotten_now, apart=True))
        asked = sum(each.is_written_back for each in await self._disk.run(self._memory.ledger.suggestions))
        for number, path in enumerate(due, 1):
            if number % _KEPT_AFTER == 0:
                await self._keep()
            if asked >= _MOST_ASKED:
                log.info("more lines came back than are asked about at once")
                return
            with suppress(MnemoscopeError, OSError):
                asked += await self._go_through_file(path, found, is_forgotten)

    async def _go_through_file(self, path: str, found: _Look, is_forgotten: Callable[[str], bool]) -> int:
        """Asks about the pages of a file that are new; returns how many have lines that came back. Raises
        MnemoscopeError or OSError where it cannot be read."""
        looked = self._looked or ScanCheckpoint()
        file = self._paths.file(path)
        stamp = await asyncio.to_thread(stamp_of, file)
        if stamp is None:
            return 0
        known = looked.files.get(path)
        pages, count, is_done = [], 0, True
        if is_paged(path) or stamp.size <= MAX_BYTES:
            data = await asyncio.to_thread(read_stable, file) or b""
            for number in range(page_count(len(data)) if is_paged(path) else 1):
                raw = data[page_of_bytes(data, number)] if is_paged(path) else data
                name = await asyncio.to_thread(self._name_of, raw)
                pages.append(name)
                if known is not None and name in known.pages[number : number + 1]:
                    continue
                page = page_path(path, number)
                is_back = await asyncio.to_thread(_holds_forgotten, page, raw, is_forgotten)
                count += is_back
                if is_back or page in found.waiting:
                    is_done = await self._ask(page, stamp.modified < found.forgotten_at) and is_done
        # What was looked for meanwhile is another thing.
        if is_done and looked.held == found.held:
            looked.files[path] = ScannedFile(stamp, tuple(pages))
        return count

    def _name_of(self, raw: bytes) -> str:
        return self._memory.tombstones.name_of(f"page {raw.decode('latin-1')}")

    async def _keep(self) -> None:
        if self._looked is not None:
            await self._disk.run(write_scan_checkpoint, self._paths.own.scan_checkpoint_file, self._looked)


def _holds_forgotten(page: str, raw: bytes, is_forgotten: Callable[[str], bool]) -> bool:
    if b"\0" in raw:
        # No text, or one that no model is sent as it is.
        return False
    text = text_of_page(page, raw) if is_paged(file_of_page(page)) else decoded(raw)
    return says_forgotten(text, is_forgotten)


def says_forgotten(text: str, is_forgotten: Callable[[str], bool]) -> bool:
    """Returns whether a line says what was forgotten. It pauses between slices: a window needs the interpreter too."""
    began = time.perf_counter()
    for line in text.split("\n"):
        if line.strip() and is_forgotten(words_after_head(line)):
            return True
        if time.perf_counter() - began > _SLICE_SECONDS:
            time.sleep(2 * _SLICE_SECONDS)
            began = time.perf_counter()
    return False
