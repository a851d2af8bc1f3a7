"""What stands where there is nothing to show: its picture is drawn when it is another one, and not at every call."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.empty_state import EmptyState


def test_the_same_icon_is_not_drawn_again(qtbot: QtBot) -> None:
    pane = QWidget()
    qtbot.addWidget(pane)
    state = EmptyState("message-square", "Nothing yet", "Write", lambda: None, pane)
    mark = next(each for each in state.findChildren(QLabel) if not each.pixmap().isNull())
    drawn = mark.pixmap().cacheKey()
    state.set_icon("message-square")
    assert mark.pixmap().cacheKey() == drawn
    state.set_icon("list-filter")
    assert mark.pixmap().cacheKey() != drawn
