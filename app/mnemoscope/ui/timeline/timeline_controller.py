"""The timeline and its pointer: kept true to the session, its consolidations and whoever moves the pointer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from mnemoscope.agent.commits.time_travel import PastPrompt
from mnemoscope.agent.prompt.sent_messages import MessagesBefore
from mnemoscope.agent.turn.conversation_writer import shown_count
from mnemoscope.agent.workspace.timeline_reader import TimelineFacts
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.commits import end_of_second
from mnemoscope.domain.conversation.branch import BranchChoice
from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.settings import DREAM
from mnemoscope.store.sessions.file_format.tail import Tail
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.timeline.timeline_pane import TimelinePane

_SETTLE_MS = 100


class TimelineController(QObject):
    """Shows rows, pointer, entries and running consolidations."""

    pointer_moved = Signal()

    def __init__(
        self,
        pane: TimelinePane,
        transcript: Transcript,
        bench: Workbench,
        bridge: Bridge,
        tasks: Tasks,
        current: CurrentConversation,
    ) -> None:
        super().__init__(pane)
        self._timeline = pane
        self._transcript = transcript
        self._bench = bench
        self._tasks = tasks
        self._current = current
        self._past = False
        """Whether a moment that is past is on show: what happens now waits."""
        self._moment = ""
        """The end of that moment, as records have their time."""
        self._fork: tuple[str, int] | None = None
        """The conversation on show that goes over to another branch, and how many messages both begin with."""
        self._refused = False
        """Whether the disk ended the last consolidation here."""
        self._follow = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._follow.timeout.connect(lambda: self._tasks.spawn(self._show_dream(), "timeline"))
        self._timeline.header.retry_requested.connect(self.consolidate)
        self._timeline.header.raw_requested.connect(self._archive_raw)
        self._timeline.header.stop_requested.connect(self._stop)
        self._timeline.header.filters.consolidate_requested.connect(self.consolidate)
        self._timeline.view.message_activated.connect(self._transcript.scroll_to_message)
        self._transcript.message_activated.connect(self._timeline.view.select_message)
        bridge.on(events.RecordAppended, self._on_appended)
        bridge.on(events.TurnEnded, self._on_ended)
        bridge.on(events.BranchChanged, self._on_branch_changed)
        bridge.on(events.MessagesReplaced, self._on_replaced)
        bridge.on(events.ConsolidationStarted, self._on_started)
        bridge.on(events.ConsolidationAskedAgain, self._on_asked_again)
        bridge.on(events.Consolidated, self._on_moved)
        bridge.on(events.PointerMoved, self._on_moved)
        bridge.on(events.ConsolidationFailed, self._on_failed)
        bridge.on(events.ConsolidationStopped, self._on_stopped)
        bridge.on(events.ConsolidationPutOff, self._on_put_off)
        bridge.on(events.SuggestionsChanged, lambda _event: self._tasks.spawn(self._show_suggestions(), "suggestions"))
        bridge.on(events.EntryCorrected, lambda _event: self._tasks.spawn(self._show_entries(), "timeline"))
        bridge.on(events.SettingsChanged, lambda _event: self._show_window())
        followed = (events.TurnEnded, events.Dreamed, events.DreamStateChanged, events.SettingsChanged)
        for kind in (*followed, events.DiscretionChanged):
            bridge.on(kind, lambda _event: self._follow.start())

    def show_tail(self, tail: Tail) -> None:
        """Shows the newest messages of a conversation whose others are not counted yet. One that goes over to another
        branch shows what it has in common with it already, which stays."""
        if self._fork is None or self._fork[0] != self._current.key:
            self._fork = None
            self._timeline.show_tail(tail.messages)

    def show_branches(self, branches: Mapping[int, BranchChoice]) -> None:
        """Tells at these messages that the conversation goes on in several ways."""
        self._timeline.model.show_branches(branches)

    async def show(self, session: Session) -> None:
        """Shows a conversation's rows and where its pointer stands."""
        self._past = False
        facts = await self._facts(session.key)
        fork, self._fork = self._fork, None
        self._timeline.model.show_dream(
            facts.reach, facts.context, consolidates=facts.consolidates, kind=facts.discretion
        )
        self._timeline.model.show_suggestions(facts.suggestions)
        self._timeline.show_timeline(
            session.messages,
            facts.pointer,
            facts.records,
            facts.selection,
            facts.window,
            total=shown_count(session),
            fork=fork[1] if fork is not None and fork[0] == session.key else None,
        )
        if facts.running is not None:
            part = facts.running.part
            self._timeline.consolidation_started(part.start, part.stop, facts.running.began)
            self._timeline.header.show_asked_again(facts.running.attempt, facts.running.reason)
        elif facts.tried_again_at:
            self._timeline.header.show_put_off(facts.tried_again_at)
        self._transcript.mark_consolidated_upto(facts.pointer)

    async def show_past(self, session: Session, past: PastPrompt, when: datetime, words: str) -> None:
        """Shows rows and pointer as they were at a moment (naive local time, told by `words`), until `show_now`."""
        self._past, self._fork = True, None
        self._moment = end_of_second(when)
        facts = await self._facts(session.key)
        if self._past and session.key == self._current.key:
            messages = MessagesBefore(session.messages, past.messages)
            records = self._until_moment(facts.records)
            selection = select_history(messages, past.pointer)
            self._timeline.model.show_dream(None, None)
            self._timeline.show_timeline(
                messages, past.pointer, records, selection, facts.window, closed=True, because=words
            )

    async def show_now(self) -> None:
        """Shows the present again."""
        self._past = False
        if (session := self._current.session) is not None:
            await self.show(session)

    def consolidate(self) -> None:
        """Consolidates now."""
        if self._current.key:
            self._tasks.spawn(self._bench.loop.consolidate_now(self._current.key), "consolidate")

    def _archive_raw(self) -> None:
        """Settles what waits as it is, without a model."""
        if self._current.key:
            self._tasks.spawn(self._bench.repairs.archive_raw(self._current.key), "archive raw")

    def _stop(self) -> None:
        """Ends the consolidation under way."""
        if self._current.key:
            self._tasks.spawn(self._bench.loop.stop_consolidation(self._current.key), "stop consolidating")

    def try_refused(self) -> None:
        """Tries the consolidation once more that a refusing disk ended."""
        if self._refused:
            self._refused = False
            self.consolidate()

    def show_message(self, index: int) -> None:
        """Brings one message into view in chat and timeline; what was marked there is no more."""
        self._timeline.model.mark(())
        self._transcript.scroll_to_message(index)
        self._timeline.view.select_message(index)

    def show_marked(self, indices: Sequence[int]) -> None:
        """Marks messages, given in ascending order, and brings the first of them into view."""
        self.show_message(indices[0])
        self._transcript.light_up(indices)
        self._timeline.model.mark(indices)

    def _on_appended(self, event: events.RecordAppended) -> None:
        session = self._current.session
        if self._current.is_of(event) and session is not None and not self._past:
            self._timeline.model.append(event.index, self._bench.timeline.selection(session))

    def _on_ended(self, event: events.TurnEnded) -> None:
        session = self._current.session
        if self._current.is_of(event) and session is not None and not self._past:
            # A call that nobody waits for any more is not sent.
            self._timeline.model.select(self._bench.timeline.selection(session))

    def _on_branch_changed(self, event: events.BranchChanged) -> None:
        if self._current.is_of(event) and not self._past:
            # Of two changes before either is shown, no more is in common than the earlier message.
            stop = self._fork[1] if self._fork is not None and self._fork[0] == event.session_key else event.stop
            self._fork = event.session_key, min(stop, event.stop)

    def _on_replaced(self, event: events.MessagesReplaced) -> None:
        session = self._current.session
        if self._current.is_of(event) and session is not None and not self._past:
            self._timeline.model.reread(self._bench.timeline.selection(session))

    def _on_started(self, event: events.ConsolidationStarted) -> None:
        if self._current.is_of(event) and not self._past:
            self._timeline.consolidation_started(event.start, event.stop)

    def _on_asked_again(self, event: events.ConsolidationAskedAgain) -> None:
        if self._current.is_of(event) and not self._past:
            self._timeline.header.show_asked_again(event.attempt, event.reason)

    def _on_moved(self, event: events.Consolidated | events.PointerMoved) -> None:
        self.pointer_moved.emit()
        if self._current.is_live(event) and not self._past:
            self._tasks.spawn(self._move_pointer(event.session_key), "pointer")

    async def _move_pointer(self, key: str) -> None:
        facts = await self._facts(key)
        if key == self._current.key:
            self._timeline.consolidation_finished()
            self._timeline.model.show_dream(
                facts.reach, facts.context, consolidates=facts.consolidates, kind=facts.discretion
            )
            self._timeline.model.show_suggestions(facts.suggestions)
            self._timeline.model.move_pointer(facts.pointer, facts.records, facts.selection)
            self._transcript.mark_consolidated_upto(facts.pointer)

    async def _show_entries(self) -> None:
        """Shows on the cards what the entries say now, also where a moment that is past is on show."""
        key, model = self._current.key, self._timeline.model
        if self._current.session is None:
            return
        facts = await self._facts(key)
        if key != self._current.key:
            return
        if self._past:
            model.move_pointer(model.pointer, self._until_moment(facts.records), model.selection)
        elif facts.running is None:
            # Where a consolidation runs, its end shows them.
            model.move_pointer(facts.pointer, facts.records, facts.selection)

    def _until_moment(self, records: Sequence[ConsolidationRecord]) -> list[ConsolidationRecord]:
        return [each for each in records if each.when <= self._moment]

    def _show_window(self) -> None:
        """Counts by the memory window that the settings name now. A closed conversation has none, which is 0."""
        model, window = self._timeline.model, self._bench.settings.memory_window
        if model.memory_window not in (0, window) and not self._past:
            model.set_memory_window(window)

    async def _show_dream(self) -> None:
        """Shows how full the context is and what Dream has read, as it is now."""
        key, model = self._current.key, self._timeline.model
        in_force = self._bench.settings.profile == DREAM
        is_other = model.consolidates != self._bench.loop.consolidation.consolidates
        is_other = is_other or model.kind is not self._bench.sessions.discretion_of(key)
        if self._past or self._current.session is None or not (in_force or model.links.reach or is_other):
            return
        facts = await self._facts(key)
        if key == self._current.key and not self._past:
            model.show_dream(facts.reach, facts.context, consolidates=facts.consolidates, kind=facts.discretion)

    async def _show_suggestions(self) -> None:
        """Shows on the cards which suggestions wait and what became of the others."""
        self._timeline.model.show_suggestions(await self._bench.timeline.suggestions())

    async def _facts(self, key: str) -> TimelineFacts:
        """The facts by the profile that is in force when they are there: it may be changed while they are read."""
        while True:
            profile = self._bench.settings.profile
            facts = await self._bench.timeline.facts(key)
            if profile == self._bench.settings.profile:
                return facts

    def _on_failed(self, event: events.ConsolidationFailed) -> None:
        if self._current.is_of(event) and not self._past:
            self._refused = self._bench.repairs.disk_refuses
            if self._refused:
                # One bar says it for the whole window.
                self._timeline.consolidation_finished()
            else:
                self._timeline.consolidation_failed(event.reason, event.tries, event.detail)

    def _on_put_off(self, event: events.ConsolidationPutOff) -> None:
        if self._current.is_of(event) and not self._past:
            self._timeline.header.show_put_off(event.at)

    def _on_stopped(self, event: events.ConsolidationStopped) -> None:
        if self._current.is_of(event) and not self._past:
            self._timeline.consolidation_finished()
