"""A view that shows one text as it reads, such as a memory file or a page of the manual."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QUrl
from PySide6.QtGui import QPainter, QPaintEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from mnemoscope.ui.markdown.document.card_painter import CardPainter, Column
from mnemoscope.ui.markdown.document.code_colouring import CodeColouring
from mnemoscope.ui.markdown.document.document_writer import Picture, write_text
from mnemoscope.ui.markdown.document.text_style import TextStyle
from mnemoscope.ui.markdown.reading.reader import Run
from mnemoscope.ui.widgets.theme import Theme


class MarkdownView(QTextBrowser):
    """Shows Markdown in the theme's looks, and loads nothing.

    `margin` is in pixels; `compact` is for a narrow column beside others.
    """

    def __init__(self, parent: QWidget | None, margin: int, *, compact: bool = False) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(margin)
        self._margin = margin
        self._compact = compact
        self._painter = CardPainter(self.document())
        self._colouring = CodeColouring(self)

    def write(self, text: str) -> None:
        """Shows a text in place of the one before, in the theme that is in force."""
        theme = Theme.current()
        self._colouring.forget()
        self.document().setDefaultFont(theme.font("body"))
        style = TextStyle(theme, compact=self._compact)
        style.set_tab_width(self.document())
        cursor = QTextCursor(self.document())
        # Cleared in the same step: an empty document would be laid out without a scroll bar in between.
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cards = write_text(QTextCursor(cursor), text, style, self._column.width, pictured=self.pictured)
        cursor.endEditBlock()
        self._colouring.add(cards)

    def pictured(self, run: Run) -> Picture | None:
        """Returns the picture in the place of its description; here none is."""
        del run
        return None

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Loads nothing: no text may make the window fetch or read anything."""
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        offset = self.verticalScrollBar().value()
        with QPainter(self.viewport()) as painter:
            painter.translate(0, -offset)
            # Before all of it is laid out, Qt finds what stands at a place somewhere else: no marker would be painted.
            self.document().size()
            first = self.cursorForPosition(QPoint(0, event.rect().top())).block()
            visible = QRectF(event.rect()).translated(0, offset)
            self._painter.paint(painter, first, visible, self._column)
        super().paintEvent(event)

    @property
    def _column(self) -> Column:
        return Column(self._margin, self.viewport().width() - 2.0 * self._margin)
