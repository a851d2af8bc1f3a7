"""Source and preview together: side by side where there is room, stacked where there is not, or one of them alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextBlock
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QVBoxLayout, QWidget

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.editor.preview import MemoryPreview
from mnemoscope.ui.widgets.accessibility.focus_ring import RING, RingedCard
from mnemoscope.ui.widgets.card_splitter import CardSplitter

_WIDE: Final = 640
_LOW: Final = 216
"""Stacked below this height neither half would be of use: the source alone is shown."""
_LEAST: Final = 36
"""Pixels either half may shrink to."""
_READABLE: Final = 6
"""Lines, with the frame around them, below which one cannot read in the preview."""
_WRITABLE: Final = 23
"""Lines that the source keeps before the preview has more than it needs to be read."""
_CARD_MARGIN: Final = 4
"""Pixels above and below what a card holds."""
_SHARE_UNITS: Final = 10_000
"""The sum of the two sizes that the splitter is given: it divides its room in the proportion of the sizes."""
_RENDER_MS: Final = 150
WHOLE: Final = 32_000
"""Characters up to which the whole text is rendered at once; of a longer one the part around what is looked at."""
PART: Final = 12_000
"""The most of a long text that is rendered at once."""
_LEAST_PART: Final = 4_000
"""The fewest characters of a long text that are rendered at once: a part, which each key renders anew, fills a screen
and a half, but is no shorter than this and no longer than `PART`."""


class SourceAndPreview(QWidget):
    """Holds the editor and the preview and keeps them in step. `rendered` when the preview caught up, `divided` when
    the person shared the room out between them.

    `pause`: milliseconds without a key after which it does so.
    """

    rendered = Signal()
    divided = Signal()

    def __init__(self, parent: QWidget | None = None, name: str = "MEMORY.md") -> None:
        super().__init__(parent)
        self.pause = _RENDER_MS
        self.editor = MemoryEditor(self, name)
        self.preview = MemoryPreview(self, name)
        self.view = "both"
        self.shares: dict[bool, float] = {}
        """The share of the room that the person gave to the source, from 0 to 1: beside the preview (True) and above it
        (False)."""
        self._render_timer = QTimer(self, singleShot=True)
        self._render_timer.timeout.connect(self.render_now)
        self._splitter = CardSplitter(Qt.Orientation.Vertical, self)
        for half in (self.editor, self.preview):
            # Beside bars a few lines of each are enough: no other pane is pushed out for more.
            half.setMinimumHeight(_LEAST)
        self.source_card, self.preview_card = ViewCard(self.editor, self), ViewCard(self.preview, self)
        self._splitter.addWidget(self.source_card)
        self._splitter.addWidget(self.preview_card)
        self._splitter.splitterMoved.connect(self._on_divided)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._splitter)
        self.tie = LinkedScroll(self.editor, self.preview)
        self.editor.textChanged.connect(lambda: self._render_timer.start(self.pause))
        self.editor.scrolled.connect(self._move_part)
        self.editor.laid_out.connect(self._move_part)
        self.preview.scrolled.connect(self._move_part)
        self.editor.caret_moved.connect(self._mark_caret)
        self.preview.line_chosen.connect(self.editor.go_to_line)
        self.preview.task_chosen.connect(self._tick)
        self.editor.flash.changed.connect(self._mark_changed)

    def set_view(self, view: str) -> None:
        """Shows `source`, `preview` or `both`."""
        self.view = view
        self._arrange()
        if self.preview_card.isVisible():
            self.render_now()

    def reveal_changes(self) -> None:
        """Brings what was just changed into sight, in the source and in the preview, wherever one looks."""
        if not self.editor.flash.numbers:
            return
        if not self.source_card.isHidden():
            self.editor.flash.reveal()
        self.render_now()
        if not self.preview_card.isHidden():
            self.tie.show_line(min(self.editor.flash.numbers))

    def divide(self, shares: Mapping[bool, float]) -> None:
        """Shares the room out as the person did once; without a share as is usual."""
        self.shares = dict(shares)
        self._arrange()

    def render_now(self) -> None:
        """Brings the preview up to date."""
        self._render_timer.stop()
        if self.preview_card.isHidden():
            return
        with self.tie.held():
            self.preview.show_text(*self._part())
        self._mark_caret(self.editor.caret_line())
        self._mark_changed()
        self.tie.follow_editor()
        self.tie.show_caret()
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
        wide = self.width() >= _WIDE
        across = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        view = "source" if self.view == "both" and not wide and self.height() < _LOW else self.view
        with self.tie.held():
            self._splitter.setOrientation(across)
            was_hidden = self.preview_card.isHidden()
            self.source_card.setVisible(view != "preview")
            self.preview_card.setVisible(view != "source")
            share = self.shares.get(wide, 0.5)
            if wide or False in self.shares:
                self._splitter.setSizes([round(_SHARE_UNITS * share), round(_SHARE_UNITS * (1 - share))])
            else:
                self._splitter.setSizes(self._heights())
        if was_hidden and not self.preview_card.isHidden():
            self._render_timer.start(0)

    def _on_divided(self) -> None:
        source, preview = self._splitter.sizes()
        if source and preview:
            self.shares[self._splitter.orientation() == Qt.Orientation.Horizontal] = source / (source + preview)
            self.divided.emit()

    def _heights(self) -> list[int]:
        """Returns the pixels of either below each other. The preview has two fifths; where the source, in which one
        writes, would be short of lines then, less, and no less than some lines to read in."""
        whole = self.height() - self._splitter.handleWidth()
        line = self.preview.fontMetrics().lineSpacing()
        least = min(_READABLE * line, whole // 3)
        preview = max(least, min(whole * 2 // 5, whole - _WRITABLE * line - 2 * _CARD_MARGIN))
        return [whole - preview, preview]

    def _tick(self, line: int) -> None:
        """Ticks in the source a task whose box was clicked in the preview, and shows it so at once."""
        # What was clicked may stand at another line by now: that is shown first.
        if self._render_timer.isActive() or self.editor.keys.toggle_box(line):
            self.render_now()

    def _mark_caret(self, line: int) -> None:
        self.preview.mark_line(line if self.editor.hasFocus() else None)

    def _mark_changed(self) -> None:
        # Until the preview has the text that was changed, its lines are those of another one.
        if not self._render_timer.isActive():
            self.preview.mark_changed(self.editor.flash.numbers)

    def _move_part(self) -> None:
        """Renders another part of a long text once the view comes near the edge of the present one."""
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
        most = self._length_of_part()
        while block.isValid() and length < most:
            lines.append(block.text()[:PART])
            length += block.length()
            block = block.next()
        return "\n".join(lines), first.blockNumber()

    def _length_of_part(self) -> int:
        """Returns how many characters fill the preview one and a half times."""
        view, metrics = self.preview.viewport(), self.preview.fontMetrics()
        rows = view.height() // max(1, metrics.lineSpacing())
        columns = view.width() // max(1, metrics.averageCharWidth())
        return max(_LEAST_PART, min(PART, rows * columns * 3 // 2))

    def _begin_of_part(self, centre: QTextBlock) -> QTextBlock:
        """Returns a line about half a part above, after a blank one and outside any code fence where there is such."""
        block, length, half = centre, 0, self._length_of_part() // 2
        while block.previous().isValid() and length < half:
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


class ViewCard(RingedCard):
    """Shows a card around a view."""

    def __init__(self, view: QAbstractScrollArea, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        # The rounded corners of the card are 8 px: what it holds keeps clear of them.
        column.setContentsMargins(RING, _CARD_MARGIN, RING, _CARD_MARGIN)
        column.addWidget(view)
        self.bear_ring_of(view)


class LinkedScroll(QObject):
    """Lets each of the two views follow the other; the one that follows never leads in the same step.

    The line that both views hold at the same height is the one at the share of the viewport that was scrolled so far:
    at the top the first, in the middle the middle one, at the end the last. So both reach their ends together, and what
    a person looks at is beside its counterpart.
    """

    def __init__(self, editor: MemoryEditor, preview: MemoryPreview) -> None:
        super().__init__(editor)
        self._editor, self._preview = editor, preview
        self._following = False
        self._preview_leads = False
        self._caret_leads = False
        self._shown_line: int | None = None
        """A line that the preview was brought to, and keeps in sight until somebody scrolls."""
        editor.scrolled.connect(self._on_editor)
        # What moves the caret often scrolls after it.
        self._caret = QTimer(self, singleShot=True, interval=0)
        self._caret.timeout.connect(self.show_caret)
        editor.caret_moved.connect(lambda _line: self._caret.start())
        # A bar says that it has another end before it has its new value, and lines are laid out when they are painted.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        for view in (editor, preview):
            view.laid_out.connect(self._on_laid_out)
        preview.scrolled.connect(self._on_preview)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lets scrolling mean nothing while a view is being rebuilt."""
        before, self._following = self._following, True
        try:
            yield
        finally:
            self._following = before

    def follow_editor(self) -> None:
        """Brings the preview to where the editor is."""
        if not (self._editor.isVisible() and self._preview.isVisible()):
            return
        bar = self._preview.verticalScrollBar()
        with self.held():
            if self._editor.verticalScrollBar().maximum() == 0:
                # All of the source is in sight: there is nothing to follow but the caret.
                if self._editor.hasFocus():
                    self._show_line(self._editor.caret_line())
                return
            share = _share(self._editor.verticalScrollBar())
            line = self._editor.line_at(share * self._editor.viewport().height())
            height = share * self._preview.viewport().height()
            bar.setValue(bar.maximum() if share == 1 else round(self._preview.y_of_line(line) - height))

    def _follow_preview(self) -> None:
        """Brings the editor to where the preview is."""
        if not (self._editor.isVisible() and self._preview.isVisible()):
            return
        with self.held():
            bar = self._preview.verticalScrollBar()
            share = _share(bar)
            line = self._preview.line_at(bar.value() + share * self._preview.viewport().height())
            self._editor.show_line_at(line, share * self._editor.viewport().height())
            if share == 1:
                self._editor.verticalScrollBar().setValue(self._editor.verticalScrollBar().maximum())

    def show_caret(self) -> None:
        """Brings what the caret stands in into the preview, if it is in sight in the editor; until somebody scrolls."""
        self._caret_leads, self._shown_line = True, None
        is_in_sight = self._editor.viewport().rect().intersects(self._editor.cursorRect())
        if self._editor.isVisible() and self._preview.isVisible() and is_in_sight:
            with self.held():
                self._show_line(self._editor.caret_line())

    def show_line(self, line: int) -> None:
        """Brings a line of the source into sight in the preview, until somebody scrolls; the source stays where it
        is."""
        self._caret_leads, self._shown_line = False, line
        with self.held():
            self._show_line(line)

    def _show_line(self, line: int) -> None:
        bar, height = self._preview.verticalScrollBar(), self._preview.viewport().height()
        top, bottom = self._preview.y_of_line(line), self._preview.end_of_block(line)
        if bottom - top > height:
            bottom = top
        bottom = max(bottom, self._preview.y_of_line(line + 1))
        if top < bar.value():
            bar.setValue(round(top))
        elif bottom > bar.value() + height:
            bar.setValue(round(min(top, bottom - height)))

    def _on_editor(self) -> None:
        if not self._following:
            self._preview_leads = self._caret_leads = False
            self._shown_line = None
            self.follow_editor()

    def _on_preview(self) -> None:
        if not self._following:
            self._preview_leads, self._caret_leads = True, False
            self._shown_line = None
            self._follow_preview()

    def _on_laid_out(self, anew: bool) -> None:
        if anew:
            # The editor knows which words were at its top.
            self._preview_leads = False
        if not self._following:
            self._follow()
        self._soon.start()

    def _follow(self) -> None:
        # Whoever scrolls the preview keeps it still while the editor's lines find their heights.
        if self._preview_leads:
            self._follow_preview()
        else:
            self.follow_editor()
            if self._caret_leads:
                self.show_caret()
            elif self._shown_line is not None:
                self.show_line(self._shown_line)


def _share(bar: QScrollBar) -> float:
    """Returns how much of the way is scrolled, 0 to 1."""
    return bar.value() / bar.maximum() if bar.maximum() > 0 else 0.0
