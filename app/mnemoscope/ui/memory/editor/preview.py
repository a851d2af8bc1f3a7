"""MEMORY.md as it reads: rendered, and block by block in step with its source."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QWidget

from mnemoscope.ui.markdown.document.document_writer import Picture, shown_size
from mnemoscope.ui.markdown.document.formula_object import OBJECT, with_sources
from mnemoscope.ui.markdown.document.markdown_view import MarkdownView
from mnemoscope.ui.markdown.document.text_style import LIST_INDENT, Mark, TextStyle
from mnemoscope.ui.markdown.formulas.formulas import formulas, holds_formula
from mnemoscope.ui.markdown.reading.picture_links import PictureLink, picture_link
from mnemoscope.ui.markdown.reading.reader import TASK_MARKERS, Run
from mnemoscope.ui.memory.editor.deliberate_scroll import DeliberateScroll
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import Theme, theme_notifier

_MARGIN: Final = 12
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True, slots=True)
class _Anchor:
    """Links source line `line`, where a block begins, to the `number` of its first block in the rendered document."""

    line: int
    number: int


class MemoryPreview(MarkdownView):
    """Renders Markdown and knows where each source line ended up.

    `scrolled` follows the view; `line_chosen` is the source line of a block that was clicked, `link_chosen` an address
    (nothing is opened here), `task_chosen` the source line of a task whose box was clicked, or which has the caret as
    Ctrl+Enter is pressed. The caret goes by the keys of any text.
    """

    scrolled = Signal()
    laid_out = Signal(bool)
    """As DeliberateScroll's."""
    line_chosen = Signal(int)
    link_chosen = Signal(str)
    task_chosen = Signal(int)
    picture_requested = Signal(object)
    """A `PictureLink` of this workspace was met whose picture is not here yet; it is asked for once, and again after
    the text has changed or the preview was hidden."""

    def __init__(self, parent: QWidget | None = None, name: str = "MEMORY.md") -> None:
        super().__init__(parent, _MARGIN, compact=True)
        self.setAccessibleName(self.tr("Preview of {name}").format(name=name))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._source = ""
        self._first = 0
        self._lines = 1
        self._anchors: list[_Anchor] = []
        self._marked: int | None = None
        self._changed: frozenset[int] = frozenset()
        """The source lines that were just changed."""
        offer_forgetting(self)
        self._pictures: dict[str, tuple[int, int] | None] = {}
        """The pixels of the pictures that the text links to by their names; None while one is not here."""
        self._pressed = QPoint()
        self.setTextInteractionFlags(self.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self._scroll = DeliberateScroll(self.verticalScrollBar())
        self._scroll.happened.connect(self.scrolled)
        self._scroll.laid_out.connect(self.laid_out)
        self.anchorClicked.connect(self._on_link)
        theme_notifier().changed.connect(self.restyle)
        formulas().drawn.connect(self._on_formulas)
        self.restyle()

    def pictured(self, run: Run) -> Picture | None:
        """Returns the picture of this workspace in the place of its description; one of the web stays a description."""
        link = picture_link(run.picture, run.text)
        if link is None or not link.sha256:
            return None
        if link.name not in self._pictures:
            self._pictures[link.name] = None
            self.picture_requested.emit(link)
        size = self._pictures[link.name]
        if size is None:
            return None
        look = TextStyle(Theme.current(), compact=True).body
        return Picture(
            link.name, shown_size(*size, most=self._column.width), look, plain_tooltip(link.words), link.source
        )

    def show_picture(self, link: PictureLink, picture: QImage) -> None:
        """Shows a picture wherever the text links to it."""
        self._pictures[link.name] = (picture.width(), picture.height())
        self.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(link.name), picture)
        self._render()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Returns the selection; one with formulas or pictures in it as text that has their sources."""
        cursor = self.textCursor()
        if OBJECT not in cursor.selectedText():
            return super().createMimeDataFromSelection()
        parts, block = list[str](), self.document().findBlock(cursor.selectionStart())
        while block.isValid() and block.position() < cursor.selectionEnd():
            parts.append(with_sources(block, cursor.selectionStart(), cursor.selectionEnd()))
            block = block.next()
        made = QMimeData()
        made.setText("\n".join(parts).replace("\u2028", "\n").replace("\u200b", ""))
        return made

    def restyle(self) -> None:
        """Renders again in the theme's colours and fonts."""
        self._render()

    def _on_formulas(self, drawn: frozenset[str]) -> None:
        if holds_formula(self._source, drawn):
            self._render()

    def show_text(self, text: str, first_line: int = 0) -> None:
        """Renders `text`, whose first line is line `first_line` of the source. The view stays where it is."""
        if (text, first_line) == (self._source, self._first):
            return
        self._forget_missing_pictures()
        self._source, self._first = text, first_line
        self._lines = text.count("\n") + 1
        self._render()

    @property
    def shown_lines(self) -> tuple[int, int]:
        """Returns the source lines [first, past the last) that are rendered."""
        return self._first, self._first + self._lines

    def mark_line(self, line: int | None) -> None:
        """Marks softly the block this source line belongs to."""
        index = None if line is None else self._index_of(line)
        if index != self._marked:
            self._marked = index
            self.viewport().update()

    def mark_changed(self, lines: frozenset[int]) -> None:
        """Has the blocks of these source lines stand out, as the source has them; none of them if it is empty."""
        if lines != self._changed:
            self._changed = lines
            self.viewport().update()

    # Source lines and heights, in pixels of the rendered document

    def y_of_line(self, line: float) -> float:
        """Returns how far down in the document a source line is; between blocks in proportion."""
        index = self._index_of(line)
        if index is None:
            return 0.0
        start, top = self._edge(index)
        stop, bottom = self._edge(index + 1)
        share = (line - start) / max(1, stop - start)
        return top + min(1.0, max(0.0, share)) * (bottom - top)

    def end_of_block(self, line: float) -> float:
        """Returns how far down in the document the block of a source line ends."""
        index = self._index_of(line)
        return 0.0 if index is None else self._rect_of(index).bottom()

    def line_at(self, y: float) -> float:
        """Returns the source line at a height of the document."""
        if not self._anchors:
            return float(self._first)
        index = max(0, bisect_right(range(len(self._anchors)), y, key=lambda i: self._edge(i)[1]) - 1)
        start, top = self._edge(index)
        stop, bottom = self._edge(index + 1)
        share = (y - top) / max(1.0, bottom - top)
        return start + min(0.999, max(0.0, share)) * (stop - start)

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._forget_missing_pictures():
            self._render()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._marked is not None and self._marked < len(self._anchors):
            ground = Theme.current().color("accent_soft")
            ground.setAlpha(120)
            self._paint_mark(self._rect_of(self._marked), ground)
        first, stop = self.shown_lines
        indexes = {self._index_of(line) for line in self._changed if first <= line < stop}
        for index in (each for each in indexes if each is not None):
            self._paint_mark(self._rect_of(index), Theme.current().color("diff_add"))
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
        if moved >= 4 or self.anchorAt(here) or self.textCursor().hasSelection():
            return
        task = self.task_at(here)
        if task is not None:
            self.task_chosen.emit(task)
        else:
            self.line_chosen.emit(int(self.line_at(here.y() + self.verticalScrollBar().value())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ticks the task that has the caret, by Ctrl+Enter as in the source."""
        if event.key() in _ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            task = self._task_of(self.textCursor().block())
            if task is not None:
                self.task_chosen.emit(task)
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons() and self.task_at(event.position().toPoint()) is not None:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def task_at(self, here: QPoint) -> int | None:
        """Returns the source line of the task whose box lies at a place of the viewport; None for none."""
        block = self.cursorForPosition(here).block()
        form, task = block.blockFormat(), self._task_of(block)
        if task is None or not block.layout().lineCount():
            return None
        rect, line = self.document().documentLayout().blockBoundingRect(block), block.layout().lineAt(0)
        mirrored = block.textDirection() == Qt.LayoutDirection.RightToLeft
        edge = self._column.left + (self._column.width - form.rightMargin() if mirrored else form.leftMargin())
        top = rect.top() + line.y() - self.verticalScrollBar().value()
        x = here.x() + self.horizontalScrollBar().value()
        beside = (x - edge) if mirrored else (edge - x)
        if not (0 <= beside <= LIST_INDENT and top <= here.y() <= top + line.height()):
            return None
        return task

    def _task_of(self, block: QTextBlock) -> int | None:
        """Returns the source line of the task that a block begins; None where it begins none."""
        form = block.blockFormat()
        is_task = form.stringProperty(Mark.MARKER) in TASK_MARKERS
        return self._first + form.intProperty(Mark.FIRST_LINE) - 1 if is_task else None

    def _render(self) -> None:
        top, caret = self.verticalScrollBar().value(), self.textCursor().position()
        with self._scroll.held():
            self.write(self._source)
            self._put_caret(caret)
            self._anchors = self._find_anchors()
            self._marked = None
            self.verticalScrollBar().setValue(top)

    def _forget_missing_pictures(self) -> bool:
        """Has pictures that are not here asked for again, as they may have come; returns whether there are any."""
        known = len(self._pictures)
        self._pictures = {name: size for name, size in self._pictures.items() if size is not None}
        return len(self._pictures) < known

    def _put_caret(self, position: int) -> None:
        """Puts the caret where it was, so that the keys go on from there."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        self.setTextCursor(cursor)

    def _find_anchors(self) -> list[_Anchor]:
        found: list[_Anchor] = []
        block, last = self.document().begin(), 0
        while block.isValid():
            line = block.blockFormat().intProperty(Mark.FIRST_LINE)
            if line > last:
                found.append(_Anchor(self._first + line - 1, block.blockNumber()))
                last = line
            block = block.next()
        return found

    def _index_of(self, line: float) -> int | None:
        if not self._anchors:
            return None
        return max(0, bisect_right(self._anchors, line, key=lambda anchor: anchor.line) - 1)

    def _edge(self, index: int) -> tuple[int, float]:
        """Returns the source line and height at which a block begins; past the last one, where the text ends."""
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

    def _paint_mark(self, place: QRectF, ground: QColor) -> None:
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            top = place.top() - self.verticalScrollBar().value() - 2
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(QRectF(4, top, self.viewport().width() - 8, place.height() + 4), 4, 4)

    def _on_link(self, address: QUrl) -> None:
        self.link_chosen.emit(address.toString())
