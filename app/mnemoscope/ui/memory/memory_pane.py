"""The memory pane: MEMORY.md and the files beside it, each in a tab of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import EDITABLE_FILES
from mnemoscope.ui.memory import past_view
from mnemoscope.ui.memory.editor.editing_keys import EditingCommand
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.memory_body import MemoryBody
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.memory_sentences import file_name
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of, follow_in_tab_order
from mnemoscope.ui.widgets.fields import TabBar
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack
from mnemoscope.ui.widgets.pane import Pane
from mnemoscope.ui.widgets.theme import Theme, set_role

_LOW: Final = 340
"""Pixels of height in which the names of the files, a bar, and a page with its buttons have room."""


class MemoryPane(Pane):
    """Holds a document for each file; all but that of MEMORY.md are built when they are first shown."""

    manual_page: ClassVar = "memory"
    document_built = Signal(object)
    """This MemoryDocument was built: it knows nothing yet."""
    outline_requested = Signal()
    now_requested = Signal()
    """Something is wanted that only the present has."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Memory"))
        self._is_low = False
        self.tabs = FileTabs(EDITABLE_FILES, self)
        self.pages = QStackedWidget(self)
        self.documents: dict[str, MemoryDocument] = {}
        """Those that are built, by path."""
        self.shares: dict[bool, float] = {}
        """The share of a file's room that the person gave to the source, from 0 to 1: beside the preview (True) and
        above it (False)."""
        self.past = LazyWidget(self._build_past)
        """The files as they were at a moment, for when somebody looks back."""
        self._editing_keys: dict[str, Sequence[str]] = {}
        """The keys of the editors' commands that are not the usual ones, by the command's id."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.addWidget(self.tabs)
        head.addStretch(1)
        column.addLayout(head)
        column.addWidget(self.pages, 1)
        self.main = self._build(MEMORY_PATH)
        self.tabs.chosen.connect(self._select_file)
        self.pages.currentChanged.connect(lambda _page: self._make_room())
        if parent is not None:
            parent.installEventFilter(self)

    @property
    def current(self) -> MemoryDocument:
        """Returns the document in front."""
        document = self.pages.currentWidget()
        return document if isinstance(document, MemoryDocument) else self.main

    @property
    def in_past(self) -> bool:
        """Returns whether a moment that is past is shown."""
        return self.past.built is not None and self.pages.currentWidget() is self.past.built

    def show_past(self) -> past_view.PastView:
        """Shows the file in front as it was at a moment; nothing can be edited until `leave_past`."""
        path = self.current.path
        past = self.past.widget
        self.pages.setCurrentWidget(past)
        past.show_file(path)
        return past

    def leave_past(self) -> None:
        """Shows the files as they are."""
        if self.in_past:
            self.pages.setCurrentWidget(self.document(self.tabs.path))

    @property
    def editor(self) -> MemoryEditor:
        """Returns the editor in front."""
        return self.current.editor

    @property
    def body(self) -> MemoryBody:
        """Returns the pages of the document in front."""
        return self.current.body

    @property
    def bars(self) -> NoticeStack:
        """Returns the bars of the document in front."""
        return self.current.bars

    def divide(self, shares: Mapping[bool, float]) -> None:
        """Shares the room of each file out between source and preview, as SourceAndPreview says it."""
        self.shares = dict(shares)
        for document in self.documents.values():
            document.body.split.divide(shares)

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what was typed for conflicts of any file."""
        for document in self.documents.values():
            document.conflicts.take_out(forgotten)

    def _on_divided(self, document: MemoryDocument) -> None:
        self.shares = dict(document.body.split.shares)
        for other in self.documents.values():
            if other is not document:
                other.body.split.divide(self.shares)

    def document(self, path: str) -> MemoryDocument:
        """Returns the document of a file, built if it is not there yet."""
        if path not in self.documents:
            self.document_built.emit(self._build(path))
        return self.documents[path]

    def show_file(self, path: str) -> MemoryDocument:
        """Brings a file to the front."""
        if self.in_past:
            self.now_requested.emit()
        document = self.document(path)
        if document is not self.pages.currentWidget():
            self.pages.setCurrentWidget(document)
            self.tabs.choose(path)
        return document

    def is_dirty(self) -> bool:
        """Returns whether the file in front has words that are not saved."""
        return self.current.is_dirty()

    def save(self) -> None:
        """Saves the file in front."""
        if not self.in_past:
            self.current.save()

    def edit(self, command: EditingCommand) -> None:
        """Does to what is selected in the file in front what a command is for."""
        if not self.in_past:
            self.current.show_source()
            self.editor.keys.run(command)
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_editing_keys(self, command: str, keys: Sequence[str]) -> None:
        """Gives a command of the editors, by its id, these keys in all files."""
        self._editing_keys[command] = keys
        for document in self.documents.values():
            document.editor.keys.set_keys(command, keys)

    def go_to_misspelling(self) -> None:
        """Selects the next misspelled word of the file in front."""
        if not self.in_past:
            self.current.go_to_misspelling()

    def find(self, *, replace: bool = False) -> None:  # type: ignore[override]
        """Opens the find bar of the file in front."""
        if not self.in_past:
            self.current.find(replace=replace)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks how high that is which the pane is scrolled in: its own height goes by what is shown in it."""
        if watched is self.parent() and isinstance(event, QResizeEvent):
            self._is_low = event.size().height() < Theme.current().scaled(_LOW)
            self._make_room()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        """Leaves the room to a page about the file in front, where the pane is low."""
        for document in self.documents.values():
            document.set_low(self._is_low)
        self.tabs.setVisible(self.in_past or not self.current.is_left_to_a_page)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Gives the keyboard to the text in front."""
        super().focusInEvent(event)
        (self.past.widget.slider if self.in_past else self.current.editor).setFocus(event.reason())

    def _select_file(self, path: str) -> None:
        """Shows the file of the tab that was chosen: of now, or of the moment that is shown."""
        if self.in_past:
            self.past.widget.show_file(path)
        else:
            self.show_file(path)

    def _build_past(self) -> past_view.PastView:
        view = past_view.PastView(self.pages)
        self.pages.addWidget(view)
        follow_in_tab_order(view, self.tabs)
        return view

    def _build(self, path: str) -> MemoryDocument:
        document = self.documents[path] = MemoryDocument(path, self.pages)
        self.pages.addWidget(document)
        for command, keys in self._editing_keys.items():
            document.editor.keys.set_keys(command, keys)
        document.body.split.divide(self.shares)
        document.body.split.divided.connect(lambda: self._on_divided(document))
        document.outline_requested.connect(self.outline_requested)
        document.body.currentChanged.connect(lambda _page: self._make_room())
        document.editor.document().modificationChanged.connect(lambda dirty: self.tabs.mark(path, unsaved=dirty))
        if path != MEMORY_PATH and (controls := controls_of(self.main)):
            follow_in_tab_order(document, controls[-1])
        return document


class FileTabs(TabBar):
    """Shows a tab for each file, with marks for what is unsaved or waits.

    `chosen` carries the path of the tab a person turned to.
    """

    chosen = Signal(str)

    def __init__(self, paths: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paths = tuple(paths)
        self._unsaved: set[str] = set()
        self._waiting: dict[str, int] = {}
        set_role(self, role="files")
        self.setAccessibleName(self.tr("Memory files"))
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        for path in self._paths:
            self.addTab(file_name(path))
            self._show(path)
        self.currentChanged.connect(lambda place: self.chosen.emit(self._paths[place]))

    @property
    def path(self) -> str:
        """Returns the file that is chosen."""
        return self._paths[max(0, self.currentIndex())]

    def choose(self, path: str) -> None:
        """Selects a file."""
        self.setCurrentIndex(self._paths.index(path))

    def mark(self, path: str, *, unsaved: bool) -> None:
        """Shows whether a file has words that are not saved."""
        (self._unsaved.add if unsaved else self._unsaved.discard)(path)
        self._show(path)

    def show_waiting(self, waiting: Mapping[str, int]) -> None:
        """Shows how many suggestions wait in each file."""
        self._waiting = dict(waiting)
        for path in self._paths:
            self._show(path)

    def _show(self, path: str) -> None:
        place, name, waiting = self._paths.index(path), file_name(path), self._waiting.get(path, 0)
        dot = "● " if path in self._unsaved else ""
        self.setTabText(place, f"{dot}{name} ({waiting})" if waiting else f"{dot}{name}")
        said = [name]
        said += [self.tr("unsaved")] if path in self._unsaved else []
        said += [self.tr("%n proposals waiting for review", "", waiting)] if waiting else []
        self.setAccessibleTabName(place, ", ".join(said))
        self.setTabToolTip(place, "\n".join([path, *([meaning_of(Word.WAITING)] if waiting else [])]))
