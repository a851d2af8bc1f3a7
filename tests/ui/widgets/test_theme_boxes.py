"""Lists and texts of dialogs stand in a frame, with room around their words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QFrame, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.agent.workspace.repairs import DamagedText
from mnemoscope.domain.conversation.message import SalvagedRecord
from mnemoscope.store.files.quarantine import DamagedRecord
from mnemoscope.ui.chat.damaged_records_dialog import DamagedRecordsDialog
from mnemoscope.ui.widgets.theme import Theme, apply_theme


@pytest.fixture(params=["light", "dark"])
def sheet(qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[DamagedRecordsDialog]:
    apply_theme(qapp, request.param)
    record = DamagedRecord(5, 0, 20, "cut off", "quarantine/x.bin")
    parent = QWidget()
    qtbot.addWidget(parent)
    sheet = DamagedRecordsDialog(
        parent, [DamagedText(record, '{"role": "user"', SalvagedRecord("user", "The words"))] * 2
    )
    with qtbot.waitExposed(sheet):
        sheet.open()
    yield sheet
    sheet.close()
    apply_theme(qapp, "light")


def edge_colour(box: QFrame) -> str:
    """Returns the colour half-way down the left edge."""
    return box.grab().toImage().pixelColor(0, box.height() // 2).name()


def test_texts_and_lists_of_a_dialog_have_an_edge(sheet: DamagedRecordsDialog) -> None:
    boxes = [*sheet.findChildren(QPlainTextEdit), *sheet.findChildren(QListWidget)]
    colours = {edge_colour(box) for box in boxes if not box.hasFocus()}
    assert len(boxes) == 3
    assert colours == {Theme.current().color("border").name()}


def test_words_keep_clear_of_the_edge(sheet: DamagedRecordsDialog) -> None:
    assert all(text.document().documentMargin() >= 8 for text in (sheet.bytes, sheet.words))
    row = sheet.list.visualItemRect(sheet.list.item(0))
    words = sheet.list.fontMetrics().height()
    assert row.height() >= words + 12
    assert sheet.list.verticalScrollBar().maximum() == 0
