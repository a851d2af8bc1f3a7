"""Joins what is captured to the window: the line under a message, the list of all of it, the ways back, the pause."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject

from mnemoscope.domain import events
from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.store.sessions.session import Session
from mnemoscope.ui.chat.message_actions import ListCapture, RedoCaptures, ShowCapture, UndoCaptures
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.memory.captures import captures_view
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.support.capture_reasons import known_words
from mnemoscope.ui.support.glossary import Word, meaning_of

log = logging.getLogger(__name__)


class CapturesController(QObject):
    """Keeps the transcript's lines and the list true to what is noted."""

    def __init__(self, pane: MemoryPane, transcript: Transcript, services: MemoryServices) -> None:
        super().__init__(pane)
        self._pane = pane
        self._transcript = transcript
        self._bench = services.bench
        self._tasks = services.tasks
        self._notices = services.notices
        self._status = services.status
        self._navigation = services.navigation
        self._session: Session | None = None
        self._under_way: set[str] = set()
        """Records that are being taken back or kept: a second click means the first."""
        self._uncompared: set[str] = set()
        """Lines that were captured and not compared with the rest of memory yet."""
        self._title_of = services.titles.title_of
        self._view = pane.main.body.captures
        self._view.join(self._join)
        transcript.message_actions.on(ShowCapture, self._on_chosen)
        transcript.message_actions.on(ListCapture, self._on_listed)
        transcript.message_actions.on(UndoCaptures, lambda action: self._spawn(self._change_all, action.index, KEPT))
        transcript.message_actions.on(RedoCaptures, lambda action: self._spawn(self._change_all, action.index, UNDONE))
        bridge = services.bridge
        bridge.on(events.Captured, self._on_captured)
        bridge.on(events.TurnEnded, lambda _event: self._compare_captured())
        bridge.on(events.MemoryChanged, lambda _event: self._on_memory_changed())
        if self._bench.read_only:
            # Whoever writes here captures, and tells nobody.
            bridge.on(events.RecordAppended, self._on_appended)

    def _join(self, view: captures_view.CapturesView) -> None:
        view.title_of = self._title_of
        view.set_read_only(self._bench.read_only)
        view.undo_chosen.connect(lambda one: self._spawn(self._undo, one))
        view.keep_chosen.connect(lambda one: self._spawn(self._keep, one))
        view.line_chosen.connect(self._show_line)
        view.message_chosen.connect(self._show_message)

    def show_conversation(self, session: Session | None) -> None:
        """Shows under the messages of the conversation that was opened what of them was kept."""
        self._session = session
        if session is not None:
            self._spawn(self._show_kept, session)

    def open_log(self, wanted: str = "") -> None:
        """Lists what was captured and what was not."""
        self._spawn(self._open_log, wanted)

    @property
    def _is_listed(self) -> bool:
        return self._pane.main.body.page == "captures"

    def _spawn(self, work: Callable[..., Awaitable[None]], *given: Any) -> None:
        self._tasks.spawn(self._report(work, *given), "captures")

    async def _report(self, work: Callable[..., Awaitable[None]], *given: Any) -> None:
        try:
            # Called only here: a task that is called off before its first step would never await what it was given.
            await work(*given)
        except MnemoscopeError as error:
            self._notices.notify("warning", str(error))

    async def _show_kept(self, session: Session) -> None:
        kept = await self._bench.memory.captures.of_conversation(session.key, session.branch)
        gone = await self._bench.memory.captures.gone([each for records in kept.values() for each in records])
        if session is self._session:
            self._transcript.show_kept(kept, gone=gone)

    async def _open_log(self, wanted: str) -> None:
        self._navigation.show_pane("memory")
        document = self._pane.show_file(self._pane.main.path)
        await self._list(wanted)
        document.body.show_page("captures")
        self._view.widget.list.setFocus()

    def _on_captured(self, event: events.Captured) -> None:
        session = self._session
        if session is not None and event.session_key == session.key:
            self._spawn(self._show_kept, session)
        if self._is_listed:
            self._spawn(self._list)
        self._uncompared |= {each.memory_line for each in event.captures if each.outcome == KEPT and each.wrote_memory}

    def _compare_captured(self) -> None:
        """Has what was captured compared once the answer is there: the request waits for no comparison."""
        lines, self._uncompared = self._uncompared, set()
        if lines and self._bench.settings.weekly_check and not self._bench.read_only:
            self._tasks.spawn(self._compare(lines), "facts that disagree")

    async def _compare(self, lines: Collection[str]) -> None:
        """Has what was captured wait for review where it disagrees with a line that stands still."""
        try:
            await self._bench.memory.editing.propose_disagreements_of(lines)
        except MnemoscopeError as error:
            # What was captured stands all the same, and the weekly check compares it again.
            log.warning("what was captured was not compared with the rest of memory: %s", error)

    def _on_memory_changed(self) -> None:
        if self._session is not None and self._transcript.transcript.kept:
            self._spawn(self._show_kept, self._session)
        if self._is_listed:
            self._spawn(self._list)

    def _on_appended(self, event: events.RecordAppended) -> None:
        session = self._session
        if session is not None and event.session_key == session.key:
            self._spawn(self._show_kept, session)

    async def _list(self, wanted: str = "") -> None:
        captures = self._bench.memory.captures
        records = await captures.log()
        self._view.widget.show_records(records, wanted, gone=await captures.gone(records))

    def _on_chosen(self, action: ShowCapture) -> None:
        records = self._transcript.transcript.kept.get(action.index, ())
        if action.place < len(records):
            self._show_line(records[action.place])

    def _on_listed(self, action: ListCapture) -> None:
        records = self._transcript.transcript.kept.get(action.index, ())
        self.open_log(records[action.place].id if action.place < len(records) else "")

    def _show_line(self, record: CaptureRecord) -> None:
        """Shows its line in memory; where there is none in these words, what is noted of it."""
        line = record.twin if record.is_known else record.memory_line
        if not (line and self._navigation.show_line(MEMORY_PATH, line)):
            self.open_log(record.id)

    def _show_message(self, record: CaptureRecord) -> None:
        self._navigation.show_message(record.session_key, record.index, record.session_created_at)

    async def _change_all(self, index: int, outcome: str) -> None:
        """Takes back all that was kept of a message, or keeps it again."""
        records = self._transcript.transcript.kept.get(index, ())
        for record in reversed(records):
            if outcome == KEPT and record.may_be_undone:
                await self._undo(record)
            elif outcome == UNDONE == record.outcome and record.may_be_kept:
                await self._keep(record)

    async def _undo(self, record: CaptureRecord) -> None:
        if record.id not in self._under_way:
            with self._working_on(record):
                await self._take_back(record)

    async def _keep(self, record: CaptureRecord) -> None:
        if record.id not in self._under_way:
            with self._working_on(record):
                saved = (await self._bench.memory.captures.keep(record.id)).memory
                self._show_remark(self.tr("Remembered"), Word.REMEMBERED, saved)

    @contextmanager
    def _working_on(self, record: CaptureRecord) -> Iterator[None]:
        self._under_way.add(record.id)
        try:
            yield
        finally:
            self._under_way.discard(record.id)

    async def _take_back(self, record: CaptureRecord) -> None:
        outcome = await self._bench.memory.captures.undo(record.id)
        words = self.tr("Taken back; it will not be remembered again")
        if outcome.records and outcome.records[0].is_known:
            words = known_words(outcome.records[0])
        self._show_remark(words, Word.UNDONE, outcome.memory)

    def _show_remark(self, words: str, meant: Word, saved: MemorySaved | None) -> None:
        waits = saved is not None and bool(saved.conflicts)
        waiting = self.tr("You changed the same lines: a proposal waits for review")
        self._status.show_remark(waiting if waits else words, meaning_of(Word.WAITING if waits else meant))
