"""Fields show what is chosen in them, as far as there is room for it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QStyleOptionComboBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.fields import ComboBox, DateEdit, DateTimeEdit, TabWidget
from mnemoscope.ui.widgets.theme import apply_theme, set_role

LONG = "MEMORY.md in projects/-home-ada-the-new-roof-of-the-kiln"


def test_a_choice_without_room_ends_in_an_ellipsis_and_one_with_room_is_whole(qtbot: QtBot) -> None:
    combo = ComboBox()
    qtbot.addWidget(combo)
    combo.addItem(LONG)
    for width, is_whole in ((120, False), (900, True)):
        combo.resize(width, combo.sizeHint().height())
        option = QStyleOptionComboBox()
        combo.initStyleOption(option)
        shown: str = option.currentText
        assert (shown == LONG, shown.endswith("…")) == (is_whole, not is_whole)
        assert combo.fontMetrics().horizontalAdvance(shown) < width - 16
    assert combo.currentText() == LONG


def test_what_is_painted_is_what_there_is_room_for(qtbot: QtBot) -> None:
    combo, short = ComboBox(), ComboBox()
    option = QStyleOptionComboBox()
    for box, words in ((combo, LONG), (short, "x")):
        qtbot.addWidget(box)
        box.addItem(words)
        box.resize(160, 32)
    combo.initStyleOption(option)
    short.setItemText(0, option.currentText)
    assert combo.grab().toImage() == short.grab().toImage()


@pytest.mark.parametrize("kind", ["", "quiet"])
@pytest.mark.parametrize("words", ["Any state", "Everyone", "每天", LONG])
def test_a_choice_that_is_as_wide_as_it_asks_to_be_is_whole(
    qtbot: QtBot, qapp: QApplication, words: str, kind: str
) -> None:
    apply_theme(qapp, "light")
    combo = ComboBox()
    qtbot.addWidget(combo)
    set_role(combo, kind=kind)
    combo.addItem(words)
    combo.resize(combo.sizeHint())
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    assert option.currentText == words


def test_tab_comes_to_the_tabs_of_pages_and_leaves_a_date_at_once(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    pages, day, moment, button = TabWidget(window), DateEdit(window), DateTimeEdit(window), QPushButton("Close", window)
    pages.addTab(QWidget(), "One")
    pages.addTab(QWidget(), "Two")
    for each in (pages, day, moment, button):
        column.addWidget(each)
    window.show()
    button.setFocus()
    met = []
    for _ in range(4):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        met.append(window.focusWidget())
    assert met == [pages.tabBar(), day, moment, button]
    pages.tabBar().setFocus()
    QTest.keyClick(pages.tabBar(), Qt.Key.Key_Right)
    assert pages.currentIndex() == 1
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    assert window.focusWidget() is button


def test_a_list_that_is_open_stays_as_it_is_and_has_its_new_rows_once_it_is_closed(qtbot: QtBot) -> None:
    combo = ComboBox()
    qtbot.addWidget(combo)
    combo.addItems(["one", "two"])
    combo.show()

    def fill(*rows: str) -> None:
        chosen = combo.currentText()
        combo.clear()
        combo.addItems(rows)
        combo.setCurrentText(chosen)

    combo.showPopup()
    rows = combo.view()
    below = rows.visualRect(combo.model().index(1, 0)).center()
    combo.fill_when_closed(lambda: fill("zero", "one"))
    combo.fill_when_closed(lambda: fill("zero", "one", "two", "three"))
    assert [combo.itemText(row) for row in range(combo.count())] == ["one", "two"]
    assert rows.visualRect(combo.model().index(1, 0)).center() == below
    QTest.mouseMove(rows.viewport(), below)
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert combo.currentText() == "two"
    qtbot.waitUntil(lambda: combo.count() == 4)
    assert combo.currentText() == "two"
    combo.fill_when_closed(lambda: fill("two"))
    assert combo.count() == 1, "a list that is closed is filled at once"
