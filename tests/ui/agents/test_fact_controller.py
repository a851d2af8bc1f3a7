"""A fact is copied to another agent on a press, undone on another, and shown as it would stand before either."""

import asyncio
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from mnemoscope.ui.agents.fact_dialog import FactDialog
from tests.foreign_stores.hashes import hashes_of
from tests.foreign_stores.notes import written
from tests.ui.window_fixture import Opened, Stage, press, until

FILES = {
    ".claude/CLAUDE.md": "# Mine\n- Likes green tea\n",
    ".claude/projects/-home-ada/memory/tea.md": "---\nname: tea\n---\nShe drinks it at four.\n",
    ".hermes/config.yaml": "memory:\n  memory_char_limit: 40\n",
    ".hermes/memories/MEMORY.md": "Lives in Graz",
}
MEMORY = "# Facts\n\n- Likes green tea.\n- Plays the cello\n"


async def opened(stage: Stage, home: Path, *, agrees: bool = True) -> Opened:
    written(home, FILES)
    stage.make(("user", "About tea."), memory=MEMORY)
    person = await stage.open()
    agents = person.current.agents
    agents.consent.look_below(home, {})
    if agrees:
        agents.consent.agree()
    return person


def caret_in(person: Opened, words: str) -> None:
    editor = person.current.main_window.memory.editor
    found = editor.document().find(words)
    found.clearSelection()
    editor.setTextCursor(found)


def dialog_of(person: Opened) -> FactDialog:
    dialog = person.current.agents.facts.dialog
    assert dialog is not None
    return dialog


async def offered(person: Opened, words: str) -> FactDialog:
    caret_in(person, words)
    person.current.actions["memory.copy"].trigger()
    dialog = dialog_of(person)
    await until(lambda: dialog.files.count() == 2, "the files of other agents")
    await until(lambda: dialog.budget.text(), "what would change")
    return dialog


def choose(dialog: FactDialog, at: int) -> None:
    dialog.files.setCurrentIndex(at)
    dialog.files.activated.emit(at)


def action(menu: QMenu, words: str) -> QAction:
    return next(each for each in menu.actions() if each.text().startswith(words))


async def test_a_line_is_shown_copied_and_taken_back(stage: Stage, tmp_path: Path) -> None:
    home = tmp_path / "ada"
    person = await opened(stage, home)
    before = hashes_of(home)
    dialog = await offered(person, "cello")
    assert [dialog.files.itemText(at) for at in (0, 1)] == [
        "Claude Code · CLAUDE.md",
        "Hermes Agent · MEMORY.md · memories",
    ]
    assert dialog.fact.text() == "Plays the cello"
    assert dialog.budget.text() == "All of this file is loaded into each prompt."
    assert "+ - Plays the cello" in dialog.difference.text.toPlainText()
    assert hashes_of(home) == before
    assert not dialog.undo.isVisible()
    dialog.copy.setFocus()
    dialog.copy.click()
    await until(dialog.undo.isVisible, "the copy")
    assert dialog.focusWidget() is dialog.leave
    assert (home / ".claude" / "CLAUDE.md").read_text() == "# Mine\n- Likes green tea\n- Plays the cello\n"
    assert dialog.said.text() == "Copied to CLAUDE.md of Claude Code: “Plays the cello”"
    await until(lambda: not dialog.difference.text.toPlainText(), "that nothing is left to do")
    assert not dialog.copy.isEnabled()
    assert not dialog.warning.isVisible()
    dialog.reject()
    again = await offered(person, "cello")
    assert again is not dialog
    await until(again.undo.isVisible, "the way back, still there")
    again.undo.setFocus()
    again.undo.click()
    await until(lambda: again.said.text() == "Undone: the file says what it said before.", "the undo")
    assert (home / ".claude" / "CLAUDE.md").read_text() == FILES[".claude/CLAUDE.md"]
    assert not again.undo.isVisible()
    assert again.focusWidget() is again.leave
    await until(again.copy.isEnabled, "another try")


async def test_a_difference_that_comes_for_a_file_that_was_left_is_not_shown(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada")
    dialog = await offered(person, "cello")
    dialog.show_copy(None)
    looking = asyncio.ensure_future(person.current.agents.facts.look())
    await asyncio.sleep(0)
    dialog.files.setCurrentIndex(1)
    await looking
    assert not dialog.copy.isEnabled()
    assert not dialog.difference.text.toPlainText()


async def test_what_changed_meanwhile_is_said_and_stays(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada")
    file = tmp_path / "ada" / ".claude" / "CLAUDE.md"
    dialog = await offered(person, "cello")
    file.write_text("- theirs\n")
    dialog.copy.click()
    await until(lambda: "CLAUDE.md was changed meanwhile." in dialog.said.text(), "the refusal")
    assert file.read_text() == "- theirs\n"
    await until(dialog.copy.isEnabled, "the difference, anew")
    assert "theirs" in dialog.difference.text.toPlainText()
    dialog.copy.click()
    await until(dialog.undo.isVisible, "the copy")
    file.write_text("- theirs\n- Plays the cello\n- more\n")
    dialog.undo.click()
    await until(lambda: "CLAUDE.md was changed meanwhile." in dialog.said.text(), "the refusal of the undo")
    assert file.read_text() == "- theirs\n- Plays the cello\n- more\n"
    assert dialog.undo.isEnabled()


async def test_a_fact_that_is_there_and_one_without_room_are_not_copied(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada")
    dialog = await offered(person, "green")
    assert dialog.warning.text() == "Claude Code holds this fact already."
    assert not dialog.copy.isEnabled()
    choose(dialog, 1)
    await until(dialog.copy.isEnabled, "the room of the other file")
    assert dialog.budget.text() == "With it the file has 32 of 40 characters."
    dialog.fact.setText("Likes green tea, and a great deal of it")
    dialog.fact.textEdited.emit(dialog.fact.text())
    await until(lambda: dialog.warning.text() == "The file has no room for it: Hermes Agent takes no more.", "no room")
    assert not dialog.copy.isEnabled()
    press(dialog.fact, "Return")
    assert (tmp_path / "ada" / ".hermes" / "memories" / "MEMORY.md").read_text() == "Lives in Graz"
    dialog.fact.setText(" ")
    dialog.fact.textEdited.emit(" ")
    await until(lambda: "There are no words to copy." in dialog.warning.text(), "the missing words")


async def test_a_key_is_warned_of(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada")
    dialog = await offered(person, "cello")
    dialog.fact.setText("My password is hunter2Xy!")
    dialog.fact.textEdited.emit(dialog.fact.text())
    await until(lambda: dialog.warning.text().startswith("It looks like a key or a password."), "the warning")
    assert dialog.copy.isEnabled()


async def test_nothing_is_looked_for_before_the_person_says_so(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada", agrees=False)
    assert await person.current.agents.facts.holders_of("- Likes green tea") == ()
    caret_in(person, "cello")
    action(person.current.main_window.memory.editor.menu(), "Copy to another agent…").trigger()
    dialog = dialog_of(person)
    assert dialog.look.isVisible()
    assert dialog.files.count() == 0
    assert not dialog.copy.isVisible()
    dialog.look.click()
    await until(lambda: dialog.files.count() == 2, "the files of other agents")
    assert not dialog.look.isVisible()
    await until(dialog.copy.isEnabled, "what would change")


async def test_a_line_of_another_agent_is_copied_and_says_who_else_holds_it(stage: Stage, tmp_path: Path) -> None:
    home = tmp_path / "ada"
    written(home, {"notes/Ada.md": "---\ntitle: A\ntype: note\npermalink: a\n---\n- [home] lives in Graz\n"})
    person = await opened(stage, home)
    agents = person.current.agents
    await agents.add_folder(home / "notes")
    person.current.actions["agents"].trigger()
    window = agents.window
    assert window is not None
    await until(lambda: window.memory.file is not None, "the memory of the first agent")
    window.list.stores.setCurrentIndex(window.list.stores.findText("Hermes Agent · .hermes"))
    window.list.stores.activated.emit(window.list.stores.currentIndex())
    await until(lambda: window.memory.whose.text().startswith("Hermes Agent"), "the memory of Hermes")
    await until(lambda: window.memory.held.isVisible(), "who else holds it")
    assert window.memory.held.text() == "Also in: basic-memory (Ada.md)"
    action(window.memory.text.menu(), "Copy to another agent…").trigger()
    dialog = dialog_of(person)
    assert dialog.parent() is window
    assert dialog.fact.text() == "Lives in Graz"
    dialog.reject()
    window.memory.copy.click()
    assert dialog_of(person).fact.text() == "Lives in Graz"


async def test_the_card_of_a_line_says_who_else_holds_it(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada")
    caret_in(person, "green")
    person.current.memory.blame_line()
    card = person.current.memory.controllers["memory/MEMORY.md"].blame.card
    await until(lambda: "Also in: Claude Code (CLAUDE.md)" in card.accessibleName(), "who else holds it")
    shown = [label for label in card.findChildren(QLabel) if label.isVisible()]
    assert len(shown) == 2
    await until(lambda: all(fits_in(card, label) for label in shown), "all its words, uncut")


def fits_in(card: QWidget, label: QLabel) -> bool:
    return card.rect().contains(label.geometry()) and label.height() >= label.heightForWidth(label.width()) - 1


async def test_the_dialog_goes_with_the_window(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "ada")
    await offered(person, "cello")
    person.current.agents.facts.stop()
    assert person.current.agents.facts.dialog is None
    assert await person.current.agents.facts.holders_of("- Likes green tea") == ()
