"""Says where a laid out document is cut into pages.

Qt cuts pages between lines and knows no more than that. Here nothing that belongs together is parted: no line, picture
or row of a table is cut, a heading stays with what follows it, a paragraph has two lines at least on each page, and
code that fits on a page is cut only where the page before would stay half empty.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from PySide6.QtGui import QTextBlock, QTextDocument, QTextFormat, QTextFrame, QTextTable, QTextTableCell

_EMPTIEST: Final = 0.5
"""Share of a page that must be filled before what would rather stay together goes to the next page."""
_TOGETHER: Final = 0.4
"""Share of a page up to which a table is kept together."""
_CODE_LINES: Final = 3
"""Lines of code that stand together at least; of other text two do."""
EDGE: Final = 1.0
"""Pixels of a table's line that both pages show where the table is cut there."""
CODE_LINE: Final = QTextFormat.Property.UserProperty.value + 100
"""The property of a block that is a line of code."""


class TableKind(Enum):
    """Names what a table of the document stands for: rows, a card of code, or a frame around text."""

    ROWS = auto()
    CODE = auto()
    FRAME = auto()


@dataclass(frozen=True, slots=True)
class Page:
    """Holds the part of a document, from `top` to `bottom` in its pixels, that stands on one page; `header` is where
    the header of a table lies that is shown above it once more."""

    top: float
    bottom: float
    header: tuple[float, float] | None = None
    first_line: float | None = None
    """The bottom of its first line, if that is neither the first nor the last of its block; else None."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Describes a stretch of the document that is not cut; a soft one is where the page would stay too empty."""

    top: float
    bottom: float
    soft: bool = False


def _table_kind(table: QTextTable) -> TableKind:
    """Returns what a table of a document for paper is: `paper` gives its rows a border, and code its own font."""
    if table.format().border() > 0:
        return TableKind.ROWS
    first = table.cellAt(0, 0).firstCursorPosition().block()
    return TableKind.CODE if table.columns() == 1 and first.blockFormat().boolProperty(CODE_LINE) else TableKind.FRAME


class Pagination:
    """Finds the pages of a document, which has its width and no height, for pages of a height in its pixels."""

    def __init__(self, document: QTextDocument, height: float) -> None:
        self._root = document.rootFrame()
        self._layout = document.documentLayout()
        self._height = height
        self._spans: list[_Span] = []
        self._starts: list[float] = []
        """The tops of the lines and tables that stand in no table."""
        self._ends: list[float] = []
        """The bottoms of the lines and tables that stand in no table."""
        self._tables: list[tuple[float, float, tuple[float, float] | None]] = []
        """The top and the bottom of each table that stands in no other, and its header."""
        self._inner_lines: dict[float, float] = {}
        """The bottom of each line that is neither the first nor the last of its block, by the line's top."""
        self._lead: float | None = None
        """The top of the headings right above the next part; None where there are none."""
        self._bottom = 0.0

    def pages(self) -> Iterator[Page | None]:
        """Yields the pages, in order, at least one; None before them, after each part of the document that was looked
        at, so that whoever asks can do something else meanwhile."""
        for _ in self._walk(self._root, within=False):
            yield None
        self._starts.sort()
        self._ends.sort()
        # What is longer than a page is cut anyhow.
        fitting = [span for span in self._spans if span.bottom - span.top <= self._height]
        spans = sorted(fitting, key=lambda span: span.top)
        tops = [span.top for span in spans]
        top = 0.0
        while True:
            header = self._header_at(top)
            room = self._height - (header[1] - header[0] if header else 0.0)
            if self._bottom <= top + room:
                yield Page(top, self._bottom + EDGE, header, self._inner_lines.get(top))
                return
            near = spans[bisect_left(tops, top) : bisect_left(tops, top + room)]
            cut = _cut(near, top, room)
            table = self._table_at(cut)
            if table:
                yield Page(top, cut + EDGE, header, self._inner_lines.get(top))
                top = cut
            else:
                # What is drawn may reach a hair above where it begins.
                bottom = self._ends[max(0, bisect_right(self._ends, cut + 0.5) - 1)]
                yield Page(top, bottom, header, self._inner_lines.get(top))
                top = self._starts[min(bisect_left(self._starts, cut - 0.5), len(self._starts) - 1)]

    def _table_at(self, place: float) -> tuple[float, float, tuple[float, float] | None] | None:
        after = bisect_left(self._tables, (place, 0.0))
        for table in self._tables[max(0, after - 1) : after]:
            if table[0] < place < table[1] - EDGE:
                return table
        return None

    def _header_at(self, top: float) -> tuple[float, float] | None:
        table = self._table_at(top)
        header = table[2] if table else None
        return header if header and header[1] - header[0] < self._height / 4 and top > header[1] - EDGE else None

    # What belongs together

    def _walk(self, part: QTextFrame | QTextTableCell, *, within: bool) -> Iterator[None]:
        """Goes through a frame, or a cell of a table, and yields after each part of it; `within` says whether it stands
        in a table."""
        entry = part.begin()
        while not entry.atEnd():
            child, block = entry.currentFrame(), entry.currentBlock()
            if isinstance(child, QTextTable):
                self._add_table(child, within=within)
            elif block.isValid():
                self._add_block(block, within=within)
            entry += 1
            yield

    def _add_block(self, block: QTextBlock, *, within: bool) -> None:
        is_rule = block.blockFormat().hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)
        lines = self._lines_of(block)
        if not lines or (block.length() == 1 and not is_rule):
            return
        if not within:
            self._starts += [top for top, _ in lines]
            self._ends += [bottom for _, bottom in lines]
        self._bottom = max(self._bottom, lines[-1][1])
        if block.blockFormat().headingLevel():
            self._lead = lines[0][0] if self._lead is None else self._lead
        else:
            self._add_lines(lines, 2)

    def _add_lines(self, lines: list[tuple[float, float]], least: int) -> None:
        """Adds lines of which `least` stand together at the beginning and at the end."""
        top = lines[0][0] if self._lead is None else self._lead
        self._lead = None
        if len(lines) < 2 * least:
            self._spans.append(_Span(top, lines[-1][1]))
            return
        self._spans.append(_Span(top, lines[least - 1][1]))
        self._spans += [_Span(*line) for line in lines[least:-least]]
        self._spans.append(_Span(lines[-least][0], lines[-1][1]))

    def _lines_of(self, block: QTextBlock) -> list[tuple[float, float]]:
        """Returns the top and the bottom of each line of a block."""
        top = self._layout.blockBoundingRect(block).top()
        lines = map(block.layout().lineAt, range(block.layout().lineCount()))
        places = [(top + line.y(), top + line.y() + line.height()) for line in lines]
        self._inner_lines.update(places[1:-1])
        return places

    def _add_table(self, table: QTextTable, *, within: bool) -> None:
        form, kind = table.format(), _table_kind(table)
        inset = form.cellPadding() + form.border()
        # Qt says where the first cell's content begins, and how high the whole is.
        rect = self._layout.frameBoundingRect(table)
        top = rect.top() - inset
        bottom = top + rect.height() - form.topMargin() - form.bottomMargin()
        lead = top if self._lead is None else self._lead
        self._lead = lead
        header = None
        if kind is TableKind.ROWS:
            header = self._add_rows(table, lead, top, bottom, inset)
        elif kind is TableKind.CODE:
            self._add_code(table, lead, bottom)
        else:
            there = len(self._spans)
            for column in range(table.columns()):
                self._lead = lead
                for _ in self._walk(table.cellAt(0, column), within=True):
                    pass
            if len(self._spans) > there:
                last = self._spans[-1]
                self._spans.append(_Span(last.top, bottom, last.soft))
        self._lead = None
        self._bottom = max(self._bottom, bottom)
        if not within:
            self._starts.append(top)
            self._ends.append(bottom)
            self._tables.append((top, bottom, header))

    def _add_code(self, table: QTextTable, lead: float, bottom: float) -> None:
        lines = list[tuple[float, float]]()
        entry = table.cellAt(0, 0).begin()
        while not entry.atEnd():
            if entry.currentBlock().isValid():
                lines += self._lines_of(entry.currentBlock())
            entry += 1
        self._spans.append(_Span(lead, bottom, soft=True))
        lines[-1] = (lines[-1][0], bottom)
        self._add_lines(lines, _CODE_LINES)

    def _add_rows(
        self, table: QTextTable, lead: float, top: float, bottom: float, inset: float
    ) -> tuple[float, float] | None:
        """Adds the rows of a table, and returns where its header lies."""
        tops = [top]
        for row in range(1, table.rows()):
            first = table.cellAt(row, 0).firstCursorPosition().block()
            tops.append(self._layout.blockBoundingRect(first).top() - inset)
        tops.append(bottom)
        if bottom - lead <= _TOGETHER * self._height:
            self._spans.append(_Span(lead, bottom, soft=True))
        heads = table.format().headerRowCount()
        # The header and what is above it stay with the first row.
        together = min(heads + 1, table.rows())
        self._spans.append(_Span(lead, tops[together], soft=tops[together] - lead > _TOGETHER * self._height))
        self._spans += [
            _Span(*row, soft=row[1] - row[0] > _TOGETHER * self._height)
            for row in zip(tops[together:], tops[together + 1 :], strict=False)
        ]
        for row in range(table.rows()):
            for column in range(table.columns()):
                block = table.cellAt(row, column).firstCursorPosition().block()
                self._spans += [_Span(*line) for line in self._lines_of(block)]
        return (top, tops[heads]) if heads and heads < table.rows() else None


def _cut(spans: list[_Span], top: float, room: float) -> float:
    """Returns where a page ends that begins at `top`, so that no span is cut; a soft one only if much stays empty."""
    for candidates in (spans, [span for span in spans if not span.soft]):
        cut = _before(candidates, top, top + room)
        if cut > top + _EMPTIEST * room:
            return cut
    return cut if cut > top else top + room


def _before(spans: list[_Span], top: float, cut: float) -> float:
    # They are in the order of their tops: one that is cut moves the end up, never into one that was looked at.
    for span in reversed(spans):
        if top < span.top < cut < span.bottom:
            cut = span.top
    return cut
