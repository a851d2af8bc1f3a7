"""The timeline for a screen reader: a list whose items are made when asked for, as the rows themselves are.

Qt asks for these only while an assistive technology is active. Its cache keeps an item until told otherwise, so
the items are few, kept alive here, and handed back when they are older than `ITEMS_KEPT` others or the list goes.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QColor,
    QWindow,
)

from mnemoscope.domain.timeline import RowKind
from mnemoscope.ui.timeline_sentences import row_sentence
from mnemoscope.ui.timeline_words import pointer_words

if TYPE_CHECKING:
    from mnemoscope.domain.timeline import Row
    from mnemoscope.ui.timeline_view import TimelineView

ITEMS_KEPT: Final = 256
_lists: dict[int, TimelineAccessible] = {}


class RowAccessible(QAccessibleInterface):
    """The row at one place of the list, whatever it is at the moment."""

    def __init__(self, owner: TimelineAccessible, place: int) -> None:
        super().__init__()
        self.owner, self.place = owner, place

    def isValid(self) -> bool:
        return self.place < self.owner.view.model.stack.rows

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
        row = view.model.stack.row(self.place)
        if row == view.current:
            state.selected = 1
            state.focused = int(view.hasFocus())
        if row.kind is RowKind.ENTRY:
            state.expandable = 1
            unfolded = row.number in view.model.unfolded
            state.expanded, state.collapsed = int(unfolded), int(not unfolded)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        if kind != QAccessible.Text.Name or not self.isValid():
            return ""
        model = self.owner.view.model
        return row_sentence(model, model.stack.row(self.place))

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Rows are read, not written."""

    def rect(self) -> QRect:
        view = self.owner.view
        for place, _, rect in view.scene.in_sight(view.place.top):
            if place == self.place:
                return QRect(view.viewport().mapToGlobal(rect.topLeft()), rect.size())
        return QRect()

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self.owner.view.window().windowHandle()

    def backgroundColor(self) -> QColor:
        return self.owner.view.scene.rows.color("surface")

    def foregroundColor(self) -> QColor:
        return self.owner.view.scene.rows.color("text")


class TimelineAccessible(QAccessibleObject):
    """The list itself."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        self.view = view
        self._items: OrderedDict[int, tuple[RowAccessible, int]] = OrderedDict()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        above = self.view.parentWidget()
        return QAccessible.queryAccessibleInterface(above) if above is not None else None

    def childCount(self) -> int:
        return self.view.model.stack.rows

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self._items:
            item = RowAccessible(self, index)
            self._items[index] = item, QAccessible.registerAccessibleInterface(item)
            while len(self._items) > ITEMS_KEPT:
                self._hand_back(oldest=True)
        self._items.move_to_end(index)
        return self._items[index][0]

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        for index, _, rect in self.view.scene.in_sight(self.view.place.top):
            if QRect(self.view.viewport().mapToGlobal(rect.topLeft()), rect.size()).contains(x, y):
                return self.child(index)
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        place = self.view.model.stack.place_of_row(self.view.current) if self.view.current else None
        return self.child(place) if place is not None and self.view.hasFocus() else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.place if isinstance(child, RowAccessible) else -1

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

    def release(self) -> None:
        """Hand every item back before the list goes."""
        while self._items:
            self._hand_back(oldest=False)

    def _hand_back(self, *, oldest: bool) -> None:
        _, (item, number) = self._items.popitem(last=not oldest)
        QAccessible.deleteAccessibleInterface(number)
        # Held until here: Qt deletes what Python would otherwise have deleted already.
        del item


def announce_row(view: TimelineView, row: Row) -> None:
    """Another row is the current one."""
    view.setAccessibleDescription(row_sentence(view.model, row))
    place = view.model.stack.place_of_row(row)
    if QAccessible.isActive() and place is not None:
        for kind in (QAccessible.Event.Focus, QAccessible.Event.Selection):
            event = QAccessibleEvent(view, kind)
            event.setChild(place)
            QAccessible.updateAccessibility(event)


def announce_rows(view: TimelineView) -> None:
    """Rows came, went or moved."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.ObjectReorder))


def announce_pointer(view: TimelineView) -> None:
    """The pointer stands elsewhere: worth hearing without looking for it."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(view, pointer_words(view.model.pointer)))


@cache
def offer_to_screen_readers() -> None:
    """Have Qt ask here for a timeline's interface; once in a process."""
    QAccessible.installFactory(_interface_of)


def _interface_of(key: str, target: QObject) -> QAccessibleInterface | None:
    from mnemoscope.ui.timeline_view import TimelineView

    if not isinstance(target, TimelineView):
        return None
    number = id(target)
    _lists[number] = TimelineAccessible(target)
    target.destroyed.connect(lambda: _forget(number))
    return _lists[number]


def _forget(number: int) -> None:
    known = _lists.pop(number, None)
    if known is not None:
        known.release()
