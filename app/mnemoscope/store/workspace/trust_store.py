"""Keeps what the person agreed to of a folder, outside the folder: one small file a folder, readable by them alone.

A record counts only as it was written: for this path, device and inode, with its fingerprint, in a regular file that
belongs to this person and that nobody else may write. Whatever else is there, the person is asked again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from mnemoscope.domain.trust import FolderIdentity, Terms
from mnemoscope.store.files.atomic import (
    TEMPORARY_SUFFIX,
    fsync_directory,
    make_directory,
    read_at_most,
    storage_errors,
    temporary_path,
    write_all,
)
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls
from mnemoscope.store.files.file_lock import try_lock

log = logging.getLogger(__name__)

SIZE_LIMIT: Final = 1_000_000
"""Bytes of the largest record that is read."""
_FORMAT: Final = 1


def identity_of(root: Path) -> FolderIdentity:
    """Returns which folder this is, now. Raises OSError where it is gone."""
    real = os.path.realpath(root)
    status = os.stat(real)
    return FolderIdentity(os.fsencode(real).decode("utf-8", "backslashreplace"), status.st_dev, status.st_ino)


class TrustStore:
    """Keeps the records in one folder of the person's; without a folder they are known until the program ends."""

    def __init__(self, folder: Path | None = None, *, calls: FileCalls = REAL_CALLS) -> None:
        self._folder = folder
        self._calls = calls
        self._known: dict[FolderIdentity, Terms] = {}

    def load(self, identity: FolderIdentity) -> Terms | None:
        """Returns what was agreed to of this very folder, or None. Never raises."""
        if self._folder is None:
            return self._known.get(identity)
        path = self._path(identity)
        try:
            return _read(path, identity)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
            log.warning("what was agreed to of a folder is not used, it is asked about again: %s: %s", path.name, error)
            return None

    def save(self, identity: FolderIdentity, terms: Terms) -> None:
        """Keeps what was agreed to, whole or not at all. Raises StorageError."""
        if self._folder is None:
            self._known[identity] = terms
            return
        document = {
            "format": _FORMAT,
            "path": identity.path,
            "device": identity.device,
            "inode": identity.inode,
            "settings": dict(terms.settings),
            "files": dict(terms.files),
            "fingerprint": terms.fingerprint(identity),
        }
        path = self._path(identity)
        make_directory(self._folder, mode=0o700, calls=self._calls)
        with storage_errors(path, "write"), _writing(self._folder, lambda: self._clear_leftovers(path)):
            _replace(path, json.dumps(document, indent=1).encode("ascii") + b"\n", self._calls)
        fsync_directory(self._folder, calls=self._calls)

    def _clear_leftovers(self, path: Path) -> None:
        """Removes what a crash left of this record while it was written: nobody else is writing it now."""
        for each in path.parent.glob(f".{path.name}.*{TEMPORARY_SUFFIX}"):
            with suppress(OSError):
                self._calls.unlink(str(each))

    def _path(self, identity: FolderIdentity) -> Path:
        assert self._folder is not None
        return self._folder / f"{hashlib.sha256(identity.path.encode()).hexdigest()[:32]}.json"


def _replace(path: Path, data: bytes, calls: FileCalls) -> None:
    beside = temporary_path(path)
    descriptor = calls.open(str(beside), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            write_all(descriptor, data, calls)
            calls.fsync(descriptor)
        finally:
            calls.close(descriptor)
        calls.replace(str(beside), str(path))
    except OSError:
        with suppress(OSError):
            calls.unlink(str(beside))
        raise


def _read(path: Path, identity: FolderIdentity) -> Terms:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        # A folder of that name would be refused by fdopen without being closed.
        _refuse_foreign(os.fstat(descriptor))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = read_at_most(file, SIZE_LIMIT + 1)
    finally:
        os.close(descriptor)
    if len(data) > SIZE_LIMIT:
        raise ValueError("it is too large")
    document = json.loads(data)
    terms = Terms(_settings(document["settings"]), _files(document["files"]))
    said = FolderIdentity(document["path"], document["device"], document["inode"])
    if document["format"] != _FORMAT or said != identity:
        raise ValueError("it is about another folder")
    if document["fingerprint"] != terms.fingerprint(identity):
        raise ValueError("it is damaged")
    return terms


def _refuse_foreign(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is no file")
    if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        raise ValueError("another person may have written it")


def _settings(found: Any) -> Mapping[str, str | int | float | bool]:
    if not isinstance(found, dict) or not all(isinstance(value, str | int | float | bool) for value in found.values()):
        raise ValueError("its settings are not readable")
    return found


def _files(found: Any) -> Mapping[str, str]:
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError("its files are not readable")
    return found


if sys.platform == "win32":  # pragma: no cover - the other system's way

    @contextmanager
    def _writing(_folder: Path, _clear: Callable[[], None]) -> Iterator[None]:
        """Leaves what a crash left: another window may be writing it."""
        yield
else:
    import fcntl

    @contextmanager
    def _writing(folder: Path, clear: Callable[[], None]) -> Iterator[None]:
        """Has leftovers cleared unless another window is writing, and keeps others from clearing meanwhile."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            if try_lock(descriptor):
                clear()
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            yield
        finally:
            os.close(descriptor)
