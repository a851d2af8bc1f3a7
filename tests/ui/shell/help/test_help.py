"""The Help menu: a report that is copied whole, keys that hold in the window, and the page of what is new."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QPushButton

from mnemoscope.agent.cli.doctor import DiagnosticSection, Finding
from mnemoscope.ui.memory.editor.editing_keys import editing_commands
from mnemoscope.ui.shell.help.diagnostics_dialog import DiagnosticsDialog
from mnemoscope.ui.shell.help.keys_dialog import KeysDialog
from tests.ui.window_fixture import Opened, Stage, until


async def test_the_report_is_shown_and_copied(stage: Stage) -> None:
    person = await stage.open()
    person.current.actions["help.diagnostics"].trigger()
    (dialog,) = person.window.findChildren(DiagnosticsDialog)
    await until(dialog.copy_button.isEnabled, "the report")
    assert "nothing is damaged" in dialog.report.toPlainText()
    dialog.copy_button.click()
    copied = QApplication.clipboard().text()
    assert "nothing is damaged" in copied
    # The same words stand in both; what is copied keeps its columns where letters are of one width.
    assert copied.split() == dialog.report.toPlainText().split()
    assert "Python    " in copied
    dialog.close()


async def test_the_report_has_one_scroll_bar_whatever_is_in_it(stage: Stage) -> None:
    person = await stage.open()
    person.current.actions["help.diagnostics"].trigger()
    (dialog,) = person.window.findChildren(DiagnosticsDialog)
    await until(dialog.copy_button.isEnabled, "the report")
    path = Finding("Log", "~/" + "very-long-name/" * 30, is_warning=True)
    dialog.show_report([DiagnosticSection("Folders", (path, Finding("A short one", "works")))], "")
    for width in (760, 420):
        dialog.resize(width, 600)
        assert not dialog.report.horizontalScrollBar().isVisible()
        assert dialog.report.document().idealWidth() <= dialog.report.viewport().width()
        block = dialog.report.document().begin().next()
        assert block.text().startswith("! Log\t~/very")
        places = [block.layout().lineAt(number).naturalTextRect() for number in range(block.layout().lineCount())]
        assert len(places) > 3
        # The lines after the first begin below what was found, not below its name.
        value = block.layout().lineAt(0).cursorToX(block.text().index("~"))[0]  # type: ignore[index] # says float
        assert abs(places[1].left() - value) <= 1
    dialog.close()


def header_button(person: Opened) -> QPushButton:
    """Returns the button of the header that opens the palette."""
    buttons = person.window.header.findChildren(QPushButton)
    return next(each for each in buttons if each.accessibleName() == "Command palette")


def dialog_keys(person: Opened, command: str, keys: list[str]) -> None:
    """Gives a command these keys in the list of keys."""
    person.current.actions["help.keys"].trigger()
    *_, dialog = person.window.findChildren(KeysDialog)
    dialog.changed.emit(command, keys)
    dialog.close()


async def test_changed_keys_hold_in_the_window_and_after_it(stage: Stage) -> None:
    person = await stage.open()
    person.current.actions["help.keys"].trigger()
    (dialog,) = person.window.findChildren(KeysDialog)
    dialog.changed.emit("memory.consolidate", ["Ctrl+Alt+C"])
    dialog.close()
    assert person.current.actions["memory.consolidate"].shortcut().toString() == "Ctrl+Alt+C"
    assert header_button(person).text().strip() == "Ctrl K"
    dialog_keys(person, "palette", ["Ctrl+Alt+P", "Ctrl+Shift+P"])
    assert header_button(person).text().strip() == "Ctrl Alt P"
    await person.close()
    again = await stage.open()
    assert again.current.actions["memory.consolidate"].shortcut().toString() == "Ctrl+Alt+C"
    assert header_button(again).text().strip() == "Ctrl Alt P"
    dialog_keys(again, "palette", [])
    assert header_button(again).text().strip() == ""


class GermanKeys(QTranslator):
    """Names the keys as a German system does."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        del disambiguation, n
        return {"Ctrl": "Strg", "Shift": "Umschalt"}.get(text) if context == "QShortcut" else None


@pytest.fixture
def german_keys(qapp: QApplication) -> Iterator[None]:
    translator = GermanKeys()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.mark.usefixtures("german_keys")
async def test_keys_are_named_as_the_system_names_them_wherever_they_stand(stage: Stage) -> None:
    person = await stage.open()
    assert header_button(person).text().strip() == "Strg K"
    assert person.window.sessions.new_button.toolTip() == "New conversation (Strg+N)"
    person.press("Ctrl+K")
    choices = person.window.command_palette.widget._all
    assert {each.hint for each in choices} >= {"Strg+N", "Strg+Umschalt+F", "Strg++"}
    dialog_keys(person, "palette", ["Ctrl++"])
    assert header_button(person).text().strip() == "Strg +"


async def test_buttons_name_the_keys_that_were_given_to_their_command(stage: Stage) -> None:
    person = await stage.open()
    save = person.memory.toolbar.save_button
    assert save.toolTip() == "Save MEMORY.md (Ctrl+S)"
    dialog_keys(person, "memory.save", ["Ctrl+Alt+S"])
    dialog_keys(person, "find", [])
    assert save.toolTip() == "Save MEMORY.md (Ctrl+Alt+S)"
    assert save.accessibleName() == "Save MEMORY.md"
    find = person.memory.toolbar.find_button
    assert (find.toolTip(), find.accessibleName()) == ("Find", "Find")
    await person.close()
    again = await stage.open()
    soul = again.window.memory.document("SOUL.md").toolbar
    assert soul.save_button.toolTip() == "Save SOUL.md (Ctrl+Alt+S)"
    assert soul.find_button.toolTip() == "Find"
    dialog_keys(again, "view.maximise", ["Ctrl+Alt+M"])
    titles = again.window.inspector.titles()
    assert {title.maximise_button.toolTip() for title in titles} == {"Maximise or restore (Ctrl+Alt+M)"}


async def test_changed_keys_of_the_text_hold_in_each_memory_file_and_after_it(stage: Stage) -> None:
    person = await stage.open()
    person.current.actions["help.keys"].trigger()
    (dialog,) = person.window.findChildren(KeysDialog)
    dialog.changed.emit("text.bold", ["Ctrl+Alt+B"])
    dialog.close()
    editor = person.window.memory.main.editor
    editor.load("word")
    editor.setFocus()
    person.press("Ctrl+Alt+B")
    assert editor.text() == "**word**"
    person.press("Ctrl+B")
    assert editor.text() == "**word**", "the keys that were its own are those of the window alone"
    menu = editor.menu()
    assert "Bold\tCtrl+Alt+B" in [action.text() for action in menu.findChildren(QAction)]
    menu.deleteLater()
    editor.document().setModified(False)
    bold = next(each for each in editing_commands() if each.id == "bold")
    assert person.window.memory.show_file("USER.md").editor.keys.keys_of(bold) == "Ctrl+Alt+B"
    await person.close()
    again = await stage.open()
    assert again.window.memory.main.editor.keys.keys_of(bold) == "Ctrl+Alt+B"


async def test_what_is_new_is_a_page_of_the_manual(stage: Stage) -> None:
    person = await stage.open()
    person.current.actions["help.news"].trigger()
    assert person.current.manual.window is not None
    assert person.current.manual.window.page == "what-is-new"


async def test_the_keys_are_listed_by_a_key(stage: Stage) -> None:
    person = await stage.open()
    person.composer.edit.setFocus()
    person.press("Ctrl+?")
    await until(lambda: person.window.findChildren(KeysDialog), "the keys")
    (dialog,) = person.window.findChildren(KeysDialog)
    assert dialog.isVisible()
    assert person.composer.draft() == ""
    dialog.close()
