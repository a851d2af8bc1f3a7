"""Closed conversations in the window: shown to be read, in the places of one that is talked in."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.closed_conversations import ClosedConversations
from mnemoscope.domain.conversation.history_selection import NOTHING_LEFT_OUT
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.support.locale_words import in_words
from mnemoscope.ui.timeline.timeline_pane import TimelinePane


class ArchiveController(QObject):
    """Reads one closed conversation at a time; nothing can be said in it."""

    def __init__(
        self,
        chat: ChatColumn,
        timeline: TimelinePane,
        closed: ClosedConversations,
        conversation: ConversationController,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._timeline = timeline
        self._closed = closed
        self._conversation = conversation
        self._shown: ClosedConversation | None = None
        self.overviews = closed.overviews
        self.source_of = closed.source_of
        self.begun = closed.begun

    @property
    def name(self) -> str:
        """Returns the file of the transcript on show; "" while none is."""
        return "" if self._conversation.key or self._shown is None else str(self._shown.path)

    def open(self, closed: ClosedConversation, message: int = -1) -> asyncio.Task[None]:
        """Shows one, at its end or at a message."""
        self._shown = closed
        return self._conversation.read_elsewhere(self._open(closed, message), str(closed.path))

    def read_again(self) -> None:
        """Shows the transcript on show anew, as its file has other words now."""
        if self.name and self._shown is not None:
            self.open(self._shown)

    async def _open(self, closed: ClosedConversation, message: int) -> None:
        try:
            view = await self._closed.open(closed)
        except (MnemoscopeError, FileNotFoundError) as error:
            self._chat.notify("danger", str(error))
            return
        chat, timeline, session = self._chat, self._timeline, view.session
        chat.transcript.show_messages(str(closed.path), session.messages, closed=True)
        pointer = session.last_consolidated
        timeline.show_timeline(session.messages, pointer, view.records, NOTHING_LEFT_OUT, 0, closed=True)
        chat.transcript.mark_consolidated_upto(pointer)
        day = in_words(closed.closed_at.date(), self.tr("d MMMM yyyy"))
        words = self.tr("This conversation was closed on {day}. It is kept in {file} and is here to be read.")
        if closed.is_branch:
            words = self.tr("A branch of a conversation closed on {day}. It is kept in {file} and is here to be read.")
        where = f"sessions/{closed.path.parent.name}/{closed.path.name}"
        chat.notify("info", words.format(day=day, file=where), stays=True, about=str(closed.path))
        chat.transcript.setFocus()
        if message >= 0:
            chat.transcript.scroll_to_message(message)
            timeline.view.select_message(message)
