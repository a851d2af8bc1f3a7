"""Icons as strokes: the few elements of SVG that Lucide's icons are made of, read into a painter's path.

Qt's own reader of SVG is a library of its own, and costs over a megabyte for forty strokes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from mnemoscope.store.files.shipped import shipped

GRID: Final = 24
"""Side of the square every icon is drawn in."""
_NUMBERS: Final[Mapping[str, int]] = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}


@cache
def icon_path(name: str) -> QPainterPath:
    """The strokes of an icon, within a square of `GRID`."""
    source = shipped("resources", "icons", f"{name}.svg").read_text(encoding="utf-8")
    return svg_path(source)


def svg_path(source: str) -> QPainterPath:
    """The strokes of an SVG text made of path, circle, line and rect; anything else is a ValueError."""
    path = QPainterPath()
    body = source[source.index("<svg") :].split(">", 1)[1]
    for kind, words in re.findall(r"<([a-z]+)\s([^>]*)>", body):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', words))
        if kind not in _ELEMENTS:
            raise ValueError(f"an icon with the element {kind}")
        _ELEMENTS[kind](path, attributes)
    return path


def _add_path(path: QPainterPath, attributes: Mapping[str, str]) -> None:
    own = QPainterPath()
    strokes = _Strokes(own)
    for command, numbers in _steps(attributes["d"]):
        strokes.take(command, numbers)
    path.addPath(own)


def _add_circle(path: QPainterPath, attributes: Mapping[str, str]) -> None:
    radius = float(attributes["r"])
    path.addEllipse(QPointF(float(attributes["cx"]), float(attributes["cy"])), radius, radius)


def _add_line(path: QPainterPath, attributes: Mapping[str, str]) -> None:
    path.moveTo(float(attributes["x1"]), float(attributes["y1"]))
    path.lineTo(float(attributes["x2"]), float(attributes["y2"]))


def _add_rect(path: QPainterPath, attributes: Mapping[str, str]) -> None:
    left, top, width, height = (float(attributes.get(name, 0)) for name in ("x", "y", "width", "height"))
    radius = float(attributes.get("rx", attributes.get("ry", 0)))
    path.addRoundedRect(QRectF(left, top, width, height), radius, radius)


_ELEMENTS: Final[Mapping[str, Callable[[QPainterPath, Mapping[str, str]], None]]] = {
    "path": _add_path,
    "circle": _add_circle,
    "line": _add_line,
    "rect": _add_rect,
}


def _steps(data: str) -> Iterator[tuple[str, list[float]]]:
    """The commands of path data, each with the numbers of one step."""
    for command, words in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", data):
        numbers = _numbers(words, is_arc=command in "aA")
        size = _NUMBERS[command.upper()]
        for start in range(0, max(len(numbers), 1), max(size, 1)):
            # Further points of a move are lines.
            follows = start > 0 and command in "mM"
            yield (chr(ord(command) - 1) if follows else command), numbers[start : start + size]


def _numbers(words: str, *, is_arc: bool) -> list[float]:
    """Numbers as SVG runs them together; the fourth and fifth of an arc are flags of one digit."""
    found: list[float] = []
    place = 0
    while match := _number(len(found) % 7 in (3, 4) if is_arc else False).match(words, place):
        found.append(float(match[1]))
        place = match.end()
    return found


@cache
def _number(is_flag: bool) -> re.Pattern[str]:
    return re.compile(r"[\s,]*([01])" if is_flag else r"[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)")


class _Strokes:
    """A pen on a path: small letters count from where it stands."""

    def __init__(self, path: QPainterPath) -> None:
        self._path = path

    def take(self, command: str, numbers: list[float]) -> None:
        """Draw one step."""
        path, at = self._path, self._path.currentPosition()
        left, top = (at.x(), at.y()) if command.islower() else (0.0, 0.0)
        match command.upper(), numbers:
            case "M", [x, y]:
                path.moveTo(left + x, top + y)
            case "L", [x, y]:
                path.lineTo(left + x, top + y)
            case "H", [x]:
                path.lineTo(left + x, at.y())
            case "V", [y]:
                path.lineTo(at.x(), top + y)
            case "C", [a, b, c, d, x, y]:
                path.cubicTo(left + a, top + b, left + c, top + d, left + x, top + y)
            case "A", [rx, ry, _, large, sweep, x, y]:
                self._arc(rx, ry, large != sweep, sweep == 1, QPointF(left + x, top + y))
            case _:
                path.closeSubpath()

    def _arc(self, rx: float, ry: float, on_left: bool, clockwise: bool, end: QPointF) -> None:
        """An arc that is not turned, from its ends to its middle and angles (SVG 1.1, F.6.5)."""
        start = self._path.currentPosition()
        half_x, half_y = (start.x() - end.x()) / 2, (start.y() - end.y()) / 2
        reach = (half_x / rx) ** 2 + (half_y / ry) ** 2
        if reach > 1:
            rx, ry = rx * math.sqrt(reach), ry * math.sqrt(reach)
        offset = math.sqrt(max(0.0, 1 / min(reach, 1.0) - 1)) * (1 if on_left else -1)
        dx, dy = offset * rx * half_y / ry, -offset * ry * half_x / rx
        middle = QPointF((start.x() + end.x()) / 2 + dx, (start.y() + end.y()) / 2 + dy)
        first = math.degrees(math.atan2((half_y - dy) / ry, (half_x - dx) / rx))
        last = math.degrees(math.atan2((-half_y - dy) / ry, (-half_x - dx) / rx))
        turn = (last - first) % 360 if clockwise else -((first - last) % 360)
        # Qt counts angles against the clock.
        self._path.arcTo(QRectF(middle.x() - rx, middle.y() - ry, 2 * rx, 2 * ry), -first, -turn)
