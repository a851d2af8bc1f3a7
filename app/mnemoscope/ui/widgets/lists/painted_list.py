"""The base of a list that paints its items itself, and what a screen reader is given of it.

As an item is painted when it is seen, it is made for a screen reader when it is asked for. Qt asks only while an
assistive technology is active. Its cache keeps an item until told otherwise, so the items are few, kept alive here, and
handed back when enough others were asked for since or the list goes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import cache
from typing import Final

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QColor,
    QFocusEvent,
    QWindow,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from mnemoscope.ui.widgets.theme import Theme

ITEMS_KEPT: Final = 256
"""Items of one list that a screen reader asked for and that are held for it."""


class PaintedList(QAbstractScrollArea):
    """Is a list walked by keyboard and mouse. Each item is named by its place from 0; rectangles are in the viewport's
    pixels. A list says what it shows in the methods that raise NotImplementedError here."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _serve_screen_readers()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
        self.viewport().setMouseTracking(True)

    def count(self) -> int:
        """Returns how many items there are."""
        raise NotImplementedError

    def sentence(self, place: int) -> str:
        """Returns what is read out for an item."""
        raise NotImplementedError

    def current_place(self) -> int | None:
        """Returns the place of the current item, None for none."""
        raise NotImplementedError

    def unfolded(self, place: int) -> bool | None:
        """Returns whether all of an item is shown; None where it does not fold."""
        raise NotImplementedError

    def in_sight(self) -> Iterable[tuple[int, QRect]]:
        """Returns the items in sight and where they are."""
        raise NotImplementedError

    def rect_of(self, place: int) -> QRect | None:
        """Returns where an item is, None where that is not known."""
        return next((rect for seen, rect in self.in_sight() if seen == place), None)

    def announce_current(self, place: int | None, sentence: str) -> None:
        """Announces that another item is current, or reads differently; `place` is None where it is not listed."""
        self.setAccessibleDescription(sentence)
        if QAccessible.isActive() and place is not None:
            for kind in (QAccessible.Event.Focus, QAccessible.Event.Selection):
                event = QAccessibleEvent(self, kind)
                event.setChild(place)
                QAccessible.updateAccessibility(event)

    def announce_order(self) -> None:
        """Announces that items came, went or moved."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.ObjectReorder))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()


class AccessibleItem(QAccessibleInterface):
    """Is the item at one place of the list, whichever it is at the moment."""

    def __init__(self, owner: AccessibleList, place: int) -> None:
        super().__init__()
        self.owner, self.place = owner, place

    def isValid(self) -> bool:
        return self.place < self.owner.view.count()

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def parent(self) -> QAccessibleInterface:
        return self.owner

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        view, state = self.owner.view, QAccessible.State()
        state.focusable = state.selectable = 1
        if not self.isValid():
            state.invalid = 1
            return state
        if view.current_place() == self.place:
            state.selected = 1
            state.focused = int(view.hasFocus())
        unfolded = view.unfolded(self.place)
        if unfolded is not None:
            state.expandable = 1
            state.expanded, state.collapsed = int(unfolded), int(not unfolded)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        return self.owner.view.sentence(self.place) if kind == QAccessible.Text.Name and self.isValid() else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Does nothing: items are read, not written."""

    def rect(self) -> QRect:
        place = self.owner.view.rect_of(self.place) if self.isValid() else None
        return QRect() if place is None else self.owner.on_screen(place)

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self.owner.window()

    def backgroundColor(self) -> QColor:
        return Theme.current().color("surface")

    def foregroundColor(self) -> QColor:
        return Theme.current().color("text")


class AccessibleList(QAccessibleObject):
    """Is the list itself; `ITEMS_KEPT` items at most are alive at a time."""

    def __init__(self, view: PaintedList) -> None:
        super().__init__(view)
        self.view = view
        self._items: OrderedDict[int, tuple[AccessibleItem, int]] = OrderedDict()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        above = self.view.parentWidget()
        return QAccessible.queryAccessibleInterface(above) if above is not None else None

    def childCount(self) -> int:
        return self.view.count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self._items:
            item = AccessibleItem(self, index)
            self._items[index] = item, QAccessible.registerAccessibleInterface(item)
            while len(self._items) > ITEMS_KEPT:
                self._hand_back(oldest=True)
        self._items.move_to_end(index)
        return self._items[index][0]

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        for index, place in self.view.in_sight():
            if self.on_screen(place).contains(x, y):
                return self.child(index)
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        current = self.view.current_place()
        return self.child(current) if current is not None and self.view.hasFocus() else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.place if isinstance(child, AccessibleItem) else -1

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.List

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = 1
        state.focused = int(self.view.hasFocus())
        state.invisible = int(not self.view.isVisible())
        return state

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name:
            return self.view.accessibleName()
        return self.view.accessibleDescription() if kind == QAccessible.Text.Description else ""

    def rect(self) -> QRect:
        return QRect(self.view.mapToGlobal(self.view.rect().topLeft()), self.view.size())

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self.view.window().windowHandle()

    def on_screen(self, place: QRect) -> QRect:
        """Returns a rectangle of the viewport in the screen's pixels."""
        return QRect(self.view.viewport().mapToGlobal(place.topLeft()), place.size())

    def release(self) -> None:
        """Hands every item back before the list goes."""
        while self._items:
            self._hand_back(oldest=False)

    def _hand_back(self, *, oldest: bool) -> None:
        _, (item, number) = self._items.popitem(last=not oldest)
        QAccessible.deleteAccessibleInterface(number)
        # Held until here: Qt deletes what Python would otherwise have deleted already.
        del item


_lists: Final[dict[int, AccessibleList]] = {}


@cache
def _serve_screen_readers() -> None:
    QAccessible.installFactory(_interface_of)


def _interface_of(key: str, target: QObject) -> QAccessibleInterface | None:
    if not isinstance(target, PaintedList):
        return None
    number = id(target)
    _lists[number] = AccessibleList(target)
    target.destroyed.connect(lambda: _forget(number))
    return _lists[number]


def _forget(number: int) -> None:
    known = _lists.pop(number, None)
    if known is not None:
        known.release()
