"""Says what can be done with a part of memory that a receipt names, and why not where something cannot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.answer_receipt.memory_use import MemoryKind, UsedMemory
from mnemoscope.domain.memory.file_registry import STATE_PATH

_LOGGED: Final = (MemoryKind.ENTRY, MemoryKind.NOTE)


def is_logged(part: UsedMemory) -> bool:
    """Returns whether a part is an entry of the history, or of a daily note."""
    return part.kind in _LOGGED


def is_of_session_state(part: UsedMemory) -> bool:
    """Returns whether a part was remembered in the conversation."""
    return part.source.endswith(STATE_PATH)


@dataclass(frozen=True, slots=True)
class PartActions:
    """Holds the words of the buttons that lead to a part's source and to its correction, whether it can be corrected
    and forgotten, and the reason for how that is, "" where nothing is to be said."""

    source: str
    correct: str
    may_change: bool
    reason: str = ""


def actions_for_part(part: UsedMemory | None, *, may_write: bool, is_remembered_too: bool = False) -> PartActions:
    """Returns what can be done with a part; with None, for which nothing can. `is_remembered_too`: what was remembered
    in the conversation says the same as this line of a file."""
    source, correct = _tr("Show messages"), _tr("Correct")
    if part is None:
        return PartActions(source, correct, may_change=False)
    reason = ""
    if is_logged(part):
        source, correct = _tr("Show in history"), _tr("Correct…")
    elif is_of_session_state(part):
        correct = _tr("Take back…")
        reason = _tr(
            "What was remembered in this conversation is in its messages' own words: it is taken back, not reworded. "
            "Say it anew, and it is remembered as you say it."
        )
    elif is_remembered_too:
        reason = _tr(
            "It was remembered in this conversation too. “Correct” changes the file alone; “Take back…” leads to what "
            "was remembered."
        )
    if not may_write:
        reason = _tr("This window only reads the workspace, so nothing can be corrected or forgotten here.")
    return PartActions(source, correct, may_write, reason)


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerReceipt", text)
