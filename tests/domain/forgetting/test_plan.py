from __future__ import annotations

import pytest

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import KEPT_BY_DEFAULT, ForgettingPlan, FoundPlace, PlaceKind, goes_as_chosen

PLACES = tuple(FoundPlace(kind, kind.value, 1, why_not="No." if kind is PlaceKind.OTHER else "") for kind in PlaceKind)
PLAN = ForgettingPlan(ForgottenText.of("Lives in Oslo"), PLACES)


def test_by_default_the_conversation_stays_and_what_was_made_of_it_goes() -> None:
    taken = {each.kind for each in PLAN.by_default}
    assert {PlaceKind.MEMORY, PlaceKind.HISTORY, PlaceKind.LEDGER, PlaceKind.PROMPTS, PlaceKind.INDEX} <= taken
    assert taken.isdisjoint(KEPT_BY_DEFAULT)
    assert PlaceKind.CONVERSATIONS in KEPT_BY_DEFAULT
    assert PlaceKind.COMMITS in KEPT_BY_DEFAULT


def test_everything_is_all_that_can_be_taken() -> None:
    assert {each.kind for each in PLAN.everything} == set(PlaceKind) - {PlaceKind.OTHER}
    assert [each.kind for each in PLAN.without(PLAN.everything)] == [PlaceKind.OTHER]


@pytest.mark.parametrize(
    ("kind", "chosen", "left", "goes"),
    [
        (PlaceKind.INDEX, "memory", "drafts", True),
        (PlaceKind.PROMPTS, "memory", "drafts", True),
        (PlaceKind.PROMPTS, "memory", "prompts", False),
        (PlaceKind.DRAFTS, "memory", "conversations", False),
        (PlaceKind.DRAFTS, "memory", "", False),
        (PlaceKind.DRAFTS, "memory drafts", "conversations", True),
        (PlaceKind.DRAFTS, "memory drafts", "drafts", False),
        (PlaceKind.DRAFTS, "memory conversations", "", True),
    ],
)
def test_what_comes_later_goes_as_its_kind_was_chosen(kind: PlaceKind, chosen: str, left: str, goes: bool) -> None:
    taken, spared = ([FoundPlace(PlaceKind(each), "x", 1) for each in names.split()] for names in (chosen, left))
    assert goes_as_chosen(kind, taken, [*spared, FoundPlace(PlaceKind.OTHER, "y", 1, why_not="No.")]) is goes
