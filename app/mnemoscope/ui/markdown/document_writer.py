"""Writes Markdown blocks into a QTextDocument with the theme's formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

from mnemoscope.ui.markdown.block_splitter import TABLE_LIMIT, TABLE_ROWS, Block, alignments_of, cells_of
from mnemoscope.ui.markdown.inline_runs import Run, runs_of
from mnemoscope.ui.markdown.markdown_inline import inline_html
from mnemoscope.ui.markdown.text_style import (
    BUBBLE_PADDING,
    CARD_PADDING,
    INTERNAL,
    LIST_INDENT,
    QUOTE_INDENT,
    CardKind,
    Mark,
    TextStyle,
)

_numbers: Final = count(1)
_ALIGNMENTS: Final = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "right": Qt.AlignmentFlag.AlignRight,
    "center": Qt.AlignmentFlag.AlignHCenter,
}
_HEADING_SPACE: Final = (18, 16, 14, 12, 12, 12)
CODE_LINE_HEIGHT: Final = 130.0


def next_number() -> int:
    """A number no other card or bubble has."""
    return next(_numbers)


def space_below(above: QTextBlockFormat, block: QTextBlockFormat) -> float:
    """The top margin that keeps a block clear of the painted edges of the card and the bubble it is not part of."""
    edges = [mark for mark in (Mark.CARD, Mark.BUBBLE) if above.intProperty(mark)]
    left = [mark for mark in edges if above.intProperty(mark) != block.intProperty(mark)]
    return max(block.topMargin(), 10.0) + 10.0 * len(left) if left else block.topMargin()


@dataclass(frozen=True, slots=True)
class Scope:
    """What the blocks being written are part of."""

    bubble: int = 0
    muted: bool = False
    definitions: Mapping[str, str] | None = None
    put_in: tuple[range, ...] = ()
    """Lines of the message that the person pasted or took from a file."""


class DocumentWriter:
    """Writes at a cursor, which stands in the block that was written last.

    `width` is that of the text column in pixels. With `fresh` the cursor's own block is taken first. The empty block
    after a table is taken only by what this writer wrote itself, or with `going_on`: it belongs to one message.
    """

    def __init__(
        self, cursor: QTextCursor, style: TextStyle, width: float, *, fresh: bool = False, going_on: bool = False
    ) -> None:
        self.cursor = cursor
        self.style = style
        self.width = width
        self.code_start = 0
        self._fresh = fresh
        self._going_on = going_on

    # Plain blocks

    def begin_block(self, block: QTextBlockFormat, chars: QTextCharFormat) -> None:
        """Start a block; takes the empty one after a table, or of an empty document."""
        self._clear_card_above(block)
        spare = self._going_on and self.cursor.blockFormat().boolProperty(Mark.SPARE)
        if self._fresh or spare:
            self.cursor.setBlockFormat(block)
            self.cursor.setBlockCharFormat(chars)
            self.cursor.setCharFormat(chars)
        else:
            self.cursor.insertBlock(block, chars)
        self._fresh, self._going_on = False, True

    def _clear_card_above(self, block: QTextBlockFormat) -> None:
        above = self.cursor.block().previous() if self._fresh else self.cursor.block()
        if above.isValid():
            block.setTopMargin(space_below(above.blockFormat(), block))

    def words(self, text: str, chars: QTextCharFormat) -> None:
        """Add text to the block being written."""
        self.cursor.insertText(text, chars)

    def runs(self, runs: Iterable[Run], *, muted: bool = False, heading: int = 0, bold: bool = False) -> None:
        """Add running text to the block being written."""
        for run in runs:
            self.cursor.insertText(run.text, self.style.run(run, muted=muted, heading=heading, bold=bold))

    # Markdown

    def write(self, block: Block, scope: Scope, *, first: bool = False) -> int:
        """Write one block; `first` takes away the space above. Returns the card's number for code, else 0."""
        if block.kind == "code":
            return self.write_code(block, scope)
        if block.kind == "table":
            self._table(block, scope)
        elif block.kind == "rule":
            made = self._format(block, scope, 10)
            made.setProperty(Mark.RULE, True)
            self.begin_block(made, self.style.caption)
            # A block without a character is not laid out where it follows a table.
            self.words("\u200b", self.style.caption)
        elif block.kind != "definition":
            self._running(block, scope, first=first)
        return 0

    def _running(self, block: Block, scope: Scope, *, first: bool) -> None:
        space = _HEADING_SPACE[block.level - 1] if block.kind == "heading" else 3 if block.kind == "item" else 9
        made = self._format(block, scope, 0 if first else space)
        if block.kind == "heading":
            made.setHeadingLevel(block.level)
            made.setLineHeight(125, made.lineHeightType())
        runs = runs_of(inline_html(block.text, scope.definitions))
        self.begin_block(made, self.style.run(Run(""), muted=scope.muted, heading=block.level))
        self.runs(runs, muted=scope.muted, heading=block.level)

    def _format(self, block: Block, scope: Scope, top: float) -> QTextBlockFormat:
        inset = BUBBLE_PADDING if scope.bubble else 0
        left = inset + LIST_INDENT * block.depth + QUOTE_INDENT * block.quote
        made = self.style.block(top, left, inset)
        if block.quote:
            made.setProperty(Mark.QUOTE, block.quote)
            made.setProperty(Mark.QUOTATION, block.quotation)
            made.setProperty(Mark.QUOTE_LEFT, float(inset + LIST_INDENT * block.depth))
        if block.kind == "item":
            made.setProperty(Mark.MARKER, block.marker)
            made.setProperty(Mark.DEPTH, block.depth)
        put_in = any(block.first_line < lines.stop and block.last_line >= lines.start for lines in scope.put_in)
        if put_in:
            made.setProperty(Mark.PUT_IN, True)
        if put_in or block.quote or block.kind in ("item", "rule"):
            made.setProperty(Mark.PAINTED, True)
        if scope.bubble:
            made.setProperty(Mark.BUBBLE, scope.bubble)
        made.setProperty(Mark.FIRST_LINE, block.first_line + 1)
        made.setProperty(Mark.LAST_LINE, block.last_line + 1)
        return made

    # Cards

    def begin_card(self, base: QTextBlockFormat, kind: CardKind, *, tab: bool = True) -> QTextBlockFormat:
        """The format of a new card's first line, with a tab stop at its right edge."""
        made = QTextBlockFormat(base)
        made.setProperty(Mark.CARD, next_number())
        made.setProperty(Mark.CARD_KIND, int(kind))
        made.setProperty(Mark.CHROME, True)
        made.setTopMargin(base.topMargin() + 10)
        made.setLeftMargin(base.leftMargin() + CARD_PADDING)
        made.setRightMargin(base.rightMargin() + CARD_PADDING)
        if tab:
            set_right_tab(made, self.width)
        return made

    def write_code(self, block: Block, scope: Scope) -> int:
        """Write a code card, uncoloured; returns its number."""
        header = self.begin_card(self._format(block, scope, 10), CardKind.CODE)
        number = header.intProperty(Mark.CARD)
        self.begin_block(header, self.style.caption)
        self.words(block.info.split(" ")[0][:40], self.style.chars("caption", "text_faint"))
        self.words("\t", self.style.caption)
        self.words(
            QCoreApplication.translate("Transcript", "Copy"),
            self.style.link(f"{INTERNAL}code/{number}", role="text_muted"),
        )
        self.begin_code_lines(header)
        self.code_start = self.cursor.position()
        self.cursor.insertText(block.text, self.style.code)
        return number

    def begin_code_lines(self, header: QTextBlockFormat) -> None:
        """Start the lines under a card's header."""
        lines = QTextBlockFormat(header)
        lines.setTopMargin(0)
        lines.setLineHeight(CODE_LINE_HEIGHT, header.lineHeightType())
        lines.clearProperty(Mark.CHROME)
        lines.clearProperty(QTextFormat.Property.TabPositions)
        lines.clearProperty(Mark.RIGHT_TAB)
        lines.setNonBreakableLines(False)
        self.begin_block(lines, self.style.code)

    # Tables

    def _table(self, block: Block, scope: Scope) -> None:
        header, delimiters, *rows = block.text.split("\n")
        if block.part * TABLE_ROWS >= TABLE_LIMIT:
            self.begin_block(self._format(block, scope, 0), self.style.code)
            self.words("\u2028".join(rows), self.style.code)
            return
        sides = alignments_of(delimiters)
        lines = rows if block.part else [header, *rows]
        form = self._table_format(block, scope, len(sides))
        if not lines:
            return
        table = self.cursor.insertTable(len(lines), len(sides), form)
        forms = [self._cell_format(block, scope, side) for side in sides]
        for number, line in enumerate(lines):
            self._row(table, number, line, forms, scope)
        if not block.part:
            self._shade_header(table)
        self.cursor = table.lastCursorPosition()
        self.cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        self.cursor.setBlockFormat(self.style.spare_block)
        self.cursor.setBlockCharFormat(self.style.spare_chars)

    def _table_format(self, block: Block, scope: Scope, columns: int) -> QTextTableFormat:
        form = QTextTableFormat()
        form.setBorder(1)
        form.setBorderBrush(self.style.theme.color("border"))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderCollapse(True)
        form.setCellSpacing(0)
        form.setCellPadding(6)
        form.setHeaderRowCount(0 if block.part else 1)
        inset = BUBBLE_PADDING if scope.bubble else 0
        form.setLeftMargin(inset + LIST_INDENT * block.depth + QUOTE_INDENT * block.quote)
        form.setRightMargin(inset)
        form.setTopMargin(0 if block.part else 8)
        form.setBottomMargin(0 if block.continued else 4)
        if block.part or block.continued:
            # Parts of one table must agree on their columns without seeing each other.
            form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            share = QTextLength(QTextLength.Type.PercentageLength, 100 / columns)
            form.setColumnWidthConstraints([share] * columns)
        return form

    def _cell_format(self, block: Block, scope: Scope, side: str) -> QTextBlockFormat:
        made = self.style.block(line=120)
        made.setAlignment(_ALIGNMENTS[side])
        made.setProperty(Mark.FIRST_LINE, block.first_line + 1)
        made.setProperty(Mark.LAST_LINE, block.last_line + 1)
        if scope.bubble:
            made.setProperty(Mark.BUBBLE, scope.bubble)
        return made

    def _row(self, table: QTextTable, number: int, line: str, forms: list[QTextBlockFormat], scope: Scope) -> None:
        header = table.format().headerRowCount() > number
        cells = cells_of(line)[: len(forms)]
        for column, (cell, form) in enumerate(zip(cells, forms, strict=False)):
            cursor = table.cellAt(number, column).firstCursorPosition()
            cursor.setBlockFormat(form)
            for run in runs_of(inline_html(cell, scope.definitions)):
                cursor.insertText(run.text, self.style.run(run, muted=scope.muted, bold=header))

    def _shade_header(self, table: QTextTable) -> None:
        shade = QTextTableCellFormat()
        shade.setBackground(self.style.theme.color("sunken"))
        for column in range(table.columns()):
            table.cellAt(0, column).setFormat(shade)


def set_right_tab(made: QTextBlockFormat, width: float) -> None:
    """Put the tab stop at the right edge of a text column of `width` pixels."""
    at = width - made.leftMargin() - made.rightMargin() - 1
    made.setTabPositions([QTextOption.Tab(max(at, 40), QTextOption.TabType.RightTab)])
    made.setProperty(Mark.RIGHT_TAB, True)


def find_card(document: QTextDocument, within: tuple[int, int], address: str) -> tuple[int, int] | None:
    """First and last position of the card whose header links to `address`, looked for from the end."""
    block = document.findBlock(within[1])
    while block.isValid() and block.position() >= within[0]:
        number = block.blockFormat().intProperty(Mark.CARD)
        if number and _links_to(block, address):
            last = block
            while last.next().isValid() and last.next().blockFormat().intProperty(Mark.CARD) == number:
                last = last.next()
            return block.position(), last.position() + last.length() - 1
        block = block.previous()
    return None


def _links_to(block: QTextBlock, address: str) -> bool:
    return any(fragment.charFormat().anchorHref() == address for fragment in fragments_of(block))


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """The runs of one format within a block."""
    entry = block.begin()
    while not entry.atEnd():
        yield entry.fragment()
        entry += 1
