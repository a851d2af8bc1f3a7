"""Shows one page of the manual, with the words that were searched for marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit, QWidget

from mnemoscope.ui.manual.manual import ManualPage, PageLink, heading_slug, read_inner_link, with_inner_links
from mnemoscope.ui.markdown.document_writer import write_text
from mnemoscope.ui.markdown.markdown_view import MarkdownView
from mnemoscope.ui.markdown.text_style import TextStyle
from mnemoscope.ui.widgets.theme import READING_WIDTH, Theme, theme_notifier

_MARGIN: Final = 20
_ABOVE: Final = 12
"""Pixels left free above a place that is jumped to."""


def write_page(document: QTextDocument, page: ManualPage) -> None:
    """Writes a page into an empty document, in the theme's looks, to be searched."""
    write_text(QTextCursor(document), with_inner_links(page.text), TextStyle(Theme.current()), READING_WIDTH)


class ManualView(MarkdownView):
    """Shows nothing but pages of the manual.

    `page_requested` comes with the PageLink of a link that was followed, `link_requested` with any other address.
    """

    page_requested = Signal(object)
    link_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, _MARGIN)
        self.setAccessibleName(self.tr("Page of the manual"))
        # Every page fits: Qt makes a table as wide as the page one pixel wider than that.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page: ManualPage | None = None
        self._words: Sequence[str] = ()
        self.anchorClicked.connect(self._on_link)
        theme_notifier().changed.connect(self._restyle)

    def show_page(self, page: ManualPage) -> None:
        """Shows a page from its top."""
        self.page = page
        self.write(with_inner_links(page.text))
        self._mark_words()
        self.verticalScrollBar().setValue(0)
        self.setTextCursor(QTextCursor(self.document()))

    def go_to_heading(self, slug: str) -> bool:
        """Scrolls to the heading that a link names; returns False where the page has none of that name."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and heading_slug(block.text()) == slug:
                self._go_to(block)
                return True
            block = block.next()
        return False

    def go_to_block(self, number: int) -> None:
        """Scrolls to the block of that number and puts the caret there."""
        self._go_to(self.document().findBlockByNumber(number))

    def mark(self, words: Sequence[str]) -> None:
        """Marks each of these words wherever it stands on this page and on those shown after it."""
        self._words = words
        self._mark_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the text in the middle and no wider than is good to read."""
        beside = max(0, (self.width() - READING_WIDTH - 2 * _MARGIN) // 2)
        self.setViewportMargins(beside, 0, beside, 0)
        super().resizeEvent(event)

    def _go_to(self, block: QTextBlock) -> None:
        self.setTextCursor(QTextCursor(block))
        self.document().size()  # lays the whole page out, so that there is room to scroll
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - _ABOVE)

    def _mark_words(self) -> None:
        theme, look = Theme.current(), QTextCharFormat()
        look.setBackground(theme.color("mark"))
        look.setForeground(theme.color("on_mark"))
        marks = []
        for word in self._words:
            found = self.document().find(word)
            while not found.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = found, look
                marks.append(mark)
                found = self.document().find(word, found)
        self.setExtraSelections(marks)

    def _restyle(self) -> None:
        if self.page is None:
            return
        bar = self.verticalScrollBar()
        share = bar.value() / max(1, bar.maximum())
        self.write(with_inner_links(self.page.text))
        self._mark_words()
        bar.setValue(round(share * bar.maximum()))

    def _on_link(self, address: QUrl) -> None:
        link: PageLink | None = read_inner_link(address.toString())
        if link is not None:
            self.page_requested.emit(link)
        else:
            self.link_requested.emit(address.toString())
