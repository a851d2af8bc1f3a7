"""Joins the search sheet to the core, and goes to what was chosen: a message, a line, an entry, a day."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import Protocol

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from mnemoscope.agent.search.titles import titled_hits, with_titles
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.memory.file_registry import is_daily_note
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.search import foreign_index
from mnemoscope.store.search.search_hit import SearchHit, SearchState
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.ui.search import search_sheet
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.thread_emitter import ThreadEmitter
from mnemoscope.ui.support.window_ports import Navigation
from mnemoscope.ui.widgets.status_line import StatusLine


class OtherAgents(Protocol):
    """Searches what other agents said and remember, where the person says so."""

    read: SignalInstance
    """Emitted when the stores of the other agents are indexed."""
    failed: SignalInstance
    """Carries why they cannot be searched."""

    @property
    def may_search(self) -> bool:
        """Returns whether the person agreed that other agents are looked at."""

    @property
    def is_on(self) -> bool:
        """Returns whether the search spans them."""

    def switch(self, *, on: bool) -> None:
        """Has the search span them from now on, or not any more."""

    def begin(self) -> None:
        """Brings the index up to what there is now."""

    async def find(self, text: str) -> list[foreign_index.ForeignHit]:
        """Returns what is found; nothing where the search does not span them."""

    def show(self, hit: foreign_index.ForeignHit) -> None:
        """Shows where a passage stands."""


class SearchController(QObject):
    """Opens the search of one window. The sheet, and the index behind it, are there when they are first asked for."""

    _state_changed = Signal(object)
    """The index has this `SearchState` now; it comes from its thread."""

    def __init__(
        self,
        parent: QWidget,
        bench: Workbench,
        tasks: Tasks,
        navigation: Navigation,
        status: StatusLine,
        *,
        others: OtherAgents,
    ) -> None:
        super().__init__(parent)
        self._parent = parent
        self._bench = bench
        self._tasks = tasks
        self._navigation = navigation
        self._status = status
        self._others = others
        self._titles: dict[str, str] = {}
        self._titled: list[SearchHit] = []

    @cached_property
    def sheet(self) -> search_sheet.SearchSheet:
        """Returns where the person asks and chooses; what it needs of the index is heard from then on."""
        sheet = search_sheet.SearchSheet(self._parent)
        sheet.typed.connect(lambda text: self._tasks.spawn(self._type(text), "search"))
        sheet.paused.connect(lambda text: self._tasks.spawn(self._find(text), "search"))
        sheet.chosen.connect(self._on_chosen)
        for part in (sheet.list, sheet.field):
            offer_forgetting(part, lambda: _words_of(sheet.list.currentIndex().data(Qt.ItemDataRole.UserRole)))
        sheet.other_chosen.connect(self._others.show)
        sheet.others_switched.connect(self._switch_others)
        self._others.read.connect(self._ask_again)
        self._others.failed.connect(sheet.show_notice)
        # Told on the search's thread, heard on the window's.
        self._state_changed.connect(self._on_state)
        emitter = ThreadEmitter(self)
        self._bench.search.ranked.subscribe(lambda state: emitter.emit(self._state_changed, state))
        return sheet

    def open(self) -> None:
        """Shows the sheet."""
        self._bench.search.prepare()
        self.sheet.set_patient(self._bench.search.asks_another_computer)
        self.sheet.offer()
        self.sheet.offer_others(offered=self._others.may_search, on=self._others.is_on)
        self._others.begin()
        self._tasks.spawn(self._read_titles(), "titles")
        self._on_state(self._bench.search.ranked.state)

    def open_with(self, words: str) -> None:
        """Shows the sheet with what is found of these words."""
        # What is typed is looked for at once, and so it is when the sheet opens.
        with QSignalBlocker(self.sheet.field):
            self.sheet.field.setText(words)
        self.open()

    async def _read_titles(self) -> None:
        overviews, closed = await self._bench.conversations.overviews(), await self._bench.closed.overviews()
        root = self._bench.workspace.root
        self._titles = {one.key: one.title for one in overviews}
        self._titles |= {path_within(one.path, root): one.title for one in closed}
        before, whole = self._titled, [one for one in closed if not one.is_branch]
        self._titled = titled_hits(overviews, whole, root)
        text = self.sheet.field.text()
        if self._titled != before and self.sheet.isVisible() and text.strip():
            # What was typed meanwhile was looked for among the titles of before.
            await self._find(text)

    async def _type(self, text: str) -> None:
        future = self._bench.search.type(text)
        try:
            await self._show(text, await self._bench.search.active(await asyncio.wrap_future(future)))
        except asyncio.CancelledError:
            if not future.cancelled():
                raise

    async def _find(self, text: str) -> None:
        found = await self._bench.search.find_typed(text)
        if found is not None:
            await self._show(text, found)

    async def _show(self, text: str, hits: list[SearchHit]) -> None:
        authors, others = await self._bench.search.authors(hits), await self._others.find(text)
        if self.sheet.field.text() == text:
            found = with_titles(text, self._titled, hits)
            self.sheet.show_hits(found, self._bench.clock().date(), self._titles, authors, others)

    def _switch_others(self, on: bool) -> None:
        self._others.switch(on=on)
        self._ask_again()

    def _ask_again(self) -> None:
        """Asks again what was asked before something was read, or switched."""
        text = self.sheet.field.text()
        if self.sheet.isVisible() and text.strip():
            self._tasks.spawn(self._find(text), "search")

    def _on_state(self, state: SearchState) -> None:
        if state.problem:
            self.sheet.show_notice(state.problem)
        elif state.is_current:
            self.sheet.show_notice("")
            self._ask_again()
        else:
            self.sheet.show_notice(self.tr("Still reading: %n passages can be found so far.", "", state.passages))

    def _on_chosen(self, hit: SearchHit) -> None:
        self._tasks.spawn(self._go_to(hit), "go to what was found")

    async def _show_branch(self, hit: SearchHit) -> None:
        """Shows a message in the branch it was said in, which becomes the active one."""
        began = await self._bench.conversations.branch_at(hit.session_key, hit.path)
        if not began:
            words = self.tr("It was said in another branch of a conversation that was closed: {file}")
            self._status.show_remark(words.format(file=hit.path))
        elif await self._bench.loop.switch_branch(hit.session_key, began):
            self._navigation.show_message(hit.session_key, hit.message_index)

    async def _go_to(self, hit: SearchHit) -> None:
        if hit.kind is SearchKind.SESSION and hit.message_index >= 0:
            self._navigation.show_message(hit.session_key, hit.message_index)
        elif hit.kind is SearchKind.BRANCH and hit.message_index >= 0:
            await self._show_branch(hit)
        elif hit.kind is SearchKind.ARCHIVE and hit.message_index >= 0:
            self._navigation.show_archived_message(hit.path, hit.message_index)
        elif hit.kind is SearchKind.MEMORY and self._navigation.show_line(hit.path, hit.text):
            pass
        elif hit.kind is SearchKind.HISTORY or (hit.kind is SearchKind.NOTES and is_daily_note(hit.path)):
            self._navigation.show_entry_of(hit.text)
        elif behind := await self._bench.search.behind(hit):
            self._navigation.show_message(behind.session_key, behind.start, behind.began)
        else:
            place = self.tr("It stands in {file}, line {number}.")
            self._status.show_remark(place.format(file=hit.path, number=hit.line))


def _words_of(row: search_sheet.SearchRow | None) -> str:
    """Returns the passage that a row stands for, "" where it is none of this workspace."""
    return row.hit.text if row is not None and row.hit is not None else ""
