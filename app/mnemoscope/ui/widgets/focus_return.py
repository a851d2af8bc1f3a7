"""What comes and goes by itself gives the keyboard back to where it came from: Qt would give it to whatever is next."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


class FocusReturn(QObject):
    """Remembers what had the keyboard before `part` took it."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part)
        self._part = part
        self._before: QWidget | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus)

    def give_back(self) -> None:
        """The part is about to go: where it has the keyboard, what had it before has it again."""
        if self._has(self._part.window().focusWidget()) and self._before is not None and isValid(self._before):
            self._before.setFocus()

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and self._has(new) and not self._has(old):
            self._before = old

    def _has(self, widget: QWidget | None) -> bool:
        return widget is not None and self._part.isAncestorOf(widget)
