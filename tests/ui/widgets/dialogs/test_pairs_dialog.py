"""Words and what they mean, in a dialog that is no higher than the window it stands over."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QMainWindow, QScrollArea
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.dialogs.pairs_dialog import PairsDialog


def shown(qtbot: QtBot, count: int) -> tuple[PairsDialog, QMainWindow]:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(1024, 560)
    window.show()
    pairs = [(f"Word {number}", f"What word {number} means.") for number in range(count)]
    dialog = PairsDialog("Words", "Each word means one thing", pairs, window)
    dialog.open()
    qtbot.waitExposed(dialog)
    return dialog, window


def test_a_long_list_scrolls_in_a_dialog_that_leaves_the_window_in_sight(qtbot: QtBot) -> None:
    dialog, window = shown(qtbot, 60)
    area = dialog.findChild(QScrollArea)
    assert area is not None
    assert dialog.height() < window.height()
    assert area.verticalScrollBar().maximum() > 0


def test_a_word_stands_beside_its_meaning(qtbot: QtBot) -> None:
    dialog, _ = shown(qtbot, 4)
    for number in range(4):
        word, meaning = (
            next(each for each in dialog.findChildren(QLabel) if each.text() == text)
            for text in (f"Word {number}", f"What word {number} means.")
        )
        baselines = [
            label.mapTo(dialog, QPoint(0, 0)).y() + QFontMetrics(label.font()).ascent() for label in (word, meaning)
        ]
        assert meaning.alignment() & Qt.AlignmentFlag.AlignTop
        assert abs(baselines[0] - baselines[1]) <= 1
