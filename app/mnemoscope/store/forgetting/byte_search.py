"""Searches files for words byte by byte, whatever they hold: the proof that a forgetting is judged by.

It reads UTF-8, and what is in a code as `ForgottenText` does. What is packed or compressed is read by whoever knows the
form (`places`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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


def count_in_file(path: Path, what: ForgottenText, searched: SearchedFiles | None = None) -> int:
    """Returns how often the words stand in the bytes of a file, 0 for one that is gone. Raises OSError."""
    count, rest = 0, b""
    loosely = _DATABASE in path.name
    with suppress(FileNotFoundError), path.open("rb") as file:
        while block := file.read(_BLOCK):
            if searched is not None:
                searched.bytes += len(block)
            count += _count(rest + block, what, loosely) - (_count(rest, what, loosely) if rest else 0)
            rest = (rest + block)[-_OVERLAP:]
        if searched is not None:
            searched.files += 1
    return count


def _count(data: bytes, what: ForgottenText, loosely: bool) -> int:
    return what.count(data.decode("utf-8", "replace"), loosely=loosely)
