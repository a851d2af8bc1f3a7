"""Every version of one file: the list, what the chosen ones changed, and the ways back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from mnemoscope.domain.text.diff import DiffLine
from mnemoscope.ui.memory.versions.diff_view import DiffView
from mnemoscope.ui.memory.versions.origin_words import TitleOf
from mnemoscope.ui.memory.versions.version_list import VersionList
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.memory.versions.version_words import author_words, trailer_words
from mnemoscope.ui.support.dates import moment_words
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import LINK_INSET, set_role


class VersionsView(QWidget):
    """`undo_chosen` and `restore_chosen` carry a VersionRow; `looked_at` asks for what `show_diff` takes.

    Taking back keeps everything later; restoring makes the file what it was right after the change. `passage_chosen` is
    the number of a passage of the comparison on show, whose older wording is to be put back.
    """

    undo_chosen = Signal(object)
    restore_chosen = Signal(object)
    passage_chosen = Signal(int)
    looked_at = Signal()
    more_wanted = Signal()
    travel_chosen = Signal(object)
    """A moment to look back to, as the row of the version that began it."""
    closed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_only = False
        heading = QLabel(self.tr("Versions of {name}").format(name=name), self)
        set_role(heading, role="heading")
        self.list = VersionList(self)
        self.list.setAccessibleName(self.tr("Versions of {name}, newest first").format(name=name))
        self.details = QLabel(self)
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        self.details.setWordWrap(True)
        set_role(self.details, role="caption")
        self.diff = DiffView(self)
        self.travel_button = self._link(self.tr("Look back"), self.tr("All memory files as they were at this version"))
        self.now_button = self._link(self.tr("Compare with now"), self.tr("What became of it until now"))
        self.now_button.setCheckable(True)
        self.passage_button = self._link(
            self.tr("Put this passage back"), self.tr("The older wording of the marked passage; all else stays (R)")
        )
        self.undo_button = QPushButton(self.tr("Undo this change"), self)
        self.restore_button = QPushButton(self.tr("Restore this version"), self)
        self.back_button = QPushButton(self.tr("Back"), self)
        set_role(self.undo_button, kind="primary")
        set_role(self.back_button, kind="quiet")
        self.undo_button.setToolTip(self._undo_tip(None))
        words = self.tr("Makes {name} what it was right after this change")
        self.restore_button.setToolTip(words.format(name=name))
        self._connect()
        self._lay_out(heading)
        self.setFocusProxy(self.list)

    @property
    def title_of(self) -> TitleOf:
        """Returns the function that gives a conversation's title by its key."""
        return self.list.versions.title_of

    @title_of.setter
    def title_of(self, title_of: TitleOf) -> None:
        self.list.versions.title_of = title_of

    @property
    def rows(self) -> Sequence[VersionRow]:
        """Returns the rows that are listed."""
        return self.list.versions.rows

    @property
    def current(self) -> VersionRow | None:
        """The one that is looked at; None where there are two or none."""
        chosen = self.list.chosen
        return chosen[0] if len(chosen) == 1 else None

    @property
    def compares_with_now(self) -> bool:
        """Returns whether the chosen one is compared with the text as it is now."""
        return self.now_button.isChecked()

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether the view is only read: then nothing may be taken back."""
        self._read_only = read_only
        self._offer()

    def show_rows(self, rows: Sequence[VersionRow], wanted: str = "") -> None:
        """List these, newest first; `wanted` is the id of the one to look at, else the one in sight."""
        self.list.show_rows(rows, wanted)

    def show_diff(self, rows: tuple[DiffLine, ...] | None, title: str) -> None:
        """Show what was asked for; None where the texts are not kept."""
        self.diff.show_rows(rows or (), title)
        self._offer(known=rows is not None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _look(self) -> None:
        self._offer(known=False)
        row = self.current
        self.details.setText(self._details(row) if row else "")
        self.undo_button.setToolTip(self._undo_tip(row))
        self.details.setToolTip(plain_tooltip("\n".join(trailer_words(row, self.title_of))) if row else "")
        self.details.setVisible(row is not None)
        self.now_button.setVisible(row is not None)
        self.travel_button.setVisible(row is not None and row.commit is not None)
        if self.list.chosen:
            self.looked_at.emit()

    def _details(self, row: VersionRow) -> str:
        commit = [self.tr("version {id}").format(id=row.commit.sha)] if row.commit else []
        when = [moment_words(row.when)] if row.when else []
        told = [author_words(row.author), *when, *trailer_words(row, self.title_of, told=True), *commit]
        return "\n".join([" · ".join(told), *([self._no_change()] if _is_beginning(row) else [])])

    def _no_change(self) -> str:
        return self.tr(
            "So it was when versions began. It is no change, so there is nothing to undo; it can be restored."
        )

    def _undo_tip(self, row: VersionRow | None) -> str:
        if row is not None and _is_beginning(row):
            return self._no_change()
        return self.tr("Takes back only this one; everything later stays")

    def _offer(self, *, known: bool = True) -> None:
        row, may = self.current, known and not self._read_only
        kept = row is not None and (row.commit is not None or bool(row.change and row.change.after))
        undoable = row is not None and not _is_beginning(row)
        self.undo_button.setEnabled(may and undoable)
        self.restore_button.setEnabled(may and kept)
        self.passage_button.setEnabled(may and self.diff.text.passage is not None)

    def _choose(self, signal: object) -> None:
        if self.current is not None:
            signal.emit(self.current)  # type: ignore[attr-defined]

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
        self.undo_button.clicked.connect(lambda: self._choose(self.undo_chosen))
        self.restore_button.clicked.connect(lambda: self._choose(self.restore_chosen))
        self.travel_button.clicked.connect(lambda: self._choose(self.travel_chosen))
        self.passage_button.clicked.connect(self._put_back)
        self.now_button.toggled.connect(lambda _on: self._look())
        self.back_button.clicked.connect(self.closed)
        self.list.looked_at.connect(self._look)
        self.list.more_wanted.connect(self.more_wanted)
        self.diff.text.passage_moved.connect(self._offer)
        self.diff.text.put_back_pressed.connect(self._put_back)

    def _lay_out(self, heading: QLabel) -> None:
        head = LinkRow(left=False, right=True)
        head.addWidget(heading, 1)
        head.addWidget(self.travel_button)
        both = QSplitter(Qt.Orientation.Vertical, self)
        both.setChildrenCollapsible(False)
        both.addWidget(self.list)
        below = QWidget(self)
        part = QVBoxLayout(below)
        part.setContentsMargins(0, 4, 0, 0)
        part.setSpacing(4)
        part.addWidget(self.details)
        part.addWidget(self.diff, 1)
        both.addWidget(below)
        both.setSizes([140, 260])
        links = LinkRow()
        links.setSpacing(8)
        links.addWidget(self.now_button)
        links.addWidget(self.passage_button)
        links.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.undo_button)
        row.addWidget(self.restore_button)
        row.addStretch(1)
        row.addWidget(self.back_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(both, 1)
        column.addLayout(links)
        column.addLayout(row)


def _is_beginning(row: VersionRow) -> bool:
    """Returns whether it is what stood there when versions began, which nobody changed."""
    return row.change is None and row.commit is not None and not row.commit.parent
