"""The port of the exports of other assistants; those who import know this and no format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from mnemoscope.domain.foreign.foreign_records import ForeignConversation, ForeignMemory
from mnemoscope.domain.foreign.foreign_store import ForeignTranscript


class ForeignExport(Protocol):
    """Holds conversations, and what the assistant remembered."""

    @property
    def format_name(self) -> str:
        """Returns the name of the format."""

    @property
    def title(self) -> str:
        """Returns the name of the assistant."""

    def conversations(self) -> Sequence[ForeignConversation]:
        """Returns the conversations, the newest first."""

    def open(self, conversation: str) -> ForeignTranscript:
        """Returns a conversation by its id. Raises StorageError."""

    def memories(self) -> Sequence[ForeignMemory]:
        """Returns what the assistant remembered."""

    def problems(self) -> Sequence[str]:
        """Returns a sentence for each thing that could not be read."""

    def close(self) -> None:
        """Closes what is open."""


@runtime_checkable
class TracesMemories(Protocol):
    """Is an export that finds out where facts were noted only when it is asked, because that takes its time."""

    def traced(self, memories: Sequence[ForeignMemory]) -> Sequence[ForeignMemory]:
        """Returns these facts with the conversation and the place of each, where they are known."""
