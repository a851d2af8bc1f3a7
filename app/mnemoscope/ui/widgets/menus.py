"""Menus within menus, and where and by which key the menu of a place opens.

What `QMenu.addMenu("words")` makes is Qt's own, and PySide may give it the wrapper of an object that was at its address
before: it is not the menu then, and what is asked of it fails. A menu that is made here is its own.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QMenuBar, QWidget

MENU_KEYS: Final = "Shift+F10"
"""Opens the menu of what has the keyboard. The Menu key does so everywhere; not every keyboard has one."""


def submenu(parent: QMenu | QMenuBar, words: str) -> QMenu:
    """Returns a new menu, which stands at the end of `parent` under these words."""
    menu = QMenu(words, parent)
    parent.addMenu(menu)
    return menu


def open_menu_in_focus() -> None:
    """Opens the menu of the widget that has the keyboard at its caret or current row, as the Menu key does."""
    widget = QApplication.focusWidget()
    if widget is not None:
        caret: QRect | QRectF = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        at = QRectF(caret).center().toPoint()
        # It must outlive the call: PySide lets go of an event that nobody but the call holds.
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at))
        QApplication.sendEvent(widget, event)


def menu_place(event: QContextMenuEvent, caret: QRect, viewport: QWidget) -> QPoint:
    """Returns the point of a viewport where a menu that was asked for opens: at the pointer, or, by key, below the
    caret, as near to it as is in sight."""
    if event.reason() != QContextMenuEvent.Reason.Keyboard:
        return viewport.mapFromGlobal(event.globalPos())
    return _below(caret, viewport)


def menu_place_of_choice(caret: QRect, viewport: QWidget) -> QPoint:
    """Returns the point of the screen where a menu opens that something chosen in a viewport leads to: at the pointer
    where that is over it, else below the caret, as by key."""
    return QCursor.pos() if viewport.underMouse() else viewport.mapToGlobal(_below(caret, viewport))


def _below(caret: QRect, viewport: QWidget) -> QPoint:
    sight = viewport.rect()
    left = max(sight.left(), min(caret.left(), sight.right()))
    return QPoint(left, max(sight.top(), min(caret.bottom(), sight.bottom())))


def offer_buttons(widget: QWidget) -> None:
    """Has a right click and the Menu key offer what the buttons within a widget do."""

    def open_menu(where: QPoint) -> None:
        menu = QMenu(widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in widget.findChildren(QAbstractButton):
            if button.isVisibleTo(widget):
                menu.addAction(button.text() or button.accessibleName() or button.toolTip(), button.click)
        menu.popup(widget.mapToGlobal(where))

    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    widget.customContextMenuRequested.connect(open_menu)
