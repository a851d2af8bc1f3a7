"""What programs outside propose waits for the person, each proposal once, and no memory file says a word of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.domain.errors import WorkspaceReadOnly
from mnemoscope.domain.memory import outside_proposal
from mnemoscope.domain.memory.outside_proposal import MOST_OF_A_CALLER, MOST_PROPOSALS, OutsideProposal
from mnemoscope.memory.files.proposal_intake import IntakeCount
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import FailingAt, SimulatedKill

FACTS = "# User\n- Name is Sam\n- Likes tea\n\n# Project\n- Uses PostgreSQL\n"
CORPUS = json.loads((Path(__file__).parents[3] / "resources" / "bench" / "poison.json").read_text())


@pytest.fixture
def calls() -> FailingAt:
    """Returns the file calls of the store."""
    return FailingAt(SimulatedKill())


@pytest.fixture
def store(tmp_path: Path, calls: FailingAt) -> MemoryStore:
    made = MemoryStore(tmp_path, keys=lambda: frozenset({"key-of-the-keychain"}), calls=calls)
    made.write_long_term(FACTS)
    WorkspacePaths(tmp_path).own.folder.mkdir(exist_ok=True)
    return made


def put(store: MemoryStore, text: str, caller: str = "Claude Code", number: int = 1, heading: str = "") -> str:
    inbox = ProposalInbox(WorkspacePaths(store.memory_dir.parent))
    name = f"{number:016x}"
    inbox.put(OutsideProposal(name, f"2026-11-23T10:00:00.{number:06}", caller, text, heading))
    return name


def files_in(store: MemoryStore, name: str) -> list[Path]:
    return sorted((WorkspacePaths(store.memory_dir.parent).own.folder / name).glob("*"))


def test_a_proposal_waits_under_its_own_id_with_its_author(store: MemoryStore) -> None:
    name = put(store, "Has a cat", heading="User")
    assert store.proposals.take_in() == IntakeCount(1, 0)
    (held,) = store.ledger.suggestions()
    assert (held.id, held.claimed_by) == (name, "Claude Code")
    assert held.proposed == FACTS.replace("- Likes tea\n", "- Likes tea\n- Has a cat\n")
    assert held.reasons == ("Another program proposes it through MCP; it says it is “Claude Code”.",)
    theirs = held.conflicts[0].theirs_from
    assert (theirs.kind, theirs.detail, theirs.when[11:16]) == ("mcp", "Claude Code", "10:00")
    assert store.read_long_term() == FACTS
    assert files_in(store, "inbox") == []


async def test_accepted_it_is_memory_and_rejected_it_is_not(store: MemoryStore) -> None:
    first, second = put(store, "Has a cat"), put(store, "Has a dog", number=2)
    store.proposals.take_in()
    await store.editing.settle(first, "accept")
    await store.editing.settle(second, "reject")
    assert store.read_long_term() == f"{FACTS}- Has a cat\n"
    assert store.editing.changes()[-1].origin.kind == "review"


@pytest.mark.parametrize("settled", ["", "accept", "reject"])
async def test_a_kill_before_it_left_the_inbox_takes_nothing_in_twice(
    store: MemoryStore, calls: FailingAt, settled: str
) -> None:
    name = put(store, "Has a cat")
    calls.at = lambda path: path.parent.name == "inbox"
    with pytest.raises(SimulatedKill):
        store.proposals.take_in()
    assert len(files_in(store, "inbox")) == 1
    calls.heal()
    if settled:
        await store.editing.settle(name, settled)
    assert store.proposals.take_in() == IntakeCount(0, 0)
    assert len(store.ledger.suggestions()) == (0 if settled else 1)
    assert files_in(store, "inbox") == []


def test_what_memory_says_already_is_no_proposal(store: MemoryStore) -> None:
    put(store, "likes tea.")
    assert store.proposals.take_in() == IntakeCount(0, 0)
    assert store.ledger.suggestions() == []
    assert files_in(store, "inbox") == []


async def test_only_so_many_of_one_name_wait_and_a_decision_makes_room(store: MemoryStore) -> None:
    for number in range(MOST_OF_A_CALLER + 2):
        put(store, f"Fact {number}", number=number)
    put(store, "Of another", "Cursor", number=900)
    assert store.proposals.take_in() == IntakeCount(MOST_OF_A_CALLER + 1, 0)
    assert len(files_in(store, "inbox")) == 2
    await store.editing.settle(f"{0:016x}", "reject")
    assert store.proposals.take_in() == IntakeCount(1, 0)
    assert len(files_in(store, "inbox")) == 1


def test_many_names_do_not_make_more_room(store: MemoryStore) -> None:
    for number in range(MOST_PROPOSALS + 5):
        put(store, f"Fact {number}", f"Caller {number}", number=number)
    assert store.proposals.take_in().suggestions == MOST_PROPOSALS
    assert len(files_in(store, "inbox")) == 5


def test_a_name_that_says_where_files_are_says_nothing(store: MemoryStore) -> None:
    put(store, "Has a cat", outside_proposal.claimed_name("../../memory/MEMORY.md"))
    store.proposals.take_in()
    assert [each.claimed_by for each in store.ledger.suggestions()] == ["../../memory/MEMORY.md"]
    assert store.read_long_term() == FACTS


def test_strays_go_to_the_quarantine_under_names_of_ours(store: MemoryStore) -> None:
    put(store, "Has a cat")
    inbox = files_in(store, "inbox")[0].parent
    (inbox / "\x1b[2J").write_bytes(b"x" * 100_000)
    (inbox / "0000000000000009.json").symlink_to(store.memory_file)
    assert store.proposals.take_in() == IntakeCount(1, 2)
    aside = files_in(store, "quarantine")
    assert [path.name.partition("-")[2] for path in aside] == ["inbox", "inbox"]
    assert sorted(path.is_symlink() for path in aside) == [False, True]
    assert files_in(store, "inbox") == []
    assert store.read_long_term() == FACTS


def test_who_only_looks_takes_nothing_in(store: MemoryStore, tmp_path: Path) -> None:
    put(store, "Has a cat")
    with pytest.raises(WorkspaceReadOnly):
        MemoryStore(tmp_path, read_only=True).proposals.take_in()
    assert len(files_in(store, "inbox")) == 1


def test_secrets_are_left_out_and_said_to_be(store: MemoryStore) -> None:
    put(store, "The key is key-of-the-keychain\nand sk-proj-abcdefghijklmnopqrstuvwxyz0123456789")
    store.proposals.take_in()
    (held,) = store.ledger.suggestions()
    assert "key-of-the-keychain" not in held.proposed
    assert "sk-proj-abc" not in held.proposed
    assert any("looks like a secret" in reason for reason in held.reasons)


async def test_what_the_person_deleted_is_said_to_come_back(store: MemoryStore) -> None:
    await store.editing.save_text(FACTS.replace("- Likes tea\n", ""), store.editing.read_text().digest)
    put(store, "Likes tea")
    store.proposals.take_in()
    (held,) = store.ledger.suggestions()
    assert len(held.reasons) > 1


async def test_a_proposal_that_disagrees_with_the_other_memory_file_says_so(store: MemoryStore) -> None:
    await store.editing.save_text("# User\n\n- Lives in Graz\n", "", path="USER.md")
    put(store, "Lives in Linz")
    store.proposals.take_in()
    (held,) = store.ledger.suggestions()
    assert "Two memory files disagree: USER.md says “Lives in Graz”, this one “Lives in Linz”." in held.reasons


@pytest.mark.parametrize("case", CORPUS["cases"], ids=lambda case: case["case"])
def test_nothing_of_the_poison_is_written(store: MemoryStore, case: dict[str, Any]) -> None:
    texts = [*case["lines"], *(new for _, new in case.get("update", ()))]
    for number, text in enumerate(texts):
        put(store, text[:1_000], number=number)
    store.proposals.take_in()
    assert store.read_long_term() == FACTS
    assert all(each.reasons and each.claimed_by for each in store.ledger.suggestions())
