"""Every version of one file: the list, what the chosen ones changed, and the ways back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QPushButton,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.text.diff import DiffLine
from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.memory.versions.version_words import (
    CHIPS,
    change_author_words,
    subject_words,
    trailer_words,
    version_sentence,
)
from mnemoscope.ui.support.locale_words import moment_words, time_words
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.accessibility.focus_ring import is_ringed_elsewhere, paint_ring
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.lists.rows_model import Index, RowsModel
from mnemoscope.ui.widgets.notices.notice_bar import FlowRow
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.text.plain_text import plain_label
from mnemoscope.ui.widgets.theme import LINK_INSET, Theme, set_role

_ROW_HEIGHT: Final = 30
_LEAST_DIFF: Final = 48
"""Pixels that the comparison may shrink to."""
_NEAR: Final = 8
"""Rows before the end at which the next ones are asked for."""


class VersionsView(QWidget):
    """Emits `undo_chosen` and `restore_chosen` with a VersionRow; `looked_at` asks for what `show_diff` takes.

    Taking back keeps everything later; restoring makes the file what it was right after the change. `passage_chosen` is
    the number of a passage of the comparison on show, whose older wording is to be put back.
    """

    manual_page: ClassVar = "versions"
    undo_chosen = Signal(object)
    restore_chosen = Signal(object)
    passage_chosen = Signal(int)
    looked_at = Signal()
    more_requested = Signal()
    travel_chosen = Signal(object)
    """A moment to look back to, as the row of the version that began it."""
    messages_requested = Signal()
    """The messages that the version on show was made from are to be shown."""
    closed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.closed.emit)
        self._read_only = False
        self._is_low = False
        heading = QLabel(self.tr("Versions of {name}").format(name=name), self)
        heading.setWordWrap(True)
        set_role(heading, role="heading")
        # Tab goes in the order in which they are made: as they stand.
        self.travel_button = self._link(
            self.tr("All files then"), self.tr("Look back: all memory files as they were at this version")
        )
        self.back_button = QPushButton(self.tr("Back"), self)
        set_role(self.back_button, kind="quiet")
        self.list = VersionList(self)
        self.list.setAccessibleName(self.tr("Versions of {name}, newest first").format(name=name))
        self.details = plain_label(self, "caption")
        self.diff = DiffView(self)
        self.messages_button = self._link(self.tr("Show messages"), self.tr("The messages it was made from"))
        self.messages_button.hide()
        self.now_button = self._link(self.tr("Compare with now"), self.tr("What became of it until now"))
        self.now_button.setCheckable(True)
        self.passage_button = self._link(
            self.tr("Put this passage back"), self.tr("The older wording of the marked passage; all else stays (R)")
        )
        self.undo_button = QPushButton(self.tr("Undo this change"), self)
        self.restore_button = QPushButton(self.tr("Restore this version"), self)
        set_role(self.undo_button, kind="primary")
        self.undo_button.setToolTip(self._undo_tip(None))
        words = self.tr("Makes {name} what it was right after this change")
        self.restore_button.setToolTip(words.format(name=name))
        self._connect()
        self._lay_out(heading)
        self.setFocusProxy(self.list)

    @property
    def current(self) -> VersionRow | None:
        """Returns the version that is looked at; None where there are two or none."""
        chosen = self.list.chosen
        return chosen[0] if len(chosen) == 1 else None

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether the view is only read: then nothing may be taken back."""
        self._read_only = read_only
        self._offer()

    def set_low(self, low: bool) -> None:
        """Sets whether there is room for little: then what a version is about stands in its row alone."""
        self._is_low = low
        self.diff.set_low(low)
        self.details.setVisible(self.current is not None and not low)

    def offer_messages(self, known: bool) -> None:
        """Offers the messages the version was made from, where it is known which they are."""
        self.messages_button.setVisible(known)

    def show_diff(self, rows: tuple[DiffLine, ...] | None, title: str) -> None:
        """Shows what was asked for; None where the texts are not kept."""
        self.diff.show_rows(rows or (), title)
        self._offer(known=rows is not None)

    def _look(self) -> None:
        self._offer(known=False)
        self.offer_messages(False)
        row = self.current
        self.details.setText(self._details(row) if row else "")
        self.undo_button.setToolTip(self._undo_tip(row))
        self.details.setToolTip(
            plain_tooltip("\n".join(trailer_words(row, self.list.versions.title_of))) if row else ""
        )
        self.details.setVisible(row is not None and not self._is_low)
        self.now_button.setVisible(row is not None)
        self.travel_button.setVisible(row is not None and row.commit is not None)
        if self.list.chosen:
            self.looked_at.emit()

    def _details(self, row: VersionRow) -> str:
        commit = [self.tr("version {id}").format(id=row.commit.sha)] if row.commit else []
        when = [moment_words(row.when)] if row.when else []
        parts = [
            change_author_words(row.author),
            *when,
            *trailer_words(row, self.list.versions.title_of, without_ids=True),
            *commit,
        ]
        return "\n".join([" · ".join(parts), *([self._no_change()] if row.is_beginning else [])])

    def _no_change(self) -> str:
        return self.tr(
            "So it was when versions began. It is no change, so there is nothing to undo; it can be restored."
        )

    def _undo_tip(self, row: VersionRow | None) -> str:
        if row is not None and row.is_beginning:
            return self._no_change()
        return self.tr("Takes back only this one; everything later stays")

    def _offer(self, *, known: bool = True) -> None:
        row, may = self.current, known and not self._read_only
        kept = row is not None and (row.commit is not None or bool(row.change and row.change.after))
        undoable = row is not None and not row.is_beginning
        self.undo_button.setEnabled(may and undoable)
        self.restore_button.setEnabled(may and kept)
        self.passage_button.setEnabled(may and self.diff.text.passage is not None)

    def _choose(self, signal: SignalInstance) -> None:
        if self.current is not None:
            signal.emit(self.current)

    def _put_back(self) -> None:
        passage = self.diff.text.passage
        if passage is not None and self.passage_button.isEnabled():
            self.passage_chosen.emit(passage)

    def _link(self, words: str, name: str) -> QPushButton:
        button = QPushButton(words, self)
        set_role(button, kind="link")
        button.setToolTip(name)
        return button

    def _connect(self) -> None:
        presses = SinglePress(self)
        presses.connect_button(self.undo_button, lambda: self._choose(self.undo_chosen))
        presses.connect_button(self.restore_button, lambda: self._choose(self.restore_chosen))
        self.messages_button.clicked.connect(self.messages_requested)
        self.travel_button.clicked.connect(lambda: self._choose(self.travel_chosen))
        presses.connect_button(self.passage_button, self._put_back)
        self.now_button.toggled.connect(lambda _on: self._look())
        self.back_button.clicked.connect(self.closed)
        self.list.looked_at.connect(self._look)
        self.list.more_requested.connect(self.more_requested)
        self.diff.text.passage_moved.connect(self._offer)
        self.diff.text.put_back_pressed.connect(self._put_back)

    def _lay_out(self, heading: QLabel) -> None:
        head = LinkRow(left=False, right=True)
        head.addWidget(heading, 1)
        head.addWidget(self.travel_button)
        head.addWidget(self.back_button)
        both = QSplitter(Qt.Orientation.Vertical, self)
        both.setChildrenCollapsible(False)
        both.addWidget(self.list)
        below = QWidget(self)
        part = QVBoxLayout(below)
        part.setContentsMargins(0, 4, 0, 0)
        part.setSpacing(4)
        top = LinkRow(left=False, right=True)
        top.addWidget(self.details, 1)
        top.addWidget(self.messages_button, 0, Qt.AlignmentFlag.AlignTop)
        part.addLayout(top)
        part.addWidget(self.diff, 1)
        both.addWidget(below)
        both.setSizes([140, 260])
        # In a low window both parts give way before the pane is scrolled.
        self.list.setMinimumHeight(2 * Theme.current().height(_ROW_HEIGHT))
        self.diff.text.setMinimumHeight(_LEAST_DIFF)
        links = LinkRow()
        links.setSpacing(8)
        links.addWidget(self.now_button)
        links.addWidget(self.passage_button)
        links.addStretch(1)
        row = FlowRow(self, 8)
        for button in (self.undo_button, self.restore_button):
            row.add(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(both, 1)
        column.addLayout(links)
        column.addWidget(row)


class VersionModel(RowsModel[VersionRow]):
    """Holds the rows that are loaded."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title_of: TitleOf = by_key

    def add(self, rows: Sequence[VersionRow]) -> None:
        """Adds rows after the others."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows += rows
            self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return version_sentence(self.rows[index.row()], self.title_of)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(version_sentence(self.rows[index.row()], self.title_of))
        return None


class VersionList(QListView):
    """Lists versions. `looked_at` comes when others are selected, `more_requested` when the end of the list is seen."""

    looked_at = Signal()
    more_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.versions = VersionModel(self)
        self.setModel(self.versions)
        is_ringed_elsewhere(self)
        self.setItemDelegate(_Painter(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._ask_for_more)
        self.selectionModel().selectionChanged.connect(lambda _new, _old: self.looked_at.emit())

    @property
    def chosen(self) -> list[VersionRow]:
        """Returns the chosen version, or of several the newest and the oldest."""
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        ends = dict.fromkeys([places[0], places[-1]]) if places else {}
        return [self.versions.rows[place] for place in ends]

    def choose(self, place: int) -> None:
        """Looks at one version. Said by itself, since a view asks which keys are held: with Ctrl it would add one."""
        only = self.selectionModel().SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self.versions.index(place, 0), only)

    def show_rows(self, rows: Sequence[VersionRow], wanted: str = "") -> None:
        """Lists these versions; the one of the id `wanted` is looked at, else the one that was, else the first."""
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
            self.more_requested.emit()


class _Painter(QStyledItemDelegate):
    def __init__(self, view: VersionList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, Theme.current().height(_ROW_HEIGHT))

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
            paint_ring(painter, place, 4)
        left = place.left() + 8 + _paint_chip(painter, row.author, place.left() + 8, place)
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


def _paint_chip(painter: QPainter, author: str, left: int, row: QRect) -> int:
    """Paints an author's chip in the middle of a row and returns how wide it is."""
    theme = Theme.current()
    ground, letters = CHIPS.get(author, ("sunken", "text_muted"))
    font: QFont = theme.font("caption")
    painter.setFont(font)
    metrics, words = QFontMetrics(font), change_author_words(author)
    width, height = metrics.horizontalAdvance(words) + 12, metrics.height() + 2
    chip = QRectF(left, row.center().y() - height / 2, width, height)
    # On a row that is chosen the ground is the row's: the edge keeps it a chip.
    painter.setPen(theme.color("accent") if ground == "accent_soft" else Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(ground))
    painter.drawRoundedRect(chip, 4, 4)
    painter.setPen(theme.color(letters))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)
    return width
