"""Bars by keyboard: Tab meets them where they stand, and once they are gone the keyboard is where it was before."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from mnemoscope.domain.errors import ServerUnreachable
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import Opened, Stage, button, sentences, until

DOWN = ServerUnreachable("The server does not answer.")


async def failed(stage: Stage) -> Opened:
    """Returns a window in which the last answer failed, with the keyboard in the composer."""
    stage.make(("user", "Hello."), ("assistant", "Hello."))
    person = await stage.open(offline=ScriptedProvider(DOWN, "Better now.", last=DOWN))
    await person.say("How are you?")
    assert sentences(person.transcript)
    return person


def focus(person: Opened) -> QWidget | None:
    return person.window.focusWidget()


async def test_tab_goes_from_the_conversation_to_what_can_be_done_about_its_failure(stage: Stage) -> None:
    person = await failed(stage)
    offers = [button(person.transcript, "Choose model…"), button(person.transcript, "Try again")]
    person.transcript.view.setFocus()
    met = list[QWidget | None]()
    for _ in range(5):
        person.press("Tab")
        met.append(focus(person))
    assert [one for one in met if one in offers] == offers


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
async def test_after_try_again_the_keyboard_is_in_the_composer_as_before(stage: Stage, by: str) -> None:
    person = await failed(stage)
    again = button(person.transcript, "Try again")
    assert again is not None
    assert focus(person) is person.composer.edit
    if by == "mouse":
        QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    else:
        again.setFocus()
        QTest.keyClick(again, Qt.Key.Key_Space)
    await until(lambda: "Better now." in person.text, "the answer")
    assert focus(person) is person.composer.edit


@pytest.mark.usefixtures("double_clicks")
async def test_of_two_quick_presses_of_an_offer_the_first_is_taken_alone(stage: Stage) -> None:
    person = await failed(stage)
    done = list[str]()
    person.chat.notify("info", "Something happened.", [("Undo", lambda: done.append("undo"))])
    offer = button(person.chat, "Undo")
    assert offer is not None
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    QTest.keyClick(offer, Qt.Key.Key_Space)
    assert done == ["undo"]


async def test_a_bar_that_is_closed_gives_the_keyboard_back(stage: Stage) -> None:
    person = await failed(stage)
    person.memory.editor.setFocus()
    person.memory.bars.put("x", "warning", "Something happened.", [("Do it", lambda: None)])
    person.press("Ctrl+Tab")
    person.memory.editor.setFocus()
    close = button(person.memory.bars, "Do it")
    assert close is not None
    close.setFocus()
    assert focus(person) is close
    person.memory.bars.take("x")
    assert focus(person) is person.memory.editor


async def test_tab_meets_a_bar_of_memory_between_its_tools_and_its_text(stage: Stage) -> None:
    person = await failed(stage)
    person.window.inspector.show("memory")
    person.memory.bars.put("x", "warning", "Something happened.", [("Do it", lambda: None)])
    offer = button(person.memory.bars, "Do it")
    person.window.memory.tabs.setFocus()
    met = list[QWidget | None]()
    while person.memory.editor not in met and len(met) < 30:
        person.press("Tab")
        met.append(focus(person))
    assert met.index(offer) < met.index(person.memory.editor)
    assert met.index(offer) > met.index(button(person.memory.toolbar, "Source"))


async def test_answer_now_gives_the_keyboard_back_too(stage: Stage) -> None:
    stage.make(("user", "Hello."))
    person = await stage.open(offline=ScriptedProvider("Here I am."))
    now = button(person.transcript, "Answer now")
    assert now is not None
    person.composer.edit.setFocus()
    now.setFocus()
    QTest.keyClick(now, Qt.Key.Key_Space)
    await until(lambda: "Here I am." in person.text, "the answer")
    assert focus(person) is person.composer.edit
