"""Which entries of the timeline show the messages below them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain.timeline.rows import Groups, unfolded_at_first

ROWS_UNFOLDED_AT_FIRST: Final = 8


class EntryFolds(QObject):
    """Knows entries by their place among the groups. `changed`: some were folded or unfolded by hand."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.unfolded: set[int] = set()
        self._groups = Groups()

    def begin(self, groups: Groups) -> None:
        """Another session: the newest entries are unfolded, as long as that adds few rows."""
        self._groups = groups
        self.unfolded = unfolded_at_first(groups, ROWS_UNFOLDED_AT_FIRST)

    def follow(self, groups: Groups, reach: int) -> None:
        """More of the same session is settled: entries from message `reach` on are unfolded, others as they were."""
        open_before = {self._groups.starts[place] for place in self.unfolded}
        starts = enumerate(groups.starts)
        self.unfolded = {place for place, start in starts if start in open_before or start >= reach}
        self._groups = groups

    def fold(self, place: int, *, folded: bool) -> None:
        """Hide or show the messages below an entry."""
        if folded == (place not in self.unfolded):
            return
        self.unfolded ^= {place}
        self.changed.emit()

    def fold_all(self, *, folded: bool) -> None:
        """Hide or show the messages below every entry."""
        self.unfolded = set() if folded else set(range(len(self._groups)))
        self.changed.emit()
