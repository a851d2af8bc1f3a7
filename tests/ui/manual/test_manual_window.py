"""The manual's window: read, searched and left by keyboard alone."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QTextBlock, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QListWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.manual.manual import FIRST_PAGE, Manual, PageLink
from mnemoscope.ui.manual.manual_window import ManualWindow
from mnemoscope.ui.markdown.document.card_painter import CardPainter, Column
from mnemoscope.ui.widgets.theme import Theme, apply_theme

KEYS = Qt.Key


@pytest.fixture
def window(qapp: QApplication) -> Iterator[Any]:
    window = ManualWindow(Manual(shipped("resources", "manual")))
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.field.setFocus()
    yield window
    if isValid(window):
        window.close()


def rows(shown: QListWidget) -> list[str]:
    return [shown.item(row).text() for row in range(shown.count())]


def type_words(window: ManualWindow, words: str) -> None:
    window.field.setFocus()
    window.field.clear()
    QTest.keyClicks(window.field, words)


def marked(window: ManualWindow) -> set[str]:
    return {mark.cursor.selectedText().casefold() for mark in window.view.extraSelections()}


def follow_link(window: ManualWindow, words: str) -> None:
    """Clicks the link of that text."""
    found = window.view.document().find(words)
    window.view.setTextCursor(QTextCursor(found.block()))
    window.view.ensureCursorVisible()
    place = window.view.cursorRect(found).center() - QPoint(8, 0)
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_it_opens_at_the_first_page_and_lists_all(window: ManualWindow) -> None:
    assert window.page == FIRST_PAGE
    shown = rows(window.pages)
    assert shown[:3] == ["Manual", "Begin here", "First steps"]
    assert len(shown) == len(set(shown)) > 25
    assert window.pages.currentItem().text() == "Manual"


def test_down_and_enter_choose_a_page(window: ManualWindow) -> None:
    QTest.keyClick(window.field, KEYS.Key_Down)
    QTest.keyClick(window.field, KEYS.Key_Return)
    assert window.page == "first-steps"
    QTest.keyClick(window.field, KEYS.Key_Up)
    QTest.keyClick(window.field, KEYS.Key_Return)
    assert window.page == FIRST_PAGE


def test_words_typed_are_listed_and_enter_jumps_and_marks(window: ManualWindow) -> None:
    type_words(window, "restore deleted")
    assert window.results.isVisible()
    assert not window.pages.isVisible()
    assert f"{window.results.count()} " in window.count.text()
    QTest.keyClick(window.field, KEYS.Key_Return)
    assert window.page == "conversations"
    assert marked(window) == {"restore", "deleted"}
    assert "restore" in window.view.textCursor().block().text().casefold()


def test_f3_goes_on_and_back_among_what_was_found(window: ManualWindow) -> None:
    type_words(window, "quarantine")
    count = window.results.count()
    assert count > 2
    QTest.keyClick(window, KEYS.Key_F3)
    assert window.results.currentRow() == 1
    second = (window.page, window.view.textCursor().blockNumber())
    QTest.keyClick(window, KEYS.Key_F3)
    QTest.keyClick(window, KEYS.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert (window.page, window.view.textCursor().blockNumber()) == second


def test_nothing_found_is_said(window: ManualWindow) -> None:
    type_words(window, "quokka")
    assert window.results.count() == 0
    assert window.count.text() == "Nothing found. Try fewer or other words."


def test_escape_empties_the_field_then_closes(window: ManualWindow, qtbot: QtBot) -> None:
    type_words(window, "dream")
    QTest.keyClick(window.field, KEYS.Key_Escape)
    assert window.isVisible()
    assert window.pages.isVisible()
    assert marked(window) == set()
    with qtbot.waitSignal(window.finished):
        QTest.keyClick(window.field, KEYS.Key_Escape)


def test_a_link_leads_to_its_page_and_heading_and_back_comes_back(window: ManualWindow) -> None:
    window.go_to(PageLink("prompt"))
    follow_link(window, "Memory systems")
    assert window.page == "memory-systems"
    assert window.view.textCursor().block().text() == "Context"
    assert window.view.viewport().rect().contains(window.view.cursorRect())
    QTest.keyClick(window, KEYS.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.page == "prompt"
    QTest.keyClick(window, KEYS.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert window.page == "memory-systems"


def test_a_link_outside_is_handed_on_and_nothing_else_happens(window: ManualWindow, qtbot: QtBot) -> None:
    window.go_to(PageLink("tools"))
    with qtbot.waitSignal(window.link_requested) as asked:
        follow_link(window, "bubblewrap")
    assert asked.args == ["https://github.com/containers/bubblewrap"]
    assert window.page == "tools"


def test_a_page_that_is_not_there_leads_to_the_first(window: ManualWindow) -> None:
    window.go_to(PageLink("chat"))
    window.go_to(PageLink("nowhere"))
    assert window.page == FIRST_PAGE


def test_tab_reaches_field_list_and_page_and_comes_round(window: ManualWindow) -> None:
    window.go_to(PageLink("words"))
    reached = []
    for _ in range(8):
        QTest.keyClick(QApplication.focusWidget() or window, KEYS.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert {window.field, window.pages, window.view} <= set(reached)


def test_every_control_has_a_name_for_a_screen_reader(window: ManualWindow) -> None:
    controls = [*window.findChildren(QLineEdit), *window.findChildren(QListWidget), window.view]
    controls += [each for each in window.findChildren(QAbstractButton) if each.parent() is not window.field]
    assert [each for each in controls if not each.accessibleName()] == []


def test_it_fits_a_small_screen(window: ManualWindow) -> None:
    assert window.minimumSizeHint().width() <= 1024
    assert window.minimumSizeHint().height() <= 700
    assert window.width() <= 1024
    assert window.height() <= 700


@pytest.mark.parametrize("name", sorted(path.stem for path in shipped("resources", "manual").glob("*.md")))
def test_no_page_is_wider_than_its_window(window: ManualWindow, qapp: QApplication, name: str) -> None:
    window.go_to(PageLink(name))
    qapp.processEvents()
    assert window.view.horizontalScrollBar().maximum() <= 1


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_page_takes_the_theme_and_stays_where_it_was(window: ManualWindow, qapp: QApplication, mode: str) -> None:
    window.go_to(PageLink("memory-systems", "guarded-context"))
    before = window.view.verticalScrollBar().value()
    apply_theme(qapp, mode)
    block = window.view.document().begin()
    assert window.page == "memory-systems"
    assert block.text() == "Memory systems"
    assert abs(window.view.verticalScrollBar().value() - before) < 60
    assert window.palette().text().color() == Theme.current().color("text")
    apply_theme(qapp, "light")


def test_the_first_painting_begins_at_the_first_block_so_that_no_marker_of_a_list_is_missing(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    firsts, paint = list[int](), CardPainter.paint

    def noted(painter: CardPainter, at: QPainter, first: QTextBlock, visible: QRectF, column: Column) -> None:
        firsts.append(first.blockNumber())
        paint(painter, at, first, visible, column)

    # Of what is painted a picture shows only the end.
    monkeypatch.setattr(CardPainter, "paint", noted)
    window = ManualWindow(Manual(shipped("resources", "manual")))
    window.go_to(PageLink("chat"))
    window.show()
    QTest.qWaitForWindowExposed(window)
    qapp.processEvents()
    window.close()
    assert firsts[0] == 0
