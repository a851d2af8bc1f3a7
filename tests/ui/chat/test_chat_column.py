"""The bars above the conversation: whole where there is room for them, else scrolled, and never cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.ui.chat.chat_column import ChatColumn, NoticeArea
from tests.ui.window_fixture import words_in

SENTENCE = "This was set outside this window, and you have not agreed to it yet: the model that answers. " * 2


def nothing() -> None:
    pass


@pytest.fixture
def column(qtbot: QtBot) -> ChatColumn:
    made = ChatColumn()
    qtbot.addWidget(made)
    made.resize(325, 308)
    made.show()
    return made


def test_a_bar_is_whole_and_without_a_scroll_bar_where_there_is_room(column: ChatColumn, qtbot: QtBot) -> None:
    area = column.findChild(NoticeArea)
    assert isinstance(area, NoticeArea)
    column.resize(325, 600)
    bar = column.notify("info", SENTENCE, [("Trust this folder", nothing)])
    qtbot.waitUntil(lambda: bar.height() >= bar.heightForWidth(bar.width()) > 0 == area.verticalScrollBar().maximum())
    assert area.height() < column.transcript.height()
    bar.dismiss()
    qtbot.waitUntil(lambda: area.height() == 0)


def test_a_long_word_does_not_push_the_buttons_out_of_sight(column: ChatColumn, qtbot: QtBot) -> None:
    column.resize(325, 600)
    word = "f31a37968d3f51e3400a0bb9cf2979814e5e220ee225bf617e4c58677a0c1d2e"
    bar = column.notify("warning", f"“{word}” could not be read.", [("Try again", nothing)])
    area = column.findChild(NoticeArea)
    assert isinstance(area, NoticeArea)
    qtbot.waitUntil(lambda: 0 < bar.width() <= area.viewport().width())
    assert word in bar.details
    assert word in words_in(bar).replace("\u200b", "")


def test_in_a_low_window_the_last_action_of_a_bar_is_scrolled_to(column: ChatColumn, qtbot: QtBot) -> None:
    bar = column.notify(
        "info", SENTENCE * 2, [(words, nothing) for words in ("Trust this folder", "Use another", "Look")]
    )
    area = column.findChild(NoticeArea)
    assert isinstance(area, NoticeArea)
    whole = bar.heightForWidth
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0 and bar.height() >= whole(bar.width()))
    assert column.transcript.height() > 0
    last = bar.findChildren(QPushButton)[-1]
    area.ensureWidgetVisible(last)
    qtbot.waitUntil(lambda: last.visibleRegion().boundingRect() == QRect(0, 0, last.width(), last.height()))
