"""The timeline as a screen reader meets it: a list of named items, made when asked for, gone with the list."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.history_selection import HistorySelection
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from mnemoscope.ui.widgets.lists.painted_list import ITEMS_KEPT

NAME = QAccessible.Text.Name


def messages(count: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"word {n}", "timestamp": "2026-03-12T09:41:00"} for n in range(count)]


def filled(count: int = 30) -> TimelinePane:
    record = ConsolidationRecord("t", "desktop:x", "", 0, 20, "2026-03-12T14:30", "What became of it.", inferred=True)
    pane = TimelinePane()
    pane.resize(300, 600)
    pane.show()
    pane.show_timeline(messages(count), 20, [record], HistorySelection((), {}, 20, 20), 100)
    return pane


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[TimelinePane]:
    pane = filled()
    qtbot.addWidget(pane)
    yield pane
    pane.close()


def test_the_list_has_an_item_for_every_row(pane: TimelinePane) -> None:
    listed = QAccessible.queryAccessibleInterface(pane.view)
    assert listed.role() == QAccessible.Role.List
    assert listed.childCount() == 12
    names = [listed.child(place).text(NAME) for place in range(3)]
    assert names[0] == "History entry, messages 1–20, matched by time, folded: What became of it."
    assert names[1] == "Consolidated up to here · 20"
    assert names[2] == "Message 21, you, 09:41, not consolidated: word 20"
    assert listed.child(12) is None


def test_an_item_states_whether_it_is_current_and_whether_it_is_folded(pane: TimelinePane) -> None:
    listed = QAccessible.queryAccessibleInterface(pane.view)
    pane.view.go_to(TimelineRow(RowKind.ENTRY, 0))
    state = listed.child(0).state()
    assert (state.selected, state.expandable, state.collapsed) == (1, 1, 1)
    assert listed.child(2).state().selected == 0
    assert listed.child(0).parent() == listed
    assert listed.indexOfChild(listed.child(2)) == 2
    assert listed.child(1).rect().height() == pane.view.scene.rows.pointer_height


def test_the_description_follows_the_current_row(pane: TimelinePane) -> None:
    pane.view.go_to(TimelineRow(RowKind.MESSAGE, 25))
    assert pane.view.accessibleDescription() == "Message 26, you, 09:41, not consolidated: word 25"


def test_every_control_has_a_name(pane: TimelinePane) -> None:
    filters = pane.header.filters
    for control in (pane, pane.view, filters.role_button, filters.state_button, filters.more_button):
        assert control.accessibleName()


def test_only_the_items_asked_for_last_are_kept(qtbot: QtBot) -> None:
    pane = filled(2_000)
    qtbot.addWidget(pane)
    listed: Any = QAccessible.queryAccessibleInterface(pane.view)
    for place in range(ITEMS_KEPT * 3):
        assert listed.child(place).text(NAME)
    assert len(listed._items) == ITEMS_KEPT
    assert listed.child(0).text(NAME).startswith("History entry")


def test_lists_come_and_go_while_a_screen_reader_listens(qtbot: QtBot) -> None:
    QAccessible.setActive(True)
    try:
        for _ in range(10):
            pane = filled(400)
            listed = QAccessible.queryAccessibleInterface(pane.view)
            for place in range(0, listed.childCount(), 7):
                assert listed.child(place).text(NAME)
            pane.view.select_message(5)
            pane.model.move_pointer(25, [], HistorySelection((), {}, 25, 25))
            pane.deleteLater()
            del pane, listed
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            gc.collect()
    finally:
        QAccessible.setActive(False)
