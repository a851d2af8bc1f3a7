"""The list of slash commands that appears while one is being typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QPlainTextEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.theme import Theme, set_role

CompletedCommand = tuple[str, str, str]
"""Name with its slash, usage, and in brief what it does."""
_ROWS: Final = 8
ROW_HEIGHT: Final = 30
STACKED_HEIGHT: Final = 46
_AROUND: Final = 40
"""Pixels of a row, and of the list's scroll bar, that hold no words."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """Describes one row: the command's name with its slash, its usage, in brief what it does, and how many pixels right
    of the usage that stands; 0: below it."""

    name: str
    usage: str
    brief: str
    brief_at: int


class _Offers(RowsModel[_Offer]):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        offer = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return offer
        return f"{offer.usage}: {offer.brief}" if role == Qt.ItemDataRole.DisplayRole else None


class _CommandRow(QStyledItemDelegate):
    """Draws usage and brief side by side, the briefs of all rows in a column; too long a one goes below its usage."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = Theme.current()
        area: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft"))
            painter.drawRoundedRect(area, 6, 6)
        words = area.adjusted(10, 0, -10, 0)
        font = theme.font("body")
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        offer: _Offer = index.data(Qt.ItemDataRole.UserRole)
        stacked = offer.brief_at == 0
        half = words.adjusted(0, 0, 0, -words.height() // 2) if stacked else words
        painter.drawText(half, Qt.AlignmentFlag.AlignVCenter, offer.usage)
        words = words.adjusted(offer.brief_at, words.height() // 2 - 2 if stacked else 0, 0, 0)
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text_muted"))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(offer.brief, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        del option
        return QSize(100, _command_height(stacked=index.data(Qt.ItemDataRole.UserRole).brief_at == 0))


def _command_height(*, stacked: bool) -> int:
    """Returns the height of one command; `stacked`: its brief stands below it."""
    return Theme.current().height(STACKED_HEIGHT if stacked else ROW_HEIGHT)


class CommandCompleter(QFrame):
    """Shows a list over the window that never takes the focus: the text edit it serves hands it the keys.

    It stands above `card`. No window of its own: some desktops place those where they like.
    """

    chosen = Signal(str)
    """This command, with its slash, is to be put into the text."""

    def __init__(self, edit: QPlainTextEdit, card: QWidget) -> None:
        super().__init__(card)
        self._edit = edit
        self._card = card
        set_role(self, role="sheet")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._commands: list[CompletedCommand] = []
        self._offers = _Offers(self)
        self._list = QListView(self)
        self._list.setModel(self._offers)
        self._list.setItemDelegate(_CommandRow(self._list))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName(self.tr("Commands"))
        self._list.clicked.connect(lambda index: self.chosen.emit(self._offers.rows[index.row()].name))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self._list)
        self.chosen.connect(self._put_in)
        self.hide()

    def set_commands(self, commands: Sequence[CompletedCommand]) -> None:
        """Takes the commands there are."""
        self._commands = list(commands)

    @property
    def current(self) -> str:
        """Returns the name of the marked command, or ""."""
        index = self._list.currentIndex()
        return self._offers.rows[index.row()].name if index.isValid() and self.isVisible() else ""

    def follow(self) -> None:
        """Offers what the text begins, where it is nothing but the beginning of a command."""
        document = self._edit.document()
        text = document.firstBlock().text() if document.blockCount() == 1 else ""
        if text.startswith("/") and " " not in text and len(text) < 40:
            self._complete(text)
        else:
            self.hide()

    def _complete(self, typed: str) -> None:
        found = [command for command in self._commands if command[0].startswith(typed.lower())]
        if not typed.startswith("/") or not found or [command[0] for command in found] == [typed]:
            self.hide()
            return
        self._fill(found, self._card.width() - _AROUND)
        self._place()
        self.show()

    def _fill(self, found: Sequence[CompletedCommand], width: int) -> None:
        metrics = QFontMetrics(Theme.current().font("body"))
        at = max(metrics.horizontalAdvance(usage or name) for name, usage, _brief in self._commands) + 28
        if at + max(metrics.horizontalAdvance(words) for _name, _usage, words in self._commands) > width:
            at = 0
        self._offers.show(_Offer(name, usage or name, words, at) for name, usage, words in found)
        self._mark(0)

    def _place(self) -> None:
        above = self._card
        window = above.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        corner = above.mapTo(window, QPoint(0, 0))
        row = self._list.sizeHintForRow(0)
        height = min(row * min(len(self._offers.rows), _ROWS) + 10, max(corner.y() - 8, row + 10))
        self.setGeometry(corner.x(), corner.y() - height - 4, above.width(), height)
        self.raise_()

    def step(self, by: int) -> None:
        """Marks the next or the previous command."""
        self._mark((self._list.currentIndex().row() + by) % max(len(self._offers.rows), 1))

    def _mark(self, row: int) -> None:
        self._list.setCurrentIndex(self._offers.index(row, 0))

    def _put_in(self, name: str) -> None:
        self._edit.selectAll()
        self._edit.textCursor().insertText(f"{name} ")
        self._edit.moveCursor(QTextCursor.MoveOperation.End)
        self.hide()
