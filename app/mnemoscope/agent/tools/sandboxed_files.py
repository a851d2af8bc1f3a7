"""Files beneath one folder, reached from its descriptor and never through a symbolic link.

Resolving a path and opening it afterwards leaves a gap in which a link can be swapped in. Where the kernel has openat2
it resolves and opens in one step; elsewhere each component is opened relative to the descriptor of the one before, with
O_NOFOLLOW. Either way there is nothing left to swap.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemoscope.agent.tools.file_replacement import FILE_FLAGS, FileReplacement, changed_meanwhile, digest_at
from mnemoscope.agent.tools.openat2 import has_openat2, open_beneath
from mnemoscope.agent.tools.path_rules import (
    folder_components,
    is_hidden,
    path_components,
    refuse_writing,
    refused,
    shown,
)
from mnemoscope.domain.errors import DiskFull, ToolError
from mnemoscope.store.files.atomic import read_at_most
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls

_READ_LIMIT: Final = 8_000_000
"""Bytes of the largest file a tool reads."""
_LISTING_LIMIT: Final = 500
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LINK_RULE: Final = "it leads through a symbolic link"
_FILE_RULE: Final = "it is not a regular file"
_FOLDER_RULE: Final = "it leads through something that is not a folder"


@dataclass(frozen=True, slots=True)
class Listing:
    """Names in a folder, sorted; folders end with a slash. `more` were left out."""

    names: tuple[str, ...]
    more: int = 0


class SandboxedFiles:
    """Reads and writes the files of one workspace as tools may touch them. Every refusal is a PathRefused, every
    failure a ToolError.

    What other programs wrote since it was looked at is never overwritten: ChangedMeanwhile, which is a ToolError.

    `in_one_step`: whether openat2 resolves paths; None for wherever the kernel has it.
    """

    def __init__(self, root: Path, *, in_one_step: bool | None = None, calls: FileCalls = REAL_CALLS) -> None:
        self.root = root
        self._calls = calls
        self._in_one_step = has_openat2() if in_one_step is None else in_one_step
        self._identity: tuple[int, int] | None = None

    def read(self, path: str) -> bytes:
        """Returns the content of a regular file."""
        parts = path_components(path)
        with self._errors(path), self._folder(path, parts[:-1]) as folder:
            return self._read_in(folder, parts[-1], path)

    def write(self, path: str, data: bytes, *, seen: str | None = None) -> bool:
        """Replaces or creates a file whole, folders on the way included; returns whether it is new.

        `seen`: the digest of the text that the new one was made from; None where it was made without looking.
        """
        parts = path_components(path)
        refuse_writing(path, parts)
        with self._errors(path), self._folder(path, parts[:-1], create=True) as folder:
            mode, digest = self._look_at_writable(folder, parts[-1], path)
            if seen is not None and digest != seen:
                raise changed_meanwhile(path)
            FileReplacement(folder, parts[-1], path, digest, self._calls).put(data, mode)
            return digest is None

    def listing(self, path: str) -> Listing:
        """Returns what a folder holds, without what is protected."""
        parts = folder_components(path)
        with self._errors(path), self._folder(path, parts) as folder:
            names = sorted(_labels(folder, parts), key=str.casefold)
        return Listing(tuple(names[:_LISTING_LIMIT]), max(0, len(names) - _LISTING_LIMIT))

    @contextmanager
    def _folder(self, path: str, parts: tuple[str, ...], *, create: bool = False) -> Iterator[int]:
        root = self._open_root()
        try:
            folder = self._open_in_root(root, parts, path, create=create)
            try:
                yield folder
            finally:
                os.close(folder)
        finally:
            os.close(root)

    def _open_root(self) -> int:
        """Returns a descriptor of the workspace, the same folder as the first time."""
        root = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        status = os.fstat(root)
        identity = (status.st_dev, status.st_ino)
        self._identity = self._identity or identity
        if self._identity != identity:
            os.close(root)
            raise ToolError("The workspace's folder was moved, and another one is in its place; nothing was touched.")
        return root

    def _open_in_root(self, root: int, parts: tuple[str, ...], path: str, *, create: bool) -> int:
        if not self._in_one_step:
            return _walk(root, parts, path, create=create)
        try:
            return open_beneath(root, "/".join(parts) or ".", os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            if not create:
                raise
            return _walk(root, parts, path, create=True)
        except NotADirectoryError as error:
            raise refused(path, _FOLDER_RULE) from error

    def _read_in(self, folder: int, name: str, path: str) -> bytes:
        with _regular_file(folder, name, os.O_RDONLY, path) as (descriptor, status):
            if status.st_size > _READ_LIMIT:
                message = f"“{shown(path)}” is too large to read ({status.st_size:,} bytes; at most {_READ_LIMIT:,})."
                raise ToolError(message, path=path)
            with os.fdopen(os.dup(descriptor), "rb") as file:
                return read_at_most(file, _READ_LIMIT)

    def _look_at_writable(self, folder: int, name: str, path: str) -> tuple[int, str | None]:
        """Returns the mode a new text of the file is to have, and the digest of its bytes, None if there is no file."""
        try:
            with _regular_file(folder, name, os.O_RDWR, path) as (descriptor, status):
                if status.st_nlink > 1:
                    raise refused(path, "the file has other names (hard links), maybe outside the workspace")
                return stat.S_IMODE(status.st_mode), digest_at(descriptor)
        except FileNotFoundError:
            return 0o644, None

    @contextmanager
    def _errors(self, path: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise ToolError(f"There is no “{shown(path)}” in the workspace.", path=path) from error
        except OSError as error:
            raise _tool_error(error, path) from error


@contextmanager
def _regular_file(folder: int, name: str, access: int, path: str) -> Iterator[tuple[int, os.stat_result]]:
    try:
        descriptor = os.open(name, access | FILE_FLAGS, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ENXIO, errno.EISDIR, errno.ENODEV}:
            raise refused(path, _FILE_RULE) from error
        raise
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise refused(path, _FILE_RULE)
        yield descriptor, status
    finally:
        os.close(descriptor)


def _walk(root: int, parts: tuple[str, ...], path: str, *, create: bool) -> int:
    current = os.dup(root)
    for part in parts:
        try:
            inner = _open_folder(current, part, path, create=create)
        finally:
            os.close(current)
        current = inner
    return current


def _open_folder(parent: int, name: str, path: str, *, create: bool) -> int:
    if create:
        with suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=parent)
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=parent)
    except NotADirectoryError as error:
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            raise refused(path, _LINK_RULE) from error
        raise refused(path, f"“{shown(name)}” is not a folder") from error


def _labels(folder: int, parts: tuple[str, ...]) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if is_hidden((*parts, entry.name)):
                continue
            if entry.is_symlink():
                yield f"{entry.name} (symbolic link, not followed)"
            else:
                yield f"{entry.name}/" if entry.is_dir() else entry.name


def _tool_error(error: OSError, path: str) -> Exception:
    if error.errno in {errno.ELOOP, errno.EXDEV}:
        return refused(path, _LINK_RULE)
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return DiskFull(f"The disk is full; “{shown(path)}” was not written.", path=path)
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return ToolError(f"“{shown(path)}” may not be opened: {error.strerror}.", path=path)
    return ToolError(f"“{shown(path)}” could not be opened: {error.strerror}.", path=path)
