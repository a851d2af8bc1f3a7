"""The other agents of this computer, listed below the conversations once the person agreed that they are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere, paint_ring
from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_ROW: Final = 32
_IN_SIGHT: Final = 4
"""Rows that are in sight at once; others are scrolled to."""

Agent = tuple[str, Path]
"""The name of an agent, and the folder in which its conversations and memory lie."""


class AgentsSection(QWidget):
    """Is hidden while there is none. `chosen` carries the folder of one."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = QLabel(self.tr("AGENTS"), self)
        self._title.setContentsMargins(10, 6, 0, 2)
        self.model = _Agents(self)
        self.list = _AgentList(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_AgentDelegate(self.list))
        self.list.setAccessibleName(self.tr("Other agents"))
        self.list.opened.connect(self._open)
        self.list.clicked.connect(self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._title)
        column.addWidget(self.list)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_agents(self, agents: Sequence[Agent]) -> None:
        """Lists these agents and no others."""
        rows = list(agents)
        if rows != self.model.rows:
            self.model.show(rows)
            self._restyle()
        self.setVisible(bool(rows))

    def _open(self, index: Index) -> None:
        if 0 <= index.row() < len(self.model.rows):
            self.chosen.emit(self.model.rows[index.row()][1])

    def _restyle(self) -> None:
        theme = Theme.current()
        font = theme.font("caption")
        font.setWeight(QFont.Weight.DemiBold)
        self._title.setFont(font)
        set_role(self._title, role="muted")
        self.list.setFixedHeight(min(len(self.model.rows), _IN_SIGHT) * theme.height(_ROW) + 4)
        self.list.scheduleDelayedItemsLayout()


class _AgentList(QListView):
    opened = Signal(object)
    """The agent of this `QModelIndex` is to be shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        is_ringed_elsewhere(self)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space open the agent that the keyboard is on."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.opened.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class _Agents(RowsModel[Agent]):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.rows):
            return None
        title, root = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tidied(str(root))
        return f"{title}, {tidied(str(root))}" if role == Qt.ItemDataRole.AccessibleTextRole else None


class _AgentDelegate(QStyledItemDelegate):
    """Draws the name of an agent beside a mark."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(100, Theme.current().height(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = Theme.current(), QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("border"))
            painter.setOpacity(0.5)
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 8, 8)
            painter.setOpacity(1.0)
        if self._view.hasFocus() and index == self._view.currentIndex():
            paint_ring(painter, rect.adjusted(0, 1, 0, -1))
        side = theme.scaled(16)
        left = rect.left() + 10
        theme.icon("bot", "text_muted").paint(painter, QRect(left, rect.center().y() - side // 2, side, side))
        words = rect.adjusted(10 + side + 8, 0, -8, 0)
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text"))
        title = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, title)
        painter.restore()
