"""Settings of the open workspace: shown, changed, and the keys that belong to them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.tasks.spending import Purpose
from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.llm.destination import destination_of
from mnemoscope.llm.router import TypedModel
from mnemoscope.memory.dream.schedule import cron_problem
from mnemoscope.store.workspace.approvals import KeptApproval
from mnemoscope.store.workspace.time_zone import is_time_zone
from mnemoscope.ui.settings import model_section, model_section_controller, model_sheet, price_note, settings_dialog
from mnemoscope.ui.support.appearance import Appearance
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.locale_words import number
from mnemoscope.ui.support.money import cost_words
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.status_line import StatusLine


class SettingsController(QObject):
    """Opens the dialog and carries its changes to the core; `applied` after each change."""

    applied = Signal()
    opened = Signal(object)
    """Comes with the dialog."""
    profile_requested = Signal(str)
    """Memory is to be kept in another way: whoever hears it asks first."""

    def __init__(
        self,
        window: QWidget,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        models: ModelChoices,
        appearance: Appearance,
        notices: Notices,
        status: StatusLine,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bench = bench
        self._models = models
        self._tasks = tasks
        self._appearance = appearance
        self._notices = notices
        self._status = status
        self._dialog: settings_dialog.SettingsDialog | None = None
        self._served: model_section_controller.ModelSectionController | None = None
        self._sheet: model_sheet.ModelSheet | None = None
        bridge.on(events.SettingsChanged, lambda _event: self.applied.emit())
        bridge.on(events.SpendingChanged, lambda _event: self._show_spending())

    def _show_spending(self) -> None:
        """Shows what models cost today, and what was embedded at no known price; nothing where there is neither."""
        all_of_it, beside = self._bench.spending.today(), self._bench.spending.today(Purpose.BACKGROUND)
        meanings = []
        if all_of_it.dollars:
            words = self.tr("Today: {cost}").format(cost=cost_words(all_of_it.dollars))
            priced = self.tr(
                "What models with a known price cost in this workspace today: {tokens} tokens; {beside} in the "
                "background."
            )
            tokens = number(all_of_it.tokens)
            meanings.append(priced.format(tokens=tokens, beside=cost_words(beside.dollars)))
        else:
            words = self.tr("Today: unknown") if all_of_it.unpriced else ""
        if all_of_it.unpriced:
            meanings.append(
                self.tr(
                    "The search by meaning made %n requests whose price is not known; they do not count towards the "
                    "daily limit.",
                    "",
                    all_of_it.unpriced,
                )
            )
        self._status.show_spending(words, " ".join(meanings))

    @property
    def sheet(self) -> model_sheet.ModelSheet | None:
        """Returns the page of the model at the composer, while it is open."""
        return self._sheet

    @property
    def dialog(self) -> settings_dialog.SettingsDialog | None:
        """Returns the dialog while it is open."""
        return self._dialog

    def open(self, place: str = "") -> None:
        """Shows the settings, at a place that the dialog knows, or from the top; not while something is typed in the
        page of the model."""
        if self._dialog is not None:
            self._dialog.show_place(place)
            return
        if self._sheet is not None and not self._sheet.give_way():
            # Two pages with the same settings would show two different values.
            self._status.show_remark(self.tr("Save or cancel what you typed for the model; then the settings open."))
            return
        settings = replace(self._bench.settings, theme=self._appearance.theme, language=self._appearance.language)
        self._dialog = dialog = settings_dialog.SettingsDialog(settings, self._models.choices(), self._window)
        if self._bench.read_only:
            dialog.set_read_only()
        dialog.applied.connect(self.change)
        dialog.key_entered.connect(lambda entered: self._tasks.spawn(self._remember_key(entered), "key"))
        self._served = served = model_section_controller.ModelSectionController(
            dialog.model, self._models, self._tasks, show_choices=dialog.show_model_choices
        )
        for section in (dialog.background, dialog.dream):
            section.context.requested.connect(
                lambda section=section: served.ask_context_beside(section.model_name(), section.context)
            )
            section.price.requested.connect(
                lambda model, note=section.price: served.ask(
                    self._show_price(note, TypedModel(model, dialog.model.typed().api_base)), "price of a model"
                )
            )
        dialog.notes.facts_requested.connect(
            lambda model: self._served and self._served.ask(self._show_embedding_facts(model), "facts of a model")
        )
        dialog.dream.cron_typed.connect(lambda cron: self._tasks.spawn(self._show_cron(cron), "cron"))
        dialog.notes.zone_typed.connect(lambda zone: self._tasks.spawn(self._show_zone(zone), "time zone"))
        dialog.tools.forget_requested.connect(lambda kept: self._tasks.spawn(self._forget(kept), "approvals"))
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self.opened.emit(dialog)
        dialog.background.price.look_up()
        dialog.dream.price.look_up()
        dialog.notes.ask_facts()
        dialog.dream.ask_cron()
        self._tasks.spawn(self._show_tools(), "approvals")
        dialog.show_place(place)

    def open_model(self, anchor: QWidget, here: model_sheet.ConversationModels, place: str = "") -> None:
        """Shows the page of the model above `anchor`, with what answers in the conversation `here`, and the keyboard in
        the field `place` that the page knows."""
        if self._sheet is not None or self._dialog is not None or not self._window.isVisible():
            return
        self._sheet = sheet = model_sheet.ModelSheet(self._window, self._bench.settings, self._models.choices(), here)
        served = model_section_controller.ModelSectionController(
            sheet.model, self._models, self._tasks, show_choices=sheet.show_choices
        )
        sheet.applied.connect(self.change)
        sheet.key_entered.connect(lambda entered: self._tasks.spawn(self._remember_key(entered), "key"))
        sheet.settings_requested.connect(lambda: self.open())
        sheet.context.requested.connect(lambda: served.ask_context_beside(sheet.conversation_model(), sheet.context))
        sheet.price.requested.connect(
            # It is reached as that of the settings is.
            lambda model: served.ask(
                self._show_price(sheet.price, TypedModel(model, self._bench.settings.api_base)), "price of a model"
            )
        )
        sheet.closed.connect(served.close)
        sheet.closed.connect(self._on_sheet_closed)
        sheet.open_above(anchor, place)
        sheet.ask_facts()

    def _on_sheet_closed(self) -> None:
        self._sheet = None

    def change(self, values: dict[str, object]) -> None:
        """Puts changed settings in force."""
        if values:
            self._tasks.spawn(self._change(values), "settings")

    def toggle_theme(self) -> None:
        """Goes from the light theme to the dark one, or back."""
        self.change({"theme": "light" if self._appearance.theme == "dark" else "dark"})

    def toggle_capture(self) -> None:
        """Pauses capture, or goes on with it."""
        self.change({"capture_paused": not self._bench.settings.capture_paused})

    def set_aside(self) -> None:
        """Puts a config.json that cannot be followed out of the way, under another name."""
        self._tasks.spawn(self._set_aside(), "set aside")

    async def _set_aside(self) -> None:
        if self._bench.config.store.malformed:
            name = await self._bench.config.set_aside()
            self._status.show_remark(self.tr("The old file is kept as {name}.").format(name=name))

    async def _change(self, values: dict[str, object]) -> None:
        rest = self._appearance.keep(values)
        if len(rest) < len(values):
            self.applied.emit()
        profile = rest.pop("profile", None)
        await self._put_in_force(rest)
        if profile is not None:
            self.profile_requested.emit(profile)

    async def _put_in_force(self, rest: dict[str, object]) -> None:
        if problem := await self._cron_problem(str(rest.get("dream_cron", ""))):
            # Saved before it could be looked at: what stood there before stays.
            rest.pop("dream_cron")
            self._notices.notify("warning", problem)
        if not rest:
            return
        try:
            await self._bench.config.change(**rest)
        except MnemoscopeError as error:
            self._notices.notify("danger", str(error))

    async def _remember_key(self, entered: model_section.KeyEntered) -> None:
        try:
            await self._models.remember_key(entered.model, entered.api_base, entered.key, persist=entered.keep)
        except MnemoscopeError as error:
            self._notices.notify("danger", str(error))

    async def _cron_problem(self, cron: str) -> str:
        return await self._bench.disk.run(cron_problem, cron) if cron else ""

    async def _show_cron(self, cron: str) -> None:
        problem = await self._cron_problem(cron)
        if self._dialog is not None:
            self._dialog.dream.show_cron_problem(cron, core_words(problem))

    async def _show_zone(self, zone: str) -> None:
        known = not zone or await self._bench.disk.run(is_time_zone, zone)
        if self._dialog is not None:
            words = "" if known else self.tr("There is no time zone of this name.")
            self._dialog.notes.show_zone_problem(zone, words)

    async def _show_tools(self) -> None:
        confinement, advice = await self._bench.toolbox.confinement()
        kept = await self._bench.toolbox.approvals.kept()
        if self._dialog is not None:
            self._dialog.tools.show_confinement(confinement, advice)
            self._dialog.tools.show_approvals(kept)

    async def _forget(self, kept: list[KeptApproval]) -> None:
        try:
            for one in kept:
                await self._bench.toolbox.approvals.forget(one)
        except MnemoscopeError as error:
            self._notices.notify("danger", str(error))
        await self._show_tools()

    async def _show_embedding_facts(self, model: str) -> None:
        """Says what the model costs that embeds, at the address that stands in the dialog."""
        if self._dialog is None:
            return
        address = self._dialog.model.typed().api_base
        known = await self._models.router.typed_traits(TypedModel(model, address))
        if self._dialog is not None:
            is_free = destination_of(model, address).kind == "this computer"
            self._dialog.notes.show_facts(model, known, is_free=is_free)

    async def _show_price(self, note: price_note.PriceNote, typed: TypedModel) -> None:
        """Says what a model costs where its name stands."""
        note.show_price(typed.model, await self._models.router.typed_traits(typed))

    def _on_finished(self) -> None:
        self._dialog = None
        if self._served is not None:
            self._served.close()
        self._served = None
