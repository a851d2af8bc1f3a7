"""What was left out of a prompt and is not named is counted, or it is said that there is more."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.answer_receipt.left_out import LeftOut
from mnemoscope.ui.chat.answer_receipt.left_out_page import LeftOutPage


@pytest.mark.parametrize(
    ("more", "rows"),
    [
        (0, ["The budget."]),
        (2, ["The budget.", "and 2 more"]),
        (None, ["The budget.", "and more: of a file that long only its beginning is looked through"]),
    ],
)
def test_lines_that_are_not_named_are_counted_or_said(qtbot: QtBot, more: int | None, rows: list[str]) -> None:
    qtbot.addWidget(window := QWidget())
    page = LeftOutPage(window)
    page.show_parts([LeftOut("The budget.", more=more)], may_write=True, is_whole=True)
    items = [page.tree.topLevelItem(place) for place in range(page.tree.topLevelItemCount())]
    assert [each.text(0) for each in items if each is not None] == rows
