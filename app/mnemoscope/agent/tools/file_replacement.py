"""Puts a file in place beneath a folder's descriptor, as compare-and-swap: what others wrote since is never lost.

Where the system can let two names change places in one step, the new text goes in, and what it displaced is looked at:
if that is not what was expected, or somebody still has it open, the two change places again and the write is refused.
Elsewhere the file is looked at once more right before the rename.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from mnemoscope.agent.tools.path_rules import shown
from mnemoscope.domain.errors import ToolError
from mnemoscope.store.files.calls import FileCalls

FILE_FLAGS: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class ChangedMeanwhile(ToolError):
    """Another program changed the file since it was looked at; nothing was written."""

    next_step = "Nothing was written. Read it again, then write."


def changed_meanwhile(path: str) -> ChangedMeanwhile:
    """Returns the refusal of a write."""
    return ChangedMeanwhile(f"“{shown(path)}” was changed meanwhile by another program.", path=path)


def digest_at(descriptor: int) -> str:
    """Returns what names exactly the bytes of an open file, from its beginning."""
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class FileReplacement:
    """Describes one file to be put in place; `expected` is the digest of what stands there, None for no file."""

    folder: int
    name: str
    path: str
    """As the model called it, for sentences."""
    expected: str | None
    calls: FileCalls

    def put(self, data: bytes, mode: int) -> None:
        """Writes the file durably. Raises ChangedMeanwhile with the file as others left it, or OSError."""
        temporary = f".mnemoscope-{secrets.token_hex(8)}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | FILE_FLAGS
        descriptor = os.open(temporary, flags, mode, dir_fd=self.folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                if self.expected is not None:
                    # What this program makes is for this person alone; a file that was there keeps its mode.
                    os.fchmod(file.fileno(), mode)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self._bring_in(temporary)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=self.folder)
        os.fsync(self.folder)

    def _bring_in(self, temporary: str) -> None:
        if self.expected is None:
            self._create(temporary)
        elif not self._exchange(temporary):
            self._rename(temporary)
        elif not self._displaced_what_was_expected(temporary):
            # Right back: for an instant the other program's file was not in its place.
            self._exchange(temporary)
            raise changed_meanwhile(self.path)

    def _create(self, temporary: str) -> None:
        try:
            os.link(temporary, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder, follow_symlinks=False)
        except FileExistsError as error:
            raise changed_meanwhile(self.path) from error
        except OSError:
            # A disk without hard links.
            self._rename(temporary)

    def _rename(self, temporary: str) -> None:
        if self._digest(self.name) != self.expected:
            raise changed_meanwhile(self.path)
        os.replace(temporary, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def _exchange(self, temporary: str) -> bool:
        """Lets two names change places; False if the system cannot, or if one of them is gone."""
        with suppress(FileNotFoundError):
            return self.calls.exchange(self._place(temporary), self._place(self.name))
        return False

    def _place(self, name: str) -> str:
        # Through the descriptor: no link on the way to the folder is followed.
        return f"/proc/self/fd/{self.folder}/{name}"

    def _displaced_what_was_expected(self, temporary: str) -> bool:
        try:
            is_open = self.calls.is_open_elsewhere(self._place(temporary))
            return not is_open and self._digest(temporary) == self.expected
        except OSError:
            return False

    def _digest(self, name: str) -> str | None:
        try:
            descriptor = os.open(name, os.O_RDONLY | FILE_FLAGS, dir_fd=self.folder)
        except FileNotFoundError:
            return None
        try:
            return digest_at(descriptor)
        finally:
            os.close(descriptor)
