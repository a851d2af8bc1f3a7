"""A dialog stands within its screen, its frame too, and Enter presses the button that has the keyboard there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMargins, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog, room_for


@pytest.mark.parametrize("has_parent", [True, False])
def test_a_dialog_as_high_as_the_screen_leaves_its_title_in_sight(qtbot: QtBot, has_parent: bool) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = Dialog(parent if has_parent else None)
    qtbot.addWidget(dialog)
    dialog.resize(400, 20_000)
    with qtbot.waitExposed(dialog):
        dialog.show()
    room = room_for(dialog)
    assert room.top() > 0
    assert room.contains(dialog.geometry())


@pytest.mark.parametrize("has_parent", [True, False])
def test_a_dialog_without_a_window_to_stand_over_is_in_the_middle_of_the_screen(qtbot: QtBot, has_parent: bool) -> None:
    hidden = QWidget()
    qtbot.addWidget(hidden)
    dialog = Dialog(hidden if has_parent else None)
    qtbot.addWidget(dialog)
    dialog.resize(400, 200)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert (dialog.geometry().center() - room_for(dialog).center()).manhattanLength() < 40


class Framed(Dialog):
    """A dialog whose window manager draws a higher frame than is reckoned with, and says so once it is in front."""

    def frameGeometry(self) -> QRect:
        frame = QMargins(1, 60, 1, 25) if self.isActiveWindow() else QMargins()
        return self.geometry().marginsAdded(frame)


def test_a_frame_that_is_known_only_later_is_within_the_screen_too(qtbot: QtBot) -> None:
    dialog = Framed()
    qtbot.addWidget(dialog)
    dialog.resize(400, 20_000)
    with qtbot.waitActive(dialog):
        dialog.show()
    assert dialog.screen().availableGeometry().contains(dialog.frameGeometry())


@pytest.mark.parametrize("kind", [QPushButton, QToolButton])
def test_enter_presses_the_button_that_has_the_keyboard_and_no_other(
    qtbot: QtBot, kind: type[QPushButton | QToolButton]
) -> None:
    dialog = Dialog()
    qtbot.addWidget(dialog)
    button, field = kind(dialog), QLineEdit(dialog)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if isinstance(button, QPushButton):
        button.setAutoDefault(False)
    column = QVBoxLayout(dialog)
    column.addWidget(button)
    column.addWidget(field)
    pressed = list[str]()
    button.clicked.connect(lambda: pressed.append("once"))
    with qtbot.waitExposed(dialog):
        dialog.show()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        button.setFocus()
        QTest.keyClick(button, key)
        field.setFocus()
        QTest.keyClick(field, key)
    assert len(pressed) == 2
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(pressed) == 2
