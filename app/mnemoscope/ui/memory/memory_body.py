"""Shows one memory file below its bars: its text, that there is none, or one of the pages about it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.prompt.memory_budget import SentOfFile
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.facts import states_facts
from mnemoscope.ui.memory.captures import captures_view
from mnemoscope.ui.memory.editor import find_bar
from mnemoscope.ui.memory.editor.source_and_preview import SourceAndPreview
from mnemoscope.ui.memory.memory_sentences import MemorySentences
from mnemoscope.ui.memory.review import conflict_view, suggestion_view
from mnemoscope.ui.memory.review.incoming import IncomingView
from mnemoscope.ui.memory.versions import versions_view
from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key, change_words
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of, precede_in_tab_order
from mnemoscope.ui.widgets.elided_label import ClampedLabel, ElidedLabel
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.page_stack import PageStack
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.theme import LINK_INSET, Theme, set_role

_COUNT_MS: Final = 400
_LOW: Final = 280
"""Pixels of height in which find bar, text and what stands below it have room."""


class MemoryBody(PageStack):
    """Shows the pages `text`, `empty`, `conflicts`, `versions`, `captures`, `review` and `compare`."""

    write_pressed = Signal()
    """The person took what `empty` offers: to write."""
    page_left = Signal()
    """The person is done with a page that stays."""
    room_requested = Signal(bool)
    """The parts above the text are to give way (True), or may come back (False)."""
    count_requested = Signal(str)
    """It is to be counted how much of this text is sent; `show_count` takes the answer."""

    def __init__(
        self, applied: suggestion_view.RebaseText, sentences: MemorySentences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sentences = sentences
        self._writing = False
        self._read_only = False
        self._is_searching = False
        self._has_room = True
        """Whether what stands around the text has its room, which a find bar may take."""
        self._beside_bars = 0
        """The height of this less that of the whole pane, where bars and toolbar stand."""
        self._is_low = False
        self.split = SourceAndPreview(self, sentences.name)
        self.editor = self.split.editor
        self.find_bar = LazyWidget(self._build_find_bar)
        self.strip = ChangeStrip(sentences.name, self)
        self.figures = ElidedLabel(self)
        set_role(self.figures, role="caption")
        self.add_page("text", self._text_page(), self.editor)
        self.empty = self.add_page("empty", EmptyState("brain", "", sentences.begin(), self._write, self))
        self.conflicts = self.add_late_page("conflicts", lambda: conflict_view.ConflictView(self))
        self.versions = self.add_late_page("versions", lambda: versions_view.VersionsView(sentences.name, self))
        self.captures = self.add_late_page("captures", lambda: captures_view.CapturesView(self))
        self.review = self.add_late_page(
            "review", lambda: suggestion_view.SuggestionView(applied, sentences.name, self)
        )
        self.compare = self.add_late_page("compare", lambda: IncomingView(self))
        self.versions.join(self._join_versions)
        for page in (self.versions, self.review, self.conflicts):
            page.join(lambda view: view.set_low(self._is_low))
        self.captures.join(lambda view: view.closed.connect(self.page_left))
        self._count_timer = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._count_timer.timeout.connect(self.ask_count)
        self.editor.textChanged.connect(self._count_timer.start)

    def set_read_only(self, read_only: bool) -> None:
        """Offers nothing that writes."""
        self._read_only = read_only
        self.empty.button.setVisible(not read_only)
        if (view := self.versions.built) is not None:
            view.set_read_only(read_only)

    def set_low(self, low: bool) -> None:
        """Sets whether there is room for little: then the pages leave out what can be done without."""
        self._is_low = low
        for page in (self.versions, self.review, self.conflicts):
            if (view := page.built) is not None:
                view.set_low(low)

    def show_text(self, *, or_empty: bool) -> None:
        """Shows the text; the empty page if there is none, it may be shown and writing was not begun."""
        nothing = self.editor.document().characterCount() <= 1
        self.show_page("empty" if nothing and or_empty and not self._writing else "text")

    def ask_count(self) -> None:
        """Asks what the text costs, and how much of it is sent."""
        self.count_requested.emit(self.editor.text())

    def show_count(self, count: SentOfFile) -> None:
        """Says what the text costs, and marks from which line on nothing is sent."""
        words = self._sentences.figures(self.editor.blockCount(), count)
        text = self.editor.text()
        if not self._sentences.has_starter and text.strip() and not states_facts(text):
            # Headings alone: what matters is when something will stand below them.
            words = self.empty.sentence.text()
        if self.split.is_partial:
            words += " · " + self.tr("long text: the preview shows the part you are at")
        self.figures.setText(words)
        self.editor.numbers.mark_unsent(count.cut)
        self.editor.mark_forgotten(count.forgotten)

    def _join_versions(self, view: versions_view.VersionsView) -> None:
        view.closed.connect(self.page_left)
        view.set_read_only(self._read_only)

    def _write(self) -> None:
        self._writing = True
        self.write_pressed.emit()
        self.editor.setFocus()

    def _build_find_bar(self) -> find_bar.FindBar:
        bar = find_bar.FindBar(self.editor, self)
        bar.opening.connect(lambda: self._make_room(is_searching=True))
        bar.closed.connect(lambda: self._make_room(is_searching=False))
        self._text_column.insertWidget(0, bar)
        precede_in_tab_order(bar, controls_of(self.split)[0])
        return bar

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room(is_searching=self._is_searching)

    def _make_room(self, *, is_searching: bool) -> None:
        """Hides what stands around the text while the find bar takes its room in a low pane: what is found would be out
        of sight."""
        self._is_searching = is_searching
        self._has_room = not is_searching or self._height_with_bars() >= Theme.current().scaled(_LOW)
        has_room = self._has_room
        self.strip.give_room(has_room)
        self.figures.setVisible(has_room)
        self.room_requested.emit(not has_room)

    def _height_with_bars(self) -> int:
        """Returns how high this is, or would be if bars and toolbar above it had not given way.

        What they leave must not bring them back, or they would come and go without end.
        """
        host = self.parentWidget()
        outer = self.height() if host is None else host.height()
        if self._has_room:
            self._beside_bars = self.height() - outer
        return outer + self._beside_bars

    def _text_page(self) -> QWidget:
        page = QWidget(self)
        column = self._text_column = QVBoxLayout(page)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addWidget(self.split, 1)
        strip = LinkRow(left=False, right=True)
        strip.addWidget(self.strip)
        column.addLayout(strip)
        column.addWidget(self.figures)
        return page


class ChangeStrip(QWidget):
    """Names who changed the text last, in two quiet lines at most, with the way back; hidden without a change.

    A forgetting has its way back in its receipt."""

    undo_pressed = Signal()
    changes_pressed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_of: TitleOf = by_key
        self._has_change, self._has_room = False, True
        self.words = ClampedLabel(self, 2)
        set_role(self.words, role="caption")
        self.undo_button = self._link(self.tr("Undo"), self.tr("Undo the last saved change"))
        self.changes_button = self._link(self.tr("Versions"), self.tr("All versions of {name}").format(name=name))
        SinglePress(self).connect_button(self.undo_button, self.undo_pressed.emit)
        self.changes_button.clicked.connect(self.changes_pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.words, 1)
        row.addWidget(self.undo_button)
        row.addWidget(self.changes_button)
        self.hide()

    def show_change(self, change: MemoryChange | None, *, read_only: bool) -> None:
        """Names the last change."""
        if change is not None:
            self.words.setText(change_words(change, self.title_of))
        self.undo_button.setVisible(change is not None and not read_only and not change.is_forgetting)
        self._has_change = change is not None
        self.setVisible(self._has_change and self._has_room)

    def give_room(self, has_room: bool) -> None:
        """Says whether there is room for it; without, it is hidden."""
        self._has_room = has_room
        self.setVisible(self._has_change and has_room)

    def _link(self, words: str, name: str) -> QPushButton:
        button = QPushButton(words, self)
        set_role(button, kind="link")
        button.setToolTip(name)
        button.setAccessibleName(name)
        return button
