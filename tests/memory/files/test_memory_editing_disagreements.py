"""Facts that disagree are found over the whole memory, wait for the person, and are settled as they choose."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from mnemoscope.domain.disagreement.memory_check import Disagreement, PlacedPair
from mnemoscope.domain.disagreement.settlement import PairItem, Settlement, items_with_pairs
from mnemoscope.domain.errors import ApprovalMoved, FileShared, StorageError
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryOrigin
from mnemoscope.domain.memory.file_registry import SOUL_PATH, USER_PATH
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import FileCalls
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.comparing import threads_left_by

TWO = "# Memory\n\n- Lives in Graz\n- Has a cat\n- Lives in Linz\n"
ONE = "# Memory\n\n- Lives in Graz\n- Has a cat\n"
DAY = date(2026, 3, 12)
STRUCK = "- ~~Lives in Graz~~ (until 2026-03-12)"
SCOPED = Settlement("both", None, "until May", "at work")


@pytest.fixture
async def store(tmp_path: Path) -> MemoryStore:
    made = MemoryStore(tmp_path, sessions=SessionManager(tmp_path))
    made.recover()
    return made


def pairs(store: MemoryStore) -> list[PairItem]:
    return [item for item in items_with_pairs(store.ledger.suggestions()) if isinstance(item, PairItem)]


def text(store: MemoryStore, path: str = MEMORY_PATH) -> str:
    return store.editing.read_text(path).text


def placed(store: MemoryStore) -> list[PairItem]:
    """Returns the pairs that wait, also those of two files."""
    return [item for item in store.editing.waiting_items() if isinstance(item, PairItem)]


async def write(store: MemoryStore, texts: Mapping[str, str]) -> None:
    for path, wanted in texts.items():
        await store.editing.save_text(wanted, store.editing.read_text(path).digest, path=path)


def texts_of(store: MemoryStore) -> dict[str, str]:
    return {path: text(store, path) for path in (MEMORY_PATH, USER_PATH)}


async def test_the_check_only_has_pairs_wait_and_asks_about_each_once(store: MemoryStore) -> None:
    await store.editing.save_text(TWO, "")
    await store.editing.save_text("# User\n\n- Likes tea\n- Does not like tea\n", "", path=USER_PATH)
    assert await store.editing.propose_disagreements() == 2
    assert {item.suggestion.path for item in pairs(store)} == {"memory/MEMORY.md", USER_PATH}
    assert text(store) == TWO
    assert await store.editing.propose_disagreements() == 0


async def test_what_soul_and_memory_say_of_answers_waits_and_is_settled_in_soul(store: MemoryStore) -> None:
    await store.editing.save_text("# Memory\n\n- Wants answers in Uzbek\n- Lives in Graz\n", "")
    await store.editing.save_text("# Soul\n\n- Lives in a box\n- Always answer in Russian\n", "", path=SOUL_PATH)
    assert await store.editing.propose_disagreements() == 1
    [item] = placed(store)
    assert (item.placed.old_path, item.placed.new_path) == (MEMORY_PATH, SOUL_PATH)
    await store.editing.settle_pair(item, Settlement("keep"))
    assert text(store, SOUL_PATH) == "# Soul\n\n- Lives in a box\n"
    assert await store.editing.propose_disagreements() == 0
    # What a model would write into either waits, too.
    soul = "# Soul\n\n- Lives in a box\n- Always answer in Russian\n"
    await store.editing.save_text(soul, store.editing.read_text(SOUL_PATH).digest, "agent", path=SOUL_PATH)
    assert any("MEMORY.md says “Wants answers in Uzbek”" in each for each in store.ledger.suggestions()[0].reasons)


@pytest.mark.parametrize(
    ("settlement", "after"),
    [
        (Settlement("keep"), ONE),
        (Settlement("replace", DAY), TWO.replace("- Lives in Graz", STRUCK)),
        (SCOPED, TWO.replace("Graz", "Graz (until May)").replace("Linz", "Linz (at work)")),
    ],
)
async def test_a_pair_of_the_memory_is_settled_and_not_asked_about_again(
    store: MemoryStore, settlement: Settlement, after: str
) -> None:
    await store.editing.save_text(TWO, "")
    await store.editing.propose_disagreements()
    decided = await store.editing.settle_pair(pairs(store)[0], settlement)
    assert text(store) == after
    assert store.ledger.suggestions() == []
    assert await store.editing.propose_disagreements() == 0
    await store.editing.reopen(decided)
    assert text(store) == TWO
    assert len(pairs(store)) == 1


@pytest.mark.parametrize(
    ("settlement", "after"),
    [
        (Settlement("keep"), ONE),
        (Settlement("replace", DAY), ONE.replace("- Lives in Graz", f"{STRUCK}\n- Lives in Linz")),
        (SCOPED, ONE.replace("- Lives in Graz", "- Lives in Graz (until May)\n- Lives in Linz (at work)")),
    ],
)
async def test_a_pair_that_was_brought_is_settled_and_the_rest_of_the_proposal_waits_on(
    store: MemoryStore, settlement: Settlement, after: str
) -> None:
    await store.editing.save_text(ONE, "")
    reason = "Two facts disagree: “Lives in Graz” and “Lives in Linz”."
    proposed = f"{ONE}- Lives in Linz\n- Likes tea\n".replace("- Lives in Graz", STRUCK)
    store.files.memory.suggest(ONE, proposed, (reason,), MemoryOrigin("agent", "2026-01-02T10:00:00"))
    decided = await store.editing.settle_pair(pairs(store)[0], settlement)
    assert text(store) == after
    (left,) = items_with_pairs(store.ledger.suggestions())
    assert left.after == "- Likes tea"
    await store.editing.reopen(decided)
    assert text(store) == ONE
    assert len(pairs(store)) == 1


async def test_nothing_is_written_where_the_old_line_is_gone(store: MemoryStore) -> None:
    await store.editing.save_text(TWO, "")
    await store.editing.propose_disagreements()
    (item,) = pairs(store)
    moved = TWO.replace("- Lives in Graz\n", "")
    await store.editing.save_text(moved, store.editing.read_text().digest)
    with pytest.raises(ApprovalMoved):
        await store.editing.settle_pair(item, SCOPED)
    assert text(store) == moved


async def test_a_pair_that_is_named_waits_once_and_not_again_once_it_was_settled(store: MemoryStore) -> None:
    await store.editing.save_text(TWO, "")
    named = Disagreement("- Lives in Graz", "- Lives in Linz")
    assert await store.editing.propose_pair(named)
    assert await store.editing.propose_pair(named)
    [waits] = pairs(store)
    assert waits.pair == named
    assert text(store) == TWO
    await store.editing.settle_pair(waits, SCOPED)
    assert not await store.editing.propose_pair(named)
    assert pairs(store) == []


async def test_a_fact_that_held_before_and_stands_twice_is_replaced_whole(store: MemoryStore) -> None:
    once = "- ~~Lives in Graz~~ (until 2020-01-31)"
    await store.editing.save_text(f"# Memory\n\n{once}\n- Lives in Graz\n- Lives in Graz.\n- Lives in Linz\n", "")
    await store.editing.propose_disagreements()
    while pairs(store):
        await store.editing.settle_pair(pairs(store)[0], Settlement("replace", DAY))
    assert text(store) == (f"# Memory\n\n{once}\n{STRUCK}\n- ~~Lives in Graz.~~ (until 2026-03-12)\n- Lives in Linz\n")
    assert store.ledger.suggestions() == []


@pytest.mark.parametrize(
    ("path", "other", "name"),
    [("memory/MEMORY.md", USER_PATH, USER_PATH), (USER_PATH, "memory/MEMORY.md", "MEMORY.md")],
)
async def test_what_a_model_writes_into_one_file_waits_where_the_other_says_otherwise(
    store: MemoryStore, path: str, other: str, name: str
) -> None:
    await store.editing.save_text("- Lives in Graz\n", "", path=other)
    before = await store.editing.save_text("- Has a cat\n", "", path=path)
    sources = Sources(spoken="I live in Linz and like tea.")
    saved = await store.editing.save_text(
        "- Has a cat\n- Likes tea\n", before.digest, "agent", sources=sources, path=path
    )
    assert not saved.held
    saved = await store.editing.save_text(
        "- Has a cat\n- Likes tea\n- Lives in Linz\n", saved.digest, "agent", sources=sources, path=path
    )
    assert saved.held == (f"Two memory files disagree: {name} says “Lives in Graz”, this one “Lives in Linz”.",)
    assert "Linz" not in store.editing.read_text(path).text
    (waits,) = store.ledger.suggestions()
    await store.editing.settle(waits.id, "accept")
    assert "Linz" in store.editing.read_text(path).text
    assert store.editing.read_text(other).text == "- Lives in Graz\n"


async def test_a_pair_of_two_files_that_is_not_seen_as_one_has_the_older_line_struck_and_is_asked_about_once(
    store: MemoryStore,
) -> None:
    await store.editing.save_text(ONE, "")
    await store.editing.save_text("# User\n\n- Lives in Linz\n", "", path=USER_PATH)
    assert await store.editing.propose_disagreements() == 1
    (waits,) = store.ledger.suggestions()
    assert waits.reasons == ("Two memory files disagree: USER.md says “Lives in Linz”, this one “Lives in Graz”.",)
    assert text(store) == ONE
    assert await store.editing.propose_pair(Disagreement("- Lives in Graz", "Lives in Linz"), new_path=USER_PATH)
    assert store.ledger.suggestions() == [waits]
    (item,) = items_with_pairs([waits])
    await store.editing.decide(item, "accept")
    assert "- ~~Lives in Graz~~ (until " in text(store)
    assert await store.editing.propose_disagreements() == 0


async def test_a_line_in_two_files_that_the_person_keeps_is_not_asked_about_again(store: MemoryStore) -> None:
    await store.editing.save_text(ONE, "")
    await store.editing.save_text("# User\n\n- Lives in Linz\n", "", path=USER_PATH)
    await store.editing.propose_disagreements()
    (waits,) = store.ledger.suggestions()
    await store.editing.settle(waits.id, "reject")
    assert text(store) == ONE
    assert await store.editing.propose_disagreements() == 0


USER = "# User\n\n- Lives in Linz\n- Likes tea\n"
BESIDE = {MEMORY_PATH: ONE, USER_PATH: USER}
"""A pair that stands in two files."""
BROUGHT = {MEMORY_PATH: "# Memory\n\n- Has a cat\n- Plays chess\n", USER_PATH: "# User\n\n- Lives in Graz\n"}
"""Two files, of which one says what a line that is brought into the other disagrees with."""
ACROSS = "Two memory files disagree: USER.md says “Lives in Graz”, this one “Lives in Linz”."


async def bring(store: MemoryStore) -> None:
    """Has a tool propose a line, and another one, that disagrees with the other file."""
    await write(store, BROUGHT)
    proposed = "# Memory\n\n- Has a cat\n- Lives in Linz\n- Plays chess\n- Likes tea\n"
    origin = MemoryOrigin("agent", "2026-01-02T10:00:00")
    store.files.memory.suggest(BROUGHT[MEMORY_PATH], proposed, (ACROSS,), origin)


@pytest.mark.parametrize(
    ("settlement", "after"),
    [
        (Settlement("keep"), BESIDE | {USER_PATH: "# User\n\n- Likes tea\n"}),
        (Settlement("replace", DAY), BESIDE | {MEMORY_PATH: ONE.replace("- Lives in Graz", STRUCK)}),
        (
            SCOPED,
            {
                path: each.replace("Graz", "Graz (until May)").replace("Linz", "Linz (at work)")
                for path, each in BESIDE.items()
            },
        ),
    ],
)
async def test_a_pair_of_two_files_is_settled_and_taken_back_in_one_step(
    store: MemoryStore, settlement: Settlement, after: Mapping[str, str]
) -> None:
    await write(store, BESIDE)
    assert await store.editing.propose_disagreements() == 1
    [item] = placed(store)
    assert (item.placed.old_path, item.placed.new_path) == (MEMORY_PATH, USER_PATH)
    assert texts_of(store) == BESIDE
    decided = await store.editing.settle_pair(item, settlement)
    assert texts_of(store) == after
    assert store.ledger.suggestions() == []
    assert await store.editing.propose_disagreements() == 0
    await store.editing.reopen(decided)
    assert texts_of(store) == BESIDE
    assert placed(store) == [item]


@pytest.mark.parametrize(
    ("settlement", "after"),
    [
        (Settlement("keep"), BROUGHT),
        (
            Settlement("replace", DAY),
            {
                MEMORY_PATH: "# Memory\n\n- Has a cat\n- Lives in Linz\n- Plays chess\n",
                USER_PATH: f"# User\n\n{STRUCK}\n",
            },
        ),
        (
            SCOPED,
            {
                MEMORY_PATH: "# Memory\n\n- Has a cat\n- Lives in Linz (at work)\n- Plays chess\n",
                USER_PATH: "# User\n\n- Lives in Graz (until May)\n",
            },
        ),
    ],
)
async def test_what_is_brought_against_the_other_file_is_settled_in_both_and_the_rest_waits_on(
    store: MemoryStore, settlement: Settlement, after: Mapping[str, str]
) -> None:
    await bring(store)
    [item] = placed(store)
    assert item.is_brought
    decided = await store.editing.settle_pair(item, settlement)
    assert texts_of(store) == after
    [left] = store.editing.waiting_items()
    assert (left.after, left.reasons) == ("- Likes tea", ())
    await store.editing.reopen(decided)
    assert texts_of(store) == BROUGHT
    assert placed(store) == [item]


async def test_both_files_are_changed_under_one_id_and_undone_and_redone_as_one(store: MemoryStore) -> None:
    await bring(store)
    decided = await store.editing.settle_pair(placed(store)[0], SCOPED)
    after = texts_of(store)
    changed = [store.editing.newest_change(path) for path in BROUGHT]
    assert {each and each.id for each in changed} == {decided.change_id}
    assert {each and each.origin.kind for each in changed} == {"review"}
    await store.editing.undo_change(decided.change_id, USER_PATH)
    assert texts_of(store) == BROUGHT
    newest = store.editing.newest_change()
    assert newest is not None
    await store.editing.undo_change(newest.id)
    assert texts_of(store) == after
    with pytest.raises(StorageError, match="Nothing of this change"):
        await store.editing.undo_change(newest.id)


async def test_an_undo_of_both_files_keeps_what_was_written_later_and_asks_about_the_rest(store: MemoryStore) -> None:
    await bring(store)
    decided = await store.editing.settle_pair(placed(store)[0], SCOPED)
    await write(store, {USER_PATH: "# User\n\n- Lives in Graz, by the river\n", MEMORY_PATH: text(store) + "- Skis\n"})
    with pytest.raises(StorageError, match="later changed the same"):
        await store.editing.reopen(decided)
    saved = await store.editing.undo_change(decided.change_id)
    assert saved.conflicts
    assert texts_of(store) == {
        MEMORY_PATH: f"{BROUGHT[MEMORY_PATH]}- Skis\n",
        USER_PATH: "# User\n\n- Lives in Graz, by the river\n",
    }
    assert USER_PATH in {each.path for each in store.ledger.suggestions()}


async def test_a_pair_of_two_files_is_settled_over_what_was_written_elsewhere_meanwhile(
    store: MemoryStore, tmp_path: Path
) -> None:
    await bring(store)
    [item] = placed(store)
    (tmp_path / USER_PATH).write_text("# User\n\n- Name is Sam\n- Lives in Graz\n")
    (tmp_path / MEMORY_PATH).write_text("# Memory\n\n- Has a cat\n- Has a dog\n- Plays chess\n")
    await store.editing.bring_up_to_date()
    [item] = placed(store)
    await store.editing.settle_pair(item, Settlement("replace", DAY))
    assert text(store, USER_PATH) == f"# User\n\n- Name is Sam\n{STRUCK}\n"
    assert text(store) == "# Memory\n\n- Has a cat\n- Lives in Linz\n- Has a dog\n- Plays chess\n"


@pytest.mark.parametrize("gone", [MEMORY_PATH, USER_PATH])
async def test_a_pair_is_dropped_once_one_of_its_lines_is_gone_and_not_settled_as_it_was_shown(
    store: MemoryStore, tmp_path: Path, gone: str
) -> None:
    await write(store, BESIDE)
    await store.editing.propose_disagreements()
    [item] = placed(store)
    moved = "\n".join(line for line in BESIDE[gone].split("\n") if "Lives in" not in line)
    (tmp_path / gone).write_text(moved)
    with pytest.raises(ApprovalMoved, match=r"MEMORY\.md, USER\.md or the proposal"):
        await store.editing.settle_pair(item, SCOPED)
    assert texts_of(store) == BESIDE | {gone: moved}
    assert (await store.editing.bring_up_to_date()).dropped == 1
    assert store.ledger.suggestions() == []


async def test_a_pair_of_one_file_is_dropped_once_its_newer_line_is_gone(store: MemoryStore) -> None:
    await write(store, {MEMORY_PATH: TWO})
    await store.editing.propose_disagreements()
    await write(store, {MEMORY_PATH: ONE})
    assert (await store.editing.bring_up_to_date()).dropped == 1
    assert store.ledger.suggestions() == []
    # Nobody settled it: where both stand again it is asked about again.
    await write(store, {MEMORY_PATH: TWO})
    assert await store.editing.propose_disagreements() == 1
    assert await store.editing.propose_disagreements() == 0
    await store.editing.settle_pair(pairs(store)[0], SCOPED)
    assert await store.editing.propose_disagreements() == 0


async def test_of_three_facts_that_disagree_each_older_one_is_struck_and_nothing_is_left_to_decide(
    store: MemoryStore,
) -> None:
    await store.editing.save_text(f"{TWO}- Lives in Vienna\n", "")
    assert await store.editing.propose_disagreements() == 3
    for _ in range(2):
        await store.editing.bring_up_to_date()
        await store.editing.settle_pair(pairs(store)[0], Settlement("replace", DAY))
    await store.editing.bring_up_to_date()
    assert store.ledger.suggestions() == []
    struck = [STRUCK, STRUCK.replace("Graz", "Linz")]
    assert text(store).split("\n") == ["# Memory", "", struck[0], "- Has a cat", struck[1], "- Lives in Vienna", ""]


async def test_a_pair_of_which_the_old_line_was_kept_is_left_out_whole_when_it_is_brought_again(
    store: MemoryStore,
) -> None:
    await store.editing.save_text(ONE, "")
    reason = "Two facts disagree: “Lives in Graz” and “Lives in Linz”."
    proposed = f"{ONE}- Lives in Linz\n".replace("- Lives in Graz", STRUCK)
    for is_first in (True, False):
        store.files.memory.suggest(ONE, proposed, (reason,), MemoryOrigin("agent", "2026-01-02T10:00:00"))
        if is_first:
            await store.editing.settle_pair(pairs(store)[0], Settlement("keep"))
    assert store.ledger.suggestions() == []
    assert [each.proposed for each in store.ledger.left_out()] == [proposed]


async def test_a_pair_waits_on_while_the_other_file_cannot_be_read(store: MemoryStore, tmp_path: Path) -> None:
    await write(store, BESIDE)
    await store.editing.propose_disagreements()
    (tmp_path / USER_PATH).write_bytes(b"\xff\xfe\x00")
    assert (await store.editing.bring_up_to_date()).dropped == 0
    with pytest.raises(StorageError):
        await store.editing.settle_pair(PairItem(*_item_of(store)), SCOPED)
    assert text(store) == ONE
    assert len(store.ledger.suggestions()) == 1


def _item_of(store: MemoryStore) -> tuple[Suggestion, None, tuple[str, ...], PlacedPair]:
    [waits] = store.ledger.suggestions()
    pair = Disagreement("- Lives in Graz", "- Lives in Linz")
    return waits, None, waits.reasons, PlacedPair(pair, MEMORY_PATH, USER_PATH)


async def test_a_fact_that_two_files_say_is_settled_in_either(store: MemoryStore) -> None:
    both = {MEMORY_PATH: ONE, USER_PATH: "# User\n\n- Lives in Graz\n"}
    for first in (0, 1):
        await write(store, both)
        own = "Two facts disagree: “Lives in Graz” and “Lives in Linz”."
        proposed = f"{ONE}- Lives in Linz\n".replace("- Lives in Graz", STRUCK)
        store.files.memory.suggest(ONE, proposed, (own, ACROSS), MemoryOrigin("agent", "2026-01-02T10:00:00"))
        assert len(placed(store)) == 2
        first_decided = await store.editing.settle_pair(placed(store)[first], Settlement("replace", DAY))
        assert (await store.editing.bring_up_to_date()).dropped == 0
        [item] = placed(store)
        await store.editing.settle_pair(item, Settlement("replace", DAY))
        assert texts_of(store)[USER_PATH] == f"# User\n\n{STRUCK}\n"
        assert STRUCK in text(store)
        assert text(store).count("- Lives in Linz") == 1
        assert store.ledger.suggestions() == []
        assert first_decided.change_id


async def test_a_line_that_is_not_taken_in_disagrees_with_nothing_any_more(store: MemoryStore) -> None:
    await write(store, {MEMORY_PATH: ONE, USER_PATH: "# User\n\n- Lives in Graz\n"})
    own = "Two facts disagree: “Lives in Graz” and “Lives in Linz”."
    proposed = f"{ONE}- Lives in Linz\n".replace("- Lives in Graz", STRUCK)
    for number in range(2):
        store.files.memory.suggest(ONE, proposed, (own, ACROSS), MemoryOrigin("agent", "2026-01-02T10:00:00"))
        if number == 0:
            decided = await store.editing.settle_pair(placed(store)[0], Settlement("keep"))
        # What the person would not have is not brought again, until that is taken back.
        assert store.ledger.suggestions() == []
    assert text(store) == ONE
    await store.editing.reopen(decided)
    assert len(placed(store)) == 2


@pytest.mark.parametrize(("path", "other"), [(MEMORY_PATH, USER_PATH), (USER_PATH, MEMORY_PATH)])
async def test_what_the_person_saved_is_the_newer_line_and_asked_about_once_by_either_check(
    store: MemoryStore, path: str, other: str
) -> None:
    await write(store, {path: "- Has a cat\n- Plays chess\n- Does not play chess\n", other: "- Lives in Graz\n"})
    before = store.editing.read_text(path)
    saved = await store.editing.save_text(f"{before.text}- Lives in Linz\n", before.digest, path=path)
    assert await store.editing.propose_new_disagreements(path, before.digest, saved.text) == 1
    [item] = placed(store)
    assert item.placed == PlacedPair(Disagreement("- Lives in Graz", "- Lives in Linz"), other, path)
    # What stood before is left to the check of the whole memory, to which the pair is known.
    assert await store.editing.propose_disagreements() == 1
    await store.editing.settle_pair(item, Settlement("replace", DAY))
    assert text(store, other) == f"{STRUCK}\n"
    assert await store.editing.propose_new_disagreements(path, "", text(store, path)) == 0


async def test_what_came_into_memory_without_a_review_is_compared_too(store: MemoryStore) -> None:
    captured = "- **remember**: Remember that I live in Linz now"
    await write(store, {MEMORY_PATH: f"{ONE}{captured}\n- Drinks tea\n- Does not drink tea\n"})
    assert await store.editing.propose_disagreements_of([captured]) == 1
    [item] = placed(store)
    assert item.pair == Disagreement("- Lives in Graz", captured)
    assert await store.editing.propose_disagreements_of([captured]) == 0


@pytest.mark.parametrize("is_one_save", [True, False])
async def test_of_two_lines_saved_one_after_the_other_the_second_is_the_newer_however_late_they_are_compared(
    store: MemoryStore, *, is_one_save: bool
) -> None:
    await write(store, {MEMORY_PATH: "# Memory\n\n- Has a cat\n"})
    start = store.editing.read_text()
    first = await store.editing.save_text(ONE, start.digest)
    # Put above the first, so that their order in the file does not tell.
    both = (
        f"{ONE}- Lives in Linz\n" if is_one_save else ONE.replace("- Lives in Graz", "- Lives in Linz\n- Lives in Graz")
    )
    second = await store.editing.save_text(both, first.digest)
    assert second.text == both
    saves = [(start.digest, both)] if is_one_save else [(start.digest, first.text), (first.digest, both)]
    assert sum([await store.editing.propose_new_disagreements(MEMORY_PATH, *each) for each in saves]) == 1
    [item] = placed(store)
    assert item.pair == Disagreement("- Lives in Graz", "- Lives in Linz")


async def test_a_line_that_is_gone_by_the_time_it_is_compared_is_asked_about_no_more(store: MemoryStore) -> None:
    await write(store, {MEMORY_PATH: ONE})
    before = store.editing.read_text()
    saved = await store.editing.save_text(f"{ONE}- Lives in Linz\n", before.digest)
    await store.editing.save_text(ONE, saved.digest)
    assert await store.editing.propose_new_disagreements(MEMORY_PATH, before.digest, saved.text) == 0
    assert placed(store) == []


@pytest.mark.parametrize("is_whole", [True, False])
async def test_a_comparison_that_is_not_waited_for_any_more_ends_its_thread(
    store: MemoryStore, *, is_whole: bool
) -> None:
    long = "".join(f"- Prefers {'tea' if number % 2 else 'coffee'} for task {number}\n" for number in range(400))
    await write(store, {MEMORY_PATH: long})
    editing = store.editing
    check = editing.propose_disagreements() if is_whole else editing.propose_new_disagreements(MEMORY_PATH, "", long)
    assert await threads_left_by(check, "disagreements") == []
    assert placed(store) == []


async def test_a_file_with_other_names_is_asked_about_before_either_is_written(
    store: MemoryStore, tmp_path: Path
) -> None:
    await bring(store)
    [item] = placed(store)
    os.link(tmp_path / USER_PATH, tmp_path / "other.md")
    with pytest.raises(FileShared):
        await store.editing.settle_pair(item, SCOPED)
    assert texts_of(store) == BROUGHT
    assert placed(store) == [item]


async def test_a_decision_that_was_refused_half_way_is_finished_by_the_next_and_is_no_other(
    tmp_path: Path,
) -> None:
    for again, is_same in ((SCOPED, True), (Settlement("replace", DAY), False)):
        root = tmp_path / again.choice
        root.mkdir()
        calls = _Refusing()
        store = MemoryStore(root, sessions=SessionManager(root), calls=calls)
        store.recover()
        await bring(store)
        [item] = placed(store)
        calls.refuses = USER_PATH
        with pytest.raises(StorageError):
            await store.editing.settle_pair(item, SCOPED)
        calls.refuses = ""
        if is_same:
            decided = await store.editing.settle_pair(item, again)
        else:
            with pytest.raises(StorageError, match="decided already"):
                await store.editing.settle_pair(item, again)
        assert text(store, USER_PATH) == "# User\n\n- Lives in Graz (until May)\n"
        assert "- Lives in Linz (at work)\n" in text(store)
        assert placed(store) == []
        if is_same:
            calls.refuses = USER_PATH
            with pytest.raises(StorageError):
                await store.editing.reopen(decided)
            calls.refuses = ""
            await store.editing.reopen(decided)
            assert texts_of(store) == BROUGHT
            assert placed(store) == [item]


class _Refusing(FileCalls):
    """Refuses to put a file of a name in its place."""

    refuses = ""

    def exchange(self, one: str, other: str) -> bool:
        if self.refuses and other.endswith(self.refuses):
            raise OSError(28, "No space left on device")
        return super().exchange(one, other)


@pytest.mark.parametrize("about", ["- Owes Miriam 4,200 dollars", "- Lives in Linz with Miriam"])
@pytest.mark.parametrize("is_settled", [True, False])
async def test_a_pair_is_known_after_a_forgetting_of_something_else_by_no_hash_of_what_is_forgotten(
    tmp_path: Path, about: str, *, is_settled: bool
) -> None:
    stones = Tombstones(tmp_path / "stones.json", TombstoneKey())
    store = MemoryStore(tmp_path, sessions=SessionManager(tmp_path), tombstones=stones)
    store.recover()
    new = "- Lives in Linz with Miriam" if "Linz" in about else "- Lives in Linz"
    await store.editing.save_text(f"# Memory\n\n- Owes Miriam 4,200 dollars\n- Lives in Graz\n{new}\n", "")
    assert await store.editing.propose_disagreements() == 1
    (item,) = pairs(store)
    if is_settled:
        await store.editing.settle_pair(item, SCOPED)
    plan = store.forgettings.plan([about])
    store.forgettings.carry_out(plan.text, plan.by_default, plan.without(plan.by_default))
    assert store.ledger.knows_suggestion(item.suggestion.id) == ("Owes" in about)
    if "Owes" in about:
        assert await store.editing.propose_disagreements() == 0
        assert len(pairs(store)) == int(not is_settled)
