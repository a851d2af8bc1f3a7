"""Finds the controls of a part in their tab order, and inserts a part into that order which is built later."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLayout, QSplitter, QTabWidget, QWidget

_BY_TAB: Final = {Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.StrongFocus, Qt.FocusPolicy.WheelFocus}
"""The policies of what takes the keyboard by Tab."""


def controls_of(part: QWidget) -> list[QWidget]:
    """Returns what takes the keyboard by Tab within a part, as it stands there.

    They are read from the layouts: walking the focus chain would make PySide the owner of what it returns.
    """
    # The list of a combo box is a window of its own.
    window = part.window()
    return [each for each in _within(part) if takes_tab(each) and each.window() is window]


def _within(part: QWidget) -> Iterator[QWidget]:
    for child in _children_as_they_stand(part):
        yield child
        yield from _within(child)


def _children_as_they_stand(part: QWidget) -> list[QWidget]:
    """Returns them in the order of the splitter or the layout they are in, the tabs of pages first, then those that are
    in none, as they were made."""
    others = part.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if not others:
        return []
    if isinstance(part, QSplitter):
        placed = [widget for place in range(part.count()) if (widget := part.widget(place)) is not None]
    elif isinstance(part, QTabWidget):
        placed = [part.tabBar()]
    else:
        layout = part.layout()
        placed = list(_laid_out(layout, others)) if layout is not None else []
    return [*placed, *(each for each in others if each not in placed)] if len(placed) < len(others) else placed


def _laid_out(layout: QLayout, children: list[QWidget]) -> Iterator[QWidget]:
    """Yields those of the children that are in the layout, as they stand.

    No item of it is asked for: Qt deletes an item without a word when its widget is moved, and Python's object for it
    would be taken for whatever comes to stand at its address.
    """
    inside: dict[int, QWidget | QLayout] = {layout.indexOf(each): each for each in children}
    inside |= {layout.indexOf(each): each for each in layout.children() if isinstance(each, QLayout)}
    inside.pop(-1, None)
    for _, each in sorted(inside.items(), key=itemgetter(0)):
        if isinstance(each, QLayout):
            yield from _laid_out(each, children)
        else:
            yield each


def takes_tab(control: QWidget) -> bool:
    """Returns whether Tab stops at a control, and at none that takes the keyboard for it."""
    return control.focusPolicy() in _BY_TAB and control.focusProxy() is None


def tab_as_laid_out(part: QWidget) -> None:
    """Has Tab go through the controls of a part as they stand there, in whatever order they were made."""
    for first, second in pairwise(controls_of(part)):
        QWidget.setTabOrder(first, second)


def precede_in_tab_order(part: QWidget, after: QWidget) -> None:
    """Has Tab reach the controls of a part that was just built before the control `after`."""
    follow_in_tab_order(part, after)
    if controls := controls_of(part):
        QWidget.setTabOrder(controls[-1], after)


def follow_in_tab_order(part: QWidget, before: QWidget) -> None:
    """Has Tab reach the controls of a part that was just built behind the control `before`."""
    for each in (part, *part.findChildren(QWidget)):
        if (target := each.focusProxy()) is not None and each.isAncestorOf(target):
            FocusForwarder(each, target)
    last = before
    for control in controls_of(part):
        QWidget.setTabOrder(last, control)
        last = control


class FocusForwarder(QObject):
    """Gives the keyboard of a part to its control `target`, as a focus proxy does; with one, Tab goes round for ever
    where it meets the part after that control."""

    def __init__(self, part: QWidget, target: QWidget) -> None:
        super().__init__(part)
        self._part, self._target = part, target
        part.setFocusProxy(None)  # type: ignore[arg-type]  # it may be None, whatever its stub says
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Gives the keyboard on: to the first control there is where the target is not there to take it."""
        if not isinstance(event, QFocusEvent) or not event.gotFocus():
            return False
        there = (each for each in (self._target, *controls_of(self._part)) if each.isVisible() and each.isEnabled())
        next(there, self._target).setFocus(event.reason())
        return True
