"""MEMORY.md as it reads: rendered, sanitised, and block by block in step with its source."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextListFormat,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from mnemoscope.domain.secrets.detection import KEY_MARK, MARK_OPENS
from mnemoscope.ui.markdown.markdown_html import render_markdown
from mnemoscope.ui.memory.editor.deliberate_scroll import DeliberateScroll
from mnemoscope.ui.widgets.text_offsets import to_utf16
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_MARGIN: Final = 12
_INDENT: Final = 24
_BULLETS: Final = frozenset(
    {QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle, QTextListFormat.Style.ListSquare}
)
_HEADINGS: Final = (1.3, 1.15, 1.05)
"""Sizes of the first levels by ratio to the body: an inspector's column is narrow."""
_LAYOUT: Final = """
p {{ margin-top: 0; margin-bottom: 8px; }}
h1, h2, h3, h4, h5, h6 {{ margin-top: 10px; margin-bottom: 6px; }}
ul, ol {{ margin-top: 0; margin-bottom: 8px; }}
li {{ margin-top: 0; margin-bottom: 3px; }}
blockquote {{ margin: 0 0 8px 16px; color: {text_muted}; }}
a {{ color: {accent}; text-decoration: none; }}
table {{ margin-top: 2px; margin-bottom: 8px; }}
code {{ font-family: monospace; background-color: {sunken}; }}
"""


@dataclass(frozen=True, slots=True)
class _Anchor:
    """Where the block that begins at source line `line` stands: its first block in the rendered document."""

    line: int
    number: int


class MemoryPreview(QTextBrowser):
    """Renders Markdown and knows where each source line ended up.

    `scrolled` follows the view; `line_chosen` is the source line of a block that was clicked, `link_chosen` an address
    (nothing is opened here).
    """

    scrolled = Signal()
    laid_out = Signal(bool)
    """As DeliberateScroll's."""
    line_chosen = Signal(int)
    link_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None, name: str = "MEMORY.md") -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Preview of {name}").format(name=name))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().setDocumentMargin(_MARGIN)
        self.document().setIndentWidth(_INDENT)
        self._source = ""
        self._first = 0
        self._lines = 1
        self._anchors: list[_Anchor] = []
        self._marked: int | None = None
        self._pressed = QPoint()
        self._scroll = DeliberateScroll(self.verticalScrollBar())
        self._scroll.happened.connect(self.scrolled)
        self._scroll.laid_out.connect(self.laid_out)
        self.anchorClicked.connect(self._on_link)
        theme_notifier().changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Render again in the theme's colours and fonts."""
        theme = Theme.current()
        self.document().setDefaultFont(theme.font("body"))
        self.document().setDefaultStyleSheet(_LAYOUT.format(**theme.roles))
        self._render()

    def show_text(self, text: str, first_line: int = 0) -> None:
        """Render `text`, whose first line is line `first_line` of the source. The view stays where it is."""
        if (text, first_line) == (self._source, self._first):
            return
        self._source, self._first = text, first_line
        self._lines = text.count("\n") + 1
        self._render()

    @property
    def shown_lines(self) -> tuple[int, int]:
        """The source lines [first, past the last) that are rendered."""
        return self._first, self._first + self._lines

    def mark_line(self, line: int | None) -> None:
        """Softly mark the block this source line belongs to."""
        index = None if line is None else self._index_of(line)
        if index != self._marked:
            self._marked = index
            self.viewport().update()

    # Source lines and heights, in pixels of the rendered document

    def y_of_line(self, line: float) -> float:
        """How far down in the document a source line is; between blocks in proportion."""
        index = self._index_of(line)
        if index is None:
            return 0.0
        start, top = self._edge(index)
        stop, bottom = self._edge(index + 1)
        share = (line - start) / max(1, stop - start)
        return top + min(1.0, max(0.0, share)) * (bottom - top)

    def line_at(self, y: float) -> float:
        """The source line at a height of the document."""
        if not self._anchors:
            return float(self._first)
        index = max(0, bisect_right(range(len(self._anchors)), y, key=lambda i: self._edge(i)[1]) - 1)
        start, top = self._edge(index)
        stop, bottom = self._edge(index + 1)
        share = (y - top) / max(1.0, bottom - top)
        return start + min(0.999, max(0.0, share)) * (stop - start)

    # Qt

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing: a memory file must not make the window fetch or read anything."""
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._marked is not None and self._marked < len(self._anchors):
            self._paint_mark(self._rect_of(self._marked))
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        with self._scroll.held():
            super().resizeEvent(event)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        here = event.position().toPoint()
        moved = (here - self._pressed).manhattanLength()
        if moved < 4 and not self.anchorAt(here) and not self.textCursor().hasSelection():
            self.line_chosen.emit(int(self.line_at(here.y() + self.verticalScrollBar().value())))

    def _render(self) -> None:
        top = self.verticalScrollBar().value()
        with self._scroll.held():
            self.setHtml(render_markdown(self._source, Theme.current().roles, block_ids=True))
            self._anchors = self._find_anchors()
            self._marked = None
            self.verticalScrollBar().setValue(top)

    def _find_anchors(self) -> list[_Anchor]:
        found: list[_Anchor] = []
        cursor = QTextCursor(self.document())
        # One step: each change of a format on its own would lay the document out again.
        cursor.beginEditBlock()
        block = self.document().begin()
        while block.isValid():
            found += [_Anchor(self._first + line, block.blockNumber()) for line in _lines_named(block)]
            if block.blockFormat().headingLevel():
                _size_heading(cursor, block)
            if (items := block.textList()) is not None and items.format().style() in _BULLETS:
                _keep_bullet_away(cursor, block)
            if MARK_OPENS in block.text():
                _quieten_keys(cursor, block)
            block = block.next()
        cursor.endEditBlock()
        return found

    def _index_of(self, line: float) -> int | None:
        if not self._anchors:
            return None
        return max(0, bisect_right(self._anchors, line, key=lambda anchor: anchor.line) - 1)

    def _edge(self, index: int) -> tuple[int, float]:
        """Source line and height at which a block begins; past the last one, where the text ends."""
        if index >= len(self._anchors):
            return self._first + self._lines, self.document().size().height()
        anchor = self._anchors[index]
        if index == 0:
            return anchor.line, 0.0
        block = self.document().findBlockByNumber(anchor.number)
        return anchor.line, self.document().documentLayout().blockBoundingRect(block).top()

    def _rect_of(self, index: int) -> QRectF:
        layout = self.document().documentLayout()
        last = index + 1 >= len(self._anchors)
        stop = self.document().blockCount() if last else self._anchors[index + 1].number
        place = QRectF()
        for number in range(self._anchors[index].number, stop):
            place = place.united(layout.blockBoundingRect(self.document().findBlockByNumber(number)))
        return place

    def _paint_mark(self, place: QRectF) -> None:
        theme = Theme.current()
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = place.top() - self.verticalScrollBar().value() - 2
            ground = theme.color("accent_soft")
            ground.setAlpha(120)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(QRectF(4, top, self.viewport().width() - 8, place.height() + 4), 4, 4)

    def _on_link(self, address: QUrl) -> None:
        self.link_chosen.emit(address.toString())


def _keep_bullet_away(cursor: QTextCursor, block: QTextBlock) -> None:
    """Qt leaves one blank between a bullet and its words, of the block's own font: one whose blanks are wide."""
    cursor.setPosition(block.position())
    form = block.charFormat()
    form.setFontFamilies(Theme.current().font("code").families())
    cursor.setBlockCharFormat(form)


def _lines_named(block: QTextBlock) -> list[int]:
    """The source lines whose block begins here, by the anchor `b{line}` at its start."""
    step = block.begin()
    if step.atEnd():
        return []
    names = step.fragment().charFormat().anchorNames()
    return [int(name[1:]) for name in names if name[:1] == "b" and name[1:].isdigit()]


def _fragments(block: QTextBlock) -> Iterator[tuple[int, int, QTextCharFormat]]:
    step = block.begin()
    while not step.atEnd():
        piece = step.fragment()
        yield piece.position(), piece.length(), piece.charFormat()
        step += 1


def _quieten_keys(cursor: QTextCursor, block: QTextBlock) -> None:
    """The marks of keys that were kept out, as chips."""
    text, look = block.text(), QTextCharFormat()
    look.setForeground(Theme.current().color("text_muted"))
    look.setBackground(Theme.current().color("sunken"))
    look.setFontPointSize(Theme.current().font("caption").pointSizeF())
    for found in KEY_MARK.finditer(text):
        cursor.setPosition(block.position() + to_utf16(text, found.start()))
        cursor.setPosition(block.position() + to_utf16(text, found.end()), QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)


def _size_heading(cursor: QTextCursor, block: QTextBlock) -> None:
    level = block.blockFormat().headingLevel()
    ratio = _HEADINGS[level - 1] if level <= len(_HEADINGS) else 1.0
    size = Theme.current().font("body").pointSizeF() * ratio
    for start, length, look in list(_fragments(block)):
        # The importer's own step up for headings would win over any size that is set.
        look.clearProperty(QTextFormat.Property.FontSizeAdjustment)
        look.setFontPointSize(size)
        look.setFontWeight(QFont.Weight.DemiBold)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(look)
