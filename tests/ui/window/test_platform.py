"""What the platform under the window must do: sound reference counts, and letters that can be read."""

import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QFont, QFontInfo, QImage, QPainter
from pytestqt.qtbot import QtBot

SIZE = 96
BACKGROUND = QColor("white")


def _picture(text: str) -> QImage:
    image = QImage(SIZE, SIZE, QImage.Format.Format_RGB32)
    image.fill(BACKGROUND)
    painter = QPainter(image)
    font = QFont()
    font.setPixelSize(64)
    painter.setFont(font)
    painter.drawText(image.rect(), 0x84, text)
    painter.end()
    return image


def _inked(image: QImage) -> int:
    return sum(image.pixelColor(x, y) != BACKGROUND for x in range(SIZE) for y in range(SIZE))


def test_timer_events_keep_the_count_of_references_to_none(qtbot: QtBot) -> None:
    """PySide6 6.12.0 on CPython 3.11 loses one at each event and aborts once none is left."""
    wanted = 2_000
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1

    timer = QTimer()
    timer.timeout.connect(count)
    before = sys.getrefcount(None)
    timer.start(0)
    qtbot.waitUntil(lambda: seen >= wanted, timeout=120_000)
    timer.stop()
    assert sys.getrefcount(None) > before - wanted // 10


@pytest.mark.parametrize(
    "pair", ["Aa", "Жж", "漢字", "한글", "かな", "ʻ’"], ids=["latin", "cyrillic", "han", "hangul", "kana", "quotes"]
)
@pytest.mark.usefixtures("qapp")
def test_letters_are_drawn_not_boxes(pair: str) -> None:
    """A font that lacks a letter draws the same box for every one it lacks."""
    one, other, missing = (_picture(letter) for letter in (*pair, "\U0010fffd"))
    assert _inked(one) > 20
    assert _inked(other) > 20
    assert one != other
    assert missing not in (one, other)


@pytest.mark.usefixtures("qapp")
def test_code_has_a_font_of_one_width() -> None:
    font = QFont("JetBrains Mono")
    font.setStyleHint(QFont.StyleHint.Monospace)
    assert QFontInfo(font).fixedPitch()
