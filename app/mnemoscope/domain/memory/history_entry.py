"""An entry of a history log as every reader of the three logs gives it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Describes one entry of a history log. `number` counts from 0 in file order; `when` is `YYYY-MM-DD HH:MM` as
    written, or "".

    `source` is the file relative to the workspace: memory/HISTORY.md, memory/history.jsonl or memory/YYYY-MM-DD.md.
    """

    number: int
    when: str
    text: str
    source: str
    raw: bool = False
    """The entry holds unsummarised messages, marked [RAW]."""
    cursor: int | None = None
    """Its own number in history.jsonl, which may leave some out; None in the other logs."""
