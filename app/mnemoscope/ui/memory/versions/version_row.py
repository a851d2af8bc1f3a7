"""Describes a row in the list of versions: a version in git, or above them a change that has none yet. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from mnemoscope.domain.commits import CHANGE, TRANSACTION, CommitInfo, author_of
from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord


@dataclass(frozen=True, slots=True)
class VersionRow:
    """Describes one change of a file: its version in git, its record in the log of changes, or both."""

    commit: CommitInfo | None
    change: MemoryChange | None

    @property
    def id(self) -> str:
        """Returns the version's id, else the change's."""
        return self.commit.id if self.commit else self.change.id if self.change else ""

    @property
    def origin(self) -> MemoryOrigin:
        """Returns where the text came from, as far as the log of changes knows."""
        return self.change.origin if self.change else MemoryOrigin()

    @property
    def author(self) -> str:
        """Returns one of `domain.commits.Author`, or whatever another program wrote there."""
        return self.commit.author if self.commit else author_of(self.origin.kind)

    @property
    def is_beginning(self) -> bool:
        """Returns whether it is what stood there when versions began, which nobody changed."""
        return self.change is None and self.commit is not None and not self.commit.parent

    @property
    def when(self) -> datetime | None:
        """Returns when the version was made, in naive local time."""
        if self.commit is not None:
            return datetime.fromtimestamp(self.commit.seconds)
        with suppress(ValueError):
            return datetime.fromisoformat(self.change.when if self.change else "")
        return None

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """Returns the trailers of its message, which say what it came from, as pairs of name and value."""
        found = self.commit.trailers if self.commit else {}
        return tuple((name, value) for name, values in found.items() for value in values)

    def is_of_change(self, change_id: str) -> bool:
        """Returns whether it is the version of a logged change, or of the consolidation or run that made it."""
        transactions = self.commit.trailers.get(TRANSACTION, ()) if self.commit else ()
        return change_id in (*_names(self.commit), *transactions) or (
            self.change is not None and self.change.id == change_id
        )


def unite(changes: Sequence[MemoryChange], commits: Sequence[CommitInfo]) -> list[VersionRow]:
    """Returns one list, newest first, of the logged `changes` (oldest first) and the newest `commits` (newest
    first)."""
    known = {change.id: change for change in changes}
    rows = [
        VersionRow(commit, next((known[name] for name in _names(commit) if name in known), None)) for commit in commits
    ]
    return [*(VersionRow(None, change) for change in _without_version(changes, commits)), *rows]


def _without_version(changes: Sequence[MemoryChange], commits: Sequence[CommitInfo]) -> Iterator[MemoryChange]:
    """Returns the changes that came after every version, newest first."""
    named = {name for commit in commits for name in _names(commit)}
    newest = commits[0].seconds if commits else 0
    for change in reversed(changes):
        if change.id in named or (not named and _seconds(change) <= newest):
            return
        yield change


def _seconds(change: MemoryChange) -> float:
    with suppress(ValueError):
        return datetime.fromisoformat(change.when).timestamp()
    return 0.0


def is_made_by(row: VersionRow, record: ConsolidationRecord) -> bool:
    """Returns whether a change is the one a consolidation made, or the one that settled its suggestion."""
    review = row.origin.detail if row.origin.kind == "review" else ""
    return record.transaction_id in (review, *_transactions(row)) if record.transaction_id else False


def _transactions(row: VersionRow) -> Iterable[str]:
    if row.commit is not None:
        return row.commit.trailers.get(TRANSACTION, ())
    return [row.change.id] if row.change else ()


def _names(commit: CommitInfo | None) -> Iterable[str]:
    return commit.trailers.get(CHANGE, ()) if commit else ()
