"""A timeline in a window of its own (fixture `pane`), and messages to show in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.history_selection import select_history
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from tests.support.made_messages import MadeMessages


class Watched(MadeMessages):
    """A session of short messages, of two persons in turn."""

    def make(self, number: int) -> Message:
        role = "user" if number % 2 == 0 else "assistant"
        stamp = f"2026-03-{12 + number // 100 % 10:02d}T09:{number % 60:02d}:00"
        return {"role": role, "content": f"word {number}", "timestamp": stamp}


def record(start: int, stop: int, **more: Any) -> ConsolidationRecord:
    entry = f"[2026-03-12 14:30] What became of messages {start} to {stop}."
    return ConsolidationRecord(f"t{start}", "desktop:x", "", start, stop, "2026-03-12T14:30:00", entry, **more)


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[TimelinePane]:
    pane = TimelinePane()
    qtbot.addWidget(pane)
    pane.resize(300, 700)
    with qtbot.waitExposed(pane):
        pane.show()
    yield pane
    pane.close()


def fill(pane: TimelinePane, count: int = 82, pointer: int = 20, window: int = 100) -> Watched:
    messages = Watched(count)
    records = [record(start, start + 20) for start in range(0, pointer, 20)]
    pane.show_timeline(messages, pointer, records, select_history(messages, pointer), window)
    QApplication.processEvents()
    return messages


def in_sight(pane: TimelinePane) -> list[TimelineRow]:
    return [row for _, row, _ in pane.view.scene.in_sight(pane.view.scrolling.top)]


def point_of(pane: TimelinePane, row: TimelineRow) -> QPoint:
    for _, shown, rect in pane.view.scene.in_sight(pane.view.scrolling.top):
        if shown == row:
            return rect.center()
    raise AssertionError(f"{row} is not in sight")


def message(index: int) -> TimelineRow:
    return TimelineRow(RowKind.MESSAGE, index)
