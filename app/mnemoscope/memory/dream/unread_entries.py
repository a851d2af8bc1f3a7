"""Finds the journal entries that Dream has not read yet, and plans how its cursor files change after a run."""

from __future__ import annotations

import json
from dataclasses import dataclass

from mnemoscope.domain.dream.position import BATCH_ENTRIES, PART_CHARACTERS, Batch, DreamPosition, next_batch
from mnemoscope.store.logs.journal import Journal
from mnemoscope.store.memory.log_page import dream_position
from mnemoscope.store.transactions.file_steps import planned_set
from mnemoscope.store.transactions.intent import SetFile
from mnemoscope.store.workspace.paths import WorkspacePaths


@dataclass(frozen=True, slots=True)
class UnreadCount:
    """Counts the entries that wait, with the number of the one that is read first; 0 where none does."""

    count: int
    first: int


class UnreadEntries:
    """Knows what Dream has not read in one workspace. Blocks on the disk."""

    def __init__(self, paths: WorkspacePaths, journal: Journal) -> None:
        self._paths, self._journal = paths, journal

    def place(self) -> DreamPosition:
        """Returns where Dream is, as `dream_position` does. Raises UnreadableFile."""
        return dream_position(self._paths, self._journal)

    def waiting(self) -> UnreadCount:
        """Returns how much there is to read. Raises UnreadableFile."""
        place = self.place()
        ahead = self._journal.after(place.cursor, 1)
        again = [entry.cursor for row in place.again for entry in self._journal.between(*row)]
        first = next(iter([*again, *(entry.cursor for entry in ahead.entries)]), 0)
        return UnreadCount(ahead.waiting + len(again), first)

    def batch(self, count: int = BATCH_ENTRIES, part: int = PART_CHARACTERS) -> Batch | None:
        """Returns what the next run reads, `count` entries at most, one that is too long in parts of `part` characters:
        first what is to be read again. None where nothing waits. Raises UnreadableFile."""
        place = self.place()
        for row in place.again:
            if found := next_batch(self._journal.between(*row), count, place, part):
                return found
        return next_batch(self._journal.after(place.cursor, count).entries, count, place, part)

    def noted(self, batch: Batch) -> tuple[SetFile, ...]:
        """Returns the steps that note that a batch was read. Raises UnreadableFile."""
        place = self.place()
        return self._sets(place.from_again(batch.entries[0].cursor).after(batch), always=True)

    def noted_back(self, first: int, last: int, read: int) -> tuple[SetFile, ...]:
        """Returns the steps after which entries first to last are read again; none where they wait already."""
        before = self.place()
        place = before.back_before(first, last, read)
        return () if place == before else self._sets(place)

    def forgotten(self) -> tuple[SetFile, ...]:
        """Returns the steps after which nothing is noted beside the cursor."""
        return self._beside(DreamPosition())

    def _sets(self, place: DreamPosition, *, always: bool = False) -> tuple[SetFile, ...]:
        found = self._journal.dream_cursor()
        moved = place.cursor != found.value or (always and bool(found.problem))
        file = self._journal.dream_cursor_file
        cursor = (planned_set(self._paths.root, file, str(place.cursor)),) if moved else ()
        return (*cursor, *self._beside(place))

    def _beside(self, place: DreamPosition) -> tuple[SetFile, ...]:
        file, record = self._paths.own.dream_place, place.as_record()
        if not record and not file.exists():
            return ()
        return (planned_set(self._paths.root, file, json.dumps(record)),)
