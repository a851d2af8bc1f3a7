"""A table keeps clear of what stands above and below it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextTable

from mnemoscope.ui.markdown.document.text_style import CARD_PADDING
from tests.ui.markdown.document.painted_text import document_of

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
LEAST = 8.0

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("below", ["words", "## Title", "- item", "> quoted", "---"])
def test_what_follows_a_table_stands_clear_of_it(below: str) -> None:
    assert _room_below(f"{TABLE}\n{below}\n") >= LEAST


def test_the_card_of_code_stands_clear_of_a_table_on_both_sides() -> None:
    code = "```python\nprint()\n```"
    # The card's edge is 10 pixels above its first line.
    assert _room_below(f"{TABLE}\n{code}\n") >= LEAST + 10
    document = document_of(f"{code}\n\n{TABLE}")
    (table,) = document.rootFrame().childFrames()
    layout, last = document.documentLayout(), table.firstCursorPosition().block().previous()
    cells_top = layout.blockBoundingRect(table.firstCursorPosition().block()).top()
    assert cells_top - layout.blockBoundingRect(last).bottom() >= LEAST + CARD_PADDING


def _room_below(text: str) -> float:
    """Returns the pixels between the border of the only table and the first line after it."""
    document = document_of(text)
    (table,) = document.rootFrame().childFrames()
    assert isinstance(table, QTextTable)
    layout, last = document.documentLayout(), table.lastCursorPosition().block()
    following = last.next()
    line = following.layout().boundingRect().translated(following.layout().position())
    edge = layout.blockBoundingRect(last).bottom() + table.format().cellPadding() + 1
    return float(line.top() - edge)
