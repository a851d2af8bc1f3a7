"""The conversation on screen: what of it is loaded, how messages look, and what stays in its place."""

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.branch import Branch, BranchChoice
from mnemoscope.domain.conversation.message import Message
from mnemoscope.ui.chat.message_actions import ShowWholeMessage
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.chat.transcript.transcript_paging import AHEAD_MS, BETWEEN_MS
from mnemoscope.ui.markdown.document.text_style import Mark
from mnemoscope.ui.widgets.theme import apply_theme
from tests.ui.chat.transcript.offered_actions import click_action
from tests.ui.chat.transcript.transcript_fixture import (
    RICH,
    Lazy,
    bar,
    calling,
    form_of,
    pane,
    pill_of,
    said,
    settle,
    text_of,
)

__all__ = ["pane"]


def test_of_a_million_messages_only_the_newest_are_asked_for(pane: Transcript, qtbot: QtBot) -> None:
    messages = Lazy(1_000_000)
    pane.show_messages("k", messages)
    settle(qtbot, pane)
    assert "message 999999" in text_of(pane)
    assert len(messages.looked_at) < 150
    assert pane.view.isVisible()


def test_scrolling_to_the_top_brings_earlier_messages_and_keeps_the_place(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000))
    settle(qtbot, pane)
    first = pane.transcript.first
    bar(pane).setValue(0)
    row = pane.transcript.row_of(first)
    assert row is not None
    settle(qtbot, pane)
    assert pane.transcript.first < first
    assert 0 <= pane.view.row_rect(row).top() - pane.view.offset() < 60


def test_messages_out_of_sight_wait_until_the_reader_goes_there(pane: Transcript) -> None:
    pane.show_messages("k", Lazy(1_000))
    in_sight = pane.transcript.first
    next_page = pane.paging._wanted
    assert (next_page.isActive(), next_page.interval()) == (True, AHEAD_MS)
    bar(pane).setValue(0)
    assert (next_page.isActive(), next_page.interval()) == (True, BETWEEN_MS)
    bar(pane).setValue(bar(pane).maximum())
    assert (next_page.isActive(), next_page.interval()) == (True, BETWEEN_MS)
    assert pane.transcript.first == in_sight


def test_earlier_messages_come_at_once_where_there_is_room_for_them(pane: Transcript, qtbot: QtBot) -> None:
    pane.resize(600, 1_600)
    # Much of it is folded, so fewer lines are shown than there are.
    pane.show_messages("k", [said("user", "words\n" * 200) for _ in range(30)])
    assert pane.paging._wanted.interval() == 0
    settle(qtbot, pane)
    assert bar(pane).maximum()


def test_what_is_out_of_sight_of_a_conversation_that_was_left_is_not_read(pane: Transcript, qtbot: QtBot) -> None:
    left = Lazy(1_000)
    pane.show_messages("left", left)
    pane.show_messages("come", [said("user", "words")])
    looked_at = set(left.looked_at)
    settle(qtbot, pane)
    assert left.looked_at == looked_at
    assert pane.transcript.first == 0


def test_the_window_stays_small_however_far_the_reader_goes(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(2_000))
    for _ in range(60):
        settle(qtbot, pane)
        bar(pane).setValue(0)
    settle(qtbot, pane)
    assert pane.transcript.first < 1_700
    assert len(pane.transcript.rows) <= 220
    for _ in range(100):
        bar(pane).setValue(bar(pane).maximum())
        settle(qtbot, pane)
        if pane.paging.at_newest:
            break
    assert "message 1999" in text_of(pane)
    assert len(pane.transcript.rows) <= 220


def go_on(pane: Transcript, messages: list[Message], count: int) -> int:
    """Adds messages, each with a format of its own; returns how many formats the document had at most."""
    most = 0
    for _ in range(count):
        place = len(messages)
        messages.append(
            said(("user", "assistant")[place % 2], f"message {place}\n\nsee [it](https://example.org/{place})")
        )
        pane.append_message(place, messages[place])
        most = max(most, len(pane.transcript.document.allFormats()))
    return most


def test_a_conversation_that_goes_on_for_long_keeps_nothing_of_what_went_out_of_sight(
    pane: Transcript, qtbot: QtBot
) -> None:
    messages = [said("user", "message 0")]
    pane.show_messages("k", messages)
    pane.view.clearFocus()  # The person writes elsewhere.
    first = go_on(pane, messages, 220)
    assert go_on(pane, messages, 400) <= first
    settle(qtbot, pane)
    assert 50 <= len(pane.transcript.rows) <= 200
    assert pane.transcript.rows[-1].index == 620
    assert bar(pane).value() == bar(pane).maximum()


def test_what_is_selected_stays_selected_while_the_conversation_goes_on(pane: Transcript) -> None:
    messages = [said("user", "message 0")]
    pane.show_messages("k", messages)
    pane.view.clearFocus()
    go_on(pane, messages, 195)
    pane.view.moveCursor(QTextCursor.MoveOperation.End)
    pane.view.find("message 194", QTextDocument.FindFlag.FindBackward)
    bar(pane).setValue(bar(pane).maximum())
    go_on(pane, messages, 40)
    assert pane.transcript.rows[0].index > 0
    assert pane.view.textCursor().selectedText() == "message 194"


def test_ctrl_end_and_ctrl_home_go_to_the_ends_of_the_whole_conversation(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(2_000))
    pane.scroll_to_message(1_000)
    settle(qtbot, pane)
    QTest.keyClick(pane.view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, pane)
    assert pane.transcript.first == 0
    assert bar(pane).value() < 60
    QTest.keyClick(pane.view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, pane)
    assert pane.paging.at_newest
    assert bar(pane).value() == bar(pane).maximum()
    assert pane.view.textCursor().atEnd()
    pane.append_message(2_000, said("user", "message 2000"))
    assert "message 2000" in text_of(pane)


def test_jumping_to_a_far_message_shows_it_and_offers_the_way_back(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000_000))
    pane.scroll_to_message(500_000)
    settle(qtbot, pane)
    row = pane.transcript.row_of(500_000)
    assert row is not None
    assert 0 <= pane.view.row_rect(row).top() - pane.view.offset() < 60
    assert pill_of(pane).isVisible()
    pill_of(pane).click()
    settle(qtbot, pane)
    assert "message 999999" in text_of(pane)
    assert bar(pane).value() == bar(pane).maximum()
    pane.view.emphasis.still()


def test_more_of_the_same_session_takes_over_without_drawing_again(pane: Transcript, qtbot: QtBot) -> None:
    whole = [said("user", f"words {number}") for number in range(30)]
    pane.show_messages("k", whole[-10:], 20)
    settle(qtbot, pane)
    rows = list(pane.transcript.rows)
    pane.show_messages("k", whole)
    settle(qtbot, pane)
    assert pane.transcript.rows[-10:] == rows
    assert "words 0" in text_of(pane)


def test_another_branch_leaves_what_both_have_as_it_is_drawn(pane: Transcript, qtbot: QtBot) -> None:
    shared = [said(("user", "assistant")[number % 2], f"words {number}") for number in range(20)]
    one = [*shared, said("user", "this way"), said("assistant", RICH)]
    other = [*shared, said("user", "that way"), said("assistant", "short"), said("user", "and more")]
    pane.show_messages("k", one)
    settle(qtbot, pane)
    pane.mark_consolidated_upto(21)
    rows = {row.index: row for row in pane.transcript.rows}
    for shown, hidden in ((other, "this way"), (one, "that way"), (shared, "this way")):
        pane.show_messages("k", shown)
        settle(qtbot, pane)
        assert hidden not in text_of(pane)
        assert all(rows[row.index] is row for row in pane.transcript.rows if row.index < len(shared))
        fresh = Transcript()
        qtbot.addWidget(fresh)
        fresh.resize(pane.size())
        fresh.show()
        fresh.show_messages("k", shown)
        settle(qtbot, fresh)
        assert form_of(fresh) == form_of(pane)
        fresh.paging.stop()
    assert pane.paging.following


def test_another_branch_keeps_what_is_told_of_branches_above_where_it_parts(pane: Transcript, qtbot: QtBot) -> None:
    shared = [said(("user", "assistant")[number % 2], f"words {number}") for number in range(20)]
    three = tuple(Branch(f"2026-03-1{day}") for day in range(3))
    two = three[1:]
    pane.show_messages("k", [*shared, said("user", "this way")])
    settle(qtbot, pane)
    pane.show_branches({18: BranchChoice(18, three, 1), 20: BranchChoice(20, two, 0)})
    assert "Branch 1 of 2" in text_of(pane)
    pane.show_messages("k", [*shared, said("user", "that way")])
    settle(qtbot, pane)
    assert "Branch 2 of 3" in text_of(pane)
    assert "Branch 1 of 2" not in text_of(pane)
    pane.show_branches({18: BranchChoice(18, three, 2), 20: BranchChoice(20, two, 1)})
    assert "Branch 3 of 3" in text_of(pane)
    assert "Branch 2 of 2" in text_of(pane)


def test_a_branch_with_tools_is_drawn_anew(pane: Transcript, qtbot: QtBot) -> None:
    shared = [said("user", "first"), said("assistant", "second")]
    answer = said("tool", "found", tool_call_id="call_1", name="search_memory")
    pane.show_messages("k", [*shared, said("user", "look"), calling("call_1"), answer, said("assistant", "here")])
    settle(qtbot, pane)
    pane.show_messages("k", [*shared, said("user", "do not look"), said("assistant", "gladly")])
    settle(qtbot, pane)
    assert "search_memory" not in text_of(pane)
    assert [row.index for row in pane.transcript.rows] == [0, 1, 2, 3]


def test_nothing_said_yet_shows_examples(pane: Transcript) -> None:
    chosen: list[str] = []
    pane.example_chosen.connect(chosen.append)
    pane.show_messages("k", [])
    buttons = pane.empty.findChildren(QPushButton)
    assert len(buttons) == 3
    buttons[0].click()
    assert chosen == [buttons[0].text()]
    pane.append_message(0, said("user", "hello"))
    assert pane.view.isVisible()


def test_days_captions_and_notes_are_shown(pane: Transcript) -> None:
    later = said("assistant", "partly", interrupted=True) | {"timestamp": "2026-03-13T10:00:00"}
    damaged: Message = {"role": "damaged", "content": "Record 2 could not be read.", "timestamp": None}
    pane.show_messages("k", [said("user", "hello", 12), damaged, later])
    shown = text_of(pane)
    for words in ("12 March 2026", "You · 09:12", "Damaged record", "13 March 2026", "Assistant · 10:00", "Regenerate"):
        assert words in shown


def test_in_a_closed_conversation_nothing_offers_to_be_done(pane: Transcript) -> None:
    answer = said("assistant", "partly", interrupted=True)
    pane.show_messages("archive", [said("user", "hello"), answer], closed=True)
    assert "Interrupted" in text_of(pane)
    assert "Regenerate" not in text_of(pane)
    pane.show_messages("k", [said("user", "hello"), answer])
    assert "Regenerate" in text_of(pane)


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as there:
        there.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_tokyo")
def test_a_time_of_another_zone_is_told_as_the_clock_here_shows_it(pane: Transcript) -> None:
    away = said("user", "hello") | {"timestamp": "2026-03-12T20:12:00+00:00"}
    never = said("assistant", "hi") | {"timestamp": "9999-12-31T23:59:59-12:00"}
    pane.show_messages("k", [away, never])
    assert "You · 05:12" in text_of(pane)
    assert "13 March 2026" in text_of(pane)


def test_the_pointer_is_drawn_above_the_first_message_that_is_not_consolidated(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", f"m{number}") for number in range(6)])
    for pointer in (2, 4):
        pane.mark_consolidated_upto(pointer)
        row = pane.transcript.row_of(pointer)
        assert row is not None
        block = pane.transcript.document.begin()
        marked = []
        while block.isValid():
            marked += [block.position()] if block.blockFormat().boolProperty(Mark.DIVIDER) else []
            block = block.next()
        assert marked == [row.start.position()]


def test_a_message_over_the_limit_is_cut_and_offered_as_text(pane: Transcript) -> None:
    pane.show_messages("k", [said("assistant", "word " * 60_000)])
    assert "more characters" in text_of(pane)
    click_action(pane, ShowWholeMessage(0))
    dialogs = [
        widget for widget in QApplication.topLevelWidgets() if widget.parent() is pane.view and widget.isVisible()
    ]
    assert dialogs
    dialogs[0].close()


def test_another_theme_draws_the_same_words_at_the_same_place(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(300))
    settle(qtbot, pane)
    words = text_of(pane)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "dark")
    assert text_of(pane) == words
    assert bar(pane).value() == bar(pane).maximum()
    apply_theme(app, "light")


def test_a_narrower_pane_keeps_the_end_in_view(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(300))
    settle(qtbot, pane)
    pane.resize(320, 500)
    assert bar(pane).value() == bar(pane).maximum()
    assert pane.view.horizontalScrollBar().maximum() == 0


def test_adding_and_taking_away_leaves_what_loading_gives(pane: Transcript) -> None:
    messages = [
        said("user", "q"),
        calling("c"),
        {"role": "tool", "tool_call_id": "c", "content": "r"},
        said("assistant", RICH),
    ] * 4
    pane.show_messages("k", messages)
    document = pane.transcript
    document.load(4, 16)
    whole = form_of(pane)
    document.load(8, 16)
    document.prepend(4)
    assert form_of(pane) == whole
    document.prepend(0)
    document.trim_above(4)
    assert "Copy" in text_of(pane)
    document.load(4, 12)
    for index in range(12, 16):
        document.append(index)
    assert form_of(pane) == whole
    row = document.row_of(7)
    assert row is not None
    document.rewrite(row)
    assert form_of(pane) == whole


def test_what_stands_uppermost_is_found_alike_however_it_is_looked_for(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("assistant", RICH, number) for number in range(12)])
    settle(qtbot, pane)
    bottom = bar(pane).maximum()
    for offset in (*range(0, bottom, 37), *range(bottom, 0, -203)):
        bar(pane).setValue(offset)
        pane.view.grab()
        assert pane.view.first_painted == pane.view.cursorForPosition(QPoint(0, 0)).blockNumber()


def test_of_what_was_painted_last_a_number_is_kept_that_may_be_of_nothing_any_more(
    pane: Transcript, qtbot: QtBot
) -> None:
    pane.show_messages("long", [said("assistant", RICH, number) for number in range(12)])
    settle(qtbot, pane)
    bar(pane).setValue(bar(pane).maximum())
    pane.view.grab()
    assert pane.view.first_painted > 10
    pane.show_messages("short", [said("user", "Tea")])
    pane.view.grab()
    assert pane.view.first_painted == 0


def test_a_long_conversation_shows_its_newest_message_first_and_reads_the_others_when_there_is_time(
    pane: Transcript, qtbot: QtBot
) -> None:
    long = "\n".join(f"- an **item** with `code` and number {number}" for number in range(600))
    pane.show_messages("k", [said("assistant", f"{number}\n\n{long}", number) for number in range(8)])
    assert len(pane.transcript.rows) == 1
    assert pane.transcript.first == 7
    settle(qtbot, pane)
    assert len(pane.transcript.rows) == 8
    assert bar(pane).value() == bar(pane).maximum()


def test_no_more_is_written_at_once_than_fills_the_view(pane: Transcript, qtbot: QtBot) -> None:
    listed = "\n".join(f"- item {number}" for number in range(40))
    pane.show_messages("k", [said(("user", "assistant")[number % 2], listed, number) for number in range(30)])
    assert len(pane.transcript.rows) == 4
    assert bar(pane).maximum() > 0
    settle(qtbot, pane)
    assert len(pane.transcript.rows) == 30


def test_emphasis_in_a_script_without_italics_is_bold(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("assistant", "I looked for *شاي* and *mint*.")])
    settle(qtbot, pane)
    document = pane.view.document()
    slanted = {word: QTextCursor(document.find(word)).charFormat().fontItalic() for word in ("شاي", "mint")}
    assert slanted == {"شاي": False, "mint": True}
