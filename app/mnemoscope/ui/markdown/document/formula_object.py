"""A formula in a text document: one character that is painted as the formula and says its source to whoever asks."""

from __future__ import annotations

from functools import cache
from typing import Final

from PySide6.QtCore import QByteArray, QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from mnemoscope.domain.text.math_marks import tex_of
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.markdown.formulas.drawn_formula import FormulaRequest
from mnemoscope.ui.markdown.formulas.formulas import formulas
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip

OBJECT: Final = "\ufffc"
"""The character that stands for a formula in a document; no text that is shown has one of its own."""
_KIND: Final = int(QTextFormat.ObjectTypes.UserObject.value) + 1
_DRAWN: Final = 300
_SCALE: Final = 1.15
"""The letters of formulas are smaller than those of the window's fonts of the same size."""


def insert_formula(cursor: QTextCursor, source: str, display: bool, base: QTextCharFormat, width: float) -> bool:
    """Inserts a formula at most `width` pixels wide; returns whether it is drawn already. One that is not is asked
    for."""
    font = base.font()
    colour = base.foreground().color().name()
    wanted = FormulaRequest(tex_of(source), display, round(QFontInfo(font).pixelSize() * _SCALE, 1), colour)
    formula = formulas().look(wanted)
    if formula is None:
        return False
    scale = min(1.0, width / formula.width)
    below, above = formula.depth * scale, (formula.height - formula.depth) * scale
    # Qt puts the middle of an object half the height of an x above the line: it is made high enough for both sides.
    middle = QFontMetricsF(font).xHeight() / 2
    height = max(2 * below + middle, 2 * above - middle)
    made = QTextCharFormat(base)
    made.setObjectType(_KIND)
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    made.setProperty(Mark.FORMULA, source)
    made.setProperty(Mark.FORMULA_SIZE, QSizeF(formula.width * scale, height))
    made.setProperty(Mark.FORMULA_TOP, (height + middle) / 2 - above)
    made.setProperty(Mark.FORMULA_HEIGHT, formula.height * scale)
    made.setProperty(Mark.FORMULA_SVG, QByteArray(formula.svg))
    made.setProperty(Mark.FORMULA_COLOUR, colour)
    made.setToolTip(plain_tooltip(source))
    layout = cursor.document().documentLayout()
    if layout.handlerForObject(_KIND) is None:
        layout.registerHandler(_KIND, _painter())
    cursor.insertText(OBJECT, made)
    return True


def with_sources(block: QTextBlock, start: int, end: int) -> str:
    """Returns what a block says between two positions of its document, with the sources of its formulas."""
    words, entry = "", block.begin()
    while not entry.atEnd():
        fragment = entry.fragment()
        first, stop = max(start, fragment.position()), min(end, fragment.position() + fragment.length())
        if first < stop:
            source = str(fragment.charFormat().property(Mark.FORMULA) or "")
            units = fragment.text().encode("utf-16-le", "surrogatepass")
            shown = units[2 * (first - fragment.position()) : 2 * (stop - fragment.position())]
            words += source * (stop - first) if source else shown.decode("utf-16-le", "ignore")
        entry += 1
    return words


class _FormulaPainter(QPyTextObject):
    """Paints formulas, which stay sharp at any scale."""

    def __init__(self) -> None:
        super().__init__()
        self._renderers: dict[bytes, QSvgRenderer] = {}

    def intrinsicSize(
        self,
        doc: QTextDocument,
        posInDocument: int,  # noqa: N803 - Qt names it
        format: QTextFormat,
    ) -> QSizeF:
        del doc, posInDocument
        size = format.property(Mark.FORMULA_SIZE)
        return size if isinstance(size, QSizeF) else QSizeF()

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,
        posInDocument: int,  # noqa: N803 - Qt names it
        format: QTextFormat,
    ) -> None:
        del doc, posInDocument
        top, height = float(format.property(Mark.FORMULA_TOP)), float(format.property(Mark.FORMULA_HEIGHT))
        place = QRectF(rect.left(), rect.top() + top, rect.width(), height)
        svg, drawn_in = bytes(format.property(Mark.FORMULA_SVG).data()), str(format.property(Mark.FORMULA_COLOUR))
        # Where it is selected, the format has the colour of selected words.
        colour = format.foreground().color().name()
        if colour != drawn_in:
            svg = svg.replace(drawn_in.encode(), colour.encode())
        self._renderer(svg).render(painter, place)
        # Qt would lay the ground of a selection or a match, half transparent, over an object; it restores the painter.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Destination)

    def _renderer(self, svg: bytes) -> QSvgRenderer:
        made = self._renderers.get(svg)
        if made is None:
            if len(self._renderers) >= _DRAWN:
                self._renderers.clear()
            made = self._renderers[svg] = QSvgRenderer(QByteArray(svg))
        return made


@cache
def _painter() -> _FormulaPainter:
    return _FormulaPainter()
