"""Facts that disagree are found over the whole memory, wait for the person, and are settled as they choose."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mnemoscope.domain.contradiction.memory_check import Disagreement
from mnemoscope.domain.contradiction.settlement import PairItem, Settlement, items_with_pairs
from mnemoscope.domain.errors import ApprovalMoved
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager

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


def text(store: MemoryStore) -> str:
    return store.editing.read_text().text


async def test_the_check_only_has_pairs_wait_and_asks_about_each_once(store: MemoryStore) -> None:
    await store.editing.save_text(TWO, "")
    await store.editing.save_text("# User\n\n- Likes tea\n- Does not like tea\n", "", path=USER_PATH)
    assert await store.editing.propose_disagreements() == 2
    assert {item.suggestion.path for item in pairs(store)} == {"memory/MEMORY.md", USER_PATH}
    assert text(store) == TWO
    assert await store.editing.propose_disagreements() == 0


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
    store.files.memory.hold(ONE, proposed, (reason,), MemoryOrigin("agent", "2026-01-02T10:00:00"))
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


async def test_of_lines_in_two_files_the_older_one_is_proposed_to_be_struck_and_asked_about_once(
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
