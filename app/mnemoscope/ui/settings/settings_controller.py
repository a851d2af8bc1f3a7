"""Settings of the open workspace: shown, changed, and the keys that belong to them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.tasks.spending import Purpose
from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.llm.remote import ServerContext
from mnemoscope.llm.router import TypedModel
from mnemoscope.memory.dream.schedule import cron_problem
from mnemoscope.store.workspace.approvals import KeptApproval
from mnemoscope.store.workspace.time_zone import is_time_zone
from mnemoscope.ui.settings.model_section import KeyEntered
from mnemoscope.ui.settings.model_test import ModelTest
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.support.appearance import Appearance
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.money import cost_words
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.widgets.notices.core_words import core_words
from mnemoscope.ui.widgets.status_line import StatusLine


class SettingsController(QObject):
    """Opens the dialog and carries its changes to the core; `applied` after each change."""

    applied = Signal()
    opened = Signal(object)
    """Comes with the dialog."""
    profile_wanted = Signal(str)
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
        self._dialog: SettingsDialog | None = None
        self._asked: set[asyncio.Task[None]] = set()
        """What servers are being asked for the dialog; it ends with the dialog."""
        self._test: asyncio.Task[None] | None = None
        bridge.on(events.SettingsChanged, lambda _event: self.applied.emit())
        bridge.on(events.SpendingChanged, lambda _event: self._show_spending())

    def _show_spending(self) -> None:
        """Shows what models cost today; nothing where they cost nothing, or no price is known."""
        all_of_it, beside = self._bench.spending.today(), self._bench.spending.today(Purpose.BACKGROUND)
        if not all_of_it.dollars:
            self._status.show_spending("")
            return
        words = self.tr("Today: {cost}").format(cost=cost_words(all_of_it.dollars))
        meaning = self.tr(
            "What models with a known price cost in this workspace today: {tokens} tokens; {beside} in the background."
        ).format(tokens=QLocale().toString(all_of_it.tokens), beside=cost_words(beside.dollars))
        self._status.show_spending(words, meaning)

    @property
    def dialog(self) -> SettingsDialog | None:
        """The dialog while it is open."""
        return self._dialog

    def open(self) -> None:
        """Shows the settings."""
        if self._dialog is not None:
            return
        settings = replace(self._bench.settings, theme=self._appearance.theme, language=self._appearance.language)
        self._dialog = dialog = SettingsDialog(settings, self._models.choices(), self._window)
        if self._bench.read_only:
            dialog.offer_looks_only()
        dialog.applied.connect(self.change)
        dialog.key_entered.connect(lambda entered: self._tasks.spawn(self._remember_key(entered), "key"))
        dialog.model.key_status_requested.connect(
            lambda model, base: self._tasks.spawn(self._show_key_status(model, base), "key status")
        )
        dialog.model.list_requested.connect(lambda typed: self._ask(self._list_models(typed), "models of a server"))
        dialog.model.context_requested.connect(lambda typed: self._ask(self._show_context(typed), "context size"))
        dialog.model.test_requested.connect(self._start_test)
        dialog.model.test_stopped.connect(self._stop_test)
        dialog.model.facts_requested.connect(lambda typed: self._ask(self._show_facts(typed), "facts of a model"))
        dialog.model.search_servers_requested.connect(lambda: self._tasks.spawn(self._find_servers(), "local servers"))
        dialog.dream.cron_typed.connect(lambda cron: self._tasks.spawn(self._show_cron(cron), "cron"))
        dialog.notes.zone_typed.connect(lambda zone: self._tasks.spawn(self._show_zone(zone), "time zone"))
        dialog.tools.forget_requested.connect(lambda kept: self._tasks.spawn(self._forget(kept), "approvals"))
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self.opened.emit(dialog)
        dialog.model.ask_key_status()
        dialog.dream.ask_cron()
        self._tasks.spawn(self._show_tools(), "approvals")

    def change(self, values: dict[str, object]) -> None:
        """Puts changed settings in force."""
        if values:
            self._tasks.spawn(self._change(values), "settings")

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
            self.profile_wanted.emit(profile)

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

    async def _find_servers(self) -> None:
        found = await self._models.find_local()
        if self._dialog is not None:
            self._dialog.model.show_choices(self._models.choices())
            self._dialog.model.servers_found(len(found))

    async def _remember_key(self, entered: KeyEntered) -> None:
        try:
            await self._models.remember_key(entered.model, entered.api_base, entered.key, persist=entered.keep)
        except MnemoscopeError as error:
            self._notices.notify("danger", str(error))

    async def _show_key_status(self, model: str, api_base: str) -> None:
        state = await self._models.key_state(model, api_base)
        if self._dialog is not None:
            self._dialog.model.show_key_status(state)

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

    def _ask(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Asks a server for the dialog, for as long as it is open."""
        task = self._tasks.spawn(work, name)
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        return task

    async def _list_models(self, typed: TypedModel) -> None:
        problem, count = "", 0
        try:
            count = len(await self._models.models_at(typed))
        except MnemoscopeError as error:
            problem = core_words(str(error))
        if self._dialog is not None:
            if count:
                self._dialog.model.show_choices(self._models.choices())
            self._dialog.model.models_listed(count, problem)

    async def _show_context(self, typed: TypedModel) -> None:
        problem, found = "", ServerContext()
        try:
            found = await self._models.router.context_at(typed)
        except MnemoscopeError as error:
            problem = core_words(str(error))
        if self._dialog is not None:
            self._dialog.model.show_context(found.tokens, found.most, problem)

    async def _show_facts(self, typed: TypedModel) -> None:
        traits = await self._models.router.typed_traits(typed)
        if self._dialog is not None:
            self._dialog.model.show_facts(typed, traits)

    def _start_test(self, typed: TypedModel) -> None:
        if self._dialog is not None:
            self._test = self._ask(self._run_test(typed, self._dialog.model.test), "test of a model")

    def _stop_test(self) -> None:
        if self._test is not None:
            self._test.cancel()

    async def _run_test(self, typed: TypedModel, shown: ModelTest) -> None:
        """Shows what a model can do, as it is found; `shown` belongs to the dialog that was open when it began."""
        problem = self.tr("Stopped.")
        router = self._models.router
        try:
            async with aclosing(router.check(typed)) as findings:
                async for finding in findings:
                    shown.show_finding(finding)
            shown.show_context((await self._known_context(typed)).tokens)
            problem = ""
        except MnemoscopeError as error:
            problem = core_words(str(error))
        finally:
            if self._dialog is not None and self._dialog.model.test is shown:
                shown.end(problem)

    async def _known_context(self, typed: TypedModel) -> ServerContext:
        try:
            return await self._models.router.context_at(typed)
        except MnemoscopeError:
            return ServerContext()

    def _on_finished(self) -> None:
        self._dialog = None
        for task in tuple(self._asked):
            task.cancel()
