"""Declares what consolidation needs of a conversation, and recognises a range of its messages again by a hash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from mnemoscope.domain.conversation.branch import Branch
from mnemoscope.domain.conversation.message import Message, is_deleted
from mnemoscope.store.files.atomic import digest_of, encode_text
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.transactions.intent import Intent


class Conversation(Protocol):
    """Holds messages that only grow, and the pointer, as a session does."""

    key: str
    last_consolidated: int

    @property
    def messages(self) -> Sequence[Message]:
        """Returns every message."""
        ...


class Conversations(Protocol):
    """Loads and saves sessions."""

    def load(self, key: str) -> Conversation | None:
        """Returns the live session under a key, or the one on disk, or None."""
        ...

    def begun_anew(self, key: str, kept: Path) -> bool:
        """Lets a conversation that is in memory follow its transcript, which a recovery moved to `kept`; returns
        whether one did."""
        ...

    def roll_records_forward(self, intent: Intent) -> None:
        """Finishes a committed deletion of messages, or the way back. Raises StorageError."""
        ...

    def reread(self) -> None:
        """Takes in that records of session files were replaced, wherever their conversation is in memory."""
        ...

    def save(self, session: Any) -> None:
        """Makes whatever of the session is not on disk yet durable: messages, pointer, metadata."""
        ...


def range_hash(conversation: Conversation, start: int, stop: int) -> str:
    """Returns what tells messages [start, stop) from any others; "" where there are fewer. Another program's way of
    writing the same JSON makes no difference."""
    if len(conversation.messages) < stop:
        return ""
    return digest_of(b"\n".join(map(_canonical, conversation.messages[start:stop])))


def holds_deleted(conversation: Conversation, start: int, stop: int) -> bool:
    """Returns whether one of messages [start, stop) was deleted: their hash is another one than it was."""
    return len(conversation.messages) >= stop and any(map(is_deleted, conversation.messages[start:stop]))


def is_on_disk(conversation: Conversation) -> bool:
    """Returns whether the conversation has a file: one that was never saved has none."""
    return file_of(conversation) is not None


def file_of(conversation: Conversation | None) -> Path | None:
    """Returns the file of a conversation, if it has one."""
    file = getattr(conversation.messages, "file", None) if conversation is not None else None
    return None if file is None else Path(file.path)


def created_at(conversation: Conversation) -> str:
    """Returns when the conversation began, ISO 8601, or "" where it does not say."""
    when = getattr(conversation, "created_at", None)
    return when.isoformat() if isinstance(when, datetime) else str(when or "")


def owner_of(conversation: Conversation, index: int) -> str:
    """Returns when the branch began that message `index` was said in, ISO 8601; as `created_at` where there is one
    alone."""
    branch = getattr(conversation, "branch", None)
    return branch.owner_of(index) if isinstance(branch, Branch) else created_at(conversation)


def reach_of(conversation: Conversation, began: str, index: int) -> int:
    """Returns how far messages up to `index` of the branch `began` are messages of this conversation as it is now."""
    if isinstance(conversation, Session):
        return conversation.reach_of(began, index)
    return index if began == created_at(conversation) else 0


def _canonical(message: Message) -> bytes:
    return encode_text(json.dumps(message, ensure_ascii=False, sort_keys=True, default=str))
