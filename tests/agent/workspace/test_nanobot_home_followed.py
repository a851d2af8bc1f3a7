"""nanobot 0.3.5 takes over the conversations of a workspace that is open: the window says so and goes on with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mnemoscope.agent.cli.audit import audit
from mnemoscope.domain.events import MessagesLost, Noticed
from mnemoscope.store.search.search_sources import SearchSources
from mnemoscope.store.workspace.nanobot_home import nanobot_home
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.agent.workspace.test_workbench import Opened
from tests.support.agent_bench import KEY

ID = "0123456789abcdef0123456789abcdef"


@pytest.fixture
async def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Opened]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "workspace").mkdir()
    opened = Opened(tmp_path / "workspace")
    yield opened
    await opened.bench.close()


def taken_over(root: Path) -> Path:
    """Does what nanobot 0.3.5 does at its start; returns its own folder."""
    kept = Path.home() / ".nanobot" / "sessions" / ID
    kept.mkdir(parents=True)
    (root / ".nanobot").mkdir()
    (root / ".nanobot" / "workspace-id").write_text(f"{ID}\n")
    (kept / ".workspace").write_text(f"{root}\n")
    for path in (root / "sessions").glob("*.jsonl"):
        path.rename(kept / path.name)
    return kept


async def test_a_conversation_that_is_open_goes_on_in_nanobots_folder(opened: Opened) -> None:
    root = opened.bench.workspace.root
    await opened.bench.loop.process(KEY, "m0")
    session = await opened.bench.conversations.open(KEY)
    await opened.bench.rescan_files()
    kept = taken_over(root)
    await opened.bench.rescan_files()
    assert [event.sentence for event in opened.inner.seen(Noticed) if "moved this conversation" in event.sentence] == [
        f"nanobot moved this conversation to {kept}. It goes on there."
    ]
    assert not opened.inner.seen(MessagesLost)
    await opened.bench.loop.process(KEY, "m1")
    assert [message["content"] for message in session.messages] == ["m0", "Yes.", "m1", "Yes."]
    assert not list((root / "sessions").glob("*.jsonl"))
    assert [each.key for each in await opened.bench.conversations.overviews()] == [KEY]
    names = [source.name for source in SearchSources(WorkspacePaths(root)).all()]
    assert [name for name in names if name.endswith(".jsonl") and name.startswith(str(kept))]
    assert kept in opened.bench.external_changes.places()
    found = audit(root)
    assert [each.key for each in found.sessions] == [KEY]
    assert not found.is_damaged


async def test_a_message_sent_before_the_move_was_seen_is_written_where_it_lies(opened: Opened) -> None:
    await opened.bench.loop.process(KEY, "m0")
    session = await opened.bench.conversations.open(KEY)
    taken_over(opened.bench.workspace.root)
    await opened.bench.loop.process(KEY, "m1")
    assert [message["content"] for message in session.messages] == ["m0", "Yes.", "m1", "Yes."]
    assert len(await opened.bench.conversations.overviews()) == 1


async def test_at_the_opening_it_says_where_the_conversations_are(opened: Opened) -> None:
    root = opened.bench.workspace.root
    await opened.bench.loop.process(KEY, "m0")
    taken_over(root)
    await opened.bench.recover()
    (said,) = [event.sentence for event in opened.inner.seen(Noticed)]
    assert said.startswith("1 conversation of this folder is in nanobot's own folder")
    assert "nanobot up to 0.2.2 sees neither" in said


async def test_what_was_talked_about_and_is_gone_with_nanobots_folder_is_told(opened: Opened) -> None:
    root = opened.bench.workspace.root
    await opened.bench.loop.process(KEY, "m0")
    taken_over(root)
    found = nanobot_home(root)
    assert found is not None
    (path,) = found.files()
    path.unlink()
    problems = audit(root).problems
    assert [problem for problem in problems if f"The conversation {KEY} is not here any more" in problem]
