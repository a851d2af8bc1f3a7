"""Draws a number on an icon, as a program's icon in the system's tray says how much waits."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPixmap

SIZES: Final = (16, 22, 24, 32, 44, 48, 64)
"""Pixels of the pictures of an icon, of which the tray takes the one that fits."""
MOST: Final = 9
"""The largest number that is drawn; of more it says that there are more."""
_FILL: Final = QColor("#C21F2B")
_INK: Final = QColor("#FFFFFF")
"""The number stands on its own ground with an edge around it: it reads on a light panel and on a dark one."""
_PART: Final = 0.62
"""Part of the icon's height that the number takes: smaller, it could not be read at 16 pixels."""


def counted_icon(icon: QIcon, count: int) -> QIcon:
    """Returns the icon with a number at its lower right, "9+" for more than 9; without a number for 0."""
    if count <= 0:
        return icon
    counted = QIcon()
    for size in SIZES:
        counted.addPixmap(_counted(icon.pixmap(size, size), size, words_of(count)))
    return counted


def words_of(count: int) -> str:
    """Returns the number as it is drawn."""
    return str(count) if count <= MOST else f"{MOST}+"


def _counted(drawn: QPixmap, size: int, words: str) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, size, size, drawn)
        height = round(size * _PART)
        font = QFont(painter.font())
        font.setPixelSize(max(8, round(height * 0.86)))
        font.setWeight(QFont.Weight.Bold)
        painter.setFont(font)
        width = min(size, max(height, painter.fontMetrics().horizontalAdvance(words) + height // 3))
        ground = QRectF(size - width, size - height, width, height)
        painter.setPen(QPen(_INK, max(1, size // 24)))
        painter.setBrush(_FILL)
        painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        painter.setPen(_INK)
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, words)
    return pixmap
