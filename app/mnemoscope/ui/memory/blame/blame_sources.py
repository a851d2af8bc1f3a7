"""From a version back to the history entries and messages it came from. No Qt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.ui.memory.versions.version_row import TRANSACTION

if TYPE_CHECKING:
    from mnemoscope.domain.commits import CommitInfo
    from mnemoscope.domain.dream.journal import JournalEntry

_WORD: Final = re.compile(r"\w+")


def entries_of(commit: CommitInfo) -> tuple[int, int]:
    """The first and last entry of the journal a version came from; (0, 0) where it names none."""
    return _span(commit, "History-Entries")


def records_behind(
    commit: CommitInfo,
    records: Sequence[ConsolidationRecord],
    entries: Sequence[JournalEntry] = (),
    line: str = "",
) -> list[ConsolidationRecord]:
    """The consolidations a version's trailers name, oldest first; where the ledger knows none, what they say.

    Of `entries`, those that no consolidation here wrote are told too, as records of no messages. Those that share the
    most words with the `line` in question come first.
    """
    transactions = set(commit.trailers.get(TRANSACTION, ()))
    found = [each for each in records if each.transaction_id in transactions]
    first, last = entries_of(commit)
    if last:
        found += [each for each in records if each.cursor is not None and first <= each.cursor <= last]
    known = {(each.cursor, each.entry.strip()) for each in found}
    found += [_of_entry(each) for each in entries if (each.cursor, each.content.strip()) not in known]
    words = _words(line)
    found.sort(key=lambda each: (-len(words & _words(each.entry)), each.cursor or 0))
    return found or _told(commit)


def _of_entry(entry: JournalEntry) -> ConsolidationRecord:
    return ConsolidationRecord("", entry.session_key, "", 0, 0, entry.timestamp, entry.content, cursor=entry.cursor)


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 2 or not word.isascii()}


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
