"""Writes a file that the person asked for, in any folder: atomically, readable by them alone, and over another file
only where they agreed to that."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.atomic import fsync_directory, storage_errors, temporary_path, write_all
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

_NO_LINKS: Final = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""The error numbers of file systems that give a file only one name."""


def write_new_file(
    path: Path, parts: Iterable[bytes], *, replaces: bool = False, calls: FileCalls = REAL_CALLS
) -> None:
    """Writes a file that only its owner may read. With `replaces` it may take the place of another one.

    Raises DiskFull or StorageError, also where something is there already; then nothing is changed.
    """
    with storage_errors(path, "write"):
        temporary = temporary_path(path)
        descriptor = calls.open(str(temporary), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            try:
                for part in parts:
                    write_all(descriptor, part, calls)
                calls.fsync(descriptor)
            finally:
                calls.close(descriptor)
            _put_in_place(temporary, path, replaces=replaces, calls=calls)
        except BaseException:
            with suppress(OSError):
                calls.unlink(str(temporary))
            raise
    fsync_directory(path.parent, calls=calls)


def _put_in_place(temporary: Path, path: Path, *, replaces: bool, calls: FileCalls) -> None:
    if replaces:
        calls.replace(str(temporary), str(path))
        return
    try:
        try:
            # A second name is only given where there is none yet; a rename would not ask.
            calls.link(str(temporary), str(path))
            calls.unlink(str(temporary))
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, "it is there already", str(path)) from error
            calls.replace(str(temporary), str(path))
    except FileExistsError as error:
        sentence = f"“{path.name}” is there already, so nothing was written."
        raise StorageError(sentence, next_step="Choose another name.") from error
