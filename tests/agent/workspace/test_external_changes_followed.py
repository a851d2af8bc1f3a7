"""A second window looks on: what the one that owns the workspace does shows there, and nothing is written by it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemoscope.domain.errors import WorkspaceInUse
from mnemoscope.domain.events import (
    HistoryChanged,
    MemoryChanged,
    MessagesLost,
    NoticePast,
    PointerMoved,
    RecordAppended,
    SettingsChanged,
    SuggestionsChanged,
)
from mnemoscope.store.workspace.workspace import open_workspace
from tests.agent.workspace.test_workbench import Opened, states
from tests.support.agent_bench import KEY
from tests.support.telltale_model import TelltaleModel


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Opened]:
    opened = Opened(tmp_path)
    await opened.bench.loop.process(KEY, "m0")
    await opened.bench.memory.editing.save_text("# Notes\n- The parcel leaves on Monday morning\n", "")
    yield opened
    await opened.bench.close()


@pytest.fixture
async def onlooker(owner: Opened, tmp_path: Path) -> AsyncIterator[Opened]:
    opened = Opened(tmp_path, read_only=True)
    await opened.bench.recover()
    await opened.bench.conversations.open(KEY)
    await opened.bench.rescan_files()
    opened.inner.events.clear()
    yield opened
    await opened.bench.close()


async def test_a_second_window_cannot_own_the_workspace(owner: Opened, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceInUse):
        open_workspace(tmp_path)


async def test_messages_appear_one_by_one(owner: Opened, onlooker: Opened) -> None:
    await owner.bench.loop.process(KEY, "m1")
    await onlooker.bench.rescan_files()
    seen = [(event.index, event.message["content"]) for event in onlooker.inner.seen(RecordAppended)]
    assert seen == [(2, "m1"), (3, "Yes.")]
    await onlooker.bench.rescan_files()
    assert len(onlooker.inner.seen(RecordAppended)) == 2


async def test_a_consolidation_moves_pointer_memory_and_history(owner: Opened, onlooker: Opened) -> None:
    session = await owner.bench.conversations.open(KEY)
    assert await owner.inner.memory.consolidate(session, TelltaleModel(), "m", memory_window=2)
    await onlooker.bench.rescan_files()
    assert [event.stop for event in onlooker.inner.seen(PointerMoved)] == [session.last_consolidated]
    assert [event.origin for event in onlooker.inner.seen(MemoryChanged)] == ["outside"]
    assert onlooker.inner.seen(HistoryChanged)
    facts = await onlooker.bench.timeline.facts(KEY)
    assert facts.pointer == session.last_consolidated
    assert [record.stop for record in facts.records] == [session.last_consolidated]


async def test_a_conversation_that_was_closed_begins_anew_there_too(owner: Opened, onlooker: Opened) -> None:
    session = await owner.bench.conversations.open(KEY)
    await owner.disk.run(owner.inner.sessions.archive, session, owner.bench.clock())
    await owner.bench.loop.process(KEY, "first again")
    await onlooker.bench.rescan_files()
    assert [event.session_key for event in onlooker.inner.seen(MessagesLost)] == [KEY]
    shown = await onlooker.bench.conversations.open(KEY)
    assert [message["content"] for message in shown.messages] == ["first again", "Yes."]


async def test_suggestions_and_settings_follow(owner: Opened, onlooker: Opened) -> None:
    current = await owner.bench.disk.run(owner.bench.memory.editing.read_text)
    await owner.bench.memory.editing.save_text("# Notes\n- The parcel leaves on Tuesday morning\n", current.digest)
    await owner.bench.memory.editing.save_text("# Notes\n- The parcel leaves on Friday morning\n", current.digest)
    await owner.bench.config.change(theme="dark")
    await onlooker.bench.rescan_files()
    assert [event.count for event in onlooker.inner.seen(SuggestionsChanged)] == [1]
    assert len(onlooker.inner.seen(SettingsChanged)) == 1
    assert onlooker.bench.settings.theme == "dark"


async def test_looking_on_writes_nothing(owner: Opened, onlooker: Opened, tmp_path: Path) -> None:
    await owner.bench.loop.process(KEY, "m1")
    # What was sent is logged behind the answer.
    await owner.bench.disk.run(int)
    before = states(tmp_path)
    await onlooker.bench.rescan_files()
    await onlooker.bench.timeline.facts(KEY)
    await onlooker.bench.disk.run(onlooker.bench.memory.editing.read_text)
    assert states(tmp_path) == before


async def test_a_look_that_began_before_the_folder_was_missed_does_not_say_that_it_is_back(owner: Opened) -> None:
    changes, past = owner.bench.external_changes, list[NoticePast]()
    forget = owner.bench.bus.subscribe(lambda event: past.append(event) if isinstance(event, NoticePast) else None)
    looking = asyncio.ensure_future(changes._is_there())
    await asyncio.sleep(0)
    changes.miss_folder()
    assert await looking
    assert past == []
    assert await changes._is_there()
    assert len(past) == 1
    forget()
