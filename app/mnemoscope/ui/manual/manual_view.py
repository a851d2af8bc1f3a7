"""Shows one page of the manual, with the words that were searched for marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from mnemoscope.ui.manual.manual import ManualPage, PageLink, heading_slug, read_inner_link, with_inner_links
from mnemoscope.ui.markdown.markdown_html import render_markdown
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_MARGIN: Final = 20
_ABOVE: Final = 12
"""Pixels left free above a place that is jumped to."""
_LAYOUT: Final = """
p {{ margin-top: 0; margin-bottom: 10px; }}
h1, h2, h3 {{ margin-top: 18px; margin-bottom: 8px; }}
ul, ol {{ margin-top: 0; margin-bottom: 10px; }}
li {{ margin-top: 0; margin-bottom: 4px; }}
a {{ color: {accent}; text-decoration: none; }}
table {{ margin-top: 4px; margin-bottom: 12px; }}
code {{ font-family: monospace; background-color: {sunken}; }}
"""


def write_page(document: QTextDocument, page: ManualPage) -> None:
    """Writes a page into a document in the theme's colours and fonts."""
    theme = Theme.current()
    document.setDefaultFont(theme.font("body"))
    document.setDocumentMargin(_MARGIN)
    document.setDefaultStyleSheet(_LAYOUT.format(**theme.roles))
    document.setHtml(render_markdown(with_inner_links(page.text), theme.roles))


class ManualView(QTextBrowser):
    """Shows nothing but pages of the manual.

    `page_requested` comes with the PageLink of a link that was followed, `link_requested` with any other address.
    """

    page_requested = Signal(object)
    link_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Page of the manual"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        # Every page fits: Qt makes a table as wide as the page one pixel wider than that.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page: ManualPage | None = None
        self._words: Sequence[str] = ()
        self.anchorClicked.connect(self._on_link)
        theme_notifier().changed.connect(self._restyle)

    def show_page(self, page: ManualPage) -> None:
        """Shows a page from its top."""
        self.page = page
        write_page(self.document(), page)
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

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Loads nothing: a page holds words only."""
        return None

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
        write_page(self.document(), self.page)
        self._mark_words()
        bar.setValue(round(share * bar.maximum()))

    def _on_link(self, address: QUrl) -> None:
        link: PageLink | None = read_inner_link(address.toString())
        if link is not None:
            self.page_requested.emit(link)
        else:
            self.link_requested.emit(address.toString())
