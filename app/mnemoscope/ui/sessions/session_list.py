"""Rows of the list of conversations: headings, conversations, and below them the closed ones, folded at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QLocale,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.ui.widgets.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.theme import ROW_HEIGHT, Theme, line_height

_HEADING_HEIGHT = 32
_ROW_PAD = 7
_LINE_GAP = 2


@dataclass(frozen=True, slots=True)
class ArchiveHeading:
    """The line that folds and unfolds the closed conversations."""

    words: str
    count: int
    unfolded: bool


Listed = SessionOverview | ClosedConversation
Row = Listed | ArchiveHeading | str


def grouped(overviews: Sequence[SessionOverview], today: date, words: Sequence[str]) -> list[Row]:
    """Conversations newest first, under the heading (`words`: today, this week, earlier) of their last change."""
    rows: list[Row] = []
    heading = ""
    for overview in sorted(overviews, key=lambda one: one.updated_at, reverse=True):
        wanted = words[_age(overview.updated_at, today)]
        if wanted != heading:
            heading = wanted
            rows.append(heading)
        rows.append(overview)
    return rows


def _age(when: datetime, today: date) -> int:
    day = when.date()
    if day >= today:
        return 0
    return 1 if day > today - timedelta(days=7) else 2


def title_of(one: Listed) -> str:
    """Returns what a conversation is called in the list."""
    return one.title or QCoreApplication.translate("SessionsPane", "New conversation")


def name_of(one: Listed) -> str:
    """Returns what tells a row from all others: a conversation's key, a closed one's file."""
    return str(one.path) if isinstance(one, ClosedConversation) else one.key


class SessionsModel(RowsModel[Row]):
    """Headings cannot be selected, but for the one that folds."""

    def row_of(self, name: str) -> int:
        """Returns the row of a conversation by its key, or of a closed one by its file; -1 where there is none."""
        listed = ((row, one) for row, one in enumerate(self.rows) if isinstance(one, Listed))
        return next((row for row, one in listed if name_of(one) == name), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            if isinstance(row, ArchiveHeading):
                return f"{row.words} {row.count}"
            return row if isinstance(row, str) else title_of(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        selectable = not isinstance(self.rows[index.row()], str)
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if selectable else Qt.ItemFlag.NoItemFlags


class SessionDelegate(QStyledItemDelegate):
    """Title over a quiet line that counts messages and how many are settled, or says when it was closed."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        heading = isinstance(index.data(Qt.ItemDataRole.UserRole), str | ArchiveHeading)
        theme = Theme.current()
        if heading:
            return QSize(100, theme.height(_HEADING_HEIGHT))
        words = line_height() + line_height("caption") + _LINE_GAP
        return QSize(100, max(ROW_HEIGHT, words + 2 * _ROW_PAD) + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        row = index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect
        if isinstance(row, ArchiveHeading):
            self._paint_fold(painter, index, rect, row)
        elif isinstance(row, str):
            self._paint_heading(painter, rect, row)
        else:
            self._paint_session(painter, option, index, rect, row)
        painter.restore()

    def _has_focus(self, index: Index) -> bool:
        return self._view.hasFocus() and index == self._view.currentIndex()

    def _is_pointed_at(self, option: QStyleOptionViewItem) -> bool:
        return bool(option.state & QStyle.StateFlag.State_MouseOver)

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        theme = Theme.current()
        font = theme.font("caption")
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text_muted"))
        painter.drawText(rect.adjusted(10, 0, -8, -4), Qt.AlignmentFlag.AlignBottom, text)

    def _paint_fold(self, painter: QPainter, index: Index, rect: QRect, row: ArchiveHeading) -> None:
        theme = Theme.current()
        self._paint_heading(painter, rect, f"{row.words} · {row.count:,}")
        side = theme.scaled(14)
        name = "chevron-down" if row.unfolded else "chevron-right"
        icon = theme.icon(name, "text_muted")
        corner = QPoint(rect.right() - side - 8, rect.bottom() - side - 4)
        icon.paint(painter, QRect(corner, QSize(side, side)))
        if self._has_focus(index):
            painter.setPen(theme.color("focus"))
            painter.drawRoundedRect(rect.adjusted(1, 3, -1, 0), 7, 7)

    def _paint_session(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, rect: QRect, row: Listed
    ) -> None:
        theme = Theme.current()
        selected = self._view.selectionModel().isSelected(index)
        if selected or self._is_pointed_at(option):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft" if selected else "border"))
            painter.setOpacity(1.0 if selected else 0.5)
            painter.drawRoundedRect(rect.adjusted(0, 2, 0, -2), 8, 8)
            painter.setOpacity(1.0)
        if selected and self._has_focus(index):
            painter.setPen(theme.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 3, -1, -3), 7, 7)
        height = line_height() + line_height("caption") + _LINE_GAP
        top = rect.top() + (rect.height() - height) // 2
        words = QRect(rect.left() + 10, top, rect.width() - 20, height)
        self._paint_words(painter, words, row, selected=selected)

    def _paint_words(self, painter: QPainter, rect: QRect, row: Listed, *, selected: bool) -> None:
        theme = Theme.current()
        font = theme.font("body")
        if selected:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text_muted" if isinstance(row, ClosedConversation) else "text"))
        title = painter.fontMetrics().elidedText(title_of(row), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text_muted"))
        facts = painter.fontMetrics().elidedText(self._facts(row), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignBottom, facts)

    def _facts(self, row: Listed) -> str:
        count = self.tr("%n message(s)", "", row.count)
        if isinstance(row, ClosedConversation):
            day = QDate(row.closed_at.year, row.closed_at.month, row.closed_at.day)
            return self.tr("closed {day} · {count}").format(
                day=QLocale().toString(day, self.tr("d MMM yyyy")), count=count
            )
        if not row.last_consolidated:
            return count
        return self.tr("{count} · {settled} settled").format(count=count, settled=f"{row.last_consolidated:,}")
