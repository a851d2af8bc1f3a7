"""Opens, begins, names, deletes and brings back the conversations that a window lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from mnemoscope.agent.turn.agent_loop import AgentLoop
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.discretion import Discretion, is_temporary
from mnemoscope.domain.errors import MnemoscopeError, StorageError
from mnemoscope.domain.events import EventBus, RecordsDamaged, SessionsChanged
from mnemoscope.domain.text.characters import on_one_line
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.sessions.file_format.tail import Tail
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.sessions.session_moves import Trashed, TrashedOverview
from mnemoscope.store.workspace.write_access import WriteAccess

_LONGEST_TITLE: Final = 200
_AT_WORK: Final = "This conversation is still at work."


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Tells to which of several conversations something was done, by their keys, and why it was not to the others."""

    done: tuple[str, ...]
    refused: Mapping[str, str]


class ConversationList:
    """Manages the conversations of one workspace. What changes them is announced."""

    def __init__(
        self, sessions: SessionManager, loop: AgentLoop, bus: EventBus, disk: Disk, access: WriteAccess
    ) -> None:
        self._sessions = sessions
        self._loop = loop
        self._bus = bus
        self._disk = disk
        self._access = access
        self.opened: dict[str, Session] = {}
        """The conversations that were opened and not deleted since, by key."""
        self._damaged: dict[str, int] = {}

    async def overviews(self) -> list[SessionOverview]:
        """Returns the list of conversations, cheaply."""
        return await self._disk.run(self._sessions.overviews)

    async def open_tail(self, key: str, count: int = 200) -> Tail:
        """Returns the newest messages alone, at once, whatever the conversation's length: for the first paint."""
        return await self._disk.run(self._sessions.read_tail, key, count)

    async def open(self, key: str) -> Session:
        """Returns the whole conversation, indexed on the disk's thread. Announces damaged records. Raises
        UnreadableFile.
        """
        session = await self._disk.run(self._sessions.get_or_create, key)
        self.opened[key] = session
        self._damaged.pop(key, None)
        await self.check_damage(key)
        return session

    async def check_damage(self, key: str) -> None:
        """Announces damaged records not told of since the conversation was opened: some show when they are read."""
        damaged = await self._disk.run(self._sessions.health.damage, key)
        if len(damaged) > self._damaged.get(key, 0):
            self._damaged[key] = len(damaged)
            self._bus.publish(RecordsDamaged(key, len(damaged), damaged[0].kept_in))

    async def begin(self, title: str = "") -> Session:
        """Begins an empty conversation under a key of its own, or returns the one of ours that is still empty."""
        self._access.require()
        empty = "" if title else await self._empty_conversation()
        if empty:
            return await self.open(empty)
        session = await self._disk.run(self._sessions.create, title)
        self.opened[session.key] = session
        self._bus.publish(SessionsChanged())
        return session

    async def begin_again(self, key: str) -> None:
        """Lists a conversation again that was begun in an earlier run and never got a message."""
        self._access.require()
        if await self._disk.run(self._sessions.load, key) is None:
            await self._disk.run(partial(self._sessions.create, key=key))

    async def _empty_conversation(self) -> str:
        """Returns the key of an empty conversation of this program that nobody named, or ""."""
        found = (
            one
            for one in await self.overviews()
            if one.discretion is Discretion.REMEMBERED and not (one.count or one.title or one.problem)
        )
        return next((one.key for one in found if _is_ours(one.key) and not self._loop.is_busy(one.key)), "")

    async def branches(self, key: str) -> list[BranchChoice]:
        """Returns where the conversation goes on in several ways, in order of messages."""
        return await self._disk.run(self._sessions.branch_choices, key)

    async def branch_at(self, key: str, name: str) -> str:
        """Returns the name of the branch in a file, by its path in the workspace; "" where it is none of the
        conversation as it is now."""
        return await self._disk.run(self._sessions.branch_at, key, name)

    async def go_to_branch(self, key: str, index: int, began: str) -> bool:
        """Has a conversation go on with the branch that `began` then, in which message `index` was said, unless that
        message is on the active one too; returns whether the message is there now."""
        owner = await self._disk.run(self._owner_of, key, index, began)
        return owner == began or (bool(owner) and await self._loop.switch_branch(key, began))

    def _owner_of(self, key: str, index: int, began: str) -> str:
        """Returns the branch in which message `index` of the active path was said; "" where no branch `began` then."""
        session = self._sessions.load(key)
        if session is None:
            return ""
        owner = session.branch.owner_of(index)
        others = {each.branch.began for each in self._sessions.branches.others(session)}
        return owner if began == owner or began in others else ""

    async def rename(self, key: str, title: str) -> None:
        """Gives a conversation a title, on one line, without characters nobody sees, and no longer than a person reads
        it."""
        self._access.require()
        await self._disk.run(self._sessions.set_title, key, on_one_line(title)[:_LONGEST_TITLE].strip())
        self._bus.publish(SessionsChanged())

    async def pin(self, keys: Iterable[str], *, pinned: bool) -> BatchResult:
        """Puts conversations above the others, or back among them."""

        async def pin(key: str) -> str:
            await self._disk.run(self._sessions.set_pinned, key, pinned)
            return ""

        done = await self._each(keys, pin)
        self._bus.publish(SessionsChanged())
        return done

    async def archive(self, keys: Iterable[str]) -> BatchResult:
        """Closes conversations as /new does, one after the other, and keeps none of the empty ones that would go on
        under their names."""
        return await self._each(keys, self._archive)

    async def _archive(self, key: str) -> str:
        """Closes one conversation; returns why it was not closed, "" where it was. Raises MnemoscopeError."""
        if is_temporary(key):
            return "A temporary conversation is kept nowhere, so it is not archived."
        session = await self._disk.run(self._sessions.load, key)
        if session is None or not len(session.messages):
            return "Nothing was said in it."
        outcome = await self._loop.close_conversation(key)
        if outcome is None:
            return _AT_WORK
        if not outcome.done:
            return outcome.sentence
        with suppress(StorageError):
            # It is in the archive: an empty one that the disk keeps under its name changes nothing about that.
            await self.delete(key)
        return ""

    async def _each(self, keys: Iterable[str], work: Callable[[str], Awaitable[str]]) -> BatchResult:
        """Does something to one conversation after the other: one that is refused keeps none of the others waiting."""
        self._access.require()
        done, refused = list[str](), dict[str, str]()
        for key in keys:
            try:
                reason = await work(key)
            except MnemoscopeError as error:
                reason = error.sentence
            if reason:
                refused[key] = reason
            else:
                done.append(key)
        return BatchResult(tuple(done), refused)

    async def choose_model(self, key: str, model: str) -> None:
        """Has a model answer in one conversation; "" for that of the settings. It has to be agreed to beforehand."""
        self._access.require()
        await self._disk.run(self._sessions.set_model, key, model.strip())
        self._bus.publish(SessionsChanged())

    async def delete(self, key: str) -> Trashed:
        """Moves a conversation to the trash; `restore` takes the result. Raises StorageError while it is busy."""
        self._access.require()
        if self._loop.is_busy(key):
            raise StorageError(_AT_WORK, next_step="Stop the answer first.", session=key)
        session = self.opened.get(key)
        if session is None:
            # What cannot be read is deleted all the same.
            with suppress(StorageError):
                session = await self._disk.run(self._sessions.load, key)
        async with self._loop.consolidation.lock(key):
            trashed = await self._disk.run(self._sessions.trash, key)
        self.opened.pop(key, None)
        if session is not None:
            self._loop.services.sent.forget(session)
        self._bus.publish(SessionsChanged())
        return trashed

    async def drop_empty(self, key: str) -> bool:
        """Removes a conversation in which nothing was ever said; returns whether it was one. Raises StorageError."""
        self._access.require()
        if not _is_ours(key) or self._loop.is_busy(key):
            return False
        is_dropped = await self._disk.run(self._sessions.drop_empty, key)
        if is_dropped:
            self.opened.pop(key, None)
            self._bus.publish(SessionsChanged())
        return is_dropped

    async def trashed(self) -> list[TrashedOverview]:
        """Returns the conversations in the trash, the one deleted last first."""
        return await self._disk.run(self._sessions.moves.trashed)

    async def restore(self, trashed: Trashed) -> None:
        """Takes a conversation back out of the trash."""
        self._access.require()
        await self._disk.run(self._sessions.restore, trashed)
        self._bus.publish(SessionsChanged())


def _is_ours(key: str) -> bool:
    return key.startswith("desktop:")
