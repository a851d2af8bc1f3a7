"""A link's words stand in line with the words above it, and its focus ring has room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.link_row import LinkRow
from mnemoscope.ui.widgets.theme import LINK_INSET, apply_theme, set_role


@pytest.mark.parametrize("right", [False, True])
def test_a_links_words_are_in_line_with_what_is_above(qtbot: QtBot, qapp: QApplication, right: bool) -> None:
    apply_theme(qapp, "light")
    holder = QWidget()
    qtbot.addWidget(holder)
    label, link = QLabel("Above the link, and wider than it", holder), QPushButton("Undo", holder)
    set_role(link, kind="link")
    column = QVBoxLayout(holder)
    column.setContentsMargins(LINK_INSET, 0, LINK_INSET, 0)
    column.addWidget(label)
    row = LinkRow(left=not right, right=right)
    if right:
        row.addStretch(1)
    row.addWidget(link)
    if not right:
        row.addStretch(1)
    column.addLayout(row)
    with qtbot.waitExposed(holder):
        holder.show()
    edge, words = (label.geometry().right(), link.geometry().right()) if right else (label.x(), link.x())
    assert words - edge == (LINK_INSET if right else -LINK_INSET)
    assert holder.rect().contains(link.geometry())
    assert link.sizeHint().width() == link.fontMetrics().horizontalAdvance("Undo") + 2 * LINK_INSET
