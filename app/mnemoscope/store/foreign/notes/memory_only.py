"""Some stores keep memory files and no conversations. This is what these have in common; they do not tell who wrote."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemoryFile, ForeignRecord, MemoryEdit
from mnemoscope.domain.foreign.foreign_store import ForeignTranscript
from mnemoscope.store.foreign.reading.store_files import StoreFiles


class MemoryOnlyStore(ABC):
    """Reads a store without conversations. A format says what it is called."""

    format_name = ""

    def __init__(self, root: Path, private: Path | None = None) -> None:
        """`private` is not needed: no database is read."""
        self._files = StoreFiles(root)

    @property
    def root(self) -> Path:
        """Returns the folder of the store."""
        return self._files.root

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns nothing: there are none."""
        return ()

    def open(self, conversation: str) -> ForeignTranscript:
        """Raises StorageError: there is no conversation."""
        raise StorageError("This conversation is not here any more.", next_step="", id=conversation)

    def newest(self, conversation: str, count: int) -> Sequence[ForeignRecord]:
        """Raises StorageError: there is no conversation."""
        raise StorageError("This conversation is not here any more.", next_step="", id=conversation)

    @abstractmethod
    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files, those that are loaded first."""

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Yields nothing: no call is noted."""
        return iter(())

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read."""
        return list(dict.fromkeys(self._files.problems))

    def close(self) -> None:
        """Forgets what could not be read; no file stays open."""
        self._files.problems.clear()
