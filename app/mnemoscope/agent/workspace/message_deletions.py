"""Deletes messages of conversations and brings them back, as the window or a command asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.conversation.deletion import MessageDeletion, deletion_mark
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.events import EventBus, MessagesReplaced, SessionsChanged
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager


@dataclass(frozen=True, slots=True)
class MessagesToDelete:
    """Holds messages of one conversation, open or closed, with what they said when it was decided to delete them."""

    session: Session
    indices: tuple[int, ...]
    messages: tuple[Message, ...]


class MessageDeletions:
    """Carries out the deletions of one workspace. Nothing begins in a conversation while messages of it are deleted."""

    def __init__(
        self, sessions: SessionManager, memory: MemoryStore, loop: AgentLoop, bus: EventBus, disk: Disk
    ) -> None:
        self._sessions = sessions
        self._memory = memory
        self._loop = loop
        self._bus = bus
        self._disk = disk

    async def delete(self, seen: Sequence[MessagesToDelete]) -> MessageDeletion:
        """Deletes messages of one conversation or several, all of them or none; `restore` brings them back.

        Raises StorageError with nothing changed: where an answer is being written or memory updated from one of the
        conversations, where a message says something else by now, and where the disk refuses.
        """
        with self._loop.kept_idle({each.session.key for each in seen}):
            deletion = await self._disk.run(self._delete, seen)
        self._announce(deletion)
        return deletion

    async def restore(self, deletion_id: str) -> MessageDeletion:
        """Brings the messages of a deletion back. Raises StorageError with nothing changed, as `delete` does."""
        await self._disk.run(self._memory.finish_pending)
        keys = await self._disk.run(self._sessions.conversations_of_deletion, deletion_id)
        with self._loop.kept_idle(keys):
            deletion = await self._disk.run(self._sessions.restore_messages, deletion_id)
        self._announce(deletion)
        return deletion

    def _delete(self, seen: Sequence[MessagesToDelete]) -> MessageDeletion:
        # What a refusing disk left of an earlier one may be this very deletion: then it is done.
        self._memory.finish_pending()
        chosen = [ChosenMessages(each.session, each.indices, each.messages) for each in seen]
        return self._finished_already(seen) or self._sessions.delete_messages(chosen)

    def _finished_already(self, seen: Iterable[MessagesToDelete]) -> MessageDeletion | None:
        """Returns the deletion that left all of these messages, None where some of them stand."""
        left = [deletion_mark(each.session.messages[index]) for each in seen for index in each.indices]
        names = {mark.id if mark is not None else "" for mark in left}
        return self._sessions.deleted_messages.find(names.pop()) if len(names) == 1 else None

    def _announce(self, deletion: MessageDeletion) -> None:
        for key, indices in deletion.messages.items():
            self._bus.publish(MessagesReplaced(key, indices))
        self._bus.publish(SessionsChanged())
