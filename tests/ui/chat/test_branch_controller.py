"""Second thoughts in the window: messages edited, answers written anew, branches begun and gone between."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from mnemoscope.agent.workspace.abandoned_memory import AbandonedLines, AbandonedMemory
from mnemoscope.domain.timeline.rows import RowKind, TimelineRow
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.ui.chat.abandoned_memory_offer import AbandonedMemoryOffer
from mnemoscope.ui.chat.message_actions import (
    AnswerAnew,
    AnswerByAnother,
    BranchFrom,
    EditMessage,
    MessageAction,
    SwitchBranch,
)
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.timeline.row_sentences import row_sentence
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.chat.transcript.offered_actions import actions_of, place_of_action
from tests.ui.window_fixture import KEY, Opened, Stage, drafts_hold, messages_on_disk, press, rest, until, words_in

SAID = (
    ("user", "Which glaze?"),
    ("assistant", "The blue one."),
    ("user", "How hot?"),
    ("assistant", "Very hot."),
)


async def talked(stage: Stage, *script: Any) -> Opened:
    stage.make(*SAID)
    return await stage.open(offline=ScriptedProvider(*script))


def run(person: Opened, action: MessageAction) -> None:
    """Does what the link of a message does, which has to be there."""
    assert action in actions_of(person.transcript), action
    person.transcript.message_actions.run(action)


def place_of_link(person: Opened, action: MessageAction) -> QPoint:
    """Returns where a link of a message stands in the viewport, which has to be in sight."""
    view = person.transcript.view
    before = view.offset()
    place = place_of_action(person.transcript, action)
    assert view.offset() == before, action
    return place


def on_disk(stage: Stage) -> list[str]:
    return [str(one["content"]) for one in messages_on_disk(stage.root)]


def transcript_text(person: Opened) -> str:
    """Returns what the transcript says, with ordinary spaces."""
    return person.text.replace("\u00a0", " ")


async def test_a_message_is_edited_in_the_composer_and_goes_another_way(stage: Stage) -> None:
    person = await talked(stage, "Not very hot.")
    person.composer.set_draft("Something else")
    run(person, EditMessage(2))
    composer = person.composer
    assert (composer.draft(), composer.edit.hasFocus()) == ("How hot?", True)
    assert "Editing message 3" in words_in(composer)
    assert composer.editing_bar.cancel.accessibleName() == "Leave the message as it is"
    composer.set_draft("How hot is it in the kiln?")
    press(composer.edit, "Return")
    await until(lambda: "Not very hot." in transcript_text(person), "the answer")
    await person.answered()
    assert on_disk(stage) == ["Which glaze?", "The blue one.", "How hot is it in the kiln?", "Not very hot."]
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches at the message")
    assert "Very hot." not in transcript_text(person)
    # What was typed before is there again.
    assert composer.draft() == "Something else"
    assert not composer.editing_bar.isVisible()


async def test_esc_leaves_the_message_as_it_is(stage: Stage) -> None:
    person = await talked(stage)
    person.composer.set_draft("Half a thought")
    run(person, EditMessage(0))
    person.composer.set_draft("Which colour?")
    person.composer.draft_changed.emit(person.composer.draft())
    person.current.conversation.flush_draft()
    # Neither is lost were the program killed now.
    await until(lambda: drafts_hold(stage.paths, "Which colour?\nHalf a thought"), "both drafts on the disk")
    press(person.composer.edit, "Esc")
    assert (person.composer.draft(), person.composer.editing) == ("Half a thought", None)
    assert on_disk(stage) == [content for _, content in SAID]


async def test_an_answer_is_written_anew_and_both_can_be_gone_to(stage: Stage) -> None:
    person = await talked(stage, "As hot as it gets.")
    run(person, AnswerAnew(3))
    await until(lambda: "As hot as it gets." in transcript_text(person), "the new answer")
    await person.answered()
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches at the answer")
    run(person, SwitchBranch(3, 0))
    await until(lambda: "‹ Branch 1 of 2 ›" in transcript_text(person), "the first branch")
    assert ("Very hot." in transcript_text(person), "As hot as it gets." in transcript_text(person)) == (True, False)
    assert on_disk(stage)[-1] == "Very hot."
    # The keys do the same.
    person.current.actions["branch.next"].trigger()
    await until(lambda: "As hot as it gets." in transcript_text(person), "the second branch")
    person.current.actions["branch.before"].trigger()
    await until(lambda: "Very hot." in transcript_text(person), "the first branch again")


async def test_the_timeline_tells_where_the_ways_part(stage: Stage) -> None:
    person = await talked(stage, "As hot as it gets.")
    person.current.actions["turn.regenerate"].trigger()
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches at the answer")
    await person.answered()
    model = person.timeline.model
    await until(lambda: list(model.branches) == [3], "the fork in the timeline")
    assert ", branch 2 of 2" in row_sentence(model, TimelineRow(RowKind.MESSAGE, 3))
    assert "branch" not in row_sentence(model, TimelineRow(RowKind.MESSAGE, 2))


async def test_another_model_answers_this_once(stage: Stage) -> None:
    person = await talked(stage, "Said by another.")
    run(person, AnswerByAnother(3))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    built_in = next(action for action in menu.actions() if "Built-in" in action.text())
    built_in.trigger()
    menu.close()
    await until(lambda: "Said by another." in transcript_text(person), "the answer")
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["model"] == "offline"


async def test_a_model_is_chosen_for_this_conversation_and_named_at_the_top(stage: Stage) -> None:
    person = await talked(stage)
    chooser, header = person.current.model_choice, person.window.header

    def named() -> str:
        return " ".join(button.text() for button in header.findChildren(QPushButton))

    menu = chooser.menu()
    assert [action.isChecked() for action in menu.actions()] == [True, *[False] * (len(menu.actions()) - 1)]
    menu.deleteLater()
    chooser.choose("offline")
    await until(lambda: "this conversation" in named(), "the model at the top")
    chooser.choose("")
    await until(lambda: "this conversation" not in named(), "the one of the settings again")
    assert person.current.actions["conversation.model"] is not None


async def test_a_branch_begun_after_a_message_is_empty_until_something_is_said(stage: Stage) -> None:
    person = await talked(stage, "Another way indeed.")
    run(person, BranchFrom(1))
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches at the last message")
    assert on_disk(stage) == ["Which glaze?", "The blue one."]
    assert person.composer.edit.hasFocus()
    person.send("And the clay?")
    await until(lambda: "Another way indeed." in transcript_text(person), "the answer")
    await person.answered()
    await until(lambda: list(person.transcript.transcript.branches) == [2], "the branches at the first own message")
    run(person, SwitchBranch(2, 0))
    await until(lambda: "Very hot." in transcript_text(person), "the way before")


@pytest.mark.parametrize("index", [1, 2])
async def test_two_quick_presses_begin_one_branch(stage: Stage, index: int) -> None:
    person = await talked(stage)
    view = person.transcript.view
    place = place_of_link(person, BranchFrom(index))
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(view.viewport(), left, pos=place)
    QTest.mouseDClick(view.viewport(), left, pos=place)
    QTest.mouseRelease(view.viewport(), left, pos=place)
    await until(lambda: on_disk(stage) == [content for _, content in SAID[: index + 1]], "the branch")
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches at its last message")
    await rest()
    branches = WorkspacePaths(stage.root).branches_dir
    assert len(list(branches.iterdir())) == 1
    # A third press finds nothing that follows.
    person.transcript.message_actions.run(BranchFrom(index))
    await rest()
    assert len(list(branches.iterdir())) == 1
    assert on_disk(stage) == [content for _, content in SAID[: index + 1]]


async def test_a_branch_with_an_answer_is_not_said_to_have_none(stage: Stage) -> None:
    person = await talked(stage)
    run(person, BranchFrom(0))
    await until(lambda: "No answer was written." in words_in(person.transcript.end), "that nothing was answered")
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches at the only message")
    run(person, SwitchBranch(0, 0))
    await until(lambda: "Very hot." in transcript_text(person), "the way before")
    await until(lambda: not person.transcript.end.isVisible(), "nothing said of an answer")
    assert words_in(person.transcript.end) == ""


async def test_nothing_follows_the_newest_message(stage: Stage) -> None:
    person = await talked(stage)
    run(person, BranchFrom(3))
    await rest()
    assert on_disk(stage) == [content for _, content in SAID]
    assert not person.transcript.transcript.branches


async def test_while_an_answer_is_written_no_branch_is_gone_to(stage: Stage) -> None:
    gate = Gate()
    person = await talked(stage, ["Slow", gate, "ly."])
    run(person, AnswerAnew(3))
    await gate.reached.wait()
    await until(lambda: person.transcript.transcript.branches, "the branches")
    run(person, EditMessage(0))
    run(person, BranchFrom(0))
    person.current.actions["branch.before"].trigger()
    await rest()
    assert person.composer.editing is None
    assert on_disk(stage) == ["Which glaze?", "The blue one.", "How hot?"]
    gate.open.set()
    await person.answered()
    assert on_disk(stage)[-1] == "Slowly."


async def test_a_conversation_that_is_only_read_offers_none_of_it(stage: Stage) -> None:
    person = await talked(stage, "As hot as it gets.")
    run(person, AnswerAnew(3))
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches")
    await person.answered()
    other = await stage.open(offline=ScriptedProvider(), read_only=True)
    other.current.sessions.open(KEY)
    await other.until_ready()
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(other), "the branches")
    offered = actions_of(other.transcript)
    for action in (EditMessage(2), AnswerAnew(3), BranchFrom(1), SwitchBranch(3, 0)):
        assert action not in offered


async def test_the_menu_of_a_message_offers_the_same(stage: Stage) -> None:
    person = await talked(stage)
    view = person.transcript.view
    row = person.transcript.transcript.row_of(2)
    assert row is not None
    view.menu_requested.emit(view.row_rect(row).center().toPoint())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert {"Edit", "Branch from here"} <= {action.text() for action in menu.actions()}
    next(action for action in menu.actions() if action.text() == "Edit").trigger()
    menu.close()
    assert person.composer.draft() == "How hot?"


async def test_what_memory_took_from_what_was_left_is_told_and_taken_back_in_one_step(stage: Stage) -> None:
    stage.make(memory="# Notes\n\n- Lives in Bergen\n")
    person = await stage.open(offline=ScriptedProvider(last="Noted."))
    await person.say("Hello")
    await person.say("I prefer tea. Remember that I live in Oslo.")
    before = stage.paths.memory_file.read_text()
    assert "I prefer tea" in before
    run(person, EditMessage(2))
    person.composer.set_draft("Never mind.")
    press(person.composer.edit, "Return")
    said = await person.until_said("Memory has taken something from the messages that stay on the branch before")
    assert "I prefer tea" in said
    assert "2 lines of SESSION-STATE.md are no longer sent." in said
    assert "**" not in said
    await person.answered()
    take_back = next(
        one for one in person.window.findChildren(QPushButton) if "back" in one.text() and "Take" in one.text()
    )
    take_back.click()
    await person.until_said("taken out of memory")
    assert "I prefer tea" not in stage.paths.memory_file.read_text()
    assert "Lives in Bergen" in stage.paths.memory_file.read_text()
    person.click("Undo", person.chat)
    await until(lambda: stage.paths.memory_file.read_text() == before, "memory as it was")


async def test_what_was_taken_back_is_undone_from_the_menu_once_its_bar_is_gone(stage: Stage) -> None:
    stage.make(memory="# Notes\n\n- Lives in Bergen\n")
    person = await stage.open(offline=ScriptedProvider(last="Noted."))
    command = person.current.actions["memory.bring_back"]
    command.trigger()
    await person.until_said("Nothing that was taken out")
    await person.say("Hello")
    await person.say("I prefer tea. Remember that I live in Oslo.")
    before = stage.paths.memory_file.read_text()
    run(person, EditMessage(2))
    person.composer.set_draft("Never mind.")
    press(person.composer.edit, "Return")
    await person.until_said("Memory has taken something")
    await person.answered()
    person.click("Take 2 lines back", person.chat)
    said = await person.until_said("taken out of memory")
    assert command.text() in said, "the bar says where it can be undone later"
    for bar in person.chat.findChildren(NoticeBar):
        bar.dismiss()
    command.trigger()
    await until(lambda: stage.paths.memory_file.read_text() == before, "memory as it was")
    await person.until_said("have again what was taken out last")


async def test_the_offer_to_take_back_is_about_the_branch_that_was_left_last(stage: Stage) -> None:
    stage.make()
    person = await stage.open(offline=ScriptedProvider(last="Noted."))
    await person.say("Hello")
    await person.say("I prefer tea. Remember that I live in Oslo.")
    run(person, EditMessage(2))
    person.composer.set_draft("Never mind.")
    press(person.composer.edit, "Return")
    left = "from the messages that stay on the branch before"
    await person.until_said(left)
    await person.answered()
    await until(lambda: "Remember that I live in Oslo." not in person.text, "the branch that was begun")
    await person.until_ready()
    press(person.composer.edit, "Alt+PgUp")
    await until(lambda: "Remember that I live in Oslo." in person.text, "the branch before")
    await until(lambda: left not in words_in(person.chat), "no offer any more")
    assert "I prefer tea" in stage.paths.memory_file.read_text()
    # What goes on is left once more.
    await until(lambda: not person.bench.loop.is_busy(KEY), "an idle conversation")
    press(person.composer.edit, "Alt+PgDown")
    await person.until_said(left)
    person.click("Take 2 lines back", person.chat)
    await until(lambda: "I prefer tea" not in stage.paths.memory_file.read_text(), "the lines out of memory")
    await person.until_ready()
    press(person.composer.edit, "Alt+PgUp")
    await until(lambda: "Remember that I live in Oslo." in person.text, "the branch before")
    await person.until_ready()
    press(person.composer.edit, "Alt+PgDown")
    await until(lambda: "Never mind." in person.text, "the other one")
    await rest(0.3)
    # There is nothing to take back any more.
    assert left not in words_in(person.chat)


async def test_the_marks_of_a_line_are_left_out_where_it_is_told(stage: Stage) -> None:
    person = await stage.open()
    offer = AbandonedMemoryOffer(person.window.chat, person.bench, Tasks())
    lines = AbandonedLines("memory/MEMORY.md", ("**Prefers** `tea` to [coffee](https://example.org)",))
    sentences = offer.words(AbandonedMemory(files=(lines,)))
    assert "“Prefers tea to coffee”" in sentences[0]


async def test_the_message_at_which_branches_part_stays_in_its_place_when_one_goes_between_them(stage: Stage) -> None:
    stage.make(*((role, f"{role}, thing {number}") for number in range(12) for role in ("user", "assistant")))
    person = await stage.open(offline=ScriptedProvider("An answer\n\n" * 40, *["A short one."] * 2))
    view = person.transcript.view
    person.transcript.scroll_to_message(6)
    run(person, EditMessage(6))
    person.composer.set_draft("Said otherwise")
    press(person.composer.edit, "Return")
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the branches")
    await person.answered()
    person.transcript.stand_at(6, 100)
    place = person.transcript.place_of(6)
    assert place == 100
    run(person, SwitchBranch(6, 0))
    await until(lambda: "‹ Branch 1 of 2 ›" in transcript_text(person), "the first branch")
    assert person.transcript.place_of(6) == place
    run(person, SwitchBranch(6, 1))
    await until(lambda: "‹ Branch 2 of 2 ›" in transcript_text(person), "the second branch")
    assert person.transcript.place_of(6) == place
    # By key, from elsewhere: it is brought into view.
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    assert (person.transcript.place_of(6) or 0) < 0
    person.current.actions["branch.before"].trigger()
    await until(lambda: "‹ Branch 1 of 2 ›" in transcript_text(person), "the first branch")
    assert 0 <= (person.transcript.place_of(6) or -1) < view.viewport().height()
