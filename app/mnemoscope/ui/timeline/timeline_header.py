"""The head of the timeline: how many messages, how far to the next consolidation, what one is doing now."""

from __future__ import annotations

import time

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from mnemoscope.agent.consolidation.prompt_usage import ContextUse
from mnemoscope.domain.consolidation.planning import Slice
from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.domain.timeline.row_filter import RoleFilter, RowFilter, StateFilter
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.locale_words import number
from mnemoscope.ui.timeline.pointer_slide import system_animates
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.timeline_words import message_count, tr
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.accessibility.tab_order import controls_of, follow_in_tab_order
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SWEEP_MS = 1600
_SLOW_SECONDS = 3
"""From here on it is said for how long a consolidation runs."""


class ProgressLine(QWidget):
    """Draws a thin line: filled up to `share` (0.0 to 1.0), or a calm sweep while something is being done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(40)
        self._timer.timeout.connect(self.update)
        self._busy = False
        self.setFixedHeight(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_notifier().changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Fills the line up to here."""
        self.share = min(max(share, 0.0), 1.0)
        self.update()

    def show_busy(self, busy: bool) -> None:
        """Sweeps while work is going on; stands half filled where motion is not wanted."""
        self._busy = busy
        if busy and self.isVisible() and system_animates(self):
            if not self._timer.isActive():
                self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 6)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_busy(self._busy)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            whole = QRectF(self.rect())
            painter.setBrush(theme.color("sunken" if not theme.dark else "border"))
            painter.drawRoundedRect(whole, 3, 3)
            painter.setBrush(theme.color("pointer" if self._busy else "accent"))
            part = self._sweep(whole) if self._busy else QRectF(0, 0, whole.width() * self.share, whole.height())
            if part.width() > 0:
                painter.drawRoundedRect(part.intersected(whole), 3, 3)

    def _sweep(self, whole: QRectF) -> QRectF:
        width = whole.width() * 0.35
        if not self._timer.isActive():
            return QRectF(0, 0, whole.width() * 0.5, whole.height())
        place = (self._clock.elapsed() % _SWEEP_MS) / _SWEEP_MS
        return QRectF(-width + (whole.width() + width) * place, 0, width, whole.height())


class TimelineHeader(QWidget):
    """Counts, progress, filters, and a bar when a consolidation failed."""

    retry_requested = Signal()
    model_requested = Signal()
    limit_requested = Signal()
    """The limit on the costs of a day is to be changed."""
    raw_requested = Signal()
    """The person has what waits consolidated as it is, without a model."""
    stop_requested = Signal()
    """The person has the consolidation under way ended."""
    counted = Signal(str)
    """The number of messages, in words, for whoever shows the title."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.filters = TimelineFilters(model, self)
        self.line = ProgressLine(self)
        self.count = _caption(self)
        self.count.setAccessibleName(tr("Messages in this conversation"))
        self.count.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.status_label = ElidedLabel(self)
        set_role(self.status_label, role="caption")
        self.status_label.setAccessibleName(tr("Next consolidation"))
        self.stop_button = QPushButton(tr("Stop"), self)
        set_role(self.stop_button, kind="link")
        self.stop_button.setAccessibleName(tr("Stop consolidating"))
        self.stop_button.setToolTip(tr("Nothing of this consolidation is written; the messages stay as they are."))
        self.stop_button.clicked.connect(lambda _checked=False: self.stop_requested.emit())
        self._began = 0.0
        """The time, in seconds of `time.monotonic()`, at which the consolidation under way was begun."""
        self._attempt, self._asked_again_because = 1, ""
        self._second = QTimer(self, interval=1_000)
        self._second.timeout.connect(self.refresh)
        self._failure: NoticeBar | None = None
        self._failed_tries = 0
        self._tried_again_at = 0
        """From how many messages on it is tried again by itself; 0 for at the next."""
        self._titled = True
        self.paused = False
        """Whether the disk refuses, so that nothing is consolidated until it takes what is written."""
        self.closed = False
        """Whether nothing more will be said, and nothing consolidated."""
        self.closed_because = ""
        """The words that say why nothing is said or consolidated here, where that is not for ever; else ""."""
        self._lay_out()
        for signal in (model.replaced, model.rearranged, model.appended, model.matched):
            signal.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        inner = QVBoxLayout()
        inner.setContentsMargins(12, 10, 12, 0)
        inner.setSpacing(6)
        inner.addWidget(self.count)
        inner.addWidget(self.line)
        status = LinkRow(left=False, right=True)
        status.addWidget(self.status_label, 1)
        status.addWidget(self.stop_button)
        inner.addLayout(status)
        self._bars = QVBoxLayout()
        self._bars.setContentsMargins(10, 6, 10, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addLayout(inner)
        column.addLayout(self._bars)
        column.addWidget(self.filters)

    def show_title(self, shown: bool) -> None:
        """Shows the count, or leaves it to whoever hears `counted`; the name stands in the tab or in the dock's
        title."""
        self._titled = shown
        self.refresh()

    def refresh(self) -> None:
        """Reads the counts again."""
        model = self._model
        self.count.setText(self._count())
        for part in (self.status_label, self.filters):
            part.setVisible(bool(model.total))
        comes = model.consolidates and not (self.closed or model.reading)
        self.line.setVisible(bool(model.total) and comes)
        self.count.setVisible(bool(model.total) and self._titled)
        self.counted.emit(self.count.text() if model.total else "")
        window, context = max(1, model.memory_window), model.context
        self.line.show_share(1 - context.percent_left / 100 if context else model.waiting / window)
        is_running = model.running is not None and not (self.closed or model.reading)
        self.line.show_busy(model.running is not None or model.indexing)
        self.stop_button.setVisible(is_running)
        if is_running != self._second.isActive():
            (self._second.start if is_running else self._second.stop)()
        self.status_label.setText(self._sentence(window))
        again = core_words(self._asked_again_because) if is_running and self._asked_again_because else ""
        meanings = [again, meaning_of(Word.CONSOLIDATES_AT), meaning_of(Word.CONTEXT) if model.context else ""]
        self.status_label.explain("\n".join(filter(None, meanings)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._model.context is not None:
            self.refresh()

    def show_failure(self, reason: str, tries: int, said: str = "") -> None:
        """Says that memory was not updated, why, with what the server said, and offers to try again."""
        self.drop_failure()
        # How many wait is said above it, where it changes with what is said meanwhile.
        # So does that there was one try; of what was not begun, such as at the daily limit, there was none.
        many = tr("{0} tries").format(tries)
        sentence = tr("Memory not updated ({0}).").format(many) if tries > 1 else tr("Memory not updated.")
        safe = tr("Nothing was written; what waits stays in the conversation and goes to the model as it is.")
        setting = (tr("Other model…"), self.model_requested.emit)
        ways = [
            (tr("Try again"), self.retry_requested.emit),
            setting if tries else (tr("Daily limit…"), self.limit_requested.emit),
            (tr("Archive raw"), self.raw_requested.emit),
        ]
        head = tr("Memory not updated ({0})").format(many) if tries > 1 else tr("Memory not updated")
        brief = (head, core_words(reason))
        whole = " ".join(part for part in (sentence, reason, safe) if part)
        self._failure = NoticeBar("warning", whole, ways, brief=brief, said=said, parent=self)
        self._failure.closed.connect(self._on_failure_closed)
        self._bars.addWidget(self._failure)
        follow_in_tab_order(self._failure, controls_of(self.filters)[-1])
        self._failed_tries = tries
        self._tried_again_at = 0
        self.refresh()

    def show_begun(self, began: float) -> None:
        """Counts the time of a consolidation from here, as time.monotonic() counts."""
        self._began = began
        self._attempt, self._asked_again_because = 1, ""

    def show_asked_again(self, attempt: int, reason: str) -> None:
        """Says which answer is awaited, and on hover why the last one could not be used."""
        self._attempt, self._asked_again_because = attempt, reason
        self.refresh()

    def show_put_off(self, at: int) -> None:
        """Says that it is tried again by itself once there are so many messages."""
        self._tried_again_at = at
        self.refresh()

    def drop_failure(self) -> None:
        """Takes the failure away."""
        self._failed_tries = self._tried_again_at = 0
        if self._failure is not None:
            self._failure.dismiss()

    def _on_failure_closed(self) -> None:
        self._failure = None

    def _count(self) -> str:
        model = self._model
        if model.filter.active:
            shown = tr("{0} so far of {1}") if model.scan.busy else tr("{0} of {1}")
            return shown.format(number(model.left_matching), message_count(model.left))
        if model.indexing:
            return tr("newest {0}").format(number(model.left))
        return message_count(model.left)

    def _running_sentence(self, running: Slice) -> str:
        first, last = message_numbers(running.start, running.stop)
        whole = tr("Consolidating message {0}…") if first == last else tr("Consolidating messages {0}–{1}…")
        rest = []
        if self._attempt > 1:
            rest.append(tr("try {0}").format(number(self._attempt)))
        minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
        if minutes or seconds >= _SLOW_SECONDS:
            waited = tr("{minutes} min {seconds} s") if minutes else tr("{seconds} s")
            rest.append(waited.format(minutes=number(minutes), seconds=seconds))
        # The seconds are what changes: they are not what is cut where there is no room.
        ways = [
            " · ".join([words, *rest]) for words in (whole.format(number(first), number(last)), tr("Consolidating…"))
        ]
        label = self.status_label
        fits = label.fontMetrics().horizontalAdvance(ways[0]) <= label.width()
        return ways[0] if fits or not rest else ways[1]

    def _failed_sentence(self, waiting: str) -> str:
        if self._tried_again_at > self._model.total:
            return tr("{0} waiting · next try at message {1}").format(waiting, number(self._tried_again_at))
        many = tr("{0} tries failed").format(self._failed_tries)
        failed = tr("1 try failed") if self._failed_tries == 1 else many
        return tr("{0} waiting · {1}").format(waiting, failed)

    def _sentence(self, window: int) -> str:
        model = self._model
        if self.closed:
            return self.closed_because or tr("Closed: nothing more is said or consolidated here")
        if model.running is not None:
            return self._running_sentence(model.running)
        if model.indexing:
            return tr("Newest messages · indexing the rest…")
        if model.reading:
            return tr("Read-only: nothing is consolidated from here")
        if self.paused:
            return tr("{0} waiting · paused").format(message_count(model.waiting))
        if self._failed_tries or self._tried_again_at > model.total:
            return self._failed_sentence(message_count(model.waiting))
        if (context := model.context) is not None:
            words = _context_words(context)
            fits = self.status_label.fontMetrics().horizontalAdvance(words) <= self.status_label.width()
            return words if fits or not context.percent_left else _context_words(context, brief=True)
        if not model.consolidates:
            is_remembered = model.kind is Discretion.REMEMBERED
            return (
                tr("What you say and tools write memory here") if is_remembered else tr("Nothing becomes memory here")
            )
        if model.waiting >= window:
            return tr("{0} waiting · consolidation due").format(message_count(model.waiting))
        return tr("{0} of {1} messages; consolidates at {1}").format(number(model.waiting), number(window))


def _context_words(context: ContextUse, *, brief: bool = False) -> str:
    if not context.percent_left:
        return tr("Context full · consolidation due")
    if brief:
        return tr("{0} % free; consolidates when full").format(context.percent_left)
    return tr("{0} % of the context free; consolidates when full").format(context.percent_left)


def _caption(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    set_role(label, role="caption")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


class TimelineFilters(QWidget):
    """Shows two compact menus that say what they are set to, and a button for everything else."""

    consolidate_requested = Signal()
    newest_requested = Signal()
    pointer_requested = Signal()

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.may_consolidate = True
        self._roles = {
            RoleFilter.ALL: tr("Everyone"),
            RoleFilter.USER: tr("You"),
            RoleFilter.ASSISTANT: tr("Assistant"),
            RoleFilter.TOOL: tr("Tools"),
        }
        self._states = {
            StateFilter.ALL: tr("Any state"),
            StateFilter.CONSOLIDATED: tr("Consolidated"),
            StateFilter.UNCONSOLIDATED: tr("Not consolidated"),
            StateFilter.LEFT_OUT: tr("Not sent"),
        }
        self.role_button = self._button(tr("Who a message is from"))
        self.state_button = self._button(tr("Where a message stands"))
        self.more_button = self._button(tr("More for the timeline"))
        self._fill()
        self._lay_out()
        theme_notifier().changed.connect(self._restyle)
        model.matched.connect(self.refresh)
        model.replaced.connect(self.refresh)
        model.appended.connect(self.refresh)
        model.rearranged.connect(self.refresh)
        self.refresh()

    def choose(self, role: RoleFilter | None = None, state: StateFilter | None = None) -> None:
        """Sets one of the filters, or both."""
        now = self._model.filter
        self._model.set_filter(RowFilter(role or now.role, state or now.state))
        self.refresh()

    def show_all(self) -> None:
        """Takes both filters away."""
        self.choose(RoleFilter.ALL, StateFilter.ALL)

    def refresh(self) -> None:
        """Shows what is set and how much it lists."""
        model, chosen = self._model, self._model.filter
        self.role_button.setText(self._roles[chosen.role])
        self.state_button.setText(self._states[chosen.state])
        self.role_button.setChecked(chosen.role is not RoleFilter.ALL)
        self.state_button.setChecked(chosen.state is not StateFilter.ALL)
        for action, value in self._actions:
            action.setChecked(value in {chosen.role, chosen.state})
        self._consolidate.setEnabled(model.may_consolidate and self.may_consolidate)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setToolTip(name)
        button.setAccessibleName(name)
        # The chevron stands behind the words. A character would be of another font, loaded for its sake alone.
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button

    def _fill(self) -> None:
        self._actions: list[tuple[QAction, RoleFilter | StateFilter]] = []
        for button, words in ((self.role_button, self._roles), (self.state_button, self._states)):
            menu = QMenu(button)
            menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            group = QActionGroup(menu)
            for value, text in words.items():
                action = menu.addAction(text)
                action.setCheckable(True)
                group.addAction(action)
                action.triggered.connect(lambda _=False, chosen=value: self._on_chosen(chosen))
                self._actions.append((action, value))
            button.setMenu(menu)
        more = QMenu(self.more_button)
        more.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._consolidate = more.addAction(tr("Consolidate now"), self.consolidate_requested.emit)
        more.addSeparator()
        more.addAction(tr("Go to the pointer"), self.pointer_requested.emit)
        more.addAction(tr("Go to the newest message"), self.newest_requested.emit)
        more.addSeparator()
        more.addAction(tr("Fold all entries"), lambda: self._model.fold_all(folded=True))
        more.addAction(tr("Unfold all entries"), lambda: self._model.fold_all(folded=False))
        self.more_button.setMenu(more)
        self.more_button.setCheckable(False)
        self.more_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._restyle()

    def _on_chosen(self, value: RoleFilter | StateFilter) -> None:
        if isinstance(value, RoleFilter):
            self.choose(role=value)
        else:
            self.choose(state=value)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 6, 0)
        row.setSpacing(2)
        row.addWidget(self.role_button)
        row.addWidget(self.state_button)
        row.addStretch(1)
        row.addWidget(self.more_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _restyle(self) -> None:
        theme = Theme.current()
        self.more_button.setIcon(theme.icon("ellipsis", "text_muted"))
        self.more_button.setIconSize(QSize(theme.scaled(16), theme.scaled(16)))
        for button in (self.role_button, self.state_button):
            button.setIcon(theme.icon("chevron-down", "text_muted"))
            button.setIconSize(QSize(theme.scaled(12), theme.scaled(12)))
