"""A conversation of an export, held whole: exports give no offsets, and one conversation is small."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from mnemoscope.domain.foreign.foreign_records import KINDS, MESSAGES, ForeignRecord, TranscriptShape
from mnemoscope.domain.foreign.message_tree import NO_PARENT, branch_ends, path_to


class ExportTranscript:
    """Records with their parents. It implements the port `ForeignTranscript`."""

    def __init__(self, records: Sequence[ForeignRecord], parents: Sequence[int], leaf: int) -> None:
        """`parents[n]` is the place of what record n follows, or NO_PARENT. `leaf` is the last record of the active
        path, NO_PARENT where that is not told: then it is the newest leaf."""
        self._records = records
        self._parents = parents
        self._is_message = [record.kind in MESSAGES for record in records]
        self.shape = self._shape(leaf)

    def record(self, place: int) -> ForeignRecord:
        """Returns one record. Raises IndexError beyond the last."""
        return self._records[place]

    def close(self) -> None:
        """Does nothing: nothing is open."""

    def path_to(self, place: int) -> list[int]:
        """Returns the places of the messages from the first one to the one at a place."""
        return [each for each in path_to(self._parents, place) if self._is_message[each]]

    def _shape(self, leaf: int) -> TranscriptShape:
        if not 0 <= leaf < len(self._records):
            ends = branch_ends(self._parents, self._is_message, ())
            leaf = max(ends, key=lambda place: (_moment(self._records[place]), place), default=NO_PARENT)
        active = self.path_to(leaf)
        return TranscriptShape(
            kinds=bytes(KINDS.index(record.kind) for record in self._records),
            active=array("I", active),
            branches=branch_ends(self._parents, self._is_message, active),
        )


def parents_of(ids: Sequence[str], stated: Sequence[str]) -> list[int]:
    """Returns the places of parents that are stated by id; of a repeated id the first counts."""
    places: dict[str, int] = {}
    for place, each in enumerate(ids):
        places.setdefault(each, place)
    return [places.get(parent, NO_PARENT) if parent else NO_PARENT for parent in stated]


def _moment(record: ForeignRecord) -> float:
    return record.when.timestamp() if record.when is not None else 0.0
