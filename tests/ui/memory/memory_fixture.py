"""A memory file in a window of its own (fixture `pane`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from mnemoscope.ui.memory.memory_document import MemoryDocument

FILE = "# Project\n\n- Uses PostgreSQL 16\n- Deadline is 12 May\n\n## Preferences\n\n- Short answers\n"
THEIRS = FILE.replace("- Deadline is 12 May\n", "- Deadline is 12 May\n- pgbouncer, transaction mode\n")


@pytest.fixture
def pane(qtbot: QtBot) -> Iterator[MemoryDocument]:
    pane = MemoryDocument()
    qtbot.addWidget(pane)
    pane.resize(700, 600)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.show_memory(FILE, "v1")
    yield pane
    pane.show_memory("", "v-end")


def type_at_end(pane: MemoryDocument, words: str) -> None:
    """Types behind all that is there."""
    cursor = pane.editor.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    cursor.insertText(words)


def press(pane: MemoryDocument, words: str) -> None:
    """Press the visible button of this name."""
    buttons = [button for button in pane.findChildren(QPushButton) if button.text() == words and button.isVisible()]
    buttons[0].click()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
