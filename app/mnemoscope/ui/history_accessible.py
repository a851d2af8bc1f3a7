"""The history entries for a screen reader: a list whose items are made when asked for, as the cards themselves are.

Qt asks for these only while an assistive technology is active, and keeps an item until told otherwise: so the items
are few, kept alive here, and handed back when others take their place or the list goes.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QColor,
    QWindow,
)

from mnemoscope.ui.theme import Theme

if TYPE_CHECKING:
    from mnemoscope.ui.history_view import HistoryView

ITEMS_KEPT: Final = 128
_lists: dict[int, HistoryAccessible] = {}


class EntryAccessible(QAccessibleInterface):
    """The entry at one place of the list, whichever it is at the moment."""

    def __init__(self, owner: HistoryAccessible, row: int) -> None:
        super().__init__()
        self.owner, self.row = owner, row

    def isValid(self) -> bool:
        return self.row < len(self.owner.view.stack)

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
        if self.row == view.current:
            state.selected = 1
            state.focused = int(view.hasFocus())
        card = view.stack.card(self.row)
        if card.folds:
            state.expandable = 1
            state.expanded, state.collapsed = int(card.unfolded), int(not card.unfolded)
        return state

    def text(self, kind: QAccessible.Text) -> str:
        return self.owner.view.sentence(self.row) if kind == QAccessible.Text.Name and self.isValid() else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Entries are read, not written."""

    def rect(self) -> QRect:
        view = self.owner.view
        if not self.isValid():
            return QRect()
        place = view.place.rect_of(self.row)
        return QRect(view.viewport().mapToGlobal(place.topLeft()), place.size())

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self.owner.view.window().windowHandle()

    def backgroundColor(self) -> QColor:
        return Theme.current().color("surface")

    def foregroundColor(self) -> QColor:
        return Theme.current().color("text")


class HistoryAccessible(QAccessibleObject):
    """The list itself."""

    def __init__(self, view: HistoryView) -> None:
        super().__init__(view)
        self.view = view
        self._items: OrderedDict[int, tuple[EntryAccessible, int]] = OrderedDict()

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        above = self.view.parentWidget()
        return QAccessible.queryAccessibleInterface(above) if above is not None else None

    def childCount(self) -> int:
        return len(self.view.stack)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self._items:
            item = EntryAccessible(self, index)
            self._items[index] = item, QAccessible.registerAccessibleInterface(item)
            while len(self._items) > ITEMS_KEPT:
                self._hand_back(oldest=True)
        self._items.move_to_end(index)
        return self._items[index][0]

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        for row, place in self.view.place.in_sight():
            if QRect(self.view.viewport().mapToGlobal(place.topLeft()), place.size()).contains(x, y):
                return self.child(row)
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        current = self.view.current
        return self.child(current) if current is not None and self.view.hasFocus() else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.row if isinstance(child, EntryAccessible) else -1

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


def announce_entry(view: HistoryView, row: int) -> None:
    """Another card is the current one, or it was unfolded."""
    view.setAccessibleDescription(view.sentence(row))
    if QAccessible.isActive():
        for kind in (QAccessible.Event.Focus, QAccessible.Event.Selection):
            event = QAccessibleEvent(view, kind)
            event.setChild(row)
            QAccessible.updateAccessibility(event)


def announce_entries(view: HistoryView) -> None:
    """Cards came, went or moved."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.ObjectReorder))


@cache
def offer_entries_to_screen_readers() -> None:
    """Have Qt ask here for the list's interface; once in a process."""
    QAccessible.installFactory(_interface_of)


def _interface_of(key: str, target: QObject) -> QAccessibleInterface | None:
    from mnemoscope.ui.history_view import HistoryView

    if not isinstance(target, HistoryView):
        return None
    mark = id(target)
    _lists[mark] = HistoryAccessible(target)
    target.destroyed.connect(lambda: _forget(mark))
    return _lists[mark]


def _forget(mark: int) -> None:
    known = _lists.pop(mark, None)
    if known is not None:
        known.release()
