"""The messages of one session by index, as the transcript asks for them. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from mnemoscope.domain.conversation.message import Message


class MessageSource:
    """Gives the messages of one session by index; a lazily decoding sequence is only asked for what is shown.

    `first_index` is the index of `messages[0]`; `stop` is one past the last to show, where not all are. Messages
    announced before the sequence holds them are kept here.
    """

    def __init__(self, messages: Sequence[Message], first_index: int = 0, stop: int | None = None) -> None:
        self.messages = messages
        self.first = first_index
        self._ahead: dict[int, Message] = {}
        self._stop = first_index + len(messages) if stop is None else stop

    @property
    def stop(self) -> int:
        """Returns one past the last index that was announced; a live sequence may already hold more."""
        return self._stop

    def add(self, index: int, message: Message) -> None:
        """Takes note of a message that was appended at `index`."""
        if index >= self.first + len(self.messages):
            self._ahead[index] = message
        self._stop = max(self._stop, index + 1)

    def __getitem__(self, index: int) -> Message:
        # What was there a moment ago may be gone: another program shortened the file.
        with suppress(IndexError):
            if 0 <= index - self.first < len(self.messages):
                return self.messages[index - self.first]
        return self._ahead.get(index, {"role": "system", "content": ""})
