"""Sends what a person says: typed, waiting for the answer before it, said once more, or in place of another message."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject

from mnemoscope.agent.commands.slash_commands import read_command
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.discretion import Trace
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.secrets.detection import secrets_in
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.answer_controller import refused_by_disk
from mnemoscope.ui.chat.cards import key_card
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.composer.composer_drafts import ComposerDrafts
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.composer.message_queue import WaitingMessage
from mnemoscope.ui.chat.message_actions import StopAnswer, TryAgain
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.tasks import Tasks

_LEAVE_NO_RECORD = frozenset({"/new", "/stop"})


class MessageSender(QObject):
    """Takes words from composer and transcript to the assistant, in their order; none is lost on the way."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        drafts: ComposerDrafts,
        current: CurrentConversation,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._drafts = drafts
        self._current = current
        self.queue = drafts.queue
        self._refused: set[str] = set()
        """Conversations with a turn that the disk ended."""
        self._commanded: set[str] = set()
        """Conversations in which a slash command is at work."""
        composer, transcript = chat.composer, chat.transcript
        composer.submitted.connect(self._submit)
        chat.key_card.join(self._join_key_card)
        composer.stop_requested.connect(self.stop)
        composer.waiting.taken_back.connect(self._take_back)
        composer.waiting.released.connect(self._release)
        composer.waiting.edit_begun.connect(self.queue.begin_editing)
        composer.waiting.edited.connect(self._on_edited)
        self.queue.changed.connect(self._show_waiting)
        composer.escaped.connect(composer.setFocus)
        transcript.example_chosen.connect(self.send)
        transcript.command_chosen.connect(self.send)
        transcript.message_actions.on(TryAgain, lambda _action: self.try_again())
        transcript.message_actions.on(StopAnswer, lambda _action: self.stop())
        bridge.on(events.RecordAppended, self._on_appended)
        bridge.on(events.TurnStarted, self._on_started)
        bridge.on(events.TurnEnded, self._on_ended)
        bridge.on(events.TurnFailed, self._on_failed)
        bridge.on(events.ConversationFree, self._on_free)

    async def load(self, key: str, session: Session) -> None:
        """Shows whether a conversation that was opened is busy, and what waits in it, with what an earlier window
        left."""
        self._show_busy(key)
        left = await self.queue.load(key, session.messages)
        composer = self._chat.composer
        if key == self._current.key and any(one.content.text == composer.content().text.strip() for one in left):
            # A kill came between the two drafts.
            composer.set_draft("")
        self._show_waiting(self._current.key)

    def send(self, text: str) -> None:
        """Gives words that were not typed, such as a menu's command, to the assistant."""
        if self._may_ask(text):
            self._begin(self._send(self._current.key, ComposerText(text)), "send")

    def stop(self) -> None:
        """Stops the answer that is being written."""
        if self._current.key:
            self.queue.hold(self._current.key)
            self._bench.loop.stop(self._current.key)

    def try_again(self) -> None:
        """Has the newest message answered once more, below an answer that was broken off."""
        if self._may_ask(""):
            self._begin(self._retry(self._current.key), "retry")

    def try_refused(self) -> None:
        """Tries once more what the disk ended in the conversation on show."""
        if self._current.key in self._refused:
            self.try_again()

    def resend(self, index: int, content: ComposerText) -> None:
        """Sends words in the place of message `index`, on a branch of their own."""
        key, composer = self._current.key, self._chat.composer
        if self._may_ask("") and content.images:
            self._send_shown(key, content, replaces=index)
        elif self._may_ask(""):
            self._begin(self._send_typed(key, content, index), "resend")
        elif not composer.content().text:
            composer.set_draft(content)

    def answer_anew(self, index: int, model: str = "") -> None:
        """Has the question that message `index` answers answered anew, by `model` this once."""
        if self._may_ask(""):
            self._begin(self._answer_anew(self._current.key, index, model), "regenerate")

    @property
    def is_answering(self) -> bool:
        """Returns whether an answer is being written in the conversation on show, or is about to be."""
        return self._is_busy(self._current.key)

    def _join_key_card(self, card: key_card.KeyCard) -> None:
        card.keys_in = lambda text: secrets_in(text, self._bench.keys())
        card.is_kept = lambda: self._bench.sessions.discretion_of(self._current.key).permits(Trace.SESSION_FILE)

    def _submit(self, content: ComposerText) -> None:
        """Sends what was typed, or lets it wait for the answer; what is not taken comes back to the composer."""
        key, composer = self._current.key, self._chat.composer
        if content.text == "/stop" and self._is_busy(key):
            self.stop()
        elif key and self._is_busy(key):
            self.queue.add(key, content)
            self._drafts.keep(key)
        elif key and content.images:
            self._send_shown(key, content)
        elif key:
            self._begin(self._send_typed(key, content), "send")
        else:
            composer.set_draft(content)

    def _send_shown(self, key: str, content: ComposerText, *, replaces: int | None = None) -> None:
        """Sends what is not written at once: whether a model takes images is known when its process has started. The
        message is shown, and kept beside what is typed meanwhile, until it is written or comes back."""
        self.queue.add(key, content, replaces=replaces)
        self._drafts.keep(key)
        self._begin(self._send_next(key, self.queue.of(key)[-1]), "send")

    def _is_busy(self, key: str) -> bool:
        """Returns whether an answer is being written, or is about to be."""
        return self._bench.loop.is_busy(key) or (key == self._current.key and self._chat.composer.busy)

    def _take_back(self, one: WaitingMessage) -> None:
        key = self._current.key
        if one not in self.queue.of(key) or one.sent_at is not None:
            return
        self._chat.composer.add_content(one.content)
        # Its words are a draft again before they are no longer waiting.
        self._drafts.keep(key)
        self.queue.take_back(key, one)

    def _release(self) -> None:
        """Sends what is held: now, or after the answer that is being written."""
        key = self._current.key
        self.queue.release(key)
        if not self._is_busy(key):
            self._chat.transcript.follow_newest()
            self._send_waiting(key)

    def _on_edited(self, one: WaitingMessage, content: ComposerText | None) -> None:
        """Goes on with what waits, where the answer came meanwhile."""
        key = self._current.key
        self.queue.end_editing(one, content)
        self._chat.composer.setFocus()
        if not self._is_busy(key):
            self._send_waiting(key)

    def _send_waiting(self, key: str) -> None:
        one = self.queue.next(key)
        if one is None:
            return
        if key == self._current.key:
            # Nobody pressed anything: whoever reads further up goes on reading there.
            self._begin(self._send_next(key, one), "send", follow=False)
        else:
            self._tasks.spawn(self._send_next(key, one), "send")

    async def _send_next(self, key: str, one: WaitingMessage) -> None:
        session = await self._bench.conversations.open(key)
        if one.held or one not in self.queue.of(key):
            # Stopped, or taken back, in the meantime.
            self._show_busy(key)
            return
        self.queue.hand_over(key, one, len(session.messages))
        content = one.content
        taken = await self._process(key, content, one.replaces)
        if taken and one.content.text in _LEAVE_NO_RECORD:
            self.queue.recorded(key)
        elif one.sent_at is not None and one in self.queue.of(key):
            # The disk refused it, or another turn came first.
            self.queue.hold(key)
        self._show_busy(key)
        typed = self._chat.composer.content()
        if not (taken or typed.text or typed.images) and key == self._current.key:
            self._take_back(one)

    def _show_waiting(self, key: str) -> None:
        if key == self._current.key:
            self._chat.composer.waiting.show_waiting(self.queue.of(key))

    def _may_ask(self, text: str) -> bool:
        """Returns whether the assistant takes this now; else tells the person why not."""
        if self._current.key and self._bench.loop.is_busy(self._current.key) and text.strip() != "/stop":
            words = self.tr("The assistant is still at work in this conversation. Wait for it, or stop it.")
            self._chat.notify("info", words, [(self.tr("Stop"), self.stop)])
            return False
        return bool(self._current.key)

    def _begin(self, work: Coroutine[Any, Any, None], name: str, *, follow: bool = True) -> None:
        self._refused.discard(self._current.key)
        self._chat.dismiss_notices()
        if follow:
            self._chat.transcript.follow_newest()
        self._chat.composer.set_busy(True)
        self._tasks.spawn(work, name)

    async def _send_typed(self, key: str, content: ComposerText, replaces: int | None = None) -> None:
        """Sends what was typed, which is a draft until it is taken."""
        # Words that leave no record would stay a draft for ever.
        is_draft = replaces is not None or content.text.strip() not in _LEAVE_NO_RECORD
        if is_draft:
            self._drafts.sending(key, content)
        await self._send(key, content, replaces)
        if is_draft:
            self._drafts.not_taken(key, shown=key == self._current.key)

    async def _send(self, key: str, content: ComposerText, replaces: int | None = None) -> None:
        await self._process(key, content, replaces)
        self._show_busy(key)

    async def _process(self, key: str, content: ComposerText, replaces: int | None = None) -> bool:
        """Has a message answered or a command run; the composer says which of both it is that may be stopped.
        `replaces`: the message whose place it takes."""
        loop, parts = self._bench.loop, (content.text, content.quotes, content.images, content.files)
        if replaces is not None:
            return await loop.resend(key, replaces, *parts)
        if read_command(content.text) is not None:
            self._commanded.add(key)
            if key == self._current.key:
                self._chat.composer.set_busy(True, is_command=True)
        try:
            return await loop.process(key, *parts)
        finally:
            self._commanded.discard(key)

    async def _answer_anew(self, key: str, index: int, model: str) -> None:
        if model:
            # It was chosen here, by a click.
            await self._bench.trust.agree_to_model(model)
        await self._bench.loop.regenerate(key, index, model)
        self._show_busy(key)

    async def _retry(self, key: str) -> None:
        await self._bench.loop.retry(key)
        self._show_busy(key)

    def _show_busy(self, key: str) -> None:
        if key == self._current.key:
            self._chat.composer.set_busy(self._bench.loop.is_busy(key), is_command=key in self._commanded)

    def _on_appended(self, event: events.RecordAppended) -> None:
        if event.message.get("role") == "user":
            self.queue.recorded(event.session_key, text_of(event.message))
            self._drafts.recorded(event.session_key, shown=self._current.is_of(event))

    def _on_started(self, event: events.TurnStarted) -> None:
        if self._current.is_live(event):
            self._chat.composer.set_busy(True)

    def _on_ended(self, event: events.TurnEnded) -> None:
        if self._current.is_live(event):
            self._show_busy(event.session_key)
        if event.outcome in {"answered", "command"}:
            self._send_waiting(event.session_key)
        else:
            self.queue.hold(event.session_key)

    def _on_failed(self, event: events.TurnFailed) -> None:
        if self._current.is_of(event) and refused_by_disk(event, self._bench):
            self._refused.add(event.session_key)

    def _on_free(self, event: events.ConversationFree) -> None:
        # One that was opened meanwhile was shown as busy.
        self._show_busy(event.session_key)
        if not self._is_busy(event.session_key):
            self._send_waiting(event.session_key)
