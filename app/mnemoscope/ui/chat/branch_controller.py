"""Second thoughts in the window: a message edited, an answer written anew, branches begun and gone between."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from mnemoscope.agent.turn.agent_loop import newest_question
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.attachment import attachments_of
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.message import message_number, text_of
from mnemoscope.domain.conversation.origin import quotes_in
from mnemoscope.domain.conversation.text_file import file_spans_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.abandoned_memory_offer import AbandonedMemoryOffer
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.chat.message_actions import AnswerAnew, AnswerByAnother, BranchFrom, EditMessage, SwitchBranch
from mnemoscope.ui.chat.message_sender import MessageSender
from mnemoscope.ui.chat.offered_models import OfferedModels
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.menus import menu_place_of_choice
from mnemoscope.ui.widgets.status_line import StatusLine

_BELOW_TOP: Final = 24
"""Pixels below the top of the view, where a message is brought that was out of it."""


class BranchesView(Protocol):
    """Shows where the conversation on show goes on in several ways, beside the chat."""

    def show_branches(self, branches: Mapping[int, BranchChoice]) -> None:
        """Shows at these messages, and at no others, where the branches part."""
        ...


class BranchController(QObject):
    """Does what a message's links and the window's commands offer, and shows the branches there are."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        sending: MessageSender,
        current: CurrentConversation,
        beside: BranchesView,
        status: StatusLine,
        taken: AbandonedMemoryOffer,
        models: OfferedModels,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._taken = taken
        self._models = models
        self._tasks = tasks
        self._sending = sending
        self._current = current
        self._beside = beside
        self._status = status
        self._choices: list[BranchChoice] = []
        self._parting: tuple[str, int, int] | None = None
        """The conversation that goes over to another branch, the message at which they part, and its place in view."""
        actions = chat.transcript.message_actions
        actions.on(EditMessage, lambda action: self.edit(action.index))
        actions.on(AnswerAnew, lambda action: sending.answer_anew(action.index))
        actions.on(AnswerByAnother, lambda action: self._offer_models(action.index))
        actions.on(BranchFrom, lambda action: self.branch(action.index))
        actions.on(SwitchBranch, self._switch_at)
        chat.composer.edited.connect(sending.resend)
        bridge.on(events.RecordAppended, self._on_appended)
        bridge.on(events.BranchChanged, self._on_changed)

    def clear(self) -> None:
        """Shows no branches: those of another conversation come on show."""
        self.leave()
        self._chat.transcript.show_branches({})

    def leave(self) -> None:
        """Offers no branch until those of the branch that comes on show are known. The transcript keeps what it says of
        the messages that both have: to write them anew twice would be felt."""
        self._choices = []
        self._beside.show_branches({})

    def refresh(self) -> None:
        """Shows the branches of the conversation on show as they are now; one gone over to, where they part."""
        if self._parting is not None:
            key, index, place = self._parting
            self._parting = None
            if key == self._current.key:
                self._chat.transcript.stand_at(index, place)
        self._tasks.spawn(self._refresh(), "branches")

    async def _refresh(self) -> None:
        key, session = self._current.key, self._current.session
        if session is None:
            return
        choices = await self._bench.conversations.branches(key)
        if key == self._current.key:
            self._choices = choices
            # One in which nothing was said yet has no message of its own to tell it at.
            last = max(0, len(session.messages) - 1)
            shown = {min(choice.index, last): choice for choice in choices} if len(session.messages) else {}
            self._chat.transcript.show_branches(shown)
            self._beside.show_branches(shown)

    def _on_appended(self, event: events.RecordAppended) -> None:
        if self._current.is_live(event) and any(choice.index >= event.index for choice in self._choices):
            self.refresh()

    def _on_changed(self, event: events.BranchChanged) -> None:
        session = self._current.session
        # What was left before may be what goes on now.
        self._chat.dismiss_notices_with(self._left_words(), event.session_key)
        if session is not None and self._current.is_of(event):
            self._tasks.spawn(self._offer_to_take_back(session, event), "what memory took")

    async def _offer_to_take_back(self, session: Session, event: events.BranchChanged) -> None:
        """Says what memory took from the messages that were left, and offers to take it back."""
        try:
            taken = await self._bench.abandoned.of(session, event.left, event.stop)
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
            return
        # Whoever goes between branches is told of what can be taken back, and of nothing else again.
        is_offered = taken.is_any if event.is_new else taken.can_be_removed
        if not is_offered or session.branch.began == event.left:
            return

        words = [self._left_words()]
        actions = self._taken.action(taken, session.key, lambda: bar.dismiss())
        bar = self._chat.notify(
            "info", " ".join((*words, *self._taken.words(taken))), actions, stays=True, about=session.key
        )

    def _left_words(self) -> str:
        return self.tr("Memory has taken something from the messages that stay on the branch before.")

    def edit(self, index: int) -> None:
        """Puts a message of the person into the composer, to be sent in its place."""
        session = self._current.session
        if session is None or self._bench.read_only or self._is_busy():
            return
        message = session.messages[index]
        words = self.tr("Editing message {number}. What followed it stays on a branch of its own. Esc leaves it.")
        content = ComposerText(
            text_of(message), tuple(quotes_in(message)), attachments_of(message), file_spans_of(message)
        )
        self._chat.composer.begin_editing(index, content, words.format(number=message_number(index)))

    def edit_newest(self) -> None:
        """Puts the newest message of the person into the composer."""
        session = self._current.session
        index = newest_question(session.messages) if session is not None else None
        if index is not None:
            self.edit(index)

    def answer_newest_anew(self) -> None:
        """Has the newest question answered anew."""
        session = self._current.session
        if session is not None and len(session.messages):
            self._sending.answer_anew(len(session.messages) - 1)

    def branch(self, index: int) -> None:
        """Lets the conversation go on from a message on a branch of its own."""
        session = self._current.session
        if session is None or self._is_busy():
            return
        stop = index + 1
        while stop < len(session.messages) and session.messages[stop].get("role") == "tool":
            # What a call was answered with belongs to it.
            stop += 1
        if stop >= len(session.messages):
            self._status.show_remark(self.tr("Nothing follows this message: what you say next goes on from here."))
            return
        self._tasks.spawn(self._branch(self._current.key, stop), "branch")

    async def _branch(self, key: str, stop: int) -> None:
        if await self._bench.loop.branch(key, stop):
            self._status.show_remark(self.tr("A branch of its own: what followed is kept on the one before."))
            self._chat.composer.setFocus()

    def step(self, by: int) -> None:
        """Goes to the branch before or after the one on show, where the conversation parted last."""
        if self._current.session is not None and not self._is_busy():
            self._tasks.spawn(self._step(self._current.key, by), "next branch")

    async def _step(self, key: str, by: int) -> None:
        choices = await self._bench.conversations.branches(key)
        parted = [choice for choice in choices if 0 <= choice.here + by < len(choice.places)]
        if parted:
            await self._go_over(key, parted[-1], parted[-1].here + by)
        else:
            self._status.show_remark(self.tr("There is no other branch in this direction."))

    def _switch_at(self, action: SwitchBranch) -> None:
        choice = self._chat.transcript.transcript.branches.get(action.index)
        if choice is not None and action.place < len(choice.places):
            self._switch(choice, action.place)

    def _switch(self, choice: BranchChoice, place: int) -> None:
        if not self._is_busy():
            self._tasks.spawn(self._go_over(self._current.key, choice, place), "switch branch")

    async def _go_over(self, key: str, choice: BranchChoice, place: int) -> None:
        """Has the conversation go on in another branch, with the message at which they part where it stands now."""
        transcript = self._chat.transcript
        now = transcript.place_of(choice.index)
        in_view = now is not None and 0 <= now < transcript.view.viewport().height()
        self._parting = (key, choice.index, now if now is not None and in_view else _BELOW_TOP)
        if not await self._bench.loop.switch_branch(key, choice.places[place].began):
            self._parting = None

    def _is_busy(self) -> bool:
        """Returns whether an answer is being written, and says that this has to wait for it."""
        is_busy = self._bench.loop.is_busy(self._current.key)
        if is_busy:
            words = self.tr("The assistant is still at work in this conversation. Wait for it, or stop it.")
            self._chat.notify("info", words, [(self.tr("Stop"), self._sending.stop)])
        return is_busy

    def _offer_models(self, index: int) -> None:
        """Offers the models that can be reached as the conversation's model is, where they were asked for."""
        menu = QMenu(self._chat)
        for model, label in self._models.offered():
            menu.addAction(label, partial(self._sending.answer_anew, index, model))
        self._models.offer_list(menu, partial(self._offer_models, index))
        menu.aboutToHide.connect(menu.deleteLater)
        view = self._chat.transcript.view
        menu.popup(menu_place_of_choice(view.cursorRect(), view.viewport()))
