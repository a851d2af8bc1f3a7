"""One conversation on the window: opened, drafted, and handed to the desks of its turns, timeline and prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction

from mnemoscope.agent.turn.conversation_writer import told_count
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.store.sessions.session import Session
from mnemoscope.store.sessions.tail import Tail
from mnemoscope.ui.chat.composer.composer_drafts import ComposerDrafts
from mnemoscope.ui.chat.file_drop import FileDrop
from mnemoscope.ui.chat.notice_controller import NoticeController, NoticeWays
from mnemoscope.ui.chat.turn_controller import TurnController, TurnWays
from mnemoscope.ui.prompt.prompt_controller import PromptController
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.drafts import Drafts
from mnemoscope.ui.support.external_actions import open_link, save_as_file
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.timeline.timeline_controller import TimelineController

if TYPE_CHECKING:
    from mnemoscope.agent.commits.time_travel import PastPrompt

_DRAFT_DELAY_MS = 600
_DRAFT_PATIENCE = 1.0
"""Seconds that a window being closed waits for a draft to add what was typed to."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the desk sends a person whose problem lies elsewhere."""

    open_settings: Callable[[], object]
    begin_anew: Callable[[], object]
    show_entry: Callable[[ConsolidationRecord], object]
    sessions_changed: Callable[[], object]
    action_for: Callable[[str], QAction | None]
    review: Callable[[str, str], object]
    """Shows what a conversation's assistant wanted to write into memory at a time."""


class ConversationController(QObject):
    """Keeps chat, composer, timeline and prompt pane true to one session."""

    def __init__(
        self, window: MainWindow, bench: Workbench, bridge: Bridge, tasks: Tasks, drafts: Drafts, ways: Ways
    ) -> None:
        super().__init__(window)
        self._window, self._bench, self._tasks, self._ways = window, bench, tasks, ways
        self.drafts = ComposerDrafts(drafts, window.chat.composer)
        self.on_opened: Callable[[], object] = lambda: None
        self._opening: asyncio.Task[None] | None = None
        self._on_show = on_show = CurrentConversation()
        self._draft_timer = QTimer(self)
        self._draft_timer.setSingleShot(True)
        self._draft_timer.setInterval(_DRAFT_DELAY_MS)
        self._draft_timer.timeout.connect(self.flush_draft)
        self._timeline = TimelineController(window, bench, bridge, tasks, on_show)
        self._timeline.on_moved = self._on_changed
        turn_ways = TurnWays(ways.open_settings, self._timeline.consolidate, ways.begin_anew, self._on_changed)
        self._turns = TurnController(window, bench, bridge, tasks, self.drafts, on_show, turn_ways)
        self._prompt = PromptController(window, bench, bridge, tasks, on_show)
        self._prompt.measured.connect(self._turns.usage.note_prompt)
        FileDrop(window.chat, bench, tasks, on_show)
        notice_ways = NoticeWays(ways.action_for, self._view_damage, self._turns.regenerate)
        self._notices = NoticeController(window, bridge, on_show, lambda: self.open(on_show.key), notice_ways)
        self.send, self.stop = self._turns.send, self._turns.stop
        self.consolidate, self.show_message = self._timeline.consolidate, self._timeline.show_message
        self.refresh_prompt = self._prompt.refresh_soon
        window.chat.composer.draft_changed.connect(self._note_draft)
        window.chat.transcript.link_requested.connect(open_link)
        window.chat.transcript.save_requested.connect(self._save_message)
        window.chat.transcript.links.review_wanted.connect(self._review)
        window.chat.transcript.links.whole_wanted.connect(self._prompt.open_whole)
        window.timeline.entry_activated.connect(ways.show_entry)

    def try_refused(self) -> None:
        """Do again what the disk refused."""
        self.flush_draft()
        self._turns.try_refused()
        self._timeline.try_refused()

    @property
    def key(self) -> str:
        """The key of the conversation on show, or ""."""
        return self._on_show.key

    @property
    def session(self) -> Session | None:
        """The conversation on show once it is wholly open."""
        return self._on_show.session

    def open(self, key: str) -> asyncio.Task[None]:
        """Show a conversation: its newest messages at once, then all of it."""
        self.flush_draft()
        if self._opening is not None:
            self._opening.cancel()
        if self.key and key != self.key:
            # The bars are about the one before; at the start they are about the workspace.
            self._window.chat.hush()
        self._window.chat.turn_to(key)
        self._window.sessions.show_current(key)
        self._window.chat.composer.show()
        self._on_show.turn_to(key)
        self._window.chat.judge_in(key)
        self._opening = self._tasks.spawn(self._open(key), f"open {key}")
        return self._opening

    @property
    def is_opening(self) -> bool:
        """Whether a part of the conversation is still on its way to the window."""
        return self._opening is not None and not self._opening.done()

    async def drafted(self) -> None:
        """Wait until the composer's words are those of the conversation that is being opened."""
        if self._opening is not None and not self.drafts.are_shown(self.key):
            await asyncio.wait({self._opening}, timeout=_DRAFT_PATIENCE)

    def read_elsewhere(self, show: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Leave the conversation for one that can only be read; what is typed is kept for the way back."""
        self.flush_draft()
        if self._opening is not None:
            self._opening.cancel()
        chat = self._window.chat
        chat.hush()
        chat.turn_to(name)
        self._window.sessions.show_current(name)
        chat.composer.hide()
        self._on_show.turn_to("")
        chat.judge_in("")
        self._opening = self._tasks.spawn(show, f"read {name}")
        return self._opening

    async def show_past(self, past: PastPrompt, when: datetime, words: str) -> None:
        """Timeline and prompt as they were at a moment (naive local time, told by `words`); the chat stays as it is."""
        self._prompt.show_past(past.prompt)
        if self.session is not None:
            await self._timeline.show_past(self.session, past, when, words)

    def show_now(self) -> None:
        """Everything is of the present again."""
        self._prompt.show_past(None)
        self._tasks.spawn(self._timeline.show_now(), "timeline")

    def flush_draft(self) -> None:
        """Keep what is typed, at once."""
        self._draft_timer.stop()
        self.drafts.keep(self.key)

    def _note_draft(self, _text: str) -> None:
        """Something was typed: keep it soon, however long the typing goes on."""
        if not self._draft_timer.isActive():
            self._draft_timer.start()

    async def _open(self, key: str) -> None:
        tail = await self._show_tail(key)
        await self.drafts.show(key, tail.messages)
        self._on_show.session = session = await self._bench.conversations.open(key)
        transcript = self._window.chat.transcript
        transcript.stack.note(self._notices.kept_words(key))
        transcript.show_messages(key, session.messages, stop=told_count(session))
        self._turns.take_up(key)
        self._window.chat.composer.set_busy(self._bench.loop.is_busy(key))
        self.on_opened()
        await self._bench.conversations.check_damage(key)
        await self._timeline.show(session)
        for sentence in self._bench.sessions.health.complaints(key):
            self._window.chat.say("warning", sentence, stays=True, about=key)
        self._window.memory.set_memory_window(self._bench.settings.memory_window)
        self._prompt.refresh_soon()

    async def _show_tail(self, key: str) -> Tail:
        tail = await self._bench.conversations.open_tail(key)
        if not tail.complete:
            first = tail.total - len(tail.messages) if tail.total is not None else 0
            self._window.chat.transcript.show_messages(key, tail.messages, first)
            self._window.timeline.show_tail(tail.messages, tail.total)
        return tail

    def _on_changed(self) -> None:
        self._ways.sessions_changed()
        self._prompt.refresh_soon()

    def _view_damage(self, key: str) -> None:
        self._tasks.spawn(self._show_damage(key), "damage")

    async def _show_damage(self, key: str) -> None:
        from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog

        sheet = DamagedRecordsDialog(self._window, await self._bench.repairs.damaged(key))
        sheet.restored.connect(self._window.chat.composer.add_words)
        sheet.open()

    def _review(self, index: int) -> None:
        if self.session is not None:
            self._ways.review(self.key, str(self.session.messages[index].get("timestamp") or ""))

    def _save_message(self, index: int) -> None:
        if self.session is not None:
            save_as_file(self._window, text_of(self.session.messages[index]))
