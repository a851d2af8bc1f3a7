"""The timeline in a real window: what is shown, what keys and clicks do, and what stays in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.history import LeftOut, Selection, select_history
from mnemoscope.domain.message import Message
from mnemoscope.domain.timeline import Row, RowKind
from mnemoscope.domain.timeline_filter import RoleFilter, StateFilter
from mnemoscope.domain.trace import ConsolidationRecord
from mnemoscope.ui.timeline.timeline_pane import TimelinePane
from mnemoscope.ui.timeline.timeline_sentences import row_sentence, row_tip
from mnemoscope.ui.widgets.theme import Theme, apply_theme


class Watched(Sequence[Message]):
    """A session that notes which messages were looked at."""

    def __init__(self, count: int) -> None:
        self.length = count
        self.looked_at: set[int] = set()

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...
    def __getitem__(self, place: int | slice) -> Message | list[Message]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(self.length))]
        self.looked_at.add(place)
        role = "user" if place % 2 == 0 else "assistant"
        stamp = f"2026-03-{12 + place // 100 % 10:02d}T09:{place % 60:02d}:00"
        return {"role": role, "content": f"word {place}", "timestamp": stamp}


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


def in_sight(pane: TimelinePane) -> list[Row]:
    return [row for _, row, _ in pane.view.scene.in_sight(pane.view.place.top)]


def point_of(pane: TimelinePane, row: Row) -> QPoint:
    for _, shown, rect in pane.view.scene.in_sight(pane.view.place.top):
        if shown == row:
            return rect.center()
    raise AssertionError(f"{row} is not in sight")


def click(pane: TimelinePane, row: Row) -> None:
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=point_of(pane, row))


def press(pane: TimelinePane, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(pane.view, key)


POINTER = Row(RowKind.POINTER, 20)
ENTRY = Row(RowKind.ENTRY, 0)


def message(index: int) -> Row:
    return Row(RowKind.MESSAGE, index)


def test_the_pointer_and_what_is_not_settled_are_seen_first(pane: TimelinePane) -> None:
    fill(pane, pointer=40)
    shown = in_sight(pane)
    assert Row(RowKind.POINTER, 40) in shown
    assert Row(RowKind.ENTRY, 1) in shown
    assert message(40) in shown


def test_the_head_counts_no_slash_commands(pane: TimelinePane) -> None:
    said: Message = {"role": "user", "content": "words"}
    command: Message = {"role": "user", "content": "/help", "_command": True}
    messages = [said, command, said, command]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    assert pane.header.told.text() == "2 of 100 until the next consolidation"
    messages.append(command)
    pane.append_row(4)
    messages.append(said)
    pane.append_row(5)
    assert pane.header.told.text() == "3 of 100 until the next consolidation"
    pane.set_pointer(1, [], select_history(messages, 1))
    assert pane.header.told.text() == "2 of 100 until the next consolidation"


def test_a_session_with_nothing_settled_is_shown_from_its_newest_message(pane: TimelinePane) -> None:
    fill(pane, count=500, pointer=0)
    assert message(499) in in_sight(pane)
    assert pane.view.scene.pinned(pane.view.place.top) is not None


def test_the_head_counts_messages_and_the_way_to_the_next_consolidation(pane: TimelinePane) -> None:
    fill(pane)
    assert pane.header.count.text() == "82 messages"
    assert pane.header.told.text() == "62 of 100 until the next consolidation"
    assert pane.header.line.share == pytest.approx(0.62)
    fill(pane, count=200)
    assert pane.header.told.text() == "180 messages waiting · consolidation due"


def test_only_messages_in_sight_are_decoded(pane: TimelinePane) -> None:
    messages = Watched(1_000_000)
    records = [record(start, start + 50) for start in range(0, 999_900, 50)]
    pane.show_timeline(messages, 999_900, records, Selection((), {}, 999_900, 999_900), 100)
    pane.view.viewport().repaint()
    assert 0 < len(messages.looked_at) < 200
    pane.view.verticalScrollBar().setValue(500_000)
    pane.view.viewport().repaint()
    assert len(messages.looked_at) < 400


def test_a_new_row_is_followed_until_the_reader_scrolls_away(pane: TimelinePane) -> None:
    messages = fill(pane, count=500)
    bar = pane.view.verticalScrollBar()
    messages.length += 1
    pane.append_row(500)
    assert message(500) in in_sight(pane)
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    before = bar.value()
    messages.length += 1
    pane.append_row(501)
    assert bar.value() == before
    QTest.keyClick(pane.view, Qt.Key.Key_End)
    messages.length += 1
    pane.append_row(502)
    assert message(502) in in_sight(pane)


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
        pane.set_selection(Selection((), {}, 0, 0))
    elif news == "a run begins":
        pane.consolidation_started(80, 100)
    else:
        pane.model.undo.changed.emit()
    QApplication.processEvents()
    assert bar.value() == before


def test_a_message_brings_the_end_into_sight_from_the_pointer_and_what_is_sent_then_does_not_take_it_away(
    pane: TimelinePane,
) -> None:
    messages = fill(pane, count=200, pointer=80)
    bar = pane.view.verticalScrollBar()
    assert bar.value() < bar.maximum()
    messages.length = 201
    pane.append_row(200)
    pane.set_selection(Selection((), {}, 0, 0))
    QApplication.processEvents()
    assert Row(RowKind.MESSAGE, 200) in in_sight(pane)
    assert bar.value() == bar.maximum()


def test_rows_that_come_below_are_counted_and_a_click_goes_to_them(pane: TimelinePane) -> None:
    messages = fill(pane, count=500)
    button = pane.view.news.button
    pane.view.place.to_end()
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    assert not button.isVisible()
    for index in (500, 501):
        messages.length += 1
        pane.append_row(index)
    assert button.isVisible()
    assert button.text() == "2 new below ↓"
    assert message(501) not in in_sight(pane)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert message(501) in in_sight(pane)
    assert not button.isVisible()
    messages.length += 1
    pane.append_row(502)
    assert message(502) in in_sight(pane)
    assert not button.isVisible()


def test_a_click_on_a_message_asks_for_it_in_the_chat(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    with qtbot.waitSignal(pane.message_activated) as asked:
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
    with qtbot.waitSignal(pane.message_activated) as asked:
        press(pane, Qt.Key.Key_Return)
    assert asked.args == [81]
    press(pane, Qt.Key.Key_Home)
    with qtbot.waitSignal(pane.entry_activated) as wanted:
        press(pane, Qt.Key.Key_Return)
    assert wanted.args[0].transaction_id == "t0"


def test_copy_takes_the_whole_text_of_the_row(pane: TimelinePane) -> None:
    fill(pane)
    press(pane, Qt.Key.Key_End)
    QTest.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "word 81"


def test_selecting_a_message_unfolds_its_group_and_brings_it_into_sight(pane: TimelinePane) -> None:
    fill(pane, count=400, pointer=200)
    pane.select_message(47)
    assert pane.view.current == message(47)
    assert message(47) in in_sight(pane)
    assert pane.model.unfolded == {2}
    pane.select_message(9_999)
    assert pane.view.current == message(47)


def test_the_pointer_slides_and_what_it_passes_settles(pane: TimelinePane, qtbot: QtBot) -> None:
    messages = fill(pane, count=60, pointer=20)
    records = [record(0, 20), record(20, 30)]
    pane.set_pointer(30, records, select_history(messages, 30))
    slide = pane.view.slide
    assert slide.running
    assert pane.model.is_settled(25)
    pane.view.viewport().repaint()
    qtbot.waitUntil(lambda: not slide.running)
    shown = in_sight(pane)
    assert shown.index(Row(RowKind.POINTER, 30)) == shown.index(message(29)) + 1


def test_no_motion_where_it_is_not_wanted(pane: TimelinePane) -> None:
    messages = fill(pane)
    pane.animations = False
    pane.set_pointer(30, [record(0, 20), record(20, 30)], select_history(messages, 30))
    assert not pane.view.slide.running
    assert Row(RowKind.POINTER, 30) in in_sight(pane)


def test_the_row_being_read_stays_where_it_is_when_the_pointer_moves(pane: TimelinePane) -> None:
    messages = fill(pane, count=400, pointer=20)
    pane.select_message(300)
    at = point_of(pane, message(300))
    pane.set_pointer(40, [record(0, 20), record(20, 40)], select_history(messages, 40))
    assert point_of(pane, message(300)) == at


def test_a_consolidation_is_seen_while_it_runs_and_when_it_fails(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    pane.consolidation_started(20, 70)
    assert pane.header.told.text() == "Consolidating messages 21–70…"
    assert pane.model.is_running(69)
    assert not pane.model.is_running(70)
    pane.consolidation_failed("The server did not answer.", 3)
    assert not pane.model.is_running(30)
    bar = pane.header._failure
    assert bar is not None
    assert bar.sentence == (
        "Memory not updated (3 tries), 62 messages waiting. The server did not answer. Nothing was written; what waits "
        "stays in the conversation and goes to the model as it is."
    )
    assert pane.header.told.text() == "62 messages waiting · 3 tries failed"
    assert bar.heightForWidth(276) < 8 * bar.fontMetrics().height()
    assert bar.toolTip() == bar.sentence
    retry = next(button for button in bar.findChildren(QPushButton) if button.text() == "Retry")
    with qtbot.waitSignal(pane.retry_requested):
        retry.click()
    for words, asked in (("Other model…", pane.model_requested), ("Archive raw", pane.raw_requested)):
        way = next(button for button in bar.findChildren(QPushButton) if button.text() == words)
        with qtbot.waitSignal(asked):
            way.click()
    pane.consolidation_started(20, 70)
    pane.consolidation_finished()
    assert pane.header._failure is None
    assert pane.header.told.text() == "62 of 100 until the next consolidation"


def test_a_failure_is_told_whole_and_asks_for_no_more_width(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    narrow = max(240, pane.minimumSizeHint().width())
    pane.resize(narrow, 700)
    reason = "The model answered without calling the tool that saves, so nothing of these messages can be kept."
    pane.consolidation_failed(reason, 3)
    bar = pane.header._failure
    assert bar is not None
    qtbot.waitUntil(lambda: bar.width() > 0 and bar.height() >= bar.heightForWidth(bar.width()))
    words = [label for label in bar.findChildren(QLabel) if label.text()]
    assert words[-1].text().endswith(reason)
    assert all(label.height() >= label.heightForWidth(label.width()) for label in words)
    assert pane.minimumSizeHint().width() <= narrow
    assert pane.width() == narrow
    ways = [button.mapTo(pane, button.rect().bottomRight()) for button in bar.findChildren(QPushButton)]
    assert all(corner.x() < narrow for corner in ways)


def test_filters_list_and_count_what_they_say(pane: TimelinePane, qtbot: QtBot) -> None:
    messages = fill(pane, count=3_000, pointer=20)
    pane.header.filters.choose(role=RoleFilter.USER)
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert pane.model.scan.count == 1_500
    assert pane.header.count.text() == "1,500 of 3,000 messages"
    assert message(2_998) in in_sight(pane)
    messages.length += 2
    pane.append_row(3_000)
    pane.append_row(3_001)
    assert pane.model.scan.count == 1_501
    assert pane.model.stack.place_of(3_000) is not None
    pane.header.filters.choose(state=StateFilter.SETTLED)
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert pane.model.scan.count == 10
    pane.header.filters.choose(RoleFilter.TOOL, StateFilter.ALL)
    qtbot.waitUntil(lambda: not pane.model.scan.busy)
    assert pane.empty.isVisible()
    pane.header.filters.show_all()
    assert pane.view.isVisible()


def test_what_is_not_sent_says_why(pane: TimelinePane) -> None:
    messages = [
        {"role": "user", "content": "hello", "timestamp": "2026-03-12T09:41:00"},
        {"role": "tool", "content": "found", "name": "search_memory", "tool_call_id": "gone"},
        {"role": "user", "content": "/help", "_command": True},
    ]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    sentences = [row_sentence(pane.model, message(index)) for index in range(3)]
    assert sentences[0] == "Message 1, you, 09:41, not settled: hello"
    assert "result without its call · not sent" in sentences[1]
    assert "a command · never sent" in sentences[2]
    pane.header.filters.choose(state=StateFilter.LEFT_OUT)
    assert pane.model.scan.count == 2


def test_rows_of_compacted_messages_keep_their_words(pane: TimelinePane) -> None:
    messages = [
        {"role": "user", "content": f"Question {place}", "timestamp": "2026-03-12T09:41:00"} for place in range(3)
    ]
    drawn = []
    for words in ("Question 1", "Something else"):
        messages[1]["content"] = words
        pane.show_timeline(messages, 0, [], Selection((0, 2), {1: LeftOut.COMPACTED}, 0, 0), 100)
        drawn.append(pane.view.viewport().grab().toImage())
    assert "compacted" in row_sentence(pane.model, message(1))
    assert drawn[0] != drawn[1]


def test_what_a_person_wrote_is_never_taken_for_markup(pane: TimelinePane) -> None:
    messages = [{"role": "user", "content": "<img src='file:///x'>", "timestamp": "2026-03-12T09:41:00"}]
    pane.show_timeline(messages, 0, [], select_history(messages, 0), 100)
    assert "<img" not in row_tip(pane.model, message(0))


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"role": None, "content": None, "timestamp": 5},
        {"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "image_url"}], "timestamp": "nonsense"},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "a", "arguments": "{["}}]},
        {"role": "assistant", "content": "", "tool_calls": "no list"},
        {"role": "damaged", "content": "…", "timestamp": None},
        {
            "role": "user",
            "content": "\u202e\ud800 مرحبا 你好 \U0001f600" * 50,
            "timestamp": "2026-03-12T09:41:00+02:00",
        },
        {"role": "user", "content": "x" * 3_000_000},
    ],
)
def test_odd_messages_are_shown_as_well_as_they_can_be(pane: TimelinePane, odd: Message) -> None:
    pane.show_timeline([odd, odd], 1, [record(0, 1)], select_history([odd, odd], 1), 0)
    pane.model.fold_all(folded=False)
    assert not pane.grab().isNull()
    assert row_sentence(pane.model, message(0))
    assert row_tip(pane.model, message(1))


def test_the_tail_is_shown_before_the_rest_is_counted(pane: TimelinePane) -> None:
    tail = [Watched(300)[index] for index in range(300)]
    pane.show_tail(tail)
    assert "indexing" in pane.header.told.text()
    assert pane.header.count.text() == "newest 300"
    assert message(299) in in_sight(pane)
    pane.show_tail(tail, total=1_000)
    assert message(999) in in_sight(pane)
    assert row_sentence(pane.model, message(999)).endswith("word 299")
    assert pane.header.count.text() == "1,000 messages"


def test_an_empty_session_says_so_and_offers_one_thing(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    pane.clear()
    assert pane.empty.isVisible()
    with qtbot.waitSignal(pane.write_requested):
        pane.empty.findChild(QPushButton).click()
    pane.show_timeline([], 0, [], Selection((), {}, 0, 0), 100)
    assert pane.empty.isVisible()


def test_the_menu_offers_what_the_row_can_do(pane: TimelinePane) -> None:
    from mnemoscope.ui.timeline.timeline_menu import row_menu

    fill(pane)
    menu = row_menu(pane.view, message(3))
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
    pin = pane.view.scene.pinned(pane.view.place.top)
    assert pin is not None
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=pin[0].center())
    assert POINTER in in_sight(pane)


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


def test_a_double_click_shows_an_entry_in_the_history_and_leaves_it_folded(pane: TimelinePane, qtbot: QtBot) -> None:
    fill(pane)
    at = point_of(pane, ENTRY)
    viewport = pane.view.viewport()
    with qtbot.waitSignal(pane.entry_activated):
        QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert pane.model.unfolded == set()


def test_a_changed_memory_window_is_counted_at_once(pane: TimelinePane) -> None:
    fill(pane)
    pane.set_memory_window(70)
    assert pane.header.told.text() == "62 of 70 until the next consolidation"
    assert Row(RowKind.KEPT, 47) in [pane.model.stack.row(place) for place in range(pane.model.stack.rows)]


def test_tab_into_the_list_makes_the_pointer_current(pane: TimelinePane) -> None:
    fill(pane)
    pane.activateWindow()
    pane.header.filters.more_button.setFocus()
    QTest.keyClick(pane.header.filters.more_button, Qt.Key.Key_Tab)
    assert pane.view.current == POINTER


@pytest.mark.parametrize("pointer", [-5, 99])
def test_a_pointer_outside_the_session_is_brought_back_to_its_ends(pane: TimelinePane, pointer: int) -> None:
    messages = Watched(30)
    pane.show_timeline(messages, pointer, [record(0, 99)], select_history(messages, pointer), 100)
    assert pane.model.pointer in {0, 30}
    assert not pane.grab().isNull()
    pane.set_pointer(pointer, [], select_history(messages, pointer))
    assert not pane.grab().isNull()
