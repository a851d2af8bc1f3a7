"""A part of the window that is seldom seen, and built when it is first wanted, or first looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

WidgetT = TypeVar("WidgetT", bound=QWidget)


class LazyWidget(Generic[WidgetT]):
    """Builds a widget when it is first asked for, and joins it then to whoever asked to be joined."""

    def __init__(self, build: Callable[[], WidgetT]) -> None:
        self._build = build
        self._joins: list[Callable[[WidgetT], object]] = []
        self._built: WidgetT | None = None

    @property
    def widget(self) -> WidgetT:
        """Returns the widget, built if it is not there yet."""
        if self._built is None:
            self._built = self._build()
            for join in self._joins:
                join(self._built)
            self._joins.clear()
        return self._built

    @property
    def built(self) -> WidgetT | None:
        """Returns the widget if it is there."""
        return self._built

    def join(self, join: Callable[[WidgetT], object]) -> None:
        """Has `join` called with the widget: once it is built, or at once where it is."""
        if self._built is None:
            self._joins.append(join)
        else:
            join(self._built)


class FirstPaint(QObject):
    """Tells when a person looks at a pane for the first time, because it is painted: one behind another in the tabs is
    shown, but not seen."""

    came = Signal()

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        pane.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self.came.emit)
        return False
