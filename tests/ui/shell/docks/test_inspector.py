"""Panes behind another's tab: they are built when somebody first sees them, and show then what came before."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QTabBar
from pytestqt.qtbot import QtBot

from mnemoscope.ui.shell.docks.inspector import Inspector
from tests.support.scripted_provider import Gate, ScriptedProvider, keeps_nothing
from tests.ui.dream.test_dream_pane import dreaming, pane_of
from tests.ui.shell.test_time_travel_controller import look_back
from tests.ui.shell.test_time_travel_controller import opened as with_a_past
from tests.ui.window_fixture import Opened, Stage, TwoMinds, rest, until, words_in


async def opened(stage: Stage) -> Opened:
    stage.make(("user", "Hello."), ("assistant", "Hello."), memory="# User\n\n- Name is Sam\n")
    person = await stage.open()
    person.window.resize(1440, 900)
    await rest()
    return person


def click_tab(window: QMainWindow, title: str) -> None:
    for tabs in window.findChildren(QTabBar):
        for place in range(tabs.count()):
            if tabs.tabText(place) == title and tabs.isVisible():
                QTest.mouseClick(
                    tabs, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, tabs.tabRect(place).center()
                )
                return
    raise AssertionError(f"no tab “{title}”")


async def test_a_pane_is_built_when_its_tab_is_clicked_and_no_other_one(stage: Stage) -> None:
    person = await opened(stage)
    click_tab(person.window, "Health")
    await until(lambda: person.window.health.built, "the pane of memory's health")
    await until(lambda: person.window.health.widget.isVisible(), "it in its dock")
    assert (person.window.prompt.built, person.window.dream.built) == (None, None)


async def test_a_window_left_with_a_pane_in_front_opens_with_it(stage: Stage) -> None:
    person = await opened(stage)
    person.press("Ctrl+4")
    person.window.inspector.customised = True
    await person.close()
    again = await stage.open()
    await until(lambda: again.window.prompt.built, "the prompt pane")
    await until(lambda: again.window.prompt.widget.model.groups, "the prompt")


@pytest.mark.parametrize("keys", [("Ctrl+4", "Ctrl+5", "Ctrl+6"), ("Ctrl+6", "Ctrl+5", "Ctrl+4")])
async def test_tab_goes_from_each_of_them_to_the_history_whichever_was_built_first(
    stage: Stage, keys: tuple[str, ...]
) -> None:
    person = await opened(stage)
    for each in keys:
        person.press(each)
        pane = person.window.pane_with_keyboard()
        assert pane is not None
        for _ in range(20):
            if person.window.pane_with_keyboard() is pane:
                person.press("Tab")
        assert person.window.pane_with_keyboard() is person.history, f"{each}: {pane.accessibleName()}"
        person.press("Shift+Tab")
        assert person.window.pane_with_keyboard() is pane


@pytest.mark.parametrize("floating", ["history", "prompt"])
async def test_a_pane_that_is_built_while_it_or_the_history_floats_is_gone_through_with_tab(
    stage: Stage, floating: str
) -> None:
    person = await opened(stage)
    person.window.inspector.docks[floating].setFloating(True)
    person.press("Ctrl+4")
    pane = person.window.prompt.widget
    await until(lambda: pane.tree.isVisible(), "the prompt")
    pane.past_button.setFocus()
    QTest.keyClick(pane.past_button, Qt.Key.Key_Tab)
    assert pane.window().focusWidget() is pane.refresh_button


async def test_a_run_of_dream_that_began_before_is_shown_with_what_it_reads(stage: Stage) -> None:
    gate = Gate()
    dreaming(stage)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider([gate, keeps_nothing()])))
    person.current.actions["dream.run"].trigger()
    await gate.reached.wait()
    assert person.window.dream.built is None
    pane = await pane_of(person)
    await until(lambda: "Dream is reading" in words_in(pane), f"the run, only {words_in(pane)}")
    assert "Reading entries" in words_in(pane)
    gate.open.set()
    await until(lambda: len(pane.cards) == 1, "the record")


async def test_the_prompt_first_seen_while_the_window_shows_the_past_is_that_of_then(stage: Stage) -> None:
    person = await with_a_past(stage)
    await look_back(person)
    assert person.window.prompt.built is None
    person.press("Ctrl+4")
    pane = person.window.prompt.widget
    await until(lambda: "As it was on" in words_in(pane) and pane.model.groups, "the prompt of then")
    person.current.past.back()
    await until(lambda: "As it was on" not in words_in(pane), "the prompt of now")


def test_a_dock_whose_pane_is_not_built_keeps_room_for_it(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    inspector = Inspector(window)
    late = inspector.add_late("prompt", "Prompt", lambda parent: QLabel("words", parent))
    held = inspector.docks["prompt"].widget()
    assert held is not None
    assert held.minimumSizeHint().width() >= 280
    label = inspector.pane("prompt")
    assert label is late.widget
    assert held.minimumSizeHint().width() < 280
