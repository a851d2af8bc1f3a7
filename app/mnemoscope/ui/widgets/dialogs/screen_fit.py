"""Keeps windows on the screen they open on: none is larger than the room there, and none begins outside of it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from mnemoscope.ui.widgets.accessibility.enter_key import press_at_enter
from mnemoscope.ui.widgets.menus import MENU_KEYS, open_menu_in_focus

_FRAME: Final = QMargins(4, 36, 4, 4)
"""The frame that a window manager draws around a window, before it has said so."""
_BOUND: Final = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


class Dialog(QDialog):
    """Fits the screen. Every dialog of the window is one, or is given to `stay_on_screen`."""

    def __init__(self, parent: QWidget | None = None, flags: Qt.WindowType = Qt.WindowType.Widget) -> None:
        super().__init__(parent, flags)
        stay_on_screen(self)
        QShortcut(QKeySequence(MENU_KEYS), self, open_menu_in_focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_at_enter(self, event):
            super().keyPressEvent(event)

    def closing_buttons(self, *actions: QPushButton, is_default: bool = True) -> QDialogButtonBox:
        """Returns a row of buttons with Close, which rejects the dialog, beside what else can be done there.

        With `is_default` False, Enter never closes: it belongs to what is typed or chosen in the dialog.
        """
        buttons = QDialogButtonBox(self)
        for each in actions:
            buttons.addButton(each, QDialogButtonBox.ButtonRole.ActionRole)
        close = buttons.addButton(QCoreApplication.translate("Dialog", "Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setAutoDefault(is_default)
        buttons.rejected.connect(self.reject)
        return buttons


def stay_on_screen(window: QWidget) -> None:
    """Fits a window, or a widget while it is one, into the screen whenever it is shown."""
    window.installEventFilter(_Fitting(window))


def room_for(window: QWidget) -> QRect:
    """Returns the place on the window's screen that its content may take, within its frame."""
    return window.screen().availableGeometry().marginsRemoved(_frame_of(window))


def bounded(size: QSize, window: QWidget) -> QSize:
    """Returns a size, or as much of it as the window's screen has room for."""
    return size.boundedTo(room_for(window).size())


def fit_to_screen(window: QWidget) -> None:
    """Makes a window that is larger than its screen smaller, and moves one that reaches beyond it."""
    if window.windowState() & _BOUND:
        return
    room = room_for(window)
    least = window.minimumSize()
    if least != least.boundedTo(room.size()):
        # Set by hand it also holds against what the layout asks for.
        window.setMinimumSize(least.boundedTo(room.size()))
    window.resize(window.size().boundedTo(room.size()))
    if window.testAttribute(Qt.WidgetAttribute.WA_Moved):
        _move(window, room, window.geometry().topLeft())
    elif (parent := window.parentWidget()) is not None or isinstance(window, QDialog):
        # At the start there may be no window to stand over yet.
        over = parent.window().geometry() if parent is not None and parent.isVisible() else room
        middle = over.center()
        _move(window, room, middle - QRect(QPoint(0, 0), window.size()).center())


def _move(window: QWidget, room: QRect, corner: QPoint) -> None:
    """Moves a window's content to a place, or as near to it as its screen allows."""
    left = max(room.left(), min(corner.x(), room.right() + 1 - window.width()))
    top = max(room.top(), min(corner.y(), room.bottom() + 1 - window.height()))
    if QPoint(left, top) != window.geometry().topLeft() or not window.testAttribute(Qt.WidgetAttribute.WA_Moved):
        # Not `move`, which takes the corner of the frame for that of the content before the frame is known.
        window.setGeometry(QRect(QPoint(left, top), window.size()))


def _frame_of(window: QWidget) -> QMargins:
    outer, inner = window.frameGeometry(), window.geometry()
    known = QMargins(
        inner.left() - outer.left(),
        inner.top() - outer.top(),
        outer.right() - inner.right(),
        outer.bottom() - inner.bottom(),
    )
    return _FRAME if known.isNull() else known


class _Fitting(QObject):
    """Fits a window when it is shown, and once more when it is first in front: its frame is known only then."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._is_new = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        shown = kind == QEvent.Type.Show and not event.spontaneous()
        framed = kind == QEvent.Type.WindowActivate and self._is_new
        if (shown or framed) and isinstance(watched, QWidget) and watched.isWindow():
            self._is_new = shown
            fit_to_screen(watched)
        return False
