"""What the memory pane can show below its bars: the text, nothing yet, a review, a comparison."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.ui.memory.change_strip import ChangeStrip
from mnemoscope.ui.memory.editor.source_and_preview import SourceAndPreview
from mnemoscope.ui.memory.memory_sentences import MemorySentences
from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.tab_order import follow_in_tab_order
from mnemoscope.ui.widgets.theme import LINK_INSET, set_role

if TYPE_CHECKING:
    from mnemoscope.domain.memory.change import MemoryConflict
    from mnemoscope.ui.memory.captures.captures_view import CapturesView
    from mnemoscope.ui.memory.editor.find_bar import FindBar
    from mnemoscope.ui.memory.review.conflict_view import ConflictView
    from mnemoscope.ui.memory.review.incoming_view import IncomingView
    from mnemoscope.ui.memory.review.suggestion_view import Applied, SuggestionView
    from mnemoscope.ui.memory.versions.versions_view import VersionsView
    from mnemoscope.ui.widgets.empty_state import EmptyState

PageT = TypeVar("PageT", bound=QWidget)
_COUNT_MS: Final = 400
_COUNTED: Final = 300_000
"""Characters up to which tokens are estimated from the text itself."""


class MemoryBody(QStackedWidget):
    """The page `text`; `empty`, `conflicts`, `versions`, `captures`, `review`, `compare`, built when first turned to.

    `write_pressed`: what `empty` offers. `title_of` gives a conversation's name by its key.
    """

    write_pressed = Signal()
    conflicts_built = Signal(object)
    """The page of conflicts was built: it knows nothing yet."""
    versions_built = Signal(object)
    """The same of the page of versions."""
    page_left = Signal()
    """The person is done with a page that stays."""

    def __init__(self, applied: Applied, say: MemorySentences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._say = say
        self.split = SourceAndPreview(self, say.name)
        self.editor = self.split.editor
        self.strip = ChangeStrip(say.name, self)
        self.figures = ElidedLabel(self)
        set_role(self.figures, role="caption")
        self.title_of: TitleOf = by_key
        self._nothing = ""
        self._read_only = False
        self._applied = applied
        self._writing = False
        self._pages: dict[str, QWidget] = {}
        self._add_page("text", self._text_page())
        self._count_timer = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._count_timer.timeout.connect(self.show_figures)
        self.editor.textChanged.connect(self._count_timer.start)

    @cached_property
    def find_bar(self) -> FindBar:
        """The bar above the text that finds and replaces."""
        from mnemoscope.ui.memory.editor.find_bar import FindBar

        bar = FindBar(self.editor, self)
        self._column.insertWidget(0, bar)
        follow_in_tab_order(bar, self.split.preview)
        return bar

    @cached_property
    def empty(self) -> EmptyState:
        """The page that says how memory comes about."""
        from mnemoscope.ui.widgets.empty_state import EmptyState

        page = EmptyState("brain", self._nothing, self._say.begin(), self._write, self)
        page.button.setVisible(not self._read_only)
        return self._add_page("empty", page)

    @cached_property
    def conflicts(self) -> ConflictView:
        """The page on which conflicts are settled."""
        from mnemoscope.ui.memory.review.conflict_view import ConflictView

        page = self._add_page("conflicts", ConflictView(self))
        page.title_of = self.title_of
        self.conflicts_built.emit(page)
        return page

    @property
    def waiting(self) -> list[MemoryConflict]:
        """The conflicts that wait."""
        return self.conflicts.waiting if "conflicts" in vars(self) else []

    @cached_property
    def versions(self) -> VersionsView:
        """The page of all versions."""
        from mnemoscope.ui.memory.versions.versions_view import VersionsView

        page = self._add_page("versions", VersionsView(self._say.name, self))
        page.title_of = self.title_of
        page.set_read_only(self._read_only)
        page.closed.connect(self.page_left)
        self.versions_built.emit(page)
        return page

    @property
    def _built_versions(self) -> VersionsView | None:
        return self.versions if "versions" in vars(self) else None

    @cached_property
    def captures(self) -> CapturesView:
        """The page of what was captured and what was not."""
        from mnemoscope.ui.memory.captures.captures_view import CapturesView

        page = self._add_page("captures", CapturesView(self))
        page.closed.connect(self.page_left)
        return page

    @cached_property
    def review(self) -> SuggestionView:
        """The page of what is held for review."""
        from mnemoscope.ui.memory.review.suggestion_view import SuggestionView

        return self._add_page("review", SuggestionView(self._applied, self._say.name, self))

    @cached_property
    def compare(self) -> IncomingView:
        """The page that compares with what arrived."""
        from mnemoscope.ui.memory.review.incoming_view import IncomingView

        return self._add_page("compare", IncomingView(self))

    @property
    def page(self) -> str:
        """The name of the page in sight."""
        return next(name for name, page in self._pages.items() if page is self.currentWidget())

    def set_read_only(self, read_only: bool) -> None:
        """Offer nothing that writes."""
        self._read_only = read_only
        if "empty" in vars(self):
            self.empty.button.setVisible(not read_only)
        if self._built_versions is not None:
            self._built_versions.set_read_only(read_only)

    def say_nothing_yet(self, sentence: str) -> None:
        """What `empty` says."""
        self._nothing = sentence
        if "empty" in vars(self):
            self.empty.sentence.setText(sentence)

    def show_text(self, *, or_empty: bool) -> None:
        """Turn to the text; to the empty page if there is none, it may be shown and writing was not begun."""
        nothing = self.editor.document().characterCount() <= 1
        self.show_page("empty" if nothing and or_empty and not self._writing else "text")

    def show_page(self, name: str) -> None:
        """Turn to a page; the keyboard goes with it if it was in the body."""
        page: QWidget = self._pages.get(name) or getattr(self, name)
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        # A page out of sight asks for no room.
        for other in self._pages.values():
            policy = QSizePolicy.Policy.Preferred if other is page else QSizePolicy.Policy.Ignored
            other.setSizePolicy(policy, policy)
        self.setCurrentWidget(page)
        if had_focus:
            target = self.editor if name == "text" else page
            target.setFocus()

    def _add_page(self, name: str, page: PageT) -> PageT:
        self._pages[name] = page
        self.addWidget(page)
        if page is not self.currentWidget():
            page.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        follow_in_tab_order(page, self.split.preview)
        return page

    def _write(self) -> None:
        self._writing = True
        self.write_pressed.emit()
        self.editor.setFocus()

    def _text_page(self) -> QWidget:
        page = QWidget(self)
        column = self._column = QVBoxLayout(page)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addWidget(self.split, 1)
        strip = LinkRow(left=False, right=True)
        strip.addWidget(self.strip)
        column.addLayout(strip)
        column.addWidget(self.figures)
        return page

    def show_figures(self) -> None:
        """Say what the text costs: it is part of every prompt."""
        size = self.editor.document().characterCount()
        tokens = estimate_tokens(self.editor.text()) if size <= _COUNTED else size // 4
        lines = self.editor.blockCount()
        words = self._say.figures(lines)
        if self.split.is_partial:
            words += " · " + self.tr("long text: the preview shows the part you are at")
        self.figures.setText(words.format(lines=f"{lines:,}", tokens=f"{tokens:,}"))
