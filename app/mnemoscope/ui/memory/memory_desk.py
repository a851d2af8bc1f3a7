"""The memory pane and its files: saving, outside changes, suggestions, drafts."""

from __future__ import annotations

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from mnemoscope.agent.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import ApprovalMoved, FileShared, MnemoscopeError
from mnemoscope.ui.memory.changes_desk import ChangesDesk
from mnemoscope.ui.shell.bridge import Bridge
from mnemoscope.ui.shell.drafts import Drafts
from mnemoscope.ui.shell.main_window import MainWindow
from mnemoscope.ui.shell.outward import open_link
from mnemoscope.ui.widgets.tasks import Tasks

_DRAFT = "memory"
_SETTLE_MS = 150


class MemoryDesk(QObject):
    """Keeps the memory pane true to MEMORY.md, whoever writes it."""

    def __init__(self, window: MainWindow, bench: Workbench, bridge: Bridge, tasks: Tasks, drafts: Drafts) -> None:
        super().__init__(window)
        self._window, self._bench, self._tasks, self._drafts = window, bench, tasks, drafts
        self._pane = window.memory
        self._refused = False
        """Whether the disk refused the last save."""
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(lambda: self._tasks.spawn(self.rescan(), "rescan"))
        self._watcher.directoryChanged.connect(lambda _path: self._settle.start())
        self._watcher.fileChanged.connect(lambda _path: self._settle.start())
        self._pane.save_requested.connect(
            lambda text, version: self._tasks.spawn(self._save(text, version), "save memory")
        )
        self._pane.link_chosen.connect(open_link)
        self.changes = ChangesDesk(window, bench, bridge, tasks)
        self._pane.separate_requested.connect(lambda: self._tasks.spawn(self._separate(), "separate"))
        self._pane.conflict_settled.connect(
            lambda *chosen: self._tasks.spawn(self._settle_conflict(*chosen), "settle a conflict")
        )
        self._pane.draft_changed.connect(self._keep_draft)
        self._pane.editor.document().modificationChanged.connect(self._on_unsaved)
        drafts.kept.connect(self._on_draft)
        self._pane.reload_requested.connect(lambda: self._tasks.spawn(self.open(), "memory"))
        self._pane.draft_dropped.connect(lambda: self._drafts.forget(_DRAFT))
        self._pane.suggestion_settled.connect(
            lambda name, decision, text: self._tasks.spawn(self._settle_suggestion(name, decision, text), "settle")
        )
        bridge.on(events.MemoryChanged, self._on_changed)
        bridge.on(events.MemoryUnreadable, lambda event: self._pane.show_unreadable(event.sentence))
        bridge.on(events.SuggestionsChanged, lambda _event: self._tasks.spawn(self._show_suggestions(), "suggestions"))

    async def open(self) -> None:
        """Show MEMORY.md, what waits for review, and what was typed and not saved before."""
        self._pane.set_read_only(self._bench.read_only)
        try:
            current = await self._bench.read_memory()
        except MnemoscopeError as error:
            self._pane.show_unreadable(str(error))
        else:
            self._pane.show_memory(current.text, current.version)
            await self._restore_draft(current.text)
            await self.changes.show(missing=not current.exists)
        await self._show_suggestions()
        self.watch()

    def review(self, session_key: str, when: str) -> None:
        """Show the suggestion that a conversation's assistant made at that time or soon after."""
        self._window.inspector.show("memory")
        self._tasks.spawn(self._review(session_key, when), "review")

    async def _review(self, session_key: str, when: str) -> None:
        await self._show_suggestions()
        reviews = self._pane.reviews
        found = reviews.of_conversation(session_key, when)
        if found is None:
            self._pane.bars.put("settled", "info", self.tr("This was settled already: nothing of it waits any more."))
        else:
            reviews.open(found.id)

    async def rescan(self) -> None:
        """Look for changes that other programs made."""
        self.watch()
        await self._bench.rescan_files()

    async def _save(self, text: str, based_on: str) -> None:
        try:
            saved = await self._bench.save_memory_text(text, based_on)
        except FileShared as error:
            self._pane.ask_to_separate(error.sentence)
            return
        except MnemoscopeError as error:
            self._on_not_saved(error.sentence, error.next_step)
            return
        except BaseException:
            # The pane takes no second save until this one is answered.
            self._on_not_saved(self.tr("The memory was not saved."), "")
            raise
        self._drafts.forget(_DRAFT)
        self._pane.saved(saved.text, saved.version, saved.merged, saved.conflicts)
        self._on_unsaved(self._pane.is_dirty())

    def try_refused(self) -> None:
        """The disk takes what is written again: save what it refused."""
        self.flush_draft()
        if self._refused:
            self._refused = False
            self._pane.save()

    def _on_not_saved(self, sentence: str, next_step: str) -> None:
        # Where the disk refuses, one bar says it for the whole window.
        self._refused = self._bench.repairs.disk_refuses
        self._pane.save_failed(sentence, next_step, said=self._refused)
        self._window.status.hold(_DRAFT, self.tr("Memory not saved"), "danger")

    def _on_unsaved(self, unsaved: bool) -> None:
        if unsaved:
            self._window.status.hold(_DRAFT, self.tr("Unsaved memory"))
        else:
            self._window.status.let_go(_DRAFT)

    def _on_draft(self, kept: bool) -> None:
        if kept:
            self._window.status.let_go("draft")
        else:
            self._window.status.hold("draft", self.tr("Drafts are not kept: the disk refuses"), "danger")

    def unsaved(self) -> dict[str, dict[str, str]]:
        """What is typed and not saved, as a draft by its name."""
        unsaved = self._pane.unsaved()
        return {_DRAFT: {"text": unsaved[0], "based_on": unsaved[1]}} if unsaved else {}

    def flush_draft(self) -> None:
        """Keep what is typed and not saved, at once."""
        unsaved = self._pane.unsaved()
        if unsaved is not None:
            self._keep_draft(*unsaved)

    def close(self) -> None:
        """Watch the files no more."""
        self._watcher.blockSignals(True)
        self._settle.stop()

    async def _settle_suggestion(self, name: str, decision: str, text: str | None) -> None:
        try:
            saved = await self._bench.settle(name, decision, text)
        except ApprovalMoved as error:
            # The comparison is with the file as it is now.
            await self.rescan()
            await self._show_suggestions()
            self._pane.reviews.show_again(name, str(error))
        except MnemoscopeError as error:
            self._pane.save_failed(error.sentence, error.next_step)
        else:
            if decision == "accept" and saved.conflicts:
                await self._show_suggestions()
                self._pane.review()

    async def _settle_conflict(self, name: str, number: int, side: str, words: str) -> None:
        try:
            await self._bench.settle_conflict(name, number, side, words)
        except MnemoscopeError as error:
            self._pane.save_failed(error.sentence, error.next_step)
            await self._show_suggestions()

    async def _separate(self) -> None:
        try:
            await self._bench.separate_files()
        except MnemoscopeError as error:
            self._pane.save_failed(error.sentence, error.next_step)
            return
        self._pane.bars.take("shared")
        self._pane.save()

    def _on_changed(self, event: events.MemoryChanged) -> None:
        self._pane.memory_changed(event.text, event.version, event.origin)
        words = {
            "consolidation": self.tr("Memory updated by consolidation"),
            "agent": self.tr("Memory updated by the assistant"),
            "outside": self.tr("Memory changed by another program"),
            "editor": self.tr("Memory saved"),
        }
        self._window.status.show_memory(words.get(event.origin, ""))

    async def _show_suggestions(self) -> None:
        self._pane.show_suggestions(await self._bench.suggestions())

    def _keep_draft(self, text: str, based_on: str) -> None:
        self._drafts.save(_DRAFT, {"text": text, "based_on": based_on})

    async def _restore_draft(self, current: str) -> None:
        draft = await self._drafts.load(_DRAFT)
        if draft and draft.get("text") not in {None, current}:
            self._pane.restore_draft(str(draft["text"]), str(draft.get("based_on", "")))

    def watch(self) -> None:
        """Watch what is on show; a file that was replaced has to be watched anew."""
        wanted = self._bench.places_to_watch()
        known = {*self._watcher.files(), *self._watcher.directories()}
        fresh = [str(path) for path in wanted if path.exists() and str(path) not in known]
        if fresh:
            self._watcher.addPaths(fresh)
