"""What is copied of a bar is what its sentence says, though a line of it can end within a long word."""

from typing import Any

import pytest
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

PATH = "/home/somebody/a-folder-with-a-long-name/projects/mnemoscope/memory/MEMORY.md"
SENTENCE = f"{PATH} could not be read."


@pytest.fixture
def words(qtbot: Any) -> QLabel:
    bar = NoticeBar("warning", SENTENCE)
    qtbot.addWidget(bar)
    bar.show()
    QGuiApplication.clipboard().clear()
    return next(each for each in bar.findChildren(QLabel) if each.text())


def action_of(menu: QMenu, words: str) -> QAction:
    return next(each for each in menu.actions() if each.text() == words)


def test_the_keys_copy_a_long_path_as_it_is(words: QLabel) -> None:
    words.setSelection(0, len(words.text()))
    QTest.keySequence(words, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == SENTENCE


def test_the_menu_copies_a_long_path_as_it_is(words: QLabel) -> None:
    words.setSelection(0, len(words.text()))
    at = words.rect().center()
    QApplication.sendEvent(words, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, words.mapToGlobal(at)))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action_of(menu, "Copy").trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == SENTENCE


def test_a_screen_reader_says_the_sentence_as_it_is(words: QLabel) -> None:
    assert words.accessibleName() == SENTENCE
