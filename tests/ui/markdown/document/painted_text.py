"""Texts written into a document as the window shows them, and what is painted of them besides the words."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QTextCursor, QTextDocument

from mnemoscope.ui.markdown.document.card_painter import CardPainter, Column
from mnemoscope.ui.markdown.document.document_writer import write_text
from mnemoscope.ui.markdown.document.text_style import TextStyle
from mnemoscope.ui.widgets.theme import Theme

WIDTH, HEIGHT = 400, 160


def document_of(text: str) -> QTextDocument:
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setTextWidth(WIDTH)
    write_text(QTextCursor(document), text, TextStyle(Theme.current()), WIDTH)
    document.documentLayout().documentSize()
    return document


def inked_columns(document: QTextDocument) -> list[int]:
    """Returns the columns in which something is painted besides the words."""
    picture = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    CardPainter(document).paint(painter, document.firstBlock(), QRectF(0, 0, WIDTH, HEIGHT), Column(0, WIDTH))
    painter.end()
    white = QColor("white").rgb()
    return [x for x in range(WIDTH) if any(picture.pixel(x, y) != white for y in range(HEIGHT))]
