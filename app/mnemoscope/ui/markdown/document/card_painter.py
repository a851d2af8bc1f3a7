"""Draws what lies behind the transcript's text: bubbles, cards, quotation bars, rules, the pointer, a highlight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextBlock,
    QTextBlockFormat,
    QTextDocument,
    QTextLine,
)

from mnemoscope.ui.markdown.document.text_style import BUBBLE_PADDING, CARD_PADDING, QUOTE_INDENT, CardKind, Mark
from mnemoscope.ui.widgets.theme import Theme

_RADIUS: Final = 8.0
# As plain numbers: they are read for every visible block at every paint.
_BUBBLE, _CARD, _CARD_KIND, _PAINTED = int(Mark.BUBBLE), int(Mark.CARD), int(Mark.CARD_KIND), int(Mark.PAINTED)
_ABOVE: Final = {"bubble": 9.0, CardKind.CODE: 8.0, CardKind.TOOL: 9.0, CardKind.MUTED: 8.0}
_BELOW: Final = {"bubble": 9.0, CardKind.CODE: 10.0, CardKind.TOOL: 10.0, CardKind.MUTED: 9.0}


@dataclass(frozen=True, slots=True)
class Column:
    """Says where the text column is, in document coordinates, pixels."""

    left: float
    width: float


@dataclass(slots=True)
class _Shape:
    """Describes a run of visible blocks with the same number."""

    number: int
    kind: CardKind | None
    top: float
    bottom: float
    left: float
    right: float
    is_summary: bool = False


class CardPainter:
    """Paints for one document; asks the layout only about the blocks that are visible."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document

    def paint(self, painter: QPainter, first: QTextBlock, visible: QRectF, column: Column) -> None:
        """Paints behind the blocks from `first` to the end of `visible`, in document coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bubbles: list[_Shape] = []
        cards: list[_Shape] = []
        marked = []
        for block, rect in self._visible(first, visible):
            form = block.blockFormat()
            if number := form.intProperty(_BUBBLE):
                self._extend(bubbles, number, rect, form, column)
                bubbles[-1].is_summary = bubbles[-1].is_summary or form.boolProperty(Mark.SUMMARY)
            if number := form.intProperty(_CARD):
                self._extend(cards, number, rect, form, column, CardKind(form.intProperty(_CARD_KIND)))
            if form.boolProperty(_PAINTED):
                marked.append((block, form, rect))
        for shape in (*bubbles, *cards):
            self._draw(painter, shape)
        for block, form, rect in marked:
            self._paint_marks(painter, form, rect, column)
            self._paint_marker(painter, block, form, rect, column)
            if form.boolProperty(Mark.BUTTONS):
                _paint_buttons(painter, block, rect, column.left)
        self._paint_bars(painter, marked, column)
        self._paint_put_in(painter, marked, column)

    def _layout(self) -> QAbstractTextDocumentLayout:
        return self._document.documentLayout()

    def _visible(self, first: QTextBlock, visible: QRectF) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Yields the visible blocks and one beyond each end, so that a shape cut by the edge goes on past it."""
        layout = self._layout()
        block = first.previous() if first.previous().isValid() else first
        while block.isValid():
            rect = layout.blockBoundingRect(block)
            yield block, rect
            if rect.top() > visible.bottom() + 2 * _RADIUS:
                return
            block = block.next()

    @staticmethod
    def _extend(
        shapes: list[_Shape],
        number: int,
        rect: QRectF,
        form: QTextBlockFormat,
        column: Column,
        kind: CardKind | None = None,
    ) -> None:
        """Makes the last shape reach over a further block, or begin another."""
        if shapes and shapes[-1].number == number:
            shapes[-1].top = min(shapes[-1].top, rect.top())
            shapes[-1].bottom = max(shapes[-1].bottom, rect.bottom())
            return
        left, right = column.left, column.left + column.width
        if kind is not None:
            left += form.leftMargin() - CARD_PADDING
            right -= form.rightMargin() - CARD_PADDING
        shapes.append(_Shape(number, kind, rect.top(), rect.bottom(), left, right))

    @staticmethod
    def _paint_bars(
        painter: QPainter, marked: list[tuple[QTextBlock, QTextBlockFormat, QRectF]], column: Column
    ) -> None:
        """Bars beside quotations, unbroken between the paragraphs of one."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Theme.current().color("border_strong"))
        above: tuple[int, int, int, float] | None = None
        for block, form, rect in marked:
            depth, quotation = form.intProperty(Mark.QUOTE), form.intProperty(Mark.QUOTATION)
            for level in range(depth):
                inset = form.doubleProperty(Mark.QUOTE_LEFT) + QUOTE_INDENT * level
                is_mirrored = form.boolProperty(Mark.QUOTE_MIRRORED)
                left = column.left + (column.width - inset - 3 if is_mirrored else inset)
                joined = above is not None and above[:2] == (block.blockNumber() - 1, quotation) and above[2] > level
                top = above[3] - 4 if joined and above is not None else rect.top() - 1
                painter.drawRoundedRect(QRectF(left, top, 3, rect.bottom() + 4 - top), 1.5, 1.5)
            above = (block.blockNumber(), quotation, depth, rect.bottom() + 4) if depth else None

    @staticmethod
    def _paint_put_in(
        painter: QPainter, marked: list[tuple[QTextBlock, QTextBlockFormat, QRectF]], column: Column
    ) -> None:
        """Paints a line beside what a person pasted or took from a file, unbroken between its paragraphs."""
        lines: list[QRectF] = []
        last = -1
        for block, form, rect in marked:
            if not form.boolProperty(Mark.PUT_IN):
                continue
            line = QRectF(column.left + BUBBLE_PADDING / 2 - 2, rect.top() - 1, 2, rect.height() + 5)
            if last == block.blockNumber() - 1 and lines:
                lines[-1] |= line
            else:
                lines.append(line)
            last = block.blockNumber()
        for line in lines:
            painter.fillRect(line, Theme.current().color("border_strong"))

    @staticmethod
    def _paint_marker(
        painter: QPainter, block: QTextBlock, form: QTextBlockFormat, rect: QRectF, column: Column
    ) -> None:
        if form.hasProperty(Mark.MARKER) and block.layout().lineCount():
            line = block.layout().lineAt(0)
            mirrored = block.textDirection() == Qt.LayoutDirection.RightToLeft
            x = column.width - form.rightMargin() if mirrored else form.leftMargin()
            start = QPointF(column.left + x, rect.top() + line.y() + line.ascent())
            marker, depth = form.stringProperty(Mark.MARKER), form.intProperty(Mark.DEPTH)
            _paint_marker(painter, marker, depth, start, mirrored=mirrored)

    @staticmethod
    def _draw(painter: QPainter, shape: _Shape) -> None:
        theme = Theme.current()
        key = shape.kind or "bubble"
        rect = QRectF(QPointF(shape.left, shape.top - _ABOVE[key]), QPointF(shape.right, shape.bottom + _BELOW[key]))
        fill = {None: "user", CardKind.CODE: "sunken", CardKind.TOOL: "surface", CardKind.MUTED: "sunken"}[shape.kind]
        painter.setPen(Qt.PenStyle.NoPen if shape.kind is None else QPen(theme.color("border"), 1))
        painter.setBrush(theme.color(fill))
        if shape.is_summary:
            painter.setPen(QPen(theme.color("pointer"), 1))
            painter.setBrush(theme.color("pointer_soft"))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)

    def _paint_marks(self, painter: QPainter, form: QTextBlockFormat, rect: QRectF, column: Column) -> None:
        theme = Theme.current()
        painter.setPen(Qt.PenStyle.NoPen)
        if form.boolProperty(Mark.RULE):
            painter.fillRect(
                QRectF(column.left + form.leftMargin(), rect.center().y(), column.width, 1), theme.color("border")
            )
        if form.boolProperty(Mark.DIVIDER):
            self._paint_divider(painter, rect, column)

    def _paint_divider(self, painter: QPainter, rect: QRectF, column: Column) -> None:
        theme = Theme.current()
        y = rect.top() - 20
        words = QCoreApplication.translate("Transcript", "Consolidated up to here")
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("pointer"))
        width = painter.fontMetrics().horizontalAdvance(words)
        area = QRectF(column.left + 14, y - 10, width + 4, 20)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("pointer"))
        painter.drawEllipse(QPointF(column.left + 4, y), 4, 4)
        painter.drawRect(QRectF(area.right() + 8, y - 0.5, column.left + column.width - area.right() - 8, 1.5))


def _paint_marker(painter: QPainter, marker: str, depth: int, start: QPointF, *, mirrored: bool = False) -> None:
    """Paints a list's bullet, number or box before an item whose first line begins at `start`, on its baseline; it is
    `mirrored` where it is written from right to left."""
    theme = Theme.current()
    font = theme.font("body")
    metrics = QFontMetricsF(font)
    middle = QPointF(start.x() + (13 if mirrored else -13), start.y() - metrics.xHeight() / 2)
    painter.setPen(theme.color("text_muted"))
    if marker[:1].isdigit():
        painter.setFont(font)
        x = start.x() + 7 if mirrored else start.x() - 7 - metrics.horizontalAdvance(marker)
        painter.drawText(QPointF(x, start.y()), marker)
    elif marker in "☐☑":
        _paint_box(painter, middle, done=marker == "☑")
    elif depth % 3 == 2:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, 2.5, 2.5)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text_muted"))
        dot = QRectF(middle.x() - 2.5, middle.y() - 2.5, 5, 5)
        painter.drawRoundedRect(dot, 0.5 if depth % 3 == 0 else 2.5, 0.5 if depth % 3 == 0 else 2.5)


def _paint_box(painter: QPainter, middle: QPointF, *, done: bool) -> None:
    theme = Theme.current()
    box = QRectF(middle.x() - 6.5, middle.y() - 6.5, 13, 13)
    painter.setPen(QPen(theme.color("accent" if done else "border_strong"), 1.2))
    painter.setBrush(theme.color("accent" if done else "surface"))
    painter.drawRoundedRect(box, 3, 3)
    if done:
        painter.setPen(QPen(theme.color("on_accent"), 1.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline([middle + QPointF(-3, 0), middle + QPointF(-0.8, 2.4), middle + QPointF(3.2, -2.4)])


def _paint_buttons(painter: QPainter, block: QTextBlock, rect: QRectF, left: float) -> None:
    """Paints a rounded ground behind each action of a block, `left` being where its text begins."""
    theme = Theme.current()
    painter.setPen(QPen(theme.color("border"), 1))
    painter.setBrush(theme.color("surface"))
    metrics = QFontMetricsF(theme.font("body"))
    entry = block.begin()
    while not entry.atEnd():
        fragment = entry.fragment()
        entry += 1
        if not fragment.charFormat().intProperty(Mark.ACTION):
            continue
        at = fragment.position() - block.position()
        line = block.layout().lineForTextPosition(at)
        if line.isValid():
            start, stop = _x_of(line, at), _x_of(line, at + fragment.length())
            height = metrics.height() + 10
            middle = rect.top() + line.y() + line.ascent() - metrics.capHeight() / 2
            painter.drawRoundedRect(
                QRectF(left + start + 0.5, middle - height / 2 + 0.5, stop - start - 1, height - 1), 6, 6
            )


def _x_of(line: QTextLine, position: int) -> float:
    x: Any = line.cursorToX(position)
    return float(x[0] if isinstance(x, tuple) else x)


def paint_highlight(painter: QPainter, rect: QRectF, strength: float) -> None:
    """Paints a soft rounded ground behind a message that was jumped to; `strength` 0 to 1."""
    colour = QColor(Theme.current().color("accent_soft"))
    colour.setAlphaF(max(0.0, min(1.0, strength)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
