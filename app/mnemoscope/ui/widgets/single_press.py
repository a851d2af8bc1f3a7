"""Buttons that act once where a person presses twice in a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

_PRESSING: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})
"""The keys that press a button; others lead on from it, also while they are held down."""


class SinglePress(QObject):
    """Takes the first press of buttons that begin a request or act on what is chosen, and none that follows it within
    the time of a double click: by then the list may have moved on, or another of the buttons may stand there.

    A button gets its second press of a double click as a press of its own, and a key that is held down presses it again
    and again.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._since = QElapsedTimer()

    def connect_button(self, button: QAbstractButton, handler: Callable[[], object]) -> None:
        """Has `handler` called at the presses of a button that are taken."""
        button.installEventFilter(self)
        button.clicked.connect(lambda _checked=False: self.run(handler))

    def run(self, handler: Callable[[], object]) -> None:
        """Calls `handler`, unless this press follows another one at once."""
        follows = self._since.isValid() and self._since.elapsed() < QApplication.doubleClickInterval()
        self._since.start()
        if not follows:
            try:
                handler()
            finally:
                # A press that was made while it was at work comes only now.
                self._since.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Withholds the second press of a double click, however late it comes, and the repeats of a key held down."""
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self._since.start()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.isAutoRepeat():
            return event.key() in _PRESSING
        return super().eventFilter(watched, event)
