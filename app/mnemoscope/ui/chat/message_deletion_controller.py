"""Messages are deleted in the window and brought back: by link, menu and keys, and by the bar with Undo."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from functools import partial

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.turn.agent_loop import newest_question
from mnemoscope.agent.workspace.abandoned_memory import AbandonedMemory
from mnemoscope.agent.workspace.message_deletions import MessagesToDelete
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.deletion import MessageDeletion, deletion_mark, message_with_results, turn_with
from mnemoscope.domain.conversation.discretion import is_temporary
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.abandoned_memory_offer import AbandonedMemoryOffer
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.message_actions import DeleteMessage, DeleteTurn, RestoreDeleted
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar


class MessageDeletionController(QObject):
    """Asks the core, and shows the conversation as it is then."""

    changed = Signal()
    """Messages of the conversation on show were deleted, or are back."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        current: CurrentConversation,
        taken: AbandonedMemoryOffer,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._taken = taken
        self._bars: dict[str, NoticeBar] = {}
        """The bars that offer to bring messages back, by the name of the deletion."""
        self._under_way: set[Hashable] = set()
        """The deletions and restorations under way: asking for one of them again adds nothing to it."""
        self._order = asyncio.Lock()
        actions = chat.transcript.message_actions
        actions.on(DeleteMessage, lambda action: self._delete_message(action.index))
        actions.on(DeleteTurn, lambda action: self._delete_turn(action.index))
        actions.on(RestoreDeleted, lambda action: self._restore_at(action.index))
        bridge.on(events.MessagesReplaced, self._on_replaced)

    def _delete_message(self, index: int) -> None:
        """Deletes a message, a call with its results."""
        session = self._current.session
        if session is not None:
            self._delete(session, message_with_results(session.messages, index))

    def _delete_turn(self, index: int) -> None:
        """Deletes what the person said, and all that answered it."""
        session = self._current.session
        if session is not None:
            self._delete(session, turn_with(session.messages, index))

    def delete_newest_turn(self) -> None:
        """Deletes the newest question and what answered it."""
        session = self._current.session
        index = newest_question(session.messages) if session is not None else None
        if index is not None:
            self._delete_turn(index)

    def _restore_at(self, index: int) -> None:
        """Brings back what was deleted with the message that stood there."""
        session = self._current.session
        mark = deletion_mark(session.messages[index]) if session is not None else None
        if mark is not None:
            self._restore(mark.id, self._current.key)

    def _delete(self, session: Session, indices: tuple[int, ...]) -> None:
        if indices and not self._bench.read_only:
            seen = MessagesToDelete(session, indices, tuple(session.messages[index] for index in indices))
            self._begin((session.key, indices), partial(self._deleted, session, seen), "delete messages")

    async def _deleted(self, session: Session, seen: MessagesToDelete) -> None:
        try:
            taken = await self._bench.abandoned.of_messages(session, seen.indices)
            deletion = await self._bench.deletions.delete([seen])
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error), about=session.key)
            return
        self._offer(deletion, taken, session.key)

    def _begin(self, what: Hashable, work: Callable[[], Awaitable[None]], name: str) -> None:
        """Does it after what was begun before, unless the same is under way."""
        if what not in self._under_way:
            self._under_way.add(what)
            self._tasks.spawn(self._in_order(what, work), name)

    async def _in_order(self, what: Hashable, work: Callable[[], Awaitable[None]]) -> None:
        try:
            async with self._order:
                await work()
        finally:
            self._under_way.discard(what)

    def _offer(self, deletion: MessageDeletion, taken: AbandonedMemory, key: str) -> None:
        """Says what was deleted and what memory took from it, with the way back of either."""
        count = sum(map(len, deletion.messages.values()))
        if is_temporary(key):
            words = [self.tr("%n messages were deleted. They can be brought back until you close this.", "", count)]
        else:
            words = [self.tr("%n messages were moved to the trash.", "", count)]
        if taken.is_any:
            words += [self.tr("Memory has taken something from what was deleted."), *self._taken.words(taken)]
        back = self._taken.action(taken, key, lambda: self._offer(deletion, AbandonedMemory(), key))
        undo = (self.tr("Undo"), lambda: self._restore(deletion.id, key))
        self._forget(deletion.id)
        self._bars[deletion.id] = self._chat.notify("info", " ".join(words), [*back, undo], stays=True, about=key)

    def _restore(self, deletion_id: str, key: str) -> None:
        if not self._bench.read_only:
            self._begin(deletion_id, partial(self._restored, deletion_id, key), "restore messages")

    async def _restored(self, deletion_id: str, key: str) -> None:
        try:
            await self._bench.deletions.restore(deletion_id)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error), about=key)
            return
        self._forget(deletion_id)

    def _forget(self, deletion_id: str) -> None:
        bar = self._bars.pop(deletion_id, None)
        if bar is not None:
            bar.dismiss()

    def _on_replaced(self, event: events.MessagesReplaced) -> None:
        if self._current.is_live(event):
            self._chat.transcript.redraw()
            self.changed.emit()
