"""Texts that memory files had, by the SHA-256 of their bytes: the common base without which nothing can be merged.

Derived and bounded: delete the folder and merging falls back to what both sides share. A *text version* is such a text;
what git keeps is called a commit (`store/git`).
"""

from __future__ import annotations

import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import (
    digest_of,
    encode_text,
    fsync_directory,
    make_directory,
    replace_bytes,
    storage_errors,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.workspace.paths import WorkspacePaths

KEPT: Final = 500
_KEPT_BYTES: Final = 50_000_000
_NAME = re.compile(r"[0-9a-f]{64}\Z")
_LOOKED_AT: Final = 60
"""The newest texts, which are the ones merged with; reading all would cost the start of a workspace."""


class TextVersions:
    """Keeps texts in a folder, each under its digest, which is the SHA-256 of its bytes."""

    def __init__(self, folder: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.folder = folder
        self._calls = calls

    def keep(self, text: str, digest: str) -> None:
        """Keeps the text, whose digest this is, once. Raises DiskFull or StorageError."""
        path = self.folder / digest
        if _NAME.match(digest) and not path.exists():
            make_directory(self.folder, calls=self._calls)
            replace_bytes(path, encode_text(text), calls=self._calls)
            self._prune()

    def keep_text(self, text: str) -> str:
        """Keeps a text that was not written yet, such as a person's save; returns its own hash."""
        digest = digest_of(encode_text(text))
        self.keep(text, digest)
        return digest

    def text(self, digest: str | None) -> str | None:
        """Returns the text of this digest; "" for that of a missing file, None where it is not known any more."""
        if digest == "":
            return ""
        if digest is None or not _NAME.match(digest):
            return None
        with suppress(OSError, ValueError):
            return (self.folder / digest).read_bytes().decode("utf-8")
        return None

    def text_beginning(self, start: str) -> str | None:
        """Returns the text whose digest begins so; None for "" and for one that is not known."""
        with suppress(OSError):
            found = [path.name for path in self._files() if start and path.name.startswith(start)]
            return self.text(found[0]) if found else None
        return None

    def holds_prefix(self, data: bytes) -> bool:
        """Returns whether `data` is a known text or the beginning of one: a write of ours that a crash cut off."""
        if not data or (self.folder / digest_of(data)).exists():
            return True
        with suppress(OSError):
            return any(path.read_bytes().startswith(data) for path in self._files())
        return False

    def _files(self) -> list[Path]:
        found = [path for path in self.folder.iterdir() if _NAME.match(path.name)]
        return sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)

    def _prune(self) -> None:
        room = _KEPT_BYTES
        with suppress(OSError, StorageError):
            for number, path in enumerate(self._files()):
                room -= path.stat().st_size
                if number >= KEPT or (room < 0 and number):
                    self._calls.unlink(str(path))


def set_aside_damaged(paths: WorkspacePaths, calls: FileCalls = REAL_CALLS) -> int:
    """Moves what is no text version to the quarantine: the folder itself where it is none, else texts that are no text.

    Returns how many were moved. Raises StorageError; nothing is ever deleted.
    """
    folder = paths.own.text_versions_dir
    if not folder.is_symlink() and not folder.exists():
        return 0
    damaged = [folder] if not folder.is_dir() else [path for path in _newest(folder) if not _is_text(path)]
    for path in damaged:
        make_directory(paths.own.quarantine_dir, calls=calls)
        target = paths.own.quarantine_dir / f"{secrets.token_hex(4)}-version-{path.name[:16]}"
        with storage_errors(path, "write"):
            calls.replace(str(path), str(target))
    if damaged:
        fsync_directory(paths.own.quarantine_dir, calls=calls)
    return len(damaged)


def _newest(folder: Path) -> list[Path]:
    found: list[tuple[int, Path]] = []
    with suppress(OSError):
        # A temporary file is cleared away by whoever recovers.
        texts = (path for path in folder.iterdir() if not path.name.startswith("."))
        found.extend((path.lstat().st_mtime_ns, path) for path in texts)
    return [path for _, path in sorted(found, reverse=True)[:_LOOKED_AT]]


def _is_text(path: Path) -> bool:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        data = path.read_bytes()
        data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    # What a power cut left of a file that was never forced to the disk.
    return not data or data.strip(b"\x00") != b""
