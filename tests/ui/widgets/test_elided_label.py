"""Words that are cut where they lack room stand where those of any label do."""

from __future__ import annotations

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.widgets.elided_label import ClampedLabel, ElidedLabel


def _inked_rows(picture: QImage) -> list[int]:
    ground = picture.pixel(0, 0)
    return [
        y for y in range(picture.height()) if any(picture.pixel(x, y) != ground for x in range(0, picture.width(), 1))
    ]


def test_few_words_stand_at_the_middle_of_a_label_that_is_higher(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    label = ClampedLabel(parent, 2)
    label.setText("xxxx")
    line = label.fontMetrics().lineSpacing()
    label.resize(200, line)
    low = _inked_rows(label.grab().toImage())
    label.resize(200, line + 20)
    high = _inked_rows(label.grab().toImage())
    assert low
    assert [row - 10 for row in high] == low


def test_words_that_have_all_their_width_are_not_cut(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    for number in range(100):
        label.setText(f"{number} %")
        label.resize(label.fontMetrics().horizontalAdvance(label.text()), 20)
        assert label.shown_words() == label.text()
    label.resize(20, 20)
    assert label.shown_words().endswith("…")
