"""A bar has the height that its lines need, however little room there is."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

DETAIL = "MEMORY.md stays as it is until you decide.\n• It would add the section “User”.\n• and 4 more reasons"


def test_no_line_of_a_bar_is_squeezed_in_a_low_and_narrow_pane(qtbot: QtBot) -> None:
    pane = QWidget()
    qtbot.addWidget(pane)
    bar = NoticeBar(
        "warning", DETAIL, [("Review", lambda: None)], brief=("10 proposals are waiting for review.", DETAIL)
    )
    text = QPlainTextEdit(pane)
    text.setMinimumHeight(60)
    column = QVBoxLayout(pane)
    column.addWidget(bar)
    column.addWidget(text, 1)
    pane.resize(190, 400)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.resize(190, pane.minimumSizeHint().height())
    words = [each for each in bar.findChildren(QLabel) if each.text()]
    assert len(words) == 2
    qtbot.waitUntil(lambda: all(each.height() >= each.heightForWidth(each.width()) for each in words))
    assert bar.height() >= bar.heightForWidth(bar.width())
