"""Keys are listed, found, changed and given back; one key never starts two commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from mnemoscope.ui.shell.actions import Actions, Command, KeyRow
from mnemoscope.ui.shell.help.keys_dialog import KeysDialog
from mnemoscope.ui.shell.help.window_keys import part_rows


class Keyed:
    """A window with some commands, and the dialog over it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.done: list[str] = []
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.actions = Actions(self.window)
        self.actions.add(self.commands())
        self.window.show()
        self.dialog = KeysDialog(self.actions, self.window)
        self.dialog.changed.connect(self.actions.set_keys)
        self.dialog.show()

    def commands(self) -> list[Command | str]:
        def does(what: str) -> object:
            return lambda: self.done.append(what)

        return [
            Command("new", "New conversation", "", does("new"), shortcuts=("Ctrl+N",)),  # type: ignore[arg-type]
            Command("copy", "Copy", "", does("copy"), shortcuts=("Ctrl+C",), shown_only=True),  # type: ignore[arg-type]
            Command("palette", "Palette", "", does("palette"), shortcuts=("Ctrl+K", "Ctrl+Shift+P")),  # type: ignore[arg-type]
            Command("run", "Consolidate now", "", does("run")),  # type: ignore[arg-type]
            Command("bold", "Text: Bold", "", does("bold"), shortcuts=("Ctrl+B",), shown_only=True, in_text=True),  # type: ignore[arg-type]
        ]

    def items(self) -> list[QTreeWidgetItem]:
        found = self.dialog.list
        return [item for at in range(found.topLevelItemCount()) if (item := found.topLevelItem(at))]

    def choose(self, text: str) -> None:
        self.dialog.list.setCurrentItem(next(item for item in self.items() if item.text(0) == text))

    def ask(self, keys: str) -> None:
        self.dialog.keys.setKeySequence(QKeySequence(keys))

    def keys(self, command: str) -> tuple[str, ...]:
        return next(row.keys for row in self.actions.key_rows() if row.id == command)


@pytest.fixture
def keyed(qtbot: QtBot) -> Keyed:
    return Keyed(qtbot)


def test_commands_are_found_by_words_and_by_keys(keyed: Keyed) -> None:
    keyed.dialog.field.setText("conver")
    assert [item.text(0) for item in keyed.items() if not item.isHidden()] == ["New conversation"]
    keyed.dialog.field.setText("shift+p")
    assert [item.text(0) for item in keyed.items() if not item.isHidden()] == ["Palette"]
    assert keyed.dialog.list.currentItem().text(0) == "Palette"  # type: ignore[union-attr]


def test_a_command_gets_new_keys_and_its_usual_ones_back(keyed: Keyed) -> None:
    keyed.choose("New conversation")
    keyed.ask("Ctrl+Alt+N")
    keyed.dialog.set_button.click()
    assert keyed.keys("new") == ("Ctrl+Alt+N",)
    assert keyed.dialog.usual_button.isEnabled()
    keyed.dialog.usual_button.click()
    assert keyed.keys("new") == ("Ctrl+N",)
    assert not keyed.dialog.usual_button.isEnabled()


def test_keys_are_taken_from_the_command_that_had_them(keyed: Keyed) -> None:
    keyed.choose("Consolidate now")
    keyed.ask("Ctrl+K")
    assert "Palette" in keyed.dialog.remark.text()
    keyed.dialog.set_button.click()
    assert keyed.keys("run") == ("Ctrl+K",)
    assert keyed.keys("palette") == ("Ctrl+Shift+P",)


@pytest.mark.parametrize("keys", ["A", "Shift+A", "Return", "Ctrl+C"])
def test_keys_that_type_or_belong_to_the_text_are_refused(keyed: Keyed, keys: str) -> None:
    keyed.choose("Consolidate now")
    keyed.ask(keys)
    assert not keyed.dialog.set_button.isEnabled()
    assert keyed.dialog.remark.text()
    keyed.dialog.set_button.click()
    assert keyed.keys("run") == ()


@pytest.mark.parametrize("keys", ["F7", "Alt+9", "Ctrl++"])
def test_function_keys_and_combinations_may_be_taken(keyed: Keyed, keys: str) -> None:
    keyed.choose("Consolidate now")
    keyed.ask(keys)
    keyed.dialog.set_button.click()
    assert keyed.keys("run") == (keys,)


def test_the_keys_of_the_text_are_listed_and_cannot_be_changed(keyed: Keyed) -> None:
    keyed.choose("Copy")
    assert not keyed.dialog.keys.isEnabled()
    assert not keyed.dialog.clear_button.isEnabled()


def test_the_keys_of_parts_of_the_window_are_listed_below_and_cannot_be_changed(keyed: Keyed, qtbot: QtBot) -> None:
    of_parts = [KeyRow("part.0", "Conversations: rename the conversation", ("F2",), is_fixed=True)]
    keyed.dialog = KeysDialog(keyed.actions, keyed.window, of_parts)
    keyed.dialog.show()
    assert keyed.items()[-1].text(0) == "Conversations: rename the conversation"
    keyed.dialog.field.setText("f2")
    assert [item.text(0) for item in keyed.items() if not item.isHidden()] == ["Conversations: rename the conversation"]
    keyed.ask("Ctrl+Alt+R")
    assert not keyed.dialog.keys.isEnabled()
    assert not keyed.dialog.set_button.isEnabled()
    assert keyed.dialog.remark.text() == "These keys belong to whatever has the keyboard, and cannot be changed."


@pytest.mark.parametrize(
    ("command", "keys", "why"),
    [
        ("Consolidate now", "F3", "“History: go to the next match” has these keys, and they cannot be changed."),
        ("Text: Bold", "F3", ""),
        ("Consolidate now", "Ctrl+Shift+V", ""),
        (
            "Text: Bold",
            "Ctrl+Shift+V",
            "“Text of a memory file: paste the words alone, without headings, lists and links”",
        ),
        ("Consolidate now", "Alt+Left", ""),
    ],
)
def test_keys_that_a_part_of_the_window_answers_are_not_taken_from_it(
    keyed: Keyed, command: str, keys: str, why: str
) -> None:
    keyed.dialog = KeysDialog(keyed.actions, keyed.window, part_rows())
    keyed.dialog.show()
    keyed.choose(command)
    keyed.ask(keys)
    assert keyed.dialog.remark.text().startswith(why)
    assert bool(keyed.dialog.remark.text()) is bool(why)
    assert keyed.dialog.set_button.isEnabled() is not bool(why)


def test_the_keys_of_editing_are_changed_and_are_those_of_the_text_alone(keyed: Keyed) -> None:
    keyed.choose("Text: Bold")
    keyed.ask("Ctrl+K")
    assert keyed.dialog.remark.text() == "“Palette” has these keys outside of the text, and keeps them there."
    keyed.dialog.set_button.click()
    assert keyed.keys("bold") == ("Ctrl+K",)
    assert keyed.keys("palette") == ("Ctrl+K", "Ctrl+Shift+P")
    keyed.choose("Consolidate now")
    keyed.ask("Ctrl+K")
    assert "“Palette” has these keys. It would have them no more." in keyed.dialog.remark.text()
    assert "“Text: Bold” has these keys in the text of a memory file" in keyed.dialog.remark.text()
    keyed.dialog.set_button.click()
    assert (keyed.keys("run"), keyed.keys("bold")) == (("Ctrl+K",), ("Ctrl+K",))
    keyed.choose("Text: Bold")
    keyed.ask("Ctrl+C")
    assert not keyed.dialog.set_button.isEnabled(), "the text has these keys already"


def test_escape_empties_the_field_of_new_keys_and_then_closes(keyed: Keyed) -> None:
    keyed.choose("Consolidate now")
    keyed.dialog.keys.setFocus()
    keyed.ask("Ctrl+K")
    QTest.keyClick(keyed.dialog.keys, Qt.Key.Key_Escape)
    assert keyed.dialog.keys.keySequence().isEmpty()
    assert keyed.dialog.isVisible()
    QTest.keyClick(keyed.dialog.keys, Qt.Key.Key_Escape)
    assert not keyed.dialog.isVisible()


def test_a_command_can_go_without_keys(keyed: Keyed) -> None:
    keyed.choose("Palette")
    keyed.dialog.clear_button.click()
    assert keyed.keys("palette") == ()


def test_changed_keys_are_there_at_the_next_start(keyed: Keyed, tmp_path: Path, qtbot: QtBot) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    keyed.actions.set_keys("run", ["Ctrl+Alt+C"])
    keyed.actions.set_keys("palette", [])
    keyed.actions.set_keys("bold", ["Ctrl+Alt+B"])
    keyed.actions.save_keys(settings)
    window = QMainWindow()
    qtbot.addWidget(window)
    again = Actions(window)
    again.add(keyed.commands())
    again.load_keys(settings)
    assert {row.id: row.keys for row in again.key_rows()} == {
        "new": ("Ctrl+N",),
        "copy": ("Ctrl+C",),
        "palette": (),
        "run": ("Ctrl+Alt+C",),
        "bold": ("Ctrl+Alt+B",),
    }
    assert [row.id for row in again.key_rows() if row.is_changed] == ["palette", "run", "bold"]
