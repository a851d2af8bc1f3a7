"""The list of conversations: search, new, switch, rename, delete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.store.session_overview import SessionOverview
from mnemoscope.ui.widgets.square_button import keep_square
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, ROW_HEIGHT, Theme, line_height, set_role, theme_notifier

_Index = QModelIndex | QPersistentModelIndex
_HEADING_HEIGHT = 32
_ROW_PAD = 7
_LINE_GAP = 2
_Row = SessionOverview | str


def grouped(overviews: Sequence[SessionOverview], today: date, words: Sequence[str]) -> list[_Row]:
    """Conversations newest first, under the heading (`words`: today, this week, earlier) of their last change."""
    rows: list[_Row] = []
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


def _title(overview: SessionOverview) -> str:
    return overview.title or QCoreApplication.translate("SessionsPanel", "New conversation")


class SessionsModel(QAbstractListModel):
    """Headings (str) and conversations (SessionOverview) as rows; headings cannot be selected."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: list[_Row] = []

    def show(self, rows: list[_Row]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row_of(self, key: str) -> int:
        """The row of a conversation, or -1."""
        matches = (row for row, one in enumerate(self._rows) if isinstance(one, SessionOverview) and one.key == key)
        return next(matches, -1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            return row if isinstance(row, str) else _title(row)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        selectable = isinstance(self._rows[index.row()], SessionOverview)
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if selectable else Qt.ItemFlag.NoItemFlags


class _RowPainter(QStyledItemDelegate):
    """Title over a quiet line that counts messages and how many are settled."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        heading = isinstance(index.data(Qt.ItemDataRole.UserRole), str)
        theme = Theme.current()
        if heading:
            return QSize(100, theme.height(_HEADING_HEIGHT))
        words = line_height() + line_height("caption") + _LINE_GAP
        return QSize(100, max(ROW_HEIGHT, words + 2 * _ROW_PAD) + 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        row = index.data(Qt.ItemDataRole.UserRole)
        rect: QRect = option.rect
        if isinstance(row, str):
            self._paint_heading(painter, rect, row)
        else:
            self._paint_session(painter, option, rect, row)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        theme = Theme.current()
        font = theme.font("caption")
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text_muted"))
        painter.drawText(rect.adjusted(10, 0, -8, -4), Qt.AlignmentFlag.AlignBottom, text)

    def _paint_session(
        self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect, row: SessionOverview
    ) -> None:
        theme = Theme.current()
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft" if selected else "border"))
            painter.setOpacity(1.0 if selected else 0.5)
            painter.drawRoundedRect(rect.adjusted(0, 2, 0, -2), 8, 8)
            painter.setOpacity(1.0)
        if state & QStyle.StateFlag.State_HasFocus and selected:
            painter.setPen(theme.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 3, -1, -3), 7, 7)
        height = line_height() + line_height("caption") + _LINE_GAP
        top = rect.top() + (rect.height() - height) // 2
        words = QRect(rect.left() + 10, top, rect.width() - 20, height)
        self._paint_words(painter, words, row, selected=selected)

    def _paint_words(self, painter: QPainter, rect: QRect, row: SessionOverview, *, selected: bool) -> None:
        theme = Theme.current()
        font = theme.font("body")
        if selected:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        title = painter.fontMetrics().elidedText(_title(row), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text_muted"))
        facts = painter.fontMetrics().elidedText(self._facts(row), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignBottom, facts)

    def _facts(self, row: SessionOverview) -> str:
        count = self.tr("%n message(s)", "", row.count)
        if not row.last_consolidated:
            return count
        return self.tr("{count} · {settled} settled").format(count=count, settled=f"{row.last_consolidated:,}")


class SessionsPanel(QWidget):
    """Search field, button for a new conversation, and the list."""

    chosen = Signal(str)
    new_requested = Signal()
    renamed = Signal(str, str)
    delete_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="sunken")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._overviews: Sequence[SessionOverview] = ()
        self._current = ""
        self._read_only = False
        self._search = QLineEdit(self)
        self._search.setPlaceholderText(self.tr("Search conversations"))
        self._search.setAccessibleName(self.tr("Search conversations"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(lambda _text: self._fill())
        self._new = QToolButton(self)
        self._new.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self._new.setAccessibleName(self.tr("New conversation"))
        keep_square(self._new, 32, 18)
        self._new.clicked.connect(self.new_requested)
        self._model = SessionsModel(self)
        self._list = _SessionList(self)
        self._list.setModel(self._model)
        self._list.setItemDelegate(_RowPainter(self._list))
        self._list.setAccessibleName(self.tr("Conversations"))
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._list.customContextMenuRequested.connect(self._show_menu)
        self._list.rename_asked.connect(self.start_rename)
        self._list.delete_asked.connect(self._delete_current)
        self._nothing = QLabel(self)
        self._nothing.setTextFormat(Qt.TextFormat.PlainText)
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        set_role(self._nothing, role="muted")
        self._editor = QLineEdit(self._list.viewport())
        self._editor.setAccessibleName(self.tr("New name of the conversation"))
        self._editor.hide()
        self._editor.editingFinished.connect(self._finish_rename)
        self._renaming = ""
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_sessions(self, overviews: Sequence[SessionOverview], current: str) -> None:
        """Show these conversations; `current` is selected without announcing it."""
        self._overviews, self._current = overviews, current
        self._fill()

    def title_of(self, key: str) -> str:
        """What a conversation is called in the list."""
        return next((_title(one) for one in self._overviews if one.key == key), self.tr("New conversation"))

    def set_read_only(self) -> None:
        """From now on nothing can be begun, renamed or deleted here."""
        self._read_only = True
        self._new.setEnabled(False)

    def start_rename(self) -> None:
        """Edit the current conversation's name in place; Enter keeps it, Esc leaves it."""
        row = self._model.row_of(self._current)
        if row < 0 or self._read_only:
            return
        self._renaming = self._current
        rect = self._list.visualRect(self._model.index(row))
        high = Theme.current().height(CONTROL_HEIGHT)
        self._editor.setGeometry(rect.left() + 2, rect.center().y() - high // 2, rect.width() - 4, high)
        self._editor.setText(str(self._model.index(row).data()))
        self._editor.selectAll()
        self._editor.show()
        self._editor.setFocus()

    def focus_search(self) -> None:
        """Put the caret into the search field."""
        self._search.setFocus()
        self._search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves a rename, then an empty search field."""
        if event.key() == Qt.Key.Key_Escape and self._editor.isVisible():
            self._renaming = ""
            self._editor.hide()
            self._list.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self._search.text():
            self._search.clear()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self._search, 1)
        top.addWidget(self._new)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._nothing, 1)
        self.setMinimumWidth(180)

    def _fill(self) -> None:
        wanted = self._search.text().casefold()
        found = [one for one in self._overviews if wanted in _title(one).casefold()]
        words = (self.tr("TODAY"), self.tr("THIS WEEK"), self.tr("EARLIER"))
        self._model.show(grouped(found, date.today(), words))
        self._list.setVisible(bool(found))
        self._nothing.setVisible(not found)
        self._nothing.setText(self._empty_sentence())
        row = self._model.row_of(self._current)
        if row >= 0:
            blocked = self._list.selectionModel().blockSignals(True)
            self._list.setCurrentIndex(self._model.index(row))
            self._list.selectionModel().blockSignals(blocked)
            self._list.viewport().update()

    def _empty_sentence(self) -> str:
        if self._search.text():
            return self.tr("No conversation is called “{words}”.").format(words=self._search.text())
        return self.tr("No conversations yet.")

    def _on_current_changed(self, index: QModelIndex) -> None:
        row = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        if isinstance(row, SessionOverview) and row.key != self._current:
            self._current = row.key
            self.chosen.emit(row.key)

    def _show_menu(self, where: QPoint) -> None:
        index = self._list.indexAt(where)
        if self._read_only or not isinstance(index.data(Qt.ItemDataRole.UserRole), SessionOverview):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Rename…"), self.start_rename)
        menu.addAction(self.tr("Delete"), self._delete_current)
        menu.popup(self._list.viewport().mapToGlobal(where))

    def _delete_current(self) -> None:
        if self._current and not self._read_only:
            self.delete_requested.emit(self._current)

    def _finish_rename(self) -> None:
        key, self._renaming = self._renaming, ""
        self._editor.hide()
        title = " ".join(self._editor.text().split())
        if key and title:
            self.renamed.emit(key, title)

    def _restyle(self) -> None:
        self._new.setIcon(Theme.current().icon("plus", "text"))
        self._list.scheduleDelayedItemsLayout()


class _SessionList(QListView):
    rename_asked = Signal()
    delete_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames, Delete deletes."""
        if event.key() == Qt.Key.Key_F2:
            self.rename_asked.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_asked.emit()
        else:
            super().keyPressEvent(event)
