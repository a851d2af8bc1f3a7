"""A conversation on paper, or in a PDF: laid out by Qt's own text documents, which load nothing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from PySide6.QtCore import QBuffer, QIODevice, QLocale, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
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
from mnemoscope.ui.markdown.document.document_writer import fragments_of
from mnemoscope.ui.markdown.formulas.drawn_formula import Formula
from mnemoscope.ui.markdown.page.html_writer import FormulaImage, html_as_written, html_of, no_image
from mnemoscope.ui.markdown.reading.code_spans import coloured
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.sessions.pagination import CODE_LINE, EDGE, Page, Pagination
from mnemoscope.ui.widgets.palettes import LIGHT

_ASIDE_LINES: Final = 30
"""Lines of a tool's result that are printed; the other forms of an export hold all of it."""
_MARGIN: Final = QMarginsF(18, 16, 18, 18)
"""In millimetres."""
_POINTS: Final = 10
_RESOLUTION: Final = 96
"""Dots to the inch that lengths are counted in; the letters are drawn as outlines all the same."""
_LETTER: Final = frozenset(
    {
        QLocale.Country.Belize,
        QLocale.Country.Canada,
        QLocale.Country.Chile,
        QLocale.Country.Colombia,
        QLocale.Country.CostaRica,
        QLocale.Country.ElSalvador,
        QLocale.Country.Guatemala,
        QLocale.Country.Mexico,
        QLocale.Country.Nicaragua,
        QLocale.Country.Panama,
        QLocale.Country.Philippines,
        QLocale.Country.PuertoRico,
        QLocale.Country.UnitedStates,
        QLocale.Country.Venezuela,
    }
)
"""The countries in which paper is Letter rather than A4, according to the Unicode CLDR."""
_AT_ONCE: Final = 20_000
"""Characters of HTML that are added to a document at once."""
_SHARPNESS: Final = 4
"""Dots of a formula's picture to one of its pixels."""
_FOOT: Final = 24
"""Dots at the foot of a page for its number."""
_INK: Final = QColor("#1b1f24")
_MUTED: Final = QColor("#57606a")
_LINE: Final = QColor("#d0d7de")
_GROUND: Final = QColor("#f3f4f6")
_WIDEST: Final = 520.0
_HIGHEST_IMAGE: Final = 560.0
"""Pixels that an image takes on a page at most."""
_HIGHEST: Final = 0.85
"""Share of a page's height that a picture takes at most, so that it stands below its speaker's line."""
_HAIR: Final = 0.5
"""Pixels by which a line has to reach into a page to be drawn there."""
_FOOT_LETTERS: Final = 11
_LINE_HEIGHT: Final = 122.0
"""The height of a line of text in per cent."""
_PICTURE: Final = "\ufffc"
_LINE_END: Final = "\u2028"
"""Ends a line within a paragraph of Qt's documents."""
_FONT: Final = "font-family: monospace; font-size: 8.5pt"
_STYLE: Final = f"""
h1 {{ font-size: 17pt; margin-bottom: 4px; }} h2 {{ font-size: 13pt; margin-top: 16px; margin-bottom: 6px; }}
h3, h4, h5, h6 {{ font-size: 11pt; margin-top: 14px; margin-bottom: 4px; }}
p {{ margin-top: 6px; margin-bottom: 6px; }} pre, code {{ {_FONT}; }} code {{ background-color: {_GROUND.name()}; }}
a {{ color: #1d4ed8; text-decoration: none; }} .address {{ color: #57606a; font-size: 8.5pt; }}
th {{ background-color: {_GROUND.name()}; font-weight: 600; text-align: left; }}
dt {{ font-weight: 600; }}
.who {{ color: #57606a; font-size: 9pt; font-weight: 400; margin-top: 20px; margin-bottom: 6px; }}
.label {{ color: #57606a; font-size: 9pt; font-weight: 400; margin-top: 6px; margin-bottom: 3px; }}
.name {{ color: #1b1f24; font-size: 9pt; font-weight: 600; }} table {{ margin-top: 8px; margin-bottom: 8px; }}
.note {{ color: #57606a; font-size: 9pt; }} .pointer {{ color: #7c3aed; font-size: 9pt; }}
"""
_CARD: Final = {"width": "100%", "cellpadding": "8", "cellspacing": "0", "bgcolor": _GROUND.name()}
_QUOTATION: Final = {"width": "100%", "cellpadding": "0", "cellspacing": "0"}
_QUOTATION_LINE: Final = {"bgcolor": _LINE.name(), "width": "3"}
_QUOTATION_WORDS: Final = {"style": f"padding-left: 10px; color: {_MUTED.name()}"}
_TABLE: Final = f"border-collapse: collapse; border-style: solid; border-color: {_LINE.name()}"
_MANY_COLUMNS: Final = 20
"""Columns of a table beyond which its letters are small."""


def paper_parts(
    conversation: ExportedConversation,
    words: ExportWords,
    image: FormulaImage = no_image,
    images: Collection[str] = (),
) -> Iterator[str]:
    """Yields what is laid out, a message at a time: HTML as Qt's documents know it, with nothing of a message's own.
    `image` shows formulas; `images` are the addresses of the images of messages that are there."""
    count = words.counted(conversation.messages)
    yield f'<h1>{_text(conversation.title or words.untitled)}</h1><p class="note">{_text(count)}</p>'
    for entry in entries_of(conversation, words):
        yield _entry(entry, image, images)


def _entry(entry: ExportedEntry, image: FormulaImage, images: Collection[str]) -> str:
    if entry.kind == "pointer":
        return f'<hr><p class="pointer" align="center">{_text(entry.words)}</p>'
    if entry.kind == "gap":
        return f'<p class="note">{_text(entry.words)}</p>'
    when = f" · {entry.when:%Y-%m-%d %H:%M}" if entry.when else ""
    said = _said(entry.words, image) if entry.words.strip() else ""
    if said and entry.kind == "user":
        said = f'<table width="100%" cellpadding="8" cellspacing="0" bgcolor="#e8effd"><tr><td>{said}</td></tr></table>'
    said += "".join(_image(each, images) for each in entry.images)
    asides = "".join(map(_aside, entry.asides))
    notes = "".join(f'<p class="note">{_text(note)}</p>' for note in entry.notes)
    # A heading, so that it stays with what was said.
    return f'<h6 class="who"><span class="name">{_text(entry.speaker)}</span>{when}</h6>{said}{asides}{notes}'


def _said(words: str, image: FormulaImage) -> str:
    return html_of(words, image, addresses=True, colours=_coloured, dress=_dress_for_paper)


def _coloured(code: str, language: str) -> Iterator[tuple[str, str]]:
    """Yields the pieces of code with their colours on paper, which are those of the light theme."""
    return coloured(code, language, LIGHT.__getitem__)


def _dress_for_paper(tree: Element) -> None:
    """Gives code, quotations and tables their grounds and lines: Qt's documents have these for tables alone."""
    _keep_lines_together(tree)
    # The list is of what was read, without the tables that code and quotations are put into.
    for element in list(tree.iter()):
        if element.tag == "pre":
            code = _moved_out(element)
            SubElement(_row_in_place_of(element, _CARD), "td").append(code)
        elif element.tag == "blockquote":
            words = _moved_out(element)
            words.tag, words.attrib = "td", dict(_QUOTATION_WORDS)
            row = _row_in_place_of(element, _QUOTATION)
            SubElement(row, "td", _QUOTATION_LINE)
            row.append(words)
        elif element.tag == "table":
            is_wide = len(element.findall("thead/tr/th")) > _MANY_COLUMNS
            padding, points = (1, 6) if is_wide else (5, _POINTS)
            element.attrib.update(border="1", cellpadding=str(padding), cellspacing="0")
            element.set("style", f"{_TABLE}; font-size: {points}pt")


def _keep_lines_together(element: Element) -> None:
    """Has the lines of a paragraph stay one paragraph: Qt's documents begin another at each line end, which in a list
    has a bullet of its own."""
    if element.tag == "pre":
        return
    element.text = (element.text or "").replace("\n", _LINE_END)
    for child in element:
        _keep_lines_together(child)
        child.tail = (child.tail or "").replace("\n", _LINE_END)


def _moved_out(element: Element) -> Element:
    """Returns an element that has all of the given one, which keeps its place in the text alone."""
    moved, tail = Element(element.tag, element.attrib), element.tail
    moved.text = element.text
    moved.extend(element)
    element.clear()
    element.tail = tail
    return moved


def _row_in_place_of(element: Element, attributes: Mapping[str, str]) -> Element:
    """Makes an empty element a table, and returns its only row."""
    element.tag = "table"
    element.attrib.update(attributes)
    return SubElement(element, "tr")


def _image(attachment: Attachment, there: Collection[str]) -> str:
    """Returns an image as wide as the paper has room for it, or words that stand for one that is gone."""
    address = image_address(attachment)
    if address not in there:
        return f'<p class="note">{_text(image_words(attachment))}</p>'
    scale = min(1.0, _WIDEST / attachment.width, _HIGHEST_IMAGE / attachment.height)
    width, height = (max(1, round(side * scale)) for side in (attachment.width, attachment.height))
    return f'<p><img src="{address}" width="{width}" height="{height}"></p>'


def _aside(aside: Aside) -> str:
    texts = []
    for label, text in aside.texts:
        lines = tidied(text).split("\n")
        cut = "\n…" if len(lines) > _ASIDE_LINES else ""
        shown = "\n".join(lines[:_ASIDE_LINES]) + cut
        said = html_as_written(shown, _dress_for_paper)
        texts.append((f'<h6 class="label">{_text(label)}</h6>' if label else "") + said)
    return f'<h6 class="label"><span class="name">{_text(aside.title)}</span></h6>{"".join(texts)}'


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
    that it is given, by their addresses. The `title` stands at the foot of each page."""

    def __init__(self, title: str, pictures: PaperPictures) -> None:
        super().__init__()
        self._title = title
        self._pictures = pictures
        self.pages: list[Page] = []
        """The pages, once it is laid out."""
        self._size = QSizeF()
        self._scale = 1.0
        """The factor by which lengths of the document are multiplied on paper: less than 1 where a table is too wide
        for it."""
        self._measure = QImage(1, 1, QImage.Format.Format_RGB32)
        """A device of that resolution; the layout asks it for as long as the document lasts."""
        self._measure.setDotsPerMeterX(round(_RESOLUTION / 0.0254))
        self._measure.setDotsPerMeterY(round(_RESOLUTION / 0.0254))
        font = QFont()
        font.setPointSize(_POINTS)
        self.setDefaultFont(font)
        self.setDefaultStyleSheet(_STYLE)
        self.setUndoRedoEnabled(False)
        self.setUseDesignMetrics(True)
        self.setDocumentMargin(0)
        code = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        code.setPointSizeF(8.5)
        option = self.defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(4 * QFontMetricsF(code, self._measure).horizontalAdvance(" "))
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        del kind
        address = name.toString() if isinstance(name, QUrl) else name
        formula = self._pictures.formulas.get(address)
        return self._pictures.images.get(address) if formula is None else _picture_of(formula)

    def add(self, html: str) -> None:
        """Adds what `paper_parts` gave."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.isEmpty():
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        start = cursor.position()
        # The first paragraph would lose its format to the block that it is put into.
        cursor.insertHtml(f"<p>\u200b</p>{html}")
        first = self.findBlock(start)
        cursor.setPosition(start)
        cursor.setBlockFormat(_hairline())
        block = first.next()
        while block.isValid():
            _set_for_paper(cursor, block)
            block = block.next()
        cursor.endEditBlock()

    async def lay_out(self, size: QSizeF) -> None:
        """Lays the document out on pages of a size, in dots of the resolution that lengths are counted in, whatever the
        printer's is, and has the window go on between them."""
        self._size = size
        self._fit_pictures(QSizeF(size.width(), size.height() * _HIGHEST))
        # A document has no layout before it is asked for one, and is filled much faster without.
        self.documentLayout().setPaintDevice(self._measure)
        self.setTextWidth(size.width())
        self._scale = min(1.0, size.width() / self._widest_table())
        self.setTextWidth(size.width() / self._scale)
        self.pages = []
        for page in Pagination(self, size.height() / self._scale).pages():
            if page is not None:
                self.pages.append(page)
            await asyncio.sleep(0)

    def _widest_table(self) -> float:
        """Returns the width of the widest table with so many columns that they may need more than a page has, or 1."""
        tables = [each for each in self.rootFrame().childFrames() if isinstance(each, QTextTable)]
        many = [each for each in tables if each.columns() > _MANY_COLUMNS]
        return max((self.documentLayout().frameBoundingRect(each).width() for each in many), default=1.0)

    def _fit_pictures(self, room: QSizeF) -> None:
        """Makes pictures that are wider or higher than the room as small as it, in their shape."""
        cursor = QTextCursor(self)
        block = self.begin()
        while block.isValid():
            for fragment in fragments_of(block) if _PICTURE in block.text() else ():
                form = fragment.charFormat()
                if form.isImageFormat():
                    image = form.toImageFormat()
                    scale = min(room.width() / max(1.0, image.width()), room.height() / max(1.0, image.height()))
                    if scale < 1:
                        image.setWidth(image.width() * scale)
                        image.setHeight(image.height() * scale)
                        cursor.setPosition(fragment.position())
                        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
                        cursor.setCharFormat(image)
            block = block.next()

    def paint_page(self, painter: QPainter, number: int) -> None:
        """Paints one page at the painter's origin, in black whatever the window's colours are; pages count from 0."""
        page = self.pages[number]
        above = 0.0
        if page.header is not None:
            self._paint(painter, *page.header, 0.0)
            above = page.header[1] - page.header[0]
        self._paint(painter, page.top, page.bottom, above, page.first_line)
        font = QFont(self.defaultFont().family())
        # In pixels: points would be those of the printer's resolution.
        font.setPixelSize(_FOOT_LETTERS)
        painter.setPen(_MUTED)
        painter.setFont(font)
        foot = QRectF(0, self._size.height(), self._size.width(), _FOOT)
        place = f"{number + 1} / {len(self.pages)}"
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, place)
        metrics = QFontMetricsF(font, self._measure)
        room = foot.width() - metrics.horizontalAdvance(place) - 2 * _FOOT
        title = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, title)

    def _paint(
        self, painter: QPainter, top: float, bottom: float, above: float, first_line: float | None = None
    ) -> None:
        """Paints what lies between `top` and `bottom` of the document, `above` below the painter's origin.
        `first_line`: where the first line ends, if it stands within its block."""
        context = QAbstractTextDocumentLayout.PaintContext()
        shown = QRectF(0, top, self._size.width() / self._scale, bottom - top)
        # Qt draws each line that touches what it is given, and of a block the line above it too, also where nothing of
        # them is seen: in a PDF's text they would stand twice.
        begin = _HAIR if first_line is None else first_line - top + _HAIR
        context.clip = shown.adjusted(0, begin, 0, -EDGE - _HAIR)
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, _INK)
        # That of a rule.
        palette.setColor(QPalette.ColorGroup.Inactive, QPalette.ColorRole.WindowText, _LINE)
        context.palette = palette
        painter.save()
        painter.scale(self._scale, self._scale)
        painter.translate(0, above - top)
        painter.setClipRect(shown)
        self.documentLayout().draw(painter, context)
        painter.restore()


def _hairline() -> QTextBlockFormat:
    """Returns the format of a block that hardly takes any room."""
    made = QTextBlockFormat()
    made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


def _set_for_paper(cursor: QTextCursor, block: QTextBlock) -> None:
    """Gives a block that was read from HTML what HTML has no words for: lines of code are wrapped, other lines stand
    apart, and a task has a box in the place of its bullet."""
    made, text = block.blockFormat(), block.text()
    cursor.setPosition(block.position())
    if made.nonBreakableLines():
        made.setNonBreakableLines(False)
        made.setProperty(CODE_LINE, True)
        made.setTopMargin(0)
        made.setBottomMargin(0)
    elif _PICTURE not in text:
        # A share of a picture's height would be a gap above it.
        made.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if block.textList() is not None:
        made.setTopMargin(2)
        made.setBottomMargin(2)
        if text.startswith(("\u2610 ", "\u2611 ")):
            done = text.startswith("\u2611")
            made.setMarker(QTextBlockFormat.MarkerType.Checked if done else QTextBlockFormat.MarkerType.Unchecked)
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor, 2)
            cursor.removeSelectedText()
    cursor.setBlockFormat(made)


def _picture_of(formula: Formula) -> QImage:
    picture = QImage(
        round(formula.width * _SHARPNESS), round(formula.height * _SHARPNESS), QImage.Format.Format_ARGB32_Premultiplied
    )
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        QSvgRenderer(formula.svg).render(painter)
    return picture


async def paper_of(parts: Iterable[str], title: str, pictures: PaperPictures) -> PaperDocument:
    """Returns a document of what `paper_parts` gave, made a few messages at a time."""
    document = PaperDocument(title, pictures)
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
    """Returns a PDF of what `paper_parts` gave, made a few messages and a page at a time."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Mnemoscope")
    writer.setPageSize(usual_paper())
    writer.setResolution(_RESOLUTION)
    set_margins(writer)
    document = await paper_of(parts, title, pictures)
    await document.lay_out(QSizeF(writer.width(), writer.height() - _FOOT))
    with QPainter(writer) as painter:
        for number in range(len(document.pages)):
            if number:
                writer.newPage()
            document.paint_page(painter, number)
            await asyncio.sleep(0)
    return bytes(buffer.data().data())


async def print_pages(document: PaperDocument, printer: QPrinter) -> bool:
    """Prints the pages that were chosen for the printer, a page at a time, so that the window goes on between them.

    Returns False if the printer, or the file in its place, took nothing.
    """
    scale = printer.resolution() / _RESOLUTION
    room = printer.pageLayout().paintRectPixels(_RESOLUTION)
    await document.lay_out(QSizeF(room.width(), room.height() - _FOOT))
    last = min(printer.toPage() or len(document.pages), len(document.pages))
    pages = list(range((printer.fromPage() or 1) - 1, last))
    if printer.pageOrder() is QPrinter.PageOrder.LastPageFirst:
        pages.reverse()
    copies = 1 if printer.supportsMultipleCopies() else printer.copyCount()
    painter = QPainter()
    if not painter.begin(printer):
        return False
    try:
        painter.scale(scale, scale)
        for place, number in enumerate(pages * copies):
            if place:
                printer.newPage()
            document.paint_page(painter, number)
            await asyncio.sleep(0)
    finally:
        painter.end()
    return True


def usual_paper() -> QPageSize:
    """Returns the paper that is used where the system says that it stands: Letter or A4."""
    # Qt does not look at the category of paper, which somebody with English words in Europe sets.
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_PAPER", "LANG"))), "")
    place = QLocale(named) if named else QLocale.system()
    is_letter = place.territory() in _LETTER
    return QPageSize(QPageSize.PageSizeId.Letter if is_letter else QPageSize.PageSizeId.A4)


def set_margins(device: QPagedPaintDevice) -> None:
    """Gives the pages of a printer or a PDF their margins."""
    device.setPageMargins(_MARGIN, QPageLayout.Unit.Millimeter)
