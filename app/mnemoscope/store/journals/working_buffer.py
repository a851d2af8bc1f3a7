"""The file of the working buffer: begun, added to, and reset, durably.

Its lines are those of domain/context/working_buffer.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from mnemoscope.domain.context.working_buffer import INACTIVE, WorkingBuffer, buffer_head, read_buffer
from mnemoscope.store.files.append import append_bytes, end_line
from mnemoscope.store.files.atomic import encode_text, make_folder, read_stable, replace_bytes, storage_errors
from mnemoscope.store.files.calls import REAL_CALLS, FileCalls


class BufferFile:
    """One workspace's working buffer."""

    def __init__(self, path: Path, *, calls: FileCalls = REAL_CALLS) -> None:
        self.path, self._calls = path, calls

    def read(self) -> WorkingBuffer:
        """Returns what it says; an empty one where there is none. Raises UnreadableFile."""
        data = read_stable(self.path)
        return read_buffer("" if data is None else data.rstrip(b"\0").decode("utf-8", "replace"))

    def add(self, entry: str, when: datetime, conversation: str) -> None:
        """Add an exchange; where the file serves no conversation yet, or another one, it is begun anew with it.

        Raises DiskFull or StorageError.
        """
        if not self.read().serves(conversation):
            make_folder(self.path.parent, calls=self._calls)
            replace_bytes(self.path, encode_text(buffer_head(when, conversation) + entry), calls=self._calls)
            return
        with storage_errors(self.path, "write"):
            before = end_line(self.path, calls=self._calls)
        append_bytes(self.path, encode_text(before + entry), calls=self._calls)

    def reset(self, when: datetime, conversation: str) -> None:
        """Empties the buffer but for its head, once it has served this conversation; another conversation's stays."""
        if self.read().serves(conversation):
            replace_bytes(self.path, encode_text(buffer_head(when, conversation, INACTIVE)), calls=self._calls)
