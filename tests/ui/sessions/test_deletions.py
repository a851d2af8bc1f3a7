"""Conversations begun, deleted and brought back."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.ui.sessions.deletions import TrashDialog
from tests.ui.window_fixture import (
    KEY,
    PATIENCE,
    Opened,
    Stage,
    button,
    messages_on_disk,
    question,
    rest,
    sentences,
    until,
)


async def titles(person: Opened) -> list[str]:
    return sorted(one.title for one in await person.bench.conversations.overviews())


async def until_titles(person: Opened, *wanted: str) -> None:
    ends = monotonic() + PATIENCE
    while (found := await titles(person)) != list(wanted) and monotonic() < ends:
        await rest(0.01)
    assert found == list(wanted)


def three(stage: Stage) -> None:
    stage.make(("user", "One."), ("assistant", "Yes."))
    for key, words in (("desktop:b", "Two."), ("desktop:c", "Three.")):
        stage.write_session(("user", words), ("assistant", "Yes."), key=key)


async def delete(person: Opened, key: str) -> None:
    person.current.sessions.open(key)
    await person.until_ready()
    person.current.actions["conversation.delete"].trigger()
    await until(lambda: person.bench.sessions.path_of(key) is None, "the deletion")
    await person.until_said("moved to the trash")
    await person.until_ready()


async def test_new_uses_the_empty_conversation_that_is_there_and_writes_no_file(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    for _ in range(3):
        person.current.sessions.new()
        await rest(0.1)
    await until_titles(person, "", "One.", "Three.", "Two.")
    await person.until_ready()
    assert len(list(stage.paths.sessions_dir.glob("*.jsonl"))) == 3
    await person.say("Hello")
    assert messages_on_disk(stage.root, person.key)[0]["content"] == "Hello"


async def test_a_command_as_first_words_names_nothing(stage: Stage) -> None:
    person = await stage.open()
    await person.say("/help")
    assert await titles(person) == [""]


async def test_each_deletion_of_a_series_can_be_undone(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    person.current.actions["conversation.delete"].trigger()
    await person.until_said("moved to the trash")
    await person.until_ready()
    person.current.actions["conversation.delete"].trigger()
    await person.until_said("2 conversations were moved to the trash.")
    await person.until_ready()
    assert len(await titles(person)) == 1
    person.click("Undo the last", person.chat)
    await person.until_said("was moved to the trash")
    assert len(await titles(person)) == 2
    person.click("Undo", person.chat)
    await until_titles(person, "One.", "Three.", "Two.")


async def test_undo_pressed_twice_brings_back_once_and_says_nothing_else(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    person.current.actions["conversation.delete"].trigger()
    await person.until_said("moved to the trash")
    await person.until_ready()
    undo = button(person.chat, "Undo")
    assert undo is not None
    undo.click()
    undo.click()
    await until_titles(person, "One.", "Three.", "Two.")
    await until(lambda: not sentences(person.chat), "the bar gone")
    await rest()
    assert sentences(person.chat) == []


async def test_all_deletions_can_be_undone_at_once_and_leave_no_empty_conversation(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    for count in (1, 2, 3):
        person.current.actions["conversation.delete"].trigger()
        await person.until_said(f"{count} conversations" if count > 1 else "moved to the trash")
        await person.until_ready()
    assert await titles(person) == [""]
    person.click("Undo all", person.chat)
    await until(lambda: person.bench.sessions.path_of(KEY), "the last one back")
    await until_titles(person, "One.", "Three.", "Two.")


async def test_what_was_deleted_in_an_earlier_run_is_restored_from_the_list(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    await delete(person, "desktop:b")
    await person.close()
    again = await stage.open()
    again.current.actions["conversation.restore"].trigger()
    await until(lambda: isinstance(question(), TrashDialog), "the list of deleted conversations")
    dialog = question()
    assert isinstance(dialog, TrashDialog)
    assert "Two." in dialog.list.item(0).text()
    assert "2 messages" in dialog.list.item(0).text()
    again.click("Restore", dialog)
    await until(lambda: again.key == "desktop:b", "the conversation")
    await until(lambda: not dialog.list.isVisible(), "an empty trash")
    assert await titles(again) == ["One.", "Three.", "Two."]
    dialog.close()
    await rest(0.05)


async def test_a_title_from_elsewhere_turns_no_words_in_the_trash_and_is_read_at_a_glance(stage: Stage) -> None:
    three(stage)
    title = "Tea \u202egnp.exe\x1b[31m\u2028and \u4f60\u597d " + "x" * 5_000
    SessionManager(stage.root).set_title("desktop:b", title)
    person = await stage.open()
    await delete(person, "desktop:b")
    person.current.actions["conversation.restore"].trigger()
    await until(lambda: bool(trash_of(person)), "the list")
    [dialog] = trash_of(person)
    named, facts = dialog.list.item(0).text().split("\n")
    assert named.startswith("Tea gnp.exe [31m and \u4f60\u597d xxx")
    assert len(named) == 200
    assert facts.startswith("2 messages")
    dialog.close()
    await rest(0.05)


async def test_the_way_back_stays_while_other_conversations_are_looked_at(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    person.current.actions["conversation.delete"].trigger()
    await person.until_said("moved to the trash")
    await person.until_ready()
    person.current.sessions.new()
    await person.until_ready()
    person.click("Undo", person.chat)
    await until(lambda: person.bench.sessions.path_of(KEY), "the conversation back")
    await until(lambda: not any("trash" in one for one in sentences(person.window)), "the bar gone")


async def test_enter_in_the_list_of_deleted_ones_brings_back_one_and_says_nothing_else(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    await delete(person, "desktop:b")
    await delete(person, "desktop:c")
    person.current.actions["conversation.restore"].trigger()
    await until(lambda: bool(trash_of(person)), "the list")
    [dialog] = trash_of(person)
    asked: list[object] = []
    dialog.restore_requested.connect(asked.append)
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert len(asked) == 1
    await until(lambda: dialog.list.count() == 1, "one less in the list")
    await until_titles(person, "One.", "Three.")
    dialog.reject()


async def test_the_list_of_deleted_ones_may_be_closed_while_one_is_brought_back(stage: Stage) -> None:
    three(stage)
    person = await stage.open()
    await delete(person, "desktop:b")
    person.current.actions["conversation.restore"].trigger()
    await until(lambda: bool(trash_of(person)), "the list")
    [dialog] = trash_of(person)
    dialog.restore.click()
    dialog.close()
    await until_titles(person, "One.", "Three.", "Two.")
    await rest(0.1)
    assert not [each for each in sentences(person.chat) if "could not" in each or "went wrong" in each]


def trash_of(person: Opened) -> list[TrashDialog]:
    return [each for each in person.window.findChildren(TrashDialog) if each.isVisible()]
