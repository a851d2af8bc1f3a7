"""Misspelled words in the editor: seen, mended from the menu by keys, added to the dictionary, gone to with F7."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.support.spelling import Spelling
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.memory.memory_fixture import pane
from tests.ui.spelling_fixture import few_words
from tests.ui.window_fixture import Stage, until

__all__ = ["few_words", "pane"]

TEXT = "- the gardne is `gardne`\n- [user:gardne] likes tea\n```\ngardne\n```\n- the teaa\n"


@pytest.fixture
def spelled(few_words: Spelling, pane: MemoryDocument, qtbot: QtBot) -> MemoryDocument:
    """Returns a memory file whose words were looked up."""
    pane.choose_view("source")
    pane.show_memory(TEXT, "v2")
    pane.editor.setFocus()
    qtbot.waitUntil(lambda: bool(few_words.is_wrong("teaa")) and few_words.meant("gardne") is not None)
    return pane


def put_caret(pane: MemoryDocument, position: int) -> None:
    cursor = pane.editor.textCursor()
    cursor.setPosition(position)
    pane.editor.setTextCursor(cursor)


def red_columns(pane: MemoryDocument) -> set[int]:
    """Returns the columns of the picture in which there is the colour of an underline, or nearly that."""
    picture = pane.editor.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    wanted = Theme.current().color("danger")
    near = set[int]()
    for x in range(picture.width()):
        for y in range(min(60, picture.height())):
            found = picture.pixelColor(x, y)
            if abs(found.red() - wanted.red()) + abs(found.green() - wanted.green()) < 60:
                near.add(x)
                break
    return near


def test_what_is_wrong_is_underlined_and_what_is_typed_is_not_yet(
    spelled: MemoryDocument, few_words: Spelling, qtbot: QtBot
) -> None:
    assert len(red_columns(spelled)) > 20
    few_words.turn_on(False)
    assert red_columns(spelled) == set()
    few_words.turn_on(True)
    spelled.show_memory("the ", "v3")
    spelled.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(spelled.editor, "gardne")
    qtbot.waitUntil(lambda: bool(few_words.is_wrong("gardne")))
    assert red_columns(spelled) == set()
    QTest.keyClicks(spelled.editor, " ")
    assert red_columns(spelled) != set()
    # What may not be written in is not looked at.
    spelled.set_read_only(True)
    assert red_columns(spelled) == set()


def entries(menu: QMenu) -> list[str]:
    return [one.text().partition("\t")[0] for one in menu.actions() if one.isVisible() and not one.isSeparator()]


def test_a_word_is_mended_from_the_menu_in_one_step(spelled: MemoryDocument) -> None:
    put_caret(spelled, 8)
    menu = spelled.editor.menu()
    assert entries(menu)[:2] == ["garden", "Add to the dictionary"]
    menu.popup(spelled.editor.mapToGlobal(spelled.editor.rect().center()))
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert spelled.editor.text() == TEXT.replace("gardne", "garden", 1)
    QTest.keyClicks(spelled.editor, "s")
    spelled.editor.undo()
    spelled.editor.undo()
    assert spelled.editor.text() == TEXT


def test_code_and_tags_are_not_spelled(spelled: MemoryDocument) -> None:
    places = [at for at in range(len(TEXT)) if spelled.editor.misspellings.at(at) is not None]
    assert {TEXT[at : at + 4] for at in places if TEXT[at - 1] == " "} == {"gard", "teaa"}
    assert not [at for at in places if TEXT.index("`") <= at < TEXT.index("the teaa")]


def test_words_behind_backticks_that_begin_no_code_block_are_spelled(spelled: MemoryDocument) -> None:
    spelled.show_memory("```a`b``` the teaa\n``` teaa\n", "v3")
    wrong = [at for at in range(spelled.editor.document().characterCount()) if spelled.editor.misspellings.at(at)]
    assert (wrong[0], {spelled.editor.document().findBlock(at).blockNumber() for at in wrong}) == (14, {0})


def test_a_word_is_added_and_no_longer_wrong(spelled: MemoryDocument, few_words: Spelling, qtbot: QtBot) -> None:
    put_caret(spelled, 8)
    menu = spelled.editor.menu()
    next(one for one in menu.actions() if one.text().startswith("Add")).trigger()
    menu.close()
    qtbot.waitUntil(lambda: few_words.is_wrong("gardne") is False)
    assert spelled.editor.misspellings.at(8) is None


def test_a_dictionary_that_cannot_be_written_says_so(spelled: MemoryDocument, few_words: Spelling) -> None:
    own = few_words._own
    assert own is not None
    own.path.mkdir()
    spelled.editor.misspellings.add("gardne")
    assert spelled.bars.bar("dictionary") is not None


def test_languages_and_the_switch_stand_in_the_menu(spelled: MemoryDocument, few_words: Spelling) -> None:
    menu = spelled.editor.menu()
    choice = next(one for one in menu.findChildren(QMenu) if one.title() == "Spelling")
    ticked = {one.text(): one.isChecked() for one in choice.actions() if one.isCheckable()}
    assert list(ticked.values()) == [True, True, False, True]
    next(one for one in choice.actions() if one.text().startswith("American")).trigger()
    assert few_words.languages == ("en_GB", "en_US", "ru_RU")
    choice.actions()[0].trigger()
    assert not few_words.is_on
    menu.close()


async def test_f7_goes_from_one_misspelled_word_to_the_next(few_words: Spelling, stage: Stage) -> None:
    stage.make(("user", "Hello."), memory=TEXT)
    person = await stage.open()
    person.window.resize(1440, 900)
    editor = person.memory.editor
    editor.setFocus()
    for word, line in (("gardne", 0), ("teaa", 5), ("gardne", 0)):
        before = editor.textCursor().position()
        person.press("F7")
        await until(partial(_has_moved, editor, before), "another place")
        assert (editor.textCursor().selectedText(), editor.caret_line()) == (word, line)
    few_words.turn_on(False)
    assert not person.current.actions["memory.check_spelling"].isChecked()
    person.press("F7")
    state = person.memory.toolbar.state_label
    await until(lambda: "Spelling is not checked here" in state.accessibleName(), "that it is off")


def _has_moved(editor: MemoryEditor, before: int) -> bool:
    return editor.textCursor().position() != before
