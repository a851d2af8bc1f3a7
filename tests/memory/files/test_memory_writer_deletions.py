"""What the person deleted from memory stays deleted, whoever wants it back but they."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.merge.held_back import fact_hashes, hold_back
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import conversation, save_memory

FACTS = "# User\n- Name is Sam\n- Likes tea\n- Lives in Paris\n- Works at night\n"
WITHOUT = FACTS.replace("- Likes tea\n", "")


class Memory:
    """A memory of one workspace, opened anew where a test asks for it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.count = 0
        self.open()

    def open(self) -> None:
        self.sessions = SessionManager(self.root)
        self.store = MemoryStore(self.root, sessions=self.sessions)
        self.store.recover()

    @property
    def text(self) -> str:
        return self.store.memory_file.read_text()

    async def edit(self, text: str) -> None:
        await self.store.editing.save_text(text, self.store.editing.read_text().digest)

    def edit_outside(self, text: str) -> None:
        self.store.editing.read_text()
        self.store.memory_file.write_text(text)

    async def consolidate(self, update: str) -> None:
        """Two more messages, and a model that answers with this text of memory."""
        session = conversation(self.sessions, 2, start=self.count)
        self.count += 2
        model = ScriptedProvider(save_memory(f"[2026-01-02 10:{self.count:02}] Talked.", update))
        assert await self.store.consolidate(session, model, "m", archive_all=True)


@pytest.fixture
async def memory(tmp_path: Path) -> Memory:
    made = Memory(tmp_path)
    await made.edit(FACTS)
    return made


async def assert_held(memory: Memory, text: str, line: str) -> None:
    assert memory.text == text
    (suggestion,) = memory.store.ledger.suggestions()
    assert suggestion.reasons == (f"You deleted this: “{line}”.",)
    assert [(each.base, each.mine, each.theirs) for each in suggestion.conflicts] == [("", "", f"- {line}")]


async def test_a_line_deleted_in_the_editor_is_not_brought_back_by_a_model(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    await memory.consolidate(WITHOUT + "- Likes tea\n")
    await assert_held(memory, WITHOUT, "Likes tea")


async def test_a_line_deleted_by_another_program_is_not_brought_back_either(memory: Memory) -> None:
    memory.edit_outside(WITHOUT)
    await memory.consolidate(WITHOUT + "- Likes tea\n")
    await assert_held(memory, WITHOUT, "Likes tea")


async def test_a_line_deleted_while_the_workspace_was_closed_counts_too(memory: Memory) -> None:
    memory.store.memory_file.write_text(WITHOUT)
    memory.open()
    await memory.consolidate(WITHOUT + "- Likes tea\n")
    await assert_held(memory, WITHOUT, "Likes tea")


async def test_it_is_remembered_over_restarts_and_later_consolidations(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    for number in range(3):
        memory.open()
        await memory.consolidate(memory.text + f"- Learnt {number}\n")
    await memory.consolidate(memory.text + "- Likes tea\n")
    assert "Likes tea" not in memory.text
    assert len(memory.store.ledger.suggestions()) == 1


@pytest.mark.parametrize("line", ["* likes TEA.", "1. Likes  tea", "- **Likes tea**!", "- [ ] Likes “tea”"])
async def test_trivial_rewording_does_not_bring_it_back(memory: Memory, line: str) -> None:
    await memory.edit(WITHOUT)
    await memory.consolidate(WITHOUT + line + "\n")
    assert memory.text == WITHOUT
    assert len(memory.store.ledger.suggestions()) == 1


async def test_what_else_a_model_learnt_is_written(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    await memory.consolidate(WITHOUT + "- Likes tea\n- Has a dog\n")
    await assert_held(memory, WITHOUT + "- Has a dog\n", "Likes tea")


async def test_accepting_the_suggestion_lifts_the_deletion(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    await memory.consolidate(WITHOUT + "- Likes tea\n")
    (suggestion,) = memory.store.ledger.suggestions()
    await memory.store.editing.settle(suggestion.id, "accept")
    assert memory.text == WITHOUT + "- Likes tea\n"
    # From here on it is a fact as any other: lost by another program's mistake, it may come back.
    await memory.consolidate(WITHOUT + "- Likes tea\n- Has a dog\n")
    assert memory.text == WITHOUT + "- Likes tea\n- Has a dog\n"


async def test_rejecting_the_suggestion_does_not(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    await memory.consolidate(WITHOUT + "- Likes tea\n")
    await memory.store.editing.settle(memory.store.ledger.suggestions()[0].id, "reject")
    await memory.consolidate(WITHOUT + "- Likes tea\n")
    # It does not even wait any more: they said twice that they do not want it.
    assert memory.text == WITHOUT
    assert memory.store.ledger.suggestions() == []
    assert [each.reasons for each in memory.store.ledger.left_out()] == [("You deleted this: “Likes tea”.",)]


@pytest.mark.parametrize("outside", [False, True])
async def test_writing_the_line_again_lifts_the_deletion(memory: Memory, outside: bool) -> None:
    await memory.edit(WITHOUT)
    if outside:
        memory.edit_outside(FACTS)
    else:
        await memory.edit(FACTS)
    await memory.consolidate(FACTS + "- Has a dog\n")
    assert memory.text == FACTS + "- Has a dog\n"
    assert memory.store.ledger.suggestions() == []


async def test_a_tool_of_the_model_does_not_bring_it_back(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    digest = memory.store.editing.read_text().digest
    said = Sources("I like tea, note it.")
    await memory.store.editing.save_text(WITHOUT + "- Likes tea\n", digest, "agent", sources=said)
    await assert_held(memory, WITHOUT, "Likes tea")


async def test_undoing_what_a_model_wrote_is_a_deletion(memory: Memory) -> None:
    await memory.consolidate(FACTS + "- Has a dog\n")
    (change,) = [each for each in memory.store.editing.changes() if each.origin.kind == "consolidation"]
    await memory.store.editing.undo_change(change.id)
    assert memory.text == FACTS
    await memory.consolidate(FACTS + "- Has a dog\n")
    await assert_held(memory, FACTS, "Has a dog")


async def test_what_a_model_dropped_and_nobody_deleted_may_come_back(memory: Memory) -> None:
    await memory.consolidate(FACTS.replace("Likes tea", "Likes green tea"))
    await memory.consolidate(FACTS)
    assert memory.text == FACTS


async def test_nothing_of_it_stands_in_memory_itself(memory: Memory) -> None:
    await memory.edit(WITHOUT)
    assert memory.text == WITHOUT
    journal = memory.root / ".mnemoscope" / "memory-changes.jsonl"
    assert journal.is_file()


def test_a_new_section_of_deleted_facts_alone_is_held_with_its_heading() -> None:
    held = hold_back("# A\n- one\n", "# A\n- one\n\n# B\n- two\n", fact_hashes("- two"))
    assert (held.text, [each.theirs for each in held.conflicts]) == ("# A\n- one\n", ["- two"])


def test_a_new_section_with_more_under_it_stays() -> None:
    held = hold_back("# A\n- one\n", "# A\n- one\n\n# B\n- two\n- three\n", fact_hashes("- two"))
    assert held.text == "# A\n- one\n\n# B\n- three\n"


def test_a_line_of_the_persons_is_not_reworded_into_what_they_deleted() -> None:
    held = hold_back("# A\n- Likes green tea\n", "# A\n- Likes tea\n", fact_hashes("- Likes tea"))
    assert held.text == "# A\n- Likes green tea\n"
    assert held.conflicts[0].mine == "- Likes green tea"


def test_no_fact_is_left_out_by_holding_another_back() -> None:
    current = "- Drinks mostly green tea from Japan, without sugar\n"
    wanted = "- Drinks mostly green tea\n- from Japan, without sugar\n"
    held = hold_back(current, wanted, fact_hashes("- from Japan, without sugar"))
    assert held.text == current
    assert held.conflicts


def test_what_stands_in_memory_is_never_held_back() -> None:
    assert hold_back("- two\n", "- two\n- new\n", fact_hashes("- two")).text == "- two\n- new\n"
