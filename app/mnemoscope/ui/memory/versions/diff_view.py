"""Two texts compared: a unified diff with the changed words marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from mnemoscope.domain.text.diff import DiffLine, Range, count_changes, diff_lines
from mnemoscope.ui.support.forget_menu import offer_forgetting, selected_in
from mnemoscope.ui.widgets.accessibility.focus_ring import RING, RingedCard
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.text.offsets import to_utf16
from mnemoscope.ui.widgets.theme import Theme, blend, set_role, theme_notifier

_SIGNS: Final[Mapping[str, str]] = {"same": "  ", "added": "+ ", "removed": "− ", "gap": "  "}
_GROUNDS: Final[Mapping[str, str]] = {"added": "diff_add", "removed": "diff_del", "gap": "sunken"}
_STRONG: Final[Mapping[str, str]] = {"added": "success", "removed": "danger"}
_CONTEXT: Final = 3
"""Unchanged lines around a change, at least."""


class DiffText(QPlainTextEdit):
    """Shows the rows of a diff, read-only and selectable; each row states by a sign what its colour says.

    The passage the caret is in is marked; N and P go to the next and the one before, R says `put_back_pressed`.
    """

    passage_moved = Signal()
    put_back_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(8)
        self.setAccessibleName(self.tr("Differences, line by line"))
        self._rows: tuple[DiffLine, ...] = ()
        self._unread = True
        """Nobody scrolled yet: what is shown begins at the top, or has its first change in the middle, at any size."""
        self._is_centred = False
        self._places: tuple[Range, ...] = ()
        self.passage: int | None = None
        """The number of the passage the caret is in."""
        self.verticalScrollBar().actionTriggered.connect(self._note_reading)
        self.cursorPositionChanged.connect(self._note_passage)
        theme_notifier().changed.connect(self.restyle)
        self.restyle()
        offered = offer_forgetting(self, lambda: "\n".join(map(_unsigned, selected_in(self).split("\n"))))
        offered.line_of = lambda block: _unsigned(block.text())

    @property
    def fitting_rows(self) -> int:
        """Returns how many rows of one line have room in the view."""
        margins = 2 * round(self.document().documentMargin())
        return max(0, self.viewport().height() - margins) // self.fontMetrics().lineSpacing()

    def show_rows(self, rows: tuple[DiffLine, ...], *, is_centred: bool = False) -> None:
        """Shows these rows from the top, or with the first change in the middle."""
        self._rows = rows
        self._unread = True
        self._is_centred = is_centred
        self._places = tuple(_changed_runs(rows))
        self.setPlainText("\n".join(map(self._line, rows)))
        self.restyle()
        self.passage = None
        self.step(1)
        self._show_first()

    @property
    def passages(self) -> int:
        """Returns how many passages changed."""
        return len(self._places)

    def step(self, way: int) -> None:
        """Goes to the next (1) or the previous (-1) passage."""
        if self._places:
            at = (self.passage + way) % len(self._places) if self.passage is not None else 0
            self.setTextCursor(QTextCursor(self.document().findBlockByNumber(self._places[at][0])))
            self._note_passage()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not DIFF_KEYS.press(self, event):
            super().keyPressEvent(event)

    def _read_on(self, way: int) -> None:
        self._unread = False
        self.step(way)

    def _note_passage(self) -> None:
        row = self.textCursor().blockNumber()
        found = (number for number, (start, stop) in enumerate(self._places) if start <= row < stop)
        passage = next(found, None)
        if passage != self.passage:
            self.passage = passage
            self.viewport().update()
            self.passage_moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._unread:
            self._show_first()

    def _show_first(self) -> None:
        if self._is_centred:
            self.centerCursor()
        else:
            self.verticalScrollBar().setValue(0)

    def _note_reading(self) -> None:
        self._unread = False

    def restyle(self) -> None:
        """Reads fonts and colours again."""
        self.setFont(Theme.current().font("code"))
        block = self.document().begin()
        for row in self._rows:
            if row.spans or row.kind == "gap":
                self._format(block, row)
            block = block.next()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            block = self.firstVisibleBlock()
            while block.isValid() and block.blockNumber() < len(self._rows):
                place = self.blockBoundingGeometry(block).translated(self.contentOffset())
                if place.top() > self.viewport().height():
                    break
                role = _GROUNDS.get(self._rows[block.blockNumber()].kind)
                if role:
                    height = block.layout().boundingRect().height()
                    full = QRectF(0, place.top(), self.viewport().width(), height)
                    painter.fillRect(full, Theme.current().color(role))
                    if self._is_marked(block.blockNumber()):
                        painter.fillRect(full.adjusted(0, 0, 3 - full.width(), 0), Theme.current().color("accent"))
                block = block.next()
        super().paintEvent(event)

    def _is_marked(self, row: int) -> bool:
        if self.passage is None or len(self._places) < 2:
            return False
        start, stop = self._places[self.passage]
        return start <= row < stop

    def _line(self, row: DiffLine) -> str:
        if row.kind == "gap":
            return self.tr("  {count} unchanged lines").format(count=row.text)
        return _SIGNS[row.kind] + row.text.replace("\u2029", " ").replace("\r", " ")

    def _format(self, block: QTextBlock, row: DiffLine) -> None:
        look = QTextCharFormat()
        if row.kind == "gap":
            look.setForeground(Theme.current().color("text_muted"))
            ranges = [_piece(0, block.length() - 1, look)]
        else:
            look.setBackground(_stronger(row.kind))
            spans = [(to_utf16(row.text, start), to_utf16(row.text, stop)) for start, stop in row.spans]
            ranges = [_piece(start + 2, stop - start, look) for start, stop in spans]
        block.layout().setFormats(ranges)
        self.document().markContentsDirty(block.position(), block.length())


DIFF_KEYS: Final[PartKeys[DiffText]] = PartKeys(
    "Differences",
    PartKey("go to the next passage", {"N": lambda text: text._read_on(1)}),
    PartKey("go to the previous passage", {"P": lambda text: text._read_on(-1)}),
    PartKey("put the passage back, among the versions", {"R": lambda text: text.put_back_pressed.emit()}),
)


class DiffView(RingedCard):
    """Shows a card with a title, how much changed, and the diff itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(self)
        self._title.setWordWrap(True)
        set_role(self._title, role="heading")
        self.removed = 0
        self._counts = QLabel(self)
        set_role(self._counts, role="caption")
        self.text = DiffText(self)
        self.setFocusProxy(self.text)
        self.bear_ring_of(self.text)
        self._head = QWidget(self)
        head = QHBoxLayout(self._head)
        head.setContentsMargins(12, 8, 12, 8)
        head.addWidget(self._title, 1)
        head.addWidget(self._counts)
        column = QVBoxLayout(self)
        column.setContentsMargins(RING, RING, RING, RING)
        column.setSpacing(0)
        column.addWidget(self._head)
        self._line = QFrame(self)
        set_role(self._line, role="line")
        column.addWidget(self._line)
        column.addWidget(self.text, 1)

    def set_low(self, low: bool) -> None:
        """Sets whether there is room for little: then the lines alone are shown, without the title."""
        for part in (self._head, self._line):
            part.setVisible(not low)

    def show_diff(self, before: str, after: str, title: str) -> None:
        """Shows what makes `after` of `before`."""
        self.show_rows(diff_lines(before, after), title)

    def show_diff_within(self, before: str, after: str, title: str) -> None:
        """Shows what makes `after` of `before`, in the middle of as many other lines as have room."""
        self.show_rows(diff_lines(before, after, max(_CONTEXT, self.text.fitting_rows)), title, is_centred=True)

    def show_rows(self, rows: tuple[DiffLine, ...], title: str, *, is_centred: bool = False) -> None:
        """Shows a comparison that was made elsewhere."""
        added, removed = count_changes(rows)
        self.removed = removed
        self._title.setText(title)
        # Beside it a change is counted in facts, which are fewer: `A proposal reviewed · +3 −2`.
        lines = self.tr("+{added}  −{removed} lines").format(added=added, removed=removed)
        self._counts.setText(lines if rows else self.tr("No difference"))
        self._counts.setAccessibleName(
            self.tr("Lines added: {added}, removed: {removed}").format(added=added, removed=removed)
        )
        self.text.show_rows(rows, is_centred=is_centred)


def _changed_runs(rows: Sequence[DiffLine]) -> Iterator[Range]:
    """Returns the runs of rows [start, stop) that changed, in the order of `line_edits`."""
    start: int | None = None
    for number, row in enumerate((*rows, DiffLine("gap", ""))):
        changed = row.kind in {"added", "removed"}
        if changed and start is None:
            start = number
        elif not changed and start is not None:
            yield start, number
            start = None


def _piece(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    piece = QTextLayout.FormatRange()
    piece.start = start
    piece.length = length
    piece.format = look
    return piece


def _stronger(kind: str) -> QColor:
    """Returns the row's ground with a third of its signal colour in it."""
    theme = Theme.current()
    return blend(theme.color(_GROUNDS[kind]), theme.color(_STRONG[kind]), 0.35 if theme.dark else 0.28)


def _unsigned(line: str) -> str:
    """Returns a row's words without its sign."""
    return next((line.removeprefix(sign) for sign in _SIGNS.values() if line.startswith(sign)), line)
