"""Enter presses the button that has the keyboard, as Space does. Qt has it so for some buttons of dialogs alone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def press_at_enter(window: QWidget, event: QKeyEvent) -> bool:
    """Presses the button of `window` that has the keyboard, where the key is Enter, and returns whether it did.

    For the key events of a window: they are those that no part of it has a use for.
    """
    button = window.focusWidget()
    is_enter = event.key() in _ENTER and event.modifiers() in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.KeypadModifier,
    )
    if not is_enter or not isinstance(button, QPushButton | QToolButton):
        return False
    if not event.isAutoRepeat():
        button.click()
    return True
