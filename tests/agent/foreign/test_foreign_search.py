"""What other agents said is indexed apart, follows the stores, and goes with them."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemoscope.agent.foreign.foreign_reading import ForeignReading, SeenStore
from mnemoscope.agent.foreign.foreign_search import MEMORY, ForeignSearch
from mnemoscope.domain.errors import StorageError
from tests.foreign_stores import claude_code, codex
from tests.foreign_stores.hashes import hashes_of


@pytest.fixture
async def search(tmp_path: Path) -> AsyncIterator[ForeignSearch]:
    made = ForeignSearch(tmp_path / "state" / "agents.db")
    yield made
    made.close()
    made.close()


async def listed(*roots: Path) -> list[SeenStore]:
    reading = ForeignReading()
    try:
        found = [await reading.listed(root) for root in roots]
    finally:
        reading.close()
    return [each for each in found if each is not None]


async def found(search: ForeignSearch, text: str) -> set[tuple[str, str]]:
    return {(hit.source.title, hit.passage.role) for hit in await search.find(text)}


async def test_messages_summaries_branches_and_lines_of_memory_are_found_and_nothing_is_changed(
    search: ForeignSearch, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    talk = claude_code.ClaudeRecords(session="77777777-2222-4333-8444-555555555555")
    talk.person("Let us plan.")
    talk.boundary(talk.answer("Yes."))
    talk.summary("They plan a journey by train.")
    where = talk.person("Where to?")
    talk.answer("To Lisbon.", parent=where)
    talk.answer("To Porto.", parent=where)
    talk.beside("ai-title", aiTitle="A journey")
    talk.write(root / "projects" / claude_code.PROJECT / f"{talk.session}.jsonl")
    codex.make_store(tmp_path / ".codex")
    before = hashes_of(tmp_path)
    assert await search.find("graz") == []
    await search.read(await listed(root, tmp_path / ".codex"))
    assert hashes_of(tmp_path / ".claude") == {
        name.removeprefix(".claude/"): each for name, each in before.items() if name.startswith(".claude/")
    }
    path = f"projects/{claude_code.PROJECT}/memory/MEMORY.md"
    assert await found(search, "graz") == {("Tabs and Graz", "user"), (path, "memory")}
    assert await found(search, "lisbon") == await found(search, "porto") == {("A journey", "assistant")}
    assert await found(search, "by train") == {("A journey", "summary")}
    assert await found(search, "lexer.py") == {("Look for the parser.", "assistant")}
    # Results of tools are no words of anybody.
    assert await found(search, "File created successfully") == set()
    line = next(hit for hit in await search.find("graz") if hit.passage.role == "memory")
    assert (line.source.name, line.passage.place) == (f"{MEMORY}{path}", 4)


async def test_what_changed_is_read_anew_and_what_is_gone_is_found_no_more(
    search: ForeignSearch, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    await search.read(await listed(root))
    folder = root / "projects" / claude_code.PROJECT
    memory = folder / "memory" / "MEMORY.md"
    memory.write_text(memory.read_text().replace("Lives in Graz", "Lives in Lisbon"))
    (folder / f"{claude_code.SESSION}.jsonl").unlink()
    await search.prune()
    assert {role for _, role in await found(search, "graz")} == {"memory"}
    await search.read(await listed(root))
    assert await found(search, "graz") == set()
    assert {role for _, role in await found(search, "lisbon")} == {"memory"}
    await search.read([])
    assert await found(search, "lisbon") == await found(search, "morning") == set()


async def test_a_store_that_goes_while_it_is_read_is_one_in_which_nothing_was_said(
    search: ForeignSearch, tmp_path: Path
) -> None:
    root = claude_code.sample_store(tmp_path / ".claude")
    stores = await listed(root)
    shutil.rmtree(root)
    await search.read(stores)
    assert {role for _, role in await found(search, "graz")} == {"memory"}
    await search.prune()
    assert await found(search, "graz") == set()


async def test_nothing_is_left_once_it_is_switched_off_and_nothing_asked_once_closed(
    search: ForeignSearch, tmp_path: Path
) -> None:
    await search.prune()
    await search.read(await listed(claude_code.sample_store(tmp_path / ".claude")))
    assert await found(search, "morning")
    await search.remove()
    assert list((tmp_path / "state").iterdir()) == []
    assert await search.find("morning") == []
    search.close()
    with pytest.raises(StorageError):
        await search.find("morning")
