"""Copies a fact to another agent's memory file, and tells which agents hold the same fact, on a thread of its own.

This is the only user of the port that writes to another agent's store; the window's dialog is the only user of this.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from mnemoscope.domain.copying.fact_target import FactCopy, FactForm, FactTarget, fact_targets
from mnemoscope.domain.copying.held_facts import HeldFacts
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile
from mnemoscope.domain.review.prompt_injection import is_prompt_injection
from mnemoscope.domain.secrets.detection import find_secrets
from mnemoscope.domain.secrets.stated_passwords import states_a_password
from mnemoscope.domain.text.diff import DiffLine, diff_lines
from mnemoscope.store.copying.fact_files import FactFiles
from mnemoscope.store.foreign.reading.store_files import StoreFiles
from mnemoscope.store.foreign.store_formats import open_store, title_of_format, usual_stores

Result = TypeVar("Result")
_FRESH: Final = 10.0
"""Seconds for which what the agents hold is not looked up again."""
_PEERS: Final[Sequence[tuple[str, str, str, str]]] = (
    ("nanobot", "nanobot", ".nanobot/workspace", "memory/MEMORY.md"),
    ("qanot", "Qanot", ".qanot/workspace", "MEMORY.md"),
)
"""Programs whose folders are workspaces, which are opened as such: format, title, usual place, memory file."""


@dataclass(frozen=True, slots=True)
class AgreedPlaces:
    """Names the places where the person lets the window look: at the usual places below a home folder (`looks`), and in
    folders of their choice."""

    home: Path
    environment: Mapping[str, str]
    looks: bool = False
    folders: tuple[Path, ...] = ()

    @property
    def is_any(self) -> bool:
        """Returns whether there is one."""
        return self.looks or bool(self.folders)


@dataclass(frozen=True, slots=True)
class FoundAgents:
    """Holds the memory files that take facts, and what all memory files state."""

    targets: tuple[FactTarget, ...] = ()
    held: HeldFacts = field(default_factory=HeldFacts)


@dataclass(frozen=True, slots=True)
class ShownCopy:
    """Describes a copy as it is shown: the lines that differ, and what the person is warned of."""

    copy: FactCopy
    rows: tuple[DiffLine, ...] = ()
    has_secret: bool = False
    reads_like_instructions: bool = False


class FactCopying:
    """Copies facts to other agents. Each method may be called on the loop; none blocks it. Nothing is looked at but the
    places it is given."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`, in seconds, tells when to look again."""
        self._writer = FactFiles()
        self._clock = clock
        self._thread: ThreadPoolExecutor | None = ThreadPoolExecutor(1, "copied-facts")
        self._found: tuple[float, AgreedPlaces, FoundAgents] | None = None

    async def found(self, places: AgreedPlaces, *, anew: bool = False) -> FoundAgents:
        """Returns what the agents in these places remember and where they take facts, at most ten seconds old."""

        def look() -> FoundAgents:
            known = self._found
            if known is None or anew or known[1] != places or self._clock() - known[0] > _FRESH:
                known = self._found = self._clock(), places, _agents_in(places)
            return known[2]

        return await self._run(look)

    async def look(self, target: FactTarget, fact: str, held: HeldFacts) -> ShownCopy:
        """Returns what a copy would change. Raises StorageError."""

        def look() -> ShownCopy:
            copy = self._writer.look(target, fact)
            if target.form is FactForm.NOTE:
                # A note is a new file each time: what the agent holds already says the others.
                is_held = any(each.root == target.root for each in held.holders_of(copy.fact))
                copy = replace(copy, is_held=copy.is_held or is_held)
            return ShownCopy(
                copy,
                diff_lines(copy.text_before, copy.text_after),
                has_secret=bool(find_secrets(copy.fact)) or states_a_password(copy.fact),
                reads_like_instructions=is_prompt_injection(copy.fact),
            )

        return await self._run(look)

    async def write(self, copy: FactCopy) -> None:
        """Writes a copy that was looked at. Raises StorageError."""
        await self._run(lambda: self._writer.write(copy))
        self._found = None

    async def undo(self, copy: FactCopy) -> None:
        """Takes a copy out again. Raises StorageError where the file is not as it was left."""
        await self._run(lambda: self._writer.undo(copy))
        self._found = None

    def close(self) -> None:
        """Ends the thread behind what it does; a second call does nothing."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.shutdown(wait=False)

    async def _run(self, work: Callable[[], Result]) -> Result:
        if self._thread is None:
            raise StorageError("The other agents are not looked at any more.")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _agents_in(places: AgreedPlaces) -> FoundAgents:
    roots = [root for _, root in usual_stores(places.home, places.environment)] if places.looks else []
    targets: list[FactTarget] = []
    held = HeldFacts()

    def add(name: str, title: str, root: Path, files: Sequence[ForeignMemoryFile]) -> None:
        targets.extend(fact_targets(name, title, root, files))
        held.add(name, title, root, files)

    seen: set[Path] = set()
    for path in [*roots, *places.folders]:
        store = open_store(path)
        if store is None:
            add(*_peer_at(path))
        elif store.root not in seen:
            with closing(store):
                seen.add(store.root)
                name = store.format_name
                add(name, title_of_format(name), store.root, store.memory_files())
    for name, title, place, memory in _PEERS if places.looks else ():
        root = places.home / place
        add(name, title, root, _memory_at(root, memory))
    return FoundAgents(tuple(targets), held)


def _peer_at(folder: Path) -> tuple[str, str, Path, Sequence[ForeignMemoryFile]]:
    """Returns the workspace of nanobot or Qanot in a folder; without memory files where there is none."""
    for name, title, _, memory in _PEERS:
        if files := _memory_at(folder, memory):
            return name, title, folder, files
    return "", "", folder, ()


def _memory_at(root: Path, path: str) -> Sequence[ForeignMemoryFile]:
    text = StoreFiles(root).text(path)
    return () if text is None else (ForeignMemoryFile(path, "memory", text, 0, len(text)),)
