"""The History pane: everything that was consolidated, found as it is typed, with the messages it came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.store.search.history_query import HistoryQuery
from mnemoscope.ui.history.history_filters import HistoryField, HistoryFilters
from mnemoscope.ui.history.history_model import HistoryModel
from mnemoscope.ui.history.history_view import HistoryView
from mnemoscope.ui.history.history_words import count_label, passed_over_label, position_label, tr
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.locale_words import number
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.accessibility.tab_order import follow_in_tab_order
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.theme import CONTROL_HEIGHT, Theme, set_role, theme_notifier

_DEBOUNCE_MS: Final = 0
_EDGE: Final = 12
_LEAST: Final = 108
"""Pixels the entries have at least: the head of one and some lines. The rest is the memory pane's above."""


class HistoryHeader(QWidget):
    """Shows title and count; `matches` is a line of its own, with the place and two arrows, for beneath the field: what
    is typed into stays where it is when the line appears."""

    step_requested = Signal(int)
    """The match that is so many further is to be shown: 1, or -1 for the one before."""
    counted = Signal(str)
    """The number of entries, in words, for whoever shows the title."""

    def __init__(self, model: HistoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.count_label = ElidedLabel(self)
        set_role(self.count_label, role="caption")
        self.count_label.explain(meaning_of(Word.HISTORY_LOG))
        self.matches = QWidget(parent)
        self.position_label = QLabel(self.matches)
        set_role(self.position_label, role="caption")
        self.previous_button = self._arrow(tr("Previous match (Shift+F3)"), -1)
        self.next_button = self._arrow(tr("Next match (F3)"), 1)
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        self._restyle()
        self.refresh(None)

    def refresh(self, current: int | None) -> None:
        """Says what is found and which match is the current one."""
        self.count_label.setText(count_label(self._model) if self._model.ready else "")
        self.counted.emit(self.count_label.text())
        self.position_label.setText(position_label(self._model, current))
        self.matches.setVisible(self._model.query.has_text)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(bool(self._model.matches))

    def show_title(self, shown: bool) -> None:
        """Shows the count, or leaves it to whoever hears `counted`; the name stands in the tab or the dock's title."""
        self.setVisible(shown)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.count_label, 1)
        row = QHBoxLayout(self.matches)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.position_label, 1)
        row.addWidget(self.previous_button)
        row.addWidget(self.next_button)

    def _arrow(self, name: str, step: int) -> QToolButton:
        button = QToolButton(self.matches)
        set_role(button, kind="tight")
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setAutoRepeat(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.step_requested.emit(step))
        return button

    def _restyle(self) -> None:
        theme = Theme.current()
        side = max(24, int(self.fontMetrics().height() * 1.4))
        for button, name in ((self.previous_button, "chevron-up"), (self.next_button, "chevron-down")):
            button.setIcon(theme.icon(name, "text_muted"))
            button.setIconSize(QSize(theme.scaled(16), theme.scaled(16)))
            button.setFixedSize(side, side)
        self.setFixedHeight(max(28, side + 2))
        self.matches.setFixedHeight(side)


class HistoryPane(QWidget):
    """Is the pane as the window uses it. Knows no disk: it asks the search it is given."""

    manual_page: ClassVar = "history"
    messages_requested = Signal(object)
    """The `ConsolidationRecord` whose messages are wanted."""
    explanation_requested = Signal()
    """The person wants to read how memory is kept."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("History"))
        self.setMinimumWidth(240)
        self.explains = True
        """Whether the page that stands here before the first entry leads to how memory is kept."""
        self._nothing_words = ""
        self.model = HistoryModel(self)
        self.field = HistoryField(self)
        self.filter_button = self._filter_button()
        self.filters = LazyWidget(self._build_filters)
        """The card under the field, for when it is first unfolded."""
        self.header = HistoryHeader(self.model, self)
        self.message = QLabel(self)
        self.newest_button = QPushButton(self)
        self.view = HistoryView(self.model, self)
        self.nothing_written = LazyWidget(self._build_nothing_written)
        """The empty state that stands here before the first entry."""
        self.nothing_found = LazyWidget(self._build_nothing_found)
        """The empty state that stands here where a search finds nothing."""
        self._wait = QTimer(self, singleShot=True, interval=_DEBOUNCE_MS)
        self._wait.timeout.connect(self._search)
        self._lay_out()
        self._connect()
        self._restyle()
        self._show_state()

    def _build_filters(self) -> HistoryFilters:
        filters = HistoryFilters(self)
        filters.offer(self.model.state.by_kind)
        filters.changed.connect(self._wait.start)
        filters.changed.connect(self._restyle)
        self._top.insertWidget(self._top.indexOf(self._newest), filters)
        follow_in_tab_order(filters, self.filter_button)
        return filters

    def set_title_visible(self, visible: bool) -> None:
        """Shows the pane's own title, or leaves that to a dock's."""
        self.header.show_title(visible)

    def show_entry(self, record_or_text: ConsolidationRecord | str) -> None:
        """Brings one entry into sight among its neighbours; any search is cleared for it."""
        self._clear_quietly()
        if isinstance(record_or_text, str):
            self.model.locate(record_or_text)
        else:
            self.model.locate(record_or_text.entry, record_or_text)

    def find(self) -> None:  # type: ignore[override]
        """Goes to the search field, with what is in it selected."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def search_for(self, text: str) -> None:
        """Searches for plain words as if they had been typed."""
        self.field.regex_button.setChecked(False)
        self.field.case_button.setChecked(False)
        self.field.setText(text)

    def clear(self) -> None:
        """Takes search and filters away."""
        if (filters := self.filters.built) is not None:
            filters.clear()
        self.field.clear()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def query(self) -> HistoryQuery:
        """Returns what is looked for."""
        filters = self.filters.built
        return HistoryQuery(
            self.field.text(),
            regex=self.field.regex_button.isChecked(),
            case_sensitive=self.field.case_button.isChecked(),
            since=filters.since if filters else None,
            until=filters.until if filters else None,
            sources=filters.sources if filters else frozenset(),
        )

    def _filter_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setIconSize(QSize(18, 18))
        return button

    def _build_nothing_written(self) -> EmptyState:
        empty = self._empty("history", self._nothing_words, tr("How memory is kept"), self.explanation_requested.emit)
        empty.button.setVisible(self.explains)
        return empty

    def explain_nothing(self, words: str) -> None:
        """Has these words said where there is no entry yet: when the first one comes."""
        self._nothing_words = words
        if (empty := self.nothing_written.built) is not None:
            empty.sentence.setText(words)

    def _build_nothing_found(self) -> EmptyState:
        return self._empty("search", "", tr("Clear the search"), self.clear)

    def _empty(self, icon: str, sentence: str, action: str, handler: Callable[[], object]) -> EmptyState:
        empty = EmptyState(icon, sentence, action, handler, self)
        self._pages.addWidget(empty)
        follow_in_tab_order(empty, self.view)
        return empty

    def _lay_out(self) -> None:
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.hide()
        set_role(self.newest_button, kind="link")
        self.newest_button.hide()
        search = QHBoxLayout()
        search.setSpacing(6)
        search.addWidget(self.field, 1)
        search.addWidget(self.filter_button)
        top = QVBoxLayout()
        top.setContentsMargins(_EDGE, 6, _EDGE, 4)
        top.setSpacing(6)
        top.addWidget(self.header)
        top.addLayout(search)
        top.addWidget(self.header.matches)
        top.addWidget(self.message)
        newest = self._newest = LinkRow()
        newest.addWidget(self.newest_button)
        newest.addStretch(1)
        top.addLayout(newest)
        self._top = top
        self._pages = QStackedLayout()
        self.view.setMinimumHeight(_LEAST)
        self._pages.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(self._pages, 1)
        self.setFocusProxy(self.field)

    def _connect(self) -> None:
        self.field.changed.connect(self._wait.start)
        self.field.step_requested.connect(self._step)
        self.field.entries_requested.connect(self._enter_entries)
        self.filter_button.toggled.connect(lambda on: self.filters.widget.setVisible(on))
        self.header.step_requested.connect(self._step)
        self.newest_button.clicked.connect(self.model.show_newest)
        self.view.messages_requested.connect(self.messages_requested)
        self.view.current_changed.connect(self._show_state)
        self.view.left.connect(self.find)
        self.model.status_changed.connect(self._show_state)
        self.model.replaced.connect(self._show_state)
        theme_notifier().changed.connect(self._restyle)
        HISTORY_KEYS.add_shortcuts(self, Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _search(self) -> None:
        self.model.set_query(self.query())

    def _step(self, step: int) -> None:
        """Goes to the next match; what was typed a moment ago is searched for first."""
        if self._wait.isActive():
            self._wait.stop()
            self._search()
            return
        self.view.step(step)

    def _enter_entries(self) -> None:
        if self.model.matches:
            self.view.setFocus(Qt.FocusReason.TabFocusReason)

    def _clear_quietly(self) -> None:
        self._wait.stop()
        self.field.blockSignals(True)
        self.field.clear()
        self.field.clear_button.hide()
        self.field.blockSignals(False)
        if (filters := self.filters.built) is not None:
            filters.blockSignals(True)
            filters.clear()
            filters.blockSignals(False)
        self._restyle()

    def _show_state(self) -> None:
        model = self.model
        self.header.refresh(self.view.current)
        if (filters := self.filters.built) is not None:
            filters.offer(model.state.by_kind)
        problem = model.complaint or " ".join(
            filter(None, (passed_over_label(model.passed_over), *model.state.problems))
        )
        self.message.setText(core_words(problem))
        self.message.setVisible(bool(problem))
        one, many = tr("Back to the newest · 1 newer entry"), tr("Back to the newest · {count} newer entries")
        self.newest_button.setText((one if model.ahead == 1 else many).format(count=number(model.ahead)))
        self.newest_button.setVisible(bool(model.ahead))
        self._pages.setCurrentWidget(self._page())

    def _page(self) -> QWidget:
        model = self.model
        if model.matches or model.searching or model.more or not model.ready:
            return self.view
        if model.complaint or model.passed_over:
            return self.view
        if model.query.is_empty:
            known = model.looked and not model.state.loading
            return self.nothing_written.widget if known and not model.state.total else self.view
        text = model.query.text.strip()
        words = (
            tr("No entry matches “{text}”.").format(text=shortened(text, 40))
            if text
            else tr("No entry in these filters.")
        )
        empty = self.nothing_found.widget
        empty.sentence.setText(words)
        return empty

    def _restyle(self) -> None:
        theme, filters = Theme.current(), self.filters.built
        active = filters is not None and filters.active
        self.filter_button.setIcon(theme.icon("list-filter", "accent" if active else "text_muted"))
        side = max(CONTROL_HEIGHT, self.field.sizeHint().height())
        self.filter_button.setFixedSize(side, side)
        icon = Theme.current().scaled(18)
        self.filter_button.setIconSize(QSize(icon, icon))
        words = tr("Filter by day and log (active)") if active else tr("Filter by day and log")
        self.filter_button.setToolTip(words)
        self.filter_button.setAccessibleName(words)
        palette = self.message.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme.color("danger"))
        self.message.setPalette(palette)


HISTORY_KEYS: Final[PartKeys[HistoryPane]] = PartKeys(
    "History",
    PartKey("go to the next match", {"F3": lambda pane: pane._step(1)}),
    PartKey("go to the previous match", {"Shift+F3": lambda pane: pane._step(-1)}),
)
