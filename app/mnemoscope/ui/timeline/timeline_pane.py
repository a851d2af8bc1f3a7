"""The Timeline pane: which messages of a session were consolidated, what they became, and what is still to come."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from typing import ClassVar, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from mnemoscope.domain.consolidation.planning import Slice
from mnemoscope.domain.conversation.history_selection import HistorySelection
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.ui.timeline.timeline_header import TimelineHeader
from mnemoscope.ui.timeline.timeline_model import TimelineModel
from mnemoscope.ui.timeline.timeline_view import TimelineView
from mnemoscope.ui.timeline.timeline_words import tr
from mnemoscope.ui.widgets.empty_state import EmptyState
from mnemoscope.ui.widgets.theme import set_role

_LEAST: Final = 56
"""Pixels that the rows may shrink to: a low window has room for the pane then."""


class TimelinePane(QWidget):
    """Is the pane as the window uses it. Knows neither disk nor models. What a person asks for is announced by `view`,
    by `header` and by its `filters`."""

    manual_page: ClassVar = "timeline"
    write_requested = Signal()
    """The empty state's action: go to the composer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, role="surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Timeline"))
        self.model = TimelineModel(self)
        self.header = TimelineHeader(self.model, self)
        self.view = TimelineView(self.model, self)
        self.view.setMinimumHeight(_LEAST)
        self.empty = EmptyTimeline(self)
        self._lay_out()
        self._connect()
        # That nothing was said is told of a conversation that was looked at, not before one is.
        self.header.filters.setEnabled(False)

    def set_title_visible(self, visible: bool) -> None:
        """Shows the pane's own title, or leaves that to a dock's."""
        self.header.show_title(visible)

    def show_timeline(
        self,
        messages: Sequence[Message],
        pointer: int,
        records: Sequence[ConsolidationRecord],
        selection: HistorySelection,
        memory_window: int,
        *,
        total: int | None = None,
        closed: bool = False,
        because: str = "",
        fork: int | None = None,
    ) -> None:
        """Shows a session. `messages` is read lazily and may grow at its end; `model.append` says so. `total` is how
        many of them are told so far, where that is not all.

        In one that is `closed` nothing more is said or consolidated; `because` says why, where it is not for ever.

        `fork` is given where another branch of it is on show: how many messages both begin with. The reader keeps the
        place among these and sees where the branches part.
        """
        self.header.drop_failure()
        self.header.closed, self.header.closed_because = closed, because
        self.empty.set_past(bool(because))
        self.model.links.is_past = bool(because)
        if self.model.indexing:
            # The messages on show are not numbered yet.
            fork = None
        with nullcontext() if fork is None else self.view.branching(fork):
            self.model.show(messages, pointer, records, selection, memory_window, total, fork)

    def show_tail(self, messages: Sequence[Message]) -> None:
        """Shows the newest messages while the rest is being indexed."""
        self.header.drop_failure()
        self.header.closed = False
        self.model.show_tail(messages)

    def clear(self) -> None:
        """Shows no session."""
        self.header.drop_failure()
        self.model.clear()

    def consolidation_started(self, start: int, stop: int, began: float | None = None) -> None:
        """Shows that a model is at work on messages [start, stop), since `began` as time.monotonic() counts, or since
        now."""
        self.header.drop_failure()
        self.header.show_begun(time.monotonic() if began is None else began)
        self.model.run(Slice(start, stop))

    def consolidation_failed(self, reason: str, tries: int, said: str = "") -> None:
        """Shows that nothing was written, why, and what the server said, and offers to try again."""
        self.model.run(None)
        self.header.show_failure(reason, tries, said)

    def consolidation_finished(self) -> None:
        """Shows that no consolidation is running any more."""
        self.header.drop_failure()
        self.model.run(None)

    def set_paused(self, paused: bool) -> None:
        """Sets whether the disk refuses, so that no consolidation comes."""
        self.header.paused = paused
        self.header.refresh()

    def set_read_only(self) -> None:
        """Offers neither to consolidate nor to write."""
        self.model.reading = self.model.links.is_read_only = True
        self.header.filters.may_consolidate = False
        self.header.refresh()
        self.header.filters.refresh()
        self.empty.set_read_only()

    def _lay_out(self) -> None:
        self._pages = QStackedLayout()
        self._pages.addWidget(self.view)
        self._pages.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addLayout(self._pages, 1)
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        self.header.filters.pointer_requested.connect(self.view.scrolling.to_pointer)
        self.header.filters.newest_requested.connect(self.view.scrolling.to_end)
        self.empty.acted.connect(self._on_empty_acted)
        for signal in (self.model.replaced, self.model.appended, self.model.matched):
            signal.connect(self._on_counted)

    def _on_counted(self) -> None:
        model = self.model
        filtered = model.filter.active and not model.stack.rows and bool(model.total)
        self.header.filters.setEnabled(bool(model.total))
        if filtered and model.scan.busy:
            return
        self.empty.show_sentence(filtered=filtered)
        self._pages.setCurrentWidget(self.empty if filtered or not model.total else self.view)

    def _on_empty_acted(self) -> None:
        if self.model.filter.active:
            self.header.filters.show_all()
        else:
            self.write_requested.emit()


class EmptyTimeline(EmptyState):
    """Says why there is no row: nothing was said, nobody had said anything at that moment, or the filter lists none."""

    acted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__("message-square", "", "", lambda: self.acted.emit(), parent)
        self._filtered = False
        self._read_only = False
        self._past = False
        self.show_sentence(filtered=False)

    def set_read_only(self) -> None:
        """Takes away the offer to write a message, because nobody can write one here."""
        self._read_only = True
        self.show_sentence(filtered=self._filtered)

    def set_past(self, past: bool) -> None:
        """Sets whether a moment that is past is on show, in which nobody can write."""
        self._past = past
        self.show_sentence(filtered=self._filtered)

    def show_sentence(self, *, filtered: bool) -> None:
        """Says that there is nothing, or nothing that the filter lists."""
        self._filtered = filtered
        nothing = tr("Nothing had been said here at that moment") if self._past else tr("Nothing said yet")
        self.sentence.setText(tr("No message is listed by this filter") if filtered else nothing)
        self.button.setText(tr("Show every message") if filtered else tr("Write a message"))
        self.button.setAccessibleName(self.button.text())
        self.button.setVisible(filtered or not (self._read_only or self._past))
        self.set_icon("list-filter" if filtered else "message-square")
