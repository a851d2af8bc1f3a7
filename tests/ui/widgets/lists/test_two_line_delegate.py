"""An item of two lines has room for both, wrapped, and the second is quiet."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QListWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.lists.two_line_delegate import TwoLineDelegate
from mnemoscope.ui.widgets.theme import Theme, apply_theme

_DETAIL = "Remembered · preference · “What changes in May?”, message 13 · 10:42"


def test_an_item_grows_with_its_words_in_a_narrow_list(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    shown = QListWidget()
    qtbot.addWidget(shown)
    shown.setWordWrap(True)
    shown.setItemDelegate(TwoLineDelegate(shown))
    shown.addItem(f"I prefer the tall kiln\n{_DETAIL}")
    shown.resize(640, 300)
    with qtbot.waitExposed(shown):
        shown.show()
    wide = shown.visualItemRect(shown.item(0)).height()
    shown.resize(240, 300)
    qtbot.waitUntil(lambda: shown.visualItemRect(shown.item(0)).height() > wide)
    assert wide >= Theme.current().height(32)


def test_the_second_line_is_painted_in_the_quiet_colour(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    shown = QListWidget()
    qtbot.addWidget(shown)
    shown.setItemDelegate(TwoLineDelegate(shown))
    shown.addItem("\n██████")
    shown.resize(300, 100)
    with qtbot.waitExposed(shown):
        shown.show()
    picture = shown.viewport().grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(80) for y in range(picture.height())}
    assert Theme.current().color("text_muted").name() in colours
    assert Theme.current().color("text").name() not in colours
