"""What a window builds when it is first needed, in the Tab order where it belongs.

A widget costs some 20 KB, most of it the style sheet's tables: what nobody opened is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

PaneT = TypeVar("PaneT", bound=QWidget)


class LatePane(QWidget, Generic[PaneT]):
    """Keeps the place of a pane, which is built when it is first seen or given the keyboard."""

    def __init__(self, build: Callable[[QWidget], PaneT], least_width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build = build
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setMinimumWidth(least_width)

    @cached_property
    def pane(self) -> PaneT:
        """The pane itself."""
        pane = self._build(self)
        self._column.addWidget(pane)
        self.setFocusProxy(pane)
        return pane

    @property
    def built(self) -> PaneT | None:
        """The pane if it is there already."""
        return self.pane if "pane" in vars(self) else None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Painted is what a person sees: a dock behind another one counts as shown."""
        if self.built is None:
            QTimer.singleShot(0, self, lambda: self.pane)
        super().paintEvent(event)


def controls_of(part: QWidget) -> list[QWidget]:
    """What takes the keyboard by Tab within a part, in its own order.

    They are told by their order as children: walking the focus chain would make PySide owners of what it returns, and
    make all its classes of widgets first.
    """
    found = part.findChildren(QWidget)
    # The list of a combo box is a window of its own.
    return [each for each in found if _takes_tab(each) and each.window() is part.window()]


def _takes_tab(control: QWidget) -> bool:
    return bool(control.focusPolicy() & Qt.FocusPolicy.TabFocus) and control.focusProxy() is None


def follow_in_tab_order(part: QWidget, before: QWidget) -> None:
    """Have Tab reach the controls of a part that was just built behind the control `before`."""
    last = before
    for control in controls_of(part):
        QWidget.setTabOrder(last, control)
        last = control
