"""Faults in plain words: each says what is safe and what to do, does it when asked, and bears an id the log has."""

import json
import logging

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from mnemoscope.domain.errors import ServerUnreachable
from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import (
    KEY,
    Opened,
    Stage,
    TwoMinds,
    as_killed,
    messages_on_disk,
    question,
    rest,
    sentences,
    until,
)

FACTS = "# User\n\n- Name is Sam\n"
SAID = [("user" if number % 2 == 0 else "assistant", f"Message {number}.") for number in range(6)]


def bar_with(person: Opened, words: str) -> NoticeBar:
    """Returns the bar on show that says this."""
    found = [bar for bar in person.window.findChildren(NoticeBar) if bar.isVisible() and words in bar.sentence]
    assert len(found) == 1, sentences(person.window)
    return found[0]


async def test_a_fault_bears_an_id_that_the_log_has_and_the_clipboard_gets(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.make()
    person = await stage.open()
    with caplog.at_level(logging.WARNING):
        bar = person.chat.notify("danger", "It says “something secret” and broke.")
    assert len(bar.fault) == 5
    assert f"shown as {bar.fault}: It says “…” and broke." in caplog.text
    bar.copy_details()
    copied_words = QGuiApplication.clipboard().text()
    assert bar.fault in copied_words
    assert "It says “something secret” and broke." in copied_words
    assert person.chat.notify("info", "All is well.").fault == ""


async def test_a_damaged_record_is_looked_at_and_its_words_come_back(stage: Stage) -> None:
    stage.make(*SAID)
    file = stage.paths.sessions_dir / "desktop_test.jsonl"
    lost = json.dumps({"role": "user", "content": "The alarm code is in the blue book"}).encode()[:-6]
    before = file.read_bytes() + lost + b"\n"
    file.write_bytes(before)
    person = await stage.open()
    said = await person.until_said("1 damaged record")
    assert "moved to quarantine in .mnemoscope/quarantine. Everything else was read" in said
    person.click("View", person.chat)
    await until(lambda: isinstance(question(), DamagedRecordsDialog), "the damaged records")
    sheet = question()
    assert isinstance(sheet, DamagedRecordsDialog)
    assert sheet.list.count() == 1
    assert "blue" in sheet.words.toPlainText()
    assert '"role"' in sheet.bytes.toPlainText()
    person.composer.set_draft("Before.")
    sheet.restore.click()
    assert person.composer.draft() == "Before.\nThe alarm code is in the blue "
    person.composer.edit.undo()
    assert person.composer.draft() == "Before."
    assert file.read_bytes() == before


async def test_a_read_only_window_says_that_a_damaged_record_is_left_where_it_is(stage: Stage) -> None:
    stage.make(*SAID)
    file = stage.paths.sessions_dir / "desktop_test.jsonl"
    file.write_bytes(file.read_bytes() + b'{"role": \n')
    person = await stage.open(read_only=True)
    said = await person.until_said("damaged record")
    assert "left where" in said
    assert "moved to quarantine" not in said


@pytest.mark.parametrize("way", ["Keep", "Try again"])
async def test_an_answer_a_kill_cut_off_is_kept_or_asked_for_again(stage: Stage, way: str) -> None:
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["The first half", gate, " and more"]))
    person.send("Tell me.")
    await gate.reached.wait()
    await until(lambda: list(stage.paths.own.drafts_dir.glob("partial-*.json")), "the partial answer on disk")
    root = as_killed(stage.root)
    again = await stage.open(root, offline=ScriptedProvider("The whole answer."))
    said = await again.until_said("kept, marked as interrupted")
    assert "nothing else was lost" in said
    assert bar_with(again, "kept, marked").fault
    again.click(way, again.chat)
    if way == "Try again":
        await until(lambda: "The whole answer." in again.text, "another answer")
        await again.answered()
    assert not sentences(again.chat)
    contents = [(one["content"], bool(one.get("interrupted"))) for one in messages_on_disk(root)][len(SAID) :]
    assert contents[:2] == [("Tell me.", False), ("The first half", True)]
    assert [content for content, _ in contents[2:]] == (["The whole answer."] if way == "Try again" else [])
    gate.open.set()
    await person.answered()


async def test_what_is_said_of_an_answer_a_kill_cut_off_goes_when_the_conversation_goes_on(stage: Stage) -> None:
    """*Try again* would have the newest message answered, which is another one by then."""
    stage.make(*SAID)
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["The first half", gate, " and more"]))
    person.send("Tell me.")
    await gate.reached.wait()
    await until(lambda: list(stage.paths.own.drafts_dir.glob("partial-*.json")), "the partial answer on disk")
    again = await stage.open(as_killed(stage.root), offline=ScriptedProvider("Another answer."))
    await again.until_said("kept, marked as interrupted")
    await again.say("Something else.")
    assert not sentences(again.chat)
    gate.open.set()
    await person.answered()


@pytest.mark.logs_errors
async def test_a_failed_consolidation_is_archived_raw_without_a_model(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    no = ServerUnreachable("The server does not answer.")
    model = TwoMinds(memory=ScriptedProvider(no, no, no))
    person = await stage.open(offline=model)
    await person.bench.config.change(memory_window=4)
    person.current.actions["memory.consolidate"].trigger()
    said = await person.until_said("Memory not updated", person.timeline)
    assert "Nothing was written" in said
    await rest()
    assert len(sentences(person.window)) == 1, "said once"
    asked = len(model.memory.requests)
    person.click("Archive raw", person.timeline)
    await until(lambda: person.timeline.model.pointer == 4, "the pointer in its new place")
    await until(lambda: any("[RAW] 4 messages" in entry for entry in person.entries()), "the entry in the history")
    assert len(model.memory.requests) == asked
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    await until(lambda: not sentences(person.timeline), "the chip gone")
    assert person.key == KEY


@pytest.mark.logs_errors
async def test_a_failed_consolidation_leads_to_another_model(stage: Stage) -> None:
    stage.make(*SAID, memory=FACTS)
    no = ServerUnreachable("The server does not answer.")
    person = await stage.open(offline=TwoMinds(memory=ScriptedProvider(no, no, no)))
    await person.bench.config.change(memory_window=4)
    person.current.actions["memory.consolidate"].trigger()
    await person.until_said("Memory not updated", person.timeline)
    person.click("Other model…", person.timeline)
    await until(lambda: person.current.settings_controller.dialog is not None, "the settings")
    dialog = person.current.settings_controller.dialog
    assert dialog is not None
    focused = dialog.focusWidget()
    assert focused is not None
    assert focused.accessibleName() == "Model in the background"
    dialog.reject()


async def test_a_window_that_reads_along_names_who_writes(stage: Stage) -> None:
    stage.make(*SAID)
    await stage.open()
    looking = await stage.open(read_only=True)
    said = await looking.until_said("has this workspace open")
    assert len(bar_with(looking, "has this workspace open").fault) == 5
    assert said.startswith("This program has this workspace open for writing already. Nothing is written here")
    assert not [one for one in looking.chat.findChildren(QPushButton) if one.text() == "Try again"]
