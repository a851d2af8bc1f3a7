"""MEMORY.md, which the person, other programs and consolidation all write: whoever writes states the version it read.

Where the system can exchange two files in one step, the text that is displaced is looked at after the fact; if someone
wrote it in the very moment between reading and writing, it is merged back in. So no outside edit is ever lost.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError, UnreadableFile
from mnemoscope.domain.merge import merge_memory
from mnemoscope.store.atomic import (
    digest,
    encode_text,
    fsync_directory,
    fsync_file,
    make_directory,
    read_stable,
    real_path,
    storage_errors,
    write_beside,
)
from mnemoscope.store.calls import REAL_CALLS, FileCalls

MAX_BYTES: Final = 2_000_000
_BOM: Final = b"\xef\xbb\xbf"
_SWAP_TRIES: Final = 50
_QUIET_SECONDS: Final = 0.25


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
        Raises MemoryMoved where the file moved on, UnreadableFile, DiskFull or StorageError.
        """
        before = self.read_bytes()
        current = MemoryText("", "", False) if before is None else _decoded(before, self.path.name)
        if based_on is not None and current.version != based_on:
            raise MemoryMoved(current)
        data = _in_style(text, before)
        if data == before:
            fsync_file(self.path, calls=self._calls)
            return current
        make_directory(self.path.parent, calls=self._calls)
        with storage_errors(self.path, "write"):
            data = self._swap_in(data, before)
        return _decoded(data, self.path.name)

    def _swap_in(self, data: bytes, expected: bytes | None) -> bytes:
        target = real_path(self.path)
        for _ in range(_SWAP_TRIES):
            temporary = write_beside(target, data, token=digest(data)[:16], calls=self._calls)
            displaced = self._exchange(temporary, target)
            fsync_directory(target.parent, calls=self._calls)
            if displaced is None or displaced == expected:
                self._drop(temporary)
                return data
            data, expected = self._with_displaced(expected, temporary, data), data
            self._drop(temporary)
        raise StorageError("MEMORY.md is being changed by another program without a pause.", path=str(target))

    def _exchange(self, temporary: Path, target: Path) -> bytes | None:
        """Put the temporary file in place; returns what it displaced, None where that cannot be known."""
        try:
            if self._calls.exchange(str(temporary), str(target)):
                return temporary.read_bytes()
        except FileNotFoundError:
            # There is no file to displace.
            pass
        self._calls.replace(str(temporary), str(target))
        return None

    def _with_displaced(self, base: bytes | None, displaced: Path, mine: bytes) -> bytes:
        """Merge what another program wrote in the moment of the exchange with what was to be written."""
        theirs = _when_quiet(displaced)
        name = self.path.name
        try:
            outside = _decoded(theirs, name).text
        except UnreadableFile:
            kept = displaced.with_name(f"{self.path.name}.{digest(theirs)[:8]}.kept")
            self._calls.replace(str(displaced), str(kept))
            return mine
        known = _decoded(base, name).text if base is not None else None
        return _in_style(merge_memory(known, outside, _decoded(mine, name).text).text, theirs)

    def _drop(self, temporary: Path) -> None:
        with suppress(FileNotFoundError):
            self._calls.unlink(str(temporary))


def _when_quiet(path: Path) -> bytes:
    """Another program may still hold the displaced file open and be writing: wait until it rests."""
    while 0 <= time.time() - path.stat().st_mtime < _QUIET_SECONDS:
        time.sleep(_QUIET_SECONDS / 5)
    return read_stable(path) or b""


def _decoded(data: bytes, name: str) -> MemoryText:
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"{name} is not UTF-8 text (byte {error.start:,} cannot be read).",
            next_step="It was left as it is. Save it as UTF-8, then try again.",
        ) from error
    if _is_crlf(data):
        text = text.replace("\r\n", "\n")
    return MemoryText(text, digest(data), True)


def _in_style(text: str, before: bytes | None) -> bytes:
    """The text as bytes with the file's own BOM and line ends."""
    data = encode_text(text)
    if before is None:
        return data
    if _is_crlf(before):
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return _BOM + data if before.startswith(_BOM) and not data.startswith(_BOM) else data


def _is_crlf(data: bytes) -> bool:
    lines = data.count(b"\n")
    return lines > 0 and data.count(b"\r\n") == lines


def own_temporary(path: Path, name: str = "MEMORY.md") -> bool:
    """Whether a file is one of ours on its way to becoming `name`."""
    return path.name.startswith(f".{name}.") and os.path.splitext(path.name)[1] == ".mnemo-tmp"
