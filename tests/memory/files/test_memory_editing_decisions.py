"""Items of a review are decided as they were shown, taken back, and kept true to a file that moves on."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.errors import ApprovalMoved, StorageError, Unfinished
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.review.review_items import ReviewItem, review_items
from mnemoscope.memory.files.memory_editing import Decided
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.full_disk import FullDisk

BASE = "# User\n\n- Name is Sam\n- Likes tea\n"
WANTED = "# User\n\n- Name is Sam\n- Likes green tea\n- Has a cat\n"
TOOL = MemoryOrigin("agent", "2026-01-02T10:00:00", "desktop:x")


@pytest.fixture
async def store(tmp_path: Path) -> MemoryStore:
    made = MemoryStore(tmp_path, sessions=SessionManager(tmp_path))
    made.recover()
    await made.editing.save_text(BASE, "")
    made.files.memory.suggest(BASE, WANTED, ("Nobody spoke of “Has a cat”.",), TOOL)
    return made


def items(store: MemoryStore) -> dict[str, ReviewItem]:
    return {item.after: item for item in review_items(store.ledger.suggestions())}


def text(store: MemoryStore) -> str:
    return store.editing.read_text().text


async def test_one_passage_is_accepted_and_the_other_waits_on(store: MemoryStore) -> None:
    await store.editing.decide(items(store)["- Has a cat"], "accept")
    assert sorted(text(store).split("\n")) == sorted(f"{BASE}- Has a cat\n".split("\n"))
    assert set(items(store)) == {"- Likes green tea"}


@pytest.mark.parametrize("choice", ["accept", "reject"])
async def test_what_speaks_against_a_passage_that_was_decided_is_said_of_no_other(
    store: MemoryStore, choice: str
) -> None:
    await store.editing.decide(items(store)["- Has a cat"], choice)
    assert [item.reasons for item in items(store).values()] == [()]


async def test_one_passage_is_rejected_and_another_put_in_other_words(store: MemoryStore) -> None:
    shown = items(store)
    await store.editing.decide(shown["- Likes green tea"], "reject")
    await store.editing.decide(shown["- Has a cat"], "edit", "- Has two cats")
    assert sorted(text(store).split("\n")) == sorted(f"{BASE}- Has two cats\n".split("\n"))
    assert store.ledger.suggestions() == []


async def test_words_for_an_item_that_waits_no_more_are_saved_over_the_newer_text_and_taken_back(
    store: MemoryStore,
) -> None:
    item = items(store)["- Likes green tea"]
    newer = BASE.replace("tea", "green tea") + "- Has a dog\n"
    await store.editing.save_text(newer, store.editing.read_text().digest)
    await store.editing.bring_up_to_date()
    assert "- Likes green tea" not in items(store)
    decided = await store.editing.save_words(item, "- Likes black tea")
    assert "- Likes black tea\n" in text(store)
    assert "- Has a dog\n" in text(store)
    assert "green" not in text(store)
    # What the newer text says in its place is not lost.
    assert any("green tea" in each.proposed for each in store.ledger.suggestions())
    await store.editing.reopen(decided)
    assert text(store) == newer


@pytest.mark.parametrize(
    ("choices", "outcome"),
    [
        (("accept", "accept"), "theirs"),
        (("reject", "reject"), "mine"),
        (("accept", "reject"), "part"),
        (("reject", "accept"), "part"),
        (("edit", "accept"), "edit"),
        (("edit", "reject"), "edit"),
    ],
)
async def test_the_outcome_is_that_of_all_passages_and_not_of_the_last(
    store: MemoryStore, choices: tuple[str, str], outcome: str
) -> None:
    (held,) = store.ledger.suggestions()
    for after, choice in zip(("- Has a cat", "- Likes green tea"), choices, strict=True):
        await store.editing.decide(items(store)[after], choice, "- Has two cats")
    assert store.ledger.suggestion_states().settled == {held.id: outcome}


async def test_what_is_dropped_after_a_passage_was_accepted_is_known_as_accepted(store: MemoryStore) -> None:
    (held,) = store.ledger.suggestions()
    await store.editing.decide(items(store)["- Has a cat"], "accept")
    changed = text(store).replace("- Likes tea", "- Likes green tea")
    await store.editing.save_text(changed, store.editing.read_text().digest)
    assert (await store.editing.bring_up_to_date()).dropped == 1
    assert store.ledger.suggestion_states().settled == {held.id: "theirs"}


async def test_what_was_decided_is_taken_back_in_the_opposite_order(store: MemoryStore) -> None:
    shown = items(store)
    before = store.ledger.suggestions()
    first = await store.editing.decide(shown["- Has a cat"], "accept")
    second = await store.editing.decide(shown["- Likes green tea"], "reject")
    assert store.ledger.suggestions() == []
    await store.editing.reopen(second)
    assert set(items(store)) == {"- Likes green tea"}
    await store.editing.reopen(first)
    assert text(store) == BASE
    assert store.ledger.suggestions() == before
    await store.editing.decide(shown["- Has a cat"], "accept")
    assert "- Has a cat" in text(store)


async def test_a_decision_is_not_taken_back_where_the_person_changed_its_line_since(store: MemoryStore) -> None:
    decided = await store.editing.decide(items(store)["- Likes green tea"], "accept")
    changed = text(store).replace("green tea", "black tea")
    await store.editing.save_text(changed, store.editing.read_text().digest)
    with pytest.raises(StorageError, match="Something later changed the same lines"):
        await store.editing.reopen(decided)
    assert text(store) == changed


async def test_an_item_that_is_not_as_it_was_shown_writes_nothing(store: MemoryStore) -> None:
    shown = items(store)
    await store.editing.decide(shown["- Has a cat"], "accept")
    with pytest.raises(ApprovalMoved):
        await store.editing.decide(shown["- Has a cat"], "accept")
    changed = text(store).replace("Likes tea", "Likes coffee")
    await store.editing.save_text(changed, store.editing.read_text().digest)
    with pytest.raises(ApprovalMoved):
        await store.editing.decide(shown["- Likes green tea"], "accept")
    assert text(store) == changed


async def test_what_waits_is_moved_onto_a_newer_text(store: MemoryStore) -> None:
    changed = BASE.replace("Name is Sam", "Name is Samuel")
    await store.editing.save_text(changed, store.editing.read_text().digest)
    found = await store.editing.bring_up_to_date()
    assert (found.moved, found.dropped) == (1, 0)
    (held,) = store.ledger.suggestions()
    assert held.before == changed
    assert held.proposed == WANTED.replace("Name is Sam", "Name is Samuel")
    assert (await store.editing.bring_up_to_date()).moved == 0


async def test_a_passage_that_memory_says_already_or_whose_line_is_gone_is_dropped(store: MemoryStore) -> None:
    changed = "# User\n\n- Name is Sam\n- Has a cat\n"
    await store.editing.save_text(changed, store.editing.read_text().digest)
    (held,) = store.ledger.suggestions()
    found = await store.editing.bring_up_to_date()
    assert (found.moved, found.dropped) == (0, 1)
    assert store.ledger.suggestions() == []
    assert store.ledger.suggestion_states().settled == {held.id: "obsolete"}
    assert text(store) == changed


@pytest.mark.parametrize("decision", ["accept", "edit"])
async def test_lines_that_only_a_tool_said_are_never_accepted_along_with_others(
    store: MemoryStore, decision: str
) -> None:
    (held,) = store.ledger.suggestions()
    store.ledger.settle(held.id, "reject")
    reasons = ("Only a tool or file said “Has a cat”.", "Nobody spoke of “Likes green tea”.")
    store.files.memory.suggest(BASE, WANTED, reasons, TOOL)
    (held,) = store.ledger.suggestions()
    with pytest.raises(StorageError, match="not accepted as a whole"):
        await store.editing.settle(held.id, decision)
    assert text(store) == BASE
    await store.editing.decide(items(store)["- Likes green tea"], "accept")
    (left,) = store.ledger.suggestions()
    await store.editing.settle(left.id, "accept")
    assert "- Has a cat" in text(store)


@pytest.mark.parametrize("refused", ["/ledger/", "suggestions", "changes"])
@pytest.mark.parametrize("choice", ["accept", "edit"])
async def test_a_decision_that_the_disk_refuses_once_it_stands_is_said_to_be_begun_and_is_finished_and_undone(
    tmp_path: Path, refused: str, choice: str
) -> None:
    disk = FullDisk(refused)
    store = MemoryStore(tmp_path, sessions=SessionManager(tmp_path), calls=disk)
    store.recover()
    await store.editing.save_text(BASE, "")
    store.files.memory.suggest(BASE, f"{BASE}- Has a cat\n", ("Nobody spoke of “Has a cat”.",), TOOL)
    [item] = items(store).values()
    disk.is_full = True
    with pytest.raises(Unfinished, match=r"disk is full.*It was begun") as raised:
        await store.editing.decide(item, choice, "- Has a cat")
    assert text(store) == f"{BASE}- Has a cat\n"
    assert store.ledger.undecided() == [], "it is decided"
    with pytest.raises(StorageError):
        await store.editing.decide(item, "reject")
    disk.is_full = False
    with pytest.raises(StorageError, match="decided already"):
        await store.editing.decide(item, "reject")
    assert store.ledger.pending() is None
    [change] = [each for each in store.editing.changes() if each.added == ("Has a cat",)]
    assert (change.id, change.origin.kind) == (raised.value.context["id"], "review")
    await store.editing.reopen(Decided(item.suggestion, change.id))
    assert text(store) == BASE
    assert items(store) == {item.after: item}


async def test_a_save_of_which_the_disk_refuses_only_the_note_is_a_save(tmp_path: Path) -> None:
    disk = FullDisk("changes")
    store = MemoryStore(tmp_path, sessions=SessionManager(tmp_path), calls=disk)
    store.recover()
    before = await store.editing.save_text(BASE, "")
    disk.is_full = True
    saved = await store.editing.save_text(f"{BASE}- Has a cat\n", before.digest)
    assert saved.text == text(store) == f"{BASE}- Has a cat\n"
    disk.is_full = False
    assert [each.origin.kind for each in store.editing.changes()][-1] == "editor"
