"""The conversation in the window: opened, drafted, and handed to the controllers of its turns, timeline and prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.turn.conversation_writer import shown_count
from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.conversation.text_file import MOST_FILES, TextFile
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.files.chosen_text_file import read_text_file
from mnemoscope.store.sessions.file_format.tail import Tail
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat import damaged_records_dialog
from mnemoscope.ui.chat.abandoned_memory_offer import AbandonedMemoryOffer
from mnemoscope.ui.chat.answer_controller import AnswerController
from mnemoscope.ui.chat.answer_receipt.answer_receipt_controller import AnswerReceiptController
from mnemoscope.ui.chat.branch_controller import BranchController, BranchesView
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.composer.composer_drafts import ComposerDrafts
from mnemoscope.ui.chat.image_controller import ImageController
from mnemoscope.ui.chat.message_actions import ReviewSuggestion, SaveMessage
from mnemoscope.ui.chat.message_deletion_controller import MessageDeletionController
from mnemoscope.ui.chat.message_sender import MessageSender
from mnemoscope.ui.chat.notice_controller import NoticeController
from mnemoscope.ui.chat.offered_models import OfferedModels
from mnemoscope.ui.chat.picture_files import is_picture
from mnemoscope.ui.markdown.reading.untrusted_text import printable
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.drafts import DelayedSave, Drafts
from mnemoscope.ui.support.external_actions import open_link, save_as_file
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Commands, Navigation
from mnemoscope.ui.widgets.status_line import StatusLine

_DRAFT_DELAY_MS = 600
_DRAFT_PATIENCE = 1.0
"""Seconds that a window being closed waits for a draft to add what was typed to."""


class TimelineDisplay(BranchesView, Protocol):
    """Shows the messages of the conversation on show one by one, beside the chat."""

    def show_tail(self, tail: Tail) -> None:
        """Shows the newest messages of a conversation whose others are not counted yet."""
        ...

    async def show(self, session: Session) -> None:
        """Shows a whole conversation and where its pointer stands."""
        ...


class ConversationController(QObject):
    """Keeps chat and composer true to the session on show, and says when another one comes on show."""

    selected = Signal(str)
    """The conversation of this key, or the closed one of this file, comes on show."""
    opened = Signal()
    """All messages of the conversation are on show; what else there is of it is still being read."""
    loaded = Signal()
    """The conversation is wholly open."""
    changed = Signal()
    """A turn of the conversation ended."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        drafts: Drafts,
        current: CurrentConversation,
        timeline: TimelineDisplay,
        navigation: Navigation,
        commands: Commands,
        status: StatusLine,
        models: ModelChoices,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._timeline = timeline
        self._navigation = navigation
        self.drafts = ComposerDrafts(drafts, chat.composer)
        self._opening: asyncio.Task[None] | None = None
        self._draft = DelayedSave(self._keep_draft, _DRAFT_DELAY_MS, self)
        self.answers = AnswerController(chat, bench, bridge, tasks, current=current, commands=commands)
        # It hears of the core after them: what waits is sent once the answer before it has ended on the window.
        self.sending = MessageSender(chat, bench, bridge, tasks, drafts=self.drafts, current=current)
        self.answers.retry_requested.connect(self.sending.try_again)
        self.answers.ended.connect(self.changed)
        taken = self.taken = AbandonedMemoryOffer(chat, bench, tasks)
        self.models = OfferedModels(chat, bench, tasks, status, models)
        self.branches = BranchController(
            chat,
            bench,
            bridge,
            tasks,
            sending=self.sending,
            current=current,
            beside=timeline,
            status=status,
            taken=taken,
            models=self.models,
        )
        self.answer_receipts = AnswerReceiptController(
            chat, bench, tasks, current=current, navigation=navigation, status=status
        )
        self.deletions = MessageDeletionController(chat, bench, bridge, tasks, current=current, taken=taken)
        self.deletions.changed.connect(self.changed)
        self.opened.connect(self.branches.refresh)
        bridge.on(events.BranchChanged, self._on_branch_changed)
        FileDrop(chat, bench, tasks, current)
        ImageController(chat, bench, bridge, tasks, current)
        self._notices = NoticeController(chat, status, bridge, current, commands)
        self._notices.reopen_requested.connect(lambda: self.open(current.key))
        self._notices.damage_requested.connect(self._view_damage)
        self._notices.try_again_requested.connect(self.sending.try_again)
        self.send = self.sending.send
        self.stop = self.sending.stop
        chat.composer.draft_changed.connect(self._note_draft)
        chat.transcript.link_requested.connect(lambda address: open_link(address, chat))
        chat.transcript.message_actions.on(SaveMessage, self._save_message)
        chat.transcript.message_actions.on(ReviewSuggestion, self._review)

    def try_refused(self) -> None:
        """Does again what the disk refused."""
        self.flush_draft()
        self.sending.try_refused()

    @property
    def key(self) -> str:
        """Returns the key of the conversation on show, or ""."""
        return self._current.key

    @property
    def session(self) -> Session | None:
        """Returns the conversation on show once it is wholly open."""
        return self._current.session

    def open(self, key: str) -> asyncio.Task[None]:
        """Shows a conversation: its newest messages at once, then all of it."""
        self.flush_draft()
        if key != self.key:
            self._chat.composer.end_editing()
            self.branches.clear()
        if self._opening is not None:
            self._opening.cancel()
        if self.key and key != self.key:
            # The bars are about the one before; at the start they are about the workspace.
            self._chat.dismiss_notices()
        self._chat.select(key)
        self.selected.emit(key)
        self._chat.composer.show()
        self._current.select(key)
        self._chat.composer.waiting.show_waiting(self.sending.queue.of(key))
        self._chat.ask_in(key)
        if not self._bench.read_only:
            self._tasks.spawn(self._notify_of_qanot(key), "tell of Qanot")
        self._opening = self._tasks.spawn(self._open(key), f"open {key}")
        return self._opening

    @property
    def is_opening(self) -> bool:
        """Returns whether a part of the conversation is still on its way to the window."""
        return self._opening is not None and not self._opening.done()

    async def whole(self) -> None:
        """Waits until the conversation that is being opened is wholly there, or another one came in its place."""
        if self._opening is not None:
            await asyncio.wait({self._opening})

    async def drafted(self) -> None:
        """Waits until the composer's words are those of the conversation that is being opened."""
        if self._opening is not None and not self.drafts.are_shown(self.key):
            await asyncio.wait({self._opening}, timeout=_DRAFT_PATIENCE)

    def read_elsewhere(self, show: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Leaves the conversation for one that can only be read; what is typed is kept for the way back."""
        self.flush_draft()
        self._chat.composer.end_editing()
        self.branches.clear()
        if self._opening is not None:
            self._opening.cancel()
        chat = self._chat
        chat.dismiss_notices()
        chat.select(name)
        self.selected.emit(name)
        chat.composer.hide()
        chat.composer.waiting.show_waiting(())
        self._current.select("")
        chat.ask_in("")
        self._opening = self._tasks.spawn(show, f"read {name}")
        return self._opening

    def flush_draft(self) -> None:
        """Keeps what is typed, at once."""
        self._draft.now()

    def _keep_draft(self) -> None:
        self.drafts.keep(self.key)

    def _note_draft(self, _text: str) -> None:
        """Keeps soon what was typed."""
        self._draft.soon()

    async def _open(self, key: str) -> None:
        tail = await self._bench.conversations.open_tail(key)
        if not tail.complete:
            first = tail.total - len(tail.messages) if tail.total is not None else 0
            self._chat.transcript.show_messages(key, tail.messages, first)
        await self.drafts.show(key, tail.messages)
        if tail.total is None:
            # Where it is known how many there are, the rest is there at once, and every row would be drawn twice.
            self._timeline.show_tail(tail)
        self._current.session = session = await self._bench.conversations.open(key)
        transcript = self._chat.transcript
        transcript.empty.note(self._notices.kept_words(key))
        transcript.show_messages(key, session.messages, stop=shown_count(session))
        transcript.mark_consolidated_upto(session.last_consolidated)
        self.answers.load(key)
        await self.sending.load(key, session)
        self.opened.emit()
        await self._bench.conversations.check_damage(key)
        await self._timeline.show(session)
        for sentence in await self._bench.disk.run(self._bench.sessions.health.complaints, key):
            self._chat.notify("warning", sentence, stays=True, about=key)
        self.loaded.emit()

    async def _notify_of_qanot(self, key: str) -> None:
        """Says that Qanot will not restore what is said here. It is asked for before whatever is sent at once."""
        is_lost = False
        # What cannot be read is told of where the conversation is opened.
        with suppress(MnemoscopeError):
            is_lost = await self._bench.disk.run(self._bench.sessions.health.is_lost_to_qanot, key)
        if is_lost:
            words = self.tr(
                "Qanot will not have what is said here in its own history: it restores only what it wrote itself. "
                "It does read what is remembered and noted here.",
            )
            self._chat.notify("info", words, stays=True, about=key)

    def _on_branch_changed(self, event: events.BranchChanged) -> None:
        if self._current.is_of(event):
            self.branches.leave()
            self.open(event.session_key)

    def _view_damage(self, key: str) -> None:
        self._tasks.spawn_once(partial(self._show_damage, key), "damage")

    async def _show_damage(self, key: str) -> None:
        sheet = damaged_records_dialog.DamagedRecordsDialog(self._chat.window(), await self._bench.repairs.damaged(key))
        sheet.restored.connect(self._chat.composer.add_words)
        sheet.open()

    def _review(self, action: ReviewSuggestion) -> None:
        if self.session is not None:
            self._navigation.show_review(self.key, str(self.session.messages[action.index].get("timestamp") or ""))

    def _save_message(self, action: SaveMessage) -> None:
        if self.session is not None:
            save_as_file(self._chat.window(), text_of(self.session.messages[action.index]))


class FileDrop(QObject):
    """Puts text files that are dropped or chosen beside the words of one composer; says why a file was not put in."""

    def __init__(self, chat: ChatColumn, bench: Workbench, tasks: Tasks, current: CurrentConversation) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._current = current
        chat.composer.edit.unusable_pasted.connect(self._refuse)
        chat.composer.edit.files_dropped.connect(lambda paths: tasks.spawn(self._put_in(paths), "put in files"))

    def _refuse(self) -> None:
        words = self.tr("Only text and pictures can be sent: anything else cannot be put in here.")
        self._chat.notify("info", words)

    async def _put_in(self, paths: list[str]) -> None:
        if files := [path for path in paths if not is_picture(path)]:
            with self._chat.composer.coming():
                await self._put_in_files(files)

    async def _put_in_files(self, paths: list[str]) -> None:
        key, composer = self._current.key, self._chat.composer
        for path in paths[: MOST_FILES + 1]:
            try:
                text = await self._bench.disk.run(read_text_file, Path(path))
            except MnemoscopeError as error:
                composer.hold_back()
                self._chat.notify("warning", str(error))
                continue
            if key != self._current.key:
                return
            if not composer.files.add(TextFile(printable(Path(path).name), printable(text))):
                composer.hold_back()
                words = self.tr("A message takes {count} text files at most.").format(count=MOST_FILES)
                self._chat.notify("info", words)
                break
        composer.edit.setFocus()
