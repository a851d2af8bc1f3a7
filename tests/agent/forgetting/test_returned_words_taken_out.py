"""An entry that says a forgotten fact in other words goes by the person's word: its card says so too, what keeps the
words is found by a forgetting, and both ways back work."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.events import EntryCorrected, ForgottenLinesTakenOut
from mnemoscope.domain.forgetting.plan import PlaceKind
from mnemoscope.domain.review.review_items import ReviewItem
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.logs.entry_links import EntryLinks
from tests.agent.workspace.forgotten_code import SAID
from tests.agent.workspace.test_workbench import Opened
from tests.support.scripted_provider import asks, call

WORDS = b"locker code"
ENTRY = "[2026-11-21 09:00] Harbour gym, locker code 2417"
TAKEN = "[2026-11-21 09:00] […]"


class Story:
    """A workspace in which a consolidation noted a fact in two wordings, one of which the person had forgotten."""

    def __init__(self, root: Path) -> None:
        self.root = root
        answer = call("save_memory", history_entry=ENTRY, memory_update=f"# Facts\n\n- {SAID}\n")
        self.opened = Opened(root, "Noted.", asks(answer))
        self.key = ""

    @property
    def memory(self) -> MemoryStore:
        return self.opened.bench.memory

    async def say_and_forget(self) -> None:
        """Has the fact said, consolidated and forgotten."""
        bench = self.opened.bench
        await bench.recover()
        session = await bench.conversations.begin()
        self.key = session.key
        await bench.loop.process(session.key, SAID)
        assert await bench.memory.consolidate(session, bench.provider, "scripted", archive_all=True)
        plan = await bench.forgetting.plan([SAID])
        await bench.forgetting.carry_out(plan.text, plan.by_default, plan.without(plan.by_default))

    def item(self) -> ReviewItem:
        """Returns what waits about the history."""
        (found,) = [each for each in self.memory.editing.waiting_items() if each.suggestion.path.endswith("HISTORY.md")]
        return found

    def card(self) -> str:
        """Returns what the card of the consolidation says."""
        (record,) = self.memory.ledger.records(self.key)
        return record.entry

    def history(self) -> str:
        return (self.root / "memory/HISTORY.md").read_text("utf-8").strip()

    def holding(self) -> list[str]:
        """Returns the files of the workspace that have the words."""
        files = (each for each in self.root.rglob("*") if each.is_file())
        return sorted(each.relative_to(self.root).as_posix() for each in files if WORDS in each.read_bytes())


@pytest.fixture
async def story(tmp_path: Path) -> AsyncIterator[Story]:
    story = Story(tmp_path)
    await story.say_and_forget()
    yield story
    await story.opened.bench.close()


async def test_its_card_says_what_the_history_says_then_also_after_a_restart(story: Story) -> None:
    assert (story.history(), story.card()) == (ENTRY, ENTRY)
    heard = len(story.opened.inner.seen(EntryCorrected))
    decided = await story.memory.editing.decide(story.item(), "accept")
    assert (story.history(), story.card()) == (TAKEN, TAKEN)
    assert len(story.opened.inner.seen(EntryCorrected)) == heard + 1
    assert EntryLinks(story.memory.ledger.records()).record_for(TAKEN) is not None, "its messages are known still"
    story.memory.ledger.reread()
    assert story.card() == TAKEN
    await story.memory.editing.reopen(decided)
    assert (story.history(), story.card()) == (ENTRY, ENTRY)


async def test_what_keeps_the_words_is_found_and_goes_with_a_second_forgetting(story: Story) -> None:
    forgetting = story.opened.bench.forgetting
    assert story.holding()
    decided = await story.memory.editing.decide(story.item(), "accept")
    plan = await forgetting.plan([ENTRY])
    found = sorted(each.path for each in plan.places)
    assert found == story.holding(), "each place that has the words is told, and can be taken"
    assert {each.kind for each in plan.places} == {PlaceKind.LEDGER, PlaceKind.CHANGES, PlaceKind.VERSIONS}
    await forgetting.carry_out(plan.text, plan.by_default, plan.without(plan.by_default))
    assert story.holding() == []
    assert (story.history(), story.card()) == (TAKEN, TAKEN)
    with pytest.raises(StorageError, match="do not come back"):
        # What a forgetting took, an undo of the decision does not bring back.
        await story.memory.editing.reopen(decided)
    assert (story.history(), story.card(), story.holding()) == (TAKEN, TAKEN, [])


async def test_it_is_announced_which_lines_went_and_which_are_back(story: Story) -> None:
    editing, path = story.memory.editing, "memory/HISTORY.md"

    def heard() -> list[ForgottenLinesTakenOut]:
        return story.opened.inner.seen(ForgottenLinesTakenOut)

    decided = await editing.decide(story.item(), "accept")
    await editing.reopen(decided)
    assert heard() == [
        ForgottenLinesTakenOut(path, (ENTRY,)),
        ForgottenLinesTakenOut(path, (ENTRY,), is_undone=True),
    ]
    kept = await editing.decide(story.item(), "reject")
    await editing.reopen(kept)
    assert len(heard()) == 2, "nothing went, and nothing came back"
    await editing.settle(story.item().suggestion.id, "accept")
    assert heard()[2:] == [ForgottenLinesTakenOut(path, (ENTRY,))]
