"""Looks up who said what in the messages that each journal entry is a summary of, as the ledger knows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.journal_entry import JournalEntry
from mnemoscope.domain.review.sources import LOOKED_BACK, Sources, sources_of
from mnemoscope.memory.transactions.conversation import Conversation, holds_deleted, range_hash, reach_of
from mnemoscope.store.logs.entry_links import EntryLinks
from mnemoscope.store.sessions.archive import SessionArchive
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths


class LoadedConversations(Protocol):
    """Loads conversations by their keys."""

    def load(self, key: str) -> Conversation | None:
        """Returns the conversation under a key, or None."""
        ...


class EntrySources:
    """Finds the messages behind entries of one workspace's journal, in open and in closed conversations.

    An entry that another program wrote, or whose conversation is gone or was changed since, has none. Blocks on the
    disk.
    """

    def __init__(self, paths: WorkspacePaths, ledger: Ledger, sessions: LoadedConversations) -> None:
        self._paths = paths
        self._ledger = ledger
        self._sessions = sessions

    def of(self, entries: Iterable[JournalEntry]) -> dict[JournalEntry, Sources]:
        """Returns who said what in the messages of each entry, for those entries whose messages are known."""
        with suppress(MnemoscopeError):
            links = EntryLinks(self._ledger.records())
            records = ((entry, links.record_for(entry.content, entry.cursor)) for entry in entries)
            found = ((entry, self._said(record)) for entry, record in records if record is not None)
            return {entry: said for entry, said in found if said is not None}
        return {}

    def _said(self, record: ConsolidationRecord) -> Sources | None:
        with suppress(MnemoscopeError, FileNotFoundError):
            messages = self._messages(record)
            if messages is not None:
                earlier = messages[max(0, record.start - LOOKED_BACK) : record.start]
                return sources_of(messages[record.start : record.stop], earlier)
        return None

    def _messages(self, record: ConsolidationRecord) -> Sequence[Message] | None:
        session = self._sessions.load(record.session_key)
        if session is not None and self._is_of(record, session):
            return session.messages
        archive = SessionArchive(self._paths.archive_dir, self._paths.branches_dir)
        for closed in archive.with_branches():
            if closed.key == record.session_key and closed.created_at.isoformat() == record.session_created_at:
                kept = archive.load(closed)
                if self._is_of(record, kept):
                    return kept.messages
        return None

    def _is_of(self, record: ConsolidationRecord, conversation: Conversation) -> bool:
        """Returns whether the messages of the record are those of this conversation still; deleted ones say nothing
        any more."""
        start, stop = record.start, record.stop
        if reach_of(conversation, record.session_created_at, stop) != stop:
            return False
        intent = self._ledger.intent(record.transaction_id)
        is_same = intent is not None and range_hash(conversation, start, stop) == intent.range_hash
        return is_same or holds_deleted(conversation, start, stop)
