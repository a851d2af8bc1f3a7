"""The palette finds commands by what people type for them."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QMainWindow
from pytestqt.qtbot import QtBot

from mnemoscope.ui.shell.palette import command_words
from mnemoscope.ui.shell.palette.command_palette import Choice, CommandPalette, rank
from mnemoscope.ui.shell.palette.command_words import words_for
from mnemoscope.ui.translation.translation import install_translation
from tests.documents.window_commands import every_command


def test_the_palette_ranks_what_begins_with_the_words_first() -> None:
    found = rank([Choice("Open workspace…", "", print), Choice("Reopen", "", print), Choice("Quit", "", print)], "open")
    assert [choice.text for choice in found] == ["Open workspace…", "Reopen"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("undo", "edit.undo"),
        ("undo", "memory.changes"),
        ("undo", "conversation.restore"),
        ("redo", "edit.redo"),
        ("delete", "conversation.delete"),
        ("delete chat", "conversation.delete"),
        ("delete this chat", "conversation.delete"),
        ("delete message", "turn.delete"),
        ("new chat", "conversation.new"),
        ("dark", "view.theme"),
        ("dark mode", "view.theme"),
        ("theme", "view.theme"),
        ("export pdf", "print"),
        ("export as pdf", "print"),
        ("save as pdf", "print"),
        ("shortcuts", "help.keys"),
        ("hotkey", "help.keys"),
        ("incognito", "conversation.temporary"),
        ("retry", "turn.regenerate"),
        ("preferences", "settings"),
        ("settings memory", "settings.memory"),
        ("number of messages", "settings.window"),
        ("api key", "model"),
        ("upload image", "conversation.attach"),
        ("sidebar", "view.conversations"),
        ("fullscreen", "view.maximise"),
        ("zoom in", "zoom.in"),
        ("help", "help.manual"),
        ("exit", "quit"),
        ("trash", "conversation.restore"),
        ("\u64a4\u9500", "edit.undo"),
        ("\u64a4\u9500", "memory.changes"),
        ("\u5220\u9664", "conversation.delete"),
        ("\u5220\u9664\u804a\u5929", "conversation.delete"),
        ("\u65b0\u804a\u5929", "conversation.new"),
        ("\u65b0\u5efa\u4f1a\u8bdd", "conversation.new"),
        ("\u6df1\u8272", "view.theme"),
        ("\u6697\u9ed1", "view.theme"),
        ("\u5bfc\u51fapdf", "print"),
        ("\u5bfc\u51fa PDF", "print"),
        ("\u5feb\u6377\u952e", "help.keys"),
        ("\u91cd\u8bd5", "turn.regenerate"),
        ("\u65e0\u75d5", "conversation.temporary"),
    ],
)
def test_words_that_people_type_find_the_command(typed: str, found: str, translated: dict[str, list[Choice]]) -> None:
    """In Chinese the English ones do too: many know the commands of programs by them."""
    languages = ["zh_CN"] if not typed.isascii() else ["en", "zh_CN"]
    for language in languages:
        hints = [choice.hint for choice in rank(translated[language], typed)]
        # In sight without scrolling.
        assert found in hints[:8], (language, hints)


def test_what_is_called_so_comes_before_what_is_only_also_called_so(translated: dict[str, list[Choice]]) -> None:
    assert rank(translated["en"], "undo")[0].hint == "edit.undo"
    assert rank(translated["en"], "otkeys") == []
    assert rank(translated["en"], "export")[0].hint == "export"


@pytest.fixture(scope="module")
def translated(qapp: QApplication) -> dict[str, list[Choice]]:
    """Returns a choice for each command of a window, with its id as the hint, by language."""
    made, before = {}, QLocale()
    for language in ("en", "zh_CN"):
        installed = install_translation(qapp, language)
        commands = every_command()
        made[language] = [Choice(one.text, one.id, print, also=words_for(one.id)) for one in commands]
        for each in installed:
            qapp.removeTranslator(each)
    QLocale.setDefault(before)
    return made


def test_no_words_are_kept_for_a_command_that_there_is_not() -> None:
    assert set(command_words._WORDS) <= {command.id for command in every_command()}


def test_the_palette_runs_the_first_match_on_enter(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    palette, ran = CommandPalette(window), []
    palette.offer([Choice("New conversation", "Ctrl+N", lambda: ran.append("new")), Choice("Quit", "", lambda: None)])
    field = palette.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "new")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert ran == ["new"]
    assert not palette.isVisible()


def test_a_list_that_is_wholly_in_sight_has_no_scroll_bar(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    palette = CommandPalette(window)
    palette.offer([Choice(f"Heading {number}", "", lambda: None) for number in range(5)], asks="Go to a heading")
    listed = palette.findChild(QListView)
    assert listed is not None
    qtbot.waitUntil(listed.isVisible)
    bar = listed.verticalScrollBar()
    assert (listed.model().rowCount(), bar.maximum()) == (5, 0)
