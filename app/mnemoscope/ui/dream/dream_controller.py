"""Joins the Dream pane to the core: its state, a run and its progress, taking one back, the way to Dream and back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.journal_entry import JournalEntry, plain_entry
from mnemoscope.domain.settings import DREAM, TWO_LAYER
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.memory.dream.journal_upgrade import UpgradePlan
from mnemoscope.ui.dream import dream_pane
from mnemoscope.ui.dream.entry_words import EntryLink
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.locale_words import moment_words, number
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Navigation, Notices
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.dialogs.question import ask
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import set_role

_SETTLE_MS = 100
_MINUTE_MS = 60_000
_BEGINNING: Final = 160
"""Characters of an entry that are shown at most; the screen may cut them further."""


class DreamController(QObject):
    """Keeps the pane true; the core is asked for nothing before a person looks at it."""

    review_requested = Signal()
    guide_requested = Signal()

    def __init__(
        self,
        window: QWidget,
        pane: LazyWidget[dream_pane.DreamPane],
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        *,
        notices: Notices,
        navigation: Navigation,
    ) -> None:
        super().__init__(window)
        self._late = pane
        self._window = window
        self._bench = bench
        self._tasks = tasks
        self._notices = notices
        self._navigation = navigation
        self._wanted: DreamRun | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._refresh)
        self._started: events.DreamStarted | None = None
        """The run that began last, while this window is open."""
        self._clock = QElapsedTimer()
        """For how long it is at work."""
        self._progress: events.DreamProgressed | None = None
        pane.join(self._on_built)
        for kind in (events.Dreamed, events.DreamStateChanged, events.HistoryChanged, events.SettingsChanged):
            bridge.on(kind, lambda _event: self.refresh_soon())
        bridge.on(events.DreamStarted, self._on_started)
        bridge.on(events.DreamProgressed, self._on_progress)

    def run_now(self) -> None:
        """Starts a run that reads what waits."""
        self._tasks.spawn(self._report(self._run), "dream")

    def stop(self) -> None:
        """Ends the run at work; nothing of it is written."""
        self._bench.dreaming.runner.stop()

    def refresh_soon(self) -> None:
        """Shows how things stand, once for many changes; not before the pane is there."""
        if self._late.built is not None:
            self._timer.start(_SETTLE_MS)

    def show_run(self, run: DreamRun | None) -> None:
        """Brings the record of a run into sight; with none, what waits."""
        self._navigation.show_pane("dream")
        self._wanted = run
        self.refresh_soon()

    def follow(self, link: EntryLink, record: ConsolidationRecord) -> None:
        """Goes where a step of an entry's way leads, which was clicked in the timeline."""
        if link.kind == "entry":
            self._navigation.show_entry(record)
        elif link.kind == "dream":
            self.show_run(link.run)
        elif link.run is not None:
            self._navigation.show_run(link.run)

    async def offer_profile(self) -> None:
        """Shows what taking Dream into use would do, and does it as the person chooses."""
        await self._report(self._offer_profile)

    def choose_profile(self, profile: str) -> None:
        """Asks what it does to keep memory in another way from now on, and does it."""
        if profile == DREAM:
            self._tasks.spawn_once(self.offer_profile, "dream profile")
        elif self._bench.settings.profile == DREAM:
            self._tasks.spawn_once(partial(self.offer_return, profile), "dream profile")
        else:
            self._tasks.spawn(self._report(self._bench.config.change, profile=profile), "profile")

    async def offer_return(self, profile: str = TWO_LAYER) -> None:
        """Asks whether the workspace shall go back to HISTORY.md, and does it; memory is kept as `profile` says
        then."""
        await self._report(self._offer_return, profile)

    async def undo(self, run: DreamRun) -> None:
        """Takes a run back, and asks what becomes of its entries."""
        words = self.tr(
            "Only what this run changed is taken back; everything later stays. The entries it read count as declined, "
            "unless they are to be dreamed again."
        )
        choices = [
            ("again", self.tr("Undo and dream again")),
            ("declined", self.tr("Undo")),
            ("", self.tr("Cancel")),
        ]
        chosen = await ask(self._window, self.tr("Undo this run of Dream"), words, choices, default="declined")
        if chosen:
            await self._report(self._bench.dreaming.undo, run.id, again=chosen == "again")

    async def undo_by_id(self, run_id: str) -> bool:
        """Takes a run back by its id; returns False where it is not kept, or is taken back already."""
        runs = (await self._bench.dreaming.state()).runs
        run = next((each for each in runs if each.id == run_id and not each.undone), None)
        if run is not None:
            await self.undo(run)
        return run is not None

    async def _offer_profile(self) -> None:
        plan = await self._bench.dreaming.plan_upgrade()
        title = self.tr("Use Dream in this workspace")
        if not plan.is_needed:
            words = self.tr(
                "From now on summaries go to memory/history.jsonl, and Dream edits SOUL.md, USER.md and MEMORY.md by "
                "small steps. Every change has a version and can be undone."
            )
            chosen = await ask(self._window, title, words, [("kept", self.tr("Use Dream")), ("", self.tr("Cancel"))])
        else:
            choices = [
                ("kept", self.tr("Take them over, read only new ones")),
                ("dreamed", self.tr("Read the old ones too")),
                ("", self.tr("Cancel")),
            ]
            preview = UpgradePreview(plan)
            chosen = await ask(
                self._window, title, _taken_over_words(plan), choices, below=preview, closed=_closed_choices(plan)
            )
        if chosen:
            await self._report(self._upgrade, dream_old=chosen == "dreamed")

    async def _offer_return(self, profile: str) -> None:
        words = self.tr(
            "The entries of the history log are added to HISTORY.md, and history.jsonl is kept as a .bak file. "
            "From now on each consolidation rewrites MEMORY.md. What Dream wrote stays, with its versions."
        )
        if waiting := (await self._bench.dreaming.state()).waiting:
            words = f"{words} {_unread_words(waiting)}"
        title = self.tr("Stop using Dream in this workspace")
        if await ask(self._window, title, words, [("back", self.tr("Go back to HISTORY.md")), ("", self.tr("Cancel"))]):
            await self._report(self._downgrade, profile)

    async def _run(self) -> None:
        if await self._bench.dreaming.run_now() is not None and self._bench.dreaming.runner.halted:
            waiting = (await self._bench.dreaming.state()).waiting
            still = self.tr("%n entries still wait; Run now goes on.", "", waiting)
            self._notices.notify("info", f"{core_words(self._bench.dreaming.runner.halted)} {still}")

    async def _upgrade(self, *, dream_old: bool) -> None:
        await self._bench.dreaming.upgrade(dream_old=dream_old)
        await self._bench.config.change(profile="dream")

    async def _downgrade(self, profile: str) -> None:
        # First of all, so that no consolidation adds to the journal meanwhile.
        await self._bench.config.change(profile=profile)
        try:
            await self._bench.dreaming.downgrade()
        except MnemoscopeError:
            await self._bench.config.change(profile="dream")
            raise

    async def _report(self, work: Callable[..., Awaitable[object]], *given: object, **named: object) -> None:
        try:
            await work(*given, **named)
        except MnemoscopeError as error:
            self._notices.notify("danger", str(error))
        self.refresh_soon()

    def _on_built(self, pane: dream_pane.DreamPane) -> None:
        pane.run_requested.connect(self.run_now)
        pane.stop_requested.connect(self.stop)
        pane.pause_requested.connect(
            lambda paused: self._tasks.spawn(self._report(self._bench.dreaming.pause, paused), "dream")
        )
        pane.undo_requested.connect(lambda run: self._tasks.spawn(self.undo(run), "dream undo"))
        pane.profile_requested.connect(lambda: self._tasks.spawn_once(self.offer_profile, "dream profile"))
        pane.show_requested.connect(self._navigation.show_run)
        pane.review_requested.connect(self.review_requested)
        pane.guide_requested.connect(self.guide_requested)
        if self._bench.read_only:
            pane.set_read_only()
        if self._bench.dreaming.runner.is_running:
            self._show_run_at_work()
        # "In an hour" is wrong an hour later.
        clock = QTimer(pane)
        clock.timeout.connect(self._refresh)
        clock.start(_MINUTE_MS)
        self._refresh()

    def _refresh(self) -> None:
        self._tasks.spawn(self._show(), "dream")

    async def _show(self) -> None:
        state = await self._bench.dreaming.state()
        self._late.widget.show_state(state, datetime.now(), self._bench.settings)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._late.widget.reveal(wanted)

    def _on_started(self, event: events.DreamStarted) -> None:
        self._started, self._progress = event, None
        self._clock = QElapsedTimer()
        self._clock.start()
        self._show_run_at_work()
        self.refresh_soon()

    def _on_progress(self, event: events.DreamProgressed) -> None:
        self._progress = event
        self._show_run_at_work()

    def _show_run_at_work(self) -> None:
        """Shows what the run reads and how far it is, as far as that is known, where the pane is built."""
        if (pane := self._late.built) is None:
            return
        if (run := self._started) is not None:
            pane.head.show_begun(run.first, run.last, self._clock)
        if (step := self._progress) is not None:
            pane.head.show_progress(step.rounds, step.tokens, step.last)


def _unread_words(count: int) -> str:
    return QCoreApplication.translate(
        "DreamController",
        "%n entries that Dream has not read stay in HISTORY.md, and are not dreamed.",
        None,
        count,
    )


class UpgradePreview(QWidget):
    """Stands below the sentence of the question: the first and the last entry, a line each, and what is asked."""

    def __init__(self, plan: UpgradePlan) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self._entries(plan))
        if plan.undated:
            column.addWidget(plain_label(self, words=_undated_words(plan.undated)))
        question = self.tr("Shall Dream read the old history too? That asks the model about all of it.")
        column.addWidget(plain_label(self, words=question))

    def _entries(self, plan: UpgradePlan) -> QFrame:
        card = QFrame(self)
        set_role(card, role="card")
        lines = QVBoxLayout(card)
        lines.setContentsMargins(12, 8, 12, 8)
        lines.setSpacing(2)
        first, last = plan.entries[0], plan.entries[-1]
        heads = [(first, self.tr("First: entry {number} · {when}")), (last, self.tr("Last: entry {number} · {when}"))]
        for entry, head in heads[: len(plan.entries)]:
            if entry is not first:
                lines.addSpacing(6)
            words = head.format(number=number(entry.cursor), when=_when(entry))
            lines.addWidget(plain_label(self, "caption", words))
            lines.addWidget(_beginning(entry))
        return card


def _taken_over_words(plan: UpgradePlan) -> str:
    """Returns how many entries go where, under which numbers, and what becomes of the old log."""
    first, last = (number(plan.entries[place].cursor) for place in (0, -1))
    one = QCoreApplication.translate("UpgradePreview", "as number {first}")
    several = QCoreApplication.translate("UpgradePreview", "numbered {first} to {last}")
    numbered = (one if first == last else several).format(first=first, last=last)
    words = QCoreApplication.translate(
        "UpgradePreview",
        "%n entries of HISTORY.md go to memory/history.jsonl, {numbered}; HISTORY.md is kept as {kept}.",
        None,
        len(plan.entries),
    )
    return words.format(numbered=numbered, kept=plan.kept_as)


def _closed_choices(plan: UpgradePlan) -> dict[str, str]:
    """Returns the choices of the question that cannot be made now, each with the reason."""
    if not plan.waiting:
        return {}
    words = QCoreApplication.translate(
        "UpgradePreview",
        "%n entries of history.jsonl wait for Dream, which reads in order: the old ones cannot be left out before "
        "these are read. To leave them out, cancel, choose Run Dream now in the Memory menu, then come back.",
        None,
        plan.waiting,
    )
    return {"kept": words}


def _undated_words(count: int) -> str:
    return QCoreApplication.translate(
        "UpgradePreview", "%n entries have no date and get that of the file.", None, count
    )


def _beginning(entry: JournalEntry) -> QLabel:
    label = ElidedLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(shortened(plain_entry(entry.content), _BEGINNING))
    return label


def _when(entry: JournalEntry) -> str:
    try:
        return moment_words(datetime.fromisoformat(entry.timestamp))
    except ValueError:
        return entry.timestamp  # a day no calendar has
