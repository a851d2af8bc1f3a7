"""Searches files for words byte by byte, whatever they hold: the proof that a forgetting is judged by.

It reads UTF-8, what is in a code as `ForgottenText` does, and what is compressed as far as `compressed_streams`
unpacks it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from mnemoscope.domain.forgetting.compressed_streams import (
    LONGEST_BEGINNING,
    LONGEST_HEAD,
    PIECE,
    UnpackingBounds,
    beginnings,
    is_closed,
    unpacked_stream,
)
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText

_BLOCK: Final = 4_000_000
_OVERLAP: Final = 64_000
"""Bytes of a block that the next one begins with, so that words between two are found."""
_DATABASE: Final = ".db"
"""Names of files of SQLite have it."""


@dataclass(slots=True)
class SearchedFiles:
    """Counts the files that a search read, and their bytes."""

    files: int = 0
    bytes: int = 0


def files_below(folder: Path) -> Iterator[Path]:
    """Yields the plain files below a folder, by name; links are not followed."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent) / name
            with suppress(OSError):
                if stat.S_ISREG(path.lstat().st_mode):
                    yield path


def count_in_file(
    path: Path, what: ForgottenText, searched: SearchedFiles | None = None, *, unpack: bool = True
) -> int:
    """Returns how often the words stand in the bytes of a file, 0 for one that is gone; a compressed stream that has
    them counts once. Without `unpack` what is compressed is passed over. Raises OSError."""
    count, place, rest = 0, 0, b""
    loosely = _DATABASE in path.name
    packed: set[int] = set()
    with suppress(FileNotFoundError), path.open("rb") as file:
        while block := file.read(_BLOCK):
            if searched is not None:
                searched.bytes += len(block)
            count += _count(rest + block, what, loosely) - (_count(rest, what, loosely) if rest else 0)
            tail = rest[-LONGEST_BEGINNING:]
            packed.update(place - len(tail) + each for each in beginnings(tail + block))
            place += len(block)
            rest = (rest + block)[-_OVERLAP:]
        if unpack:
            count += _count_packed(file, sorted(packed), what)
        if searched is not None:
            searched.files += 1
    return count


def is_closed_file(path: Path) -> bool:
    """Returns whether a file is packed or encrypted in a way that the search cannot look into. Raises OSError."""
    with path.open("rb") as file:
        return is_closed(file.read(LONGEST_HEAD))


def _count_packed(file: BinaryIO, places: Iterable[int], what: ForgottenText) -> int:
    """Returns how many compressed streams of a file have the words."""
    bounds = UnpackingBounds()
    count = end = 0
    for place in places:
        if place >= end:
            file.seek(place)
            data, size = unpacked_stream(iter(lambda: file.read(PIECE), b""), bounds)
            end = place + size
            count += bool(data) and what.stands_in(data, bounds)
    return count


def _count(data: bytes, what: ForgottenText, loosely: bool) -> int:
    return what.count(data.decode("utf-8", "replace"), loosely=loosely)
