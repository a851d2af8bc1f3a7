"""What the memory pane can show below its bars: the text, nothing yet, a review, a comparison."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from mnemoscope.domain.budget import estimate_tokens
from mnemoscope.ui.memory.change_strip import ChangeStrip
from mnemoscope.ui.memory.changes_view import ChangesView
from mnemoscope.ui.memory.conflict_desk import ConflictDesk
from mnemoscope.ui.memory.memory_split import SourceAndPreview
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.late import follow_in_tab_order
from mnemoscope.ui.widgets.theme import set_role

if TYPE_CHECKING:
    from mnemoscope.ui.memory.find_bar import FindBar
    from mnemoscope.ui.memory.incoming_view import IncomingView
    from mnemoscope.ui.memory.suggestion_view import Applied, SuggestionView

PageT = TypeVar("PageT", bound=QWidget)
_COUNT_MS: Final = 400
_COUNTED: Final = 300_000
"""Characters up to which tokens are estimated from the text itself."""


class MemoryBody(QStackedWidget):
    """The pages `text`, `empty`, `conflicts`, `changes`, and `review` and `compare`, built when first turned to.

    `write_pressed`: what `empty` offers.
    """

    write_pressed = Signal()

    def __init__(self, applied: Applied, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.split = SourceAndPreview(self)
        self.editor = self.split.editor
        self.conflicts = ConflictDesk(self)
        self.changes = ChangesView(self)
        self.strip = ChangeStrip(self)
        self.figures = ElidedLabel(self)
        set_role(self.figures, role="caption")
        self.empty = EmptyState("brain", "", self.tr("Write something yourself"), self._write, self)
        self._applied = applied
        self._writing = False
        self._pages: dict[str, QWidget] = {}
        self._add_page("text", self._text_page())
        self._add_page("empty", self.empty)
        self._add_page("conflicts", self.conflicts)
        self._add_page("changes", self.changes)
        self._count_timer = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._count_timer.timeout.connect(self.show_figures)
        self.editor.textChanged.connect(self._count_timer.start)

    @cached_property
    def find_bar(self) -> FindBar:
        """The bar above the text that finds and replaces."""
        from mnemoscope.ui.memory.find_bar import FindBar

        bar = FindBar(self.editor, self)
        self._column.insertWidget(0, bar)
        follow_in_tab_order(bar, self.split.preview)
        return bar

    @cached_property
    def review(self) -> SuggestionView:
        """The page of what is held for review."""
        from mnemoscope.ui.memory.suggestion_view import SuggestionView

        return self._add_page("review", SuggestionView(self._applied, self))

    @cached_property
    def compare(self) -> IncomingView:
        """The page that compares with what arrived."""
        from mnemoscope.ui.memory.incoming_view import IncomingView

        return self._add_page("compare", IncomingView(self))

    @property
    def page(self) -> str:
        """The name of the page in sight."""
        return next(name for name, page in self._pages.items() if page is self.currentWidget())

    def show_text(self, *, or_empty: bool) -> None:
        """Turn to the text; to the empty page if there is none, it may be shown and writing was not begun."""
        nothing = self.editor.document().characterCount() <= 1
        self.show_page("empty" if nothing and or_empty and not self._writing else "text")

    def show_page(self, name: str) -> None:
        """Turn to a page; the keyboard goes with it if it was in the body."""
        page = self.review if name == "review" else self.compare if name == "compare" else self._pages[name]
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
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.split, 1)
        column.addWidget(self.strip)
        column.addWidget(self.figures)
        return page

    def show_figures(self) -> None:
        """Say what the text costs: it is part of every prompt."""
        size = self.editor.document().characterCount()
        tokens = estimate_tokens(self.editor.text()) if size <= _COUNTED else size // 4
        lines = self.editor.blockCount()
        many = self.tr("{lines} lines · about {tokens} tokens in every prompt")
        words = self.tr("1 line · about {tokens} tokens in every prompt") if lines == 1 else many
        if self.split.is_partial:
            words += " · " + self.tr("long text: the preview shows the part you are at")
        self.figures.setText(words.format(lines=f"{lines:,}", tokens=f"{tokens:,}"))
