"""The text of a memory file of another agent, with who wrote each line and what of it is loaded, in a gutter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QWidget

from mnemoscope.domain.foreign.foreign_records import LineSource
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_BAR: Final = 4
_ROOM: Final = 8


def first_not_loaded(text: str, loaded: int) -> int | None:
    """Returns the line, from 0, from which on nothing is loaded; None where all is."""
    if loaded >= len(text):
        return None
    whole = text[:loaded]
    return whole.count("\n") + (1 if whole and not whole.endswith("\n") else 0)


def _one_line(line: str) -> str:
    """Returns a line of a file as one line of the view, whatever breaks Qt would see in it."""
    return tidied(line).replace("\n", " ")


class ForeignMemoryText(QPlainTextEdit):
    """Reads, never writes. Lines are counted from 0."""

    line_pointed = Signal(int)
    """The caret came to this line."""
    line_chosen = Signal(int)
    """This line was clicked."""
    copy_requested = Signal(int)
    """This line is to be copied to another agent."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(self.tr("Memory file"))
        set_role(self, role="card")
        self.sources: Sequence[LineSource] = ()
        self.not_loaded: int | None = None
        self._shown = ""
        self._gutter = _Gutter(self)
        self.updateRequest.connect(self._follow)
        self.cursorPositionChanged.connect(lambda: self.line_pointed.emit(self.line))
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    @property
    def line(self) -> int:
        """Returns the line that the caret is in, from 0."""
        return self.textCursor().blockNumber()

    def show_text(self, text: str, loaded: int, *, goes_on: bool = False) -> None:
        """Shows a file, of which so many characters are loaded. `goes_on`: it is the one on show, written anew."""
        line, offset = self.line, self.verticalScrollBar().value()
        self.sources, self.not_loaded = (), first_not_loaded(text, loaded)
        if text != self._shown:
            self._shown = text
            self.setPlainText("\n".join(_one_line(line) for line in text.replace("\r\n", "\n").split("\n")))
            if goes_on:
                block = self.document().findBlockByNumber(min(line, self.blockCount() - 1))
                self.setTextCursor(QTextCursor(block))
                self.verticalScrollBar().setValue(offset)
        self._place_gutter()

    def show_line(self, line: int) -> None:
        """Puts the caret into a line, from 0, and brings it into sight."""
        block = self.document().findBlockByNumber(line)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()

    def show_sources(self, sources: Sequence[LineSource]) -> None:
        """Shows who wrote each line."""
        self.sources = sources
        self._gutter.update()

    def source(self, line: int) -> LineSource | None:
        """Returns who wrote a line, None where it is not traced yet, or empty."""
        return self.sources[line] if 0 <= line < len(self.sources) else None

    def blocks_in_sight(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Yields the lines in sight, each with its place in the viewport."""
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > self.viewport().height():
                return
            yield block, place
            block = block.next()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers what can be done with the line that was clicked, or that the caret is in."""
        here = menu_place(event, self.cursorRect(), self.viewport())
        if event.reason() != QContextMenuEvent.Reason.Keyboard and not self.textCursor().hasSelection():
            self.setTextCursor(self.cursorForPosition(here))
        self.menu().popup(self.viewport().mapToGlobal(here))

    def menu(self) -> QMenu:
        """Returns what can be done; it goes when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line = self.line
        copy = menu.addAction(self.tr("Copy to another agent…"), lambda: self.copy_requested.emit(line))
        copy.setEnabled(bool(self.textCursor().block().text().strip()))
        menu.addSeparator()
        menu.addAction(self.tr("Copy"), self.copy).setEnabled(self.textCursor().hasSelection())
        menu.addAction(self.tr("Select all"), self.selectAll)
        return menu

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.line_chosen.emit(self.line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.not_loaded is not None:
            with QPainter(self.viewport()) as painter:
                for block, place in self.blocks_in_sight():
                    if block.blockNumber() >= self.not_loaded:
                        painter.fillRect(place, Theme.current().color("sunken"))
        super().paintEvent(event)
        if self.not_loaded is not None:
            with QPainter(self.viewport()) as painter:
                for block, place in self.blocks_in_sight():
                    if block.blockNumber() == self.not_loaded:
                        painter.setPen(QPen(Theme.current().color("warning"), 2, Qt.PenStyle.DashLine))
                        painter.drawLine(0, int(place.top()) + 1, self.viewport().width(), int(place.top()) + 1)

    def _follow(self, area: QRect, dy: int) -> None:
        del area, dy
        self._gutter.update()

    def _place_gutter(self) -> None:
        width = self._gutter.wanted_width()
        self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self._gutter.setGeometry(inside.left(), inside.top(), width, inside.height())
        self._gutter.update()
        self.viewport().update()

    def _restyle(self) -> None:
        self.setFont(Theme.current().font("code"))
        self._place_gutter()


class _Gutter(QWidget):
    """Paints the number of each line, and a bar: full for one that a call wrote, hollow for one from outside, none
    where it is not known."""

    def __init__(self, text: ForeignMemoryText) -> None:
        super().__init__(text)
        self._text = text

    def wanted_width(self) -> int:
        digits = len(str(self._text.blockCount()))
        return self._text.fontMetrics().horizontalAdvance("9") * digits + 2 * _ROOM + _BAR

    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
            painter.setFont(self._text.font())
            height = self._text.fontMetrics().lineSpacing()
            for block, place in self._text.blocks_in_sight():
                source = self._text.source(block.blockNumber())
                bar = QRectF(1, place.top() + 1, _BAR - 1, place.height() - 2)
                if source is not None and source.text.strip():
                    self._paint_bar(painter, source, bar)
                painter.setPen(theme.color("text_faint"))
                room = QRectF(0, place.top(), self.width() - _ROOM, height)
                painter.drawText(room, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))

    def _paint_bar(self, painter: QPainter, source: LineSource, bar: QRectF) -> None:
        theme = Theme.current()
        if source.edit is not None:
            painter.fillRect(bar, theme.color("accent"))
        elif source.commit is not None or not source.is_unknown:
            painter.setPen(theme.color("warning"))
            painter.setBrush(QColor(Qt.GlobalColor.transparent))
            painter.drawRect(bar)
