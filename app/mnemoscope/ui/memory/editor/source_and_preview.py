"""Source and preview together: side by side where there is room, stacked where there is not, or one of them alone."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextBlock
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from mnemoscope.ui.memory.editor.linked_scroll import LinkedScroll
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.editor.preview import MemoryPreview
from mnemoscope.ui.widgets.card_splitter import CardSplitter
from mnemoscope.ui.widgets.theme import set_role

WIDE: Final = 640
LOW: Final = 216
"""Stacked below this height neither half would be of use: the source alone is shown."""
_LEAST: Final = 44
"""Pixels either half may shrink to."""
RENDER_MS: Final = 150
WHOLE: Final = 32_000
"""Characters up to which the whole text is rendered at once; of a longer one the part around what is looked at."""
PART: Final = 12_000


class SourceAndPreview(QWidget):
    """Holds the editor and the preview and keeps them in step. `rendered` when the preview caught up."""

    rendered = Signal()

    def __init__(self, parent: QWidget | None = None, name: str = "MEMORY.md") -> None:
        super().__init__(parent)
        self.editor = MemoryEditor(self, name)
        self.preview = MemoryPreview(self, name)
        self.view = "both"
        self._render_timer = QTimer(self, singleShot=True)
        self._render_timer.timeout.connect(self.render_now)
        self._splitter = CardSplitter(Qt.Orientation.Vertical, self)
        for half in (self.editor, self.preview):
            # Beside bars a few lines of each are enough: no other pane is pushed out for more.
            half.setMinimumHeight(_LEAST)
        self.source_card, self.preview_card = _card(self.editor, self), _card(self.preview, self)
        self._splitter.addWidget(self.source_card)
        self._splitter.addWidget(self.preview_card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._splitter)
        self.tie = LinkedScroll(self.editor, self.preview)
        self.editor.textChanged.connect(lambda: self._render_timer.start(RENDER_MS))
        self.editor.scrolled.connect(self._move_part)
        self.editor.laid_out.connect(self._move_part)
        self.preview.scrolled.connect(self._move_part)
        self.editor.caret_moved.connect(self._mark_caret)
        self.preview.line_chosen.connect(self.editor.go_to_line)

    def set_view(self, view: str) -> None:
        """Show `source`, `preview` or `both`."""
        self.view = view
        self._arrange()
        if self.preview_card.isVisible():
            self.render_now()

    def render_now(self) -> None:
        """Bring the preview up to date."""
        self._render_timer.stop()
        if self.preview_card.isHidden():
            return
        with self.tie.held():
            self.preview.show_text(*self._part())
        self._mark_caret(self.editor.caret_line())
        self.tie.follow_editor()
        self.rendered.emit()

    @property
    def is_partial(self) -> bool:
        """Returns whether the text is so long that only a part of it is rendered."""
        return self.editor.document().characterCount() > WHOLE

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.tie.follow_editor()

    def _arrange(self) -> None:
        wide = self.width() >= WIDE
        across = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        view = "source" if self.view == "both" and not wide and self.height() < LOW else self.view
        fresh = self._splitter.orientation() != across
        with self.tie.held():
            self._splitter.setOrientation(across)
            was_hidden = self.preview_card.isHidden()
            self.source_card.setVisible(view != "preview")
            self.preview_card.setVisible(view != "source")
            if fresh:
                self._splitter.setSizes([1_000, 1_000])
        if was_hidden and not self.preview_card.isHidden():
            self._render_timer.start(0)

    def _mark_caret(self, line: int) -> None:
        self.preview.mark_line(line if self.editor.hasFocus() else None)

    def _move_part(self) -> None:
        """Of a long text, render another part once the view comes near the edge of the present one."""
        if not self.is_partial or self._render_timer.isActive() or self.preview_card.isHidden():
            return
        first, stop = self.preview.shown_lines
        line = self._looked_at()
        near = max(10, (stop - first) // 6)
        last = self.editor.blockCount()
        if (first > 0 and line < first + near) or (stop < last and line > stop - near):
            self._render_timer.start(20)

    def _looked_at(self) -> int:
        if self.source_card.isHidden():
            bar = self.preview.verticalScrollBar()
            return int(self.preview.line_at(bar.value() + self.preview.viewport().height() / 2))
        return int(self.editor.line_at(self.editor.viewport().height() / 2))

    def _part(self) -> tuple[str, int]:
        """Returns what to render and the line it begins with."""
        if not self.is_partial:
            return self.editor.text(), 0
        centre = self.editor.document().findBlockByNumber(self._looked_at())
        first = self._begin_of_part(centre)
        lines: list[str] = []
        length, block = 0, first
        while block.isValid() and length < PART:
            lines.append(block.text()[:PART])
            length += block.length()
            block = block.next()
        return "\n".join(lines), first.blockNumber()

    def _begin_of_part(self, centre: QTextBlock) -> QTextBlock:
        """Returns a line about half a part above, after a blank one and outside any code fence where there is such."""
        block, length = centre, 0
        while block.previous().isValid() and length < PART // 2:
            block = block.previous()
            length += block.length()
        for candidate in _some_after(block, 200):
            if not candidate.previous().text().strip() and not self.editor.highlighter.is_fenced(candidate):
                return candidate
        return block


def _some_after(block: QTextBlock, count: int) -> list[QTextBlock]:
    found: list[QTextBlock] = []
    while block.isValid() and len(found) < count:
        found.append(block)
        block = block.next()
    return found


def _card(view: QWidget, parent: QWidget) -> QFrame:
    card = QFrame(parent)
    set_role(card, role="card")
    column = QVBoxLayout(card)
    # The rounded corners of the card are 8 px: what it holds keeps clear of them.
    column.setContentsMargins(2, 4, 2, 4)
    column.addWidget(view)
    return card
