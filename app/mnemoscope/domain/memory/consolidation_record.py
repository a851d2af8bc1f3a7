"""The record of a consolidation, which links messages to the history entry that they became; the audit rests on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConsolidationRecord:
    """Describes one finished consolidation: messages [start, stop) of one session became `entry`.

    `session_created_at` (ISO 8601) tells incarnations of a key apart: /new starts the count again. `inferred` marks a
    link guessed from times in a workspace that another program wrote.
    """

    transaction_id: str
    session_key: str
    session_created_at: str
    start: int
    stop: int
    when: str
    """ISO 8601, naive local time, as in the session files."""
    entry: str
    facts_added: tuple[str, ...] = ()
    facts_removed: tuple[str, ...] = ()
    memory_changed: bool = False
    held_for_review: bool = False
    inferred: bool = False
    cursor: int | None = None
    """The number of the entry in history.jsonl; None where it went to HISTORY.md."""
    asked: tuple[str, ...] = ()
    """The ways in which the model was asked, an OutputMode each, the one that was answered last; () where not known."""
    cleaned: tuple[str, ...] = ()
    """The changes that were made to the model's answer before it was taken, an AnswerCleanup each."""
