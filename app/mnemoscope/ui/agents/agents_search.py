"""The search over everything spans other agents too, where the person switched it on and until they take it back."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QSettings, Signal

from mnemoscope.agent.foreign import foreign_reading, foreign_search
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.search import foreign_index
from mnemoscope.store.workspace.program_folders import ProgramFolders
from mnemoscope.ui.agents.agents_controller import AgentsController
from mnemoscope.ui.support.tasks import Tasks

log = logging.getLogger(__name__)
_ON: Final = "agents/search"
_FRESH: Final = 30.0
"""Seconds for which what was read counts as what there is."""


class AgentsSearch(QObject):
    """Searches for one window. `read` comes when the index holds what the stores hold, `failed` with a sentence where
    it cannot.

    `file` is the index, which all windows of the person share.
    """

    read = Signal()
    failed = Signal(str)

    def __init__(self, agents: AgentsController, tasks: Tasks, settings: QSettings) -> None:
        super().__init__(agents)
        self._agents = agents
        self._tasks = tasks
        self._settings = settings
        self.file: Path = ProgramFolders.of_this_person().state / "other-agents.db"
        self._search: foreign_search.ForeignSearch | None = None
        self._order = asyncio.Lock()
        """Reading, pruning and removing wait for each other: none leaves anything of what another took out."""
        self._read_at: float | None = None
        agents.forgotten.connect(lambda: self.switch(on=False))

    @property
    def may_search(self) -> bool:
        """Returns whether the person agreed that other agents are looked at."""
        return self._agents.may_look

    @property
    def is_on(self) -> bool:
        """Returns whether the search spans them."""
        return self.may_search and bool(self._settings.value(_ON) == "yes")

    def switch(self, *, on: bool) -> None:
        """Has the search span them from now on, or not any more: then all that is derived of them goes."""
        self._settings.setValue(_ON, "yes" if on else "")
        if on:
            self.begin()
        else:
            self._tasks.spawn(self._remove(), "agents search")

    def begin(self) -> None:
        """Brings the index up to what there is now, where that is not known to be so."""
        if self._must_read:
            self._tasks.spawn(self._read(), "agents search")

    async def find(self, text: str) -> list[foreign_index.ForeignHit]:
        """Returns what is found among what was read so far; nothing where the search does not span them."""
        if not self.is_on:
            return []
        try:
            found = await self._opened().find(text)
        except MnemoscopeError as error:
            self.failed.emit(str(error))
            return []
        return found if self.is_on else []

    def show(self, hit: foreign_index.ForeignHit) -> None:
        """Shows where a passage stands."""
        self._tasks.spawn(self._agents.show_found(hit), "agents")

    async def prune(self) -> None:
        """Takes out what was derived of files that are gone."""
        async with self._order:
            if not (self.is_on and self.file.exists()):
                return
            try:
                await self._opened().prune()
            except MnemoscopeError as error:
                log.info("the index of other agents was not looked through: %s", error)

    def close(self) -> None:
        """Closes the index."""
        if self._search is not None:
            self._search.close()
            self._search = None

    def _opened(self) -> foreign_search.ForeignSearch:
        if self._search is None:
            self._search = foreign_search.ForeignSearch(self.file)
        return self._search

    @property
    def _must_read(self) -> bool:
        return self.is_on and (self._read_at is None or monotonic() - self._read_at >= _FRESH)

    async def _read(self) -> None:
        async with self._order:
            if not self._must_read:
                return
            reading = foreign_reading.ForeignReading()
            try:
                stores, _ = await self._agents.listed_by(reading)
                # Switched off meanwhile, nothing of it is begun, and what was begun ends.
                if self.is_on and await self._opened().read(stores, lambda: self.is_on):
                    self._read_at = monotonic()
            except MnemoscopeError as error:
                self.failed.emit(str(error))
            finally:
                reading.close()
        self.read.emit()

    async def _remove(self) -> None:
        async with self._order:
            # Switched on again meanwhile, it is wanted.
            if self.is_on or (self._search is None and not self.file.exists()):
                return
            self._read_at = None
            try:
                await self._opened().remove()
            except MnemoscopeError as error:
                log.info("the index of other agents was not removed: %s", error)
            self.close()
