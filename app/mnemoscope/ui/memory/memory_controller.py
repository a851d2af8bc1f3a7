"""The memory pane and its files: which are open, what is written to them, what waits for the person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain import events
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.memory.fact_outcomes import FactsOutcome, Outcome
from mnemoscope.domain.memory.facts import fact_key
from mnemoscope.domain.memory.file_registry import EDITABLE_FILES
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.ui.memory.changes_controller import ChangesController
from mnemoscope.ui.memory.document_controller import DocumentController, draft_name
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.memory_pane import MemoryPane
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.support.glossary import Word, meaning_of


class MemoryController(QObject):
    """Keeps the memory pane true to its files, whoever writes them."""

    blame_toggled = Signal(bool)
    """The authors of the lines are shown beside the text from now on (True), or no longer (False)."""
    past_requested = Signal(object, str)
    """Everything is to be shown as it was at this moment (naive local time), at the version of this id."""
    copy_requested = Signal(str)
    """This line is to be copied to another agent."""
    not_saved = Signal(str)
    """A memory file could not be saved, for the reason that this sentence says."""

    def __init__(self, pane: MemoryPane, services: MemoryServices, undo_run: Callable[[str], Awaitable[bool]]) -> None:
        """`undo_run` as ChangesController's."""
        super().__init__(pane)
        self._pane = pane
        self._services = services
        self._bench = services.bench
        self._tasks = services.tasks
        self._drafts = services.drafts
        self._status = services.status
        self._navigation = services.navigation
        self._undo_run = undo_run
        self._suggestions: list[Suggestion] = []
        self._blame = False
        self._before_lines: tuple[bool, str] | None = None
        """While lines alone are in sight: whether their authors were before, and which view was."""
        self._session_key = ""
        self.controllers: dict[str, DocumentController] = {}
        """The controllers of the documents that are built, by the path of the file."""
        self._control(pane.main)
        pane.document_built.connect(self._on_built)
        services.drafts.kept.connect(self._on_draft)
        bridge = services.bridge
        for past in (events.NoticePast, events.DiskTakes):
            bridge.on(past, lambda _event: services.drafts.try_refused())
        bridge.on(events.MemoryChanged, self._on_changed)
        bridge.on(events.MemoryFileChanged, self._on_file_changed)
        for kind in (events.SettingsChanged, events.TurnEnded):
            bridge.on(kind, lambda _event: self._count_all())
        bridge.on(events.MemoryUnreadable, lambda event: self._pane.main.show_unreadable(event.sentence))
        bridge.on(events.NoticePast, self._on_notice_past)
        bridge.on(events.SuggestionsChanged, lambda _event: self._tasks.spawn(self._show_suggestions(), "suggestions"))

    @property
    def changes(self) -> ChangesController:
        """Returns the versions of the file in front."""
        return self.controllers[self._pane.current.path].changes

    async def open(self) -> None:
        """Shows MEMORY.md, what waits for review, and which files have unsaved words of an earlier run."""
        await self.controllers[MEMORY_PATH].open()
        await self._show_suggestions()
        for path in EDITABLE_FILES:
            if path != MEMORY_PATH and await self._drafts.load(draft_name(path)) is not None:
                self._pane.tabs.mark(path, unsaved=True)

    def show_conversation(self, session_key: str) -> None:
        """Shows memory's share of a prompt for the conversation that was opened: what it keeps beside memory takes part
        of it."""
        self._session_key = session_key
        self._count_all()

    def show_file(self, path: str) -> DocumentController:
        """Brings a file to the front, and gives it the keyboard."""
        # In this order: the text that goes would take the keyboard along, to the button before the one that comes.
        self._pane.show_file(path)
        self._navigation.show_pane("memory")
        return self.controllers[path]

    def undo_consolidation(self, record: ConsolidationRecord) -> None:
        """Undoes the change of MEMORY.md that a consolidation made."""
        self.show_file(MEMORY_PATH).changes.undo(record.transaction_id)

    def redo_consolidation(self, record: ConsolidationRecord) -> None:
        """Makes the change of a consolidation again after it was undone."""
        self.show_file(MEMORY_PATH).changes.bring_back(record.transaction_id)

    def show_misspelling(self) -> None:
        """Selects the next misspelled word of the file in front."""
        self._navigation.show_pane("memory")
        self._pane.go_to_misspelling()

    def toggle_blame(self) -> None:
        """Shows who wrote each line, or no more."""
        self.show_blame(not self._blame)

    def show_blame(self, wanted: bool) -> None:
        """Has who wrote each line stand beside it, in all files, or not."""
        if wanted:
            self._navigation.show_pane("memory")
            self._pane.current.leave_page()
        self._set_blame(wanted)

    def _set_blame(self, wanted: bool) -> None:
        self._blame = wanted
        for controller in self.controllers.values():
            controller.blame.show(wanted)
            controller.document.show_blame(wanted)
        self.blame_toggled.emit(wanted)

    def show_lines(self, wanted: bool) -> None:
        """Has the source alone in sight, with who wrote each line beside it, or all as it was before."""
        documents = self._pane.documents.values()
        if wanted and self._before_lines is None:
            self._before_lines = (self._blame, self._pane.main.body.split.view)
            for document in documents:
                document.choose_view("source")
            self._set_blame(True)
        elif not wanted and self._before_lines is not None:
            (blamed, view), self._before_lines = self._before_lines, None
            for document in documents:
                document.choose_view(view)
            self._set_blame(blamed)

    def blame_line(self) -> None:
        """Shows who wrote the line the caret is in."""
        self._navigation.show_pane("memory")
        self._pane.current.leave_page()
        self._pane.current.show_source()
        self.controllers[self._pane.current.path].blame.show_author(self._pane.editor.caret_line())

    def copy_line(self) -> None:
        """Offers to copy the line the caret is in to another agent."""
        self._navigation.show_pane("memory")
        self._pane.current.leave_page()
        self._pane.current.show_source()
        self.copy_requested.emit(self._pane.editor.textCursor().block().text())

    def show_line(self, line: str, path: str = MEMORY_PATH) -> bool:
        """Shows a line of a memory file; False where it is not there in these words."""
        return self._show_row(line, path, lambda row: None)

    def show_line_source(self, line: str, path: str = MEMORY_PATH) -> bool:
        """Shows the messages that a line came from, or who wrote it; False where it is not there in these words."""
        return self._show_row(line, path, lambda row: self.controllers[path].blame.show_messages(row))

    def _show_row(self, line: str, path: str, then: Callable[[int], object]) -> bool:
        if path not in self._pane.documents:
            # Its text is read first.
            self.show_file(path)
            self._tasks.spawn(self._show_row_once_read(line, path, then), "show a line")
            return True
        row = self._row_of(line, path)
        if row >= 0:
            self._mark_rows([row], path)
            then(row)
        return row >= 0

    async def _show_row_once_read(self, line: str, path: str, then: Callable[[int], object]) -> None:
        await self.controllers[path].open()
        if not self._show_row(line, path, then):
            self._status.show_remark(self.tr("This line is not in memory any more in these words."))

    def _row_of(self, line: str, path: str) -> int:
        """Returns the number of a line, -1 where it is not there. A passage that was found begins and ends with words;
        in the file it may be indented."""
        rows = self._pane.document(path).editor.text().split("\n")
        if line in rows:
            return rows.index(line)
        return next((row for row, words in enumerate(rows) if words.strip() == line.strip()), -1)

    def show_facts(self, record: ConsolidationRecord) -> None:
        """Marks the lines of MEMORY.md that say what a consolidation added; where none says it any more, shows the
        change."""
        wanted = {fact_key(fact) for fact in record.facts_added} - {""}
        said = [fact_key(line) for line in self._pane.main.editor.text().split("\n")]
        rows = [row for row, key in enumerate(said) if key and key in wanted]
        if rows:
            self._mark_rows(rows)
        else:
            self.show_file(MEMORY_PATH).changes.open(record.transaction_id)
        if missing := len(wanted.difference(said)):
            words = self.tr("%n facts of this entry are not in memory in these words any more.", "", missing)
            self._pane.bars.put("settled", "info", words)
        else:
            self._pane.bars.take("settled")

    def _mark_rows(self, rows: list[int], path: str = MEMORY_PATH) -> None:
        """Brings these lines of a memory file into sight and has them stand out for a moment."""
        document = self._pane.document(path)
        self.show_file(path)
        document.leave_page()
        document.show_source()
        document.editor.go_to_line(rows[0])
        document.editor.flash.show(rows)

    def review(self, session_key: str, when: str) -> None:
        """Shows the suggestion that a conversation's assistant made at that time or soon after."""
        self._navigation.show_pane("memory")
        self._tasks.spawn(self._review(session_key, when), "review")

    def review_any(self) -> None:
        """Shows what waits for the person, in the first file where something does."""
        waiting = [path for path in EDITABLE_FILES if any(one.path == path for one in self._suggestions)]
        if self._pane.current.path not in waiting and waiting and not self._pane.current.waiting:
            self.show_file(waiting[0])
        self._navigation.show_pane("memory")
        self._pane.current.review()

    def show_outcome(self, record: ConsolidationRecord, found: FactsOutcome | None) -> None:
        """Shows what became of a consolidation's facts: the review of what waits, else the change that settled it."""
        if found is None:
            return
        if found.outcome is Outcome.WAITING:
            self._tasks.spawn(self._review_one(record.transaction_id), "review")
        elif found.change_id:
            self.show_file(MEMORY_PATH).changes.open(found.change_id)
        elif found.outcome is Outcome.REJECTED:
            self.show_file(MEMORY_PATH)
            self._pane.bars.put("settled", "info", self.tr("Rejected: nothing of it went into memory."))
        elif found.outcome is Outcome.LEFT_OUT:
            self.show_file(MEMORY_PATH)
            words = self.tr("Nothing of it went into memory: you had deleted or rejected it before.")
            self._pane.bars.put("settled", "info", words)
        else:
            self.show_file(MEMORY_PATH).changes.open()
            words = self.tr("No change of its own is kept: it is too old, or memory said the same already.")
            self._pane.bars.put("settled", "info", words)

    async def _review_one(self, suggestion_id: str) -> None:
        await self._show_suggestions()
        self.show_file(MEMORY_PATH).document.reviews.open(suggestion_id)

    async def _review(self, session_key: str, when: str) -> None:
        await self._show_suggestions()
        for controller in self.controllers.values():
            found = controller.document.reviews.of_conversation(session_key, when)
            if found is not None:
                self._pane.show_file(controller.document.path)
                controller.document.reviews.open(found.id)
                return
        said = self.tr("This was decided already: nothing of it waits any more.")
        self._pane.bars.put("settled", "info", said)

    def _on_notice_past(self, event: events.NoticePast) -> None:
        for document in self._pane.documents.values():
            document.bars.take_with(event.sentence)
        self._pane.bars.take_with(event.sentence)

    def try_refused(self) -> None:
        """Saves again what the disk refused."""
        for controller in self.controllers.values():
            controller.try_refused()

    def unsaved(self) -> dict[str, dict[str, str]]:
        """Returns what is typed and not saved, as drafts by name."""
        return {name: draft for controller in self.controllers.values() for name, draft in controller.unsaved().items()}

    def flush_draft(self) -> None:
        """Keeps what is typed and not saved, at once."""
        for controller in self.controllers.values():
            controller.flush_draft()

    def _on_built(self, document: MemoryDocument) -> None:
        controller = self._control(document)
        document.show_suggestions([one for one in self._suggestions if one.path == document.path])
        if self._blame:
            controller.blame.show(True)
            document.show_blame(True)
        self._tasks.spawn(controller.open(), "memory file")

    def _control(self, document: MemoryDocument) -> DocumentController:
        controller = DocumentController(document, self._services, self._show_suggestions, self._undo_run)
        controller.not_saved.connect(self.not_saved)
        controller.copy_requested.connect(self.copy_requested)
        controller.changes.opened.connect(lambda: self.show_file(document.path))
        controller.changes.versions.travel_chosen.connect(lambda row: self.past_requested.emit(row.when, row.id))
        document.toolbar.blame_toggled.connect(self.show_blame)
        document.body.count_requested.connect(lambda text: self._tasks.spawn(self._count(document, text), "count"))
        self.controllers[document.path] = controller
        return controller

    def _count_all(self) -> None:
        for document in self._pane.documents.values():
            document.body.ask_count()

    async def _count(self, document: MemoryDocument, text: str) -> None:
        document.body.show_count(await self._bench.prompts.of_file(document.path, text, self._session_key))

    def _on_draft(self, kept: bool) -> None:
        if kept:
            self._status.release("draft")
        else:
            self._status.hold("draft", self.tr("Drafts are not kept"), "danger")

    def _on_changed(self, event: events.MemoryChanged) -> None:
        self._pane.main.memory_changed(event.text, event.digest, event.origin)
        words = {
            "consolidation": self.tr("Memory updated by consolidation"),
            "agent": self.tr("Memory updated by the assistant"),
            "capture": self.tr("Memory updated from what you said"),
            "outside": self.tr("Memory changed by another program"),
            "dream": self.tr("Memory updated by Dream"),
            "editor": self.tr("Memory saved"),
        }
        meanings = {"consolidation": Word.CONSOLIDATED, "capture": Word.REMEMBERED, "dream": Word.DREAM}
        meaning = meanings.get(event.origin)
        meaning_words = meaning_of(meaning) if meaning else self.tr("What was written to MEMORY.md last, and by whom.")
        self._status.show_memory(words.get(event.origin, ""), meaning_words)

    def _on_file_changed(self, event: events.MemoryFileChanged) -> None:
        document = self._pane.documents.get(event.path)
        if document is not None:
            document.memory_changed(event.text, event.digest, event.origin)

    async def _show_suggestions(self) -> None:
        self._suggestions = await self._bench.disk.run(self._bench.memory.ledger.undecided)
        items = await self._bench.disk.run(self._bench.memory.editing.waiting_items)
        self._pane.tabs.show_waiting(Counter(item.suggestion.path for item in items))
        for path, document in self._pane.documents.items():
            document.show_suggestions([one for one in self._suggestions if one.path == path])
        # A decision may let forgotten lines be sent again, or no more.
        self._count_all()
