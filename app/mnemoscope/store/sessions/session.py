"""A conversation: its messages, and the pointer that says how far they were consolidated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from mnemoscope.domain.conversation.branch import FORKS, Branch, branch_of
from mnemoscope.domain.conversation.discretion import Discretion, discretion_of, since_of
from mnemoscope.domain.conversation.history_selection import get_history
from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.sessions.file_format.message_log import MessageLog

ANSWERING_MODEL: Final = "answering_model"
"""The name in a conversation's metadata of the model that was chosen for it; other programs pass it over."""
_LONGEST_MODEL: Final = 200


class Session:
    """Holds a conversation under a key such as `cli:direct` or `desktop:20261121-0a1b2c3d`.

    `messages` can only grow. `last_consolidated` counts the messages that are in the history log already. Times are
    naive local ones, as in the files. The object stays the same while its file changes.
    """

    def __init__(
        self,
        key: str,
        messages: Iterable[Message] = (),
        created_at: datetime | None = None,
        updated_at: datetime | None = None,
        metadata: Mapping[str, Any] | None = None,
        last_consolidated: int = 0,
        *,
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.key = key
        self._messages = messages if isinstance(messages, MessageLog) else MessageLog(messages)
        self.clock = clock
        self.created_at = created_at or clock()
        self.updated_at = updated_at or self.created_at
        self.metadata: dict[str, Any] = dict(metadata or {})
        self.last_consolidated = last_consolidated
        self.other_branches: tuple[Branch, ...] = ()
        """The other ways this conversation went on, as they were at the last look."""

    @property
    def messages(self) -> MessageLog:
        """Returns every message of the conversation, read when looked at."""
        return self._messages

    @messages.setter
    def messages(self, messages: Iterable[Message]) -> None:
        if messages is self._messages:
            return
        # The file keeps the former messages: saving puts them into the archive.
        self._messages = self._messages.successor(messages)

    def follow(self, log: MessageLog) -> None:
        """Takes another log in place of the one before, which stays as it was for whoever shows it."""
        self._messages = log

    @property
    def title(self) -> str:
        """Returns the title a person or a program gave, or ""."""
        title = self.metadata.get("title")
        return title if isinstance(title, str) else ""

    @property
    def model(self) -> str:
        """Returns the model that was chosen for this conversation, or "" for the one of the settings."""
        model = self.metadata.get(ANSWERING_MODEL)
        return model if isinstance(model, str) and model.isprintable() and len(model) <= _LONGEST_MODEL else ""

    @property
    def branch(self) -> Branch:
        """Returns which of the conversation's branches this is, and where it left the others."""
        return branch_of(self.created_at.isoformat(), self.metadata)

    def has_branch(self, began: str) -> bool:
        """Returns whether the conversation came along a branch of this name, on whichever of its ways."""
        return any(name == began for each in (self.branch, *self.other_branches) for name, _ in each.path())

    @property
    def discretion(self) -> Discretion:
        """Returns how much of this conversation is kept."""
        return discretion_of(self.key, self.metadata)

    @property
    def discreet_since(self) -> int:
        """Returns how many messages were said before that was chosen."""
        return since_of(self.metadata, len(self.messages))

    def reach_of(self, began: str, index: int) -> int:
        """Returns how far a range of messages of the branch `began` that ends at `index` is one of this conversation as
        it is now; 0 where that branch is none of its own."""
        branch = self.branch
        fork = next((fork for fork in branch.forks if fork.began == began), None)
        if began == branch.began or fork is not None:
            return index if fork is None else min(index, fork.stop)
        other = next((other for other in self.other_branches if other.began == began), None)
        return branch.reach_of(other, index) if other is not None else 0

    def add_message(self, role: str, content: Any, **fields: Any) -> Message:
        """Appends a message stamped with the time; it is durable after the session was saved."""
        self.updated_at = self.clock()
        message: Message = {"role": role, "content": content, "timestamp": self.updated_at.isoformat(), **fields}
        self._messages.append(message)
        return message

    def get_history(self, max_messages: int = 500) -> list[Message]:
        """Returns what a model is sent: from the pointer on, at most `max_messages`, aligned to a user turn, calls
        complete."""
        return get_history(self._messages, self.last_consolidated, max_messages)

    def clear(self) -> None:
        """Begins anew. What the file holds goes to the archive with the next save."""
        self._messages = self._messages.successor()
        self.metadata = {name: value for name, value in self.metadata.items() if name not in (FORKS, ANSWERING_MODEL)}
        self.last_consolidated = 0
        self.updated_at = self.clock()

    def __repr__(self) -> str:
        return f"<Session {self.key!r}: {self._messages!r}, pointer {self.last_consolidated}>"
