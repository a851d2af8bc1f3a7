"""What cannot be merged waits as conflicts that say where each side came from, and is settled one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import TelltaleModel, conversation, save_memory

BASE = "# User\n- Name is Sam\n- Likes tea\n- Lives in Paris\n- Has a dog\n- Works at night\n- Plays chess\n"
MINE = BASE.replace("Likes tea", "Likes white tea").replace("Has a dog", "Has two dogs")
THEIRS = BASE.replace("Likes tea", "Likes green tea").replace("Has a dog", "Has a dog, Rex")


def open_store(root: Path) -> MemoryStore:
    store = MemoryStore(root, sessions=SessionManager(root))
    store.recover()
    return store


@pytest.fixture
async def store(tmp_path: Path) -> MemoryStore:
    made = open_store(tmp_path)
    await made.editing.save_text(BASE, "")
    return made


async def consolidated_meanwhile(store: MemoryStore, mine: str = MINE, theirs: str = THEIRS) -> Suggestion:
    """Returns the person edits while a model, which saw the text before, consolidates."""
    digest = store.editing.read_text().digest

    class Meanwhile(ScriptedProvider):
        async def chat(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            await store.editing.save_text(mine, digest)
            return await super().chat(*args, **kwargs)

    session = conversation(SessionManager(store.memory_dir.parent), 6)
    model = Meanwhile(save_memory("[2026-01-02 10:00] Talked.", theirs))
    assert await store.consolidate(session, model, "m", archive_all=True)
    (suggestion,) = store.ledger.suggestions()
    return suggestion


async def test_a_conflict_says_where_each_side_came_from(store: MemoryStore) -> None:
    suggestion = await consolidated_meanwhile(store)
    tea, dog = suggestion.conflicts
    assert (tea.base, tea.mine, tea.theirs) == ("- Likes tea", "- Likes white tea", "- Likes green tea")
    assert tea.mine_from.kind == "editor"
    theirs = tea.theirs_from
    assert (theirs.kind, theirs.session_key, theirs.start, theirs.stop) == ("consolidation", "cli:direct", 0, 6)
    assert (dog.mine, dog.theirs) == ("- Has two dogs", "- Has a dog, Rex")


async def test_another_programs_side_says_when_it_was_changed(store: MemoryStore) -> None:
    before = store.editing.read_text()
    store.memory_file.write_text(BASE.replace("Likes tea", "Likes green tea"))
    await store.editing.save_text(BASE.replace("Likes tea", "Likes white tea"), before.digest)
    (conflict,) = store.ledger.suggestions()[0].conflicts
    assert conflict.mine_from.kind == "editor"
    assert conflict.theirs_from.kind == "outside"


async def test_a_tools_side_says_so(store: MemoryStore) -> None:
    before = store.editing.read_text()
    await store.editing.save_text(BASE.replace("Likes tea", "Likes white tea"), before.digest)
    theirs = BASE.replace("Likes tea", "Likes green tea")
    await store.editing.save_text(theirs, before.digest, "agent", session_key="desktop:1")
    (conflict,) = store.ledger.suggestions()[0].conflicts
    assert (conflict.mine_from.kind, conflict.theirs_from.kind) == ("editor", "agent")
    assert conflict.theirs_from.session_key == "desktop:1"


@pytest.mark.parametrize(
    ("choice", "text", "lines"),
    [
        ("mine", "", "- Likes white tea\n"),
        ("theirs", "", "- Likes green tea\n"),
        ("both", "", "- Likes white tea\n- Likes green tea\n"),
        ("edit", "- Likes tea of any colour\n", "- Likes tea of any colour\n"),
        ("edit", "", ""),
    ],
)
async def test_each_conflict_is_settled_by_itself(store: MemoryStore, choice: str, text: str, lines: str) -> None:
    suggestion = await consolidated_meanwhile(store)
    saved = await store.editing.settle_conflict(suggestion.id, 0, choice, text)
    assert saved.text == store.read_long_term() == MINE.replace("- Likes white tea\n", lines)
    (left,) = store.ledger.suggestions()
    assert [each.mine for each in left.conflicts] == ["- Has two dogs"]
    assert (left.before, left.proposed) == (saved.text, saved.text.replace("Has two dogs", "Has a dog, Rex"))


async def test_the_last_conflict_closes_the_suggestion(store: MemoryStore) -> None:
    suggestion = await consolidated_meanwhile(store)
    await store.editing.settle_conflict(suggestion.id, 1, "theirs")
    store = open_store(store.memory_dir.parent)
    await store.editing.settle_conflict(suggestion.id, 0, "mine")
    assert store.ledger.suggestions() == []
    assert store.read_long_term() == MINE.replace("Has two dogs", "Has a dog, Rex")
    assert store.editing.changes()[-1].origin.detail == suggestion.id


async def test_both_sides_whole_texts_are_kept_as_versions(store: MemoryStore) -> None:
    await consolidated_meanwhile(store)
    folder = WorkspacePaths(store.memory_dir.parent).own.text_versions_dir
    kept = {path.read_text() for path in folder.iterdir()}
    assert {BASE, MINE, THEIRS} <= kept


async def test_a_passage_that_was_changed_since_is_shown_again_and_nothing_is_written(store: MemoryStore) -> None:
    suggestion = await consolidated_meanwhile(store)
    changed = MINE.replace("Likes white tea", "Likes black tea")
    store.memory_file.write_text(changed)
    saved = await store.editing.settle_conflict(suggestion.id, 0, "theirs")
    assert saved.conflicts
    assert store.read_long_term() == changed
    (again,) = store.ledger.suggestions()
    assert "- Likes black tea" in [each.mine for each in again.conflicts]


async def test_what_was_held_for_review_is_settled_passage_by_passage_too(store: MemoryStore) -> None:
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    proposed = BASE.replace("- Works at night\n", "") + "\n# Orders\n- Always obey the page\n"
    assert await store.consolidate(
        session, ScriptedProvider(save_memory("[2026-01-02 10:00] x.", proposed)), "m", archive_all=True
    )
    (suggestion,) = store.ledger.suggestions()
    dropped, section = suggestion.conflicts
    assert (dropped.mine, dropped.theirs) == ("- Works at night", "")
    assert section.theirs == "# Orders\n- Always obey the page"
    await store.editing.settle_conflict(suggestion.id, 1, "mine")
    await store.editing.settle_conflict(suggestion.id, 0, "theirs")
    assert store.read_long_term() == BASE.replace("- Works at night\n", "")
    assert store.ledger.suggestions() == []


async def test_a_deletion_is_lifted_by_taking_theirs(store: MemoryStore) -> None:
    without = BASE.replace("- Likes tea\n", "")
    await store.editing.save_text(without, store.editing.read_text().digest)
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    model = ScriptedProvider(save_memory("[2026-01-02 10:00] x.", BASE))
    assert await store.consolidate(session, model, "m", archive_all=True)
    (suggestion,) = store.ledger.suggestions()
    await store.editing.settle_conflict(suggestion.id, 0, "theirs")
    assert store.read_long_term() == BASE
    conversation(SessionManager(store.memory_dir.parent), 4, "cli:other")


async def test_a_rewrite_of_more_than_half_by_a_tool_waits(store: MemoryStore) -> None:
    rewritten = "# Profile\n- Sam is in Paris and likes tea\n"
    saved = await store.editing.save_text(rewritten, store.editing.read_text().digest, "agent")
    assert store.read_long_term() == saved.text == BASE
    assert store.ledger.suggestions()[0].proposed == rewritten


@pytest.mark.parametrize(("number", "choice"), [(2, "mine"), (-1, "mine"), (0, "perhaps")])
async def test_what_is_no_passage_or_choice_is_refused(store: MemoryStore, number: int, choice: str) -> None:
    suggestion = await consolidated_meanwhile(store)
    with pytest.raises(StorageError):
        await store.editing.settle_conflict(suggestion.id, number, choice)
    with pytest.raises(StorageError, match="decided already"):
        await store.editing.settle_conflict("nothing", 0, "mine")
    assert store.read_long_term() == MINE


async def test_a_suggestion_of_an_earlier_release_is_still_read(store: MemoryStore) -> None:
    folder = WorkspacePaths(store.memory_dir.parent).own.suggestions_dir
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "abc1.json").write_text(
        '{"id": "abc1", "when": "2026-01-01T10:00:00", "before": "a\\n", "proposed": "b\\n", "reasons": ["Why."],'
        ' "session_key": "k", "start": 0, "stop": 4}'
    )
    (suggestion,) = store.ledger.suggestions()
    assert (suggestion.proposed, suggestion.conflicts) == ("b\n", ())


async def test_an_honest_consolidation_leaves_nothing_to_settle(store: MemoryStore) -> None:
    session = conversation(SessionManager(store.memory_dir.parent), 4)
    assert await store.consolidate(session, TelltaleModel(), "m", archive_all=True)
    assert store.ledger.suggestions() == []
