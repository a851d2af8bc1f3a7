"""Of two presses in a row a button takes the first alone."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.single_press import SinglePress

_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class Pane(QWidget):
    """Has two buttons of which one press is taken, and notes what they did."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.begin, self.stop = QPushButton("Begin", self), QPushButton("Stop", self)
        presses = SinglePress(self)
        column = QVBoxLayout(self)
        for name, button in (("begin", self.begin), ("stop", self.stop)):
            button.setAutoDefault(True)
            column.addWidget(button)
            presses.connect_button(button, partial(self.done.append, name))


@pytest.fixture
def pane(qtbot: QtBot) -> Pane:
    pane = Pane()
    qtbot.addWidget(pane)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane


def double_click(button: QPushButton) -> None:
    """Sends what a mouse sends: press, release, double click, release."""
    QTest.mouseClick(button, _LEFT)
    place = QPointF(button.rect().center())
    for kind, held in ((QEvent.Type.MouseButtonDblClick, _LEFT), (QEvent.Type.MouseButtonRelease, _NONE)):
        event = QMouseEvent(kind, place, button.mapToGlobal(place), _LEFT, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(button, event)


@pytest.mark.usefixtures("double_clicks")
def test_a_double_click_and_a_third_press_act_once(pane: Pane) -> None:
    double_click(pane.begin)
    QTest.mouseClick(pane.begin, _LEFT)
    assert pane.done == ["begin"]


def test_the_second_press_of_a_double_click_is_not_taken_however_late_it_comes(pane: Pane) -> None:
    double_click(pane.begin)
    assert pane.done == ["begin"]


@pytest.mark.usefixtures("double_clicks")
def test_enter_twice_acts_once_and_not_on_the_button_that_takes_its_place(pane: Pane) -> None:
    QTest.keyClick(pane.begin, Qt.Key.Key_Return)
    QTest.keyClick(pane.begin, Qt.Key.Key_Return)
    QTest.keyClick(pane.stop, Qt.Key.Key_Return)
    assert pane.done == ["begin"]


def test_a_key_held_down_presses_nothing_again(pane: Pane) -> None:
    QTest.keyClick(pane.begin, Qt.Key.Key_Return)
    again = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    QApplication.sendEvent(pane.stop, again)
    assert pane.done == ["begin"]
    pane.begin.setFocus()
    onward = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier, "\t", True)
    QApplication.sendEvent(pane.begin, onward)
    assert pane.stop.hasFocus()


def test_a_later_press_is_taken(pane: Pane) -> None:
    QTest.mouseClick(pane.begin, _LEFT)
    QTest.mouseClick(pane.begin, _LEFT)
    assert pane.done == ["begin", "begin"]
