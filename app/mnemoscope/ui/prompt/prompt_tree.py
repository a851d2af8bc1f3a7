"""A prompt as a tree: system parts, conversation, tools, and what was left out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QAbstractItemModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot
from mnemoscope.domain.context.recovery import RecalledSource
from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere, paint_ring
from mnemoscope.ui.widgets.theme import Theme, line_height

_Index = QModelIndex | QPersistentModelIndex
_ROW_ROLE: Final = Qt.ItemDataRole.UserRole
_NOWHERE: Final = QModelIndex()


_PAD: Final = 6
_GAP: Final = 8
_ELIDE: Final = Qt.TextElideMode.ElideRight

_TITLES: Final = {
    "Identity": QT_TRANSLATE_NOOP("PromptModel", "Identity"),
    "Bootstrap files": QT_TRANSLATE_NOOP("PromptModel", "Bootstrap files"),
    "Memory": QT_TRANSLATE_NOOP("PromptModel", "Memory"),
    "Active skills": QT_TRANSLATE_NOOP("PromptModel", "Active skills"),
    "Skills": QT_TRANSLATE_NOOP("PromptModel", "Skills"),
    "Session state": QT_TRANSLATE_NOOP("PromptModel", "Session state"),
    "Recent history": QT_TRANSLATE_NOOP("PromptModel", "Recent history"),
    "Daily notes": QT_TRANSLATE_NOOP("PromptModel", "Daily notes"),
    "This moment": QT_TRANSLATE_NOOP("PromptModel", "This moment"),
}
"""The titles of the parts of the system prompt that the program itself makes."""


@dataclass(frozen=True, slots=True)
class PromptRow:
    """Holds one line of the tree. `text` is what the detail view shows; None for a group."""

    title: str
    source: str = ""
    tokens: int | None = None
    text: str | None = None
    file: str = ""
    """The file that has all of it, relative to the workspace; "" where this is all of it."""


@dataclass(frozen=True, slots=True)
class PromptGroup:
    """Describes a group and the rows under it."""

    row: PromptRow
    rows: tuple[PromptRow, ...]


class PromptModel(QAbstractItemModel):
    """Holds two levels; texts are handed out only for the row that is looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: tuple[PromptGroup, ...] = ()

    def show_prompt(self, prompt: PromptSnapshot) -> None:
        """Shows a prompt in place of the one before."""
        self.beginResetModel()
        groups = (
            self._group(self.tr("System prompt"), prompt.system, own=True),
            self._group(self.tr("Conversation"), prompt.messages),
            self._compacted(prompt),
            self._recovered(prompt),
            self._cut(prompt.cut),
            self._group(self.tr("Tools"), prompt.tools),
            self._left_out(prompt.left_out),
        )
        self.groups = tuple(group for group in groups if group.rows)
        self.endResetModel()

    def row_of(self, index: _Index) -> PromptRow | None:
        """Returns the row an index stands for."""
        if not index.isValid():
            return None
        if not index.internalId():
            return self.groups[index.row()].row
        return self.groups[index.internalId() - 1].rows[index.row()]

    def index_like(self, row: PromptRow) -> QModelIndex:
        """Returns where a row of an earlier prompt stands now, by title and source; invalid where it is gone."""
        for number, group in enumerate(self.groups):
            if row.text is None and group.row.title == row.title:
                return self.createIndex(number, 0, 0)
            for place, candidate in enumerate(group.rows):
                if (candidate.title, candidate.source) == (row.title, row.source):
                    return self.createIndex(place, 0, number + 1)
        return QModelIndex()

    # Qt

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: _Index) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or not index.internalId():
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self.groups)
        return 0 if parent.internalId() else len(self.groups[parent.row()].rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_of(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._spoken(row)
        return row if role == _ROW_ROLE else None

    def _spoken(self, row: PromptRow) -> str:
        parts = [row.title, row.source]
        if row.tokens is not None:
            words = self.tr("1 token") if row.tokens == 1 else self.tr("{count} tokens")
            parts.append(words.format(count=f"{row.tokens:,}"))
        return " · ".join(part for part in parts if part)

    def _group(self, title: str, sections: tuple[PromptSection, ...], *, own: bool = False) -> PromptGroup:
        """Returns a group of sections; `own`: the program itself gave them their titles."""
        rows = tuple(
            PromptRow(_title(part.title) if own else part.title, part.source, part.tokens, part.text)
            for part in sections
        )
        count = self.tr("{count} parts").format(count=f"{len(rows):,}") if len(rows) > 1 else ""
        return PromptGroup(PromptRow(title, count, sum(part.tokens for part in sections)), rows)

    def _compacted(self, prompt: PromptSnapshot) -> PromptGroup:
        """Returns what is not sent for want of room, and what stands for it."""
        compaction = prompt.guard.compaction if prompt.guard is not None else None
        rows: tuple[PromptRow, ...] = ()
        if compaction is not None:
            first, last = message_numbers(compaction.start, compaction.stop)
            words = self.tr("Message {first}") if first == last else self.tr("Messages {first}–{last}")
            title = words.format(first=f"{first:,}", last=f"{last:,}")
            shorter = self.tr("a summary is sent") if compaction.summary else self.tr("a marker is sent")
            rows = (PromptRow(title, shorter, compaction.tokens, compaction.marker),)
        return _summed(self.tr("Compacted"), self.tr("not sent"), rows)

    def _recovered(self, prompt: PromptSnapshot) -> PromptGroup:
        recalled = prompt.guard.told if prompt.guard is not None else ()
        rows = tuple(PromptRow(_title(one.title), self._source(one), one.tokens, one.text) for one in recalled)
        return _summed(self.tr("Recovered"), self.tr("sent with this message alone"), rows)

    def _source(self, recalled: RecalledSource) -> str:
        if not recalled.left_out:
            return recalled.source
        return self.tr("{source} · {count} older left out").format(
            source=recalled.source, count=f"{recalled.left_out:,}"
        )

    def _cut(self, results: tuple[PromptSection, ...]) -> PromptGroup:
        rows = tuple(
            PromptRow(
                part.title,
                part.source,
                part.tokens,
                self.tr("The middle of this result was not sent.")
                + (f" {self.tr('All of it is in {file}.').format(file=part.source)}" if part.source else ""),
                part.source,
            )
            for part in results
        )
        return _summed(self.tr("Cut"), self.tr("tool results, what is missing of each"), rows)

    def _left_out(self, reasons: tuple[str, ...]) -> PromptGroup:
        title = self.tr("Left out")
        rows = tuple(PromptRow(core_words(reason), text=core_words(reason)) for reason in reasons)
        return PromptGroup(PromptRow(title, self.tr("not sent, and why")), rows)


def _title(title: str) -> str:
    return QCoreApplication.translate("PromptModel", str(_TITLES[title])) if title in _TITLES else title


def _summed(title: str, words: str, rows: tuple[PromptRow, ...]) -> PromptGroup:
    return PromptGroup(PromptRow(title, words, sum(row.tokens or 0 for row in rows)), rows)


def prompt_json(prompt: PromptSnapshot) -> str:
    """Returns the request as JSON: model, messages, and the tools' schemas where they are JSON."""
    request = {
        "model": prompt.model,
        "messages": list(prompt.request) or [{"title": part.title, "content": part.text} for part in prompt.messages],
        "tools": [_parsed(part.text) for part in prompt.tools],
    }
    return json.dumps(request, ensure_ascii=False, indent=2, default=str)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


class PartDelegate(QStyledItemDelegate):
    """Shows one line where there is room for the source beside the title; a group's title is semibold."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        is_ringed_elsewhere(view)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(32, line_height() + 2 * _PAD))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(_ROW_ROLE)
        theme = Theme.current()
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.color("accent_soft"))
        if state & QStyle.StateFlag.State_HasFocus:
            # Around the whole row, as the ground of one that is chosen: the tree draws what is before the indent.
            paint_ring(painter, area.adjusted(-area.left(), 0, 0, 0), 4)
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
