"""What became of the facts of a consolidation: told from the suggestions and from the journal of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mnemoscope.domain.memory.change import MemoryChange, undone_changes
from mnemoscope.domain.memory.records import ConsolidationRecord

_REVIEW: Final = "review"


class Outcome(StrEnum):
    """Names what became of a consolidation's facts."""

    IN_MEMORY = "in memory"
    WAITING = "waiting for review"
    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"
    UNDONE = "undone"


_BY_DECISION: Final = {
    "accept": Outcome.ACCEPTED,
    "theirs": Outcome.ACCEPTED,
    "edit": Outcome.EDITED,
    "both": Outcome.EDITED,
}


@dataclass(frozen=True, slots=True)
class SuggestionStates:
    """Holds which suggestions wait, and how the others were settled (`accept`, `edit`, `reject`, or the side that was
    taken of a conflict's last passage), by id."""

    waiting: frozenset[str] = frozenset()
    settled: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactsOutcome:
    """Says what became of a consolidation's facts. `change_id` is the change of MEMORY.md to look at, "" where there is
    none."""

    outcome: Outcome
    change_id: str = ""


class Outcomes:
    """Tells the outcome of each consolidation of a workspace, as suggestions and changes of MEMORY.md are now."""

    def __init__(self, changes: Sequence[MemoryChange] = (), suggestions: SuggestionStates | None = None) -> None:
        """`changes`: those that are kept, oldest first."""
        self._suggestions = suggestions or SuggestionStates()
        self._undone = undone_changes(changes)
        self._places = {change.id: place for place, change in enumerate(changes)}
        self._changes = changes
        # Of a suggestion that was settled passage by passage, the last one that wrote anything.
        self._reviews = {
            change.origin.detail: change.id
            for change in changes
            if change.origin.kind == _REVIEW and change.before != change.after
        }

    def of(self, record: ConsolidationRecord) -> FactsOutcome | None:
        """Returns what became of its facts; None where it had none, or nobody knows any more."""
        name = record.transaction_id
        if name in self._suggestions.waiting:
            return FactsOutcome(Outcome.WAITING)
        review = self._reviews.get(name, "")
        if review in self._undone:
            return FactsOutcome(Outcome.UNDONE, review)
        decision = self._suggestions.settled.get(name, "")
        if review:
            return FactsOutcome(_BY_DECISION.get(decision, Outcome.ACCEPTED), review)
        if record.memory_changed:
            return self._written(record)
        if not decision:
            return None
        return FactsOutcome(_BY_DECISION.get(decision, Outcome.REJECTED))

    def _written(self, record: ConsolidationRecord) -> FactsOutcome:
        name = record.transaction_id
        if name in self._undone:
            return FactsOutcome(Outcome.UNDONE, name)
        if (edit := self._edit_of(record)) is not None:
            return FactsOutcome(Outcome.EDITED, edit.id)
        return FactsOutcome(Outcome.IN_MEMORY, name if name in self._places else "")

    def _edit_of(self, record: ConsolidationRecord) -> MemoryChange | None:
        """Returns the person's change, the newest, that took out or reworded one of its facts."""
        place = self._places.get(record.transaction_id)
        if place is None or not record.facts_added:
            return None
        for change in reversed(self._changes[place + 1 :]):
            is_by_hand = change.origin.kind in ("editor", "outside") and change.id not in self._undone
            if is_by_hand and any(_is_among(fact, record.facts_added) for fact in change.removed):
                return change
        return None


def _is_among(shown: str, facts: Sequence[str]) -> bool:
    """Returns whether a fact as changes show it, which may be cut with an ellipsis, is one of these."""
    if shown.endswith("…"):
        return any(fact.startswith(shown[:-1]) for fact in facts)
    return shown in facts
