"""What a card says became of a consolidation's facts."""

from dataclasses import replace

import pytest

from mnemoscope.domain.memory.change import MemoryChange, MemoryOrigin
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import (
    FactOutcomes,
    FactsOutcome,
    Outcome,
    SuggestionStates,
    outcome_of_choices,
)


def record(*, changed: bool = False, held: bool = False, facts: tuple[str, ...] = ()) -> ConsolidationRecord:
    return ConsolidationRecord(
        "t1", "k", "", 0, 4, "2026-03-15T10:00", "Talked.", facts, memory_changed=changed, held_for_review=held
    )


def change(
    name: str, kind: str, detail: str = "", removed: tuple[str, ...] = (), added: tuple[str, ...] = ()
) -> MemoryChange:
    origin, counts = MemoryOrigin(kind, detail=detail), (len(added), len(removed))
    return MemoryChange(name, "2026-03-15T10:00", origin, f"{name}-", name, added, removed, *counts)


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
    assert FactOutcomes(changes).of(record(changed=True, facts=("Likes tea",))) == outcome


@pytest.mark.parametrize(
    ("decision", "changes", "outcome"),
    [
        ("reject", [], FactsOutcome(Outcome.REJECTED)),
        ("accept", [change("r", "review", "t1")], FactsOutcome(Outcome.ACCEPTED, "r")),
        ("edit", [change("r", "review", "t1")], FactsOutcome(Outcome.EDITED, "r")),
        ("mine", [change("r", "review", "t1")], FactsOutcome(Outcome.PARTLY, "r")),
        ("part", [change("r", "review", "t1")], FactsOutcome(Outcome.PARTLY, "r")),
        ("obsolete", [], FactsOutcome(Outcome.OUTDATED)),
        (
            "theirs",
            [change("r", "review", "t1"), change("s", "review", "t1"), change("u", "undo", "s")],
            FactsOutcome(Outcome.PARTLY, "r"),
        ),
        (
            "theirs",
            [
                change("r", "review", "t1"),
                change("s", "review", "t1"),
                change("u", "undo", "s"),
                change("v", "undo", "r"),
            ],
            FactsOutcome(Outcome.UNDONE, "s"),
        ),
        ("mine", [], FactsOutcome(Outcome.REJECTED)),
        ("accept", [], FactsOutcome(Outcome.ACCEPTED)),
        ("accept", [change("r", "review", "t1"), change("u", "undo", "r")], FactsOutcome(Outcome.UNDONE, "r")),
    ],
)
def test_what_was_held_says_how_it_was_settled(
    decision: str, changes: list[MemoryChange], outcome: FactsOutcome
) -> None:
    waiting = FactOutcomes(changes, SuggestionStates(frozenset({"t1"})))
    assert waiting.of(record(held=True)) == FactsOutcome(Outcome.WAITING)
    settled = FactOutcomes(changes, SuggestionStates(settled={"t1": decision}))
    assert settled.of(record(held=True)) == outcome


def test_a_consolidation_without_facts_says_nothing() -> None:
    assert FactOutcomes([WRITTEN]).of(record()) is None
    assert FactOutcomes().of(record(held=True)) is None


@pytest.mark.parametrize(
    ("changes", "memory", "outcome"),
    [
        ([WRITTEN], "# Memory\n- likes tea.\n", FactsOutcome(Outcome.IN_MEMORY, "t1")),
        ([WRITTEN, change("o", "outside", removed=("Likes tea",))], "# Memory\n", FactsOutcome(Outcome.GONE, "o")),
        ([WRITTEN, change("d", "dream", removed=("Likes tea",))], "", FactsOutcome(Outcome.GONE, "d")),
        ([WRITTEN], "", FactsOutcome(Outcome.GONE)),
        (
            [WRITTEN, change("o", "outside", removed=("Likes tea",), added=("Likes coffee",))],
            "- Likes coffee\n",
            FactsOutcome(Outcome.EDITED, "o"),
        ),
        (
            [WRITTEN, change("c", "consolidation", removed=("Likes tea",), added=("Likes green tea",))],
            "- Likes green tea\n",
            FactsOutcome(Outcome.EDITED, "c"),
        ),
        (
            [WRITTEN, change("o", "outside", removed=("Likes tea",)), change("u", "undo", "o")],
            "- Likes tea\n",
            FactsOutcome(Outcome.IN_MEMORY, "t1"),
        ),
        ([WRITTEN, change("r", "restore", removed=("Likes tea",))], "", FactsOutcome(Outcome.GONE, "r")),
    ],
)
def test_facts_that_memory_says_no_more_are_not_said_to_be_in_it(
    changes: list[MemoryChange], memory: str, outcome: FactsOutcome
) -> None:
    outcomes = FactOutcomes(changes, memory=memory)
    consolidated = record(changed=True, facts=("Likes tea",))
    assert outcomes.of(consolidated) == outcome
    assert outcomes.says_any(consolidated) == (outcome.outcome is Outcome.IN_MEMORY)


def test_a_fact_that_was_forgotten_is_gone_also_where_the_record_has_a_mark_in_its_place() -> None:
    outcomes = FactOutcomes([WRITTEN], memory="# Notes\n\n- Likes tea\n")
    found = outcomes.of(record(changed=True, facts=("[…]",)))
    assert found is not None
    assert found.outcome is Outcome.GONE
    assert not outcomes.says_any(record(changed=True, facts=("[…]",)))
    left = outcomes.of(record(changed=True, facts=("[…]", "Likes tea")))
    assert left is not None
    assert left.outcome is Outcome.IN_MEMORY


def test_what_the_person_had_rejected_before_is_left_out_and_was_never_in_memory() -> None:
    left_out, consolidated = SuggestionStates(settled={"t1": "left out"}), record(changed=True, facts=("Likes tea",))
    assert FactOutcomes([], left_out, memory="").of(consolidated) == FactsOutcome(Outcome.LEFT_OUT)
    assert FactOutcomes([], left_out, memory="- Likes tea").of(consolidated) == FactsOutcome(Outcome.IN_MEMORY)
    # A part of it was written, and taken out later.
    assert FactOutcomes([WRITTEN], left_out, memory="").of(consolidated) == FactsOutcome(Outcome.GONE)


def test_a_suggestion_that_was_accepted_and_deleted_since_is_gone_too() -> None:
    accepted = change("r", "review", "t1", added=("Likes tea",))
    changes = [accepted, change("o", "outside", removed=("Likes tea",))]
    settled = SuggestionStates(settled={"t1": "accept"})
    assert FactOutcomes(changes, settled, memory="").of(record(held=True)) == FactsOutcome(Outcome.GONE, "o")
    assert FactOutcomes([accepted], settled, memory="- Likes tea").of(record(held=True)) == FactsOutcome(
        Outcome.ACCEPTED, "r"
    )


@pytest.mark.parametrize(
    ("memory", "outcome"),
    [
        ("- Likes tea\n- Has a cat\n", FactsOutcome(Outcome.ACCEPTED, "s")),
        ("- Has a cat\n", FactsOutcome(Outcome.ACCEPTED, "s")),
        ("", FactsOutcome(Outcome.GONE, "o")),
    ],
)
def test_a_suggestion_that_was_accepted_in_passages_is_gone_when_all_of_them_are(
    memory: str, outcome: FactsOutcome
) -> None:
    passages = [change(each, "review", "t1", added=(fact,)) for each, fact in (("r", "Likes tea"), ("s", "Has a cat"))]
    changes = [*passages, change("o", "outside", removed=("Likes tea",))]
    settled = SuggestionStates(settled={"t1": "theirs"})
    assert FactOutcomes(changes, settled, memory=memory).of(record(held=True)) == outcome


@pytest.mark.parametrize(
    ("changes", "memory", "outcome"),
    [
        ([WRITTEN], "- Has a cat\n", FactsOutcome(Outcome.IN_MEMORY, "t1")),
        ([WRITTEN, change("o", "outside", added=("Likes tea",))], "- Likes tea\n", FactsOutcome(Outcome.EDITED, "o")),
        (
            [WRITTEN, change("o", "outside", added=("Has a cat",))],
            "- Has a cat\n",
            FactsOutcome(Outcome.IN_MEMORY, "t1"),
        ),
        ([], "- Likes tea\n", FactsOutcome(Outcome.IN_MEMORY)),
        (
            [WRITTEN, change("u", "undo", "t1", added=("Likes tea",))],
            "- Likes tea\n",
            FactsOutcome(Outcome.UNDONE, "t1"),
        ),
    ],
)
def test_what_was_only_taken_out_and_stands_there_again_is_edited(
    changes: list[MemoryChange], memory: str, outcome: FactsOutcome
) -> None:
    consolidated = replace(record(changed=True), facts_removed=("Likes tea",))
    assert FactOutcomes(changes, memory=memory).of(consolidated) == outcome


def test_the_outcome_of_choices_is_that_of_all_of_them() -> None:
    assert [outcome_of_choices(each) for each in (["accept"], ["theirs", "accept"], ["mine", "reject"])] == [
        "accept",
        "accept",
        "reject",
    ]
    assert outcome_of_choices(["theirs", "mine"]) == "part"
    assert outcome_of_choices(["theirs", "both"]) == "edit"
