"""Conversations of another assistant come into the window: what is asked, what is told before, and the way back."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QLabel

from mnemoscope.agent.importing.importer import ImportResult
from mnemoscope.agent.importing.imports import ImportReport
from mnemoscope.ui.sessions.import_dialog import ImportDialog
from tests.foreign_stores import chatgpt, claude_code
from tests.ui.window_fixture import Opened, Stage, sentences, until


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


def seen_with(memories: int) -> ImportReport:
    return ImportReport("ChatGPT", ImportResult(memories=tuple(f"Fact {number}." for number in range(memories))))


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
    person.click("Open conversation", person.window.chat)
    await until(lambda: person.key == "chatgpt:c", "the newest of them")
    person.click("Review", person.window.chat)
    reviews = person.current.reviews
    await until(lambda: reviews.dialog is not None and reviews.dialog.isVisible(), "what waits")
    assert reviews.dialog is not None
    await until(lambda: dialog_of(person) is None, "the dialog gone")
    reviews.dialog.reject()
    found = person.current.bench.imports
    await imports.undo((await person.current.bench.disk.run(found.newest)) or "")
    await person.until_said("The import was taken back: 2 conversations are in the trash.")
    assert not any("were imported" in words for words in sentences(person.window))
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
    dialog.show_seen(ImportReport("Claude", result))
    assert dialog.report.text().splitlines()[1:] == [
        "3 conversations went on there and are replaced.",
        "2 went on or were deleted here and are left alone.",
        "It may still be written.",
    ]
    dialog.show_seen(ImportReport("Claude", ImportResult()))
    assert dialog.report.text() == "Everything in it is here already."
    dialog.reject()


async def test_a_few_memories_leave_no_empty_room_and_many_can_have_all_of_it(stage: Stage) -> None:
    _, dialog = await asked(stage)
    line = dialog.memories.fontMetrics().lineSpacing()
    dialog.show_seen(seen_with(1))
    await until(lambda: dialog.memories.height() <= 3 * line, "a box for one memory")
    small = dialog.height()
    for count in (1, 4, 6):
        dialog.show_seen(seen_with(count))
        await until(lambda: dialog.memories.verticalScrollBar().maximum() == 0, "each line in sight")
    dialog.show_seen(seen_with(40))
    await until(lambda: dialog.memories.height() >= 6 * line, "a box for six lines")
    dialog.resize(dialog.width(), dialog.height() + 200)
    await until(lambda: dialog.memories.height() >= 6 * line + 200, "the room that is given")
    dialog.show_seen(seen_with(1))
    assert dialog.height() == small


async def test_words_stay_whole_while_a_file_is_looked_at(stage: Stage, tmp_path: Path) -> None:
    _, dialog = await asked(stage)
    labels = dialog.findChildren(QLabel)

    def are_whole() -> bool:
        return all(each.height() >= each.heightForWidth(each.width()) for each in labels)

    dialog.show_reading(tmp_path)
    await until(are_whole, "what is read")
    dialog.show_working()
    await until(are_whole, "what is imported")
    dialog.show_fault("Broken. " * 60)
    await until(are_whole, "what is wrong")


async def test_a_dialog_is_not_busy_for_ever_where_something_unforeseen_happened(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, dialog = await asked(stage)

    async def broken(*_: object) -> None:
        raise RuntimeError("unforeseen")

    imports = person.current.imports
    # What is unforeseen cannot be brought about.
    monkeypatch.setattr(person.current.bench.imports, "preview", broken)
    monkeypatch.setattr(person.current.bench.imports, "run", broken)
    for started in (imports.preview(tmp_path), imports.run()):
        with pytest.raises(RuntimeError, match="unforeseen"):
            await started
        assert not dialog.bar.isVisible()
        assert dialog.choose_file.isEnabled()
        assert dialog.leave.text() == "Cancel"
        assert "…" not in dialog.report.text()
