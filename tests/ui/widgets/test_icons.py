"""Icons as strokes: read as SVG means them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF

from mnemoscope.ui.widgets.svg_path import GRID, icon_path, svg_path

ICONS = sorted(path.stem for path in (Path(__file__).parents[3] / "resources" / "icons").glob("*.svg"))


def bounds(data: str) -> QRectF:
    return svg_path(f'<svg viewBox="0 0 24 24"><path d="{data}" /></svg>').boundingRect()


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_within_its_square_and_no_speck(name: str) -> None:
    place = icon_path(name).boundingRect()
    assert QRectF(0, 0, GRID, GRID).contains(place)
    assert max(place.width(), place.height()) >= GRID / 3


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ("M2 4h10v6H2z", QRectF(2, 4, 10, 6)),
        ("m2 4 10 6", QRectF(2, 4, 10, 6)),
        ("M2 4L12 10", QRectF(2, 4, 10, 6)),
        ("M4 12a8 8 0 0 1 16 0", QRectF(4, 4, 16, 8)),
        ("M4 12a8 8 0 0 0 16 0", QRectF(4, 12, 16, 8)),
        ("M12 4A8 8 0 1 1 4 12", QRectF(4, 4, 16, 16)),
        # Flags and numbers run together, as Lucide's shortened files have them.
        ("M4 12a8 8 0 0116 0", QRectF(4, 4, 16, 8)),
        # An arc that cannot reach is widened until it does.
        ("M4 12a1 1 0 0 1 16 0", QRectF(4, 4, 16, 8)),
    ],
)
def test_a_path_is_where_its_numbers_put_it(data: str, place: QRectF) -> None:
    found = bounds(data)
    for corner, expected in ((found.topLeft(), place.topLeft()), (found.bottomRight(), place.bottomRight())):
        assert (corner - expected).manhattanLength() < 0.05


def test_each_path_element_counts_from_the_corner() -> None:
    two = svg_path('<svg ><path d="M18 6 6 18"/><path d="m6 6 12 12"/></svg>')
    assert two.boundingRect() == QRectF(6, 6, 12, 12)


def test_circles_lines_and_rectangles_are_read() -> None:
    path = svg_path(
        '<svg ><circle cx="6" cy="6" r="2"/><line x1="1" y1="20" x2="9" y2="20"/><rect width="3" height="2"/></svg>'
    )
    for point in (QPointF(4, 6), QPointF(5, 20), QPointF(0, 0)):
        assert path.intersects(QRectF(point.x() - 0.1, point.y() - 0.1, 0.2, 0.2))


def test_an_element_that_is_not_known_is_said() -> None:
    with pytest.raises(ValueError, match="ellipse"):
        svg_path('<svg ><ellipse cx="1"/></svg>')
