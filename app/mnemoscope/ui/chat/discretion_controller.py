"""Lets the person choose how much of a conversation is kept, and says what holds for what was said before."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.conversation.discretion import Discretion, Transition, is_temporary, transition
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.store.sessions.overview import title_of
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.question import ask

_LONGEST_NAME: Final = 60
"""Characters of a conversation's title in a question."""


class DiscretionController(QObject):
    """Keeps the switch at the composer true to the conversation on show, and does what is chosen there."""

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        conversation: ConversationController,
        open_session: Callable[[str], object],
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._conversation = conversation
        self._open = open_session
        self._switch = chat.composer.discretion
        self._switch.chosen.connect(self.choose)
        conversation.selected.connect(lambda _name: self._show())
        conversation.opened.connect(self._show)
        bridge.on(events.DiscretionChanged, self._on_changed)
        bridge.on(events.SessionCleared, lambda _event: self._show())
        self._show()

    def open_menu(self) -> None:
        """Offers the three kinds, from the keyboard too."""
        if self._conversation.key and not self._bench.read_only:
            self._switch.open_menu()

    def begin_temporary(self) -> None:
        """Begins a conversation of which nothing is kept, whatever the one on show is."""
        self._tasks.spawn(self._guarded(self._begin(Discretion.TEMPORARY)), "temporary conversation")

    def choose(self, wanted: Discretion) -> None:
        """Makes the conversation on show one of another kind, or begins one where it cannot be."""
        key = self._conversation.key
        if key:
            self._tasks.spawn(self._guarded(self._choose(key, wanted)), "discretion")

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except MnemoscopeError as error:
            self._chat.notify("warning", core_words(str(error)))

    async def _choose(self, key: str, wanted: Discretion) -> None:
        change = transition(self._bench.sessions.discretion_of(key), wanted)
        session = await self._bench.conversations.open(key)
        count = len(session.messages)
        if change is Transition.BEGIN:
            if count:
                await self._begin(wanted)
                words = self.tr("What was said before stays in its own conversation. This one begins with nothing.")
                self._chat.notify("info", words)
            else:
                await self._begin_instead(session, wanted)
        elif change is Transition.STOP:
            await self._bench.discretion.change(key, wanted)
        elif change is Transition.RESUME:
            await self._resume(key, wanted, count)
        elif change is Transition.KEEP:
            await self._keep(key, wanted, count)

    async def _resume(self, key: str, wanted: Discretion, count: int) -> None:
        if count:
            sentence = self.tr(
                "From now on this conversation may become memory, with all that was said in it. Remember that too?"
            )
            choices = [
                ("all", self.tr("Remember all of it")),
                ("new", self.tr("Begin a new conversation")),
                ("", self.tr("Cancel")),
            ]
            answer = await ask(self._chat.window(), self.tr("Remembered"), sentence, choices, default="new")
            if answer == "new":
                await self._begin(wanted)
            if answer != "all":
                return
        await self._bench.discretion.change(key, wanted)

    async def _keep(self, key: str, wanted: Discretion, count: int) -> None:
        answer = "new"
        if count:
            sentence = self.tr(
                "Nothing of this conversation is kept until now. Keep what was said in it, or begin anew without it?"
            )
            choices = [
                ("keep", self.tr("Keep what was said")),
                ("new", self.tr("Begin a new conversation")),
                ("", self.tr("Cancel")),
            ]
            title = self._switch.name_of(wanted)
            answer = await ask(self._chat.window(), title, sentence, choices, default="new")
        if answer == "keep":
            self._open((await self._bench.discretion.keep(key, wanted)).key)
        elif answer == "new":
            await self._begin(wanted)
            if not count:
                self._bench.discretion.close(key)

    async def _begin(self, wanted: Discretion) -> None:
        self._show_begun(await self._begun(wanted))

    async def _begin_instead(self, empty: Session, wanted: Discretion) -> None:
        """Begins a conversation in the place of one in which nothing was said: what is typed there and the model chosen
        there come along, and the empty one goes. Images that are put to it lie on the disk already: it stays then."""
        drafts, model = self._conversation.drafts, empty.model
        begun = await self._begun(wanted, anew=True)
        goes = empty.key == self._conversation.key and not self._chat.composer.content().images
        if goes and drafts.are_shown(empty.key):
            drafts.carry(empty.key, begun.key)
        if goes and model:
            await self._bench.conversations.choose_model(begun.key, model)
        self._show_begun(begun)
        if goes:
            await self._bench.conversations.drop_empty(empty.key)

    async def _begun(self, wanted: Discretion, *, anew: bool = False) -> Session:
        if wanted is Discretion.TEMPORARY:
            return await self._bench.discretion.begin_temporary(anew=anew)
        session = await self._bench.conversations.begin()
        await self._bench.discretion.change(session.key, wanted)
        return session

    def _show_begun(self, session: Session) -> None:
        self._open(session.key)
        self._chat.composer.setFocus()

    def _on_changed(self, event: events.DiscretionChanged) -> None:
        if event.session_key == self._conversation.key:
            self._show()
            self._conversation.changed.emit()

    def _show(self) -> None:
        key, session = self._conversation.key, self._conversation.session
        since = session.discreet_since if session is not None else 0
        discretion = self._bench.sessions.discretion_of(key)
        self._chat.composer.show_discretion(discretion, since)
        self._chat.transcript.empty.show_discretion(discretion)
        self._switch.setEnabled(bool(key) and not self._bench.read_only)


async def may_close(parent: QWidget, bench: Workbench, keys: list[str]) -> bool:
    """Asks once before temporary conversations are closed in which something was said; True where there are none."""
    open_ones = [bench.sessions.get_or_create(key) for key in keys if is_temporary(key)]
    names = [shortened(title_of(each), _LONGEST_NAME) for each in open_ones if len(each.messages)]
    if not names:
        return True
    # Any of them may be another than the one on show.
    words = QCoreApplication.translate("DiscretionController", "“{name}” is kept nowhere. Close it?")
    if len(names) > 1:
        words = QCoreApplication.translate(
            "DiscretionController", "“{name}” and %n more are kept nowhere. Close them?", "", len(names) - 1
        )
    # Enter loses nothing.
    choices = [
        ("", QCoreApplication.translate("DiscretionController", "Cancel")),
        ("close", QCoreApplication.translate("DiscretionController", "Close")),
    ]
    title = QCoreApplication.translate("DiscretionController", "Temporary")
    return await ask(parent, title, words.format(name=names[0]), choices) == "close"
