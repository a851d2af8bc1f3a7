"""Search as window and agent ask for it: begun when it is needed, current from then on."""

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from mnemoscope.agent.search.search_service import SearchService
from mnemoscope.domain.events import EventBus, HistoryChanged, MemoryChanged, SettingsChanged, TurnEnded
from mnemoscope.memory.files.write_hooks import notify_hooks
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.calls import RootedCalls
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.search_sources import SearchKind
from tests.support.search_files import message, session, workspace


async def found_as_typed(search: SearchService, text: str) -> list[int]:
    """Returns the lines found as somebody types, once there are any: the index follows on its own."""
    async with asyncio.timeout(60):
        while not (hits := await asyncio.wrap_future(search.type(text))):
            pass
    return [hit.line for hit in hits]


async def test_nothing_is_begun_before_a_search_or_where_one_was_an_answer(tmp_path: Path) -> None:
    bus = EventBus()
    paths = workspace(tmp_path)
    search = SearchService(paths, bus)
    bus.publish(SettingsChanged())
    bus.publish(TurnEnded("k", "answered"))
    search.look()
    assert not search.ranked.is_begun
    paths.own.search_file.touch()
    bus.publish(TurnEnded("k", "answered"))
    await asyncio.wrap_future(search.logs.refresh())
    assert not search.ranked.is_begun, "only the logs were indexed"
    paths.memory_file.write_text("- a wombat\n")
    await search.find("quokka")
    await search.close()
    again, current = SearchService(paths, bus), Event()

    def hear(state: Any) -> None:
        if state.is_current:
            current.set()

    again.ranked.subscribe(hear)
    bus.publish(TurnEnded("k", "answered"))
    assert await asyncio.to_thread(current.wait, 60)
    assert again.ranked.state.passages == 1
    await again.close()


async def test_what_changed_is_found_without_being_asked_for(tmp_path: Path) -> None:
    paths, bus = workspace(tmp_path), EventBus()
    search = SearchService(paths, bus)
    assert await search.find("quokka") == []
    paths.memory_file.write_text("- a quokka\n")
    notify_hooks("a quokka", "MEMORY.md")
    assert await found_as_typed(search, "quokk") == [1]
    paths.history_file.write_text("[2026-03-01 10:00] A wombat.\n")
    bus.publish(HistoryChanged())
    assert await found_as_typed(search, "womba") == [1]
    (paths.root / "USER.md").write_text("a dingo\n")
    search.look()
    assert await found_as_typed(search, "ding") == [1]
    await search.close()


async def test_the_agent_is_told_who_wrote_a_line_of_memory(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    paths.memory_file.write_text("# Animals\n- a quokka\n")
    store = MemoryStore(tmp_path)
    text = store.editing.read_text()
    await store.editing.save_text(f"{text.text}- a wombat\n", text.digest)
    bus = EventBus()
    search = SearchService(paths, bus)
    assert [hit.where for hit in await search.passages("quokka", 8)] == ["line 2, by another program, or by hand"]
    assert [hit.where for hit in await search.passages("wombat", 8)] == ["line 3, by the person, in the editor"]
    hits = await search.find("wombat")
    assert await search.authors(hits) == {hits[0].number: "editor"}
    paths.memory_file.write_text("# Animals\n- a dingo\n")
    store.editing.read_text()
    bus.publish(MemoryChanged("", "", "outside"))
    hits = await search.find("dingo")
    assert await search.authors(hits) == {hits[0].number: "outside"}
    await search.close()


async def test_the_agent_is_not_told_what_was_forgotten_and_came_back(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    paths.memory_file.write_text("# Animals\n- the quokka is called Bo\n- the quokka likes leaves\n")
    search = SearchService(paths, EventBus(), is_forgotten=lambda line: "called Bo" in line)
    assert [each.text for each in await search.passages("quokka", 8)] == ["- the quokka likes leaves"]
    assert len(await search.find("quokka")) == 2
    await search.close()


async def test_the_agent_is_told_where_a_passage_stands(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    said = [message("the quokka is called Bo"), message("Noted: a quokka called Bo, then", "assistant")]
    session(paths, *said, message("how is the quokka called?"))
    paths.memory_file.write_text("# Animals\n- a quokka\n")
    search = SearchService(paths, EventBus())
    passages = await search.passages("quokka", 8, "cli:direct")
    assert {(hit.source, hit.where) for hit in passages} == {
        ("memory/MEMORY.md", "line 2"),
        ("sessions/cli_direct.jsonl", "2026-03-06 14:20, user"),
    }
    assert [hit.where for hit in await search.passages("noted", 8)] == ["2026-03-06 14:20, assistant"]
    hit = next(hit for hit in await search.find("called Bo") if hit.message_index == 0)
    behind = await search.behind(hit)
    assert behind is not None
    assert (behind.session_key, behind.start) == ("cli:direct", 0)
    await search.close()


@pytest.mark.usefixtures("no_full_text_search")
async def test_without_an_index_the_files_are_read(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    paths.memory_file.write_text("- a quokka\n")
    search = SearchService(paths, EventBus())
    paths.history_file.write_text("[2026-03-01 10:00] A dingo.\n\n[2026-03-02 10:00] A quokka again.\n\n")
    assert [hit.text for hit in await search.passages("quokka", 1)] == ["- a quokka"]
    for found in (await search.find("quokka"), await typed(search, "quokka")):
        assert [(hit.kind, hit.line, hit.number) for hit in found] == [
            (SearchKind.MEMORY, 1, 1),
            (SearchKind.HISTORY, 3, 2),
        ]
        assert found[0].mark(found[0].text) == ((4, 10),)
    await search.close()


async def typed(search: SearchService, text: str) -> list[SearchHit]:
    """Returns what is found once somebody who types pauses."""
    await asyncio.wrap_future(search.type(text))
    found = await search.find_typed(text)
    assert found is not None
    return found


async def test_a_closed_search_gives_its_index_back(tmp_path: Path) -> None:
    search = SearchService(workspace(tmp_path), EventBus())
    await search.close()
    assert search.type("quokka").cancelled()


async def test_a_search_begun_in_a_folder_that_took_the_workspaces_place_leaves_it_alone(tmp_path: Path) -> None:
    paths = workspace(tmp_path / "ws")
    search = SearchService(paths, EventBus(), calls=RootedCalls(paths.root))
    paths.root.rename(tmp_path / "away")
    workspace(paths.root).memory_file.write_text("- a quokka\n")
    assert await search.find("quokka") == []
    await search.close()
    assert not list(paths.own.folder.iterdir())
