"""The keys of a part: what is pressed is found, what means nothing goes on, and what the keys do can be listed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys

NONE, CONTROL, SHIFT, KEYPAD = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
)


class Noting(QWidget):
    """Notes what its keys did."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []


def notes(what: str) -> Callable[[Noting], object]:
    return lambda part: part.done.append(what)


KEYS: PartKeys[Noting] = PartKeys(
    "Part",
    PartKey("send", {"Enter": notes("sent"), "Ctrl+Enter": notes("sent at once")}),
    PartKey("go back", {"Shift+Tab": notes("back")}),
    PartKey("copy", {"Ctrl+C": notes("copied")}, QKeySequence.StandardKey.Copy),
    PartKey("refuse", {"F2": lambda _part: False}),
    PartKey("accept", {"A": notes("accepted")}),
)


@pytest.fixture
def part(qtbot: QtBot) -> Noting:
    made = Noting()
    qtbot.addWidget(made)
    return made


def pressed(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers)


@pytest.mark.parametrize(
    ("key", "modifiers", "does"),
    [
        (Qt.Key.Key_Return, NONE, "sent"),
        (Qt.Key.Key_Enter, KEYPAD, "sent"),
        (Qt.Key.Key_Return, CONTROL, "sent at once"),
        (Qt.Key.Key_Backtab, SHIFT, "back"),
        (Qt.Key.Key_C, CONTROL, "copied"),
        (Qt.Key.Key_Insert, CONTROL, "copied"),
        (Qt.Key.Key_A, NONE, "accepted"),
        (Qt.Key.Key_A, SHIFT, "accepted"),
    ],
)
def test_a_key_does_what_the_table_says(part: Noting, key: Qt.Key, modifiers: Qt.KeyboardModifier, does: str) -> None:
    assert KEYS.press(part, pressed(key, modifiers))
    assert part.done == [does]


@pytest.mark.parametrize(
    ("key", "modifiers"),
    [
        (Qt.Key.Key_Return, SHIFT),
        (Qt.Key.Key_Tab, NONE),
        (Qt.Key.Key_C, NONE),
        (Qt.Key.Key_C, CONTROL | SHIFT),
        (Qt.Key.Key_A, CONTROL),
        (Qt.Key.Key_F2, NONE),
    ],
)
def test_a_key_of_others_goes_on_and_so_does_one_that_means_nothing_now(
    part: Noting, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    assert not KEYS.press(part, pressed(key, modifiers))
    assert part.done == []


def test_shortcuts_of_a_part_work_wherever_in_it_the_keyboard_is(part: Noting, qtbot: QtBot) -> None:
    inside = QWidget(part)
    inside.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    KEYS.add_shortcuts(part, Qt.ShortcutContext.WidgetWithChildrenShortcut)
    with qtbot.waitExposed(part):
        part.show()
    part.activateWindow()
    inside.setFocus()
    qtbot.waitUntil(inside.hasFocus)
    QTest.keyClick(inside, Qt.Key.Key_C, CONTROL)
    assert part.done == ["copied"]


def test_what_the_keys_do_is_listed_with_each_thing_once() -> None:
    assert KEYS.part == "Part"
    assert KEYS.rows() == [
        (("Enter", "Ctrl+Enter"), "send"),
        (("Shift+Tab",), "go back"),
        (("Ctrl+C",), "copy"),
        (("F2",), "refuse"),
        (("A",), "accept"),
    ]
