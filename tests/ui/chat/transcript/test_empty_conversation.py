"""An empty conversation offers examples, however low its room is."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from mnemoscope.ui.chat.transcript.transcript import EmptyConversation


def test_in_a_low_room_the_examples_are_scrolled_and_do_not_cover_each_other() -> None:
    empty = EmptyConversation()
    empty.resize(400, 110)
    empty.show()
    QApplication.processEvents()
    first, *_, last = buttons = empty.findChildren(QPushButton)
    for above, below in pairwise(buttons):
        assert above.geometry().bottom() < below.geometry().top()
    assert last.visibleRegion().isEmpty()
    empty.activateWindow()
    first.setFocus()
    for one in buttons[:-1]:
        QTest.keyClick(one, Qt.Key.Key_Tab)
    assert not last.visibleRegion().isEmpty()
    empty.close()
    empty.deleteLater()
