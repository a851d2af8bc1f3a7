"""Reads the conversations that /new closed, and finds which conversation had a key at a given time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.archive import ClosedConversation, SessionArchive
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager


@dataclass(frozen=True, slots=True)
class ClosedView:
    """Describes a closed conversation as a window shows it: `records` are the consolidations of its messages."""

    closed: ClosedConversation
    session: Session
    records: list[ConsolidationRecord]


class ClosedConversations:
    """Reads through the disk's thread."""

    def __init__(self, archive: SessionArchive, sessions: SessionManager, memory: MemoryStore, disk: Disk) -> None:
        self._archive = archive
        self._sessions = sessions
        self._memory = memory
        self._disk = disk

    async def overviews(self) -> list[ClosedConversation]:
        """Returns all of them, the one closed last first, each followed by its other branches."""
        return await self._disk.run(self._archive.with_branches)

    async def open(self, closed: ClosedConversation) -> ClosedView:
        """Opens one to be read. Raises UnreadableFile or FileNotFoundError."""
        session = await self._disk.run(self._archive.load, closed)
        return ClosedView(closed, session, await self._disk.run(self._memory.records, session))

    async def source_of(self, record: ConsolidationRecord) -> ClosedConversation | None:
        """Returns the one a consolidation was made from, or None if that one is not closed."""
        return await self.begun(record.session_key, record.session_created_at)

    async def begun(self, session_key: str, session_created_at: str) -> ClosedConversation | None:
        """Returns the one of this key that began then, or None if that one is not closed."""
        same = (one for one in await self.overviews() if one.key == session_key)
        return next((one for one in same if one.created_at.isoformat() == session_created_at), None)

    async def then(self, session_key: str, when: str) -> Session | ClosedConversation | None:
        """Returns the conversation of a key in which something was said at a moment, as `conversation_then` does."""
        return await self._disk.run(self._then, session_key, when)

    async def messages_then(self, session_key: str, when: str, start: int, stop: int) -> list[Message]:
        """Returns messages [start, stop) of the conversation of a key that there was at a moment, [] where it is gone.
        Raises UnreadableFile."""
        return await self._disk.run(self._messages_then, session_key, when, start, stop)

    def _then(self, session_key: str, when: str) -> Session | ClosedConversation | None:
        return conversation_then(self._sessions.load(session_key), self._archive, session_key, when)

    def _messages_then(self, session_key: str, when: str, start: int, stop: int) -> list[Message]:
        found = self._then(session_key, when)
        with suppress(FileNotFoundError):
            session = self._archive.load(found) if isinstance(found, ClosedConversation) else found
            return [] if session is None else list(session.messages[start:stop])
        return []


def conversation_then(
    session: Session | None, archive: SessionArchive, session_key: str, when: str
) -> Session | ClosedConversation | None:
    """Returns the conversation of a key in which something was said at a moment, naive local ISO 8601: `session`, which
    goes on, or the closed one, since /new begins another one under the same key. None where neither was there then.
    Blocks on the disk."""
    moment = _moment(when)
    if moment is None or (session is not None and session.created_at.replace(tzinfo=None) <= moment):
        return session
    for one in archive.with_branches():
        if one.key == session_key and _second_of(one.created_at) <= moment <= one.closed_at.replace(tzinfo=None):
            return one
    # A moment that is known to the second may lie a little before the beginning.
    return session if session is not None and _second_of(session.created_at) <= moment else None


def _second_of(time: datetime) -> datetime:
    return time.replace(tzinfo=None, microsecond=0)


def _moment(when: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(when).replace(tzinfo=None)
    return None
