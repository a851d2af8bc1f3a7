"""Undo on the card of a tool call that changed memory: what is undone by the log of changes; undoing and redoing it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import undone_changes
from mnemoscope.domain.memory.suggestion import undo_waits
from mnemoscope.ui.chat.message_actions import RedoChange, UndoChange
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.widgets.status_line import StatusLine


class ToolChangesController(QObject):
    """Keeps the cards true to the log of changes. Made with the first such card."""

    def __init__(
        self,
        transcript: Transcript,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        notices: Notices,
        status: StatusLine,
    ) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._bench = bench
        self._tasks = tasks
        self._notices = notices
        self._status = status
        self._looking = False
        self._under_way: set[str] = set()
        transcript.message_actions.on(UndoChange, lambda action: self._begin(self._undo, action.change))
        transcript.message_actions.on(RedoChange, lambda action: self._begin(self._bring_back, action.change))
        bridge.on(events.MemoryChanged, self._on_changed)

    def look(self) -> None:
        """Finds out which changes are undone now, and has the cards say so."""
        if not self._looking:
            self._looking = True
            self._tasks.spawn(self._look(), "tool changes")

    def _on_changed(self, _event: events.MemoryChanged) -> None:
        if self._transcript.transcript.tools.changed_memory:
            self.look()

    async def _look(self) -> None:
        # What comes while the log is read is looked for again.
        self._looking = False
        try:
            self._transcript.calls.show_undone(await self._undone())
        except MnemoscopeError as error:
            self._notices.notify("warning", str(error))

    async def _undone(self) -> dict[str, str]:
        return undone_changes(await self._bench.disk.run(self._bench.memory.editing.changes))

    def _begin(self, work: Callable[[str], Awaitable[None]], change: str) -> None:
        if change not in self._under_way:
            self._under_way.add(change)
            self._tasks.spawn(self._do(work, change), "tool change")

    async def _do(self, work: Callable[[str], Awaitable[None]], change: str) -> None:
        try:
            await work(change)
            self._transcript.calls.show_undone(await self._undone())
        except MnemoscopeError as error:
            self._notices.notify("warning", str(error))
        finally:
            self._under_way.discard(change)

    async def _undo(self, change: str) -> None:
        if change in await self._undone():
            return
        waits = undo_waits(await self._bench.disk.run(self._bench.memory.ledger.suggestions), change)
        if waits or (await self._bench.memory.editing.undo_change(change)).conflicts:
            self._status.show_remark(
                self.tr("You changed the same lines: a proposal waits for review"), meaning_of(Word.WAITING)
            )

    async def _bring_back(self, change: str) -> None:
        undo = (await self._undone()).get(change)
        if undo is not None and (await self._bench.memory.editing.undo_change(undo)).conflicts:
            self._status.show_remark(
                self.tr("You changed the same lines: a proposal waits for review"), meaning_of(Word.WAITING)
            )
