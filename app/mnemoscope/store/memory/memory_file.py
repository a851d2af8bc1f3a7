"""MEMORY.md, which the person, other programs and consolidation write: each states the digest of what it read.

What someone wrote in the very moment between reading and writing is found by `compare_and_swap` and merged back in.
MEMORY.md lies in memory/, as two-layer programs have it, or in the root, as qanot 2.0 has it (`move_to_root`).
"""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.domain.merge.three_way import merge_memory
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import digest_of, make_directory, move_file, read_stable, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import Unmergeable, replace_if_unchanged, separate_file
from mnemoscope.store.files.text_encoding import decoded_text, in_style, is_crlf
from mnemoscope.store.workspace.paths import MEMORY_NAME, WorkspacePaths

log = logging.getLogger(__name__)
MAX_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class MemoryText:
    """Holds what the file says. `text`: without BOM, line ends `\\n` where the file has CRLF throughout.

    `digest`: SHA-256 of the bytes, "" where there is no file.
    """

    text: str
    digest: str
    exists: bool


class MemoryMoved(StorageError):
    """The file has another text than the one a change was based on; nothing was written."""

    next_step = "Merge with the new text, then save again."

    def __init__(self, name: str, current: MemoryText) -> None:
        super().__init__(f"{name} was changed in the meantime.", digest=current.digest)
        self.current = current


class MemoryFile:
    """Reads MEMORY.md, and replaces it by compare-and-swap. The disk thread owns it: two may not use it at once."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.path = path
        self._calls = calls

    def read(self) -> MemoryText:
        """Returns the present text. Raises UnreadableFile for a folder, refused access, no UTF-8, or more than 2 MB."""
        data = self.read_bytes()
        return MemoryText("", "", False) if data is None else _decoded(data, self.path.name)

    def read_bytes(self) -> bytes | None:
        """Returns the present bytes, None where there is no file. Raises UnreadableFile."""
        with storage_errors(self.path, "read"), suppress(FileNotFoundError):
            size = self.path.stat().st_size
            if size > MAX_BYTES:
                raise UnreadableFile(
                    f"{self.path.name} has {size / 1e6:.1f} MB; up to {MAX_BYTES / 1e6:.0f} MB can be used as memory.",
                    next_step="Move what is not needed in every prompt to another file. Nothing was changed.",
                    path=str(self.path),
                )
        return read_stable(self.path)

    def write(self, text: str, *, based_on: str | None) -> MemoryText:
        """Replaces the text; `based_on` is the digest of what it was made from ("" for a missing file), None for any.

        Returns what the file then says: more than `text` only if someone wrote at the same instant. Raises MemoryMoved
        where the file moved on, FileShared, UnreadableFile, DiskFull or StorageError.
        """
        before = self.read_bytes()
        current = MemoryText("", "", False) if before is None else _decoded(before, self.path.name)
        if based_on is not None and current.digest != based_on:
            raise MemoryMoved(self.path.name, current)
        data = in_style(text, before)
        if data == before:
            fsync_file(self.path, calls=self._calls)
            return current
        make_directory(self.path.parent, calls=self._calls)
        with storage_errors(self.path, "write"):
            try:
                data = replace_if_unchanged(self.path, data, before, self._merged, calls=self._calls)
            except FileNotFoundError:
                if before is None:
                    raise
                # Removed in this very moment, maybe to be written anew.
                raise MemoryMoved(self.path.name, self.read()) from None
        return _decoded(data, self.path.name)

    def separate(self) -> None:
        """Gives MEMORY.md a file of its own; its other names keep what it says now. Raises StorageError."""
        separate_file(self.path, calls=self._calls)

    def _merged(self, base: bytes | None, theirs: bytes, mine: bytes) -> bytes:
        """Returns what another program wrote in the moment of the exchange, with what was to be written."""
        name = self.path.name
        try:
            outside = _decoded(theirs, name).text
        except UnreadableFile:
            raise Unmergeable from None
        known = _decoded(base, name).text if base is not None else None
        return in_style(merge_memory(known, outside, _decoded(mine, name).text).text, theirs)


def _decoded(data: bytes, name: str) -> MemoryText:
    text = decoded_text(data, name)
    if is_crlf(data):
        text = text.replace("\r\n", "\n")
    return MemoryText(text, digest_of(data), True)


def move_to_root(paths: WorkspacePaths, *, calls: FileCalls = REAL_CALLS) -> bool:
    """Moves MEMORY.md into the root, where programs of three tiers look for it; False where it stays.

    It stays where a history log tells of a program that looks for it in memory/, where something is unfinished or has
    its name already, and where the disk refuses: it is read in either place.
    """
    source, target = paths.memory_dir / MEMORY_NAME, paths.root / MEMORY_NAME
    taken = (paths.history_file, paths.history_jsonl, paths.own.intent_file, target)
    if any(map(os.path.lexists, taken)) or not _is_plain(source):
        return False
    try:
        move_file(source, target, calls=calls)
    except StorageError as error:
        log.warning("MEMORY.md could not be moved safely: %s", error)
    return os.path.lexists(target)


def _is_plain(path: Path) -> bool:
    """Returns whether it is a file under this one name: links of any kind are the person's arrangement."""
    with suppress(OSError):
        status = path.lstat()
        return stat.S_ISREG(status.st_mode) and status.st_nlink == 1
    return False
