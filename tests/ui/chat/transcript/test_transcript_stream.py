"""An answer on screen while it is written: what it becomes, who follows its end, and what comes meanwhile."""

import random

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.conversation.message import Message
from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.reading.code_spans import lexer_for
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


def streamed(pane: Transcript, text: str, message: Message, seed: int) -> str:
    draw = random.Random(seed)
    pane.show_messages(f"live {seed}", [said("user", "go")])
    pane.begin_reply()
    at = 0
    while at < len(text):
        size = draw.randint(1, 14)
        pane.add_delta(text[at : at + size])
        at += size
        if draw.random() < 0.6:
            pane.stream.flush()
    pane.append_message(1, message)
    pane.end_reply()
    return form_of(pane)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "text",
    [
        RICH,
        "a\r\nb\rc\n\n```\nopen fence\nnever closed",
        "|a|\n|-|\n" + "|x|\n" * 60,
        "See [it][r].\n\n[r]: https://x.example/",
    ],
    ids=["rich", "open fence", "long table", "definitions"],
)
def test_a_streamed_answer_ends_as_it_would_be_shown(pane: Transcript, text: str, seed: int) -> None:
    message = said("assistant", text, 2)
    live = streamed(pane, text, message, seed)
    words = text_of(pane)
    pane.show_messages("again", [said("user", "go"), message])
    assert text_of(pane) == words
    assert form_of(pane) == live


@pytest.mark.parametrize(
    "message",
    [
        calling("c", text=RICH),
        said("assistant", RICH, 2, interrupted=True),
        said("assistant", RICH, 2, reasoning_content="hm"),
    ],
    ids=["tool call", "interrupted", "reasoning"],
)
def test_what_only_the_record_knows_is_added(pane: Transcript, message: Message) -> None:
    live = streamed(pane, RICH, message, 1)
    pane.show_messages("again", [said("user", "go"), message])
    assert form_of(pane) == live


def column_of(pane: Transcript) -> float:
    """Returns the width in which the text is laid out, in pixels."""
    form = pane.transcript.document.rootFrame().frameFormat()
    return pane.transcript.document.pageSize().width() - form.leftMargin() - form.rightMargin()


@pytest.mark.parametrize("first", [True, False], ids=["bar goes", "bar comes"])
def test_an_answer_is_as_wide_as_its_column_where_the_scroll_bar_changed_out_of_sight(
    pane: Transcript, qtbot: QtBot, first: bool
) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta("some words of an answer that takes a few lines " * 12)
    pane.stream.flush()
    low, high = (pane.view.height() // 4, 2 * pane.view.height())
    pane.resize(600, low if first else high)
    qtbot.waitUntil(lambda: bar(pane).isVisible() is first)
    pane.hide()
    pane.resize(590, high if first else low)
    pane.show()
    qtbot.waitUntil(lambda: bar(pane).isVisible() is not first)
    assert column_of(pane) == pane.transcript.column_width


def test_an_answer_without_a_record_stays_marked_as_interrupted(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta("Half an ans")
    pane.end_reply()
    assert "Half an ans" in text_of(pane)
    assert "Interrupted" in text_of(pane)


def test_an_answer_that_never_began_leaves_nothing(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go")])
    before = text_of(pane)
    pane.begin_reply()
    pane.end_reply()
    assert text_of(pane) == before


def test_the_timer_draws_what_comes(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.add_delta("Some **words**")
    qtbot.waitUntil(lambda: "Some words" in text_of(pane), timeout=60_000)
    pane.end_reply()


def test_the_end_is_followed_only_while_the_reader_is_there(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "words " * 60, number) for number in range(12)])
    settle(qtbot, pane)
    pane.begin_reply()
    pane.add_delta("line\n\n" * 30)
    pane.stream.flush()
    assert bar(pane).value() == bar(pane).maximum()
    bar(pane).setValue(bar(pane).maximum() - 9)
    held = bar(pane).value()
    pane.add_delta("line\n\n" * 30)
    pane.stream.flush()
    assert bar(pane).value() == held
    assert pill_of(pane).isVisible()
    bar(pane).setValue(bar(pane).maximum() - 8)
    pane.add_delta("line\n\n" * 30)
    pane.stream.flush()
    assert bar(pane).value() == bar(pane).maximum()
    assert not pill_of(pane).isVisible()
    pane.end_reply()


def test_an_answer_goes_on_unseen_while_another_part_is_shown(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000))
    pane.begin_reply()
    pane.add_delta("First. ")
    pane.scroll_to_message(10)
    pane.view.emphasis.still()
    pane.add_delta("Second.")
    assert "First" not in text_of(pane)
    pane.jump_to_newest()
    assert "First. Second." in text_of(pane)
    pane.append_message(1_000, said("assistant", "First. Second."))
    pane.end_reply()
    settle(qtbot, pane)
    assert text_of(pane).count("Second.") == 1


def test_a_message_recorded_while_another_part_is_shown_is_there_on_return(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", Lazy(1_000))
    pane.scroll_to_message(10)
    pane.view.emphasis.still()
    pane.append_message(1_000, said("user", "news"))
    assert "news" not in text_of(pane)
    pane.jump_to_newest()
    settle(qtbot, pane)
    assert "news" in text_of(pane)


def test_another_session_ends_the_answer_on_screen(pane: Transcript) -> None:
    pane.show_messages("a", [said("user", "go")])
    pane.add_delta("of the first")
    pane.show_messages("b", [said("user", "other")])
    assert "of the first" not in text_of(pane)
    assert not pane.stream.active


def test_a_live_list_that_holds_the_message_already_gives_it_one_row(pane: Transcript) -> None:
    messages = [said("user", "first words")]
    pane.show_messages("k", messages)
    for number in range(3):
        messages.append(said("user", f"question {number}"))
        pane.append_message(len(messages) - 1, messages[-1])
        pane.begin_reply()
        pane.add_delta("answer")
        messages.append(said("assistant", f"answer {number}"))
        pane.append_message(len(messages) - 1, messages[-1])
        pane.end_reply()
    shown = text_of(pane)
    assert [shown.count(f"question {number}") for number in range(3)] == [1, 1, 1]
    assert [shown.count(f"answer {number}") for number in range(3)] == [1, 1, 1]
    assert [row.index for row in pane.transcript.rows] == list(range(7))


def test_a_command_while_an_answer_is_written_stands_above_it(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta("the answer")
    pane.stream.flush()
    pane.append_message(1, said("user", "/help", _command=True))
    pane.append_message(2, said("assistant", "All commands", _command=True))
    assert text_of(pane).index("All commands") < text_of(pane).index("the answer")
    pane.append_message(3, said("assistant", "the answer"))
    pane.end_reply()
    assert [row.index for row in pane.transcript.rows] == [0, 1, 2, 3]
    assert "Interrupted" not in text_of(pane)


def test_messages_that_came_meanwhile_are_added_when_shown_again(pane: Transcript) -> None:
    messages = [said("user", f"words {number}") for number in range(5)]
    pane.show_messages("k", messages[:3])
    rows = list(pane.transcript.rows)
    pane.show_messages("k", messages)
    assert pane.transcript.rows[:3] == rows
    assert "words 4" in text_of(pane)


def test_a_failure_is_a_bar_with_actions_that_goes_with_the_next_answer(pane: Transcript) -> None:
    pressed: list[bool] = []
    pane.show_messages("k", [said("user", "go")])
    pane.end.show_failure("The server is down.", "Start it.", [("Try again", lambda: pressed.append(True))])
    assert pane.end.failure is not None
    next(button for button in pane.end.failure.findChildren(QPushButton) if button.text() == "Try again").click()
    pane.begin_reply()
    assert not pane.end.failure
    assert pressed == [True]
    pane.end_reply()


def test_sending_brings_the_reader_back_to_the_end(pane: Transcript) -> None:
    pane.show_messages("k", [said("user", f"line {number}\n\nmore") for number in range(60)])
    pane.view.verticalScrollBar().setValue(0)
    was_following = pane.paging.following
    pane.follow_newest()
    assert (was_following, pane.paging.following) == (False, True)
    bar = pane.view.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_the_lexer_of_code_being_written_is_at_hand_before_it_is_complete(pane: Transcript, qtbot: QtBot) -> None:
    lexer_for.cache_clear()
    pane.show_messages("a", [])
    pane.begin_reply()
    pane.add_delta("Here:\n\n```rust\nfn main() {\n")
    pane.stream.flush()
    qtbot.waitUntil(lambda: lexer_for.cache_info().currsize == 1)
    hits = lexer_for.cache_info().hits
    pane.add_delta("}\n```\n")
    pane.end_reply()
    qtbot.waitUntil(lambda: lexer_for.cache_info().hits > hits)
    assert lexer_for.cache_info().misses == 1


def test_the_lexer_of_code_that_is_opened_is_made_ready_before_the_code_is_coloured(
    pane: Transcript, qtbot: QtBot
) -> None:
    lexer_for.cache_clear()
    pane.show_messages("a", [said("assistant", "```rust\nfn main() {}\n```")])
    code = pane.transcript.document.find("fn main").block()
    qtbot.waitUntil(lambda: bool(code.layout().formats()))
    # It was made once beside the window, and found by the window.
    assert (lexer_for.cache_info().misses, lexer_for.cache_info().hits) == (1, 1)


@pytest.mark.parametrize("text", ["One", "words " * 400, RICH, "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode\nmore"])
def test_the_mark_of_an_answer_being_written_stands_where_a_caret_would(pane: Transcript, text: str) -> None:
    pane.show_messages("k", [said("user", "go")])
    pane.begin_reply()
    pane.add_delta(text)
    pane.stream.flush()
    end = QTextCursor(pane.transcript.document)
    end.movePosition(QTextCursor.MoveOperation.End)
    assert pane.view.end_mark() == pane.view.cursorRect(end).adjusted(3, 1, 7, -1)
    pane.end_reply()
