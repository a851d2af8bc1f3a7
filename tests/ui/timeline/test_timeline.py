"""The timeline in a real window: what is in sight, what stays in place, and how it is painted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.history_selection import HistorySelection, select_history
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from mnemoscope.ui.timeline.timeline_view import NewRowsPill
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.ui.timeline.timeline_fixture import Watched, fill, in_sight, message, pane, point_of, record

__all__ = ["pane"]


def test_the_pointer_and_what_is_not_consolidated_are_seen_first(pane: TimelinePane) -> None:
    fill(pane, pointer=40)
    shown = in_sight(pane)
    assert TimelineRow(RowKind.POINTER, 40) in shown
    assert TimelineRow(RowKind.ENTRY, 1) in shown
    assert message(40) in shown


def test_a_session_with_nothing_consolidated_is_shown_from_its_newest_message(pane: TimelinePane) -> None:
    fill(pane, count=500, pointer=0)
    assert message(499) in in_sight(pane)
    assert pane.view.scene.pinned(pane.view.scrolling.top) is not None


def test_only_messages_in_sight_are_decoded(pane: TimelinePane) -> None:
    messages = Watched(1_000_000)
    records = [record(start, start + 50) for start in range(0, 999_900, 50)]
    pane.show_timeline(messages, 999_900, records, HistorySelection((), {}, 999_900, 999_900), 100)
    pane.view.viewport().repaint()
    assert 0 < len(messages.looked_at) < 200
    pane.view.verticalScrollBar().setValue(500_000)
    pane.view.viewport().repaint()
    assert len(messages.looked_at) < 400


def test_a_new_row_is_followed_until_the_reader_scrolls_away(pane: TimelinePane) -> None:
    messages = fill(pane, count=500)
    bar = pane.view.verticalScrollBar()
    messages.length += 1
    pane.model.append(500)
    assert message(500) in in_sight(pane)
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    before = bar.value()
    messages.length += 1
    pane.model.append(501)
    assert bar.value() == before
    QTest.keyClick(pane.view, Qt.Key.Key_End)
    messages.length += 1
    pane.model.append(502)
    assert message(502) in in_sight(pane)


def test_a_row_is_painted_the_same_from_its_picture_and_anew(pane: TimelinePane) -> None:
    fill(pane, count=200, pointer=80)
    bar, viewport = pane.view.verticalScrollBar(), pane.view.viewport()
    bar.setValue(400)
    anew = viewport.grab().toImage()
    bar.setValue(428)
    viewport.grab()
    bar.setValue(400)
    again = viewport.grab().toImage()
    assert again == anew
    pane.view.scene.restyle()
    assert viewport.grab().toImage() == anew
    kept = len(pane.view.scene._pictures)
    assert 0 < kept <= len(in_sight(pane))


@pytest.mark.parametrize("news", ["what is sent", "a run begins", "what is undone"])
def test_the_reader_stays_where_they_scrolled_to_when_rows_only_change_their_look(
    pane: TimelinePane, news: str
) -> None:
    fill(pane, count=200, pointer=80)
    bar = pane.view.verticalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    for _ in range(5):
        bar.triggerAction(bar.SliderAction.SliderSingleStepAdd)
    before = bar.value()
    if news == "what is sent":
        pane.model.select(HistorySelection((), {}, 0, 0))
    elif news == "a run begins":
        pane.consolidation_started(80, 100)
    else:
        pane.model.rearranged.emit()
    QApplication.processEvents()
    assert bar.value() == before


def test_a_message_brings_the_end_into_sight_from_the_pointer_and_what_is_sent_then_does_not_take_it_away(
    pane: TimelinePane,
) -> None:
    messages = fill(pane, count=200, pointer=80)
    bar = pane.view.verticalScrollBar()
    assert bar.value() < bar.maximum()
    messages.length = 201
    pane.model.append(200)
    pane.model.select(HistorySelection((), {}, 0, 0))
    QApplication.processEvents()
    assert TimelineRow(RowKind.MESSAGE, 200) in in_sight(pane)
    assert bar.value() == bar.maximum()


def test_rows_that_come_below_are_counted_and_a_click_goes_to_them(pane: TimelinePane) -> None:
    messages = fill(pane, count=500)
    button = pane.view.findChild(NewRowsPill)
    assert button is not None
    pane.view.scrolling.to_end()
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    assert not button.isVisible()
    for index in (500, 501):
        messages.length += 1
        pane.model.append(index)
    assert button.isVisible()
    assert button.text() == "2 new below ↓"
    assert message(501) not in in_sight(pane)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert message(501) in in_sight(pane)
    assert not button.isVisible()
    messages.length += 1
    pane.model.append(502)
    assert message(502) in in_sight(pane)
    assert not button.isVisible()


def test_what_says_that_rows_came_below_leaves_the_pinned_pointer_free(pane: TimelinePane) -> None:
    messages = fill(pane, count=500, pointer=480)
    button = pane.view.findChild(NewRowsPill)
    assert button is not None
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    messages.length += 1
    pane.model.append(500)
    assert button.isVisible()
    pin = pane.view.scene.pinned(pane.view.scrolling.top)
    assert pin is not None
    assert not button.geometry().intersects(pin[0])


def test_the_pointer_slides_and_what_it_passes_settles(pane: TimelinePane, qtbot: QtBot) -> None:
    messages = fill(pane, count=60, pointer=20)
    records = [record(0, 20), record(20, 30)]
    pane.model.move_pointer(30, records, select_history(messages, 30))
    slide = pane.view.slide
    assert slide.running
    assert pane.model.is_consolidated(25)
    pane.view.viewport().repaint()
    qtbot.waitUntil(lambda: not slide.running)
    shown = in_sight(pane)
    assert shown.index(TimelineRow(RowKind.POINTER, 30)) == shown.index(message(29)) + 1


def test_no_motion_where_it_is_not_wanted(pane: TimelinePane) -> None:
    messages = fill(pane)
    pane.view.slide.allowed = False
    pane.model.move_pointer(30, [record(0, 20), record(20, 30)], select_history(messages, 30))
    assert not pane.view.slide.running
    assert TimelineRow(RowKind.POINTER, 30) in in_sight(pane)


def test_the_row_being_read_stays_where_it_is_when_the_pointer_moves(pane: TimelinePane) -> None:
    messages = fill(pane, count=400, pointer=20)
    pane.view.select_message(300)
    at = point_of(pane, message(300))
    pane.model.move_pointer(40, [record(0, 20), record(20, 40)], select_history(messages, 40))
    assert point_of(pane, message(300)) == at


def test_the_tail_is_shown_before_the_rest_is_counted(pane: TimelinePane) -> None:
    tail = [Watched(300)[index] for index in range(300)]
    pane.show_tail(tail)
    assert "indexing" in pane.header.status_label.text()
    assert pane.header.count.text() == "newest 300"
    assert message(299) in in_sight(pane)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_pane_follows_the_theme(pane: TimelinePane, qapp: QApplication, mode: str) -> None:
    fill(pane)
    apply_theme(qapp, mode)
    try:
        image = pane.view.viewport().grab().toImage()
        seen = {image.pixelColor(x, y).name() for x in range(40) for y in range(image.height())}
        assert Theme.current().color("surface").name() in seen
        assert Theme.current().color("pointer").name() in seen
    finally:
        apply_theme(qapp, "light")


def test_a_row_is_sharp_at_twice_the_scale(pane: TimelinePane) -> None:
    from PySide6.QtGui import QImage

    fill(pane)
    picture = QImage(pane.view.viewport().size() * 2, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(2)
    picture.fill(QColor("white"))
    pane.view.viewport().render(picture)
    columns = [picture.pixelColor(x, y).name() for y in range(picture.height()) for x in range(0, picture.width(), 2)]
    doubled = [
        picture.pixelColor(x + 1, y).name() for y in range(picture.height()) for x in range(0, picture.width(), 2)
    ]
    assert columns != doubled


@pytest.mark.parametrize("pointer", [-5, 99])
def test_a_pointer_outside_the_session_is_brought_back_to_its_ends(pane: TimelinePane, pointer: int) -> None:
    messages = Watched(30)
    pane.show_timeline(messages, pointer, [record(0, 99)], select_history(messages, pointer), 100)
    assert pane.model.pointer in {0, 30}
    assert not pane.grab().isNull()
    pane.model.move_pointer(pointer, [], select_history(messages, pointer))
    assert not pane.grab().isNull()


@pytest.mark.parametrize("reason", [Qt.FocusReason.TabFocusReason, Qt.FocusReason.ShortcutFocusReason])
def test_the_row_that_the_keyboard_is_on_is_in_sight_with_its_ring(pane: TimelinePane, reason: Qt.FocusReason) -> None:
    fill(pane)
    view, bar = pane.view, pane.view.verticalScrollBar()

    def ringed() -> bool:
        """Returns whether the view looks otherwise without the keyboard."""
        with_it = view.grab().toImage()
        view.clearFocus()
        without = view.grab().toImage()
        view.setFocus(reason)
        return with_it != without

    view.clearFocus()
    view.setFocus(reason)
    assert view.current == TimelineRow(RowKind.POINTER, 20), "where there was none"
    assert ringed()
    view.clearFocus()
    bar.setValue(bar.maximum())
    view.setFocus(reason)
    assert bar.value() == bar.maximum(), "the line of the pointer stands at the edge"
    assert ringed()
    view.choose(TimelineRow(RowKind.MESSAGE, 30))
    view.clearFocus()
    bar.setValue(bar.maximum())
    assert view.current not in in_sight(pane)
    view.setFocus(reason)
    assert view.current in in_sight(pane)
    assert ringed()
