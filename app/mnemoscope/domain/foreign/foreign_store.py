"""The port to a store of another agent. A format is one module of `store.foreign` that implements it.

Nothing of it writes to the store. What a store holds may change while it is read: each method reads anew, and what a
`ForeignTranscript` tells is of one moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from mnemoscope.domain.cancellation import GoesOn, to_the_end
from mnemoscope.domain.foreign.foreign_records import (
    ForeignConversation,
    ForeignMemoryFile,
    ForeignRecord,
    MemoryCommit,
    MemoryEdit,
    TranscriptShape,
)


class ForeignTranscript(Protocol):
    """Holds one conversation, read once. Its records are decoded when they are asked for."""

    @property
    def shape(self) -> TranscriptShape:
        """Returns the active path, branches, compactions and damage."""

    def record(self, place: int) -> ForeignRecord:
        """Returns one record. A record that cannot be read any more is damaged; raises IndexError beyond the last."""

    def path_to(self, place: int) -> Sequence[int]:
        """Returns the places of the messages from the first one to the one at a place, of whatever branch: each as
        `TranscriptShape.active` names it, under its first record."""

    def close(self) -> None:
        """Closes what is open. A second call does nothing."""


class ForeignStore(Protocol):
    """Reads the store of one agent, and writes nothing."""

    @property
    def format_name(self) -> str:
        """Returns the name of the format on the command line."""

    @property
    def root(self) -> Path:
        """Returns the folder of the store."""

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns what conversations there are, newest first. It reads no transcript whole."""

    def open(self, conversation: str) -> ForeignTranscript:
        """Returns a conversation by its id. Raises StorageError where it is gone or cannot be read at all."""

    def newest(self, conversation: str, count: int) -> Sequence[ForeignRecord]:
        """Returns the newest messages of the active path, oldest first, without reading all of the transcript: at least
        `count` where there are so many in its last bytes, to be shown until `open` is done."""

    def memory_files(self) -> Sequence[ForeignMemoryFile]:
        """Returns the memory files, those that are loaded first. A file that cannot be read stands in `problems`."""

    def edits(self, goes_on: GoesOn = to_the_end) -> Iterator[MemoryEdit]:
        """Yields the calls of all conversations that wrote to memory files, oldest first. `goes_on` is asked before
        each conversation that is read: once it says no, nothing more is read and nothing is yielded."""

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing in the store that could not be read, but for damage in a transcript."""

    def close(self) -> None:
        """Closes what is open and removes private copies. A second call does nothing."""


@runtime_checkable
class CountsUnknownEntries(Protocol):
    """Is a store whose memory, and not only its transcripts, may hold records of types that its reader does not
    know."""

    def unknown_entries(self) -> int:
        """Returns how many `memory_files` met."""


@runtime_checkable
class KeepsCommits(Protocol):
    """Is a store whose memory lies in a git repository."""

    def commits(self, path: str, goes_on: GoesOn = to_the_end) -> Sequence[MemoryCommit]:
        """Returns the commits in which a memory file came or changed, oldest first: none where its folder is no
        repository, where they cannot be read, which `problems` says, and once `goes_on` says no."""


@runtime_checkable
class ReportsCompaction(Protocol):
    """Is a store that can tell of most conversations that they were never summed up, for much less than `open`
    costs."""

    def may_be_summed_up(self, conversation: str) -> bool:
        """Returns False where no compaction stands in a conversation. Raises StorageError as `open`."""
