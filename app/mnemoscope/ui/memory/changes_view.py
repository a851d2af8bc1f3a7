"""Every change of MEMORY.md, newest first: when, whose, what it did, and a way to take it back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.memory_change import MemoryChange
from mnemoscope.ui.memory.diff_view import DiffView
from mnemoscope.ui.memory.origin_words import TitleOf, change_words
from mnemoscope.ui.widgets.plain_tip import plain_tip
from mnemoscope.ui.widgets.theme import Theme, set_role

_ROW: Final = 30


class ChangesView(QWidget):
    """`undo_chosen` and `restore_chosen` carry a change; `looked_at` asks for its texts, which `show_diff` takes.

    Taking back keeps everything later; restoring makes MEMORY.md what it was right after the change.
    """

    undo_chosen = Signal(object)
    restore_chosen = Signal(object)
    looked_at = Signal(object)
    closed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_of: TitleOf = str
        self._changes: list[MemoryChange] = []
        self._read_only = False
        heading = QLabel(self.tr("Changes of {name}").format(name=name), self)
        set_role(heading, role="heading")
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Changes of {name}, newest first").format(name=name))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        self.diff = DiffView(self)
        self.undo_button = QPushButton(self.tr("Undo this change"), self)
        self.restore_button = QPushButton(self.tr("Restore this version"), self)
        self.back_button = QPushButton(self.tr("Back"), self)
        set_role(self.undo_button, kind="primary")
        set_role(self.back_button, kind="quiet")
        self.undo_button.setToolTip(self.tr("Takes back only this one; everything later stays"))
        self.restore_button.setToolTip(self.tr("Makes {name} what it was right after this change").format(name=name))
        self.undo_button.clicked.connect(lambda: self._choose(self.undo_chosen))
        self.restore_button.clicked.connect(lambda: self._choose(self.restore_chosen))
        self.back_button.clicked.connect(self.closed)
        self.list.currentRowChanged.connect(lambda _row: self._look())
        self._lay_out(heading)
        self.setFocusProxy(self.list)

    @property
    def current(self) -> MemoryChange | None:
        """The change in sight."""
        row = self.list.currentRow()
        return self._changes[row] if 0 <= row < len(self._changes) else None

    def set_read_only(self, read_only: bool) -> None:
        """Whether nothing may be taken back."""
        self._read_only = read_only

    def show_changes(self, changes: Sequence[MemoryChange], chosen: str = "") -> None:
        """List these, oldest first as they come; `chosen` is the id of the one to look at, else the one in sight."""
        wanted = chosen or (self.current.id if self.current else "")
        self._changes = list(reversed(changes))
        self.list.clear()
        for one in self._changes:
            item = QListWidgetItem(change_words(one, self.title_of), self.list)
            item.setSizeHint(QSize(0, Theme.current().height(_ROW)))
            item.setToolTip(plain_tip(item.text()))
        ids = [one.id for one in self._changes]
        self.list.setCurrentRow(ids.index(wanted) if wanted in ids else (0 if ids else -1))
        self._look()

    def show_diff(self, change: MemoryChange, before: str | None, after: str | None) -> None:
        """Show what a change did; None where a text is not kept any more."""
        if self.current is None or self.current.id != change.id:
            return
        known = before is not None and after is not None
        self.undo_button.setEnabled(known and not self._read_only)
        self.restore_button.setEnabled(after is not None and not self._read_only)
        if before is not None and after is not None:
            self.diff.show_diff(before, after, self.tr("What it changed"))
        else:
            self.diff.show_diff("", "", self.tr("The texts of this change are not kept any more"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _look(self) -> None:
        self.undo_button.setEnabled(False)
        self.restore_button.setEnabled(False)
        if self.current is not None:
            self.looked_at.emit(self.current)

    def _choose(self, signal: object) -> None:
        if self.current is not None:
            signal.emit(self.current)  # type: ignore[attr-defined]

    def _lay_out(self, heading: QLabel) -> None:
        both = QSplitter(Qt.Orientation.Vertical, self)
        both.setChildrenCollapsible(False)
        both.addWidget(self.list)
        both.addWidget(self.diff)
        both.setSizes([140, 260])
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.undo_button)
        row.addWidget(self.restore_button)
        row.addStretch(1)
        row.addWidget(self.back_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(heading)
        column.addWidget(both, 1)
        column.addLayout(row)
