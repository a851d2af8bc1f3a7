"""The files of an export: a folder, a zip, or one of a set of zips that lie beside each other.

Nothing is unpacked to the disk: names in a zip are only names, so none leads anywhere. What unpacks to more than is
allowed is not read. Of a set (`conversations-000.zip`, `memories-000.zip`, `manifest.json` ...) all zips in the same
folder are read, except for `light_metadata-*.zip`, which holds personal data that nothing here needs.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from mnemoscope.store.files.atomic import open_to_read, storage_errors

_MOST_BYTES: Final = 2 << 30
"""Bytes of one file that are read at most, unpacked."""
_MOST_RATIO: Final = 400
"""Times that a file may be larger unpacked. Text of conversations is 3 to 20 times."""
_FREE: Final = 10_000_000
"""Bytes that a file may unpack to whatever the ratio."""
_MOST_NAMES: Final = 200_000
_PART: Final = re.compile(r"(conversations|projects|memories|design_chats|feedback)-\d+\.zip", re.IGNORECASE)
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, EOFError)
_UNREADABLE: Final = (*_DAMAGED, NotImplementedError, RuntimeError, ValueError, OSError)


class ExportFiles:
    """Reads the files of an export, by name, and their bytes. `problems` gathers a sentence for each that cannot be
    read; `unopened` holds those of zips of which nothing can be.

    Raises StorageError where there is no folder and no zip at the path.
    """

    def __init__(self, path: Path, *, most_bytes: int = _MOST_BYTES) -> None:
        self.path = path
        self.problems: list[str] = []
        self.unopened: list[str] = []
        self._most_bytes = most_bytes
        self._folder: Path | None = None
        self._zips: list[Path] = []
        self._members: dict[str, tuple[zipfile.ZipFile, zipfile.ZipInfo]] = {}
        with storage_errors(path, "read"):
            os.stat(path)
            if path.is_dir():
                self._folder = path
                self._zips = sorted(each for each in path.iterdir() if _PART.fullmatch(each.name))
            elif path.is_file() and path.suffix.lower() == ".json":
                self._folder = path.parent
            else:
                self._zips = _set_of(path)
        self._open_zips()

    def names(self) -> list[str]:
        """Returns the names of the files, with `/` between folders, sorted."""
        found = set(self._members)
        if self._folder is not None:
            found |= {each.relative_to(self._folder).as_posix() for each in _plain_files(self._folder)}
        return sorted(found)

    def matching(self, pattern: str) -> list[str]:
        """Returns the names whose last part, or whole, matches a regular expression, whatever the case."""
        wanted = re.compile(pattern, re.IGNORECASE)
        return [name for name in self.names() if wanted.fullmatch(name) or wanted.fullmatch(name.rpartition("/")[2])]

    def read(self, name: str) -> bytes:
        """Returns the bytes of a file, empty where it cannot be read, which `problems` then says."""
        try:
            if name in self._members:
                return self._unpacked(*self._members[name])
            with open_to_read(self._here() / name) as file:
                data = file.read(self._most_bytes + 1)
        except _DAMAGED:
            self._note_problem(name, "it is damaged in the zip")
            return b""
        except _UNREADABLE as error:
            self._note_problem(name, str(error))
            return b""
        return self._bounded(name, data)

    def close(self) -> None:
        """Closes the zips."""
        for archive in {id(each): each for each, _ in self._members.values()}.values():
            archive.close()
        self._members = {}

    def _here(self) -> Path:
        return self._folder if self._folder is not None else self.path.parent

    def _unpacked(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
        if info.file_size > max(_FREE, _MOST_RATIO * info.compress_size):
            self._note_problem(info.filename, "it would unpack to far more than it can hold")
            return b""
        if info.file_size > self._most_bytes:
            return self._bounded(info.filename, b"", info.file_size)
        with archive.open(info) as file:
            return self._bounded(info.filename, file.read(self._most_bytes + 1))

    def _bounded(self, name: str, data: bytes, size: int = 0) -> bytes:
        if max(len(data), size) <= self._most_bytes:
            return data
        self._note_problem(name, f"it has more than {self._most_bytes:,} bytes")
        return b""

    def _note_problem(self, name: str, why: str) -> None:
        sentence = f"“{name}” could not be read: {why}."
        if sentence not in self.problems:
            self.problems.append(sentence)

    def _open_zips(self) -> None:
        for path in self._zips:
            try:
                archive = zipfile.ZipFile(path)
            except _UNREADABLE as error:
                if isinstance(error, _DAMAGED) and not _begins_as_a_zip(path):
                    self._note_problem(path.name, "it is no zip")
                    continue
                self._note_problem(
                    path.name, "the zip is cut off or damaged" if isinstance(error, _DAMAGED) else str(error)
                )
                self.unopened.append(self.problems[-1])
                continue
            for info in archive.infolist()[:_MOST_NAMES]:
                name = info.filename
                if not info.is_dir():
                    # Two parts of a set may hold files of one name.
                    self._members[name if name not in self._members else f"{path.stem}/{name}"] = (archive, info)
            if not archive.infolist():
                archive.close()


def _begins_as_a_zip(path: Path) -> bool:
    with suppress(OSError), open_to_read(path) as file:
        return file.read(2) == b"PK"
    return False


def _set_of(path: Path) -> list[Path]:
    """Returns a zip and, where it is one of a set, the others of it."""
    if not _PART.fullmatch(path.name):
        return [path]
    return sorted(each for each in path.parent.iterdir() if _PART.fullmatch(each.name))


def _plain_files(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        for each in islice(sorted(folder.rglob("*")), _MOST_NAMES):
            if each.is_file() and not each.is_symlink():
                yield each
