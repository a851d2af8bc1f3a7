"""What is sent while an answer is written waits as a chip: it goes after the answer, comes back, or stays unsent."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.domain.errors import ModelError
from mnemoscope.ui.chat.composer.composer_edit import ComposerEdit
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.widgets.theme import Theme
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import (
    KEY,
    Opened,
    Stage,
    as_killed,
    button,
    click,
    drafts_hold,
    messages_on_disk,
    press,
    rest,
    until,
    words_in,
)

OTHER = "desktop:other"
SAID = (("user", "Earlier."), ("assistant", "Yes."))


async def asked(stage: Stage, *script: Any) -> tuple[Opened, Gate]:
    """Returns a window in which an answer is being written, and the gate that lets it go on."""
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["First ", gate, "answer."], *script))
    person.send("One")
    await gate.reached.wait()
    await until(lambda: person.composer.busy, "the button that stops")
    return person, gate


def chips(person: Opened) -> str:
    return words_in(person.composer.waiting) if person.composer.waiting.isVisible() else ""


def asked_on_disk(stage: Stage) -> list[str]:
    return [one["content"] for one in messages_on_disk(stage.root) if one["role"] == "user"]


async def test_messages_wait_for_the_answer_and_go_one_after_the_other(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.", "Third answer.")
    person.send("Two")
    person.send("Three")
    await until(lambda: "Two" in chips(person) and "Three" in chips(person), "both chips")
    assert person.composer.draft() == ""
    assert asked_on_disk(stage) == ["Earlier.", "One"]
    gate.open.set()
    await until(lambda: "Third answer." in person.text, "the last answer")
    await person.answered()
    said = [one["content"] for one in messages_on_disk(stage.root)][2:]
    assert said == ["One", "First answer.", "Two", "Second answer.", "Three", "Third answer."]
    assert not person.composer.waiting.isVisible()
    await until(lambda: not any(drafts_hold(stage.paths, words) for words in ("Two", "Three")), "no draft left")


async def test_a_chip_is_taken_back_into_the_field(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.")
    person.send("Two")
    person.send("Three")
    person.type(person.composer.edit, "begun")
    await until(lambda: "Three" in chips(person), "both chips")
    back = button(person.composer.waiting, "Take back")
    assert back is not None
    click(back)
    assert person.composer.draft() == "begun\nTwo"
    await until(lambda: "Two" not in chips(person), "one chip")
    person.composer.set_draft("")
    gate.open.set()
    await until(lambda: "Three" in asked_on_disk(stage), "the other goes")
    await person.answered()
    assert asked_on_disk(stage) == ["Earlier.", "One", "Three"]


async def test_after_a_stop_nothing_goes_by_itself(stage: Stage) -> None:
    person, _gate = await asked(stage, "Late answer.", "Later answer.")
    person.send("Two")
    person.send("Three")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Escape)
    await person.answered()
    await rest(0.1)
    assert asked_on_disk(stage) == ["Earlier.", "One"]
    assert "Not sent" in chips(person)
    assert "Two" in chips(person)
    person.click("Send now", person.composer.waiting)
    await until(lambda: "Later answer." in person.text, "both answers")
    await person.answered()
    assert asked_on_disk(stage) == ["Earlier.", "One", "Two", "Three"]


async def test_after_a_failure_nothing_goes_by_itself(stage: Stage) -> None:
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider([gate, ModelError("It broke.")], "Another answer."))
    person.send("One")
    await gate.reached.wait()
    person.send("Two")
    gate.open.set()
    await until(lambda: not person.bench.loop.is_busy(KEY), "the failure")
    await rest(0.1)
    assert asked_on_disk(stage) == ["Earlier.", "One"]
    assert "Not sent" in chips(person)


async def test_after_a_kill_they_are_there_and_are_not_sent(stage: Stage) -> None:
    person, _gate = await asked(stage)
    person.type(person.composer.edit, "Two, with")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    person.send("a second line")
    person.send("Three")
    await until(lambda: "Three" in chips(person), "both chips")
    await person.bench.disk.run(lambda: None)
    copy = as_killed(stage.root)
    later = await stage.open(copy, offline=ScriptedProvider("Never asked for."))
    await until(lambda: "Three" in chips(later), "the chips again")
    await rest(0.2)
    assert "Not sent" in chips(later)
    assert later.composer.draft() == ""
    assert [one["content"] for one in messages_on_disk(copy) if one["role"] == "user"] == ["Earlier.", "One"]
    buttons = later.composer.waiting.findChildren(QPushButton)
    click(next(one for one in buttons if one.text() == "Take back"))
    assert later.composer.draft() == "Two, with\na second line"


async def test_one_that_is_sent_while_the_conversation_is_changed_goes_when_that_is_done(stage: Stage) -> None:
    stage.make(*SAID)
    person = await stage.open(offline=ScriptedProvider(["Now."]))
    with person.bench.loop.kept_idle({KEY}):
        # As a branch is, while it is begun.
        await person.current.sessions.open(KEY)
        person.send("Two")
        await until(lambda: "Two" in chips(person), "the chip")
        assert asked_on_disk(stage) == ["Earlier."]
    await until(lambda: "Now." in person.text, "the answer")
    await person.answered()
    assert asked_on_disk(stage) == ["Earlier.", "Two"]
    assert not chips(person)


async def test_one_that_was_written_before_the_kill_does_not_wait_again(stage: Stage) -> None:
    """The words stood in the conversation before: only what came after the message was handed over counts."""
    person, gate = await asked(stage, ["Second ", Gate(), "answer."])
    person.send("One")
    person.send("One")
    await until(lambda: chips(person).count("One") == 2, "both chips")
    await person.bench.disk.run(lambda: None)
    held = as_killed(stage.root, "both-wait")
    gate.open.set()
    await until(lambda: asked_on_disk(stage).count("One") == 2, "the first that waited")
    await person.bench.disk.run(lambda: None)
    copy = as_killed(stage.root, "one-waits")
    await stage.close_all()
    for root, count in ((held, 2), (copy, 1)):
        later = await stage.open(root, offline=ScriptedProvider("Never asked for."))
        await until(partial(chips, later), "what waits")
        assert len(later.current.conversation.sending.queue.of(KEY)) == count
        await later.close()


async def test_what_waits_in_another_conversation_goes_there(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.")
    person.send("Two")
    person.current.sessions.open(OTHER)
    await person.until_ready()
    assert chips(person) == ""
    gate.open.set()
    await until(lambda: "Two" in asked_on_disk(stage), "the message that waited")
    assert messages_on_disk(stage.root, OTHER) == []
    await until(lambda: not person.bench.loop.is_busy(KEY), "its answer")


async def test_closing_the_window_sends_nothing_that_waits(stage: Stage) -> None:
    person, _gate = await asked(stage)
    person.send("Two")
    await person.close()
    assert asked_on_disk(stage) == ["Earlier.", "One"]
    again = await stage.open(offline=ScriptedProvider("Never asked for."))
    await until(lambda: "Two" in chips(again), "what waits")
    await rest(0.1)
    assert asked_on_disk(stage) == ["Earlier.", "One"]


@pytest.mark.usefixtures("double_clicks")
async def test_a_double_click_on_send_does_not_stop_the_answer(stage: Stage) -> None:
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider([gate, "A whole answer."]))
    person.type(person.composer.edit, "One")
    send = person.composer.button
    where = QPoint(send.width() // 2, send.height() // 2)
    QTest.mouseClick(send, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    await gate.reached.wait()
    QTest.mouseDClick(send, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    QTest.mouseRelease(send, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    await rest(0.02)
    gate.open.set()
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["content"] == "A whole answer."
    assert not messages_on_disk(stage.root)[-1].get("interrupted")


async def test_a_later_click_stops_and_a_second_one_sends_nothing(stage: Stage) -> None:
    person, _gate = await asked(stage, "Never asked for.")
    person.type(person.composer.edit, "not yet")
    usual = QApplication.doubleClickInterval()
    # However long the machine takes from one to the other: they are the two of a double click.
    QApplication.setDoubleClickInterval(3_600_000)
    try:
        click(person.composer.button)
        await until(lambda: not person.bench.loop.is_busy(KEY), "the stop")
        click(person.composer.button)
        await rest(0.1)
        assert person.composer.draft() == "not yet"
        assert asked_on_disk(stage) == ["Earlier.", "One"]
    finally:
        QApplication.setDoubleClickInterval(usual)


async def test_a_message_that_waits_is_edited_where_it_stands_and_not_sent_meanwhile(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.")
    person.send("Two")
    await until(lambda: "Two" in chips(person), "the chip")
    person.click("Edit", person.composer.waiting)
    edit = person.composer.waiting.findChild(ComposerEdit)
    assert edit is not None
    assert (edit.toPlainText(), edit.accessibleName()) == ("Two", "Waiting message 1")
    gate.open.set()
    await until(lambda: "First answer." in person.text, "the first answer")
    await rest()
    assert asked_on_disk(stage) == ["Earlier.", "One"]
    QTest.keyClicks(edit, " and a half")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await until(lambda: "Second answer." in person.text, "the second answer")
    await person.answered()
    assert asked_on_disk(stage) == ["Earlier.", "One", "Two and a half"]
    assert chips(person) == ""


async def test_a_text_file_waits_with_its_message_and_stays_while_that_is_edited(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.")
    person.composer.files.add(TextFile("plan.md", "cone 6"))
    person.send("Two")
    await until(lambda: "Two · plan.md" in chips(person), "the chip")
    person.click("Edit", person.composer.waiting)
    edit = person.composer.waiting.findChild(ComposerEdit)
    assert edit is not None
    assert edit.toPlainText() == "Two"
    QTest.keyClicks(edit, " and a half")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    gate.open.set()
    await until(lambda: "Second answer." in person.text, "the second answer")
    await person.answered()
    assert asked_on_disk(stage)[-1] == "Two and a half\n\nplan.md:\n```md\ncone 6\n```"


async def test_esc_leaves_a_message_that_waits_as_it_was(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.")
    person.send("Two")
    await until(lambda: "Two" in chips(person), "the chip")
    person.click("Edit", person.composer.waiting)
    edit = person.composer.waiting.findChild(ComposerEdit)
    assert edit is not None
    QTest.keyClicks(edit, " or not")
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    await until(lambda: chips(person).split("\n")[-1] == "Two", "the chip as it was")
    gate.open.set()
    await until(lambda: "Second answer." in person.text, "the second answer")
    await person.answered()
    assert asked_on_disk(stage)[-1] == "Two"


async def test_a_message_that_the_disk_refused_is_not_waiting_any_more_once_a_retry_wrote_it(stage: Stage) -> None:
    person, gate = await asked(stage)
    queue = person.current.conversation.sending.queue
    for words in ("Two", "Three"):
        queue.add(KEY, ComposerText(words))
    queue.hand_over(KEY, queue.of(KEY)[0], 4)
    queue.hold(KEY)
    assert [one.held for one in queue.of(KEY)] == [True, True]
    # Some other message of the person is no reason to forget what waits.
    queue.recorded(KEY, "Three")
    assert [one.content.text for one in queue.of(KEY)] == ["Two", "Three"]
    queue.recorded(KEY, "Two")
    assert [one.content.text for one in queue.of(KEY)] == ["Three"]
    gate.open.set()
    await person.answered()


async def test_whoever_reads_further_up_stays_there_when_what_waits_goes_by_itself(stage: Stage) -> None:
    stage.make(*((role, f"{role} {number}\n\n" * 6) for number in range(10) for role in ("user", "assistant")))
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["First ", gate, "answer."], "Second answer."))
    person.send("One")
    await gate.reached.wait()
    await until(lambda: person.composer.busy, "the button that stops")
    person.send("Two")
    await until(lambda: "Two" in chips(person), "the chip")
    person.transcript.scroll_to_message(6)
    place = person.transcript.place_of(6)
    gate.open.set()
    await until(lambda: "Two" in asked_on_disk(stage), "what waited")
    await person.answered()
    assert person.transcript.place_of(6) == place


async def test_the_field_of_a_chip_that_is_edited_has_a_frame_with_the_keyboard_in_it(stage: Stage) -> None:
    person, gate = await asked(stage, "Second answer.")
    person.send("Two")
    await until(lambda: "Two" in chips(person), "the chip")
    person.click("Edit", person.composer.waiting)
    edit = person.composer.waiting.findChild(ComposerEdit)
    assert isinstance(edit, ComposerEdit)
    await until(lambda: edit.isVisible() and edit.hasFocus(), "the field")
    picture = edit.grab().toImage()
    assert picture.pixelColor(picture.width() // 2, 0).name().upper() == Theme.current().roles["focus"]
    gate.open.set()
    press(edit, "Esc")
    await until(lambda: "Two" in asked_on_disk(stage), "what waited")
    await person.answered()


async def test_what_was_sent_while_the_conversation_is_archived_is_answered(stage: Stage) -> None:
    stage.make(*SAID * 3)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider([gate, save_memory("Said.", "- Kept\n")], "An answer."))
    archiving = asyncio.create_task(person.bench.conversations.archive([KEY]))
    await gate.reached.wait()
    person.send("Two")
    await until(lambda: "Two" in chips(person), "the chip")
    gate.open.set()
    assert (await archiving).done == (KEY,)
    await until(lambda: [one["content"] for one in messages_on_disk(stage.root)] == ["Two", "An answer."], "its answer")
    assert not chips(person)
