"""Conversations of another assistant come into the window: what is asked, what is told before, and the way back."""

from pathlib import Path

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton

from mnemoscope.agent.importing.importer import ImportResult
from mnemoscope.agent.importing.imports import SeenImport
from mnemoscope.ui.sessions.import_dialog import ImportDialog
from tests.foreign_stores import chatgpt, claude_code
from tests.ui.window_fixture import Opened, Stage, until


def dialog_of(person: Opened) -> ImportDialog | None:
    found = person.window.findChildren(ImportDialog)
    return next((each for each in found if each.isVisible()), None)


async def asked(stage: Stage) -> tuple[Opened, ImportDialog]:
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person = await stage.open()
    await person.until_ready()
    person.current.actions["import"].trigger()
    await until(lambda: dialog_of(person), "the dialog of an import")
    dialog = dialog_of(person)
    assert dialog is not None
    return person, dialog


def export(folder: Path) -> Path:
    made = chatgpt.talk("c", "I live in Lisbon", "Noted", title="About Lisbon")
    made.say("assistant", "Lives in Lisbon.", recipient="bio")
    return chatgpt.write_zip(folder / "export.zip", [made, chatgpt.talk("d", "a", title="Short")])


def titles(person: Opened) -> set[str]:
    return {each.title for each in person.current.bench.sessions.overviews()}


async def test_what_is_new_is_told_before_it_comes_and_it_goes_with_one_press(stage: Stage, tmp_path: Path) -> None:
    person, dialog = await asked(stage)
    imports = person.current.imports
    assert not dialog.start.isEnabled()
    await imports.preview(export(tmp_path))
    assert dialog.report.text().startswith("2 new conversations from ChatGPT, 4 messages.")
    assert dialog.memories.toPlainText() == "Lives in Lisbon."
    assert "About Lisbon" not in titles(person)
    dialog.start.click()
    await person.until_said("2 conversations were imported from ChatGPT.")
    assert {"About Lisbon", "Short"} <= titles(person)
    await until(lambda: dialog_of(person) is None, "the dialog gone")
    found = person.current.bench.imports
    await imports.undo((await person.current.bench.disk.run(found.newest)) or "")
    await person.until_said("The import was taken back: 2 conversations are in the trash.")
    assert not {"About Lisbon", "Short"} & titles(person)


async def test_what_stays_with_another_agent_is_told(stage: Stage, tmp_path: Path) -> None:
    person, dialog = await asked(stage)
    await person.current.imports.preview(claude_code.sample_store(tmp_path / ".claude"))
    assert "1 conversations of subagents or of its archive stay there." in dialog.report.text().split("\n")


async def test_what_is_no_export_is_said(stage: Stage, tmp_path: Path) -> None:
    person, dialog = await asked(stage)
    (tmp_path / "notes").mkdir()
    await person.current.imports.preview(tmp_path / "notes")
    assert "no export" in dialog.report.text()
    assert not dialog.start.isEnabled()
    dialog.reject()
    await until(lambda: dialog_of(person) is None, "the dialog gone")
    await person.current.imports.preview(tmp_path / "notes")
    await person.current.imports.run()


async def test_each_control_has_a_name(stage: Stage) -> None:
    _, dialog = await asked(stage)
    for button in dialog.findChildren(QAbstractButton):
        interface = QAccessible.queryAccessibleInterface(button)
        assert interface.text(QAccessible.Text.Name)
    assert dialog.bar.accessibleName()
    assert dialog.report.accessibleName()
    dialog.show_reading(Path("export.zip"))
    dialog.show_progress(3, 10)
    assert dialog.bar.value() == 3
    result = ImportResult(grown=3, skipped=2, problems=("It may still be written.",))
    dialog.show_seen(SeenImport("Claude", result))
    assert dialog.report.text().splitlines()[1:] == [
        "3 conversations went on there and are replaced.",
        "2 went on or were deleted here and are left alone.",
        "It may still be written.",
    ]
    dialog.show_seen(SeenImport("Claude", ImportResult()))
    assert dialog.report.text() == "Everything in it is here already."
    dialog.reject()
