from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot
from mnemoscope.ui.prompt.part_detail import AT_ONCE
from mnemoscope.ui.prompt.prompt_pane import PromptPane
from tests.support.own_time import at_most


def prompt(messages: int = 2, memory: str = "- Uses PostgreSQL 16\n", **more: object) -> PromptSnapshot:
    values: dict[str, object] = {
        "model": "ollama · qwen3:8b",
        "system": (
            PromptSection("Identity", "built in", "You are an assistant.", 200),
            PromptSection("Long-term Memory", "memory/MEMORY.md", memory, 800),
        ),
        "messages": tuple(PromptSection(f"User {n}", f"message {n}", f"words {n}", 20) for n in range(messages)),
        "tools": (PromptSection("read_file", "tool", '{"name": "read_file"}', 200),),
        "left_out": ("Messages 0–19 are consolidated.",),
        "context_window": 65_536,
        "request": ({"role": "system", "content": "You are an assistant."},),
    }
    return PromptSnapshot(**(values | more))  # type: ignore[arg-type]


@pytest.fixture
def pane(qtbot: QtBot) -> PromptPane:
    pane = PromptPane()
    qtbot.addWidget(pane)
    pane.resize(370, 640)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane


def choose(pane: PromptPane, *titles: str) -> None:
    """Selects a row by the titles that lead to it."""
    parent = pane.tree.rootIndex()
    for title in titles:
        rows = [pane.model.index(row, 0, parent) for row in range(pane.model.rowCount(parent))]
        parent = next(index for index in rows if index.data() == title)
    pane.tree.setCurrentIndex(parent)


def test_before_the_first_prompt_one_can_be_asked_for(pane: PromptPane, qtbot: QtBot) -> None:
    assert pane.empty.isVisible()
    with qtbot.waitSignal(pane.refresh_requested):
        pane.empty.button.click()


def test_a_model_whose_context_nobody_knows_has_no_share_of_it(pane: PromptPane) -> None:
    pane.show_prompt(prompt(context_window=0))
    assert pane.meter.total.text() == "1,240 tokens"


def test_the_meter_says_how_much_of_the_context_is_used(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    assert pane.meter.total.text() == "1,240 of 65,536 tokens · 2 %"
    assert "System 1,000" in pane.meter.bar.accessibleName()


def test_a_prompt_of_almost_nothing_is_less_than_one_per_cent(pane: PromptPane) -> None:
    small = PromptSection("Identity", "built in", "x", 10)
    pane.show_prompt(prompt(0, system=(small,), tools=()))
    assert pane.meter.total.text().endswith("<1 %")


def test_a_window_of_unknown_size_is_no_division_by_zero(pane: PromptPane) -> None:
    pane.show_prompt(prompt(context_window=0))
    assert pane.meter.total.isVisible()


def test_parts_are_grouped_and_each_says_its_tokens_and_source(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    groups = [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())]
    assert groups == ["System prompt", "Conversation", "Tools", "Left out"]
    memory = pane.model.index(1, 0, pane.model.index(0, 0))
    assert memory.data(Qt.ItemDataRole.AccessibleTextRole) == "Long-term Memory · memory/MEMORY.md · 800 tokens"


def test_a_chosen_part_shows_its_exact_text(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    choose(pane, "System prompt", "Long-term Memory")
    assert pane.detail.widget.text.toPlainText() == "- Uses PostgreSQL 16\n"
    pane.detail.widget.copy_button.click()
    assert QGuiApplication.clipboard().text() == "- Uses PostgreSQL 16\n"


def test_what_was_left_out_says_why(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    choose(pane, "Left out", "Messages 0–19 are consolidated.")
    assert pane.detail.widget.text.toPlainText() == "Messages 0–19 are consolidated."


def test_the_part_looked_at_stays_in_sight_when_the_prompt_is_shown_again(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    choose(pane, "System prompt", "Long-term Memory")
    pane.show_prompt(prompt(messages=5, memory="- new memory"))
    assert pane.tree.currentIndex().data() == "Long-term Memory"
    assert pane.detail.widget.text.toPlainText() == "- new memory"


def test_a_group_that_was_folded_stays_folded(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    pane.tree.collapse(pane.model.index(0, 0))
    pane.show_prompt(prompt(messages=3))
    assert not pane.tree.isExpanded(pane.model.index(0, 0))
    assert pane.tree.isExpanded(pane.model.index(1, 0))


def test_everything_can_be_copied_as_json(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    pane.copy_button.click()
    copied = json.loads(QGuiApplication.clipboard().text())
    assert copied["messages"] == [{"role": "system", "content": "You are an assistant."}]
    assert copied["tools"] == [{"name": "read_file"}]


def test_the_keyboard_leads_through_the_parts(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    pane.setFocus()
    QTest.keyClick(pane.tree, Qt.Key.Key_Down)
    assert pane.tree.currentIndex().data() == "Long-term Memory"


def test_five_hundred_messages_and_five_megabytes_of_memory_are_shown_at_once(pane: PromptPane) -> None:
    large = prompt(messages=500, memory="- a fact of some length\n" * 220_000)
    with at_most(0.5):
        pane.show_prompt(large)
        choose(pane, "System prompt", "Long-term Memory")
        pane.grab()
    assert len(pane.detail.widget.text.toPlainText()) == AT_ONCE
    assert not pane.tree.isExpanded(pane.model.index(1, 0))
    pane.detail.widget.all_button.click()
    assert len(pane.detail.widget.text.toPlainText()) == 24 * 220_000


def test_every_control_has_a_name(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    buttons = pane.findChildren(QAbstractButton)
    assert [button for button in buttons if not (button.accessibleName() or button.text())] == []
    assert pane.tree.accessibleName()
    assert pane.minimumSizeHint().width() <= 320


def test_finding_goes_through_every_part_and_marks_the_words_where_they_stand(pane: PromptPane) -> None:
    pane.show_prompt(prompt(30, memory="- Word one\n- \U0001f600 word two\n"))
    pane.tree.setFocus()
    QTest.keyClick(pane.tree, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = pane.find_bar.widget
    assert bar.isVisible()
    QTest.keyClicks(bar.find_field, "word")
    assert bar.count_label.text() == "1 of 32"
    assert pane.tree.currentIndex().data() == "Long-term Memory"
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
    marked = [mark.cursor.selectedText() for mark in pane.detail.widget.text.extraSelections()]
    assert marked == ["Word", "word"]
    assert pane.detail.widget.text.textCursor().blockNumber() == 1
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
    assert (pane.tree.currentIndex().data(), bar.count_label.text()) == ("User 0", "3 of 32")
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert pane.tree.currentIndex().data() == "Long-term Memory"
    pane.show_prompt(prompt(1, memory="nothing\n"))
    assert bar.count_label.text() == "1"
    bar.find_field.setText("nowhere at all")
    assert bar.count_label.text() == "No match"
    QTest.keyClick(bar.find_field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert pane.detail.widget.text.extraSelections() == []
    assert pane.tree.hasFocus()


def test_words_far_down_a_long_part_are_shown(pane: PromptPane) -> None:
    pane.show_prompt(prompt(memory="line\n" * AT_ONCE + "the needle\n"))
    pane.find()
    pane.find_bar.widget.find_field.setText("needle")
    caret = pane.detail.widget.text.textCursor()
    assert caret.block().text() == "the needle"
    assert pane.detail.widget.text.viewport().rect().contains(pane.detail.widget.text.cursorRect(caret))
