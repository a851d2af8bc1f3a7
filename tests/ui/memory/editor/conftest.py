"""A memory editor in a window of its own (fixture `editor`)."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor


@pytest.fixture
def editor(qtbot: QtBot) -> MemoryEditor:
    editor = MemoryEditor()
    qtbot.addWidget(editor)
    editor.resize(420, 400)
    with qtbot.waitExposed(editor):
        editor.show()
    editor.setFocus()
    return editor
