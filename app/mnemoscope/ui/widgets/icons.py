"""Lucide's icons, drawn from their SVG files in the colours of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from mnemoscope.store.files.shipped import shipped


@lru_cache(maxsize=256)
def icon_renderer(name: str, colour: str) -> QSvgRenderer:
    """Returns what draws an icon in a colour (`#RRGGBB`)."""
    source = shipped("resources", "icons", f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))


class SvgIcon(QIconEngine):
    """Paints one icon in one colour at whatever size is asked; in another one where its control is disabled."""

    def __init__(self, name: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._name = name
        self._colour = colour
        self._disabled = disabled

    def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
        colour = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        place = QRect(rect)  # type: ignore[call-overload]
        # Where there is more room than a square, it is left free behind the icon.
        side = min(place.width(), place.height())
        icon_renderer(self._name, colour).render(painter, QRectF(place.x(), place.y(), side, side))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        # The size is in pixels of the ordinary scale, the pixmap in those of the screen.
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return pixmap

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return size

    def clone(self) -> QIconEngine:
        return SvgIcon(self._name, self._colour, self._disabled)
