"""Tells what became of the facts of a consolidation, from the suggestions and the log of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mnemoscope.domain.memory.change import MemoryChange, undone_changes
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.facts import fact_key

_REVIEW: Final = "review"
OBSOLETE: Final = "obsolete"
"""The outcome of a suggestion that was dropped by itself."""
_PART: Final = "part"
"""The outcome of a suggestion that was accepted and rejected passage by passage."""
_FORGOTTEN: Final = "[…]"
"""The mark in the record of a consolidation in the place of a fact that the person had forgotten."""


class Outcome(StrEnum):
    """Names what became of a consolidation's facts."""

    IN_MEMORY = "in memory"
    WAITING = "waiting for review"
    ACCEPTED = "accepted"
    PARTLY = "partly accepted"
    EDITED = "edited"
    REJECTED = "rejected"
    UNDONE = "undone"
    GONE = "gone from memory"
    OUTDATED = "out of date"
    LEFT_OUT = "left out"


NOTHING_WRITTEN: Final = frozenset({Outcome.REJECTED, Outcome.LEFT_OUT})
"""The outcomes of a consolidation that has no change of memory to show."""
_BY_DECISION: Final = {
    "accept": Outcome.ACCEPTED,
    "theirs": Outcome.ACCEPTED,
    "edit": Outcome.EDITED,
    "both": Outcome.EDITED,
    _PART: Outcome.PARTLY,
    OBSOLETE: Outcome.OUTDATED,
}
_REJECTING: Final = frozenset({"reject", "mine"})
_ACCEPTING: Final = frozenset({"accept", "theirs"})


def outcome_of_choices(choices: Sequence[str]) -> str:
    """Returns the outcome of a suggestion whose passages were resolved so, in this order, one at least: the last choice
    where all say the same, `part` where some were accepted and others rejected, `edit` where one was written anew."""
    if all(each in _REJECTING for each in choices) or all(each in _ACCEPTING for each in choices):
        return choices[-1]
    return _PART if all(each in _REJECTING | _ACCEPTING for each in choices) else "edit"


def is_kept_out(outcome: str) -> bool:
    """Returns whether a suggestion that was settled so was rejected, or some of it."""
    return outcome in _REJECTING or outcome == _PART


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


class FactOutcomes:
    """Tells the outcome of each consolidation of a workspace, as suggestions and changes of MEMORY.md are now."""

    def __init__(
        self,
        changes: Sequence[MemoryChange] = (),
        suggestions: SuggestionStates | None = None,
        *,
        memory: str | None = None,
    ) -> None:
        """`changes`: those that are kept, oldest first. `memory`: what MEMORY.md says, None if that is not known."""
        self._suggestions = suggestions or SuggestionStates()
        self._undone = undone_changes(changes)
        self._places = {change.id: place for place, change in enumerate(changes)}
        self._changes = changes
        self._reviews: dict[str, list[MemoryChange]] = {}
        """By suggestion, what its resolution wrote, oldest first: one change, or one for each passage."""
        for change in changes:
            if change.origin.kind == _REVIEW and change.before != change.after:
                self._reviews.setdefault(change.origin.detail, []).append(change)
        self._said = None if memory is None else frozenset(map(fact_key, memory.split("\n"))) - {""}

    def of(self, record: ConsolidationRecord) -> FactsOutcome | None:
        """Returns what became of its facts; None where it had none, or nobody knows any more."""
        name = record.transaction_id
        if name in self._suggestions.waiting:
            return FactsOutcome(Outcome.WAITING)
        reviews = self._reviews.get(name, [])
        decision = self._suggestions.settled.get(name, "")
        if reviews:
            return self._reviewed(reviews, decision)
        if record.memory_changed:
            return self._written(record)
        if not decision:
            return None
        return FactsOutcome(_BY_DECISION.get(decision, Outcome.REJECTED))

    def says_any(self, record: ConsolidationRecord) -> bool:
        """Returns whether a line of memory says one of the facts it added, as far as is known."""
        return self._said is None or any(map(self._is_said, record.facts_added))

    def _reviewed(self, reviews: Sequence[MemoryChange], decision: str) -> FactsOutcome:
        """Returns what became of a suggestion whose resolution made these changes."""
        standing = [each for each in reviews if each.id not in self._undone]
        if not standing:
            return FactsOutcome(Outcome.UNDONE, reviews[-1].id)
        if all(each.count_added == len(each.added) for each in standing):
            facts = [fact for each in standing for fact in each.added]
            if (gone := self._gone(facts, self._places[standing[0].id])) is not None:
                return gone
        is_part = len(standing) < len(reviews) or decision in _REJECTING
        outcome = Outcome.PARTLY if is_part else _BY_DECISION.get(decision, Outcome.ACCEPTED)
        return FactsOutcome(outcome, standing[-1].id)

    def _written(self, record: ConsolidationRecord) -> FactsOutcome:
        name = record.transaction_id
        if name in self._undone:
            return FactsOutcome(Outcome.UNDONE, name)
        if (gone := self._gone(record.facts_added, self._places.get(name, -1))) is not None:
            # What the person had deleted or rejected before was never written: it made no change of memory.
            never_written = name not in self._places and self._suggestions.settled.get(name) == Outcome.LEFT_OUT
            return FactsOutcome(Outcome.LEFT_OUT) if never_written else gone
        edit = self._edit_of(record) or self._return_of(record)
        if edit is not None:
            return FactsOutcome(Outcome.EDITED, edit.id)
        return FactsOutcome(Outcome.IN_MEMORY, name if name in self._places else "")

    def _edit_of(self, record: ConsolidationRecord) -> MemoryChange | None:
        """Returns the person's change, the newest, that took out or reworded one of its facts."""
        place = self._places.get(record.transaction_id)
        if place is None or not record.facts_added:
            return None
        for change in reversed(self._changes[place + 1 :]):
            is_by_hand = change.origin.is_personal and change.id not in self._undone
            if is_by_hand and any(_is_among(fact, record.facts_added) for fact in change.removed):
                return change
        return None

    def _return_of(self, record: ConsolidationRecord) -> MemoryChange | None:
        """Returns the change, the newest, by which memory says again what a consolidation only took out."""
        place = self._places.get(record.transaction_id)
        if place is None or self._said is None or record.facts_added or not record.facts_removed:
            return None
        if not all(map(self._is_said, record.facts_removed)):
            return None
        later = (each for each in reversed(self._changes[place + 1 :]) if each.id not in self._undone)
        return next((each for each in later if any(_is_among(one, record.facts_removed) for one in each.added)), None)

    def _gone(self, facts: Sequence[str], place: int) -> FactsOutcome | None:
        """Returns what became of facts that memory says no more: taken out, or changed where something else came in
        their place. None where memory says one of them, or that is not known. `place` is that of their own change."""
        if self._said is None or not facts or any(map(self._is_said, facts)):
            return None
        taking = [
            change
            for change in self._changes[place + 1 :]
            if change.id not in self._undone
            # Of a large change not all that it took out is named.
            and (change.count_removed > len(change.removed) or any(_is_among(each, facts) for each in change.removed))
        ]
        changed = any(change.count_added for change in taking)
        return FactsOutcome(Outcome.EDITED if changed else Outcome.GONE, taking[-1].id if taking else "")

    def _is_said(self, fact: str) -> bool:
        if self._said is not None and fact.strip() == _FORGOTTEN:
            return False
        key = fact_key(fact)
        if not key or self._said is None:
            return True
        return any(said.startswith(key) for said in self._said) if fact.endswith("…") else key in self._said


def _is_among(shown: str, facts: Sequence[str]) -> bool:
    """Returns whether a fact as changes show it, which may be cut with an ellipsis, is one of these."""
    if shown.endswith("…"):
        return any(fact.startswith(shown[:-1]) for fact in facts)
    return shown in facts
