"""What is written from right to left stands at the right: tables, and quotations with their bars."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextBlock, QTextDocument, QTextTable

from mnemoscope.ui.markdown.document.document_writer import DocumentWriter, Scope
from mnemoscope.ui.markdown.document.text_column import TextColumn
from mnemoscope.ui.markdown.document.text_style import QUOTE_INDENT
from mnemoscope.ui.markdown.reading.reader import read_text
from tests.ui.markdown.document.painted_text import WIDTH, document_of, inked_columns

NAME, CITY = "\u0627\u0644\u0627\u0633\u0645", "\u0627\u0644\u0645\u062f\u064a\u0646\u0629"
HEBREW = "\u05e9\u05dc\u05d5\u05dd"

pytestmark = pytest.mark.usefixtures("qapp")


def table_in(document: QTextDocument) -> QTextTable:
    (table,) = (frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))
    return table


def cell(table: QTextTable, row: int, column: int) -> QTextBlock:
    return table.cellAt(row, column).firstCursorPosition().block()


def test_the_bar_of_a_quotation_stands_where_its_words_begin() -> None:
    latin, arabic = inked_columns(document_of("> words")), inked_columns(document_of(f"> {NAME}"))
    assert latin
    assert max(latin) <= 3
    assert arabic
    assert min(arabic) >= WIDTH - 3


def test_a_bar_stays_on_its_side_and_nested_ones_stand_within() -> None:
    document = document_of(f"> {HEBREW}\n>\n> words\n>\n> > {NAME}")
    assert {x >= WIDTH - QUOTE_INDENT - 3 for x in inked_columns(document)} == {True}
    block, rights = document.firstBlock(), list[float]()
    while block.isValid():
        rights.append(block.blockFormat().rightMargin())
        assert block.blockFormat().leftMargin() == 0
        block = block.next()
    assert rights == [QUOTE_INDENT, QUOTE_INDENT, 2 * QUOTE_INDENT]


def test_a_quotation_that_begins_from_the_left_keeps_its_bar_there() -> None:
    document = document_of(f"> words\n>\n> {HEBREW}")
    assert max(inked_columns(document)) <= 3
    # The next one is another.
    assert min(inked_columns(document_of(f"> {HEBREW}\n\nwords\n\n> {NAME}"))) >= WIDTH - 3


def test_a_table_stands_at_the_right_and_its_first_column_too() -> None:
    document = document_of(f"| {NAME} | {CITY} |\n|---|--:|\n| 12 | Paris |\n")
    table = table_in(document)
    layout = document.documentLayout()
    assert WIDTH - 10 <= layout.blockBoundingRect(cell(table, 0, 1)).right() <= WIDTH
    assert cell(table, 0, 1).text() == NAME
    assert cell(table, 1, 1).text() == "12"
    assert cell(table, 1, 0).text() == "Paris"
    # What is no letter stands at the right of its column as well.
    block = cell(table, 1, 1)
    line = block.layout().lineAt(0).naturalTextRect()
    assert line.right() == pytest.approx(layout.blockBoundingRect(block).width(), abs=1)


def test_a_table_at_the_right_stays_within_its_column_however_wide_the_view_is() -> None:
    column = TextColumn()
    with column.editing() as cursor:
        DocumentWriter(cursor, column.style, column.column_width, fresh=True).write(
            read_text(f"| {NAME} | {CITY} |\n|---|---|\n| 1 | 2 |\n")[0][0], Scope()
        )
    layout = column.document.documentLayout()
    for width in (400, 760, 1200):
        column.set_width(width, width)
        column.document.setTextWidth(width)
        edge = layout.blockBoundingRect(cell(table_in(column.document), 0, 1)).right()
        assert column.column_left + column.column_width - 10 <= edge <= column.column_left + column.column_width


def test_a_table_from_left_to_right_is_as_it_was() -> None:
    document = document_of(f"| name | {CITY} |\n|---|---|\n| 12 | {NAME} |\n")
    table = table_in(document)
    assert document.documentLayout().blockBoundingRect(cell(table, 0, 0)).left() < 10
    assert [cell(table, 0, 0).text(), cell(table, 0, 1).text()] == ["name", CITY]
