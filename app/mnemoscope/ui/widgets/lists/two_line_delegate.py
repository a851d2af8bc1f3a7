"""Paints an item of a list whose text is a line that counts and, below it, quiet words about it; a figure may stand at
the end of the line."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from mnemoscope.ui.widgets.theme import Theme

_BESIDE: Final = 8
_GAP: Final = 16
FIGURE: Final = Qt.ItemDataRole.UserRole + 1
"""The role of the figure that stands at the end of an item's line."""
ABOVE: Final = 7
BETWEEN: Final = 2
_WRAPPED: Final = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class TwoLineDelegate(QStyledItemDelegate):
    """Paints an item as two texts, which may both wrap. The item's foreground colours the first."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        title, _, detail = str(index.data()).partition("\n")
        drawn.text = ""
        widget: QWidget | None = option.widget
        style = widget.style() if widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, drawn, painter, widget)
        theme = Theme.current()
        rect: QRect = option.rect
        room = rect.adjusted(_BESIDE, ABOVE, -_BESIDE, -ABOVE)
        chosen = index.data(Qt.ItemDataRole.ForegroundRole)
        colour = chosen.color() if chosen is not None else theme.color("text")
        figure = str(index.data(FIGURE) or "")
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text_muted"))
        # On the line that the first words of the title stand on.
        lift = QFontMetrics(theme.font("body")).ascent() - painter.fontMetrics().ascent()
        painter.drawText(room.translated(0, lift), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, figure)
        beside = room.adjusted(0, 0, -_beside(figure), 0)
        height = self.draw_words(painter, beside, title, theme.font("body"), colour)
        room.setTop(room.top() + height + BETWEEN)
        self.draw_words(painter, room, detail, theme.font("caption"), theme.color("text_muted"))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        title, _, detail = str(index.data()).partition("\n")
        rect: QRect = option.rect
        width = max(1, rect.width() - 2 * _BESIDE)
        theme = Theme.current()
        beside = width - _beside(str(index.data(FIGURE) or ""))
        heights = [_height(title, theme.font("body"), beside), _height(detail, theme.font("caption"), width)]
        return QSize(rect.width(), sum(heights) + BETWEEN + 2 * ABOVE)

    def draw_words(self, painter: QPainter, room: QRect, words: str, font: QFont, colour: QColor) -> int:
        """Draws words at the top of a room and returns how high they are."""
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(room, _WRAPPED, words)
        return _height(words, font, room.width())


def _width(figure: str) -> int:
    return QFontMetrics(Theme.current().font("caption")).horizontalAdvance(figure)


def _beside(figure: str) -> int:
    """Returns the pixels that a figure takes from the line, with the gap before it."""
    return _width(figure) + _GAP if figure else 0


def _height(words: str, font: QFont, width: int) -> int:
    return QFontMetrics(font).boundingRect(QRect(0, 0, width, 1 << 20), _WRAPPED, words).height()
