"""The memory files as they were at a moment: a slider over the versions, a date, and the texts, read only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QDateTime, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.domain.commits import CommitInfo, Snapshot
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.ui.memory.editor.source_and_preview import SourceAndPreview
from mnemoscope.ui.memory.versions.origin_words import by_key
from mnemoscope.ui.memory.versions.version_row import VersionRow
from mnemoscope.ui.memory.versions.version_words import change_author_words, subject_words
from mnemoscope.ui.support.locale_words import moment_words
from mnemoscope.ui.widgets.accessibility.escape_key import leave_at_escape
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.fields import DateTimeEdit, Slider
from mnemoscope.ui.widgets.notices.notice_bar import FlowRow
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme, set_role

_SETTLE_MS: Final = 80
_ROOMY: Final = 180
"""Pixels beside the date from which the slider has room there."""


class PastView(QWidget):
    """Shows the memory files of a past moment, read only; `show_snapshot` brings their texts.

    `moment_chosen` carries a datetime (naive local time), and the id of the version where one was chosen.
    """

    moment_chosen = Signal(object, str)
    restore_chosen = Signal(str)
    """The path of the file that is to be as it was then; "" for all of them."""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        leave_at_escape(self, self.closed.emit)
        self._moments: list[tuple[datetime, str]] = []
        self._snapshot: Snapshot | None = None
        self._path = ""
        self._read_only = False
        self.title = QLabel(self)
        self.title.setWordWrap(True)
        set_role(self.title, role="heading")
        self.version = ElidedLabel(self)
        set_role(self.version, role="caption")
        self.back_button = QPushButton(self.tr("Back to now"), self)
        set_role(self.back_button, kind="primary")
        self.slider = Slider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(self.tr("Versions, earliest to newest"))
        self.slider.setPageStep(10)
        self.slider.setMinimumHeight(Theme.current().height(CONTROL_HEIGHT))
        self.earlier = square_tool(self, self.tr("The version before"), 28, 16, "chevron-left")
        self.later = square_tool(self, self.tr("The version after"), 28, 16, "chevron-right")
        self.date = DateTimeEdit(self)
        self.date.setAccessibleName(self.tr("Day and time"))
        self.date.setCalendarPopup(True)
        self.date.setDisplayFormat(self.tr("d MMM yyyy HH:mm"))
        self.absent = QLabel(self)
        self.absent.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.absent.setWordWrap(True)
        set_role(self.absent, role="muted")
        self.split = SourceAndPreview(self)
        self.split.editor.setReadOnly(True)
        self.file_button = QPushButton(self.tr("Restore this file"), self)
        self.all_button = QPushButton(self.tr("Restore all files"), self)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._choose)
        self._steps = QGridLayout()
        self._is_beside = True
        """Whether the date is beside the slider."""
        self._connect()
        self._lay_out()
        self.split.set_view("both")

    def set_read_only(self, read_only: bool) -> None:
        """Sets whether the view is only read: then nothing may be restored."""
        self._read_only = read_only
        self._offer()

    def show_moments(self, moments: Sequence[tuple[datetime, str]]) -> None:
        """Offers these versions to choose from, oldest first: when each was made, and its id."""
        self._moments = list(moments)
        with QSignalBlocker(self.slider), QSignalBlocker(self.date):
            self.slider.setRange(0, max(0, len(moments) - 1))
            self.date.setDateTimeRange(
                _as_qt(min(when for when, _ in moments)), QDateTime.currentDateTime().addSecs(60)
            )

    def show_snapshot(self, snapshot: Snapshot | None, moment: datetime) -> None:
        """Shows the files of a moment; None where it is before the first version."""
        self._snapshot = snapshot
        self._point_at(moment, snapshot.commit.id if snapshot else "")
        self.title.setText(self.tr("As it was on {moment}").format(moment=moment_words(moment)))
        self.version.setText(self._read_only_words(snapshot.commit) if snapshot else self.tr("Read-only"))
        self.setAccessibleDescription(self.title.text())
        self.show_file(self._path)

    def show_file(self, path: str) -> None:
        """Selects a file."""
        self._path = path
        text = self._snapshot.texts.get(path) if self._snapshot else None
        self.split.setVisible(text is not None)
        self.absent.setVisible(text is None)
        self.absent.setText(self.tr("{name} was not there then.").format(name=path))
        if text is not None:
            plain = with_plain_line_ends(text)
            if not self.split.editor.holds(plain):
                self.split.editor.load(plain)
                self.split.render_now()
        self._offer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Has the date beside the slider, or where that would be too short, below it."""
        super().resizeEvent(event)
        has_room = event.size().width() - self.date.sizeHint().width() >= _ROOMY
        if has_room != self._is_beside:
            self._is_beside = has_room
            self._place_date()

    def _place_date(self) -> None:
        if self._is_beside:
            self._steps.addWidget(self.date, 0, 3, Qt.AlignmentFlag.AlignLeft)
        else:
            self._steps.addWidget(self.date, 1, 0, 1, 3, Qt.AlignmentFlag.AlignLeft)

    def _read_only_words(self, commit: CommitInfo) -> str:
        """Returns the words that it is only read, and which version it is."""
        if not commit.parent:
            return self.tr("Read-only · the first version, as memory was found")
        row = VersionRow(commit, None)
        return self.tr("Read-only · {author}: {what}").format(
            author=change_author_words(row.author), what=subject_words(row, by_key)
        )

    def _point_at(self, moment: datetime, commit_id: str) -> None:
        with QSignalBlocker(self.slider), QSignalBlocker(self.date):
            ids = [name for _, name in self._moments]
            self.slider.setValue(ids.index(commit_id) if commit_id in ids else 0)
            if _as_qt(moment).toString("yyyyMMddHHmm") != self.date.dateTime().toString("yyyyMMddHHmm"):
                self.date.setDateTime(_as_qt(moment))
        self.earlier.setEnabled(self.slider.value() > 0)
        self.later.setEnabled(self.slider.value() < self.slider.maximum())

    def _choose(self) -> None:
        if self._moments:
            self.moment_chosen.emit(*self._moments[self.slider.value()])

    def _on_date(self, _when: QDateTime) -> None:
        # The end of the minute that is told.
        chosen = self.date.dateTime()
        self.moment_chosen.emit(datetime.fromtimestamp(chosen.toSecsSinceEpoch()).replace(second=59), "")

    def _offer(self) -> None:
        there = self._snapshot is not None and not self._read_only
        self.file_button.setEnabled(there and not self.split.isHidden())
        self.all_button.setEnabled(there)

    def _connect(self) -> None:
        self.slider.valueChanged.connect(lambda _value: self._settle.start())
        self.earlier.clicked.connect(lambda: self.slider.setValue(self.slider.value() - 1))
        self.later.clicked.connect(lambda: self.slider.setValue(self.slider.value() + 1))
        self.date.dateTimeChanged.connect(self._on_date)
        self.file_button.clicked.connect(lambda: self.restore_chosen.emit(self._path))
        self.all_button.clicked.connect(lambda: self.restore_chosen.emit(""))
        self.back_button.clicked.connect(self.closed)

    def _lay_out(self) -> None:
        banner = QFrame(self)
        set_role(banner, role="bar-info")
        inside = QVBoxLayout(banner)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.setSpacing(6)
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self.title)
        said.addWidget(self.version)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addLayout(said, 1)
        head.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(head)
        # Added before it is filled: PySide keeps an object for each item of a layout that is added, also when Qt has
        # deleted it since the date was moved, and takes it for whatever comes to stand at its address.
        inside.addLayout(self._steps)
        self._steps.setSpacing(4)
        self._steps.setColumnStretch(1, 1)
        for place, part in enumerate((self.earlier, self.slider, self.later)):
            self._steps.addWidget(part, 0, place)
        self._place_date()
        buttons = FlowRow(self, 8)
        for button in (self.file_button, self.all_button):
            buttons.add(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 8)
        column.setSpacing(8)
        column.addWidget(banner)
        column.addWidget(self.absent, 1)
        column.addWidget(self.split, 1)
        column.addWidget(buttons)


def _as_qt(moment: datetime) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
