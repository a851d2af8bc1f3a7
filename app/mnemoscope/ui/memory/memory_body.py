"""What the memory pane can show below its bars: the text, nothing yet, a review, a comparison."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from mnemoscope.domain.budget import estimate_tokens
from mnemoscope.ui.memory.change_strip import ChangeStrip
from mnemoscope.ui.memory.changes_view import ChangesView
from mnemoscope.ui.memory.conflict_desk import ConflictDesk
from mnemoscope.ui.memory.find_bar import FindBar
from mnemoscope.ui.memory.incoming_view import IncomingView
from mnemoscope.ui.memory.memory_split import SourceAndPreview
from mnemoscope.ui.memory.suggestion_view import Applied, SuggestionView
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.theme import set_role

_COUNT_MS: Final = 400
_COUNTED: Final = 300_000
"""Characters up to which tokens are estimated from the text itself."""


class MemoryBody(QStackedWidget):
    """The pages `text`, `empty`, `review`, `compare`, `conflicts`, `changes`. `write_pressed`: what `empty` offers."""

    write_pressed = Signal()

    def __init__(self, applied: Applied, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.split = SourceAndPreview(self)
        self.editor = self.split.editor
        self.find_bar = FindBar(self.editor, self)
        self.conflicts = ConflictDesk(self)
        self.changes = ChangesView(self)
        self.strip = ChangeStrip(self)
        self.figures = ElidedLabel(self)
        set_role(self.figures, role="caption")
        self.review = SuggestionView(applied, self)
        self.compare = IncomingView(self)
        self.empty = EmptyState("brain", "", self.tr("Write something yourself"), self._write, self)
        self._writing = False
        self._pages = {
            "text": self._text_page(),
            "empty": self.empty,
            "review": self.review,
            "compare": self.compare,
            "conflicts": self.conflicts,
            "changes": self.changes,
        }
        for page in self._pages.values():
            self.addWidget(page)
        self._count_timer = QTimer(self, singleShot=True, interval=_COUNT_MS)
        self._count_timer.timeout.connect(self.show_figures)
        self.editor.textChanged.connect(self._count_timer.start)

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
        page = self._pages[name]
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

    def _write(self) -> None:
        self._writing = True
        self.write_pressed.emit()
        self.editor.setFocus()

    def _text_page(self) -> QWidget:
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.find_bar)
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
