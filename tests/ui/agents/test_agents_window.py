"""The page that asks before other agents are looked at."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from mnemoscope.ui.agents.agents_window import AgentsWindow


@pytest.mark.parametrize("width", [480, 900, 1200])
def test_every_line_of_the_question_has_the_height_that_it_needs(qtbot: QtBot, width: int) -> None:
    window = AgentsWindow(may_keep=True)
    qtbot.addWidget(window)
    window.ask()
    window.resize(width, 700)
    with qtbot.waitExposed(window):
        window.show()
    shown = [label for label in window.ask_page.findChildren(QLabel) if label.isVisible()]
    assert len(shown) == 3
    assert all(label.height() >= label.heightForWidth(label.width()) for label in shown)


def test_a_conversation_is_to_be_chosen_only_where_there_is_one(qtbot: QtBot) -> None:
    window = AgentsWindow(may_keep=True)
    qtbot.addWidget(window)
    assert window.conversation.nothing.text() == "Choose a conversation."
    window.list.show_stores([])
    assert window.list.none.text() == "There are no conversations."
    assert window.conversation.nothing.text() == ""
