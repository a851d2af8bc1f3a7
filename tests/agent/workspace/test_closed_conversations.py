"""What was said at a moment was said in the conversation there was then, not in the one that /new began after it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mnemoscope.agent.workspace.closed_conversations import ClosedConversations, conversation_then
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.sessions.archive import ClosedConversation, SessionArchive
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.workspace.paths import WorkspacePaths

KEY = "desktop:a"


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("2026-01-01T08:59:00", ""),
        ("2026-01-01T10:00:00", "first"),
        ("2026-01-02T11:59:59", "first"),
        ("2026-01-02T12:00:30", "second"),
        ("2026-01-03T10:00:00", "second"),
        ("2026-01-09T10:00:00", "third"),
        ("soon", "third"),
        ("", "third"),
    ],
)
@pytest.mark.parametrize("is_open", [True, False])
def test_the_conversation_of_a_moment_is_found(tmp_path: Path, when: str, said: str, is_open: bool) -> None:
    now = [datetime(2026, 1, 1, 9)]
    manager = SessionManager(tmp_path, clock=lambda: now[0])
    for words, began, closed in (("first", 1, 2), ("second", 3, 4), ("third", 5, 0)):
        now[0] = datetime(2026, 1, began, 9)
        session = manager.get_or_create(KEY)
        session.add_message("user", words)
        manager.save(session)
        if closed:
            now[0] = datetime(2026, 1, closed, 12)
            manager.archive(session, now[0])
    current = manager.get_or_create(KEY) if is_open else None
    paths = WorkspacePaths(tmp_path)
    archive = SessionArchive(paths.archive_dir, paths.branches_dir)
    found = conversation_then(current, archive, KEY, when)
    if isinstance(found, ClosedConversation):
        assert archive.load(found).messages[0]["content"] == said
    else:
        assert found is (current if said == "third" else None)


def test_a_moment_known_to_the_second_may_lie_a_little_before_the_beginning(tmp_path: Path) -> None:
    manager = SessionManager(tmp_path, clock=lambda: datetime(2026, 1, 1, 9, 0, 0, 700_000))
    session = manager.get_or_create(KEY)
    archive = SessionArchive(WorkspacePaths(tmp_path).archive_dir)
    assert conversation_then(session, archive, KEY, "2026-01-01T09:00:00") is session
    assert conversation_then(session, archive, KEY, "2026-01-01T08:59:59") is None


async def test_what_was_said_is_read_from_the_conversation_there_was_then(tmp_path: Path) -> None:
    now = [datetime(2026, 1, 1, 9)]
    manager = SessionManager(tmp_path, clock=lambda: now[0])
    for words, closed in (("first", True), ("second", False)):
        session = manager.get_or_create(KEY)
        session.add_message("user", words)
        manager.save(session)
        now[0] += timedelta(days=1)
        if closed:
            manager.archive(session, now[0])
    archive = SessionArchive(WorkspacePaths(tmp_path).archive_dir)
    reader = ClosedConversations(archive, manager, MemoryStore(tmp_path, sessions=manager), InlineDisk())

    async def said(when: str) -> list[str]:
        return [message["content"] for message in await reader.messages_then(KEY, when, 0, 5)]

    assert await said("2026-01-01T10:00:00") == ["first"]
    assert await said("2026-01-02T10:00:00") == ["second"]
    assert await said("2025-12-31T10:00:00") == []
    found = await reader.then(KEY, "2026-01-01T10:00:00")
    assert isinstance(found, ClosedConversation)
    found.path.unlink()
    assert await reader.messages_then(KEY, "2026-01-01T10:00:00", 0, 5) == []
