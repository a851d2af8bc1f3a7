"""Leaves a part of the window with Esc, wherever in it the keyboard is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


def leave_at_escape(widget: QWidget, leave: Callable[[], object]) -> None:
    """Calls `leave` when Esc reaches the widget: from itself, or from a part of it that has no use for the key.

    A shortcut would take the key from those parts.
    """
    widget.installEventFilter(_EscapeFilter(widget, leave))


class _EscapeFilter(QObject):
    def __init__(self, widget: QWidget, leave: Callable[[], object]) -> None:
        super().__init__(widget)
        self._leave = leave

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return False
        self._leave()
        return True
