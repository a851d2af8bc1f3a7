"""The fields say what the history is searched for: which words, from which day to which, in which kind of log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from PySide6.QtCore import QDate, QEvent, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from mnemoscope.store.search.history_query import HistoryKind
from mnemoscope.ui.history.history_words import tr
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.fields import ComboBox, DateEdit
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme, set_role, theme_notifier

_MONTHS_BACK: Final = -3
_FIELD_BUTTON: Final = 26
_FIELD_EDGE: Final = 4


class _DayEdit(DateEdit):
    """Is a day with a calendar, which is made once the filters are looked at."""

    def __init__(self, day: QDate, parent: QWidget) -> None:
        super().__init__(parent)
        self.setDate(day)
        self.setCalendarPopup(True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for weekend in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            # No day is a warning: Qt paints these two red.
            self.calendarWidget().setWeekdayTextFormat(weekend, QTextCharFormat())


class HistoryFilters(QFrame):
    """Shows the filters in a small card under the search field. A choice takes effect at once."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="card")
        self.setAccessibleName(tr("Filters of the history"))
        today = QDate.currentDate()
        self.since_box, self.since_edit = self._day(tr("From"), today.addMonths(_MONTHS_BACK))
        self.until_box, self.until_edit = self._day(tr("To"), today)
        self.source_box = ComboBox(self)
        self.source_box.setAccessibleName(tr("Kind of log"))
        self._source_label = QLabel(tr("In"), self)
        self._source_label.setBuddy(self.source_box)
        self.clear_button = QPushButton(tr("Clear the filters"), self)
        set_role(self.clear_button, kind="link")
        self._lay_out()
        self.offer(())
        self.source_box.currentIndexChanged.connect(self._report)
        self.clear_button.clicked.connect(self.clear)
        self.hide()

    @property
    def since(self) -> date | None:
        """Returns the first day asked for."""
        return _to_date(self.since_edit) if self.since_box.isChecked() else None

    @property
    def until(self) -> date | None:
        """Returns the last day asked for."""
        return _to_date(self.until_edit) if self.until_box.isChecked() else None

    @property
    def sources(self) -> frozenset[HistoryKind]:
        """Returns the kind of log asked for; empty for all."""
        kind = self.source_box.currentData()
        return frozenset({kind}) if kind else frozenset()

    @property
    def active(self) -> bool:
        """Returns whether anything is filtered out."""
        return self.since_box.isChecked() or self.until_box.isChecked() or bool(self.sources)

    def clear(self) -> None:
        """Takes every filter away."""
        if self.active:
            self.blockSignals(True)
            self.since_box.setChecked(False)
            self.until_box.setChecked(False)
            self.source_box.setCurrentIndex(0)
            self.blockSignals(False)
            self._report()

    def offer(self, kinds: Iterable[HistoryKind]) -> None:
        """Offers the kinds of logs there are; with one or none there is nothing to choose."""
        names: dict[HistoryKind, str] = {
            "history": tr("HISTORY.md"),
            "jsonl": tr("history.jsonl"),
            "summaries": tr("Summaries"),
            "notes": tr("Daily notes"),
        }
        there = [kind for kind in names if kind in set(kinds)]
        known = [self.source_box.itemData(index) for index in range(1, self.source_box.count())]
        if there == known and self.source_box.count():
            return
        chosen = self.source_box.currentData()
        self.source_box.blockSignals(True)
        self.source_box.clear()
        self.source_box.addItem(tr("All entries") if "summaries" in there else tr("All logs"), None)
        for kind in there:
            self.source_box.addItem(names[kind], kind)
        self.source_box.setCurrentIndex(max(0, self.source_box.findData(chosen) if chosen else 0))
        self.source_box.blockSignals(False)
        self.source_box.setVisible(len(there) > 1)
        self._source_label.setVisible(len(there) > 1)

    def _day(self, name: str, day: QDate) -> tuple[QCheckBox, DateEdit]:
        box, edit = QCheckBox(name, self), _DayEdit(day, self)
        edit.setDisplayFormat(
            QLocale().dateFormat(QLocale.FormatType.ShortFormat).replace("yyyy", "yy").replace("yy", "yyyy")
        )
        edit.setEnabled(False)
        edit.setAccessibleName(name)
        box.toggled.connect(edit.setEnabled)
        box.toggled.connect(self._report)
        edit.dateChanged.connect(self._report)
        return box, edit

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 10, 12, 6)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        rows = (
            (self.since_box, self.since_edit),
            (self.until_box, self.until_edit),
            (self._source_label, self.source_box),
        )
        for number, (label, control) in enumerate(rows):
            grid.addWidget(label, number, 0)
            grid.addWidget(control, number, 1)
        grid.addWidget(self.clear_button, len(rows), 1)
        grid.setColumnStretch(1, 1)

    def _report(self) -> None:
        self.clear_button.setEnabled(self.active)
        if not self.signalsBlocked():
            self.changed.emit()


def _to_date(edit: DateEdit) -> date:
    day = edit.date()
    return date(day.year(), day.month(), day.day())


class HistoryField(QLineEdit):
    """Has a `.*` for regular expressions, an `Aa` for case, and a cross to clear. Enter goes on, Down goes to the
    entries."""

    changed = Signal()
    """The field may ask for something else now."""
    step_requested = Signal(int)
    """The match that is so many further is to be shown: 1, or -1 for the one before."""
    entries_requested = Signal()
    """The keyboard is to go to the entries."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(tr("Search history"))
        self.setAccessibleName(tr("Search history"))
        self.clear_button = self._button(tr("Clear the search (Esc)"), "")
        self.regex_button = self._button(tr("Regular expression"), ".*")
        self.case_button = self._button(tr("Match case"), "Aa")
        self._lay_out()
        self.textChanged.connect(self._on_changed)
        for button in (self.regex_button, self.case_button):
            button.setCheckable(True)
            button.toggled.connect(self.changed)
        self.clear_button.clicked.connect(self.clear)
        theme_notifier().changed.connect(self._restyle)
        self._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not HISTORY_FIELD_KEYS.press(self, event):
            super().keyPressEvent(event)

    def _empty(self) -> bool:
        if not self.text():
            return False
        self.clear()
        return True

    def event(self, event: QEvent) -> bool:
        # Esc is the window's; while there is something to clear it is the field's.
        wanted = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and bool(self.text())
        if wanted and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _button(self, name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        set_role(button, kind="tight")
        button.setText(text)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, _FIELD_EDGE, 0)
        row.setSpacing(2)
        row.addStretch(1)
        for button in (self.clear_button, self.regex_button, self.case_button):
            row.addWidget(button)
        self.clear_button.hide()

    def _make_room(self) -> None:
        buttons = (self.clear_button, self.regex_button, self.case_button)
        # The cross has its room always, so that the words do not jump when it comes.
        self.setTextMargins(0, 0, sum(button.width() + 2 for button in buttons) - 4, 0)

    def _on_changed(self, text: str) -> None:
        self.clear_button.setVisible(bool(text))
        self.changed.emit()

    def _restyle(self) -> None:
        theme = Theme.current()
        side = theme.height(_FIELD_BUTTON)
        self.setMinimumHeight(theme.height(CONTROL_HEIGHT))
        self.clear_button.setIcon(theme.icon("x", "text_muted"))
        self.clear_button.setIconSize(QSize(theme.scaled(14), theme.scaled(14)))
        for button in (self.clear_button, self.regex_button, self.case_button):
            button.setFont(theme.font("caption"))
            button.setFixedSize(side, side)
        self._make_room()


HISTORY_FIELD_KEYS: Final[PartKeys[HistoryField]] = PartKeys(
    "History, the search field",
    PartKey("go to the next match", {"Enter": lambda field: field.step_requested.emit(1)}),
    PartKey("go to the previous match", {"Shift+Enter": lambda field: field.step_requested.emit(-1)}),
    PartKey(
        "go to the entries",
        {"Down": lambda field: field.entries_requested.emit(), "PgDown": lambda field: field.entries_requested.emit()},
    ),
    PartKey("empty the field", {"Esc": HistoryField._empty}),
)
