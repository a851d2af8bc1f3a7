"""One memory file as source and preview, with every other writer's change made visible.

The document knows neither disk nor models. It is told (`show_memory`, `memory_changed`, `saved`, …) and it asks
(signals).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.domain.consolidation.planning import DEFAULT_MEMORY_WINDOW
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.three_way import merge_memory
from mnemoscope.domain.settings import TWO_LAYER
from mnemoscope.ui.memory.editor.working_copy import FileText, Rebased, WorkingCopy
from mnemoscope.ui.memory.memory_body import MemoryBody
from mnemoscope.ui.memory.memory_sentences import MemorySentences
from mnemoscope.ui.memory.review.conflicts import Conflicts, is_conflict
from mnemoscope.ui.memory.review.incoming import Incoming
from mnemoscope.ui.memory.review.suggestion_review import SuggestionReview
from mnemoscope.ui.memory.toolbar import MemoryToolbar
from mnemoscope.ui.support.drafts import DelayedSave
from mnemoscope.ui.support.spelling import spelling
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack
from mnemoscope.ui.widgets.pane import Pane
from mnemoscope.ui.widgets.theme import LINK_INSET

_DRAFT_MS: Final = 800
"""Unsaved words are announced as a draft within this time."""
_ABOUT_THE_TEXT: Final = ("conflict", "incoming", "outside", "suggestion", "undone")
_WITHOUT_TOOLBAR: Final = ("empty", "versions", "captures")
_LEAST_LINES: Final = 8
"""Lines of source that several bars leave in sight; they fold before they take more room."""
_STAYING: Final = ("review", "compare", "conflicts", "versions", "captures")
"""Pages that are left only on purpose."""


class MemoryDocument(Pane):
    """Shows and edits one text that others write too; nothing typed is ever replaced without the person.

    Signals: `save_requested(text, based_on)`, answered by `saved` or `save_failed`;
    `draft_changed(text, based_on)` while there are unsaved words, `draft_dropped` when there are none any more;
    `suggestion_settled(id, "accept" | "reject", text or None)`, the text being exactly what was shown; one that is
    edited is settled by the save (`reviews.edited`);
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

    outline_requested = Signal()
    """The headings of the text are to be listed."""
    undo_beyond = Signal()
    """There is nothing left to undo in the editor: the last saved change is to be taken back."""

    def __init__(self, path: str = MEMORY_PATH, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._copy = WorkingCopy()
        self._sentences = MemorySentences(self, path)
        self.setAccessibleName(self.tr("Memory file {name}").format(name=self._sentences.name))
        self._readable = True
        self._gone = False
        self._gives_way = False
        self._is_low = False
        self.can_undo_saved = False
        self.toolbar = MemoryToolbar(self._sentences.name, self)
        self.bars = NoticeStack(self.toolbar, self)
        self.body = MemoryBody(self._copy.applied_to_latest, self._sentences, self)
        self.editor = self.body.editor
        self.editor.knows_authors = True
        self.reviews = SuggestionReview(self.body.review, self.body, self.bars, self._sentences.name)
        self.conflicts = Conflicts(self.body.conflicts, self.editor, self.body, self.bars)
        self._incoming = Incoming(
            self._copy, self.body.compare, self.editor, self.body, self.bars, self._sentences.name
        )
        self._drafts = DraftTimer(self.unsaved, self)
        self.body.room_requested.connect(self._give_way)
        self._lay_out()
        self._connect()
        self.set_keeping(TWO_LAYER, DEFAULT_MEMORY_WINDOW)

    # What the document is told

    def set_read_only(self, read_only: bool) -> None:
        """Makes the document one to look at only: another window owns the workspace, or the disk refuses."""
        self.editor.setReadOnly(read_only)
        self.reviews.set_read_only(read_only)
        self.conflicts.set_read_only(read_only)
        self.body.set_read_only(read_only)
        self._show_state()

    def show_memory(self, text: str, digest: str) -> None:
        """Begins with the file's text."""
        self._readable = True
        self.note_gone(False)
        for name in ("unreadable", "incoming", "failed", "kept"):
            self.bars.take(name)
        self._copy.load(text, digest)
        self.reviews.stop_editing()
        self.editor.load(text)
        self.conflicts.clear_editor()
        self.body.split.render_now()
        self.body.ask_count()
        self._drafts.forget()
        self._refresh_page()
        self._show_state()

    def show_unreadable(self, sentence: str) -> None:
        """Says that the file is there and cannot be read as text, and offers nothing to edit."""
        if self.is_dirty():
            self.bars.put("unreadable", "danger", sentence, closable=True)
            return
        self._readable = False
        self.editor.load("")
        again = [(self.tr("Try again"), self.reload_requested.emit)]
        self.bars.put("unreadable", "danger", sentence, again, closable=False)
        self._refresh_page()
        self._show_state()

    def memory_changed(self, text: str, digest: str, origin: str) -> None:
        """Takes in a new text of the file that the core announces. `origin` is as in `MemoryChanged`."""
        if not self._readable:
            self.show_memory(text, digest)
            return
        self.bars.take("unreadable")
        last = self.editor.text()
        if text.strip():
            self.note_gone(False)
        outcome = self._copy.announce(FileText(text, digest, origin), last, dirty=self.is_dirty())
        self.bars.take("emptied")
        if outcome == "take" and origin == "outside" and last.strip() and not text.strip():
            self._offer_last_text(last)
        if outcome == "take":
            had_steps = self.editor.document().isUndoAvailable()
            self._show_rebased(Rebased(text, False))
            if origin == "restore" and not had_steps:
                # As a step of the editor it would be undone next, instead of the change before it.
                self.editor.document().clearUndoRedoStacks()
            self._show_state(self._sentences.updated_by(origin))
            split = self.body.split
            # Whoever just said something in the chat is there, wherever the mouse rests.
            is_elsewhere = origin == "capture" or not self.body.underMouse()
            if is_elsewhere and not (split.editor.hasFocus() or split.preview.hasFocus()):
                # Nobody writes or reads here at the moment: what is new comes into sight.
                split.reveal_changes()
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
        self.bars.put("emptied", "warning", self._sentences.emptied(), actions, closable=False)

    def saved(self, text: str, digest: str, merged: bool, settled: str = "") -> None:
        """Takes note that the disk has `text`; `merged` where it is more than what was sent. `settled` names the
        suggestion it was made from. A passage that both sides changed waits as a suggestion, which is shown as such."""
        self.note_gone(False)
        self.conflicts.note_theirs(text)
        # What nobody announced before was written by another program.
        theirs = self._copy.incoming.origin if self._copy.incoming is not None else "outside"
        rebased = self._copy.saved(text, digest, self.editor.text())
        self._show_rebased(rebased, flash=merged, theirs=theirs)
        for name in ("failed", "incoming", "kept", "shared", "missing"):
            self.bars.take(name)
        self._show_state(self._sentences.saved(merged))
        self._drafts.announce()
        self.reviews.saved(settled)
        self._refresh_page()

    def save_failed(self, sentence: str, next_step: str, *, is_shown: bool = False) -> None:
        """Takes note that nothing was written; the words stay in the editor. `is_shown`: the window says so."""
        self._copy.save_failed()
        self.reviews.ask_again()
        self._show_state()
        if is_shown:
            self.bars.take("failed")
            return
        retry = [(self.tr("Try again"), self.save)] if self.is_dirty() else []
        self.bars.put("failed", "danger", f"{sentence} {next_step}".strip(), retry)

    def ask_to_separate(self, sentence: str) -> None:
        """Asks what to do with a file that has other names: writing it under this one would leave them with the old
        text."""
        self._copy.save_failed()
        self._show_state()
        words = f"{sentence} " + self.tr("Nothing was written; your words are safe here.")
        actions = [
            (self.tr("Save as a file of its own"), self.separate_requested.emit),
            (self.tr("Not now"), lambda: self.bars.take("shared")),
        ]
        self.bars.put("shared", "warning", words, actions, closable=False)

    def restore_draft(self, text: str, based_on: str) -> None:
        """Brings unsaved words of an earlier run back, as one undoable step over the file's text."""
        if text == self.editor.text() or not self._readable:
            return
        self._copy.resume(based_on)
        self._show_rebased(Rebased(text, True), flash=False)
        self._drafts.restored()
        self._incoming.refresh()
        self._refresh_page()

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Shows that these memory texts wait for the person."""
        self.reviews.show_suggestions([one for one in suggestions if not is_conflict(one)])
        self.conflicts.show_suggestions(suggestions)

    def begin_with(self, text: str) -> None:
        """Puts in what a file that is not there yet begins with; nothing is written before it is saved."""
        if not self.editor.text():
            self._settle(Rebased(text, True), flash=False)

    def set_keeping(self, profile: str, messages: int) -> None:
        """Sets how memory is kept, and after how many messages it is consolidated; the pane says so while there is
        none."""
        self._profile, self._memory_window = profile, messages
        self.note_gone(self._gone)
        if self._copy.base.digest:
            self.body.ask_count()

    def note_gone(self, gone: bool) -> None:
        """Sets whether another program took away what was in the file; the empty page says so."""
        self._gone = gone
        words = self._sentences.empty(self._memory_window, self._profile)
        self.body.empty.sentence.setText(self._sentences.gone() if gone else words)

    # What the person asks

    @property
    def waiting(self) -> bool:
        """Returns whether anything of this file waits for the person."""
        return bool(self.conflicts.waiting or self.reviews.waiting)

    def unsaved(self) -> tuple[str, str] | None:
        """Returns the unsaved text and the digest of what it is based on, for a draft kept when the window closes."""
        return (self.editor.text(), self._copy.base.digest) if self.is_dirty() else None

    def save(self) -> None:
        """Asks for the text to be written, if there is something to write."""
        if self.is_dirty() and self._readable and self._copy.sent is None and not self.editor.isReadOnly():
            self._show_state(self._sentences.saving())
            self.save_requested.emit(*self._copy.send(self.editor.text()))

    @property
    def is_saving(self) -> bool:
        """Returns whether a save was asked for that is not answered yet."""
        return self._copy.sent is not None

    def review(self) -> None:
        """Shows the conflicts or suggestions that wait."""
        if self.conflicts.waiting:
            self.conflicts.open()
        else:
            self.reviews.open()

    def is_dirty(self) -> bool:
        """Returns whether there are words that are not in the file."""
        return self.editor.document().isModified()

    def find(self, *, replace: bool = False) -> None:  # type: ignore[override]
        """Opens the find bar."""
        self._refresh_page(leave=True)
        if self.body.page == "text":
            self.show_source()
            self.body.find_bar.widget.open(replace=replace)

    def show_blame(self, shown: bool) -> None:
        """Shows who wrote each line from now on, beside the source, or no longer shows it."""
        self.toolbar.blame_button.setChecked(shown)
        if shown:
            self.show_source()

    def show_source(self) -> None:
        """Brings the source into sight, alone or beside the preview."""
        if self.body.split.view == "preview":
            self.choose_view("both")

    def offer_undo_of_saved(self, can: bool) -> None:
        """Sets whether there is a saved change to take back once the editor has nothing to undo."""
        self.can_undo_saved = can
        self.toolbar.undo_button.setEnabled(can or self.editor.document().isUndoAvailable())

    def leave_page(self) -> None:
        """Goes back to the text."""
        self._refresh_page(leave=True)

    def undo(self) -> None:
        """Undoes in the editor; where it has nothing left, takes back the last saved change."""
        if self.editor.document().isUndoAvailable():
            self.editor.undo()
        elif self.can_undo_saved and not self.is_dirty():
            self.undo_beyond.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the text the keyboard. There is no focus proxy: Tab that meets one leaves out what stands before it."""
        super().focusInEvent(event)
        self.editor.setFocus(event.reason())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit_bars()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Save):
            self.save()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.find()
        elif not MEMORY_FILE_KEYS.press(self, event):
            super().keyPressEvent(event)

    # Three writers

    def _show_rebased(self, rebased: Rebased, *, flash: bool = True, theirs: str = "") -> None:
        """Gives the editor a text that someone else had a part in, as one undoable step. `theirs`: who wrote the other
        wordings, where it is not who wrote the text that the editor rests on."""
        self.editor.replace_text(rebased.text, flash=flash)
        document = self.editor.document()
        document.setModified(rebased.unsaved)
        if self.editor.isReadOnly():
            document.clearUndoRedoStacks()
        if rebased.conflicts:
            self.conflicts.add(rebased.conflicts, theirs or self._copy.base.origin)
            self.body.show_page("text")

    def _compare(self) -> None:
        """Marks the text unsaved where it is not the file's: undoing may lead back to that text, or to an older one."""
        if self._copy.incoming is None and self._copy.sent is None and self._readable:
            self.editor.document().setModified(not self.editor.holds(self._copy.base.text))

    def _settle(self, rebased: Rebased, flash: bool = True) -> None:
        """Shows what a decision made of the text, and goes on writing."""
        self._show_rebased(rebased, flash=flash)
        self._incoming.refresh()
        self._refresh_page(leave=True)
        self._show_state()
        self._drafts.note_edit()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        if flash:
            self.editor.flash.reveal()

    def _edit_suggestion(self, text: str) -> None:
        """Opens a suggestion in the editor, merged with what is unsaved there."""
        merged = merge_memory(self._copy.latest.text, self.editor.text(), text)
        self.conflicts.note_theirs(text)
        self._settle(Rebased(merged.text, True, merged.conflicts))

    def _begin(self) -> None:
        """Writing begins where there was nothing."""
        self._refresh_page()
        if self._sentences.has_starter:
            self.starter_requested.emit()

    # How it is shown

    def _refresh_page(self, *, leave: bool = False) -> None:
        """Shows the text, or that there is none; a review or comparison stays unless it is to be left."""
        if self.body.page in _STAYING and not leave:
            return
        self.body.show_text(or_empty=self._readable and not self.is_dirty())
        self.body.setVisible(self._readable)
        self._show_toolbar()
        self.reviews.show_bar()

    def _fold_bars(self) -> None:
        """Folds the bars while a page needs the room: what is about the text is said again beside the text."""
        self._show_toolbar()
        self.bars.fold(_ABOUT_THE_TEXT if self.body.page in ("versions", "captures", "conflicts") else ())
        self._fit_bars()

    def _fit_bars(self) -> None:
        """Makes several bars one line where they would leave too little of the text in sight."""
        room = self.height()
        if self.body.page == "text":
            # What bars and text have between them stays the same whether the bars are one line or not.
            least = _LEAST_LINES * self.editor.fontMetrics().lineSpacing()
            room = self.bars.height() + self.body.split.height() - least
        self.bars.fit(room)

    def _give_way(self, gives_way: bool) -> None:
        """Leaves the whole pane to the text that is looked through, where the pane is low."""
        self._gives_way = gives_way
        self.bars.give_way(gives_way)
        self._show_toolbar()

    def set_low(self, low: bool) -> None:
        """Sets whether there is room for little: then a page that stays has all of it."""
        self._is_low = low
        self.body.set_low(low)
        self._show_toolbar()

    @property
    def is_left_to_a_page(self) -> bool:
        """Returns whether a page about the text has all the room, in a low pane."""
        return self._is_low and self.body.page in _STAYING

    def _show_toolbar(self) -> None:
        has_room = not (self._gives_way or self.is_left_to_a_page)
        self.toolbar.setVisible(self.body.page not in _WITHOUT_TOOLBAR and has_room)

    def _show_state(self, words: str = "") -> None:
        if self._copy.sent is not None:
            words = self._sentences.saving()
        elif self.is_dirty():
            words = self.tr("Unsaved")
        elif self.editor.isReadOnly():
            words = self.tr("Read-only")
        self.toolbar.show_state(words, unsaved=self.is_dirty() and not self.editor.isReadOnly())
        self.toolbar.setEnabled(self._readable)

    def choose_view(self, view: str) -> None:
        """Shows `source`, `preview` or `both`."""
        self.toolbar.set_view(view)
        self.body.split.set_view(view)

    def go_to_misspelling(self) -> None:
        """Selects the next misspelled word of the source, or says that there is none."""
        self._refresh_page(leave=True)
        if self.body.page == "text":
            self.show_source()
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            self.editor.misspellings.go_to_next()

    def _on_sought(self, found: bool) -> None:
        if not found:
            is_looked_at = spelling().is_on and spelling().available and not self.editor.isReadOnly()
            words = self.tr("No misspelled word") if is_looked_at else self.tr("Spelling is not checked here")
            self.toolbar.show_state(words, unsaved=self.is_dirty() and not self.editor.isReadOnly())

    def go_to_heading(self, line: int) -> None:
        """Shows a line of the source, from 0, at the top of the editor, with the caret in it."""
        self._refresh_page(leave=True)
        self.show_source()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.editor.go_to_line(line)
        self.editor.show_line_at(line, 0)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        # A page has that much of the margin itself, so that a link at its edge has room for its focus ring.
        beside = 12 - LINK_INSET
        column.setContentsMargins(beside, 4, beside, 8)
        column.setSpacing(8)
        above = QVBoxLayout()
        above.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        above.setSpacing(8)
        above.addWidget(self.toolbar)
        above.addWidget(self.bars)
        column.addLayout(above)
        column.addWidget(self.body, 1)
        column.addStretch(0)
        self.choose_view("both")

    def _connect(self) -> None:
        for part in (self.bars, self.body.split):
            part.installEventFilter(self)
        self.toolbar.undo_pressed.connect(self.undo)
        self.editor.undo_requested.connect(self.undo)
        self.editor.find_requested.connect(lambda replaces: self.find(replace=replaces))
        self.editor.outline_requested.connect(self.outline_requested)
        self.editor.misspellings.sought.connect(self._on_sought)
        self.editor.misspellings.failed.connect(
            lambda sentence: self.bars.put("dictionary", "danger", sentence, closable=True)
        )
        self.toolbar.redo_pressed.connect(self.editor.redo)
        self.toolbar.find_pressed.connect(self.find)
        self.toolbar.replace_pressed.connect(lambda: self.find(replace=True))
        self.toolbar.view_chosen.connect(self.choose_view)
        self.editor.document().modificationChanged.connect(lambda _dirty: self._show_state())
        self.editor.undoAvailable.connect(lambda _can: self.offer_undo_of_saved(self.can_undo_saved))
        self.editor.redoAvailable.connect(self.toolbar.redo_button.setEnabled)
        self.body.currentChanged.connect(lambda _page: self._fold_bars())
        self.body.page_left.connect(self.leave_page)
        self.reviews.left.connect(self.leave_page)
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


class DraftTimer(QObject):
    """Announces unsaved words a moment after they are typed: `changed(text, based_on)` while there are any, `dropped`
    once there are none."""

    changed = Signal(str, str)
    dropped = Signal()

    def __init__(self, unsaved: Callable[[], tuple[str, str] | None], parent: QObject) -> None:
        super().__init__(parent)
        self._unsaved = unsaved
        self._kept = False
        self._delay = DelayedSave(self.announce, _DRAFT_MS, self)

    def note_edit(self) -> None:
        """Announces soon that something was typed, however long the typing goes on."""
        self._delay.soon()

    def restored(self) -> None:
        """Takes note that a draft of an earlier run is in the editor."""
        self._kept = True

    def forget(self) -> None:
        """Begins anew with drafts, because another text is shown."""
        self._delay.cancel()
        self._kept = False

    def announce(self) -> None:
        """Announces what is unsaved, or that nothing is any more: a draft left behind would come back over
        newer text."""
        self._delay.cancel()
        unsaved = self._unsaved()
        if unsaved is not None:
            self._kept = True
            self.changed.emit(*unsaved)
        elif self._kept:
            self._kept = False
            self.dropped.emit()


MEMORY_FILE_KEYS: Final[PartKeys[MemoryDocument]] = PartKeys(
    "Memory",
    PartKey("replace words in the file", {"Ctrl+H": lambda document: document.find(replace=True)}),
)
