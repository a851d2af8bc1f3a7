"""A painted list for a screen reader: its items are made when asked for, as what they stand for is painted when seen.

Qt asks for these only while an assistive technology is active. Its cache keeps an item until told otherwise, so the
items are few, kept alive here, and handed back when enough others were asked for since or the list goes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QColor,
    QWindow,
)
from PySide6.QtWidgets import QAbstractScrollArea

from mnemoscope.ui.widgets.theme import Theme

ViewT = TypeVar("ViewT", bound=QAbstractScrollArea)


class ListContent(Protocol):
    """Declares what a list says of its items, each by its place from 0; rectangles are in the viewport's pixels."""

    def __len__(self) -> int:
        """Returns how many items there are."""
        ...

    def sentence(self, place: int) -> str:
        """Returns what is read out for an item."""
        ...

    def current(self) -> int | None:
        """Returns the place of the current item, None for none."""
        ...

    def is_current(self, place: int) -> bool:
        """Returns whether an item is the current one."""
        ...

    def unfolded(self, place: int) -> bool | None:
        """Returns whether all of an item is shown; None where it does not fold."""
        ...

    def rect_of(self, place: int) -> QRect | None:
        """Returns where an item is, None where that is not known."""
        ...

    def in_sight(self) -> Iterable[tuple[int, QRect]]:
        """Returns the items in sight and where they are."""
        ...


class AccessibleItem(QAccessibleInterface):
    """The item at one place of the list, whichever it is at the moment."""

    def __init__(self, owner: AccessibleList, place: int) -> None:
        super().__init__()
        self.owner, self.place = owner, place

    def isValid(self) -> bool:
        return self.place < len(self.owner.content)

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
        content, state = self.owner.content, QAccessible.State()
        state.focusable = state.selectable = 1
        if not self.isValid():
            state.invalid = 1
            return state
        if content.is_current(self.place):
            state.selected = 1
            state.focused = int(self.owner.view.hasFocus())
        unfolded = content.unfolded(self.place)
        if unfolded is not None:
            state.expandable = 1
            state.expanded, state.collapsed = int(unfolded), int(not unfolded)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        return self.owner.content.sentence(self.place) if kind == QAccessible.Text.Name and self.isValid() else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Does nothing: items are read, not written."""

    def rect(self) -> QRect:
        place = self.owner.content.rect_of(self.place) if self.isValid() else None
        return QRect() if place is None else self.owner.on_screen(place)

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self.owner.window()

    def backgroundColor(self) -> QColor:
        return Theme.current().color("surface")

    def foregroundColor(self) -> QColor:
        return Theme.current().color("text")


class AccessibleList(QAccessibleObject):
    """The list itself; `kept` items at most are alive at a time."""

    def __init__(self, view: QAbstractScrollArea, content: ListContent, kept: int) -> None:
        super().__init__(view)
        self.view = view
        self.content = content
        self._kept = kept
        self._items: OrderedDict[int, tuple[AccessibleItem, int]] = OrderedDict()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        above = self.view.parentWidget()
        return QAccessible.queryAccessibleInterface(above) if above is not None else None

    def childCount(self) -> int:
        return len(self.content)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self._items:
            item = AccessibleItem(self, index)
            self._items[index] = item, QAccessible.registerAccessibleInterface(item)
            while len(self._items) > self._kept:
                self._hand_back(oldest=True)
        self._items.move_to_end(index)
        return self._items[index][0]

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        for index, place in self.content.in_sight():
            if self.on_screen(place).contains(x, y):
                return self.child(index)
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        current = self.content.current()
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


def announce_current(view: QAbstractScrollArea, place: int | None, sentence: str) -> None:
    """Announces that another item is current, or reads differently; `place` is None where it is not listed."""
    view.setAccessibleDescription(sentence)
    if QAccessible.isActive() and place is not None:
        for kind in (QAccessible.Event.Focus, QAccessible.Event.Selection):
            event = QAccessibleEvent(view, kind)
            event.setChild(place)
            QAccessible.updateAccessibility(event)


def announce_order(view: QAbstractScrollArea) -> None:
    """Announces that items came, went or moved."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.ObjectReorder))


def offer_list(kind: type[ViewT], content: Callable[[ViewT], ListContent], *, kept: int) -> None:
    """Has Qt ask here for the interface of every view of a kind; a second time changes nothing."""
    _offers[kind] = _Offer(content, kept)
    _install()


class _Offer(NamedTuple):
    content: Callable[[Any], ListContent]
    kept: int


_offers: Final[dict[type[QAbstractScrollArea], _Offer]] = {}
_lists: Final[dict[int, AccessibleList]] = {}


@cache
def _install() -> None:
    QAccessible.installFactory(_interface_of)


def _interface_of(key: str, target: QObject) -> QAccessibleInterface | None:
    offer = next((offer for kind, offer in _offers.items() if isinstance(target, kind)), None)
    if offer is None or not isinstance(target, QAbstractScrollArea):
        return None
    number = id(target)
    _lists[number] = AccessibleList(target, offer.content(target), offer.kept)
    target.destroyed.connect(lambda: _forget(number))
    return _lists[number]


def _forget(number: int) -> None:
    known = _lists.pop(number, None)
    if known is not None:
        known.release()
