"""The list of conversations: search, new, switch, rename, delete; the closed ones below, to be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import ClassVar, Final

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.text.characters import on_one_line
from mnemoscope.store.sessions.archive import ClosedConversation
from mnemoscope.store.sessions.overview import SessionOverview
from mnemoscope.store.sessions.session_moves import TrashedOverview
from mnemoscope.ui.sessions.agents_section import AgentsSection
from mnemoscope.ui.support.locale_words import in_words
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere, paint_ring
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.menus import menu_place
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.square_button import keep_square
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, ROW_HEIGHT, Theme, line_height, set_role, theme_notifier

_SECOND: Final = len("2026-03-12T14:30:00")


_HEADING_HEIGHT = 32
_ROW_PAD = 7
_LINE_GAP = 2
_BRANCH_INSET = 14
"""Pixels by which a branch of a closed conversation stands in below it."""


_LONGEST_TITLE: Final = 200
_LOOKED_AT: Final = 4 * _LONGEST_TITLE
"""Characters of a title that are shown at most, and that are looked at for it."""


class SessionsPane(QWidget):
    """Shows the search field, the button for a new conversation, and the list."""

    manual_page: ClassVar = "conversations"
    chosen = Signal(str)
    """The conversation of this key is to be opened."""
    closed_chosen = Signal(object)
    """A `ClosedConversation` is to be read."""
    new_requested = Signal()
    renamed = Signal(str, str)
    """The conversation of this key has this title from now on."""
    delete_requested = Signal(str)
    """The conversation of this key is to be deleted."""
    deletion_of_several_requested = Signal(object)
    """The conversations of these keys are to be deleted."""
    archive_requested = Signal(object)
    """The conversations of these keys are to be closed, as /new does."""
    pin_requested = Signal(object, bool)
    """The conversations of these keys are to stand above the others, or not any more."""
    export_requested = Signal()
    """The conversation on show is to be exported."""
    export_of_several_requested = Signal(object)
    """The conversations of these names, keys or files of closed ones, are to be exported."""
    everything_requested = Signal(str)
    """These words are to be looked for in all messages and memory, not in titles alone."""
    listed = Signal()
    """Titles are known, or others than before."""
    agent_chosen = Signal(object)
    """The folder of another agent whose conversations are to be looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="sunken")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._overviews: Sequence[SessionOverview] = ()
        self._closed: Sequence[ClosedConversation] = ()
        self._has_list = False
        self._unfolded = False
        self._current = ""
        self._read_only = False
        self._search = QLineEdit(self)
        # Short: the column is narrow, and stands for what is searched.
        self._search.setPlaceholderText(self.tr("Search"))
        self._search.setToolTip(self.tr("Search conversations"))
        self._search.setAccessibleName(self.tr("Search conversations"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(lambda _text: self._fill())
        self._search.returnPressed.connect(self._on_return)
        self.everything_button = QPushButton(self.tr("Search messages too"), self)
        set_role(self.everything_button, kind="link")
        self.everything_button.setToolTip(
            self.tr("Looks for the words in all messages, memory and history (Ctrl+Shift+F)")
        )
        self.everything_button.clicked.connect(self._search_everything)
        self.everything_button.hide()
        self.new_button = QToolButton(self)
        self.new_button.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self.new_button.setAccessibleName(self.tr("New conversation"))
        keep_square(self.new_button, 32, 18)
        SinglePress(self).connect_button(self.new_button, self.new_requested.emit)
        self._model = SessionsModel(self)
        self._list = _SessionList(self)
        self._list.setModel(self._model)
        delegate = SessionDelegate(self._list)
        self._list.setItemDelegate(delegate)
        self._model.facts_of = delegate.facts
        self._list.setAccessibleName(self.tr("Conversations"))
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._list.clicked.connect(self._on_clicked)
        self._list.toggle_requested.connect(lambda: self._on_clicked(self._list.currentIndex()))
        self._list.customContextMenuRequested.connect(self._show_menu)
        self._list.rename_requested.connect(self._rename_focused)
        self._list.delete_requested.connect(self._delete_focused)
        self._nothing = plain_label(self, "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._editor = _NameField(self._list.viewport())
        self._editor.setAccessibleName(self.tr("New name of the conversation"))
        self._editor.hide()
        self._editor.editingFinished.connect(self._finish_rename)
        self._renaming = ""
        self.agents = AgentsSection(self)
        self.agents.chosen.connect(self.agent_chosen)
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def show_sessions(
        self, overviews: Sequence[SessionOverview], current: str, closed: Sequence[ClosedConversation] = ()
    ) -> None:
        """Shows these conversations; `current`, a key or a closed one's file, is selected without announcing it."""
        self._overviews = overviews
        self._closed = closed
        self._has_list = True
        self._current = current
        self._unfolded = self._unfolded or any(row_name(one) == current for one in closed)
        self._fill()
        self.listed.emit()

    def show_waiting(self, waiting: Mapping[str, tuple[int, str]]) -> None:
        """Shows, by the key of a conversation, how many proposals from it wait for review, and says it in words."""
        self._model.show_waiting(waiting)

    def show_current(self, name: str) -> None:
        """Selects what is on show from now on, a key or a closed one's file, without announcing it.

        The list may be read again only later: a click on what was on show before must count by then.
        """
        self._current = name
        self._select_current()

    def title_of(self, key: str, when: str = "") -> str:
        """Returns the title of the conversation that had the key at `when` (naive local ISO 8601), or has it now; "" as
        long as no list was read.

        /new closes a conversation and hands its key on to the next. What happened in a conversation that is in no list
        was said in one that is deleted.
        """
        live = next((one for one in self._overviews if one.key == key), None)
        if when and (live is None or live.created_at.isoformat() > when):
            # The names of closed ones tell the second.
            closed = [one for one in self._closed if one.key == key and not one.is_branch]
            ended = [one for one in closed if one.closed_at.isoformat() >= when[:_SECOND]]
            if ended:
                return listed_title(min(ended, key=lambda one: one.closed_at))
        if live is not None:
            return listed_title(live)
        if not self._has_list:
            return ""
        return self.tr("a deleted conversation") if when else self.tr("New conversation")

    def set_read_only(self) -> None:
        """Lets nothing be begun, renamed or deleted here any more."""
        self._read_only = True
        self.new_button.setEnabled(False)

    def start_rename(self) -> None:
        """Starts to edit the current conversation's name in place; Enter keeps it, Esc leaves it. While the list is
        still being read for the first time, it waits for it."""
        if not self._has_list:
            self.listed.connect(self.start_rename, Qt.ConnectionType.SingleShotConnection)
            return
        if self._read_only or all(one.key != self._current for one in self._overviews):
            return
        if self._model.row_of(self._current) < 0:
            # What is searched for hides it.
            self._search.clear()
        self._rename(self._current)

    def _rename(self, name: str) -> None:
        """Starts to edit the name of a conversation in its row, on show or not; a closed one keeps its name."""
        index = self._model.index(self._model.row_of(name))
        row = index.data(Qt.ItemDataRole.UserRole)
        if self._read_only or not isinstance(row, SessionOverview):
            return
        self._renaming = row.key
        self._list.scrollTo(index)
        rect = self._list.visualRect(index)
        high = Theme.current().height(CONTROL_HEIGHT)
        self._editor.setGeometry(rect.left() + 2, rect.center().y() - high // 2, rect.width() - 4, high)
        self._editor.setText(str(index.data()))
        self._editor.selectAll()
        self._editor.show()
        self._editor.setFocus()

    def toggle_pin(self) -> None:
        """Puts the conversation on show above the others, or back among them."""
        shown = next((one for one in self._overviews if one.key == self._current), None)
        if shown is not None and not self._read_only:
            self.pin_requested.emit((shown.key,), not shown.is_pinned)

    def focus_search(self) -> None:
        """Puts the caret into the search field."""
        self._search.setFocus()
        self._search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves a rename with Esc, then empties the search field."""
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
        top.addWidget(self.new_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.everything_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._nothing, 1)
        layout.addWidget(self.agents)
        self.setMinimumWidth(180)

    def selected(self) -> list[Listed]:
        """Returns the conversations that are selected, in the order of the list."""
        rows = sorted(index.row() for index in self._list.selectionModel().selectedIndexes())
        return [row for row in map(self._model.rows.__getitem__, rows) if isinstance(row, Listed)]

    def _fill(self) -> None:
        chosen = [row_name(one) for one in self.selected()]
        place = self._list.currentIndex().row()
        held = self._list.currentIndex().data(Qt.ItemDataRole.UserRole) if self._list.hasFocus() else None
        wanted = self._search.text().casefold()
        found = [one for one in self._overviews if wanted in listed_title(one).casefold()]
        words = (self.tr("TODAY"), self.tr("THIS WEEK"), self.tr("EARLIER"))
        pinned = [one for one in found if one.is_pinned]
        rows = grouped([one for one in found if not one.is_pinned], date.today(), words) + self._archived(wanted)
        rows = [self.tr("PINNED"), *_newest_first(pinned), *rows] if pinned else rows
        self._model.show(rows)
        self.everything_button.setVisible(bool(wanted.strip()))
        self._list.setVisible(bool(rows))
        self._nothing.setVisible(not rows)
        self._nothing.setText(self._empty_sentence())
        self._select_current(chosen)
        if isinstance(held, Listed) and (row := self._model.row_of(row_name(held))) >= 0:
            # What is read again under the hands moves no key to another conversation.
            self._list.focus_near(row)
        if self._list.hasFocus() and not self._list.currentIndex().isValid():
            self._list.focus_near(place)

    def _on_return(self) -> None:
        """Where no title has the words, goes on to the messages."""
        if self._search.text().strip() and not self._model.rows:
            self._search_everything()

    def _search_everything(self) -> None:
        self.everything_requested.emit(self._search.text().strip())

    def _select_current(self, chosen: Sequence[str] = ()) -> None:
        """Selects what is on show, or, where several were `chosen`, those of them that are listed still."""
        row = self._model.row_of(self._current)
        several = [place for name in chosen if (place := self._model.row_of(name)) >= 0]
        selection = self._list.selectionModel()
        blocked = selection.blockSignals(True)
        # Said by itself, since a view asks which keys are held: with Ctrl, the one before would stay selected.
        shown = self._model.index(row) if row >= 0 else QModelIndex()
        selection.setCurrentIndex(shown, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if len(several) > 1:
            selection.clearSelection()
            for place in several:
                selection.select(self._model.index(place), QItemSelectionModel.SelectionFlag.Select)
        selection.blockSignals(blocked)
        self._list.viewport().update()

    def _archived(self, wanted: str) -> list[SessionRow]:
        """Returns the closed conversations under their heading; what is searched for unfolds them."""
        found = [one for one in self._closed if wanted in listed_title(one).casefold()]
        unfolded = self._unfolded or bool(wanted)
        rows = found if unfolded else []
        count = sum(not one.is_branch for one in found)
        return [ArchiveHeading(self.tr("ARCHIVED"), count, unfolded), *rows] if found else []

    def _on_clicked(self, index: QModelIndex) -> None:
        """A click on one of several that are selected is for it alone."""
        self._toggle(index)
        self._on_current_changed(index)

    def _toggle(self, index: QModelIndex) -> None:
        if isinstance(index.data(Qt.ItemDataRole.UserRole), ArchiveHeading):
            self._unfolded = not self._unfolded
            place = index.row()
            self._fill()
            # The keyboard stays at the heading, and the mark at the conversation on show.
            heading = self._model.index(place)
            self._list.selectionModel().setCurrentIndex(heading, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _empty_sentence(self) -> str:
        if self._search.text():
            return self.tr("No conversation is called “{words}”.").format(words=self._search.text())
        return self.tr("No conversations yet. Your first message begins one.")

    def _on_current_changed(self, index: QModelIndex) -> None:
        row = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        if self._list.adds or self._list.is_entered or not isinstance(row, Listed) or row_name(row) == self._current:
            return
        self._current = row_name(row)
        if isinstance(row, ClosedConversation):
            self.closed_chosen.emit(row)
        else:
            self.chosen.emit(row.key)

    def _show_menu(self, where: QPoint) -> None:
        index = self._list.indexAt(where)
        row = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(row, Listed):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill_menu(menu, row, self.selected())
        menu.popup(self._list.viewport().mapToGlobal(where))

    def _fill_menu(self, menu: QMenu, row: Listed, chosen: Sequence[Listed]) -> None:
        """Offers what can be done with the row, or with all that are selected where it is one of these."""
        several = chosen if row in chosen and len(chosen) > 1 else [row]
        live = [one for one in several if isinstance(one, SessionOverview)]
        keys = tuple(one.key for one in live)
        if live and not self._read_only:
            if len(several) == 1:
                menu.addAction(self.tr("Rename…"), lambda: self._rename(row_name(row)))
            is_pinned = all(one.is_pinned for one in live)
            words = self.tr("Unpin") if is_pinned else self.tr("Pin")
            menu.addAction(words, lambda: self.pin_requested.emit(keys, not is_pinned))
            menu.addAction(self.tr("Archive"), lambda: self.archive_requested.emit(keys))
            words = self.tr("Delete") if len(live) == 1 else self.tr("Delete %n conversations", "", len(live))
            menu.addAction(words, lambda: self._delete(several))
        if len(several) == 1 and row_name(row) == self._current:
            menu.addAction(self.tr("Export…"), self.export_requested.emit)
        elif len(several) == 1:
            menu.addAction(self.tr("Export…"), lambda: self.export_of_several_requested.emit((row_name(row),)))
        else:
            names = tuple(map(row_name, several))
            words = self.tr("Export %n conversations…", "", len(several))
            menu.addAction(words, lambda: self.export_of_several_requested.emit(names))

    def _rename_focused(self) -> None:
        """Renames the row that has the keyboard, which need not be the one on show."""
        row = self._list.currentIndex().data(Qt.ItemDataRole.UserRole)
        if isinstance(row, Listed):
            self._rename(row_name(row))

    def _delete_focused(self) -> None:
        """Deletes what is selected where that is several, else the row that has the keyboard."""
        chosen = self.selected()
        row = self._list.currentIndex().data(Qt.ItemDataRole.UserRole)
        self._delete(chosen if len(chosen) > 1 or not isinstance(row, Listed) else [row])

    def _delete(self, rows: Sequence[Listed]) -> None:
        keys = tuple(one.key for one in rows if isinstance(one, SessionOverview))
        if self._read_only or not keys:
            return
        if len(rows) > 1:
            self.deletion_of_several_requested.emit(keys)
        else:
            self.delete_requested.emit(keys[0])

    def _finish_rename(self) -> None:
        key, self._renaming = self._renaming, ""
        if self._editor.hasFocus():
            self._list.setFocus()
        self._editor.hide()
        title = " ".join(self._editor.text().split())
        # The first words stay the title where they are only looked at.
        if key and title and self._editor.isModified():
            self.renamed.emit(key, title)

    def _restyle(self) -> None:
        self.new_button.setIcon(Theme.current().icon("plus", "text"))
        self._list.scheduleDelayedItemsLayout()


class _NameField(QLineEdit):
    """Edits a name in the list, which opens a row at Enter: it hears nothing of the one that ends the name."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.accept()


class _SessionList(QListView):
    rename_requested = Signal()
    delete_requested = Signal()
    toggle_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        is_ringed_elsewhere(self)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.adds = False
        """Whether rows are just being added to the selection, or a menu is opened over several: none is opened."""
        self.is_entered = False
        """Whether the keyboard just comes to the list: the row that gets it is not opened."""

    def focus_near(self, place: int) -> None:
        """Gives the keyboard's place to the row there, or to the nearest one, without opening it."""
        model = self.model()
        rows = [row for row in range(model.rowCount()) if model.flags(model.index(row, 0)) != Qt.ItemFlag.NoItemFlags]
        if not rows:
            return
        nearest = min(rows, key=lambda row: abs(row - place))
        self.is_entered = True
        self.selectionModel().setCurrentIndex(model.index(nearest, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        self.is_entered = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Takes the keyboard. Where no row has it, Qt gives it to the first one, which is not opened by that."""
        self.is_entered = True
        super().focusInEvent(event)
        self.is_entered = False

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Notes whether the selection is extended: with Ctrl or Shift."""
        if isinstance(event, QKeyEvent | QMouseEvent):
            extending = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            by_right = isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.RightButton
            chosen = self.selectionModel().selectedIndexes()
            self.adds = bool(event.modifiers() & extending) or (by_right and len(chosen) > 1 and index in chosen)
        return super().selectionCommand(index, event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Has the menu open at the pointer, or by key at the current row, which comes into sight."""
        current = self.currentIndex()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.scrollTo(current)
        self.customContextMenuRequested.emit(menu_place(event, self.visualRect(current), self.viewport()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answers the keys of the list; by Qt's own, Ctrl and Shift add rows."""
        if not SESSIONS_KEYS.press(self, event):
            super().keyPressEvent(event)

    def _toggle(self) -> None:
        self.adds = False
        self.toggle_requested.emit()

    def _fold(self) -> bool:
        is_heading = isinstance(self.currentIndex().data(Qt.ItemDataRole.UserRole), ArchiveHeading)
        if is_heading:
            self._toggle()
        return is_heading


SESSIONS_KEYS: Final[PartKeys[_SessionList]] = PartKeys(
    "Conversations",
    PartKey("open the conversation; fold or unfold the archive", {"Enter": _SessionList._toggle}),
    PartKey("fold or unfold the archive", {"Space": _SessionList._fold}),
    PartKey("rename the conversation", {"F2": lambda shown: shown.rename_requested.emit()}),
    PartKey("delete what is selected", {"Del": lambda shown: shown.delete_requested.emit()}),
)


@dataclass(frozen=True, slots=True)
class ArchiveHeading:
    """Stands for the line that folds and unfolds the closed conversations."""

    words: str
    count: int
    unfolded: bool


_WAITING: Final = Qt.ItemDataRole.UserRole + 1
"""The number of proposals from a conversation that wait for review."""
Listed = SessionOverview | ClosedConversation
SessionRow = Listed | ArchiveHeading | str


def grouped(overviews: Sequence[SessionOverview], today: date, words: Sequence[str]) -> list[SessionRow]:
    """Groups conversations, newest first, under the heading (`words`: today, this week, earlier) of their last
    change."""
    rows: list[SessionRow] = []
    heading = ""
    for overview in _newest_first(overviews):
        wanted = words[_age(overview.updated_at, today)]
        if wanted != heading:
            heading = wanted
            rows.append(heading)
        rows.append(overview)
    return rows


def _newest_first(overviews: Sequence[SessionOverview]) -> list[SessionOverview]:
    return sorted(overviews, key=lambda one: one.updated_at, reverse=True)


def _age(when: datetime, today: date) -> int:
    day = when.date()
    if day >= today:
        return 0
    return 1 if day > today - timedelta(days=7) else 2


def listed_title(one: Listed | TrashedOverview) -> str:
    """Returns what a conversation is called in a list. A title may come from another program, with characters nobody
    sees, some of which turn the words around it."""
    return on_one_line(one.title[:_LOOKED_AT])[:_LONGEST_TITLE] or QCoreApplication.translate(
        "SessionsPane", "New conversation"
    )


def row_name(one: Listed) -> str:
    """Returns what tells a row from all others: a conversation's key, a closed one's file."""
    return str(one.path) if isinstance(one, ClosedConversation) else one.key


class SessionsModel(RowsModel[SessionRow]):
    """Headings cannot be selected, but for the one that folds."""

    _waiting: Mapping[str, tuple[int, str]] = MappingProxyType({})
    facts_of: Callable[[Listed], str] | None = None
    """Says what stands below a title; a screen reader hears it behind the title."""

    def show_waiting(self, waiting: Mapping[str, tuple[int, str]]) -> None:
        """Notes how many proposals of each conversation wait, by its key, with the words for it."""
        if waiting != self._waiting:
            self._waiting = waiting
            if self.rows:
                self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def row_of(self, name: str) -> int:
        """Returns the row of a conversation by its key, or of a closed one by its file; -1 where there is none."""
        listed = ((row, one) for row, one in enumerate(self.rows) if isinstance(one, Listed))
        return next((row for row, one in listed if row_name(one) == name), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        count, words = self._waiting.get(row.key, (0, "")) if isinstance(row, SessionOverview) else (0, "")
        if role == _WAITING:
            return count
        if role == Qt.ItemDataRole.AccessibleTextRole and isinstance(row, Listed):
            facts = self.facts_of(row) if self.facts_of is not None else ""
            return ", ".join(filter(None, (listed_title(row), facts, words)))
        if count and role == Qt.ItemDataRole.ToolTipRole:
            assert isinstance(row, SessionOverview)
            return f"{listed_title(row)}, {words}"
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            if isinstance(row, ArchiveHeading):
                return f"{row.words} {row.count}"
            return row if isinstance(row, str) else listed_title(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        selectable = not isinstance(self.rows[index.row()], str)
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if selectable else Qt.ItemFlag.NoItemFlags


class SessionDelegate(QStyledItemDelegate):
    """Shows title over a quiet line that counts messages and how many are consolidated, or says when it was closed."""

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
            paint_ring(painter, rect.adjusted(0, 2, 0, 0))

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
        if self._has_focus(index):
            paint_ring(painter, rect.adjusted(0, 2, 0, -2))
        height = line_height() + line_height("caption") + _LINE_GAP
        top = rect.top() + (rect.height() - height) // 2
        inset = Theme.current().scaled(_BRANCH_INSET) if isinstance(row, ClosedConversation) and row.is_branch else 0
        words = QRect(rect.left() + 10 + inset, top, rect.width() - 20 - inset, height)
        if waiting := index.data(_WAITING):
            words.setRight(words.right() - self._paint_badge(painter, words, f"{waiting:,}"))
        self._paint_words(painter, words, row, selected=selected)

    def _paint_badge(self, painter: QPainter, rect: QRect, words: str) -> int:
        """Paints a number in a frame of round ends at the right; returns the width it takes."""
        theme = Theme.current()
        painter.setFont(theme.font("caption"))
        height = line_height("caption")
        width = max(height, painter.fontMetrics().horizontalAdvance(words) + theme.scaled(10))
        badge = QRect(rect.right() - width, rect.center().y() - height // 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(badge, height / 2, height / 2)
        painter.setPen(theme.color("on_accent"))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, words)
        return width + theme.scaled(8)

    def _paint_words(self, painter: QPainter, rect: QRect, row: Listed, *, selected: bool) -> None:
        theme = Theme.current()
        font = theme.font("body")
        if selected:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text_muted" if isinstance(row, ClosedConversation) else "text"))
        title = painter.fontMetrics().elidedText(listed_title(row), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignTop, title)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text_muted"))
        facts = self.facts_within(rect.width(), row, painter.fontMetrics())
        painter.drawText(rect, Qt.AlignmentFlag.AlignBottom, facts)

    def facts_within(self, room: int, row: Listed, metrics: QFontMetrics) -> str:
        """Returns what is said below a title in `room` pixels: fewer words where all of them lack room."""
        facts = self.facts(row)
        if metrics.horizontalAdvance(facts) > room:
            facts = self._brief_facts(row) or facts
        return metrics.elidedText(facts, Qt.TextElideMode.ElideRight, room)

    def _brief_facts(self, row: Listed) -> str:
        """Returns fewer words for a narrow list; "" where there are no fewer."""
        kinds = {Discretion.TEMPORARY: self.tr("temporary"), Discretion.READS_MEMORY: self.tr("not remembered")}
        if row.discretion in kinds:
            return kinds[row.discretion]
        if isinstance(row, ClosedConversation) or not row.left_consolidated:
            return ""
        words = self.tr("{number} of {count} consolidated")
        return words.format(number=f"{row.left_consolidated:,}", count=f"{row.left:,}")

    def facts(self, row: Listed) -> str:
        """Returns what is said below a title: how many messages there are and were consolidated, how it is kept, and of
        a closed conversation since when."""
        count = self.tr("%n messages", "", row.left)
        if isinstance(row, ClosedConversation) and row.is_branch:
            count = self.tr("branch · {count}").format(count=count)
        elif isinstance(row, ClosedConversation):
            day = in_words(row.closed_at.date(), self.tr("d MMM yyyy"))
            count = self.tr("closed {day} · {count}").format(day=day, count=count)
        kinds = {
            Discretion.TEMPORARY: self.tr("{count} · temporary"),
            Discretion.READS_MEMORY: self.tr("{count} · not remembered"),
        }
        if row.discretion in kinds:
            return kinds[row.discretion].format(count=count)
        if isinstance(row, ClosedConversation) or not row.left_consolidated:
            return count
        return self.tr("{count} · {number} consolidated").format(count=count, number=f"{row.left_consolidated:,}")
