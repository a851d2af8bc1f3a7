"""Parts one below the other: whole where there is room, else scrolled, and gone while none of them is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.scrolled_column import ScrolledColumn

LEAST = 30


def shown(qtbot: QtBot, count: int) -> tuple[QWidget, ScrolledColumn, list[QPushButton]]:
    """Returns a pane, the column in it, and the hidden buttons that the column holds."""
    pane = QWidget()
    qtbot.addWidget(pane)
    column = ScrolledColumn(LEAST, pane)
    buttons = [QPushButton(f"Part {number}") for number in range(count)]
    for each in buttons:
        each.hide()
    column.hold(*buttons)
    layout = QVBoxLayout(pane)
    layout.addWidget(column)
    layout.addStretch(1)
    pane.resize(200, 400)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane, column, buttons


def test_it_is_there_while_one_of_its_parts_is(qtbot: QtBot) -> None:
    _, column, (first, second) = shown(qtbot, 2)
    assert not column.isVisible()
    second.show()
    assert column.isVisible()
    first.show()
    second.hide()
    assert column.isVisible()
    first.hide()
    assert not column.isVisible()


def test_it_is_as_high_as_its_parts_and_scrolled_where_there_is_no_room(qtbot: QtBot) -> None:
    pane, column, buttons = shown(qtbot, 6)
    for each in buttons:
        each.show()
    qtbot.waitUntil(lambda: column.height() == column.sizeHint().height() > 6 * 20)
    assert column.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    pane.resize(200, 80)
    qtbot.waitUntil(lambda: LEAST <= column.height() < column.sizeHint().height())
    qtbot.waitUntil(lambda: column.verticalScrollBar().isVisible())
    buttons[-1].setFocus()
    assert buttons[-1].visibleRegion().boundingRect() == buttons[-1].rect()


def test_a_part_that_comes_where_there_is_no_room_is_scrolled_to(qtbot: QtBot) -> None:
    pane, column, buttons = shown(qtbot, 6)
    buttons[0].show()
    pane.resize(200, LEAST + 30)
    qtbot.waitUntil(lambda: column.height() == column.sizeHint().height() > 0)
    for each in buttons:
        each.show()
    qtbot.waitUntil(lambda: column.verticalScrollBar().isVisible())
