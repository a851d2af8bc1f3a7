"""*Forget…* is in the menu of whatever shows text of memory or of a conversation, and its keys do the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QMenu, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.support.forget_menu import ForgetRequest, answer_wishes, offer_forgetting

TEXT = "Likes tea\nHas two cats"


class Window(QWidget):
    """Keeps the words of each wish."""

    def __init__(self) -> None:
        super().__init__()
        self.wishes: list[str] = []
        self.layout_ = QVBoxLayout(self)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, ForgetRequest):
            self.wishes.append(event.words)
            return True
        return super().event(event)

    def show_view(self, view: QWidget) -> None:
        self.layout_.addWidget(view)
        self.resize(300, 200)
        self.show()
        view.setFocus()


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    return made


def opened_menu(view: QWidget, reason: QContextMenuEvent.Reason, place: QPoint) -> QMenu | None:
    """Asks for the menu of a view as the mouse or the Menu key does."""
    event = QContextMenuEvent(reason, place, view.mapToGlobal(place))
    QApplication.sendEvent(view, event)
    found = QApplication.activePopupWidget()
    return found if isinstance(found, QMenu) else None


def forget(menu: QMenu | None) -> bool:
    """Chooses Forget…, if it is there."""
    assert menu is not None
    chosen = [each for each in menu.actions() if each.text() == "Forget…"]
    for each in chosen:
        each.trigger()
    menu.close()
    return bool(chosen)


def text_view(kind: Callable[[], QPlainTextEdit | QTextEdit]) -> QPlainTextEdit | QTextEdit:
    view = kind()
    view.setReadOnly(True)
    view.setPlainText(TEXT)
    offer_forgetting(view)
    return view


@pytest.mark.parametrize("kind", [QPlainTextEdit, QTextEdit])
def test_the_selected_words_are_meant_or_else_the_line_that_was_clicked(
    window: Window, kind: Callable[[], QPlainTextEdit | QTextEdit]
) -> None:
    answer_wishes(window)
    view = text_view(kind)
    window.show_view(view)
    second = view.cursorRect(QTextCursor(view.document().findBlockByNumber(1))).center()
    assert forget(opened_menu(view.viewport(), QContextMenuEvent.Reason.Mouse, second))
    view.setTextCursor(view.document().find("tea"))
    assert forget(opened_menu(view, QContextMenuEvent.Reason.Keyboard, QPoint(0, 0)))
    assert window.wishes == ["Has two cats", "tea"]


def test_the_row_that_was_clicked_or_is_current_is_meant_in_a_list(window: Window) -> None:
    answer_wishes(window)
    view = QListWidget()
    view.addItems(TEXT.split("\n"))
    offer_forgetting(view, lambda: view.currentItem().text() if view.currentItem() is not None else "")
    window.show_view(view)
    assert opened_menu(view, QContextMenuEvent.Reason.Keyboard, QPoint(0, 0)) is None, "nothing is meant"
    place = view.visualItemRect(view.item(1)).center()
    assert forget(opened_menu(view.viewport(), QContextMenuEvent.Reason.Mouse, place))
    view.setCurrentRow(0)
    QTest.keyClick(view, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.wishes == ["Has two cats", "Likes tea"]


def test_a_window_that_answers_no_wishes_offers_none(window: Window) -> None:
    view = text_view(QPlainTextEdit)
    window.show_view(view)
    view.setTextCursor(view.document().find("tea"))
    assert not forget(opened_menu(view, QContextMenuEvent.Reason.Keyboard, QPoint(0, 0)))
    QTest.keyClick(view, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.wishes == []


@pytest.mark.parametrize(("address", "offered"), [("https://example.org/tea", True), ("#tea", False)])
def test_the_menu_of_a_text_copies_what_is_selected_and_an_address_of_the_web(
    window: Window, address: str, offered: bool
) -> None:
    view = QTextEdit()
    view.setReadOnly(True)
    view.setHtml(f'<a href="{address}">Tea of the year</a>')
    offer_forgetting(view)
    window.show_view(view)
    menu = opened_menu(view.viewport(), QContextMenuEvent.Reason.Mouse, QPoint(20, 12))
    assert menu is not None
    words = {each.text(): each for each in menu.actions()}
    assert not words["Copy"].isEnabled()
    assert ("Copy link" in words) is offered
    if offered:
        words["Copy link"].trigger()
        assert QApplication.clipboard().text() == address
    words["Select all"].trigger()
    assert view.textCursor().selectedText() == "Tea of the year"
    menu.close()
