"""Arranges what was found as rows: a heading for each place, the best place first, under it its passages by score."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from mnemoscope.domain.dream.journal import plain_entry
from mnemoscope.store.search.search_hit import SearchHit
from mnemoscope.store.search.sources import SearchKind
from mnemoscope.ui.history.labels import when_label
from mnemoscope.ui.widgets.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.theme import Theme

HEADING_HEIGHT: Final = 30
HIT_HEIGHT: Final = 50
_FEW: Final = 5
_LEAD: Final = 24
"""Characters shown before the first word that was found."""
_LONGEST: Final = 240


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A heading, a passage (`hit`), or the way to the rest of a place (`more`). `text` is one line, `marks` its words
    that were found."""

    text: str
    where: str = ""
    hit: SearchHit | None = None
    marks: tuple[tuple[int, int], ...] = ()
    more: SearchKind | None = None

    @property
    def is_heading(self) -> bool:
        """Returns whether there is nothing to choose."""
        return self.hit is None and self.more is None


def tr(text: str) -> str:
    """Translates in the search's context."""
    return QCoreApplication.translate("Search", text)


def search_rows(
    hits: Sequence[SearchHit],
    today: date,
    titles: Mapping[str, str] = MappingProxyType({}),
    opened: Collection[SearchKind] = (),
) -> list[SearchRow]:
    """Returns the rows: places by their best passage, each one's passages by score.

    Of several places each shows its best few, and all that are `opened`. `titles`: of conversations by key."""
    groups: dict[SearchKind, list[SearchHit]] = {}
    for hit in hits:
        groups.setdefault(hit.kind, []).append(hit)
    rows: list[SearchRow] = []
    for kind, found in groups.items():
        is_whole = len(groups) == 1 or kind in opened or len(found) <= _FEW + 1
        rows.append(SearchRow(_names()[kind]))
        rows += [_row(hit, today, titles) for hit in (found if is_whole else found[:_FEW])]
        if not is_whole:
            rows.append(SearchRow(tr("{number} more").format(number=len(found) - _FEW), more=kind))
    return rows


def _names() -> dict[SearchKind, str]:
    return {
        SearchKind.MEMORY: tr("Memory"),
        SearchKind.STATE: tr("Captured in this conversation"),
        SearchKind.NOTES: tr("Notes"),
        SearchKind.HISTORY: tr("History"),
        SearchKind.SESSION: tr("Conversations"),
        SearchKind.ARCHIVE: tr("Archived conversations"),
    }


def _row(hit: SearchHit, today: date, titles: Mapping[str, str]) -> SearchRow:
    line = plain_entry(hit.text) or " ".join(hit.text.split())
    marks = hit.mark(line)
    begin = 0
    if marks and marks[0][0] > 2 * _LEAD:
        # From the beginning of a word on, where one is near.
        begin = line.find(" ", marks[0][0] - _LEAD, marks[0][0]) + 1 or marks[0][0]
    lead = "…" if begin else ""
    shown = lead + line[begin : begin + _LONGEST]
    moved = ((start - begin + len(lead), stop - begin + len(lead)) for start, stop in marks)
    return SearchRow(shown, _where(hit, today, titles), hit, tuple(each for each in moved if each[0] >= len(lead)))


def _where(hit: SearchHit, today: date, titles: Mapping[str, str]) -> str:
    said = {"user": tr("You"), "assistant": tr("Assistant"), "tool": tr("Tool")}.get(hit.role, "")
    when = when_label(hit.when, today) if hit.when else ""
    place = titles.get(hit.session_key, "") if hit.kind is SearchKind.SESSION else hit.path.rpartition("/")[2]
    line = tr("line {number}").format(number=hit.line) if hit.message_index < 0 else ""
    more = tr("also in {number} more").format(number=len(hit.duplicates)) if hit.duplicates else ""
    return " · ".join(filter(None, (said, when, place, line, more)))


def row_height(row: SearchRow) -> int:
    """Returns the height of a row in pixels of the usual text size."""
    return HIT_HEIGHT if row.hit is not None else HEADING_HEIGHT


class SearchModel(RowsModel[SearchRow]):
    """The rows on show."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text}. {row.where}" if row.where else row.text
        return row.text if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.rows[index.row()].is_heading:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class SearchDelegate(QStyledItemDelegate):
    """Paints headings small and passages in two lines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: SearchRow = index.data(Qt.ItemDataRole.UserRole)
        return QSize(100, Theme.current().height(row_height(row)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: SearchRow = index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect
        if row.is_heading:
            self._heading(painter, rect.adjusted(14, 0, -14, -4), row.text)
            return
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(Theme.current().color("accent_soft"))
            painter.drawRoundedRect(rect.adjusted(4, 1, -4, -1), 6, 6)
        if row.hit is None:
            self._line(painter, rect.adjusted(14, 0, -14, 0), row.text, "accent")
            return
        inner = rect.adjusted(14, 5, -14, -5)
        self._text(painter, QRect(inner.left(), inner.top(), inner.width(), inner.height() // 2), row)
        self._line(painter, inner.adjusted(0, inner.height() // 2, 0, 0), row.where)

    def _heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        theme = Theme.current()
        painter.setPen(theme.color("text_muted"))
        painter.setFont(theme.font("caption"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, text)

    def _line(self, painter: QPainter, rect: QRect, text: str, colour: str = "text_faint") -> None:
        theme = Theme.current()
        painter.setPen(theme.color(colour))
        painter.setFont(theme.font("caption"))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def _text(self, painter: QPainter, rect: QRect, row: SearchRow) -> None:
        """Paints the passage, with what was found on a mark."""
        theme, font = Theme.current(), Theme.current().font("body")
        metrics, flags = QFontMetrics(font), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        shown = metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(rect, flags, shown)
        painter.setBrush(theme.color("mark"))
        for start, stop in row.marks:
            if stop <= len(shown):
                left = metrics.horizontalAdvance(shown[:start])
                width = metrics.horizontalAdvance(shown[:stop]) - left
                word = QRect(rect.left() + left, rect.top(), width, rect.height())
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawRoundedRect(word.adjusted(-1, 1, 1, -1), 3, 3)
                painter.setPen(theme.color("on_mark"))
                painter.drawText(word.adjusted(0, 0, 2, 0), flags, shown[start:stop])
