"""The Markdown source of MEMORY.md as a person edits it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from mnemoscope.domain.text.diff import changed_lines, line_edits
from mnemoscope.ui.memory.editor.caret_place import CaretPlace
from mnemoscope.ui.memory.editor.document_edits import PARAGRAPH, apply_edits
from mnemoscope.ui.memory.editor.line_flash import LineFlash
from mnemoscope.ui.memory.editor.line_gutter import LineGutter
from mnemoscope.ui.memory.editor.markdown_highlighter import MarkdownHighlighter
from mnemoscope.ui.widgets.text_offsets import to_utf16
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

if TYPE_CHECKING:
    from mnemoscope.ui.memory.blame.blame_gutter import BlameGutter

_UNBROKEN: Final = 10_000
"""Characters in a line after which Qt's search for word boundaries is quadratic: wrap anywhere instead."""


class MemoryEditor(QPlainTextEdit):
    """A plain-text editor that gives back exactly the text it was given, and can be changed from outside.

    `scrolled` follows a person's scrolling, `caret_moved` the caret's line (from 0).
    """

    scrolled = Signal()
    laid_out = Signal(bool)
    """As DeliberateScroll's."""
    caret_moved = Signal(int)
    undo_requested = Signal()
    """Undo was pressed where there is nothing to undo here."""

    def __init__(self, parent: QWidget | None = None, name: str = "MEMORY.md") -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Source of {name}").format(name=name))
        self.setPlaceholderText(self.tr("What should be remembered, in Markdown"))
        self.setTabChangesFocus(True)
        self.setCenterOnScroll(False)
        self.document().setDocumentMargin(8)
        # To Qt a margin is a change of the document.
        self.document().setModified(False)
        self._measured = ("", 0)
        """A text, and its length as the document counts it."""
        self.fresh = LineFlash(self)
        self.highlighter = MarkdownHighlighter(self.document())
        self._gutter = LineGutter(self)
        self._place = CaretPlace(self)
        self._blame_shown = False
        self._place.scroll.happened.connect(self.scrolled)
        self._place.scroll.laid_out.connect(self.laid_out)
        self.cursorPositionChanged.connect(self._on_caret)
        self.blockCountChanged.connect(self._place_gutter)
        self.updateRequest.connect(self._gutter.follow)
        theme_notifier().changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Read fonts and colours again."""
        with self._place.held():
            self.setFont(Theme.current().font("code"))
            self.highlighter.restyle()
            self._place_gutter()
        self._gutter.update()
        self.viewport().update()

    # The text

    def text(self) -> str:
        """The whole text, each character as it is: `toPlainText` would turn no-break spaces into spaces."""
        return self.document().toRawText().replace(PARAGRAPH, "\n")

    def holds(self, text: str) -> bool:
        """Whether this is exactly the text; cheap where the lengths already differ."""
        if self._measured[0] is not text:
            self._measured = (text, to_utf16(text, len(text)))
        return self._measured[1] == self.document().characterCount() - 1 and self.text() == text

    def load(self, text: str) -> None:
        """Begin with this text: nothing to undo, nothing unsaved."""
        self._choose_wrapping(text)
        with self.highlighter.loading(text):
            self.setPlainText(text)
        # With nothing in it a document says last that it is modified, though it is not: have it say so anew.
        self.document().setModified(True)
        self.document().setModified(False)
        self.fresh.forget()
        self._place.note()

    def replace_text(self, text: str, *, flash: bool = False) -> None:
        """Change to `text` in one undoable step that touches only what differs; caret and view stay where they were."""
        before = self.text()
        if before == text:
            return
        self._choose_wrapping(text)
        with self._place.held():
            apply_edits(self.document(), line_edits(before, text), self.textCursor().position())
        if flash:
            self.fresh.show(changed_lines(before, text))

    # Where the view and the caret are

    def caret_line(self) -> int:
        """The caret's line, from 0."""
        return self.textCursor().blockNumber()

    def go_to_line(self, line: int) -> None:
        """Put the caret at the start of a line and show it."""
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(line)))
        self.centerCursor()

    def line_at(self, y: float) -> float:
        """The line at a height of the viewport; the fraction says how far into a wrapped line."""
        block = self.cursorForPosition(QPoint(0, round(y))).block()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset())
        return block.blockNumber() + min(0.999, max(0.0, (y - top.top()) / max(1.0, top.height())))

    def show_line_at(self, line: float, y: float) -> None:
        """Scroll so that a line is at about this height of the viewport."""
        block = self.document().findBlockByNumber(int(line))
        if not block.isValid():
            block = self.document().lastBlock()
        row = block.firstLineNumber() + (line - int(line)) * max(1, block.lineCount())
        self.verticalScrollBar().setValue(round(row - y / max(1, self.fontMetrics().lineSpacing())))

    def visible_blocks(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The blocks in sight with their rectangles in the viewport."""
        block = self.firstVisibleBlock()
        offset = self.contentOffset()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > self.viewport().height():
                return
            if block.isVisible():
                yield block, place
            block = block.next()

    def mark_matches(self, spans: Iterable[tuple[int, int]], current: tuple[int, int] | None) -> None:
        """Show found text, UTF-16 offsets [start, stop); the current one stands out."""
        theme = Theme.current()
        found = QTextCharFormat()
        found.setBackground(theme.color("accent_soft"))
        chosen = QTextCharFormat()
        chosen.setBackground(theme.color("mark"))
        chosen.setForeground(theme.color("on_mark"))
        marks = [self._mark(span, chosen if span == current else found) for span in spans]
        self.setExtraSelections(marks)

    def undo(self) -> None:
        """Undo what was done here; where there is nothing left, say so to whoever knows what was saved."""
        if self.document().isUndoAvailable():
            super().undo()
        else:
            self.undo_requested.emit()

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tab is a letter here; with Ctrl it goes to the next control."""
        if event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable():
            self.undo()
            return
        steps = {Qt.Key.Key_Tab: True, Qt.Key.Key_Backtab: False}
        if event.key() in steps and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            QWidget.focusNextPrevChild(self, steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as ground:
            colour = Theme.current().color("diff_add")
            for block, place in self.visible_blocks():
                self.highlighter.format_block(block)
                if block.blockNumber() in self.fresh.numbers:
                    height = block.layout().boundingRect().height()
                    ground.fillRect(QRectF(0, place.top(), self.viewport().width(), height), colour)
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        with self._place.held():
            super().resizeEvent(event)
            self._place_gutter()

    @cached_property
    def blame(self) -> BlameGutter:
        """Who wrote each line, beside the numbers; hidden until `show_blame`."""
        from mnemoscope.ui.memory.blame.blame_gutter import BlameGutter

        gutter = BlameGutter(self)
        gutter.hide()
        self.updateRequest.connect(gutter.follow)
        theme_notifier().changed.connect(gutter.update)
        return gutter

    def show_blame(self, wanted: bool) -> None:
        """Have who wrote each line stand beside it, or not."""
        self._blame_shown = wanted
        self.blame.setVisible(wanted)
        self._place_gutter()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def _place_gutter(self, _count: int = 0) -> None:
        if not hasattr(self, "_gutter"):
            return
        width, beside = self._gutter.wanted_width(), self.blame.wanted_width() if self._blame_shown else 0
        if self.viewportMargins().left() != width + beside:
            self.setViewportMargins(width + beside, 0, 0, 0)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left() + beside, area.top(), width, area.height()))
        if beside:
            self.blame.setGeometry(QRect(area.left(), area.top(), beside, area.height()))

    def _on_caret(self) -> None:
        self._gutter.update()
        self.caret_moved.emit(self.caret_line())

    def _choose_wrapping(self, text: str) -> None:
        longest = max(map(len, text.split("\n")))
        anywhere = longest > _UNBROKEN
        mode = QTextOption.WrapMode.WrapAnywhere if anywhere else QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
        if self.wordWrapMode() != mode:
            self.setWordWrapMode(mode)

    def _mark(self, span: tuple[int, int], look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format = look
        return selection
