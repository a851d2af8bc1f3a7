"""Temporary conversations: in the memory of this process alone, with branches as the others have them.

Nothing here takes a path. What a session manager does with files it does here with lists, so that whoever holds a
session need not know which kind it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from mnemoscope.domain.conversation.branch import FORKS, Branch
from mnemoscope.domain.conversation.deletion import MessageDeletion, deletable, deletion_mark, record_of_deleted
from mnemoscope.domain.conversation.discretion import TEMPORARY_PREFIX
from mnemoscope.domain.conversation.message import Message, is_deleted
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.sessions.file_format.message_log import MessageLog
from mnemoscope.store.sessions.session import Session

_MOMENT: Final = timedelta(microseconds=1)


class TemporaryLog(MessageLog):
    """Holds a list of messages that are in no file: those that were saved stand here, and stay."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._saved: list[Message] = list(messages)
        super().__init__()

    @property
    def durable(self) -> int:
        """Returns how many messages were saved: as long as the program runs."""
        return len(self._saved)

    @property
    def deleted(self) -> list[int]:
        """Returns the numbers of the messages that are deleted, ascending, saved or not."""
        with self._lock:
            return [number for number, each in enumerate([*self._saved, *self._pending]) if is_deleted(each)]

    def keep_pending(self) -> list[int]:
        """Saves what waits; returns the messages' numbers."""
        with self._lock:
            first = len(self._saved)
            self._saved += self._pending
            self._pending.clear()
            return list(range(first, len(self._saved)))

    def put(self, number: int, message: Message) -> None:
        """Puts another message in the place of one that is here, saved or not."""
        with self._lock:
            saved = len(self._saved)
            if number < saved:
                self._saved[number] = message
            else:
                self._pending[number - saved] = message

    def successor(self, messages: Iterable[Message] = ()) -> MessageLog:
        """Returns the log that takes the place of this one, in no file either."""
        log = TemporaryLog()
        log.extend(messages)
        return log

    def _message(self, number: int) -> Message:
        with self._lock:
            saved = len(self._saved)
            return self._saved[number] if number < saved else self._pending[number - saved]


@dataclass(frozen=True, slots=True)
class _TemporaryDeletion:
    """Keeps the messages of a deletion, each at the place that the record which stands for it names."""

    deletion: MessageDeletion
    messages: TemporaryLog


class TemporarySessions:
    """Keeps the temporary conversations of one window. Nothing here blocks."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._open: dict[str, Session] = {}
        self._left: dict[str, list[Session]] = {}
        """The branches of each that are not active."""
        self._deleted: dict[str, _TemporaryDeletion] = {}

    def create(self) -> Session:
        """Begins a conversation under a key of its own."""
        return self.get_or_create(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")

    def get_or_create(self, key: str) -> Session:
        """Returns the conversation under a key. One that was closed begins anew, with nothing in it."""
        if key not in self._open:
            self._open[key] = Session(key, TemporaryLog(), self._clock(), clock=self._clock)
        return self._open[key]

    def load(self, key: str) -> Session | None:
        """Returns the conversation under a key, or None where it is not open."""
        return self._open.get(key)

    def sessions(self) -> list[Session]:
        """Returns every one that is open, the one begun first first."""
        return list(self._open.values())

    def with_branches(self) -> list[tuple[Session, TemporaryLog]]:
        """Returns every one that is open and each branch that is not active, with its messages."""
        found = [*self._open.values(), *(each for branches in self._left.values() for each in branches)]
        return [(each, each.messages) for each in found if isinstance(each.messages, TemporaryLog)]

    def close(self, key: str) -> None:
        """Drops a conversation, with all its branches: there is no way back."""
        self._open.pop(key, None)
        self._drop_branches(key)

    def begin_anew(self, session: Session, when: datetime) -> None:
        """Drops what was said; the conversation goes on empty under the same key."""
        self._drop_branches(session.key)
        session.follow(TemporaryLog())
        session.created_at = session.updated_at = when
        session.metadata = {}
        session.last_consolidated = 0
        session.other_branches = ()

    def fork(self, session: Session, stop: int, when: datetime) -> None:
        """Lets a conversation go on from its first `stop` messages as a branch; the former one is kept. Raises
        StorageError."""
        if not 0 <= stop < len(session.messages):
            raise StorageError("Nothing follows there, so there is nothing to branch from.", session=session.key)
        known = {session.branch.began, *(each.branch.began for each in self._left.get(session.key, ()))}
        while when.isoformat() in known:
            when += _MOMENT
        branch, shared = session.branch.forked(stop, when.isoformat()), session.messages[:stop]
        metadata = session.metadata | {FORKS: branch.as_field()}
        self._leave(session)
        self._show(session, Session(session.key, TemporaryLog(shared), when, when, metadata))

    def switch(self, session: Session, began: str) -> None:
        """Makes the branch of that name the active one. Raises StorageError."""
        left = self._left.get(session.key, [])
        wanted = next((each for each in left if each.branch.began == began), None)
        if wanted is None:
            raise StorageError("That branch is not there any more.", next_step="Nothing was changed.")
        left.remove(wanted)
        self._leave(session)
        self._show(session, wanted)

    def used(self, session: Session) -> dict[Branch, str]:
        """Returns the branches that are not active, and when each was used last, ISO 8601."""
        return {each.branch: each.updated_at.isoformat() for each in self._left.get(session.key, ())}

    def delete(self, session: Session, indices: Iterable[int], when: datetime) -> MessageDeletion:
        """Deletes messages, in every branch that has them; `restore` brings them back as long as the conversation is
        open. Raises StorageError where there is nothing to delete."""
        going = deletable(session.messages, indices)
        if not going:
            raise StorageError("There is nothing there that could be deleted.", next_step="Choose a message.")
        deletion = MessageDeletion(secrets.token_hex(8), when.isoformat(), {session.key: going})
        logs = [(session.messages, len(session.messages))]
        logs += [(each.messages, session.branch.shared_with(each.branch) or 0) for each in self._left_of(session)]
        own = [(log, stop) for log, stop in logs if isinstance(log, TemporaryLog)]
        messages = TemporaryLog(session.messages[index] for index in going)
        for number, (index, message) in enumerate(zip(going, messages, strict=True)):
            record = record_of_deleted(message, deletion.id, number)
            for log, stop in own:
                if index < stop:
                    log.put(index, record)
        self._deleted[deletion.id] = _TemporaryDeletion(deletion, messages)
        return deletion

    def deleted_messages(self) -> list[TemporaryLog]:
        """Returns the messages of each deletion that `restore` would bring back."""
        return [each.messages for each in self._deleted.values()]

    def deletion(self, deletion_id: str) -> MessageDeletion | None:
        """Returns a deletion that stands, None where there is none of that name."""
        found = self._deleted.get(deletion_id)
        return found.deletion if found is not None else None

    def restore(self, deletion_id: str) -> MessageDeletion:
        """Brings the messages of a deletion back, in every branch that has their places, also one begun since. One
        that was forgotten meanwhile stays away."""
        found = self._deleted.pop(deletion_id)
        own = [log for session, log in self.with_branches() if session.key in found.deletion.messages]
        for log in own:
            for index in log.deleted:
                mark = deletion_mark(log[index])
                if mark is not None and mark.id == deletion_id:
                    log.put(index, found.messages[mark.record])
        return found.deletion

    def _left_of(self, session: Session) -> list[Session]:
        return self._left.get(session.key, [])

    def _drop_branches(self, key: str) -> None:
        self._left.pop(key, None)
        self._deleted = {name: each for name, each in self._deleted.items() if key not in each.deletion.messages}

    def _leave(self, session: Session) -> None:
        if session.branch.forks and len(session.messages) <= session.branch.own_start:
            return
        kept = Session(session.key, session.messages, session.created_at, session.updated_at, session.metadata)
        self._left.setdefault(session.key, []).append(kept)

    def _show(self, session: Session, branch: Session) -> None:
        session.follow(branch.messages)
        session.created_at, session.updated_at = branch.created_at, branch.updated_at
        title = {name: session.metadata[name] for name in ("title", "title_user_edited") if name in session.metadata}
        session.metadata = branch.metadata | title
        session.other_branches = tuple(each.branch for each in self._left.get(session.key, ()))
