"""The history pane and its logs: which files are searched, which messages entries came from."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from mnemoscope.agent.workspace.returned_lines import says_forgotten
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.memory.file_registry import is_daily_note
from mnemoscope.domain.settings import DREAM, THREE_TIER, Settings
from mnemoscope.store.search.worker import LogQuestions
from mnemoscope.ui.history.history_pane import HistoryPane
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Navigation

_SETTLE_MS: Final = 100


class HistoryController(QObject):
    """Keeps the history pane true to the logs, whoever writes them."""

    def __init__(
        self,
        pane: HistoryPane,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        navigation: Navigation,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._bench = bench
        self._tasks = tasks
        self._search: LogQuestions | None = None
        self._pane.messages_requested.connect(navigation.show_messages)
        bridge.on(events.HistoryChanged, lambda _event: self._on_changed())
        bridge.on(events.Consolidated, lambda _event: self._on_changed())
        bridge.on(events.SessionCleared, lambda _event: self._on_changed())
        # Once for many changes: a search that is typed lists others at each key.
        self._follow = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._follow.timeout.connect(lambda: self._tasks.spawn(self._show_left(), "history"))
        self._follow_forgotten = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._follow_forgotten.timeout.connect(lambda: self._tasks.spawn(self._show_forgotten(), "history"))
        for left in (events.BranchChanged, events.MessagesReplaced):
            bridge.on(left, lambda _event: self._follow.start())
        model = pane.model
        for shown in (model.replaced, model.renewed, model.appended):
            shown.connect(self._follow.start)
            shown.connect(self._follow_forgotten.start)
        # What is decided in the review may be sent again.
        bridge.on(events.SuggestionsChanged, lambda _event: self._follow_forgotten.start())
        bridge.on(events.SettingsChanged, lambda _event: self._explain())
        self._explain()
        for kind in (events.DreamStateChanged, events.Dreamed):
            bridge.on(kind, lambda _event: self._tasks.spawn(self._show_reach(), "history"))

    async def open(self) -> None:
        """Searches the workspace's logs; returns before they are read."""
        self._search = self._bench.search.logs
        # Where the window is taken away without being closed, the thread must not stay behind.
        self._pane.destroyed.connect(self._bench.search.abandon)
        self._pane.model.set_source(self._search)
        self._on_changed()

    async def close(self) -> None:
        """Shows the logs no more."""
        self._follow.stop()
        self._follow_forgotten.stop()
        self._pane.model.set_source(None)
        self._search = None

    def _explain(self) -> None:
        self._pane.explain_nothing(first_entry_words(self._bench.settings))

    def _on_changed(self) -> None:
        self._tasks.spawn(self._refresh(), "history")

    async def _refresh(self) -> None:
        memory, disk = self._bench.memory, self._bench.disk
        records = await disk.run(memory.ledger.records)
        corrections = await disk.run(memory.corrections.standing)
        if self._search is not None and not self._search.is_closed:
            self._pane.model.origins.set_records(records)
            self._pane.model.origins.set_corrections(corrections)
            self._pane.model.refresh()
        await self._show_reach()

    async def _show_left(self) -> None:
        """Marks the notes of messages that are deleted or on another branch alone, among those that are shown."""
        sources = {match.entry.source for match in self._pane.model.matches}
        notes = {source for source in sources if is_daily_note(source)}
        if notes and self._search is not None and not self._search.is_closed:
            with suppress(UnreadableFile):
                self._pane.model.origins.set_left(await self._bench.abandoned.inactive_notes(notes))

    async def _show_forgotten(self) -> None:
        """Marks the entries, among those that are shown, with a line that the person had forgotten."""
        if self._search is None or self._search.is_closed:
            return
        shown = {(match.entry.source, match.entry.text) for match in self._pane.model.matches}
        is_forgotten = await self._bench.disk.run(self._bench.memory.files.forgotten_now)
        found = await asyncio.to_thread(
            lambda: frozenset(each for each in shown if says_forgotten(each[1], is_forgotten))
        )
        self._pane.model.origins.set_forgotten(found)

    async def _show_reach(self) -> None:
        """Shows which entries Dream has read."""
        if self._search is not None and not self._search.is_closed:
            self._pane.model.origins.set_reach(await self._bench.dreaming.reach())


def first_entry_words(settings: Settings) -> str:
    """Returns when the first entry comes, by how memory is kept."""
    if settings.profile == DREAM:
        return QCoreApplication.translate(
            "HistoryController", "History is written with /new, and when a prompt grows full. Dream reads it."
        )
    if settings.profile != THREE_TIER:
        return QCoreApplication.translate("HistoryController", "History is written when messages are consolidated.")
    if settings.keeps_notes:
        return QCoreApplication.translate("HistoryController", "Each exchange is noted here, by day.")
    return QCoreApplication.translate("HistoryController", "Nothing is consolidated, and daily notes are switched off.")
