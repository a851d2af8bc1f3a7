"""MEMORY.md, which the person, other programs and consolidation all write: whoever writes states the version it read.

What someone wrote in the very moment between reading and writing is found by `swap` and merged back in.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.domain.merge.three_way import merge_memory
from mnemoscope.store.files.append import fsync_file
from mnemoscope.store.files.atomic import digest, make_directory, read_stable, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.compare_and_swap import Unmergeable, replace_if_unchanged, separate_file
from mnemoscope.store.files.text_style import BOM, in_style, is_crlf

MAX_BYTES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class MemoryText:
    """What the file says. `text`: without BOM, line ends `\\n` where the file has CRLF throughout.

    `version`: SHA-256 of the bytes, "" where there is no file.
    """

    text: str
    version: str
    exists: bool


class MemoryMoved(StorageError):
    """The file has another text than the one a change was based on; nothing was written."""

    next_step = "Merge with the new text, then save again."

    def __init__(self, current: MemoryText) -> None:
        super().__init__("MEMORY.md was changed in the meantime.", version=current.version)
        self.current = current


class MemoryFile:
    """MEMORY.md with compare-and-swap. Not for use by two threads at once: the disk thread owns it."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.path = path
        self._calls = calls

    def read(self) -> MemoryText:
        """The present text. Raises UnreadableFile for a folder, refused access, no UTF-8, or more than 2 MB."""
        data = self.read_bytes()
        return MemoryText("", "", False) if data is None else _decoded(data, self.path.name)

    def read_bytes(self) -> bytes | None:
        """The present bytes, None where there is no file. Raises UnreadableFile."""
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
        """Replace the text; `based_on` is the version it was made from ("" for a missing file), None for any.

        Returns what the file then says: more than `text` only if someone wrote at the same instant.
        Raises MemoryMoved where the file moved on, FileShared, UnreadableFile, DiskFull or StorageError.
        """
        before = self.read_bytes()
        current = MemoryText("", "", False) if before is None else _decoded(before, self.path.name)
        if based_on is not None and current.version != based_on:
            raise MemoryMoved(current)
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
                raise MemoryMoved(self.read()) from None
        return _decoded(data, self.path.name)

    def separate(self) -> None:
        """Give MEMORY.md a file of its own; its other names keep what it says now. Raises StorageError."""
        with storage_errors(self.path, "write"):
            separate_file(self.path, calls=self._calls)

    def _merged(self, base: bytes | None, theirs: bytes, mine: bytes) -> bytes:
        """What another program wrote in the moment of the exchange, with what was to be written."""
        name = self.path.name
        try:
            outside = _decoded(theirs, name).text
        except UnreadableFile:
            raise Unmergeable from None
        known = _decoded(base, name).text if base is not None else None
        return in_style(merge_memory(known, outside, _decoded(mine, name).text).text, theirs)


def _decoded(data: bytes, name: str) -> MemoryText:
    try:
        text = data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"{name} is not UTF-8 text (byte {error.start:,} cannot be read).",
            next_step="It was left as it is. Save it as UTF-8, then try again.",
        ) from error
    if is_crlf(data):
        text = text.replace("\r\n", "\n")
    return MemoryText(text, digest(data), True)
