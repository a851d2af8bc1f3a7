"""The list of a file's versions, newest first: a chip for whose it is, what it was, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.memory.versions.version_words import CHIPS, author_words, sentence_of, subject_words
from mnemoscope.ui.support.dates import time_words
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.theme import Theme

_ROW: Final = 30
_NEAR: Final = 8
"""Rows before the end at which the next ones are asked for."""


class VersionModel(RowsModel[VersionRow]):
    """The rows that are loaded."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title_of: TitleOf = by_key

    def add(self, rows: Sequence[VersionRow]) -> None:
        """These come after the others."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows += rows
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return sentence_of(self.rows[index.row()], self.title_of)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(sentence_of(self.rows[index.row()], self.title_of))
        return None


class VersionList(QListView):
    """`looked_at`: others are chosen than before. `more_wanted`: the end comes into sight."""

    looked_at = Signal()
    more_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.versions = VersionModel(self)
        self.setModel(self.versions)
        self.setItemDelegate(_Painter(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._ask_for_more)
        self.selectionModel().selectionChanged.connect(lambda _new, _old: self.looked_at.emit())

    @property
    def chosen(self) -> list[VersionRow]:
        """The chosen one, or of several the newest and the oldest."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        ends = dict.fromkeys([places[0], places[-1]]) if places else {}
        return [self.versions.rows[place] for place in ends]

    def choose(self, place: int) -> None:
        """Look at one."""
        self.setCurrentIndex(self.versions.index(place, 0))

    def show_rows(self, rows: Sequence[VersionRow], wanted: str = "") -> None:
        """List these; the one of the id `wanted` is looked at, else the one that was, else the first."""
        kept = {wanted} if wanted else {row.id for row in self.chosen}
        before = [row.id for row in self.chosen]
        self.versions.show(rows)
        found = [
            place
            for place, row in enumerate(rows)
            if any(row.id.startswith(one) or row.is_of_change(one) for one in kept)
        ]
        places = found or ([0] if rows else [])
        selection = self.selectionModel()
        blocked = selection.blockSignals(True)
        for number, place in enumerate(places[:2]):
            flag = selection.SelectionFlag.Select if number else selection.SelectionFlag.ClearAndSelect
            selection.setCurrentIndex(self.versions.index(place, 0), flag)
        selection.blockSignals(blocked)
        self.viewport().update()
        if [row.id for row in self.chosen] != before or wanted:
            self.looked_at.emit()
        self._ask_for_more()

    def _ask_for_more(self) -> None:
        bar, row = self.verticalScrollBar(), max(1, self.sizeHintForRow(0))
        if self.versions.rows and bar.value() >= bar.maximum() - _NEAR * row:
            self.more_wanted.emit()


class _Painter(QStyledItemDelegate):
    def __init__(self, view: VersionList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, Theme.current().height(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = self._view
        place: QRect = option.rect
        state = option.state
        row, theme = view.versions.rows[index.row()], Theme.current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(place, theme.color("accent_soft"))
        if state & QStyle.StateFlag.State_HasFocus and view.hasFocus():
            painter.setPen(theme.color("focus"))
            painter.drawRoundedRect(QRectF(place).adjusted(1, 1, -1, -1), 4, 4)
        left = place.left() + 8 + paint_chip(painter, row.author, place.left() + 8, place)
        painter.setFont(theme.font("caption"))
        metrics, when = QFontMetrics(painter.font()), time_words(row.when)
        right = place.right() - 8 - metrics.horizontalAdvance(when)
        painter.setPen(theme.color("text_muted"))
        painter.drawText(QRect(right, place.top(), place.right() - right, place.height()), _MIDDLE, when)
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text"))
        room = QRect(left + 8, place.top(), right - left - 16, place.height())
        words = QFontMetrics(painter.font()).elidedText(
            subject_words(row, view.versions.title_of), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, _MIDDLE, words)
        painter.restore()


_MIDDLE: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_chip(painter: QPainter, author: str, left: int, row: QRect) -> int:
    """Paints an author's chip in the middle of a row and returns how wide it is."""
    theme = Theme.current()
    ground, letters = CHIPS.get(author, ("sunken", "text_muted"))
    font: QFont = theme.font("caption")
    painter.setFont(font)
    metrics, words = QFontMetrics(font), author_words(author)
    width, height = metrics.horizontalAdvance(words) + 12, metrics.height() + 2
    chip = QRectF(left, row.center().y() - height / 2, width, height)
    # On a row that is chosen the ground is the row's: the edge keeps it a chip.
    painter.setPen(theme.color("accent") if ground == "accent_soft" else Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(ground))
    painter.drawRoundedRect(chip, 4, 4)
    painter.setPen(theme.color(letters))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)
    return width
