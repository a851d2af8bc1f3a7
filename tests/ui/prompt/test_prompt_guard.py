"""The prompt pane shows how a context is guarded: marks, what was compacted, recovered and cut, and past turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.agent.prompt.sent_prompts import SentPrompt
from mnemoscope.domain.context.compaction import Compaction, ContextFacts
from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot
from mnemoscope.domain.context.recovery import RecalledSource
from mnemoscope.ui.prompt.prompt_pane import PromptPane
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.prompt.test_prompt_pane import choose, pane, prompt

__all__ = ["pane"]

COMPACTION = Compaction(2, 16, 14, 12_300, "They chose Postgres.")
TOLD = (
    RecalledSource(
        "Working Buffer Recovery", "memory/working-buffer.md", "## Working Buffer Recovery\n\nthe boat", 640, 3
    ),
)


def guarded(**facts: Any) -> PromptSnapshot:
    values: dict[str, Any] = {"tokens": 40_000, "next_turn": 40_400, "window": 65_536}
    return prompt(guard=ContextFacts(**values | facts), memory_budget=8_000)


def groups(pane: PromptPane) -> list[str]:
    return [group.row.title for group in pane.model.groups]


def test_the_bar_has_marks_at_half_and_at_sixty_percent_only_where_the_context_is_guarded(pane: PromptPane) -> None:
    pane.show_prompt(prompt())
    plain = pane.meter.bar.sizeHint().height()
    pane.show_prompt(guarded())
    assert pane.meter.bar.sizeHint().height() > plain
    image = pane.meter.bar.grab().toImage()
    ratio = image.devicePixelRatio()
    mark = QColor(image.pixel(round(0.6 * pane.meter.bar.width() * ratio), round(8 * ratio)))
    assert mark.name() == Theme.current().color("text_muted").name()
    pane.show_prompt(prompt())
    assert pane.meter.bar.sizeHint().height() == plain


def test_the_gauge_shows_what_the_guard_goes_by(pane: PromptPane) -> None:
    pane.show_prompt(guarded(is_counted=True, tokens=40_000))
    assert pane.meter.total.text() == "40,000 of 65,536 tokens · 61 %"
    image = pane.meter.bar.grab().toImage()
    ratio = image.devicePixelRatio()
    at = {
        share: QColor(image.pixel(round(share * pane.meter.bar.width() * ratio), round(3 * ratio)))
        for share in (0.58, 0.65)
    }
    assert at[0.65].name() == Theme.current().color("border").name()
    assert at[0.58] != at[0.65]


def test_what_came_of_it_is_said_in_words(pane: PromptPane) -> None:
    pane.show_prompt(guarded(is_counted=True, is_buffering=True, compaction=COMPACTION, told=TOLD))
    for words in ("40,000 as the server counts", "Working buffer on", "14 messages compacted", "640 recovered"):
        assert words in pane.meter.state.text()
    assert "Memory 0 of 8,000" in pane.meter.state.text()
    assert "USER.md is counted with the system prompt" in pane.meter.state.toolTip()
    pane.show_prompt(guarded(is_buffering=True, waits=True))
    assert "Will be compacted when it is sent" in pane.meter.state.text()
    pane.show_prompt(prompt())
    assert not pane.meter.state.isVisible()


def test_compacted_recovered_and_cut_are_listed_with_their_tokens(pane: PromptPane) -> None:
    cut = (PromptSection("exec", ".mnemoscope/tool-results/a.txt", "", 9_000, "cut"),)
    pane.show_prompt(replace(guarded(compaction=COMPACTION, told=TOLD), cut=cut))
    assert groups(pane)[2:5] == ["Compacted", "Recovered", "Cut"]
    assert [group.row.tokens for group in pane.model.groups[2:5]] == [12_300, 640, 9_000]
    choose(pane, "Compacted", "Messages 3–16")
    assert "They chose Postgres." in pane.detail.widget.text.toPlainText()
    choose(pane, "Recovered", "Working Buffer Recovery")
    assert "the boat" in pane.detail.widget.text.toPlainText()
    assert "3 older left out" in str(pane.tree.currentIndex().data(Qt.ItemDataRole.ToolTipRole))


def test_the_whole_of_what_was_cut_is_opened_from_there(pane: PromptPane, qtbot: QtBot) -> None:
    cut = (PromptSection("exec", ".mnemoscope/tool-results/a.txt", "", 9_000, "cut"),)
    pane.show_prompt(replace(guarded(), cut=cut))
    assert not pane.detail.widget.open_button.isVisible()
    choose(pane, "Cut", "exec")
    with qtbot.waitSignal(pane.detail.widget.open_requested) as opened:
        pane.detail.widget.open_button.click()
    assert opened.args == [".mnemoscope/tool-results/a.txt"]


def turns(count: int) -> list[SentPrompt]:
    return [
        SentPrompt(2 * number, f"2026-11-22T10:0{number}:00", prompt(1, memory=f"- fact {number}\n"))
        for number in range(count)
    ]


def test_the_slider_shows_the_exact_prompt_of_each_turn(pane: PromptPane, qtbot: QtBot) -> None:
    pane.show_prompt(prompt())
    with qtbot.waitSignal(pane.past_requested):
        pane.past_button.click()
    pane.show_turns(turns(4))
    assert pane.past.built is not None
    choose(pane, "System prompt", "Long-term Memory")
    assert "fact 3" in pane.detail.widget.text.toPlainText()
    assert "Turn 4 of 4 · message 7 · " in pane.past.widget.title.text()
    QTest.keyClick(pane.past.widget.slider, Qt.Key.Key_Home)
    assert "fact 0" in pane.detail.widget.text.toPlainText()
    assert not pane.past.widget.earlier.isEnabled()
    pane.past.widget.later.click()
    assert "fact 1" in pane.detail.widget.text.toPlainText()


def test_the_turn_on_show_stays_when_there_are_more(pane: PromptPane) -> None:
    pane.show_turns(turns(3))
    assert pane.past.built is not None
    pane.past.widget.slider.setValue(1)
    pane.show_turns(turns(5))
    assert pane.past.widget.slider.value() == 1
    assert pane.past.widget.slider.maximum() == 4


def test_now_closes_it(pane: PromptPane, qtbot: QtBot) -> None:
    pane.show_turns(turns(2))
    assert pane.past.built is not None
    assert pane.past_button.isChecked()
    with qtbot.waitSignal(pane.present_requested):
        pane.past.widget.now_button.click()
    assert not pane.is_past
    assert not pane.past_button.isChecked()
    pane.show_turns(turns(2))
    QTest.keyClick(pane.past.widget.slider, Qt.Key.Key_Escape)
    assert not pane.is_past


def test_where_nothing_is_kept_yet_it_says_so(pane: PromptPane) -> None:
    pane.show_turns([])
    assert pane.past.built is not None
    assert pane.past.widget.title.text() == "No prompt of this conversation is kept yet."
    assert not pane.past.widget.slider.isEnabled()


def test_in_a_low_pane_that_is_searched_past_turns_take_one_row_and_lose_nothing(pane: PromptPane) -> None:
    pane.resize(300, 640)
    pane.show_prompt(prompt())
    pane.show_turns(turns(3))
    pane.find()
    past = pane.past.widget
    at_ease = (past.slider, pane.meter.total, pane.past_button, pane.refresh_button)
    always = (past.earlier, past.title, past.later, past.now_button, pane.copy_button, pane.tree, pane.detail.widget)
    assert all(part.isVisible() for part in (*at_ease, *always))
    needed = pane.minimumSizeHint().height()
    # As low as what scrolls it may make it.
    pane.setMinimumHeight(250)
    pane.resize(300, 250)
    assert not any(part.isVisible() for part in at_ease)
    assert [part for part in always if not part.isVisible()] == []
    assert pane.minimumSizeHint().height() < needed
    past.earlier.click()
    assert past.title.text().startswith("Turn 2 of 3")
    pane.find_bar.widget.close_bar()
    assert not any(part.isVisible() for part in at_ease)
    assert all(part.isVisible() for part in always)
    pane.resize(300, 640)
    assert all(part.isVisible() for part in (*at_ease, *always))
    pane.resize(300, 250)
    pane.find()
    past.now_button.click()
    assert all(part.isVisible() for part in (pane.meter.total, pane.past_button, pane.refresh_button, pane.copy_button))


def test_a_low_pane_shows_how_full_the_context_is_by_its_bar_alone_and_the_parts_have_the_room(
    pane: PromptPane,
) -> None:
    pane.setMinimumHeight(250)
    pane.resize(330, 250)
    pane.show_prompt(guarded())
    meter, row = pane.meter, pane.tree.rowHeight(pane.model.index(0, 0))
    assert meter.total.isVisible()
    assert meter.bar.isVisible()
    assert not meter.state.isVisible()
    for words in ("System ", "Tools ", "Memory 0 of 8,000", "From 50 %"):
        assert words in meter.bar.toolTip()
    assert pane.tree.viewport().height() >= 2 * row
    pane.resize(330, 640)
    assert meter.state.isVisible()
    assert "Memory 0 of 8,000" not in meter.bar.toolTip()


def test_in_a_low_pane_a_past_turn_leaves_room_for_what_was_sent_and_the_keyboard_goes_through_the_turns(
    pane: PromptPane,
) -> None:
    # What a screen of 683 by 384 leaves below the tabs of the panes.
    pane.setMinimumHeight(250)
    pane.resize(330, 250)
    pane.show_prompt(prompt())
    pane.show_turns(turns(3))
    past, row = pane.past.widget, pane.tree.rowHeight(pane.model.index(0, 0))
    assert past.height() < 2 * row
    assert pane.tree.viewport().height() >= 2 * row
    assert pane.detail.widget.text.viewport().height() >= pane.detail.widget.text.fontMetrics().height()
    assert past.earlier.hasFocus()
    QTest.keyClick(past.earlier, Qt.Key.Key_Space)
    assert past.title.text().startswith("Turn 2 of 3")
    pane.resize(330, 640)
    past.slider.setFocus()
    pane.resize(330, 250)
    assert past.earlier.hasFocus(), "the keyboard is not lost with the slider"
