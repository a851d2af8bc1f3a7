"""Notes which files were looked through for lines that the person had forgotten, so that only what is new is looked at.

It holds no word of them: of a file its stamp, and of each of its pages a keyed hash. Losing it costs another look.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemoscope.store.files.atomic import encode_text, make_folder, replace_bytes, storage_errors
from mnemoscope.store.files.file_stamp import FileStamp


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """Describes a file as it was when it was looked through: its stamp, and the keyed hash of each page."""

    stamp: FileStamp
    pages: tuple[str, ...] = ()


@dataclass(slots=True)
class ScanCheckpoint:
    """Holds the files that were looked through, by path, for the lines of the keyed hashes `held`."""

    held: frozenset[str] = frozenset()
    files: dict[str, ScannedFile] = field(default_factory=dict)

    def look_for(self, held: frozenset[str]) -> None:
        """Has lines looked for: where one is among them that was not before, no file counts as looked through."""
        if not held <= self.held:
            self.files.clear()
        self.held = held


def read_scan_checkpoint(path: Path) -> ScanCheckpoint:
    """Returns what the file notes; nothing where it cannot be read."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        document = json.loads(path.read_bytes())
        return ScanCheckpoint(
            frozenset(map(str, document["held"])), {str(name): _file(each) for name, each in document["files"].items()}
        )
    return ScanCheckpoint()


def write_scan_checkpoint(path: Path, looked: ScanCheckpoint) -> None:
    """Keeps in `path` what was looked at. Raises StorageError."""
    files = {name: [*each.stamp, list(each.pages)] for name, each in looked.files.items()}
    document = {"held": sorted(looked.held), "files": files}
    make_folder(path.parent)
    with storage_errors(path, "write"):
        replace_bytes(path, encode_text(json.dumps(document)))


def _file(record: Any) -> ScannedFile:
    inode, size, modified, pages = record
    return ScannedFile(FileStamp(int(inode), int(size), int(modified)), tuple(map(str, pages)))
