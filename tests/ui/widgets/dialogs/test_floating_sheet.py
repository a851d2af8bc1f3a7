"""The sheet that floats over a window keeps the keyboard, ends with Escape or a click beside it, and gives it back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLineEdit, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.dialogs.floating_sheet import TOP, FloatingSheet

GONE = """
from PySide6.QtWidgets import QLineEdit, QMainWindow
from shiboken6 import delete
from mnemoscope.ui.shell.application import make_application
from mnemoscope.ui.widgets.dialogs.floating_sheet import FloatingSheet

app = make_application(["mnemoscope"])
window = QMainWindow()
window.show()
sheet = FloatingSheet(window)
field = QLineEdit(sheet)
sheet.hold(field, below=8)
sheet.float_over(field, 300, margin=40)
app.processEvents()
delete(window)
print("gone")
"""


class Window(QMainWindow):
    """Counts the keys that nothing in it took."""

    left_over = 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.left_over += 1


class Scene:
    """A window with a field, and a sheet with a field over it."""

    def __init__(self) -> None:
        self.window = Window()
        self.window.resize(900, 600)
        self.field = QLineEdit(self.window)
        self.window.setCentralWidget(self.field)
        self.window.show()
        self.field.setFocus()
        self.sheet = FloatingSheet(self.window)
        self.inside = QLineEdit(self.sheet)
        self.sheet.hold(self.inside, below=8)

    @property
    def card(self) -> Any:
        return self.inside.parentWidget()


@pytest.fixture
def scene(qtbot: QtBot) -> Iterator[Scene]:
    scene = Scene()
    qtbot.addWidget(scene.window)
    qtbot.waitUntil(scene.field.hasFocus)
    scene.sheet.float_over(scene.inside, 400, margin=40)
    qtbot.waitUntil(scene.inside.hasFocus)
    yield scene
    scene.sheet.hide()


def test_escape_ends_it_alone_and_gives_the_keyboard_back(scene: Scene) -> None:
    QTest.keyClick(scene.inside, Qt.Key.Key_Escape)
    assert not scene.sheet.isVisible()
    assert scene.field.hasFocus()
    assert scene.window.left_over == 0
    QTest.keyClick(scene.field, Qt.Key.Key_Escape)
    assert scene.window.left_over == 1


def test_a_click_beside_the_card_ends_it_and_one_on_it_does_not(scene: Scene) -> None:
    QTest.mouseClick(scene.card, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert scene.sheet.isVisible()
    QTest.mouseClick(scene.sheet, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not scene.sheet.isVisible()


def test_the_keyboard_comes_from_another_window(scene: Scene, qtbot: QtBot) -> None:
    scene.sheet.hide()
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    scene.sheet.float_over(scene.inside, 400, margin=40)
    qtbot.waitUntil(scene.inside.hasFocus)


def test_tab_stays_in_it(scene: Scene) -> None:
    QTest.keyClick(scene.inside, Qt.Key.Key_Tab)
    assert scene.inside.hasFocus()


@pytest.mark.parametrize(("width", "wide"), [(1200, 400), (300, 260)])
def test_it_stays_in_the_middle_of_a_window_of_another_size(scene: Scene, qtbot: QtBot, width: int, wide: int) -> None:
    scene.window.resize(width, 500)
    qtbot.waitUntil(lambda: scene.sheet.size() == scene.window.size())
    place = scene.card.geometry()
    assert (place.width(), place.top()) == (wide, TOP)
    assert abs(place.center().x() - scene.sheet.rect().center().x()) <= 1


def test_it_may_be_shown_again_while_it_is_there_and_still_knows_whose_keyboard_it_has(scene: Scene) -> None:
    scene.sheet.float_over(scene.inside, 400, margin=40)
    scene.sheet.hide()
    assert scene.field.hasFocus()


def test_it_goes_where_the_keyboard_is_given_to_another_part_and_leaves_it_there(scene: Scene, qtbot: QtBot) -> None:
    scene.field.setFocus()
    qtbot.waitUntil(lambda: not scene.sheet.isVisible())
    assert scene.field.hasFocus()


def test_it_stays_while_the_menus_have_the_keyboard(scene: Scene, qtbot: QtBot) -> None:
    menus = scene.window.menuBar()
    menus.addMenu("File").addAction("New")
    menus.setFocus(Qt.FocusReason.MenuBarFocusReason)
    followed: list[bool] = []
    QTimer.singleShot(0, lambda: followed.append(True))
    qtbot.waitUntil(lambda: bool(followed))
    assert menus.hasFocus()
    assert scene.sheet.isVisible()
    scene.inside.setFocus(Qt.FocusReason.MenuBarFocusReason)
    assert scene.inside.hasFocus()


def test_it_stays_below_a_sheet_that_comes_later_and_above_all_panes(scene: Scene, qtbot: QtBot) -> None:
    later = FloatingSheet(scene.window)
    field = QLineEdit(later)
    later.hold(field, below=8)
    later.float_over(field, 300, margin=40)
    qtbot.waitUntil(field.hasFocus)
    dock = QDockWidget(scene.window)
    scene.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    dock.show()
    dock.raise_()
    middle = scene.window.rect().center()
    qtbot.waitUntil(lambda: scene.window.childAt(middle) is later)
    later.hide()
    assert scene.window.childAt(middle) is scene.sheet
    assert scene.inside.hasFocus()


def test_it_may_go_with_its_window() -> None:
    done = subprocess.run([sys.executable, "-c", GONE], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "gone\n")


def test_what_had_the_keyboard_may_be_gone(scene: Scene) -> None:
    scene.window.setCentralWidget(QWidget())
    scene.sheet.hide()
    assert not scene.sheet.isVisible()
