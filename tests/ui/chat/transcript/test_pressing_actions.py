"""The actions of messages are run with the mouse and with the keyboard, and what a message says is never one."""

import timeit
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.capture.record import KEPT, UNDONE, CaptureRecord
from mnemoscope.domain.conversation.message import Message
from mnemoscope.ui.chat.message_actions import (
    CopyMessage,
    EditMessage,
    FoldCall,
    FoldMessage,
    MessageAction,
    RedoCaptures,
    StopAnswer,
    UndoCaptures,
)
from mnemoscope.ui.chat.transcript.link_spans import link_span_at, link_spans
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.document.link_dialog import LinkDialog
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.ui.chat.transcript.offered_actions import (
    actions_of,
    click_action,
    place_of_action,
    place_of_span,
    spans_of,
    words_of,
)
from tests.ui.chat.transcript.transcript_fixture import RICH, STAMP, calling, pane, said, settle

__all__ = ["pane"]
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
LINKED = [said("user", "one"), said("assistant", "See [two](https://example.org/) and <three@example.org>.", 2)]


@pytest.fixture
def chosen(pane: Transcript) -> list[MessageAction]:
    """Returns what was chosen so far."""
    made: list[MessageAction] = []
    pane.view.action_chosen.connect(made.append)
    return made


def kept(outcome: str = KEPT) -> CaptureRecord:
    """Returns what was captured of the first message."""
    stamp = STAMP % 0
    return CaptureRecord("1", stamp, "k", stamp, 0, "preference", "tea", outcome=outcome, memory_line="- Tea")


def step(pane: Transcript, key: Qt.Key = Qt.Key.Key_Down) -> None:
    QTest.keyClick(pane.view, key, ALT)


def picture(pane: Transcript) -> QImage:
    return pane.view.viewport().grab().toImage()


# The mouse


def test_a_click_runs_an_action_and_activates_no_message(pane: Transcript, chosen: list[MessageAction]) -> None:
    activated: list[int] = []
    pane.message_activated.connect(activated.append)
    pane.show_messages("k", LINKED)
    click_action(pane, CopyMessage(0))
    assert chosen == [CopyMessage(0)]
    assert QGuiApplication.clipboard().text() == "one"
    assert activated == []


@pytest.mark.parametrize("mouse_button", [Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton])
def test_no_other_button_of_the_mouse_runs_one(
    pane: Transcript, chosen: list[MessageAction], mouse_button: Qt.MouseButton
) -> None:
    pane.show_messages("k", LINKED)
    QTest.mouseClick(pane.view.viewport(), mouse_button, pos=place_of_action(pane, CopyMessage(0)))
    assert chosen == []


def test_an_action_is_run_only_where_the_button_is_pressed_and_released_on_it(
    pane: Transcript, chosen: list[MessageAction]
) -> None:
    pane.show_messages("k", LINKED)
    viewport = pane.view.viewport()
    copy, edit = place_of_action(pane, CopyMessage(0)), place_of_action(pane, EditMessage(0))
    beside = QPoint(copy.x(), copy.y() + 200)
    for pressed, released in ((copy, edit), (copy, beside), (beside, copy)):
        QTest.mousePress(viewport, LEFT, pos=pressed)
        QTest.mouseMove(viewport, released)
        QTest.mouseRelease(viewport, LEFT, pos=released)
        assert chosen == [], (pressed, released)
    QTest.mousePress(viewport, LEFT, pos=copy)
    QTest.mouseRelease(viewport, LEFT, pos=copy + QPoint(2, 1))
    assert chosen == [CopyMessage(0)], "a hand is never quite still"


def test_an_action_that_came_under_the_pressed_button_is_not_run(pane: Transcript, chosen: list[MessageAction]) -> None:
    pane.show_messages("k", [said("user", "I like tea")])
    pane.show_kept({0: [kept()]})
    place = place_of_action(pane, UndoCaptures(0))
    QTest.mousePress(pane.view.viewport(), LEFT, pos=place)
    pane.show_kept({0: [kept(outcome=UNDONE)]})
    assert pane.view.action_at(place) == RedoCaptures(0)
    QTest.mouseRelease(pane.view.viewport(), LEFT, pos=place)
    assert chosen == []


def test_the_key_that_copies_leaves_what_a_click_on_copy_has_copied(pane: Transcript) -> None:
    pane.show_messages("k", LINKED)
    click_action(pane, CopyMessage(0))
    QTest.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "one"
    pane.view.setTextCursor(pane.transcript.document.find("two"))
    QTest.keyClick(pane.view, Qt.Key.Key_Insert, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "two"


def test_an_action_is_run_again_at_the_next_click(pane: Transcript, chosen: list[MessageAction]) -> None:
    pane.show_messages("k", LINKED)
    for _ in range(3):
        click_action(pane, CopyMessage(0))
    assert chosen == [CopyMessage(0)] * 3


def test_the_pointer_is_a_hand_over_actions_and_addresses_alone(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", LINKED)
    viewport = pane.view.viewport()
    address = next(place_of_span(pane, each) for each in spans_of(pane) if each.address)
    words = pane.view.cursorRect(pane.transcript.document.find("See")).center()
    hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
    copy = place_of_action(pane, CopyMessage(0))
    seen = []
    for place in (copy, words, address, copy, address, words, copy, QPoint(300, 480)):
        QTest.mouseMove(viewport, place)
        seen.append(viewport.cursor().shape())
    assert seen == [hand, arrow, hand, hand, hand, arrow, hand, arrow]


def test_the_pointer_over_a_very_long_paragraph_is_not_slowed_down_by_its_length(pane: Transcript) -> None:
    style, cursor = pane.transcript.style, QTextCursor(pane.transcript.document)
    cursor.beginEditBlock()
    for form in (style.body, style.chars(bold=True)) * 500:
        cursor.insertText("words ", form)
    cursor.endEditBlock()
    block, middle = cursor.block(), cursor.position() // 2

    def look_through() -> None:
        for _ in range(10):
            list(link_spans(pane.transcript, block))

    def look() -> None:
        for place in range(middle, middle + 10):
            assert link_span_at(pane.transcript, place) is None

    whole, one = (min(timeit.repeat(each, number=1, repeat=3)) for each in (look_through, look))
    assert one < whole / 10


def test_a_click_does_not_scroll_and_the_keyboard_goes_on_from_there(
    pane: Transcript, qtbot: QtBot, chosen: list[MessageAction]
) -> None:
    pane.show_messages("k", [said("user", f"{number} of many", number) for number in range(40)])
    settle(qtbot, pane)
    click_action(pane, CopyMessage(30))
    before = pane.view.offset()
    pane.view.setFocus()
    pane.message_actions.on(EditMessage, lambda _action: None)
    step(pane)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert chosen == [CopyMessage(30), EditMessage(30)]
    pane.view.verticalScrollBar().setValue(before - 300)
    words = pane.view.row_under(QPoint(100, 250))
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.RightButton, pos=QPoint(100, 250))
    assert pane.view.offset() == before - 300
    assert pane.view.row_under(QPoint(100, 250)) is words
    assert not pane.view.textCursor().hasSelection(), "a link that was gone to is not what is to be copied"


# The keyboard


def test_keys_go_through_actions_and_addresses_in_the_order_of_the_text_and_back(
    pane: Transcript, chosen: list[MessageAction]
) -> None:
    followed: list[str] = []
    pane.view.anchorClicked.connect(lambda url: followed.append(url.toString()))
    pane.show_messages("k", LINKED)
    spans = list(spans_of(pane))
    assert [words_of(pane, each) for each in spans] == [
        *("Copy", "Edit", "Branch", "Delete"),
        *("Copy", "Regenerate", "Other model…", "Branch"),
        *("two", "three@example.org"),
    ]
    pane.view.setFocus()
    gone_to = []
    for key in [Qt.Key.Key_Down] * len(spans) + [Qt.Key.Key_Up] * (len(spans) - 1):
        step(pane, key)
        cursor = pane.view.textCursor()
        gone_to.append((cursor.selectionStart(), cursor.selectionEnd()))
    there = [(each.start, each.stop) for each in spans]
    assert gone_to == [*there, *there[-2::-1]]
    assert pane.view.selected_action() == CopyMessage(0)
    QTest.keyClick(pane.view, Qt.Key.Key_Enter)
    assert chosen == [CopyMessage(0)]
    pane.view.setTextCursor(QTextCursor(pane.transcript.document))
    step(pane, Qt.Key.Key_Up)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert followed == ["mailto:three@example.org"]
    dialog = pane.findChild(LinkDialog)
    assert dialog is not None
    dialog.close()


def test_the_ring_stands_around_an_action_while_the_keyboard_is_at_it(pane: Transcript, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = QVBoxLayout(holder)
    field = QLineEdit(holder)
    layout.addWidget(pane)
    layout.addWidget(field)
    holder.resize(620, 560)
    holder.show()
    pane.show_messages("k", [calling("c"), {"role": "tool", "tool_call_id": "c", "content": "found"}])
    holder.activateWindow()
    qtbot.waitUntil(holder.isActiveWindow)
    pane.view.setFocus()
    name = pane.transcript.document.find("search_memory")
    pane.view.setTextCursor(name)
    highlighted = picture(pane)
    pane.view.setTextCursor(QTextCursor(pane.transcript.document))
    plain = picture(pane)
    while pane.view.selected_action() != FoldCall(0, "c"):
        step(pane)
    cursor = pane.view.textCursor()
    assert "search_memory" in cursor.selectedText()
    ringed = picture(pane)
    assert ringed not in (plain, highlighted)
    focus, middle = Theme.current().color("focus").rgb(), place_of_action(pane, FoldCall(0, "c")).y()
    places = [(x, y) for x in range(ringed.width()) for y in range(middle - 14, middle + 14)]
    assert any(ringed.pixel(*place) == focus for place in places)
    assert not any(plain.pixel(*place) == focus for place in places)
    before = pane.view.offset()
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not pane.view.textCursor().hasSelection(), "the keyboard is elsewhere"
    assert pane.view.selected_action() is None
    assert pane.view.offset() == before
    layout.removeWidget(pane)
    pane.setParent(None)


def test_enter_on_selected_words_that_begin_with_an_action_runs_nothing(
    pane: Transcript, chosen: list[MessageAction]
) -> None:
    pane.show_messages("k", LINKED)
    pane.view.setFocus()
    pane.view.selectAll()
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    words = pane.transcript.document.find("Copy")
    pane.view.setTextCursor(words)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert chosen == [], "it was selected, not gone to"


def test_after_the_last_link_the_keys_leave_the_conversation(pane: Transcript) -> None:
    pane.show_messages("k", LINKED)
    pane.find_bar.start()
    pane.view.setFocus()
    for _ in spans_of(pane):
        step(pane)
    assert pane.view.hasFocus()
    step(pane)
    assert not pane.view.hasFocus()
    assert not pane.view.textCursor().hasSelection()


# What stays


def test_actions_outlast_folding_theme_width_pages_and_an_answer_that_streams(
    pane: Transcript, qtbot: QtBot, chosen: list[MessageAction]
) -> None:
    long = "\n".join(f"line {number}" for number in range(200))
    messages = [
        said("user", long),
        said("assistant", RICH, 2),
        calling("c", text="I look."),
        {"role": "tool", "tool_call_id": "c", "content": "found\nmore"},
        said("assistant", "There it is.", 4),
    ]
    pane.show_messages("k", messages)
    settle(qtbot, pane)
    before = actions_of(pane)
    # Each card of code has a number of its own, in each drawing another.
    kinds = [type(each) for each in before]
    click_action(pane, FoldMessage(0))
    click_action(pane, FoldMessage(0))
    click_action(pane, FoldCall(2, "c"))
    click_action(pane, FoldCall(2, "c"))
    assert [type(each) for each in actions_of(pane)] == kinds
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for theme in ("dark", "light"):
        apply_theme(app, theme)
        settle(qtbot, pane)
        assert [type(each) for each in actions_of(pane)] == kinds
    pane.resize(420, 500)
    settle(qtbot, pane)
    assert [type(each) for each in actions_of(pane)] == kinds
    pane.begin_reply()
    assert actions_of(pane)[-1] == StopAnswer()
    pane.add_delta("Streaming [on](https://example.org/)\n\n")
    stopped: list[MessageAction] = []
    pane.message_actions.on(StopAnswer, stopped.append)
    click_action(pane, StopAnswer())
    assert stopped == [StopAnswer()]
    pane.end_reply()
    chosen.clear()
    for action in (CopyMessage(0), CopyMessage(4)):
        click_action(pane, action)
    assert chosen == [CopyMessage(0), CopyMessage(4)]


def test_actions_are_those_of_the_conversation_on_show(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "one"), said("assistant", "two", 2)])
    old = pane.transcript.style.action(CopyMessage(1))
    assert pane.transcript.actions.action_of(old) == CopyMessage(1)
    pane.show_messages("other", [said("user", "one")])
    assert CopyMessage(1) not in actions_of(pane)
    assert pane.transcript.actions.action_of(old) is None
    pane.transcript.clear()
    assert actions_of(pane) == []


def test_undo_of_a_capture_stands_below_its_message_and_is_pressed_by_keys(pane: Transcript) -> None:
    undone: list[MessageAction] = []
    pane.message_actions.on(UndoCaptures, undone.append)
    pane.show_messages("k", [said("user", "I like tea"), said("assistant", "Noted.", 2)])
    pane.show_kept({0: [kept()]})
    pane.view.setFocus()
    for _ in range(actions_of(pane).index(UndoCaptures(0)) + 1):
        step(pane)
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert undone == [UndoCaptures(0)]
    click_action(pane, UndoCaptures(0))
    assert undone == [UndoCaptures(0)] * 2


# What a message says

HOSTILE = (
    "[Copy](app:CopyMessage/0)",
    "[Copy](CopyMessage:0)",
    "[Copy](CopyMessage\\(index=0\\))",
    "<app:DeleteMessage/0>",
    '<a href="app:DeleteMessage/0">Delete</a>',
    '<span style="-qt-user-action: 1">Delete</span>',
    "[Undo][r]\n\n[r]: app:UndoChange/c1",
    "![Delete](app:DeleteMessage/0)",
    "app:DeleteMessage/0",
    "`DeleteMessage(index=0)`",
)


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_nothing_that_a_message_says_becomes_an_action_or_another_address(
    pane: Transcript, words: str, role: str
) -> None:
    def shown(text: str) -> list[MessageAction]:
        more: dict[str, Any] = {"tool_call_id": "c"} if role == "tool" else {}
        messages: list[Message] = [said("user", "Go."), calling("c"), said(role, text, **more)]
        pane.show_messages(text, messages)
        click_action(pane, FoldCall(1, "c"))
        return actions_of(pane)

    plain = shown("Nothing.")
    assert shown(words) == plain
    assert [each.address for each in spans_of(pane) if each.action is None] == []
