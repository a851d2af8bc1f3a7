"""Offers a model for the conversation in front: it answers there, and the settings stay as they are."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.llm import own_name
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.chat.conversation_controller import ConversationController
from mnemoscope.ui.chat.offered_models import OfferedModels
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.menus import menu_place_of_choice


class ModelChoiceController(QObject):
    """Shows the choice as a menu; `chosen` comes when the model of a conversation is another one."""

    chosen = Signal()

    def __init__(
        self,
        chat: ChatColumn,
        bench: Workbench,
        tasks: Tasks,
        conversation: ConversationController,
        models: OfferedModels,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._conversation = conversation
        self._models = models

    def offer(self) -> None:
        """Offers the models in a menu at what names the model that answers."""
        menu, model = self.menu(), self._chat.composer.model
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(menu_place_of_choice(model.rect(), model))

    def now(self) -> str:
        """Returns the model that was chosen for the conversation in front, "" for the one of the settings."""
        session = self._conversation.session
        return session.model if session is not None else ""

    def labels(self) -> dict[str, str]:
        """Returns what the models are called that the conversation can have: that of the settings first, as ""."""
        now, usual = self.now(), self._bench.settings.model
        labels = {"": self.tr("As in the settings: {model}").format(model=own_name(usual))}
        labels |= {model: label for model, label in self._models.offered() if model != usual}
        return labels | {now: labels.get(now, own_name(now))}

    def menu(self) -> QMenu:
        """Returns the menu: the model of the settings first, then the others; the one in force is ticked."""
        now = self.now()
        menu = QMenu(self._chat)
        group = QActionGroup(menu)
        for model, label in self.labels().items():
            action = group.addAction(menu.addAction(label, partial(self.choose, model)))
            action.setCheckable(True)
            action.setChecked(model == now)
        self._models.offer_list(menu, self.offer)
        return menu

    def choose(self, model: str) -> None:
        """Has a model answer in the conversation in front, "" for the one of the settings."""
        self.choose_in(self._conversation.key, model)

    def choose_in(self, key: str, model: str) -> None:
        """Has a model answer in the conversation of this key, "" for the one of the settings."""
        self._tasks.spawn(self._choose(key, model), "model of a conversation")

    async def _choose(self, key: str, model: str) -> None:
        try:
            if model:
                await self._bench.trust.agree_to_model(model)
            await self._bench.conversations.choose_model(key, model)
        except MnemoscopeError as error:
            self._chat.notify("danger", str(error))
        self.chosen.emit()
