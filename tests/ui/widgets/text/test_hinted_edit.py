"""The hint of an edit makes way for what an input method composes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.ui.capture.chat_box import ChatBox
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.widgets.text.hinted_edit import HintedEdit


@pytest.mark.parametrize("make", [HintedEdit, MemoryEditor, ChatBox])
def test_a_hint_is_not_painted_under_what_is_composed(qtbot: QtBot, make: type[HintedEdit]) -> None:
    edit = make()
    qtbot.addWidget(edit)
    edit.setPlaceholderText("Say it")
    QApplication.sendEvent(edit, QInputMethodEvent("nihao", []))
    assert edit.placeholderText() == ""
    edit.setPlaceholderText("Say it again")
    assert edit.placeholderText() == ""
    # Escape gives the composition up.
    QApplication.sendEvent(edit, QInputMethodEvent("", []))
    assert edit.placeholderText() == "Say it again"
    assert edit.toPlainText() == ""
