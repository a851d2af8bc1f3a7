"""Paints a row of the prompt tree: title, where it came from, tokens."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from mnemoscope.ui.prompt.prompt_tree import ROW_ROLE, PromptRow
from mnemoscope.ui.widgets.theme import Theme, line_height

_PAD: Final = 6
_GAP: Final = 8
_ELIDE: Final = Qt.TextElideMode.ElideRight


class PartDelegate(QStyledItemDelegate):
    """One line where there is room for the source beside the title; a group's title is semibold."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(32, line_height() + 2 * _PAD))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW_ROLE)
        theme = Theme.current()
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.color("accent_soft"))
        if state & QStyle.StateFlag.State_HasFocus:
            # Around the whole row, as the ground of one that is chosen: the tree draws what is before the indent.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRoundedRect(area.adjusted(1 - area.left(), 1, -1, -1), 4, 4)
        self._paint_words(painter, area.adjusted(4, 0, -_GAP, 0), row)
        painter.restore()

    def _paint_words(self, painter: QPainter, area: QRect, row: PromptRow) -> None:
        theme = Theme.current()
        caption, body = theme.font("caption"), theme.font("body")
        if row.text is None:
            body.setWeight(QFont.Weight.DemiBold)
        tokens = "" if row.tokens is None else f"{row.tokens:,}"
        taken = QFontMetrics(caption).horizontalAdvance(tokens)
        self._write(painter, area, tokens, caption, "text_muted", right=True)
        area = area.adjusted(0, 0, -(taken + _GAP), 0)
        title = QFontMetrics(body).elidedText(row.title, _ELIDE, area.width())
        self._write(painter, area, title, body, "text")
        area = area.adjusted(QFontMetrics(body).horizontalAdvance(title) + _GAP, 0, 0, 0)
        if row.source not in ("", row.title) and area.width() > 40:
            words = QFontMetrics(caption).elidedText(row.source, _ELIDE, area.width())
            self._write(painter, area, words, caption, "text_faint")

    def _write(
        self, painter: QPainter, area: QRect, words: str, font: QFont, role: str, *, right: bool = False
    ) -> None:
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.setFont(font)
        painter.setPen(Theme.current().color(role))
        painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, words)
