"""From a version back to the history entries and messages it came from. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mnemoscope.domain.trace import ConsolidationRecord
from mnemoscope.ui.memory.version_row import TRANSACTION

if TYPE_CHECKING:
    from mnemoscope.domain.versions import CommitInfo


def records_behind(commit: CommitInfo, records: Sequence[ConsolidationRecord]) -> list[ConsolidationRecord]:
    """The consolidations a version's trailers name, oldest first; where the ledger knows none, what they say."""
    transactions = set(commit.trailers.get(TRANSACTION, ()))
    found = [each for each in records if each.transaction_id in transactions]
    first, last = _span(commit, "History-Entries")
    if last:
        found += [each for each in records if each.cursor is not None and first <= each.cursor <= last]
    return found or _told(commit)


def _told(commit: CommitInfo) -> list[ConsolidationRecord]:
    keys = commit.trailers.get("Conversation", ())
    start, stop = _span(commit, "Messages")
    if not keys or stop <= start:
        return []
    when = datetime.fromtimestamp(commit.seconds).isoformat()
    return [ConsolidationRecord("", keys[0], "", start, stop, when, "")]


def _span(commit: CommitInfo, name: str) -> tuple[int, int]:
    for value in commit.trailers.get(name, ()):
        first, dash, last = value.partition("-")
        if dash and first.isdigit() and last.isdigit():
            return int(first), int(last)
    return 0, 0
