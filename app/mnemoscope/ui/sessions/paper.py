"""A conversation on paper, or in a PDF: laid out by Qt's own text documents, which load nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgRenderer

from mnemoscope.agent.export.exported_conversation import (
    Aside,
    ExportedConversation,
    ExportedEntry,
    ExportWords,
    entries_of,
)
from mnemoscope.domain.conversation.attachment import Attachment, image_words
from mnemoscope.ui.markdown.drawn_formula import Formula
from mnemoscope.ui.markdown.html_writer import FormulaImage, html_of, no_image
from mnemoscope.ui.markdown.untrusted_text import tidied

ASIDE_LINES: Final = 30
"""Lines of a tool's result that are printed; the other forms of an export hold all of it."""
_MARGIN: Final = QMarginsF(18, 16, 18, 18)
"""In millimetres."""
_POINTS: Final = 10
_RESOLUTION: Final = 96
"""Dots to the inch that lengths are counted in; the letters are drawn as outlines all the same."""
_AT_ONCE: Final = 20_000
"""Characters of HTML that are added to a document at once."""
_SHARPNESS: Final = 4
"""Dots of a formula's picture to one of its pixels."""
_FOOT: Final = 24
"""Dots at the foot of a page for its number."""
_INK: Final = QColor("#1b1f24")
_MUTED: Final = QColor("#57606a")
_WIDEST: Final = 520.0
_HIGHEST: Final = 640.0
"""Pixels that an image takes on a page of A4 at most."""
_STYLE: Final = """
h1 { font-size: 17pt; } h2 { font-size: 13pt; } h3, h4, h5, h6 { font-size: 11pt; }
pre { background-color: #f0f1f3; } code, pre { font-family: monospace; font-size: 9pt; }
a { color: #1d4ed8; text-decoration: none; } th { background-color: #f0f1f3; }
.who, .note { color: #57606a; font-size: 9pt; } .pointer { color: #7c3aed; font-size: 9pt; }
"""


def paper_parts(
    conversation: ExportedConversation,
    words: ExportWords,
    image: FormulaImage = no_image,
    images: Collection[str] = (),
) -> Iterator[str]:
    """Yields what is laid out, a message at a time: HTML as Qt's documents know it, with nothing of a message's own.
    `image` shows formulas; `images` are the addresses of the images of messages that are there."""
    count = words.exported.format(count=f"{len(conversation.messages):,}")
    yield f'<h1>{_text(conversation.title or words.untitled)}</h1><p class="note">{_text(count)}</p>'
    for entry in entries_of(conversation, words):
        yield _entry(entry, image, images)


def _entry(entry: ExportedEntry, image: FormulaImage, images: Collection[str]) -> str:
    if entry.kind == "pointer":
        return f'<hr><p class="pointer" align="center">{_text(entry.words)}</p>'
    if entry.kind == "gap":
        return f'<p class="note">{_text(entry.words)}</p>'
    when = f" · {entry.when:%Y-%m-%d %H:%M}" if entry.when else ""
    said = html_of(entry.words, image) if entry.words.strip() else ""
    if said and entry.kind == "user":
        said = f'<table width="100%" cellpadding="6" bgcolor="#e8effd"><tr><td>{said}</td></tr></table>'
    said += "".join(_image(each, images) for each in entry.images)
    asides = "".join(map(_aside, entry.asides))
    notes = "".join(f'<p class="note">{_text(note)}</p>' for note in entry.notes)
    return f'<p class="who"><br>{_text(entry.speaker)}{when}</p>{said}{asides}{notes}'


def _image(attachment: Attachment, there: Collection[str]) -> str:
    """Returns an image as wide as the paper has room for it, or words that stand for one that is gone."""
    address = image_address(attachment)
    if address not in there:
        return f'<p class="note">{_text(image_words(attachment))}</p>'
    scale = min(1.0, _WIDEST / attachment.width, _HIGHEST / attachment.height)
    width, height = (max(1, round(side * scale)) for side in (attachment.width, attachment.height))
    return f'<p><img src="{address}" width="{width}" height="{height}"></p>'


def _aside(aside: Aside) -> str:
    texts = []
    for label, text in aside.texts:
        lines = tidied(text).split("\n")
        cut = "\n…" if len(lines) > ASIDE_LINES else ""
        shown = "\n".join(lines[:ASIDE_LINES]) + cut
        texts.append((f'<p class="note">{_text(label)}</p>' if label else "") + f"<pre>{escape(shown)}</pre>")
    return f'<p class="note"><b>{_text(aside.title)}</b></p>{"".join(texts)}'


def _text(text: str) -> str:
    return escape(tidied(text))


@dataclass(frozen=True, slots=True)
class PaperPictures:
    """Holds the pictures that stand on paper, by their addresses: formulas that are drawn, and images of messages."""

    formulas: Mapping[str, Formula] = field(default_factory=dict)
    images: Mapping[str, QImage] = field(default_factory=dict)


def image_address(attachment: Attachment) -> str:
    """Returns the address of an image of a message on paper."""
    return f"attachment:{attachment.sha256}"


class PaperDocument(QTextDocument):
    """Takes messages one after the other, so that the window goes on between them. It loads nothing but the pictures
    that it is given, by their addresses."""

    def __init__(self, pictures: PaperPictures) -> None:
        super().__init__()
        self._pictures = pictures
        self._measure: QImage | None = None
        """A device of that resolution; the layout asks it for as long as the document lasts."""
        font = QFont()
        font.setPointSize(_POINTS)
        self.setDefaultFont(font)
        self.setDefaultStyleSheet(_STYLE)
        self.setUndoRedoEnabled(False)
        self.setUseDesignMetrics(True)
        self.setDocumentMargin(0)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        del kind
        address = name.toString() if isinstance(name, QUrl) else name
        formula = self._pictures.formulas.get(address)
        return self._pictures.images.get(address) if formula is None else _picture_of(formula)

    def add(self, html: str) -> None:
        """Adds what `paper_parts` gave."""
        cursor = QTextCursor(self)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.isEmpty():
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        cursor.insertHtml(html)

    def lay_out(self, size: QSizeF) -> None:
        """Lays the document out on pages of a size, in dots of the resolution that lengths are counted in, whatever the
        printer's is."""
        self._measure = QImage(1, 1, QImage.Format.Format_RGB32)
        self._measure.setDotsPerMeterX(round(_RESOLUTION / 0.0254))
        self._measure.setDotsPerMeterY(round(_RESOLUTION / 0.0254))
        self.documentLayout().setPaintDevice(self._measure)
        self.setPageSize(size)

    def paint_page(self, painter: QPainter, number: int) -> None:
        """Paints one page at the painter's origin, in black whatever the window's colours are; pages count from 0."""
        size = self.pageSize()
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(0, number * size.height(), size.width(), size.height())
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, _INK)
        context.palette = palette
        painter.save()
        painter.translate(0, -number * size.height())
        painter.setClipRect(context.clip)
        self.documentLayout().draw(painter, context)
        painter.restore()
        painter.setPen(_MUTED)
        painter.setFont(QFont(self.defaultFont().family(), _POINTS - 2))
        foot = QRectF(0, size.height(), size.width(), _FOOT)
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, str(number + 1))


def _picture_of(formula: Formula) -> QImage:
    picture = QImage(
        round(formula.width * _SHARPNESS), round(formula.height * _SHARPNESS), QImage.Format.Format_ARGB32_Premultiplied
    )
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        QSvgRenderer(formula.svg).render(painter)
    return picture


async def paper_of(parts: Iterable[str], pictures: PaperPictures) -> PaperDocument:
    """Returns a document of what `paper_parts` gave, made a few messages at a time."""
    document = PaperDocument(pictures)
    await _fill(document, parts)
    return document


async def _fill(document: PaperDocument, parts: Iterable[str]) -> None:
    waiting: list[str] = []
    for part in parts:
        waiting.append(part)
        # Each addition has all of the document looked through.
        if sum(map(len, waiting)) > _AT_ONCE:
            document.add("".join(waiting))
            waiting = []
        await asyncio.sleep(0)
    document.add("".join(waiting))


async def pdf_of(parts: Iterable[str], title: str, pictures: PaperPictures) -> bytes:
    """Returns a PDF of what `paper_parts` gave, on pages of A4, made a few messages and a page at a time."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Mnemoscope")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setResolution(_RESOLUTION)
    set_margins(writer)
    document = PaperDocument(pictures)
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(QSizeF(writer.width(), writer.height() - _FOOT))
    await _fill(document, parts)
    with QPainter(writer) as painter:
        for number in range(document.pageCount()):
            if number:
                writer.newPage()
            document.paint_page(painter, number)
            await asyncio.sleep(0)
    return bytes(buffer.data().data())


async def print_pages(document: PaperDocument, printer: QPrinter) -> None:
    """Prints the pages that were chosen for the printer, a page at a time, so that the window goes on between them."""
    scale = printer.resolution() / _RESOLUTION
    room = printer.pageLayout().paintRectPixels(_RESOLUTION)
    document.lay_out(QSizeF(room.width(), room.height() - _FOOT))
    last = min(printer.toPage() or document.pageCount(), document.pageCount())
    pages = list(range((printer.fromPage() or 1) - 1, last))
    if printer.pageOrder() is QPrinter.PageOrder.LastPageFirst:
        pages.reverse()
    copies = 1 if printer.supportsMultipleCopies() else printer.copyCount()
    with QPainter(printer) as painter:
        painter.scale(scale, scale)
        for place, number in enumerate(pages * copies):
            if place:
                printer.newPage()
            document.paint_page(painter, number)
            await asyncio.sleep(0)


def set_margins(device: QPagedPaintDevice) -> None:
    """Gives the pages of a printer or a PDF their margins."""
    device.setPageMargins(_MARGIN, QPageLayout.Unit.Millimeter)
