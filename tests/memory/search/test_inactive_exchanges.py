"""What the notes say of messages that a conversation has left stays in the files, and comes before nobody as active."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.agent.mcp.shared_memory import SharedMemory
from mnemoscope.agent.workspace.message_deletions import MessagesToDelete
from mnemoscope.domain.context.exchange_reference import ExchangeReference, NotedExchange, NotedMessage
from mnemoscope.domain.conversation.branch import FORKS
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.memory.search.memory_search import memory_search
from mnemoscope.store.logs.exchange_log import ExchangeLog
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.proof.beginnings import conversation
from tests.proof.opened import KEY, Opened

WALNUT, MAPLE, OAK = "the walnut table m12", "the maple table m12", "the oak table m14"


async def opened_at(root: Path) -> Opened:
    await asyncio.to_thread(conversation, root)
    opened = Opened(root, window=100, tiers=True)
    await opened.session()
    return opened


async def sent(opened: Opened) -> str:
    """Returns what is sent along where the person asks where they were."""
    prompt = await opened.bench.prompts.of_draft(KEY, "Where were we?")
    return "\n".join(each.text for each in prompt.messages if each.kind == "recovery")


async def listed(opened: Opened) -> str:
    await opened.bench.loop.process(KEY, "/history 9")
    return text_of((await opened.session()).messages[-1])


async def ways(opened: Opened, root: Path) -> list[str]:
    """Returns what comes of the notes by each way to them."""
    hits = [hit for hit in await opened.bench.search.find("table") for hit in (hit, *hit.duplicates)]
    outside = await asyncio.to_thread(memory_search, "table", root)
    return [
        await sent(opened),
        "\n".join(hit.text for hit in hits if hit.path.endswith(".md")),
        "\n".join(hit["content"] for hit in outside if hit["file"].endswith(".md")),
        await listed(opened),
    ]


@pytest.mark.usefixtures("no_full_text_search")
async def test_where_there_is_no_index_the_files_that_are_read_keep_another_branch_back_too(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    await opened.bench.loop.process(KEY, WALNUT)
    assert await opened.bench.loop.resend(KEY, 12, MAPLE)
    found = await opened.bench.search.passages("table", 9, KEY)
    assert opened.bench.search.ranked.state.problem
    outside = await asyncio.to_thread(memory_search, "table", tmp_path)
    given = await asyncio.to_thread(shared, tmp_path)
    shown = "\n".join(hit.text for hit in await opened.bench.search.find("table"))
    for text in ("\n".join(each.text for each in found), "\n".join(each["content"] for each in outside), given, shown):
        assert (WALNUT in text, MAPLE in text) == (False, True), text
    await opened.close()


def shared(root: Path) -> str:
    """Returns what another agent is given."""
    memory = SharedMemory(root, clock=datetime.now)
    try:
        return memory.search("table", 9)
    finally:
        memory.close()


async def test_another_branch_is_not_recovered_or_found_and_is_back_with_it(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    loop = opened.bench.loop
    await loop.process(KEY, WALNUT)
    assert await loop.resend(KEY, 12, MAPLE)
    for text in await ways(opened, tmp_path):
        assert (WALNUT in text, MAPLE in text) == (False, True), text
    assert await loop.switch_branch(KEY, (await opened.session()).branch.root)
    for text in await ways(opened, tmp_path):
        assert (WALNUT in text, MAPLE in text) == (True, False), text
    (notes,) = (tmp_path / "memory").glob("2*.md")
    assert WALNUT in notes.read_text()
    assert MAPLE in notes.read_text()
    await opened.close()


async def test_what_was_left_is_left_still_when_the_conversation_is_closed(tmp_path: Path) -> None:
    opened = await opened_at(tmp_path)
    bench = opened.bench
    await bench.loop.process(KEY, WALNUT)
    assert await bench.loop.resend(KEY, 12, MAPLE)
    await bench.loop.process(KEY, OAK)
    session = await opened.session()
    index = next(at for at, each in enumerate(session.messages) if OAK in text_of(each))
    await bench.deletions.delete([MessagesToDelete(session, (index,), (session.messages[index],))])
    assert await bench.loop.close_conversation(KEY)
    for text in await ways(opened, tmp_path):
        assert (WALNUT in text, MAPLE in text, OAK in text) == (False, True, False), text
    await opened.close()


def test_a_conversation_that_is_gone_is_looked_for_once_and_seen_when_it_is_back(tmp_path: Path) -> None:
    paths, file = WorkspacePaths(tmp_path), "memory/2026-11-22.md"
    messages = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
    session = Session(KEY, messages, datetime(2026, 11, 22, 9))
    began = session.branch.began
    ExchangeLog(paths).add(ExchangeReference(file, "09:00:00", NotedExchange(KEY, (NotedMessage("another", 1),))))
    ExchangeLog(paths).add(ExchangeReference(file, "09:00:01", NotedExchange(KEY, (NotedMessage(began, 1),))))
    found, asked = dict[str, Session](), list[str]()

    def session_of(_key: str, name: str) -> Session | None:
        asked.append(name)
        return found.get(name)

    left = InactiveExchanges(paths, session_of)
    for _ in range(3):
        assert left.among(file, ["09:00:00", "09:00:01"]) == [False, False]
    assert asked == ["another", began]
    session.metadata[FORKS] = [["another", 1]]
    found |= {"another": session, session.branch.began: session}
    paths.sessions_dir.mkdir()
    assert left.among(file, ["09:00:00", "09:00:01"]) == [True, False]
