"""The number on an icon is seen on a light panel and on a dark one, for none, some and many."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPixmap
from pytestqt.qtbot import QtBot

from mnemoscope.ui.shell.notification_controller import ICON_SIZES, counted_icon, number_words

PANELS = ("#FFFFFF", "#101418")
BLUE = QColor("#2456C4")


@pytest.fixture
def icon(qtbot: QtBot) -> QIcon:
    pixmap = QPixmap(64, 64)
    pixmap.fill(BLUE)
    return QIcon(pixmap)


def on_panel(icon: QIcon, panel: str, size: int = 32) -> QImage:
    """Returns the icon as a tray shows it: its pixels over the panel's colour."""
    image = QImage(size, size, QImage.Format.Format_RGB32)
    image.fill(QColor(panel))
    painter = QPainter(image)
    painter.drawPixmap(0, 0, icon.pixmap(size, size))
    painter.end()
    return image


def count_of(image: QImage, wanted: QColor, near: int = 60) -> int:
    found = 0
    for x in range(image.width()):
        for y in range(image.height()):
            color = image.pixelColor(x, y)
            pairs = zip(color.getRgb()[:3], wanted.getRgb()[:3], strict=True)  # type: ignore[index]
            found += all(abs(one - other) < near for one, other in pairs)
    return found


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("size", [16, 22, 32, 64])
@pytest.mark.parametrize("count", [1, 9, 10, 4_000])
def test_the_number_stands_on_its_own_ground_at_the_lower_right(icon: QIcon, panel: str, size: int, count: int) -> None:
    image = on_panel(counted_icon(icon, count), panel, size)
    corner = image.copy(size // 3, size // 3, size, size)
    red, white = QColor("#C21F2B"), QColor("#FFFFFF")
    assert count_of(corner, red) > size * size // 20
    # The digits, within the ground.
    middle = image.copy(round(size * 0.5), round(size * 0.5), round(size * 0.4), round(size * 0.4))
    assert count_of(middle, white, near=110) >= 2
    # What the icon shows is still seen.
    assert count_of(image, BLUE) > size * size // 6


@pytest.mark.parametrize("panel", PANELS)
def test_other_numbers_look_other_and_more_than_nine_say_so(icon: QIcon, panel: str) -> None:
    drawn = [on_panel(counted_icon(icon, count), panel) for count in range(11)]
    assert all(one != other for place, one in enumerate(drawn) for other in drawn[:place])
    assert on_panel(counted_icon(icon, 10), panel) == on_panel(counted_icon(icon, 400), panel)
    assert [number_words(count) for count in (1, 9, 10, 400)] == ["1", "9", "9+", "9+"]


@pytest.mark.parametrize("count", [0, -1])
def test_none_leaves_the_icon_as_it_is(icon: QIcon, count: int) -> None:
    assert counted_icon(icon, count).cacheKey() == icon.cacheKey()


def test_each_size_is_drawn_for_itself(icon: QIcon) -> None:
    assert sorted(size.width() for size in counted_icon(icon, 3).availableSizes()) == list(ICON_SIZES)
    pixmap = counted_icon(icon, 3).pixmap(QSize(16, 16))
    assert pixmap.width() == 16
    assert pixmap.toImage().pixelColor(0, 0) == BLUE
