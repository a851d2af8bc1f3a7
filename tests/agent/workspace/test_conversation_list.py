"""What is done to several conversations of the list at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mnemoscope.agent.workspace.conversation_list import BatchResult
from mnemoscope.domain.events import Noticed
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY, Opened

OTHER = "desktop:other"


async def opened_at(root: Path) -> Opened:
    await asyncio.to_thread(conversation, root)
    opened = Opened(root)
    session = opened.bench.sessions.get_or_create(OTHER)
    session.add_message("user", "m40")
    session.add_message("assistant", "m41")
    opened.bench.sessions.save(session)
    opened.bench.sessions.create("Nothing said", key="desktop:empty")
    return opened


async def keys(opened: Opened) -> list[str]:
    return sorted(each.key for each in await opened.bench.conversations.overviews())


async def test_what_is_archived_leaves_no_empty_conversation_behind(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    archived = await opened.bench.conversations.archive([KEY, OTHER, "desktop:empty", "desktop:never"])
    assert archived.done == (KEY, OTHER)
    assert archived.refused == dict.fromkeys(("desktop:empty", "desktop:never"), "Nothing was said in it.")
    assert await keys(opened) == ["desktop:empty"]
    assert len(list((tmp_path / "sessions/archive").glob("*.jsonl"))) == 2
    assert "m40 m41" in (tmp_path / "memory/HISTORY.md").read_text()
    await opened.close()


async def test_one_that_cannot_be_consolidated_stays_and_the_others_go(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    with opened.bench.loop.kept_idle([OTHER]):
        archived = await opened.bench.conversations.archive([OTHER, KEY])
    assert archived == BatchResult((KEY,), {OTHER: "This conversation is still at work."})
    assert await keys(opened) == ["desktop:empty", OTHER]
    assert opened.seen(Noticed) == []
    await opened.close()


async def test_one_that_cannot_be_read_keeps_none_of_the_others_waiting(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    file = opened.bench.sessions.path_of(OTHER)
    assert file is not None
    opened.bench.sessions.invalidate(OTHER)
    file.unlink()
    file.mkdir()
    refused = {OTHER: "The conversation could not be read: it is a folder."}
    pinned = await opened.bench.conversations.pin([OTHER, "desktop:empty"], pinned=True)
    assert pinned == BatchResult(("desktop:empty",), refused)
    assert await opened.bench.conversations.archive([OTHER, KEY]) == BatchResult((KEY,), refused)
    assert len(list((tmp_path / "sessions/archive").glob("*.jsonl"))) == 1
    await opened.close()


async def test_what_is_pinned_is_known_in_the_list_and_after_a_restart(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    await opened.bench.conversations.pin([KEY, "desktop:empty"], pinned=True)
    await opened.bench.conversations.pin(["desktop:empty"], pinned=False)
    await opened.close()
    again = Opened(tmp_path)
    found = {each.key for each in await again.bench.conversations.overviews() if each.is_pinned}
    assert found == {KEY}
    await again.close()


async def test_a_message_is_gone_to_on_the_branch_it_was_said_in(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    conversations, first = opened.bench.conversations, (await opened.session()).branch.began
    assert await opened.bench.loop.branch(KEY, 6)
    second = (await opened.session()).branch.began
    assert not await conversations.go_to_branch(KEY, 6, "2001-01-01T10:00:00")
    assert not await conversations.go_to_branch("desktop:never", 2, first)
    assert await conversations.go_to_branch(KEY, 2, first)
    assert (await opened.session()).branch.began == second, "both branches have that message"
    assert await conversations.go_to_branch(KEY, 6, first)
    assert (await opened.session()).branch.began == first
    await opened.close()
