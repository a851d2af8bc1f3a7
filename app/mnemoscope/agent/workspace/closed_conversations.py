"""Conversations that /new closed, to be read: their messages, and the entries they became."""

from __future__ import annotations

from dataclasses import dataclass

from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.memory.store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.archive import ClosedConversation, SessionArchive
from mnemoscope.store.sessions.session import Session


@dataclass(frozen=True, slots=True)
class ClosedView:
    """A closed conversation as a window shows it: `records` are the consolidations of its messages."""

    closed: ClosedConversation
    session: Session
    records: list[ConsolidationRecord]


class ClosedConversations:
    """Reads through the disk's thread."""

    def __init__(self, archive: SessionArchive, memory: MemoryStore, disk: Disk) -> None:
        self._archive = archive
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
        same = (one for one in await self.overviews() if one.key == record.session_key)
        return next((one for one in same if one.created_at.isoformat() == record.session_created_at), None)
