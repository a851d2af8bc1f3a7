"""Walks through a window with Tab as a person does, and says of each stop what it is and how its focus ring looks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QMargins, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QFrame,
    QPlainTextEdit,
    QTabWidget,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from mnemoscope.ui.widgets.accessibility.tab_order import takes_tab
from mnemoscope.ui.widgets.theme import Theme
from tests.ui.window_fixture import press

MOST_LINKS: Final = 100
"""That a page to read has at the most."""
CONTRAST: Final = 3.0
"""By which a pixel of a ring differs at the least from what is there without the keyboard, as WCAG 2.4.13 asks for."""
_AROUND: Final = 4
_BAND: Final = 4
"""Pixels from each edge of what changed within which a ring is drawn."""
_SHARE: Final = 0.5
"""Share of each edge along which the ring is seen at the least: its corners are round."""
_COLOUR: Final = 0xFFFFFF
"""The part of a pixel that is its colour."""
_LEAST: Final = 10
"""Pixels of the width and the height of a ring at the least; a caret that comes is none."""
_CARDS: Final = frozenset({"card", "input-card"})
_HOLDERS: Final = frozenset({QAccessible.Role.NoRole, QAccessible.Role.Client, QAccessible.Role.Window})
"""The roles that say nothing of what a control is."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One control that Tab came to. `place` is where it stands in its window, `fault` what is wrong with it, or ""."""

    widget: QWidget
    name: str
    place: QRect
    fault: str


async def walk(window: QWidget, seen: set[int]) -> list[Stop]:
    """Returns the controls of a window in the order in which Tab goes through them, beginning with that which has the
    keyboard. Those in `seen`, by their id, are not looked at again, and are added."""
    stops: list[Stop] = []
    met: list[QWidget] = []
    here = window.focusWidget()
    while here is not None and here not in met:
        fault = "" if id(here) in seen else await fault_of(here)
        seen.add(id(here))
        met.append(here)
        name, place = name_of(here), place_of(here)
        await leave(here)
        here = window.focusWidget()
        stops.append(Stop(met[-1], name, place, fault or ("keeps Tab" if here is met[-1] and len(met) > 1 else "")))
    if here is not None and here is not met[0]:
        lost = f"Tab comes to {name_of(here)} in its place"
        stops.append(Stop(met[0], name_of(met[0]), place_of(met[0]), lost))
    return stops


async def leave(here: QWidget) -> None:
    """Presses Tab where the keyboard is; in a page to read as often as it takes to pass through its links."""
    # In an editor Tab is a letter; with Ctrl it leaves.
    is_editor = isinstance(here, QPlainTextEdit | QTextEdit) and not (here.isReadOnly() or here.tabChangesFocus())
    keys = "Ctrl+Tab" if is_editor else "Tab"
    for _ in range(MOST_LINKS if isinstance(here, QTextBrowser) else 1):
        press(here, keys)
        await asyncio.sleep(0)
        if not here.hasFocus():
            return


def missed(there: list[QWidget], window: QWidget, stops: list[Stop]) -> list[str]:
    """Returns those of the controls that were there all along to be met, and were not."""
    met = {stop.widget for stop in stops}
    still = set(controls_in_sight(window))
    return [name_of(each) for each in there if each in still and each not in met]


def controls_in_sight(window: QWidget) -> Iterator[QWidget]:
    """Yields what takes the keyboard by Tab and is to be seen in a window, the parts of Qt's own controls left out."""
    for each in window.findChildren(QWidget):
        is_part = each.objectName().startswith("qt_") or isinstance(each.parent(), QComboBox)
        if is_part or each.window() is not window or not each.isVisible() or not each.isEnabled():
            continue
        if takes_tab(each) and window.rect().intersects(place_of(each)) and not each.visibleRegion().isEmpty():
            yield each


def climbs(stops: list[Stop]) -> list[str]:
    """Returns the steps that go against the order of reading: up, and not to the right of where they come from. One
    does, back to the first control."""
    found = [
        f"{one.name} -> {other.name}"
        for one, other in zip(stops, [*stops[1:], *stops[:1]], strict=True)
        if other.place.bottom() < one.place.top() and other.place.left() < one.place.right()
    ]
    return found if len(found) > 1 else []


def pages_of(window: QWidget) -> Iterator[str]:
    """Shows one page after the other of the tabs in a window, and yields the name of each; "" where there are none."""
    tabs = next((each for each in window.findChildren(QTabWidget) if each.isVisible()), None)
    if tabs is None:
        yield ""
        return
    for place in range(tabs.count()):
        tabs.setCurrentIndex(place)
        tabs.tabBar().setFocus(Qt.FocusReason.TabFocusReason)
        yield tabs.tabText(place)


def name_of(widget: QWidget) -> str:
    """Returns a name for a control that says in a message which it is."""
    words: Any = widget.accessibleName() or getattr(widget, "text", lambda: "")() or widget.toolTip()
    return f"{type(widget).__name__} {words if isinstance(words, str) else ''}"[:80].strip()


def place_of(widget: QWidget) -> QRect:
    """Returns where a control stands in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size())


async def fault_of(widget: QWidget) -> str:
    """Returns what a control that has the keyboard lacks: its name, its role, or a ring; "" where it lacks nothing."""
    interface = QAccessible.queryAccessibleInterface(widget)
    # On Linux Qt tells what is chosen in a list as its name; the name proper goes by the control beside it.
    if interface is None or not (widget.accessibleName() or interface.text(QAccessible.Text.Name)):
        return "no name"
    if interface.role() in _HOLDERS and not isinstance(widget, QAbstractScrollArea):
        return "no role"
    if not interface.state().focused:
        return "does not say that it has the keyboard"
    with_it = look_of(widget)
    widget.clearFocus()
    await asyncio.sleep(0)
    without = look_of(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    await asyncio.sleep(0)
    return ring_fault(with_it, without, with_it.devicePixelRatio())


def look_of(widget: QWidget) -> QImage:
    """Returns the pixels of a control with what is drawn around it, and those of the cards it is in."""
    top, area = widget.window(), place_of(widget)
    above = widget.parentWidget()
    while above is not None and above is not top:
        if isinstance(above, QFrame) and above.property("role") in _CARDS:
            area = area.united(place_of(above))
        above = above.parentWidget()
    return top.grab(area.marginsAdded(QMargins(*(4 * [_AROUND]))) & top.rect()).toImage()


def ring_fault(with_it: QImage, without: QImage, scale: float) -> str:
    """Returns what is wrong with the ring that one picture has more than the other; "" where all its sides are seen."""
    if with_it.size() != without.size():
        return "changes its size with the keyboard"
    seen, before = _pixels(with_it), _pixels(without)
    changed = _contrast(seen, before) >= CONTRAST
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not rows.size or rows[-1] - rows[0] < _LEAST * scale or columns[-1] - columns[0] < _LEAST * scale:
        return "no ring"
    # An edge that was of the colour of the ring before, as that of the tab in front, is of it still.
    drawn = changed | (seen == Theme.current().color("focus").rgb() & _COLOUR)
    ring, band = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], round(_BAND * scale)
    sides = {
        "top": ring[:band].any(axis=0),
        "bottom": ring[-band:].any(axis=0),
        "left": ring[:, :band].any(axis=1),
        "right": ring[:, -band:].any(axis=1),
    }
    open_sides = [side for side, seen in sides.items() if seen.mean() < _SHARE]
    return f"no ring at the {', '.join(open_sides)}" if open_sides else ""


def _contrast(one: Any, other: Any) -> Any:
    """Returns the contrast of each pixel of one picture to that of the other, 1 to 21."""
    found = np.ones(one.shape)
    # Most of two pictures is alike, and without contrast.
    unlike = one != other
    lights = _luminance(one[unlike]), _luminance(other[unlike])
    found[unlike] = (np.maximum(*lights) + 0.05) / (np.minimum(*lights) + 0.05)
    return found


def _luminance(pixels: Any) -> Any:
    """Returns the relative luminance of each pixel, 0 to 1."""
    share = np.stack([pixels >> 16 & 255, pixels >> 8 & 255, pixels & 255], axis=-1) / 255.0
    linear = np.where(share <= 0.03928, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _pixels(image: QImage) -> Any:
    """Returns each pixel as a number, 0xRRGGBB."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    held = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)
    return held[:, : plain.width()] & _COLOUR


def keep_caret_still() -> None:
    """Has carets stand still, so that two pictures of one state are alike."""
    QApplication.setCursorFlashTime(0)
