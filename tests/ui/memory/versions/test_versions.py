"""Versions of memory files in the whole window: one list, word by word, and the ways back."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.scripted_provider import ScriptedProvider
from tests.support.telltale_model import save_memory
from tests.ui.window_fixture import Opened, Stage, TwoMinds, button, press, until, words_in

FACTS = "# User\n\n- Name is Sam\n- Likes tea\n\n## Work\n\n- Builds kilns\n- Deadline is 12 May\n"
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(4)]


async def opened(stage: Stage, *texts: str) -> Opened:
    """Returns a window on a workspace in which the person has saved these texts one after the other."""
    stage.make(*SAID, memory=FACTS)
    person = await stage.open()
    for text in texts:
        await save(person, text)
    return person


async def save(person: Opened, text: str) -> None:
    person.memory.editor.replace_text(text)
    person.memory.save()
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    await person.bench.commits.kept()


async def look(person: Opened, count: int) -> None:
    person.current.actions["memory.changes"].trigger()
    view = person.memory.body.versions.widget
    listed = view.list.versions
    await until(lambda: len([row for row in listed.rows if row.commit]) == count, f"{count} versions, {listed.rows}")
    await until(lambda: view.diff.text.toPlainText(), "what it changed")
    # A list that comes later looks at the newest again.
    await until(lambda: not is_listing(), "the list as it stays")


def is_listing() -> bool:
    """Returns whether versions are still being listed or compared."""
    return any(task.get_name() == "versions" for task in asyncio.all_tasks())


def on_disk(stage: Stage) -> str:
    return stage.paths.memory_file.read_text("utf-8")


async def test_changes_and_versions_are_one_list(stage: Stage) -> None:
    first, second = FACTS.replace("tea", "green tea"), FACTS.replace("tea", "green tea").replace("12 May", "16 May")
    person = await opened(stage, first, second)
    await look(person, 3)
    view = person.memory.body.versions.widget
    assert [row.author for row in view.list.versions.rows] == ["You", "You", "Mnemoscope"]
    assert [bool(row.change) for row in view.list.versions.rows] == [True, True, False]
    assert "+- Deadline is 16 May" in view.diff.text.toPlainText().replace("+ ", "+")
    assert "Change: " in view.details.toolTip()


async def test_a_consolidations_version_leads_to_its_messages_and_a_persons_offers_none(stage: Stage) -> None:
    learnt = FACTS + "- Owns a wheel\n"
    stage.make(*SAID, memory=FACTS, memoryWindow=2)
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(save_memory("Sam owns a wheel.", learnt))))
    person.current.actions["memory.consolidate"].trigger()
    await until(lambda: person.memory.editor.text() == learnt, "what was consolidated")
    await save(person, learnt.replace("tea", "green tea"))
    await look(person, 3)
    view = person.memory.body.versions.widget
    assert [row.author for row in view.list.versions.rows] == ["You", "Consolidation", "Mnemoscope"]
    assert view.messages_button.isHidden()
    view.list.choose(1)
    await until(lambda: not view.messages_button.isHidden(), "the way to the messages")
    person.click("Show messages", view)
    timeline = person.timeline.view
    await until(lambda: timeline.current is not None and timeline.current.number == 0, "the first message")
    view.list.choose(2)
    assert view.messages_button.isHidden()


async def test_a_version_is_looked_at_alone_whichever_keys_are_held(stage: Stage) -> None:
    """The window goes to a version by a key, and Ctrl may still be down then."""
    person = await opened(stage, FACTS.replace("tea", "green tea"))
    await look(person, 2)
    listed = person.memory.body.versions.widget.list
    QTest.keyPress(person.window, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    try:
        listed.choose(1)
        assert [row.author for row in listed.chosen] == ["Mnemoscope"]
    finally:
        QTest.keyRelease(person.window, Qt.Key.Key_Control)


async def test_the_list_opens_at_the_newest_whatever_was_looked_at_the_last_time(stage: Stage) -> None:
    first = FACTS.replace("tea", "green tea")
    person = await opened(stage, first)
    await look(person, 2)
    view = person.memory.body.versions.widget
    view.list.choose(1)
    view.closed.emit()
    await save(person, first.replace("12 May", "16 May"))
    await look(person, 3)
    assert view.list.chosen == view.list.versions.rows[:1]
    assert "16 May" in view.diff.text.toPlainText()


async def test_versions_that_are_made_anew_without_forgotten_words_take_the_place_of_those_listed(stage: Stage) -> None:
    first = FACTS.replace("tea", "green tea")
    person = await opened(stage, first, f"{first}- Owns a teapot from Leeds\n")
    await look(person, 3)
    listed = person.memory.body.versions.widget.list.versions
    forgetting = person.bench.forgetting
    plan = await forgetting.plan(["Owns a teapot from Leeds"])
    before = [row.commit for row in listed.rows if row.commit]
    await forgetting.carry_out(plan.text, plan.everything, ())
    await until(lambda: [row.commit for row in listed.rows if row.commit] != before, "other versions")
    await until(lambda: not is_listing(), "the end of the list")
    ids = [commit.id for commit in await person.bench.commits.page("memory/MEMORY.md")]
    assert [row.commit.id for row in listed.rows if row.commit] == ids
    view = person.memory.body.versions.widget
    assert "teapot" not in words_in(view) + view.diff.text.toPlainText()


async def test_any_two_versions_are_compared(stage: Stage) -> None:
    first, second = FACTS.replace("tea", "green tea"), FACTS.replace("tea", "green tea").replace("12 May", "16 May")
    person = await opened(stage, first, second)
    await look(person, 3)
    view = person.memory.body.versions.widget
    view.list.setFocus()
    QTest.keyClick(view.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    await until(lambda: view.diff.text.passages == 2, "both changes between the newest and the oldest")
    assert not view.undo_button.isEnabled()
    assert not view.restore_button.isEnabled()
    assert view.passage_button.isEnabled()


async def test_one_passage_is_put_back_and_the_rest_stays(stage: Stage) -> None:
    both = FACTS.replace("tea", "green tea").replace("12 May", "16 May")
    later = both + "- Owns a wheel\n"
    person = await opened(stage, both, later)
    await look(person, 3)
    view = person.memory.body.versions.widget
    view.list.choose(1)
    await until(lambda: view.diff.text.passages == 2, "both passages of the older change")
    view.diff.text.setFocus()
    press(person.window, "N")
    assert view.diff.text.passage == 1
    press(person.window, "R")
    await person.until_said("The passage is as it was", person.memory)
    assert on_disk(stage) == later.replace("16 May", "12 May")
    await until(lambda: person.memory.editor.text() == on_disk(stage), "the editor follows")


async def test_a_passage_that_was_changed_since_is_left_alone(stage: Stage) -> None:
    person = await opened(stage, FACTS.replace("tea", "green tea"), FACTS.replace("tea", "coffee"))
    await look(person, 3)
    view = person.memory.body.versions.widget
    view.list.choose(1)
    await until(
        lambda: "green tea" in view.diff.text.toPlainText() and view.passage_button.isEnabled(), "the older one"
    )
    person.click("Put this passage back", person.memory)
    await person.until_said("nothing was put back", person.memory)
    assert "coffee" in on_disk(stage)


async def test_the_first_version_is_restored_whole_and_that_is_a_version_too(stage: Stage) -> None:
    person = await opened(stage, FACTS.replace("tea", "green tea"))
    await look(person, 2)
    view = person.memory.body.versions.widget
    view.list.choose(1)
    await until(view.restore_button.isEnabled, "the oldest")
    assert not view.undo_button.isEnabled()
    assert "It is no change, so there is nothing to undo" in view.details.text()
    person.click("Restore this version", person.memory)
    await until(lambda: on_disk(stage) == FACTS, "the first text")
    await until(lambda: person.memory.editor.text() == FACTS, "the editor follows")
    await until(lambda: not view.isVisible() and not is_listing(), "the text in place of its versions")
    await person.bench.commits.kept()
    await look(person, 3)


async def test_a_version_is_compared_with_the_text_as_it_is_now(stage: Stage) -> None:
    person = await opened(stage, FACTS.replace("tea", "green tea"), FACTS.replace("12 May", "16 May"))
    await look(person, 3)
    view = person.memory.body.versions.widget
    view.list.choose(2)
    person.click("Compare with now", person.memory)
    await until(lambda: "green" not in view.diff.text.toPlainText(), "what became of it")
    assert "16 May" in view.diff.text.toPlainText()


async def test_older_versions_are_loaded_as_the_end_of_the_list_comes_into_sight(stage: Stage) -> None:
    person = await opened(stage, *(FACTS + f"- Fact {number}\n" for number in range(60)))
    person.current.actions["memory.changes"].trigger()
    view = person.memory.body.versions.widget
    await until(lambda: len(view.list.versions.rows) >= 50, "the first page")
    view.list.setFocus()

    def all_shown() -> bool:
        press(person.window, "End")
        return len(view.list.versions.rows) == 61

    await until(all_shown, "all of them")
    assert view.list.versions.rows[-1].author == "Mnemoscope"


async def test_each_file_has_versions_of_its_own(stage: Stage) -> None:
    person = await opened(stage, FACTS.replace("tea", "green tea"))
    person.window.memory.show_file("USER.md")
    document = person.window.memory.current
    await until(lambda: document.editor.text(), "USER.md")
    document.editor.replace_text("# About you\n\nSam.\n")
    document.save()
    await until(lambda: not document.is_dirty(), "USER.md saved")
    await person.bench.commits.kept()
    assert (stage.root / "USER.md").read_text("utf-8") == "# About you\n\nSam.\n"
    person.current.actions["memory.changes"].trigger()
    await until(
        lambda: len([row for row in document.body.versions.widget.list.versions.rows if row.commit]) == 2,
        "the two of USER.md",
    )
    assert all(row.commit and "USER.md" in row.commit.files for row in document.body.versions.widget.list.versions.rows)
    assert on_disk(stage) == FACTS.replace("tea", "green tea")


async def test_a_window_that_only_reads_looks_and_restores_nothing(stage: Stage) -> None:
    person = await opened(stage, FACTS.replace("tea", "green tea"))
    await person.close()
    looking = await stage.open(read_only=True)
    await look(looking, 2)
    view = looking.memory.body.versions.widget
    assert not view.undo_button.isEnabled()
    assert not view.restore_button.isEnabled()
    assert not view.passage_button.isEnabled()


async def test_escape_leads_back_to_the_text(stage: Stage) -> None:
    person = await opened(stage, FACTS.replace("tea", "green tea"))
    await look(person, 2)
    press(person.window, "Esc")
    assert person.memory.body.page == "text"
    assert button(person.memory, "Versions") is not None


async def test_an_empty_guide_is_no_unsaved_one_and_begins_with_mnemoscopes(stage: Stage) -> None:
    person = await opened(stage)
    document = person.window.memory.show_file("prompts/dream.md")
    await until(lambda: document.body.page == "empty", "that there is none")
    assert "own guide is followed" in document.body.empty.sentence.text()
    assert person.window.memory.tabs.tabText(3) == "dream.md"
    person.click("Start from Mnemoscope's guide")
    await until(lambda: "You tend the long-term memory" in document.editor.text(), "the guide")
    assert person.window.memory.tabs.tabText(3) == "● dream.md"
    assert not (stage.root / "prompts" / "dream.md").exists()
    person.press("Ctrl+S")
    await until(lambda: not document.is_dirty(), "the guide saved")
    assert (stage.root / "prompts" / "dream.md").read_text("utf-8") == document.editor.text()
    assert person.window.memory.tabs.tabText(3) == "dream.md"


async def test_unsaved_words_of_another_file_come_back_after_a_restart_and_are_marked_before(stage: Stage) -> None:
    person = await opened(stage)
    document = person.window.memory.show_file("SOUL.md")
    await until(lambda: document.editor.text(), "SOUL.md")
    document.editor.replace_text(document.editor.text() + "- Speak plainly.\n")
    await person.close()
    again = await stage.open()
    assert again.window.memory.tabs.tabText(1) == "● SOUL.md"
    assert "SOUL.md" not in again.window.memory.documents
    document = again.window.memory.show_file("SOUL.md")
    await until(lambda: "Speak plainly" in document.editor.text(), "the unsaved words")
    assert document.is_dirty()
    assert "Speak plainly" not in (stage.root / "SOUL.md").read_text("utf-8")


async def test_a_change_of_another_file_from_outside_shows_in_its_tab(stage: Stage) -> None:
    person = await opened(stage)
    document = person.window.memory.show_file("SOUL.md")
    await until(lambda: document.editor.text(), "SOUL.md")
    await person.current.watcher.rescan()
    (stage.root / "SOUL.md").write_text("# Soul\n\n- Be kind.\n", "utf-8")
    await person.current.watcher.rescan()
    await until(lambda: "Be kind" in document.editor.text(), "the other program's text")
    await person.until_said("SOUL.md was changed outside", document)
    assert person.memory.editor.text() == FACTS
