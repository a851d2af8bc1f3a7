from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mnemoscope.domain.forgetting.forgetting_receipt import (
    ForgettingReceipt,
    LeftPlace,
    TakenPlace,
    forgetting_receipt_of,
)
from mnemoscope.domain.forgetting.plan import PlaceKind

RECEIPT = ForgettingReceipt(
    "a1",
    "2026-11-20T10:00:00",
    (TakenPlace(PlaceKind.MEMORY, "memory/MEMORY.md", 2, "0" * 64),),
    (LeftPlace(PlaceKind.OTHER, "notes/a.txt", 1, "It stays."),),
    12,
    3_400,
)


def test_a_receipt_is_read_as_it_was_written() -> None:
    assert forgetting_receipt_of(json.loads(json.dumps(RECEIPT.as_document()))) == RECEIPT
    assert not RECEIPT.is_clean


@pytest.mark.parametrize(
    ("taken", "left", "is_indexed"),
    [("index", "conversations", True), ("index", "drafts", False), ("memory", "conversations", False)],
)
def test_an_index_has_the_words_again_of_what_it_is_made_of(taken: str, left: str, is_indexed: bool) -> None:
    receipt = replace(
        RECEIPT,
        taken=(TakenPlace(PlaceKind(taken), "a", 1),),
        left=(LeftPlace(PlaceKind(left), "b", 1, "It stays."),),
    )
    assert receipt.is_indexed_again is is_indexed


@pytest.mark.parametrize(
    "change",
    [{"taken": None}, {"left": [{"kind": "nowhere"}]}, {"searched": "12"}, {"when": 4}, {"undone": 1}, {"id": None}],
)
def test_what_is_no_receipt_is_none(change: dict[str, object]) -> None:
    assert forgetting_receipt_of({**RECEIPT.as_document(), **change}) is None


def test_a_receipt_without_a_part_is_none() -> None:
    assert forgetting_receipt_of({"id": "a1"}) is None
