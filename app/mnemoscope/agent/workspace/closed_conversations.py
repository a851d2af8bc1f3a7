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
    """What a window shows of one: `records` are the consolidations of its messages."""

    closed: ClosedConversation
    session: Session
    records: list[ConsolidationRecord]


class ClosedConversations:
    """Reads through the disk's thread."""

    def __init__(self, archive: SessionArchive, memory: MemoryStore, disk: Disk) -> None:
        self._archive, self._memory, self._disk = archive, memory, disk

    async def overviews(self) -> list[ClosedConversation]:
        """All of them, the one closed last first."""
        return await self._disk.run(self._archive.overviews)

    async def open(self, closed: ClosedConversation) -> ClosedView:
        """One to be read. Raises UnreadableFile or FileNotFoundError."""
        session = await self._disk.run(self._archive.load, closed)
        return ClosedView(closed, session, await self._disk.run(self._memory.records, session))

    async def source_of(self, record: ConsolidationRecord) -> ClosedConversation | None:
        """The one a consolidation was made from; None where that one is not closed."""
        same = (one for one in await self.overviews() if one.key == record.session_key)
        return next((one for one in same if one.created_at.isoformat() == record.session_created_at), None)
