"""A question shows all its words at any size of text, and what Enter does stands last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.dialogs.question import Question
from mnemoscope.ui.widgets.theme import apply_theme

_LONG = "Opening it changes none of its files and adds a folder named .mnemoscope, for the audit trail. " * 6


@pytest.fixture(params=[1.0, 1.6])
def parent(qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[QWidget]:
    apply_theme(qapp, "light", request.param)
    parent = QWidget()
    qtbot.addWidget(parent)
    yield parent
    apply_theme(qapp, "light")


def opened(qtbot: QtBot, parent: QWidget, sentence: str, default: str) -> Question:
    choices = [("open", "Open"), ("look", "Only look around"), ("", "Cancel")]
    sheet = Question(parent, "A workspace of another program", sentence, choices, default)
    with qtbot.waitExposed(sheet):
        sheet.open()
    return sheet


def test_no_line_of_a_long_question_is_cut(qtbot: QtBot, parent: QWidget) -> None:
    sheet = opened(qtbot, parent, _LONG, "open")
    words = sheet.words
    assert words.height() >= words.heightForWidth(words.width()) > 6 * words.fontMetrics().height()
    sheet.close()


def test_what_enter_does_stands_last_and_the_way_out_first(qtbot: QtBot, parent: QWidget) -> None:
    sheet = opened(qtbot, parent, "It is safe.", "look")
    buttons = sorted(sheet.findChildren(QPushButton), key=lambda button: button.x())
    assert [button.text() for button in buttons] == ["Cancel", "Open", "Only look around"]
    assert buttons[-1].isDefault()
    sheet.close()


def test_what_cannot_be_chosen_is_off_and_says_why_and_enter_does_the_next(qtbot: QtBot, parent: QWidget) -> None:
    choices = [("open", "Open"), ("look", "Only look around"), ("", "Cancel")]
    why = "Another window has it open."
    sheet = Question(parent, "A workspace", "It is safe.", choices, "look", closed={"open": why})
    with qtbot.waitExposed(sheet):
        sheet.open()
    buttons = {button.text(): button for button in sheet.findChildren(QPushButton)}
    assert [text for text, button in buttons.items() if not button.isEnabled()] == ["Open"]
    assert buttons["Open"].accessibleDescription() == why
    assert [label for label in sheet.findChildren(QLabel) if label.text() == why and label.isVisible()]
    sheet.close()
