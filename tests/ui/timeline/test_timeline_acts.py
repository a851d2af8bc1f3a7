"""What a person does in the timeline: clicks, keys, folds, copies, the menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from tests.ui.timeline.timeline_fixture import fill, in_sight, message, pane, point_of

__all__ = ["pane"]


def click(pane: TimelinePane, row: TimelineRow) -> None:
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=point_of(pane, row))


def press(pane: TimelinePane, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(pane.view, key)


POINTER = TimelineRow(RowKind.POINTER, 20)
ENTRY = TimelineRow(RowKind.ENTRY, 0)


def test_a_click_on_a_message_asks_for_it_in_the_chat(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    with qtbot.waitSignal(pane.view.message_activated) as asked:
        click(pane, message(22))
    assert asked.args == [22]
    assert pane.view.current == message(22)


def test_a_click_on_an_entry_folds_and_unfolds_its_messages_where_it_stands(pane: TimelinePane) -> None:
    fill(pane)
    at = point_of(pane, ENTRY)
    click(pane, ENTRY)
    assert message(3) in in_sight(pane)
    assert point_of(pane, ENTRY) == at
    click(pane, ENTRY)
    assert message(3) not in in_sight(pane)
    assert point_of(pane, ENTRY) == at


def test_the_keys_walk_every_row(pane: TimelinePane) -> None:
    fill(pane)
    press(pane, Qt.Key.Key_Home)
    assert pane.view.current == ENTRY
    press(pane, Qt.Key.Key_Down)
    assert pane.view.current == POINTER
    press(pane, Qt.Key.Key_Down)
    assert pane.view.current == message(20)
    press(pane, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert pane.view.current == ENTRY
    press(pane, Qt.Key.Key_PageDown)
    assert pane.view.current == pane.model.stack.row(pane.view.rows_a_page())
    press(pane, Qt.Key.Key_PageUp, Qt.Key.Key_End)
    assert pane.view.current == message(81)
    QTest.keyClick(pane.view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert pane.view.current == ENTRY
    QTest.keyClick(pane.view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert pane.view.current == message(81)
    assert message(81) in in_sight(pane)


def test_left_and_right_fold_and_unfold(pane: TimelinePane) -> None:
    fill(pane)
    press(pane, Qt.Key.Key_Home, Qt.Key.Key_Right)
    assert pane.model.unfolded == {0}
    press(pane, Qt.Key.Key_Right)
    assert pane.view.current == message(0)
    press(pane, Qt.Key.Key_Left)
    assert pane.view.current == ENTRY
    press(pane, Qt.Key.Key_Left)
    assert pane.model.unfolded == set()


def test_enter_shows_a_message_in_the_chat_and_an_entry_in_the_history(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    press(pane, Qt.Key.Key_End)
    with qtbot.waitSignal(pane.view.message_activated) as asked:
        press(pane, Qt.Key.Key_Return)
    assert asked.args == [81]
    press(pane, Qt.Key.Key_Home)
    with qtbot.waitSignal(pane.view.entry_activated) as wanted:
        press(pane, Qt.Key.Key_Return)
    assert wanted.args[0].transaction_id == "t0"


def test_copy_takes_the_whole_text_of_the_row(pane: TimelinePane) -> None:
    fill(pane)
    press(pane, Qt.Key.Key_End)
    QTest.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "word 81"


def test_selecting_a_message_unfolds_its_group_and_brings_it_into_sight(pane: TimelinePane) -> None:
    fill(pane, count=400, pointer=200)
    pane.view.select_message(47)
    assert pane.view.current == message(47)
    assert message(47) in in_sight(pane)
    assert pane.model.unfolded == {2}
    pane.view.select_message(9_999)
    assert pane.view.current == message(47)


def test_the_menu_offers_what_the_row_can_do(pane: TimelinePane) -> None:

    fill(pane)
    menu = pane.view.menu_of(message(3))
    offered = [action.text() for action in menu.actions() if action.text()]
    assert offered[:4] == ["Show in chat", "Show history entry", "Copy message", "Copy as Markdown"]
    next(action for action in menu.actions() if action.text() == "Copy as Markdown").trigger()
    assert QGuiApplication.clipboard().text().startswith("**Assistant** · Thursday 12 March 2026 09:03:00\n\nword 3")
    next(action for action in menu.actions() if action.text() == "Go to the pointer").trigger()
    next(action for action in menu.actions() if action.text() == "Go to the newest message").trigger()
    assert message(81) in in_sight(pane)
    menu.deleteLater()


def test_the_pinned_pointer_leads_back_to_the_pointer(pane: TimelinePane) -> None:
    fill(pane, count=900, pointer=20)
    press(pane, Qt.Key.Key_End)
    pin = pane.view.scene.pinned(pane.view.scrolling.top)
    assert pin is not None
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=pin[0].center())
    assert POINTER in in_sight(pane)


def test_a_double_click_shows_an_entry_in_the_history_and_leaves_it_folded(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    at = point_of(pane, ENTRY)
    viewport = pane.view.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    with qtbot.waitSignal(pane.view.entry_activated):
        QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert pane.model.unfolded == set()


def test_tab_into_the_list_makes_the_pointer_current(pane: TimelinePane) -> None:
    fill(pane)
    pane.activateWindow()
    pane.header.filters.more_button.setFocus()
    QTest.keyClick(pane.header.filters.more_button, Qt.Key.Key_Tab)
    assert pane.view.current == POINTER
