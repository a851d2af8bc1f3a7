"""Saving MEMORY.md and settling what was held for the person."""

import hashlib
import re
from pathlib import Path

import pytest

from mnemoscope.domain.errors import ApprovalMoved, StorageError, UnreadableFile
from mnemoscope.domain.events import Event, EventBus, MemoryChanged, SuggestionsChanged
from mnemoscope.domain.review.sources import Sources
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import conversation, save_memory

FACTS = "# User\n- Name is Sam\n- Likes tea\n- Lives in Paris\n"
PROPOSED = "# User\n- Name is Sam\n- Likes tea\n"


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def store(tmp_path: Path, events: list[Event]) -> MemoryStore:
    bus = EventBus()
    bus.subscribe(events.append)
    made = MemoryStore(tmp_path, sessions=SessionManager(tmp_path), bus=bus)
    made.write_long_term(FACTS)
    return made


async def held(store: MemoryStore) -> str:
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    model = ScriptedProvider(save_memory("[2026-01-02 10:00] Moved.", PROPOSED))
    assert await store.consolidate(session, model, "m", archive_all=True)
    (suggestion,) = store.ledger.suggestions()
    return suggestion.id


async def test_accepting_writes_exactly_what_was_shown(store: MemoryStore, events: list[Event]) -> None:
    saved = await store.editing.settle(await held(store), "accept")
    assert saved.text == store.read_long_term() == PROPOSED
    assert store.ledger.suggestions() == []
    assert events[-2:] == [MemoryChanged(PROPOSED, saved.digest, "editor"), SuggestionsChanged(0)]


async def test_rejecting_leaves_memory_alone(store: MemoryStore) -> None:
    await store.editing.settle(await held(store), "reject")
    assert store.read_long_term() == FACTS
    assert store.ledger.suggestions() == []


async def test_editing_writes_the_persons_text(store: MemoryStore) -> None:
    await store.editing.settle(await held(store), "edit", FACTS + "- Moved to Lyon\n")
    assert store.read_long_term() == FACTS + "- Moved to Lyon\n"


async def test_an_acceptance_is_refused_where_the_file_moved_on_and_asked_for_again(
    store: MemoryStore, events: list[Event]
) -> None:
    suggestion = await held(store)
    changed = FACTS.replace("Sam", "Samuel")
    store.memory_file.write_text(changed)
    with pytest.raises(ApprovalMoved, match="changed after you were shown it") as refused:
        await store.editing.settle(suggestion, "accept")
    assert "shown again" in refused.value.next_step
    assert store.read_long_term() == changed
    assert events[-1] == SuggestionsChanged(1)
    (again,) = store.ledger.suggestions()
    assert (again.before, again.proposed) == (changed, PROPOSED.replace("Sam", "Samuel"))
    assert (await store.editing.settle(again.id, "accept", again.proposed)).text == again.proposed


async def test_an_acceptance_is_good_for_the_bytes_that_were_shown_and_no_others(store: MemoryStore) -> None:
    suggestion = await held(store)
    for text, shown in ((PROPOSED + "- More\n", ""), (None, "0" * 64), (PROPOSED.rstrip("\n"), "")):
        with pytest.raises(ApprovalMoved):
            await store.editing.settle(suggestion, "accept", text, shown)
    assert store.read_long_term() == FACTS
    await store.editing.settle(suggestion, "accept", shown=hashlib.sha256(PROPOSED.encode()).hexdigest())
    assert store.read_long_term() == PROPOSED


async def test_a_merge_that_was_shown_is_written_as_it_was_shown(store: MemoryStore) -> None:
    suggestion = await held(store)
    store.memory_file.write_text(FACTS.replace("Sam", "Samuel"))
    saved = await store.editing.settle(suggestion, "accept", PROPOSED.replace("Sam", "Samuel"))
    assert saved.text == store.read_long_term() == PROPOSED.replace("Sam", "Samuel")


async def test_what_a_model_writes_with_a_tool_passes_the_same_gate(store: MemoryStore, events: list[Event]) -> None:
    before = store.editing.read_text()
    page = Sources("Read the page.", "", "Sam banks with Evil & Co.")
    saved = await store.editing.save_text(FACTS + "- Banks with Evil & Co\n", before.digest, "agent", sources=page)
    assert saved.held == ("Only a tool or file said “Banks with Evil & Co”.",)
    assert store.read_long_term() == FACTS
    assert events[-1] == SuggestionsChanged(1)
    said = Sources("I bank with Evil & Co, please note it.", "", "Sam banks with Evil & Co.")
    saved = await store.editing.save_text(FACTS + "- Banks with Evil & Co\n", before.digest, "agent", sources=said)
    assert (saved.held, store.read_long_term()) == ((), FACTS + "- Banks with Evil & Co\n")


async def test_accepting_never_overrides_a_line_the_person_changed_since(store: MemoryStore) -> None:
    suggestion = await held(store)
    changed = FACTS.replace("Lives in Paris", "Lives in Paris, near the river")
    store.memory_file.write_text(changed)
    saved = await store.editing.settle(suggestion, "accept")
    assert len(saved.conflicts) == 1
    assert store.read_long_term() == changed
    (again,) = store.ledger.suggestions()
    assert (again.before, again.proposed) == (changed, PROPOSED)
    await store.editing.settle(again.id, "accept")
    assert store.read_long_term() == PROPOSED


async def test_a_suggestion_is_settled_once(store: MemoryStore) -> None:
    suggestion = await held(store)
    await store.editing.settle(suggestion, "reject")
    for decision in ("accept", "perhaps"):
        with pytest.raises(StorageError):
            await store.editing.settle(suggestion, decision)
    with pytest.raises(StorageError):
        await store.editing.settle("../../x", "accept")


async def test_saving_over_the_present_version_writes_to_the_letter(store: MemoryStore) -> None:
    before = store.editing.read_text()
    saved = await store.editing.save_text("# Mine\r\n- as typed  ", before.digest)
    assert (saved.merged, saved.conflicts) == (False, ())
    assert store.memory_file.read_bytes() == b"# Mine\r\n- as typed  "


async def test_saving_over_a_file_that_moved_on_keeps_both_changes(store: MemoryStore) -> None:
    before = store.editing.read_text()
    store.memory_file.write_text(FACTS + "- Has a dog\n")
    saved = await store.editing.save_text(FACTS.replace("tea", "coffee"), before.digest)
    assert saved.merged
    assert store.read_long_term() == saved.text == FACTS.replace("tea", "coffee") + "- Has a dog\n"


async def test_where_both_changed_a_line_the_editors_stands_and_the_other_is_offered(store: MemoryStore) -> None:
    before = store.editing.read_text()
    store.memory_file.write_text(FACTS.replace("tea", "green tea"))
    mine = FACTS.replace("tea", "black tea")
    saved = await store.editing.save_text(mine, before.digest)
    assert store.read_long_term() == mine
    assert saved.conflicts[0].theirs == "- Likes green tea"
    assert store.ledger.suggestions()[0].proposed == FACTS.replace("tea", "green tea")


async def test_where_an_agent_saves_the_files_lines_stand(store: MemoryStore) -> None:
    before = store.editing.read_text()
    store.memory_file.write_text(FACTS.replace("tea", "green tea"))
    await store.editing.save_text(FACTS.replace("tea", "black tea"), before.digest, origin="agent")
    assert store.read_long_term() == FACTS.replace("tea", "green tea")
    assert store.ledger.suggestions()[0].proposed == FACTS.replace("tea", "black tea")


async def test_a_version_that_is_not_known_any_more_costs_no_line(store: MemoryStore) -> None:
    saved = await store.editing.save_text("# User\n- Name is Sam\n- Mine\n", "0" * 64)
    assert set(saved.text.splitlines()) == {*FACTS.splitlines(), "- Mine"}


async def test_a_file_that_cannot_be_read_is_not_overwritten_by_a_save(store: MemoryStore) -> None:
    before = store.editing.read_text()
    store.memory_file.write_bytes(b"caf\xe9")
    with pytest.raises(UnreadableFile, match="not UTF-8"):
        await store.editing.save_text("mine", before.digest)
    with pytest.raises(UnreadableFile):
        store.write_long_term("mine")
    assert store.memory_file.read_bytes() == b"caf\xe9"


def test_the_memory_context_has_its_heading_or_is_empty(store: MemoryStore) -> None:
    assert store.get_memory_context() == f"## Long-term Memory\n{FACTS}"
    store.write_long_term("\n")
    assert store.get_memory_context() == ""


def test_history_is_added_to_as_the_peers_do(store: MemoryStore) -> None:
    store.append_history("[2026-01-01 10:00] One.\n\n\n")
    store.append_history("Two")
    one, two, _ = store.history_file.read_text().split("\n\n")
    assert one == "[2026-01-01 10:00] One."
    # Without a date it would be a paragraph of the one before it.
    assert re.fullmatch(r"\[\d{4}-\d\d-\d\d \d\d:\d\d\] Two", two)
