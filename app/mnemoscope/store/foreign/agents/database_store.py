"""Some stores keep conversations in databases. This is what these have in common."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemoryFile
from mnemoscope.store.foreign.reading.sqlite_copy import SqliteCopies


class DatabaseStore(ABC):
    """Reads the databases of a store from private copies; it tells what the last readings could not read."""

    def __init__(self, root: Path, private: Path | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`private` is the folder for copies, and `clock`, in seconds, tells when to copy a database again."""
        self.root = root
        self._copies = SqliteCopies(private, clock=clock)
        self._problems: dict[Literal["conversations", "memory"], list[str]] = {}
        """The sentences of `problems`, by what was read when they were found."""

    @abstractmethod
    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns what conversations there are, newest first, and sets anew what could not be read of them."""

    @abstractmethod
    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files, and sets anew what could not be read of them."""

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read."""
        if "conversations" not in self._problems:
            self.conversations()
        if "memory" not in self._problems:
            self.memory_files()
        return [*self._problems["conversations"], *self._problems["memory"]]

    def close(self) -> None:
        """Removes the private copies."""
        self._copies.close()
