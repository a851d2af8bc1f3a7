"""Reads what was captured in a conversation, for the newest message: the newest of it, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from mnemoscope.agent.prompt.memory_budget import smaller_room
from mnemoscope.domain.capture.captured_line import standing_rows
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.settings import Settings
from mnemoscope.store.files.shipped import shipped_prompt

HEADING: Final = "# Current Session State"


@dataclass(frozen=True, slots=True)
class StateText:
    """Holds the section, "" for none, and a sentence for each thing that was left out."""

    text: str = ""
    notices: tuple[str, ...] = field(default=())
    cut: tuple[str, ...] = ()
    """The lines that the last of these is about."""


class SessionState:
    """Reads the session state of one workspace. Blocks on the disk."""

    def __init__(self, state_of: Callable[[str], str], settings: Callable[[], Settings]) -> None:
        """`state_of`: the text of a conversation's state as its messages on show have it."""
        self._state_of = state_of
        self._settings = settings

    def section(self, session_key: str) -> StateText:
        """Returns what is sent of a conversation's state; nothing if nothing is captured. Never raises."""
        settings = self._settings()
        if not settings.captures or not session_key:
            return StateText()
        try:
            lines = standing_rows(self._state_of(session_key))
        except StorageError as error:
            return StateText(notices=(error.sentence,))
        label = shipped_prompt("session-state")
        kept = _newest(lines, smaller_room(settings) - estimate_tokens(f"{HEADING}\n{label}\n"))
        cut = len(lines) - len(kept)
        remarks = (f"SESSION-STATE.md: the {cut:,} oldest lines are left out, so that it stays short.",) if cut else ()
        text = "\n".join([HEADING, label, *kept]) if kept else ""
        return StateText(text, remarks, tuple(lines[:cut]))


def _newest(lines: list[str], room: int) -> list[str]:
    for place in range(len(lines) - 1, -1, -1):
        room -= estimate_tokens(lines[place]) + 1
        if room < 0:
            return lines[place + 1 :]
    return lines
