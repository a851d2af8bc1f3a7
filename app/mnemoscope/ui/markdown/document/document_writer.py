"""Writes the pieces that the reader gives into a QTextDocument, with the theme's formats."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

from mnemoscope.ui.markdown.document.code_colouring import CodeCard
from mnemoscope.ui.markdown.document.formula_object import insert_formula
from mnemoscope.ui.markdown.document.text_style import (
    BUBBLE_PADDING,
    CARD_PADDING,
    LIST_INDENT,
    QUOTE_INDENT,
    CardKind,
    Mark,
    TextStyle,
)
from mnemoscope.ui.markdown.reading.reader import Piece, Run, Runs, read_text

_numbers: Final = count(1)
_ALIGNMENTS: Final = {
    "": Qt.AlignmentFlag.AlignLeft,
    "left": Qt.AlignmentFlag.AlignLeft,
    "right": Qt.AlignmentFlag.AlignRight,
    "center": Qt.AlignmentFlag.AlignHCenter,
}
_MIRRORED_ALIGNMENTS: Final = {
    "": Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute,
    "left": Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute,
    "right": Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute,
    "center": Qt.AlignmentFlag.AlignHCenter,
}
_CODE_LINE_HEIGHT: Final = 130.0
_ABOVE_TABLE: Final = 8.0
_BELOW_TABLE: Final = 8.0
"""Pixels between a table and what is next to it, where that has no more room itself."""


def next_number() -> int:
    """Returns a number no other card or bubble has."""
    return next(_numbers)


def space_below(above: QTextBlockFormat, block: QTextBlockFormat) -> float:
    """Returns the top margin that keeps a block clear of the edges of a card or bubble that it is not part of."""
    edges = [mark for mark in (Mark.CARD, Mark.BUBBLE) if above.intProperty(mark)]
    left = [mark for mark in edges if above.intProperty(mark) != block.intProperty(mark)]
    return max(block.topMargin(), 10.0) + 10.0 * len(left) if left else block.topMargin()


def _is_right_to_left(runs: Iterable[Run]) -> bool:
    """Returns whether a text layout lets a paragraph begin at the right: its first letter decides."""
    for run in runs:
        for char in run.text:
            direction = unicodedata.bidirectional(char)
            if direction in ("L", "R", "AL"):
                return direction != "L"
    return False


def _is_mirrored(piece: Piece) -> bool:
    """Returns whether a piece begins at the right; of a table, the letter that comes first in its cells decides."""
    cells = (run for row in piece.table for cell in row for run in cell)
    return _is_right_to_left(cells if piece.kind == "table" else piece.runs)


@dataclass(frozen=True, slots=True)
class Scope:
    """Tells what the pieces being written are part of."""

    bubble: int = 0
    muted: bool = False
    put_in: tuple[range, ...] = ()
    """Lines of the message that the person pasted or took from a file."""
    is_summary: bool = False
    """Whether the bubble is that of a summary."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Describes a picture in a line of text: the `name` under which the document has it, its `size` in pixels, and what
    a copy of it says, "" for nothing. A `look` with an action or an address makes it a link."""

    name: str
    size: tuple[float, float]
    look: QTextCharFormat
    tip: str
    source: str = ""


_SHOWN: Final = (240.0, 180.0)
"""Pixels that a picture takes in a text at most."""


def shown_size(width: int, height: int, most: float = _SHOWN[0]) -> tuple[float, float]:
    """Returns the pixels that a picture takes in a text, which are at most `most` across."""
    scale = min(1.0, min(_SHOWN[0], most) / width, _SHOWN[1] / height)
    return max(1.0, width * scale), max(1.0, height * scale)


class DocumentWriter:
    """Writes at a cursor, which stands in the block that was written last.

    `width` is that of the text column in pixels. With `fresh` the cursor's own block is taken first. The empty block
    after a table is taken only by what this writer wrote itself, or with `going_on`: it belongs to one message.
    `copy_action` gives the action that copies a code card, by the card's number; else none is offered.
    """

    def __init__(
        self,
        cursor: QTextCursor,
        style: TextStyle,
        width: float,
        *,
        fresh: bool = False,
        going_on: bool = False,
        copy_action: Callable[[int], Hashable] | None = None,
    ) -> None:
        self.cursor = cursor
        self.style = style
        self.width = width
        self.code_start = 0
        self._fresh = fresh
        self._going_on = going_on
        self._copy_action = copy_action
        self._quotation = 0
        self._is_quotation_mirrored = False
        self.pictured: Callable[[Run], Picture | None] = lambda _run: None
        """Returns the picture that is shown in the place of the words that describe it, if there is one."""

    def picture(self, picture: Picture, cursor: QTextCursor | None = None) -> None:
        """Writes a picture in the line, at `cursor` if that is another one."""
        image = QTextImageFormat()
        image.merge(picture.look)
        image.setName(picture.name)
        image.setWidth(picture.size[0])
        image.setHeight(picture.size[1])
        image.setToolTip(picture.tip)
        if picture.source:
            image.setProperty(Mark.FORMULA, picture.source)
        at = cursor or self.cursor
        at.insertImage(image)
        self._space_around_pictures(at)

    # Plain blocks

    def begin_block(self, block: QTextBlockFormat, chars: QTextCharFormat) -> None:
        """Starts a block; takes the empty one after a table, or of an empty document."""
        self._clear_card_above(block)
        spare = self._going_on and self.cursor.blockFormat().boolProperty(Mark.SPARE)
        if self._fresh or spare:
            self._clear_table_above(self.cursor.block(), block.topMargin())
            self.cursor.setBlockFormat(block)
            self.cursor.setBlockCharFormat(chars)
            self.cursor.setCharFormat(chars)
        else:
            self.cursor.insertBlock(block, chars)
        self._fresh, self._going_on = False, True

    def _clear_card_above(self, block: QTextBlockFormat) -> None:
        above = self._above()
        if above.isValid():
            block.setTopMargin(space_below(above.blockFormat(), block))

    def _above(self) -> QTextBlock:
        """Returns the block that what is written next stands below."""
        return self.cursor.block().previous() if self._fresh else self.cursor.block()

    def _clear_table_above(self, block: QTextBlock, room: float) -> None:
        """Gives the table that a block follows the room between both: Qt leaves out the top margin of such a block."""
        before = block.previous()
        if not before.isValid():
            return
        # The document finds the table at a place only once it is laid out; the mark of a cell names it at once.
        table = self.cursor.document().object(before.charFormat().objectIndex())
        if not isinstance(table, QTextTable):
            return
        form = table.format()
        below = max(_BELOW_TABLE, room)
        if form.bottomMargin() != below:
            form.setBottomMargin(below)
            table.setFormat(form)

    def words(self, text: str, chars: QTextCharFormat) -> None:
        """Adds text to the block being written."""
        self.cursor.insertText(text, chars)

    def runs(self, runs: Iterable[Run], *, muted: bool = False, heading: int = 0) -> None:
        """Adds running text to the block being written."""
        for run in runs:
            self._insert(self.cursor, run, muted=muted, heading=heading)

    def _insert(
        self, cursor: QTextCursor, run: Run, *, muted: bool = False, heading: int = 0, bold: bool = False
    ) -> None:
        """Inserts one run; a formula that is not drawn, or not yet, is its source, and a picture its description."""
        if run.picture and (picture := self.pictured(run)) is not None:
            self.picture(picture, cursor)
            return
        if "math" in run.styles:
            base = self.style.run(replace(run, styles=run.styles - {"math"}, href=""), muted=muted, heading=heading)
            if insert_formula(cursor, run.text, "display" in run.styles, base, self.width - 2 * BUBBLE_PADDING):
                return
        cursor.insertText(run.text, self.style.run(run, muted=muted, heading=heading, bold=bold))

    def _space_around_pictures(self, cursor: QTextCursor) -> None:
        """Sets the lines of a paragraph apart by what stands between lines of text: a share of a picture's height would
        be a gap above it, or below the message."""
        made = cursor.blockFormat()
        share = made.lineHeight() / 100 - 1
        if made.lineHeightType() == QTextBlockFormat.LineHeightTypes.ProportionalHeight.value and share > 0:
            between = QFontMetricsF(self.style.body.font()).height() * share
            made.setLineHeight(between, QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value)
            cursor.setBlockFormat(made)

    # Markdown

    def write(self, piece: Piece, scope: Scope, *, first: bool = False) -> int:
        """Writes one piece; `first` takes away the space above. Returns the card's number for code, else 0."""
        if piece.quotation != self._quotation:
            # The bar of a quotation stays on the side that its first words begin at.
            self._quotation, self._is_quotation_mirrored = piece.quotation, _is_mirrored(piece)
        if piece.kind == "code":
            return self._write_code(piece, scope)
        if piece.kind == "table":
            self._table(piece, scope)
        elif piece.kind == "rows":
            self.begin_block(self._format(piece, scope, 0), self.style.code)
            self.words(piece.code.replace("\n", "\u2028"), self.style.code)
        elif piece.kind == "rule":
            made = self._format(piece, scope, 10)
            made.setProperty(Mark.RULE, True)
            self.begin_block(made, self.style.caption)
            # A block without a character is not laid out where it follows a table.
            self.words("\u200b", self.style.caption)
        else:
            self._running(piece, scope, first=first)
        return 0

    def _running(self, piece: Piece, scope: Scope, *, first: bool) -> None:
        spaces = {"heading": self.style.heading_space[piece.level - 1], "item": 3}
        space = 3 if piece.close else spaces.get(piece.kind, 9)
        made = self._format(piece, scope, 0 if first else space)
        if piece.kind == "heading":
            made.setHeadingLevel(piece.level)
            made.setLineHeight(125, made.lineHeightType())
        self.begin_block(made, self.style.run(Run(""), muted=scope.muted, heading=piece.level))
        self.runs(piece.runs, muted=scope.muted, heading=piece.level)

    def _format(self, piece: Piece, scope: Scope, top: float) -> QTextBlockFormat:
        made = self.style.block(top, *self._margins(piece, scope))
        if piece.quote:
            inset = BUBBLE_PADDING if scope.bubble else 0
            made.setProperty(Mark.QUOTE, piece.quote)
            made.setProperty(Mark.QUOTATION, piece.quotation)
            made.setProperty(Mark.QUOTE_LEFT, float(inset + LIST_INDENT * piece.outside))
            made.setProperty(Mark.QUOTE_MIRRORED, self._is_quotation_mirrored)
        if piece.kind == "item":
            made.setProperty(Mark.MARKER, piece.marker)
            made.setProperty(Mark.DEPTH, piece.depth)
        put_in = any(piece.first_line < lines.stop and piece.last_line >= lines.start for lines in scope.put_in)
        if put_in:
            made.setProperty(Mark.PUT_IN, True)
        if put_in or piece.quote or piece.kind in ("item", "rule"):
            made.setProperty(Mark.PAINTED, True)
        if scope.bubble:
            made.setProperty(Mark.BUBBLE, scope.bubble)
            made.setProperty(Mark.SUMMARY, scope.is_summary)
        made.setProperty(Mark.FIRST_LINE, piece.first_line + 1)
        made.setProperty(Mark.LAST_LINE, piece.last_line + 1)
        return made

    def _margins(self, piece: Piece, scope: Scope) -> tuple[float, float]:
        """Returns the room left and right of a piece: that of its lists is where its lines begin, as the list's marker
        stands there, and that of a quotation's bars at their side."""
        left = right = float(BUBBLE_PADDING if scope.bubble else 0)
        if _is_mirrored(piece):
            right += LIST_INDENT * piece.depth
        else:
            left += LIST_INDENT * piece.depth
        if self._is_quotation_mirrored:
            right += QUOTE_INDENT * piece.quote
        else:
            left += QUOTE_INDENT * piece.quote
        return left, right

    # Cards

    def begin_card(self, base: QTextBlockFormat, kind: CardKind, *, tab: bool = True) -> QTextBlockFormat:
        """Returns the format of a new card's first line, with a tab stop at its right edge."""
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

    def _write_code(self, piece: Piece, scope: Scope) -> int:
        """Writes a code card, uncoloured; returns its number."""
        header = self.begin_card(self._format(piece, scope, 10), CardKind.CODE)
        number = header.intProperty(Mark.CARD)
        if self._copy_action is not None:
            self.begin_block(header, self.style.caption)
            self.words(piece.info.split(" ")[0][:40], self.style.chars("caption", "text_faint"))
            self.words("\t", self.style.caption)
            words = QCoreApplication.translate("Transcript", "Copy")
            self.words(words, self.style.action(self._copy_action(number), role="text_muted"))
        self._begin_code_lines(header)
        self.code_start = self.cursor.position()
        self.cursor.insertText(piece.code, self.style.code)
        if self._copy_action is None:
            self._give_top_margin(header.topMargin())
        return number

    def _give_top_margin(self, margin: float) -> None:
        """Gives the first line of a card without a header the space that a header would have."""
        first = QTextCursor(self.cursor)
        first.setPosition(self.code_start)
        made = first.blockFormat()
        made.setTopMargin(margin)
        first.setBlockFormat(made)
        self._clear_table_above(first.block(), margin)

    def _begin_code_lines(self, header: QTextBlockFormat) -> None:
        """Starts the lines under a card's header."""
        lines = QTextBlockFormat(header)
        lines.setTopMargin(0)
        lines.setLineHeight(_CODE_LINE_HEIGHT, header.lineHeightType())
        lines.clearProperty(Mark.CHROME)
        lines.clearProperty(QTextFormat.Property.TabPositions)
        lines.clearProperty(Mark.RIGHT_TAB)
        lines.setNonBreakableLines(False)
        self.begin_block(lines, self.style.code)

    # Tables

    def _table(self, piece: Piece, scope: Scope) -> None:
        # Each part of a long table has its header; only the first shows it.
        rows = piece.table[1:] if piece.part else piece.table
        if not rows:
            return
        if not piece.part:
            # Its first line may have come as a paragraph.
            self._clear_table_above(self.cursor.block(), _BELOW_TABLE)
        form = self._table_format(piece, scope, len(piece.sides))
        table = self.cursor.insertTable(len(rows), len(piece.sides), form)
        # A table is laid out from left to right, whatever its direction: the first column of one that is read from the
        # right is its last.
        order = -1 if _is_mirrored(piece) else 1
        forms = [self._cell_format(piece, scope, side) for side in piece.sides][::order]
        for number, row in enumerate(rows):
            self._row(table, number, row[::order], forms, scope)
        if not piece.part:
            self._shade_header(table)
        self.cursor = table.lastCursorPosition()
        self.cursor.movePosition(QTextCursor.MoveOperation.NextBlock)
        self.cursor.setBlockFormat(self.style.spare_block)
        self.cursor.setBlockCharFormat(self.style.spare_chars)

    def _table_format(self, piece: Piece, scope: Scope, columns: int) -> QTextTableFormat:
        form = QTextTableFormat()
        form.setBorder(1)
        form.setBorderBrush(self.style.theme.color("border"))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderCollapse(True)
        form.setCellSpacing(0)
        form.setCellPadding(6)
        form.setHeaderRowCount(0 if piece.part else 1)
        left, right = self._margins(piece, scope)
        form.setLeftMargin(left)
        form.setRightMargin(right)
        if _is_mirrored(piece):
            form.setAlignment(Qt.AlignmentFlag.AlignRight)
            form.setProperty(Mark.MIRRORED_ROOM, right)
            set_mirrored_room(form, self.cursor.document())
        above = self._above()
        is_below_card = above.isValid() and bool(above.blockFormat().intProperty(Mark.CARD))
        form.setTopMargin(0 if piece.part else _ABOVE_TABLE + (CARD_PADDING if is_below_card else 0))
        form.setBottomMargin(0 if piece.continued else _BELOW_TABLE)
        if piece.part or piece.continued:
            # Parts of one table must agree on their columns without seeing each other.
            form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
            share = QTextLength(QTextLength.Type.PercentageLength, 100 / columns)
            form.setColumnWidthConstraints([share] * columns)
        return form

    def _cell_format(self, piece: Piece, scope: Scope, side: str) -> QTextBlockFormat:
        made = self.style.block(line=120)
        made.setAlignment((_MIRRORED_ALIGNMENTS if _is_mirrored(piece) else _ALIGNMENTS)[side])
        made.setProperty(Mark.FIRST_LINE, piece.first_line + 1)
        made.setProperty(Mark.LAST_LINE, piece.last_line + 1)
        if scope.bubble:
            made.setProperty(Mark.BUBBLE, scope.bubble)
            made.setProperty(Mark.SUMMARY, scope.is_summary)
        return made

    def _row(
        self, table: QTextTable, number: int, row: tuple[Runs, ...], forms: list[QTextBlockFormat], scope: Scope
    ) -> None:
        header = table.format().headerRowCount() > number
        for column, (cell, form) in enumerate(zip(row, forms, strict=True)):
            cursor = table.cellAt(number, column).firstCursorPosition()
            cursor.setBlockFormat(form)
            for run in cell:
                self._insert(cursor, run, muted=scope.muted, bold=header)

    def _shade_header(self, table: QTextTable) -> None:
        shade = QTextTableCellFormat()
        shade.setBackground(self.style.theme.color("sunken"))
        for column in range(table.columns()):
            table.cellAt(0, column).setFormat(shade)


def write_text(
    cursor: QTextCursor,
    text: str,
    style: TextStyle,
    width: float,
    *,
    breaks: bool = False,
    pictured: Callable[[Run], Picture | None] | None = None,
) -> list[CodeCard]:
    """Writes a whole untrusted text into an empty document; returns its code cards, which are without colours yet.

    Headings have their level, tables are tables, links have the address that is judged before anything is opened.
    `breaks` keeps single line ends; `pictured` gives the picture in the place of its description.
    """
    pieces, left_out = read_text(text, breaks=breaks)
    writer = DocumentWriter(cursor, style, width, fresh=True)
    if pictured is not None:
        writer.pictured = pictured
    cards: list[CodeCard] = []
    for place, piece in enumerate(_whole_tables(pieces)):
        if writer.write(piece, Scope(), first=not place):
            start = QTextCursor(cursor.document())
            start.setPosition(writer.code_start)
            cards.append(CodeCard(start, piece.code, piece.info))
    if left_out:
        writer.begin_block(style.block(9), style.caption)
        words = QCoreApplication.translate("Transcript", "{count} more characters are not shown here.")
        writer.words(words.format(count=f"{left_out:,}"), style.caption)
    return cards


def _whole_tables(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Puts the parts of long tables together: a text that is there already need not be drawn in parts."""
    held: Piece | None = None
    for piece in pieces:
        if held is not None and piece.kind == "table" and piece.part:
            table = (*held.table, *piece.table[1:])
            held = replace(held, last_line=piece.last_line, table=table, continued=False)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def set_right_tab(made: QTextBlockFormat, width: float) -> None:
    """Puts the tab stop at the right edge of a text column of `width` pixels."""
    at = width - made.leftMargin() - made.rightMargin() - 1
    made.setTabPositions([QTextOption.Tab(max(at, 40), QTextOption.TabType.RightTab)])
    made.setProperty(Mark.RIGHT_TAB, True)


def set_mirrored_room(form: QTextTableFormat, document: QTextDocument) -> None:
    """Leaves the room at the right of a table that stands there. The layout counts it from the edge of the page, but
    sets the table in by the page's left margin all the same."""
    form.setRightMargin(form.doubleProperty(Mark.MIRRORED_ROOM) + document.rootFrame().frameFormat().leftMargin())


def find_card(document: QTextDocument, within: tuple[int, int], action: int) -> tuple[int, int] | None:
    """Returns the first and last position of the card whose header offers the action of this number, looked for from
    the end."""
    block = document.findBlock(within[1])
    while block.isValid() and block.position() >= within[0]:
        number = block.blockFormat().intProperty(Mark.CARD)
        if number and _offers(block, action):
            last = block
            while last.next().isValid() and last.next().blockFormat().intProperty(Mark.CARD) == number:
                last = last.next()
            return block.position(), last.position() + last.length() - 1
        block = block.previous()
    return None


def _offers(block: QTextBlock, action: int) -> bool:
    return any(fragment.charFormat().intProperty(Mark.ACTION) == action for fragment in fragments_of(block))


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """Returns the runs of one format within a block."""
    entry = block.begin()
    while not entry.atEnd():
        yield entry.fragment()
        entry += 1
