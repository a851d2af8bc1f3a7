"""Bytes that could not be read, copied aside before anything else happens to them, with a note of where they were."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.store.files.atomic import digest_of, encode_text, make_directory, replace_bytes
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.display_names import path_within


@dataclass(frozen=True, slots=True)
class DamagedRecord:
    """Describes a damaged record of a session file. `line` counts from 1; `offset` and `length` are in bytes.

    `kept_in` is the copy of its bytes relative to the workspace, or "" where they are only in the session file.
    """

    line: int
    offset: int
    length: int
    reason: str
    kept_in: str


class Quarantine:
    """Keeps the folder for such bytes; the same bytes from the same place are kept once."""

    def __init__(self, root: Path, folder: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self._root = root
        self._folder = folder
        self._calls = calls

    def keep(self, source: Path, line: int, offset: int, data: bytes, reason: str) -> str:
        """Copies the bytes durably; returns where, relative to the workspace. Raises StorageError."""
        path = self._path(source, offset, data)
        if not path.exists():
            make_directory(self._folder, calls=self._calls)
            note = {
                "file": path_within(source, self._root),
                "line": line,
                "offset": offset,
                "length": len(data),
                "reason": f"The record {reason}.",
                "sha256": digest_of(data),
            }
            text = json.dumps(note, ensure_ascii=False, indent=2) + "\n"
            replace_bytes(path.with_suffix(".json"), encode_text(text), calls=self._calls)
            replace_bytes(path, data, calls=self._calls)
        return path.relative_to(self._root).as_posix()

    def _path(self, source: Path, offset: int, data: bytes) -> Path:
        return self._folder / f"{source.stem}.{offset}.{digest_of(data)[:12]}.bin"
