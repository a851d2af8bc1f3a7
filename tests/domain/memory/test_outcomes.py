"""What a card says became of a consolidation's facts."""

import pytest

from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.outcomes import FactsOutcome, Outcome, Outcomes, SuggestionStates
from mnemoscope.domain.memory.records import ConsolidationRecord


def record(*, changed: bool = False, held: bool = False, facts: tuple[str, ...] = ()) -> ConsolidationRecord:
    return ConsolidationRecord(
        "t1", "k", "", 0, 4, "2026-03-15T10:00", "Talked.", facts, memory_changed=changed, held_for_review=held
    )


def change(name: str, kind: str, detail: str = "", removed: tuple[str, ...] = ()) -> MemoryChange:
    return MemoryChange(name, "2026-03-15T10:00", MemoryOrigin(kind, detail=detail), f"{name}-", name, (), removed)


WRITTEN = change("t1", "consolidation")


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ([WRITTEN], FactsOutcome(Outcome.IN_MEMORY, "t1")),
        ([], FactsOutcome(Outcome.IN_MEMORY)),
        ([WRITTEN, change("u", "undo", "t1")], FactsOutcome(Outcome.UNDONE, "t1")),
        ([WRITTEN, change("u", "undo", "t1"), change("v", "undo", "u")], FactsOutcome(Outcome.IN_MEMORY, "t1")),
        ([WRITTEN, change("e", "editor", removed=("Likes tea",))], FactsOutcome(Outcome.EDITED, "e")),
        ([WRITTEN, change("e", "outside", removed=("Likes…",))], FactsOutcome(Outcome.EDITED, "e")),
        ([WRITTEN, change("e", "editor", removed=("Has a cat",))], FactsOutcome(Outcome.IN_MEMORY, "t1")),
        ([WRITTEN, change("c", "consolidation", removed=("Likes tea",))], FactsOutcome(Outcome.IN_MEMORY, "t1")),
        ([change("e", "editor", removed=("Likes tea",)), WRITTEN], FactsOutcome(Outcome.IN_MEMORY, "t1")),
    ],
)
def test_what_was_written_is_in_memory_until_somebody_says_otherwise(
    changes: list[MemoryChange], outcome: FactsOutcome
) -> None:
    assert Outcomes(changes).of(record(changed=True, facts=("Likes tea",))) == outcome


@pytest.mark.parametrize(
    ("decision", "changes", "outcome"),
    [
        ("reject", [], FactsOutcome(Outcome.REJECTED)),
        ("accept", [change("r", "review", "t1")], FactsOutcome(Outcome.ACCEPTED, "r")),
        ("edit", [change("r", "review", "t1")], FactsOutcome(Outcome.EDITED, "r")),
        ("mine", [change("r", "review", "t1")], FactsOutcome(Outcome.ACCEPTED, "r")),
        ("mine", [], FactsOutcome(Outcome.REJECTED)),
        ("accept", [], FactsOutcome(Outcome.ACCEPTED)),
        ("accept", [change("r", "review", "t1"), change("u", "undo", "r")], FactsOutcome(Outcome.UNDONE, "r")),
    ],
)
def test_what_was_held_says_how_it_was_settled(
    decision: str, changes: list[MemoryChange], outcome: FactsOutcome
) -> None:
    waiting = Outcomes(changes, SuggestionStates(frozenset({"t1"})))
    assert waiting.of(record(held=True)) == FactsOutcome(Outcome.WAITING)
    settled = Outcomes(changes, SuggestionStates(settled={"t1": decision}))
    assert settled.of(record(held=True)) == outcome


def test_a_consolidation_without_facts_says_nothing() -> None:
    assert Outcomes([WRITTEN]).of(record()) is None
    assert Outcomes().of(record(held=True)) is None
