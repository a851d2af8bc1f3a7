"""Time travel: memory, pointer and prompt as they were, read only; sending goes on in the present."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.agent.workspace.message_deletions import MessagesToDelete
from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, click, press, rest, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n"
LEARNT = FACTS + "- Owns a kiln\n"
ENTRY = "Sam owns a kiln."
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


async def opened(stage: Stage) -> Opened:
    """Versions: as it began, edited, and two more files."""
    stage.make(*SAID, memory=FACTS, memoryWindow=4)
    person = await stage.open(
        offline=TwoMinds("Yes.", "And yes.", memory=ScriptedProvider(save_memory(ENTRY, LEARNT), save_memory("", "")))
    )
    person.window.resize(1440, 900)
    await save(person, FACTS.replace("tea", "green tea"))
    return person


async def save(person: Opened, text: str) -> None:
    person.memory.editor.replace_text(text)
    person.memory.save()
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    await person.bench.commits.kept()


async def look_back(person: Opened, moment: datetime | None = None) -> None:
    person.current.past.open(moment)
    await until(lambda: person.window.memory.in_past and person.window.memory.past.widget.title.text(), "the past")


async def test_all_files_are_as_they_were(stage: Stage) -> None:
    person = await opened(stage)
    commits = await person.bench.commits.page("")
    assert len(commits) == 2
    await look_back(person)
    past = person.window.memory.past.widget
    await until(lambda: "green tea" in past.split.editor.text(), "the newest version")
    assert "As it was on" in past.title.text()
    assert past.split.editor.isReadOnly()
    person.window.memory.tabs.setCurrentIndex(1)
    assert "Soul" in past.split.editor.text()
    person.window.memory.tabs.setCurrentIndex(3)
    assert not past.split.isVisible()
    assert "was not there then" in past.absent.text()
    assert not past.file_button.isEnabled()


async def test_the_slider_goes_from_version_to_version_by_keyboard(stage: Stage) -> None:
    person = await opened(stage)
    await separate_seconds(stage, person)
    await look_back(person)
    past = person.window.memory.past.widget
    assert past.slider.hasFocus()
    assert past.slider.value() == past.slider.maximum()
    press(person.window, "Home")
    await until(lambda: "Likes tea" in past.split.editor.text(), "as it began")
    press(person.window, "End")
    await until(lambda: "Likes coffee" in past.split.editor.text(), "the newest")
    person.click("The version before", past)
    await until(lambda: "Likes green tea" in past.split.editor.text(), "the one between")


async def separate_seconds(stage: Stage, person: Opened) -> None:
    """One more version, a second later than the others: moments are told by the second."""
    newest = (await person.bench.commits.page(""))[0].seconds
    await until(lambda: datetime.now().timestamp() > newest + 1.01, "a second passed")
    await save(person, FACTS.replace("tea", "coffee"))


async def test_nothing_can_be_edited_and_escape_leads_back_to_now(stage: Stage) -> None:
    person = await opened(stage)
    person.type(person.memory.editor, "unsaved ")
    await look_back(person)
    QTest.keyClicks(person.window.memory.past.widget.split.editor, "typed")
    person.press("Ctrl+S")
    await rest(0.1)
    assert "unsaved" not in stage.paths.memory_file.read_text("utf-8")
    press(person.window, "Esc")
    await until(lambda: not person.window.memory.in_past, "the present")
    assert not person.current.past.is_away
    assert person.memory.editor.text().startswith("unsaved ")
    assert person.memory.is_dirty()
    assert "You are looking at memory" not in words_in(person.chat)


async def test_sending_goes_on_in_the_present_and_the_composer_says_so(stage: Stage) -> None:
    person = await opened(stage)
    await look_back(person)
    await person.until_said("What you send goes out now", person.chat)
    assert "Conversation and history are today's." in words_in(person.chat)
    assert "sent now" in person.composer.edit.placeholderText()
    assert "As it was on" in person.timeline.header.status_label.text()
    count = len(person.session.messages)
    shown = person.timeline.model.total
    await person.say("Hello from now.")
    assert len(person.session.messages) >= count + 2
    assert person.timeline.model.total == shown
    person.click("Back to now", person.chat)
    await until(lambda: person.timeline.model.total == len(person.session.messages), "the timeline of now")
    assert "sent now" not in person.composer.edit.placeholderText()


async def test_pointer_and_prompt_are_those_of_the_moment(stage: Stage) -> None:
    person = await opened(stage)
    before = datetime.now()
    await until(lambda: datetime.now().timestamp() > before.timestamp() + 1.01, "a second passed")
    await person.say("I own a kiln.")
    await until(lambda: person.session.last_consolidated > 0, "a consolidation")
    await until(lambda: person.timeline.model.pointer > 0, "the pointer moved")
    person.current.actions["pane.prompt"].trigger()
    await rest(0.4)
    await look_back(person, before)
    await until(lambda: person.timeline.model.pointer == 0, "the pointer as it was")
    assert "kiln" not in person.window.memory.past.widget.split.editor.text()
    since = len(person.session.messages) - person.timeline.model.total
    later = f"{since} messages of this conversation came later."
    await until(lambda: later in words_in(person.chat), "how much came later")
    prompt = person.window.prompt.widget
    await until(lambda: "As it was on" in words_in(prompt), "the prompt of then")
    person.current.past.back()
    await until(lambda: person.timeline.model.pointer > 0, "the pointer as it is")
    await until(lambda: "As it was on" not in words_in(prompt), "the prompt of now")


async def test_what_came_later_does_not_count_what_is_deleted(stage: Stage) -> None:
    person = await opened(stage)
    before = datetime.now()
    await until(lambda: datetime.now().timestamp() > before.timestamp() + 1.01, "a second passed")
    await person.say("I own a kiln.")
    bench, session = person.current.bench, person.session
    await until(lambda: session.last_consolidated > 0, "a consolidation")
    await until(lambda: not bench.loop.consolidation.occupied, "the consolidation's end")
    newest = len(session.messages) - 1
    gone = (session.messages[0], session.messages[newest])
    await bench.deletions.delete([MessagesToDelete(session, (0, newest), gone)])
    await look_back(person, before)
    await until(lambda: person.timeline.model.total == len(SAID), "the timeline of then")
    assert len(session.messages) == len(SAID) + 2
    await until(lambda: "1 messages of this conversation came later." in words_in(person.chat), "how much came later")


@pytest.mark.parametrize("button", ["Restore this file", "Restore all files"])
async def test_what_was_is_restored_and_that_is_a_version_too(stage: Stage, button: str) -> None:
    person = await opened(stage)
    await separate_seconds(stage, person)
    await look_back(person)
    past = person.window.memory.past.widget
    press(person.window, "Home")
    await until(lambda: "Likes tea" in past.split.editor.text() and past.file_button.isEnabled(), "an earlier text")
    then = past.split.editor.text()
    person.click(button, past)
    await until(lambda: stage.paths.memory_file.read_text("utf-8") == then, "as it was, on disk")
    await until(lambda: person.memory.editor.text() == then and not person.window.memory.in_past, "the present")
    await person.bench.commits.kept()
    assert (await person.bench.commits.page(""))[0].author == "You"
    await person.until_said("Restored: memory/MEMORY.md", person.memory)


async def test_looking_back_ends_where_words_are_forgotten(stage: Stage) -> None:
    person = await opened(stage)
    await look_back(person)
    past = person.window.memory.past.widget
    await until(lambda: "green tea" in past.split.editor.text(), "the newest version")
    person.current.forgetting.forget("Likes green tea")
    dialog = person.current.forgetting.dialog
    assert dialog is not None
    await until(dialog.everything.isEnabled, "the places")
    click(dialog.everything)
    click(dialog.forget)
    await until(lambda: not person.window.memory.in_past, "the present")
    assert "green tea" not in words_in(person.window.memory)
    await until(lambda: person.current.forgetting.receipts is not None, "the receipt")


async def test_before_the_first_change_there_is_nothing_to_look_back_to(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    person.current.actions["memory.travel"].trigger()
    await person.until_said("no moment to look back to yet", person.memory)
    assert not person.current.past.is_away


async def test_a_version_in_the_list_leads_to_its_moment(stage: Stage) -> None:
    person = await opened(stage)
    person.current.actions["memory.changes"].trigger()
    view = person.memory.body.versions.widget
    await until(lambda: view.travel_button.isVisible(), "the way back in time")
    person.click("All files then", view)
    await until(lambda: person.window.memory.in_past, "the past")
    person.current.actions["memory.changes"].trigger()
    await until(lambda: not person.window.memory.in_past and view.isVisible(), "the list, in the present")


async def test_opening_another_conversation_leads_back_to_now(stage: Stage) -> None:
    person = await opened(stage)
    await look_back(person)
    person.press("Ctrl+N")
    await until(lambda: not person.current.past.is_away, "the present")
    assert not person.window.memory.in_past


async def test_a_window_that_only_reads_looks_back_and_restores_nothing(stage: Stage) -> None:
    person = await opened(stage)
    await person.close()
    looking = await stage.open(read_only=True)
    await look_back(looking)
    past = looking.window.memory.past.widget
    await until(lambda: "green tea" in past.split.editor.text(), "the newest version")
    assert not past.file_button.isEnabled()
    assert not past.all_button.isEnabled()
    QTest.keyClick(past, Qt.Key.Key_Escape)
    assert not looking.window.memory.in_past


async def test_the_notice_of_a_past_state_goes_when_it_is_past_whichever_way_leads_back(stage: Stage) -> None:
    """It stands over no other conversation, and a moment asked for while one leads back does not bring it again."""
    person = await opened(stage)
    said = "You are looking at memory"
    for way in ("Escape", "Back to now", "another conversation", "asked for meanwhile"):
        await look_back(person)
        await person.until_said(said, person.chat)
        if way == "Escape":
            press(person.window, "Esc")
        elif way == "Back to now":
            person.click(way, person.chat)
        elif way == "another conversation":
            person.press("Ctrl+N")
        else:
            past = person.window.memory.past.widget
            past.moment_chosen.emit(datetime.now(), "")
            person.current.past.back()
        await until(lambda: not person.current.past.is_away, f"the present, by {way}")
        await rest(0.3)
        assert said not in words_in(person.chat), way
        assert "sent now" not in person.composer.edit.placeholderText(), way
        await until(
            lambda: "As it was on" not in person.timeline.header.status_label.text(),
            f"the timeline's present, by {way}",
        )
