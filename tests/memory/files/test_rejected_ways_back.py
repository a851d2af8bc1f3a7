"""What the person rejected comes again by none of the ways that lead to the review; by their own word it does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.change import MemoryOrigin
from mnemoscope.domain.memory.outside_proposal import OutsideProposal
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.review.review_items import review_items
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.dream.dream_prompt import REJECTED_HEADING
from mnemoscope.memory.dream.dreamer import DreamRequest
from mnemoscope.memory.files.memory_editing import Decided
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.memory.files.test_forgotten_ways_back import (
    through_a_consolidation,
    through_a_tool,
    through_an_import,
    through_dream,
)
from tests.support.faulty_calls import FailingAt
from tests.support.scripted_provider import ScriptedProvider

FACTS = "# User\n- Name is Sam\n- Likes tea\n- Has two cats\n"
REJECTED = "- Prefers tea from Assam"
AGAIN = "- Tea from Assam is what Sam prefers"
OTHER = "- Prefers tea from Ceylon"
TOOL = MemoryOrigin("agent", "2026-05-12T10:00:00", "desktop:x")


@pytest.fixture
def calls() -> FailingAt:
    """Returns the file calls of the store."""
    return FailingAt()


@pytest.fixture
def store(tmp_path: Path, calls: FailingAt) -> MemoryStore:
    own = WorkspacePaths(tmp_path).own
    tombstones = Tombstones(own.tombstones_file, TombstoneKey())
    made = MemoryStore(tmp_path, sessions=SessionManager(tmp_path), tombstones=tombstones, calls=calls)
    own.folder.mkdir(exist_ok=True)
    made.write_long_term(FACTS)
    return made


async def reject(store: MemoryStore) -> Decided:
    store.files.memory.suggest(FACTS, f"{FACTS}{REJECTED}\n", ("Nobody spoke of it.",), TOOL)
    (item,) = review_items(store.ledger.suggestions())
    return await store.editing.decide(item, "reject")


async def through_another_program(store: MemoryStore, line: str) -> None:
    inbox = ProposalInbox(WorkspacePaths(store.memory_dir.parent))
    inbox.put(OutsideProposal("0123456789abcdef", "2026-11-23T10:00:00", "Hermes", line.removeprefix("- ")))
    store.proposals.take_in()


WAYS = (through_a_tool, through_a_consolidation, through_dream, through_another_program, through_an_import)


@pytest.mark.parametrize("way", WAYS)
async def test_it_is_left_out_and_listed(
    way: Callable[[MemoryStore, str], Awaitable[None]], store: MemoryStore
) -> None:
    await reject(store)
    await way(store, AGAIN)
    assert store.read_long_term() == FACTS
    assert store.ledger.suggestions() == []
    (out,) = store.ledger.left_out()
    assert AGAIN in out.proposed
    assert store.rejections.when(out)


@pytest.mark.parametrize("way", WAYS)
async def test_another_value_comes_as_before(
    way: Callable[[MemoryStore, str], Awaitable[None]], store: MemoryStore
) -> None:
    await reject(store)
    await way(store, OTHER)
    assert store.ledger.left_out() == []
    waits = [each.proposed for each in store.ledger.suggestions()]
    assert OTHER in "\n".join([store.read_long_term(), *waits])


async def test_the_persons_own_message_brings_it_in(store: MemoryStore) -> None:
    await reject(store)
    message = PersonMessage("desktop:a", "2026-01-02T10:00:00", 0, "Remember that I prefer tea from Assam.")
    outcome = await store.captures.capture(message)
    assert [each.fact for each in outcome.records if each.outcome == "refused"] == []
    assert "Assam" in store.read_long_term()
    assert store.rejections.since(AGAIN) is None


async def test_the_persons_own_line_in_the_editor_ends_the_rejection(store: MemoryStore) -> None:
    await reject(store)
    current = store.editing.read_text()
    await store.editing.save_text(f"{current.text}{AGAIN}\n", current.digest)
    assert store.rejections.since(REJECTED) is None


async def test_a_rejection_stands_where_it_cannot_be_taken_back(store: MemoryStore, calls: FailingAt) -> None:
    decided = await reject(store)
    own = WorkspacePaths(store.memory_dir.parent).own
    calls.at = lambda path: path.parent == own.suggestions_dir
    with pytest.raises(StorageError, match="disk is full"):
        await store.editing.reopen(decided)
    assert store.rejections.since(REJECTED) is not None
    calls.heal()
    await store.editing.reopen(decided)
    assert store.rejections.since(REJECTED) is None


async def test_a_rejection_that_is_taken_back_holds_nothing_any_more(store: MemoryStore) -> None:
    decided = await reject(store)
    assert store.rejections.since(AGAIN) is not None
    await store.editing.reopen(decided)
    assert store.rejections.since(AGAIN) is None
    assert len(store.ledger.suggestions()) == 1


FAR = "- Likes the strong leaf of that valley"


async def through_a_run_of_dream(store: MemoryStore, line: str) -> None:
    store.dream.journal.append(f"- [durable] {line.removeprefix('- ')}")
    answer = {"edits": [{"file": "memory/MEMORY.md", "old": "", "new": line}], "summary": "Added it."}
    provider = ScriptedProvider(json.dumps(answer), last=json.dumps(answer))
    await store.dream.dreamer.run(DreamRequest(provider, "m"))


@pytest.mark.parametrize("way", [through_a_tool, through_a_consolidation, through_a_run_of_dream])
async def test_what_is_near_in_meaning_waits_and_is_marked(
    way: Callable[[MemoryStore, str], Awaitable[None]], store: MemoryStore
) -> None:
    asked: list[Sequence[str]] = []

    async def meanings(texts: Sequence[str]) -> dict[str, list[float]]:
        asked.append(texts)
        return {text: [1.0, 0.0] for text in texts}

    store.rejected_meanings.use_model(meanings)
    await way(store, "- Plays chess")
    assert asked == []
    await reject(store)
    await way(store, FAR)
    assert asked == [[REJECTED.removeprefix("- "), FAR.removeprefix("- ")]]
    assert FAR not in store.read_long_term()
    (item,) = review_items(store.ledger.suggestions())
    assert item.after == FAR
    (mark,) = item.reasons
    assert mark.startswith(f"It resembles “{REJECTED[2:]}”, which you rejected on ")
    await store.editing.decide(item, "accept")
    assert FAR in store.read_long_term()
    assert store.rejections.since(REJECTED) is None, "it is the person's word"


async def test_what_another_number_is_in_means_something_else(store: MemoryStore) -> None:
    async def meanings(texts: Sequence[str]) -> dict[str, list[float]]:
        return {text: [1.0, 0.0] for text in texts}

    store.rejected_meanings.use_model(meanings)
    fact = "- Drinks 3 cups before noon"
    store.rejections.remember(Suggestion("aa", "2026-05-12T10:00:00", "", f"{fact}\n", (), "", 0, 0), "2026-05-12")
    await store.rejected_meanings.compare("", "- Has 5 of them in the morning\n")
    assert store.rejections.objection("- Has 5 of them in the morning") == ""


async def test_what_the_words_tell_apart_means_something_else(store: MemoryStore) -> None:
    async def meanings(texts: Sequence[str]) -> dict[str, list[float]]:
        return {text: [1.0, 0.0] for text in texts}

    store.rejected_meanings.use_model(meanings)
    fact, goats, flat = "- Sister Clara paints", "- Sister Clara breeds goats", "- Has a studio for her oils"
    store.rejections.remember(Suggestion("aa", "2026-05-12T10:00:00", "", f"{fact}\n", (), "", 0, 0), "2026-05-12")
    await store.rejected_meanings.compare("", f"{goats}\n{flat}\n")
    assert store.rejections.objection(goats) == ""
    assert fact[2:] in store.rejections.objection(flat)


SAID = "We drank tea again, from Assam and from Ceylon."


async def asked_by_consolidation(store: MemoryStore, said: str) -> str:
    session = SessionManager(store.memory_dir.parent).get_or_create("desktop:c")
    session.add_message("user", said)
    provider = ScriptedProvider("no object", "none", "none")
    await store.consolidate(session, provider, "m", archive_all=True)
    return str(provider.requests[0].messages)


async def asked_by_dream(store: MemoryStore, said: str) -> str:
    store.dream.journal.append(f"- [durable] {said}")
    provider = ScriptedProvider("no object", "none", "none")
    await store.dream.dreamer.run(DreamRequest(provider, "m"))
    return str(provider.requests[0].messages)


@pytest.mark.parametrize("ask", [asked_by_consolidation, asked_by_dream])
async def test_a_model_is_told_not_to_propose_it_again(
    ask: Callable[[MemoryStore, str], Awaitable[str]], store: MemoryStore
) -> None:
    assert REJECTED_HEADING not in await ask(store, SAID)
    decided = await reject(store)
    asked = await ask(store, SAID)
    assert asked.count(REJECTED_HEADING) == asked.count(REJECTED) == 1
    assert "Do not propose any of them again" in asked
    assert REJECTED not in await ask(store, "Nothing of the kind.") or ask is asked_by_dream
    store.tombstones.add([REJECTED])
    assert REJECTED not in await ask(store, SAID)
    store.tombstones.lift([REJECTED])
    await store.editing.reopen(decided)
    assert REJECTED_HEADING not in await ask(store, SAID)
