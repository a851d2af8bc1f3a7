"""The head of the timeline: how many messages, how far to the next consolidation, what one is doing now."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from mnemoscope.agent.consolidation.prompt_usage import ContextUse
from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.ui.timeline.filters import TimelineFilters
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.words import message_count, number, tr
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.notice_bar import NoticeBar
from mnemoscope.ui.widgets.tab_order import controls_of, follow_in_tab_order
from mnemoscope.ui.widgets.theme import Theme, set_role, theme_notifier

_SWEEP_MS = 1600


class ProgressLine(QWidget):
    """A thin line: filled up to `share` (0.0 to 1.0), or a calm sweep while something is being done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share = 0.0
        self.animations = True
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(40)
        self._timer.timeout.connect(self.update)
        self._busy = False
        self.setFixedHeight(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_notifier().changed.connect(self.update)

    def show_share(self, share: float) -> None:
        """Fill the line up to here."""
        self.share = min(max(share, 0.0), 1.0)
        self.update()

    def show_busy(self, busy: bool) -> None:
        """Sweep while work is going on; stand half filled where motion is not wanted."""
        self._busy = busy
        if busy and self.animations and self.isVisible():
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
    raw_requested = Signal()
    """The person has what waits settled as it is, without a model."""
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
        self._failure: NoticeBar | None = None
        self._failed_tries = 0
        self._titled = True
        self.paused = False
        """Whether the disk refuses, so that nothing is settled until it takes what is written."""
        self.closed = False
        """Whether nothing more will be said, and nothing consolidated."""
        self.closed_because = ""
        """Why nothing is said or settled here, where that is not for ever."""
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
        inner.addWidget(self.status_label)
        self._bars = QVBoxLayout()
        self._bars.setContentsMargins(10, 6, 10, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addLayout(inner)
        column.addLayout(self._bars)
        column.addWidget(self.filters)

    def show_title(self, shown: bool) -> None:
        """Show the count, or leave it to whoever hears `counted`; the name stands in the tab or in the dock's title."""
        self._titled = shown
        self.refresh()

    def refresh(self) -> None:
        """Read the counts again."""
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
        self.line.show_busy(model.running is not None or model.indexing)
        self.status_label.setText(self._sentence(window))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._model.context is not None:
            self.refresh()

    def show_failure(self, reason: str, tries: int) -> None:
        """Say that memory was not updated, why, and offer to try again."""
        self.drop_failure()
        waiting = message_count(self._model.waiting)
        many = tr("1 try") if tries == 1 else tr("{0} tries").format(tries)
        sentence = tr("Memory not updated ({0}), {1} waiting.").format(many, waiting)
        safe = tr("Nothing was written; what waits stays in the conversation and goes to the model as it is.")
        ways = [
            (tr("Retry"), self.retry_requested.emit),
            (tr("Other model…"), self.model_requested.emit),
            (tr("Archive raw"), self.raw_requested.emit),
        ]
        brief = (
            tr("Memory not updated ({0})").format(many),
            f"{tr('{0} waiting').format(waiting)} · {reason}".rstrip(" ·"),
        )
        whole = " ".join(part for part in (sentence, reason, safe) if part)
        self._failure = NoticeBar("warning", whole, ways, brief=brief, parent=self)
        self._failure.closed.connect(self._on_failure_closed)
        self._bars.addWidget(self._failure)
        follow_in_tab_order(self._failure, controls_of(self.filters)[-1])
        self._failed_tries = tries
        self.refresh()

    def drop_failure(self) -> None:
        """Take the failure away."""
        self._failed_tries = 0
        if self._failure is not None:
            self._failure.dismiss()

    def _on_failure_closed(self) -> None:
        self._failure = None

    def _count(self) -> str:
        model = self._model
        if model.filter.active:
            shown = tr("{0} so far of {1}") if model.scan.busy else tr("{0} of {1}")
            return shown.format(number(model.scan.count), message_count(model.total))
        if not model.counted:
            return tr("newest {0}").format(number(model.total))
        return message_count(model.total)

    def _sentence(self, window: int) -> str:
        model = self._model
        if self.closed:
            return self.closed_because or tr("Closed: nothing more is said or settled here")
        if model.running is not None:
            first, last = message_numbers(model.running.start, model.running.stop)
            return tr("Consolidating messages {0}–{1}…").format(number(first), number(last))
        if model.indexing:
            return tr("Newest messages · indexing the rest…")
        if model.reading:
            return tr("Read-only: nothing is settled from here")
        if self.paused:
            return tr("{0} waiting · paused").format(message_count(model.waiting))
        if self._failed_tries:
            many = tr("{0} tries failed").format(self._failed_tries)
            failed = tr("1 try failed") if self._failed_tries == 1 else many
            return tr("{0} waiting · {1}").format(message_count(model.waiting), failed)
        if (context := model.context) is not None:
            words = _context_words(context)
            fits = self.status_label.fontMetrics().horizontalAdvance(words) <= self.status_label.width()
            return words if fits or not context.percent_left else _context_words(context, brief=True)
        if not model.consolidates:
            return tr("Captures and tools write memory here")
        if model.waiting >= window:
            return tr("{0} waiting · consolidation due").format(message_count(model.waiting))
        return tr("{0} of {1} until the next consolidation").format(number(model.waiting), number(window))


def _context_words(context: ContextUse, *, brief: bool = False) -> str:
    if not context.percent_left:
        return tr("Context full · consolidation due")
    if brief:
        return tr("{0} % until the next consolidation").format(context.percent_left)
    return tr("{0} % of the context until the next consolidation").format(context.percent_left)


def _caption(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    set_role(label, role="caption")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
