"""A tab in code takes the room of four characters, as editors have it, and not of a dozen."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from mnemoscope.ui.markdown.document.document_writer import write_text
from mnemoscope.ui.markdown.document.markdown_view import MarkdownView
from mnemoscope.ui.markdown.document.text_column import TextColumn
from mnemoscope.ui.widgets.theme import Theme

CODE = "```go\nif x {\n\treturn\n}\n```"

pytestmark = pytest.mark.usefixtures("qapp")


def tab_width(document: QTextDocument) -> float:
    """Returns how wide the first tab of a document is, in characters of code."""
    document.setTextWidth(400)
    document.documentLayout().documentSize()
    block = document.firstBlock()
    while not block.text().startswith("\t"):
        block = block.next()
    line = block.layout().lineAt(0)
    assert line.isValid()
    after, before = line.cursorToX(1), line.cursorToX(0)
    assert isinstance(after, tuple)
    assert isinstance(before, tuple)
    return float(after[0] - before[0]) / QFontMetricsF(Theme.current().font("code")).horizontalAdvance(" ")


def test_in_the_conversation() -> None:
    column = TextColumn()
    write_text(QTextCursor(column.document), CODE, column.style, 400)
    assert tab_width(column.document) == pytest.approx(4, abs=0.5)


def test_in_a_preview(qtbot: QtBot) -> None:
    view = MarkdownView(None, 8)
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.write(CODE)
    assert tab_width(view.document()) == pytest.approx(4, abs=0.5)
