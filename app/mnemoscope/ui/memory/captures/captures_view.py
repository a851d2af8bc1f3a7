"""Lists what was captured and what was not, and why: a page of the memory pane, with the way back for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.domain.capture.record import KEPT, REFUSED, CaptureRecord
from mnemoscope.ui.memory.captures.capture_words import record_words, title_words
from mnemoscope.ui.memory.versions.origin_words import TitleOf, by_key
from mnemoscope.ui.support.forget_menu import offer_forgetting
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.lists.two_line_delegate import TwoLineDelegate
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.single_press import SinglePress
from mnemoscope.ui.widgets.theme import LINK_INSET, Theme, set_role, theme_notifier

_SHOWN: Final = ("", KEPT, REFUSED)
"""By the filter's rows: all, what is kept, what is not."""


class CapturesView(QWidget):
    """Carries the CaptureRecord that is chosen with each signal but `closed`."""

    manual_page: ClassVar = "capture"
    undo_chosen = Signal(object)
    keep_chosen = Signal(object)
    line_chosen = Signal(object)
    message_chosen = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.closed.emit)
        self.title_of: TitleOf = by_key
        self._read_only = False
        self._records: Sequence[CaptureRecord] = ()
        self._listed: list[CaptureRecord] = []
        self._gone: frozenset[str] = frozenset()
        self._presses = SinglePress(self)
        self.filter = ComboBox(self)
        self.filter.setAccessibleName(self.tr("Which of them are listed"))
        self.filter.addItems([self.tr("All"), self.tr("Remembered"), self.tr("Not remembered")])
        self.filter.currentIndexChanged.connect(lambda _index: self._list())
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("What was remembered, newest first"))
        self.list.setSpacing(2)
        self.list.setWordWrap(True)
        self.list.setItemDelegate(TwoLineDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_role(self.list, role="card")
        self.list.currentRowChanged.connect(lambda _row: self._offer())
        self.list.itemActivated.connect(lambda _item: self._emit(self.line_chosen))
        offer_forgetting(self.list, lambda: self.chosen.text if self.chosen is not None else "")
        self.nothing = QLabel(
            self.tr("Nothing was remembered yet. What a rule of capture knows in a message of yours stands here."), self
        )
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setWordWrap(True)
        set_role(self.nothing, role="muted")
        self.undo_button = self._button(self.tr("Undo"), self.undo_chosen, kind="primary")
        self.keep_button = self._button(self.tr("Remember it after all"), self.keep_chosen, kind="primary")
        self.line_button = self._button(self.tr("Show in memory"), self.line_chosen, kind="link")
        self.message_button = self._button(self.tr("Show the message"), self.message_chosen, kind="link")
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self.setFocusProxy(self.list)
        self._offer()

    @property
    def chosen(self) -> CaptureRecord | None:
        """Returns the record that is chosen."""
        row = self.list.currentRow()
        return self._listed[row] if 0 <= row < len(self._listed) else None

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether the page is only read: then nothing may be taken back or kept."""
        self._read_only = read_only
        self._offer()

    def show_records(
        self, records: Sequence[CaptureRecord], wanted: str = "", *, gone: frozenset[str] = frozenset()
    ) -> None:
        """Lists these records, newest first; `wanted` is the id of the one to choose, else the one that is chosen
        stays. `gone` are the ids of those whose line is not in memory any more."""
        chosen = self.chosen
        self._records, self._gone = records, gone
        self._list(wanted or (chosen.id if chosen else ""))

    def _restyle(self) -> None:
        """Lists the same in the colours of the theme."""
        chosen = self.chosen
        self._list(chosen.id if chosen else "")

    def _list(self, wanted: str = "") -> None:
        shown = _SHOWN[self.filter.currentIndex()]
        self._listed = [each for each in self._records if not shown or (each.outcome == KEPT) == (shown == KEPT)]
        self.list.clear()
        for record in self._listed:
            item = QListWidgetItem(f"{title_words(record)}\n{self._words(record)}")
            item.setToolTip(plain_tooltip(record.text))
            if record.outcome != KEPT:
                item.setForeground(Theme.current().color("text_muted"))
            self.list.addItem(item)
        self.list.setVisible(bool(self._listed))
        self.nothing.setVisible(not self._listed)
        places = [place for place, each in enumerate(self._listed) if each.id == wanted]
        self.list.setCurrentRow(places[0] if places else 0 if self._listed else -1)
        self._offer()

    def _offer(self) -> None:
        record = self.chosen
        is_kept = record is not None and record.outcome == KEPT
        may_be_undone = record is not None and record.may_be_undone
        self.undo_button.setVisible(may_be_undone)
        self.keep_button.setVisible(not may_be_undone)
        self.undo_button.setEnabled(not self._read_only)
        self.keep_button.setEnabled(record is not None and record.may_be_kept and not self._read_only)
        has_line = is_kept and record is not None and bool(record.memory_line) and record.id not in self._gone
        self.line_button.setEnabled(has_line or (record is not None and record.is_known))
        self.message_button.setEnabled(record is not None and bool(record.session_key))

    def _words(self, record: CaptureRecord) -> str:
        return record_words(record, self.title_of, is_gone=record.id in self._gone)

    def _emit(self, signal: SignalInstance) -> None:
        record = self.chosen
        if record is not None:
            signal.emit(record)

    def _button(self, words: str, signal: SignalInstance, *, kind: str) -> QPushButton:
        button = QPushButton(words, self)
        set_role(button, kind=kind)
        self._presses.connect_button(button, lambda: self._emit(signal))
        return button

    def _lay_out(self) -> None:
        heading = QLabel(self.tr("What was remembered"), self)
        set_role(heading, role="heading")
        heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        back = QPushButton(self.tr("Back"), self)
        set_role(back, kind="quiet")
        back.clicked.connect(self.closed)
        head, links, feet = QHBoxLayout(), LinkRow(), QHBoxLayout()
        head.addWidget(heading, 1)
        head.addWidget(self.filter)
        links.addWidget(self.line_button)
        links.addWidget(self.message_button)
        links.addStretch(1)
        # As at the foot of every page of the pane.
        feet.addWidget(self.undo_button)
        feet.addWidget(self.keep_button)
        feet.addStretch(1)
        feet.addWidget(back)
        column = QVBoxLayout(self)
        column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self.nothing, 1)
        column.addLayout(links)
        column.addLayout(feet)
