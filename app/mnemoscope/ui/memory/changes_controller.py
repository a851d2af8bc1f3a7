"""Shows who changed a file and offers the ways back: the strip, outside changes, what a crash left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError, Unfinished
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryChange, MemoryOrigin, undone_changes
from mnemoscope.domain.memory.suggestion import undo_waits
from mnemoscope.memory.files.memory_writer import MemorySaved
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.memory_sentences import file_name
from mnemoscope.ui.memory.review import conflict_view
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.memory.versions.origin_words import change_words
from mnemoscope.ui.memory.versions.versions_controller import VersionsController
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar

UNFINISHED_BAR = "unfinished"
"""Says that a change was begun, and is finished by itself."""


class ChangesController(QObject):
    """Names the last change of one file and takes changes back; `versions` lists all of them."""

    listed = Signal(object, object)
    """All changes that are kept, oldest first, and what the file says, None if it cannot be read: each time they are
    read."""

    opened = Signal()
    """The person asked for something that this file shows: it is to come to the front."""

    def __init__(
        self, document: MemoryDocument, services: MemoryServices, undo_run: Callable[[str], Awaitable[bool]]
    ) -> None:
        """`undo_run` takes a run of Dream back by its id, having asked what becomes of its entries.

        It returns False where there is no such run.
        """
        super().__init__(document)
        self._document = document
        self._bench = services.bench
        self._tasks = services.tasks
        self._notices = services.notices
        self._status = services.status
        self._title_of = services.titles.title_of
        self._undo_run = undo_run
        self._path = document.path
        self._name = file_name(document.path)
        self._changes: list[MemoryChange] = []
        self._newest: MemoryChange | None = None
        self._undone = ""
        """The digest of the text that taking a change back made; its bar goes with the next one."""
        self._under_way: set[str] = set()
        """Changes that are being taken back: a second click means the first."""
        self._recovered: NoticeBar | None = None
        body = document.body
        body.strip.title_of = self._title_of
        body.conflicts.join(self._join_conflicts)
        body.strip.undo_pressed.connect(self.undo_last)
        body.strip.changes_pressed.connect(self.open)
        document.undo_beyond.connect(self.undo_further)
        document.conflicts.origin_of = self._origin_of
        self.versions = VersionsController(body.versions, body, document.bars, document.path, services)
        self.versions.undo_requested.connect(lambda change: self._spawn(self._undo(change)))
        self.versions.restored.connect(self._on_restored)
        services.titles.listed.connect(self._show_last)
        bridge = services.bridge
        if self._path == MEMORY_PATH:
            bridge.on(events.MemoryChanged, lambda event: self._spawn(self._follow(event)))
            bridge.on(events.MemoryRecovered, self._on_recovered)
        else:
            bridge.on(events.MemoryFileChanged, self._on_changed)

    def _join_conflicts(self, view: conflict_view.ConflictView) -> None:
        view.title_of = self._title_of

    async def show(self, *, missing: bool) -> None:
        """Names the last change; where the file is `missing` and was there before, offers to restore it."""
        await self._refresh()
        last = next((one for one in reversed(self._changes) if one.after), None)
        kept = last.after if last is not None else ""
        if self._changes and not self._changes[-1].after:
            kept = self._changes[-1].before
        self._document.note_gone(missing and bool(kept))
        if missing and kept and not self._bench.read_only:
            self._offer_last_version(kept)

    def open(self, chosen: str = "") -> None:
        """Lists the versions and looks at the one of this id or of the change of this id, or at the newest."""
        self.opened.emit()
        self._spawn(self._open(chosen))

    def undo_last(self) -> None:
        """Takes the newest change back, unless that is a forgetting."""
        if self._can_undo and self._newest is not None:
            self._spawn(self._undo(self._newest))

    def undo_further(self) -> None:
        """Takes back the newest change that stands, one more each time."""
        self._spawn(self._undo_further())

    def undo(self, change_id: str) -> None:
        """Takes one change back, by its id; a consolidation's is its transaction's."""
        if not self._bench.read_only:
            self._spawn(self._undo_by_id(change_id))

    def bring_back(self, change_id: str) -> None:
        """Makes a change again that was taken back."""
        if not self._bench.read_only:
            self._spawn(self._bring_back_by_id(change_id))

    def _offer_last_version(self, digest: str) -> None:
        """Offers the last version of a file that is gone, or to start empty; nothing is written before."""
        words = self.tr("{name} is missing. Its last version is kept; nothing is written until you decide.")
        actions: list[NoticeAction] = [
            (self.tr("Restore last version"), lambda: self._spawn(self._restore(digest))),
            (self.tr("Start empty"), self._start_empty),
        ]
        self._document.bars.put("missing", "warning", words.format(name=self._name), actions, closable=False)

    def _start_empty(self) -> None:
        self._document.bars.take("missing")
        self._document.note_gone(False)

    def _on_changed(self, event: events.MemoryFileChanged) -> None:
        if event.path == self._path:
            self._spawn(self._follow(event))

    def _on_restored(self) -> None:
        self._document.bars.take("missing")
        self._document.leave_page()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.spawn(work, "memory changes")

    async def _open(self, chosen: str) -> None:
        # A change of just now may not be listed yet, and another one would be looked at in its place.
        await self._refresh()
        self.versions.open(chosen)

    async def _refresh(self) -> None:
        try:
            self._changes, self._newest, text = await self._bench.disk.run(self._read)
        except MnemoscopeError as error:
            self._document.bars.put("changes", "warning", str(error))
            return
        self.listed.emit(self._changes, text)
        self._show_last()
        self._document.offer_undo_of_saved(self._standing is not None)
        self.versions.show_changes(self._changes)

    @property
    def _can_undo(self) -> bool:
        return self._newest is not None and not self._newest.is_forgetting and not self._bench.read_only

    @property
    def _standing(self) -> MemoryChange | None:
        """Returns the newest change that was neither taken back nor takes one back; None after a forgetting."""
        if not self._can_undo:
            return None
        undone = undone_changes(self._changes)
        passed = {*undone, *undone.values()}
        return next((each for each in reversed(self._changes) if each.id not in passed), None)

    def _read(self) -> tuple[list[MemoryChange], MemoryChange | None, str | None]:
        """Returns the changes, the newest one and what the file says, in one look at the disk. Raises StorageError."""
        editing, text = self._bench.memory.editing, None
        with suppress(MnemoscopeError):
            text = editing.read_text(self._path).text
        return editing.changes(self._path), editing.newest_change(self._path), text

    def _show_last(self) -> None:
        """Names the last change, with the title its conversation has now."""
        self._document.body.strip.show_change(self._newest, read_only=self._bench.read_only)

    async def _follow(self, event: events.MemoryChanged | events.MemoryFileChanged) -> None:
        await self._refresh()
        found = next((one for one in reversed(self._changes) if one.after == event.digest), None)
        self._document.bars.take("outside")
        if event.digest != self._undone:
            self._document.bars.take("undone")
        followed = not self._document.is_dirty() and event.text.strip()
        if event.origin == "outside" and followed and found is not None:
            self._notify_of_outside_change(found)

    def _notify_of_outside_change(self, change: MemoryChange) -> None:
        words = self.tr("{name} was changed outside: {change}. Shown here; what was there before is kept.")
        actions: list[NoticeAction] = [(self.tr("Diff"), lambda: self.open(change.id))]
        if not self._bench.read_only:
            actions += [
                (self.tr("Accept"), lambda: self._document.bars.take("outside")),
                (self.tr("Revert"), lambda: self._spawn(self._undo(change))),
            ]
        said = words.format(name=self._name, change=change_words(change, self._title_of))
        self._document.bars.put("outside", "info", said, actions, noted=True)

    def _on_recovered(self, event: events.MemoryRecovered) -> None:
        words = f"{event.sentence} " + self.tr("Nothing was lost or written twice.")
        actions: list[NoticeAction] = []
        if event.change_id:
            actions = [
                (self.tr("Diff"), lambda: self.open(event.change_id)),
                (self.tr("Undo"), lambda: self._spawn(self._undo_by_id(event.change_id))),
            ]
        # In the chat, which is always in sight.
        self._recovered = self._notices.notify("success", words, actions, stays=True, noted=True)

    async def _undo_further(self) -> None:
        await self._refresh()
        if (standing := self._standing) is not None:
            await self._undo(standing)

    async def _undo_by_id(self, change_id: str) -> None:
        await self._refresh()
        for change in self._changes:
            if change.id == change_id:
                self.opened.emit()
                await self._undo(change)
                if self._recovered is not None:
                    self._recovered.dismiss()
                    self._recovered = None
                return
        self.opened.emit()
        self._document.bars.put("changes", "info", self.tr("Nothing of this is left in memory, or it is too long ago."))

    async def _undo(self, change: MemoryChange) -> None:
        if change.id in self._under_way:
            return
        self._under_way.add(change.id)
        try:
            if not await self._take_run_back(change):
                await self._take_back(change)
        finally:
            self._under_way.discard(change.id)

    async def _take_run_back(self, change: MemoryChange) -> bool:
        """Takes a run of Dream back whole where it made the change: what it read is not to count as dreamed."""
        return change.origin.kind == "dream" and await self._undo_run(change.origin.detail)

    async def _take_back(self, change: MemoryChange) -> None:
        met = undo_waits(await self._bench.disk.run(self._bench.memory.ledger.suggestions), change.id)
        if not met:
            saved = await self._attempt(lambda: self._bench.memory.editing.undo_change(change.id, self._path))
            if saved is None:
                return
            met = bool(saved.conflicts)
        self._document.bars.take("outside")
        self._document.leave_page()
        await self._refresh()
        if met:
            words = self.tr("The same lines were changed later: a proposal waits for review")
            self._status.show_remark(words, meaning_of(Word.WAITING))
            return
        undone = next((one for one in reversed(self._changes) if _takes_back(one, change)), change)
        self._undone = undone.after
        words = self.tr("Taken back: {change}. Everything later stays.")
        back: list[NoticeAction] = [(self.tr("Bring back"), lambda: self._spawn(self._bring_back(undone.id)))]
        self._document.bars.put("undone", "info", words.format(change=change_words(change, self._title_of)), back)

    async def _bring_back_by_id(self, change_id: str) -> None:
        await self._refresh()
        undo = undone_changes(self._changes).get(change_id)
        if undo is not None:
            self.opened.emit()
            await self._bring_back(undo)

    async def _bring_back(self, undo: str) -> None:
        if await self._attempt(lambda: self._bench.memory.editing.undo_change(undo, self._path)):
            self._document.bars.take("undone")

    async def _restore(self, digest: str) -> None:
        if await self._attempt(lambda: self._bench.memory.editing.restore_version(digest, self._path)):
            self._on_restored()

    async def _attempt(self, work: Callable[[], Coroutine[Any, Any, MemorySaved]]) -> MemorySaved | None:
        """Runs the work and returns its result; None where it was refused, which a bar says."""
        try:
            saved = await work()
        except Unfinished as error:
            self._document.bars.put(UNFINISHED_BAR, "warning", str(error))
            return None
        except MnemoscopeError as error:
            self._document.bars.put("changes", "danger", str(error))
            return None
        self._document.bars.take("changes")
        return saved

    def _origin_of(self, kind: str) -> MemoryOrigin:
        found = (one.origin for one in reversed(self._changes) if one.origin.kind == kind)
        return next(found, MemoryOrigin(kind))


def _takes_back(one: MemoryChange, change: MemoryChange) -> bool:
    return change.id in one.origin.undone
