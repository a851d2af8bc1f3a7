"""When a consolidation is due, and what counts."""

from __future__ import annotations

import pytest

from mnemoscope.domain.consolidation.planning import waiting_count
from mnemoscope.domain.conversation.message import Message

SAID: Message = {"role": "user", "content": "words"}
COMMAND: Message = {"role": "user", "content": "/help", "_command": True}


@pytest.mark.parametrize(
    ("messages", "pointer", "window", "count"),
    [
        ([SAID] * 7, 3, 100, 4),
        ([COMMAND, SAID, COMMAND, SAID], 0, 100, 2),
        ([COMMAND] * 5, 0, 100, 0),
        ([SAID] * 3, 9, 100, 3),
        ([], 0, 100, 0),
    ],
)
def test_commands_do_not_wait(messages: list[Message], pointer: int, window: int, count: int) -> None:
    assert waiting_count(messages.__getitem__, len(messages), pointer, window) == count


def test_no_more_is_read_than_fills_the_window() -> None:
    read: list[int] = []

    def message_at(index: int) -> Message:
        read.append(index)
        return COMMAND if index % 2 else SAID

    assert waiting_count(message_at, 1_000_000, 0, 100) >= 100
    assert len(read) == 200
