"""Reads what one row of the timeline tells from its message when it is looked at, and not before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_message
from mnemoscope.store.sessions.file_format.stated_time import parse_time
from mnemoscope.ui.timeline.timeline_words import RowMark, contained_words, mark_of, row_words

_KEPT: Final = 512


@dataclass(frozen=True, slots=True)
class RowContent:
    """Holds what one message's row tells. `tokens` is an estimate; `new_day`: the message before is of another day."""

    mark: RowMark
    when: datetime | None
    new_day: bool
    words: str
    tokens: int
    origin: str = ""
    """Says whose words it holds, as far as its mark does not."""
    images: int = 0
    """The number of images that go with the message."""


class RowReader:
    """Reads messages, decoded one by one; the rows looked at last are remembered."""

    def __init__(self, messages: Sequence[Message] = ()) -> None:
        self.messages = messages
        self._contents: dict[int, RowContent] = {}

    def message(self, index: int) -> Message:
        """Returns one message, decoded now; an empty one where it is gone: this is asked while painting, and never
        raises."""
        try:
            return self.messages[index]
        except IndexError:
            # Another program shortened the file a moment ago, and the news of it is still on its way.
            return {}

    def content(self, index: int) -> RowContent:
        """Returns what a message's row tells."""
        known = self._contents.get(index)
        if known is None:
            if len(self._contents) >= _KEPT:
                self._contents.clear()
            known = self._contents[index] = self._read(index)
        return known

    def _read(self, index: int) -> RowContent:
        message = self.message(index)
        when = parse_time(message.get("timestamp"))
        before = parse_time(self.message(index - 1).get("timestamp")) if index else None
        new_day = when is not None and (before is None or before.date() != when.date())
        details = row_words(message), estimate_message(message), contained_words(message)
        return RowContent(mark_of(message), when, new_day, *details, len(attachments_of(message)))
