"""Carries what a section of the model asks for to the core: a server's models, its context, a test, the key's place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.model_choice import ModelChoices
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.llm.model_catalog import ModelChoice
from mnemoscope.llm.remote import ServerContext
from mnemoscope.llm.router import TypedModel
from mnemoscope.ui.settings.context_field import ContextField
from mnemoscope.ui.settings.model_section import ModelSection
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.translation.core_words import settings_words


class ModelSectionController(QObject):
    """Serves one section, wherever it is shown, until `close`: what a server is still asked is given up then."""

    def __init__(
        self,
        section: ModelSection,
        models: ModelChoices,
        tasks: Tasks,
        *,
        show_choices: Callable[[Sequence[ModelChoice]], None],
    ) -> None:
        """`show_choices` is called with the models there are once a server named some."""
        super().__init__(section)
        self._section: ModelSection | None = section
        self._models = models
        self._tasks = tasks
        self._show_choices = show_choices
        self._asked: set[asyncio.Task[None]] = set()
        self._test: asyncio.Task[None] | None = None
        section.key_status_requested.connect(
            lambda model, base: self.ask(self._show_key_status(model, base), "key status")
        )
        section.list_requested.connect(lambda typed: self.ask(self._list_models(typed), "models of a server"))
        section.context_requested.connect(lambda typed: self._ask_context(typed, section.context))
        section.test_requested.connect(self._start_test)
        section.test_stopped.connect(self._stop_test)
        section.facts_requested.connect(lambda typed: self.ask(self._show_facts(typed), "facts of a model"))
        section.search_servers_requested.connect(lambda: self.ask(self._find_servers(), "local servers"))
        section.ask_key_status()

    def close(self) -> None:
        """Gives up what is still asked; nothing more is shown."""
        self._section = None
        for task in tuple(self._asked):
            task.cancel()

    def ask(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Asks a server, for as long as the section is shown."""
        task = self._tasks.spawn(work, name)
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        return task

    def _ask_context(self, typed: TypedModel, field: ContextField) -> None:
        """Asks the server of a model for its context, for the field in which that stands."""
        self.ask(self._show_context(typed, field), "context size")

    def ask_context_beside(self, model: str, field: ContextField) -> None:
        """Asks for the context of another model, which is reached as the one in the section is."""
        if self._section is not None:
            self._ask_context(replace(self._section.typed(), model=model), field)

    async def _find_servers(self) -> None:
        found = await self._models.find_local()
        if self._section is not None:
            self._show_choices(self._models.choices())
            self._section.servers_found(len(found))

    async def _show_key_status(self, model: str, api_base: str) -> None:
        state = await self._models.key_state(model, api_base)
        if self._section is not None:
            self._section.show_key_status(model, api_base, state)

    async def _list_models(self, typed: TypedModel) -> None:
        problem, count = "", 0
        try:
            count = len(await self._models.models_at(typed))
        except MnemoscopeError as error:
            problem = settings_words(str(error))
        if self._section is not None:
            if count:
                self._show_choices(self._models.choices())
            self._section.models_listed(typed.api_base, count, problem)

    async def _show_context(self, typed: TypedModel, field: ContextField) -> None:
        problem, found = "", ServerContext()
        try:
            found = await self._models.router.context_at(typed)
        except MnemoscopeError as error:
            problem = settings_words(str(error))
        if self._section is not None:
            field.show_answer(typed, found.tokens, found.most, problem)

    async def _show_facts(self, typed: TypedModel) -> None:
        traits = await self._models.router.typed_traits(typed)
        if self._section is not None:
            self._section.show_facts(typed, traits)

    def _start_test(self, typed: TypedModel) -> None:
        self._test = self.ask(self._run_test(typed), "test of a model")

    def _stop_test(self) -> None:
        if self._test is not None:
            self._test.cancel()

    async def _run_test(self, typed: TypedModel) -> None:
        """Shows what a model can do, as it is found."""
        problem = self.tr("Stopped.")
        try:
            async with aclosing(self._models.router.check(typed)) as findings:
                async for finding in findings:
                    if self._section is not None:
                        self._section.test.show_finding(finding)
            tokens = (await self._known_context(typed)).tokens
            if self._section is not None:
                self._section.test.show_context(tokens)
            problem = ""
        except MnemoscopeError as error:
            problem = settings_words(str(error))
        finally:
            # One that was dropped may end when the next one goes on already.
            if self._section is not None and self._test is asyncio.current_task():
                self._section.test.end(problem)

    async def _known_context(self, typed: TypedModel) -> ServerContext:
        try:
            return await self._models.router.context_at(typed)
        except MnemoscopeError:
            return ServerContext()
