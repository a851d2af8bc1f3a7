"""Joins the pane of memory's health to the core: what is read, and what is proposed."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.health.report import HealthFinding
from mnemoscope.ui.health import health_pane
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Navigation, Notices
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.lazy_widget import LazyWidget


class HealthController(QObject):
    """Reads nothing before a person looks at the pane. What was changed meanwhile is read again when it is asked for
    by its command or its button."""

    def __init__(
        self,
        window: QObject,
        pane: LazyWidget[health_pane.HealthPane],
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        notices: Notices,
        navigation: Navigation,
    ) -> None:
        super().__init__(window)
        self._late = pane
        self._bench = bench
        self._tasks = tasks
        self._notices = notices
        self._navigation = navigation
        self._is_reading = False
        self._is_stale = False
        self._is_changed = False
        """Memory is not as it was read; it may be stale without that, as a prompt was sent."""
        self._proposing: set[HealthFinding] = set()
        """The findings whose proposal is being made."""
        pane.join(self._on_built)
        for kind in (events.MemoryChanged, events.MemoryFileChanged):
            bridge.on(kind, lambda _event: self._on_changed())
        bridge.on(events.TurnEnded, lambda _event: self._become_stale())
        bridge.on(events.SuggestionsChanged, lambda _event: self._on_review_changed())

    @property
    def _pane(self) -> health_pane.HealthPane:
        return self._late.widget

    def read(self) -> None:
        """Reads memory, if it is not being read."""
        if not self._is_reading:
            self._is_reading = True
            self._is_stale = False
            self._is_changed = False
            self._pane.show_busy()
            self._tasks.spawn(self._read(), "memory's health")

    def read_if_stale(self) -> None:
        """Reads memory if it was changed since."""
        if self._is_stale:
            self.read()

    def _on_built(self, pane: health_pane.HealthPane) -> None:
        pane.read_requested.connect(self.read)
        pane.proposal_requested.connect(self._begin_to_propose)
        pane.line_requested.connect(self._show)
        pane.memory_requested.connect(lambda: self._navigation.show_pane("memory"))
        if self._bench.read_only:
            pane.set_read_only()
        self.read()

    async def _read(self) -> None:
        try:
            report = await self._bench.health.read()
            self._pane.show_report(report)
            self._pane.show_waiting(await self._bench.health.waiting(self._pane.findings))
        except MnemoscopeError as error:
            self._pane.show_failure(core_words(str(error)))
        finally:
            self._is_reading = False
        if self._is_stale:
            self._pane.show_stale(is_changed=self._is_changed)

    def _on_changed(self) -> None:
        self._is_changed = True
        self._become_stale()

    def _become_stale(self) -> None:
        if self._late.built is not None:
            self._is_stale = True
            if not self._is_reading:
                self._pane.show_stale(is_changed=self._is_changed)

    def _on_review_changed(self) -> None:
        if self._late.built is not None:
            self._tasks.spawn(self._show_waiting(), "findings that wait")

    async def _show_waiting(self) -> None:
        with suppress(MnemoscopeError):
            self._pane.show_waiting(await self._bench.health.waiting(self._pane.findings))

    def _begin_to_propose(self, finding: HealthFinding) -> None:
        if finding not in self._proposing:
            self._proposing.add(finding)
            self._tasks.spawn(self._propose(finding), "proposal")

    async def _propose(self, finding: HealthFinding) -> None:
        try:
            await self._bench.health.propose(finding)
        except MnemoscopeError as error:
            self._notices.notify("warning", core_words(str(error)))
            return
        finally:
            self._proposing.discard(finding)
        self._pane.mark_proposed(finding)

    def _show(self, finding: HealthFinding) -> None:
        if not self._navigation.show_line(finding.path, finding.row):
            self._notices.notify("info", self.tr("This line is not in memory any more in these words."))
