"""One memory file as source and preview, with every other writer's change made visible.

The document knows neither disk nor models. It is told (`show_memory`, `memory_changed`, `saved`, …) and it asks
(signals).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.ui.memory.document_view import DocumentView
from mnemoscope.ui.memory.editor.draft_timer import DraftTimer
from mnemoscope.ui.memory.editor.working_copy import MergeTexts, Rebased, Version, WorkingCopy, three_way
from mnemoscope.ui.memory.review.memory_conflicts import MemoryConflicts, is_conflict
from mnemoscope.ui.memory.review.memory_incoming import MemoryIncoming

if TYPE_CHECKING:
    from mnemoscope.domain.merge.three_way import Conflict


class MemoryDocument(DocumentView):
    """Shows and edits one text that others write too; nothing typed is ever replaced without the person.

    Signals: `save_requested(text, based_on_version)`, answered by `saved` or `save_failed`;
    `draft_changed(text, based_on_version)` while there are unsaved words, `draft_dropped` when there are none any more;
    `suggestion_settled(id, "accept" | "edit" | "reject", text or None)`, the text being exactly what was shown;
    `conflict_settled(suggestion, number, side, words)` as ConflictView's `chosen`; `link_chosen(address)`.
    """

    save_requested = Signal(str, str)
    draft_changed = Signal(str, str)
    draft_dropped = Signal()
    reload_requested = Signal()
    suggestion_settled = Signal(str, str, object)
    conflict_settled = Signal(str, int, str, str)
    separate_requested = Signal()
    link_chosen = Signal(str)
    starter_requested = Signal()
    """The person begins the file: what it begins with is to be put in (`begin_with`)."""

    def __init__(
        self, path: str = MEMORY_PATH, parent: QWidget | None = None, *, merge: MergeTexts = three_way
    ) -> None:
        super().__init__(path, WorkingCopy(merge), parent)
        self.conflicts = MemoryConflicts(self.body, self.bars, self._say, self)
        self._incoming = MemoryIncoming(self._writers, self.body, self.bars, self._say, self)
        self._drafts = DraftTimer(self.unsaved, self)
        self._connect()

    # What the document is told

    def set_read_only(self, read_only: bool) -> None:
        """Look, do not touch: another window owns the workspace, or the disk refuses."""
        self.editor.setReadOnly(read_only)
        self.reviews.set_read_only(read_only)
        self.conflicts.set_read_only(read_only)
        self.body.set_read_only(read_only)
        self._show_state()

    def show_memory(self, text: str, version: str) -> None:
        """Begin with the file's text."""
        self._readable = True
        self.note_gone(False)
        for name in ("unreadable", "incoming", "failed", "kept"):
            self.bars.take(name)
        self._writers.load(text, version)
        self.reviews.stop_editing()
        self.editor.load(text)
        self.conflicts.clear_editor()
        self.body.split.render_now()
        self.body.show_figures()
        self._drafts.forget()
        self._refresh_page()
        self._show_state()

    def show_unreadable(self, sentence: str) -> None:
        """The file is there and cannot be read as text: say so and offer nothing to edit."""
        if self.is_dirty():
            self.bars.put("unreadable", "danger", sentence, closable=True)
            return
        self._readable = False
        self.editor.load("")
        again = [(self.tr("Try again"), self.reload_requested.emit)]
        self.bars.put("unreadable", "danger", sentence, again, closable=False)
        self._refresh_page()
        self._show_state()

    def memory_changed(self, text: str, version: str, origin: str) -> None:
        """The core announces a new text of the file. `origin` as in `MemoryChanged`."""
        if not self._readable:
            self.show_memory(text, version)
            return
        last = self.editor.text()
        if text.strip():
            self.note_gone(False)
        outcome = self._writers.announce(Version(text, version, origin), last, dirty=self.is_dirty())
        self.bars.take("emptied")
        if outcome == "take" and origin == "outside" and last.strip() and not text.strip():
            self._offer_last_text(last)
        if outcome == "take":
            self._show_rebased(Rebased(text, False))
            self._show_state(self._say.updated_by(origin))
        self._incoming.refresh()
        self._refresh_page()
        self.reviews.refresh()

    def _offer_last_text(self, last: str) -> None:
        def put_back() -> None:
            self.bars.take("emptied")
            self._show_rebased(Rebased(last, True), flash=False)
            self._refresh_page()
            self.save()

        def leave_it() -> None:
            self.bars.take("emptied")
            self.note_gone(False)

        self.note_gone(True)
        actions = [(self.tr("Put back the last text"), put_back), (self.tr("Leave it"), leave_it)]
        self.bars.put("emptied", "warning", self._say.emptied(), actions, closable=False)

    def saved(self, text: str, version: str, merged: bool, conflicts: Sequence[Conflict] = ()) -> None:
        """The disk has `text`; `merged` where it is more than what was sent."""
        self.note_gone(False)
        self.conflicts.note_theirs(text)
        rebased = self._writers.saved(text, version, self.editor.text())
        self._show_rebased(Rebased(rebased.text, rebased.unsaved, (*conflicts, *rebased.conflicts)), flash=merged)
        for name in ("failed", "incoming", "kept", "shared", "missing"):
            self.bars.take(name)
        self._show_state(self._say.saved(merged))
        self._drafts.announce()
        self.reviews.saved(text)
        self._refresh_page()

    def save_failed(self, sentence: str, next_step: str, *, said: bool = False) -> None:
        """Nothing was written; the words stay in the editor. `said`: the window says so elsewhere."""
        self._writers.save_failed()
        self.reviews.ask_again()
        self._show_state()
        if said:
            self.bars.take("failed")
            return
        retry = [(self.tr("Retry"), self.save)] if self.is_dirty() else []
        self.bars.put("failed", "danger", f"{sentence} {next_step}".strip(), retry)

    def ask_to_separate(self, sentence: str) -> None:
        """The file has other names: writing it under this one would leave them with the old text, so ask."""
        self._writers.save_failed()
        self._show_state()
        words = f"{sentence} " + self.tr("Nothing was written; your words are safe here.")
        actions = [
            (self.tr("Save as a file of its own"), self.separate_requested.emit),
            (self.tr("Not now"), lambda: self.bars.take("shared")),
        ]
        self.bars.put("shared", "warning", words, actions, closable=False)

    def restore_draft(self, text: str, based_on: str) -> None:
        """Unsaved words of an earlier run come back, as one undoable step over the file's text."""
        if text == self.editor.text() or not self._readable:
            return
        self._writers.resume(based_on)
        self._show_rebased(Rebased(text, True), flash=False)
        self._drafts.restored()
        self._incoming.refresh()
        self._refresh_page()

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """These memory texts wait for the person."""
        self.reviews.show_suggestions([one for one in suggestions if not is_conflict(one)])
        self.conflicts.show_suggestions(suggestions)

    def begin_with(self, text: str) -> None:
        """Put in what a file that is not there yet begins with; nothing is written before it is saved."""
        if not self.editor.text():
            self._settle(Rebased(text, True), flash=False)

    # What the person asks

    @property
    def waiting(self) -> bool:
        """Whether anything of this file waits for the person."""
        return bool(self.body.waiting or self.reviews.waiting)

    def unsaved(self) -> tuple[str, str] | None:
        """The unsaved text and the version it is based on, for a draft kept when the window closes."""
        return (self.editor.text(), self._writers.base.version) if self.is_dirty() else None

    def save(self) -> None:
        """Ask for the text to be written, if there is something to write."""
        if self.is_dirty() and self._readable and self._writers.sent is None and not self.editor.isReadOnly():
            self._show_state(self._say.saving())
            self.save_requested.emit(*self._writers.send(self.editor.text()))

    def review(self) -> None:
        """Show the conflicts or suggestions that wait."""
        if self.body.waiting:
            self.conflicts.open()
        else:
            self.reviews.open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Save):
            self.save()
        else:
            super().keyPressEvent(event)

    # Three writers

    def _show_rebased(self, rebased: Rebased, *, flash: bool = True) -> None:
        """Give the editor a text that someone else had a part in, as one undoable step."""
        self.editor.replace_text(rebased.text, flash=flash)
        document = self.editor.document()
        document.setModified(rebased.unsaved)
        if self.editor.isReadOnly():
            document.clearUndoRedoStacks()
        if rebased.conflicts:
            self.conflicts.add(rebased.conflicts, self._writers.base.origin)
            self.body.show_page("text")

    def _compare(self) -> None:
        """What is unsaved is what the file has not: undoing may lead back to its text, or to an older one."""
        if self._writers.incoming is None and self._writers.sent is None and self._readable:
            self.editor.document().setModified(not self.editor.holds(self._writers.base.text))

    def _settle(self, rebased: Rebased, flash: bool = True) -> None:
        """Show what a decision made of the text, and go on writing."""
        self._show_rebased(rebased, flash=flash)
        self._incoming.refresh()
        self._refresh_page(leave=True)
        self._show_state()
        self._drafts.note_edit()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        if flash:
            self.editor.fresh.reveal()

    def _edit_suggestion(self, text: str) -> None:
        """Open a suggestion in the editor, merged with what is unsaved there."""
        merged = self._writers.merge(self._writers.latest.text, self.editor.text(), text)
        self.conflicts.note_theirs(text)
        self._settle(Rebased(merged.text, True, merged.conflicts))

    def _begin(self) -> None:
        """Writing begins where there was nothing."""
        self._refresh_page()
        if self._say.has_starter:
            self.starter_requested.emit()

    def _connect(self) -> None:
        self.toolbar.save_pressed.connect(self.save)
        self.editor.textChanged.connect(self._compare)
        self.editor.textChanged.connect(self._drafts.note_edit)
        self._drafts.changed.connect(self.draft_changed)
        self._drafts.dropped.connect(self.draft_dropped)
        self.body.split.preview.link_chosen.connect(self.link_chosen)
        self.body.write_pressed.connect(self._begin)
        self._incoming.rebased.connect(self._settle)
        self._incoming.left.connect(self.leave_page)
        self._incoming.merging.connect(self.conflicts.note_theirs)
        self.conflicts.settled.connect(self.conflict_settled)
        self.conflicts.left.connect(self.leave_page)
        self.reviews.settled.connect(self.suggestion_settled)
        self.reviews.edit_chosen.connect(self._edit_suggestion)
