"""The manual is opened at the page of the part in use, once, and asks before it leaves the program."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from mnemoscope.ui.manual.manual import FIRST_PAGE
from mnemoscope.ui.manual.manual_controller import ManualController
from mnemoscope.ui.markdown.document.link_dialog import LinkDialog


class Person:
    """Somebody who has the keyboard in one part of the window, and a browser."""

    def __init__(self) -> None:
        self.part = "timeline"
        self.visited: list[str] = []
        self.owner = QObject()
        self.manual = ManualController(self.owner, lambda: self.part, lambda address, _: self.visited.append(address))

    @property
    def page(self) -> str:
        assert self.manual.window is not None
        return self.manual.window.page

    def dialog(self) -> LinkDialog:
        assert self.manual.window is not None
        (found,) = self.manual.window.findChildren(LinkDialog)
        return found


@pytest.fixture
def person(qapp: QApplication) -> Iterator[Any]:
    person = Person()
    yield person
    person.manual.close()


def test_it_opens_at_the_page_of_the_part_in_use(person: Person) -> None:
    person.manual.open_in_focus()
    assert person.page == "timeline"
    person.part = "history"
    first = person.manual.window
    person.manual.open_in_focus()
    assert person.page == "history"
    assert person.manual.window is first


def test_a_part_without_a_page_opens_the_first(person: Person) -> None:
    person.part = ""
    person.manual.open_in_focus()
    assert person.page == FIRST_PAGE


def test_closed_it_opens_anew(person: Person) -> None:
    person.manual.open("chat")
    first = person.manual.window
    person.manual.close()
    assert person.manual.window is None
    person.manual.open("words")
    assert person.manual.window is not first
    assert person.page == "words"


def test_a_dialog_that_keeps_the_keys_answers_f1(person: Person, qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    person.manual.answer_in(dialog)
    person.part = "settings"
    dialog.open()
    QTest.qWaitForWindowExposed(dialog)
    dialog.activateWindow()
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    assert person.page == "settings"
    assert person.manual.window is not None
    assert QApplication.activeModalWidget() is dialog
    QTest.keyClicks(person.manual.window.field, "profile")
    assert person.manual.window.field.text() == "profile"
    dialog.reject()


def test_an_address_outside_is_asked_about_first(person: Person) -> None:
    person.manual.open("tools")
    assert person.manual.window is not None
    person.manual.window.link_requested.emit("https://example.org/a")
    assert person.visited == []
    assert person.dialog().address.host == "example.org"
    person.dialog().accept()
    assert person.visited == ["https://example.org/a"]


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "nowhere.md", ""])
def test_an_address_that_is_none_of_the_web_opens_nothing(person: Person, address: str) -> None:
    person.manual.open()
    assert person.manual.window is not None
    person.manual.window.link_requested.emit(address)
    assert person.manual.window.findChildren(LinkDialog) == []
    assert person.visited == []
