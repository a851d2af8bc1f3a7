"""How a memory file is shown: its toolbar, its bars, its pages and what is said of its state."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mnemoscope.domain.consolidation.planning import DEFAULT_MEMORY_WINDOW
from mnemoscope.ui.memory.editor.working_copy import WorkingCopy
from mnemoscope.ui.memory.memory_body import MemoryBody
from mnemoscope.ui.memory.memory_sentences import MemorySentences
from mnemoscope.ui.memory.memory_toolbar import MemoryToolbar
from mnemoscope.ui.memory.review.memory_review import MemoryReview
from mnemoscope.ui.widgets.notice_stack import NoticeStack
from mnemoscope.ui.widgets.theme import LINK_INSET, set_role

_ABOUT_THE_TEXT: Final = ("conflict", "incoming", "outside", "suggestion", "undone")
_WITHOUT_TOOLBAR: Final = ("empty", "versions", "captures")
_STAYING: Final = ("review", "compare", "conflicts", "versions", "captures")
"""Pages that are left only on purpose."""


class DocumentView(QWidget):
    """The looks of one file, `path` relative to the workspace; what becomes of its text is next door."""

    undo_beyond = Signal()
    """There is nothing left to undo in the editor: the last saved change is to be taken back."""

    def __init__(self, path: str, writers: WorkingCopy, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self.setMinimumWidth(280)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._writers = writers
        self._say = MemorySentences(self, path)
        self.setAccessibleName(self.tr("Memory file {name}").format(name=self._say.name))
        self._readable = True
        self._gone = False
        self.can_undo_beyond = False
        self.toolbar = MemoryToolbar(self._say.name, self)
        self.bars = NoticeStack(self.toolbar, self)
        self.body = MemoryBody(writers.applied_to_latest, self._say, self)
        self.editor = self.body.editor
        self.reviews = MemoryReview(self.body, self.bars, self._say, self)
        self._lay_out()
        self._join()
        self.set_memory_window(DEFAULT_MEMORY_WINDOW)

    def set_memory_window(self, messages: int) -> None:
        """After how many messages memory is written; said while there is none."""
        self._memory_window = messages
        self.note_gone(self._gone)

    def note_gone(self, gone: bool) -> None:
        """Whether what was in the file was taken away by another program, so that the empty page says so."""
        self._gone = gone
        self.body.say_nothing_yet(self._say.gone() if gone else self._say.empty(self._memory_window))

    def is_dirty(self) -> bool:
        """Whether there are words that are not in the file."""
        return self.editor.document().isModified()

    def find(self, *, replace: bool = False) -> None:  # type: ignore[override]
        """Open the find bar."""
        self._refresh_page(leave=True)
        if self.body.page == "text":
            self.show_source()
            self.body.find_bar.open(replace=replace)

    def show_blame(self, shown: bool) -> None:
        """Who wrote each line is shown from now on, or not: beside the source."""
        self.toolbar.blame_button.setChecked(shown)
        if shown:
            self.show_source()

    def show_source(self) -> None:
        """Have the source in sight, alone or beside the preview."""
        if self.body.split.view == "preview":
            self._choose_view("both")

    def let_undo_beyond(self, can: bool) -> None:
        """Whether there is a saved change to take back once the editor has nothing to undo."""
        self.can_undo_beyond = can
        self.toolbar.undo_button.setEnabled(can or self.editor.document().isUndoAvailable())

    def leave_page(self) -> None:
        """Back to the text."""
        self._refresh_page(leave=True)

    def undo(self) -> None:
        """Undo in the editor; where it has nothing left, the last saved change."""
        if self.editor.document().isUndoAvailable():
            self.editor.undo()
        elif self.can_undo_beyond and not self.is_dirty():
            self.undo_beyond.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The text has the keyboard. No focus proxy: Tab that meets one leaves out what stands before it."""
        super().focusInEvent(event)
        self.editor.setFocus(event.reason())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self.find()
        elif event.key() == Qt.Key.Key_H and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.find(replace=True)
        else:
            super().keyPressEvent(event)

    def _refresh_page(self, *, leave: bool = False) -> None:
        """Show the text, or that there is none; a review or comparison stays unless it is to be left."""
        if self.body.page in _STAYING and not leave:
            return
        self.body.show_text(or_empty=self._readable and not self.is_dirty())
        self.body.setVisible(self._readable)
        self.toolbar.setVisible(self.body.page not in _WITHOUT_TOOLBAR)
        self.reviews.show_bar()

    def _fold_bars(self) -> None:
        """A page that needs the room has it: what is about the text is said again beside the text."""
        self.toolbar.setVisible(self.body.page not in _WITHOUT_TOOLBAR)
        self.bars.fold(_ABOUT_THE_TEXT if self.body.page in ("versions", "captures", "conflicts") else ())

    def _show_state(self, words: str = "") -> None:
        if self._writers.sent is not None:
            words = self._say.saving()
        elif self.is_dirty():
            words = self.tr("Unsaved")
        elif self.editor.isReadOnly():
            words = self.tr("Read-only")
        self.toolbar.show_state(words, unsaved=self.is_dirty() and not self.editor.isReadOnly())
        self.toolbar.setEnabled(self._readable)

    def _choose_view(self, view: str) -> None:
        self.toolbar.set_view(view)
        self.body.split.set_view(view)

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
        self._choose_view("both")

    def _join(self) -> None:
        self.toolbar.undo_pressed.connect(self.undo)
        self.editor.undo_requested.connect(self.undo)
        self.toolbar.redo_pressed.connect(self.editor.redo)
        self.toolbar.find_pressed.connect(self.find)
        self.toolbar.replace_pressed.connect(lambda: self.find(replace=True))
        self.toolbar.view_chosen.connect(self._choose_view)
        self.editor.document().modificationChanged.connect(lambda _dirty: self._show_state())
        self.editor.undoAvailable.connect(lambda _can: self.let_undo_beyond(self.can_undo_beyond))
        self.editor.redoAvailable.connect(self.toolbar.redo_button.setEnabled)
        self.body.currentChanged.connect(lambda _page: self._fold_bars())
        self.body.page_left.connect(self.leave_page)
        self.reviews.left.connect(self.leave_page)
