"""Icons: each is a picture that Qt can read, drawn in the colour that is asked for, within its square."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmapCache
from PySide6.QtWidgets import QApplication

from mnemoscope.ui.widgets.theme import SvgIcon, icon_renderer

ICONS = sorted(path.stem for path in (Path(__file__).parents[3] / "resources" / "icons").glob("*.svg"))
SIDE = 48
RED = "#FF0000"


def painted(image: QImage) -> list[tuple[int, int]]:
    return [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).alpha() > 40]


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_drawn_in_its_colour_and_is_no_speck(qapp: QApplication, name: str) -> None:
    image = QImage(SIDE, SIDE, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        icon_renderer(name, RED).render(painter, QRectF(0, 0, SIDE, SIDE))
    found = painted(image)
    assert {image.pixelColor(*place).name().upper() for place in found} == {RED}
    assert max(max(values) - min(values) for values in zip(*found, strict=True)) >= SIDE / 3


def test_a_disabled_icon_is_drawn_in_the_other_colour(qapp: QApplication) -> None:
    icon = QIcon(SvgIcon("check", RED, "#00FF00"))
    for mode, colour in ((QIcon.Mode.Normal, RED), (QIcon.Mode.Disabled, "#00FF00")):
        image = icon.pixmap(QSize(SIDE, SIDE), mode).toImage()
        assert {image.pixelColor(*place).name().upper() for place in painted(image)} == {colour}


def test_beside_a_square_the_room_is_left_free(qapp: QApplication) -> None:
    image = QIcon(SvgIcon("check", RED, RED)).pixmap(QSize(2 * SIDE, SIDE)).toImage()
    assert max(x for x, _ in painted(image)) < SIDE


def test_an_icon_of_one_size_is_drawn_once_and_in_each_colour_and_scale_anew(qapp: QApplication) -> None:
    drawn = list[SvgIcon]()

    class Noted(SvgIcon):
        def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
            drawn.append(self)
            super().paint(painter, rect, mode, state)

    QPixmapCache.clear()
    size = QSize(SIDE, SIDE)
    for icon in (Noted("check", RED, RED), Noted("check", RED, RED), Noted("check", "#00FF00", RED)):
        pixmaps = [icon.scaledPixmap(size, QIcon.Mode.Normal, QIcon.State.Off, scale) for scale in (1.0, 2.0, 2.0)]
        assert [pixmap.width() for pixmap in pixmaps] == [SIDE, 2 * SIDE, 2 * SIDE]
        assert [pixmap.devicePixelRatio() for pixmap in pixmaps] == [1.0, 2.0, 2.0]
    assert len(drawn) == 4
