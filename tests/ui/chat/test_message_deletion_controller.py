"""Messages are deleted in the window: by link, menu and keys, with a way back, and never behind anybody's back."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QMenu, QPushButton

from mnemoscope.domain.conversation.message import is_deleted
from mnemoscope.domain.errors import ModelError
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.ui.chat.message_actions import DeleteMessage, DeleteTurn, RestoreDeleted
from mnemoscope.ui.timeline.row_sentences import row_sentence
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.chat.test_branch_controller import run, talked, transcript_text
from tests.ui.window_fixture import (
    KEY,
    Stage,
    TwoMinds,
    button,
    messages_on_disk,
    press,
    rest,
    sentences,
    until,
    words_in,
)

SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


def deleted(stage: Stage) -> list[int]:
    return [index for index, message in enumerate(messages_on_disk(stage.root)) if is_deleted(message)]


async def test_a_message_is_deleted_by_its_link_and_comes_back_by_undo(stage: Stage) -> None:
    person = await talked(stage)
    run(person, DeleteMessage(0))
    await until(lambda: "Message deleted" in transcript_text(person), "the row in its place")
    assert deleted(stage) == [0]
    assert "Which glaze?" not in transcript_text(person)
    assert "How hot?" in transcript_text(person)
    model = person.timeline.model
    await until(lambda: "Message deleted" in row_sentence(model, TimelineRow(RowKind.MESSAGE, 0)), "the timeline's row")
    await until(lambda: "moved to the trash" in words_in(person.chat), "the bar")
    person.click("Undo")
    await until(lambda: "Which glaze?" in transcript_text(person), "the message again")
    assert deleted(stage) == []
    assert "trash" not in words_in(person.chat)


async def test_what_is_pressed_twice_is_deleted_once_and_brought_back_once(stage: Stage) -> None:
    person = await talked(stage)
    for _ in range(2):
        person.current.actions["turn.delete"].trigger()
    await until(lambda: "moved to the trash" in words_in(person.chat), "the bar")
    await rest()
    assert deleted(stage) == [2, 3]
    assert sentences(person.chat) == ["2 messages were moved to the trash."]
    undo = button(person.chat, "Undo")
    assert undo is not None
    undo.click()
    undo.click()
    await until(lambda: deleted(stage) == [] and not sentences(person.chat), "the messages again, and nothing said")
    await rest()
    assert sentences(person.chat) == []
    # Two others, one right after the other, are both deleted.
    for index in (0, 1):
        person.transcript.message_actions.run(DeleteMessage(index))
    await until(lambda: deleted(stage) == [0, 1], "both deletions")
    await until(lambda: "trash" in words_in(person.chat), "their bar")
    assert len(sentences(person.chat)) == 1


async def test_a_turn_is_deleted_and_comes_back_by_the_link_in_its_place(stage: Stage) -> None:
    person = await talked(stage)
    person.transcript.message_actions.run(DeleteTurn(3))
    await until(lambda: "2 messages deleted" in transcript_text(person), "one row for both")
    assert deleted(stage) == [2, 3]
    run(person, RestoreDeleted(2))
    await until(lambda: "Very hot." in transcript_text(person), "the turn again")
    assert deleted(stage) == []
    person.current.actions["turn.delete"].trigger()
    await until(lambda: deleted(stage) == [2, 3], "deleted by the command")


async def test_the_menu_and_the_keys_do_the_same_to_what_is_in_sight(stage: Stage) -> None:
    person = await talked(stage)
    view, document = person.transcript.view, person.transcript.transcript
    row = document.row_of(2)
    assert row is not None
    view.menu_requested.emit(view.row_rect(row).translated(0, -view.offset()).center().toPoint())
    menu = view.findChild(QMenu)
    assert isinstance(menu, QMenu)
    assert {"Delete message", "Delete turn"} <= {action.text() for action in menu.actions()}
    menu.close()
    view.setFocus()
    view.setTextCursor(QTextCursor(row.start))
    press(view, "Del")
    await until(lambda: deleted(stage) == [2], "the message deleted by its key")
    # What is deleted is not deleted again.
    press(view, "Del")
    press(view, "Shift+Del")
    assert deleted(stage) == [2]


async def test_a_proposal_that_tells_of_other_messages_too_has_a_button_of_its_own(stage: Stage) -> None:
    stage.make(*SAID, memory="# User\n\n- Likes tea\n- Name is Sam\n", memoryWindow=4)
    # A fact that would go waits for the person.
    model = ScriptedProvider(save_memory("Sam said hello.", "# User\n\n- Name is Sam\n"), save_memory("", ""))
    person = await stage.open(offline=TwoMinds("Yes.", memory=model))
    await person.say("I own a kiln.")
    ledger = person.bench.memory.ledger
    await until(lambda: len(ledger.suggestions()) == 1, "a proposal")
    await until(lambda: not person.bench.loop.consolidation.occupied, "the consolidation's end")
    person.transcript.message_actions.run(DeleteMessage(0))
    said = await person.until_said("moved to the trash")
    assert "1 proposals that wait for review tell of other messages too." in said
    assert len(ledger.suggestions()) == 1, "it stays unless that is chosen"
    person.click("Withdraw 1 shared proposals", person.chat)
    await person.until_said("1 proposals withdrawn.")
    assert ledger.suggestions() == []
    back = [one for one in person.chat.findChildren(QPushButton) if one.text() == "Undo" and one.isVisible()]
    back[-1].click()
    await until(lambda: len(ledger.suggestions()) == 1, "the proposal waits again")
    assert deleted(stage) == [0]


async def test_while_an_answer_is_written_nothing_is_deleted(stage: Stage) -> None:
    gate = Gate()
    person = await talked(stage, gate, "Done.")
    person.send("More?")
    await until(lambda: person.current.bench.loop.is_busy(KEY), "the turn")
    person.transcript.message_actions.run(DeleteMessage(0))
    await until(lambda: "still at work in this conversation" in words_in(person.chat), "the refusal")
    assert deleted(stage) == []
    gate.open.set()
    await person.answered()


async def test_what_is_said_of_an_answer_that_failed_goes_with_its_question_and_an_offer_comes_with_it(
    stage: Stage,
) -> None:
    person = await talked(stage, ModelError("The server had an error."))
    await person.say("And the clay?")
    assert button(person.transcript, "Try again") is not None
    newest = len(messages_on_disk(stage.root)) - 1
    run(person, DeleteMessage(newest))
    await until(lambda: "Message deleted" in transcript_text(person), "the row in its place")
    assert button(person.transcript, "Try again") is None
    assert button(person.transcript, "Answer now") is None
    await until(lambda: "moved to the trash" in words_in(person.chat), "the bar")
    person.click("Undo")
    await until(lambda: "And the clay?" in transcript_text(person), "the message again")
    assert button(person.transcript, "Answer now") is not None
