"""The models that can answer beside the one of the settings: which they are, and a server asked for its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.llm import own_name, shown_name
from mnemoscope.domain.settings import is_built_in
from mnemoscope.llm.router import TypedModel
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.status_line import StatusLine

_MOST: Final = 12


class OfferedModels(QObject):
    """Names the models that can be reached as the one of the settings is."""

    def __init__(
        self, chat: ChatColumn, bench: Workbench, tasks: Tasks, status: StatusLine, models: ModelChoices
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._status = status
        self._models = models

    def offered(self) -> list[tuple[str, str]]:
        """Returns names and labels of the models that can answer: those that the settings name, those at the address in
        force once they were listed, and last the built-in one. Where that is the one of the settings, no other: then
        nothing of this folder was agreed to. A model is called by its own name where no other has the same."""
        settings = self._bench.settings
        may_leave = not is_built_in(settings.model)
        here = (
            each
            for each in self._models.choices()
            if is_built_in(each.id) or (may_leave and each.api_base == settings.api_base)
        )
        beside = (settings.background_model, settings.dream_model) if may_leave else ()
        named = (settings.model, *(each for each in beside if each and not is_built_in(each)))
        labels = {each: shown_name(each) for each in named} | {each.id: each.label for each in here}
        own = Counter(own_name(each) for each in labels)
        labels = {each: own_name(label) if own[own_name(each)] == 1 else label for each, label in labels.items()}
        built_in = [each for each in labels.items() if is_built_in(each[0])]
        others = [each for each in labels.items() if not is_built_in(each[0])]
        return others[: _MOST - len(built_in)] + built_in

    def offer_list(self, menu: QMenu, then: Callable[[], None]) -> None:
        """Adds a line that asks the server for its models, to a menu of models, where they were not listed yet. `then`
        is called once they are."""
        if self._may_list():
            menu.addSeparator()
            menu.addAction(
                self.tr("List the models of this server"),
                lambda: self._tasks.spawn(self._list_models(then), "models of the server"),
            )

    def _may_list(self) -> bool:
        """Returns whether the model is at an address whose models were not listed yet."""
        settings = self._bench.settings
        is_at_address = bool(settings.api_base) and not is_built_in(settings.model)
        return is_at_address and not any(each.api_base == settings.api_base for each in self._models.choices())

    async def _list_models(self, then: Callable[[], None]) -> None:
        """Asks the server for its models, and calls `then` if there are any."""
        settings = self._bench.settings
        try:
            await self._bench.loop.trust.require()
            await self._models.models_at(TypedModel(settings.model, settings.api_base))
        except MnemoscopeError as error:
            self._chat.notify("warning", str(error))
            return
        if self._may_list():
            self._status.show_remark(self.tr("The server lists no models."))
        else:
            then()
