"""What an answer took stands under it; a long message of one's own is folded until it is wanted."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.ui.chat.message_actions import FoldMessage
from mnemoscope.ui.chat.transcript.transcript import Transcript
from tests.ui.chat.transcript.offered_actions import click_action
from tests.ui.chat.transcript.transcript_fixture import calling, form_of, pane, said, settle, text_of

__all__ = ["pane"]

LONG = "\n".join(f"entry {number} of the log" for number in range(1, 121))


def answered(text: str = "Yes.", **more: Any) -> dict[str, Any]:
    return said(
        "assistant",
        text,
        model="openai/gpt-4o<b>",
        usage={"prompt_tokens": 1_204, "completion_tokens": 310},
        cost=0.0071,
        timing={"first_seconds": 0.4, "seconds": 4.2},
        **more,
    )


def tool_tips(pane: Transcript) -> set[str]:
    found, block = set(), pane.transcript.document.begin()
    while block.isValid():
        found |= {form.format.toolTip() for form in block.textFormats()}
        block = block.next()
    return found - {""}


def test_an_answer_says_its_model_tokens_seconds_and_money(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", "Well?"), answered()])
    settle(qtbot, pane)
    assert "gpt-4o<b> · 1,204 tokens in, 310 out · 4.2 s · 0.71 ¢" in text_of(pane)
    details = next(tip for tip in tool_tips(pane) if "gpt-4o" in tip)
    assert "openai/gpt-4o&lt;b&gt;" in details
    assert "First word after 0.4 s" in details


def test_the_requests_of_a_turn_are_summed_under_its_last_words(pane: Transcript, qtbot: QtBot) -> None:
    call = calling("c1", text="I look.") | {name: answered()[name] for name in ("model", "usage", "cost", "timing")}
    result = said("tool", "found", tool_call_id="c1", name="search_memory")
    pane.show_messages("k", [answered("Old."), said("user", "Well?"), call, result, answered()])
    settle(qtbot, pane)
    assert text_of(pane).count("tokens in") == 2
    assert "2,408 tokens in, 620 out · 8.4 s · 1.4 ¢" in text_of(pane)


def test_a_streamed_answer_looks_as_one_that_was_read(pane: Transcript, qtbot: QtBot) -> None:
    question = said("user", "Well?")
    pane.show_messages("k", [question])
    pane.begin_reply()
    pane.add_delta("Yes.")
    pane.append_message(1, answered())
    pane.end_reply()
    settle(qtbot, pane)
    streamed = form_of(pane)
    pane.show_messages("other", [question, answered()])
    settle(qtbot, pane)
    assert form_of(pane) == streamed


def test_figures_are_neither_copied_nor_told_of_commands_and_old_answers(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("assistant", "Old."), answered("/status says", _command=True), answered()])
    settle(qtbot, pane)
    assert text_of(pane).count("tokens in") == 1
    pane.view.selectAll()
    assert "tokens in" not in pane.view.createMimeDataFromSelection().text()


def test_a_long_message_is_folded_and_unfolded(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", LONG), said("assistant", "I see.")])
    settle(qtbot, pane)
    assert "entry 14 of" in text_of(pane)
    assert "entry 15 of" not in text_of(pane)
    assert "Show all of 120 lines" in text_of(pane)
    click_action(pane, FoldMessage(0))
    assert "entry 120 of" in text_of(pane)
    click_action(pane, FoldMessage(0))
    assert "entry 120 of" not in text_of(pane)


def test_a_long_paragraph_is_folded_too_and_copied_whole(pane: Transcript, qtbot: QtBot) -> None:
    text = " ".join(f"word{number}" for number in range(2_000))
    pane.show_messages("k", [said("user", text)])
    settle(qtbot, pane)
    assert "word100 " in text_of(pane)
    assert "word1000" not in text_of(pane)
    pane.view.selectAll()
    assert pane.view.createMimeDataFromSelection().text().strip() == text
    assert "Show the whole message" in text_of(pane)
    click_action(pane, FoldMessage(0))
    assert "word1999" in text_of(pane)


def test_the_link_that_unfolds_is_reached_by_keys(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", LONG)])
    settle(qtbot, pane)
    pane.view.setFocus()
    for _ in range(10):
        QTest.keyClick(pane.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        if pane.view.selected_action() == FoldMessage(0):
            break
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert "entry 120 of" in text_of(pane)


def test_words_within_what_is_folded_are_found_and_copied(pane: Transcript, qtbot: QtBot) -> None:
    pane.show_messages("k", [said("user", LONG), said("assistant", "I see.")])
    settle(qtbot, pane)
    pane.view.selectAll()
    assert LONG in pane.view.createMimeDataFromSelection().text()
    pane.find_bar.start()
    pane.find_bar.field.setText("entry 99")
    assert "entry 99 of" in text_of(pane)
    caret = QTextCursor(pane.view.textCursor())
    assert pane.transcript.document.findBlock(caret.position()).text().find("entry 99") >= 0
    pane.find_bar.dismiss()
