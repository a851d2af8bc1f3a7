"""The timeline at 1,000,000 messages beside 10,000, in one run: shown, scrolled, one row more, filtered."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from statistics import median
from time import perf_counter
from typing import Any

from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from tests.bench.rows import Row
from tests.support.made_messages import MadeMessages

SMALL, LARGE = 10_000, 1_000_000
_SLICE = 50
_WORDS = "the nightly import ran dry again so we moved it behind the pool and kept twenty connections for the rest"


class LongSession(MadeMessages):
    """A session whose messages are made when looked at, about 200 characters each."""

    def make(self, number: int) -> Message:
        stamp = datetime(2026, 1, 1) + timedelta(seconds=20 * number)
        role = ("user", "assistant", "user", "assistant", "tool")[number % 5]
        words = f"{number} {_WORDS} {_WORDS[:80]}"
        message: dict[str, Any] = {"role": role, "content": words, "timestamp": stamp.isoformat()}
        if role == "tool":
            message |= {"name": "read_file", "tool_call_id": str(number)}
        return message


def records_of(count: int) -> list[ConsolidationRecord]:
    """Returns a consolidation of 50 messages after another, the newest 70 messages left."""
    when = "2026-03-12T14:30"
    return [
        ConsolidationRecord(str(stop), "desktop:x", "", stop - _SLICE, stop, when, f"[{when}] {_WORDS}")
        for stop in range(_SLICE, count - 70, _SLICE)
    ]


class Figures:
    """Milliseconds at one length of session."""

    def __init__(self, count: int, steps: int) -> None:
        # Qt only here: the table is also printed where it is not installed.
        from mnemoscope.ui.timeline.timeline_pane import TimelinePane

        self._pane = TimelinePane()
        self._pane.view.slide.allowed = False
        self._pane.resize(320, 800)
        self._pane.show()
        self._session, self._records = LongSession(count), records_of(count)
        self._pointer = self._records[-1].stop
        self._selection = select_history(self._session, self._pointer)
        _settle()
        gc.collect()
        self.shown = median(_timed(self._show) for _ in range(5))
        self.steps = sorted(self._scroll_steps(steps))
        self.row = median(_timed(self._append) for _ in range(30))
        self._pane.deleteLater()
        _settle()

    def _show(self) -> None:
        self._pane.show_timeline(self._session, self._pointer, self._records, self._selection, 100)
        self._pane.view.viewport().repaint()

    def _append(self) -> None:
        self._session.length += 1
        self._pane.model.append(self._session.length - 1)
        self._pane.view.viewport().repaint()

    def _scroll_steps(self, steps: int) -> Iterable[float]:
        self._pane.model.fold_all(folded=False)
        bar, viewport = self._pane.view.verticalScrollBar(), self._pane.view.viewport()
        chance = random.Random(7)
        for step in range(steps):
            if step % 20 == 0:
                bar.setValue(chance.randrange(bar.maximum()))
                viewport.repaint()

            def scroll() -> None:
                bar.setValue(bar.value() + 84)
                viewport.repaint()

            yield _timed(scroll)


def _settle() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(3):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _timed(work: Callable[[], None]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


def _filter_gap(count: int) -> tuple[float, float]:
    """Longest gap and whole time in milliseconds of a filter over a session, while the window goes on working."""
    from PySide6.QtCore import QCoreApplication

    from mnemoscope.domain.timeline.row_filter import RoleFilter, RowFilter
    from mnemoscope.ui.timeline.timeline_pane import TimelinePane

    pane, session = TimelinePane(), LongSession(count)
    pane.resize(320, 800)
    pane.show()
    pane.show_timeline(session, 0, [], select_history(session, 0), 100)
    _settle()
    start = perf_counter()
    gaps = [_timed(lambda: pane.model.set_filter(RowFilter(role=RoleFilter.TOOL)))]
    while pane.model.scan.busy:
        gaps.append(_timed(QCoreApplication.processEvents))
    whole = (perf_counter() - start) * 1000
    pane.deleteLater()
    _settle()
    return max(gaps), whole


def rows(quick: bool) -> Iterable[Row]:
    """Measures on an offscreen window."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication([])
    steps = 50 if quick else 600
    small, large = Figures(SMALL, steps), Figures(LARGE, steps)
    p99_small, p99_large = small.steps[int(steps * 0.99) - 1], large.steps[int(steps * 0.99) - 1]
    yield _row("timeline of 1,000,000 messages shown", large.shown, small.shown, 100)
    yield _row("timeline scroll step, p99", p99_large, p99_small, 8)
    yield _row("timeline, one row more", large.row, small.row, 5)
    gap, whole = _filter_gap(20_000 if quick else LARGE)
    figure = f"{gap:.1f} ms (done in {whole / 1000:.1f} s)"
    yield Row("timeline filter by role, longest gap", figure, "<= 16 ms", gap <= 16)
    del app


def _row(what: str, large: float, small: float, limit: float) -> Row:
    ratio = large / small
    figure = f"{large:.2f} ms, {ratio:.2f} x of 10,000"
    return Row(what, figure, f"<= {limit:g} ms, <= 1.5 x", large <= limit and ratio <= 1.5)
