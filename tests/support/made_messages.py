"""A session of any length, for what looks at the messages that are on screen and no others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload

from mnemoscope.domain.conversation.message import Message


class MadeMessages(Sequence[Message]):
    """Makes each message when it is looked at, and notes which were, in `looked_at`."""

    def __init__(self, count: int) -> None:
        self.length = count
        self.looked_at: set[int] = set()

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...
    def __getitem__(self, place: int | slice) -> Message | list[Message]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(self.length))]
        self.looked_at.add(place)
        return self.make(place)

    @abstractmethod
    def make(self, number: int) -> Message:
        """Returns the message with this number."""
