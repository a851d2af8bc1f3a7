"""Talking in the whole window: what is on disk, what shows, and when."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QInputMethodEvent, QInputMethodQueryEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mnemoscope.domain.conversation.text_file import TextFile
from mnemoscope.domain.errors import AnswerCutOff
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.chat.message_actions import TryAgain
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.chat.transcript.offered_actions import click_action
from tests.ui.window_fixture import KEY, Opened, Stage, click, messages_on_disk, rest, sentences, until


async def test_a_message_is_on_disk_before_the_model_is_asked(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider([gate, "All ", "is ", "well."]))
    person.send("How is the kiln?")
    await gate.reached.wait()
    assert [one["content"] for one in messages_on_disk(stage.root)] == ["Earlier.", "Yes.", "How is the kiln?"]
    assert "How is the kiln?" in person.text
    assert person.timeline.model.total == 3
    assert person.composer.busy
    assert person.composer.button.text() == "Stop"
    gate.open.set()
    await person.answered()
    assert messages_on_disk(stage.root)[-1]["content"] == "All is well."
    assert "All is well." in person.text
    assert person.timeline.model.total == 4
    assert person.composer.button.text() == "Send"
    assert person.composer.draft() == ""


@pytest.mark.parametrize("way", ["Esc", "Stop", "/stop"])
async def test_stopping_keeps_what_has_arrived_marked_as_interrupted(stage: Stage, way: str) -> None:
    stage.make()
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["The kiln ", "is ", gate, "never shown"]))
    person.send("How is the kiln?")
    await gate.reached.wait()
    await until(lambda: "The kiln is" in person.text, "the first words of the answer")
    if way == "Stop":
        person.click("Stop")
    elif way == "Esc":
        person.press("Esc")
    else:
        person.send("/stop")
    await person.answered()
    assert [(one["content"], one.get("interrupted")) for one in messages_on_disk(stage.root, person.key)] == [
        ("How is the kiln?", None),
        ("The kiln is ", True),
    ]
    assert person.text.count("The kiln is") == 1
    assert "nterrupted" in person.text
    assert QApplication.focusWidget() is person.composer.edit


async def test_only_the_newest_answer_that_was_broken_off_is_offered_to_be_written_again(stage: Stage) -> None:
    stage.make()
    gate, later = Gate(), Gate()
    script = (["The kiln ", gate, "never shown"], "Hello to you too.", ["Once ", later, "more"], "Whole.")
    person = await stage.open(offline=ScriptedProvider(*script))
    person.send("How is the kiln?")
    await gate.reached.wait()
    person.press("Esc")
    await person.answered()
    assert "Interrupted  Try again" in person.text
    await person.say("/help")
    assert "Interrupted  Try again" in person.text, "a command is no words that need an answer"
    await person.say("Hello!")
    assert "Interrupted" in person.text
    assert "Interrupted  Try again" not in person.text
    person.send("And again?")
    await later.reached.wait()
    person.press("Esc")
    await person.answered()
    assert person.text.count("Interrupted  Try again") == 1
    click_action(person.transcript, TryAgain())
    await until(lambda: "Whole." in person.text, "the answer written again")
    await person.answered()
    assert "Interrupted  Try again" not in person.text
    assert person.text.count("Interrupted") == 2
    await person.close()
    person = await stage.open()
    await until(lambda: person.text.count("Interrupted") == 2, "the same after a restart")
    assert "Interrupted  Try again" not in person.text


async def test_a_window_that_only_reads_does_not_offer_to_write_an_answer_again(stage: Stage) -> None:
    stage.make(("user", "How is the kiln?"))
    session = SessionManager(stage.root).get_or_create(KEY)
    session.add_message("assistant", "The kiln ", interrupted=True)
    SessionManager(stage.root).save(session)
    person = await stage.open(read_only=True)
    await until(lambda: "Interrupted" in person.text, "the conversation")
    assert "Try again" not in person.text


async def test_an_answer_stopped_within_its_marks_shows_words_only(stage: Stage) -> None:
    stage.make()
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["# Kiln\n\nIt is **hot** and **blue as ", gate, "ever**"]))
    person.send("How is the *old* kiln?")
    await gate.reached.wait()
    await until(lambda: "blue as" in person.text, "the first words of the answer")
    person.press("Esc")
    await person.answered()
    assert messages_on_disk(stage.root, person.key)[-1]["content"] == "# Kiln\n\nIt is **hot** and **blue as "
    words = [person.timeline.model.reader.content(index).words for index in (0, 1)]
    assert words == ["How is the old kiln?", "Kiln It is hot and blue as"]
    await until(lambda: person.window.sessions.title_of(person.key) == "How is the old kiln?", "a title without marks")
    for _ in range(2):
        assert "It is hot and blue as" in person.text
        assert "*" not in person.text
        await person.current.conversation.open(person.key)


async def test_what_is_typed_while_an_answer_arrives_stays_in_the_composer(stage: Stage) -> None:
    stage.make()
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["One ", gate, "two"], "three"))
    person.send("First")
    await gate.reached.wait()
    person.type(person.composer.edit, "Second")
    gate.open.set()
    await person.answered()
    assert person.composer.draft() == "Second"
    person.press("Return")
    await person.answered()
    assert [one["content"] for one in messages_on_disk(stage.root, person.key)] == [
        "First",
        "One two",
        "Second",
        "three",
    ]


async def test_an_answer_that_is_cut_off_is_kept_and_answered_again_on_a_click(stage: Stage) -> None:
    stage.make()
    model = ScriptedProvider(["Half of ", "it", AnswerCutOff("The answer was cut off.")], "All of it.")
    person = await stage.open(offline=model)
    await person.say("Tell me.")
    assert "cut off" in await person.until_said("cut off")
    person.click("Try again")
    await person.answered()
    assert [one["content"] for one in messages_on_disk(stage.root, person.key)] == [
        "Tell me.",
        "Half of it",
        "All of it.",
    ]
    assert [one["content"] for one in model.requests[1].messages if one["role"] == "user"][-1].endswith("Tell me.")
    assert "All of it." in person.text
    await until(lambda: not any("cut off" in one for one in sentences(person.window)), "the bar gone")


async def test_slash_commands_show_and_the_model_never_sees_them(stage: Stage) -> None:
    stage.make()
    model = ScriptedProvider("Sure.")
    person = await stage.open(offline=model)
    await person.say("/help")
    assert "/help" in person.text
    assert "/consolidate" in person.text
    await person.say("/memory")
    await person.say("Plain words")
    sent = str(model.requests[0].messages[1:])
    assert "Plain words" in sent
    assert "/help" not in sent
    assert "/memory" not in sent
    assert len(model.requests) == 1
    assert messages_on_disk(stage.root, person.key)[0]["content"] == "/help"


async def test_commands_complete_as_they_are_typed_and_esc_only_closes_their_list(stage: Stage) -> None:
    person = await stage.open()
    person.type(person.composer.edit, "/me")
    await until(person.composer.edit.completer.isVisible, "the list of commands")
    person.press("Esc")
    assert not person.composer.edit.completer.isVisible()
    assert person.composer.draft() == "/me"
    person.press("Backspace")
    await until(person.composer.edit.completer.isVisible, "the list of commands again")
    person.type(person.composer.edit, "em")
    person.press("Tab")
    assert person.composer.draft() == "/memory "
    assert person.composer.edit.hasFocus()


async def test_enter_in_an_input_method_never_sends(stage: Stage) -> None:
    person = await stage.open()
    edit = person.composer.edit
    person.type(edit, "hi ")
    QApplication.sendEvent(edit, QInputMethodEvent("nihao", []))
    assert edit.placeholderText() == ""
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await rest()
    assert messages_on_disk(stage.root, person.key) == []
    assert not person.composer.busy
    done = QInputMethodEvent("", [])
    done.setCommitString("你好")
    QApplication.sendEvent(edit, done)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await person.answered()
    assert messages_on_disk(stage.root, person.key)[0]["content"] == "hi 你好"


@pytest.mark.parametrize("place", ["transcript", "chip"])
async def test_what_is_composed_where_nothing_is_written_is_composed_in_the_message(stage: Stage, place: str) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    person = await stage.open()
    edit = person.composer.edit
    view = person.transcript.view if place == "transcript" else person.composer.model
    person.composer.set_draft("Say ")
    view.setFocus()
    # An input method says that nothing is composed whenever the keyboard comes.
    QApplication.sendEvent(view, QInputMethodEvent("", []))
    assert view.hasFocus()
    asked = QInputMethodQueryEvent(Qt.InputMethodQuery.ImEnabled | Qt.InputMethodQuery.ImCursorRectangle)
    QApplication.sendEvent(view, asked)
    assert asked.value(Qt.InputMethodQuery.ImEnabled) is True
    caret = asked.value(Qt.InputMethodQuery.ImCursorRectangle).toRect()
    field = QRect(edit.mapTo(person.window, QPoint()), edit.size())
    assert field.contains(QRect(view.mapTo(person.window, caret.topLeft()), caret.size()))
    QApplication.sendEvent(view, QInputMethodEvent("nihao", []))
    assert edit.preeditAreaText() == "nihao"
    # The keyboard stays: an input method gives up what it composes where it goes elsewhere.
    assert view.hasFocus()
    done = QInputMethodEvent("", [])
    done.setCommitString("你好")
    QApplication.sendEvent(view, done)
    assert person.composer.draft() == "Say 你好"
    assert edit.hasFocus()
    assert messages_on_disk(stage.root)[-1]["content"] == "Yes."


async def test_shift_enter_starts_a_line_and_an_empty_message_is_not_sent(stage: Stage) -> None:
    person = await stage.open()
    person.send("   ")
    await rest()
    assert messages_on_disk(stage.root, person.key) == []
    person.composer.edit.clear()
    person.type(person.composer.edit, "one")
    person.press("Shift+Return")
    person.type(person.composer.edit, "two")
    person.press("Return")
    await person.answered()
    assert messages_on_disk(stage.root, person.key)[0]["content"] == "one\ntwo"


async def test_the_prompt_pane_shows_the_draft_as_it_would_be_sent(stage: Stage) -> None:
    stage.make(memory="# Memory\n\n- The kiln is blue\n")
    model = ScriptedProvider("Good.")
    person = await stage.open(offline=model)
    person.type(person.composer.edit, "Is it blue?")
    person.press("Ctrl+4")
    await until(lambda: person.window.prompt.widget.copy_button.isVisible(), "the prompt")
    await until(lambda: "Is it blue?" in _prompt(person), "the draft in the prompt")
    person.composer.files.add(TextFile("kiln.md", "Fired on Friday."))
    await until(lambda: "Fired on Friday." in _prompt(person), "the file that would go with it")
    person.composer.files.show_items(())
    await until(lambda: "Fired on Friday." not in _prompt(person), "the draft without it")
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await person.answered()
    assert "The kiln is blue" in model.requests[0].messages[0]["content"]


async def test_composer_and_prompt_pane_state_the_same_share_of_the_context(stage: Stage) -> None:
    stage.make(
        ("user", "Earlier."), ("assistant", "Yes."), memory="- A fact of memory.\n" * 900, contextWindowTokens=65_536
    )
    person = await stage.open(offline=ScriptedProvider(["An ", "answer."]))
    # In a narrow composer the label shows less of it.
    said = person.composer.status.accessibleName
    assert not said(), "nothing is counted before it is of use"
    person.type(person.composer.edit, "s")
    await until(lambda: "% of the context" in said(), "the share, before the prompt was looked at")
    before = said()
    assert int(before.split()[0]) > 5, "memory is counted too, not the conversation alone"
    person.press("Ctrl+4")
    total = person.window.prompt.widget.meter.total
    await until(lambda: total.text(), "the prompt")
    assert f"· {before.removesuffix(' of the context')}" in total.text()
    person.composer.set_draft("word " * 4_000)
    QTest.keyClick(person.composer.edit, Qt.Key.Key_Return)
    await person.answered()
    assert int(said().split()[0]) > int(before.split()[0])
    assert f"· {said().removesuffix(' of the context')}" in total.text()


def _prompt(person: Opened) -> str:
    click(person.window.prompt.widget.copy_button)
    return QApplication.clipboard().text()
